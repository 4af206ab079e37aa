package operation

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/operation/internal/public"
)

// insertWith returns an example: an insert with the query parameters, which are JSON members.
func insertWith(params string) diag.Example {
	return sample.With(sample.Timed(), `"params":{`+params+`}`)
}

// requestWith returns an example: a request for an operation with the query parameters.
func requestWith(id ID, params string) diag.Example {
	return requestFor(id, `"params":{`+params+`}`)
}

// moveWith returns an example: a move of a stored event with the query parameters.
func moveWith(params string) diag.Example {
	return sample.With(requestWith(EventsMove, params), `"existing":{"id":"abc12def","eventType":"default",`+
		`"organizer":{"email":"owner@example.org","self":true},"attendees":[{"email":"owner@example.org"}],`+
		`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)
}

// checkParam checks the rule of a parameter: that a required parameter is there, and that the
// parameter accepts the value.
func checkParam(in input, r engine.Reporter) {
	value, given := in.value()
	isDefault := value != "" && value == in.Default // the documents state it, even if it is not a valid value
	switch {
	case in.Required && len(in.values) == 0:
		r.Report(in.path(), "missing", diag.Name("parameter", in.Name), in.mustArg())
	case in.Required && given && value == "":
		r.Report(in.path(), "empty", diag.Name("parameter", in.Name), in.mustArg())
	case given && !isDefault && !in.accepts(value):
		if _, isInteger := parseDecimal(value); isInteger && in.limit != nil && in.limit.Inferred {
			r = r.WithBasis(diag.Inferred)
		}
		in.report(r, value)
	}
}

// The sentences of [checkParam].
var (
	missing = diag.Sentence{Key: "missing", Text: "The parameter {parameter} is missing; it must be {must}."}
	isEmpty = diag.Sentence{Key: "empty", Text: "The parameter {parameter} is empty; it must be {must}."}
	wrong   = diag.Sentence{Key: "wrong", Text: "The parameter {parameter} is {value}; it must be {limit}."}
)

var paramRepeated = diag.Rule{
	ID: "param.repeated", Kind: diag.Reject, When: diag.All, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "A query parameter is not sent twice with different values.",
	Section: sectionEndpoints,
	Why: "Every parameter that the documents name has a single value. So has every parameter of the public service, except " +
		"eventTypes, privateExtendedProperty and sharedExtendedProperty. Servers differ in which of two values they use, " +
		"and a proxy may differ from the server behind it. Sending the same value twice is harmless. " +
		"Unknown parameters are not checked, because they may be repeatable.",
	Says: diag.Sentences{{
		Key:  "repeated",
		Text: "The parameter {parameter} is sent {n} times with different values, first {value}; send it once.",
	}},
	Good:  insertWith(`"sendUpdates":["all","all"]`),
	Bad:   insertWith(`"sendUpdates":["all","none"]`),
	Check: check(checkRepeated),
}

func checkRepeated(in input, r engine.Reporter) {
	if !in.ambiguous() {
		return
	}
	p := in.operation.public().Param(in.Name)
	if in.part == ofListed || slices.Contains(systemParams, in.Name) || p != nil && !p.Repeated {
		r.Report(in.path(), "repeated", diag.Name("parameter", in.Name), diag.Number("n", len(in.values)), diag.Value("value", in.values[0]))
	}
}

var moveDestination = diag.Rule{
	ID: "move.destination", Kind: diag.Reject, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A move names the target calendar in the query parameter destination, which is not empty.",
	Section: sectionBehavior + ", 7",
	Reason:  "required",
	Why:     "A move makes the target calendar the organizer of the event, so it needs a target.",
	Says:    diag.Sentences{missing, isEmpty, {Key: "calendar", Text: "the id of the calendar to move the event to"}},
	Good:    moveWith(`"destination":"team@example.org"`),
	Bad:     moveWith(`"destination":""`),
	Check:   check(checkParam),
}

var quickAddText = diag.Rule{
	ID: "quick-add.text", Kind: diag.Reject, When: diag.QuickAdd, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A quick add describes the event in the query parameter text, which is not empty.",
	Section: sectionBehavior + ", 8",
	Reason:  "required",
	Why:     "The service creates the event from the text alone. The documents do not show its syntax, so any text that is not empty is accepted.",
	Says:    diag.Sentences{missing, isEmpty, {Key: "source", Text: "the text to create the event from"}},
	Good:    requestWith(EventsQuickAdd, `"text":"Lunch with Ada at noon"`),
	Bad:     requestWith(EventsQuickAdd, ""),
	Check:   check(checkParam),
}

var insertRange = diag.Rule{
	ID: "insert.param.range", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameters conferenceDataVersion and eventLabelVersion are integers from 0 to 1 and default to 0.",
	Section: sectionInsert,
	Why: "The version decides whether the service processes conference data, or the label instead of the color. " +
		"Only decimal digits are accepted, because the documents do not say what other spellings mean.",
	Says: diag.Sentences{{
		Key:  "wrong",
		Text: "The parameter {parameter} is {value}; it must be an integer, {low} to {high}, in decimal digits without a sign or leading zeros.",
	}},
	Good:  insertWith(`"conferenceDataVersion":"1","eventLabelVersion":"0"`),
	Bad:   insertWith(`"conferenceDataVersion":"2"`),
	Check: check(checkParam),
}

var insertMaxAttendees = diag.Rule{
	ID: "insert.param.max-attendees", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter maxAttendees is an integer of at least 1.",
	Section: sectionInsert,
	Why: "It is the maximum number of attendees in the response; if there are more, only the participant is returned. " +
		"That it must be positive is inferred.",
	Says: diag.Sentences{{
		Key:  "wrong",
		Text: "The parameter {parameter} is {value}; it must be an integer, {low} to {high}, in decimal digits without a sign or leading zeros.",
	}},
	Good:  insertWith(`"maxAttendees":"1"`),
	Bad:   insertWith(`"maxAttendees":"0"`),
	Check: check(checkParam),
}

var insertSendUpdates = diag.Rule{
	ID: "insert.param.send-updates", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter sendUpdates is " + constraint.SendUpdates.Value + ".",
	Section: sectionInsert,
	Why:     "It decides which guests are notified. The rule insert.param.send-updates.default is about false, the stated default.",
	Says:    diag.Sentences{wrong},
	Good:    insertWith(`"sendUpdates":"externalOnly"`),
	Bad:     insertWith(`"sendUpdates":"everyone"`),
	Check:   check(checkParam),
}

var insertSendUpdatesDefault = diag.Rule{
	ID: "insert.param.send-updates.default", Kind: diag.Unspecified, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The stated default of sendUpdates is false, which is not one of its values.",
	Section: sectionInsert,
	Why: "The documents do not say who is notified if sendUpdates is absent. A finding on every insert without it " +
		"would only be switched off, so it is reported only if a request relies on the default: if it sends false, which " +
		"is not rejected because the documents state it, or if it sends the deprecated sendNotifications alone.",
	Says: diag.Sentences{
		{Key: "default", Text: "The parameter sendUpdates is {default}, which the documents state as its default but not as a value; send {limit} to say who is notified."},
		{Key: "absent", Text: "The parameter sendUpdates is absent, and its stated default, {default}, is not one of its values; send {values} to say who is notified."},
	},
	Good:  insertWith(`"sendNotifications":"true","sendUpdates":"all"`),
	Bad:   insertWith(`"sendNotifications":"true"`),
	Check: check(checkSendUpdatesDefault),
}

func checkSendUpdatesDefault(in input, r engine.Reporter) {
	stated := diag.Name("default", sendUpdatesDefault)
	value, given := in.value()
	switch {
	case in.Name == sendUpdates && value == sendUpdatesDefault:
		r.Report(in.path(), "default", diag.Value("value", value), stated, constraint.SendUpdates.Limit("limit"))
	case in.Name == sendNotifications && given:
		if _, updates := in.query.Value(sendUpdates); !updates {
			r.Report("?"+sendUpdates, "absent", stated, constraint.SendUpdates.Limit("values"))
		}
	}
}

var insertSendNotifications = diag.Rule{
	ID: "insert.param.send-notifications", Kind: diag.Advise, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter sendNotifications is deprecated; use sendUpdates.",
	Section: sectionInsert,
	Why:     "Only sendUpdates distinguishes guests within the service from others. The documents do not say what happens if both are sent.",
	Says:    diag.Sentences{{Key: "deprecated", Text: "The parameter {parameter} is deprecated; use sendUpdates."}},
	Good:    insertWith(`"sendUpdates":"all"`),
	Bad:     insertWith(`"sendUpdates":"all","sendNotifications":"true"`),
	Check:   check(checkDeprecated),
}

func checkDeprecated(in input, r engine.Reporter) {
	if _, given := in.value(); given {
		r.Report(in.path(), "deprecated", diag.Name("parameter", in.Name))
	}
}

var insertBoolean = diag.Rule{
	ID: "insert.param.boolean", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A boolean parameter is true or false.",
	Section: sectionInsert,
	Why: "Other spellings, such as 1, TRUE or an empty value, mean true to some servers and false to others. " +
		"There is a separate rule for supportsAttachments.",
	Says:  diag.Sentences{wrong},
	Good:  insertWith(`"sendUpdates":"none","sendNotifications":"false"`),
	Bad:   insertWith(`"sendUpdates":"none","sendNotifications":"1"`),
	Check: check(checkParam),
}

var insertSupportsAttachments = diag.Rule{
	ID: "insert.param.supports-attachments", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter supportsAttachments is true or false and defaults to false.",
	Section: sectionInsert,
	Why:     "Attachments can be modified only with true. The documents do not say what another value means.",
	Says:    diag.Sentences{wrong},
	Good:    insertWith(`"supportsAttachments":"true"`),
	Bad:     insertWith(`"supportsAttachments":"yes"`),
	Check:   check(checkParam),
}

var transferRequired = diag.Rule{
	ID: "calendars.transfer.params", Kind: diag.Reject, When: diag.CalendarsTransfer, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A transfer of ownership names the newDataOwner, and its useAdminAccess is true.",
	Section: sectionBehavior + ", 12",
	Reason:  "required",
	Why:     "An administrator transfers a calendar that belongs to another user; useAdminAccess confirms the intent.",
	Says:    diag.Sentences{missing, isEmpty, wrong, {Key: "owner", Text: "the user to whom to transfer the calendar"}},
	Good:    requestWith("calendars.transferOwnership", `"newDataOwner":"ada@example.org","useAdminAccess":"true"`),
	Bad:     requestWith("calendars.transferOwnership", `"newDataOwner":"ada@example.org","useAdminAccess":"false"`),
	Check:   check(checkParam),
}

var paramUnknown = diag.Rule{
	ID: "param.unknown", Kind: diag.Advise, When: diag.All, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "The documents list the query parameter for the operation, or the public service is observed to take it.",
	Section: sectionEndpoints,
	Why: "A misspelled parameter has no effect, and the service does not report it. Names are case-sensitive. The public " +
		"service takes more than the documents list: fields, alt, key and the like for every operation, and others for one.",
	Says: diag.Sentences{
		{Key: "unknown", Text: "{value} is not a parameter of {operation}."},
		{Key: "unlisted", Text: "{value} is not among the known parameters of {operation}."},
		{Key: "leave-out", Text: "Leave it out unless you know that the service has it."},
	},
	Good:  requestWith(EventsQuickAdd, `"text":"Lunch"`),
	Bad:   insertWith(`"sendupdates":"all"`),
	Check: check(checkUnknown),
}

func checkUnknown(in input, r engine.Reporter) {
	if in.operation.isObserved(in.Name) {
		return
	}
	key := "unknown"
	if !in.operation.ParamsShown {
		key = "unlisted"
	}
	args := append(make([]diag.Arg, 0, 4), diag.Value("value", in.Name), in.operationArg())
	said := len(args)
	if args = constraint.Suggest(args, diag.Documents, in.Name, &form.Words{List: in.operation.knownNames()}); len(args) == said { // no parameter has another name in a dialect
		args = append(args, wording.Also("leave-out"))
	}
	r.Report(in.path(), key, args...)
}

var paramValue = diag.Rule{
	ID: "param.value", Kind: diag.Reject, When: diag.All, Basis: diag.Observed, Scope: diag.OfRequest,
	Summary:  "The value of a query parameter has the type, the enumeration and the bounds that the reference of the public service shows.",
	Section:  sectionObserved,
	Seen:     "The reference of the public service shows them.",
	Reported: []string{discoveryPage},
	Why: "It holds in the dialect of the public service only. Page sizes are cut, not refused, so list.max-results is about them; the " +
		"parameters that the documents show for an operation have rules of their own.",
	OnlyIn: new(diag.Google),
	Says: diag.Sentences{
		{Key: "integer", Text: "The parameter {parameter} is {value}; it must be an integer, in decimal digits."},
		{Key: "low", Text: "The parameter {parameter} is {value}; it must be at least {limit}."},
		{Key: "high", Text: "The parameter {parameter} is {value}; it must be at most {limit}."},
		{Key: "boolean", Text: "The parameter {parameter} is {value}; it must be true or false."},
		{Key: "enumeration", Text: "The parameter {parameter} is {value}; it must be {limit}."},
		{Key: "time", Text: "The parameter {parameter} is {value}; it must be an RFC 3339 timestamp with an offset, such as 2026-03-10T09:00:00Z."},
	},
	Supersedes: []string{ruleid.ListMaxResults},
	Good:       requestIn(EventsGet, `"prettyPrint":"true"`),
	Bad:        requestIn(EventsGet, `"prettyPrint":"yes"`),
	Check:      check(checkParamValue),
}

func checkParamValue(in input, r engine.Reporter) {
	if hasOwnRule(in.operation.When, in.Name) {
		return
	}
	if p := in.operation.public().Param(in.Name); p != nil {
		for _, value := range in.values {
			reportValue(r, in.path(), p, value)
		}
	}
}

// hasOwnRule reports whether one of the rules about several parameters looks at the value of one.
func hasOwnRule(on diag.When, name string) bool {
	switch name {
	case "orderBy":
		return listOrderBy.When.Has(on)
	case "timeMin", "timeMax":
		return listTimeParam.When.Has(on)
	case "updatedMin":
		return on == diag.List
	default:
		return false
	}
}

// reportValue reports a value that the public service does not take for a parameter.
func reportValue(r engine.Reporter, at diag.Pointer, p *public.Param, value string) {
	args := []diag.Arg{diag.Name("parameter", p.Name), diag.Value("value", value)}
	switch p.Type {
	case public.Integer:
		n, err := strconv.ParseInt(value, 10, 64) // at the end of its range if the value is beyond
		switch {
		case err != nil && !errors.Is(err, strconv.ErrRange):
			r.Report(at, "integer", args...)
		case p.Name == "maxResults": // it is cut
		case p.Min != nil && n < *p.Min:
			r.Report(at, "low", append(args, diag.Number("limit", *p.Min))...)
		case p.Max != nil && n > *p.Max:
			r.Report(at, "high", append(args, diag.Number("limit", *p.Max))...)
		}
	case public.Boolean:
		if _, ok := boolean(value); !ok {
			r.Report(at, "boolean", args...)
		}
	case public.Time:
		if !form.IsDateTime(value) {
			r.Report(at, "time", args...)
		}
	default:
		if p.Values != nil && !slices.Contains(p.Values, value) {
			args = append(args, diag.Plain("limit", listed(p.Values)))
			r.Report(at, "enumeration", constraint.Suggest(args, r.Dialect(), value, &form.Words{List: p.Values})...)
		}
	}
}

// listed writes values as in "all, externalOnly or none". They have the public names already.
func listed(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return values[0]
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}
