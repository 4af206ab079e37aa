package event

import (
	"errors"
	"iter"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// Window selects instances of a series. The zero value selects all of them.
type Window struct {
	// From and To are the half-open window on the starts of instances; a zero end is open. Only
	// their dates matter to an all-day series.
	From, To time.Time

	// Cancelled also selects the cancelled exceptions, at their original starts.
	Cancelled bool

	// Gap says what happens to an instance whose local time does not exist.
	Gap recurrence.Gap
}

// ErrNoSeries is the error for an event that does not recur or whose start, end or recurrence cannot
// be read. [Check] reports why.
var ErrNoSeries = errors.New("event: not a recurring event with a readable start, end and recurrence")

// Instances yields the instances of a series as events, in the order of their starts. Each has its
// own id, the iCalUID of the series, its id as recurringEventId, and as originalStartTime the start
// according to the recurrence. Start and end have the form and the zone of the series. A timed
// instance has exactly the duration of the first one, even if clocks change, and an all-day one has
// as many days (RFC 5545 section 3.8.5.3). An instance that ends after the year 9999, which no date
// can express, is left out.
//
// Exceptions are instances that are stored separately. An exception replaces the instance with its
// originalStartTime, and takes place at its own start, which may be inside or outside the window.
// Exceptions of other series are ignored.
//
// Only the last pair may have an error, [ErrNoSeries] or a [*recurrence.BudgetError], and its event
// is nil. Instances does not write to its arguments, and the events share nothing with them.
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

// expansion is a series with everything needed to make its instances.
type expansion struct {
	series   *Event
	template *Event // the common members of the instances
	set      *recurrence.Series
	length   extent // of a timed instance
	days     int    // of an all-day instance
	endZone  *time.Location

	replaced map[int64]bool // the original starts of the exceptions
	moved    []placedEvent  // the exceptions to yield, by start
}

// extent is a duration that does not overflow after 292 years, as [time.Duration] does.
type extent struct{ seconds, nanoseconds int64 }

func extentOf(start, end time.Time) extent {
	return extent{end.Unix() - start.Unix(), int64(end.Nanosecond() - start.Nanosecond())}
}

// after returns the instant that is later by the extent.
func (l extent) after(at time.Time) time.Time {
	return time.Unix(at.Unix()+l.seconds, int64(at.Nanosecond())+l.nanoseconds).In(at.Location())
}

// placedEvent is an event with the instant at which it is yielded.
type placedEvent struct {
	*Event
	at time.Time
}

func newExpansion(series *Event, exceptions []*Event, w Window) (*expansion, error) {
	if series == nil {
		return nil, ErrNoSeries
	}
	start, end := parseTime(series.Start), parseTime(series.End)
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

// place sorts the exceptions of the series.
func (x *expansion) place(exceptions []*Event, w Window) {
	x.replaced = make(map[int64]bool, len(exceptions))
	for _, e := range exceptions {
		if e == nil {
			continue
		}
		original := parseTime(e.OriginalStartTime)
		if e.RecurringEventID != x.series.ID || !original.known {
			continue
		}
		x.replaced[original.instant().Unix()] = true
		at := original
		if status.Of(statusOf(e)) == status.Active {
			at = parseTime(e.Start)
		} else if !w.Cancelled {
			continue
		}
		if at.known && w.contains(at.instant()) {
			x.moved = append(x.moved, placedEvent{e.Clone(), at.instant()})
		}
	}
	slices.SortStableFunc(x.moved, func(a, b placedEvent) int { return a.at.Compare(b.at) })
}

func (w Window) contains(at time.Time) bool {
	return (w.From.IsZero() || !at.Before(w.From)) && (w.To.IsZero() || at.Before(w.To))
}

// run yields the instances of the recurrence and the exceptions, by start.
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

// instance returns the instance of the recurrence that starts at an instant, or nil if it ends after
// the year 9999, which no date can express.
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

// timeAt returns an instant in the form of the series, in the zone or, if it is nil, that of the
// instant.
func (x *expansion) timeAt(at time.Time, name string, zone *time.Location) *Time {
	if x.set.Start().AllDay() {
		return &Time{Date: at.Format(time.DateOnly), TimeZone: name}
	}
	if zone != nil {
		at = at.In(zone)
	}
	if _, offset := at.Zone(); offset%60 != 0 { // local mean time
		at = at.UTC() // RFC 3339 offsets are whole minutes
	}
	return &Time{DateTime: at.Format(time.RFC3339Nano), TimeZone: name}
}

// instanceID returns the id of an instance: the id of its series and its original start, so that
// every expansion results in the same id. No id that a client can choose contains an underscore.
func instanceID(series string, at time.Time, allDay bool) string {
	if allDay {
		return series + "_" + at.Format("20060102")
	}
	return series + "_" + at.UTC().Format("20060102T150405Z")
}
