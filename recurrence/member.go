package recurrence

import "math"

// gives reports whether the rule has an instance at an instant not before the start.
func (s *Series) gives(p *plan, unix int64, b *budget) bool {
	if unix > p.until {
		return false
	}
	if unix == s.start.unix {
		return s.givesClock(p, s.start.clock, b)
	}
	clock := s.zone.clockAt(unix)
	r := newResolver(s.zone)
	if at, _ := r.resolve(clock); at == unix && s.givesClock(p, clock, b) {
		return true
	}
	if s.options.Gap == Omit {
		return false
	}
	clock = unix + s.zone.spanAt(s.zone.spanAt(unix).begin-1).offset
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
	w := p.walkerUpTo(period, b)
	w.seek(clock)
	at, ok := w.pop()
	return ok && at == clock
}
