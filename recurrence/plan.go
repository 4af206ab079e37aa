package recurrence

import (
	"math"
	"math/bits"
	"slices"
	"time"
)

// plan is a rule that was checked, made ready to be expanded from its start: what it leaves
// out is filled in from the start (RFC 8984 section 4.3.3), its lists are bit masks. A plan
// is never written to once it is made.
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

type clockMasks struct{ hours, minutes, seconds uint64 }

// maxCount is more instances than the calendar has seconds: a COUNT beyond it ends nothing.
const maxCount = 1 << 39

// newPlan makes the plan of a rule that [Rule.check] finds nothing wrong with.
func newPlan(r *Rule, start Start) *plan {
	p := &plan{
		freq:     r.Freq,
		interval: min(max(r.Interval, 1), maxCount),
		wkst:     int(r.WeekStart),
		first:    start.clock,
		count:    math.MaxInt64,
	}
	if r.Count > 0 && r.Count < maxCount {
		p.count = r.Count
	}
	p.setPos = newSetPos(r.BySetPos)
	p.setDates(r, start)
	p.setTimes(r, start)
	p.setUntil(r.Until, start)
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
}

// setDates fills the parts about days. The defaults are steps 7 to 9 of the second list of
// RFC 8984 section 4.3.3.
func (p *plan) setDates(r *Rule, start Start) {
	day, _ := splitClock(start.clock)
	_, month, mday := dateOf(day)
	byMonth, byMonthDay, byDay := r.ByMonth, r.ByMonthDay, r.ByDay
	switch {
	case r.Freq == Weekly && len(byDay) == 0:
		byDay = []ByDay{{Day: time.Weekday(weekdayOf(day))}}
	case r.Freq == Monthly && len(byDay) == 0 && len(byMonthDay) == 0:
		byMonthDay = []int{mday}
	case r.Freq == Yearly && len(r.ByYearDay) == 0:
		if len(byMonth) == 0 && len(r.ByWeekNo) == 0 && (len(byMonthDay) > 0 || len(byDay) == 0) {
			byMonth = []int{month}
		}
		if len(byMonthDay) == 0 && len(byDay) == 0 {
			if len(r.ByWeekNo) > 0 {
				byDay = []ByDay{{Day: time.Weekday(weekdayOf(day))}}
			} else {
				byMonthDay = []int{mday}
			}
		}
	}
	p.months = uint16(mask(byMonth, allMonths))
	p.monthDays = newMonthDays(byMonthDay)
	p.weekdays = newWeekdays(byDay, r.Freq == Monthly || len(r.ByMonth) > 0)
	p.yearDays = newYearDays(r.ByYearDay)
	p.weekNos = newWeekNos(r.ByWeekNo)
}

// setTimes fills the parts about times of day (steps 4 to 6): what is as long as the
// frequency or longer limits it, what is shorter expands it, from the start by default.
func (p *plan) setTimes(r *Rule, start Start) {
	_, second := splitClock(start.clock)
	h, m, s := uint(second/3600), uint(second/60%60), uint(second%60)
	bySecond := mask(r.BySecond, 0)
	if bySecond>>60&1 != 0 { // a leap second counts as the one before (RFC 5545 section 3.3.12)
		bySecond = bySecond&^(1<<60) | 1<<59
	}
	all := clockMasks{1<<24 - 1, 1<<60 - 1, 1<<60 - 1}
	given := clockMasks{mask(r.ByHour, 0), mask(r.ByMinute, 0), bySecond}
	p.limit = clockMasks{or(given.hours, all.hours), or(given.minutes, all.minutes), or(given.seconds, all.seconds)}
	expand := clockMasks{or(given.hours, 1<<h), or(given.minutes, 1<<m), or(given.seconds, 1<<s)}
	if p.freq.SubDaily() && !p.setPos.isSet() && p.makeDaily(&expand, h, m, s) {
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

// makeDaily turns a rule of a frequency below DAILY into one that says the same with DAILY,
// where there is one: MINUTELY;INTERVAL=15;BYHOUR=9 from 8:05 on is
// DAILY;BYHOUR=9;BYMINUTE=5,20,35,50. INTERVAL is taken apart from the frequency's unit
// upwards: what divides a unit's turn leaves a choice there, and each choice further up;
// a multiple of the turn leaves the start's value and a step further up.
func (p *plan) makeDaily(expand *clockMasks, h, m, s uint) bool {
	masks := *expand
	step := p.interval
	levels := [...]struct {
		freq  Freq
		turn  int64
		start uint
		limit uint64
		mask  *uint64
	}{
		{Secondly, 60, s, p.limit.seconds, &masks.seconds},
		{Minutely, 60, m, p.limit.minutes, &masks.minutes},
		{Hourly, 24, h, p.limit.hours, &masks.hours},
	}
	for _, l := range levels {
		switch {
		case l.freq < p.freq: // expands
			continue
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

// residues returns the numbers below n that equal start modulo step, which divides n.
func residues(start, step, n uint) uint64 {
	var m uint64
	for i := start % step; i < n; i += step {
		m |= 1 << i
	}
	return m
}

// or returns v, or the default where v is 0.
func or(v, byDefault uint64) uint64 {
	if v == 0 {
		return byDefault
	}
	return v
}

// setUntil reads UNTIL beside the start. A date bounds the clock, its whole day included;
// for an all-day start only the date of an UNTIL counts.
func (p *plan) setUntil(until Value, start Start) {
	p.until, p.untilClock = math.MaxInt64, maxClock
	switch {
	case until.Form == 0:
	case until.Form == Date || start.allDay:
		day, _ := splitClock(until.Clock)
		p.untilClock = day*secondsPerDay + secondsPerDay - 1
	default:
		p.until = until.Clock
		p.untilClock = min(clockAt(start.zone, until.Clock)+maxShift, maxClock)
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

// clockTimes are times of day: every combination of its hours, minutes and seconds, in
// order. Times are numbered from 0.
type clockTimes struct {
	hours         [24]uint8
	minutes       [60]uint8
	second        [60]uint8
	nh, nm, ns, n int   // how many there are of each, and of all together
	only          int64 // the one time where n is 1
}

func newClockTimes(m clockMasks) clockTimes {
	var c clockTimes
	c.nh = spread(c.hours[:], m.hours)
	c.nm = spread(c.minutes[:], m.minutes)
	c.ns = spread(c.second[:], m.seconds)
	c.n = c.nh * c.nm * c.ns
	c.only = int64(c.hours[0])*3600 + int64(c.minutes[0])*60 + int64(c.second[0])
	return c
}

// spread writes the bits that are set to list and returns how many there are.
func spread(list []uint8, m uint64) int {
	n := 0
	for ; m != 0; m &= m - 1 {
		list[n] = uint8(bits.TrailingZeros64(m))
		n++
	}
	return n
}

// at returns the time number i in seconds of the day.
func (c *clockTimes) at(i int) int64 {
	if c.n == 1 {
		return c.only
	}
	s, i := c.second[i%c.ns], i/c.ns
	m, i := c.minutes[i%c.nm], i/c.nm
	return int64(c.hours[i])*3600 + int64(m)*60 + int64(s)
}

// fill writes times from number i on to buf, added to base, and returns how many.
func (c *clockTimes) fill(buf []int64, i int, base int64) int {
	n := min(len(buf), c.n-i)
	s, i := i%c.ns, i/c.ns
	m, h := i%c.nm, i/c.nm
	for k := range n {
		buf[k] = base + int64(c.hours[h])*3600 + int64(c.minutes[m])*60 + int64(c.second[s])
		if s++; s == c.ns {
			s = 0
			if m++; m == c.nm {
				m = 0
				h++
			}
		}
	}
	return n
}

// before returns how many of the times lie before a second of the day.
func (c *clockTimes) before(second int64) int {
	h, m, s := uint8(second/3600), uint8(second/60%60), uint8(second%60)
	i := below(c.hours[:c.nh], h)
	n := i * c.nm * c.ns
	if i == c.nh || c.hours[i] != h {
		return n
	}
	i = below(c.minutes[:c.nm], m)
	n += i * c.ns
	if i == c.nm || c.minutes[i] != m {
		return n
	}
	return n + below(c.second[:c.ns], s)
}

func below(list []uint8, v uint8) int {
	for i, x := range list {
		if x >= v {
			return i
		}
	}
	return len(list)
}

// setPos is a BYSETPOS list, each half in ascending order of the places that it names in a
// set: -3 comes before -1.
type setPos struct{ fromStart, fromEnd []int }

func newSetPos(list []int) setPos {
	var s setPos
	for _, n := range list {
		if n > 0 {
			s.fromStart = append(s.fromStart, n)
		} else {
			s.fromEnd = append(s.fromEnd, n)
		}
	}
	slices.Sort(s.fromStart)
	slices.Sort(s.fromEnd)
	return s
}

func (s setPos) isSet() bool { return len(s.fromStart)+len(s.fromEnd) > 0 }

// places appends to buf, which is empty, the places from 0 that a set of n has, in order
// and each once.
func (s setPos) places(n int, buf []int) []int {
	pos, neg := s.fromStart, s.fromEnd
	for len(neg) > 0 && n+neg[0] < 0 {
		neg = neg[1:]
	}
	for len(pos) > 0 && pos[0] <= n || len(neg) > 0 {
		var place int
		if len(neg) == 0 || len(pos) > 0 && pos[0]-1 <= n+neg[0] {
			place, pos = pos[0]-1, pos[1:]
		} else {
			place, neg = n+neg[0], neg[1:]
		}
		if len(buf) == 0 || buf[len(buf)-1] != place {
			buf = append(buf, place)
		}
	}
	return buf
}

// has reports whether the list names the place i of a set of n.
func (s setPos) has(i, n int) bool {
	return slices.Contains(s.fromStart, i+1) || slices.Contains(s.fromEnd, i-n)
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
	hours := newClockTimes(p.limit)
	switch p.freq {
	case Hourly:
		return !hours.reaches(want, g, 1, 0, 0)
	case Minutely:
		return !hours.reaches(want, g, 60, 1, 0)
	default:
		return !hours.reaches(want, g, 3600, 60, 1)
	}
}

// reaches reports whether any of the times equals want modulo g, where an hour, a minute
// and a second count as many as given (0: they do not count). It tries seconds first: those
// that miss modulo what a minute counts cannot be mended by hours and minutes.
func (c *clockTimes) reaches(want, g, perHour, perMinute, perSecond int64) bool {
	for _, s := range upTo(c.second[:c.ns], perSecond) {
		sum := int64(s) * perSecond
		if perMinute > 0 && (sum-want)%gcd(g, perMinute) != 0 {
			continue
		}
		for _, m := range upTo(c.minutes[:c.nm], perMinute) {
			sum := sum + int64(m)*perMinute
			if (sum-want)%gcd(g, perHour) != 0 {
				continue
			}
			for _, h := range c.hours[:c.nh] {
				if (sum+int64(h)*perHour-want)%g == 0 {
					return true
				}
			}
		}
	}
	return false
}

// upTo returns the list, or one element of it where it does not count.
func upTo(list []uint8, counts int64) []uint8 {
	if counts == 0 {
		return list[:1]
	}
	return list
}
