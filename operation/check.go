package operation

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
)

// A part is a set of request parts to which a rule applies.
type part uint8

const (
	ofNamed    part = 1 << iota // a parameter that is sent or required, for the rules in its declaration
	ofUnruled                   // a parameter of the operation without a rule
	ofRepeated                  // a parameter that is sent more than once
	ofUnlisted                  // a parameter that the documentation does not list for the operation
	ofQuery                     // all query parameters together
	ofRequest                   // the operation, the caller and the calendar
	ofBody                      // the presence of a body that the documentation does not show

	ofListed = ofNamed | ofUnruled // a parameter of the operation
)

// rules lists the rules of this package in the order in which they run, each with the parts of a request to which it
// applies. Each Check is a function of type [check].
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

// parts is the number of different parts of a request.
const parts = 7

// maxOccasions is the number of bits of a [diag.When].
const maxOccasions = 64

// A boundRule is a rule with its check function.
type boundRule struct {
	*diag.Rule
	check check
}

// A ruleIndex lists the rules that have a check and apply on one occasion.
type ruleIndex struct {
	ofPart  [parts][]boundRule // indexed by the bit number of the part
	ofParam [][]boundRule      // the rules about a single parameter that is sent once, indexed by the number of the parameter
}

// rulesOn contains the rule indexes, indexed by the bit number of the occasion. The last index, which is empty, is for
// operations that are not in the table.
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

// boundRules returns the rules about a part of a request on an occasion.
func boundRules(p part, on diag.When) (list []boundRule) {
	for _, r := range rules {
		if r.Check != nil && r.When.Has(on) && r.part&p != 0 {
			list = append(list, boundRule{r.Rule, r.Check.(check)})
		}
	}
	return list
}

// boundRules returns the rules about the parameter, if it is sent once, on an occasion.
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

// A check function checks one part of a request against a rule.
type check = func(input, engine.Reporter)

// An input is one part of a request.
type input struct {
	part
	operation *Operation
	caller    *Caller                // set only for ofRequest, and then not nil
	calendar  *Calendar              // set only for ofRequest, and then not nil
	argument                         // set for parameters; for ofQuery, only its query is set
	body      []byte                 // set only for ofNamed
	hasMember func(name string) bool // see [Request.HasMember]; set only for ofUnlisted
}

// An argument is a parameter with its values in a request.
type argument struct {
	*Param
	values []string // empty if the parameter is absent
	query  Params   // all query parameters
}

// value returns the value of the parameter, even if that value was sent repeatedly. It returns false if the parameter is
// absent or was sent with different values.
func (a *argument) value() (string, bool) {
	if len(a.values) == 0 || a.ambiguous() {
		return "", false
	}
	return a.values[0], true
}

// ambiguous reports whether the parameter was sent with different values.
func (a *argument) ambiguous() bool {
	return slices.ContainsFunc(a.values, func(v string) bool { return v != a.values[0] })
}

// A Request contains the parts of a request that the rules of this package check.
type Request struct {
	Operation *Operation
	Params    Params    // the query parameters
	Caller    *Caller   // nil if nothing is known about the caller
	Calendar  *Calendar // nil if nothing is known about the calendar
	HasBody   bool
	Body      []byte // checked for misplaced query parameters; nil if there is no body or if the body is a Go value
	Dialect   diag.Dialect

	// HasMember reports whether the body of the operation can have a member with the given name. It is nil if the members
	// are unknown.
	HasMember func(name string) bool
}

// reports is a pool of reports. Without it, every check would allocate a report on the heap.
var reports = sync.Pool{New: func() any { return new(engine.Collector) }}

// Check checks the query parameters, the scopes, the calendar and the presence of a body, and decodes the parameters as
// [Params.Options] does. The findings are sorted: first those about the parameters of the operation, in the order of
// [Operation.Params], then those about other parameters, by name, then those about combinations of parameters, and
// finally those about the request as a whole. There are at most [engine.Most] + 1 findings. Package event checks the
// content of the body.
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
	if r.Caller != nil || r.Calendar != nil { // without facts, the rules report nothing
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

// A caller and a calendar about which nothing is known. They are never modified.
var (
	unknownCaller   Caller
	unknownCalendar Calendar
)

// checkParams decodes the parameters and checks them against the rules about single parameters.
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

// checkParamBy checks a parameter against the given rules and, if it is repeated, against the rules about repeated
// parameters.
func checkParamBy(rules []boundRule, in input, report *engine.Collector) {
	if len(in.values) > 1 {
		run(in.operation.rules(ofRepeated), in, report)
	}
	run(rules, in, report)
}

// run checks the input against the rules.
func run(rules []boundRule, in input, report *engine.Collector) {
	for _, r := range rules {
		r.check(in, report.For(r.Rule, ""))
	}
}

// rules returns the rules about a part of a request for the operation.
func (op *Operation) rules(p part) []boundRule {
	return rulesOn[op.occasion()]().ofPart[bits.TrailingZeros8(uint8(p))]
}

// occasion returns the bit number of the occasion in op.When.
func (op *Operation) occasion() int { return bits.TrailingZeros64(uint64(op.When)) }

// unlisted returns the sorted names of the parameters that are not in [Operation.Params].
func (op *Operation) unlisted(params Params) (names []string) {
	for name, values := range params {
		if len(values) > 0 && op.Param(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
