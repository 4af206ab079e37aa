package operation

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/sample"
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
func checkParam(in input, r diag.Reporter) {
	if in.rule != r.Rule() {
		return
	}
	value, given := in.value()
	isDefault := value != "" && value == in.Default // the documents state it, even if it is not a valid value
	switch {
	case in.Required && len(in.values) == 0:
		r.Report(in.path(), "missing", diag.Name("parameter", in.Name), in.mustArg())
	case in.Required && given && value == "":
		r.Report(in.path(), "empty", diag.Name("parameter", in.Name), in.mustArg())
	case given && !isDefault && !in.accepts(value):
		if _, isInteger := parseDecimal(value); isInteger && in.limit != nil && in.limit.Inferred {
			r = r.On(diag.Inferred)
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
	Why: "Every parameter that the documents name has a single value, and so do those of the public service, except " +
		"eventTypes, privateExtendedProperty and sharedExtendedProperty. Servers differ in which of two values they use, " +
		"and a proxy may differ from the server behind it. Sending the same value twice is harmless. " +
		"Unknown parameters are not checked, because they may be repeatable.",
	Says: diag.Sentences{{
		Key:  "repeated",
		Text: "The parameter {parameter} is sent {n} times with different values, the first of which is {value}; send it once.",
	}},
	Good:  insertWith(`"sendUpdates":["all","all"]`),
	Bad:   insertWith(`"sendUpdates":["all","none"]`),
	Check: check(checkRepeated),
}

func checkRepeated(in input, r diag.Reporter) {
	single := in.part == ofParam || in.operation.isObserved(in.Name) && !slices.Contains(repeatableParams, in.Name)
	if single && in.ambiguous() {
		r.Report(in.path(), "repeated", diag.Name("parameter", in.Name), diag.Number("n", len(in.values)), diag.Value("value", in.values[0]))
	}
}

var moveDestination = diag.Rule{
	ID: "move.destination", Kind: diag.Reject, When: occasion.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A move names the target calendar in the query parameter destination, which is not empty.",
	Section: sectionBehavior,
	Reason:  "required",
	Why:     "A move makes the target calendar the organizer of the event, so it needs a target.",
	Says:    diag.Sentences{missing, isEmpty, {Key: "calendar", Text: "the id of the calendar to move the event to"}},
	Good:    moveWith(`"destination":"team@example.org"`),
	Bad:     moveWith(`"destination":""`),
	Check:   check(checkParam),
}

var quickAddText = diag.Rule{
	ID: "quick-add.text", Kind: diag.Reject, When: occasion.QuickAdd, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A quick add describes the event in the query parameter text, which is not empty.",
	Section: sectionBehavior,
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
	ID: "insert.param.max-attendees", Kind: diag.Reject, When: occasion.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter maxAttendees is an integer of at least 1.",
	Section: sectionInsert,
	Why: "It is the maximum number of attendees in the response; if there are more, only the participant is returned. " +
		"That it must be positive is inferred.",
	Says: diag.Sentences{{
		Key:  "wrong",
		Text: "The parameter {parameter} is {value}; it must be an integer, {low} or more, in decimal digits without a sign or leading zeros, and within 64 bits.",
	}},
	Good:  insertWith(`"maxAttendees":"1"`),
	Bad:   insertWith(`"maxAttendees":"0"`),
	Check: check(checkParam),
}

var insertSendUpdates = diag.Rule{
	ID: "insert.param.send-updates", Kind: diag.Reject, When: occasion.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter sendUpdates is all, externalOnly or none.",
	Section: sectionInsert,
	Why:     "It decides which guests are notified. The rule insert.param.send-updates.default is about false, the stated default.",
	Says:    diag.Sentences{wrong},
	Good:    insertWith(`"sendUpdates":"externalOnly"`),
	Bad:     insertWith(`"sendUpdates":"everyone"`),
	Check:   check(checkParam),
}

var insertSendUpdatesDefault = diag.Rule{
	ID: "insert.param.send-updates.default", Kind: diag.Unspecified, When: occasion.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
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

func checkSendUpdatesDefault(in input, r diag.Reporter) {
	stated := sendUpdates.Default
	value, given := in.value()
	_, updates := in.query.Value(sendUpdates.Name)
	switch {
	case in.Name == sendUpdates.Name && value == stated:
		r.Report(sendUpdates.path(), "default", diag.Value("value", value), diag.Name("default", stated), constraint.SendUpdates.Limit("limit"))
	case in.Name == sendNotifications.Name && given && !updates:
		r.Report(sendUpdates.path(), "absent", diag.Name("default", stated), constraint.SendUpdates.Limit("values"))
	}
}

var insertSendNotifications = diag.Rule{
	ID: "insert.param.send-notifications", Kind: diag.Advise, When: occasion.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The parameter sendNotifications is deprecated; use sendUpdates.",
	Section: sectionInsert,
	Why:     "Only sendUpdates distinguishes guests within the service from others. The documents do not say what happens if both are sent.",
	Says:    diag.Sentences{{Key: "deprecated", Text: "The parameter {parameter} is deprecated; use sendUpdates."}},
	Good:    insertWith(`"sendUpdates":"all"`),
	Bad:     insertWith(`"sendUpdates":"all","sendNotifications":"true"`),
	Check:   check(checkDeprecated),
}

func checkDeprecated(in input, r diag.Reporter) {
	if _, given := in.value(); given && in.Deprecated != "" {
		r.Report(in.path(), "deprecated", diag.Name("parameter", in.Name))
	}
}

var insertBoolean = diag.Rule{
	ID: "insert.param.boolean", Kind: diag.Reject, When: occasion.Insert, Basis: diag.Stated, Scope: diag.OfRequest,
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
	ID: "calendars.transfer.params", Kind: diag.Reject, When: occasion.CalendarsTransfer, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A transfer of ownership names the newDataOwner, and its useAdminAccess is true.",
	Section: sectionBehavior,
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

func checkUnknown(in input, r diag.Reporter) {
	if in.operation.isObserved(in.Name) {
		return
	}
	key := "unknown"
	if !in.operation.ParamsShown {
		key = "unlisted"
	}
	known := slices.Concat(observedParams[in.operation.ID], standardParams)
	for _, p := range in.operation.Params {
		known = append(known, p.Name)
	}
	args := append(make([]diag.Arg, 0, 4), diag.Value("value", in.Name), in.operationArg())
	said := len(args)
	if args = constraint.Suggest(args, diag.Documents, in.Name, known); len(args) == said { // no parameter has another name in a dialect
		args = append(args, diag.Also("leave-out"))
	}
	r.Report(in.path(), key, args...)
}
