package emulator

import (
	"strings"

	"github.com/calrules/calrules/emulator/internal/state"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
)

// A guest with a calendar in the emulator gets a copy of the event, regardless of sendUpdates, which concerns only email. The
// organizer's event is the original. Changes to the original are copied to the guests' calendars, and a guest's response is
// copied back to the original.

// spread applies the edits of a write to copies of the events in other calendars.
func (s *Server) spread(tx *state.Tx, c *call, calendarID string, edits ...edit) {
	for i, e := range edits {
		switch next := e.next; {
		case next.PrivateCopy || next.Organizer == nil:
		case limits.SameAddress(next.Organizer.Email, calendarID):
			s.tellGuests(tx, c, calendarID, e.was, next)
		case e.was != nil && i == 0: // only for the first edit, because the other edits follow from it
			s.tellOrganizer(tx, c, calendarID, e.was, next)
		}
	}
}

// tellGuests updates the guests' copies of an event in the organizer's calendar, skipping calendars that were already written.
func (s *Server) tellGuests(tx *state.Tx, c *call, from string, was, next *event.Event, written ...string) {
	done := map[string]bool{from: true}
	for _, id := range written {
		done[id] = true
	}
	for _, e := range []*event.Event{next, was} {
		if e == nil {
			continue
		}
		for i := range e.Attendees {
			to := s.calendarOf(tx, e.Attendees[i].Email)
			if to == "" || done[to] {
				continue
			}
			done[to] = true
			s.deliver(tx, c, from, to, was, next)
		}
	}
}

// calendarOf returns the id of the calendar with the given email address. If the address belongs to a user without a primary
// calendar, calendarOf creates the calendar. calendarOf returns "" for any other address.
func (s *Server) calendarOf(tx *state.Tx, email string) string {
	for _, id := range []string{email, strings.ToLower(email)} {
		if _, ok := tx.Get(state.Calendars, "", id); ok {
			return id
		}
		if id != "" && s.isUser(id) {
			s.makePrimary(tx, id)
			return id
		}
	}
	return ""
}

// deliver stores a copy of an event in the calendar of a current or former guest. A new guest of a series also gets the changed
// instances. If the guest is not invited to an instance or the organizer has deleted the instance, the copy is cancelled.
func (s *Server) deliver(tx *state.Tx, c *call, from, to string, was, next *event.Event) {
	id, entry, series := s.copyIn(tx.Calendar(to), was, next)
	isGone := next.Status == cancelled || attendee(next, to) == nil
	if isGone && entry == nil && series == nil {
		return // nothing to cancel
	}
	if entry != nil && entry.Event.Status == cancelled && attendee(was, to) != nil && was.Status != cancelled {
		return // the guest has deleted the copy
	}
	copied := s.store(tx, c, to, id, entry, series, next)
	if isGone || attendee(was, to) != nil {
		return
	}
	for _, x := range tx.Calendar(from).Exceptions(next.ID) {
		id := copied.ID + strings.TrimPrefix(x.Event.ID, next.ID)
		s.store(tx, c, to, id, tx.Calendar(to).Get(id), copied, x.Event)
	}
}

// store stores a copy of an event in the calendar to, under the given id. The arguments entry, the current copy in that
// calendar, and series, the series of an instance, may be nil.
func (s *Server) store(tx *state.Tx, c *call, to, id string, entry *state.Entry, series, next *event.Event) *event.Event {
	var own *event.Event
	if entry != nil {
		own = entry.Event
	}
	copied := personal(next, own)
	copied.ID = id
	switch {
	case next.RecurringEventID == "":
	case series != nil:
		copied.RecurringEventID = series.ID
	case own != nil:
		copied.RecurringEventID = own.RecurringEventID
	default:
		copied.RecurringEventID = strings.TrimSuffix(id, strings.TrimPrefix(next.ID, next.RecurringEventID))
	}
	if next.Status == cancelled || attendee(next, to) == nil {
		copied.Status = cancelled
	}
	if see := next.GuestsCanSeeOtherGuests; see != nil && !*see {
		keepAttendee(copied, to)
	}
	return s.put(tx, c, to, entry, own, copied)
}

// put stores an event that changes because of a write to another calendar.
func (s *Server) put(tx *state.Tx, c *call, to string, entry *state.Entry, was, next *event.Event) *event.Event {
	s.touch(tx, c, to, was, next)
	s.write(tx, c, to, entry, next)
	return next
}

// copyIn finds the copy of an event in a guest's calendar, and returns the id of the copy, its entry if the copy is stored, and
// the series of an instance if the calendar contains the series. The id differs from the id of e only if the calendar already
// contains a different event with that id. Events with different organizers are different even if their iCalUIDs are equal,
// because the emulator derives the iCalUID from the id. If the organizer has changed, the was argument is the event before
// the change.
func (s *Server) copyIn(in *state.Calendar, was, e *event.Event) (id string, entry *state.Entry, series *event.Event) {
	for _, x := range in.WithUID(e.ICalUID) {
		if x.Event.RecurringEventID != "" || !sameOrganizer(x.Event, e) && !sameOrganizer(x.Event, was) {
			continue
		}
		if e.RecurringEventID == "" {
			return x.Event.ID, x, nil
		}
		series = x.Event
	}
	if e.RecurringEventID == "" {
		return s.freeID(in, e.ID), nil, nil
	}
	if series != nil {
		id = series.ID + strings.TrimPrefix(e.ID, e.RecurringEventID)
		return id, in.Get(id), series
	}
	for _, x := range in.WithUID(e.ICalUID) { // the calendar may have single instances
		if x.Event.RecurringEventID != "" && sameTime(x.Event.OriginalStartTime, e.OriginalStartTime) && sameOrganizer(x.Event, e) {
			return x.Event.ID, x, nil
		}
	}
	return s.seriesID(in, e) + strings.TrimPrefix(e.ID, e.RecurringEventID), nil, nil
}

// seriesID returns the id that the series of e would have in a calendar that contains only instances of the series.
func (s *Server) seriesID(in *state.Calendar, e *event.Event) string {
	for _, x := range in.WithUID(e.ICalUID) {
		if x.Event.RecurringEventID != "" && sameOrganizer(x.Event, e) {
			return x.Event.RecurringEventID
		}
	}
	return s.freeID(in, e.RecurringEventID)
}

// freeID returns id if no event in the calendar has that id, and otherwise a new id.
func (s *Server) freeID(in *state.Calendar, id string) string {
	if in.Get(id) == nil {
		return id
	}
	return s.checker.NewID()
}

func sameOrganizer(a, b *event.Event) bool {
	return a != nil && b != nil && a.Organizer != nil && b.Organizer != nil && limits.SameAddress(a.Organizer.Email, b.Organizer.Email)
}

// personal returns a copy of e with the personal members of own, which differ from calendar to calendar: the reminders, the
// color, the private properties and the address of the page.
func personal(e, own *event.Event) *event.Event {
	if own == nil {
		own = &event.Event{Reminders: &event.Reminders{UseDefault: new(true)}}
	}
	e, own = e.Clone(), own.Clone()
	e.Reminders, e.ColorID, e.EventLabelID, e.HTMLLink = own.Reminders, own.ColorID, own.EventLabelID, own.HTMLLink
	private := own.ExtendedProperties
	switch {
	case private != nil && private.Private != nil:
		if e.ExtendedProperties == nil {
			e.ExtendedProperties = new(event.ExtendedProperties)
		}
		e.ExtendedProperties.Private = private.Private
	case e.ExtendedProperties != nil:
		e.ExtendedProperties.Private = nil
	}
	return e
}

// attendee returns the attendee of an event whose calendar has the given id, or nil if there is no such attendee.
func attendee(e *event.Event, calendarID string) *event.Attendee {
	if e == nil {
		return nil
	}
	for i := range e.Attendees {
		if limits.SameAddress(e.Attendees[i].Email, calendarID) {
			return &e.Attendees[i]
		}
	}
	return nil
}

// keepAttendee removes all attendees except the owner of the given calendar.
func keepAttendee(e *event.Event, calendarID string) {
	own := attendee(e, calendarID)
	if e.AttendeesOmitted = len(e.Attendees) > 1; own == nil {
		e.Attendees = nil
		return
	}
	e.Attendees = []event.Attendee{*own}
}

// tellOrganizer copies a guest's response from the guest's copy to the organizer's event, and then to all other copies.
// Deleting a copy means declining the event. If guests can modify the event, other changes to the copy are copied as well.
func (s *Server) tellOrganizer(tx *state.Tx, c *call, from string, was, next *event.Event) {
	home := s.calendarOf(tx, next.Organizer.Email)
	if home == "" {
		return
	}
	id, entry, _ := s.copyIn(tx.Calendar(home), was, next)
	f := find(tx.View, home, id)
	if f.event == nil || f.event.Status == cancelled || f.event.PrivateCopy {
		return
	}
	changed := f.event.Clone()
	if changed.GuestsCanModify && next.Status != cancelled {
		changed = personal(next, f.event)
		changed.ID, changed.RecurringEventID = f.event.ID, f.event.RecurringEventID
	}
	is, says := attendee(changed, from), attendee(next, from)
	switch {
	case is == nil:
		return // the organizer has removed the guest
	case next.Status == cancelled:
		is.ResponseStatus = "declined"
	case says != nil:
		is.ResponseStatus, is.Comment, is.AdditionalGuests = says.ResponseStatus, says.Comment, says.AdditionalGuests
	}
	if changed.Equal(*f.event) {
		return
	}
	stored := s.put(tx, c, home, entry, f.event, changed)
	s.tellGuests(tx, c, home, f.event, stored, from)
}
