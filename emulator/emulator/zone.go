package emulator

import (
	"time"

	"github.com/calrules/calrules/event"
)

const oneHour = time.Hour

// nextHour returns the next full hour after an instant, as clocks in a zone show it.
func nextHour(now time.Time, zone string) time.Time {
	in, err := time.LoadLocation(zone)
	if err != nil {
		in = time.UTC
	}
	now = now.In(in)
	past := time.Duration(now.Minute())*time.Minute + time.Duration(now.Second())*time.Second + time.Duration(now.Nanosecond())
	return now.Add(oneHour - past)
}

// inZone returns an event with its times in the zone that the parameter timeZone names, if there is one.
func (c *call) inZone(e *event.Event) *event.Event {
	name := c.query("timeZone")
	if name == "" {
		return e
	}
	in, err := time.LoadLocation(name)
	if err != nil {
		return e
	}
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
