package event_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

// TestExpandOfManyRulesAndDates takes time for the sum of them, and not for their product.
func TestExpandOfManyRulesAndDates(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("is about time")
	}
	const n = 4000
	lines := make([]string, 0, 2*n)
	for i := range n {
		at := time.Date(2026, 3, 11, 0, 0, i, 0, time.UTC).Format("20060102T150405Z")
		lines = append(lines, "RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;COUNT=1", "RDATE:"+at)
	}
	begin := time.Now()
	result := event.Expand(&event.ExpandRequest{
		Start:      &event.Time{DateTime: "2026-03-10T09:00:00Z", TimeZone: "UTC"},
		End:        &event.Time{DateTime: "2026-03-10T09:00:01Z", TimeZone: "UTC"},
		Recurrence: lines, Limit: event.MaxExpandLimit,
	})
	if took := time.Since(begin); took > 3*time.Second || len(result.Instances) != n+2 {
		t.Errorf("%d instances in %v", len(result.Instances), took)
	}
	var origins []event.Origin
	for _, i := range result.Instances[n-1:] {
		origins = append(origins, i.Origin)
	}
	if diff := cmp.Diff([]event.Origin{event.FromRDate, event.FromRDate, event.FromRule}, origins); diff != "" {
		t.Errorf("the last origins (-want +got):\n%s", diff)
	}
}
