package recurrence

import (
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Exclude returns the set without the instances at the given instants. It removes RDATE values for them, and excludes
// instances of rules by an EXDATE in the form of the start: a date, or a local time with its TZID. [Set.Add] undoes it.
//
// The error is an [*EditError] if there is no instance at an instant, or none would be left. It is an [*InvalidError] or
// a [*BudgetError], as with [Set.Compile] and [Series.Contains].
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

// Add returns the set with further instances at the given instants. It removes an EXDATE value that excludes one of them,
// or adds an RDATE value in the form of the start: a date, or a local time with its TZID. [Set.Exclude] undoes it.
//
// The error is an [*EditError] if there is already an instance at an instant, if the instant is before the start, or if a line
// excludes it among others. It is an [*InvalidError] or a [*BudgetError], as with [Set.Compile] and [Series.Contains].
func (s *Set) Add(start Start, at ...time.Time) (*Set, error) {
	return s.edit(start, at, func(d *dateEditor, at int64) error {
		switch {
		case d.contains(at):
			return &EditError{Message: fmt.Sprintf("there is an instance at %s already", d.text(at))}
		case at < d.start.unix:
			return &EditError{Message: fmt.Sprintf("%s is before the start, and there are no instances before it", d.text(at))}
		}
		d.remove(&d.set.ExDates, at)
		if !d.contains(at) {
			d.append(&d.set.RDates, at)
		}
		if !d.contains(at) {
			return &EditError{Message: fmt.Sprintf("an EXRULE, or an EXDATE of the whole day, excludes %s", d.text(at))}
		}
		return nil
	})
}

// edit returns a copy of the set, changed by the function at each instant.
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
			return nil, &EditError{Message: fmt.Sprintf("no line can express an instance at %s beside the start", t.Format(time.RFC3339Nano))}
		}
		if err := change(d, unix); err != nil {
			return nil, err
		}
		if d.err != nil {
			return nil, d.err
		}
	}
	if d.isEmpty() {
		return nil, &EditError{Message: "no instance would be left"}
	}
	return set, d.err
}

// dateEditor adds and removes the values of a set.
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

// text returns an instant in human-readable form.
func (d *dateEditor) text(at int64) string {
	if d.start.allDay {
		return time.Unix(at, 0).UTC().Format(time.DateOnly)
	}
	return time.Unix(at, d.start.fraction).In(d.zone.Location).Format(time.RFC3339Nano)
}

// remove removes the values for the instant from the lines, and then the lines without values. The dates of a timed
// series stay in EXDATE lines, since they exclude whole days.
func (d *dateEditor) remove(lines *[]*Dates, at int64) {
	ofDays := lines == &d.set.ExDates && !d.start.allDay
	for _, l := range *lines {
		r, _ := d.resolver(l)
		l.Values = slices.DeleteFunc(l.Values, func(v Value) bool { return !(ofDays && v.Form == Date) && d.instant(v, &r) == at })
		l.Periods = slices.DeleteFunc(l.Periods, func(p Period) bool { return d.instant(p.Start, &r) == at })
	}
	*lines = slices.DeleteFunc(*lines, func(l *Dates) bool { return len(l.Values)+len(l.Periods) == 0 })
	if lines == &d.set.RDates {
		d.set.keepSeries(d.startValue(d.start.unix))
	}
}

// append adds a value for the instant to the last line, if its values have the same form and zone, or else to a new line.
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

// value returns the value of a line for an instant, and its TZID: a local time, unless the zone of the start has no name, is
// UTC, or shows the time twice and the instant is the second.
func (c *converter) value(at int64) (v Value, zone string) {
	v, name := c.startValue(at), c.start.knownZone()
	if v.Form == Date || name == "" || c.start.zone.Location == time.UTC || name == "UTC" {
		return v, ""
	}
	r := civil.NewResolver(c.zone)
	clock := c.zone.ClockAt(at)
	if first, _ := r.Resolve(clock); first != at || clock < civil.MinClock || clock > civil.MaxClock {
		return v, ""
	}
	return Value{Local, clock}, name
}

// startValue returns the value of a line for an instant, as a date or in UTC.
func (c *converter) startValue(unix int64) Value {
	if c.start.allDay {
		return Value{Date, unix}
	}
	return Value{UTC, unix}
}
