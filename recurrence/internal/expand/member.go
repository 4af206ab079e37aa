package expand

import (
	"math/bits"
	"slices"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Arithmetic tells whether a rule gives a day or a time of day from its parts, without the other days of its year.

// hasTime reports whether the parts about times of day give a second of the day.
func (p *plan) hasTime(second int64) bool {
	t := &p.written.times
	return t[0]>>(second/3600)&(t[1]>>(second/60%60))&(t[2]>>(second%60))&1 != 0
}

// mostBefore returns an upper bound for the number of matches up to a clock.
func (p *plan) mostBefore(clock int64) int64 {
	w := &p.written
	each := w.freq.maxDays()
	if w.freq == Weekly { // FillIn gives each a day of the week
		each = bits.OnesCount8(p.weekdays.each)
	}
	for u := range w.times {
		if u > w.freq.unit() {
			each *= bits.OnesCount64(w.times[u])
		}
	}
	return ((p.numberOf(w.freq, clock)-w.number)/w.interval + 1) * int64(each)
}

// hasDay reports whether the parts about days give a day. [plan.yearBits] gives all such days of a year, with INTERVAL.
func (p *plan) hasDay(day int64) bool {
	weekday := civil.WeekdayOf(day)
	if p.months == allMonths && p.monthDays.isEmpty() && len(p.weekdays.nth)+len(p.yearDays) == 0 && p.weekNos.isEmpty() {
		return !p.weekdays.given || p.weekdays.each>>weekday&1 != 0 // as usual
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

// ordinal is the number, counted from 1, of a day in its month or year, or of a week in its year. length is the number of
// days or weeks in that period.
type ordinal struct{ number, length int }

// fromEnd returns the number, counted from the end.
func (d ordinal) fromEnd() int { return d.length + 1 - d.number }

// is reports whether n is the number, or minus the number counted from the end.
func (d ordinal) is(n int) bool { return n == d.number || n == -d.fromEnd() }

// has reports whether the set has a number, counted from the start or from the end.
func (m fromEnds) has(d ordinal) bool { return (m.start>>d.number|m.end>>d.fromEnd())&1 != 0 }

// has reports whether BYDAY gives a weekday at the given ordinal of the month or year in which its ordinals count.
func (w *weekdays) has(weekday int, d ordinal) bool {
	if w.each>>weekday&1 != 0 {
		return true
	}
	first, last := (d.number+6)/7, -(d.fromEnd()+6)/7
	return slices.ContainsFunc(w.nth, func(nth Weekday) bool {
		return int(nth.Day) == weekday && (nth.N == first || nth.N == last)
	})
}

// hasWeek reports whether BYWEEKNO gives the week of a day. See [plan.weekBits].
func (p *plan) hasWeek(day int64) bool {
	begin := day - civil.FloorMod(int64(civil.WeekdayOf(day)-int(p.weekStart)), 7)
	year := civil.YearOf(begin + 3) // the year that contains four of its days
	first, next := p.weekOne(year), p.weekOne(year+1)
	return p.weekNos.has(ordinal{int(begin-first)/7 + 1, int(next-first) / 7})
}
