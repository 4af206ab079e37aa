package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
)

// storedPart lists the steps that convert the next event to the event that the service stores. The steps drop ignored
// members and add other members. The rules do not see the resulting event.
//
// The order of two steps matters only where a comment states a reason. A test verifies the comments by swapping every pair of
// steps.
var storedPart = []step{
	{"kind", diag.Create, addKind},
	{"type", diag.Create, addType},
	{"status", diag.Write, addStatus},
	{"others", diag.Update, leaveOutOthers},
	{"malformed", diag.Modify, dropMalformed}, // after "others", whose attendees are as sent
	{"ignored", diag.Write, keepIgnored},
	{"answers", diag.Write, addAnswers}, // after "others"
	{"lines", diag.Write, dropSemicolons},
	{"reminders", diag.Create, turnOnReminders},
	{"sequence", diag.Write, countSequence},
	{"identity", diag.Write, identify},
	{"flag", diag.Write, flagStoredOrganizer},      // after "others", and after "malformed", which drops a malformed organizer
	{"stored-nulls", diag.Modify, dropStoredNulls}, // after "sequence", for which a stored null is not a change
}

// dropStoredNulls drops the nulls in members that the request does not change. Earlier steps and rules skip these members, because
// a stored event may have many guests.
func dropStoredNulls(_ *input, e *Event) { tables().event.DropNulls(e, object.All) }

func addKind(_ *input, e *Event) { e.Kind = constraint.EventKind }
func addType(_ *input, e *Event) { e.EventType = eventType(e.EventType) }

// addStatus adds the default status, unless the request keeps an unknown stored status.
func addStatus(in *input, e *Event) {
	if !in.isPartial() {
		e.Status = normalStatus(e.Status)
	}
}

// leaveOutOthers keeps only the attendees that were sent with attendeesOmitted if the stored attendees are unknown.
func leaveOutOthers(in *input, e *Event) {
	if in.existing == unknownEvent && in.takesOneResponse() {
		e.Attendees, e.AttendeesOmitted = in.sent.Attendees, true
	}
}

// dropMalformed drops values that the service never writes, unless the stored event is known. Members that the service
// writes are otherwise kept as sent if the stored event is unknown.
func dropMalformed(in *input, e *Event) {
	if in.existing == knownEvent {
		return
	}
	tables().event.DropMalformed(e, diag.Response)
	if b := e.BirthdayProperties; b != nil && !b.isPossible() {
		e.BirthdayProperties = nil
	}
}

// keepIgnored restores the stored values of members that the service ignores in the request.
func keepIgnored(in *input, e *Event) {
	if ignored := in.ignored(); ignored != 0 && in.existing != unknownEvent {
		tables().event.Copy(e, in.stored, tables().event.ChangedValue(in.stored, e, ignored))
	}
}

// addAnswers sets missing attendee responses to the public service's default.
func addAnswers(in *input, e *Event) {
	if in.dialect == diag.Google {
		e.Attendees = answeredWithDefaults(e.Attendees)
	}
}

// dropSemicolons removes trailing semicolons from the recurrence lines, as the public service does.
func dropSemicolons(in *input, e *Event) {
	if in.dialect == diag.Google {
		e.Recurrence = withoutLastSemicolons(e.Recurrence)
	}
}

// turnOnReminders turns on the default reminders, as the public service does for a new timed event without reminders.
func turnOnReminders(in *input, e *Event) {
	if in.dialect == diag.Google && e.Reminders == nil && in.start.form == timed {
		e.Reminders = &Reminders{UseDefault: new(true)}
	}
}

// countSequence sets the sequence to the value that the public service stores. If the stored event is unknown, the
// sequence remains as sent.
func countSequence(in *input, e *Event) {
	if in.dialect == diag.Google && in.existing != unknownEvent {
		e.Sequence = nextSequence(in.dialect, in.storedOrNil(), e)
		tables().event.WriteOut(e, ofSequence)
	}
}

// identify ensures that a cancelled instance of an active series has both identifying members, as the service guarantees. If
// the instance has only one of the two members, identify derives the other from the id of the series or from the start. If
// identify cannot derive the missing member, it drops the other member, which identifies nothing by itself.
func identify(in *input, e *Event) {
	hasID, hasStart := e.RecurringEventID != "", parseTime(e.OriginalStartTime).form != noForm
	switch {
	case e.Status != constraint.StatusCancelled || hasID == hasStart || !isOfActiveSeries(in):
	case hasStart && in.req.Series.ID != "":
		e.RecurringEventID = in.req.Series.ID
	case hasID && e.Start != nil:
		e.OriginalStartTime = e.Start
	default:
		tables().event.Copy(e, &noEvent, ofRecurringEventID|ofOriginalStartTime)
	}
}

// flagStoredOrganizer marks the attendee who is the organizer of the stored event.
func flagStoredOrganizer(_ *input, e *Event) { e.Attendees = flagged(e.Attendees, organizerEmail(e)) }
