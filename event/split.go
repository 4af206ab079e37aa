package event

import (
	"time"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Split returns the bodies of the requests that split a series at an instance, so that the instance and all later ones
// become a series of their own. At is the original start of the instance, in the form of the start of the series.
//
//   - patch has the recurrence that the series keeps, for events.patch. It is nil if the instance is the first one.
//   - insert is the new series, for events.insert: the members of the series that a client writes, and its start, end and
//     recurrence. It has neither the id nor the iCalUID of the series. If it has a conference, send
//     conferenceDataVersion=1.
//   - moved are the exceptions of the series at or after at, without their ids, recurringEventId and iCalUID. The instances
//     that they replace exist only after the insert. [InstanceAt] finds the instance of the new series with the original
//     start of the exception. Give the exception its id and send it with events.update; if the exception is cancelled,
//     delete the instance. The stored exceptions stay in the old series, in which they replace no instance any more, but
//     still take place: delete them.
//
// Both series together have exactly the instances of the whole, see [recurrence.Set.Split] for how the lines are
// divided. The error is [ErrNoSeries], or an error of that function. Split does not write to its arguments, and the
// results share nothing with them.
func Split(series *Event, exceptions []*Event, at *Time) (patch, insert *Event, moved []*Event, err error) {
	x, split, err := expansionAt(series, at)
	if err != nil {
		return nil, nil, nil, err
	}
	set, _ := recurrence.Parse(series.Recurrence) // it has no error in an expansion
	before, after, err := set.Split(x.set.Start(), split)
	if err != nil {
		return nil, nil, nil, err
	}
	if before != nil {
		patch = &Event{Recurrence: before.Lines()}
	}
	insert = unsent(series)
	insert.Start, insert.End, insert.Recurrence = x.startAt(split), x.endAt(split), after.Lines()
	for _, e := range x.from(exceptions, split) {
		moved = append(moved, unsent(e))
	}
	return patch, insert, moved, nil
}

// Truncate returns the body of the request that ends a series before an instant: patch has the recurrence that is left, for
// events.patch. It is nil if nothing is left; then delete the series. removed are the exceptions with an original start at
// or after the instant: delete them too. At is in the form of the start of the series, and need not be an instance. For the
// error, see [Split].
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
//   - moved are the exceptions with their new original starts, without their ids, recurringEventId and iCalUID. The
//     times that they have stay. The instances that they replace exist only after the patch. Send them, and delete the
//     stored ones, as after a split.
//
// See [recurrence.Set.Move] for how the lines move. For the error, see [Split].
func Move(series *Event, exceptions []*Event, to *Time) (patch *Event, moved []*Event, err error) {
	x, at, err := expansionAt(series, to)
	if err != nil {
		return nil, nil, err
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
	patch = &Event{Start: x.startAt(at), End: x.endAt(at), Recurrence: after.Lines()}
	by := clockOf(at).Sub(clockOf(from.Time()))
	for _, e := range x.from(exceptions, time.Time{}) {
		original, _ := x.place(parseTime(e.OriginalStartTime)) // it has a place
		c := unsent(e)
		c.OriginalStartTime = x.startAt(zone.Instant(clockOf(original).Add(by), original.Location()))
		moved = append(moved, c)
	}
	return patch, moved, nil
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
	if err != nil || e == nil || e.StatusMeaning() != status.Active {
		return nil, err
	}
	return e, nil
}

// expansionAt returns the expansion of a series and the instant of a time in it.
func expansionAt(series *Event, at *Time) (*expansion, time.Time, error) {
	x, err := newExpansion(series, recurrence.Options{})
	if err != nil {
		return nil, time.Time{}, err
	}
	instant, ok := x.place(parseTime(at))
	if !ok {
		return nil, time.Time{}, &recurrence.EditError{Message: "the instant cannot be read"}
	}
	return x, instant, nil
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
