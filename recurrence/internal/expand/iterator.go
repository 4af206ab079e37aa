package expand

import (
	"container/heap"
	"iter"
	"math"
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Iterator yields the instances of a window in ascending order. It keeps the streams of the
// rules in a heap, ordered by their next instances.
type Iterator struct {
	Budget *Budget

	// Thorough reports whether the search goes on after a rule uses up the budget: the instances before that are
	// yielded first. The other rules get a little more for them, so no other search may use the budget.
	Thorough bool

	// FromRule reports whether a rule gives the last instance, or all of the last batch.
	FromRule bool

	series   *Series
	from, to int64
	start    bool // the start is still to come
	rdates   []int64
	filled   bool // the heap is filled, or stays empty
	heap     streams
	single   [1]int64

	candidate int64 // an instant that may be excluded, or Latest
	isCut     bool  // the window ends where a rule used up the budget
}

// Iterate returns the instances at or after from and before to. The cost of finding one is charged to b.
func (s *Series) Iterate(from, to int64, b *Budget) *Iterator {
	s.makeSchedules()
	i, _ := slices.BinarySearch(s.rdates, from)
	return &Iterator{
		Budget: b, series: s, from: from, to: to,
		start:  s.starts && from <= s.start.Instant,
		rdates: s.rdates[i:],
		filled: from >= EndOfCalendar,

		candidate: Latest,
	}
}

// Prepend adds RDATE instants that are before the window, in ascending order.
func (it *Iterator) Prepend(early []int64) {
	if len(early) > 0 {
		it.rdates = slices.Concat(early, it.rdates)
	}
}

// Position returns an instant before which no instance is missing when the budget is used up.
func (it *Iterator) Position() int64 {
	if it.candidate != Latest {
		return it.candidate
	}
	at := it.to
	if len(it.rdates) > 0 {
		at = min(at, it.rdates[0])
	}
	for _, s := range it.heap {
		at = min(at, s.position())
	}
	return at
}

// leave drops a stream that has no more instances, or none within the budget. In that case nothing is known from there on,
// so the window ends there.
func (it *Iterator) leave(s *stream) {
	if it.Budget.IsOver() {
		it.cut(s.position())
	}
}

func (it *Iterator) cut(at int64) {
	it.to, it.isCut = min(it.to, at), true
	if it.Thorough {
		it.Budget.left = it.Budget.each / int64(len(it.series.rules))
	}
}

// end exhausts the budget at the end of a window that was cut.
func (it *Iterator) end() {
	if it.isCut {
		it.Budget.left = -1
	}
}

// The costs of rules in addition to the visited periods, in steps.
const (
	stepsToPass = 1 // a rule that has no instances in the window
	stepsToAsk  = 8 // a rule for its first instance
	stepsToTake = 4 // an instance from a rule, if another rule gave it as well
)

// fill asks the rules for their first instances. The start needs no rule, so this waits until it
// is taken: the rules may take long.
func (it *Iterator) fill() {
	it.filled = true
	it.heap = make(streams, 0, len(it.series.rules))
	for _, p := range it.series.rules {
		it.ask(p)
	}
	heap.Init(&it.heap)
	if it.series.starts && it.from <= it.series.start.Instant {
		it.drop(it.series.start.Instant)
	}
}

// ask adds a rule to the heap if it has an instance.
func (it *Iterator) ask(p *plan) {
	switch {
	case p.covered || p.never || p.until < it.from:
		it.Budget.spend(stepsToPass)
		return
	case !it.Budget.spend(stepsToAsk):
		it.cut(it.from)
		return
	}
	if s := it.series.newStream(p, it.from, it.to, it.Budget); s.more() {
		it.heap = append(it.heap, s)
	} else {
		it.leave(s)
	}
}

// Next returns the next instance. ok is false if there is none, or if the budget is exhausted.
func (it *Iterator) Next() (unix int64, ok bool) {
	for !it.Budget.IsOver() {
		unix, ok = it.pop()
		if !ok || unix >= it.to {
			it.end()
			return 0, false
		}
		it.candidate = unix
		excluded := it.series.excludes && it.series.isExcluded(unix, it.Budget)
		if it.series.excludes && it.Budget.IsOver() {
			return 0, false
		}
		if it.candidate = Latest; !excluded {
			return unix, true
		}
		it.Budget.spend(1)
	}
	return 0, false
}

// Batch returns the next instances, or none if there are no more. They are valid until the next
// call. With a single rule left it returns as many as are ready, since they need no merging.
func (it *Iterator) Batch() []int64 {
	if !it.filled || len(it.rdates) > 0 || len(it.heap) != 1 || it.series.excludes {
		unix, ok := it.Next()
		if !ok {
			return nil
		}
		it.single[0] = unix
		return it.single[:]
	}
	s := it.heap[0]
	if it.Budget.IsOver() || !s.more() {
		it.leave(s)
		it.end()
		return nil
	}
	n := len(s.ready)
	for n > 0 && s.ready[n-1] >= it.to {
		n--
	}
	it.FromRule = true
	batch := s.ready[:n]
	if s.ready = nil; n == 0 {
		s.ended = true
		it.end()
	}
	return batch
}

func (it *Iterator) pop() (unix int64, ok bool) {
	if it.start {
		it.start = false
		it.drop(it.series.start.Instant)
		return it.series.start.Instant, true
	}
	if !it.filled {
		it.fill()
	}
	if it.Budget.IsOver() { // a rule may be missing
		return 0, false
	}
	unix = Latest
	if len(it.rdates) > 0 {
		unix = it.rdates[0]
	}
	if len(it.heap) > 0 {
		unix = min(unix, it.heap[0].ready[0])
	}
	if unix == Latest {
		return 0, false
	}
	it.drop(unix)
	return unix, true
}

// drop takes an instant from all sources whose next instant it is.
func (it *Iterator) drop(unix int64) {
	if len(it.rdates) > 0 && it.rdates[0] == unix {
		it.rdates = it.rdates[1:]
	}
	it.FromRule = len(it.heap) > 0 && it.heap[0].ready[0] == unix
	for taken := 0; len(it.heap) > 0 && it.heap[0].ready[0] == unix; taken++ {
		if taken > 0 {
			it.Budget.spend(stepsToTake)
		}
		it.dropTop()
	}
}

func (it *Iterator) dropTop() {
	top := it.heap[0]
	top.ready = top.ready[1:]
	if top.more() {
		heap.Fix(&it.heap, 0)
	} else {
		heap.Pop(&it.heap)
		it.leave(top)
	}
}

// streams is a heap of streams that have a next instance.
type streams []*stream

func (s streams) Len() int      { return len(s) }
func (s streams) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s *streams) Push(x any)   { *s = append(*s, x.(*stream)) }

func (s streams) Less(i, j int) bool { return s[i].ready[0] < s[j].ready[0] }

// Pop removes the last stream, as package heap requires.
func (s *streams) Pop() any {
	last := len(*s) - 1
	*s = (*s)[:last]
	return nil
}

// A series can only be walked forward, since COUNT counts from the start. Backward walks through windows instead, whose
// width depends on the number of instances in the last one.
const (
	fewInWindow  = 16  // with fewer than these the next window is twice as wide
	mostInWindow = 512 // with more than these a window is halved and walked again
)

// lastWindow returns the end of the instances before to, or a later instant, and the initial width of the window. If
// nothing bounds a series with few instances, that is all of it.
func (s *Series) lastWindow(to int64, b *Budget) (end, width int64) {
	most := int64(len(s.rdates) + 1)
	end = s.start.Instant + 1
	if n := len(s.rdates); n > 0 {
		end = s.rdates[n-1] + 1
	}
	for _, p := range s.rules {
		p.makeSchedule()
		most += min(p.count, EndOfCalendar)
	}
	if to >= EndOfCalendar && most <= mostInWindow {
		return EndOfCalendar, EndOfCalendar
	}
	for _, p := range s.rules {
		clock := min(p.untilClock+1, s.clockAfter(to))
		if p.count != math.MaxInt64 {
			_, clock = s.rankUpTo(p, clock, b)
		}
		end = max(end, min(p.until, clock+civil.MaxShift)+1)
	}
	end = min(end, to, EndOfCalendar)
	return end, max((end-s.start.Instant)/most*fewInWindow, civil.SecondsPerDay)
}

// Backward yields the instances at or after from and before to, from the last to the first.
func (s *Series) Backward(from, to int64, b *Budget) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		var instants []int64
		end, width := s.lastWindow(to, b)
		for begin := max(from, s.start.Instant); end > begin; {
			window := max(begin, end-width)
			instants = s.appendWindow(instants[:0], window, end, b)
			if b.IsOver() {
				return
			}
			if len(instants) > mostInWindow {
				width /= 2
				continue
			}
			for _, unix := range slices.Backward(instants) {
				if !yield(unix) {
					return
				}
			}
			if end = window; len(instants) < fewInWindow {
				width *= 2
			}
		}
	}
}

// appendWindow appends the instances of a window. It stops after more than mostInWindow instances.
func (s *Series) appendWindow(instants []int64, from, to int64, b *Budget) []int64 {
	b.Renew(0)
	it := s.Iterate(from, to, b)
	for len(instants) <= mostInWindow {
		batch := it.Batch()
		if len(batch) == 0 {
			return instants
		}
		instants = append(instants, batch...)
		b.Renew(len(batch))
	}
	return instants
}
