package expand

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestFill checks that a walker fills a buffer with the matches that it returns one by one, also over many periods.
func TestFill(t *testing.T) {
	for name, rule := range map[string]Rule{
		"last workday":         {Freq: Monthly, ByDay: workdays, BySetPos: []int{-1}},
		"both places":          {Freq: Weekly, ByDay: weekdaysOf(time.Sunday, time.Monday), BySetPos: []int{1, 2}},
		"one time of a day":    {Freq: Hourly, Interval: 5},
		"three times of a day": {Freq: Daily, ByHour: []int{9, 10, 11}},
	} {
		p := seriesOf(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC), rule).rules[0]
		b := NewBudget(DefaultSteps)
		single := p.newWalker(p.first, civil.MaxClock, b)
		many := p.newWalker(p.first, civil.MaxClock, b)
		var want, got [40]int64
		for i := range want {
			want[i], _ = single.pop()
		}
		if n := many.fill(got[:]); n != len(got) {
			t.Errorf("%s: %d matches at once", name, n)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-one by one +at once):\n%s", name, diff)
		}
	}
}

// TestRepeat checks that a walker which stops where matches repeat finds what one that goes on finds,
// and that it soon knows that there are none.
func TestRepeat(t *testing.T) {
	const few = 1 << 16
	leapDay := Rule{ByMonth: []int{2}, ByMonthDay: []int{29}}
	with := func(f Freq, interval int64, setPos int, r Rule) Rule {
		r.Freq, r.Interval, r.BySetPos = f, interval, []int{setPos}
		return r
	}
	for name, c := range map[string]struct {
		rule Rule
		some bool
	}{
		"years":             {with(Yearly, 7, 1, leapDay), true},
		"no year":           {with(Yearly, 1, 2, leapDay), false},
		"after 399 years":   {with(Yearly, 399, 1, leapDay), true},
		"no leap day":       {with(Yearly, 2, 1, leapDay), false}, // from 2025 on
		"months":            {with(Monthly, 11, 1, leapDay), true},
		"fifth Mondays":     {with(Monthly, 1, 5, Rule{ByDay: weekdaysOf(time.Monday)}), true},
		"no sixth Monday":   {with(Monthly, 1, 6, Rule{ByDay: weekdaysOf(time.Monday)}), false},
		"weeks":             {with(Weekly, 997, -2, Rule{ByMonth: []int{2}, ByDay: workdays}), true},
		"no second Friday":  {with(Weekly, 5, 2, Rule{ByDay: weekdaysOf(time.Friday)}), false},
		"no Monday":         {with(Daily, 7, 1, Rule{ByDay: weekdaysOf(time.Monday)}), false},
		"Tuesdays":          {with(Daily, 1001, 1, Rule{ByDay: weekdaysOf(time.Tuesday)}), true},
		"minutes of a year": {with(Minutely, 7, 1, Rule{ByMonth: []int{2}, ByMonthDay: []int{28}, ByHour: []int{3}}), true},
		"rare seconds":      {with(Secondly, 1_000_000_007, 1, Rule{}), true},
		"rare days":         {Rule{Freq: Daily, Interval: 200_000}, true}, // the years repeat sooner
		"far apart":         {with(Weekly, maxInterval, 1, Rule{ByDay: weekdaysOf(time.Friday)}), true},
	} {
		tuesday := time.Date(2025, 3, 11, 9, 0, 0, 0, time.UTC)
		p, on := seriesOf(tuesday, c.rule).rules[0], seriesOf(tuesday, c.rule).rules[0]
		on.repeat = math.MaxInt64
		b := NewBudget(few)
		stopping := p.newWalker(p.first, civil.MaxClock, b)
		left := b.left
		got, ok := stopping.pop()
		if ok != c.some || b.IsOver() {
			t.Errorf("%s: a match %t, budget over %t", name, ok, b.IsOver())
		}
		if !ok && b.left != left {
			t.Errorf("%s: looks for a match again", name)
		}
		going := on.newWalker(p.first, civil.MaxClock, NewBudget(DefaultSteps*16))
		for range 100 {
			want, found := going.pop()
			if want != got || found != ok {
				t.Errorf("%s: %d, %t, want %d, %t", name, got, ok, want, found)
			}
			b.Renew(1)
			got, ok = stopping.pop()
		}
	}
}
