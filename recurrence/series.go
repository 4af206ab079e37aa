package recurrence

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// Options choose how to expand a [Series]. The zero value has the defaults. A start carries the options: see [Start.With].
type Options struct {
	// Shift moves an instance whose local time does not exist, because the clock was put forward, by as much as the
	// clock, and counts it. Otherwise, it is left out before BYSETPOS and COUNT look at the set (RFC 5545 section 3.3.10).
	Shift bool

	// AllMonths makes BYMONTHDAY in a YEARLY rule without BYMONTH mean every month, as many
	// implementations read it, and not the month of the start, as RFC 8984 does. Numbers in BYDAY
	// then count within the year, not within the month.
	AllMonths bool

	// AllWeekdays makes BYWEEKNO in a YEARLY rule without BYDAY mean every day of the week, as in rrule-go, dateutil and
	// rrule.js, and not the weekday of the start, as RFC 8984 does.
	AllWeekdays bool

	// CountStart makes COUNT count the start even if the rule misses it, as RFC 5545 section 3.3.10 literally requires.
	// Otherwise, the start comes in addition, as in the public service.
	CountStart bool

	// OnlyMatches makes the start an instance only if a rule matches it, as in dateutil and rrule.js. Otherwise, the
	// start is the first instance (RFC 5545 section 3.8.5.3). A set without rules has its start in either case.
	OnlyMatches bool

	// WallClock makes instances end at the same local time as the first instance, as users of calendars expect: a night
	// shift from 22:00 to 6:00 ends at 6:00 even when the clock changes. Otherwise, all instances have exactly the same
	// length (RFC 5545 section 3.8.5.3). It does not change the ends that PERIOD values give.
	WallClock bool

	// Budget is the number of steps that the search for an instance may take; 0 means about a million. A
	// step is about ten nanoseconds of work. Visiting many instances may take four times as much in
	// total, plus 512 steps for each instance found. With a number below 0, every search ends with a [*BudgetError].
	Budget int
}

// expansion returns the options in the form of package expand.
func (o Options) expansion() expand.Options {
	steps := o.Budget
	if steps == 0 {
		steps = expand.DefaultSteps
	}
	return expand.Options{
		Shift: o.Shift, AllMonths: o.AllMonths, AllWeekdays: o.AllWeekdays, Steps: steps, CountStart: o.CountStart, OnlyMatches: o.OnlyMatches,
	}
}

// chooses reports whether the options choose other instances than the zero value.
func (o Options) chooses() bool {
	o.Budget, o.WallClock = 0, false
	return o != Options{}
}

// BudgetError is the error for an expansion that took too long to find the next instance, or to find that there
// is none. The answer so far is right but incomplete. A new call has a new budget.
type BudgetError struct {
	Steps int  // the budget
	All   bool // it was the budget of all instances together, not of the next one

	// Next is where to go on: there are no other instances before it. It is the zero time if a
	// new search from there would get no further, or if the search was not forward in time.
	Next time.Time
}

// Error describes the budget.
func (e *BudgetError) Error() string {
	if e.All {
		return fmt.Sprintf("recurrence: instances are so rare that the budget of %d steps for all of them is used up", e.Steps)
	}
	return fmt.Sprintf("recurrence: no instance found within a budget of %d steps", e.Steps)
}

func budgetError(b *expand.Budget) error {
	if !b.IsOver() {
		return nil
	}
	steps, ofAll := b.Limit()
	return &BudgetError{Steps: steps, All: ofAll}
}

// overBudget is budgetError for a search forward from an instant.
func (s *Series) overBudget(it *expand.Iterator, from int64) error {
	err := budgetError(it.Budget)
	if over, ok := err.(*BudgetError); ok {
		if at := it.Position(); at > max(from, s.start.unix) && at < expand.EndOfCalendar {
			over.Next = s.time(at)
		}
	}
	return err
}

// Series is the recurrence set of an event: its instances. It is not modified once it is made
// and is safe for concurrent use.
//
// Instances are in ascending order and distinct. They have the Location of the start and its fraction of a second; the
// instances of an all-day series are midnights in UTC. The zero Series and a nil Series have none.
type Series struct {
	converter
	expansion *expand.Series
	ends      map[int64]int64 // the ends that PERIOD values give, by instant
	finite    bool            // every rule ends
}

// The zero [Series] and its expansion.
var (
	zeroSeries  Series
	noExpansion expand.Series
)

// orZero returns s, or the zero Series for nil.
func (s *Series) orZero() *Series { return cmp.Or(s, &zeroSeries) }

// expanded returns the expansion of the series.
func (s *Series) expanded() *expand.Series { return cmp.Or(s.orZero().expansion, &noExpansion) }

// With returns the same series with other options.
func (s *Series) With(o Options) *Series {
	c := *s.orZero()
	c.start = c.start.With(o)
	c.expansion = s.expanded().With(o.expansion())
	return &c
}

// Start returns the start of the series.
func (s *Series) Start() Start { return s.orZero().start }

// All yields all instances. See [Series.Between].
func (s *Series) All() iter.Seq2[time.Time, error] { return s.Between(time.Time{}, time.Time{}) }

// Between yields the instances that begin at or after from and before to. A zero from means the
// first instance; a zero to means the end of the year 9999. The error is nil except in the last
// pair, which may be the zero time and a [*BudgetError].
func (s *Series) Between(from, to time.Time) iter.Seq2[time.Time, error] {
	return s.between(s.lower(from), s.upper(to))
}

// between is [Series.Between] for seconds.
func (s *Series) between(from, to int64) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		it := s.expanded().Iterate(from, to, s.expanded().NewBudget())
		it.Thorough = true
		for batch := it.Batch(); len(batch) > 0; batch = it.Batch() {
			for _, unix := range batch {
				if !yield(s.time(unix), nil) {
					return
				}
			}
			it.Budget.Renew(len(batch))
		}
		if err := s.overBudget(it, from); err != nil {
			yield(time.Time{}, err)
		}
	}
}

// Backward yields the instances of [Series.Between] from the last to the first. The error is nil
// except in the last pair.
func (s *Series) Backward(from, to time.Time) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		b := s.expanded().NewBudget()
		for unix := range s.expanded().Backward(s.lower(from), s.upper(to), b) {
			if !yield(s.time(unix), nil) {
				return
			}
		}
		if err := budgetError(b); err != nil {
			yield(time.Time{}, err)
		}
	}
}

// Next returns the first instance after t. ok is false if there is none. The error is a
// [*BudgetError].
func (s *Series) Next(t time.Time) (next time.Time, ok bool, err error) {
	for next, err := range s.Between(t.Add(1), time.Time{}) {
		return next, err == nil, err
	}
	return next, false, nil
}

// Before returns the last instance before t. ok is false if there is none. The error is a
// [*BudgetError].
func (s *Series) Before(t time.Time) (last time.Time, ok bool, err error) {
	for at, err := range s.Backward(time.Time{}, t) {
		return at, err == nil, err
	}
	return last, false, nil
}

// Contains reports whether an instance begins at t. The error is a [*BudgetError].
func (s *Series) Contains(t time.Time) (bool, error) {
	if int64(t.Nanosecond()) != s.Start().fraction {
		return false, nil
	}
	b := s.expanded().NewBudget()
	found := s.expanded().Contains(t.Unix(), b)
	if err := budgetError(b); err != nil {
		return false, err
	}
	return found, nil
}

// Count returns the number of instances, but at most limit; more reports whether there are more
// than that. The error is a [*BudgetError], and n is then the number of instances found.
//
// It usually expands nothing. For several rules, EXRULE, an EXDATE that is a date in a timed series, and
// [Options.Shift], it visits up to limit instances.
func (s *Series) Count(limit int) (n int, more bool, err error) {
	if limit < 0 {
		return 0, false, fmt.Errorf("recurrence: count at most %d instances: the limit is negative", limit)
	}
	if total, ok := s.expanded().Count(); ok {
		return int(min(total, int64(limit))), total > int64(limit), nil
	}
	for _, err := range s.All() {
		if err != nil {
			return n, false, err
		}
		if n == limit {
			return n, true, nil
		}
		n++
	}
	return n, false, nil
}

// FirstUnmatched returns the first value of an EXDATE line that matches no instance of the series without
// its EXDATE lines. ok is false if there is none. A value that [Set.Compile] would refuse matches
// nothing. The error is a [*BudgetError].
func (s *Series) FirstUnmatched(exdate *Dates) (v Value, ok bool, err error) {
	if exdate == nil {
		return Value{}, false, nil
	}
	b := s.expanded().NewBudget()
	v, ok = s.orZero().firstMiss(exdate, b)
	if err := budgetError(b); err != nil {
		return Value{}, false, err
	}
	return v, ok, nil
}

// firstMiss is FirstUnmatched for a line that is not nil. The answer counts only if the budget is not exhausted.
func (s *Series) firstMiss(d *Dates, b *expand.Budget) (v Value, misses bool) {
	r, known := s.resolver(d)
	for _, v := range d.Values {
		switch {
		case !known || !v.valid() || d.TZID != "" && v.Form != Local:
			misses = true
		case v.Form == Date && !s.start.allDay:
			misses = !containsDay(s.expanded().WithoutExDates(), s.zone, v.Clock, b)
		default:
			misses = !s.expanded().ContainsButFor(s.instant(v, &r), b)
		}
		if misses || b.IsOver() {
			return v, misses
		}
	}
	return Value{}, false
}

// containsDay reports whether there is an instance on the local day that begins at midnight.
func containsDay(s *expand.Series, zone civil.Zone, midnight int64, b *expand.Budget) bool {
	r := civil.NewResolver(zone)
	from, _ := r.Resolve(midnight)
	to, _ := r.Resolve(midnight + civil.SecondsPerDay)
	_, ok := s.Iterate(from, to, b).Next()
	return ok
}

func (s *Series) time(unix int64) time.Time {
	return time.Unix(unix, s.start.fraction).In(s.start.zone.Location)
}

// lower returns the first second whose instance is at or after t. The zero time is before all
// instants.
func (s *Series) lower(t time.Time) int64 {
	if t.IsZero() {
		return expand.Earliest
	}
	return s.firstAt(t)
}

// firstAt returns the first second whose instance is at or after t.
func (s *Series) firstAt(t time.Time) int64 {
	unix := t.Unix()
	if int64(t.Nanosecond()) > s.Start().fraction && unix < expand.Latest {
		unix++
	}
	return unix
}

// upper is lower for the end of a window. The zero time is after all instants.
func (s *Series) upper(t time.Time) int64 {
	if t.IsZero() {
		return expand.Latest
	}
	return s.lower(t)
}
