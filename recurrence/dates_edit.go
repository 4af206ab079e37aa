package recurrence

import (
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Exclude returns the set without the instances at the given instants. Exclude removes RDATE values at the given
// instants, and excludes instances of rules with an EXDATE in the same form as the start: a date, or a local time with
// its TZID. [Set.Add] undoes Exclude.
//
// The error is an [*EditError] if there is no instance at one of the instants or if no instance would be left. Like
// [Set.Compile] and [Series.Contains], Exclude can also return an [*InvalidError] or a [*BudgetError].
func (s *Set) Exclude(start Start, at ...time.Time) (*Set, error) {
	return s.edit(start, at, func(d *dateEditor, at int64) error {
		if !d.contains(at) {
			return &EditError{Message: fmt.Sprintf("there is no instance at %s", d.text(at))}
		}
		d.remove(&d.set.RDates, at)
		if d.contains(at) {
			d.append(&d.set.ExDates, at)
		}
		return nil
	})
}

// Add returns the set with additional instances at the given instants. For each instant, Add removes the EXDATE value that
// excludes the instant, or adds an RDATE value in the same form as the start: a date, or a local time with its TZID.
// [Set.Exclude] undoes Add.
//
// The error is an [*EditError] if there is already an instance at one of the instants, if an instant is before the start,
// or if an EXRULE or the EXDATE of a whole day excludes an instant. Like [Set.Compile] and [Series.Contains], Add can
// also return an [*InvalidError] or a [*BudgetError].
func (s *Set) Add(start Start, at ...time.Time) (*Set, error) {
	return s.edit(start, at, func(d *dateEditor, at int64) error {
		switch {
		case d.contains(at):
			return &EditError{Message: fmt.Sprintf("there is already an instance at %s", d.text(at))}
		case at < d.start.unix:
			return &EditError{Message: fmt.Sprintf("%s is before the start, and no instance can be before the start", d.text(at))}
		}
		d.remove(&d.set.ExDates, at)
		if !d.contains(at) {
			d.append(&d.set.RDates, at)
		}
		if !d.contains(at) {
			return &EditError{Message: fmt.Sprintf("an EXRULE, or an EXDATE for the whole day, excludes %s", d.text(at))}
		}
		return nil
	})
}

// edit copies the set, calls change for each instant, and returns the changed copy.
func (s *Set) edit(start Start, at []time.Time, change func(d *dateEditor, at int64) error) (*Set, error) {
	series, err := s.Compile(start)
	if err != nil {
		return nil, err
	}
	set, err := Parse(s.Lines())
	if err != nil {
		return nil, err
	}
	d := &dateEditor{converter: series.converter, set: set}
	for _, t := range at {
		unix := t.Unix()
		if int64(t.Nanosecond()) != start.fraction || start.allDay && unix%civil.SecondsPerDay != 0 || unix < civil.MinClock || unix > civil.MaxClock {
			return nil, &EditError{Message: fmt.Sprintf("no line can express an instance at %s in addition to the start", t.Format(time.RFC3339Nano))}
		}
		err := change(d, unix)
		if d.err != nil {
			return nil, d.err
		}
		if err != nil {
			return nil, err
		}
	}
	switch isEmpty := d.isEmpty(); {
	case d.err != nil:
		return nil, d.err
	case isEmpty:
		return nil, &EditError{Message: "no instances would remain"}
	}
	return set, nil
}

// A dateEditor adds values to a set and removes values from it.
type dateEditor struct {
	converter
	set *Set
	err error // the first [*BudgetError]
}

func (d *dateEditor) contains(at int64) bool {
	series := newSeries(d.set, d.start)
	found, err := series.Contains(series.time(at))
	if d.err == nil {
		d.err = err
	}
	return found
}

// isEmpty reports whether the set has no instance.
func (d *dateEditor) isEmpty() bool {
	_, ok, err := newSeries(d.set, d.start).AtOrAfter(d.start.Time())
	if d.err == nil {
		d.err = err
	}
	return !ok
}

// text formats an instant for an error message.
func (d *dateEditor) text(at int64) string {
	if d.start.allDay {
		return time.Unix(at, 0).UTC().Format(time.DateOnly)
	}
	return time.Unix(at, d.start.fraction).In(d.zone.Location).Format(time.RFC3339Nano)
}

// remove removes the values at the instant from the lines, and then the lines without values. In a timed series, remove keeps
// dates in EXDATE lines, because such dates exclude whole days.
func (d *dateEditor) remove(lines *[]*Dates, at int64) {
	ofDays := lines == &d.set.ExDates && !d.start.allDay
	for _, l := range *lines {
		r, _ := d.resolver(l)
		l.Values = slices.DeleteFunc(l.Values, func(v Value) bool { return !(ofDays && v.Form == Date) && d.instant(v, &r) == at })
		l.Periods = slices.DeleteFunc(l.Periods, func(p Period) bool { return d.instant(p.Start, &r) == at })
	}
	*lines = slices.DeleteFunc(*lines, (*Dates).isEmpty)
	if lines == &d.set.RDates {
		d.set.keepSeries(d.startValue(d.start.unix))
	}
}

// append adds a value for the instant to the last line if the values in that line have the same form and zone, or else to a new
// line.
func (d *dateEditor) append(lines *[]*Dates, at int64) {
	v, zone := d.value(at)
	if n := len(*lines); n > 0 {
		if last := (*lines)[n-1]; last.TZID == zone && len(last.Values) > 0 && last.Values[0].Form == v.Form {
			last.Values = append(last.Values, v)
			return
		}
	}
	*lines = append(*lines, &Dates{TZID: zone, Values: []Value{v}})
}

// value returns the value to write for an instant, and its TZID. The value is a local time, unless the zone of the start
// has no name or is UTC, or the instant is the second occurrence of a repeated local time.
func (c *converter) value(at int64) (v Value, zone string) {
	v, name := c.startValue(at), c.start.knownZone()
	if v.Form == Date || name == "" || c.start.zone.Location == time.UTC || name == "UTC" {
		return v, ""
	}
	r := c.local
	clock, isFirst := r.Shown(at)
	if !isFirst || clock < civil.MinClock || clock > civil.MaxClock {
		return v, ""
	}
	return Value{Local, clock}, name
}

// startValue returns the value to write for an instant: a date in an all-day series, or else a time in UTC.
func (c *converter) startValue(unix int64) Value {
	if c.start.allDay {
		return Value{Date, unix}
	}
	return Value{UTC, unix}
}
