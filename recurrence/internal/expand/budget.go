package expand

// DefaultSteps is the default number of steps that a search for an instance may take. A step takes about ten nanoseconds.
const DefaultSteps = 1 << 20

// The total budget for many instances is a few times the budget for one instance, plus some steps for each instance
// found. If an EXRULE excludes nine out of ten instances of a rule, the search still stays within the additional steps,
// so only sparser rules exhaust the total.
const (
	budgetsForAll    = 4
	stepsPerInstance = 512
)

// A Budget is the number of remaining steps that an expansion may take. Visiting a period takes one step. All work for the same
// result shares a budget.
type Budget struct {
	left int64 // the steps left for the next instance
	each int64 // the steps for one instance, unless fewer are left in total
	all  int64 // the steps left for all instances after the next instance
}

// maxSteps is a number of steps that is never exhausted but can be multiplied without overflow.
const maxSteps = 1 << 60

// NewBudget returns a budget with the given number of steps for each instance.
func NewBudget(steps int) *Budget {
	each := min(int64(steps), maxSteps)
	return &Budget{left: each, each: each, all: (budgetsForAll - 1) * each}
}

// spend takes n steps from the budget and reports whether that many were left.
func (b *Budget) spend(n int64) bool {
	b.left -= n
	return b.left >= 0
}

// IsOver reports whether the budget is exhausted.
func (b *Budget) IsOver() bool { return b.left < 0 }

// Limit returns the initial number of steps in an exhausted budget, and reports whether that limit was for all instances rather
// than for one.
func (b *Budget) Limit() (steps int, ofAll bool) {
	if b.all == 0 {
		return int(budgetsForAll * b.each), true
	}
	return int(b.each), false
}

// Renew renews the budget for the next instance after a search has found the given number of instances. Renew does
// nothing if the budget is exhausted.
func (b *Budget) Renew(found int) {
	if b.IsOver() {
		return
	}
	b.all = min(b.all+b.left+int64(found)*stepsPerInstance, budgetsForAll*b.each)
	b.left = min(b.each, b.all)
	b.all -= b.left
}
