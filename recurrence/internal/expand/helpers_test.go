package expand

import (
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// seriesOf returns the series of rules without UNTIL.
func seriesOf(start time.Time, rules ...Rule) *Series {
	_, offset := start.Zone()
	for i := range rules {
		rules[i].LastInstant, rules[i].LastClock = NoUntil, civil.MaxClock
	}
	return New(Set{
		Start: Start{start.Unix() + int64(offset), start.Unix()},
		Zone:  civil.ZoneOf(start.Location()),
		Rules: rules,
	}, Options{Steps: DefaultSteps})
}

func load(name string) *time.Location {
	location, ok := zone.Load(name)
	if !ok {
		panic("no zone " + name)
	}
	return location
}

// weekdaysOf returns one value of BYDAY for each day.
func weekdaysOf(days ...time.Weekday) (list []Weekday) {
	for _, d := range days {
		list = append(list, Weekday{Day: d})
	}
	return list
}
