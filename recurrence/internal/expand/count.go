package expand

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Count returns the number of instances if it can do so without visiting them all. ok is false if it cannot, or if the
// budget is too small.
func (s *Series) Count() (n int64, ok bool) {
	if len(s.rules) > 1 || len(s.exRules) > 0 || len(s.exdays) > 0 || s.oddStart || s.options.Shift {
		return 0, false
	}
	b := s.NewBudget()
	for _, p := range s.rules { // one at most
		n = min(s.rank(p, s.endOf(p), b), p.count)
	}
	n += s.countBesideRules(b) - s.countExcluded(b)
	return n, !b.IsOver()
}

// countBesideRules returns the number of instances that only the start and RDATE give.
func (s *Series) countBesideRules(b *Budget) (n int64) {
	if s.starts && !s.anyGives(s.rules, s.start.Instant, b) {
		n++
	}
	for _, unix := range s.rdates {
		isStart := s.starts && unix == s.start.Instant
		if b.spend(1) && !isStart && !s.anyGives(s.rules, unix, b) {
			n++
		}
	}
	return n
}

func (s *Series) countExcluded(b *Budget) (n int64) {
	for i, unix := range s.exdates { // these may repeat
		if (i == 0 || s.exdates[i-1] != unix) && b.spend(1) && s.includes(unix, b) {
			n++
		}
	}
	return n
}

// endOf returns the first clock after all clocks that the UNTIL of a rule allows. An UNTIL that is the second instant of a
// clock allows all clocks that are shown twice there, since their instances are the first instants.
func (s *Series) endOf(p *plan) int64 {
	if p.until == NoUntil {
		return p.untilClock + 1
	}
	r := civil.NewResolver(s.zone)
	clock := s.zone.ClockAt(p.until)
	if unix, _ := r.Resolve(clock); unix == p.until {
		return clock + 1
	}
	change := s.zone.SpanAt(p.until).Begin
	return change + s.zone.SpanAt(change-1).Offset
}

// rank returns the number of instances of a rule on clocks before the given one, within UNTIL. If COUNT allows fewer, it
// may not count them all.
func (s *Series) rank(p *plan, clock int64, b *Budget) int64 {
	n, _ := s.rankUpTo(p, clock, b)
	return n
}

// rankUpTo is rank. It also returns the clock before which it counted: an earlier one if COUNT allows no more.
func (s *Series) rankUpTo(p *plan, clock int64, b *Budget) (n, end int64) {
	p.makeSchedule()
	clock = min(clock, p.untilClock+1)
	if s.oddStart {
		return s.rankOneByOne(p, clock, b)
	}
	for enough := p.count; ; {
		n, end := p.matchesBefore(clock, enough, b)
		lost := s.lostBefore(p, end, b)
		if end == clock || n-lost >= p.count || b.IsOver() {
			return n - lost, end
		}
		enough = p.count + lost
	}
}

// rankOneByOne is rankUpTo for an odd start: the clocks between the start's and the first clock after its instant are not
// instances.
func (s *Series) rankOneByOne(p *plan, clock int64, b *Budget) (n, end int64) {
	w := p.newWalker(p.first, clock, b)
	r := civil.NewResolver(s.zone)
	for end = p.first; n < p.count; {
		at, ok := w.pop()
		if !ok || at >= clock || !b.spend(1) {
			return n, clock
		}
		end = at + 1
		unix, exists := r.Resolve(at)
		if at == p.first || (exists || s.options.Shift) && unix > s.start.Instant {
			n++
		}
	}
	return n, end
}

// The matches of a plan repeat with the calendar, so they can be counted far ahead of the start:
// each cycle has as many as the first.

// fewMatches is a number of matches that are visited faster than the matches of a cycle.
const fewMatches = 1 << 16

// matchesBefore returns the number of matches before a clock. It may stop at an earlier clock, end, after enough of them.
func (p *plan) matchesBefore(clock, enough int64, b *Budget) (n, end int64) {
	begin, length := p.first, p.cycleLength()
	if p.loses { // the matches also depend on the changes of the clock
		begin, length = p.lossesRepeat(p.zone, length)
	}
	if length == 0 || enough <= fewMatches {
		w := p.newWalker(p.first, clock, b)
		return w.skip(clock, enough)
	}
	before := func(clock int64) int64 { return p.matchesBetween(p.first, clock, b) }
	return p.matchesPerCycle.countBefore(clock, begin, length, before, b), clock
}

// matchesBetween returns the number of matches at or after from and before to. It visits every
// period, or at least every day.
func (p *plan) matchesBetween(from, to int64, b *Budget) int64 {
	w := p.newWalker(from, to, b)
	n, _ := w.skip(to, math.MaxInt64)
	return n
}

// maxCycles is the maximum number of cycles of the calendar that are worth counting.
const maxCycles = 8

// cycleLength returns the seconds after which the matches of a plan repeat: 400 years, or the
// first multiple of that which INTERVAL divides. It is 0 if that is too long. It is also 0 for
// the frequencies below DAILY that have no equivalent DAILY rule: they are counted by
// arithmetic, or have too many periods.
func (p *plan) cycleLength() int64 {
	if p.freq.subDaily() {
		return 0
	}
	cycles := p.interval / gcd(p.interval, p.freq.cycle())
	if cycles > maxCycles {
		return 0
	}
	return cycles * civil.Cycle
}

// tally counts things in a cycle of the calendar. The zero tally has no count yet.
type tally struct{ plusOne atomic.Int64 }

// countBefore returns the result of before for a clock, but counts only one of the cycles of the given length from begin
// on. A length of 0 means that there are no cycles.
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

// lossesRepeat returns the clock from which on the matches in gaps repeat, and the number of seconds after which they do:
// once the changes of the clock repeat with the calendar. The length is 0 if they never repeat, or if the cycle of the
// matches has the length 0.
func (p *plan) lossesRepeat(zone civil.Zone, matches int64) (begin, length int64) {
	repeat, repeats := zone.RepeatsFrom()
	if !repeats {
		return 0, 0
	}
	return max(p.first, repeat+civil.MaxShift), matches
}

// lostBefore returns the number of matches before a clock that lie in gaps.
func (s *Series) lostBefore(p *plan, clock int64, b *Budget) int64 {
	if s.options.Shift || p.setPos.isGiven() || !p.mayLoseAny(s.zone) {
		return 0 // a match of BYSETPOS exists
	}
	begin, length := p.lossesRepeat(s.zone, p.cycleLength())
	before := func(clock int64) int64 { return s.lostOneByOne(p, clock, b) }
	return p.lostPerCycle.countBefore(clock, begin, length, before, b)
}

// mayLoseAny reports whether a gap of the zone may ever contain a match.
func (p *plan) mayLoseAny(zone civil.Zone) bool {
	if zone.Location == time.UTC {
		return false
	}
	gaps, known := zone.Gaps()
	return p.freq.subDaily() || !known ||
		slices.ContainsFunc(gaps, func(g civil.Gap) bool { return p.times.mayLieBetween(g.Begin, g.End) })
}

// lostOneByOne is lostBefore, but examines each gap.
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
