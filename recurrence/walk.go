package recurrence

import (
	"math/bits"
	"sort"
)

// walker goes through the clocks that a plan matches, in ascending order, period by period
// as RFC 8984 section 4.3.3 has it. UNTIL, COUNT and what the zone does to a clock are not
// its business.
type walker struct {
	*plan
	budget *budget
	next   int64 // the number of the next period to look at, one that INTERVAL meets
	last   int64 // the number of the last period to look at

	year     int     // the year that yearDays are of, or noYear
	newYear  int64   // its first day
	nextYear int64   // the first day after it
	yearDays dayBits // its days that match

	// What the period at hand holds: a clock for each day of days and each time of
	// plan.clock, or with BYSETPOS those of them that places number. The next one is that
	// of day and time, or of places[taken].
	base   int64 // the clock that the days and times count from
	days   dayBits
	day    int // -1 when there are no more
	time   int
	places []int
	taken  int
}

// noYear is no year that a walker ever meets. The week of the calendar's first day begins in the
// year -1.
const noYear = -2

// newWalker returns a walker whose first clock is the first match at or after clock, and
// which looks at no period after the one that end lies in.
func (p *plan) newWalker(clock, end int64, b *budget) walker {
	last := min(p.lastPeriod, p.periodOf(end))
	if p.never {
		last = p.firstPeriod - 1
	}
	w := p.walkerUpTo(last, b)
	w.seek(clock)
	return w
}

// walkerUpTo returns a walker that stands nowhere yet, with the last period to look at.
func (p *plan) walkerUpTo(last int64, b *budget) walker {
	return walker{plan: p, budget: b, last: last, year: noYear, nextYear: lowest}
}

// seek moves on to the first match at or after clock, and not before the start.
func (w *walker) seek(clock int64) {
	clock = max(clock, w.first)
	w.next = w.align(w.periodOf(clock))
	if w.advance() {
		w.drop(clock)
	}
}

// pop returns the next match.
func (w *walker) pop() (clock int64, ok bool) {
	var one [1]int64
	return one[0], w.fill(one[:]) == 1
}

// patience is how many steps a walker spends on filling a buffer beyond the first match.
const patience = 256

// fill writes the next matches to buf and returns how many. It stops short at the end, and
// where matches are so rare that those in hand had better be used first.
func (w *walker) fill(buf []int64) int {
	n := 0
	for enough := w.budget.left - patience; ; {
		switch {
		case w.day < 0:
		case w.setPos.isSet():
			n += w.fillPlaces(buf[n:])
		case w.clock.n == 1:
			n += w.fillDays(buf[n:])
		default:
			n += w.fillTimes(buf[n:])
		}
		if n == len(buf) || n > 0 && w.budget.left < enough || !w.advance() {
			return n
		}
	}
}

func (w *walker) fillPlaces(buf []int64) int {
	n := min(len(buf), len(w.places)-w.taken)
	for i := range n {
		buf[i] = w.place(w.taken + i)
	}
	w.taken += n
	return n
}

// fillDays is fill within the period for one time a day.
func (w *walker) fillDays(buf []int64) int {
	n, base := 0, w.base+w.clock.only
	k := w.day >> 6
	word := w.days[k] >> (w.day & 63) << (w.day & 63)
	for {
		for ; word != 0; word &= word - 1 {
			day := k<<6 + bits.TrailingZeros64(word)
			if n == len(buf) {
				w.day = day
				return n
			}
			buf[n] = base + int64(day)*secondsPerDay
			n++
		}
		if k++; k == len(w.days) {
			w.day = -1
			return n
		}
		word = w.days[k]
	}
}

// fillTimes is fill within the period for several times a day.
func (w *walker) fillTimes(buf []int64) int {
	n := 0
	for w.day >= 0 && n < len(buf) {
		k := w.clock.fill(buf[n:], w.time, w.base+int64(w.day)*secondsPerDay)
		n += k
		if w.time += k; w.time == w.clock.n {
			w.day, w.time = w.days.next(w.day+1), 0
		}
	}
	return n
}

// place returns the match of the period that places[i] numbers.
func (w *walker) place(i int) int64 {
	i = w.places[i]
	return w.base + int64(w.days.nth(i/w.clock.n))*secondsPerDay + w.clock.at(i%w.clock.n)
}

// drop passes over the matches of the period at hand that lie before clock.
func (w *walker) drop(clock int64) {
	if w.setPos.isSet() {
		w.taken += sort.Search(len(w.places)-w.taken, func(i int) bool { return w.place(w.taken+i) >= clock })
		return
	}
	day, second := splitClock(clock - w.base)
	if w.day < 0 || day < int64(w.day) {
		return
	}
	if day > int64(w.day) {
		w.day, w.time = w.days.next(int(min(day, 64*int64(len(w.days))))), 0
	}
	if int64(w.day) != day {
		return
	}
	if w.time = max(w.time, w.clock.before(second)); w.time == w.clock.n {
		w.day, w.time = w.days.next(w.day+1), 0
	}
}

// remaining returns how many matches of the period at hand are still to come.
func (w *walker) remaining() int64 {
	switch {
	case w.day < 0:
		return 0
	case w.setPos.isSet():
		return int64(len(w.places) - w.taken)
	}
	days := w.days.len() - w.days.before(w.day+1)
	return int64(days)*int64(w.clock.n) + int64(w.clock.n-w.time)
}

// skip passes over the matches before clock and returns how many they were.
func (w *walker) skip(clock int64) int64 {
	n := w.skipUniform(clock)
	for {
		before := w.remaining()
		w.drop(clock)
		after := w.remaining()
		n += before - after
		if after > 0 || !w.advance() {
			return n
		}
	}
}

// skipUniform does of skip what needs no look at the periods, where all hold equally much.
func (w *walker) skipUniform(clock int64) int64 {
	if !w.uniform {
		return 0
	}
	next := w.align(min(w.periodOf(clock), w.last+1))
	if w.next >= next {
		return 0
	}
	n := w.remaining() + (next-w.next)/w.step*int64(w.clock.n)
	w.next = next
	w.advance()
	return n
}

// advance goes to the next period that holds a match, and reports whether there is one.
func (w *walker) advance() bool {
	for w.next <= w.last && w.budget.spend(1) {
		if !w.enter() {
			continue
		}
		w.day, w.time = w.days.next(0), 0
		if w.day >= 0 && (!w.setPos.isSet() || w.number()) {
			return true
		}
	}
	w.day = -1
	return false
}

// number finds the places of BYSETPOS in the period and reports whether there are any.
func (w *walker) number() bool {
	w.taken = 0
	w.places = w.setPos.places(w.days.len()*w.clock.n, w.places[:0])
	w.budget.spend(int64(len(w.places)) / 8)
	return len(w.places) > 0
}

// enter puts the days and the base of the period w.next in place and moves w.next on. It
// reports false where it only moved on, to the next period that its limits do not rule out.
func (w *walker) enter() bool {
	period := w.next
	if w.walk <= Daily {
		return w.enterUnit(period)
	}
	w.next += w.step
	switch w.walk {
	case Yearly:
		w.load(int(period))
		w.base, w.days = w.newYear*secondsPerDay, w.yearDays
	case Monthly:
		w.enterMonth(int(period/12), int(period%12)+1)
	default:
		w.enterWeek(period)
	}
	return true
}

func (w *walker) enterMonth(y, m int) {
	if w.months>>m&1 == 0 {
		w.days = dayBits{}
		return
	}
	w.load(y)
	c := &cumulativeDays[leapIndex(y)]
	w.base = (w.newYear + int64(c[m-1])) * secondsPerDay
	w.days = dayBits{w.yearDays.extract(c[m-1], c[m]-c[m-1])}
}

func (w *walker) enterWeek(week int64) {
	first := 7*week - w.weekShift()
	w.loadDay(first)
	w.base = first * secondsPerDay
	w.days = dayBits{w.yearDays.extract(int(first-w.newYear), 7)}
	for i := w.nextYear - first; i < 7; i++ {
		if w.matches(first + i) {
			w.days.set(int(i))
		}
	}
}

// enterUnit enters a period that lies within one day. A period that the limits rule out
// takes w.next to the first one after it that they may not.
func (w *walker) enterUnit(period int64) bool {
	unit := unitOf(w.walk)
	clock := period * unit
	day, second := splitClock(clock)
	if !w.matches(day) {
		w.next = w.align(w.dayAfter(day) * (secondsPerDay / unit))
		return false
	}
	if wait := w.limit.wait(w.walk, second); wait > 0 {
		w.next = w.align((clock + wait) / unit)
		return false
	}
	w.next += w.step
	w.base, w.days = clock, dayBits{1}
	return true
}

// matches reports whether the parts about days match a day.
func (w *walker) matches(day int64) bool {
	w.loadDay(day)
	return w.yearDays.has(int(day - w.newYear))
}

// dayAfter returns the next day after one of the loaded year that matches, or where the
// year has none the first of the next.
func (w *walker) dayAfter(day int64) int64 {
	if i := w.yearDays.next(int(day-w.newYear) + 1); i >= 0 {
		return w.newYear + int64(i)
	}
	return w.nextYear
}

// loadDay makes yearDays those of the year that a day lies in. The day is none of an earlier
// year than those before it: walks go forward.
func (w *walker) loadDay(day int64) {
	if day >= w.nextYear {
		w.load(yearOf(day))
	}
}

// load makes yearDays those of the year.
func (w *walker) load(y int) {
	if y == w.year {
		return
	}
	w.budget.spend(8)
	w.year, w.newYear, w.yearDays = y, newYear(y), w.yearBits(y)
	w.nextYear = w.newYear + int64(365+leapIndex(y))
}

// align returns the first period at or after the one given that the walk meets.
func (p *plan) align(period int64) int64 {
	d := max(period-p.firstPeriod, 0)
	return p.firstPeriod + (d+p.step-1)/p.step*p.step
}

// periodOf returns the number of the period of the walk that a clock lies in.
func (p *plan) periodOf(clock int64) int64 { return p.numberOf(p.walk, clock) }

// numberOf returns the number of the period of a frequency that a clock lies in. Periods
// are numbered without gaps.
func (p *plan) numberOf(f Freq, clock int64) int64 {
	if f <= Daily {
		return floorDiv(clock, unitOf(f))
	}
	day, _ := splitClock(clock)
	switch f {
	case Yearly:
		return int64(yearOf(day))
	case Monthly:
		y, m, _ := dateOf(day)
		return int64(y)*12 + int64(m) - 1
	default:
		return floorDiv(day+p.weekShift(), 7)
	}
}

// weekShift is what makes of the number of a day a multiple of 7 where a week begins: day 0 is
// a Thursday.
func (p *plan) weekShift() int64 { return int64(4 - p.wkst) }

// unitOf is the length in seconds of a period that lies within one day.
func unitOf(f Freq) int64 {
	switch f {
	case Secondly:
		return 1
	case Minutely:
		return 60
	case Hourly:
		return 3600
	default:
		return secondsPerDay
	}
}
