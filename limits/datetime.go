package limits

import "time"

// DateTime is a date-time of RFC 3339 section 5.6 as it is written: the clock's reading
// and, if HasOffset, how far the clock is ahead of UTC. Without an offset the instant
// depends on a time zone that stands elsewhere. The zero value is no date-time.
type DateTime struct {
	Date
	Hour, Minute int
	Second       int // 0 to 59, or 60 in a leap second
	Nanosecond   int
	Offset       int // seconds east of UTC
	HasOffset    bool
}

// ParseDateTime reads a date-time of RFC 3339 section 5.6, such as
// "2025-03-01T09:30:00.5-05:00", or one that lacks its offset. It reports false, and no
// date-time, for anything else.
//
// T and Z may be in lower case. A fraction has any number of digits, of which those beyond
// nanoseconds are dropped. The second 60 is read only where a leap second can be (section
// 5.7): where it is 23:59:60 in UTC on the last day of a month or, without an offset, in
// the last minute of any hour.
func ParseDateTime(s string) (DateTime, bool) {
	const date, clock = len("yyyy-mm-dd"), len("yyyy-mm-ddThh:mm:ss")
	if len(s) < clock || lower(s[date]) != 't' {
		return DateTime{}, false
	}
	day, ok := ParseDate(s[:date])
	t := DateTime{Date: day}
	ok = ok && t.readClock(s[date+1:clock])
	rest, hasFraction := t.readFraction(s[clock:])
	if !ok || !hasFraction || !t.readOffset(rest) || t.Second == 60 && !t.mayLeap() {
		return DateTime{}, false
	}
	return t, true
}

// IsDateTime reports whether s is a date-time of RFC 3339 section 5.6, its offset included.
func IsDateTime(s string) bool {
	t, ok := ParseDateTime(s)
	return ok && t.HasOffset
}

// Time returns the instant of t, in UTC. A leap second is the second that follows it.
// Without an offset, t is taken to be in UTC: callers look at HasOffset first.
func (t DateTime) Time() time.Time {
	return time.Date(t.Year, time.Month(t.Month), t.Day,
		t.Hour, t.Minute, t.Second-t.Offset, t.Nanosecond, time.UTC)
}

// readClock reads "hh:mm:ss".
func (t *DateTime) readClock(s string) bool {
	if s[2] != ':' || s[5] != ':' {
		return false
	}
	t.Hour, t.Minute, t.Second = twoDigits(s[:2]), twoDigits(s[3:5]), twoDigits(s[6:])
	return within(t.Hour, 23) && within(t.Minute, 59) && within(t.Second, 60)
}

// readFraction reads the fraction that s may begin with, and returns what follows it. It
// reports false for a point without digits.
func (t *DateTime) readFraction(s string) (rest string, ok bool) {
	if s == "" || s[0] != '.' {
		return s, true
	}
	end, unit := 1, int(time.Second)
	for ; end < len(s) && classes[s[end]]&digit != 0; end++ {
		unit /= 10
		t.Nanosecond += int(s[end]-'0') * unit
	}
	return s[end:], end > 1
}

// readOffset reads "Z", "+hh:mm", "-hh:mm" or nothing. "-00:00" is UTC of which the local
// offset is not known (RFC 3339 section 4.3).
func (t *DateTime) readOffset(s string) bool {
	t.HasOffset = s != ""
	switch {
	case s == "", s == "Z", s == "z":
		return true
	case len(s) != len("+hh:mm"), s[0] != '+' && s[0] != '-', s[3] != ':':
		return false
	}
	hours, minutes := twoDigits(s[1:3]), twoDigits(s[4:])
	t.Offset = hours*3600 + minutes*60
	if s[0] == '-' {
		t.Offset = -t.Offset
	}
	return within(hours, 23) && within(minutes, 59)
}

// mayLeap reports whether the minute of t can end with a leap second.
func (t *DateTime) mayLeap() bool {
	if !t.HasOffset {
		return t.Minute == 59
	}
	const perDay = 24 * 60
	// An offset is shorter than a day, so UTC is at most one day away. The day before the first
	// is a last day of the month too. On the day after it is 23:58 at the latest.
	day, minute := t.Day, t.Hour*60+t.Minute-t.Offset/60
	if minute < 0 {
		day, minute = day-1, minute+perDay
	}
	return minute == perDay-1 && (day == 0 || day == daysIn(t.Year, t.Month))
}

// within reports whether n is from 0 to max.
func within(n, max int) bool { return 0 <= n && n <= max }
