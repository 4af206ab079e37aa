package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
)

// step is a step in the conversion of the requested event to the event to store, which modifies the event itself, but not the
// values to which the event refers.
type step struct {
	name string
	on   diag.When // the occasions on which the step applies
	do   func(in *input, e *Event)
}

// serverPart lists the steps that restore members that a request cannot change, and change members that the service
// does not store as sent. If there is no stored event, restoring a member clears the member. If the stored event is
// unknown, members that the service writes are kept as sent, because the client most likely read them from the service.
// Restoring immutable members is not a step; see [input.written].
//
// The order of two steps matters only where a comment states a reason. A test verifies the comments by swapping every pair of
// steps.
var serverPart = []step{
	{"service", diag.Write, keepServiceMembers},
	{"left-out", diag.Update, keepLeftOut},
	{"version", diag.Write, keepByVersion},
	{"source", diag.Modify, keepSource},
	{"uid", diag.Modify, keepICalUID},
	{"label", diag.Write, dropEmptyLabel},
	{"conference", diag.Write, keepConference},
	{"other-fields", diag.Write, keepOtherFields},
	{"one-response", diag.Update, takeOneResponse},
	{"within", diag.Write, keepWithin},         // after "one-response", whose attendees may have an explicit false flag
	{"added-once", diag.Modify, keepAddedOnce}, // after "within", which pairs the attendees as they were sent
	{"organizer", diag.Create, flagOrganizer},  // after "within", which clears the flag
	{"spelling", diag.Modify, keepSpelling},    // after "one-response", whose attendees lack defaults
	{"nulls", diag.Write, dropNulls},           // after "conference", whose value may contain nulls
}

// apply applies the steps to an event.
func (in *input) apply(part []step, e *Event) {
	for _, s := range part {
		if s.on.Has(in.on) {
			s.do(in, e)
		}
	}
}

// keepServiceMembers restores the members that only the service writes, and the organizer except on import.
func keepServiceMembers(in *input, e *Event) {
	if in.existing == unknownEvent {
		return
	}
	keep := tables().service & in.mayDiffer()
	if in.on == diag.Import {
		keep &^= ofOrganizer
	}
	if keep != 0 {
		tables().event.Copy(e, in.stored, keep)
	}
}

// keepLeftOut restores the members that an update changes only if it sends them.
func keepLeftOut(in *input, e *Event) {
	tables().event.Copy(e, in.stored, tables().keptByUpdate&^in.present)
}

// keepByVersion restores the members that the eventLabelVersion parameter protects: in version 0, a label that is not
// sent; in version 1, the color.
func keepByVersion(in *input, e *Event) {
	keep := ofEventLabelID &^ in.present
	if in.options.EventLabelVersion > 0 {
		keep = ofColorID
	}
	if keep &= in.mayDiffer(); keep != 0 {
		tables().event.Copy(e, in.stored, keep)
	}
}

// keepSource restores the source, which only the creator can change.
func keepSource(in *input, e *Event) {
	if in.callerIsNotCreator() {
		tables().event.Copy(e, in.stored, ofSource)
	}
}

// keepICalUID restores the iCalUID, which can be set only once.
func keepICalUID(in *input, e *Event) {
	if in.stored.ICalUID != "" {
		tables().event.Copy(e, in.stored, ofICalUID)
	}
}

// dropEmptyLabel removes an empty label, which means no label, unless an empty label is stored.
func dropEmptyLabel(in *input, e *Event) {
	isEmpty := e.EventLabelID != nil && *e.EventLabelID == ""
	if isEmpty && (in.stored.EventLabelID == nil || labelOf(in.stored) != "") {
		e.EventLabelID = nil
	}
}

// keepConference restores the parts of the conference data that the request cannot change.
func keepConference(in *input, e *Event) {
	if e.ConferenceData != in.stored.ConferenceData {
		e.ConferenceData = in.conference().Apply()
	}
}

// takeOneResponse restores the attendees except for the participant's response, as an update with attendeesOmitted requires.
func takeOneResponse(in *input, e *Event) {
	if !in.takesOneResponse() {
		return
	}
	e.Attendees, e.AttendeesOmitted = slices.Clone(in.stored.Attendees), in.stored.AttendeesOmitted
	if i := in.answering(); i >= 0 {
		a := &e.Attendees[i]
		a.respondAs(&in.sent.Attendees[in.sentFor(a)])
	}
}

// keepAddedOnce restores the members that are fixed when an attendee is first added; see [keepAttendees].
func keepAddedOnce(in *input, e *Event) {
	e.Attendees = keepAttendees(e.Attendees, in.stored.Attendees)
}

// keepAttendees returns the attendees with the stored values of members that are fixed when an attendee is first added.
// The fixed members are resource, and the address of an attendee who is identified by id.
func keepAttendees(attendees, stored []Attendee) []Attendee {
	if isSameList(attendees, stored) {
		return attendees
	}
	pairs := pairAttendees(attendees, stored)
	kept := attendees
	for i := range attendees {
		a, was := attendees[i], partner(stored, pairs, i)
		if was == nil {
			continue
		}
		lacksAddress := a.Email == "" && was.Email != "" && !a.extra.WasSent("email")
		if a.Resource == was.Resource && !lacksAddress {
			continue
		}
		if a.Resource = was.Resource; lacksAddress {
			a.Email = was.Email
		}
		if isSameList(kept, attendees) {
			kept = slices.Clone(attendees)
		}
		kept[i] = a
	}
	return kept
}

// keepWithin restores service-written members within objects and arrays.
func keepWithin(in *input, e *Event) {
	if in.existing != unknownEvent {
		tables().event.KeepWithin(e, in.withIcons(in.stored), in.mayDiffer())
	}
}

// flagOrganizer marks the attendee who is the organizer of a new event.
func flagOrganizer(in *input, e *Event) { e.Attendees = flagged(e.Attendees, in.organizer(e)) }

// dropNulls drops nulls that mean absence from the members that may differ from the stored event. Decoding drops the nulls in a
// new event, but a Go value and the arrays in a patch may contain nulls.
func dropNulls(in *input, e *Event) {
	if !in.decoded || !diag.Create.Has(in.on) {
		tables().event.DropNulls(e, in.mayDiffer())
	}
}
