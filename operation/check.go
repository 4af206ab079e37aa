package operation

import (
	"cmp"
	"slices"

	"github.com/calrules/calrules/diag"
)

// The functions that check the rules take a parameter, or the request as a whole.
type (
	paramCheck   = diag.CheckFunc[argument]
	requestCheck = diag.CheckFunc[request]
)

// The rules, in the order in which they run.
var (
	// paramRules apply to each parameter of an operation that is sent or required.
	paramRules = []*diag.Rule{
		&paramRepeated,
		&moveDestination,
		&quickAddText,
		&insertRange,
		&insertMaxAttendees,
		&insertSendUpdates,
		&insertSendNotifications,
		&insertBoolean,
		&insertSendUpdatesDefault,
		&insertSupportsAttachments,
		&transferRequired,
	}

	// requestRules apply to the request as a whole.
	requestRules = []*diag.Rule{
		&paramUnknown,
		&operationCatalogue,
		&scopeInsert,
		&scopeUnspecified,
		&calendarsClear,
		&calendarsDelete,
		&calendarsInsert,
		&transferCalendar,
		&channelsStop,
		&operationUnspecified,
	}
)

// Rules returns the rules of this package, in the order in which they run.
func Rules() []*diag.Rule { return slices.Concat(paramRules, requestRules) }

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

// request is one part of a request, together with what is known around it.
type request struct {
	operation *Operation
	caller    *Caller
	calendar  *Calendar
	part      part
	unlisted  string // the name of the parameter, if part is ofUnlisted
}

// part is the part of a request that is being checked.
type part uint8

const (
	ofWhole    part = iota // operation, caller and calendar
	ofUnlisted             // a parameter that the documents do not list for the operation
	ofBody                 // the presence of a body
)

// ofTheWhole returns the check of a rule that is only about the request as a whole.
func ofTheWhole(check requestCheck) diag.Check {
	return requestCheck(func(in request, r diag.Reporter) {
		if in.part == ofWhole {
			check(in, r)
		}
	})
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
	arguments, unknown := op.arguments(params)
	for _, a := range arguments[:len(op.Params)] {
		if len(a.values) > 0 || a.Param.Required {
			diag.Run(paramRules, op.When, a, report, "")
		}
	}
	for _, name := range unknown {
		diag.Run(requestRules, op.When, request{operation: op, part: ofUnlisted, unlisted: name}, report, "")
	}
	in := request{operation: op, caller: cmp.Or(caller, &anyCaller), calendar: cmp.Or(calendar, &anyCalendar)}
	diag.Run(requestRules, op.When, in, report, "")
}

// CheckBody puts the rules about having a body at all to a request for the operation. Call it
// where a request has one.
func CheckBody(op *Operation, report *diag.Report) {
	diag.Run(requestRules, op.When, request{operation: op, part: ofBody}, report, "")
}

// maxParams is how many parameters an operation has at the most.
const maxParams = 8

// arguments returns what is sent for each of the operation's parameters, in their order, and the
// names of those that were sent but are not listed for it, sorted. It goes over what is sent and
// not over what might be: a request has few parameters.
func (op *Operation) arguments(params Params) (listed [maxParams]argument, unknown []string) {
	for i := range op.Params {
		listed[i] = argument{Param: &op.Params[i], query: params}
	}
	for name, values := range params {
		if i := op.paramIndex(name); i >= 0 {
			listed[i].values = values
		} else if len(values) > 0 {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	return listed, unknown
}

// paramIndex returns where the parameter stands in [Operation.Params], or -1.
func (op *Operation) paramIndex(name string) int {
	for i := range op.Params {
		if op.Params[i].Name == name {
			return i
		}
	}
	return -1
}
