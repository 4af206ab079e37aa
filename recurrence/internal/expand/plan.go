package expand

import (
	"math"
	"slices"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A plan is a rule prepared for expansion from its start: absent parts are filled in, and lists are converted to bit
// masks. A plan is immutable once scheduled, except for its tallies.
type plan struct {
	months    uint16   // bit m represents month m
	monthDays fromEnds // empty if all days match
	weekdays  weekdays
	yearDays  []int
	weekNos   fromEnds // empty if all weeks match
	byWeekday bool     // whether a day matches depends on its weekday alone
	weekStart time.Weekday
	given     timeMasks // the hours, minutes and seconds that the rule lists
	places    []int     // the BYSETPOS list

	zone civil.Zone // the zone of the local times, or the zero Zone if BYSETPOS also counts local times that do not exist

	// The parts of the rule about periods and times of day, as written.
	written struct {
		freq     Freq
		interval int64
		number   int64     // the number of the period of freq that contains the start
		times    timeMasks // the times that the rule matches
	}

	first      int64 // the local time of the start
	until      int64 // the last instant that may be an instance
	untilClock int64 // the last local time that may be an instance
	count      int64 // the maximum number of instances
	covered    bool  // an EXRULE excludes all instances

	schedule
}

// A schedule determines an efficient way to visit the matches of a plan in order. A schedule is not needed to check whether a
// local time is a match.
type schedule struct {
	isMade bool

	freq        Freq
	interval    int64
	firstNumber int64 // the number of the period of freq that contains the start

	// times contains the times of day within a period. For frequencies shorter than DAILY, limits contains the hours,
	// minutes and seconds at which a period may begin.
	times  dayTimes
	limits timeMasks
	setPos setPos
	loses  bool // BYSETPOS skips local times that do not exist, and there may be some

	// A walker visits every step-th period of the unit walk. The unit is freq, unless visiting whole years suffices.
	walk        Freq
	step        int64
	firstPeriod int64 // the number of the period that contains the start
	lastPeriod  int64 // the number of the last period that may have an instance
	repeat      int64 // the number of periods after which the matches repeat, or a larger number than there are periods
	never       bool  // no period ever has an instance
	uniform     bool  // every visited period has times.n matches

	// The number of matches in a cycle, and the number of matches in gaps in a cycle, once each has been counted.
	matchesPerCycle, lostPerCycle tally
}

type weekdays struct {
	given   bool
	each    uint8     // bit d means every weekday d
	nth     []Weekday // the weekdays with ordinals
	inMonth bool      // the ordinals count within the month, not within the year
}

// maxInterval is a number of seconds longer than the calendar. A larger INTERVAL has the same effect.
const maxInterval = 1 << 39

// prepare initializes p to the plan of a rule, without a schedule, reusing the memory of p.
func (p *plan) prepare(rule *Rule, start int64, zone civil.Zone, o Options) {
	r := *rule
	day, _ := civil.Split(start)
	r.FillIn(day, o)
	if p.zone = zone; o.Shift {
		p.zone = civil.Zone{}
	}
	p.months = allMonths
	if len(r.ByMonth) > 0 {
		p.months = uint16(mask(r.ByMonth))
	}
	p.monthDays, p.yearDays, p.weekNos = newFromEnds(r.ByMonthDay), r.ByYearDay, newFromEnds(r.ByWeekNo)
	p.weekdays.set(r.ByDay, r.OrdinalsInMonth)
	p.byWeekday = p.months == allMonths && p.monthDays.isEmpty() && len(p.weekdays.nth)+len(p.yearDays) == 0 && p.weekNos.isEmpty()
	p.weekStart, p.given, p.places = r.WeekStart, r.times(), r.BySetPos
	p.first, p.until, p.untilClock, p.covered = start, r.LastInstant, r.LastClock, r.Covered
	if p.count = r.Count; p.count <= 0 {
		p.count = math.MaxInt64
	}
	p.isMade = false
	w := &p.written
	w.freq, w.interval = r.Freq, min(max(r.Interval, 1), maxInterval)
	w.number, w.times = p.numberOf(w.freq, start), p.timesGiven(w.freq)
}

// timesGiven returns the hours, minutes and seconds that a rule matches. A unit that the rule does not list is taken from
// the start or, if the unit is at least as long as the frequency, matches any value.
func (p *plan) timesGiven(freq Freq) timeMasks {
	times := p.given
	for u, at := range timeOf(p.first) {
		switch {
		case times[u] != 0:
		case u <= freq.unit():
			times[u] = allTimes[u]
		default:
			times[u] = 1 << at
		}
	}
	return times
}

// makeSchedule computes the schedule, unless it has already been computed.
func (p *plan) makeSchedule() {
	if p.isMade {
		return
	}
	p.schedule = schedule{isMade: true, freq: p.written.freq, interval: p.written.interval, setPos: newSetPos(p.places)}
	p.setTimes(p.given)
	p.firstNumber = p.numberOf(p.freq, p.first)
	p.loses = p.setPos.isGiven() && p.zone.Location != nil && p.mayLoseAny(p.zone)
	p.setWalk()
}

// setWalk determines the periods to visit. Without BYSETPOS, the bounds of periods within a year do not matter, so it suffices
// to visit years and match only the days that INTERVAL selects.
func (p *plan) setWalk() {
	p.walk, p.step = p.freq, p.interval
	if !p.setPos.isGiven() && !p.freq.subDaily() {
		p.walk = Yearly
		if p.freq != Yearly {
			p.step = 1
		}
	}
	p.firstPeriod = p.periodOf(p.first)
	p.lastPeriod = p.periodOf(p.untilClock)
	p.repeat = math.MaxInt64
	if p.walk == p.freq {
		cycle := p.walk.cycle() / gcd(p.walk.cycle(), p.step)
		p.repeat = cycle * min(p.step, math.MaxInt64/cycle)
	}
	p.never = p.never || p.missesTimes() || p.missesPlaces()
	mostMatches := ((p.lastPeriod-p.firstPeriod)/p.step + 1) * int64(p.walk.maxDays()*p.times.n)
	if p.count >= mostMatches {
		p.count = math.MaxInt64
	}
	p.uniform = p.walk.subDaily() && p.limits == allTimes && !p.setPos.isGiven() && p.byWeekday && !p.weekdays.given
}

// setTimes sets the fields that depend on times of day (steps 4 to 6). A part for a unit at least as long as the frequency
// limits the periods; a part for a shorter unit expands the periods, and defaults to the time of the start.
func (p *plan) setTimes(given timeMasks) {
	at := timeOf(p.first)
	p.limits = given.orElse(allTimes)
	expand := given.orElse(timeMasks{1 << at[0], 1 << at[1], 1 << at[2]})
	if !p.freq.subDaily() || p.setPos.isGiven() || !p.makeDaily(&expand, at) {
		for u := range p.freq.unit() + 1 {
			expand[u] = 1
		}
	}
	p.times.set(expand)
}

// makeDaily converts a rule that is more frequent than DAILY to an equivalent DAILY rule, if there is one:
// MINUTELY;INTERVAL=15;BYHOUR=9 from 8:05 on is equivalent to DAILY;BYHOUR=9;BYMINUTE=5,20,35,50. The INTERVAL is decomposed,
// starting with the unit of the frequency. If INTERVAL divides the number of such units in the next longer unit, INTERVAL
// selects some values of the unit and does not restrict longer units. If INTERVAL is a multiple of that number, the unit keeps
// the value of the start, and the quotient is the step in the next longer unit.
func (p *plan) makeDaily(expand *timeMasks, at [3]uint) bool {
	masks, step := *expand, p.interval
	for u := p.freq.unit(); u >= 0; u-- {
		turn := unitTurns[u]
		switch {
		case step == 0: // INTERVAL is used up by a shorter unit
			masks[u] = p.limits[u]
		case turn%step == 0:
			masks[u] = p.limits[u] & residues(at[u], uint(step), uint(turn))
			step = 0
		case step%turn == 0:
			masks[u] = p.limits[u] & (1 << at[u])
			step /= turn
		default:
			return false
		}
	}
	p.freq, p.interval = Daily, max(step, 1)
	p.never = slices.Contains(masks[:], 0)
	*expand = masks
	return true
}

// set adds the weekdays in a BYDAY list.
func (w *weekdays) set(list []Weekday, inMonth bool) {
	w.given, w.inMonth, w.each, w.nth = len(list) > 0, inMonth, 0, w.nth[:0]
	for _, d := range list {
		if d.N == 0 {
			w.each |= 1 << d.Day
		} else {
			w.nth = append(w.nth, d)
		}
	}
}

// missesPlaces reports whether every period has too few matches for any BYSETPOS position to exist.
func (p *plan) missesPlaces() bool {
	return p.setPos.isGiven() && len(p.setPos.places(p.freq.maxDays()*p.times.n, nil)) == 0
}

// missesTimes reports whether a rule that is more frequent than DAILY steps past every time that its limits allow, as
// SECONDLY;INTERVAL=60;BYSECOND=30 does if it starts on a full minute. Steps reach exactly the periods of a day that are
// congruent to the first period modulo g.
func (p *plan) missesTimes() bool {
	if !p.freq.subDaily() {
		return false
	}
	g := gcd(p.interval, civil.SecondsPerDay/p.freq.seconds())
	return !p.limits.reaches(p.freq, p.freq.unit(), civil.FloorMod(p.firstNumber, g), g)
}

// align returns the first visited period at or after the given period.
func (p *plan) align(period int64) int64 {
	d := max(period-p.firstPeriod, 0)
	return p.firstPeriod + (d+p.step-1)/p.step*p.step
}

func (p *plan) periodOf(clock int64) int64 { return p.numberOf(p.walk, clock) }

func (p *plan) numberOf(f Freq, clock int64) int64 { return f.number(clock, p.weekStart) }
