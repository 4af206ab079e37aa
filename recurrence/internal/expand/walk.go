package expand

import (
	"math/bits"
	"sort"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A walker visits the matches of a plan, which are the local times that the algorithm of RFC 8984 section 4.3.3 yields,
// period by period and in ascending order. A walker disregards UNTIL, COUNT and the zone.
type walker struct {
	*plan
	budget *Budget
	next   int64 // the number of the next period to visit, aligned to step
	last   int64 // the number of the last period to visit

	year     int     // the year of yearDays, or noYear
	newYear  int64   // the first day of year
	nextYear int64   // the first day of the following year
	yearDays dayBits // the matching days of year

	// The current period has a match on each day in days at each time in plan.times. With BYSETPOS, only the matches at
	// the positions in places count. The next match is at day and time, or at places[taken].
	base   int64 // the local time from which days and times count
	days   dayBits
	day    int // -1 if there are no more matches
	time   int
	places []int
	taken  int

	// If BYSETPOS skips local times that do not exist, the resolver remembers a stretch of time without a gap.
	resolver civil.Resolver
	gaps     []gap
}

// noYear is a year that a walker never visits. The first week of the calendar begins in year -1.
const noYear = -2

// newWalker returns a walker that begins with the first match at or after clock, and visits no period after the period that
// contains end.
func (p *plan) newWalker(clock, end int64, b *Budget) walker {
	last := min(p.lastPeriod, p.periodOf(end))
	if p.never {
		last = p.firstPeriod - 1
	}
	w := p.walkerUpTo(last, b)
	w.seek(clock)
	return w
}

// walkerUpTo returns a walker up to the given period. The caller must call seek first.
func (p *plan) walkerUpTo(last int64, b *Budget) walker {
	w := walker{plan: p, budget: b, last: last, year: noYear, nextYear: Earliest}
	if p.loses {
		w.resolver = civil.NewResolver(p.zone)
	}
	return w
}

// seek moves to the first match at or after both clock and the start.
func (w *walker) seek(clock int64) {
	clock = max(clock, w.first)
	w.next = w.align(w.periodOf(clock))
	if w.advance() {
		w.skipInPeriod(clock)
	}
}

func (w *walker) pop() (clock int64, ok bool) {
	var one [1]int64
	return one[0], w.fill(one[:]) == 1
}

// patience is the number of steps that a walker spends on filling a buffer after the first match.
const patience = 256

// fill writes the next matches to buf and returns their number, which is less than len(buf) if there are no more, or if matches
// are so rare that the caller should use those already found.
func (w *walker) fill(buf []int64) int {
	n := 0
	for enough := w.budget.left - patience; ; {
		switch {
		case w.day < 0:
		case w.setPos.isGiven():
			n += w.fillPlaces(buf[n:])
		case w.times.n == 1:
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

// fillDays is like fill, but within one period of a plan with one time per day.
func (w *walker) fillDays(buf []int64) int {
	n, base := 0, w.base+w.times.only
	k := w.day >> 6
	word := w.days[k] >> (w.day & 63) << (w.day & 63)
	for {
		for ; word != 0; word &= word - 1 {
			day := k<<6 + bits.TrailingZeros64(word)
			if n == len(buf) {
				w.day = day
				return n
			}
			buf[n] = base + int64(day)*civil.SecondsPerDay
			n++
		}
		if k++; k == len(w.days) {
			w.day = -1
			return n
		}
		word = w.days[k]
	}
}

// fillTimes is like fill, but within one period of a plan with several times per day.
func (w *walker) fillTimes(buf []int64) int {
	n := 0
	for w.day >= 0 && n < len(buf) {
		k := w.times.fill(buf[n:], w.time, w.base+int64(w.day)*civil.SecondsPerDay)
		n += k
		if w.time += k; w.time == w.times.n {
			w.day, w.time = w.days.next(w.day+1), 0
		}
	}
	return n
}

func (w *walker) place(i int) int64 {
	i = w.places[i]
	return w.base + int64(w.days.nth(i/w.times.n))*civil.SecondsPerDay + w.times.at(i%w.times.n)
}

// skipInPeriod skips the matches of the current period that are before clock.
func (w *walker) skipInPeriod(clock int64) {
	if w.setPos.isGiven() {
		w.taken += sort.Search(len(w.places)-w.taken, func(i int) bool { return w.place(w.taken+i) >= clock })
		return
	}
	day, second := civil.Split(clock - w.base)
	if w.day < 0 || day < int64(w.day) {
		return
	}
	if day > int64(w.day) {
		w.day, w.time = w.days.next(int(min(day, 64*int64(len(w.days))))), 0
	}
	if int64(w.day) != day {
		return
	}
	if w.time = max(w.time, w.times.countBefore(second)); w.time == w.times.n {
		w.day, w.time = w.days.next(w.day+1), 0
	}
}

func (w *walker) remaining() int64 {
	switch {
	case w.day < 0:
		return 0
	case w.setPos.isGiven():
		return int64(len(w.places) - w.taken)
	}
	days := w.days.count() - w.days.countBefore(w.day+1)
	return int64(days)*int64(w.times.n) + int64(w.times.n-w.time)
}

// skip skips the matches before clock and returns their number. After enough matches, skip may stop at an earlier local time,
// which is returned as end.
func (w *walker) skip(clock, enough int64) (n, end int64) {
	for {
		n += w.skipRun(clock, enough-n)
		before := w.remaining()
		w.skipInPeriod(clock)
		after := w.remaining()
		n += before - after
		switch {
		case after > 0:
			return n, clock
		case n >= enough && w.next <= w.last:
			return n, min(clock, w.walk.begin(w.next, w.weekStart))
		case !w.advance():
			return n, clock
		}
	}
}

// skipRun skips periods for skip without visiting them, as long as all skipped periods have the same number of matches, and
// stops after enough matches.
func (w *walker) skipRun(clock, enough int64) int64 {
	if !w.walk.subDaily() || w.setPos.isGiven() || w.day < 0 {
		return 0
	}
	if !w.uniform {
		clock = min(clock, w.runEnd())
	}
	periods := (w.align(min(w.periodOf(clock), w.last+1)) - w.next) / w.step
	periods = min(periods, enough/int64(w.times.n)+1)
	if periods <= 0 {
		return 0
	}
	n := w.remaining() + periods*int64(w.times.n)
	w.next += periods * w.step
	w.advance()
	return n
}

// runEnd returns a local time up to which the rule matches every period from the current period on: the end of the current
// day or, if the limits distinguish hours, minutes or seconds, the end of the current hour, minute or second.
func (w *walker) runEnd() int64 {
	length := int64(civil.SecondsPerDay)
	for u := range w.walk.unit() + 1 {
		if w.limits[u] != allTimes[u] {
			length = unitSeconds[u]
		}
	}
	return (civil.FloorDiv(w.base, length) + 1) * length
}

// advance moves to the next period with a match, and reports whether there is one, giving up after a full cycle without a
// match.
func (w *walker) advance() bool {
	end := w.next + min(w.last-w.next, w.repeat)
	for w.next <= end && w.budget.spend(1) {
		if !w.enter() {
			continue
		}
		w.day, w.time = w.days.next(0), 0
		if w.day >= 0 && (!w.setPos.isGiven() || w.findPlaces()) {
			return true
		}
	}
	w.day = -1
	if !w.budget.IsOver() {
		w.next = max(w.next, w.last+1)
	}
	return false
}

// findPlaces finds the matches that BYSETPOS selects in the current period, and reports whether there are any.
func (w *walker) findPlaces() bool {
	w.taken = 0
	n := w.days.count() * w.times.n
	if w.gaps = w.gaps[:0]; w.loses {
		w.findGaps()
	}
	for _, g := range w.gaps {
		n -= g.end - g.begin
	}
	w.places = w.setPos.places(n, w.places[:0])
	w.budget.spend(int64(len(w.places)) / 8)
	for i := range w.places {
		for _, g := range w.gaps {
			if w.places[i] >= g.begin {
				w.places[i] += g.end - g.begin
			}
		}
	}
	return len(w.places) > 0
}

// enter sets base and days for the period w.next, and advances w.next. If the limits exclude the period, enter only advances
// w.next to the next period that the limits may allow, and returns false.
func (w *walker) enter() bool {
	period := w.next
	if w.walk <= Daily {
		return w.enterUnit(period)
	}
	w.next += w.step
	switch w.walk {
	case Yearly:
		w.load(int(period))
		w.base, w.days = w.newYear*civil.SecondsPerDay, w.yearDays
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
	first := civil.DaysBefore[civil.LeapIndex(y)][m-1]
	w.base = (w.newYear + int64(first)) * civil.SecondsPerDay
	w.days = dayBits{w.yearDays.extract(first, civil.DaysInMonth(y, m))}
}

func (w *walker) enterWeek(week int64) {
	w.base = Weekly.begin(week, w.weekStart)
	first := w.base / civil.SecondsPerDay
	w.loadDay(first)
	w.days = dayBits{w.yearDays.extract(int(first-w.newYear), 7)}
	for i := w.nextYear - first; i < 7; i++ {
		if w.matches(first + i) {
			w.days.add(int(i))
		}
	}
}

// enterUnit is like enter, but for a period that is no longer than a day.
func (w *walker) enterUnit(period int64) bool {
	unit := w.walk.seconds()
	clock := period * unit
	day, second := civil.Split(clock)
	if !w.matches(day) {
		w.next = w.align(w.dayAfter(day) * (civil.SecondsPerDay / unit))
		return false
	}
	if wait := w.limits.wait(w.walk, second); wait > 0 {
		w.next = w.align((clock + wait) / unit)
		return false
	}
	w.next += w.step
	w.base, w.days = clock, dayBits{1}
	return true
}

// matches reports whether a day matches the parts for days.
func (w *walker) matches(day int64) bool {
	w.loadDay(day)
	return w.yearDays.has(int(day - w.newYear))
}

// dayAfter returns the first matching day after a day in the loaded year, or the first day of the next year if there is none.
func (w *walker) dayAfter(day int64) int64 {
	if i := w.yearDays.next(int(day-w.newYear) + 1); i >= 0 {
		return w.newYear + int64(i)
	}
	return w.nextYear
}

// loadDay loads the year that contains a day. A walker only moves forward, so the new year is never before the loaded year.
func (w *walker) loadDay(day int64) {
	if day >= w.nextYear {
		w.load(civil.YearOf(day))
	}
}

func (w *walker) load(y int) {
	if y == w.year {
		return
	}
	w.budget.spend(8)
	w.year, w.newYear, w.yearDays = y, civil.NewYear(y), w.yearBits(y)
	w.nextYear = w.newYear + int64(civil.DaysInYear(y))
}
