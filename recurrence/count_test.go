package recurrence_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence"
)

// naiveCount visits the instances of a series.
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

// TestCount compares Count with visiting the instances.
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
		s := compile(t, set, recurrence.StartTime(start)).With(recurrence.Options{Shift: rapid.Bool().Draw(t, "shift")})
		limit := rapid.IntRange(0, 400).Draw(t, "limit")
		want, wantMore := naiveCount(s, limit)
		n, more, err := s.Count(limit)
		if err == nil && (n != want || more != wantMore) {
			t.Fatalf("%s from %s: Count(%d) = %d, %v, want %d, %v", set, start, limit, n, more, want, wantMore)
		}
	})
}

// TestCountUntil is TestCount around an UNTIL in the nights in which the clock changes.
// At most limit instances are counted, and there are more only beyond it.
func TestCountLimit(t *testing.T) {
	s := seriesOf(t, timed, "RRULE:FREQ=DAILY;COUNT=3")
	for limit, want := range map[int]struct {
		n    int
		more bool
	}{0: {0, true}, 2: {2, true}, 3: {3, false}, 4: {3, false}} {
		if n, more, err := s.Count(limit); n != want.n || more != want.more || err != nil {
			t.Errorf("Count(%d) = %d, %t, %v", limit, n, more, err)
		}
	}
	if _, _, err := s.Count(-1); err == nil {
		t.Error("a limit below 0 is no error")
	}
}

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

// TestCountFar counts instances that would take long to visit.
func TestCountFar(t *testing.T) {
	start := at("2026-03-10T09:00:00", "America/New_York")
	yearOne := at("0001-01-01T00:00:00", "UTC")
	nowhere := recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, time.FixedZone("", 3600)))
	for _, c := range []struct {
		start recurrence.Start
		rule  string
		want  int
	}{
		{start, "FREQ=DAILY;UNTIL=99991231", 2912375},
		{start, "FREQ=DAILY;COUNT=2000000", 2000000},
		{start, "FREQ=DAILY;COUNT=5000000;BYHOUR=" + numbers(0, 23), 5000000},
		{start, "FREQ=SECONDLY;COUNT=100000000", 100000000},
		{start, "FREQ=YEARLY", 7974},
		{yearOne, "FREQ=YEARLY", 9999},
		{nowhere, "FREQ=DAILY;COUNT=2000000", 2000000},
		{yearOne, "FREQ=HOURLY;INTERVAL=5;COUNT=15000000", 15000000},
	} {
		set, err := recurrence.Parse([]string{"RRULE:" + c.rule})
		if err != nil {
			t.Fatal(err)
		}
		n, more, err := compile(t, set, c.start).Count(1 << 30)
		if n != c.want || more || err != nil {
			t.Errorf("%s: %d, %v, %v, want %d", c.rule, n, more, err, c.want)
		}
	}
}

// TestCountBeforeTheEnd has rules at the end of the calendar that COUNT ends one instance earlier.
func TestCountBeforeTheEnd(t *testing.T) {
	for start, rule := range map[string]string{
		"9999-01-01T00:00:00": "FREQ=DAILY;BYHOUR=" + numbers(0, 23),
		"9999-12-01T00:00:00": "FREQ=MONTHLY;BYMONTHDAY=" + numbers(1, 31) + ";BYHOUR=" + numbers(0, 10) + ";BYSETPOS=" + numbers(1, 366),
		"9999-12-20T00:00:00": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR=" + numbers(0, 23) + ";BYSETPOS=" + numbers(1, 168),
		"9999-12-31T00:00:00": "FREQ=HOURLY;INTERVAL=5",
		"9999-12-31T23:00:00": "FREQ=MINUTELY;INTERVAL=7;BYSECOND=" + numbers(0, 59),
	} {
		t.Run(rule[:strings.Index(rule, ";")], func(t *testing.T) {
			from := at(start, "UTC").Time()
			all, _ := naiveCount(seriesOf(t, recurrence.StartTime(from), "RRULE:"+rule), 1<<20)
			s := seriesOf(t, recurrence.StartTime(from), fmt.Sprintf("RRULE:%s;COUNT=%d", rule, all-1))
			if n, more, err := s.Count(1 << 20); n != all-1 || more || err != nil {
				t.Errorf("%s: %d, %v, %v of %d", rule, n, more, err, all)
			}
			if n, _ := naiveCount(s, 1<<20); n != all-1 {
				t.Errorf("%s gives %d of %d", rule, n, all)
			}
		})
	}
}

// TestCountSets counts sets with lines that repeat some instances and exclude others.
func TestCountSets(t *testing.T) {
	night := at("2026-03-07T02:30:00", "America/New_York") // there is no 2:30 in the next night
	for _, c := range []struct {
		start recurrence.Start
		shift bool
		lines string
		want  int
	}{
		{timed, false, "RDATE:20260310T130000Z", 1},
		{timed, false, "RRULE:FREQ=DAILY;COUNT=3|RDATE:20260311T130000Z,20260311T140000Z", 4},
		{timed, false, "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3|RDATE:20260310T130000Z,20260401T130000Z", 5},
		{timed, false, "RRULE:FREQ=DAILY;UNTIL=20260309|RDATE:20260310T130000Z", 1},
		{timed, false, "RRULE:FREQ=DAILY;COUNT=3|RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3", 4},
		{timed, false, "RRULE:FREQ=DAILY;COUNT=9|EXRULE:FREQ=WEEKLY;COUNT=2", 7},
		{timed, false, "RRULE:FREQ=DAILY;COUNT=9|EXDATE;VALUE=DATE:20260311,20260312", 7},
		{timed, false, "RRULE:FREQ=DAILY;COUNT=9|EXDATE:20260311T130000Z,20260311T130000Z,20260312T140000Z", 8},
		{night, false, "RRULE:FREQ=DAILY;BYHOUR=2,3;COUNT=6", 6},
		{night, false, "RRULE:FREQ=DAILY;UNTIL=20260309", 2},
		{at("2026-03-10T23:59:59", "UTC"), false, "RRULE:FREQ=DAILY;UNTIL=20260312", 3},
		// UNTIL is the second 1:30 of 1 November, after the first 1:15 and 1:45
		{at("2026-10-30T01:15:00", "America/New_York"), false, "RRULE:FREQ=DAILY;BYHOUR=1,2;BYMINUTE=15,45;UNTIL=20261101T063000Z", 10},
		{night, true, "RRULE:FREQ=DAILY;UNTIL=20260309", 3},
		{night, true, "RRULE:FREQ=DAILY;BYHOUR=2,3;COUNT=6", 5},
	} {
		s := seriesOf(t, c.start, strings.Split(c.lines, "|")...).With(recurrence.Options{Shift: c.shift})
		if n, more, err := s.Count(100); n != c.want || more || err != nil {
			t.Errorf("%s: Count is %d, %t, %v; want %d", c.lines, n, more, err, c.want)
		}
		if n, _ := naiveCount(s, 100); n != c.want {
			t.Errorf("%s: there are %d, want %d", c.lines, n, c.want)
		}
	}
}

// TestCountAfterGap has a window that begins an hour after a gap, so that COUNT is counted up to there.
func TestCountAfterGap(t *testing.T) {
	night := at("2026-03-07T02:30:00", "America/New_York")
	s := seriesOf(t, night, "RRULE:FREQ=DAILY;BYHOUR=2,4;COUNT=6")
	got := collect(s, time.Date(2026, 3, 8, 4, 0, 0, 0, newYork), time.Time{}, 0)
	want := []string{"2026-03-08T04:30:00-04:00", "2026-03-09T02:30:00-04:00", "2026-03-09T04:30:00-04:00", "2026-03-10T02:30:00-04:00"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCountHours counts rules below DAILY without an equivalent DAILY rule, over some years.
func TestCountHours(t *testing.T) {
	for _, parts := range []string{
		"", ";BYMINUTE=" + numbers(0, 59), ";BYMONTH=3", ";BYMONTHDAY=10,-1", ";BYDAY=TU", ";BYYEARDAY=69", ";BYHOUR=9,10,11,12,13",
		";BYMINUTE=0,30;BYSETPOS=1",
	} {
		for _, zone := range []*time.Location{time.UTC, newYork} {
			s := seriesOf(t, recurrence.StartTime(time.Date(2026, 3, 10, 9, 0, 0, 0, zone)), "RRULE:FREQ=HOURLY;INTERVAL=5;UNTIL=20300310T095959Z"+parts)
			want, _ := naiveCount(s, 1<<20)
			if n, more, err := s.Count(1 << 20); n != want || more || err != nil {
				t.Errorf("%s in %s: %d, %v, %v, want %d", parts, zone, n, more, err, want)
			}
		}
	}
}
