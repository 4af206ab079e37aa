package recurrence_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence"
)

// Days that count from the end of months of every length, and values at the second instant of a clock that is shown twice.
func TestCornersOfMonthsAndClocks(t *testing.T) {
	for _, test := range []struct {
		name  string
		start time.Time
		lines string
		want  []string
	}{
		{"the last day but one of April", time.Date(2026, 4, 29, 9, 0, 0, 0, time.UTC), "RRULE:FREQ=MONTHLY;BYMONTHDAY=-2;COUNT=3",
			[]string{"2026-04-29T09:00:00Z", "2026-05-30T09:00:00Z", "2026-06-29T09:00:00Z"}},
		{"from the last day of April", time.Date(2026, 4, 30, 9, 0, 0, 0, time.UTC), "RRULE:FREQ=MONTHLY;BYMONTHDAY=-2,-1;COUNT=3",
			[]string{"2026-04-30T09:00:00Z", "2026-05-30T09:00:00Z", "2026-05-31T09:00:00Z"}},
		{"the last day but one of February", time.Date(2027, 2, 27, 9, 0, 0, 0, time.UTC), "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-2;COUNT=3",
			[]string{"2027-02-27T09:00:00Z", "2028-02-28T09:00:00Z", "2029-02-27T09:00:00Z"}},
		{"an EXDATE at the second instant of a clock excludes nothing", time.Date(2026, 10, 31, 1, 30, 0, 0, newYork), "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261101T063000Z",
			[]string{"2026-10-31T01:30:00-04:00", "2026-11-01T01:30:00-04:00", "2026-11-02T01:30:00-05:00"}},
		{"an EXDATE at the first instant of a clock", time.Date(2026, 10, 31, 1, 30, 0, 0, newYork), "RRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261101T053000Z",
			[]string{"2026-10-31T01:30:00-04:00", "2026-11-02T01:30:00-05:00"}},
		{"a start at the second instant of a clock", time.Date(2026, 11, 1, 6, 30, 0, 0, time.UTC).In(newYork), "RRULE:FREQ=DAILY;COUNT=2\nEXDATE:20261101T063000Z",
			[]string{"2026-11-02T01:30:00-05:00"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			series := compile(t, parseText(t, test.lines), recurrence.StartTime(test.start))
			if diff := cmp.Diff(test.want, collect(series, time.Time{}, time.Time{}, 0)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
