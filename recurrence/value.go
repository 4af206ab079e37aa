package recurrence

import "fmt"

// Form is how a date or a time is written.
type Form uint8

// The forms of RFC 5545 sections 3.3.4 and 3.3.5. The zero Form is that of a value that
// is not there.
const (
	Date  Form = iota + 1 // 20260310
	Local                 // 20260310T090000, on the clock of TZID or else of the start's zone
	UTC                   // 20260310T130000Z
)

func (f Form) String() string {
	switch f {
	case Date:
		return "DATE"
	case Local:
		return "local DATE-TIME"
	case UTC:
		return "UTC DATE-TIME"
	}
	return "none"
}

// Value is a DATE or DATE-TIME value. The zero Value is none.
type Value struct {
	Form  Form
	Clock int64 // seconds from 1970-01-01T00:00:00 on the clock that Form means; midnight for a Date
}

// String gives the value as RFC 5545 writes it, "" for the zero Value, and "invalid" for
// one that RFC 5545 cannot write.
func (v Value) String() string {
	switch {
	case v.Form == 0:
		return ""
	case !v.valid():
		return "invalid"
	}
	day, second := splitClock(v.Clock)
	y, m, d := dateOf(day)
	if v.Form == Date {
		return fmt.Sprintf("%04d%02d%02d", y, m, d)
	}
	suffix := ""
	if v.Form == UTC {
		suffix = "Z"
	}
	return fmt.Sprintf("%04d%02d%02dT%02d%02d%02d%s", y, m, d, second/3600, second/60%60, second%60, suffix)
}

// valid reports whether the value is one that RFC 5545 can write.
func (v Value) valid() bool {
	return v.Form >= Date && v.Form <= UTC && v.Clock >= minClock && v.Clock <= maxClock &&
		(v.Form != Date || floorMod(v.Clock, secondsPerDay) == 0)
}

// Period is a value of type PERIOD (RFC 5545 section 3.3.9): an instance with an end of its
// own. Exactly one of End and Length says where it ends.
type Period struct {
	Start  Value // Local or UTC
	End    Value // of the same form as Start
	Length Duration
}

// String gives the period as RFC 5545 writes it.
func (p Period) String() string {
	if p.End.Form != 0 {
		return p.Start.String() + "/" + p.End.String()
	}
	return p.Start.String() + "/" + p.Length.String()
}

// Duration is a value of type DURATION (RFC 5545 section 3.3.6). Days are clock days, which
// a change of the clock makes longer or shorter; seconds are exact.
type Duration struct {
	Days, Seconds int64
}

// String gives the duration as RFC 5545 writes it, such as "P1DT2H0M30S".
func (d Duration) String() string {
	s := "P"
	if d.Days != 0 || d.Seconds == 0 {
		s += fmt.Sprintf("%dD", d.Days)
	}
	if d.Seconds != 0 {
		s += fmt.Sprintf("T%dH%dM%dS", d.Seconds/3600, d.Seconds/60%60, d.Seconds%60)
	}
	return s
}

// parseValue reads a DATE or DATE-TIME value. Where it cannot, why says what is wrong with
// the text, as the rest of a sentence that begins with it.
func parseValue(s string) (v Value, why string) {
	const notValue = "is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z"
	date, ok := digits(s, 8)
	switch {
	case !ok:
		return v, notValue
	case len(s) == 8:
		v.Form = Date
	case len(s) == 15:
		v.Form = Local
	case len(s) == 16 && s[15]|0x20 == 'z':
		v.Form = UTC
	default:
		return v, notValue
	}
	y, m, d := date/10000, date/100%100, date%100
	if y < minYear || m < 1 || m > 12 || d < 1 || d > daysInMonth(y, m) {
		return Value{}, "names a day that the calendar does not have"
	}
	v.Clock = dayNumber(y, m, d) * secondsPerDay
	if v.Form == Date {
		return v, ""
	}
	clock, ok := digits(s[9:], 6)
	if !ok || s[8]|0x20 != 't' {
		return Value{}, notValue
	}
	second, ok := clockSecond(clock)
	if !ok {
		return Value{}, "names a time of day that does not exist"
	}
	v.Clock += second
	return v, ""
}

// clockSecond returns the second of the day of a time hhmmss. Second 60, a leap second,
// is read as 59 (RFC 5545 section 3.3.12).
func clockSecond(hhmmss int) (int64, bool) {
	h, m, s := hhmmss/10000, hhmmss/100%100, hhmmss%100
	if h > 23 || m > 59 || s > 60 {
		return 0, false
	}
	return int64(h*3600 + m*60 + min(s, 59)), true
}

// digits reads the first n bytes of s, all of which must be digits.
func digits(s string, n int) (int, bool) {
	if len(s) < n {
		return 0, false
	}
	v := 0
	for i := range n {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		v = v*10 + int(c)
	}
	return v, true
}

// maxDuration bounds each part of a duration, in its own unit, so that sums stay far from
// overflow. It is longer than the calendar.
const maxDuration = 1 << 39

// parseDuration reads a DURATION without a sign, such as P1W or P1DT2H.
func parseDuration(s string) (d Duration, ok bool) {
	if len(s) > 0 && s[0] == '+' {
		s = s[1:]
	}
	if s == "" || s[0]|0x20 != 'p' {
		return d, false
	}
	s = s[1:]
	if n, rest, ok := unit(s, 'w'); ok {
		d.Days = n * 7
		return d, rest == ""
	}
	n, rest, hasDays := unit(s, 'd')
	if hasDays {
		d.Days, s = n, rest
	}
	if s == "" {
		return d, hasDays
	}
	if s[0]|0x20 != 't' {
		return d, false
	}
	d.Seconds, ok = parseClockDuration(s[1:])
	return d, ok
}

// parseClockDuration reads hours, minutes and seconds. The grammar lets none be skipped
// between two that are given: PT1H30S is none of its sentences.
func parseClockDuration(s string) (seconds int64, ok bool) {
	last := -1
	for i, u := range [...]struct {
		letter byte
		length int64
	}{{'h', 3600}, {'m', 60}, {'s', 1}} {
		n, rest, found := unit(s, u.letter)
		if !found {
			continue
		}
		if last >= 0 && i != last+1 {
			return 0, false
		}
		last, s = i, rest
		seconds = min(seconds+n*u.length, maxDuration)
	}
	return seconds, last >= 0 && s == ""
}

// unit reads a number and the letter of its unit, in either case.
func unit(s string, letter byte) (n int64, rest string, ok bool) {
	i := 0
	for i < len(s) && s[i]-'0' <= 9 {
		n = min(n*10+int64(s[i]-'0'), maxDuration)
		i++
	}
	if i == 0 || i == len(s) || s[i]|0x20 != letter {
		return 0, s, false
	}
	return n, s[i+1:], true
}
