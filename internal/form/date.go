package form

import "cmp"

// Date is a day of the proleptic Gregorian calendar. The zero value is not a valid date.
type Date struct {
	Year, Month, Day int // Month and Day start at 1
}

// ParseDate parses a full-date (RFC 3339 section 5.6), such as "2025-03-01": exactly ten bytes, a
// year from 0000 to 9999, and a day that exists. It returns the zero Date and false for anything
// else.
func ParseDate(s string) (Date, bool) {
	if len(s) != len("yyyy-mm-dd") || s[4] != '-' || s[7] != '-' {
		return Date{}, false
	}
	century, year := twoDigits(s[:2]), twoDigits(s[2:4])
	d := Date{Year: 100*century + year, Month: twoDigits(s[5:7]), Day: twoDigits(s[8:])}
	if century < 0 || year < 0 || d.Month < 1 || d.Month > 12 || d.Day < 1 || d.Day > daysIn(d.Year, d.Month) {
		return Date{}, false
	}
	return d, true
}

// IsDate reports whether [ParseDate] accepts s.
func IsDate(s string) bool {
	_, ok := ParseDate(s)
	return ok
}

// Days returns the number of days from 1970-01-01 to d, which is negative if d is earlier.
func (d Date) Days() int {
	return int(DateTime{Date: d}.Time().Unix() / (24 * 60 * 60))
}

// Compare returns -1 if d is before other, 0 if they are equal, and 1 if d is after other.
func (d Date) Compare(other Date) int {
	return cmp.Or(
		cmp.Compare(d.Year, other.Year),
		cmp.Compare(d.Month, other.Month),
		cmp.Compare(d.Day, other.Day),
	)
}

// daysIn returns the number of days of a month, which is from 1 to 12.
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

// twoDigits returns the number that the two bytes of s spell, or -1 if one is not a digit.
func twoDigits(s string) int {
	tens, ones := s[0]-'0', s[1]-'0' // bytes below '0' wrap around
	if tens > 9 || ones > 9 {
		return -1
	}
	return 10*int(tens) + int(ones)
}
