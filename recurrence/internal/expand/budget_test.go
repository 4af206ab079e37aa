package expand

import "testing"

// TestBudgetOfMany checks the cost of visiting many instances: at most four budgets, and 512 steps for each instance on top.
func TestBudgetOfMany(t *testing.T) {
	const each = 1000
	for _, cost := range []int64{600, 900, 1000} {
		b := NewBudget(each)
		spent, found := int64(0), int64(0)
		for b.spend(cost) {
			spent, found = spent+cost, found+1
			b.Renew(1)
		}
		if spent > 4*each+512*(found-1) || spent+cost <= 4*each+512*found || !b.IsOver() {
			t.Errorf("%d steps for each: %d for %d", cost, spent, found)
		}
	}
	b := NewBudget(each)
	for range 1_000_000 {
		if b.Renew(1); !b.spend(512) {
			t.Fatal("512 steps for each are too many")
		}
	}
	if b.spend(each + 1) {
		t.Error("one instance takes more than a budget")
	}
}
