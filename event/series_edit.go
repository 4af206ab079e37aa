package event

import (
	"slices"
	"time"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
)

// SplitRequests holds the bodies of the requests that split a series.
type SplitRequests struct {
	// Patch has the remaining recurrence of the series, for events.patch. It is nil if the series is split at its first
	// instance.
	Patch *Event

	// Insert is the new series, for events.insert: the client-written members of the old series, with a new start, end
	// and recurrence, and without its id and iCalUID. If it has a conference, send conferenceDataVersion=1.
	Insert *Event

	// Moved are the exceptions that replace an instance of the new series, for events.update. They have the ids of the
	// stored exceptions, but no recurringEventId or iCalUID. The instances that they replace exist only after the
	// insert: [Series.At] finds an instance of the new series by the original start of the exception. Send the body
	// with the id of the instance; if the exception is cancelled, delete the instance. The stored exceptions remain in
	// the old series, where they no longer replace an instance, but still take place: delete them and their older
	// copies.
	Moved []*Event

	// Before and After are the two series after the requests, with the exceptions that count. Before has no event if
	// the series is split at its first instance.
	Before, After Series
}

// Split returns the requests that split the series at an instance, so that the instance and all later ones become a
// separate series. The time is the original start of the instance, a date in an all-day series and a dateTime in
// others. An exception that replaces no instance stays in the old series.
//
// Together, the two series have exactly the instances of the whole; [recurrence.Set.Split] describes the division of
// the lines. The error is [ErrNoSeries], a [*recurrence.EditError] if the time is missing or in the wrong form or no
// date can express its instance, an error from [recurrence.Set.Split], or a [*recurrence.BudgetError] if the exceptions
// exhaust their shared budget of a few searches. Split does not modify the series, and its result shares nothing with
// it.
func (s Series) Split(at *Time) (SplitRequests, error) {
	x, split, err := s.expandAt(at)
	if err != nil {
		return SplitRequests{}, err
	}
	if x.isUnwritable(split, x.set.EndOf(split)) {
		return SplitRequests{}, errUnwritable
	}
	before, after, err := x.lines.Split(x.set.Start(), split)
	if err != nil {
		return SplitRequests{}, err
	}
	replacing, err := x.replacing(split)
	if err != nil {
		return SplitRequests{}, err
	}
	requests := SplitRequests{Patch: recurrencePatch(before), Insert: unsent(s.Event)}
	insert := requests.Insert
	insert.Start, insert.End, insert.Recurrence = x.startAt(split), x.endAt(split), after.Lines()
	for _, m := range replacing {
		requests.Moved = append(requests.Moved, x.detached(m))
	}
	requests.Before, requests.After, err = x.halves(split, requests.Patch, insert)
	return requests, err
}

// halves returns the two series of a split, from the events of its requests.
func (x *expansion) halves(split time.Time, patch, insert *Event) (before, after Series, err error) {
	matched, err := x.match()
	if err != nil {
		return before, after, err
	}
	before, after = x.series.with(nil), x.series.with(insert.Clone())
	if patch != nil {
		before.Event = x.series.Event.Clone()
		before.Event.Recurrence = slices.Clone(patch.Recurrence)
	}
	for _, m := range matched {
		if m.original.Before(split) {
			before.Exceptions = append(before.Exceptions, m.event.Clone())
			continue
		}
		e := m.event.Clone()
		e.RecurringEventID = ""
		if m.rewrite {
			e.OriginalStartTime = x.startAt(m.original)
		}
		after.Exceptions = append(after.Exceptions, e)
	}
	return before, after, nil
}

// recurrencePatch returns the body of a patch with the remaining recurrence, or nil if nothing is left.
func recurrencePatch(left *recurrence.Set) *Event {
	if left == nil {
		return nil
	}
	return &Event{Recurrence: left.Lines()}
}

// TruncateRequests holds the requests that end a series.
type TruncateRequests struct {
	Patch   *Event   // the remaining recurrence, for events.patch; nil if nothing is left: delete the series
	Removed []*Event // the stored exceptions, and their older copies, with an original start at or after the end: delete them too

	Series Series // the series after the requests; without an event if nothing is left
}

// Truncate returns the requests that end the series before an instant. The time has the form of the start of the
// series, but need not be the start of an instance. For the error, see [Series.Split].
func (s Series) Truncate(at *Time) (TruncateRequests, error) {
	x, end, err := s.expandAt(at)
	if err != nil {
		return TruncateRequests{}, err
	}
	before, err := x.lines.Truncate(x.set.Start(), end)
	if err != nil {
		return TruncateRequests{}, err
	}
	requests := TruncateRequests{Patch: recurrencePatch(before)}
	placed, err := x.placed()
	if err != nil {
		return TruncateRequests{}, err
	}
	for _, m := range placed {
		if !m.original.Before(end) {
			requests.Removed = append(requests.Removed, m.event.Clone())
		}
	}
	requests.Series, _, err = x.halves(end, requests.Patch, &noEvent)
	return requests, err
}

// MoveRequests holds the bodies of the requests that move a series.
type MoveRequests struct {
	// Patch has the start, the end and the recurrence, for events.patch.
	Patch *Event

	// Moved are the exceptions that replace an instance, with new original starts but their own times unchanged. The
	// instances that they replace exist only after the patch. Send them, and delete the stored ones, as after a
	// [Series.Split].
	Moved []*Event

	Series Series // the series after the requests
}

// Move returns the requests that move the start of the series to the given time, which must have the form of the start,
// and every instance by the same difference in local time. If the time has another zone, the series moves to it; a date
// has none. See [recurrence.Set.Move] for the effect on the lines. For the error, see [Series.Split].
func (s Series) Move(to *Time) (MoveRequests, error) {
	x, at, err := s.expandAt(to)
	if err != nil {
		return MoveRequests{}, err
	}
	given, name := parseTime(to), s.Event.Start.TimeZone
	if given.form == allDay && to.TimeZone != "" && to.TimeZone != name {
		return MoveRequests{}, errNoZone
	}
	if in := given.namedZone(); in != nil && to.TimeZone != name {
		at, name = at.In(in), to.TimeZone
	}
	if x.isUnwritable(at, x.set.EndOf(at)) {
		return MoveRequests{}, errUnwritable
	}
	from := x.set.Start()
	start := recurrence.StartTime(at)
	if from.AllDay() {
		start = recurrence.StartDate(at.Date())
	}
	after, err := x.lines.Move(from, start)
	if err != nil {
		return MoveRequests{}, err
	}
	replacing, err := x.replacing(from.Time())
	if err != nil {
		return MoveRequests{}, err
	}
	next := func(original time.Time) time.Time {
		return zone.Instant(movedClock(clockOf(original), clockOf(from.Time()), clockOf(at)), at.Location())
	}
	requests := MoveRequests{Patch: x.rewritten(at, name, after)}
	for _, m := range replacing {
		next := next(m.original)
		if x.isUnwritable(next, x.set.EndOf(next)) {
			return MoveRequests{}, errUnwritable
		}
		moved := x.detached(m)
		moved.OriginalStartTime = new(x.timeOf(string(x.appendTime(nil, next, nil)), name))
		requests.Moved = append(requests.Moved, moved)
	}
	requests.Series, err = x.changed(requests.Patch, next, keepTime)
	return requests, err
}

// rewritten returns the start, the end and the recurrence of a series that starts at an instant, in the named zone,
// with the length of this one. An end in the zone of the start moves to the new zone too.
func (x *expansion) rewritten(at time.Time, zoneName string, lines *recurrence.Set) *Event {
	start, end := x.startAt(at), x.endAt(at)
	if was := x.series.Event; zoneName != was.Start.TimeZone {
		start.TimeZone = zoneName
		if was.End.TimeZone == was.Start.TimeZone {
			last := parseTime(end)
			end = &Time{DateTime: string(x.appendTime(nil, last.instant().In(at.Location()), nil)), TimeZone: zoneName}
		}
	}
	return &Event{Start: start, End: end, Recurrence: lines.Lines()}
}

// movedClock returns clock moved by the difference between from and to, which may exceed a Duration.
func movedClock(clock, from, to time.Time) time.Time {
	return time.Unix(clock.Unix()+to.Unix()-from.Unix(), int64(clock.Nanosecond()+to.Nanosecond()-from.Nanosecond())).UTC()
}

// clockOf returns the local time of an instant in its location, as a time in UTC.
func clockOf(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.Add(time.Duration(offset) * time.Second).UTC()
}

// errNoZone is the error for setting the zone of dates.
var errNoZone = &recurrence.EditError{Message: "an all-day event has no zone; its dates are the same everywhere"}

// errUnwritable is the error for an instance that no date can express.
var errUnwritable = &recurrence.EditError{Message: "the instance is not within the years 0 to 9999, so no date can express it"}

// expandAt returns an expansion of the series without its exceptions, and the instant of a time, which must have the
// form of its start.
func (s Series) expandAt(at *Time) (*expansion, time.Time, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, time.Time{}, err
	}
	instant, err := x.instantOf(at)
	return x, instant, err
}

// instantOf returns the instant of a time, which must have the form of the start of the series.
func (x *expansion) instantOf(at *Time) (instant time.Time, err error) {
	want, example := timed, "give a dateTime such as 2026-03-10T09:00:00-04:00"
	if x.set.Start().AllDay() {
		want, example = allDay, "give a date such as 2026-03-10"
	}
	given := parseTime(at)
	instant, ok := x.place(given)
	switch {
	case given.form == 0:
		err = &recurrence.EditError{Message: "the time is missing; " + example}
	case given.form != want && want == allDay:
		err = &recurrence.EditError{Message: "the event is all-day and the time is not; " + example}
	case given.form != want:
		err = &recurrence.EditError{Message: "the event has times and the time is a date; " + example}
	case !ok:
		err = &recurrence.EditError{Message: "the time cannot be read; " + example}
	}
	return instant, err
}

// replacing returns the counting exceptions that replace an instance at or after an instant.
func (x *expansion) replacing(at time.Time) (list []standing, err error) {
	matched, err := x.match()
	if err != nil {
		return nil, err
	}
	later := slices.DeleteFunc(matched, func(m standing) bool { return !m.replaces || m.original.Before(at) })
	search := x.searching(len(later))
	for _, m := range later {
		isInstance, err := search.Contains(m.original)
		if err != nil {
			return nil, err
		}
		if isInstance {
			list = append(list, m)
		}
	}
	return list, nil
}

// detached returns the request body for an exception that leaves its series.
func (x *expansion) detached(m standing) *Event {
	c := unsent(m.event)
	c.ID = m.event.ID
	if m.rewrite {
		c.OriginalStartTime = x.startAt(m.original)
	}
	return c
}

// unsent returns a copy of an event without service-written and identifying members.
func unsent(e *Event) *Event {
	c := e.Clone()
	eventTable.Copy(c, &noEvent, serviceMembers)
	eventTable.KeepWithin(c, &noEvent, object.All)
	c.ID, c.ICalUID, c.RecurringEventID, c.Sequence = "", "", "", 0
	return c
}

// startAt returns an instant in the form and the zone of the start of the series.
func (x *expansion) startAt(at time.Time) *Time {
	return new(x.timeOf(string(x.appendTime(nil, at, nil)), x.series.Event.Start.TimeZone))
}

// endAt returns the end of an instance of the usual length that starts at an instant.
func (x *expansion) endAt(at time.Time) *Time {
	end := parseTime(x.series.Event.End)
	last, first := end.instant(), x.set.Start().Time()
	if in := first.Location(); x.series.Options.WallClock && !at.Equal(first) {
		at = zone.Instant(movedClock(clockOf(last.In(in)), clockOf(first), clockOf(at)), at.Location())
	} else {
		at = time.Unix(at.Unix()+last.Unix()-first.Unix(), int64(last.Nanosecond())).In(at.Location())
	}
	return new(x.timeOf(string(x.appendTime(nil, at, x.endZone)), x.series.Event.End.TimeZone))
}
