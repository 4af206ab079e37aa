package emulator

import (
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/zone"
)

const oneHour = time.Hour

// location returns the time zone with the given name, or UTC if the zone is unknown. The library provides the time zones, since
// a container may lack zone files.
func location(name string) *time.Location {
	if in, ok := zone.Load(name); ok {
		return in
	}
	return time.UTC
}

// nextHour returns the next full hour after now in the local time of a zone.
func nextHour(now time.Time, name string) time.Time {
	now = now.In(location(name))
	past := time.Duration(now.Minute())*time.Minute + time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond())
	return now.Add(oneHour - past)
}

// inZone returns an event with its times in the time zone that the timeZone parameter names, if the parameter is set.
func (c *call) inZone(e *event.Event) *event.Event {
	name := c.query("timeZone")
	if name == "" {
		return e
	}
	in := location(name)
	e = e.Clone()
	for _, t := range []*event.Time{e.Start, e.End, e.OriginalStartTime} {
		if t == nil || t.DateTime == "" {
			continue
		}
		if at, err := t.Instant(nil); err == nil {
			t.DateTime = at.In(in).Format(time.RFC3339Nano)
		}
	}
	return e
}
