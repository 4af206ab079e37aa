package expand

import (
	"math"
	"math/bits"
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A Query determines whether a series has instances at given instants. The answers are valid only if the budget is not exhausted.
// Because a Query remembers the offset at an instant, questions about neighboring instants are fast.
type Query struct {
	Budget *Budget
	series *Series
	zone   civil.Resolver
}

// Ask returns a query whose cost is charged to b.
func (s *Series) Ask(b *Budget) Query { return Query{b, s, s.Local} }

// Contains reports whether there is an instance at the given instant.
func (q *Query) Contains(unix int64) bool {
	return q.includes(unix) && !(q.series.excludes && q.isExcluded(unix))
}

// ContainsDay reports whether there is an instance on the local day that begins at the given midnight.
func (q *Query) ContainsDay(midnight int64) bool {
	from, _ := q.zone.Resolve(midnight)
	to, _ := q.zone.Resolve(midnight + civil.SecondsPerDay)
	_, ok := q.series.Iterate(from, to, q.Budget).Next()
	return ok
}

// RulesGive reports whether a rule of the series produces an instance at an instant.
func (q *Query) RulesGive(unix int64) bool { return q.anyGives(q.series.rules, unix) }

func (q *Query) includes(unix int64) bool {
	s := q.series
	switch {
	case unix < s.start.Instant || unix >= EndOfCalendar:
		return false
	case unix == s.start.Instant && s.starts:
		return true
	}
	if _, ok := slices.BinarySearch(s.rdates, unix); ok {
		return true
	}
	return q.anyGives(s.rules, unix)
}

func (q *Query) isExcluded(unix int64) bool {
	_, ok := slices.BinarySearch(q.series.exdates, unix)
	return ok || q.isExcludedOtherwise(unix)
}

// isExcludedOtherwise reports whether an excluded day or a rule excludes the given instant.
func (q *Query) isExcludedOtherwise(unix int64) bool {
	if s := q.series; len(s.exdays) > 0 {
		clock, _ := q.zone.Shown(unix)
		day, _ := civil.Split(clock)
		if _, ok := slices.BinarySearch(s.exdays, day); ok {
			return true
		}
	}
	return q.anyGives(q.series.exRules, unix)
}

// anyGives reports whether a rule has an instance at an instant that is not before the start.
func (q *Query) anyGives(rules []*plan, unix int64) bool {
	if len(rules) == 0 {
		return false
	}
	s := q.series
	clock, isFirst := s.start.Clock, true
	if unix != s.start.Instant {
		clock, isFirst = q.zone.Shown(unix)
	}
	for _, p := range rules {
		if !q.Budget.spend(16) || unix <= p.until && (isFirst && q.givesClock(p, clock) || s.options.Shift && q.givesShifted(p, unix)) {
			return !q.Budget.IsOver()
		}
	}
	return false
}

// givesShifted reports whether a rule has an instance that is shifted out of a gap to an instant after the start.
func (q *Query) givesShifted(p *plan, unix int64) bool {
	s := q.series
	clock := unix + s.zone.SpanAt(s.zone.SpanAt(unix).Begin-1).Offset
	at, exists := q.zone.Resolve(clock)
	return !exists && at == unix && unix != s.start.Instant && q.givesClock(p, clock)
}

// givesClock reports whether a rule has an instance at a local time, which must exist or have been shifted.
func (q *Query) givesClock(p *plan, clock int64) bool {
	if clock > p.untilClock || !p.matchesClock(clock, q.Budget) {
		return false
	}
	return p.count == math.MaxInt64 || p.mostBefore(clock) <= p.count || q.series.rank(p, clock, q.Budget) < p.count
}

// The following functions determine arithmetically whether a rule matches a day or a time of day, without computing
// the other days of the year.

// hasTime reports whether a second of the day matches the parts for times of day.
func (p *plan) hasTime(second int64) bool {
	t, s := &p.written.times, uint(second)
	return t[0]>>(s/3600)&(t[1]>>(s/60%60))&(t[2]>>(s%60))&1 != 0
}

// mostBefore returns an upper bound for the number of matches up to a local time.
func (p *plan) mostBefore(clock int64) int64 {
	w := &p.written
	each := w.freq.maxDays()
	if w.freq == Weekly { // every weekly plan has weekdays after FillIn
		each = bits.OnesCount8(p.weekdays.each)
	}
	for u := range w.times {
		if u > w.freq.unit() {
			each *= bits.OnesCount64(w.times[u])
		}
	}
	return ((p.numberOf(w.freq, clock)-w.number)/w.interval + 1) * int64(each)
}

// hasDay reports whether a day matches the parts for days. [plan.yearBits] computes all matching days of a year, taking
// INTERVAL into account.
func (p *plan) hasDay(day int64) bool {
	weekday := civil.WeekdayOf(day)
	if p.byWeekday {
		return !p.weekdays.given || p.weekdays.each>>weekday&1 != 0 // the common case
	}
	y, m, d := civil.DateOf(day)
	ofMonth := ordinal{d, civil.DaysInMonth(y, m)}
	ofYear := ordinal{int(day-civil.NewYear(y)) + 1, civil.DaysInYear(y)}
	among := ofYear
	if p.weekdays.inMonth {
		among = ofMonth
	}
	return p.months>>m&1 != 0 &&
		(p.monthDays.isEmpty() || p.monthDays.has(ofMonth)) &&
		(!p.weekdays.given || p.weekdays.has(weekday, among)) &&
		(len(p.yearDays) == 0 || slices.ContainsFunc(p.yearDays, ofYear.is)) &&
		(p.weekNos.isEmpty() || p.hasWeek(day))
}

// An ordinal is the number of a day within its month or year, or of a week within its year, counted from 1. The field length is
// the number of days or weeks in that month or year.
type ordinal struct{ number, length int }

// fromEnd returns the ordinal counted from the end.
func (d ordinal) fromEnd() int { return d.length + 1 - d.number }

// is reports whether n equals the ordinal, or the negated ordinal counted from the end.
func (d ordinal) is(n int) bool { return n == d.number || n == -d.fromEnd() }

// has reports whether the set contains the ordinal d, counted from the start or from the end.
func (m fromEnds) has(d ordinal) bool { return (m.start>>d.number|m.end>>d.fromEnd())&1 != 0 }

// has reports whether BYDAY matches a weekday on day d of the month or year within which BYDAY ordinals count.
func (w *weekdays) has(weekday int, d ordinal) bool {
	if w.each>>weekday&1 != 0 {
		return true
	}
	first, last := (d.number+6)/7, -(d.fromEnd()+6)/7
	return slices.ContainsFunc(w.nth, func(nth Weekday) bool {
		return int(nth.Day) == weekday && (nth.N == first || nth.N == last)
	})
}

// hasWeek reports whether the week that contains a day matches BYWEEKNO. See [plan.weekBits].
func (p *plan) hasWeek(day int64) bool {
	begin := day - civil.FloorMod(int64(civil.WeekdayOf(day)-int(p.weekStart)), 7)
	year := civil.YearOf(begin + 3) // the year that contains at least four days of the week
	first, next := p.weekOne(year), p.weekOne(year+1)
	return p.weekNos.has(ordinal{int(begin-first)/7 + 1, int(next-first) / 7})
}
