package recurrence

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
)

// The rules about the values of RDATE and EXDATE lines.

var datesForm = diag.Rule{
	ID: "recurrence.dates.form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values have the form that VALUE gives, and TZID is an IANA name and appears only with local times.",
	Section: datesSection,
	Why:     "A value that a reader cannot read excludes or adds nothing, and this goes unnoticed until the day of the instance.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T090000"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T130000Z"),
	Check:   check(checkFaults),
}

var datesStartForm = diag.Rule{
	ID: "recurrence.dates.start-form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values have the value type of the start.",
	Section: datesSection,
	Why:     "Readers differ in whether a date matches an instance with a time. Here an EXDATE that is a date matches all instances of the day, and an RDATE gets the start's time of day.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260311"),
	Check:   check(checkFaults),
}

const datesSection = "RFC 5545 3.8.5.1, 3.8.5.2"

// parseDates reads the values of an RDATE or EXDATE, from byte i on.
func (l *line) parseDates(s string, i int, p params) {
	want, ok := l.parseValueType(p.value)
	zone := strings.TrimPrefix(p.tzid.text, "/") // a name in a registry for all (RFC 5545 section 3.2.19)
	if !ok || !l.checkTZID(p.tzid, zone, want) {
		return
	}
	l.dates = &Dates{TZID: zone}
	for at, text := range l.each(s[i:], i, ',') {
		if want == typePeriod {
			l.parsePeriodAt(text, at, p.tzid.given)
		} else {
			l.parseValueAt(text, at, want, p.tzid.given)
		}
	}
}

type valueType uint8

const (
	typeDateTime valueType = iota // also if there is no VALUE
	typeDate
	typePeriod
)

func (l *line) parseValueType(value param) (valueType, bool) {
	switch {
	case !value.given || equalFold("DATE-TIME", value.text):
		return typeDateTime, true
	case equalFold("DATE", value.text):
		return typeDate, true
	case equalFold("PERIOD", value.text) && l.kind == rdateLine:
		return typePeriod, true
	case equalFold("PERIOD", value.text):
		l.faults.reject(&datesForm, value.offset, "An EXDATE cannot have periods; write the starts to exclude, without VALUE=PERIOD.")
	default:
		l.faults.reject(&datesForm, value.offset, "VALUE=%s is not a value type of this line; write DATE-TIME, DATE or, for an RDATE, PERIOD.", quoted(value.text))
	}
	return 0, false
}

func (l *line) checkTZID(tzid param, zone string, want valueType) bool {
	switch {
	case tzid.given && want == typeDate:
		l.faults.reject(&datesForm, tzid.offset, "TZID appears with VALUE=DATE, but a date has no zone; remove it.")
	case tzid.given && !form.IsZone(zone):
		l.faults.reject(&datesForm, tzid.offset, "TZID=%s is not a name of the IANA Time Zone Database; use one, such as America/New_York.", quoted(tzid.text))
	default:
		return true
	}
	return false
}

// parseValueAt reads one DATE or DATE-TIME, at byte i of its line.
func (l *line) parseValueAt(text string, i int, want valueType, zoned bool) {
	v, problem := parseValue(text)
	switch {
	case problem != "" && l.kind == rdateLine && isPeriod(text):
		l.faults.reject(&datesForm, i, "%s is a period, which requires the parameter VALUE=PERIOD; add it.", quoted(text))
	case problem != "":
		l.faults.reject(&datesForm, i, "%s %s; correct it.", quoted(text), problem)
	case want == typeDate && v.Form != Date:
		l.faults.reject(&datesForm, i, "%s has a time and VALUE=DATE excludes times; remove one of them.", quoted(text))
	case want == typeDateTime && v.Form == Date:
		l.faults.reject(&datesForm, i, "%s is a date, which requires the parameter VALUE=DATE; add it.", quoted(text))
	case zoned && v.Form == UTC:
		l.faults.reject(&datesForm, i, "%s is in UTC and TZID gives a zone; remove the Z or the TZID.", quoted(text))
	default:
		l.dates.Values = append(l.dates.Values, v)
	}
}

// parsePeriodAt reads one PERIOD, at byte i of its line.
func (l *line) parsePeriodAt(text string, i int, zoned bool) {
	first, second, ok := strings.Cut(text, "/")
	if !ok {
		l.faults.reject(&datesForm, i, "%s is not a PERIOD; write a start, a slash and an end or a duration.", quoted(text))
		return
	}
	p, problem := parsePeriod(first, second)
	switch {
	case problem != "":
		l.faults.reject(&datesForm, i, "The period %s %s; correct it.", quoted(text), problem)
	case zoned && p.Start.Form == UTC:
		l.faults.reject(&datesForm, i, "The period %s is in UTC and TZID gives a zone; remove the Z or the TZID.", quoted(text))
	default:
		l.dates.Periods = append(l.dates.Periods, p)
	}
}

// isPeriod reports whether a text is a PERIOD.
func isPeriod(text string) bool {
	first, second, _ := strings.Cut(text, "/")
	_, problem := parsePeriod(first, second)
	return problem == ""
}

// parsePeriod reads the two halves of a PERIOD. If it cannot, problem says why, as the rest of a
// sentence that begins with the period.
func parsePeriod(first, second string) (p Period, problem string) {
	const (
		noStart  = "does not begin with a DATE-TIME such as 20260310T130000Z"
		noEnd    = "has neither a DATE-TIME nor a positive DURATION such as PT1H after its slash"
		notAfter = "does not end after its start"
	)
	if p.Start, problem = parseValue(first); problem != "" || p.Start.Form == Date {
		return p, noStart
	}
	if len(second) > 0 && second[0]-'0' <= 9 {
		p.End, problem = parseValue(second)
		switch {
		case problem != "" || p.End.Form == Date:
			return p, noEnd
		case p.End.Form != p.Start.Form:
			return p, "has a start and an end of different forms"
		case p.End.Clock <= p.Start.Clock:
			return p, notAfter
		}
		return p, ""
	}
	length, ok := parseDuration(second)
	switch {
	case !ok:
		return p, noEnd
	case length == Duration{}:
		return p, notAfter
	}
	p.Length = length
	return p, ""
}

// judgeDates compares the form of the values with that of the start. It adds one fault at most.
func (l *line) judgeDates(start Start) {
	advise := func(value any, form, startForm, advice string) {
		l.faults.advise(&datesStartForm, whole, "%s is a %s and the start is a %s, so %s.", value, form, startForm, advice)
	}
	if start.allDay && len(l.dates.Periods) > 0 {
		advise(l.dates.Periods[0], "PERIOD", "date", "only the date of its start counts; write VALUE=DATE and dates")
	}
	if len(l.dates.Values) == 0 {
		return
	}
	switch v := l.dates.Values[0]; { // the others have the same type
	case start.allDay == (v.Form == Date):
	case start.allDay:
		advise(v, v.Form.String(), "date", "only the date counts; write VALUE=DATE and dates")
	case l.kind == rdateLine:
		advise(v, "DATE", "time", "it gets the start's time of day; write the time")
	default:
		advise(v, "DATE", "time", "it means the whole day; write the time")
	}
}
