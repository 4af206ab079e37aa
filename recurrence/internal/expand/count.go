package expand

import (
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Count returns the number of instances if it follows without visiting them all. ok is false if
// it does not, or if the budget is not enough.
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

// countBesideRules returns how many instances only the start and RDATE give.
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

// countExcluded returns how many instances are excluded by instants.
func (s *Series) countExcluded(b *Budget) (n int64) {
	for i, unix := range s.exdates { // which may repeat
		if (i == 0 || s.exdates[i-1] != unix) && b.spend(1) && s.includes(unix, b) {
			n++
		}
	}
	return n
}

// endOf returns the first clock after those that the UNTIL of a rule allows. UNTIL may be the
// second instant of a clock. Then it allows all clocks that are shown twice there, since their
// instances are the first instants.
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

// rank returns how many instances a rule has on clocks before the given one, as far as UNTIL
// allows and without regard to COUNT.
func (s *Series) rank(p *plan, clock int64, b *Budget) int64 {
	clock = min(clock, p.untilClock+1)
	if s.oddStart {
		return s.rankOneByOne(p, clock, b)
	}
	n := p.matchesBefore(clock, b)
	if s.zone.Location == time.UTC || s.options.Shift {
		return n
	}
	return n - s.lostBefore(p, clock, b)
}

// rankOneByOne is rank for an odd start: the clocks between that of the start and the first one
// after its instant are no instances.
func (s *Series) rankOneByOne(p *plan, clock int64, b *Budget) int64 {
	w := p.newWalker(p.first, clock, b)
	r := civil.NewResolver(s.zone)
	for n := int64(0); ; {
		at, ok := w.pop()
		if !ok || at >= clock || !b.spend(1) {
			return n
		}
		unix, exists := r.Resolve(at)
		if at == p.first || (exists || s.options.Shift) && unix > s.start.Instant {
			n++
		}
	}
}
