package recurrence

import "strings"

// parseDates reads the values of an RDATE or EXDATE, which begin at byte i, as the
// parameters say.
func (l *line) parseDates(s string, i int, p params) {
	want, ok := l.valueType(p)
	if !ok || !l.checkTZID(p, want) {
		return
	}
	l.dates = &Dates{TZID: p.tzid}
	for more := true; more && !l.faults.enough(); {
		var text string
		text, _, more = strings.Cut(s[i:], ",")
		if want == typePeriod {
			l.period(text, i, p.hasTZID)
		} else {
			l.value(text, i, want, p.hasTZID)
		}
		i += len(text) + 1
	}
}

// valueType is what the parameter VALUE of an RDATE or EXDATE says.
type valueType uint8

const (
	typeDateTime valueType = iota // also where there is no VALUE
	typeDate
	typePeriod
)

func (l *line) valueType(p params) (valueType, bool) {
	switch {
	case !p.hasValue || strings.EqualFold(p.value, "DATE-TIME"):
		return typeDateTime, true
	case strings.EqualFold(p.value, "DATE"):
		return typeDate, true
	case strings.EqualFold(p.value, "PERIOD") && l.kind == rdateLine:
		return typePeriod, true
	case strings.EqualFold(p.value, "PERIOD"):
		l.faults.refuse(&datesForm, p.valueAt, "An EXDATE has no periods; give the starts to take out, without VALUE=PERIOD.")
	default:
		l.faults.refuse(&datesForm, p.valueAt, "VALUE=%s is none of DATE-TIME, DATE and (for an RDATE) PERIOD.", quoted(p.value))
	}
	return 0, false
}

func (l *line) checkTZID(p params, want valueType) bool {
	switch {
	case !p.hasTZID:
		return true
	case want == typeDate:
		l.faults.refuse(&datesForm, p.tzidOffset, "TZID does not go with VALUE=DATE, for a date has no zone; remove it.")
		return false
	case !isZone(p.tzid):
		l.faults.refuse(&datesForm, p.tzidOffset, "TZID=%s is not a name of the IANA Time Zone Database; use one, such as America/New_York.", quoted(p.tzid))
		return false
	}
	return true
}

// value reads one DATE or DATE-TIME, at byte i of its line.
func (l *line) value(text string, i int, want valueType, zoned bool) {
	v, why := parseValue(text)
	switch {
	case why != "":
		l.faults.refuse(&datesForm, i, "%s %s; correct it.", quoted(text), why)
	case want == typeDate && v.Form != Date:
		l.faults.refuse(&datesForm, i, "%s has a time, and VALUE=DATE says that it has none; drop one of the two.", quoted(text))
	case want == typeDateTime && v.Form == Date:
		l.faults.refuse(&datesForm, i, "%s is a date, and a date needs the parameter VALUE=DATE; add it.", quoted(text))
	case zoned && v.Form == UTC:
		l.faults.refuse(&datesForm, i, "%s is in UTC and TZID names a zone; drop the Z or the TZID.", quoted(text))
	default:
		l.dates.Values = append(l.dates.Values, v)
	}
}

// period reads one PERIOD, at byte i of its line.
func (l *line) period(text string, i int, zoned bool) {
	first, second, ok := strings.Cut(text, "/")
	if !ok {
		l.faults.refuse(&datesForm, i, "%s is no PERIOD; a period is a start, a slash and an end or a duration.", quoted(text))
		return
	}
	p, why := parsePeriod(first, second)
	switch {
	case why != "":
		l.faults.refuse(&datesForm, i, "The period %s %s; correct it.", quoted(text), why)
	case zoned && p.Start.Form == UTC:
		l.faults.refuse(&datesForm, i, "The period %s is in UTC and TZID names a zone; drop the Z or the TZID.", quoted(text))
	default:
		l.dates.Periods = append(l.dates.Periods, p)
	}
}

// parsePeriod reads the two halves of a PERIOD. Where it cannot, why says what is wrong, as
// the rest of a sentence that begins with the period.
func parsePeriod(first, second string) (p Period, why string) {
	if p.Start, why = parseValue(first); why != "" {
		return p, "has a start that " + why
	}
	if p.Start.Form == Date {
		return p, "begins with a date, and a period begins with a time"
	}
	if len(second) > 0 && second[0]-'0' <= 9 {
		if p.End, why = parseValue(second); why != "" {
			return p, "has an end that " + why
		}
		if p.End.Form != p.Start.Form {
			return p, "has a start and an end of different forms"
		}
		if p.End.Clock <= p.Start.Clock {
			return p, "does not end after its start"
		}
		return p, ""
	}
	length, ok := parseDuration(second)
	if !ok {
		return p, "has neither a DATE-TIME nor a positive DURATION such as PT1H after its slash"
	}
	if length == (Duration{}) {
		return p, "does not end after its start"
	}
	p.Length = length
	return p, ""
}
