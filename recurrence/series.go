package recurrence

import (
	"iter"
	"math"
	"slices"
	"time"
)

// Gap says what becomes of an instance whose local time does not exist because the clock
// was put forward over it.
type Gap uint8

const (
	Omit  Gap = iota // it is left out and not counted (RFC 5545 section 3.3.10)
	Shift            // it is moved by as much as the clock was, and counted
)

// Options are the ways in which a [Series] can be expanded. The zero value is the usual one.
type Options struct {
	Gap Gap

	// Budget is how much the search for an instance may take, in steps; 0 means
	// [DefaultBudget]. To go through many takes four times as much at the most, and 512 steps
	// beside for each instance that is found.
	Budget int
}

// Series is the recurrence set of an event: its instances. It does not change once made and
// is safe for concurrent use.
//
// Instances are in ascending order, each once, in the Location of the start; those of an
// all-day series are midnights in UTC.
type Series struct {
	start    Start
	zone     zoneClock // of the start
	starts   bool      // the start is an instance unless it is excluded
	oddStart bool      // the start is the second time that the clock shows the same, or lies in a gap
	options  Options

	rules, exRules []*plan
	rdates         []int64       // instants from the start on, ascending, each once
	ends           map[int64]end // where a PERIOD gives an instance an end, by its instant
	excludes       bool          // there are EXDATE or EXRULE lines
	exdates        []int64       // instants, ascending
	exdays         []int64       // days of the start's zone, ascending
}

// end is an instant as the end of a period.
type end int64

// With returns the same series under other options.
func (s *Series) With(o Options) *Series {
	c := *s
	c.options = o
	return &c
}

// Start returns the start that the series was compiled with.
func (s *Series) Start() Start { return s.start }

// All yields all instances. See [Series.Between].
func (s *Series) All() iter.Seq2[time.Time, error] { return s.Between(time.Time{}, time.Time{}) }

// Between yields the instances that begin at or after from and before to. Where from is
// the zero time they begin with the first, where to is the zero time they do not end before
// the year 9999 does. The error is nil but with the last pair, which may be the zero time
// and a [*BudgetError].
func (s *Series) Between(from, to time.Time) iter.Seq2[time.Time, error] {
	return func(yield func(time.Time, error) bool) {
		m := s.merge(lower(from), upper(to), s.newBudget())
		for batch := m.batch(); len(batch) > 0; batch = m.batch() {
			for _, unix := range batch {
				if !yield(s.time(unix), nil) {
					return
				}
			}
			m.budget.renew(len(batch))
		}
		if err := m.budget.err(); err != nil {
			yield(time.Time{}, err)
		}
	}
}

// Next returns the first instance after t; ok is false where there is none. The error is a
// [*BudgetError].
func (s *Series) Next(t time.Time) (next time.Time, ok bool, err error) {
	m := s.merge(min(t.Unix(), never)+1, highest, s.newBudget())
	unix, ok := m.next()
	if !ok {
		return next, false, m.budget.err()
	}
	return s.time(unix), true, nil
}

// Contains reports whether an instance begins at t. The error is a [*BudgetError].
func (s *Series) Contains(t time.Time) (bool, error) {
	if t.Nanosecond() != 0 {
		return false, nil
	}
	b := s.newBudget()
	has := s.contains(t.Unix(), b)
	if b.over() {
		return false, b.err()
	}
	return has, nil
}

// End returns the end that a PERIOD value gives to the instance at t. Where there is none,
// the instance is as long as the event.
func (s *Series) End(t time.Time) (time.Time, bool) {
	e, ok := s.ends[t.Unix()]
	if !ok || t.Nanosecond() != 0 {
		return time.Time{}, false
	}
	return s.time(int64(e)), true
}

func (s *Series) time(unix int64) time.Time { return time.Unix(unix, 0).In(s.start.zone) }

func (s *Series) steps() int {
	if s.options.Budget > 0 {
		return s.options.Budget
	}
	return DefaultBudget
}

func (s *Series) newBudget() *budget {
	b := newBudget(s.steps())
	return &b
}

// Instants before and after all others.
const (
	lowest  = math.MinInt64
	highest = math.MaxInt64
)

// never is an instant after the end of the calendar in every zone, within reach of its
// arithmetic.
var never = maxClock + maxShift

// lower returns the first second at or after t.
func lower(t time.Time) int64 {
	if t.IsZero() {
		return lowest
	}
	unix := t.Unix()
	if t.Nanosecond() > 0 && unix < highest {
		unix++
	}
	return unix
}

// upper is lower for the end of a window.
func upper(t time.Time) int64 {
	if t.IsZero() {
		return highest
	}
	return lower(t)
}

// contains reports whether there is an instance at an instant, as far as the budget goes.
func (s *Series) contains(unix int64, b *budget) bool {
	return s.included(unix, b) && !s.excluded(unix, b)
}

// included reports whether the start, a rule or an RDATE gives the instant.
func (s *Series) included(unix int64, b *budget) bool {
	switch {
	case unix < s.start.unix || unix >= never:
		return false
	case unix == s.start.unix && s.starts:
		return true
	}
	if _, ok := slices.BinarySearch(s.rdates, unix); ok {
		return true
	}
	return s.anyGives(s.rules, unix, b)
}

// excluded reports whether an EXDATE or an EXRULE takes the instant out.
func (s *Series) excluded(unix int64, b *budget) bool {
	if _, ok := slices.BinarySearch(s.exdates, unix); ok {
		return true
	}
	if len(s.exdays) > 0 {
		day, _ := splitClock(s.zone.clockAt(unix))
		if _, ok := slices.BinarySearch(s.exdays, day); ok {
			return true
		}
	}
	return s.anyGives(s.exRules, unix, b)
}

func (s *Series) anyGives(rules []*plan, unix int64, b *budget) bool {
	for _, p := range rules {
		if !b.spend(16) || s.gives(p, unix, b) {
			return !b.over()
		}
	}
	return false
}

// merge puts the instances of several sources in order. Its rules stand in a heap by the
// instance that each gives next.
type merge struct {
	series   *Series
	budget   *budget // what is left of it for the next instance
	from, to int64
	start    bool // the start is still to come
	rdates   []int64
	open     bool // the heap was filled, or need not be
	heap     []*stream
	one      [1]int64
}

// merge returns the instances from the instant from on and before the instant to. What it
// takes to come to the first is on b.
func (s *Series) merge(from, to int64, b *budget) *merge {
	m := &merge{series: s, budget: b, from: from, to: to, open: from >= never}
	m.start = s.starts && from <= s.start.unix
	i, _ := slices.BinarySearch(s.rdates, from)
	m.rdates = s.rdates[i:]
	return m
}

// What rules cost beside the periods that are looked at, in steps.
const (
	stepsToPass = 1 // by a rule that gives nothing
	stepsToAsk  = 8 // a rule for its first instance
	stepsToTake = 4 // an instance off a rule that another has given as well
)

// fill asks the rules for their first instances. That waits until the start is taken: it
// comes first whatever the rules give, and they may take long.
func (m *merge) fill() {
	m.open = true
	m.heap = make([]*stream, 0, len(m.series.rules))
	for _, p := range m.series.rules {
		if p.covered || p.never || p.until < m.from {
			m.budget.spend(stepsToPass)
			continue
		}
		if !m.budget.spend(stepsToAsk) {
			return
		}
		m.push(m.series.newStream(p, m.from, m.to, m.budget))
	}
	if m.series.starts && m.from <= m.series.start.unix {
		m.drop(m.series.start.unix)
	}
}

// next returns the next instance before the end of the window.
func (m *merge) next() (unix int64, ok bool) {
	for !m.budget.over() {
		unix, ok = m.pop()
		if !ok || unix >= m.to {
			return 0, false
		}
		if !m.series.excludes || !m.series.excluded(unix, m.budget) && !m.budget.over() {
			return unix, true
		}
		m.budget.spend(1)
	}
	return 0, false
}

// batch returns the next instances before the end of the window, none where there are no
// more. They stand until the next call. Where a single rule is left to ask they are as many
// as it has ready: they need no order and no second look.
func (m *merge) batch() []int64 {
	if !m.open || len(m.rdates) > 0 || len(m.heap) != 1 || m.series.excludes {
		unix, ok := m.next()
		if !ok {
			return nil
		}
		m.one[0] = unix
		return m.one[:]
	}
	s := m.heap[0]
	if m.budget.over() || !s.more() {
		return nil
	}
	n := len(s.ready)
	for n > 0 && s.ready[n-1] >= m.to {
		n--
	}
	batch := s.ready[:n]
	if s.ready = nil; n == 0 {
		s.ended = true
	}
	return batch
}

// pop takes the earliest instant off all sources.
func (m *merge) pop() (unix int64, ok bool) {
	if m.start {
		m.start = false
		m.drop(m.series.start.unix)
		return m.series.start.unix, true
	}
	if !m.open {
		m.fill()
	}
	if m.budget.over() { // a rule may be missing
		return 0, false
	}
	unix = highest
	if len(m.rdates) > 0 {
		unix = m.rdates[0]
	}
	if len(m.heap) > 0 {
		unix = min(unix, m.heap[0].ready[0])
	}
	if unix == highest {
		return 0, false
	}
	m.drop(unix)
	return unix, true
}

// drop takes an instant off all sources that give it next.
func (m *merge) drop(unix int64) {
	if len(m.rdates) > 0 && m.rdates[0] == unix {
		m.rdates = m.rdates[1:]
	}
	for taken := 0; len(m.heap) > 0 && m.heap[0].ready[0] == unix; taken++ {
		if taken > 0 {
			m.budget.spend(stepsToTake)
		}
		m.replace()
	}
}

// push adds a stream to the heap unless it is empty.
func (m *merge) push(s *stream) {
	if !s.more() {
		return
	}
	m.heap = append(m.heap, s)
	for i := len(m.heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if m.heap[parent].ready[0] <= m.heap[i].ready[0] {
			return
		}
		m.heap[parent], m.heap[i] = m.heap[i], m.heap[parent]
		i = parent
	}
}

// replace takes the stream at the top to its next instance, or off the heap.
func (m *merge) replace() {
	top := m.heap[0]
	top.ready = top.ready[1:]
	if !top.more() {
		last := len(m.heap) - 1
		m.heap[0] = m.heap[last]
		m.heap = m.heap[:last]
	}
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(m.heap); child++ {
			if m.heap[child].ready[0] < m.heap[least].ready[0] {
				least = child
			}
		}
		if least == i {
			return
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}
