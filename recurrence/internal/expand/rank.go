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
	length := p.cycleLength()
	if length == 0 || clock-p.first <= length {
		return p.matchesBetween(p.first, clock, b)
	}
	perCycle := p.matchesPerCycle.get(b, func() int64 { return p.matchesBetween(p.first, p.first+length, b) })
	cycles := (clock - p.first) / length
	return cycles*perCycle + p.matchesBetween(p.first, clock-cycles*length, b)
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

// tally is a number that is counted once. The zero tally is not counted yet.
type tally struct{ plusOne atomic.Int64 }

// get returns the number. It counts it unless that has been done before, within a budget.
func (t *tally) get(b *Budget, count func() int64) int64 {
	if n := t.plusOne.Load(); n > 0 {
		return n - 1
	}
	n := count()
	if !b.IsOver() {
		t.plusOne.Store(n + 1)
	}
	return n
}

// lostBefore returns the number of matches before a clock that lie in gaps. Once the changes of
// the clock repeat with the calendar, so do the matches in gaps.
func (s *Series) lostBefore(p *plan, clock int64, b *Budget) int64 {
	if !p.freq.subDaily() && !mayLoseAny(s.zone, &p.times) {
		return 0
	}
	length := p.cycleLength()
	repeat, repeats := s.zone.RepeatsFrom()
	begin := max(p.first, repeat+civil.MaxShift)
	if length == 0 || !repeats || clock-begin <= length {
		return s.lostOneByOne(p, clock, b)
	}
	perCycle := p.lostPerCycle.get(b, func() int64 { return s.lostOneByOne(p, begin+length, b) - s.lostOneByOne(p, begin, b) })
	cycles := (clock - begin) / length
	return cycles*perCycle + s.lostOneByOne(p, clock-cycles*length, b)
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
