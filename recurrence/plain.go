package recurrence

import (
	"strings"
	"time"

	"github.com/calrules/calrules/internal/form"
)

// Programs write most lines in capital letters, without parameters other than a TZID. This file reads such lines in
// one pass. It leaves all others, and all that have faults, to the reader of all lines.

// parsePlain reads a plain RRULE or EXDATE line, as [line.parse] does. It returns false for other lines.
func (l *line) parsePlain(s string) bool {
	if rule, ok := strings.CutPrefix(s, "RRULE:"); ok {
		l.kind, l.rule = rruleLine, l.memory.newRule()
		return l.parsePlainRule(rule)
	}
	if dates, ok := strings.CutPrefix(s, "EXDATE"); ok {
		l.kind = exdateLine
		return l.parsePlainDates(dates)
	}
	return false
}

func (l *line) parsePlainRule(s string) bool {
	for more := true; more; {
		var name, value string
		name, s, _ = cutByte(s, '=')
		value, s, more = cutByte(s, ';')
		p := plainPart(name)
		if l.parts.has(p) || !l.rule.setPlain(p, value) {
			return false
		}
		l.parts |= 1 << p
	}
	return l.parts.has(partFreq)
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

// plainPart returns one of the plain parts, or partOther.
func plainPart(name string) part {
	switch name {
	case "FREQ":
		return partFreq
	case "UNTIL":
		return partUntil
	case "COUNT":
		return partCount
	case "INTERVAL":
		return partInterval
	case "BYDAY":
		return partByDay
	case "WKST":
		return partWkst
	default:
		return partOther
	}
}

// setPlain sets a part. It returns false for values that are not plain.
func (r *Rule) setPlain(p part, value string) (ok bool) {
	switch p {
	case partFreq:
		r.Freq = plainFreq(value)
		return r.Freq != 0
	case partUntil:
		var problem string
		r.Until, problem = parseValue(value)
		return problem == ""
	case partCount:
		r.Count, ok = plainPositive(value)
	case partInterval:
		r.Interval, ok = plainPositive(value)
	case partByDay:
		return r.setPlainDays(value)
	case partWkst:
		r.WeekStart, ok = plainWeekday(value)
	}
	return ok
}

func plainFreq(value string) Freq {
	switch value {
	case "DAILY":
		return Daily
	case "WEEKLY":
		return Weekly
	case "MONTHLY":
		return Monthly
	case "YEARLY":
		return Yearly
	default:
		return 0
	}
}

// plainPositive reads a number that is not too large, and not 0.
func plainPositive(value string) (int64, bool) {
	const most = 9 // digits
	n, ok := digits(value, len(value))
	return int64(n), ok && n > 0 && len(value) <= most
}

// setPlainDays sets BYDAY to weekdays without numbers, all of them different.
func (r *Rule) setPlainDays(value string) bool {
	var seen uint8
	for i := 0; ; i += len("MO,") {
		if i+2 > len(value) {
			return false
		}
		day, ok := plainWeekday(value[i : i+2])
		if !ok || seen>>day&1 != 0 {
			return false
		}
		seen |= 1 << day
		r.ByDay = append(r.ByDay, ByDay{Day: day})
		if i+2 == len(value) {
			return true
		}
		if value[i+2] != ',' {
			return false
		}
	}
}

func plainWeekday(name string) (time.Weekday, bool) {
	switch name {
	case "SU":
		return time.Sunday, true
	case "MO":
		return time.Monday, true
	case "TU":
		return time.Tuesday, true
	case "WE":
		return time.Wednesday, true
	case "TH":
		return time.Thursday, true
	case "FR":
		return time.Friday, true
	case "SA":
		return time.Saturday, true
	default:
		return 0, false
	}
}

// parsePlainDates reads times, which are in a zone or else in UTC. s is what follows the name of the line.
func (l *line) parsePlainDates(s string) bool {
	parameters, values, _ := strings.Cut(s, ":")
	zone, size := "", len("20260310T130000Z")
	if parameters != "" {
		var ok bool
		if zone, ok = strings.CutPrefix(parameters, ";TZID="); !ok || !form.IsZone(zone) {
			return false
		}
		size = len("20260310T090000")
	}
	l.dates = l.memory.newDates(zone)
	for len(values) >= size {
		v, problem := parseValue(values[:size])
		if problem != "" {
			return false
		}
		l.dates.Values = append(l.dates.Values, v)
		if len(values) == size {
			return true
		}
		if values[size] != ',' {
			return false
		}
		values = values[size+1:]
	}
	return false
}
