package expand

import (
	"slices"
	"testing"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestSmallSteps checks that an answer with few steps is the answer with many, or that the budget is exhausted.
func TestSmallSteps(t *testing.T) {
	newYork := load("America/New_York")
	start := time.Date(2026, 3, 7, 2, 30, 0, 0, newYork)
	day := func(n int) int64 { return start.AddDate(0, 0, n).Unix() }
	for name, s := range map[string]*Series{
		"places": seriesOf(start, Rule{Freq: Weekly, ByHour: []int{1, 2, 3}, BySetPos: []int{2, -1}, Count: 9}),
		"gaps":   seriesOf(start, Rule{Freq: Daily, ByHour: []int{1, 2, 3}, ByMinute: []int{0, 30}, BySetPos: []int{2, 3}, Count: 100}),
		"dates":  seriesOf(start, Rule{Freq: Daily, Interval: 3, Count: 200}),
		"never":  seriesOf(start, Rule{Freq: Monthly, ByMonth: []int{2}, ByMonthDay: []int{30}, Count: 2}, Rule{Freq: Daily, Count: 70}),
		"minute": seriesOf(start, Rule{Freq: Minutely, Interval: 7, ByHour: []int{2}, Count: 1_000_000}),
		"second": seriesOf(start, Rule{Freq: Secondly, ByHour: []int{2, 3}, Count: 20_000}),
	} {
		for _, shift := range []bool{false, true} {
			set := s.set
			set.RDates = []int64{day(0), day(1), day(2), day(40)}
			many := New(set, Options{Steps: DefaultSteps, Shift: shift})
			many.Exclude([]int64{day(1), day(1), day(3)}, nil)
			want, counts := many.Count()
			all := first(many, 50)
			for steps := 1; steps < 600; steps += 1 + steps/20 {
				few := many.With(Options{Steps: steps, Shift: shift})
				if n, ok := few.Count(); ok && (n != want || !counts) {
					t.Errorf("%s, %d steps: %d instances, want %d", name, steps, n, want)
				}
				for n := range 45 {
					q, all := few.Ask(few.NewBudget()), many.Ask(many.NewBudget())
					if got := q.Contains(day(n)); !q.Budget.IsOver() && got != all.Contains(day(n)) {
						t.Errorf("%s, %d steps: day %d is %t", name, steps, n, got)
					}
				}
				b := few.NewBudget()
				if got := few.RulesMissStart(b); got != many.RulesMissStart(many.NewBudget()) && !b.IsOver() {
					t.Errorf("%s, %d steps: the rules miss the start: %t", name, steps, got)
				}
				if got := first(few, 50); !slices.Equal(got, all[:min(len(got), len(all))]) {
					t.Errorf("%s, %d steps: %v, want the beginning of %v", name, steps, got, all)
				}
			}
		}
	}
}

// A series whose start is in a gap of the clock counts one match after the other.
func TestSmallStepsOddStart(t *testing.T) {
	newYork := load("America/New_York")
	at := time.Date(2026, 3, 8, 3, 30, 0, 0, newYork)
	clock := at.Unix() - 5*3600 // 2:30, which the zone skips
	set := Set{
		Start: Start{clock, at.Unix()}, Zone: civil.ZoneOf(newYork),
		Rules: []Rule{{Freq: Daily, Interval: 1, Count: 90, LastInstant: NoUntil, LastClock: civil.MaxClock}},
	}
	s := New(set, Options{Steps: DefaultSteps, Shift: true})
	for steps := range 200 {
		for n := range 100 {
			few := s.With(Options{Steps: steps + 1, Shift: true})
			q, unix := few.Ask(few.NewBudget()), at.AddDate(0, 0, n).Add(-time.Hour*time.Duration(min(n, 1))).Unix()
			if got := q.Contains(unix); !q.Budget.IsOver() && got != (n < 90) {
				t.Errorf("%d steps: day %d is %t", steps+1, n, got)
			}
		}
	}
	// The clock of the start counts among those of its period, although the zone skips it.
	set.Rules[0].ByHour, set.Rules[0].BySetPos, set.Rules[0].Count = []int{1, 2, 3}, []int{2}, 2
	want := []int64{at.Unix(), at.AddDate(0, 0, 1).Add(-time.Hour).Unix()}
	if got := first(New(set, Options{Steps: DefaultSteps}), 3); !slices.Equal(got, want) {
		t.Errorf("the second clock of each day is %v, want %v", got, want)
	}
}
