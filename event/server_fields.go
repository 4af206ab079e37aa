package event

import (
	"cmp"
	"time"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/limits"
)

// changesUpdated reports whether replacing stored with next changes the updated member. The updated member changes if the
// main event data, which excludes the reminders, differs. Source: calendar.md, Event resource, updated.
func changesUpdated(stored, next *Event) bool {
	return tables().event.ChangedValue(stored.orZero(), next.orZero(), tables().mainData) != 0
}

// ServerFields contains the facts that a server needs to store an event but that [Check] does not know: the time,
// identifiers and the calendar's owner.
type ServerFields struct {
	Now     time.Time // the current time, which becomes updated and, in a new event, created
	ETag    string    // the entity tag of the stored event
	Creator Person    // the creator of a new event
	Owner   Person    // the person whom the calendar represents; by default, the organizer of a new event

	// HTMLLink and ICalUID are used for an event that lacks them.
	HTMLLink, ICalUID string
}

// Set sets the server-written members of the events Stored and Answer in an accepted result. The argument stored is the
// event before the request, or nil for a new event.
//
//   - The creation time does not change, and updated changes if the main event data changes, which excludes the
//     reminders. Updated never decreases, even if the clock does.
//   - The sequence never decreases. The sequence increases by one if the request changes the start, the end, the
//     recurrence or the status, and does not send a higher sequence (RFC 5546 section 2.1.4). In the public service's
//     dialect, [Check] sets the sequence, and the status is ignored. The sequence is present even if it is 0, as in a
//     new event (RFC 5545 section 3.8.7.4).
//   - In the creator, the organizer and the attendees, self is true for the Owner.
//
// Source: calendar.md, Event resource.
func (s ServerFields) Set(r *Result, stored *Event) {
	if r == nil || r.Stored == nil {
		return
	}
	var set Event
	set.ETag, set.Sequence = s.ETag, nextSequence(r.Dialect, stored, r.Stored)
	set.Created, set.Updated = s.times(stored, r.Stored)
	set.HTMLLink, set.ICalUID = cmp.Or(r.Stored.HTMLLink, s.HTMLLink), cmp.Or(r.Stored.ICalUID, s.ICalUID)
	set.Creator, set.Organizer = r.Stored.Creator, r.Stored.Organizer
	if stored == nil {
		set.Creator, set.Organizer = cmp.Or(set.Creator, &s.Creator), cmp.Or(set.Organizer, &s.Owner)
	}
	for _, e := range []*Event{r.Stored, r.Answer} {
		if e != nil {
			s.copyTo(e, &set)
		}
	}
}

// copyTo copies the members that only a server sets from set to e. Afterwards, the two events share no memory.
func (s ServerFields) copyTo(e, set *Event) {
	e.ETag, e.Sequence, e.Created, e.Updated = set.ETag, set.Sequence, set.Created, set.Updated
	e.HTMLLink, e.ICalUID = set.HTMLLink, set.ICalUID
	tables().event.WriteOut(e, ofSequence)
	e.Creator, e.Organizer = s.withSelf(set.Creator), s.withSelf(set.Organizer)
	for i := range e.Attendees {
		e.Attendees[i].Self = isAddressed(&e.Attendees[i], s.Owner.Email)
	}
}

// withSelf returns a copy of p in which Self is true if p is the owner.
func (s ServerFields) withSelf(p *Person) *Person {
	if p == nil || p.Equal(Person{}) {
		return nil
	}
	is := *p
	is.Self = is.Email != "" && limits.SameAddress(is.Email, s.Owner.Email)
	return &is
}

// times returns the values of created and updated for the event.
func (s ServerFields) times(stored, next *Event) (created, updated string) {
	write := func(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
	created, updated = cmp.Or(next.Created, write(s.Now)), next.Updated
	if stored == nil || updated == "" || changesUpdated(stored, next) {
		now := s.Now
		if was, ok := form.ParseDateTime(stored.orZero().Updated); ok && was.Time().After(now) { // the clock has gone back
			now = was.Time().Add(time.Millisecond)
		}
		updated = write(now)
	}
	return created, updated
}
