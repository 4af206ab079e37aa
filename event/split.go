package event

import (
	"time"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Split returns the bodies of the requests that split a series at an instance, so that the instance and all later ones
// become a series of their own. At is the original start of the instance, a date in an all-day series and a dateTime in
// others.
//
//   - patch has the recurrence that the series keeps, for events.patch. It is nil if the instance is the first one.
//   - insert is the new series, for events.insert: the members of the series that a client writes, and its start, end and
//     recurrence. It has neither the id nor the iCalUID of the series. If it has a conference, send
//     conferenceDataVersion=1.
//   - moved are the exceptions that replace one of these instances, for events.update. They have the ids of the stored
//     exceptions, but no recurringEventId and iCalUID. The instances that they replace exist only after the insert:
//     [InstanceAt] finds an instance of the new series by the original start of the exception. Send the body with the id
//     of the instance; if the exception is cancelled, delete the instance. The stored exceptions stay in the old series,
//     where they replace no instance any more, but still take place: delete them.
//
// An exception that replaces no instance stays where it is.
//
// Both series together have exactly the instances of the whole, see [recurrence.Set.Split] for how the lines are
// divided. The error is [ErrNoSeries], a [*recurrence.EditError] if at is missing or in the wrong form or no date can
// express its instance, or an error of that function. The exceptions share the budget of a few searches; it is a
// [*recurrence.BudgetError] if that is not enough. Split does not write to its arguments, and the results share nothing with them.
func Split(series *Event, exceptions []*Event, at *Time) (patch, insert *Event, moved []*Event, err error) {
	x, split, err := expansionAt(series, at)
	if err != nil {
		return nil, nil, nil, err
	}
	if x.isUnwritable(split, x.set.EndOf(split)) {
		return nil, nil, nil, errUnwritable
	}
	set, _ := recurrence.Parse(series.Recurrence) // it has no error in an expansion
	before, after, err := set.Split(x.set.Start(), split)
	if err != nil {
		return nil, nil, nil, err
	}
	replacing, err := x.replacing(exceptions, split)
	if err != nil {
		return nil, nil, nil, err
	}
	if before != nil {
		patch = &Event{Recurrence: before.Lines()}
	}
	insert = unsent(series)
	insert.Start, insert.End, insert.Recurrence = x.startAt(split), x.endAt(split), after.Lines()
	for _, e := range replacing {
		moved = append(moved, detached(e))
	}
	return patch, insert, moved, nil
}

// Truncate returns the body of the request that ends a series before an instant: patch has the recurrence that is left, for
// events.patch. It is nil if nothing is left; then delete the series. removed are the exceptions with an original start at
// or after the instant: delete them too. At is in the form of the start of the series, and need not be the start of an
// instance. For the error, see [Split].
func Truncate(series *Event, exceptions []*Event, at *Time) (patch *Event, removed []*Event, err error) {
	x, end, err := expansionAt(series, at)
	if err != nil {
		return nil, nil, err
	}
	set, _ := recurrence.Parse(series.Recurrence) // it has no error in an expansion
	before, err := set.Truncate(x.set.Start(), end)
	if err != nil {
		return nil, nil, err
	}
	if before != nil {
		patch = &Event{Recurrence: before.Lines()}
	}
	for _, e := range x.from(exceptions, end) {
		removed = append(removed, e.Clone())
	}
	return patch, removed, nil
}

// Move returns the bodies of the requests that move a series: its start becomes to, in the form of the start, and every
// instance moves by as much as the clock shows between the two.
//
//   - patch has the start, the end and the recurrence, for events.patch.
//   - moved are the exceptions that replace an instance, with their new original starts. The times that they have stay.
//     The instances that they replace exist only after the patch. Send them, and delete the stored ones, as after a
//     [Split].
//
// See [recurrence.Set.Move] for how the lines move. For the error, see [Split].
func Move(series *Event, exceptions []*Event, to *Time) (patch *Event, moved []*Event, err error) {
	x, at, err := expansionAt(series, to)
	if err != nil {
		return nil, nil, err
	}
	if x.isUnwritable(at, x.set.EndOf(at)) {
		return nil, nil, errUnwritable
	}
	from := x.set.Start()
	start := recurrence.StartTime(at)
	if from.AllDay() {
		start = recurrence.StartDate(at.Date())
	}
	set, _ := recurrence.Parse(series.Recurrence) // it has no error in an expansion
	after, err := set.Move(from, start)
	if err != nil {
		return nil, nil, err
	}
	replacing, err := x.replacing(exceptions, time.Time{})
	if err != nil {
		return nil, nil, err
	}
	patch = &Event{Start: x.startAt(at), End: x.endAt(at), Recurrence: after.Lines()}
	for _, e := range replacing {
		original, _ := x.place(parseTime(e.OriginalStartTime)) // it has a place
		next := zone.Instant(movedClock(clockOf(original), clockOf(from.Time()), clockOf(at)), original.Location())
		if x.isUnwritable(next, x.set.EndOf(next)) {
			return nil, nil, errUnwritable
		}
		c := detached(e)
		c.OriginalStartTime = x.startAt(next)
		moved = append(moved, c)
	}
	return patch, moved, nil
}

// movedClock returns a clock that moves as another one does. The two can be further apart than a Duration can say.
func movedClock(clock, from, to time.Time) time.Time {
	return time.Unix(clock.Unix()+to.Unix()-from.Unix(), int64(clock.Nanosecond()+to.Nanosecond()-from.Nanosecond())).UTC()
}

// clockOf returns what the clock shows at an instant in its location, as a time in UTC.
func clockOf(at time.Time) time.Time {
	_, offset := at.Zone()
	return at.Add(time.Duration(offset) * time.Second).UTC()
}

// InstanceAt returns the instance of a series with an original start: a clone of the stored exception, or the instance as
// [Instances] yields it. Change it, and [MakePatch] makes the body that changes one instance. It is nil if there is no
// such instance, or the exception is cancelled. At is in the form of the start of the series. For the error, see [Split].
func InstanceAt(series *Event, exceptions []*Event, at *Time) (*Event, error) {
	x, original, err := expansionAt(series, at)
	if err != nil {
		return nil, err
	}
	id := string(x.appendID(nil, original))
	for _, e := range exceptions {
		if e == nil || e.RecurringEventID != series.ID {
			continue
		}
		if start, ok := x.place(parseTime(e.OriginalStartTime)); ok && start.Equal(original) {
			id = e.ID
		}
	}
	e, err := InstanceByID(series, exceptions, id)
	if e.StatusMeaning() != status.Active {
		return nil, nil
	}
	return e, err
}

// errUnwritable is the error for an instance that cannot be written.
var errUnwritable = &recurrence.EditError{Message: "the instance is not within the years 0 to 9999, so no date can express it"}

// expansionAt returns the expansion of a series and the instant of a time in the form of its start.
func expansionAt(series *Event, at *Time) (*expansion, time.Time, error) {
	x, err := newExpansion(series, recurrence.Options{})
	if err != nil {
		return nil, time.Time{}, err
	}
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
		err = &recurrence.EditError{Message: "the series is all-day and the time is not; " + example}
	case given.form != want:
		err = &recurrence.EditError{Message: "the series has times and the time is a date; " + example}
	case !ok:
		err = &recurrence.EditError{Message: "the time cannot be read; " + example}
	}
	return x, instant, err
}

// from returns the exceptions of the series with an original start at or after an instant.
func (x *expansion) from(exceptions []*Event, at time.Time) (list []*Event) {
	for _, e := range exceptions {
		if e == nil || e.RecurringEventID != x.series.ID {
			continue
		}
		if original, ok := x.place(parseTime(e.OriginalStartTime)); ok && !original.Before(at) {
			list = append(list, e)
		}
	}
	return list
}

// The most steps to find out which exceptions replace an instance, unless the least for each of them are more.
const (
	stepsForExceptions     = 4 << 20
	leastStepsPerException = 1 << 12
	mostStepsPerException  = 1 << 20
)

// replacing returns the exceptions of the series that replace an instance at or after an instant.
func (x *expansion) replacing(exceptions []*Event, at time.Time) (list []*Event, err error) {
	later := x.from(exceptions, at)
	steps := min(max(stepsForExceptions/max(len(later), 1), leastStepsPerException), mostStepsPerException)
	set := x.set.With(recurrence.Options{Budget: steps})
	for _, e := range later {
		original := parseTime(e.OriginalStartTime)
		if original.form != x.start.form {
			continue
		}
		start, _ := x.place(original) // it has a place
		isInstance, err := set.Contains(start)
		if err != nil {
			return nil, err
		}
		if isInstance {
			list = append(list, e)
		}
	}
	return list, nil
}

// detached returns the body of an exception that leaves its series.
func detached(e *Event) *Event {
	c := unsent(e)
	c.ID = e.ID
	return c
}

// unsent returns a copy of an event without what the service wrote and what identifies it.
func unsent(e *Event) *Event {
	c := e.Clone()
	eventTable.Copy(c, &noEvent, serviceMembers)
	eventTable.KeepWithin(c, &noEvent, object.All)
	c.ID, c.ICalUID, c.RecurringEventID, c.Sequence = "", "", "", 0
	return c
}

// startAt returns an instant in the form and the zone of the start of the series.
func (x *expansion) startAt(at time.Time) *Time {
	return new(x.timeOf(string(x.appendTime(nil, at, nil)), x.series.Start.TimeZone))
}

// endAt returns the end of an instance of the usual length that starts at an instant.
func (x *expansion) endAt(at time.Time) *Time {
	end := parseTime(x.series.End)
	last, first := end.instant(), x.set.Start().Time()
	at = time.Unix(at.Unix()+last.Unix()-first.Unix(), int64(last.Nanosecond())).In(at.Location())
	return new(x.timeOf(string(x.appendTime(nil, at, x.endZone)), x.series.End.TimeZone))
}
