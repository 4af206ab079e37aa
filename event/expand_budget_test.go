package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
)

// What is left of a hostile series is answered with as far as it was found, an error beside
// it; whoever asks anew from there gets further. An ordinary one is answered in full.
func TestExpandEndsHostileSeries(t *testing.T) {
	var numbers []string
	for n := range 59 {
		numbers = append(numbers, fmt.Sprint(n))
	}
	all := strings.Join(numbers, ",")
	hours := strings.Join(numbers[:9], ",") + ",18,19,20,21,22,23"
	expand := func(from string, lines ...string) event.ExpandResult {
		return event.Expand(&event.ExpandRequest{
			Start:      &event.Time{DateTime: "2026-03-10T09:00:00Z", TimeZone: "UTC"},
			End:        &event.Time{DateTime: "2026-03-10T09:00:01Z", TimeZone: "UTC"},
			Recurrence: lines, From: from, Limit: event.MaxExpandLimit,
		})
	}
	hostile := []string{"RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY;BYSECOND=" + all, "EXRULE:FREQ=SECONDLY;BYMINUTE=" + all}
	first := expand("", hostile...)
	if first.Error == "" || first.Truncated || len(first.Instances) == 0 {
		t.Fatalf("%d instances, truncated %t, error %q", len(first.Instances), first.Truncated, first.Error)
	}
	last := first.Instances[len(first.Instances)-1]
	next := expand(last.Start.DateTime, hostile...)
	if len(next.Instances) < 2 || !next.Instances[0].At.Equal(last.At) {
		t.Errorf("from %s on there are %d instances", last.At, len(next.Instances))
	}
	office := expand("", "RRULE:FREQ=HOURLY", "EXRULE:FREQ=DAILY;BYHOUR="+hours, "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR="+strings.Join(numbers[:24], ","))
	if office.Error != "" || !office.Truncated || len(office.Instances) != event.MaxExpandLimit {
		t.Errorf("%d instances, truncated %t, error %q", len(office.Instances), office.Truncated, office.Error)
	}
}
