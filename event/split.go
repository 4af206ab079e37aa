package event

import (
	"time"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/recurrence"
)

// Split returns the bodies of the requests that split a series at an instance, so that the instance and all later ones
// become a series of their own. At is the original start of the instance, in the form of the start of the series.
//
//   - patch has the recurrence that the series keeps, for events.patch. It is nil if the instance is the first one.
//   - insert is the new series, for events.insert: the members of the series that a client writes, and its start, end and
//     recurrence. It has neither the id nor the iCalUID of the series. If it has a conference, send
//     conferenceDataVersion=1.
//   - moved are the exceptions of the series at or after at, without their ids, recurringEventId and iCalUID. The instances
//     that they replace exist only after the insert. Give each the id of its instance in the new series, and send it with
//     events.update.
//
// Both series together have exactly the instances of the whole, see [recurrence.Set.Split] for how the lines are
// divided. The error is [ErrNoSeries], or an error of that function. Split does not write to its arguments, and the
// results share nothing with them.
func Split(series *Event, exceptions []*Event, at *Time) (patch, insert *Event, moved []*Event, err error) {
	x, err := newExpansion(series, recurrence.Options{})
	if err != nil {
		return nil, nil, nil, err
	}
	split, ok := x.place(parseTime(at))
	if !ok {
		return nil, nil, nil, &recurrence.SplitError{Message: "the instant of the split cannot be read"}
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
	for _, e := range exceptions {
		if e == nil || e.RecurringEventID != series.ID {
			continue
		}
		if original, ok := x.place(parseTime(e.OriginalStartTime)); ok && !original.Before(split) {
			moved = append(moved, unsent(e))
		}
	}
	return patch, insert, moved, nil
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
