package expand

import (
	"math"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// stream yields the instances of one rule as instants, in ascending order.
type stream struct {
	walker
	civil.Resolver
	start    *Start
	shift    bool  // shift instances out of gaps instead of leaving them out
	left     int64 // the number of instances that COUNT still allows
	earliest int64 // the first instant to yield

	ready  []int64 // the next instances, in order
	size   int     // the number of matches to take next time
	ended  bool    // nothing comes after ready
	inGap  []int64 // shifted instances that have to wait for earlier instances
	clocks [64]int64
}

// newStream returns the instances of p at or after the instant from. It searches no further than the instant to, but may
// yield later instances.
func (s *Series) newStream(p *plan, from, to int64, b *Budget) *stream {
	st := &stream{
		Resolver: civil.NewResolver(s.zone),
		start:    &s.start,
		shift:    s.options.Shift,
		left:     p.count,
		earliest: from,
		size:     1,
	}
	clock := p.first
	if from > s.start.Instant {
		clock = max(clock, s.zone.ClockAt(from))
		if st.shift { // an instance shifted to from may have an earlier clock
			clock = max(p.first, clock-civil.MaxShift)
		}
	}
	if p.count != math.MaxInt64 && clock > p.first {
		st.left -= s.rank(p, clock, b)
	}
	st.walker = p.newWalker(clock, s.clockAfter(to), b)
	return st
}

// clockAfter returns a clock after the clocks of all instants up to unix, even when shifted.
func (s *Series) clockAfter(unix int64) int64 {
	if unix >= EndOfCalendar {
		return civil.MaxClock
	}
	return s.zone.ClockAt(unix) + civil.MaxShift
}

// position returns an instant before which the stream has no more instances.
func (s *stream) position() int64 {
	switch {
	case len(s.ready) > 0:
		return s.ready[0]
	case len(s.inGap) > 0:
		return s.inGap[0]
	}
	unix, exists := s.Resolve(s.walk.begin(s.next, s.weekStart))
	if !exists { // instances after the gap may be earlier than one that is shifted out of it
		unix -= civil.MaxShift
	}
	return unix
}

func (s *stream) more() bool {
	for len(s.ready) == 0 && !s.ended {
		s.refill()
	}
	return len(s.ready) > 0
}

// refill makes instances ready: one at first, for callers who want only that, then more and more.
func (s *stream) refill() {
	clocks := s.clocks[:s.fill(s.clocks[:s.size])]
	s.size = min(2*s.size, len(s.clocks))
	s.ended = len(clocks) == 0
	if !s.resolveAll(clocks) {
		s.resolveEach(clocks)
	}
}

// resolveAll makes all clocks ready if they are instances of the same offset. It returns false and does nothing if each
// needs a decision: there is a change of the clock, an end or the start among them, or a shifted instance is waiting.
func (s *stream) resolveAll(clocks []int64) bool {
	if len(clocks) == 0 || len(s.inGap) > 0 {
		return false
	}
	first, last := clocks[0], clocks[len(clocks)-1]
	offset, ok := s.Offset(first, last)
	if !ok || last > s.untilClock || last-offset > s.until || s.left < int64(len(clocks)) ||
		first-offset < max(s.earliest, s.start.Instant+1) {
		return false
	}
	if offset != 0 {
		for i := range clocks {
			clocks[i] -= offset
		}
	}
	s.left -= int64(len(clocks))
	s.ready = clocks
	return true
}

// resolveEach makes those clocks ready that are instances. An instance shifted out of a gap
// waits for the instances before it, which have later clocks.
func (s *stream) resolveEach(clocks []int64) {
	s.ready = clocks[:0] // in place, unless shifted instances come in between
	if s.shift {
		s.ready = nil
	}
	for _, clock := range clocks {
		unix, exists := s.instant(clock)
		isEarly := clock != s.first && unix <= s.start.Instant
		if isEarly || !exists && (!s.shift || unix > s.until) {
			continue
		}
		if s.left <= 0 || unix > s.until || clock > s.untilClock {
			s.ended = true
			break
		}
		s.left--
		if !exists {
			s.inGap = append(s.inGap, unix)
			continue
		}
		s.readyShifted(unix)
		s.makeReady(unix)
	}
	if s.ended {
		s.readyShifted(Latest)
	}
}

func (s *stream) makeReady(unix int64) {
	if unix >= s.earliest {
		s.ready = append(s.ready, unix)
	}
}

// readyShifted makes the shifted instances before unix ready. An instance at unix is the same instance.
func (s *stream) readyShifted(unix int64) {
	for len(s.inGap) > 0 && s.inGap[0] <= unix {
		if s.inGap[0] < unix {
			s.makeReady(s.inGap[0])
		}
		s.inGap = s.inGap[1:]
	}
}

// instant is Resolve, except that the clock of the start always means the start, even if it occurs for the second time or
// not at all.
func (s *stream) instant(clock int64) (unix int64, exists bool) {
	if clock == s.first {
		return s.start.Instant, true
	}
	return s.Resolve(clock)
}
