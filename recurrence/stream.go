package recurrence

import (
	"math"
	"time"
)

// stream gives the instances of one rule as instants, in ascending order.
type stream struct {
	walker
	resolver
	start    *Start
	shift    bool  // shift what lies in a gap instead of leaving it out
	left     int64 // how many instances COUNT still allows
	earliest int64 // the first instant that is asked for
	head     int64 // the instance that comes next, where the stream waits in a merge

	ready []int64 // instances that were made ready, in order
	size  int     // how many to make ready next time
	ended bool    // there are no more to make ready
	inGap []int64 // shifted instances for which those to be before them are still to come
	buf   [64]int64
}

// newStream returns the instances of p from the instant from on. It looks for none after
// the instant to, though it may give some.
func (s *Series) newStream(p *plan, from, to int64, b *budget) *stream {
	st := &stream{start: &s.start, shift: s.options.Gap == Shift, resolver: newResolver(s.start.zone), earliest: from, left: p.count, size: 1}
	clock := p.first
	if from > s.start.unix {
		clock = max(clock, clockAt(s.start.zone, from))
		if st.shift { // what is shifted to from may lie before it on the clock
			clock = max(p.first, clock-maxShift)
		}
	}
	if p.count != math.MaxInt64 && clock > p.first {
		st.left -= s.rank(p, clock, b)
	}
	st.walker = p.newWalker(clock, clockAfter(s.start, to), b)
	return st
}

// clockAfter returns a clock that no instant up to unix shows, nor a time shifted there.
func clockAfter(start Start, unix int64) int64 {
	if unix > maxClock+maxShift {
		return maxClock
	}
	return clockAt(start.zone, unix) + maxShift
}

// more makes an instance ready, unless there are some, and reports whether there are any.
func (s *stream) more() bool {
	for len(s.ready) == 0 && !s.ended {
		s.refill()
	}
	return len(s.ready) > 0
}

// refill makes instances ready: one at first, for whoever wants no more, then ever more.
func (s *stream) refill() {
	clocks := s.buf[:s.fill(s.buf[:s.size])]
	s.size = min(2*s.size, len(s.buf))
	switch {
	case len(clocks) == 0:
		s.ended = true
		s.ready = s.shifted(nil, highest)
	case s.shift:
		s.ready = s.resolveShifting(clocks)
	case s.resolveAll(clocks):
		s.ready = clocks
	default:
		s.ready = s.resolveEach(clocks)
	}
}

// resolveAll turns clocks into instants where nothing stands between the first and the
// last: no change of the clock, no end, no start. Otherwise it leaves them and reports false.
func (s *stream) resolveAll(clocks []int64) bool {
	first, last := clocks[0], clocks[len(clocks)-1]
	if first <= s.first || first < s.from || last >= s.to || last > s.untilClock {
		return false
	}
	if first-s.offset < max(s.earliest, s.start.unix) || last-s.offset > s.until || s.left < int64(len(clocks)) {
		return false
	}
	for i := range clocks {
		clocks[i] -= s.offset
	}
	s.left -= int64(len(clocks))
	return true
}

// resolveEach turns clocks into the instants of instances, in place.
func (s *stream) resolveEach(clocks []int64) []int64 {
	instants := clocks[:0]
	for _, clock := range clocks {
		unix, exists := s.instant(clock)
		if !exists || unix < s.start.unix {
			continue
		}
		if !s.take(unix, clock) {
			break
		}
		if unix >= s.earliest {
			instants = append(instants, unix)
		}
	}
	return instants
}

// resolveShifting is resolveEach for [Shift]. A shifted instant waits until the instants
// before it are known, which come later on the clock.
func (s *stream) resolveShifting(clocks []int64) []int64 {
	var instants []int64
	for _, clock := range clocks {
		unix, exists := s.instant(clock)
		if unix < s.start.unix || !exists && unix > s.until {
			continue
		}
		if !s.take(unix, clock) {
			break
		}
		if !exists {
			s.inGap = append(s.inGap, unix)
			continue
		}
		instants = s.shifted(instants, unix)
		if unix >= s.earliest {
			instants = append(instants, unix)
		}
	}
	if s.ended {
		instants = s.shifted(instants, highest)
	}
	return instants
}

// shifted appends the shifted instants before unix to instants. One at unix itself falls
// together with the instant there.
func (s *stream) shifted(instants []int64, unix int64) []int64 {
	for len(s.inGap) > 0 && s.inGap[0] <= unix {
		if s.inGap[0] >= s.earliest && s.inGap[0] < unix {
			instants = append(instants, s.inGap[0])
		}
		s.inGap = s.inGap[1:]
	}
	return instants
}

// instant is resolve, but for the start: it may be the second time that the clock shows it.
func (s *stream) instant(clock int64) (unix int64, exists bool) {
	if clock == s.first {
		return s.start.unix, true
	}
	return s.resolve(clock)
}

// take counts an instance, or ends the stream where UNTIL or COUNT allows no more.
func (s *stream) take(unix, clock int64) bool {
	if s.left <= 0 || unix > s.until || clock > s.untilClock {
		s.ended, s.last = true, s.firstPeriod-1
		return false
	}
	s.left--
	return true
}

// rank returns how many instances the rule has on clocks before the one given, UNTIL and
// COUNT aside. It counts by periods, and takes out what lies in gaps.
func (s *Series) rank(p *plan, clock int64, b *budget) int64 {
	if s.secondStart {
		return s.rankOneByOne(p, clock, b)
	}
	w := p.newWalker(p.first, clock, b)
	n := w.skip(clock)
	if s.start.zone == time.UTC || s.options.Gap == Shift {
		return n
	}
	for at := spanAt(s.start.zone, s.start.unix); at.end+at.offset < clock && b.spend(32); {
		next := spanAt(s.start.zone, at.end)
		if next.offset > at.offset {
			begin, end := at.end+at.offset, min(at.end+next.offset, clock)
			w := p.newWalker(begin, end, b)
			n -= w.skip(end)
		}
		at = next
	}
	return n
}

// rankOneByOne is rank for a start at the second of two times that the clock shows the
// same: what lies between the two is no instance.
func (s *Series) rankOneByOne(p *plan, clock int64, b *budget) int64 {
	w := p.newWalker(p.first, clock, b)
	r := newResolver(s.start.zone)
	for n := int64(0); ; {
		at, ok := w.pop()
		if !ok || at >= clock || !b.spend(1) {
			return n
		}
		unix, exists := r.resolve(at)
		if at == p.first || (exists || s.options.Gap == Shift) && unix >= s.start.unix {
			n++
		}
	}
}

// gives reports whether the rule has an instance at an instant not before the start.
func (s *Series) gives(p *plan, unix int64, b *budget) bool {
	if unix > p.until {
		return false
	}
	if unix == s.start.unix {
		return s.givesClock(p, s.start.clock, b)
	}
	clock := clockAt(s.start.zone, unix)
	r := newResolver(s.start.zone)
	if at, _ := r.resolve(clock); at == unix && s.givesClock(p, clock, b) {
		return true
	}
	if s.options.Gap == Omit {
		return false
	}
	clock = unix + spanAt(s.start.zone, spanAt(s.start.zone, unix).begin-1).offset
	at, exists := r.resolve(clock)
	return !exists && at == unix && s.givesClock(p, clock, b)
}

// givesClock reports whether the rule has an instance on a clock that exists or is shifted.
func (s *Series) givesClock(p *plan, clock int64, b *budget) bool {
	if clock > p.untilClock || !p.matchesClock(clock, b) {
		return false
	}
	return p.count == math.MaxInt64 || s.rank(p, clock, b) < p.count
}

// matchesClock reports whether the parts of the rule match a clock, UNTIL and COUNT aside.
// It looks at one period.
func (p *plan) matchesClock(clock int64, b *budget) bool {
	period := p.periodOf(clock)
	if clock < p.first || p.never || (period-p.firstPeriod)%p.step != 0 {
		return false
	}
	w := walker{plan: p, budget: b, year: noYear, last: period}
	w.seek(clock)
	at, ok := w.pop()
	return ok && at == clock
}
