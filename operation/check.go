package operation

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
)

// part is a set of the parts of a request that a rule looks at.
type part uint8

const (
	ofParam    part = 1 << iota // a parameter of the operation that is sent or required
	ofUnlisted                  // a parameter that the documents do not list for the operation
	ofQuery                     // the query parameters together
	ofRequest                   // the operation, the caller and the calendar
	ofBody                      // the presence of a body that the documents do not show

	named   // of a rule only: it is about parameters that name it
	ofNamed = ofParam | named
)

// rules are the rules of this package in the order in which they run, each with the parts of a
// request to which it applies. Each Check is a [check].
var rules = []struct {
	part part
	*diag.Rule
}{
	{ofParam | ofUnlisted, &paramRepeated},
	{ofNamed, &moveDestination},
	{ofNamed, &quickAddText},
	{ofNamed, &insertRange},
	{ofNamed, &insertMaxAttendees},
	{ofNamed, &insertSendUpdates},
	{ofParam, &insertSendNotifications},
	{ofNamed, &insertBoolean},
	{ofParam, &insertSendUpdatesDefault},
	{ofNamed, &insertSupportsAttachments},
	{ofNamed, &transferRequired},
	{ofUnlisted, &paramUnknown},
	{ofQuery, &listOrderBy},
	{ofQuery, &listTimeParam},
	{ofQuery, &listTimeRange},
	{ofQuery, &listSyncToken},
	{ofQuery, &listUpdatedMinAge},
	{ofQuery, &listMaxResults},
	{ofQuery, &listExtendedProperty},
	{ofQuery, &calendarListSyncToken},
	{ofQuery, &aclSyncToken},
	{ofParam | ofUnlisted, &paramValue},
	{0, &operationCatalogue},
	{ofRequest, &scopeInsert},
	{ofRequest, &scopeOperation},
	{ofRequest, &scopeUnspecified},
	{ofRequest, &calendarsClear},
	{ofRequest, &calendarsDelete},
	{0, &calendarsInsert},
	{ofRequest, &transferCalendar},
	{0, &channelsStop},
	{ofParam | ofUnlisted | ofBody, &operationUnspecified},
}

// parts is the number of the parts of a request.
const parts = 5

// maxOccasions is the number of bits of a [diag.When].
const maxOccasions = 64

// boundRule is a rule in the form in which it runs.
type boundRule struct {
	*diag.Rule
	check check
	named bool // it is about parameters that name it
}

// rulesOf lists the rules that have a check, by the bits of the occasion and of the part of a request.
// The last occasion is for operations that are not in the table, which have none.
var rulesOf = sync.OnceValue(func() *[maxOccasions + 1][parts][]boundRule {
	var index [maxOccasions + 1][parts][]boundRule
	for _, r := range rules {
		for on := range index {
			for p := range parts {
				if r.When.Has(diag.When(1)<<on) && r.part&(1<<p) != 0 {
					index[on][p] = append(index[on][p], boundRule{r.Rule, r.Check.(check), r.part&named != 0})
				}
			}
		}
	}
	return &index
})

// Rules returns the rules of this package in the order in which they run.
func Rules() []*diag.Rule {
	all := make([]*diag.Rule, len(rules))
	for i, r := range rules {
		all[i] = r.Rule
	}
	return all
}

// check is the type of the functions that check the rules.
type check = diag.CheckFunc[input]

// input is one part of a request.
type input struct {
	part
	operation *Operation
	caller    *Caller   // of a part ofRequest, not nil
	calendar  *Calendar // of a part ofRequest, not nil
	argument            // of a part ofParam or ofUnlisted; of a part ofQuery, only the query
}

// argument is what a request sends for a parameter.
type argument struct {
	*Param
	values []string // empty if the parameter is absent
	query  Params   // the whole query
}

// value returns the value that was sent, whether once or repeatedly. It reports false if the
// parameter is absent or was sent with different values.
func (a *argument) value() (string, bool) {
	if len(a.values) == 0 || a.ambiguous() {
		return "", false
	}
	return a.values[0], true
}

// ambiguous reports whether different values were sent.
func (a *argument) ambiguous() bool {
	return len(a.values) > 1 && slices.ContainsFunc(a.values, func(v string) bool { return v != a.values[0] })
}

// Check checks the query parameters, scopes and calendar of a request for the operation, and decodes the parameters as
// [Params.Flags] does. A nil caller or calendar is unknown. The findings are about the parameters of the operation, in
// the order of [Operation.Params], then about other parameters, sorted by name, then about several parameters together,
// then about the request as a whole. Check does not look at the body: [Operation.CheckBody] and package event do.
func (op *Operation) Check(params Params, caller *Caller, calendar *Calendar, report *diag.Report) (flags Flags) {
	op = op.orZero()
	if len(params) > 0 || op.requires {
		flags = op.checkParams(params, report)
	}
	if len(params) > 0 && !diag.Write.Has(op.When) { // rules about several parameters are about reading
		run(input{part: ofQuery, operation: op, argument: argument{query: params}}, report)
	}
	if caller != nil || calendar != nil { // the rules are about facts
		run(input{
			part: ofRequest, operation: op,
			caller: cmp.Or(caller, &unknownCaller), calendar: cmp.Or(calendar, &unknownCalendar),
		}, report)
	}
	return flags
}

// A caller and a calendar without facts. They are never modified.
var (
	unknownCaller   Caller
	unknownCalendar Calendar
)

// checkParams decodes the parameters, and checks the rules about single ones.
func (op *Operation) checkParams(params Params, report *diag.Report) (flags Flags) {
	listed := 0
	for i := range op.Params {
		p := &op.Params[i]
		values, isListed := params[p.Name]
		if isListed {
			listed++
		}
		if len(values) > 0 || p.Required {
			flags = p.decodeInto(flags, values)
			run(input{part: ofParam, operation: op, argument: argument{p, values, params}}, report)
		}
	}
	if listed == len(params) {
		return flags
	}
	for _, name := range op.unlisted(params) {
		flags = paramsByName[name].decodeInto(flags, params[name])
		run(input{part: ofUnlisted, operation: op, argument: argument{&Param{Name: name}, params[name], params}}, report)
	}
	return flags
}

// CheckBody checks whether a request for the operation may have a body. Call it for requests that have one.
func (op *Operation) CheckBody(report *diag.Report) {
	if op := op.orZero(); !op.EventBody {
		run(input{part: ofBody, operation: op}, report)
	}
}

// run checks the rules that apply to the part of the request.
func run(in input, report *diag.Report) {
	for _, r := range in.operation.rules(in.part) {
		if !r.named || r.Rule == in.rule {
			r.check(in, report.For(r.Rule, ""))
		}
	}
}

// rules returns the rules that apply to a part of a request.
func (op *Operation) rules(p part) []boundRule {
	return rulesOf()[bits.TrailingZeros64(uint64(op.When))][bits.TrailingZeros8(uint8(p))]
}

// unlisted returns the names of the parameters that are not in [Operation.Params], sorted.
func (op *Operation) unlisted(params Params) (names []string) {
	for name, values := range params {
		if len(values) > 0 && op.Param(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
