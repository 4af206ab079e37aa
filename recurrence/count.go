package recurrence

import "math"

// Count returns how many instances there are, though not more than limit; more says that
// there are more than those. The error is a [*BudgetError], and n then as many as were found.
//
// Most often nothing is expanded for it: of one rule, from DAILY upwards or without INTERVAL
// and BY parts, the number follows from the calendar, beside RDATE and EXDATE values as well.
// Several rules, EXRULE, an EXDATE that is a date in a timed series and [Shift] cost as much
// as to go through limit instances.
func (s *Series) Count(limit int) (n int, more bool, err error) {
	limit = max(limit, 0)
	if total, ok := s.total(); ok {
		return int(min(total, int64(limit))), total > int64(limit), nil
	}
	for _, err := range s.All() {
		if err != nil {
			return n, false, err
		}
		if n == limit {
			return n, true, nil
		}
		n++
	}
	return n, false, nil
}

// total returns the number of instances where it follows without going through them; ok is
// false where it does not, or where the budget does not suffice.
func (s *Series) total() (n int64, ok bool) {
	if len(s.rules) > 1 || len(s.exRules) > 0 || len(s.exdays) > 0 || s.oddStart || s.options.Gap == Shift {
		return 0, false
	}
	b := s.newBudget()
	for _, p := range s.rules { // one at most
		n = min(s.rank(p, s.endOf(p), b), p.count)
	}
	n += s.besideRules(b) - s.takenOut(b)
	return n, !b.over()
}

// besideRules returns how many instances the start and RDATE give that no rule gives.
func (s *Series) besideRules(b *budget) (n int64) {
	if s.starts && !s.anyGives(s.rules, s.start.unix, b) {
		n++
	}
	for _, unix := range s.rdates {
		if b.spend(1) && !(s.starts && unix == s.start.unix) && !s.anyGives(s.rules, unix, b) {
			n++
		}
	}
	return n
}

// takenOut returns how many instances EXDATE values that are instants take out.
func (s *Series) takenOut(b *budget) (n int64) {
	for i, unix := range s.exdates { // which may hold one twice
		if (i == 0 || s.exdates[i-1] != unix) && b.spend(1) && s.included(unix, b) {
			n++
		}
	}
	return n
}

// endOf returns the first clock after those that the UNTIL of a rule allows. Where the clock
// shows the time of UNTIL twice and the second is meant, all of the times are allowed that
// it shows twice there: the first of each is the instance.
func (s *Series) endOf(p *plan) int64 {
	if p.until == math.MaxInt64 {
		return p.untilClock + 1
	}
	r := newResolver(s.zone)
	clock := s.zone.clockAt(p.until)
	if unix, _ := r.resolve(clock); unix == p.until {
		return clock + 1
	}
	change := s.zone.spanAt(p.until).begin
	return change + s.zone.spanAt(change-1).offset
}
