package event

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Window selects instances of a series. The zero value selects all instances.
type Window struct {
	// From and To are the bounds on the starts of instances. From is inclusive and To is exclusive. A zero time means
	// no bound. For an all-day series, only the dates of the bounds matter.
	From, To time.Time

	// Overlap also selects instances that start before From and end after it. The window then contains every instance that is in
	// progress at any time between From and To.
	Overlap bool

	// Cancelled also selects cancelled exceptions, at their original starts.
	Cancelled bool
}

// contains reports whether an event with the given start and end is in the window.
func (w Window) contains(start, end time.Time) bool {
	late := w.From.IsZero() || !start.Before(w.From) || w.Overlap && end.After(w.From)
	return late && (w.To.IsZero() || start.Before(w.To))
}

// Has reports whether the event, or any instance of it if it recurs, is in the window. Dates are interpreted in the
// location in, or in UTC if in is nil. An event without a readable start and end is not in the window.
func (w Window) Has(e *Event, in *time.Location) bool {
	if e == nil {
		return false
	}
	if in == nil {
		in = time.UTC
	}
	if len(e.Recurrence) > 0 {
		if e.Start.orZero().Date != "" {
			w.From, w.To = clockIn(w.From, in), clockIn(w.To, in)
		}
		for instance := range (Series{Event: e}).Instances(w) {
			return instance.Event != nil
		}
		return false
	}
	start, errStart := e.Start.Instant(in)
	end, errEnd := e.End.Instant(in)
	return errStart == nil && errEnd == nil && w.contains(start, end)
}

// clockIn returns the local time of a window bound in the given location, as a time in UTC. The days of an all-day series are
// represented as times in UTC too.
func clockIn(bound time.Time, in *time.Location) time.Time {
	if bound.IsZero() {
		return bound
	}
	_, offset := bound.In(in).Zone()
	return bound.Add(time.Duration(offset) * time.Second).UTC()
}

// Series is a recurring event and its exceptions.
type Series struct {
	Event *Event

	// Exceptions are instances that are stored separately. An exception replaces the instance at its originalStartTime,
	// and takes place at its own start, which determines whether it is in a window. An exception takes place even if
	// EXDATE excludes the instance or the recurrence never included it, because a stored exception remains until it is
	// cancelled or deleted. An exception without a start and an end takes place at the time of the instance that it
	// replaces, or not at all if it replaces no instance. Exceptions to other series are ignored.
	//
	// If the originalStartTime is missing, or its form differs from the form of the series start, the exception replaces
	// the instance that its id identifies or, failing that, the instance on the same day; see [Series.Advice]. Only the newest
	// copy of an exception is used: the copy with the largest sequence, then the latest updated time, then the largest index.
	Exceptions []*Event

	// Zone is the calendar's zone, or nil if unknown. An all-day series without a timeZone is in the calendar's zone; see
	// [recurrence.Start.DaysIn].
	Zone *time.Location

	// Options control the expansion of the recurrence. All methods of a Series use the options, and any returned series has the
	// same options.
	Options recurrence.Options
}

// with returns s with the event e and no exceptions.
func (s Series) with(e *Event) Series {
	s.Event, s.Exceptions = e, nil
	return s
}

// ErrNoSeries is the error for an event that does not recur, or whose start, end or recurrence cannot be read. [Check]
// reports the reason.
var ErrNoSeries = errors.New("event: the event is not recurring, or its start, end or recurrence cannot be read")

// Instance is an instance of a series.
type Instance struct {
	*Event

	// Span contains the origin of the instance, and its start and end as instants. The instants are in the zone of the
	// series or, for an exception, in UTC. Dates are represented as midnight in UTC.
	Span recurrence.Instance
}

// String returns the event as JSON on one line, or null if the instance has no event, as when it is yielded with an error.
func (i Instance) String() string { return string(i.Event.AppendJSON(nil)) }

// GoString returns the same string as [Instance.String].
func (i Instance) GoString() string { return i.String() }

// MarshalJSON returns the same JSON as [Instance.String].
func (i Instance) MarshalJSON() ([]byte, error) { return i.Event.AppendJSON(nil), nil }

// Instances returns an iterator over the instances of a series as events, in order of start. Each yielded event has a unique
// id, the iCalUID of the series, the id of the series as recurringEventId, and the start according to the recurrence as
// originalStartTime. The start and the end have the form and zone of the series. A timed instance has exactly the same duration
// as the first instance, even if clocks change, and an all-day instance has the same number of days (RFC 5545 section 3.8.5.3).
// Instances outside the years 0 to 9999 are omitted, because no date can express them.
//
// Only the last pair may have an error, [ErrNoSeries] or a [*recurrence.BudgetError], and the instance in that pair has
// no event. Instances does not modify the series. Instances yields clones of the exceptions. Other events share members
// with the series and each other, so clone an event before modifying anything but its own fields.
//
// Source: calendar.md, Event resource, originalStartTime; States and transitions.
func (s Series) Instances(w Window) iter.Seq2[Instance, error] {
	return func(yield func(Instance, error) bool) {
		x, err := s.expand()
		if err != nil {
			yield(Instance{}, err)
			return
		}
		for o, err := range x.occurrences(w) {
			if err != nil {
				yield(Instance{}, err)
				return
			}
			if !yield(x.instance(o), nil) {
				return
			}
		}
	}
}

// Last returns the last instance that [Series.Instances] yields for a window without Overlap, or an Instance without an
// event if there is none. Last does not iterate over the other instances.
func (s Series) Last(w Window) (Instance, error) {
	x, err := s.expand()
	if err != nil {
		return Instance{}, err
	}
	o, ok, err := x.last(w)
	if !ok {
		return Instance{}, err
	}
	return x.instance(o), nil
}

// Count returns the number of instances that [Series.Instances] yields, up to most. If there is an error, Count also
// returns the number of instances before the error. A negative most is an error.
func (s Series) Count(w Window, most int) (int, error) {
	if most < 0 {
		return 0, fmt.Errorf("event: count at most %d instances: the number is negative", most)
	}
	x, err := s.expand()
	if err != nil {
		return 0, err
	}
	n := 0
	for _, err := range x.occurrences(w) {
		if n == most || err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// ByID returns the instance with the given id, or nil if there is none. ByID returns a clone of the exception with the
// id, even if the exception is cancelled, or the instance as [Series.Instances] yields it. ByID returns the same errors
// as [Series.Instances].
func (s Series) ByID(id string) (*Event, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, err
	}
	matched, err := x.match()
	if err != nil {
		return nil, err
	}
	for _, m := range matched {
		if m.event.ID == id {
			return m.event.Clone(), nil
		}
	}
	at, ok := originalStart(strings.TrimPrefix(id, s.Event.ID+"_"))
	if !ok {
		return nil, nil
	}
	for e, err := range s.Instances(Window{From: at, To: at.Add(time.Second)}) {
		if err != nil {
			return nil, err
		}
		if e.ID == id {
			return e.Event.Clone(), nil
		}
	}
	return nil, nil
}

// At returns the instance with the given original start. At returns a clone of the stored exception, or the instance as
// [Series.Instances] yields it, or nil if there is no such instance or its exception is cancelled. The time must have
// the same form as the start of the series. To change a single instance, modify a clone of the instance and send the
// patch that [Event.PatchTo] returns. At returns the same errors as [Series.Split].
func (s Series) At(at *Time) (*Event, error) {
	x, original, err := s.expandAt(at)
	if err != nil {
		return nil, err
	}
	matched, err := x.match()
	if err != nil {
		return nil, err
	}
	id := string(x.appendID(nil, original))
	for _, m := range matched {
		if m.original.Equal(original) {
			id = m.event.ID
		}
	}
	e, err := s.ByID(id)
	if e.StatusMeaning() != status.Active {
		return nil, nil
	}
	return e, err
}

// Place returns the instant of a time, for comparison with a [Window]. The time need not have the same form as the
// start of the series. In a timed series, a date means midnight in the zone of the series; in an all-day series, which has no
// zone, the local time is used. The result ok is false if the time or the start cannot be read.
func (s Series) Place(t *Time) (at time.Time, ok bool) {
	start := parseTime(s.Event.orZero().Start)
	first := start.recurrence()
	if first.IsZero() {
		return at, false
	}
	return start.place(parseTime(t), first.Time().Location())
}
