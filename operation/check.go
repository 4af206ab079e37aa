package operation

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"

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

// rulesOn contains the rule indexes made so far, indexed by the dialect and by the bit number of the occasion. The last index
// for a dialect, which is empty, is for operations that are not in the table.
var rulesOn [2][maxOccasions + 1]atomic.Pointer[ruleIndex]

func newRuleIndex(in diag.Dialect, on diag.When) *ruleIndex {
	index := new(ruleIndex)
	for p := range parts {
		isAbout := func(r *diag.Rule, of part) bool { return of&(1<<p) != 0 }
		index.ofPart[p] = boundRules(in, on, isAbout)
	}
	for i := range params {
		index.ofParam = append(index.ofParam, boundRules(in, on, params[i].isSubject(on)))
	}
	return index
}

// boundRules returns the rules about a subject that hold in a dialect on an occasion.
func boundRules(in diag.Dialect, on diag.When, isAbout func(*diag.Rule, part) bool) (list []boundRule) {
	for _, r := range rules {
		if r.Check != nil && r.When.Has(on) && r.HoldsIn(in) && isAbout(r.Rule, r.part) {
			list = append(list, boundRule{r.Rule, r.Check.(check)})
		}
	}
	return list
}

// isSubject returns a function that reports whether a rule is about the parameter when the parameter is sent once.
func (p *Param) isSubject(on diag.When) func(*diag.Rule, part) bool {
	return func(r *diag.Rule, of part) bool {
		return slices.Contains(p.rules, r) || of&ofUnruled != 0 && !p.isRuled(on)
	}
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
type check = func(*input, engine.Reporter)

// An input is one part of a request.
type input struct {
	part
	operation *Operation
	caller    *Caller                // set only for ofRequest, and then not nil
	calendar  *Calendar              // set only for ofRequest, and then not nil
	argument                         // set for parameters; for the other parts, only the query is set
	accepted  bool                   // whether the first value is valid for the parameter
	body      []byte                 // see [Request.Body]
	hasMember func(name string) bool // see [Request.HasMember]
}

// An argument is a parameter with its values in a request.
type argument struct {
	*Param
	values []string // empty if the parameter is absent
	query  Params   // all query parameters
}

// value returns the value of the parameter, even if the same value was sent repeatedly, or false if the parameter is absent or
// was sent with different values.
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

// A Request contains the parts of a request checked by the rules of this package.
type Request struct {
	Operation *Operation
	Params    Params    // the query parameters
	Caller    *Caller   // nil if nothing is known about the caller
	Calendar  *Calendar // nil if nothing is known about the calendar
	HasBody   bool
	Body      []byte // checked for misplaced query parameters; nil if there is no body or if the body is a Go value
	Dialect   diag.Dialect

	// HasMember reports whether the body of the operation can have a member with the given name. HasMember is nil if the
	// members are unknown.
	HasMember func(name string) bool
}

// A checkRun is the state of one check.
type checkRun struct {
	input
	rules   *ruleIndex
	report  engine.Collector
	options Options
}

// runs is a pool of runs. Without the pool, every check would allocate a run on the heap.
var runs = sync.Pool{New: func() any { return new(checkRun) }}

// release drops the state of a check.
func (c *checkRun) release() {
	*c = checkRun{}
	runs.Put(c)
}

// Check checks the query parameters, the scopes, the calendar and the presence of a body, and decodes the parameters as
// [Params.Options] does. The findings are sorted by subject: first the parameters of the operation, in the order of
// [Operation.Params], then other parameters, by name, then combinations of parameters, and finally the request as a whole.
// Check returns at most [engine.Most] + 1 findings. Package event checks the content of the body.
func (r Request) Check() (Options, diag.Findings) {
	op := r.Operation.orZero()
	c := runs.Get().(*checkRun)
	defer c.release()
	c.operation, c.rules, c.report = op, op.rules(r.Dialect), engine.Part(r.Dialect)
	c.query, c.body, c.hasMember = r.Params, r.Body, r.HasMember
	if len(r.Params) > 0 || op.requires {
		c.checkParams()
	}
	if len(r.Params) > 0 && !diag.Write.Has(op.When) { // rules about several parameters apply only to reads
		c.checkPart(ofQuery)
	}
	if r.Caller != nil || r.Calendar != nil { // without facts, the rules report nothing
		c.caller, c.calendar = cmp.Or(r.Caller, &unknownCaller), cmp.Or(r.Calendar, &unknownCalendar)
		c.checkPart(ofRequest)
	}
	if r.HasBody && !op.EventBody {
		c.checkPart(ofBody)
	}
	return c.options, c.report.Findings
}

// A caller and a calendar about which nothing is known, which are never modified.
var (
	unknownCaller   Caller
	unknownCalendar Calendar
)

// checkParams decodes the parameters and checks them against the rules about single parameters.
func (c *checkRun) checkParams() {
	listed := 0
	for i := range c.operation.Params {
		p := &c.operation.Params[i]
		values, isListed := c.query[p.Name]
		if isListed {
			listed++
		}
		if len(values) > 0 || p.Required {
			c.checkParam(ofListed, c.rules.ofParam[p.number], argument{p, values, c.query})
		}
	}
	if listed == len(c.query) {
		return
	}
	for _, name := range c.operation.unlisted(c.query) {
		p := c.operation.known(name)
		if p == nil {
			p = &Param{Name: name}
		}
		c.checkParam(ofUnlisted, c.rules.of(ofUnlisted), argument{p, c.query[name], c.query})
	}
}

// checkParam decodes a parameter and checks it against the given rules and, if it is repeated, against the rules about
// repeated parameters.
func (c *checkRun) checkParam(as part, rules []boundRule, of argument) {
	c.part, c.argument = as, of
	c.accepted = of.decodeInto(&c.options, of.values)
	if len(of.values) > 1 {
		c.run(c.rules.of(ofRepeated))
	}
	c.run(rules)
}

// checkPart checks a part of the request that is not a parameter.
func (c *checkRun) checkPart(p part) {
	c.part, c.argument = p, argument{query: c.query}
	c.run(c.rules.of(p))
}

// run checks the input against the rules.
func (c *checkRun) run(rules []boundRule) {
	for _, r := range rules {
		r.check(&c.input, c.report.For(r.Rule, ""))
	}
}

// of returns the rules about a part of a request.
func (x *ruleIndex) of(p part) []boundRule { return x.ofPart[bits.TrailingZeros8(uint8(p))] }

// rules returns the rules about requests for the operation. An unknown dialect is treated as the documents' dialect.
func (op *Operation) rules(in diag.Dialect) *ruleIndex {
	if in != diag.Google {
		in = diag.Documents
	}
	on := bits.TrailingZeros64(uint64(op.When))
	index := rulesOn[in][on].Load()
	if index == nil {
		index = newRuleIndex(in, 1<<on)
		rulesOn[in][on].Store(index)
	}
	return index
}

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
