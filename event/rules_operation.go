package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/status"
)

// operationRules are about import and about the operations that send no event.
var operationRules = []*diag.Rule{
	&iCalUIDRequired,
	&organizerEmailAddress,
	&importType,
	&importPrivateCopy,
	&importParty,
	&moveType,
	&moveOrganizer,
	&moveRemainder,
	&deleteExists,
	&statusDelete,
	&instancesRecurring,
	&instancesIdentity,
}

const sectionOperations = "calendar.md, Behavior rules per operation"

// imports makes an import of the sample event with further members.
func imports(members ...string) string {
	return sample.Request("events.import", append([]string{sample.Start, sample.End}, members...))
}

// about makes a request without a body about a stored event with further members.
func about(op string, stored ...string) string {
	return `{"op":"` + op + `",` + existing(stored) + `}`
}

var iCalUIDRequired = diag.Rule{
	ID: "event.icaluid.required", Kind: diag.Reject, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An imported event has its iCalUID.",
	Section: sectionEvent + ", iCalUID",
	Why:     "It says of which event the copy is one.",
	Good:    diag.Example{Request: imports(`"iCalUID":"uid-1@example.org"`)},
	Bad:     diag.Example{Request: imports()},
}

var organizerEmailAddress = diag.Rule{
	ID: "event.organizer.email", Kind: diag.Reject, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The email of an imported event's organizer is an addr-spec of RFC 5322.",
	Section: sectionPersons,
	Good:    diag.Example{Request: imports(`"iCalUID":"uid-1@example.org"`, `"organizer":{"email":"chair@example.org"}`)},
	Bad:     diag.Example{Request: imports(`"iCalUID":"uid-1@example.org"`, `"organizer":{"email":"<chair@example.org>"}`)},
}

var importType = diag.Rule{
	ID: "import.type", Kind: diag.Ignore, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An imported event is of type default.",
	Section: sectionOperations + ", 6",
	Why: "Another type becomes default and its properties are dropped, before the other rules are asked. " +
		"To import such events is deprecated.",
	Good: diag.Example{Request: imports(`"iCalUID":"uid-1@example.org"`, `"eventType":"default"`)},
	Bad: diag.Example{
		Request: imports(`"iCalUID":"uid-1@example.org"`, `"eventType":"outOfOffice"`, `"outOfOfficeProperties":{"declineMessage":"Away"}`),
		Answer:  `{"event":{"eventType":"default"}}`,
	},
	Check: check(checkImportType),
}

func checkImportType(in *input, r diag.Reporter) {
	if changesType(in.sent) {
		r.Report("/eventType", "The event of type %s becomes one of type default and loses the properties of its type. Import default events only.", in.sent.EventType)
	}
}

// changesType reports whether an import makes an event of another type of the one sent.
func changesType(e *Event) bool {
	return e.EventType != "" && e.EventType != typeDefault && limits.EventType.Has(e.EventType)
}

// imported returns the event as an import takes it.
func imported(e *Event) *Event {
	if !changesType(e) {
		return e
	}
	plain := e.Clone()
	plain.EventType = typeDefault
	plain.WorkingLocationProperties, plain.OutOfOfficeProperties = nil, nil
	plain.FocusTimeProperties, plain.BirthdayProperties = nil, nil
	return plain
}

var importPrivateCopy = diag.Rule{
	ID: "import.private-copy", Kind: diag.Effect, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An import adds a private copy of an existing event.",
	Section: sectionOperations + ", 6",
	Why:     "The copy keeps its organizer, which no other write can set.",
	Good: diag.Example{
		Request: imports(`"iCalUID":"uid-1@example.org"`, `"organizer":{"email":"chair@example.org"}`),
		Answer:  `{"event":{"iCalUID":"uid-1@example.org","organizer":{"email":"chair@example.org"}}}`,
	},
	Bad: diag.Example{
		Request: sample.Timed(`"organizer":{"email":"chair@example.org"}`),
		Answer:  `{"event":{"status":"confirmed"}}`,
	},
}

var importParty = diag.Rule{
	ID: "import.party", Kind: diag.Advise, When: diag.Import, Basis: diag.Observed, Scope: diag.OfEvent,
	Summary: "The owner of the calendar is the organizer or an attendee of an imported event.",
	Section: sectionObserved,
	Why:     "Checked only where the caller's email is known.",
	Good: diag.Example{Request: sample.With(imports(`"iCalUID":"uid-1@example.org"`, `"attendees":[{"email":"ada@example.com"}]`),
		`"caller":{"email":"ada@example.com"}`)},
	Bad: diag.Example{Request: sample.With(imports(`"iCalUID":"uid-1@example.org"`, `"attendees":[{"email":"bob@example.com"}]`),
		`"caller":{"email":"ada@example.com"}`)},
	Check: check(checkImportParty),
}

func checkImportParty(in *input, r diag.Reporter) {
	if in.req.Caller == nil || in.req.Caller.Email == "" {
		return
	}
	email, e := in.req.Caller.Email, in.result
	if e.extra.WasSent("organizer") || e.extra.WasSent("attendees") {
		return // of a wrong type: who takes part is not known
	}
	if !limits.SameAddress(organizerEmail(in.result), email) && findAttendee(in.result.Attendees, email) == nil {
		r.Report("", "The calendar's owner %s is neither the organizer nor an attendee of the event. Import events that the owner takes part in.", diag.Quote(email))
	}
}

var moveType = diag.Rule{
	ID: "move.type", Kind: diag.Reject, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only events of type default are moved.",
	Section: sectionOperations + ", 7",
	Good:    diag.Example{Request: sample.With(about("events.move"), `"params":{"destination":"team@example.com"}`)},
	Bad:     diag.Example{Request: sample.With(about("events.move", `"eventType":"fromMail"`), `"params":{"destination":"team@example.com"}`)},
	Check:   check(checkMoveType),
}

func checkMoveType(in *input, r diag.Reporter) {
	if t := in.stored.EventType; eventType(t) != typeDefault {
		r.Report("", "The event is of type %s; only events of type default can be moved.", diag.Quote(t))
	}
}

var moveOrganizer = diag.Rule{
	ID: "move.organizer", Kind: diag.Effect, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A move changes the organizer of the event.",
	Section: sectionOperations + ", 7",
	Why:     "The calendar that it is moved to organizes it.",
	Good: diag.Example{
		Request: sample.With(about("events.move", `"organizer":{"email":"old@example.com"}`), `"params":{"destination":"team@example.com"}`),
		Answer:  `{"event":{"organizer":{"email":"team@example.com"}}}`,
	},
	Bad: diag.Example{
		Request: patched(`"organizer":{"email":"team@example.com"}`, `"organizer":{"email":"old@example.com"}`),
		Answer:  `{"event":{"organizer":{"email":"old@example.com"}}}`,
	},
}

var moveRemainder = diag.Rule{
	ID: "move.remainder", Kind: diag.Effect, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "If the original organizer is not on the attendee list, a cancelled event remains on that side.",
	Section: sectionStates,
	Why:     "Only its id is guaranteed.",
	Good: diag.Example{
		Request: sample.With(about("events.move", `"organizer":{"email":"old@example.com"}`, `"attendees":[{"email":"old@example.com"}]`),
			`"params":{"destination":"team@example.com"}`),
		Answer: `{"event":{"id":"abc12def"}}`,
	},
	Bad: diag.Example{
		Request: sample.With(about("events.move", `"organizer":{"email":"old@example.com"}`), `"params":{"destination":"team@example.com"}`),
		Answer:  `{"remainder":{"id":"abc12def","status":"cancelled"}}`,
	},
}

var deleteExists = diag.Rule{
	ID: "status.delete.exists", Kind: diag.Reject, When: diag.Delete, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A delete needs an existing event.",
	Section: sectionStates,
	Good:    diag.Example{Request: about("events.delete")},
	Bad:     diag.Example{Request: `{"op":"events.delete"}`},
	Check:   check(checkDeleteExists),
}

func checkDeleteExists(in *input, r diag.Reporter) {
	if !in.hasStored {
		r.Report("", "There is no stored event; only an existing one can be deleted.")
	}
}

var statusDelete = diag.Rule{
	ID: "status.delete", Kind: diag.Effect, When: diag.Delete, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Deleting an existing event leaves it represented as cancelled, with at least its id.",
	Section: sectionStates,
	Good:    diag.Example{Request: about("events.delete"), Answer: `{"event":{"id":"abc12def","status":"cancelled"}}`},
	Bad:     diag.Example{Request: about("events.get"), Answer: `{"event":{"id":"abc12def"}}`},
}

var instancesRecurring = diag.Rule{
	ID: "instances.recurring", Kind: diag.Reject, When: diag.Instances, Basis: diag.Inferred, Scope: diag.OfRequest,
	Summary: "Instances are asked of a recurring event.",
	Section: sectionOperations + ", 5",
	Good:    diag.Example{Request: about("events.instances", sample.Recurrence("RRULE:FREQ=DAILY;COUNT=3"))},
	Bad:     diag.Example{Request: about("events.instances")},
	Check:   check(checkInstancesRecurring),
}

func checkInstancesRecurring(in *input, r diag.Reporter) {
	if in.hasStored && len(in.stored.Recurrence) == 0 {
		r.Report("", "The event does not recur, and so has no instances. Ask for those of a recurring event.")
	}
}

var instancesIdentity = diag.Rule{
	ID: "instances.identity", Kind: diag.Effect, When: diag.Instances, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Instances have different ids, share the iCalUID, and are identified by originalStartTime even if moved.",
	Section: sectionEvent + ", originalStartTime",
	Why:     "Cancelled exceptions are left out.",
	Good: diag.Example{
		Request: sample.With(sample.Response(`"recurringEventId":"series1"`, `"originalStartTime":{"date":"2026-03-09"}`), `"existing":{"id":"series1"}`),
		Answer:  `{"event":{"id":"abc12def","recurringEventId":"series1","originalStartTime":{"date":"2026-03-09"}}}`,
	},
	Bad: diag.Example{Request: sample.Response(), Answer: `{"event":{"id":"abc12def"}}`},
}

// statusOf returns what package status wants to know of an event.
func statusOf(e *Event) status.Facts {
	return status.Facts{Status: e.Status, RecurringEventID: e.RecurringEventID, HasOriginalStart: e.OriginalStartTime != nil}
}
