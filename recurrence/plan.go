package recurrence

import (
	"math"
	"time"
)

// plan is a rule that was checked, made ready to be expanded from its start: what it leaves
// out is filled in from the start (RFC 8984 section 4.3.3), its lists are bit masks. A plan
// is never written to once it is made, but for its tallies.
type plan struct {
	freq     Freq
	interval int64
	wkst     int

	months    uint16 // bit m: the month m
	monthDays *monthDays
	weekdays  *weekdays
	yearDays  *yearDays
	weekNos   *weekNos

	// A clock gives the times of day within a period. For the frequencies below DAILY,
	// limit says beside it which hours, minutes and seconds a period may begin with.
	clock  clockTimes
	limit  clockMasks
	setPos setPos

	first       int64 // the clock of the start
	firstNumber int64 // the number of the period of freq that the start lies in

	// The plan is walked in periods of walk, of which it looks at each step-th: those of
	// freq, unless years serve as well.
	walk        Freq
	step        int64
	firstPeriod int64 // the number of the period that the start lies in
	lastPeriod  int64 // the number of the last period that may hold an instance

	until      int64 // the last instant that may be an instance
	untilClock int64 // the last clock that may be one
	count      int64 // how many instances there are at most
	never      bool  // no period of the rule ever holds an instance
	covered    bool  // an EXRULE takes out all that the rule gives
	uniform    bool  // each period that the walk meets holds clock.n matches

	// What a cycle of the calendar holds and what gaps take out of it, once it was counted.
	matchesPerCycle, lostPerCycle tally
}

type monthDays struct{ fromStart, fromEnd uint32 } // bit d: the day d of a month, or the d-th from its end

type weekdays struct {
	each    uint8   // bit d: every weekday d
	nth     []ByDay // those with an ordinal
	inMonth bool    // the ordinals count within the month, not within the year
}

type yearDays struct {
	fromStart dayBits // bit d-1: the day d of a year
	fromEnd   []int   // 1 for the last day of a year
}

type weekNos struct{ fromStart, fromEnd uint64 } // bit w: the week w of a year, or the w-th from its end

// maxInterval is more seconds than the calendar has: an INTERVAL beyond it skips no more.
const maxInterval = 1 << 39

// newPlan makes the plan of a rule that was judged beside the start and not refused. The
// zone is the start's.
func newPlan(r *Rule, start Start, zone zoneClock) *plan {
	p := &plan{
		freq:     r.Freq,
		interval: min(max(r.Interval, 1), maxInterval),
		wkst:     int(r.WeekStart),
		first:    start.clock,
		count:    math.MaxInt64,
	}
	if r.Count > 0 {
		p.count = r.Count
	}
	p.setPos = newSetPos(r.BySetPos)
	p.setDates(r, start)
	p.setTimes(r, start)
	p.setUntil(r.Until, start, zone)
	p.firstNumber = p.numberOf(p.freq, p.first)
	p.setWalk()
	return p
}

// setWalk chooses the periods to walk in. Without BYSETPOS the bounds between periods within
// a year do not matter: a year with the days that INTERVAL meets serves as well.
func (p *plan) setWalk() {
	p.walk, p.step = p.freq, p.interval
	if !p.setPos.isSet() && p.freq >= Daily {
		p.walk = Yearly
		if p.freq != Yearly {
			p.step = 1
		}
	}
	p.firstPeriod = p.periodOf(p.first)
	p.lastPeriod = p.periodOf(p.untilClock)
	p.never = p.never || p.missesClock() || p.missesPlaces()
	if p.count >= p.atMost() {
		p.count = math.MaxInt64
	}
	p.uniform = p.walk.SubDaily() && p.limit == allTimes && !p.setPos.isSet() && p.months == allMonths &&
		p.monthDays == nil && p.weekdays == nil && p.yearDays == nil
}

// atMost returns a number that the matches until the end of the calendar do not exceed.
func (p *plan) atMost() int64 {
	perPeriod := int64(p.clock.n)
	switch p.walk {
	case Yearly:
		perPeriod *= 366
	case Monthly:
		perPeriod *= 31
	case Weekly:
		perPeriod *= 7
	}
	return ((p.lastPeriod-p.firstPeriod)/p.step + 1) * perPeriod
}

// dateParts are the parts about days that the start can fill in.
type dateParts struct {
	byMonth, byMonthDay []int
	byDay               []ByDay
}

// filledIn returns the parts about days with what is missing taken from the day of the
// start: steps 7 to 9 of the second list of RFC 8984 section 4.3.3.
func (r *Rule) filledIn(start int64) dateParts {
	p := dateParts{r.ByMonth, r.ByMonthDay, r.ByDay}
	_, month, mday := dateOf(start)
	today := []ByDay{{Day: time.Weekday(weekdayOf(start))}}
	noDay := len(r.ByMonthDay) == 0 && len(r.ByDay) == 0
	switch {
	case r.Freq == Weekly && len(r.ByDay) == 0:
		p.byDay = today
	case r.Freq == Monthly && noDay:
		p.byMonthDay = []int{mday}
	case r.Freq != Yearly || len(r.ByYearDay) > 0:
	case len(r.ByWeekNo) > 0 && noDay:
		p.byDay = today
	case len(r.ByWeekNo) == 0 && (noDay || len(r.ByMonthDay) > 0):
		if len(r.ByMonth) == 0 {
			p.byMonth = []int{month}
		}
		if noDay {
			p.byMonthDay = []int{mday}
		}
	}
	return p
}

// setDates fills the parts about days.
func (p *plan) setDates(r *Rule, start Start) {
	day, _ := splitClock(start.clock)
	parts := r.filledIn(day)
	p.months = uint16(mask(parts.byMonth, allMonths))
	p.monthDays = newMonthDays(parts.byMonthDay)
	p.weekdays = newWeekdays(parts.byDay, r.Freq == Monthly || len(r.ByMonth) > 0)
	p.yearDays = newYearDays(r.ByYearDay)
	p.weekNos = newWeekNos(r.ByWeekNo)
}

// setTimes fills the parts about times of day (steps 4 to 6): what is as long as the
// frequency or longer limits it, what is shorter expands it, from the start by default.
func (p *plan) setTimes(r *Rule, start Start) {
	given, at := r.timesGiven(), timeOf(start)
	p.limit = clockMasks{or(given.hours, allTimes.hours), or(given.minutes, allTimes.minutes), or(given.seconds, allTimes.seconds)}
	expand := given.filledIn(at)
	if p.freq.SubDaily() && !p.setPos.isSet() && p.makeDaily(&expand, at) {
		p.clock = newClockTimes(expand)
		return
	}
	if p.freq <= Hourly {
		expand.hours = 1
	}
	if p.freq <= Minutely {
		expand.minutes = 1
	}
	if p.freq == Secondly {
		expand.seconds = 1
	}
	p.clock = newClockTimes(expand)
}

// timesGiven returns what BYHOUR, BYMINUTE and BYSECOND give. A leap second counts as the one
// before (RFC 5545 section 3.3.12).
func (r *Rule) timesGiven() clockMasks {
	m := clockMasks{mask(r.ByHour, 0), mask(r.ByMinute, 0), mask(r.BySecond, 0)}
	if m.seconds>>60&1 != 0 {
		m.seconds = m.seconds&^(1<<60) | 1<<59
	}
	return m
}

// makeDaily turns a rule of a frequency below DAILY into one that says the same with DAILY,
// where there is one: MINUTELY;INTERVAL=15;BYHOUR=9 from 8:05 on is
// DAILY;BYHOUR=9;BYMINUTE=5,20,35,50. INTERVAL is taken apart from the frequency's unit
// upwards: what divides a unit's turn leaves a choice there, and each choice further up;
// a multiple of the turn leaves the start's value and a step further up.
func (p *plan) makeDaily(expand *clockMasks, at timeOfDay) bool {
	masks := *expand
	step := p.interval
	levels := [...]struct {
		freq  Freq
		turn  int64
		start uint
		limit uint64
		mask  *uint64
	}{
		{Secondly, 60, at.second, p.limit.seconds, &masks.seconds},
		{Minutely, 60, at.minute, p.limit.minutes, &masks.minutes},
		{Hourly, 24, at.hour, p.limit.hours, &masks.hours},
	}
	for _, l := range levels {
		switch {
		case l.freq < p.freq: // expands
		case step == 0: // further down there was a choice
			*l.mask = l.limit
		case l.turn%step == 0:
			*l.mask = l.limit & residues(l.start, uint(step), uint(l.turn))
			step = 0
		case step%l.turn == 0:
			*l.mask = l.limit & (1 << l.start)
			step /= l.turn
		default:
			return false
		}
	}
	p.freq, p.interval = Daily, max(step, 1)
	p.never = masks.hours == 0 || masks.minutes == 0 || masks.seconds == 0
	*expand = masks
	return true
}

// setUntil reads UNTIL beside the start. A date bounds the clock, its whole day included;
// for an all-day start only the date of an UNTIL counts.
func (p *plan) setUntil(until Value, start Start, zone zoneClock) {
	p.until, p.untilClock = math.MaxInt64, maxClock
	switch {
	case until.Form == 0:
	case until.Form == Date || start.allDay:
		day, _ := splitClock(until.Clock)
		p.untilClock = day*secondsPerDay + secondsPerDay - 1
	default:
		p.until = until.Clock
		p.untilClock = min(zone.clockAt(until.Clock)+maxShift, maxClock)
	}
}

// mask returns the set of the numbers of a list, none of which is negative, or the default
// where the list is empty.
func mask(list []int, byDefault uint64) uint64 {
	if len(list) == 0 {
		return byDefault
	}
	var m uint64
	for _, n := range list {
		m |= 1 << n
	}
	return m
}

// masks splits a list into the numbers counted from the start and those from the end.
func masks(list []int) (fromStart, fromEnd uint64) {
	for _, n := range list {
		if n > 0 {
			fromStart |= 1 << n
		} else {
			fromEnd |= 1 << -n
		}
	}
	return fromStart, fromEnd
}

func newMonthDays(list []int) *monthDays {
	if len(list) == 0 {
		return nil
	}
	fromStart, fromEnd := masks(list)
	return &monthDays{uint32(fromStart), uint32(fromEnd)}
}

func newWeekNos(list []int) *weekNos {
	if len(list) == 0 {
		return nil
	}
	fromStart, fromEnd := masks(list)
	return &weekNos{fromStart, fromEnd}
}

func newWeekdays(list []ByDay, inMonth bool) *weekdays {
	if len(list) == 0 {
		return nil
	}
	w := &weekdays{inMonth: inMonth}
	for _, d := range list {
		if d.N == 0 {
			w.each |= 1 << d.Day
		} else {
			w.nth = append(w.nth, d)
		}
	}
	return w
}

func newYearDays(list []int) *yearDays {
	if len(list) == 0 {
		return nil
	}
	y := &yearDays{}
	for _, n := range list {
		if n > 0 {
			y.fromStart.set(n - 1)
		} else {
			y.fromEnd = append(y.fromEnd, -n)
		}
	}
	return y
}

// missesPlaces reports whether no period has as many matches as BYSETPOS counts.
func (p *plan) missesPlaces() bool {
	if !p.setPos.isSet() {
		return false
	}
	days := 1
	switch p.freq {
	case Yearly:
		days = 366
	case Monthly:
		days = 31
	case Weekly:
		days = 7
	}
	return len(p.setPos.places(days*p.clock.n, nil)) == 0
}

// missesClock reports whether a frequency below DAILY steps past every time that its limits
// allow, as SECONDLY;INTERVAL=60;BYSECOND=30 from a full minute does. Steps of a multiple of
// g periods reach, of the periods of a day, those that equal the first modulo g.
func (p *plan) missesClock() bool {
	if !p.freq.SubDaily() {
		return false
	}
	g := gcd(p.interval, secondsPerDay/unitOf(p.freq))
	if g == 1 {
		return false
	}
	want := floorMod(p.firstNumber, g)
	times := newClockTimes(p.limit)
	switch p.freq {
	case Hourly:
		return !times.reaches(want, g, 1, 0, 0)
	case Minutely:
		return !times.reaches(want, g, 60, 1, 0)
	default:
		return !times.reaches(want, g, 3600, 60, 1)
	}
}
