package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/status"
)

// answer sets the events that the service would store and return for an accepted request. They share
// nothing with each other or with the request.
func answer(c *Checker, in *input, result *Result) {
	switch {
	case in.result == nil: // the body is not an event, but a grading accepts it
	case diag.Create.Has(in.on):
		result.Stored = in.created(c)
		result.Answer = in.returned(result.Stored.Clone())
	case diag.Modify.Has(in.on):
		result.Stored = in.modified()
		result.Answer = in.visible(result.Stored.Clone())
	case in.on == diag.Response:
		e := in.ownResult()
		e.Status = normalStatus(e.Status)
		flagOrganizer(e.Attendees, organizerEmail(e))
		result.Answer = in.returned(e)
	case in.hasStored:
		in.answerStored(result)
	}
}

// answerStored is [answer] for operations on a stored event whose requests contain no event.
func (in *input) answerStored(result *Result) {
	switch in.on {
	case occasion.Move:
		result.Stored, result.Remainder = in.moved()
		result.Answer = in.visible(result.Stored.Clone())
	case occasion.Delete:
		result.Stored = in.stored.Clone()
		result.Stored.Status = constraint.StatusCancelled
		result.Answer = in.visible(result.Stored.Clone())
	case occasion.Get:
		result.Answer = in.returned(in.shown())
	case occasion.List:
		result.Answer = in.listed()
	}
}

func organizerEmail(e *Event) string { return e.Organizer.orZero().Email }

// created returns the event to store for an insert or an import.
func (in *input) created(c *Checker) *Event {
	e := in.ownResult()
	if !in.decoded {
		eventTable.DropNulls(e) // an event that is a Go value may contain null
	}
	clearService := serviceMembers
	if in.on == occasion.Import {
		clearService &^= ofOrganizer // only an import writes it
	}
	eventTable.Copy(e, &noEvent, clearService&in.present)
	eventTable.KeepWithin(e, &noEvent)
	flagOrganizer(e.Attendees, in.organizer(e))
	e.WorkingLocationProperties = keepOtherFields(e.WorkingLocationProperties, nil)
	dropEmptyLabel(e)
	if in.flags.EventLabelVersion > 0 {
		e.ColorID = ""
	}
	e.ConferenceData = in.conference().Apply()
	e.Kind = constraint.EventKind
	e.Status = normalStatus(e.Status)
	e.EventType = eventType(e.EventType)
	if e.ID == "" && c.NewID != nil {
		e.ID = c.NewID()
	}
	return e
}

// ownResult returns the event of a request that does not modify a stored one, as a value that shares nothing with the
// request or with a rule of the caller.
func (in *input) ownResult() *Event {
	if in.owned {
		return in.result
	}
	return in.result.Clone()
}

// organizer returns the address of the organizer of a new event: on import the one that was sent, on
// insert the caller's, if it is known.
func (in *input) organizer(e *Event) string {
	if in.on == occasion.Import {
		return organizerEmail(e)
	}
	if in.req.Caller == nil {
		return ""
	}
	return in.req.Caller.Email
}

// moved returns the event with its new organizer, the calendar to which it is moved. If the original
// organizer is not an attendee, a cancelled event remains on the organizer's side; only its id is
// guaranteed.
func (in *input) moved() (e, remainder *Event) {
	e = in.stored.Clone()
	e.Status = normalStatus(e.Status)
	original := e.Organizer.orZero()
	if !attends(e, original) {
		remainder = &Event{ID: e.ID, Status: constraint.StatusCancelled}
	}
	e.Organizer = nil // it may be unknown
	if address := in.destination(); address != "" {
		e.Organizer = &Person{Email: address}
	}
	for i := range e.Attendees {
		e.Attendees[i].Organizer = false
	}
	flagOrganizer(e.Attendees, organizerEmail(e))
	return e, remainder
}

// destination returns the address of the calendar to which an event is moved, or "" if it is not
// known: a calendar id need not be an address. That of the primary calendar is the caller's.
func (in *input) destination() string {
	switch {
	case form.IsAddrSpec(in.flags.Destination):
		return in.flags.Destination
	case in.flags.Destination == "primary" && in.req.Caller != nil:
		return in.req.Caller.Email
	default:
		return ""
	}
}

// attends reports whether the organizer is an attendee, by the flag, the address or the profile id.
func attends(e *Event, organizer Person) bool {
	for i := range e.Attendees {
		a := &e.Attendees[i]
		sameID := a.ID != "" && a.ID == organizer.ID
		sameEmail := isAddressed(a, organizer.Email)
		if a.Organizer || sameID || sameEmail {
			return true
		}
	}
	return false
}

// shown returns the event that events.get returns.
func (in *input) shown() *Event {
	e := in.stored.Clone()
	e.Status = normalStatus(e.Status)
	return in.visible(e)
}

// visible makes e what the caller sees, and returns it: only the creator sees the source.
func (in *input) visible(e *Event) *Event {
	if in.callerIsNotCreator() {
		eventTable.Copy(e, &noEvent, ofSource)
	}
	return e
}

// listed returns the event that events.list returns, or nil if it does not return it.
func (in *input) listed() *Event {
	query := status.Query{SyncToken: in.flags.SyncToken, UpdatedMin: in.flags.UpdatedMin, ShowDeleted: in.flags.ShowDeleted}
	switch e := in.stored; {
	case in.flags.ICalUID != "" && in.flags.ICalUID != e.ICalUID:
		return nil
	case !query.Lists(e.Status):
		return nil
	case !query.Details(e.Status):
		return guaranteed(e)
	default:
		return in.returned(in.shown())
	}
}

// guaranteed returns a cancelled event with only its guaranteed members and its status.
func guaranteed(e *Event) *Event {
	var bare Event
	eventTable.Copy(&bare, e, of("status")|of(e.StatusMeaning().Guaranteed()...))
	return bare.Clone()
}

// returned leaves only the participant in e if it has more attendees than the request wants, and
// returns e.
func (in *input) returned(e *Event) *Event {
	if most := in.flags.MaxAttendees; most > 0 && len(e.Attendees) > most {
		e.Attendees, e.AttendeesOmitted = in.participant(e.Attendees), true
	}
	return e
}

// participant returns the one attendee who represents the calendar or the caller, if any.
func (in *input) participant(attendees []Attendee) []Attendee {
	i := in.participantAmong(attendees, func(*Attendee) bool { return true })
	if i < 0 {
		return nil
	}
	return attendees[i : i+1 : i+1]
}

// isCaller reports whether the address is known to be that of the caller.
func isCaller(in *input, email string) bool {
	return in.req.Caller != nil && in.req.Caller.Email != "" && form.SameAddress(in.req.Caller.Email, email)
}
