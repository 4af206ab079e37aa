package expand

import (
	"testing"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// TestThorough checks what is left for other rules if one of them uses up the budget: nothing, or for a
// thorough search a share of the budget.
func TestThorough(t *testing.T) {
	const budget = 1000
	hopeless := Rule{Freq: Yearly, ByMonth: []int{2}, ByMonthDay: []int{30}}
	everyDayOrSo := Rule{Freq: Hourly, Interval: 25} // a step for each instance
	s := seriesOf(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC), hopeless, everyDayOrSo)
	for _, thorough := range []bool{false, true} {
		b := NewBudget(budget)
		it := s.Iterate(s.start.Instant+1, Latest, b)
		it.Thorough = thorough
		n := 0
		for batch := it.Batch(); len(batch) > 0; batch = it.Batch() {
			n += len(batch)
		}
		if !b.IsOver() || !thorough && n > 0 || thorough && (n < budget/4 || n > budget/2) {
			t.Errorf("thorough is %t: %d instances, budget used up %t", thorough, n, b.IsOver())
		}
	}
}

// TestBatch checks that a single rule yields its instances in batches, up to the end of the window.
func TestBatch(t *testing.T) {
	s := seriesOf(time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC), Rule{Freq: Daily})
	const days = 1000
	it := s.Iterate(s.start.Instant, s.start.Instant+days*civil.SecondsPerDay, s.NewBudget())
	n, batches := int64(0), 0
	for batch := it.Batch(); len(batch) > 0; batch = it.Batch() {
		for _, unix := range batch {
			if want := s.start.Instant + n*civil.SecondsPerDay; unix != want {
				t.Fatalf("instance %d is at %d, want %d", n, unix, want)
			}
			n++
		}
		batches++
	}
	if n != days || batches > days/10 {
		t.Errorf("%d instances in %d batches", n, batches)
	}
}
