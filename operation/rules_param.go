package operation

import (
	"iter"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// insertWith is an example: an insert with these query parameters, as members of an object.
func insertWith(params string) string {
	return sample.With(sample.Timed(), `"params":{`+params+`}`)
}

// requestWith is an example: a request for an operation with these query parameters.
func requestWith(id ID, params string) string {
	return `{"op":"` + string(id) + `","params":{` + params + `}}`
}

// moveWith is an example: a move of a stored event with these query parameters.
func moveWith(params string) string {
	return sample.With(requestWith(EventsMove, params), `"existing":{"id":"abc12def","eventType":"default",`+
		`"organizer":{"email":"owner@example.org","self":true},"attendees":[{"email":"owner@example.org"}],`+
		`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)
}

var paramRepeated = diag.Rule{
	ID:    "param.repeated",
	Kind:  diag.Reject,
	When:  diag.All,
	Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "A single-valued query parameter is not given twice with different values.",
	Section: sectionEndpoints,
	Why: "Every parameter that the documents name has one value. Which of two a server takes is anybody's guess, " +
		"and a proxy and the server behind it may guess differently. The same value given twice is harmless. " +
		"Parameters that the documents do not name may well be made to be repeated, and are left alone.",
	Good:  diag.Example{Request: insertWith(`"sendUpdates":["all","all"]`)},
	Bad:   diag.Example{Request: insertWith(`"sendUpdates":["all","none"]`)},
	Check: paramCheck(checkRepeated),
}

func checkRepeated(a argument, r diag.Reporter) {
	if a.ambiguous() {
		r.Report(diag.Param(a.Name), "%s is given %d times with different values, of which the first is %s; give it once.",
			a.Name, len(a.values), diag.Quote(a.values[0]))
	}
}

var moveDestination = diag.Rule{
	ID:    "move.destination",
	Kind:  diag.Reject,
	When:  diag.Move,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A move names the calendar to move to in the query parameter destination, which is not empty.",
	Section: sectionBehavior,
	Why:     "A move changes the event's organizer to the calendar that it goes to; without one there is nothing to do.",
	Good:    diag.Example{Request: moveWith(`"destination":"team@example.org"`)},
	Bad:     diag.Example{Request: moveWith(`"destination":""`)},
	Check:   paramCheck(checkMoveDestination),
}

func checkMoveDestination(a argument, r diag.Reporter) {
	if a.Name == destination && a.missing() {
		r.Report(diag.Param(destination), "destination is %s; give the id of the calendar to move the event to.", a.absence())
	}
}

// absence says in which way an argument is missing.
func (a argument) absence() string {
	if len(a.values) == 0 {
		return "absent"
	}
	return "empty"
}

var quickAddText = diag.Rule{
	ID:    "quick-add.text",
	Kind:  diag.Reject,
	When:  diag.QuickAdd,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A quick add gives the event's text in the query parameter text, which is not empty.",
	Section: sectionBehavior,
	Why:     "The text is all that the event is made from. What it may say is not shown, so any text that is not empty will do.",
	Good:    diag.Example{Request: requestWith(EventsQuickAdd, `"text":"Lunch with Ada at noon"`)},
	Bad:     diag.Example{Request: requestWith(EventsQuickAdd, "")},
	Check:   paramCheck(checkQuickAddText),
}

func checkQuickAddText(a argument, r diag.Reporter) {
	if a.Name == text && a.missing() {
		r.Report(diag.Param(text), "text is %s; give the text to make the event from.", a.absence())
	}
}

var insertRange = diag.Rule{
	ID:    "insert.param.range",
	Kind:  diag.Reject,
	When:  diag.Write,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "conferenceDataVersion and eventLabelVersion are integers from 0 to 1; an absent one is 0.",
	Section: sectionInsert,
	Why: "The version says whether the service looks at conference data, or at the label instead of the color. " +
		"An integer is written in decimal digits alone: what other spellings mean is not shown.",
	Good:  diag.Example{Request: insertWith(`"conferenceDataVersion":"1","eventLabelVersion":"0"`)},
	Bad:   diag.Example{Request: insertWith(`"conferenceDataVersion":"2"`)},
	Check: paramCheck(checkRange),
}

func checkRange(a argument, r diag.Reporter) {
	if a.Name != conferenceDataVersion && a.Name != eventLabelVersion {
		return
	}
	value, given := a.value()
	if _, ok := parseVersion(value); given && !ok {
		r.Report(diag.Param(a.Name), "%s is %s; it must be an integer from %d to %d in plain decimal digits.",
			a.Name, diag.Quote(value), limits.FeatureVersionMin, limits.FeatureVersionMax)
	}
}

var insertMaxAttendees = diag.Rule{
	ID:    "insert.param.max-attendees",
	Kind:  diag.Reject,
	When:  diag.Insert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "maxAttendees is an integer of at least 1.",
	Section: sectionInsert,
	Why: "It is the most attendees that the response holds; with more, only the participant is returned. " +
		"That a limit of none makes no sense is inferred.",
	Good:  diag.Example{Request: insertWith(`"maxAttendees":"1"`)},
	Bad:   diag.Example{Request: insertWith(`"maxAttendees":"0"`)},
	Check: paramCheck(checkMaxAttendees),
}

func checkMaxAttendees(a argument, r diag.Reporter) {
	if a.Name != maxAttendees {
		return
	}
	value, given := a.value()
	if _, ok := parseMaxAttendees(value); given && !ok {
		r.Report(diag.Param(a.Name), "maxAttendees is %s; it must be an integer of at least %d in plain decimal digits.",
			diag.Quote(value), limits.MaxAttendeesMin)
	}
}

var insertSendUpdates = diag.Rule{
	ID:    "insert.param.send-updates",
	Kind:  diag.Reject,
	When:  diag.Insert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "sendUpdates is all, externalOnly or none.",
	Section: sectionInsert,
	Why:     "It decides which guests hear of the event; a value that the service does not know decides nothing.",
	Good:    diag.Example{Request: insertWith(`"sendUpdates":"externalOnly"`)},
	Bad:     diag.Example{Request: insertWith(`"sendUpdates":"everyone"`)},
	Check:   paramCheck(checkSendUpdates),
}

func checkSendUpdates(a argument, r diag.Reporter) {
	if a.Name != sendUpdates {
		return
	}
	if value, given := a.value(); given && !limits.SendUpdates.Has(value) {
		r.Report(diag.Param(a.Name), "sendUpdates is %s; it must be %s.", diag.Quote(value), limits.SendUpdates)
	}
}

var insertSendUpdatesDefault = diag.Rule{
	ID:    "insert.param.send-updates.default",
	Kind:  diag.Unspecified,
	When:  diag.Insert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "The default of sendUpdates is stated as false, which is none of its values.",
	Section: sectionInsert,
	Why: "Whom the service notifies where sendUpdates is absent cannot be read from the documents. That is so of every " +
		"insert without it; a finding about each would only be switched off. So it is made where a request leans on the " +
		"default: it sends false, which names the default (and is refused as a value), or it speaks of notifications by " +
		"the deprecated sendNotifications alone, and so leaves sendUpdates to its default.",
	Good:  diag.Example{Request: insertWith(`"sendNotifications":"true","sendUpdates":"all"`)},
	Bad:   diag.Example{Request: insertWith(`"sendNotifications":"true"`)},
	Check: paramCheck(checkSendUpdatesDefault),
}

func checkSendUpdatesDefault(a argument, r diag.Reporter) {
	stated := paramSendUpdates.Default
	value, given := a.value()
	_, updates := a.query.Value(sendUpdates)
	switch {
	case a.Name == sendUpdates && value == stated:
		r.Report(diag.Param(sendUpdates), "sendUpdates is %s, which the documents give as the default but not as a value; "+
			"give %s to say who is notified.", stated, limits.SendUpdates)
	case a.Name == sendNotifications && given && !updates:
		r.Report(diag.Param(sendUpdates), "sendUpdates is absent, and its default is stated as %s, which is no value; "+
			"give %s to say who is notified.", stated, limits.SendUpdates)
	}
}

var insertSendNotifications = diag.Rule{
	ID:    "insert.param.send-notifications",
	Kind:  diag.Advise,
	When:  diag.Insert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "sendNotifications is deprecated: sendUpdates takes its place.",
	Section: sectionInsert,
	Why:     "sendUpdates can tell guests within the service from those outside. How the two go together is not shown.",
	Good:    diag.Example{Request: insertWith(`"sendUpdates":"all"`)},
	Bad:     diag.Example{Request: insertWith(`"sendUpdates":"all","sendNotifications":"true"`)},
	Check:   paramCheck(checkSendNotifications),
}

func checkSendNotifications(a argument, r diag.Reporter) {
	if _, given := a.value(); given && a.Name == sendNotifications {
		r.Report(diag.Param(a.Name), "sendNotifications is deprecated; %s.", a.Deprecated)
	}
}

var insertBoolean = diag.Rule{
	ID:    "insert.param.boolean",
	Kind:  diag.Reject,
	When:  diag.Insert,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A boolean parameter is true or false.",
	Section: sectionInsert,
	Why: "Other spellings, such as 1, TRUE or nothing at all, mean true to some servers and false to others. " +
		"supportsAttachments has a rule of its own.",
	Good:  diag.Example{Request: insertWith(`"sendUpdates":"none","sendNotifications":"false"`)},
	Bad:   diag.Example{Request: insertWith(`"sendUpdates":"none","sendNotifications":"1"`)},
	Check: paramCheck(checkBoolean),
}

func checkBoolean(a argument, r diag.Reporter) {
	if a.Type == Boolean && a.Name != supportsAttachments {
		reportBoolean(a, r)
	}
}

// reportBoolean reports an argument that is given and no boolean.
func reportBoolean(a argument, r diag.Reporter) {
	if value, given := a.value(); given && !isBoolean(value) {
		r.Report(diag.Param(a.Name), "%s is %s; it must be true or false.", a.Name, diag.Quote(value))
	}
}

var insertSupportsAttachments = diag.Rule{
	ID:    "insert.param.supports-attachments",
	Kind:  diag.Reject,
	When:  diag.Write,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "supportsAttachments is true or false; an absent one is false.",
	Section: sectionInsert,
	Why:     "Only with true may attachments be modified. A value that reads as false would drop them.",
	Good:    diag.Example{Request: insertWith(`"supportsAttachments":"true"`)},
	Bad:     diag.Example{Request: insertWith(`"supportsAttachments":"yes"`)},
	Check:   paramCheck(checkSupportsAttachments),
}

func checkSupportsAttachments(a argument, r diag.Reporter) {
	if a.Name == supportsAttachments {
		reportBoolean(a, r)
	}
}

var transferRequired = diag.Rule{
	ID:    "calendars.transfer.params",
	Kind:  diag.Reject,
	When:  diag.CalendarsTransfer,
	Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A transfer of ownership names the newDataOwner, and its useAdminAccess is true.",
	Section: sectionBehavior,
	Why:     "An administrator acts on another's calendar here; useAdminAccess says that this is meant.",
	Good:    diag.Example{Request: requestWith(CalendarsTransferOwnership, `"newDataOwner":"ada@example.org","useAdminAccess":"true"`)},
	Bad:     diag.Example{Request: requestWith(CalendarsTransferOwnership, `"newDataOwner":"ada@example.org","useAdminAccess":"false"`)},
	Check:   paramCheck(checkTransferParams),
}

func checkTransferParams(a argument, r diag.Reporter) {
	value, given := a.value()
	switch {
	case a.Name == newDataOwner && a.missing():
		r.Report(diag.Param(a.Name), "newDataOwner is %s; name the user to whom the calendar goes.", a.absence())
	case a.Name == useAdminAccess && a.missing():
		r.Report(diag.Param(a.Name), "useAdminAccess is %s; it must be true.", a.absence())
	case a.Name == useAdminAccess && given && value != "true":
		r.Report(diag.Param(a.Name), "useAdminAccess is %s; it must be true.", diag.Quote(value))
	}
}

var paramUnknown = diag.Rule{
	ID:    "param.unknown",
	Kind:  diag.Advise,
	When:  diag.All,
	Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "A query parameter is one that the documents list for the operation.",
	Section: sectionEndpoints,
	Why: "A misspelt parameter does nothing, and nobody says so. Names are exact, also in case. Only for events.insert do " +
		"the documents show all parameters; for the other operations the advice is that this one cannot be checked.",
	Good:  diag.Example{Request: requestWith(EventsQuickAdd, `"text":"Lunch"`)},
	Bad:   diag.Example{Request: insertWith(`"sendupdates":"all"`)},
	Check: requestCheck(checkUnknown),
}

func checkUnknown(u request, r diag.Reporter) {
	if u.part != ofUnlisted {
		return
	}
	why := "is no parameter of"
	if !u.operation.ParamsShown {
		why = "is none of the parameters that the documents show for"
	}
	if nearest, ok := limits.Nearest(u.unlisted, u.operation.paramNames()); ok {
		r.Report(diag.Param(u.unlisted), "%s %s %s; did you mean %s?", diag.Quote(u.unlisted), why, u.operation.ID, nearest)
		return
	}
	r.Report(diag.Param(u.unlisted), "%s %s %s; leave it out unless you know better.", diag.Quote(u.unlisted), why, u.operation.ID)
}

// paramNames yields the names of the parameters that the documents list for the operation.
func (op *Operation) paramNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range op.Params {
			if !yield(op.Params[i].Name) {
				return
			}
		}
	}
}
