package form

import "time"

// A DateTime is a date-time (RFC 3339 section 5.6) as written: the local time and, if HasOffset is true, the offset from UTC.
// Without an offset, the instant depends on a separately specified time zone. The zero value is not a valid date-time.
type DateTime struct {
	Date
	Hour, Minute int
	Second       int // 0 to 59, or 60 for a leap second
	Nanosecond   int
	Offset       int // in seconds east of UTC
	HasOffset    bool
}

// ParseDateTime parses a date-time (RFC 3339 section 5.6), such as "2025-03-01T09:30:00.5-05:00", with or without an offset. If
// s is not a valid date-time, ParseDateTime returns the zero DateTime and false.
//
// T and Z may be in lower case. A fraction may have any number of digits; digits beyond nanoseconds are discarded. Second
// 60 is accepted only where a leap second can occur (section 5.7): at 23:59:60 UTC on the last day of a month or, if
// there is no offset, in the last minute of any hour.
func ParseDateTime(s string) (DateTime, bool) {
	var t DateTime
	if !t.Read(s) {
		return DateTime{}, false
	}
	return t, true
}

// Read is like [ParseDateTime], but stores the result in t, which must be zero. If Read returns false, the content of t is
// invalid.
func (t *DateTime) Read(s string) bool {
	const clock = len("yyyy-mm-ddThh:mm:ss")
	if len(s) < clock || lower(s[10]) != 't' || s[13] != ':' || s[16] != ':' || !t.Date.read(s) {
		return false
	}
	t.Hour, t.Minute, t.Second = TwoDigits(s[11], s[12]), TwoDigits(s[14], s[15]), TwoDigits(s[17], s[18])
	if t.Hour > 23 || t.Minute > 59 || t.Second > 60 {
		return false
	}
	rest, hasFraction := t.readFraction(s[clock:])
	return hasFraction && t.readOffset(rest) && (t.Second < 60 || t.mayLeap())
}

// IsDateTime reports whether s is a date-time (RFC 3339 section 5.6), including its offset.
func IsDateTime(s string) bool {
	t, ok := ParseDateTime(s)
	return ok && t.HasOffset
}

// Time returns the instant of t in UTC. For a leap second, Time returns the following second. If t has no offset, Time assumes
// UTC, so callers should check HasOffset first.
func (t DateTime) Time() time.Time {
	const day = 24 * 60 * 60
	second := t.Hour*3600 + t.Minute*60 + t.Second - t.Offset
	return time.Unix(int64(t.Days())*day+int64(second), int64(t.Nanosecond)).UTC()
}

// Clock returns a number for ordering local times, ignoring fractions of a second. Clock counts 61 seconds per minute to allow
// for leap seconds. A nil t comes before all other times.
func (t *DateTime) Clock() int64 {
	if t == nil {
		return -1
	}
	return int64((t.Year*12+t.Month)*31+t.Day)*(24*60*61) + int64((t.Hour*60+t.Minute)*61+t.Second)
}

// readFraction parses the optional fraction at the start of s and returns the rest of s, or false if a decimal point is not
// followed by digits.
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

// readOffset parses "Z", "+hh:mm", "-hh:mm" or the empty string. The offset "-00:00" means UTC with an unknown local
// offset (RFC 3339 section 4.3).
func (t *DateTime) readOffset(s string) bool {
	t.HasOffset = s != ""
	switch {
	case s == "", s == "Z", s == "z":
		return true
	case len(s) != len("+hh:mm"), s[0] != '+' && s[0] != '-', s[3] != ':':
		return false
	}
	hours, minutes := TwoDigits(s[1], s[2]), TwoDigits(s[4], s[5])
	t.Offset = hours*3600 + minutes*60
	if s[0] == '-' {
		t.Offset = -t.Offset
	}
	return hours <= 23 && minutes <= 59
}

// mayLeap reports whether the minute that contains t can end with a leap second.
func (t *DateTime) mayLeap() bool {
	if !t.HasOffset {
		return t.Minute == 59
	}
	const perDay = 24 * 60
	// An offset is shorter than a day, so the UTC date differs from the local date by at most one day. If the UTC date is the day
	// before the first of a month, the UTC date is the last day of the previous month. If the UTC date is one day after the local
	// date, the UTC time is at most 23:58.
	day, minute := t.Day, t.Hour*60+t.Minute-t.Offset/60
	if minute < 0 {
		day, minute = day-1, minute+perDay
	}
	return minute == perDay-1 && (day == 0 || day == daysIn(t.Year, t.Month))
}
