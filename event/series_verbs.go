package event

import (
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// The methods in this file return a modified copy of the series, which shares no events with the original. The methods
// drop older copies of exceptions, which would otherwise take effect if the newest copy were removed. The methods
// return the same errors as [Series.Split].

// Exclude returns the series without the instances at the given original starts. Exclude removes the instances from the
// recurrence, as [recurrence.Set.Exclude] does, together with their exceptions. To keep a cancelled exception instead,
// use [Series.Cancel].
func (s Series) Exclude(at ...*Time) (Series, error) {
	x, times, err := s.expandAll(at)
	if err != nil {
		return Series{}, err
	}
	lines, err := x.lines.Exclude(x.set.Start(), times...)
	if err != nil {
		return Series{}, err
	}
	return x.without(lines, times)
}

// Add returns the series with additional instances at the given starts. See [recurrence.Set.Add].
func (s Series) Add(at ...*Time) (Series, error) {
	x, times, err := s.expandAll(at)
	if err != nil {
		return Series{}, err
	}
	for _, t := range times {
		if x.isUnwritable(t, x.set.EndOf(t)) {
			return Series{}, errUnwritable
		}
	}
	lines, err := x.lines.Add(x.set.Start(), times...)
	if err != nil {
		return Series{}, err
	}
	return x.without(lines, nil)
}

// expandAll is like [Series.expandAt], but for several times.
func (s Series) expandAll(at []*Time) (x *expansion, times []time.Time, err error) {
	if x, err = newExpansion(s); err != nil {
		return nil, nil, err
	}
	for _, t := range at {
		instant, err := x.instantOf(t)
		if err != nil {
			return nil, nil, err
		}
		times = append(times, instant)
	}
	return x, times, nil
}

// without returns the series with the given recurrence lines, and without the exceptions that replace instances at the
// given times.
func (x *expansion) without(lines *recurrence.Set, times []time.Time) (Series, error) {
	placed, err := x.placed()
	if err != nil {
		return Series{}, err
	}
	gone := map[int]bool{}
	for _, m := range placed {
		gone[m.index] = true
	}
	matched, err := x.match()
	for _, m := range matched {
		gone[m.index] = m.replaces && slices.ContainsFunc(times, m.original.Equal)
	}
	if err != nil {
		return Series{}, err
	}
	changed := x.series.with(x.series.Event.Clone())
	if lines != nil {
		changed.Event.Recurrence = lines.Lines()
	}
	for i, e := range x.series.Exceptions {
		if !gone[i] {
			changed.Exceptions = append(changed.Exceptions, e.Clone())
		}
	}
	return changed, nil
}

// Cancel returns the series after cancelling the instance at the given original start, either in its existing exception or in
// a new exception.
func (s Series) Cancel(at *Time) (Series, error) {
	return s.editInstance(at, func(x *expansion, original time.Time, m *standing) (*Event, error) {
		switch {
		case m == nil:
			return &Event{
				ID: string(x.appendID(nil, original)), Status: constraint.StatusCancelled, ICalUID: s.Event.ICalUID,
				RecurringEventID: s.Event.ID, OriginalStartTime: x.startAt(original),
			}, x.mustBeInstance(original)
		case m.event.StatusMeaning() != status.Active:
			return nil, &recurrence.EditError{Message: "the instance is already cancelled"}
		}
		cancelled := m.event.Clone()
		cancelled.Status = constraint.StatusCancelled
		return cancelled, nil
	})
}

// Restore returns the series in which the instance at the given original start is no longer cancelled. The instance
// takes place at the start of its exception or, if the exception has no start, according to the recurrence.
func (s Series) Restore(at *Time) (Series, error) {
	return s.editInstance(at, func(_ *expansion, _ time.Time, m *standing) (*Event, error) {
		switch {
		case m == nil || m.event.StatusMeaning() == status.Active:
			return nil, &recurrence.EditError{Message: "the instance is not cancelled"}
		case m.event.Start == nil:
			return nil, nil
		}
		restored := m.event.Clone()
		restored.Status = constraint.StatusConfirmed
		return restored, nil
	})
}

// Reset returns the series without the exception that replaces the instance at the given original start. The instance
// then takes place according to the recurrence.
func (s Series) Reset(at *Time) (Series, error) {
	return s.editInstance(at, func(_ *expansion, _ time.Time, m *standing) (*Event, error) {
		if m == nil {
			return nil, &recurrence.EditError{Message: "the instance has no exception"}
		}
		return nil, nil
	})
}

// editInstance returns the series with the exception of an instance replaced by the result of change, or removed if the
// result is nil. The function change is called with the current exception, or nil if there is none.
func (s Series) editInstance(at *Time, change func(x *expansion, original time.Time, m *standing) (*Event, error)) (Series, error) {
	x, original, err := s.expandAt(at)
	if err != nil {
		return Series{}, err
	}
	m, err := x.exceptionAt(original)
	if err != nil {
		return Series{}, err
	}
	next, err := change(x, original, m)
	if err != nil {
		return Series{}, err
	}
	changed, err := x.without(nil, []time.Time{original})
	if err == nil && next != nil {
		changed.Exceptions = append(changed.Exceptions, next)
	}
	return changed, err
}

// exceptionAt returns the exception that replaces the instance at the given original start, or nil.
func (x *expansion) exceptionAt(original time.Time) (*standing, error) {
	matched, err := x.match()
	for i := range matched {
		if m := &matched[i]; m.replaces && m.original.Equal(original) {
			return m, err
		}
	}
	return nil, err
}

// mustBeInstance returns an error if the recurrence has no instance at the given time.
func (x *expansion) mustBeInstance(at time.Time) error {
	isInstance, err := x.set.Contains(at)
	if err == nil && !isInstance {
		err = &recurrence.EditError{Message: "there is no instance at that time"}
	}
	return err
}

// Rezone returns the series in the given zone, with instances at the same instants. See [recurrence.Set.Rezone]. Exceptions
// keep their times.
func (s Series) Rezone(zoneName string) (Series, error) {
	x, location, err := s.expandIn(zoneName)
	if err != nil {
		return Series{}, err
	}
	lines, start, err := x.lines.Rezone(x.set.Start(), location)
	if err != nil {
		return Series{}, err
	}
	e, err := x.rewritten(start, zoneName, lines)
	if err != nil {
		return Series{}, err
	}
	return x.changed(e, sameInstant, keepTime)
}

// Reclock returns the series in the given zone with the same local times: an instance at nine stays at nine. Exceptions in the
// zone of the series move to the new zone too, and other exceptions keep their times.
func (s Series) Reclock(zoneName string) (Series, error) {
	x, location, err := s.expandIn(zoneName)
	if err != nil {
		return Series{}, err
	}
	from := x.set.Start()
	if from.AllDay() {
		return Series{}, errNoZone
	}
	start := recurrence.StartClock(from.Clock(), location)
	lines, err := x.lines.Move(from, start)
	if err != nil {
		return Series{}, err
	}
	e, err := x.rewritten(start, zoneName, lines)
	if err != nil {
		return Series{}, err
	}
	moved, err := x.movedOriginal(start, lines)
	if err != nil {
		return Series{}, err
	}
	reclock := movedInstant(from, start, clockOf)
	return x.changed(e, moved, func(t *Time) *Time {
		p := parseTime(t)
		if p.form != timed || !p.known || p.zone != s.Event.Start.TimeZone {
			return t
		}
		return &Time{DateTime: TimeAt(reclock(p.instant())).DateTime, TimeZone: zoneName}
	})
}

// expandIn returns an expansion of the series without its exceptions, and the zone with the given name.
func (s Series) expandIn(zoneName string) (*expansion, *time.Location, error) {
	x, err := newExpansion(s)
	if err != nil {
		return nil, nil, err
	}
	location, ok := zone.Load(zoneName)
	if !ok {
		return nil, nil, &recurrence.EditError{Message: engine.Quote(zoneName) + " is not in the IANA Time Zone Database"}
	}
	return x, location, nil
}

// AllDay converts a timed series to an all-day series, with an instance on each day on which s has an instance. See
// [recurrence.Set.AllDay]. Exceptions become all-day too.
func (s Series) AllDay() (Series, error) {
	x, err := newExpansion(s)
	if err != nil {
		return Series{}, err
	}
	from := x.set.Start()
	lines, start, err := x.lines.AllDay(from)
	if err != nil {
		return Series{}, err
	}
	day := func(t time.Time) time.Time {
		y, m, d := t.In(from.Time().Location()).Date()
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	}
	dateOf := func(t time.Time) *Time {
		return &Time{Date: day(t).Format(time.DateOnly), TimeZone: s.Event.Start.TimeZone}
	}
	series, err := lines.Compile(start)
	if err != nil {
		return Series{}, err
	}
	end := &Time{Date: series.EndOf(start.Time()).Format(time.DateOnly), TimeZone: s.Event.Start.TimeZone}
	original := func(t time.Time) (time.Time, error) { return day(t), nil }
	changed, err := x.changed(&Event{Start: dateOf(from.Time()), End: end, Recurrence: lines.Lines()}, original, keepTime)
	for _, e := range changed.Exceptions {
		allDayTimes(e, dateOf)
	}
	return changed, err
}

// allDayTimes converts the times of an event to dates. The end is the day after the last day.
func allDayTimes(e *Event, dateOf func(time.Time) *Time) {
	first, last := parseTime(e.Start), parseTime(e.End)
	if first.form != timed || !first.known || !last.known {
		return
	}
	e.Start, e.End = dateOf(first.instant()), dateOf(last.instant().Add(24*time.Hour-time.Nanosecond))
	if e.End.Date == e.Start.Date {
		e.End = dateOf(first.instant().Add(24 * time.Hour))
	}
}

// Timed converts an all-day series to a timed series. Each instance, including all-day exceptions, begins at the given
// local time in the given zone, such as 9 hours after midnight, and has the given length. See [recurrence.Set.Timed].
func (s Series) Timed(clock time.Duration, zoneName string, length time.Duration) (Series, error) {
	x, location, err := s.expandIn(zoneName)
	if err != nil {
		return Series{}, err
	}
	lines, start, err := x.lines.Timed(x.set.Start(), clock, location, length)
	if err != nil {
		return Series{}, err
	}
	if length < 0 {
		return Series{}, &recurrence.EditError{Message: "the length is negative"}
	}
	at := func(day time.Time) time.Time { return zone.Instant(day.Add(clock), location) }
	written := func(t time.Time) *Time { return &Time{DateTime: TimeAt(t.In(location)).DateTime, TimeZone: zoneName} }
	original := func(day time.Time) (time.Time, error) { return at(day), nil }
	changed, err := x.changed(&Event{Start: startOf(start, zoneName), End: written(start.Time().Add(length)), Recurrence: lines.Lines()}, original, keepTime)
	for _, e := range changed.Exceptions {
		if day := parseTime(e.Start); day.form == allDay && day.known {
			e.Start, e.End = written(at(day.instant())), written(at(day.instant()).Add(length))
		}
	}
	return changed, err
}

// changed returns the series with the start, end and recurrence of the given event. The function original maps the
// original starts of exceptions, and the function times maps their starts and ends.
func (x *expansion) changed(to *Event, original func(time.Time) (time.Time, error), times func(*Time) *Time) (Series, error) {
	changed := x.series.with(x.series.Event.Clone())
	changed.Event.Start, changed.Event.End, changed.Event.Recurrence = to.Start, to.End, to.Recurrence
	y, err := newExpansion(changed)
	if err != nil {
		return Series{}, err
	}
	matched, err := x.match()
	if err != nil {
		return Series{}, err
	}
	for _, m := range matched {
		e := m.event.Clone()
		e.Start, e.End = times(e.Start), times(e.End)
		at, err := original(m.original)
		if err != nil {
			return Series{}, err
		}
		if at = at.In(y.set.Start().Time().Location()); m.replaces {
			e.OriginalStartTime = y.startAt(at)
			if _, isNamed := x.namedBy(e.ID); isNamed {
				e.ID = string(y.appendID(nil, at))
			}
		}
		changed.Exceptions = append(changed.Exceptions, e)
	}
	return changed, nil
}

func sameInstant(t time.Time) (time.Time, error) { return t, nil }

func keepTime(t *Time) *Time { return t }

// Singles returns an iterator over the instances in a window as single events that can be inserted: they have no
// recurringEventId, originalStartTime, id or iCalUID. Singles yields the same errors as [Series.Instances].
func (s Series) Singles(w Window) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for i, err := range s.Instances(w) {
			if err != nil {
				yield(nil, err)
				return
			}
			single := unsent(i.Event)
			single.OriginalStartTime = nil
			if !yield(single, nil) {
				return
			}
		}
	}
}

// Join reverses [Series.Split]: it returns a single series with the instances of both series. The second series must
// begin after the last instance of the first, and its instances must have the same length. All other members come from
// the first series. See [recurrence.Set.Join].
func (s Series) Join(later Series) (Series, error) {
	x, err := newExpansion(s)
	if err != nil {
		return Series{}, err
	}
	later.Options = s.Options
	y, err := newExpansion(later)
	if err != nil {
		return Series{}, err
	}
	first, second := x.set.Start().Time(), y.set.Start().Time()
	if !x.set.EndOf(first).Add(second.Sub(first)).Equal(y.set.EndOf(second)) {
		return Series{}, &recurrence.EditError{Message: fmt.Sprintf("the instances of the second series have a different length: they "+
			"end at %s, not at %s",
			y.set.EndOf(second).Format(time.RFC3339), x.set.EndOf(first).Add(second.Sub(first)).Format(time.RFC3339))}
	}
	lines, err := x.lines.Join(x.set.Start(), y.lines, y.set.Start())
	if err != nil {
		return Series{}, err
	}
	joined, err := x.without(lines, nil)
	if err != nil {
		return Series{}, err
	}
	matched, err := y.match()
	for _, m := range matched {
		e := m.event.Clone()
		e.RecurringEventID, e.ICalUID = s.Event.ID, s.Event.ICalUID
		if m.replaces {
			e.OriginalStartTime = x.startAt(m.original.In(first.Location()))
			if _, isNamed := y.namedBy(e.ID); isNamed {
				e.ID = string(x.appendID(nil, m.original))
			}
		}
		joined.Exceptions = append(joined.Exceptions, e)
	}
	return joined, err
}
