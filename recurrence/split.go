package recurrence

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

// An EditError explains why no edit of a set produces exactly the required instances.
type EditError struct {
	Line    string // the line in canonical spelling, or "" if the error is not about one line
	Message string // human-readable
}

// Error returns the message, preceded by the line if there is one.
func (e *EditError) Error() string {
	if e.Line == "" {
		return e.Message
	}
	return engine.Quote(e.Line) + ": " + e.Message
}

// Split divides the set in two at the given time, at which an instance must start. The set before has the same start and
// contains the earlier instances. The set after starts at the given time (use [StartTime] or [StartDate]) and contains the
// remaining instances. If the split is at the first instance, before is nil. Calendars offer a split as a change of "this and
// following" instances.
//
// In before, a rule ends by COUNT if it had a COUNT, and otherwise by UNTIL. In after, a rule keeps the remaining COUNT, and
// parts that it took from the original start are written out if they would differ at the new start. RDATE and EXDATE values are
// divided between the halves. A half with one instance and no rule gets an RDATE at its start, and thus remains a series.
//
// The error is an [*EditError] if no instance starts at the given time or if the set cannot be split exactly: for example, if
// the time is in a period that the INTERVAL of an unfinished rule skips, or if dividing a COUNT would require visiting too many
// instances. Like [Set.Compile] and [Series.Contains], Split can also return an [*InvalidError] or a [*BudgetError].
func (s *Set) Split(start Start, at time.Time) (before, after *Set, err error) {
	series, err := s.Compile(start)
	if err != nil {
		return nil, nil, err
	}
	switch isInstance, err := series.Contains(at); {
	case err != nil:
		return nil, nil, err
	case !isInstance:
		return nil, nil, &EditError{Message: "there is no instance at the instant of the split"}
	}
	p := newSplitter(series, at)
	if p.at == start.unix {
		after, err = Parse(s.Lines())
		return nil, after, err
	}
	if before, after, err = p.split(s); err != nil {
		return nil, nil, err
	}
	if err := p.mustDivide(series, before, after); err != nil {
		return nil, nil, err
	}
	before, err = p.orNil(series, before)
	return before, after, err
}

// Truncate returns a set with the instances before the instant at, which need not be an instance. If there are no earlier
// instances, the result is nil. The instances of an all-day series are at midnight UTC. The rules end as in [Set.Split].
// Truncate returns the same errors as Split, except that at can be any instant.
func (s *Set) Truncate(start Start, at time.Time) (*Set, error) {
	series, err := s.Compile(start)
	if err != nil {
		return nil, err
	}
	p := newSplitter(series, at)
	p.truncates = true
	if p.at <= start.unix {
		return nil, nil
	}
	before, _, err := p.split(s)
	if err != nil {
		return nil, err
	}
	if err := p.mustDivide(series, before, nil); err != nil {
		return nil, err
	}
	return p.orNil(series, before)
}

// A splitter splits a set at an instant after the start.
type splitter struct {
	converter
	at        int64 // the instant of the split
	clock     int64 // the local time at the instant
	truncates bool  // only the first half is needed
}

func newSplitter(series *Series, at time.Time) *splitter {
	p := &splitter{converter: series.converter, at: min(series.firstAt(at), expand.EndOfCalendar)}
	if days, second := civil.Split(p.at); p.start.allDay && second > 0 {
		p.at = (days + 1) * civil.SecondsPerDay // the next instant at which an instance is possible
	}
	p.clock = p.zone.ClockAt(p.at)
	return p
}

// orNil returns before, or nil if the series has no instance before the split.
func (p *splitter) orNil(series *Series, before *Set) (*Set, error) {
	b := series.expanded().NewBudget()
	if _, ok := series.expanded().Iterate(expand.Earliest, p.at, b).Next(); !ok {
		before = nil
	}
	return before, budgetError(b)
}

func (p *splitter) split(s *Set) (before, after *Set, err error) {
	before, after = &Set{}, &Set{}
	for _, r := range s.Rules {
		first, rest, err := p.splitRule(r)
		if err != nil {
			return nil, nil, p.errorAbout(line{kind: rruleLine, rule: r}, err)
		}
		before.Rules = append(before.Rules, first)
		if rest != nil {
			after.Rules = append(after.Rules, rest)
		}
	}
	for _, r := range s.ExRules {
		_, rest, err := p.splitRule(r)
		if err != nil {
			return nil, nil, p.errorAbout(line{kind: exruleLine, rule: r}, err)
		}
		before.ExRules = append(before.ExRules, r.clone()) // exclusions after the split do not matter
		if rest != nil {
			after.ExRules = append(after.ExRules, rest)
		}
	}
	for _, d := range s.RDates {
		p.splitDates(d, &before.RDates, &after.RDates, p.isBefore, p.withTimes)
	}
	for _, d := range s.ExDates {
		p.splitDates(d, &before.ExDates, &after.ExDates, p.excludesBefore, func(d *Dates) *Dates { return d })
	}
	before.keepSeries(p.startValue(p.start.unix))
	after.keepSeries(p.startValue(p.at))
	return before, after, nil
}

// errorAbout adds the line to an [*EditError] about its rule.
func (p *splitter) errorAbout(l line, err error) error {
	if e, ok := err.(*EditError); ok {
		e.Line = l.String()
	}
	return err
}

// keepSeries adds an RDATE at the start if the set has neither rules nor RDATE lines; the event then remains a series.
func (s *Set) keepSeries(start Value) {
	if len(s.Rules)+len(s.RDates) == 0 {
		s.RDates = []*Dates{{Values: []Value{start}}}
	}
}

// splitRule returns the part of a rule before the split and the part after it, which is nil if no instances are left.
func (p *splitter) splitRule(r *Rule) (before, after *Rule, err error) {
	before = r.clone()
	if instant, clock := p.until(r.Until); p.at > instant || p.clock > clock {
		return before, nil, nil
	}
	n, err := p.countBefore(r)
	if err != nil || n > 0 && n == r.Count {
		return before, nil, err
	}
	if !p.truncates {
		if after, err = p.rest(r, n); err != nil {
			return nil, nil, err
		}
	}
	if before.Count = n; n == 0 {
		before.Until = p.lastBefore()
	}
	return before, after, nil
}

// lastBefore returns the UNTIL value for a rule that ends just before the split.
func (p *splitter) lastBefore() Value {
	if p.start.allDay {
		return Value{Date, p.at - civil.SecondsPerDay}
	}
	return Value{UTC, p.at - 1}
}

// startAt returns the start of the second half.
func (p *splitter) startAt() Start {
	at := p.start
	at.clock, at.unix = p.clock, p.at
	return at
}

// mustDivide returns an error if the halves do not have the instances of the series. Only the first 10,000 instances are
// compared, and only if the options can change the instances. The second half may be nil if only the first half is needed.
func (p *splitter) mustDivide(series *Series, before, after *Set) error {
	if !p.start.options.chooses() {
		return nil
	}
	all, more, _ := firstOf(series) // if the budget is exhausted, compare the instances before that
	n, _ := slices.BinarySearchFunc(all, p.at, func(at time.Time, unix int64) int { return cmp.Compare(at.Unix(), unix) })
	if err := newSeries(before, p.start).mustHave(all[:n], more); err != nil || after == nil {
		return err
	}
	return newSeries(after, p.startAt()).mustHave(all[n:], more)
}

// mostVisited is the maximum number of instances that [Set.Split] visits to divide a COUNT.
const mostVisited = 1 << 16

// countBefore returns the number of instances that a rule with COUNT has before the split, or 0 for a rule without COUNT.
func (p *splitter) countBefore(r *Rule) (int64, error) {
	if r.Count == 0 {
		return 0, nil
	}
	c := r.clone()
	c.Until = p.lastBefore() // set in addition to COUNT, which still limits the number of instances
	s := newSeries(&Set{Rules: []*Rule{c}}, p.start)
	n, ok := s.expanded().Count()
	if !ok {
		visited, more, err := s.Count(mostVisited)
		if more || err != nil {
			return 0, &EditError{Message: fmt.Sprintf("the rule has more than %d instances before the split, too many for dividing its "+
				"COUNT", visited)}
		}
		n = int64(visited)
	}
	b := s.expanded().NewBudget()
	if s.expanded().RulesMissStart(b) {
		if s.expanded().IncludesStart() {
			n-- // do not count the start, which the rule does not match
		}
		if p.start.options.CountStart {
			n++
		}
	}
	return min(n, r.Count), budgetError(b)
}

// rest returns the part of a rule from the split on, or nil if that part is empty. The argument n is the number of instances of
// the rule before the split.
func (p *splitter) rest(r *Rule, n int64) (*Rule, error) {
	if !p.isInPhase(r) {
		s := newSeries(&Set{Rules: []*Rule{r}}, p.start)
		b := s.expanded().NewBudget()
		if _, ok := s.expanded().Iterate(p.at, expand.Latest, b).Next(); ok {
			return nil, &EditError{Message: fmt.Sprintf("the split is in a period that INTERVAL=%d skips, so no rule that starts there "+
				"has the remaining instances", r.Interval)}
		}
		return nil, budgetError(b)
	}
	c := r.clone()
	c.Count -= n
	p.anchor(c)
	if r.Count == 0 || !p.start.options.chooses() {
		return c, nil
	}
	return p.withStart(r, c)
}

// withStart returns the rest of a rule with its COUNT adjusted for the start of the second half. Depending on the options, the
// start of the second half can be an instance of the original rule but not of the rest, or can count toward COUNT even though
// it comes from a different line.
func (p *splitter) withStart(r, rest *Rule) (*Rule, error) {
	whole, later := newSeries(&Set{Rules: []*Rule{r}}, p.start), newSeries(&Set{Rules: []*Rule{rest}}, p.startAt())
	b := whole.expanded().NewBudget()
	if later.expanded().RulesMissStart(b) {
		q := whole.expanded().Ask(b)
		if given := q.RulesGive(p.at); given && !p.start.options.CountStart {
			rest.Count--
		} else if !given && p.start.options.CountStart {
			rest.Count++
		}
	}
	if rest.Count == 0 {
		rest = nil
	}
	return rest, budgetError(b)
}

// isInPhase reports whether the split is in a period that INTERVAL does not skip.
func (p *splitter) isInPhase(r *Rule) bool {
	var x expand.Rule
	r.expandTo(&x)
	return (x.Number(p.clock)-x.Number(p.start.clock))%max(r.Interval, 1) == 0
}

// anchor adds the BY parts that a rule takes from the start, if the rule would take different values from the instant of the
// split.
func (p *splitter) anchor(r *Rule) {
	was, is := p.filledIn(r, p.start.clock), p.filledIn(r, p.clock)
	if !slices.Equal(was.ByMonth, is.ByMonth) || !slices.Equal(was.ByMonthDay, is.ByMonthDay) || !slices.Equal(was.ByDay, is.ByDay) {
		r.ByMonth, r.ByMonthDay, r.ByDay = was.ByMonth, was.ByMonthDay, nil
		for _, d := range was.ByDay {
			r.ByDay = append(r.ByDay, ByDay(d))
		}
	}
	if p.start.allDay {
		return
	}
	_, then := civil.Split(p.start.clock)
	_, now := civil.Split(p.clock)
	for _, part := range []struct {
		list       *[]int
		freq       Freq // the longest frequency that does not take the part from the start
		unit, turn int64
	}{{&r.ByHour, Hourly, 3600, 24}, {&r.ByMinute, Minutely, 60, 60}, {&r.BySecond, Secondly, 1, 60}} {
		from := then / part.unit % part.turn
		if len(*part.list) == 0 && r.Freq > part.freq && from != now/part.unit%part.turn {
			*part.list = []int{int(from)}
		}
	}
}

// filledIn returns the rule with the parts that it takes from the date of a start filled in.
func (p *splitter) filledIn(r *Rule, start int64) (x expand.Rule) {
	r.expandTo(&x)
	day, _ := civil.Split(start)
	x.FillIn(day, p.start.options.expansion())
	return x
}

// splitDates appends a line with the values for which isBefore returns true to before, and a line with the remaining values,
// converted by then, to after.
func (p *splitter) splitDates(d *Dates, before, after *[]*Dates, isBefore func(Value, *civil.Resolver) bool, then func(*Dates) *Dates) {
	first, rest := &Dates{TZID: d.TZID}, &Dates{TZID: d.TZID}
	of := func(v Value, r *civil.Resolver) *Dates {
		if isBefore(v, r) {
			return first
		}
		return rest
	}
	r, _ := p.resolver(d)
	for _, v := range d.Values {
		to := of(v, &r)
		to.Values = append(to.Values, v)
	}
	for _, period := range d.Periods {
		to := of(period.Start, &r)
		to.Periods = append(to.Periods, period)
	}
	if !first.isEmpty() {
		*before = append(*before, first)
	}
	if !rest.isEmpty() {
		*after = append(*after, then(rest))
	}
}

// isBefore reports whether a value of an RDATE line is before the split.
func (p *splitter) isBefore(v Value, r *civil.Resolver) bool {
	return p.instant(v, r) < p.at
}

// excludesBefore reports whether a value of an EXDATE line can exclude an instance before the instant. A date excludes its
// whole day. A split does not divide an excluded day, because an excluded day has no instance.
func (p *splitter) excludesBefore(v Value, r *civil.Resolver) bool {
	return v.Form == Date && v.Clock < p.clock || p.isBefore(v, r)
}

// withTimes returns the values of an RDATE line for the second half. In a timed series, withTimes adds the time of day of the
// original start to dates if the split is at a different time of day.
func (p *splitter) withTimes(d *Dates) *Dates {
	_, then := civil.Split(p.start.clock)
	_, now := civil.Split(p.clock)
	if then == now {
		return d
	}
	for i := range d.Values {
		if v := &d.Values[i]; v.Form == Date {
			*v = Value{Local, v.Clock + then}
		}
	}
	return d
}
