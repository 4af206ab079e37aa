package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// storedPart has the steps from the next event to the event that the service stores, in order: they drop ignored
// members and add others. The rules do not see their result.
//
// The order of two steps matters only where a comment gives a reason. A test swaps every pair.
var storedPart = []step{
	{"kind", diag.Create, addKind},
	{"type", diag.Create, addType},
	{"status", diag.Write, addStatus},
	{"others", diag.Update, leaveOutOthers},
	{"malformed", diag.Modify, dropMalformed}, // after "others", whose attendees are as they were sent
	{"ignored", diag.Write, keepIgnored},
	{"answers", diag.Write, addAnswers}, // after "others"
	{"lines", diag.Write, dropSemicolons},
	{"reminders", diag.Create, turnOnReminders},
	{"sequence", diag.Write, countSequence},
	{"identity", diag.Write, identify},
	{"flag", diag.Write, flagStoredOrganizer}, // after "others", and after "malformed", which drops a malformed organizer
}

func addKind(_ *input, e *Event) { e.Kind = constraint.EventKind }
func addType(_ *input, e *Event) { e.EventType = eventType(e.EventType) }

// addStatus adds the default status, unless the stored one is unknown and stays.
func addStatus(in *input, e *Event) {
	if !in.isPartial() {
		e.Status = normalStatus(e.Status)
	}
}

// leaveOutOthers keeps only the response sent with attendeesOmitted, if the stored attendees are unknown.
func leaveOutOthers(in *input, e *Event) {
	if in.existing == unknownEvent && in.takesOneResponse() {
		e.Attendees, e.AttendeesOmitted = in.sent.Attendees, true
	}
}

// dropMalformed drops values that the service never writes. If the stored event is unknown, the service's own members
// are kept as sent, because the client most likely read them before.
func dropMalformed(in *input, e *Event) {
	if in.existing == knownEvent {
		return
	}
	eventTable.DropMalformed(e, diag.Response)
	if b := e.BirthdayProperties; b != nil && !b.isPossible() {
		e.BirthdayProperties = nil
	}
}

// keepIgnored keeps the stored values of members that the service ignores in the request.
func keepIgnored(in *input, e *Event) {
	if ignored := in.ignored(); ignored != 0 && in.existing != unknownEvent {
		eventTable.Copy(e, in.stored, eventTable.ChangedValue(in.stored, e, ignored))
	}
}

// addAnswers sets missing attendee responses to the default of the public service.
func addAnswers(in *input, e *Event) {
	if in.dialect == diag.Google {
		e.Attendees = answeredWithDefaults(e.Attendees)
	}
}

// dropSemicolons writes the recurrence as the public service reads it.
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

// countSequence sets the sequence that the public service stores. Members that depend on an unknown stored event are
// left as sent.
func countSequence(in *input, e *Event) {
	if in.dialect == diag.Google && in.existing != unknownEvent {
		e.Sequence = nextSequence(in.dialect, in.storedOrNil(), e)
		eventTable.WriteOut(e, ofSequence)
	}
}

// identify gives a cancelled instance of an active series the two members that identify it, which the service
// guarantees. If only one of them is kept, identify derives the other from the id of the series or from the start. If
// it cannot, the first identifies nothing, and identify drops it.
func identify(in *input, e *Event) {
	hasID, hasStart := e.RecurringEventID != "", parseTime(e.OriginalStartTime).form != noForm
	switch {
	case e.Status != constraint.StatusCancelled || hasID == hasStart || !isOfActiveSeries(in):
	case hasStart && in.req.Series.ID != "":
		e.RecurringEventID = in.req.Series.ID
	case hasID && e.Start != nil:
		e.OriginalStartTime = e.Start
	default:
		eventTable.Copy(e, &noEvent, ofRecurringEventID|ofOriginalStartTime)
	}
}

// flagStoredOrganizer marks the attendee who is the organizer.
func flagStoredOrganizer(_ *input, e *Event) { e.Attendees = flagged(e.Attendees, organizerEmail(e)) }
