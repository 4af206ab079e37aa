package operation

import (
	"cmp"
	"slices"

	"github.com/calrules/calrules/diag"
)

// The rules, in the order in which they run.
var (
	// paramRules are put to each parameter of an operation that is sent or required.
	paramRules = []diag.Rule[argument]{
		paramRepeated,
		moveDestination,
		quickAddText,
		insertRange,
		insertMaxAttendees,
		insertSendUpdates,
		insertSendNotifications,
		insertBoolean,
		insertSendUpdatesDefault,
		insertSupportsAttachments,
		transferRequired,
	}

	// unlistedRules are put to each parameter that the operation does not have.
	unlistedRules = []diag.Rule[unlisted]{
		paramUnknown,
		{Doc: operationUnspecified.Doc, Check: checkParamUnspecified},
	}

	// requestRules are put to the request as a whole.
	requestRules = []diag.Rule[request]{
		operationCatalogue,
		scopeInsert,
		scopeUnspecified,
		calendarsClear,
		calendarsDelete,
		calendarsInsert,
		transferCalendar,
		channelsStop,
	}

	// bodyRules are put to a request that has a body.
	bodyRules = []diag.Rule[*Operation]{operationUnspecified}
)

// Catalogue returns the documentation of the package's rules, in the order in which they run.
func Catalogue() []*diag.Doc {
	return slices.Concat(
		diag.Docs(paramRules),
		diag.Docs(unlistedRules[:1]), // the other one is among the rules about bodies
		diag.Docs(requestRules),
		diag.Docs(bodyRules),
	)
}

// argument is what a request sends for one of the parameters of its operation.
type argument struct {
	*Param
	values []string // none if it is absent
	query  Params   // all that is sent
}

// value returns the one value that was sent, be it repeated or not. It reports false if the
// parameter is absent, or if it is not known which of several values is meant.
func (a argument) value() (string, bool) {
	if len(a.values) == 0 || a.ambiguous() {
		return "", false
	}
	return a.values[0], true
}

// ambiguous reports whether different values were sent.
func (a argument) ambiguous() bool {
	for _, v := range a.values[min(1, len(a.values)):] {
		if v != a.values[0] {
			return true
		}
	}
	return false
}

// missing reports whether no value was sent, or an empty one.
func (a argument) missing() bool {
	value, ok := a.value()
	return value == "" && (ok || len(a.values) == 0)
}

// unlisted is a parameter that the documents do not list for the operation.
type unlisted struct {
	operation *Operation
	name      string
}

// request is a request as a whole.
type request struct {
	operation *Operation
	caller    *Caller
	calendar  *Calendar
}

// A caller and a calendar of which nothing is known; nobody writes to them.
var (
	anyCaller   Caller
	anyCalendar Calendar
)

// Check puts the rules about query parameters, scopes and calendars to a request for the
// operation, which must not be nil. A nil caller or calendar is one of which nothing is
// known. The findings are those about the parameters in the order of [Operation.Params],
// then those about parameters that the operation does not have, by name, then those about
// the request as a whole. The body is for [CheckBody] and for package event.
func Check(op *Operation, params Params, caller *Caller, calendar *Calendar, report *diag.Report) {
	checkListed(op, params, report)
	for _, name := range op.unlisted(params) {
		diag.Run(unlistedRules, op.When, unlisted{op, name}, report, "")
	}
	in := request{op, cmp.Or(caller, &anyCaller), cmp.Or(calendar, &anyCalendar)}
	diag.Run(requestRules, op.When, in, report, "")
}

// CheckBody puts the rules about having a body at all to a request for the operation. Call it
// where a request has one.
func CheckBody(op *Operation, report *diag.Report) {
	diag.Run(bodyRules, op.When, op, report, "")
}

// checkListed puts the rules to the parameters that the documents list for the operation.
func checkListed(op *Operation, params Params, report *diag.Report) {
	for i := range op.Params {
		p := &op.Params[i]
		values := params[p.Name]
		if len(values) > 0 || p.Required {
			diag.Run(paramRules, op.When, argument{p, values, params}, report, "")
		}
	}
}

// unlisted returns the names of the parameters that were sent but are not listed for the
// operation, sorted.
func (op *Operation) unlisted(params Params) []string {
	var names []string
	for name, values := range params {
		if len(values) > 0 && !op.hasParam(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// hasParam reports whether the parameter is listed for the operation.
func (op *Operation) hasParam(name string) bool {
	for i := range op.Params {
		if op.Params[i].Name == name {
			return true
		}
	}
	return false
}
