package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/status"
)

// answer sets the events in the result to the events that the service would store and return for the accepted request.
func answer(c *Checker, in *input, result *Result) {
	switch {
	case in.next == nil: // the body is not an event, but the grading accepts it
	case diag.Create.Has(in.on):
		result.Stored = created(in, c)
		result.Answer = in.returned(result.Stored)
	case diag.Modify.Has(in.on):
		result.Stored = modified(in)
		result.Answer = in.returned(in.visible(result.Stored))
	case in.on == diag.Response:
		result.Answer = in.returned(represented(in))
	case in.existing == knownEvent:
		answerStored(in, result)
	}
	result.Answer = answered(in, result.Answer)
	if !c.ShareMemory {
		result.separate(in.owned && !diag.Modify.Has(in.on))
	}
}

// separate clones the events in the result, so that they share no memory with each other or the request. If ownsFirst is
// true, the first event already owns its values and is not cloned.
func (r *Result) separate(ownsFirst bool) {
	for _, e := range []**Event{&r.Stored, &r.Answer} {
		if *e == nil {
			continue
		}
		if !ownsFirst {
			*e = (*e).Clone()
		}
		ownsFirst = false
	}
}

// answerStored is like [answer], but for operations on a stored event whose request contains no event.
func answerStored(in *input, result *Result) {
	switch in.on {
	case diag.Move:
		result.Stored, result.CancelledCopy = moved(in)
		result.Answer = in.visible(result.Stored)
	case diag.Delete:
		result.Stored = in.shown()
		result.Stored.Status = constraint.StatusCancelled
		result.Answer = in.visible(result.Stored)
	case diag.Get:
		result.Answer = in.returned(in.visible(in.shown()))
	case diag.List:
		result.Answer = fromList(in)
	}
}

func organizerEmail(e *Event) string { return e.Organizer.orZero().Email }

// created returns the event to store for an insert or an import.
func created(in *input, c *Checker) *Event {
	e := ownNext(in)
	in.apply(serverPart, e)
	if e.ID == "" && c.NewID != nil {
		e.ID = c.NewID()
	}
	if in.dialect == diag.Google {
		e = new(*e) // checks of the service's response must see whether the client sent a guest's responseStatus
	}
	in.apply(storedPart, e)
	return e
}

// modified returns the event to store for a patch or an update.
func modified(in *input) *Event {
	e := new(*in.next)
	in.apply(storedPart, e)
	return e
}

// ownNext returns the next event for a request that does not modify a stored event. The event is not part of the request, and
// custom rules have not seen it, so its fields may be set; values that the fields refer to must not be modified.
func ownNext(in *input) *Event {
	if in.owned {
		return in.next
	}
	return new(*in.next)
}

// represented returns a representation in the form in which the service returns it.
func represented(in *input) *Event {
	e := ownNext(in)
	e.Status = normalStatus(e.Status)
	e.Attendees = flagged(e.Attendees, organizerEmail(e))
	return e
}

// organizer returns the address of a new event's organizer, if known. An import contains the organizer; the organizer
// of an inserted event is the caller.
func (in *input) organizer(e *Event) string {
	if in.on == diag.Import {
		return organizerEmail(e)
	}
	if in.req.Caller == nil {
		return ""
	}
	return in.req.Caller.Email
}

// moved returns the event with the destination calendar as its organizer. If the original organizer is not an attendee,
// moved also returns the cancelled event that remains in the original calendar, with only the guaranteed id.
func moved(in *input) (e, remainder *Event) {
	e = in.shown()
	original := e.Organizer.orZero()
	if !attends(e, original) {
		remainder = &Event{ID: e.ID, Status: constraint.StatusCancelled}
	}
	e.Organizer = nil // the new organizer may be unknown
	if address := destination(in); address != "" {
		e.Organizer = &Person{Email: address}
	}
	e.Attendees = slices.Clone(e.Attendees)
	for i := range e.Attendees {
		a := &e.Attendees[i]
		a.Organizer = isAddressed(a, organizerEmail(e))
		a.Self = a.Organizer // this copy is in the organizer's calendar now
	}
	if e.Creator != nil {
		e.Creator = new(*e.Creator)
		e.Creator.Self = form.SameAddress(e.Creator.Email, organizerEmail(e))
	}
	return e, remainder
}

// destination returns the address of a move's destination calendar, or "" if the address is unknown, because a calendar id need
// not be an address. The address of the primary calendar is the caller's.
func destination(in *input) string {
	switch {
	case form.IsAddrSpec(in.options.Destination):
		return in.options.Destination
	case in.options.Destination == "primary" && in.req.Caller != nil:
		return in.req.Caller.Email
	default:
		return ""
	}
}

// attends reports whether the organizer is an attendee, according to the organizer flag, the address or the profile id.
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

// shown returns a copy of the stored event with a status, with the organizer marked among the attendees, and without
// nulls, which are not allowed in a representation.
func (c *change) shown() *Event {
	e := new(*c.stored)
	tables().event.DropNulls(e, object.All)
	e.Status = normalStatus(e.Status)
	return withOrganizerFlag(e)
}

// visible returns e as the caller sees it. Only the creator sees the source.
func (in *input) visible(e *Event) *Event {
	if in.callerIsNotCreator() {
		e = new(*e)
		tables().event.Copy(e, &noEvent, ofSource)
	}
	return e
}

// withOrganizerFlag returns e with the organizer marked among the attendees.
func withOrganizerFlag(e *Event) *Event {
	attendees := flagged(e.Attendees, organizerEmail(e))
	if isSameList(attendees, e.Attendees) {
		return e
	}
	with := new(*e)
	with.Attendees = attendees
	return with
}

// fromList returns the stored event as events.list returns it, or nil if events.list omits it.
func fromList(in *input) *Event {
	query := status.Query{SyncToken: in.options.SyncToken, UpdatedMin: in.options.UpdatedMin, ShowDeleted: in.options.ShowDeleted}
	switch e := in.stored; {
	case in.options.ICalUID != "" && in.options.ICalUID != e.ICalUID:
		return nil
	case listsException(in):
		return guaranteed(e)
	case !query.Lists(e.Status):
		return nil
	case !query.Details(e.Status):
		return guaranteed(e)
	default:
		return in.returned(in.visible(in.shown()))
	}
}

// guaranteed returns a cancelled event with only its guaranteed members and its status.
func guaranteed(e *Event) *Event {
	bare := new(Event)
	tables().event.Copy(bare, e, ofStatus|membersNamed(e.StatusMeaning().Guaranteed()...))
	return bare
}

// returned returns e, or a copy with only the participant if e has more attendees than the maxAttendees parameter allows.
func (in *input) returned(e *Event) *Event {
	if !attendeeMax.When.Has(in.on) {
		return e
	}
	if most := in.options.MaxAttendees; most > 0 && len(e.Attendees) > most {
		e = new(*e)
		e.Attendees, e.AttendeesOmitted = participant(in, e.Attendees), true
	}
	return e
}

// participant returns a slice of the attendee who represents the calendar or the caller, or nil if there is none.
func participant(in *input, attendees []Attendee) []Attendee {
	i := in.participantAmong(attendees, func(*Attendee) bool { return true })
	if i < 0 {
		return nil
	}
	return attendees[i : i+1 : i+1]
}

// isCaller reports whether the address is known to be the caller's.
func isCaller(in *input, email string) bool {
	return in.req.Caller != nil && in.req.Caller.Email != "" && form.SameAddress(in.req.Caller.Email, email)
}

// flagged returns the attendees, with the attendee who has the organizer's address marked as the organizer.
func flagged(attendees []Attendee, email string) []Attendee {
	same := attendees
	for i := range attendees {
		if attendees[i].Organizer || !isAddressed(&attendees[i], email) {
			continue
		}
		if isSameList(same, attendees) {
			same = slices.Clone(attendees)
		}
		same[i].Organizer = true
	}
	return same
}
