package expand

// DefaultSteps is the number of steps that a search for an instance may take by default. A step
// is about ten nanoseconds of work.
const DefaultSteps = 1 << 20

// The total for many instances: a few budgets of one instance, and some steps for each instance on top. If EXRULE
// leaves one instance of a rule in ten, the search stays within the steps on top, so only sparser rules ever use up the
// total.
const (
	budgetsForAll    = 4
	stepsPerInstance = 512
)

// Budget is the work that an expansion may still do, in steps: visiting a period is one. All
// work for the same answer shares a budget.
type Budget struct {
	left int64 // for the next instance
	each int64 // for one instance, unless less is left for all
	all  int64 // for all instances after the next one
}

// maxSteps is a budget that is never used up but can be multiplied without overflow.
const maxSteps = 1 << 60

// NewBudget returns a budget of the given number of steps for each instance.
func NewBudget(steps int) *Budget {
	each := min(int64(steps), maxSteps)
	return &Budget{left: each, each: each, all: (budgetsForAll - 1) * each}
}

// spend takes n steps and reports whether that many were left.
func (b *Budget) spend(n int64) bool {
	b.left -= n
	return b.left >= 0
}

// IsOver reports whether the work took more steps than the budget had.
func (b *Budget) IsOver() bool { return b.left < 0 }

// Limit returns the number of steps that the work exceeded: the steps for one instance or for all instances.
func (b *Budget) Limit() (steps int, ofAll bool) {
	if b.all == 0 {
		return int(budgetsForAll * b.each), true
	}
	return int(b.each), false
}

// Renew starts the work for the next instance, after the given number of instances. It does nothing if the budget is
// exhausted.
func (b *Budget) Renew(found int) {
	if b.IsOver() {
		return
	}
	b.all = min(b.all+b.left+int64(found)*stepsPerInstance, budgetsForAll*b.each)
	b.left = min(b.each, b.all)
	b.all -= b.left
}
