package event

import (
	"slices"
	"time"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
)

// SplitRequests contains the bodies of the requests that split a series.
type SplitRequests struct {
	// Patch is the body for events.patch with the remaining recurrence of the series. Patch is nil if the series is
	// split at the first instance.
	Patch *Event

	// Insert is the body for events.insert with the new series. Insert contains the client-written members of the old series, but
	// a new start, end and recurrence, and no id or iCalUID. If Insert contains a conference, send conferenceDataVersion=1.
	Insert *Event

	// Moved contains the bodies for events.update of exceptions that replace an instance of the new series. The bodies have the
	// ids of the stored exceptions, but no recurringEventId or iCalUID. The replaced instances exist only after the insert;
	// [Series.At] of the new series returns the instance with the original start of the exception. Send the body with the id of
	// that instance or, if the exception is cancelled, delete the instance. The stored exceptions remain in the old series,
	// where they no longer replace an instance but still take place, so delete them and their older copies.
	Moved []*Event

	// Before and After are the two series after the requests, with the newest copies of their exceptions. Before has no
	// event if the series is split at the first instance.
	Before, After Series
}

// Split returns the requests that split the series at an instance: this instance and all later instances become a
// separate series. The time is the original start of the instance: a date in an all-day series, and a dateTime in other
// series. An exception that replaces no instance stays in the old series.
//
// Together, the two series have exactly the same instances as the original; [recurrence.Set.Split] describes the division of
// the lines. The error is [ErrNoSeries], an error from [recurrence.Set.Split], a [*recurrence.EditError] if the time is missing
// or in the wrong form, or if no date can express the instance, or a [*recurrence.BudgetError] if finding the instances of the
// exceptions takes too many steps. Split does not modify the series, and the result shares no memory with it.
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
	insert.Recurrence = after.Lines()
	insert.Start = x.startAt(split)
	if first := x.set.Start(); split.Equal(first.Time()) {
		insert.Start = startOf(first, s.Event.Start.TimeZone)
	}
	if insert.End, err = x.endAt(split); err != nil {
		return SplitRequests{}, err
	}
	for _, m := range replacing {
		requests.Moved = append(requests.Moved, x.detached(m))
	}
	requests.Before, requests.After, err = x.halves(split, requests.Patch, insert)
	return requests, err
}

// halves returns the two series that result from a split, given the bodies of its requests.
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

// recurrencePatch returns the body of a patch with the remaining recurrence, or nil if no recurrence remains.
func recurrencePatch(left *recurrence.Set) *Event {
	if left == nil {
		return nil
	}
	return &Event{Recurrence: left.Lines()}
}

// TruncateRequests contains the bodies of the requests that end a series.
type TruncateRequests struct {
	Patch   *Event   // the remaining recurrence, for events.patch; if nil, delete the series
	Removed []*Event // the stored exceptions with original starts at or after the end, and their older copies, to delete

	Series Series // the series after the requests; without an event if the series is deleted
}

// Truncate returns the requests that end the series before the given time. The time must have the same form as the
// start of the series, but need not be the start of an instance. Truncate returns the same errors as [Series.Split].
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

// MoveRequests contains the bodies of the requests that move a series.
type MoveRequests struct {
	// Patch is the body for events.patch, with the start, the end and the recurrence.
	Patch *Event

	// Moved contains the exceptions that replace an instance, with new original starts but otherwise unchanged times. The replaced
	// instances exist only after the patch. Send the moved exceptions and delete the stored exceptions, as after a [Series.Split].
	Moved []*Event

	Series Series // the series after the requests
}

// Move returns the requests that move the start of the series to the given time, and every instance by the same difference in
// local time. The time must have the same form as the start. If the time has a different zone, the series moves to that zone; a
// date must not have a different zone. See [recurrence.Set.Move] for the effect on the lines. Move returns the same errors as
// [Series.Split].
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
	from, start := x.set.Start(), recurrence.StartTime(at)
	switch {
	case from.AllDay():
		start = recurrence.StartDate(at.Date())
	case !given.civil.HasOffset:
		start = recurrence.StartClock(given.civil.Time(), at.Location())
	}
	after, err := x.lines.Move(from, start)
	if err != nil {
		return MoveRequests{}, err
	}
	replacing, err := x.replacing(from.Time())
	if err != nil {
		return MoveRequests{}, err
	}
	moved, err := x.movedOriginal(start, after)
	if err != nil {
		return MoveRequests{}, err
	}
	patch, err := x.rewritten(start, name, after)
	if err != nil {
		return MoveRequests{}, err
	}
	requests := MoveRequests{Patch: patch}
	for _, m := range replacing {
		next, err := moved(m.original)
		if err != nil {
			return MoveRequests{}, err
		}
		if x.isUnwritable(next, x.set.EndOf(next)) {
			return MoveRequests{}, errUnwritable
		}
		e := x.detached(m)
		e.OriginalStartTime = new(x.timeOf(string(x.appendTime(nil, next, nil)), name))
		requests.Moved = append(requests.Moved, e)
	}
	requests.Series, err = x.changed(requests.Patch, moved, keepTime)
	return requests, err
}

// rewritten returns an event with the start, end and recurrence of a series with the given start in the named zone, and whose
// instances have the same length. An end in the zone of the start moves to the new zone too.
func (x *expansion) rewritten(first recurrence.Start, zoneName string, lines *recurrence.Set) (*Event, error) {
	at := first.Time()
	end, err := x.endAt(at)
	if was := x.series.Event; zoneName != was.Start.TimeZone && was.End.TimeZone == was.Start.TimeZone {
		last := parseTime(end)
		end = &Time{DateTime: string(x.appendTime(nil, last.instant().In(at.Location()), nil)), TimeZone: zoneName}
	}
	return &Event{Start: startOf(first, zoneName), End: end, Recurrence: lines.Lines()}, err
}

// startOf returns the start of a series as a member of its event. A local time that the clock skips is written without an offset,
// because with an offset the series would repeat a different time of day.
func startOf(start recurrence.Start, zoneName string) *Time {
	clock := start.Clock()
	switch {
	case start.AllDay():
		return &Time{Date: clock.Format(time.DateOnly), TimeZone: zoneName}
	case clock.Equal(clockOf(start.Time())):
		return &Time{DateTime: TimeAt(start.Time()).DateTime, TimeZone: zoneName}
	default:
		return &Time{DateTime: clock.Format("2006-01-02T15:04:05.999999999"), TimeZone: zoneName}
	}
}

// movedOriginal returns the function that moves original starts with the series, which has the given new start and lines. If a
// skipped local time means the same instant as the local time that clocks show, the exception may be of an instance written at
// either time. The function moves the time shown if the result is an instance, and otherwise the skipped time.
func (x *expansion) movedOriginal(to recurrence.Start, lines *recurrence.Set) (func(time.Time) (time.Time, error), error) {
	from, search := x.set.Start(), x.searching(len(x.series.Exceptions))
	after, err := lines.Compile(to.With(search.Start().Options()))
	shown, written := movedInstant(from, to, clockOf), movedInstant(from, to, skippedClock)
	return func(original time.Time) (time.Time, error) {
		next, other := shown(original), written(original)
		if next.Equal(other) {
			return next, nil
		}
		if isInstance, err := after.Contains(next); isInstance || err != nil {
			return next, err
		}
		return other, nil
	}, err
}

// movedInstant returns the function that moves instants by the difference in local time between two starts, given the function
// that finds the local time of an instant. The start itself moves to the new start, even if the clock skips either.
func movedInstant(from, to recurrence.Start, clock func(time.Time) time.Time) func(time.Time) time.Time {
	was, in := from.Time().Location(), to.Time().Location()
	return func(at time.Time) time.Time {
		if at.Equal(from.Time()) {
			return to.Time()
		}
		return zone.Instant(movedClock(clock(at.In(was)), from.Clock(), to.Clock()), in)
	}
}

// movedClock returns clock plus the difference between from and to, which may be too large for a Duration.
func movedClock(clock, from, to time.Time) time.Time {
	return time.Unix(clock.Unix()+to.Unix()-from.Unix(), int64(clock.Nanosecond()+to.Nanosecond()-from.Nanosecond())).UTC()
}

// clockOf returns the local time of an instant in its location, as a time in UTC.
func clockOf(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.Add(time.Duration(offset) * time.Second).UTC()
}

// skippedClock returns the skipped local time that means the given instant, as a time in UTC. If there is none, skippedClock
// returns the same time as [clockOf].
func skippedClock(at time.Time) time.Time {
	begin, _ := at.ZoneBounds()
	_, before := begin.Add(-1).Zone()
	skipped := at.Add(time.Duration(before) * time.Second).UTC()
	if zone.Instant(skipped, at.Location()).Equal(at) {
		return skipped
	}
	return clockOf(at)
}

// errNoZone is the error for setting the zone of an all-day event.
var errNoZone = &recurrence.EditError{Message: "an all-day event has no zone; its dates are the same everywhere"}

// errSkippedEnd is the error for a first instance whose end the clock skips.
var errSkippedEnd = &recurrence.EditError{Message: "the clock skips the end of the first instance, so the other instances would not " +
	"keep their ends"}

// errUnwritable is the error for an instance that no date can express.
var errUnwritable = &recurrence.EditError{Message: "the instance is outside the years 0 to 9999, so no date can express it"}

// expandAt expands the series without its exceptions, and also returns the instant of the given time, which must have
// the same form as the start of the series.
func (s Series) expandAt(at *Time) (*expansion, time.Time, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, time.Time{}, err
	}
	instant, err := x.instantOf(at)
	return x, instant, err
}

// instantOf returns the instant of a time, which must have the same form as the start of the series.
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
		err = &recurrence.EditError{Message: "the event is all-day but the time is not; " + example}
	case given.form != want:
		err = &recurrence.EditError{Message: "the event is timed but the time is a date; " + example}
	case !ok:
		err = &recurrence.EditError{Message: "the time cannot be read; " + example}
	}
	return instant, err
}

// replacing returns the newest copies of exceptions that replace an instance at or after the given time.
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

// unsent returns a copy of an event without identifying members and members that only the service writes.
func unsent(e *Event) *Event {
	c := e.Clone()
	tables().event.Copy(c, &noEvent, tables().service)
	tables().event.KeepWithin(c, &noEvent, object.All)
	c.ID, c.ICalUID, c.RecurringEventID, c.Sequence = "", "", "", 0
	return c
}

// startAt returns an instant in the form and zone of the start of the series.
func (x *expansion) startAt(at time.Time) *Time {
	return new(x.timeOf(string(x.appendTime(nil, at, nil)), x.series.Event.Start.TimeZone))
}

// endAt returns the end of an instance of the usual length that starts at the given instant. With WallClock, the
// error is errSkippedEnd if the clock skips that end, because a series with a later end would end later on all days.
func (x *expansion) endAt(at time.Time) (*Time, error) {
	end := parseTime(x.series.Event.End)
	last, first := end.instant(), x.set.Start().Time()
	if in := first.Location(); x.series.Options.WallClock && !at.Equal(first) {
		clock := movedClock(clockOf(last.In(in)), clockOf(first), clockOf(at))
		end := zone.Instant(clock, at.Location())
		switch {
		case !clockOf(end).Equal(clock):
			return nil, errSkippedEnd
		case end.Before(at): // both times occur twice
			end = at.Add(max(clock.Sub(clockOf(at)), 0))
		}
		at = end
	} else {
		at = time.Unix(at.Unix()+last.Unix()-first.Unix(), int64(last.Nanosecond())).In(at.Location())
	}
	return new(x.timeOf(string(x.appendTime(nil, at, x.endZone)), x.series.Event.End.TimeZone)), nil
}
