package expand

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestFill checks that a walker fills a buffer with the matches that it returns one by one, also
// over many periods.
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
