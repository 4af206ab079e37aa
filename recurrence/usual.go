package recurrence

import (
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/recurrence/internal/civil"
)

// Most events that recur have one rule, which a program wrote in capital letters, and perhaps a few EXDATEs. This file
// recognizes such sets in their text, if there is nothing to report about them, without making a [Set] of them or
// expanding it. What it does not recognize need not be wrong.

// isUsual reports whether the lines are so plain that no rule of this package has anything to report about them, and
// that [Check] returns zero values.
func isUsual(on diag.When, lines []string, start Start) bool {
	const most = 4 // lines
	switch {
	case len(lines) > most:
		return false
	case on == diag.Response: // only the names are checked
		return !slices.ContainsFunc(lines, func(line string) bool { return !strings.HasPrefix(line, rulePrefix) })
	case !start.inRange(): // only the lines are checked
		var u usualSet
		return len(lines) == 1 && u.hasRule(lines)
	}
	u := usualSet{start: start, resolver: civil.NewResolver(start.zone)}
	u.day, u.second = civil.Split(start.clock)
	return u.startsAsWritten() && u.hasRule(lines) && u.givesStart() && u.matchesExDates(lines)
}

const rulePrefix = "RRULE:"

// usualSet is what a usual set says, as far as it is compared with the start.
type usualSet struct {
	start       Start
	day, second int64          // of the start
	resolver    civil.Resolver // of its zone

	parts    partSet // of the rule
	freq     Freq
	interval int
	until    int64     // the instant of UNTIL or, if the start is a date, its midnight
	weekdays uint8     // of BYDAY without numbers, as bits
	nths     [7]uint16 // of BYDAY with numbers, by weekday: the bits of the numbers plus maxWeeks
	numbered bool      // BYDAY has a number
	days     uint64    // of BYMONTHDAY: the bits of the numbers plus maxDays
}

// The greatest numbers of a month, counted from its beginning or from its end.
const (
	maxWeeks = 5
	maxDays  = 31
)

// startsAsWritten reports whether the local time of the start exists and first occurs at the start's instant.
func (u *usualSet) startsAsWritten() bool {
	unix, exists := u.resolver.Resolve(u.start.clock)
	return exists && unix == u.start.unix
}

// hasRule reports whether exactly one of the lines is a rule, and reads it.
func (u *usualSet) hasRule(lines []string) bool {
	found := false
	for _, line := range lines {
		if rule, ok := strings.CutPrefix(line, rulePrefix); ok {
			if found || !u.readRule(rule) {
				return false
			}
			found = true
		}
	}
	return found
}

// readRule reads the value of an RRULE line. It returns false for rules that are not usual.
func (u *usualSet) readRule(s string) bool {
	for {
		rest, ok := u.readPart(s)
		switch {
		case !ok:
			return false
		case rest == "":
			return u.isSound()
		case rest[0] != ';':
			return false
		}
		s = rest[1:]
	}
}

// readPart reads the part at the beginning of a text, and returns the text after it.
func (u *usualSet) readPart(s string) (rest string, ok bool) {
	name, value, _ := cutByte(s, '=')
	switch name {
	case "FREQ":
		u.freq, rest = usualFreq(value)
		return rest, u.sets(partFreq) && u.freq != 0
	case "UNTIL":
		rest, ok = u.readUntil(value)
		return rest, u.sets(partUntil) && ok
	case "COUNT":
		count, rest := number(value, 9)
		return rest, u.sets(partCount) && count > 0
	case "INTERVAL":
		u.interval, rest = number(value, 2) // larger ones deserve a look
		return rest, u.sets(partInterval) && u.interval > 0
	case "BYDAY":
		rest, ok = u.readWeekdays(value)
		return rest, u.sets(partByDay) && ok
	case "BYMONTHDAY":
		rest, ok = u.readMonthDays(value)
		return rest, u.sets(partByMonthDay) && ok
	case "WKST":
		_, rest, ok = weekdayName(value)
		return rest, u.sets(partWkst) && ok
	default:
		return "", false
	}
}

// sets adds a part, and reports whether it is new.
func (u *usualSet) sets(p part) bool {
	isNew := !u.parts.has(p)
	u.parts |= 1 << p
	return isNew
}

// cutByte is [strings.Cut] for short texts.
func cutByte(s string, separator byte) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == separator {
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}

// usualFreq reads a frequency of a day or longer. It returns 0 for others.
func usualFreq(s string) (f Freq, rest string) {
	name, _, _ := cutByte(s, ';')
	switch name {
	case "DAILY":
		f = Daily
	case "WEEKLY":
		f = Weekly
	case "MONTHLY":
		f = Monthly
	case "YEARLY":
		f = Yearly
	}
	return f, s[len(name):]
}

// number reads the digits at the beginning of a text, but not more than most of them. It returns 0 if there are none.
func number(s string, most int) (n int, rest string) {
	i := 0
	for ; i < len(s) && i < most && s[i]-'0' <= 9; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n, s[i:]
}

// weekdayName reads the name of a weekday.
func weekdayName(s string) (day time.Weekday, rest string, ok bool) {
	if len(s) < 2 {
		return 0, s, false
	}
	switch s[:2] {
	case "SU":
		day = time.Sunday
	case "MO":
		day = time.Monday
	case "TU":
		day = time.Tuesday
	case "WE":
		day = time.Wednesday
	case "TH":
		day = time.Thursday
	case "FR":
		day = time.Friday
	case "SA":
		day = time.Saturday
	default:
		return 0, s, false
	}
	return day, s[2:], true
}

// readUntil reads a date if the start is a date, and otherwise a time in UTC.
func (u *usualSet) readUntil(s string) (rest string, ok bool) {
	size := len("20260310T130000Z")
	if u.start.allDay {
		size = len("20260310")
	}
	if len(s) < size {
		return s, false
	}
	v, problem := parseValue(s[:size])
	u.until = v.Clock
	return s[size:], problem == ""
}

// readWeekdays reads BYDAY: weekdays, with or without numbers, all of them different.
func (u *usualSet) readWeekdays(s string) (rest string, ok bool) {
	for {
		n, name := signedNumber(s)
		day, rest, ok := weekdayName(name)
		isWritten := len(name) < len(s)
		if !ok || isWritten != (n != 0) || !u.addWeekday(n, day) {
			return s, false
		}
		if rest == "" || rest[0] != ',' {
			return rest, true
		}
		s = rest[1:]
	}
}

// addWeekday adds a value of BYDAY, and reports whether it is new and may be usual.
func (u *usualSet) addWeekday(n int, day time.Weekday) bool {
	if n == 0 {
		isNew := u.weekdays>>day&1 == 0
		u.weekdays |= 1 << day
		return isNew
	}
	if n < -maxWeeks || n > maxWeeks {
		return false
	}
	bit, set := uint16(1)<<(n+maxWeeks), &u.nths[day]
	isNew := *set&bit == 0
	*set |= bit
	u.numbered = true
	return isNew
}

// readMonthDays reads BYMONTHDAY: days that are counted from the beginning or from the end of the month, all of them
// different.
func (u *usualSet) readMonthDays(s string) (rest string, ok bool) {
	for {
		n, rest := signedNumber(s)
		if n == 0 || n < -maxDays || n > maxDays {
			return s, false
		}
		bit := uint64(1) << (n + maxDays)
		if u.days&bit != 0 {
			return s, false
		}
		if u.days |= bit; rest == "" || rest[0] != ',' {
			return rest, true
		}
		s = rest[1:]
	}
}

// signedNumber reads a number of one or two digits, perhaps with a minus sign, and returns 0 for others.
func signedNumber(s string) (n int, rest string) {
	s, isNegative := strings.CutPrefix(s, "-")
	if n, rest = number(s, 2); isNegative {
		n = -n
	}
	return n, rest
}

// isSound reports whether the parts of the rule go together, and are usual for its frequency.
func (u *usualSet) isSound() bool {
	hasWeekdays, hasDays := u.parts.has(partByDay), u.parts.has(partByMonthDay)
	if u.parts.has(partCount) && u.parts.has(partUntil) {
		return false
	}
	switch u.freq {
	case Daily, Weekly:
		return !hasDays && !u.numbered
	case Monthly:
		isAmbiguous := hasWeekdays && hasDays
		return !isAmbiguous
	case Yearly:
		return !hasWeekdays && !hasDays
	default: // there is no FREQ
		return false
	}
}

// givesStart reports whether the rule gives the start.
func (u *usualSet) givesStart() bool {
	if !u.isInTime(u.start.unix) {
		return false
	}
	switch u.freq {
	case Daily, Weekly:
		return u.givesWeekday(u.day)
	case Monthly:
		return u.givesDayOfMonth()
	default: // Yearly
		return true
	}
}

// isInTime reports whether UNTIL allows an instant.
func (u *usualSet) isInTime(unix int64) bool { return !u.parts.has(partUntil) || unix <= u.until }

// givesWeekday reports whether a rule without numbers gives the weekday of a day.
func (u *usualSet) givesWeekday(day int64) bool {
	switch {
	case u.parts.has(partByDay):
		return u.weekdays>>civil.WeekdayOf(day)&1 != 0
	case u.freq == Weekly:
		return civil.FloorMod(day-u.day, 7) == 0
	default:
		return true
	}
}

// givesDayOfMonth reports whether a MONTHLY rule gives the day of the start.
func (u *usualSet) givesDayOfMonth() bool {
	year, month, first := civil.DateOf(u.day)
	last := first - civil.DaysInMonth(year, month) - 1
	if u.parts.has(partByMonthDay) {
		return (u.days>>(first+maxDays)|u.days>>(last+maxDays))&1 != 0
	}
	nths := u.nths[civil.WeekdayOf(u.day)]
	return u.givesWeekday(u.day) || (nths>>((first+6)/7+maxWeeks)|nths>>((last-6)/7+maxWeeks))&1 != 0
}

// matchesExDates reports whether the lines other than the rule are EXDATEs, all of them different, and each of their
// values matches an instance after the start.
func (u *usualSet) matchesExDates(lines []string) bool {
	if len(lines) == 1 {
		return true
	}
	if u.freq > Weekly || u.interval > 1 || u.parts.has(partCount) { // the weekday alone does not decide
		return false
	}
	for i, line := range lines {
		if !strings.HasPrefix(line, rulePrefix) && (slices.Contains(lines[:i], line) || !u.matchesExDate(line)) {
			return false
		}
	}
	return true
}

// matchesExDate reports whether the line is an EXDATE whose values all match an instance after the start.
func (u *usualSet) matchesExDate(line string) bool {
	values, size := u.exDateValues(line)
	for len(values) >= size {
		v, problem := parseValue(values[:size])
		switch {
		case problem != "" || !u.gives(v):
			return false
		case len(values) == size:
			return true
		case values[size] != ',':
			return false
		}
		values = values[size+1:]
	}
	return false
}

// exDateValues returns the values of an EXDATE line, and the size of each: dates if the start is a date, and otherwise
// times in UTC or in the zone of the start. There are none if the line has another form.
func (u *usualSet) exDateValues(line string) (values string, size int) {
	const none = 1 // byte at least
	rest, ok := strings.CutPrefix(line, "EXDATE")
	switch {
	case !ok:
	case u.start.allDay:
		if values, ok = strings.CutPrefix(rest, ";VALUE=DATE:"); ok {
			return values, len("20260310")
		}
	case strings.HasPrefix(rest, ":"):
		return rest[len(":"):], len("20260310T130000Z")
	case u.start.zone.IsEmbedded():
		zone, hasZone := strings.CutPrefix(rest, ";TZID=")
		rest, isOwn := strings.CutPrefix(zone, u.start.zone.Location.String())
		if values, ok = strings.CutPrefix(rest, ":"); hasZone && isOwn && ok {
			return values, len("20260310T090000")
		}
	}
	return "", none
}

// gives reports whether a DAILY or WEEKLY rule gives the value after the start.
func (u *usualSet) gives(v Value) bool {
	unix, clock, isFirst := v.Clock, v.Clock, true
	switch v.Form {
	case Local:
		unix, isFirst = u.resolver.Resolve(clock)
	case UTC:
		clock = u.start.zone.ClockAt(unix)
		first, _ := u.resolver.Resolve(clock)
		isFirst = first == unix
	}
	day, second := civil.Split(clock)
	return isFirst && unix > u.start.unix && second == u.second && clock <= civil.MaxClock && u.givesWeekday(day) && u.isInTime(unix)
}
