package recurrence

import (
	"sync/atomic"
	"time"
)

// rank returns how many instances the rule has on clocks before the one given, as far as
// UNTIL allows and COUNT aside. It counts by periods or by cycles, and takes out what lies in
// gaps.
func (s *Series) rank(p *plan, clock int64, b *budget) int64 {
	clock = min(clock, p.untilClock+1)
	if s.oddStart {
		return s.rankOneByOne(p, clock, b)
	}
	n := p.matchesBefore(clock, b)
	if s.zone.location == time.UTC || s.options.Gap == Shift {
		return n
	}
	return n - s.lostBefore(p, clock, b)
}

// matchesBefore returns how many matches lie before a clock. What a plan matches comes again
// after a cycle of the calendar, so that each cycle holds as many matches as the first.
func (p *plan) matchesBefore(clock int64, b *budget) int64 {
	length := p.cycleLength()
	if length == 0 || clock-p.first <= length {
		return p.matchesBetween(p.first, clock, b)
	}
	cycles := (clock - p.first) / length
	return cycles*p.perCycle(length, b) + p.matchesBetween(p.first, clock-cycles*length, b)
}

// matchesBetween counts matches by a look at each period.
func (p *plan) matchesBetween(from, to int64, b *budget) int64 {
	w := p.newWalker(from, to, b)
	return w.skip(to)
}

// maxCycle is the longest cycle that is worth to be counted, in seconds.
const maxCycle = 8 * cycle

// cycleLength returns after how many seconds a plan begins anew: 400 years, or as many times
// that as it takes until INTERVAL fits in. It is 0 where that is too long, and for the
// frequencies below DAILY: those that have no other form are counted by arithmetic, or have
// too many periods.
func (p *plan) cycleLength() int64 {
	var periods int64 // of the frequency in 400 years
	switch p.freq {
	case Yearly:
		periods = 400
	case Monthly:
		periods = 400 * 12
	case Weekly:
		periods = cycleDays / 7
	case Daily:
		periods = cycleDays
	default:
		return 0
	}
	times := p.interval / gcd(p.interval, periods)
	if times > maxCycle/cycle {
		return 0
	}
	return times * cycle
}

// perCycle returns how many matches a cycle holds.
func (p *plan) perCycle(length int64, b *budget) int64 {
	return p.matchesPerCycle.get(b, func() int64 { return p.matchesBetween(p.first, p.first+length, b) })
}

// tally is a number that is counted once. The zero tally is not counted yet.
type tally struct{ plusOne atomic.Int64 }

// get returns the number, and counts it where that was not done within a budget before.
func (t *tally) get(b *budget, count func() int64) int64 {
	if n := t.plusOne.Load(); n > 0 {
		return n - 1
	}
	n := count()
	if !b.over() {
		t.plusOne.Store(n + 1)
	}
	return n
}

// lostBefore returns how many matches before a clock lie in gaps. Once the changes of the
// clock repeat with the calendar, so does what they take out.
func (s *Series) lostBefore(p *plan, clock int64, b *budget) int64 {
	if p.freq >= Daily && !s.zone.hasGapAt(&p.clock) {
		return 0
	}
	length := p.cycleLength()
	begin := max(p.first, cycleBegin+maxShift)
	if length == 0 || !s.zone.repeats() || clock-begin <= length {
		return s.lostByOne(p, clock, b)
	}
	perCycle := p.lostPerCycle.get(b, func() int64 { return s.lostByOne(p, begin+length, b) - s.lostByOne(p, begin, b) })
	cycles := (clock - begin) / length
	return cycles*perCycle + s.lostByOne(p, clock-cycles*length, b)
}

// lostByOne is lostBefore by a look at each gap.
func (s *Series) lostByOne(p *plan, clock int64, b *budget) int64 {
	n := int64(0)
	for at := s.zone.spanAt(s.start.unix); at.end+at.offset < clock && b.spend(4); {
		next := s.zone.spanAt(at.end)
		if next.offset > at.offset {
			n += p.between(at.end+at.offset, min(at.end+next.offset, clock), b)
		}
		at = next
	}
	return n
}

// between returns how many matches lie on the clocks of a gap.
func (p *plan) between(begin, end int64, b *budget) int64 {
	if p.freq >= Daily && !p.clock.within(begin, end) {
		return 0
	}
	return p.matchesBetween(begin, end, b)
}

// within reports whether one of the times may lie between two clocks, on whichever day: of
// clocks on two days it says so unseen.
func (c *clockTimes) within(begin, end int64) bool {
	day, from := splitClock(begin)
	last, to := splitClock(end)
	return day != last || c.before(from) != c.before(to)
}

// rankOneByOne is rank for a start at the second of two times that the clock shows the
// same, or in a gap: what the clock shows from its time to the instant is no instance.
func (s *Series) rankOneByOne(p *plan, clock int64, b *budget) int64 {
	w := p.newWalker(p.first, clock, b)
	r := newResolver(s.zone)
	for n := int64(0); ; {
		at, ok := w.pop()
		if !ok || at >= clock || !b.spend(1) {
			return n
		}
		unix, exists := r.resolve(at)
		if at == p.first || (exists || s.options.Gap == Shift) && unix > s.start.unix {
			n++
		}
	}
}
