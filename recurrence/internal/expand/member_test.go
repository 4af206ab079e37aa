package expand

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// drawRule draws a rule without COUNT and UNTIL, whose parts are often given.
func drawRule(t *rapid.T) Rule {
	list := func(label string, least, most int, signed bool) []int {
		if !rapid.Bool().Draw(t, "has "+label) {
			return nil
		}
		n := rapid.IntRange(least, most)
		if signed {
			n = rapid.OneOf(n, rapid.IntRange(-most, -least))
		}
		return rapid.SliceOfNDistinct(n, 1, 6, rapid.ID[int]).Draw(t, label)
	}
	r := Rule{
		Freq:      rapid.SampledFrom([]Freq{Secondly, Minutely, Hourly, Daily, Weekly, Monthly, Yearly}).Draw(t, "freq"),
		Interval:  rapid.Int64Range(1, 5).Draw(t, "interval"),
		WeekStart: time.Weekday(rapid.IntRange(0, 6).Draw(t, "wkst")),
		ByMonth:   list("months", 1, 12, false), ByHour: list("hours", 0, 23, false),
		ByMinute: list("minutes", 0, 59, false), BySecond: list("seconds", 0, 60, false),
	}
	if r.Freq != Weekly {
		r.ByMonthDay = list("month days", 1, 31, true)
	}
	if r.Freq == Yearly || r.Freq.subDaily() {
		r.ByYearDay = list("year days", 1, 366, true)
	}
	if r.Freq == Yearly {
		r.ByWeekNo = list("weeks", 1, 53, true)
	}
	for _, day := range list("weekdays", 0, 6, false) {
		d := Weekday{Day: time.Weekday(day)}
		if r.Freq >= Monthly && len(r.ByWeekNo) == 0 && rapid.Bool().Draw(t, "numbered") {
			d.N = rapid.SampledFrom([]int{1, 2, 5, -1, -2, -5, 20, -20, 53, -53}).Draw(t, "n")
		}
		r.ByDay = append(r.ByDay, d)
	}
	return r
}

// A clock matches a rule if and only if a walk visits it.
func TestMatchesClock(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(rapid.IntRange(1999, 2001).Draw(t, "year"), 1, rapid.IntRange(1, 366).Draw(t, "day"),
			rapid.IntRange(0, 23).Draw(t, "hour"), 30, 15, 0, time.UTC)
		p := seriesOf(start, drawRule(t)).rules[0]
		from := p.first + rapid.Int64Range(0, 400*civil.SecondsPerDay).Draw(t, "from")
		b := NewBudget(math.MaxInt)
		w := p.newWalker(from, from+40*civil.SecondsPerDay, b)
		next, ok := w.pop()
		near := rapid.Int64Range(-2, 2).Draw(t, "near")
		for _, clock := range []int64{from, next, next + near, next + near*60, next + near*3600, next + near*civil.SecondsPerDay} {
			w := p.newWalker(clock, clock, b)
			at, found := w.pop()
			if got, want := p.matchesClock(clock, b), found && at == clock && clock >= p.first; got != want {
				t.Fatalf("%s matches: %t, want %t", time.Unix(clock, 0).UTC(), got, want)
			}
		}
		if ok && p.mostBefore(next) < 1 {
			t.Fatalf("at most %d matches up to one", p.mostBefore(next))
		}
	})
}

// No rule has more matches up to a clock than mostBefore says.
func TestMostBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2000, 2, rapid.IntRange(1, 60).Draw(t, "day"), 9, 30, 15, 0, time.UTC)
		p := seriesOf(start, drawRule(t)).rules[0]
		w := p.newWalker(p.first, civil.MaxClock, NewBudget(1<<16))
		for n := int64(1); n <= 50; n++ {
			clock, ok := w.pop()
			if !ok {
				return
			}
			if most := p.mostBefore(clock); most < n {
				t.Fatalf("at most %d matches, but %s is number %d", most, time.Unix(clock, 0).UTC(), n)
			}
		}
	})
}

// TestContainsLast asks for the last instance that COUNT or the last local time allows. The bound for the matches up to there is
// exact for these rules, so the question takes as many steps as without COUNT.
func TestContainsLast(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		rule  Rule
		count int64
		last  time.Duration // from the start
	}{
		{Rule{Freq: Daily}, 100, 99 * 24 * time.Hour},
		{Rule{Freq: Hourly, Interval: 5, ByMinute: []int{0, 30}}, 100, 49*5*time.Hour + 30*time.Minute},
		{Rule{Freq: Minutely, Interval: 7}, 100, 99 * 7 * time.Minute},
	} {
		at, steps := start.Add(c.last).Unix(), [2]int64{}
		for i, count := range []int64{0, c.count} {
			c.rule.Count = count
			s := seriesOf(start, c.rule)
			if count == 0 {
				s.set.Rules[0].LastClock = at
			}
			q := New(s.set, s.options).Ask(NewBudget(1000))
			if !q.Contains(at) {
				t.Errorf("%+v: lacks %s", c.rule, show(at))
			}
			steps[i] = q.Budget.left
		}
		if steps[0] != steps[1] {
			t.Errorf("%+v: %d steps are left, without COUNT %d", c.rule, steps[1], steps[0])
		}
	}
}
