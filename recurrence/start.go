package recurrence

import (
	"time"

	"github.com/calrules/calrules/internal/zone"
)

// Start is what a recurrence is measured from: the part of an event's start that its rules
// can see. Make one with [StartDate] or [StartTime]; the zero Start is none, and [Compile]
// refuses it. Starts compare with == as their zones do.
type Start struct {
	allDay bool
	clock  int64          // civil seconds in zone
	unix   int64          // the instant; for an all-day start that of midnight in UTC
	zone   *time.Location // nil only in the zero Start
}

// StartDate returns an all-day start. A date that the calendar lacks is normalized as
// [time.Date] does it. An all-day series has no zone: wherever this package shows or takes
// instants for it, they are midnights in UTC.
func StartDate(year int, month time.Month, day int) Start {
	unix := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
	return Start{allDay: true, clock: unix, unix: unix, zone: time.UTC}
}

// StartTime returns a timed start at the instant t, whose Location is the zone in which the
// recurrence is expanded. RFC 5545 knows no fractions of a second: they are cut off.
func StartTime(t time.Time) Start {
	_, offset := t.Zone()
	return Start{clock: t.Unix() + int64(offset), unix: t.Unix(), zone: t.Location()}
}

// StartClock returns a timed start at the time that clocks in the zone show what t shows in
// UTC: a start that is written without an offset. Where they never show it, because the clock
// was put forward over it, the start alone is moved by as much (RFC 5545 section 3.3.5): the
// rules go on from the time that was written. Without a zone it is the zero Start.
func StartClock(t time.Time, in *time.Location) Start {
	if in == nil {
		return Start{}
	}
	return Start{clock: t.Unix(), unix: zone.Instant(t, in).Unix(), zone: in}
}

// AllDay reports whether the start is a date.
func (s Start) AllDay() bool { return s.allDay }

// Time returns the start as an instant in its zone; for an all-day start midnight in UTC,
// for the zero Start the zero time.
func (s Start) Time() time.Time {
	if s.zone == nil {
		return time.Time{}
	}
	return time.Unix(s.unix, 0).In(s.zone)
}

// inRange reports whether the start is one that RFC 5545 can write.
func (s Start) inRange() bool { return s.zone != nil && s.clock >= minClock && s.clock <= maxClock }
