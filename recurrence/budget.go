package recurrence

import "fmt"

// DefaultBudget is how many steps an expansion takes without coming to an instance before
// it gives up, unless told otherwise. A step is some ten nanoseconds of work.
const DefaultBudget = 1 << 20

// What going through many instances may take: some budgets of one instance for all of them,
// and so many steps beside for each. Rules from which EXRULE leaves one instance in ten stay
// within the latter, so that it is only sparser ones that ever come to the end of the former.
const (
	budgetsForAll    = 4
	stepsPerInstance = 512
)

// BudgetError says that an expansion ended because it took too long to come to the next
// instance, or to learn that there is none: the answer so far is right, but not complete.
// Whoever goes on from the last instance has a new budget.
type BudgetError struct {
	Steps int  // the budget
	All   bool // it was the budget of all instances together, not that of the next one
}

// Error says so.
func (e *BudgetError) Error() string {
	if e.All {
		return fmt.Sprintf("recurrence: instances are so rare that a budget of %d steps for all of them is used up", e.Steps)
	}
	return fmt.Sprintf("recurrence: no instance found within a budget of %d steps", e.Steps)
}

// budget is how much more work an expansion may do, in steps of some ten nanoseconds: one
// for a period looked at. It is shared by all that work for the same answer.
type budget struct {
	left int64 // of the steps for the next instance
	each int64 // how many those are, unless there are fewer for all
	all  int64 // what is left of the steps for all instances besides
}

// mostSteps is a budget that is as good as none, and whose multiples still are numbers.
const mostSteps = 1 << 60

func newBudget(each int) budget {
	b := budget{each: min(int64(each), mostSteps)}
	b.left, b.all = b.each, (budgetsForAll-1)*b.each
	return b
}

// spend takes n steps and reports whether there were as many.
func (b *budget) spend(n int64) bool {
	b.left -= n
	return b.left >= 0
}

func (b *budget) over() bool { return b.left < 0 }

// renew gives what comes next a budget of its own, after so many instances were found, unless
// the last one did not suffice.
func (b *budget) renew(found int) {
	if b.over() {
		return
	}
	b.all = min(b.all+b.left+int64(found)*stepsPerInstance, budgetsForAll*b.each)
	b.left = min(b.each, b.all)
	b.all -= b.left
}

// err returns nil unless the budget did not suffice.
func (b *budget) err() error {
	switch {
	case !b.over():
		return nil
	case b.all == 0:
		return &BudgetError{Steps: int(budgetsForAll * b.each), All: true}
	default:
		return &BudgetError{Steps: int(b.each)}
	}
}
