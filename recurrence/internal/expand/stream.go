package expand

import (
	"math"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A stream yields the instances of one rule as instants, in ascending order.
type stream struct {
	walker
	civil.Resolver
	start    *Start
	shift    bool  // shift instances out of gaps instead of dropping them
	left     int64 // the number of instances that COUNT still allows
	earliest int64 // the first instant to yield

	ready  []int64 // the next instances, in order
	size   int     // the number of matches to take in the next refill
	ended  bool    // there are no instances after ready
	inGap  []int64 // shifted instances that must wait for earlier instances
	clocks [64]int64
}

// newStream returns a stream of the instances of p at or after from. The stream may yield instances after to, but does
// not search for them.
func (s *Series) newStream(p *plan, from, to int64, b *Budget) *stream {
	st := &stream{
		Resolver: s.Local,
		start:    &s.start,
		shift:    s.options.Shift,
		left:     p.count,
		earliest: from,
		size:     1,
	}
	clock := p.first
	if from > s.start.Instant {
		clock = max(clock, s.zone.ClockAt(from))
		if st.shift { // an instance shifted to from may have an earlier local time
			clock = max(p.first, clock-civil.MaxShift)
		}
	}
	if p.count != math.MaxInt64 && clock > p.first {
		st.left -= s.rank(p, clock, b)
	}
	st.walker = p.newWalker(clock, s.clockAfter(to), b)
	return st
}

// clockAfter returns a local time after the local times of all instants up to unix, even if instances are shifted.
func (s *Series) clockAfter(unix int64) int64 {
	if unix >= EndOfCalendar {
		return civil.MaxClock
	}
	return s.zone.ClockAt(unix) + civil.MaxShift
}

// position returns an instant before which the stream has no further instances.
func (s *stream) position() int64 {
	switch {
	case len(s.ready) > 0:
		return s.ready[0]
	case len(s.inGap) > 0:
		return s.inGap[0]
	}
	unix, exists := s.Resolve(s.walk.begin(s.next, s.weekStart))
	if !exists { // instances after a gap may be earlier than an instance shifted out of the gap
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

// refill adds instances to ready. The first call takes only one match, for callers that need no more; each subsequent call
// takes twice as many matches as the previous call.
func (s *stream) refill() {
	clocks := s.clocks[:s.fill(s.clocks[:s.size])]
	s.size = min(2*s.size, len(s.clocks))
	s.ended = len(clocks) == 0
	if !s.resolveAll(clocks) {
		s.resolveEach(clocks)
	}
}

// resolveAll makes all clocks ready if they are instances with the same UTC offset, or does nothing and returns false if each
// clock must be examined separately, because of a clock change, the end of the rule, the start, or a shifted instance that is
// waiting.
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

// resolveEach examines each clock and makes it ready if it is an instance. An instance shifted out of a gap waits for earlier
// instances with later local times.
func (s *stream) resolveEach(clocks []int64) {
	s.ready = clocks[:0] // reuses the memory, unless shifted instances may have to be inserted
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

// readyShifted makes the shifted instances before unix ready, and drops a shifted instance at unix, which would be a duplicate.
func (s *stream) readyShifted(unix int64) {
	for len(s.inGap) > 0 && s.inGap[0] <= unix {
		if s.inGap[0] < unix {
			s.makeReady(s.inGap[0])
		}
		s.inGap = s.inGap[1:]
	}
}

// instant is like Resolve, except that the local time of the start always resolves to the start, even if the start is the
// second occurrence of that local time or the local time does not exist.
func (s *stream) instant(clock int64) (unix int64, exists bool) {
	if clock == s.first {
		return s.start.Instant, true
	}
	return s.Resolve(clock)
}
