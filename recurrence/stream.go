package recurrence

import "math"

// stream gives the instances of one rule as instants, in ascending order.
type stream struct {
	walker
	resolver
	start    *Start
	shift    bool  // shift what lies in a gap instead of leaving it out
	left     int64 // how many instances COUNT still allows
	earliest int64 // the first instant that is asked for

	ready []int64 // instances that were made ready, in order
	size  int     // how many to make ready next time
	ended bool    // there are no more to make ready
	inGap []int64 // shifted instances for which those to be before them are still to come
	buf   [64]int64
}

// newStream returns the instances of p from the instant from on. It looks for none after
// the instant to, though it may give some.
func (s *Series) newStream(p *plan, from, to int64, b *budget) *stream {
	st := &stream{
		resolver: newResolver(s.zone),
		start:    &s.start,
		shift:    s.options.Gap == Shift,
		left:     p.count,
		earliest: from,
		size:     1,
	}
	clock := p.first
	if from > s.start.unix {
		clock = max(clock, s.zone.clockAt(from))
		if st.shift { // what is shifted to from may lie before it on the clock
			clock = max(p.first, clock-maxShift)
		}
	}
	if p.count != math.MaxInt64 && clock > p.first {
		st.left -= s.rank(p, clock, b)
	}
	st.walker = p.newWalker(clock, s.clockAfter(to), b)
	return st
}

// clockAfter returns a clock that no instant up to unix shows, nor a time shifted there.
func (s *Series) clockAfter(unix int64) int64 {
	if unix >= never {
		return maxClock
	}
	return s.zone.clockAt(unix) + maxShift
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
	if first < s.begin || last >= s.end || last > s.untilClock {
		return false
	}
	if first-s.offset < max(s.earliest, s.start.unix+1) || last-s.offset > s.until || s.left < int64(len(clocks)) {
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
		if !exists || s.early(unix, clock) {
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
		if s.early(unix, clock) || !exists && unix > s.until {
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

// instant is resolve, but for the start: it may be the second time that the clock shows it, or
// one that it does not show.
func (s *stream) instant(clock int64) (unix int64, exists bool) {
	if clock == s.first {
		return s.start.unix, true
	}
	return s.resolve(clock)
}

// early reports whether a clock lies before the start, or means the same instant as the
// start's, whose own clock means none.
func (s *stream) early(unix, clock int64) bool { return clock != s.first && unix <= s.start.unix }

// take counts an instance, or ends the stream where UNTIL or COUNT allows no more.
func (s *stream) take(unix, clock int64) bool {
	if s.left <= 0 || unix > s.until || clock > s.untilClock {
		s.ended = true
		return false
	}
	s.left--
	return true
}
