package expand

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

var (
	workdays = weekdaysOf(time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday)
	ordinals = []Weekday{{2, time.Tuesday}, {-1, time.Friday}}
)

// cyclic are rules with every structure of periods whose cycles are counted, and some whose cycles are not.
var cyclic = []Rule{
	{Freq: Daily},
	{Freq: Daily, Interval: 2},
	{Freq: Daily, Interval: 3},
	{Freq: Daily, Interval: 11},
	{Freq: Daily, ByHour: []int{2, 14}, ByMinute: []int{15, 45}},
	{Freq: Weekly, ByDay: weekdaysOf(time.Monday, time.Wednesday, time.Sunday), WeekStart: time.Tuesday},
	{Freq: Weekly, Interval: 2, ByDay: weekdaysOf(time.Monday, time.Sunday), WeekStart: time.Sunday},
	{Freq: Weekly, Interval: 7},
	{Freq: Weekly, Interval: 2, ByDay: workdays[:4], BySetPos: []int{2, -1}, WeekStart: time.Monday},
	{Freq: Monthly, ByMonthDay: []int{-1, 31}},
	{Freq: Monthly, Interval: 5, ByDay: ordinals},
	{Freq: Monthly, Interval: 7, ByDay: workdays, BySetPos: []int{-1}},
	{Freq: Yearly, Interval: 3, ByDay: []Weekday{{1, time.Monday}, {53, time.Friday}}},
	{Freq: Yearly, ByWeekNo: []int{1, 53}, ByDay: weekdaysOf(time.Sunday, time.Monday)},
	{Freq: Yearly, Interval: 4, ByMonth: []int{2}, ByMonthDay: []int{29}},
	{Freq: Yearly, Interval: 6, ByYearDay: []int{1, 366, -366}},
	{Freq: Yearly, ByMonth: []int{3, 11}, ByDay: weekdaysOf(time.Sunday)},
	{Freq: Monthly, Interval: 11},
	{Freq: Yearly, ByMonth: []int{3}, ByDay: []Weekday{{2, time.Sunday}}, ByHour: []int{2}, ByMinute: []int{30}},
	{Freq: Minutely, Interval: 15, ByHour: []int{1, 2, 3}, ByMonth: []int{3}},
	{Freq: Hourly, Interval: 36},
}

// TestRankByCycles compares counting by cycles with visiting each period and each gap, over the whole calendar.
func TestRankByCycles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(cyclic).Draw(t, "rule")
		location := load(rapid.SampledFrom([]string{"UTC", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Africa/Casablanca", "Pacific/Apia"}).Draw(t, "zone"))
		start := time.Unix(rapid.Int64Range(civil.MinClock/2, civil.MaxClock/2).Draw(t, "start"), 0).In(location)
		if rapid.Bool().Draw(t, "at half past two") {
			start = time.Date(start.Year(), 3, 1, 2, 30, 0, 0, location)
		}
		s := seriesOf(start, rule)
		p := s.rules[0]
		clock := rapid.Int64Range(s.start.Clock, civil.MaxClock+1).Draw(t, "clock")
		b := NewBudget(math.MaxInt)
		matches, lost := p.matchesBetween(p.first, clock, b), s.lostOneByOne(p, clock, b)
		for range 2 { // the first time counts a cycle, the second one knows it
			if got, _ := p.matchesBefore(clock, math.MaxInt64, b); got != matches {
				t.Fatalf("%+v from %s: %d matches before %s by cycles, %d by periods", rule, start, got, show(clock), matches)
			}
			if got := s.lostBefore(p, clock, b); got != lost {
				t.Fatalf("%+v from %s: %d lost before %s by cycles, %d by gaps", rule, start, got, show(clock), lost)
			}
		}
	})
}

func show(clock int64) string { return time.Unix(clock, 0).UTC().Format(time.DateTime) }

// TestRankFar is TestRankByCycles at the end of the calendar, for each rule. One start is the day after a gap in the years in
// which clock changes repeat, so that a cycle from any earlier time on has a gap too few.
func TestRankFar(t *testing.T) {
	newYork := load("America/New_York")
	for _, start := range []time.Time{time.Date(2026, 3, 1, 2, 30, 0, 0, newYork), time.Date(2500, 3, 15, 2, 30, 0, 0, newYork)} {
		for _, rule := range cyclic {
			s := seriesOf(start, rule)
			p, b := s.rules[0], NewBudget(math.MaxInt)
			if p.freq.subDaily() { // these have no cycles
				continue
			}
			for _, year := range []int{2600, 9999} {
				clock := civil.DayNumber(year, 7, 1) * civil.SecondsPerDay
				matches, lost := p.matchesBetween(p.first, clock, b), s.lostOneByOne(p, clock, b)
				n, _ := p.matchesBefore(clock, math.MaxInt64, b)
				if gone := s.lostBefore(p, clock, b); n != matches || gone != lost {
					t.Errorf("%+v from %s before %d: %d matches and %d lost, want %d and %d", rule, start, year, n, gone, matches, lost)
				}
			}
		}
	}
}

// TestRankStops checks which rules are counted only up to their COUNT: those with few instances or without cycles. Counting
// again up to the end gives the same number.
func TestRankStops(t *testing.T) {
	newYork := load("America/New_York")
	gap := time.Date(2026, 3, 8, 3, 30, 0, 0, newYork)
	for _, c := range []struct {
		clock time.Duration // of the start, from what its zone shows
		rule  Rule
		stops bool
	}{
		{0, Rule{Freq: Daily, Count: 10}, true},
		{0, Rule{Freq: Daily, Count: fewMatches}, true},
		{0, Rule{Freq: Daily, Count: fewMatches + 1}, false},
		{0, Rule{Freq: Hourly, Interval: 5, Count: fewMatches + 1}, true},
		{-time.Hour, Rule{Freq: Daily, Count: 10}, true}, // 2:30, which the zone skips
	} {
		s := seriesOf(gap, c.rule)
		s.set.Start.Clock += int64(c.clock.Seconds())
		s = New(s.set, s.options)
		p, b := s.rules[0], NewBudget(math.MaxInt)
		far := civil.DayNumber(9000, 1, 1) * civil.SecondsPerDay
		n, end := s.rankUpTo(p, far, b)
		if again := s.rank(p, end, b); end < far != c.stops || n < c.rule.Count || again != n {
			t.Errorf("%+v from %s: %d instances before %s, then %d", c.rule, show(p.first), n, show(end), again)
		}
	}
}

// TestNothingLost checks that it takes no steps to know that a rule loses no match in gaps.
func TestNothingLost(t *testing.T) {
	for _, c := range []struct {
		hour  int
		rule  Rule
		shift bool
	}{
		{9, Rule{Freq: Daily}, false},
		{2, Rule{Freq: Daily}, true},
		{2, Rule{Freq: Daily, ByHour: []int{1, 2}, BySetPos: []int{-1}}, false},
	} {
		s := seriesOf(time.Date(2026, 3, 1, c.hour, 30, 0, 0, load("America/New_York")), c.rule).With(Options{Shift: c.shift})
		p, b := s.rules[0], NewBudget(0)
		p.makeSchedule()
		if lost := s.lostBefore(p, p.first+civil.Cycle/4, b); lost != 0 || b.IsOver() {
			t.Errorf("%+v at %d:30: %d lost, budget used up %t", c.rule, c.hour, lost, b.IsOver())
		}
	}
}

// dense are rules of frequencies below DAILY whose periods are counted in runs.
var dense = []Rule{
	{Freq: Secondly, Interval: 7, ByDay: weekdaysOf(time.Monday)},
	{Freq: Secondly, Interval: 7919, ByHour: []int{2, 3, 9}, ByMonth: []int{3, 11}},
	{Freq: Secondly, Interval: 11, ByMinute: []int{0, 1, 30}, ByHour: []int{1, 2}, ByDay: weekdaysOf(time.Sunday)},
	{Freq: Secondly, Interval: 13, BySecond: []int{5, 6, 50}, ByHour: []int{2}, ByDay: weekdaysOf(time.Sunday)},
	{Freq: Minutely, Interval: 7, ByMonthDay: []int{13}, ByDay: weekdaysOf(time.Friday), ByHour: []int{9}},
	{Freq: Minutely, Interval: 7, BySecond: []int{0, 30}, ByDay: workdays},
	{Freq: Minutely, Interval: 7, ByMinute: []int{29, 30, 31}},
	{Freq: Hourly, Interval: 5, ByMinute: []int{15, 45}, ByDay: workdays},
	{Freq: Hourly, Interval: 7, ByHour: []int{1, 2, 3, 14}, ByMinute: []int{0, 30}},
	{Freq: Hourly, Interval: 7},
}

// TestRankByRuns compares counting whole runs of periods with visiting each match, and the places at which COUNT ends a rule.
func TestRankByRuns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom(dense).Draw(t, "rule")
		rule.Count = rapid.Int64Range(1, 3000).Draw(t, "count")
		location := load(rapid.SampledFrom([]string{"UTC", "America/New_York", "Australia/Lord_Howe"}).Draw(t, "zone"))
		start := time.Date(2026, 3, rapid.IntRange(1, 8).Draw(t, "day"), rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"), 0, 0, location)
		s := seriesOf(start, rule)
		p, b := s.rules[0], NewBudget(math.MaxInt)
		clock := s.start.Clock + rapid.Int64Range(0, 60*civil.SecondsPerDay).Draw(t, "length")
		matches := int64(0)
		w := p.newWalker(p.first, clock, b)
		for at, ok := w.pop(); ok && at < clock; at, ok = w.pop() {
			matches++
		}
		if got := p.matchesBetween(p.first, clock, b); got != matches {
			t.Fatalf("%+v from %s: %d matches before %s in runs, %d one by one", rule, start, got, show(clock), matches)
		}
		want := min(matches-s.lostOneByOne(p, clock, b), rule.Count)
		if got := min(s.rank(p, clock, b), rule.Count); got != want {
			t.Fatalf("%+v from %s: %d instances before %s, want %d", rule, start, got, show(clock), want)
		}
	})
}

// TestMatchesBetween compares counting from any clock on with visiting each match. Before the first clock, there are none.
func TestMatchesBetween(t *testing.T) {
	const hour = 3600
	for _, rule := range slices.Concat(cyclic, dense) {
		p, b := seriesOf(time.Date(2026, 3, 2, 2, 30, 0, 0, time.UTC), rule).rules[0], NewBudget(math.MaxInt)
		for from := p.first; from < p.first+20*civil.SecondsPerDay; from += 17 * hour {
			for _, to := range []int64{from - hour, from, from + hour, from + 14*hour, from + 200*hour} {
				want := int64(0)
				w := p.newWalker(from, to, b)
				for at, ok := w.pop(); ok && at < to; at, ok = w.pop() {
					want++
				}
				if got := p.matchesBetween(from, to, b); got != want {
					t.Errorf("%+v: %d matches from %s on and before %s, want %d", rule, got, show(from), show(to), want)
				}
			}
		}
	}
}

// TestRunsAreCheap checks that counting goes by runs of periods: single ones would take more steps.
func TestRunsAreCheap(t *testing.T) {
	for _, rule := range dense {
		p, b := seriesOf(time.Date(2026, 3, 2, 2, 30, 0, 0, time.UTC), rule).rules[0], NewBudget(40_000)
		if p.matchesBetween(p.first, p.first+366*civil.SecondsPerDay, b); b.IsOver() {
			t.Errorf("%+v: a year takes more than 40,000 steps", rule)
		}
	}
}

// TestSeekPastCount seeks far past the end that COUNT gives a rule. The cost does not depend on how far.
func TestSeekPastCount(t *testing.T) {
	for _, rule := range dense {
		rule.Count = 10
		for _, zone := range []string{"UTC", "America/New_York"} {
			s := seriesOf(time.Date(2024, 1, 1, 0, 0, 0, 0, load(zone)), rule)
			b := NewBudget(20_000)
			from := time.Date(9000, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
			if _, ok := s.Iterate(from, Latest, b).Next(); ok || b.IsOver() {
				t.Errorf("%+v in %s: found %t, budget used up %t", rule, zone, ok, b.IsOver())
			}
		}
	}
}

// TestGapsOfZones checks which times of day the gaps of a zone may contain.
func TestGapsOfZones(t *testing.T) {
	z := civil.ZoneOf(load("America/New_York"))
	for hour, want := range map[int]bool{1: false, 2: true, 3: false, 9: false} {
		p := new(plan)
		p.freq = Daily
		p.times.set(timeMasks{1 << hour, 1 << 30, 1})
		if got := p.mayLoseAny(z); got != want {
			t.Errorf("%02d:30: %v", hour, got)
		}
	}
}

// BenchmarkFarCount measures a window a few thousand years after the start, if COUNT has to be counted up to there.
func BenchmarkFarCount(b *testing.B) {
	location := load("America/New_York")
	from := time.Date(6900, 1, 1, 0, 0, 0, 0, location).Unix()
	for _, hour := range []int{9, 2} {
		for name, rule := range map[string]Rule{
			"daily":        {Freq: Daily},
			"biweekly":     {Freq: Weekly, Interval: 2, ByDay: weekdaysOf(time.Monday, time.Wednesday, time.Friday)},
			"last workday": {Freq: Monthly, ByDay: workdays, BySetPos: []int{-1}},
		} {
			b.Run(fmt.Sprintf("%s/%02d:30", name, hour), func(b *testing.B) {
				rule.Count = 2000000
				s := seriesOf(time.Date(1997, 9, 2, hour, 30, 0, 0, location), rule)
				for b.Loop() {
					it := s.Iterate(from, from+7*civil.SecondsPerDay, s.NewBudget())
					for len(it.Batch()) > 0 {
					}
				}
			})
		}
	}
}
