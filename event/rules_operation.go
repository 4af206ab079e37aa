package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
)

// operationRules are about import and about the operations whose requests contain no event.
var operationRules = []*diag.Rule{
	&iCalUIDRequired, &organizerEmailAddress, &importType, &importPrivateCopy, &importParty, &moveType, &moveOrganizer,
	&moveRemainder, &deleteExists, &deleteGone, &statusDelete, &sendUpdatesAbsent, &instancesRecurring, &instancesIdentity,
}

var iCalUIDRequired = diag.Rule{
	ID: "event.icaluid.required", Kind: diag.Reject, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"iCalUID"},
	Summary: "An imported event has an iCalUID.",
	Section: sectionEvent + ", iCalUID",
	Reason:  "required",
	Why:     "It identifies the event that is copied.",
	Says:    constraint.SaysRequired(nil),
	Good:    sample.Import(),
	Bad:     sample.Request("events.import", sample.Start, sample.End),
}

var organizerEmailAddress = diag.Rule{
	ID: "event.organizer.email", Kind: diag.Reject, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"organizer.email"},
	Summary: "The email of the organizer of an imported event is a valid RFC 5322 addr-spec.",
	Section: sectionPersons,
	Says:    constraint.AddrSpec.Says(),
	Good:    sample.Import(`"organizer":{"email":"chair@example.org"}`),
	Bad:     sample.Import(`"organizer":{"email":"<chair@example.org>"}`),
}

var importType = diag.Rule{
	ID: "import.type", Kind: diag.Ignore, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"eventType", "workingLocationProperties", "outOfOfficeProperties", "focusTimeProperties", "birthdayProperties"},
	Summary: "An imported event has the type default.",
	Section: sectionOperations + ", 6",
	Why: "An event of another type becomes a default event and loses the properties of its type before the other " +
		"rules are checked. Importing such events is deprecated.",
	Good: sample.Import(`"eventType":"default"`),
	Bad: sample.Answered(sample.Import(`"eventType":"outOfOffice"`, `"outOfOfficeProperties":{"declineMessage":"Away"}`),
		`{"event":{"eventType":"default","outOfOfficeProperties":null}}`),
	Says:  diag.Sentences{{Key: "becomes-default", Text: "The event has the type {type}; it becomes a default event and loses the properties of its type. Import only default events."}},
	Check: check(checkImportType),
}

func checkImportType(in *input, r engine.Reporter) {
	if changesType(in.sent) {
		r.Report("/eventType", "becomes-default", diag.Name("type", in.sent.EventType))
	}
}

// changesType reports whether an import changes the type of the event.
func changesType(e *Event) bool {
	return e.EventType != "" && e.EventType != constraint.TypeDefault && constraint.EventType.Has(e.EventType)
}

// imported returns the event that an import of e stores.
func imported(e *Event) *Event {
	if !changesType(e) {
		return e
	}
	plain := new(*e)
	plain.EventType = constraint.TypeDefault
	plain.WorkingLocationProperties, plain.OutOfOfficeProperties = nil, nil
	plain.FocusTimeProperties, plain.BirthdayProperties = nil, nil
	return plain
}

var importPrivateCopy = diag.Rule{
	ID: "import.private-copy", Describes: diag.Effect, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"organizer"},
	Summary: "An import adds a private copy of an existing event.",
	Section: sectionOperations + ", 6",
	Why:     "The copy has the organizer of the original, which no other write can set.",
	Good: sample.Answered(sample.Import(`"organizer":{"email":"chair@example.org"}`),
		`{"event":{"iCalUID":"uid-1@example.org","organizer":{"email":"chair@example.org"}}}`),
	Bad: sample.Answered(sample.Timed(`"iCalUID":"uid-1@example.org"`, `"organizer":{"email":"chair@example.org"}`),
		`{"event":{"iCalUID":"uid-1@example.org","organizer":null}}`),
}

var importParty = diag.Rule{
	ID: "import.party", Kind: diag.Advise, When: diag.Import, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"organizer.email", "attendees[].email"},
	Summary:  "The owner of the calendar is the organizer or an attendee of an imported event.",
	Section:  sectionObserved,
	Seen:     "400 with the reason participantIsNeitherOrganizerNorAttendee.",
	Reported: []string{"kewisch/gdata-provider#1049"},
	Reason:   "participantIsNeitherOrganizerNorAttendee",
	Why:      "The rule is only checked if the email of the caller is known, and takes the caller for the owner of the calendar.",
	Good:     sample.With(sample.Import(`"attendees":[{"email":"ada@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
	Bad:      sample.With(sample.Import(`"attendees":[{"email":"bob@example.com"}]`), `"caller":{"email":"ada@example.com"}`),
	Says:     diag.Sentences{{Key: "stranger", Text: "The caller, {value}, is neither the organizer nor an attendee of the event. Import it into the calendar of somebody who takes part."}},
	Check:    check(checkImportParty),
}

func checkImportParty(in *input, r engine.Reporter) {
	if in.req.Caller == nil || in.req.Caller.Email == "" {
		return
	}
	email, e := in.req.Caller.Email, in.next
	if e.extra.WasSent("organizer") || e.extra.WasSent("attendees") {
		return // they have a wrong type
	}
	if !form.SameAddress(organizerEmail(e), email) && findAttendee(e.Attendees, email) == nil {
		r.Report("", "stranger", diag.Value("value", email))
	}
}

// destinationTeam is the member params of a move to another calendar.
const destinationTeam = `"params":{"destination":"team@example.com"}`

var moveType = diag.Rule{
	ID: "move.type", Kind: diag.Reject, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"eventType"},
	Summary: "Only default events are moved.",
	Section: sectionOperations + ", 7",
	Good:    sample.With(sample.About("events.move"), destinationTeam),
	Bad:     sample.With(sample.About("events.move", `"eventType":"fromMail"`), destinationTeam),
	Says:    diag.Sentences{{Key: "type", Text: "The event has the type {value}; only events of type {limit} can be moved."}},
	Check:   check(checkMoveType),
}

func checkMoveType(in *input, r engine.Reporter) {
	if t := in.stored.EventType; eventType(t) != constraint.TypeDefault {
		r.Report("", "type", diag.Value("value", r.Dialect().Name(t)), diag.Name("limit", constraint.TypeDefault))
	}
}

var moveOrganizer = diag.Rule{
	ID: "move.organizer", Describes: diag.Effect, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"organizer"},
	Summary: "A move changes the organizer of the event.",
	Section: sectionOperations + ", 7",
	Why: "The calendar to which the event is moved becomes the organizer. If its id is not an address, the answer has no " +
		"organizer, because the address is not known.",
	Good: sample.Answered(sample.With(sample.About("events.move", `"organizer":{"email":"old@example.com"}`), destinationTeam),
		`{"event":{"organizer":{"email":"team@example.com"}}}`),
	Bad: sample.Answered(sample.Patch(`"organizer":{"email":"team@example.com"}`, `"organizer":{"email":"old@example.com"}`),
		`{"event":{"organizer":{"email":"old@example.com"}}}`),
}

var moveRemainder = diag.Rule{
	ID: "move.remainder", Describes: diag.Effect, When: diag.Move, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"organizer", "attendees"},
	Summary: "If the original organizer is not on the attendee list, a cancelled event remains on the organizer's side.",
	Section: sectionStates,
	Why:     "Only the id of the remaining event is guaranteed.",
	Good: sample.Answered(sample.With(sample.About("events.move", `"organizer":{"email":"old@example.com"}`), destinationTeam),
		`{"event":{"id":"abc12def"},"remainder":{"id":"abc12def","status":"cancelled"}}`),
	Bad: sample.Answered(sample.With(sample.About("events.move", `"organizer":{"email":"old@example.com"}`, `"attendees":[{"email":"old@example.com"}]`), destinationTeam),
		`{"event":{"id":"abc12def"},"remainder":null}`),
}

var deleteExists = diag.Rule{
	ID: "status.delete.exists", Kind: diag.Reject, When: diag.Delete, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Only an existing event is deleted.",
	Section: sectionStates,
	Why: "Without a stored event, the event to delete does not exist. In a patch, an update or a move, a stored event that is " +
		"not given is only unknown.",
	Status: 404, Reason: "notFound",
	Good:  sample.About("events.delete"),
	Bad:   diag.Example{Request: `{"op":"events.delete"}`},
	Says:  diag.Sentences{{Key: "missing", Text: "The event does not exist; only an existing event can be deleted."}},
	Check: check(checkDeleteExists),
}

func checkDeleteExists(in *input, r engine.Reporter) {
	if in.existing == absentEvent {
		r.Report("", "missing")
	}
}

var deleteGone = diag.Rule{
	ID: "status.delete.gone", Kind: diag.Reject, When: diag.Delete, Basis: diag.Observed, Scope: diag.OfRequest, Reads: []string{"status"},
	Summary:  "An event that is cancelled is not deleted again.",
	Section:  sectionObserved,
	Seen:     `410 with the reason deleted: "Resource has been deleted".`,
	Reported: []string{"googleapis/google-api-python-client#210", "phw198/OutlookGoogleCalendarSync#998"},
	Status:   410, Reason: "deleted",
	Why:   "The event is gone: the public service answers 410.",
	Good:  sample.About("events.delete"),
	Bad:   sample.About("events.delete", sampleCancelled),
	Says:  diag.Sentences{{Key: "cancelled", Text: "The event is already cancelled, so it cannot be deleted again. Treat it as deleted."}},
	Check: check(checkDeleteGone),
}

func checkDeleteGone(in *input, r engine.Reporter) {
	if in.stored.Status == constraint.StatusCancelled {
		r.Report("", "cancelled")
	}
}

var sendUpdatesAbsent = diag.Rule{
	ID: "insert.param.send-updates.absent", Kind: diag.Advise, When: diag.Insert | diag.Modify | diag.Delete | diag.Move, Basis: diag.Observed, Scope: diag.OfRequest,
	Reads:    []string{"attendees", "attendees[].email", "attendees[].self", "attendees[].organizer", "organizer.email"},
	Summary:  "A request that writes an event with guests has the parameter sendUpdates.",
	Section:  sectionObserved,
	Seen:     "Without sendUpdates, guests report that they got no email; others report that they did.",
	Reported: []string{"insanum/gcalcli#601", "openonion/connectonion#1547", "timbal-ai/timbal#175"},
	Why: "Without it, the guests might not be notified. Guests are the attendees other than the caller, the organizer and the " +
		"owner of the calendar. The deprecated sendNotifications also says whom to tell. A modification that changes " +
		"nothing but reminders does not notify the guests.",
	Good:  sample.With(sample.Timed(`"attendees":[{"email":"ada@example.com"}]`), sample.SendUpdates),
	Bad:   sample.Timed(`"attendees":[{"email":"ada@example.com"}]`),
	Says:  diag.Sentences{{Key: "absent", Text: "The event has guests, but sendUpdates is absent, so they might not be notified. Send all, externalOnly or none."}},
	Check: check(checkSendUpdatesAbsent),
}

func checkSendUpdatesAbsent(in *input, r engine.Reporter) {
	if len(in.next.Attendees) == 0 || saysWhomToNotify(in) || !slices.ContainsFunc(in.next.Attendees, func(a Attendee) bool { return isGuest(in, a) }) {
		return
	}
	if !diag.Modify.Has(in.on) || in.existing == knownEvent && in.changedInEffect().Has(mainDataMembers) {
		r.Report("?sendUpdates", "absent")
	}
}

// saysWhomToNotify reports whether the request has a parameter that says whom to notify, even if it is malformed.
func saysWhomToNotify(in *input) bool {
	if in.flags.SendUpdates != "" {
		return true
	}
	_, updates := in.req.Params.Value("sendUpdates")
	_, notifications := in.req.Params.Value("sendNotifications")
	return updates || notifications
}

// isGuest reports whether the attendee is not known to be the caller, the organizer or the owner of
// the calendar.
func isGuest(in *input, a Attendee) bool {
	isKnown := a.Self || a.Organizer || isCaller(in, a.Email) || isAddressed(&a, organizerEmail(in.next))
	return !isKnown && (a.Email != "" || a.ID != "")
}

var statusDelete = diag.Rule{
	ID: "status.delete", Describes: diag.Effect, When: diag.Delete, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"status", "id"},
	Summary: "A deleted event is represented as cancelled, with at least its id.",
	Section: sectionStates,
	Good:    sample.Answered(sample.About("events.delete"), `{"event":{"id":"abc12def","status":"cancelled"}}`),
	Bad:     sample.Answered(sample.About("events.get"), `{"event":{"id":"abc12def","status":"confirmed"}}`),
}

var instancesRecurring = diag.Rule{
	ID: "instances.recurring", Kind: diag.Reject, When: diag.Instances, Basis: diag.Inferred, Scope: diag.OfRequest, Reads: []string{"recurrence"},
	Summary: "Only a recurring event has instances.",
	Section: sectionOperations + ", 5",
	Good:    sample.About("events.instances", sample.Recurrence("RRULE:FREQ=DAILY;COUNT=3")),
	Bad:     sample.About("events.instances"),
	Says:    diag.Sentences{{Key: "single", Text: "The event does not recur, so it has no instances. Send the id of a recurring event."}},
	Check:   check(checkInstancesRecurring),
}

func checkInstancesRecurring(in *input, r engine.Reporter) {
	if in.existing == knownEvent && len(in.stored.Recurrence) == 0 {
		r.Report("", "single")
	}
}

var instancesIdentity = diag.Rule{
	ID: "instances.identity", Describes: diag.Effect, When: diag.Instances, Basis: diag.Stated, Scope: diag.OfRequest,
	Reads:   []string{"id", "iCalUID", "recurringEventId", "originalStartTime"},
	Summary: "Instances have different ids, share the iCalUID, and are identified by originalStartTime even if they are moved. Cancelled instances are left out.",
	Section: sectionEvent + ", originalStartTime",
	Why:     "The recurringEventId of an instance is the id of its series.",
	Good: sample.Via("event.Series.Instances", sample.About("events.instances", `"iCalUID":"uid-1@example.org"`, sample.Recurrence("RRULE:FREQ=DAILY;COUNT=2")),
		`[{"id":"abc12def_20260310T130000Z","recurringEventId":"abc12def","iCalUID":"uid-1@example.org","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}},`+
			`{"id":"abc12def_20260311T130000Z","recurringEventId":"abc12def","iCalUID":"uid-1@example.org","originalStartTime":{"dateTime":"2026-03-11T09:00:00-04:00"}}]`),
	Bad: sample.Via("event.Series.Instances", sample.About("events.instances", `"iCalUID":"uid-1@example.org"`), `[]`),
}
