package expand

import (
	"container/heap"
	"iter"
	"math"
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// An Iterator yields the instances in a window in ascending order. An Iterator keeps the streams of the rules in a
// heap, ordered by their next instances.
type Iterator struct {
	Query

	// Thorough makes the search continue after a rule exhausts the budget, to yield the remaining instances before the point at
	// which that rule stopped. The other rules get some additional steps to continue, so the budget must not be shared with
	// another search.
	Thorough bool

	// FromRule reports whether rules produced the last instance, or all instances in the last batch.
	FromRule bool

	from, to int64
	start    bool // the start is an instance that has not been yielded yet
	rdates   []int64
	exdates  []int64 // at or after the last instant
	filled   bool    // the heap has been filled, or remains empty
	heap     streams
	single   [1]int64

	candidate int64 // an instant that has not been checked for exclusion, or Latest
	isCut     bool  // the window was cut off where a rule exhausted the budget
}

// Iterate returns an iterator over the instances at or after from and before to. The cost of finding instances is charged to b.
func (s *Series) Iterate(from, to int64, b *Budget) *Iterator {
	s.makeSchedules()
	i, _ := slices.BinarySearch(s.rdates, from)
	k, _ := slices.BinarySearch(s.exdates, from)
	return &Iterator{
		Query: s.Ask(b), from: from, to: to,
		start:   s.starts && from <= s.start.Instant,
		rdates:  s.rdates[i:],
		exdates: s.exdates[k:],
		filled:  from >= EndOfCalendar,

		candidate: Latest,
	}
}

// Prepend adds RDATE instants before the window to the instances that the iterator yields. The instants must be in ascending
// order.
func (it *Iterator) Prepend(early []int64) {
	if len(early) > 0 {
		it.rdates = slices.Concat(early, it.rdates)
		it.exdates = it.series.exdates
	}
}

// Position returns an instant before which all instances have been yielded when the budget is exhausted.
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

// leave drops a stream that has no more instances. If the stream stopped because the budget is exhausted, later instances are
// unknown, so the window is cut off where the stream stopped.
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

// end marks the budget as exhausted at the end of a window that was cut off.
func (it *Iterator) end() {
	if it.isCut {
		it.Budget.left = -1
	}
}

// The costs of rules in steps, in addition to the cost of visiting periods.
const (
	stepsToPass = 1 // skipping a rule that has no instances in the window
	stepsToAsk  = 8 // asking a rule for its first instance
	stepsToTake = 4 // taking an instance that another rule has already produced
)

// fill asks the rules for their first instances. Because rules can take a long time and the start does not depend on rules,
// fill is called only after the start has been taken.
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

// ask adds the stream of a rule to the heap if the rule has an instance in the window.
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

// Next returns the next instance, or false if there is none or if the budget is exhausted.
func (it *Iterator) Next() (unix int64, ok bool) {
	for !it.Budget.IsOver() {
		unix, ok = it.pop()
		if !ok || unix >= it.to {
			it.end()
			return 0, false
		}
		it.candidate = unix
		excluded := it.series.excludes && it.excludes(unix)
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

// Batch returns the next instances, or an empty slice if there are no more. The slice is valid until the next call. If
// only a single rule is left, Batch returns all its ready instances, since they need no merging.
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

// excludes reports whether the series excludes an instant, which must not be before the preceding instant.
func (it *Iterator) excludes(unix int64) bool {
	for len(it.exdates) > 0 && it.exdates[0] < unix {
		it.exdates = it.exdates[1:]
	}
	return len(it.exdates) > 0 && it.exdates[0] == unix || it.isExcludedOtherwise(unix)
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
	if it.Budget.IsOver() { // a rule may be missing from the heap
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

// drop removes an instant from every source that would yield the instant next.
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
	switch {
	case !top.more():
		heap.Pop(&it.heap)
		it.leave(top)
	case len(it.heap) > 1:
		heap.Fix(&it.heap, 0)
	}
}

// streams is a heap of streams. Every stream in the heap has a next instance.
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

// A series can be expanded only forward, since COUNT counts from the start. Backward therefore expands one window after
// another, from the last to the first. The width of each window depends on the number of instances in the previous window.
const (
	fewInWindow  = 16  // if a window has fewer instances, the next window is twice as wide
	mostInWindow = 512 // if a window has more instances, it is halved and expanded again
)

// lastWindow returns an upper bound for the instances before to, and the initial width of the window. If to does not
// limit a series with few instances, the window contains the whole series.
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

// appendWindow appends the instances in a window, stopping once there are more than mostInWindow instances.
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
