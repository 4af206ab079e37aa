package batch_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/recurrence"
)

// The answer to a hostile series has an error and the instances that were found. A request from the
// last of them on gets further. An ordinary series is answered in full.
func TestExpandEndsHostileSeries(t *testing.T) {
	var numbers []string
	for n := range 59 {
		numbers = append(numbers, fmt.Sprint(n))
	}
	all := strings.Join(numbers, ",")
	hours := strings.Join(numbers[:9], ",") + ",18,19,20,21,22,23"
	expand := func(from string, lines ...string) batch.Expanded {
		return batch.Expand(&batch.Expansion{
			Start:      &event.Time{DateTime: "2026-03-10T09:00:00Z", TimeZone: "UTC"},
			End:        &event.Time{DateTime: "2026-03-10T09:00:01Z", TimeZone: "UTC"},
			Recurrence: lines, From: from, Limit: constraint.InstancesMax,
		})
	}
	hostile := []string{"RRULE:FREQ=SECONDLY", "EXRULE:FREQ=SECONDLY;BYSECOND=" + all, "EXRULE:FREQ=SECONDLY;BYMINUTE=" + all}
	first := expand("", hostile...)
	if first.Error == "" || first.Truncated || len(first.Instances) == 0 {
		t.Fatalf("%d instances, truncated %t, error %q", len(first.Instances), first.Truncated, first.Error)
	}
	last := first.Instances[len(first.Instances)-1]
	next := expand(last.Start.DateTime, hostile...)
	if len(next.Instances) < 2 || !next.Instances[0].Span.Start.Equal(last.Span.Start) {
		t.Errorf("the answer from %s on has %d instances", last.Span.Start, len(next.Instances))
	}
	office := expand("", "RRULE:FREQ=HOURLY", "EXRULE:FREQ=DAILY;BYHOUR="+hours, "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU;BYHOUR="+strings.Join(numbers[:24], ","))
	if office.Error != "" || !office.Truncated || len(office.Instances) != constraint.InstancesMax {
		t.Errorf("%d instances, truncated %t, error %q", len(office.Instances), office.Truncated, office.Error)
	}
}

// A series of n rules and n dates has n+2 instances.
func TestExpandOfManyRulesAndDates(t *testing.T) {
	const n = 4000
	lines := make([]string, 0, 2*n)
	for i := range n {
		at := time.Date(2026, 3, 11, 0, 0, i, 0, time.UTC).Format("20060102T150405Z")
		lines = append(lines, "RRULE:FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1;COUNT=1", "RDATE:"+at)
	}
	result := batch.Expand(&batch.Expansion{
		Start:      &event.Time{DateTime: "2026-03-10T09:00:00Z", TimeZone: "UTC"},
		End:        &event.Time{DateTime: "2026-03-10T09:00:01Z", TimeZone: "UTC"},
		Recurrence: lines, Limit: constraint.InstancesMax,
	})
	if got, want := len(result.Instances), n+2; got != want {
		t.Fatalf("%d instances, want %d", got, want)
	}
	var origins []recurrence.Origin
	for _, i := range result.Instances[n-1:] {
		origins = append(origins, i.Span.Origin)
	}
	if diff := cmp.Diff([]recurrence.Origin{recurrence.FromRDate, recurrence.FromRDate, recurrence.FromRule}, origins); diff != "" {
		t.Errorf("the last origins (-want +got):\n%s", diff)
	}
}
