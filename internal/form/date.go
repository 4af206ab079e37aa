package form

import "cmp"

// A Date is a day in the proleptic Gregorian calendar. The zero value is not a valid date.
type Date struct {
	Year, Month, Day int // Month and Day start at 1
}

// ParseDate parses a full-date (RFC 3339 section 5.6), such as "2025-03-01". The string must consist of exactly ten bytes, with
// a year from 0000 to 9999, and the date must exist. Otherwise, ParseDate returns the zero Date and false.
func ParseDate(s string) (Date, bool) {
	var d Date
	if len(s) != len("yyyy-mm-dd") || !d.read(s) {
		return Date{}, false
	}
	return d, true
}

// read parses the date at the start of s, which must be at least ten bytes long.
func (d *Date) read(s string) bool {
	_ = s[9]
	d.Year, d.Month, d.Day = 100*TwoDigits(s[0], s[1])+TwoDigits(s[2], s[3]), TwoDigits(s[5], s[6]), TwoDigits(s[8], s[9])
	return s[4] == '-' && s[7] == '-' && d.Year <= 9999 && 1 <= d.Month && d.Month <= 12 && 1 <= d.Day && (d.Day <= 28 || d.Day <= daysIn(d.Year, d.Month))
}

// IsDate reports whether [ParseDate] accepts s.
func IsDate(s string) bool {
	_, ok := ParseDate(s)
	return ok
}

// Days returns the number of days from 1970-01-01 to d, which is negative if d is earlier.
func (d Date) Days() int {
	const epoch = 719_468            // 1970-01-01, in days from 1 March of the year 0
	year, month := d.Year, d.Month-3 // a year that begins in March ends with its leap day
	if month < 0 {
		year, month = year-1, month+12
	}
	return year*365 + year>>2 - year/100 + year/400 + (153*month+2)/5 + d.Day - 1 - epoch
}

// Compare returns -1 if d is before other, 0 if they are equal, and 1 if d is after other.
func (d Date) Compare(other Date) int {
	return cmp.Or(
		cmp.Compare(d.Year, other.Year),
		cmp.Compare(d.Month, other.Month),
		cmp.Compare(d.Day, other.Day),
	)
}

// daysIn returns the number of days in a month, which must be from 1 to 12.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// NoDigits is a number larger than any valid part of a date or time.
const NoDigits = 10_000

// TwoDigits returns the number that two digits represent, or NoDigits if one of the bytes is not a digit.
func TwoDigits(tens, ones byte) int {
	t, o := tens-'0', ones-'0' // bytes below '0' wrap around
	if t > 9 || o > 9 {
		return NoDigits
	}
	return 10*int(t) + int(o)
}
