package recurrence_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// naiveCount goes through a series.
func naiveCount(s *recurrence.Series, limit int) (n int, more bool) {
	for _, err := range s.All() {
		if err != nil {
			return n, false
		}
		if n == limit {
			return n, true
		}
		n++
	}
	return n, false
}

// TestCount compares Count with going through the series.
func TestCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := genStart(t)
		r := genRule(t)
		set := &recurrence.Set{Rules: []*recurrence.Rule{r}}
		drawEnd(t, r, start)
		set.RDates = dates(genInstants(t, "rdates", start, nil))
		bare := compile(t, set, recurrence.StartTime(start))
		var some []time.Time
		for at, err := range bare.Between(time.Time{}, start.AddDate(0, 6, 0)) {
			if some = append(some, at); err != nil || len(some) == 20 {
				break
			}
		}
		if rapid.Bool().Draw(t, "exdates?") {
			set.ExDates = dates(genInstants(t, "exdates", start, some))
		}
		s := compile(t, set, recurrence.StartTime(start)).With(recurrence.Options{Gap: recurrence.Gap(rapid.IntRange(0, 1).Draw(t, "gap"))})
		limit := rapid.IntRange(0, 400).Draw(t, "limit")
		want, wantMore := naiveCount(s, limit)
		n, more, err := s.Count(limit)
		if err == nil && (n != want || more != wantMore) {
			t.Fatalf("%s from %s: Count(%d) = %d, %v, want %d, %v", set, start, limit, n, more, want, wantMore)
		}
	})
}

// TestCountUntil is TestCount around an UNTIL in the nights in which the clock changes.
func TestCountUntil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		z := load(rapid.SampledFrom(zoneNames).Draw(t, "zone"))
		night := rapid.SampledFrom([]int64{1710028800, 1730592000, 1728144000, 1712361600, 1325203200}).Draw(t, "night")
		start := time.Unix(night-rapid.Int64Range(0, 200000).Draw(t, "second"), 0).In(z)
		r := &recurrence.Rule{Freq: recurrence.Freq(rapid.IntRange(1, 4).Draw(t, "freq")), WeekStart: time.Monday}
		r.Interval = rapid.SampledFrom([]int64{1, 7, 20, 60, 90}).Draw(t, "interval")
		r.ByMinute = some(t, "minutes", 2, rapid.IntRange(0, 59))
		r.Until = recurrence.Value{Form: recurrence.UTC, Clock: night + rapid.Int64Range(-90000, 90000).Draw(t, "until")}
		s := compile(t, &recurrence.Set{Rules: []*recurrence.Rule{r}}, recurrence.StartTime(start))
		const limit = 400000
		want, _ := naiveCount(s, limit)
		if n, more, err := s.Count(limit); n != want || more || err != nil {
			t.Fatalf("%s from %s: Count = %d, %v, %v, want %d", r, start, n, more, err, want)
		}
	})
}

// TestCountFar counts what nobody wants to go through.
func TestCountFar(t *testing.T) {
	start := at("2026-03-10T09:00:00", "America/New_York")
	for lines, want := range map[string]int{
		"RRULE:FREQ=DAILY;UNTIL=99991231":     2912375,
		"RRULE:FREQ=DAILY;COUNT=2000000":      2000000,
		"RRULE:FREQ=SECONDLY;COUNT=100000000": 100000000,
		"RRULE:FREQ=YEARLY":                   7974,
	} {
		set, err := recurrence.Parse([]string{lines})
		if err != nil {
			t.Fatal(err)
		}
		n, more, err := compile(t, set, start).Count(1 << 30)
		if n != want || more || err != nil {
			t.Errorf("%s: %d, %v, %v, want %d", lines, n, more, err, want)
		}
	}
}
