package event

import (
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Window says which instances of a series are wanted. The zero value wants all of them.
type Window struct {
	From, To time.Time // half-open, on the starts of instances; zero is open. Of an all-day series the dates count.

	// Cancelled also wants the cancelled exceptions, at the start that the recurrence gives
	// them. They are left out otherwise.
	Cancelled bool

	// Gap says what becomes of an instance whose local time does not exist.
	Gap recurrence.Gap
}

// ErrNoSeries is the error for an event that does not recur, or whose start, end or recurrence
// cannot be read. [Check] tells what is wrong with it.
var ErrNoSeries = errors.New("event: not a recurring event with a readable start, end and recurrence")

// Instances yields the instances of a series as events, in the order of their starts. Each has
// an id of its own, the series' iCalUID, recurringEventId, and originalStartTime, which is the
// start that the recurrence gives it. Start and end have the series' form and zone; a timed
// instance lasts exactly as long as the first one, whatever clocks do, an all-day one as many
// days (RFC 5545 section 3.8.5.3). One that ends after the year 9999 is left out, as no date can
// say so.
//
// exceptions are the instances that are stored for themselves: each stands in place of the
// instance with its originalStartTime, at its own start, which may have moved into the window
// or out of it. Those of other series are passed over.
//
// The error is nil but with the last pair, whose event is nil: [ErrNoSeries], or a
// [*recurrence.BudgetError]. No event is written to, and none is shared with the series.
//
// Source: calendar.md, Event resource, originalStartTime; States and transitions.
func Instances(series *Event, exceptions []*Event, w Window) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		x, err := newExpansion(series, exceptions, w)
		if err != nil {
			yield(nil, err)
			return
		}
		x.run(w, yield)
	}
}

// expansion is a series with what its instances are made from.
type expansion struct {
	series   *Event
	template *Event // what the instances have in common
	set      *recurrence.Series
	length   extent // of a timed instance
	days     int    // of an all-day one
	endZone  *time.Location

	replaced map[int64]bool // the starts by the recurrence that an exception stands for
	moved    []placedEvent  // the exceptions to show, by start
}

// extent is a duration as exact as a Duration, which centuries overflow.
type extent struct{ seconds, nanoseconds int64 }

func extentOf(start, end time.Time) extent {
	return extent{end.Unix() - start.Unix(), int64(end.Nanosecond() - start.Nanosecond())}
}

// after returns the instant that lies so long after another.
func (l extent) after(at time.Time) time.Time {
	return time.Unix(at.Unix()+l.seconds, int64(at.Nanosecond())+l.nanoseconds).In(at.Location())
}

// placedEvent is an event with the instant at which it is shown.
type placedEvent struct {
	*Event
	at time.Time
}

func newExpansion(series *Event, exceptions []*Event, w Window) (*expansion, error) {
	if series == nil {
		return nil, ErrNoSeries
	}
	start, end := readMoment(series.Start), readMoment(series.End)
	first := start.recurrence()
	set, err := recurrence.Parse(series.Recurrence)
	if err != nil || len(series.Recurrence) == 0 || first == nil || !end.known || start.form != end.form {
		return nil, ErrNoSeries
	}
	compiled, err := recurrence.Compile(set, *first)
	if err != nil {
		return nil, ErrNoSeries
	}
	x := &expansion{
		series:   series,
		template: series.Clone(),
		set:      compiled.With(recurrence.Options{Gap: w.Gap}),
		endZone:  end.zone,
	}
	x.template.Recurrence = nil
	x.template.RecurringEventID = series.ID
	if start.form == allDay {
		x.days = end.date.Days() - start.date.Days()
	} else {
		x.length = extentOf(start.at, end.at)
	}
	x.place(exceptions, w)
	return x, nil
}

// place sorts out the exceptions of the series.
func (x *expansion) place(exceptions []*Event, w Window) {
	x.replaced = make(map[int64]bool, len(exceptions))
	for _, e := range exceptions {
		if e == nil {
			continue
		}
		original := readMoment(e.OriginalStartTime)
		if e.RecurringEventID != x.series.ID || !original.known {
			continue
		}
		x.replaced[original.instant().Unix()] = true
		at := original
		if status.Of(statusOf(e)) == status.Active {
			at = readMoment(e.Start)
		} else if !w.Cancelled {
			continue
		}
		if at.known && w.holds(at.instant()) {
			x.moved = append(x.moved, placedEvent{e.Clone(), at.instant()})
		}
	}
	slices.SortStableFunc(x.moved, func(a, b placedEvent) int { return a.at.Compare(b.at) })
}

func (w Window) holds(at time.Time) bool {
	return (w.From.IsZero() || !at.Before(w.From)) && (w.To.IsZero() || at.Before(w.To))
}

// run yields the instances that the recurrence gives and the exceptions, by start.
func (x *expansion) run(w Window, yield func(*Event, error) bool) {
	for at, err := range x.set.Between(w.From, w.To) {
		if err != nil {
			yield(nil, err)
			return
		}
		for len(x.moved) > 0 && x.moved[0].at.Before(at) {
			if !yield(x.moved[0].Event, nil) {
				return
			}
			x.moved = x.moved[1:]
		}
		if x.replaced[at.Unix()] {
			continue
		}
		if e := x.instance(at); e != nil && !yield(e, nil) {
			return
		}
	}
	for _, e := range x.moved {
		if !yield(e.Event, nil) {
			return
		}
	}
}

// instance makes the instance that starts at an instant of the series. It is nil where its end
// lies beyond the year 9999, the last that a date can name.
func (x *expansion) instance(at time.Time) *Event {
	e := x.template.Clone()
	e.ID = instanceID(x.series.ID, at, x.set.Start().AllDay())
	e.Start = x.timeAt(at, x.series.Start.TimeZone, nil)
	e.OriginalStartTime = x.timeAt(at, x.series.Start.TimeZone, nil)
	end, periodic := x.set.End(at)
	switch {
	case periodic:
	case x.set.Start().AllDay():
		end = at.AddDate(0, 0, x.days)
	default:
		end = x.length.after(at)
	}
	if end.UTC().Year() > 9999 {
		return nil
	}
	e.End = x.timeAt(end, x.series.End.TimeZone, x.endZone)
	return e
}

// timeAt writes an instant in the form of the series, in the zone given or else the instant's.
func (x *expansion) timeAt(at time.Time, name string, zone *time.Location) *Time {
	if x.set.Start().AllDay() {
		return &Time{Date: at.Format(time.DateOnly), TimeZone: name}
	}
	if zone != nil {
		at = at.In(zone)
	}
	if _, offset := at.Zone(); offset%60 != 0 { // as zones had before there were zones
		at = at.UTC() // RFC 3339 writes offsets of whole minutes
	}
	return &Time{DateTime: at.Format(time.RFC3339Nano), TimeZone: name}
}

// instanceID makes the id of an instance from that of its series and the start that the
// recurrence gives it, so that it is the same at every expansion. The underscore keeps it
// apart from every id that a client may choose.
func instanceID(series string, at time.Time, allDay bool) string {
	if allDay {
		return series + "_" + at.Format("20060102")
	}
	return series + "_" + at.UTC().Format("20060102T150405Z")
}
