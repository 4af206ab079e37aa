package event

import (
	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/status"
)

// answer returns the event that the service would store or return for an accepted request,
// and what remains beside it after a move. They share nothing with the request.
func answer(c *Checker, in *input) (e, remainder *Event) {
	switch {
	case diag.Create.Has(in.on):
		e = in.created(c)
	case diag.Modify.Has(in.on):
		return in.new, nil
	case in.on == diag.Response:
		e = in.new.Clone()
		flagOrganizer(e.Attendees, organizerEmail(e))
	case in.old == nil:
		return nil, nil
	case in.on == diag.Move:
		return in.moved()
	case in.on == diag.Delete:
		e = in.old.Clone()
		e.Status = status.Cancelled
		return e, nil
	case in.on == diag.Get:
		e = in.shown()
	case in.on == diag.List:
		return in.listed(), nil
	default:
		return nil, nil
	}
	in.omitAttendees(e)
	return e, nil
}

func organizerEmail(e *Event) string { return e.Organizer.orZero().Email }

// created makes of an event that was sent the one that is stored.
func (in *input) created(c *Checker) *Event {
	e := in.new.Clone()
	eventTable.Copy(e, &noEvent, ownedByService&^ofOrganizer)
	in.setOrganizer(e)
	keepAttendeeFlags(e.Attendees, nil)
	keepAttachmentFields(e.Attachments, nil)
	keepNestedFields(e, &noEvent)
	flagOrganizer(e.Attendees, in.organizer(e))
	dropOtherFields(e.WorkingLocationProperties)
	dropEmptyLabel(e)
	if in.flags.EventLabelVersion > 0 {
		e.ColorID = ""
	}
	e.ConferenceData = conference.Apply(in.conference())
	e.Kind = limits.EventKind
	e.Status = status.Normal(e.Status)
	e.EventType = eventType(e.EventType)
	if e.ID == "" && c.NewID != nil {
		e.ID = c.NewID()
	}
	return e
}

var ofOrganizer = of("organizer")

// setOrganizer drops what an insert says of the organizer, which only an import writes.
func (in *input) setOrganizer(e *Event) {
	switch {
	case in.on != diag.Import:
		eventTable.Copy(e, &noEvent, ofOrganizer)
	case e.Organizer != nil:
		e.Organizer.Self = false
	}
}

// organizer returns the address of the organizer of a new event: on import the one that was
// sent, on insert whoever calls, where that is known.
func (in *input) organizer(e *Event) string {
	if in.on == diag.Import {
		return organizerEmail(e)
	}
	if in.req.Caller == nil {
		return ""
	}
	return in.req.Caller.Email
}

// moved returns the event under its new organizer, the calendar that it is moved to. Where the
// original one is not among the attendees, a cancelled event remains on that side, of which
// only the id is guaranteed.
func (in *input) moved() (e, remainder *Event) {
	e = in.old.Clone()
	original := organizerEmail(e)
	e.Organizer = &Person{Email: in.flags.Destination}
	for i := range e.Attendees {
		e.Attendees[i].Organizer = false
	}
	flagOrganizer(e.Attendees, in.flags.Destination)
	if original == "" || findAttendee(e.Attendees, original) == nil {
		remainder = &Event{ID: e.ID, Status: status.Cancelled}
	}
	return e, remainder
}

// shown returns the event as events.get does.
func (in *input) shown() *Event {
	e := in.old.Clone()
	if in.callerIsNotCreator() {
		eventTable.Copy(e, &noEvent, ofSource)
	}
	return e
}

// listed returns the event as events.list does, or nil where it does not.
func (in *input) listed() *Event {
	query := status.Query{SyncToken: in.flags.SyncToken, UpdatedMin: in.flags.UpdatedMin, ShowDeleted: in.flags.ShowDeleted}
	switch e := in.old; {
	case in.flags.ICalUID != "" && in.flags.ICalUID != e.ICalUID:
		return nil
	case !status.Listed(e.Status, query):
		return nil
	case !status.Detailed(e.Status, query):
		return guaranteed(e)
	default:
		return in.shown()
	}
}

// guaranteed returns a cancelled event with only what is guaranteed of it, and its status.
func guaranteed(e *Event) *Event {
	var bare Event
	eventTable.Copy(&bare, e, of("status")|of(status.Of(statusOf(e)).Guaranteed()...))
	return &bare
}

// omitAttendees keeps only the participant where there are more attendees than the request
// wants returned: the one that self marks or, where none is marked, whoever calls.
func (in *input) omitAttendees(e *Event) {
	most := in.flags.MaxAttendees
	if most == 0 || len(e.Attendees) <= most {
		return
	}
	participant := -1
	for i := range e.Attendees {
		switch a := &e.Attendees[i]; {
		case a.Self:
			participant = i
		case participant < 0 && isCaller(in, a.Email):
			participant = i
		}
	}
	if participant < 0 {
		e.Attendees = nil
	} else {
		e.Attendees = e.Attendees[participant : participant+1 : participant+1]
	}
	e.AttendeesOmitted = true
}

// isCaller reports whether the address is known to be that of whoever calls.
func isCaller(in *input, email string) bool {
	return in.req.Caller != nil && in.req.Caller.Email != "" && limits.SameAddress(in.req.Caller.Email, email)
}
