package recurrence

import (
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A Start is the start of an event and its length, to the extent that the recurrence depends on them. Create a Start with
// [StartDate], [StartTime] or [StartClock]. [Set.Compile] refuses the zero Start. Two starts are equal (==) only if their
// zones are the same pointer.
type Start struct {
	allDay   bool
	clock    int64          // local time in zone
	unix     int64          // the instant; for an all-day start, midnight in UTC
	fraction int64          // the fraction of the second, in nanoseconds
	zone     civil.Zone     // its Location is nil only in the zero Start
	days     *time.Location // set only for an all-day start; see [Start.DaysIn]
	length   length
	options  Options
}

// A length is a duration that, unlike [time.Duration], does not overflow after 292 years.
type length struct{ seconds, nanoseconds int64 }

// StartDate returns an all-day start. A date that does not exist is normalized as in [time.Date]. An all-day series has
// no zone: its instances are at midnight UTC.
func StartDate(year int, month time.Month, day int) Start {
	unix := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
	return Start{allDay: true, clock: unix, unix: unix, zone: civil.ZoneOf(time.UTC)}
}

// DaysIn returns the same all-day start, with zone as the time zone of the series' days. The instances remain dates, but
// an UNTIL in UTC is converted to its date in that zone, as some calendars intend. A timed start is returned unchanged.
func (s Start) DaysIn(zone *time.Location) Start {
	if s.allDay {
		s.days = zone
	}
	return s
}

// StartTime returns a timed start at the instant t. The recurrence is expanded in the Location of t. RFC 5545 has no fractions
// of a second: times in recurrence lines are whole seconds, and every instance has the same fraction as the start.
//
// A Location with a fixed offset, which [time.Parse] returns for a time such as 2026-03-10T09:00:00-04:00, has no
// daylight saving time: a meeting at 9:00 in such a Location is at 9:00 at that offset all year. Use
// StartTime(t.In(zone)) with the zone of the event instead. [Lines.Check] advises against a start with a fixed offset.
func StartTime(t time.Time) Start {
	zone := civil.ZoneOf(t.Location())
	return Start{clock: zone.ClockAt(t.Unix()), unix: t.Unix(), fraction: int64(t.Nanosecond()), zone: zone}
}

// StartClock returns a timed start whose local time in the zone is the time that t shows in UTC. If that local time falls
// in a gap, the start is moved (RFC 5545 section 3.3.5), but the rules still repeat the time as written. If the zone is
// nil, StartClock returns the zero Start.
func StartClock(t time.Time, in *time.Location) Start {
	if in == nil {
		return Start{}
	}
	return Start{clock: t.Unix(), unix: zone.Instant(t, in).Unix(), fraction: int64(t.Nanosecond()), zone: civil.ZoneOf(in)}
}

// With returns the same start with the given options. The options apply in [Set.Compile], and in the methods of [Set] that edit
// or compare sets.
func (s Start) With(o Options) Start {
	s.options = o
	return s
}

// Options returns the options of the start.
func (s Start) Options() Options { return s.options }

// Until returns the same start for an event whose first instance ends at the given time. A date is represented as midnight UTC.
// All instances have exactly the same length, even if clocks change, unless a PERIOD value specifies a different length (RFC
// 5545 section 3.8.5.3). If Until is not called, instances have no length.
func (s Start) Until(end time.Time) Start {
	s.length = length{end.Unix() - s.unix, int64(end.Nanosecond()) - s.fraction}
	return s
}

// End returns the end of the first instance, as passed to [Start.Until]. If the event has no length, End returns its start.
func (s Start) End() time.Time {
	if s.zone.Location == nil {
		return time.Time{}
	}
	return time.Unix(s.unix+s.length.seconds, s.fraction+s.length.nanoseconds).In(s.zone.Location)
}

// IsZero reports whether s is the zero Start, which means that the start is unknown.
func (s Start) IsZero() bool { return s.zone.Location == nil }

// AllDay reports whether the start is a date.
func (s Start) AllDay() bool { return s.allDay }

// Time returns the start as an instant in its zone. For an all-day start, Time returns midnight UTC; for the zero Start, Time
// returns the zero time.
func (s Start) Time() time.Time {
	if s.zone.Location == nil {
		return time.Time{}
	}
	return time.Unix(s.unix, s.fraction).In(s.zone.Location)
}

// Clock returns the local time of the start, as a time in UTC. Clock differs from the local time of [Start.Time] if the start was
// created by [StartClock] with a local time that does not exist in its zone. For the zero Start, Clock returns the zero time.
func (s Start) Clock() time.Time {
	if s.zone.Location == nil {
		return time.Time{}
	}
	return time.Unix(s.clock, s.fraction).UTC()
}

// knownZone returns the name of the start's zone if the embedded database contains that zone, and otherwise "".
func (s Start) knownZone() string {
	if !s.zone.IsEmbedded() {
		return ""
	}
	return s.zone.Location.String()
}

// isTimed reports whether the start is known and has a time of day.
func (s Start) isTimed() bool { return s.zone.Location != nil && !s.allDay }

// clockLength returns the length of the event in seconds of local time in its zone.
func (s Start) clockLength() int64 {
	return s.zone.ClockAt(s.unix+s.length.seconds) - s.zone.ClockAt(s.unix)
}

// inRange reports whether RFC 5545 can express the start.
func (s Start) inRange() bool {
	return s.zone.Location != nil && s.clock >= civil.MinClock && s.clock <= civil.MaxClock
}

// until returns the date of v in the zone set by [Start.DaysIn], or v itself if no zone is set or v is not in UTC.
func (s Start) until(v Value) Value {
	if s.days == nil || v.Form != UTC {
		return v
	}
	day := LocalValue(time.Unix(v.Clock, 0).In(s.days))
	if day.Form = Date; !day.valid() {
		return v
	}
	return day
}

// untilInForm returns UNTIL in the form that the start requires, with the same last instance: a date if the start is a date,
// and otherwise a time in UTC. With a timed start, a date is converted to the last second of the day.
func (s Start) untilInForm(v Value) Value {
	day, _ := civil.Split(v.Clock)
	switch {
	case s.allDay && s.until(v) != v:
		return s.until(v)
	case s.allDay:
		return Value{Date, day * civil.SecondsPerDay}
	case v.Form == Date:
		v.Clock += civil.SecondsPerDay - 1
		fallthrough
	case v.Form == Local:
		instant := zone.Instant(time.Unix(v.Clock, 0).UTC(), s.zone.Location)
		return Value{UTC, min(max(instant.Unix(), civil.MinClock), civil.MaxClock)}
	}
	return v
}

// A converter converts values in recurrence lines to instants for a given start.
type converter struct {
	start Start
	zone  civil.Zone     // the zone of the start
	local civil.Resolver // resolves local times in that zone; to be copied before use if the converter is shared
}

func newConverter(start Start) converter {
	return converter{start, start.zone, civil.NewResolver(start.zone)}
}

// resolver returns a resolver for the zone of the local values in a line, or false if the line names an unknown zone. For a
// zone other than the zone of the start, the resolver has no table, because each value in the line is resolved only once.
func (c *converter) resolver(d *Dates) (r civil.Resolver, known bool) {
	if d.TZID == "" || d.TZID == c.start.knownZone() {
		return c.local, true
	}
	location, known := zone.Load(d.zone())
	if known && location != c.zone.Location {
		return civil.NewResolver(civil.Zone{Location: location}), true
	}
	return c.local, known
}

// instant returns the instant of a value in Unix seconds. In an all-day series, the instant is midnight UTC on the date
// of the value, even if the value has a time. In a timed series, a date is combined with the time of day of the start.
func (c *converter) instant(v Value, r *civil.Resolver) int64 {
	clock := v.Clock
	switch {
	case c.start.allDay:
		day, _ := civil.Split(clock)
		return day * civil.SecondsPerDay
	case v.Form == UTC:
		return clock
	case v.Form == Date:
		_, second := civil.Split(c.start.clock)
		clock += second
	}
	unix, _ := r.Resolve(clock)
	return unix
}

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
