package recurrence

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// A Form is the written form of a date or time.
type Form uint8

// The forms of RFC 5545 sections 3.3.4 and 3.3.5. The zero Form means that there is no value.
const (
	Date  Form = iota + 1 // 20260310
	Local                 // 20260310T090000, in the TZID zone or else in the zone of the start
	UTC                   // 20260310T130000Z
)

var formNames = [...]string{"none", "DATE", "local DATE-TIME", "UTC DATE-TIME"}

func (f Form) String() string {
	if f > UTC {
		return formNames[0]
	}
	return formNames[f]
}

// A Value is a DATE or DATE-TIME value. Create a Value with [DateValue], [UTCValue] or [LocalValue]. The zero Value represents
// the absence of a value.
type Value struct {
	Form  Form
	Clock int64 // seconds since 1970-01-01T00:00:00 in the zone implied by Form; midnight for a Date
}

// DateValue returns a DATE value. A date that does not exist is normalized as in [time.Date].
func DateValue(year int, month time.Month, day int) Value {
	return Value{Date, time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()}
}

// UTCValue returns the UTC DATE-TIME value for an instant. Fractions of a second are discarded.
func UTCValue(t time.Time) Value { return Value{UTC, t.Unix()} }

// LocalValue returns the local DATE-TIME value of t in its Location. The Location and fractions of a second are discarded.
func LocalValue(t time.Time) Value {
	_, offset := t.Zone()
	return Value{Local, t.Unix() + int64(offset)}
}

// Time returns the instant of a value. A date is interpreted as midnight and a local time as a time in the zone in; nil means
// UTC. A local time that the clock skips is interpreted with the offset before the gap. For a local time that occurs twice,
// Time returns the first instant (RFC 5545 section 3.3.5). For the zero Value, Time returns the zero time.
func (v Value) Time(in *time.Location) time.Time {
	if v == (Value{}) {
		return time.Time{}
	}
	t := time.Unix(v.Clock, 0).UTC()
	switch {
	case in == nil:
		return t
	case v.Form != UTC:
		t = zone.Instant(t, in)
	}
	return t.In(in)
}

// String returns the value as written in RFC 5545. String returns "" for the zero Value, and "invalid" for a value that
// RFC 5545 cannot express.
func (v Value) String() string {
	switch {
	case v == Value{}:
		return ""
	case !v.valid():
		return "invalid"
	}
	return time.Unix(v.Clock, 0).UTC().Format(layouts[v.Form])
}

var layouts = [...]string{Date: "20060102", Local: "20060102T150405", UTC: "20060102T150405Z"}

func (v Value) arg() diag.Arg { return diag.Plain("date", v.String()) }

// valid reports whether RFC 5545 can express the value.
func (v Value) valid() bool {
	return v.Form >= Date && v.Form <= UTC && v.Clock >= civil.MinClock && v.Clock <= civil.MaxClock &&
		(v.Form != Date || civil.FloorMod(v.Clock, civil.SecondsPerDay) == 0)
}

// A Period is a value of type PERIOD (RFC 5545 section 3.3.9): an instance with its own end. Exactly one of End and
// Length is set.
type Period struct {
	Start  Value // Local or UTC
	End    Value // has the same form as Start
	Length Duration
}

// String returns the period as written in RFC 5545.
func (p Period) String() string {
	s := p.Start.String()
	if p.End != (Value{}) {
		s += "/" + p.End.String()
	}
	if p.Length != (Duration{}) || p.End == (Value{}) {
		s += "/" + p.Length.String()
	}
	return s
}

// A Duration is a value of type DURATION (RFC 5545 section 3.3.6). Days are calendar days, which may be longer or shorter
// than 24 hours; seconds are exact.
type Duration struct {
	Days, Seconds int64
}

// String returns the duration as written in RFC 5545, such as "P1DT2H0M30S" or "PT1H". For a duration that is negative or
// longer than [Parse] accepts, String returns "invalid".
func (d Duration) String() string {
	if d.Days < 0 || d.Seconds < 0 || d.Days > 7*maxDuration || d.Seconds > maxDuration {
		return "invalid"
	}
	s := "P"
	if d.Days != 0 || d.Seconds == 0 {
		s += fmt.Sprintf("%dD", d.Days)
	}
	if d.Seconds != 0 {
		s += "T" + clockText(d.Seconds/3600, d.Seconds/60%60, d.Seconds%60)
	}
	return s
}

// clockText formats the time units of a duration, without zeros, except for minutes between hours and seconds, which RFC 5545
// requires.
func clockText(hours, minutes, seconds int64) (s string) {
	if hours != 0 {
		s = fmt.Sprintf("%dH", hours)
	}
	if minutes != 0 || hours != 0 && seconds != 0 {
		s += fmt.Sprintf("%dM", minutes)
	}
	if seconds != 0 {
		s += fmt.Sprintf("%dS", seconds)
	}
	return s
}

// parseValue parses a DATE or DATE-TIME value. If the value is invalid, problem is the key of the message of
// [datesForm] that states the reason.
func parseValue(s string) (v Value, problem string) {
	const notValue = "form"
	switch {
	case len(s) == 8:
		v.Form = Date
	case len(s) == 15:
		v.Form = Local
	case len(s) == 16 && s[15]|0x20 == 'z':
		v.Form = UTC
	default:
		return v, notValue
	}
	day := s[:8]
	y, m, d := 100*form.TwoDigits(day[0], day[1])+form.TwoDigits(day[2], day[3]), form.TwoDigits(day[4], day[5]), form.TwoDigits(day[6], day[7])
	if max(y, m, d) >= form.NoDigits {
		return Value{}, notValue
	}
	if m < 1 || m > 12 || d < 1 || d > civil.DaysInMonth(y, m) {
		return Value{}, "date"
	}
	v.Clock = civil.DayNumber(y, m, d) * civil.SecondsPerDay
	if v.Form == Date {
		return v, ""
	}
	at := s[8:15]
	hour, minute, second := form.TwoDigits(at[1], at[2]), form.TwoDigits(at[3], at[4]), form.TwoDigits(at[5], at[6])
	if max(hour, minute, second) >= form.NoDigits || at[0]|0x20 != 't' {
		return Value{}, notValue
	}
	if hour > 23 || minute > 59 || second > 60 {
		return Value{}, "time"
	}
	v.Clock += int64(hour*3600 + minute*60 + min(second, 59)) // a leap second is treated as the second before it (RFC 5545 section 3.3.12)
	return v, ""
}

// digits parses a number that consists only of digits.
func digits(s string) (int, bool) {
	v := 0
	for _, c := range []byte(s) {
		if c -= '0'; c > 9 {
			return 0, false
		}
		v = v*10 + int(c)
	}
	return v, true
}

// maxDuration is the maximum number of weeks, days or seconds in a duration, which exceeds the length of the calendar but is
// far from overflow. Larger numbers are reduced to this maximum.
const maxDuration = 1 << 39

// parseDuration parses a DURATION without a minus sign, such as P1W or P1DT2H. The grammar does not allow skipping a unit
// between two units of time: PT1H30S is not a duration.
func parseDuration(s string) (d Duration, ok bool) {
	rest, ok := strings.CutPrefix(strings.ToUpper(strings.TrimPrefix(s, "+")), "P")
	if !ok || rest == "" {
		return d, false
	}
	if weeks, ok := cutUnit(&rest, 'W'); ok {
		return Duration{Days: 7 * weeks}, rest == ""
	}
	d.Days, _ = cutUnit(&rest, 'D')
	if rest == "" {
		return d, true
	}
	rest, timed := strings.CutPrefix(rest, "T")
	hours, h := cutUnit(&rest, 'H')
	minutes, m := cutUnit(&rest, 'M')
	seconds, s2 := cutUnit(&rest, 'S')
	if !timed || rest != "" || !(h || m || s2) || h && !m && s2 {
		return Duration{}, false
	}
	d.Seconds = min(hours*3600+minutes*60+seconds, maxDuration)
	return d, true
}

// cutUnit cuts a number followed by the given unit from the front of a string, or returns false if the string does not begin
// with such a number.
func cutUnit(text *string, unit byte) (n int64, ok bool) {
	digits := len(*text) - len(strings.TrimLeft(*text, "0123456789"))
	if digits == 0 || digits == len(*text) || (*text)[digits] != unit {
		return 0, false
	}
	n, _ = strconv.ParseInt((*text)[:digits], 10, 64) // the largest int64 on overflow
	*text = (*text)[digits+1:]
	return min(n, maxDuration), true
}
