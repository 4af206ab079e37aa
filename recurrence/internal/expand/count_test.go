package expand

import (
	"math"
	"testing"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestCycleLength checks after how many years the matches of rules repeat. 400 years have 146097
// days and 20871 weeks, of which 27 is a divisor.
func TestCycleLength(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rule  Rule
		years int64 // 0 if that is too long
	}{
		{Rule{Freq: Daily}, 400},
		{Rule{Freq: Daily, Interval: 2}, 800},
		{Rule{Freq: Daily, Interval: 8}, 3200},
		{Rule{Freq: Daily, Interval: 9}, 400},
		{Rule{Freq: Daily, Interval: 11}, 0},
		{Rule{Freq: Weekly, Interval: 18}, 800},
		{Rule{Freq: Monthly, Interval: 6}, 400},
		{Rule{Freq: Monthly, Interval: 7}, 2800},
		{Rule{Freq: Yearly, Interval: 9}, 0},
		{Rule{Freq: Yearly, Interval: 24}, 1200},
		{Rule{Freq: Hourly, Interval: 48}, 800}, // DAILY;INTERVAL=2
		{Rule{Freq: Hourly, Interval: 36}, 0},
	} {
		got := seriesOf(start, c.rule).rules[0].cycleLength()
		if want := c.years / 400 * civil.Cycle; got != want {
			t.Errorf("%+v: %d seconds, want %d", c.rule, got, want)
		}
	}
}

// TestTally checks that a tally looks no further than the end of the first cycle, and only once if the
// clock is not beyond that.
func TestTally(t *testing.T) {
	const begin, length = 1000, 400
	matches := func(clock int64) int64 { // each clock before begin, and the first 50 of each cycle
		if clock < begin {
			return clock
		}
		return begin + (clock-begin)/length*50 + min((clock-begin)%length, 50)
	}
	for clock := int64(0); clock < begin+4*length; clock++ {
		var y tally
		b := NewBudget(1)
		for range 2 { // the first time counts a cycle, the second one knows it
			calls, furthest := 0, int64(0)
			got := y.countBefore(clock, begin, length, func(c int64) int64 {
				calls, furthest = calls+1, max(furthest, c)
				return matches(c)
			}, b)
			if got != matches(clock) {
				t.Fatalf("%d before %d, want %d", got, clock, matches(clock))
			}
			if furthest > begin+length || clock <= begin+length && calls != 1 {
				t.Fatalf("before %d: looks %d times, up to %d", clock, calls, furthest)
			}
		}
	}
}

// TestCountBeyondAllMatches checks that a COUNT is dropped if there are never as many matches: instances
// far from the start then need no counting.
func TestCountBeyondAllMatches(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rule Rule
		most int64
	}{
		{Rule{Freq: Yearly, Interval: 1000}, 8 * 366}, // 2026, 3026 and so on
		{Rule{Freq: Yearly, Interval: 1000, ByHour: []int{9, 10, 11}}, 8 * 366 * 3},
		{Rule{Freq: Monthly, Interval: 12_000, BySetPos: []int{1}, ByDay: workdays}, 8 * 31},
	} {
		for below, want := range []int64{math.MaxInt64, c.most - 1} {
			c.rule.Count = c.most - int64(below)
			if got := seriesOf(start, c.rule).rules[0].count; got != want {
				t.Errorf("%+v: count is %d, want %d", c.rule, got, want)
			}
		}
	}
}
