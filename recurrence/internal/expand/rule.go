package expand

import (
	"math"
	"time"

	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A Freq is a frequency, as in package recurrence.
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

// unit returns the index in unitSeconds of a frequency shorter than DAILY, or -1 for other frequencies.
func (f Freq) unit() int { return max(int(Hourly)-int(f), -1) }

func (f Freq) seconds() int64 {
	if f.subDaily() {
		return unitSeconds[f.unit()]
	}
	return civil.SecondsPerDay
}

// number returns the number of the period of length f that contains a local time. Periods are numbered consecutively.
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

// begin returns the first local time of the period of length f with the given number.
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

// cycle returns the number of periods in the 400 years after which the calendar repeats.
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

// weekShift returns the number to add to a day number to make the first day of a week a multiple of 7. Day 0 is a Thursday.
func weekShift(weekStart time.Weekday) int64 { return int64(time.Thursday - weekStart) }

// Number returns the number of the rule's period that contains a local time. Periods are numbered consecutively.
func (r *Rule) Number(clock int64) int64 { return r.Freq.number(clock, r.WeekStart) }

// Period returns the first local time of the rule's period that contains the given local time, and the first local time
// of the next period.
func (r *Rule) Period(clock int64) (begin, end int64) {
	n := r.Freq.number(clock, r.WeekStart)
	return r.Freq.begin(n, r.WeekStart), r.Freq.begin(n+1, r.WeekStart)
}

func (f Freq) maxDays() int { return max(1, [...]int{Weekly: 7, Monthly: 31, Yearly: 366}[f]) }

// A Weekday is one value of BYDAY.
type Weekday struct {
	N   int // the ordinal in the month or year, counted from the end if negative; 0 means every such weekday
	Day time.Weekday
}

// A Rule is a recurrence rule as in RFC 5545. The lists have the ranges and meanings of the corresponding BY parts; an empty
// list represents an absent part.
type Rule struct {
	Freq      Freq
	Interval  int64 // 0 is equivalent to 1
	Count     int64 // 0 means no limit
	WeekStart time.Weekday

	ByMonth, ByWeekNo, ByYearDay, ByMonthDay []int
	ByDay                                    []Weekday
	ByHour, ByMinute, BySecond, BySetPos     []int

	// The limits that UNTIL sets: the last instant and the last local time that may be an instance. See [NoUntil].
	LastInstant, LastClock int64

	// Covered reports whether an EXRULE is known to exclude all instances of the rule, in which case searching for instances is
	// pointless.
	Covered bool

	// OrdinalsInMonth reports whether the ordinals in ByDay count within the month instead of the year. OrdinalsInMonth is
	// set by FillIn.
	OrdinalsInMonth bool
}

// NoUntil is the LastInstant of a rule without a last instant. The LastClock of a rule is [civil.MaxClock] if the rule has no
// last local time either.
const NoUntil = math.MaxInt64

// FillIn sets the day parts that the rule takes from the date of the start. FillIn follows steps 7 to 9 of the second list in
// RFC 8984 section 4.3.3, except where the options differ.
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

// times returns the hours, minutes and seconds that the rule lists. A leap second is treated as the second before it (RFC
// 5545 section 3.3.12).
func (r *Rule) times() timeMasks {
	m := timeMasks{mask(r.ByHour), mask(r.ByMinute), mask(r.BySecond)}
	if m[2]>>60&1 != 0 {
		m[2] = m[2]&^(1<<60) | 1<<59
	}
	return m
}

// mask returns the numbers in a list as a bit set. The numbers must not be negative.
func mask(list []int) (m uint64) {
	for _, n := range list {
		m |= 1 << n
	}
	return m
}

// fromEnds is a set of numbers, some counted from the start and some from the end. Bit n represents the number n in
// either case.
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
