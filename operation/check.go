package operation

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// part is a set of the parts of a request that a rule reads.
type part uint8

const (
	ofNamed    part = 1 << iota // a parameter that is sent or required, and that names the rule
	ofUnruled                   // a parameter of the operation without a rule
	ofRepeated                  // a parameter that is sent more than once
	ofUnlisted                  // a parameter that the documents do not list for the operation
	ofQuery                     // the query parameters together
	ofRequest                   // the operation, the caller and the calendar
	ofBody                      // the presence of a body that the documents do not show

	ofListed = ofNamed | ofUnruled // a parameter of the operation
)

// rules are the rules of this package in the order in which they run, each with the parts of a
// request to which it applies. Each Check is a function of type [check].
var rules = []struct {
	part part
	*diag.Rule
}{
	{ofRepeated, &paramRepeated},
	{ofNamed, &moveDestination},
	{ofNamed, &quickAddText},
	{ofNamed, &insertRange},
	{ofNamed, &insertMaxAttendees},
	{ofNamed, &insertSendUpdates},
	{ofNamed | ofUnlisted, &insertSendNotifications},
	{ofNamed, &insertBoolean},
	{ofNamed, &insertSendUpdatesDefault},
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
	{ofNamed | ofUnruled | ofUnlisted, &paramValue},
	{0, &operationCatalogue},
	{0, &operationPath},
	{ofRequest, &scopeInsert},
	{ofRequest, &scopeOperation},
	{ofRequest, &scopeUnspecified},
	{ofRequest, &calendarsClear},
	{ofRequest, &calendarsDelete},
	{0, &calendarsInsert},
	{ofRequest, &transferCalendar},
	{0, &channelsStop},
	{ofUnruled | ofUnlisted | ofBody, &operationUnspecified},
}

// parts is the number of the parts of a request.
const parts = 7

// maxOccasions is the number of bits of a [diag.When].
const maxOccasions = 64

// boundRule is a rule in the form in which it runs.
type boundRule struct {
	*diag.Rule
	check check
}

// ruleIndex lists the rules that have a check.
type ruleIndex struct {
	ofPart  [parts][]boundRule // by the bit of the part
	ofParam [][]boundRule      // by the number of the parameter: about a single parameter that is sent once
}

// rulesOn lists the rules by the bit of the occasion. The last occasion is for operations that are not in the table,
// which have none.
var rulesOn = func() (index [maxOccasions + 1]func() *ruleIndex) {
	for on := range maxOccasions {
		index[on] = sync.OnceValue(func() *ruleIndex { return newRuleIndex(diag.When(1) << on) })
	}
	none := new(ruleIndex)
	index[maxOccasions] = func() *ruleIndex { return none }
	return index
}()

func newRuleIndex(on diag.When) *ruleIndex {
	index := new(ruleIndex)
	for p := range parts {
		index.ofPart[p] = boundRules(1<<p, on)
	}
	for i := range params {
		index.ofParam = append(index.ofParam, params[i].boundRules(on))
	}
	return index
}

// boundRules returns the rules about a part of a request.
func boundRules(p part, on diag.When) (list []boundRule) {
	for _, r := range rules {
		if r.Check != nil && r.When.Has(on) && r.part&p != 0 {
			list = append(list, boundRule{r.Rule, r.Check.(check)})
		}
	}
	return list
}

// boundRules returns the rules about a parameter that is sent once.
func (p *Param) boundRules(on diag.When) (list []boundRule) {
	for _, r := range rules {
		isAbout := slices.Contains(p.rules, r.Rule) || r.part&ofUnruled != 0 && !p.isRuled(on)
		if r.Check != nil && r.When.Has(on) && isAbout {
			list = append(list, boundRule{r.Rule, r.Check.(check)})
		}
	}
	return list
}

// Rules returns the rules of this package in the order in which they run.
func Rules() []*diag.Rule {
	all := make([]*diag.Rule, len(rules))
	for i, r := range rules {
		all[i] = r.Rule
	}
	return all
}

// check is the type of the functions that check the rules.
type check = func(input, engine.Reporter)

// input is one part of a request.
type input struct {
	part
	operation *Operation
	caller    *Caller                // of a part ofRequest, not nil
	calendar  *Calendar              // of a part ofRequest, not nil
	argument                         // of a part that is a parameter; of a part ofQuery, only the query
	body      []byte                 // of a part ofNamed
	hasMember func(name string) bool // see [Request.HasMember]; of a part ofUnlisted
}

// argument is the value of a parameter in a request.
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
	return slices.ContainsFunc(a.values, func(v string) bool { return v != a.values[0] })
}

// Request is the part of a request that the rules of this package read.
type Request struct {
	Operation *Operation
	Params    Params    // the query
	Caller    *Caller   // nil if nothing is known about the caller
	Calendar  *Calendar // nil if nothing is known about the calendar
	HasBody   bool
	Body      []byte // may contain a misplaced query value; nil without a body, or for a Go value
	Dialect   diag.Dialect

	// HasMember reports whether the body of the operation can have a member. It is nil if this is unknown.
	HasMember func(name string) bool
}

// reports is the pool of reports, which would otherwise escape to the heap in every check.
var reports = sync.Pool{New: func() any { return new(engine.Collector) }}

// Check checks the query parameters, the scopes, the calendar and the presence of a body, and decodes the parameters as
// [Params.Options] does. The findings are about the parameters of the operation, in the order of [Operation.Params], then
// about other parameters, sorted by name, then about several parameters together, then about the request as a whole. There
// are at most [engine.Most] + 1. Package event checks the content of the body.
func (r Request) Check() (options Options, found diag.Findings) {
	op := r.Operation.orZero()
	report := reports.Get().(*engine.Collector)
	defer reports.Put(report)
	*report = engine.Part(r.Dialect)
	if len(r.Params) > 0 || op.requires {
		options = r.checkParams(op, report)
	}
	if len(r.Params) > 0 && !diag.Write.Has(op.When) { // rules about several parameters are about reading
		run(op.rules(ofQuery), input{part: ofQuery, operation: op, argument: argument{query: r.Params}}, report)
	}
	if r.Caller != nil || r.Calendar != nil { // the rules are about facts
		run(op.rules(ofRequest), input{
			part: ofRequest, operation: op,
			caller: cmp.Or(r.Caller, &unknownCaller), calendar: cmp.Or(r.Calendar, &unknownCalendar),
		}, report)
	}
	if r.HasBody && !op.EventBody {
		run(op.rules(ofBody), input{part: ofBody, operation: op}, report)
	}
	return options, report.Findings
}

// A caller and a calendar without facts. They are never modified.
var (
	unknownCaller   Caller
	unknownCalendar Calendar
)

// checkParams decodes the parameters, and checks the rules about single ones.
func (r Request) checkParams(op *Operation, report *engine.Collector) (options Options) {
	params, listed := r.Params, 0
	for i := range op.Params {
		p := &op.Params[i]
		values, isListed := params[p.Name]
		if isListed {
			listed++
		}
		if len(values) > 0 || p.Required {
			options = p.decodeInto(options, values)
			checkParamBy(rulesOn[op.occasion()]().ofParam[p.number], input{part: ofListed, operation: op, argument: argument{p, values, params}, body: r.Body}, report)
		}
	}
	if listed == len(params) {
		return options
	}
	for _, name := range op.unlisted(params) {
		p := op.known(name)
		options = p.decodeInto(options, params[name])
		checkParamBy(op.rules(ofUnlisted), input{part: ofUnlisted, operation: op, argument: argument{cmp.Or(p, &Param{Name: name}), params[name], params}, hasMember: r.HasMember}, report)
	}
	return options
}

// checkParamBy checks the rules about one parameter, and those about one that is repeated.
func checkParamBy(rules []boundRule, in input, report *engine.Collector) {
	if len(in.values) > 1 {
		run(in.operation.rules(ofRepeated), in, report)
	}
	run(rules, in, report)
}

// run runs the checks of rules.
func run(rules []boundRule, in input, report *engine.Collector) {
	for _, r := range rules {
		r.check(in, report.For(r.Rule, ""))
	}
}

// rules returns the rules about a part of a request.
func (op *Operation) rules(p part) []boundRule {
	return rulesOn[op.occasion()]().ofPart[bits.TrailingZeros8(uint8(p))]
}

// occasion returns the bit number of the operation's occasion in When.
func (op *Operation) occasion() int { return bits.TrailingZeros64(uint64(op.When)) }

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
