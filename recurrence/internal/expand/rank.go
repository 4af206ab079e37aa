package expand

import (
	"slices"
	"sync/atomic"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// The matches of a plan repeat with the calendar, so they can be counted far ahead of the start:
// each cycle has as many as the first.

// matchesBefore returns the number of matches before a clock.
func (p *plan) matchesBefore(clock int64, b *Budget) int64 {
	before := func(clock int64) int64 { return p.matchesBetween(p.first, clock, b) }
	return p.matchesPerCycle.countBefore(clock, p.first, p.cycleLength(), before, b)
}

// matchesBetween returns the number of matches at or after from and before to. It visits every
// period.
func (p *plan) matchesBetween(from, to int64, b *Budget) int64 {
	w := p.newWalker(from, to, b)
	return w.skip(to)
}

// maxCycles is how many cycles of the calendar are worth counting.
const maxCycles = 8

// cycleLength returns the seconds after which the matches of a plan repeat: 400 years, or the
// first multiple of that which INTERVAL divides. It is 0 if that is too long. It is also 0 for
// the frequencies below DAILY that have no equivalent DAILY rule: they are counted by
// arithmetic, or have too many periods.
func (p *plan) cycleLength() int64 {
	var periods int64 // of the frequency in 400 years
	switch p.freq {
	case Yearly:
		periods = 400
	case Monthly:
		periods = 400 * 12
	case Weekly:
		periods = civil.CycleDays / 7
	case Daily:
		periods = civil.CycleDays
	default:
		return 0
	}
	cycles := p.interval / gcd(p.interval, periods)
	if cycles > maxCycles {
		return 0
	}
	return cycles * civil.Cycle
}

// tally is how many of something a cycle of the calendar has. The zero tally is not counted yet.
type tally struct{ plusOne atomic.Int64 }

// countBefore returns what before does for a clock, but with cycles of some length from begin on it
// counts only one. A length of 0 means that there are no cycles.
func (t *tally) countBefore(clock, begin, length int64, before func(int64) int64, b *Budget) int64 {
	if length == 0 || clock-begin <= length {
		return before(clock)
	}
	if t.plusOne.Load() == 0 {
		n := before(begin+length) - before(begin)
		if b.IsOver() {
			return 0
		}
		t.plusOne.Store(n + 1)
	}
	cycles := (clock - begin) / length
	return cycles*(t.plusOne.Load()-1) + before(clock-cycles*length)
}

// lostBefore returns the number of matches before a clock that lie in gaps. Once the changes of
// the clock repeat with the calendar, so do the matches in gaps.
func (s *Series) lostBefore(p *plan, clock int64, b *Budget) int64 {
	if !p.freq.subDaily() && !mayLoseAny(s.zone, &p.times) {
		return 0
	}
	length := p.cycleLength()
	repeat, repeats := s.zone.RepeatsFrom()
	if !repeats {
		length = 0
	}
	before := func(clock int64) int64 { return s.lostOneByOne(p, clock, b) }
	return p.lostPerCycle.countBefore(clock, max(p.first, repeat+civil.MaxShift), length, before, b)
}

// mayLoseAny reports whether a gap of the zone may ever contain one of the times.
func mayLoseAny(zone civil.Zone, times *dayTimes) bool {
	gaps, known := zone.Gaps()
	return !known || slices.ContainsFunc(gaps, func(g civil.Gap) bool { return times.mayLieBetween(g.Begin, g.End) })
}

// lostOneByOne is lostBefore by looking at each gap.
func (s *Series) lostOneByOne(p *plan, clock int64, b *Budget) int64 {
	n := int64(0)
	for span := s.zone.SpanAt(s.start.Instant); span.End+span.Offset < clock && b.spend(4); {
		next := s.zone.SpanAt(span.End)
		begin, end := span.End+span.Offset, min(span.End+next.Offset, clock)
		if begin < end && (p.freq.subDaily() || p.times.mayLieBetween(begin, end)) {
			n += p.matchesBetween(begin, end, b)
		}
		span = next
	}
	return n
}
