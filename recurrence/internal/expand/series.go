// Package expand expands recurrence rules to instants. Package expand follows RFC 5545 and, where RFC 5545 is ambiguous, RFC
// 8984 section 4.3.3. Package expand does not validate its input: package recurrence parses and checks rules first.
//
// A plan combines a [Rule] and the start, a walker visits the local times that match the plan, a stream converts the
// local times to instants, and an [Iterator] merges the streams of a [Series].
package expand

import (
	"math"
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Bounds of instants. Earliest is before and Latest is after all other instants. EndOfCalendar is after the end of the
// calendar in every zone, but small enough for arithmetic without overflow.
const (
	Earliest = math.MinInt64
	Latest   = math.MaxInt64
)

var EndOfCalendar = civil.MaxClock + civil.MaxShift

// A Start is the start of a series: a local time and its instant. A start is odd if its instant is the second occurrence
// of the local time, or if the local time does not exist.
type Start struct{ Clock, Instant int64 }

// A Set is the input to [New]: rules and instants in any order. All instants must be at or after the start.
type Set struct {
	Start          Start
	Zone           civil.Zone // the zone of the local times
	Rules, ExRules []Rule
	RDates         []int64 // instants
}

// Options control how a [Series] is expanded.
type Options struct {
	Shift     bool // shift instances out of gaps, instead of dropping them before BYSETPOS and COUNT are applied
	AllMonths bool // BYMONTHDAY in a YEARLY rule without BYMONTH applies in every month, not only in the month of the start
	Steps     int  // the budget of a search; see [NewBudget]

	AllWeekdays bool // BYWEEKNO without a day applies to every day of each week, not only to the weekday of the start
	CountStart  bool // COUNT includes the start even if the rule does not match it
	OnlyMatches bool // the start is an instance only if a rule matches it, or there are no rules
}

// A Series is a set prepared for expansion. A Series is immutable once it is shared.
type Series struct {
	Local civil.Resolver // resolves local times, and remembers the offset at the start; to be copied before use

	set      Set
	start    Start
	zone     civil.Zone
	allowed  bool // the start is an instance unless it is excluded or the options omit it
	starts   bool // like allowed, but takes the options into account
	oddStart bool
	options  Options

	rules, exRules []*plan
	rdates         []int64 // ascending and distinct
	exdates        []int64 // ascending
	exdays         []int64 // ascending
	excludes       bool    // the set has rules or dates that exclude instances
}

// New returns the series of a set. New takes ownership of the slices in the set.
func New(set Set, options Options) *Series {
	s := new(Series)
	s.Prepare(set, options)
	s.makeSchedules()
	return s
}

// Cleared returns an empty set that uses the memory of s, to be filled and passed to [Series.Prepare].
func (s *Series) Cleared() Set {
	return Set{Rules: s.set.Rules[:0], ExRules: s.set.ExRules[:0], RDates: s.set.RDates[:0]}
}

// Prepare is like [New], but initializes s and reuses its memory. Because the schedules of rules are computed only when
// needed, s is not safe for concurrent use.
func (s *Series) Prepare(set Set, options Options) {
	r := civil.NewResolver(set.Zone)
	at, exists := r.Resolve(set.Start.Clock)
	*s = Series{
		set:      set,
		start:    set.Start,
		zone:     set.Zone,
		Local:    r,
		oddStart: at != set.Start.Instant || !exists,
		options:  options,
		rules:    s.rules[:0],
		exRules:  s.exRules[:0],
		exdates:  s.exdates[:0],
		exdays:   s.exdays[:0],
		excludes: len(set.ExRules) > 0,
	}
	s.plan()
	s.allowed = len(s.rules) == 0 || slices.ContainsFunc(s.rules, func(p *plan) bool {
		return s.start.Instant <= p.until && s.start.Clock <= p.untilClock
	})
	s.starts = s.startsWith(options)
	slices.Sort(set.RDates)
	s.rdates = slices.Compact(set.RDates)
}

// Excluded returns the instants and the days, as day numbers in the zone, that s excludes.
func (s *Series) Excluded() (instants, days []int64) { return s.exdates, s.exdays }

// Exclude makes s exclude the given instants and days, in any order, instead of [Series.Excluded]. Exclude takes ownership of the
// slices, and must not be called once s is shared.
func (s *Series) Exclude(instants, days []int64) {
	slices.Sort(instants)
	slices.Sort(days)
	s.exdates, s.exdays, s.excludes = instants, days, len(s.exRules)+len(instants)+len(days) > 0
}

// startsWith reports whether the start is an instance with the given options, disregarding exclusions and whether a rule
// matches the start.
func (s *Series) startsWith(o Options) bool {
	return s.allowed && !(o.OnlyMatches && len(s.set.Rules) > 0)
}

// plan computes the plans of the rules according to the options.
func (s *Series) plan() {
	s.rules = s.appendPlans(s.rules, s.set.Rules)
	s.exRules = s.appendPlans(s.exRules, s.set.ExRules)
	if !s.options.CountStart {
		return
	}
	for _, p := range slices.Concat(s.rules, s.exRules) {
		if p.count != math.MaxInt64 && !p.matchesClock(p.first, s.NewBudget()) {
			p.count--
		}
	}
}

// makeSchedules computes the schedules of all rules.
func (s *Series) makeSchedules() {
	for _, plans := range [...][]*plan{s.rules, s.exRules} {
		for _, p := range plans {
			p.makeSchedule()
		}
	}
}

// appendPlans appends the plans of rules, reusing old plans in the spare capacity of the list.
func (s *Series) appendPlans(plans []*plan, rules []Rule) []*plan {
	for i := range rules {
		if n := len(plans); n < cap(plans) && plans[:n+1][n] != nil {
			plans = plans[:n+1]
		} else {
			plans = append(plans, new(plan))
		}
		plans[len(plans)-1].prepare(&rules[i], s.start.Clock, s.zone, s.options)
	}
	return plans
}

// With returns the same series with other options.
func (s *Series) With(o Options) *Series {
	c := *s
	c.options = o
	c.starts = c.startsWith(o)
	if o.AllMonths != s.options.AllMonths || o.AllWeekdays != s.options.AllWeekdays || o.CountStart != s.options.CountStart || o.Shift != s.options.Shift && s.hasPlaces() {
		c.rules, c.exRules = nil, nil // do not modify the plans of s
		c.plan()
		c.makeSchedules()
	}
	return &c
}

// hasPlaces reports whether a rule has BYSETPOS.
func (s *Series) hasPlaces() bool {
	hasPlaces := func(r Rule) bool { return len(r.BySetPos) > 0 }
	return slices.ContainsFunc(s.set.Rules, hasPlaces) || slices.ContainsFunc(s.set.ExRules, hasPlaces)
}

// WithoutExDates returns the series without the instants and days that [Series.Exclude] excludes.
func (s *Series) WithoutExDates() *Series {
	c := *s
	c.exdates, c.exdays = nil, nil
	return &c
}

// NewBudget returns a budget with the number of steps that the options specify.
func (s *Series) NewBudget() *Budget { return NewBudget(s.options.Steps) }

// IncludesStart reports whether the start is an instance unless something excludes it, that is, whether there are no
// rules or the UNTIL of at least one rule allows the start.
func (s *Series) IncludesStart() bool { return s.starts }

// RulesMissStart reports whether no rule has an instance at the start. If the budget is exhausted first, it returns false.
func (s *Series) RulesMissStart(b *Budget) bool {
	q := s.Ask(b)
	return !q.RulesGive(s.start.Instant) && !b.IsOver()
}

// matchesClock reports whether a local time matches the rule, disregarding UNTIL and COUNT.
func (p *plan) matchesClock(clock int64, b *Budget) bool {
	switch {
	case clock < p.first:
		return false
	case p.written.interval > 1 && (p.numberOf(p.written.freq, clock)-p.written.number)%p.written.interval != 0:
		return false
	case len(p.places) > 0:
		return p.isAtPlace(clock, b)
	}
	day, second := civil.Split(clock)
	return p.hasTime(second) && p.hasDay(day)
}

// isAtPlace is like matchesClock, but for a rule with BYSETPOS, and visits one period.
func (p *plan) isAtPlace(clock int64, b *Budget) bool {
	if p.makeSchedule(); p.never {
		return false
	}
	w := p.walkerUpTo(p.periodOf(clock), b)
	w.seek(clock)
	at, ok := w.pop()
	return ok && at == clock
}
