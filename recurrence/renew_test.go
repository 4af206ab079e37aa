package recurrence

import "testing"

// TestBudgetOfMany holds that to go through many instances takes what is left of four budgets at
// the most, and 512 steps beside for each: as [Options] has it.
func TestBudgetOfMany(t *testing.T) {
	const each = 1000
	for _, cost := range []int64{600, 900, 1000} {
		b := newBudget(each)
		spent, found := int64(0), int64(0)
		for b.spend(cost) {
			spent, found = spent+cost, found+1
			b.renew(1)
		}
		if spent > 4*each+512*(found-1) || spent+cost <= 4*each+512*found || b.err() == nil {
			t.Errorf("%d steps for each: %d for %d; %v", cost, spent, found, b.err())
		}
	}
	b := newBudget(each)
	for range 1_000_000 {
		if b.renew(1); !b.spend(512) {
			t.Fatal("512 steps for each are too many")
		}
	}
	if b.spend(each + 1) {
		t.Error("one instance takes more than a budget")
	}
}
