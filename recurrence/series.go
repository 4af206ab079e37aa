package recurrence

import (
	"cmp"
	"fmt"
	"iter"
	"time"

	"github.com/calrules/calrules/recurrence/internal/expand"
)

// Options control how a [Series] is expanded. The zero value selects the defaults. Options are attached to a start with
// [Start.With].
type Options struct {
	// Shift keeps an instance whose local time does not exist because the clock was set forward, and moves it by as much as the
	// clock. By default, an instance whose local time does not exist is dropped before BYSETPOS and COUNT are applied (RFC 5545
	// section 3.3.10).
	Shift bool

	// AllMonths makes BYMONTHDAY in a YEARLY rule without BYMONTH apply in every month, as in many implementations, and not only
	// in the month of the start, as in RFC 8984. With AllMonths, BYDAY ordinals in a YEARLY rule with BYMONTHDAY but without
	// BYMONTH count within the year, not within the month.
	AllMonths bool

	// AllWeekdays makes BYWEEKNO in a YEARLY rule without BYDAY apply to every day of the week, as in rrule-go, dateutil
	// and rrule.js, and not only to the weekday of the start, as in RFC 8984.
	AllWeekdays bool

	// CountStart makes COUNT include the start even if the rule does not match it, as a literal reading of RFC 5545 section 3.3.10
	// requires. By default, a start that the rule does not match is an additional instance, as in the public service.
	CountStart bool

	// OnlyMatches makes the start an instance only if a rule matches it, as in dateutil and rrule.js. By default, the start is
	// always the first instance (RFC 5545 section 3.8.5.3). In a set without rules, the start is an instance in either case.
	OnlyMatches bool

	// WallClock makes all instances end at the same local time as the first instance, as users of calendars expect: a
	// night shift from 22:00 to 6:00 ends at 6:00 even when the clock changes. By default, all instances have exactly the
	// same length (RFC 5545 section 3.8.5.3). WallClock does not affect instances whose end a PERIOD value specifies.
	WallClock bool

	// Budget is the maximum number of steps for finding one instance; 0 means about a million. A step takes about ten
	// nanoseconds. An operation that visits many instances may take four times Budget in total, plus 512 steps for each
	// instance found. If Budget is negative, every search fails with a [*BudgetError].
	Budget int
}

// expansion converts the options to the options of package expand.
func (o Options) expansion() expand.Options {
	steps := o.Budget
	if steps == 0 {
		steps = expand.DefaultSteps
	}
	return expand.Options{
		Shift: o.Shift, AllMonths: o.AllMonths, AllWeekdays: o.AllWeekdays, Steps: steps, CountStart: o.CountStart, OnlyMatches: o.OnlyMatches,
	}
}

// chooses reports whether the options can lead to different instances than the zero value.
func (o Options) chooses() bool {
	o.Budget, o.WallClock = 0, false
	return o != Options{}
}

// A BudgetError reports that an expansion took too long to find the next instance, or to establish that there is no next
// instance. The results so far are correct but incomplete. Every call starts with a new budget.
type BudgetError struct {
	Steps int  // the number of steps in the budget
	All   bool // whether the budget for all instances together was exceeded, not the budget for the next instance

	// Next is the time from which to continue the search: all instances before Next have been found. Next is the zero time
	// if a new search from there would make no progress, or if the search was not forward in time.
	Next time.Time
}

// Error returns a message that states the number of steps in the budget.
func (e *BudgetError) Error() string {
	if e.All {
		return fmt.Sprintf("recurrence: instances are so rare that they exhausted the budget of %d steps", e.Steps)
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

// overBudget is like budgetError, but is used for a forward search and sets [BudgetError.Next].
func (s *Series) overBudget(it *expand.Iterator, from int64) error {
	err := budgetError(it.Budget)
	if over, ok := err.(*BudgetError); ok {
		if at := it.Position(); at > max(from, s.start.unix) && at < expand.EndOfCalendar {
			over.Next = s.time(at)
		}
	}
	return err
}

// A Series is the recurrence set of an event: all its instances. A Series is immutable and safe for concurrent use.
//
// Instances are distinct and in ascending order. Instances have the Location and the fractional second of the start; the
// instances of an all-day series are at midnight UTC. The zero Series and a nil Series have no instances.
type Series struct {
	converter
	expansion *expand.Series
	ends      map[int64]int64 // maps the start of each PERIOD value to its end
	finite    bool            // every rule ends
}

// The zero [Series] and an empty expansion.
var (
	zeroSeries  Series
	noExpansion expand.Series
)

// orZero returns s, or the zero Series if s is nil.
func (s *Series) orZero() *Series { return cmp.Or(s, &zeroSeries) }

// expanded returns the expansion of the series, which is empty for the zero Series.
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

// All yields all instances, as [Series.Between] does with zero times.
func (s *Series) All() iter.Seq2[time.Time, error] { return s.Between(time.Time{}, time.Time{}) }

// Between yields the instances that begin at or after from and before to. If from is zero, Between starts at the first
// instance; if to is zero, it continues to the end of the year 9999. The error is nil except in the last pair, which may
// be the zero time and a [*BudgetError].
func (s *Series) Between(from, to time.Time) iter.Seq2[time.Time, error] {
	return s.between(s.lower(from), s.upper(to))
}

// between is like [Series.Between], but takes times in Unix seconds.
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

// Backward yields the same instances as [Series.Between], from the last to the first. The error is nil except in the last pair.
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

// Next returns the first instance after t, or false if there is none. Any error is a [*BudgetError].
func (s *Series) Next(t time.Time) (next time.Time, ok bool, err error) {
	for next, err := range s.Between(t.Add(1), time.Time{}) {
		return next, err == nil, err
	}
	return next, false, nil
}

// Before returns the last instance before t, or false if there is none. Any error is a [*BudgetError].
func (s *Series) Before(t time.Time) (last time.Time, ok bool, err error) {
	for at, err := range s.Backward(time.Time{}, t) {
		return at, err == nil, err
	}
	return last, false, nil
}

// Contains reports whether an instance begins at t. Any error is a [*BudgetError].
func (s *Series) Contains(t time.Time) (bool, error) {
	if int64(t.Nanosecond()) != s.Start().fraction {
		return false, nil
	}
	b := s.expanded().NewBudget()
	q := s.expanded().Ask(b)
	found := q.Contains(t.Unix())
	if err := budgetError(b); err != nil {
		return false, err
	}
	return found, nil
}

// Count returns the number of instances, but at most limit; more reports whether there are more than limit instances. If
// the error is a [*BudgetError], n is the number of instances found.
//
// Count usually computes the number without visiting instances. If the series has several rules, an EXRULE, an EXDATE
// that is a date in a timed series, or [Options.Shift], Count visits up to limit instances.
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

// FirstUnmatched returns the first value in an EXDATE line that matches no instance of the series, disregarding the series' own
// EXDATE lines, or false if there is no such value. A value that [Set.Compile] would refuse matches no instance. Any error is a
// [*BudgetError].
func (s *Series) FirstUnmatched(exdate *Dates) (v Value, ok bool, err error) {
	if exdate == nil {
		return Value{}, false, nil
	}
	b := s.expanded().NewBudget()
	q := s.expanded().WithoutExDates().Ask(b)
	s = s.orZero()
	r, known := s.resolver(exdate)
	for _, v := range exdate.Values {
		matches := known && v.valid() && (exdate.TZID == "" || v.Form == Local)
		if v.Form == Date && !s.start.allDay {
			matches = matches && q.ContainsDay(v.Clock)
		} else {
			matches = matches && q.Contains(s.instant(v, &r))
		}
		if err := budgetError(b); err != nil {
			return Value{}, false, err
		}
		if !matches {
			return v, true, nil
		}
	}
	return Value{}, false, nil
}

func (s *Series) time(unix int64) time.Time {
	return time.Unix(unix, s.start.fraction).In(s.start.zone.Location)
}

// lower returns the first Unix second at which an instance would be at or after t. If t is the zero time, lower returns a
// second before all instances.
func (s *Series) lower(t time.Time) int64 {
	if t.IsZero() {
		return expand.Earliest
	}
	return s.firstAt(t)
}

// firstAt returns the first Unix second at which an instance would be at or after t.
func (s *Series) firstAt(t time.Time) int64 {
	unix := t.Unix()
	if int64(t.Nanosecond()) > s.Start().fraction && unix < expand.Latest {
		unix++
	}
	return unix
}

// upper is like lower, but for the end of a window: if t is the zero time, upper returns a second after all instances.
func (s *Series) upper(t time.Time) int64 {
	if t.IsZero() {
		return expand.Latest
	}
	return s.lower(t)
}
