package expand

import (
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Count returns the number of instances if the number can be computed without visiting all instances, or false if Count would
// have to visit all instances or if the budget is too small.
func (s *Series) Count() (n int64, ok bool) {
	if len(s.rules) > 1 || len(s.exRules) > 0 || len(s.exdays) > 0 || s.oddStart || s.options.Shift {
		return 0, false
	}
	b := s.NewBudget()
	for _, p := range s.rules { // the series has at most one rule
		n = min(s.rank(p, s.endOf(p), b), p.count)
	}
	n += s.countBesideRules(b) - s.countExcluded(b)
	return n, !b.IsOver()
}

// countBesideRules returns the number of instances that come only from the start or an RDATE, not from a rule.
func (s *Series) countBesideRules(b *Budget) (n int64) {
	q := s.Ask(b)
	if s.starts && !q.RulesGive(s.start.Instant) {
		n++
	}
	for _, unix := range s.rdates {
		isStart := s.starts && unix == s.start.Instant
		if b.spend(1) && !isStart && !q.RulesGive(unix) {
			n++
		}
	}
	return n
}

func (s *Series) countExcluded(b *Budget) (n int64) {
	q := s.Ask(b)
	for i, unix := range s.exdates { // exdates may contain duplicates
		if (i == 0 || s.exdates[i-1] != unix) && b.spend(1) && q.includes(unix) {
			n++
		}
	}
	return n
}

// endOf returns the first local time after all local times that the UNTIL of a rule allows. If UNTIL is the second occurrence
// of a local time, all local times repeated by that change of the clock are allowed, because an instance is always at the first
// occurrence.
func (s *Series) endOf(p *plan) int64 {
	if p.until == NoUntil {
		return p.untilClock + 1
	}
	r := s.Local
	if clock, isFirst := r.Shown(p.until); isFirst {
		return clock + 1
	}
	change := s.zone.SpanAt(p.until).Begin
	return change + s.zone.SpanAt(change-1).Offset
}

// rank returns the number of instances of a rule, within UNTIL, that are before a local time. The counting may stop once it
// reaches COUNT.
func (s *Series) rank(p *plan, clock int64, b *Budget) int64 {
	n, _ := s.rankUpTo(p, clock, b)
	return n
}

// rankUpTo is like rank, but also returns the local time up to which instances were counted, which is earlier than clock if
// rankUpTo stopped at COUNT.
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

// rankOneByOne is like rankUpTo, but handles an odd start by visiting each match, because matches whose instants are not
// after the start must not be counted.
func (s *Series) rankOneByOne(p *plan, clock int64, b *Budget) (n, end int64) {
	w := p.newWalker(p.first, clock, b)
	r := s.Local
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

// The matches of a plan repeat with the calendar, so they can be counted quickly even far after the start: every cycle
// has as many matches as the first.

// fewMatches is a number of matches that take less time to visit than the matches of a cycle.
const fewMatches = 1 << 16

// matchesBefore returns the number of matches before a local time. After enough matches, matchesBefore may stop at an earlier
// local time, which is returned as end.
func (p *plan) matchesBefore(clock, enough int64, b *Budget) (n, end int64) {
	begin, length := p.first, p.cycleLength()
	if p.loses { // the matches also depend on clock changes
		begin, length = p.lossesRepeat(p.zone, length)
	}
	if length == 0 || enough <= fewMatches {
		w := p.newWalker(p.first, clock, b)
		return w.skip(clock, enough)
	}
	before := func(clock int64) int64 { return p.matchesBetween(p.first, clock, b) }
	return p.matchesPerCycle.countBefore(clock, begin, length, before, b), clock
}

// matchesBetween returns the number of matches at or after from and before to, visiting every period, or every day if the rule
// is more frequent than DAILY.
func (p *plan) matchesBetween(from, to int64, b *Budget) int64 {
	w := p.newWalker(from, to, b)
	n, _ := w.skip(to, math.MaxInt64)
	return n
}

// maxCycles is the maximum number of calendar cycles after which the matches of a plan may repeat for counting by cycles
// to be worthwhile.
const maxCycles = 8

// cycleLength returns the number of seconds after which the matches of a plan repeat: 400 years, or the smallest multiple of
// 400 years that contains a whole number of INTERVALs. The result is 0 if the cycle is too long, or if the frequency is shorter
// than DAILY and there is no equivalent DAILY rule: such rules are counted arithmetically or have too many periods.
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

// A tally stores the number of matches in a cycle. The zero tally is not yet computed.
type tally struct{ plusOne atomic.Int64 }

// countBefore returns the result of before for clock, assuming that results repeat in cycles of the given length from begin on,
// so only one cycle needs to be counted. If length is 0, there are no cycles.
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

// lossesRepeat returns the local time from which the matches in gaps repeat, and the length of the cycle in seconds. The
// matches in gaps repeat once clock changes repeat with the calendar. The length is 0 if the matches in gaps never repeat or if
// the cycle length of all matches is 0.
func (p *plan) lossesRepeat(zone civil.Zone, matches int64) (begin, length int64) {
	repeat, repeats := zone.RepeatsFrom()
	if !repeats {
		return 0, 0
	}
	return max(p.first, repeat) + civil.MaxShift, matches
}

// lostBefore returns the number of matches before a local time that fall in gaps.
func (s *Series) lostBefore(p *plan, clock int64, b *Budget) int64 {
	if s.options.Shift || p.setPos.isGiven() || !p.mayLoseAny(s.zone) {
		return 0 // matches that BYSETPOS selects are never in gaps
	}
	begin, length := p.lossesRepeat(s.zone, p.cycleLength())
	before := func(clock int64) int64 { return s.lostOneByOne(p, clock, b) }
	return p.lostPerCycle.countBefore(clock, begin, length, before, b)
}

// mayLoseAny reports whether a gap in the zone can contain a match.
func (p *plan) mayLoseAny(zone civil.Zone) bool {
	if zone.Location == time.UTC {
		return false
	}
	gaps, known := zone.Gaps()
	return p.freq.subDaily() || !known ||
		slices.ContainsFunc(gaps, func(g civil.Gap) bool { return p.times.mayLieBetween(g.Begin, g.End) })
}

// lostOneByOne is like lostBefore, but examines each gap.
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
