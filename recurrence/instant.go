package recurrence

import (
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// converter converts the values of lines to instants, beside a start.
type converter struct {
	start Start
	zone  civil.Zone // of the start
}

func newConverter(start Start) converter { return converter{start, civil.ZoneOf(start.zone)} }

// resolver returns the resolver of the zone that local values of a line are in. If it is not the
// zone of the start, it has no table: a line asks about each value only once.
func (c *converter) resolver(d *Dates) civil.Resolver {
	if location, ok := zone.Load(d.TZID); ok && location != c.zone.Location {
		return civil.NewResolver(civil.Zone{Location: location})
	}
	return civil.NewResolver(c.zone)
}

// instant returns the instant of a value. In an all-day series it is midnight of the date,
// whatever the time. In a timed series, a date gets the time of day of the start.
func (c *converter) instant(v Value, r *civil.Resolver) int64 {
	day, _ := civil.Split(v.Clock)
	switch {
	case c.start.allDay:
		return day * civil.SecondsPerDay
	case v.Form == UTC:
		return v.Clock
	case v.Form == Date:
		_, second := civil.Split(c.start.clock)
		unix, _ := r.Resolve(day*civil.SecondsPerDay + second)
		return unix
	}
	unix, _ := r.Resolve(v.Clock)
	return unix
}

// periodEnd returns the end of a period that begins at an instant.
func (c *converter) periodEnd(p Period, begin int64, r *civil.Resolver) int64 {
	switch {
	case p.End.Form != 0:
		return c.instant(p.End, r)
	case p.Length.Days == 0 || p.Start.Form == UTC:
		return begin + p.Length.Days*civil.SecondsPerDay + p.Length.Seconds
	}
	unix, _ := r.Resolve(p.Start.Clock + p.Length.Days*civil.SecondsPerDay)
	return unix + p.Length.Seconds
}
