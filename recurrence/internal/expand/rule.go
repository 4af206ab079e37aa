package expand

import (
	"math"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Freq is a frequency, as in package recurrence.
type Freq uint8

const (
	Secondly Freq = iota + 1
	Minutely
	Hourly
	Daily
	Weekly
	Monthly
	Yearly
)

func (f Freq) subDaily() bool { return f <= Hourly }

// unit returns the index of a frequency below DAILY in unitSeconds, or -1 for other frequencies.
func (f Freq) unit() int { return max(int(Hourly)-int(f), -1) }

func (f Freq) seconds() int64 {
	if f.subDaily() {
		return unitSeconds[f.unit()]
	}
	return civil.SecondsPerDay
}

// number returns the number of the period of a frequency that contains a clock. The numbers are
// consecutive.
func (f Freq) number(clock int64, weekStart time.Weekday) int64 {
	if f <= Daily {
		return civil.FloorDiv(clock, f.seconds())
	}
	day, _ := civil.Split(clock)
	switch f {
	case Yearly:
		return int64(civil.YearOf(day))
	case Monthly:
		y, m, _ := civil.DateOf(day)
		return int64(y)*12 + int64(m) - 1
	default:
		return civil.FloorDiv(day+weekShift(weekStart), 7)
	}
}

// begin returns the first clock of the period of a frequency with the given number.
func (f Freq) begin(number int64, weekStart time.Weekday) int64 {
	switch f {
	case Yearly:
		return civil.NewYear(int(number)) * civil.SecondsPerDay
	case Monthly:
		return civil.DayNumber(int(number/12), int(number%12)+1, 1) * civil.SecondsPerDay
	case Weekly:
		return (7*number - weekShift(weekStart)) * civil.SecondsPerDay
	}
	return number * f.seconds()
}

// cycle returns the number of periods in 400 years, after which the calendar repeats.
func (f Freq) cycle() int64 {
	switch f {
	case Yearly:
		return 400
	case Monthly:
		return 400 * 12
	case Weekly:
		return civil.CycleDays / 7
	}
	return civil.CycleDays * (civil.SecondsPerDay / f.seconds())
}

// weekShift is added to make the number of the first day of a week a multiple of 7. Day 0 is a
// Thursday.
func weekShift(weekStart time.Weekday) int64 { return int64(time.Thursday - weekStart) }

// Number returns the number of the period of a rule that contains a clock. The numbers are consecutive.
func (r *Rule) Number(clock int64) int64 { return r.Freq.number(clock, r.WeekStart) }

// Period returns the first clock of the period of a rule that contains a clock, and the first clock of the next period.
func (r *Rule) Period(clock int64) (begin, end int64) {
	n := r.Freq.number(clock, r.WeekStart)
	return r.Freq.begin(n, r.WeekStart), r.Freq.begin(n+1, r.WeekStart)
}

func (f Freq) maxDays() int { return max(1, [...]int{Weekly: 7, Monthly: 31, Yearly: 366}[f]) }

// Weekday is one value of BYDAY.
type Weekday struct {
	N   int // the ordinal in its month or year, from the end if negative; 0 means every one
	Day time.Weekday
}

// Rule is a recurrence rule that follows RFC 5545. Its lists have the ranges and the meaning of the BY parts; an empty
// list is an absent part.
type Rule struct {
	Freq      Freq
	Interval  int64 // 0 means 1
	Count     int64 // 0 means no limit
	WeekStart time.Weekday

	ByMonth, ByWeekNo, ByYearDay, ByMonthDay []int
	ByDay                                    []Weekday
	ByHour, ByMinute, BySecond, BySetPos     []int

	// The limits of UNTIL: instances up to and including an instant and a clock. See [NoUntil].
	LastInstant, LastClock int64

	// Covered reports whether an EXRULE is known to exclude all instances of the rule, so that a search for them is
	// pointless.
	Covered bool

	// OrdinalsInMonth reports whether the ordinals of ByDay count within the month, not within the
	// year. FillIn sets it.
	OrdinalsInMonth bool
}

// NoUntil is the LastInstant of a rule whose instances are not limited to an instant. The
// LastClock of an unlimited rule is [civil.MaxClock].
const NoUntil = math.MaxInt64

// FillIn sets the parts about days that the rule takes from the day of the start: steps 7 to 9 of the second list of RFC
// 8984 section 4.3.3, unless the options differ.
func (r *Rule) FillIn(start int64, o Options) {
	_, month, monthDay := civil.DateOf(start)
	noDay := len(r.ByMonthDay) == 0 && len(r.ByDay) == 0
	defer func() { r.OrdinalsInMonth = r.Freq == Monthly || len(r.ByMonth) > 0 }()
	switch {
	case r.Freq == Weekly && len(r.ByDay) == 0:
		r.ByDay = []Weekday{weekdayOf(start)}
	case r.Freq == Monthly && noDay:
		r.ByMonthDay = []int{monthDay}
	case r.Freq != Yearly || len(r.ByYearDay) > 0:
	case len(r.ByWeekNo) > 0 && noDay:
		if !o.AllWeekdays {
			r.ByDay = []Weekday{weekdayOf(start)}
		}
	case len(r.ByWeekNo) == 0 && (noDay || len(r.ByMonthDay) > 0):
		if len(r.ByMonth) == 0 && (noDay || !o.AllMonths) {
			r.ByMonth = []int{month}
		}
		if noDay {
			r.ByMonthDay = []int{monthDay}
		}
	}
}

func weekdayOf(day int64) Weekday { return Weekday{Day: time.Weekday(civil.WeekdayOf(day))} }

// times returns the times of day that the rule gives. A leap second means the second before it
// (RFC 5545 section 3.3.12).
func (r *Rule) times() timeMasks {
	m := timeMasks{mask(r.ByHour), mask(r.ByMinute), mask(r.BySecond)}
	if m[2]>>60&1 != 0 {
		m[2] = m[2]&^(1<<60) | 1<<59
	}
	return m
}

// mask returns the set of the numbers in a list. No number may be negative.
func mask(list []int) (m uint64) {
	for _, n := range list {
		m |= 1 << n
	}
	return m
}

// fromEnds is a set of numbers that count from the start (bit n) or from the end (bit n).
type fromEnds struct{ start, end uint64 }

func newFromEnds(list []int) (m fromEnds) {
	for _, n := range list {
		if n > 0 {
			m.start |= 1 << n
		} else {
			m.end |= 1 << -n
		}
	}
	return m
}

func (m fromEnds) isEmpty() bool { return m == fromEnds{} }
