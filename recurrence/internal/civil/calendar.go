// Package civil implements arithmetic on local dates and times, and time zones. A day number counts days, and a clock counts
// seconds of local time, both since 1970-01-01T00:00:00 in the Gregorian calendar, without leap seconds.
package civil

// The calendar is limited to the years that RFC 5545 can express with four digits.
const (
	MinYear = 0
	MaxYear = 9999

	SecondsPerDay = 86400
)

// The first and last local times of the calendar.
var (
	MinClock = DayNumber(MinYear, 1, 1) * SecondsPerDay
	MaxClock = DayNumber(MaxYear+1, 1, 1)*SecondsPerDay - 1
)

// DaysBefore[l][m] is the number of days before month m+1 in a common year (l=0) or a leap year (l=1).
var DaysBefore = [2][13]int{
	{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365},
	{0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366},
}

// LeapIndex returns 1 for a leap year and 0 for a common year.
func LeapIndex(y int) int {
	if y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		return 1
	}
	return 0
}

// DaysInYear returns the number of days in a year.
func DaysInYear(y int) int { return 365 + LeapIndex(y) }

// DaysInMonth returns the number of days in a month.
func DaysInMonth(y, m int) int {
	before := &DaysBefore[LeapIndex(y)]
	return before[m] - before[m-1]
}

// DayNumber returns the day number of a date.
func DayNumber(y, m, d int) int64 { return NewYear(y) + int64(DaysBefore[LeapIndex(y)][m-1]+d-1) }

// NewYear returns the day number of 1 January. The shift makes the result correct for years down to -98. The earliest year in
// use is -1: the first week of the calendar begins in year -1, as does the calendar in zones behind UTC.
func NewYear(y int) int64 {
	p := int64(y) - 1
	return p*365 + p>>2 - p/100 + p/400 - 719162
}

// YearOf returns the year that contains a day.
func YearOf(day int64) int {
	n := day + 719162                     // days since 1 January of year 1
	y := int(FloorDiv(n*400, 146097)) + 1 // never too late, and at most one year too early
	if day >= NewYear(y+1) {
		return y + 1
	}
	return y
}

// DateOf returns the date of a day number.
func DateOf(day int64) (y, m, d int) {
	y = YearOf(day)
	before := &DaysBefore[LeapIndex(y)]
	dayOfYear := int(day - NewYear(y))
	m = dayOfYear/31 + 1 // never too late, and at most one month too early
	if dayOfYear >= before[m] {
		m++
	}
	return y, m, dayOfYear - before[m-1] + 1
}

// WeekdayOf returns the weekday of a day, where Sunday is 0.
func WeekdayOf(day int64) int { return int(FloorMod(day+4, 7)) }

// Split splits a local time into its day number and the second of that day.
func Split(clock int64) (day, second int64) {
	day = FloorDiv(clock, SecondsPerDay)
	return day, clock - day*SecondsPerDay
}

// FloorDiv returns a/b rounded down.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// FloorMod returns the remainder of a/b that corresponds to [FloorDiv]. The remainder is never negative if b is positive.
func FloorMod(a, b int64) int64 {
	r := a % b
	if r < 0 {
		r += b
	}
	return r
}
