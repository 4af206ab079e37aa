package fuzz

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/internal/zone"
)

// recurrenceWays break the rules about the lines of a recurrence.
func recurrenceVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.RecurrenceLineName:         append(inLine(series(), badNames()...), inLine(returned(), noNames()...)...),
		ruleid.RecurrenceLineDTStart:      inLine(series(), dtLines()...),
		ruleid.RecurrenceLineSyntax:       slices.Concat(inLine(series(), badLines()...), inLine(series(), badParams()...), inLine(series(), badRules()...)),
		ruleid.RecurrenceRulePart:         slices.Concat(inLine(series(), badParts()...), inLine(series(), badNumbers()...), inLine(series().as(diag.Advise), extensions()...)),
		ruleid.RecurrenceRuleCountUntil:   inLine(series(), badEnds()...),
		ruleid.RecurrenceRuleUntilForm:    slices.Concat(inLine(timedSeries(), localUntils()...), inLine(timedSeries().as(diag.Advise), dateUntils()...), inLine(allDaySeries().as(diag.Advise), timeUntils()...)),
		ruleid.RecurrenceRuleByPart:       append(inLine(series(), badByParts()...), inLine(timedSeries(), badSubDailyParts()...)...),
		ruleid.RecurrenceRuleTimePart:     inLine(allDaySeries(), timesOfDays()...),
		ruleid.RecurrenceExRuleDeprecated: inLine(series(), exrules()...),
		ruleid.RecurrenceDatesForm:        slices.Concat(inLine(series(), badDates()...), inLine(series(), badPeriods()...)),
		ruleid.RecurrenceDatesStartForm:   append(inLine(timedSeries(), daysOfTimes()...), inLine(allDaySeries(), timesForDays()...)...),
		ruleid.RecurrenceNoInstance:       inSet(lateSeries(), emptySets()...),
		ruleid.RecurrenceStartNotInRule:   startNotInRuleVariants(),
		ruleid.RecurrenceExDateMisses:     append(inLine(weeklySeries(), misses()...), inLine(weeklyTimed(), timedMisses()...)...),
		ruleid.RecurrenceSubDaily:         inLine(timedSeries(), subDailyRules()...),
		ruleid.RecurrenceEmptied:          emptiedVariants(),
		ruleid.RecurrenceOnInstance:       onInstanceVariants(),
	}
}

// What the ways need. A patch has to send the start beside what goes wrong with the start only.
func series() variant {
	return variant{prepare: recurringOf(anyForm)}
}
func returned() variant {
	return variant{prepare: recurringOf(anyForm), on: diag.Response}
}
func timedSeries() variant {
	return variant{prepare: recurringOf(timedForm), whole: []string{"start", "recurrence"}}
}
func allDaySeries() variant {
	return variant{prepare: recurringOf(allDayForm), whole: []string{"start", "recurrence"}}
}
func lateSeries() variant {
	return variant{prepare: recurringWeekly(anyForm), whole: []string{"start", "recurrence"}}
}
func weeklySeries() variant {
	return variant{prepare: recurringWeekly(anyForm)}
}
func weeklyTimed() variant {
	return variant{prepare: recurringWeekly(timedForm)}
}

// recurringWeekly draws a weekly series that leaves room for dates before it.
func recurringWeekly(f timeForm) preparation {
	return func(t *rapid.T, e *event.Event) {
		b := drawBegin(t, f.allDay(t))
		for b.at.Year() < 200 {
			b = drawBegin(t, b.allDay)
		}
		e.Start, e.End = b.start, b.end
		e.Recurrence = []string{"RRULE:FREQ=WEEKLY" + rapid.SampledFrom([]string{"", ";INTERVAL=1", ";COUNT=4"}).Draw(t, "more")}
	}
}

// beginOf reads where the series of a body begins.
func beginOf(body members) *begin {
	e := decodeEvent(body)
	m := momentOf(e.Start)
	b := &begin{allDay: e.Start.Date != "", start: e.Start, end: e.End, at: m.at.Truncate(time.Second), zone: e.Start.TimeZone}
	b.clock = b.at
	if !b.allDay {
		where, _ := zone.Load(b.zone)
		b.clock = b.at.In(where)
	}
	return b
}

// badLine is a way of writing a line that breaks a rule.
type badLine struct {
	name string
	line func(t *rapid.T, b *begin) string
}

// oneLine is one of some lines.
func oneLine(name string, lines ...string) badLine {
	which := rapid.SampledFrom(lines)
	return badLine{name, func(t *rapid.T, _ *begin) string { return which.Draw(t, "line") }}
}

// inLine lists the ways of breaking a rule by one line more, anywhere among the others.
func inLine(need variant, lines ...badLine) []variant {
	variants := make([]variant, len(lines))
	for i, l := range lines {
		w := need
		w.name = l.name
		w.mutate = func(t *rapid.T, d *draft) diag.Pointer {
			return d.addLine(t, l.line(t, beginOf(d.body)))
		}
		variants[i] = w
	}
	return variants
}

// addLine inserts a line into the recurrence, anywhere.
func (d *draft) addLine(t *rapid.T, line string) diag.Pointer {
	lines, _ := d.body["recurrence"].([]any)
	i := rapid.IntRange(0, len(lines)).Draw(t, "index of the line")
	d.body["recurrence"] = slices.Insert(slices.Clone(lines), i, any(line))
	return diag.Pointer("/recurrence").Index(i)
}

// listOf makes a recurrence of lines.
func listOf(lines ...string) []any {
	list := make([]any, len(lines))
	for i, line := range lines {
		list[i] = line
	}
	return list
}

// anyRule draws the name of a property that holds a rule; anyDates of one that holds dates.
var anyRule = draw.Lazy(func() *rapid.Generator[string] { return rapid.SampledFrom([]string{"RRULE", "EXRULE"}) })
var anyDates = draw.Lazy(func() *rapid.Generator[string] { return rapid.SampledFrom([]string{"RDATE", "EXDATE"}) })

// anyLine draws a line of any property.
func (b *begin) anyLine(t *rapid.T) string {
	switch rapid.IntRange(0, 2).Draw(t, "property") {
	case 0:
		return b.ruleLine(t)
	case 1:
		return b.exruleLine(t)
	default:
		return b.datesLine(t)
	}
}

// parts draws a rule, and returns the name of its property with the colon, and its parts.
func (b *begin) parts(t *rapid.T) (property string, parts []string) {
	_, value, _ := strings.Cut(b.ruleLine(t), ":")
	return anyRule().Draw(t, "property") + ":", strings.Split(value, ";")
}

// badNames are lines that are none of the four.
func badNames() []badLine {
	return []badLine{
		{"a rule without its name", func(t *rapid.T, b *begin) string { return strings.TrimPrefix(plainRule(t), "RRULE:") }},
		oneLine("another property of iCalendar", "SUMMARY:Lunch", "DTSTAMP:20260310T090000Z", "DURATION:PT1H", "RECURRENCE-ID:20260310", "UID:a@example.com", "DUE:20260310T090000Z", "SEQUENCE:1"),
		oneLine("a component of iCalendar", "BEGIN:VEVENT", "END:VEVENT", "BEGIN:VCALENDAR", "VERSION:2.0"),
		{"a misspelt name", func(t *rapid.T, b *begin) string {
			name := rapid.SampledFrom([]string{"RULE", "RRULES", "R-RULE", "RRULE1", "EXRULES", "EX-RULE", "EXDATES", "EXDAT", "RDATES", "RDATE-TIME", "DATE"}).Draw(t, "name")
			_, value, _ := strings.Cut(b.ruleLine(t), ":")
			return name + ":" + value
		}},
		oneLine("an extension", "X-RRULE:FREQ=DAILY", "X-EXDATE:20260310T090000Z", "X-NOTE:a"),
		oneLine("a name alone", "DAILY", "RRULE-FREQ-DAILY", "WEEKLY;BYDAY=MO", "every-day"),
	}
}

// noNames are lines that have no name, or one that is not allowed: in a response, where other
// rules about lines are silent, all that is said of them.
func noNames() []badLine {
	return []badLine{
		oneLine("no name", "", ":FREQ=DAILY", ";TZID=UTC:20260310T090000", "=DAILY"),
		oneLine("a blank before the name", " RRULE:FREQ=DAILY", "\tRRULE:FREQ=DAILY", "\ufeffRRULE:FREQ=DAILY", "\nRRULE:FREQ=DAILY"),
		oneLine("full-width letters", fullWidth("RRULE")+":FREQ=DAILY", fullWidth("EXDATE")+":20260310T090000Z"),
		oneLine("a line of the start", "DTSTART:20260310T090000Z", "DTEND;VALUE=DATE:20260311", "DTSTART"),
	}
}

// dtLines give the start and the end, which the event has elsewhere.
func dtLines() []badLine {
	return []badLine{
		oneLine("in UTC", "DTSTART:20260310T090000Z", "DTEND:20260310T100000Z"),
		oneLine("with parameters", "DTSTART;TZID=America/New_York:20260310T090000", "DTEND;VALUE=DATE:20260311", "DTSTART;X-NOTE=a:20260310T090000"),
		oneLine("in lower case", "dtstart:20260310t090000z", "DtEnd:20260310T100000Z"),
		oneLine("what cannot be read", "DTSTART", "DTEND:", "DTSTART=20260310", "DTSTART;:\r\n"),
		{"the start itself", func(t *rapid.T, b *begin) string {
			return rapid.SampledFrom([]string{"DTSTART", "DTEND"}).Draw(t, "name") + ":" + b.dateValue(inUTC, 0)
		}},
	}
}

// badLines do not follow the grammar of any line.
func badLines() []badLine {
	return []badLine{
		oneLine("an empty line", "", " ", "\r\n", "\t"),
		lineWith("a line break at the end", func(line string) string { return line + "\r\n" }, func(line string) string { return line + "\n" }, func(line string) string { return line + "\r" }),
		{"a folded line", func(t *rapid.T, b *begin) string {
			return b.broken(t, rapid.SampledFrom([]string{"\r\n ", "\r\n\t", "\n ", "\n\t"}).Draw(t, "fold"))
		}},
		{"a control character", func(t *rapid.T, b *begin) string {
			return b.broken(t, rapid.SampledFrom([]string{"\x00", "\x07", "\x1b", "\x7f", "\n"}).Draw(t, "character"))
		}},
		{"two lines in one", func(t *rapid.T, b *begin) string {
			return b.anyLine(t) + rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "break") + b.anyLine(t)
		}},
		lineWith("a blank at the end", with("", " "), with("", "\t"), with("", "   ")),
		lineWith("a character before the name", with(" ", ""), with("\t", ""), with("\ufeff", ""), with(":", ""), with(";", ""), with("* ", "")),
		lineWith("full-width letters", func(line string) string { return fullWidth(line[:1]) + line[1:] }),
		lineWith("no colon", swappedColon(""), swappedColon(" "), swappedColon("="), swappedColon("："), swappedColon(";")),
		lineWith("no value", func(line string) string { return line[:nameEnd(line)] }, func(line string) string { return line[:nameEnd(line)] + ":" }, func(line string) string { return line[:nameEnd(line)] + ";X-NOTE=a:" }),
	}
}

// lineWith is any line, rewritten in one of some ways.
func lineWith(name string, wrongly ...func(string) string) badLine {
	which := rapid.IntRange(0, len(wrongly)-1)
	return badLine{name, func(t *rapid.T, b *begin) string {
		return wrongly[which.Draw(t, "spelling")](b.anyLine(t))
	}}
}

// nameEnd returns the length of the name of a line.
func nameEnd(line string) int { return strings.IndexAny(line, ";:") }

// swappedColon returns a rewriting that leaves only the name and the value of a line, with
// something else for the colon between them.
func swappedColon(by string) func(string) string {
	return func(line string) string {
		name, value := line[:nameEnd(line)], line[strings.LastIndexByte(line, ':')+1:]
		if by == "" { // what is left is to be a name still
			return name
		}
		return name + by + value
	}
}

// broken draws a line with a text somewhere behind its name.
func (b *begin) broken(t *rapid.T, by string) string {
	line := b.anyLine(t)
	i := rapid.IntRange(nameEnd(line), len(line)-1).Draw(t, "place")
	return line[:i] + by + line[i:]
}

// badParams are lines whose parameters do not follow the grammar, or do not go with the
// property.
func badParams() []badLine {
	return []badLine{
		paramLine("a parameter that has no value", ";TZID", ";", ";VALUE;X-NOTE=a", "; "),
		paramLine("a parameter that has no name", ";=UTC", ";;X-NOTE=a", `;"TZID"=UTC`, ";X NOTE=a"),
		paramLine("a quote that is not closed", `;TZID="America/New_York`, `;X-NOTE="`, `;X-NOTE=a,"b`),
		paramLine("a quote in the middle", `;TZID=America/"New_York"`, `;X-NOTE="a"b`, `;X-NOTE=a"`),
		paramLine("a parameter twice", ";TZID=UTC;TZID=UTC", ";VALUE=DATE-TIME;VALUE=DATE-TIME", ";tzid=UTC;X-NOTE=a;TZID=Europe/Berlin"),
		{"a zone or a value type for a rule", func(t *rapid.T, b *begin) string {
			_, value, _ := strings.Cut(b.ruleLine(t), ":")
			param := rapid.SampledFrom([]string{";TZID=Europe/Berlin", ";VALUE=RECUR", ";VALUE=DATE", ";tzid=UTC", `;X-NOTE=a;TZID="UTC"`}).Draw(t, "parameter")
			return anyRule().Draw(t, "property") + param + ":" + value
		}},
	}
}

// paramLine is a line of dates with one of the parameters.
func paramLine(name string, params ...string) badLine {
	which := rapid.SampledFrom(params)
	return badLine{name, func(t *rapid.T, b *begin) string {
		return anyDates().Draw(t, "property") + which.Draw(t, "parameters") + ":" + b.dateValue(onClock, 1)
	}}
}

// badRules are rules that are no list of NAME=value.
func badRules() []badLine {
	return []badLine{
		ruleWith("an empty part", func(parts []string) string { return strings.Join(parts, ";") + ";" }, func(parts []string) string { return ";" + strings.Join(parts, ";") }, func(parts []string) string { return parts[0] + ";;" + strings.Join(append(parts[1:], "X-A=b"), ";") }),
		ruleWith("a part without an equals sign", plus("INTERVAL"), plus("X-NOTE"), plus("WEEKLY"), plus("BYDAY:MO")),
		ruleWith("a part without a name", plus("=1"), plus("="), plus("=DAILY")),
		ruleWith("a blank before a part", plus(" WKST=MO"), plus(" X-NOTE=a"), plus("\tWKST=MO")),
		ruleWith("a name of other characters", plus("BY_DAY=MO"), plus(fullWidth("WKST")+"=MO"), plus("WKST =MO"), plus("X.A=1")),
	}
}

// ruleWith is any rule, rewritten in one of some ways.
func ruleWith(name string, wrongly ...func(parts []string) string) badLine {
	which := rapid.IntRange(0, len(wrongly)-1)
	return badLine{name, func(t *rapid.T, b *begin) string {
		property, parts := b.parts(t)
		return property + wrongly[which.Draw(t, "spelling")](parts)
	}}
}

// plus returns a rewriting that adds parts to a rule.
func plus(part string) func(parts []string) string {
	return func(parts []string) string { return strings.Join(parts, ";") + ";" + part }
}

// badParts are rules with parts that RFC 5545 does not have, or twice, or without a value that
// it has.
func badParts() []badLine {
	return []badLine{
		{"no frequency", func(t *rapid.T, b *begin) string {
			property, parts := b.parts(t)
			rest := slices.DeleteFunc(parts, func(part string) bool { return strings.HasPrefix(strings.ToUpper(part), "FREQ=") })
			return property + strings.Join(append(rest, "X-NOTE=1"), ";")
		}},
		{"a part twice", func(t *rapid.T, b *begin) string {
			property, parts := b.parts(t)
			known := slices.DeleteFunc(slices.Clone(parts), func(part string) bool { return strings.HasPrefix(strings.ToUpper(part), "X-") })
			return property + strings.Join(append(parts, rapid.SampledFrom(known).Draw(t, "part")), ";")
		}},
		ruleWith("a part that RFC 5545 does not have", plus("BYEASTER=0"), plus("RSCALE=GREGORIAN"), plus("SKIP=OMIT"), plus("BYWEEK=1"), plus("BYDATE=10"), plus("X=1"), plus("X-=1"), plus("DTSTART=20260310"), plus("FREQUENCY=DAILY"), plus("TZID=UTC")),
		ruleWith("an extension without a value", plus("X-NOTE="), plus("X-NOTE=a=b")),
		withParts("a frequency that is none", "FREQ=FORTNIGHTLY;INTERVAL=2", "FREQ=BIWEEKLY", "FREQ=DAY", "FREQ=7", "FREQ=WEEKLY,DAILY", "FREQ=DAILY ;COUNT=2", "FREQ="+fullWidth("DAILY"), "FREQ=;COUNT=2", "FREQ==DAILY"),
		{"a part without a value", func(t *rapid.T, b *begin) string {
			name := rapid.SampledFrom([]string{"INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"}).Draw(t, "part")
			return anyRule().Draw(t, "property") + ":" + rapid.SampledFrom([]string{"FREQ=YEARLY;BYMONTH=3;" + name + "=", name + "=;FREQ=YEARLY;BYMONTH=3"}).Draw(t, "order")
		}},
		withValue("an UNTIL that is none", "UNTIL",
			"20260230", "20261301T000000Z", "20261231T240000Z", "20261231T236000Z", "20261231T235961Z", "20261231T2359Z", "20261231Z", "20261231T",
			"2026-12-31", "2026-12-31T00:00:00Z", "20261231T000000+0100", "20261231 000000Z", "20261231T000000ZZ", "1798675200", "forever", "2026", "20261231,20271231", fullWidth("20261231")),
		withValue("a COUNT that is no number", "COUNT", "ten", "1.5", "+3", "1e3", "0x10", "--1", " 3", "3,4", "-", fullWidth("3")),
		withValue("an INTERVAL that is no number", "INTERVAL", "two", "0.5", "+2", " 2", "1,2", "-", "P1D", fullWidth("2")),
		withValue("a week start that is none", "WKST", "MON", "Monday", "M", "1", "1MO", "MO,SU", fullWidth("MO")),
		withValue("a BYDAY that is none", "BYDAY",
			"0MO", "54MO", "-54MO", "+0MO", "99MO", "001MO", "MON", "Monday", "M", "1", "MO1", "+MO", "-MO", "1 MO", "MO-FR", "MO TU", "MO,,TU", "MO,", ",MO", "MO,TU,XX", "MO/TH", fullWidth("MO")),
	}
}

// withParts is a rule of one of some lists of parts.
func withParts(name string, lists ...string) badLine {
	which := rapid.SampledFrom(lists)
	return badLine{name, func(t *rapid.T, _ *begin) string {
		return anyRule().Draw(t, "property") + ":" + which.Draw(t, "parts")
	}}
}

// withValue is a rule with a part that has one of the values.
func withValue(name, part string, values ...string) badLine {
	which := rapid.SampledFrom(values)
	return badLine{name, func(t *rapid.T, _ *begin) string {
		freq := rapid.SampledFrom([]string{"MONTHLY", "YEARLY"}).Draw(t, "frequency")
		return anyRule().Draw(t, "property") + ":FREQ=" + freq + ";" + part + "=" + which.Draw(t, "value") + ";X-NOTE=1"
	}}
}

// badNumbers are rules with a BY part beyond what RFC 5545 allows.
func badNumbers() []badLine {
	return []badLine{
		numbered("one over", nil, func(t *rapid.T, p byPart) string { return strconv.Itoa(p.high + 1) }),
		numbered("far over", nil, func(t *rapid.T, p byPart) string {
			return strconv.FormatInt(rapid.Int64Range(10*int64(p.high), greatest).Draw(t, "number"), 10)
		}),
		numbered("beyond every integer", nil, func(*rapid.T, byPart) string { return strings.Repeat("9", 40) }),
		numbered("zero where there is none", func(p byPart) bool { return p.low > 0 }, func(t *rapid.T, _ byPart) string {
			return rapid.SampledFrom([]string{"0", "00"}).Draw(t, "zero")
		}),
		numbered("one over, from the end", func(p byPart) bool { return p.signed }, func(_ *rapid.T, p byPart) string { return strconv.Itoa(-p.high - 1) }),
		numbered("a sign that is not allowed", func(p byPart) bool { return !p.signed }, func(t *rapid.T, p byPart) string {
			return rapid.SampledFrom([]string{"-", "+"}).Draw(t, "sign") + strconv.Itoa(rapid.IntRange(p.low, p.high).Draw(t, "number"))
		}),
		numbered("too many digits", nil, func(_ *rapid.T, p byPart) string { return fmt.Sprintf("%04d", p.high) }),
		numbered("no number", nil, func(t *rapid.T, _ byPart) string {
			return rapid.SampledFrom([]string{"x", "MO", "1.5", "1-3", " 1", "1 ", "--1", "-", "+", "*", fullWidth("1")}).Draw(t, "word")
		}),
		numbered("an empty element", nil, func(t *rapid.T, _ byPart) string { return "" }),
	}
}

// numbered is a rule with a BY part of which one number is wrong, alone or in a list. The part
// is one that goes with the start and is as wanted; nil wants all.
func numbered(name string, wanted func(byPart) bool, number func(t *rapid.T, p byPart) string) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		parts := []byPart{byMonth, byWeekNo, byYearDay, byMonthDay, bySetPos}
		if !b.allDay {
			parts = append(parts, timeParts...)
		}
		if wanted != nil {
			parts = slices.DeleteFunc(parts, func(p byPart) bool { return !wanted(p) })
		}
		p := parts[rapid.IntRange(0, len(parts)-1).Draw(t, "part")]
		value, good := number(t, p), strconv.Itoa(p.high)
		lists := []string{good + "," + value, value + "," + good, good + "," + value + "," + good}
		if value != "" {
			lists = append(lists, value)
		}
		return anyRule().Draw(t, "property") + ":FREQ=YEARLY;BYDAY=MO;" + p.name + "=" + rapid.SampledFrom(lists).Draw(t, "list") + ";X-NOTE=1"
	}}
}

// extensions are rules that are right but for parts that nobody needs to read.
func extensions() []badLine {
	return []badLine{
		{"an extension", func(t *rapid.T, b *begin) string { return b.ruleLine(t) + ";" + extension().Draw(t, "extension") }},
		{"an extension in an EXRULE", func(t *rapid.T, b *begin) string { return b.exruleLine(t) + ";" + extension().Draw(t, "extension") }},
	}
}

var extension = draw.Lazy(func() *rapid.Generator[string] {
	return rapid.StringMatching(`[Xx]-[A-Za-z0-9-]{1,12}=[A-Za-z0-9 +,.]{0,12}[a-z0-9]`)
})

// badEnds are rules that end in two ways, or never begin.
func badEnds() []badLine {
	return []badLine{
		{"COUNT and UNTIL", func(t *rapid.T, b *begin) string {
			return plainRule(t) + ";COUNT=10;UNTIL=" + b.until(t)
		}},
		{"UNTIL and COUNT", func(t *rapid.T, b *begin) string {
			return "EXRULE:UNTIL=" + b.until(t) + ";FREQ=DAILY;COUNT=" + strconv.Itoa(rapid.IntRange(1, 1000).Draw(t, "count"))
		}},
		{"no times", tooSmall("COUNT", "0", "00", "000000000000000000000", "-0")},
		{"a negative COUNT", tooSmall("COUNT", "-1", "-10", "-01", "-9223372036854775808", "-99999999999999999999")},
		{"an interval of nothing", tooSmall("INTERVAL", "0", "00", "000000000000000000000", "-0")},
		{"a negative INTERVAL", tooSmall("INTERVAL", "-1", "-7", "-9223372036854775808", "-99999999999999999999")},
	}
}

// tooSmall draws a rule with a part that has one of the values.
func tooSmall(part string, values ...string) func(t *rapid.T, b *begin) string {
	which := rapid.SampledFrom(values)
	return func(t *rapid.T, b *begin) string {
		_, value, _ := strings.Cut(plainRule(t), ":")
		return anyRule().Draw(t, "property") + ":" + value + ";" + part + "=" + which.Draw(t, "value")
	}
}

// plainRule draws a rule that every start matches.
func plainRule(t *rapid.T) string {
	return "RRULE:FREQ=" + rapid.SampledFrom(daily).Draw(t, "frequency").name
}

// The forms of UNTIL that do not go with the start. None is before the start.
func localUntils() []badLine {
	return []badLine{
		{"on the clock of the zone", func(t *rapid.T, b *begin) string {
			return b.endless(t) + ";UNTIL=" + b.dateValue(onClock, rapid.IntRange(0, 4000).Draw(t, "days"))
		}},
		{"in lower case", func(t *rapid.T, b *begin) string {
			return b.endless(t) + ";until=" + strings.ToLower(b.dateValue(onClock, 7))
		}},
		{"before the start", func(t *rapid.T, b *begin) string { return b.endless(t) + ";UNTIL=00010101T000000" }},
	}
}
func dateUntils() []badLine {
	return []badLine{{"a date for a timed start", func(t *rapid.T, b *begin) string {
		return plainRule(t) + ";UNTIL=" + b.dateValue(days, rapid.IntRange(0, 4000).Draw(t, "days"))
	}}}
}
func timeUntils() []badLine {
	return []badLine{
		{"a time in UTC for an all-day start", func(t *rapid.T, b *begin) string {
			return plainRule(t) + ";UNTIL=" + b.dateValue(inUTC, rapid.IntRange(0, 4000).Draw(t, "days"))
		}},
		{"a time on no clock for an all-day start", func(t *rapid.T, b *begin) string {
			return plainRule(t) + ";UNTIL=" + b.dateValue(onClock, rapid.IntRange(0, 4000).Draw(t, "days"))
		}},
	}
}

// endless draws an RRULE or EXRULE that does not end.
func (b *begin) endless(t *rapid.T) string {
	_, value, _ := strings.Cut(plainRule(t), ":")
	return anyRule().Draw(t, "property") + ":" + value
}

// badByParts are rules with parts that have no meaning together.
func badByParts() []badLine {
	return []badLine{
		byPartOf("a week of the year in a rule of another frequency", byWeekNo, "DAILY", "WEEKLY", "MONTHLY"),
		byPartOf("a day of the year in a rule of days, weeks or months", byYearDay, "DAILY", "WEEKLY", "MONTHLY"),
		byPartOf("a day of the month in a weekly rule", byMonthDay, "WEEKLY"),
		{"an ordinal in a daily or weekly rule", func(t *rapid.T, b *begin) string {
			return ruleOf(t, "DAILY", "WEEKLY") + ";BYDAY=" + someOrdinals(t)
		}},
		{"an ordinal beside weeks of the year", func(t *rapid.T, b *begin) string {
			return ruleOf(t, "YEARLY") + ";" + byWeekNo.draw(t) + ";BYDAY=" + someOrdinals(t)
		}},
		{"a position in nothing", func(t *rapid.T, b *begin) string {
			return ruleOf(t, "DAILY", "WEEKLY", "MONTHLY", "YEARLY") + ";" + bySetPos.draw(t)
		}},
	}
}

// badSubDailyParts are the same of rules that only a timed start has.
func badSubDailyParts() []badLine {
	return []badLine{
		byPartOf("a week of the year in a rule below the day", byWeekNo, "HOURLY", "MINUTELY", "SECONDLY"),
		{"an ordinal in a rule below the day", func(t *rapid.T, b *begin) string {
			return ruleOf(t, "HOURLY", "MINUTELY", "SECONDLY") + ";BYDAY=" + someOrdinals(t)
		}},
		{"a position in nothing, below the day", func(t *rapid.T, b *begin) string {
			return ruleOf(t, "HOURLY", "MINUTELY", "SECONDLY") + ";" + bySetPos.draw(t)
		}},
	}
}

// ruleOf draws the property and the frequency of a rule.
func ruleOf(t *rapid.T, frequencies ...string) string {
	return anyRule().Draw(t, "property") + ":FREQ=" + rapid.SampledFrom(frequencies).Draw(t, "frequency")
}

// byPartOf is a rule of one of the frequencies with a part.
func byPartOf(name string, p byPart, frequencies ...string) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string { return ruleOf(t, frequencies...) + ";" + p.draw(t) }}
}

// someOrdinals draws days of the week, one of them with a number.
func someOrdinals(t *rapid.T) string {
	nth := rapid.SampledFrom([]string{"1", "-1", "+2", "05", "53", "-53"}).Draw(t, "nth") + weekday().Draw(t, "weekday")
	return rapid.SampledFrom([]string{"", "MO,", "TU,WE,"}).Draw(t, "other days") + nth
}

// timesOfDays are rules that choose times, which days do not have.
func timesOfDays() []badLine {
	return []badLine{
		timeOfDay(timeParts[0]), timeOfDay(timeParts[1]), timeOfDay(timeParts[2]),
		{"a frequency below the day", func(t *rapid.T, b *begin) string { return ruleOf(t, "HOURLY", "MINUTELY", "SECONDLY") }},
	}
}

func timeOfDay(p byPart) badLine {
	return byPartOf(p.name, p, "DAILY", "WEEKLY", "MONTHLY", "YEARLY")
}

// exrules take out no start.
func exrules() []badLine {
	return []badLine{
		{"on a day of the month", func(t *rapid.T, b *begin) string { return b.exruleLine(t) }},
		{"on a day of the week", func(t *rapid.T, b *begin) string {
			return "EXRULE:FREQ=WEEKLY;BYDAY=" + otherWeekday(t, b.clock)
		}},
		{"in lower case", func(t *rapid.T, b *begin) string { return strings.ToLower(b.exruleLine(t)) }},
		{"with a parameter and an end", func(t *rapid.T, b *begin) string {
			return strings.Replace(b.exruleLine(t), ":", ";X-NOTE=a:", 1) + ";UNTIL=" + b.until(t)
		}},
	}
}

// otherWeekday draws another day of the week than that of a clock.
func otherWeekday(t *rapid.T, clock time.Time) string {
	days := []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}
	return days[(int(clock.Weekday())+rapid.IntRange(1, 6).Draw(t, "days off"))%7]
}

// badDates are lines of dates that do not have the form that they say.
func badDates() []badLine {
	return []badLine{
		datesOf("a time where VALUE says a date", ";VALUE=DATE", "20260310T090000Z", "20260310T090000"),
		datesOf("a date where VALUE says nothing", "", "20260310"),
		datesOf("a date where VALUE says a time", ";VALUE=DATE-TIME", "20260310"),
		datesOf("a date in a zone", ";TZID=Europe/Berlin", "20260310"),
		datesOf("a VALUE that is none", ";VALUE=TEXT", "a"),
		datesOf("a VALUE that is misspelt", ";VALUE=DATETIME", "20260310T090000Z"),
		datesOf("two VALUEs", ";VALUE=DATE,DATE-TIME", "20260310"),
		datesOf("an empty VALUE", ";VALUE=", "20260310T090000"),
		datesOf("a zone for dates", ";VALUE=DATE;TZID=Europe/Berlin", "20260310"),
		{"a zone that is none", func(t *rapid.T, b *begin) string {
			name := rapid.SampledFrom([]string{"", "Local", "PST", "CEST", "europe/berlin", "Eastern Standard Time", "+01:00", "UTC+1", "/Europe/Berlin", "America/New York", "Europe/Berlin,UTC"}).Draw(t, "zone")
			if strings.ContainsAny(name, ":,") {
				name = `"` + name + `"`
			}
			return anyDates().Draw(t, "property") + ";TZID=" + name + ":" + b.dateValue(onClock, 1)
		}},
		datesOf("a time in UTC in a zone", ";TZID=America/New_York", "20260310T130000Z"),
		datesOf("a day that the calendar lacks", "", "20260230T090000", "20261301T090000Z", "20260010T090000", "20260229T090000Z"),
		datesOf("a date that the calendar lacks", ";VALUE=DATE", "20260230", "20260432", "20260229", "20261310"),
		datesOf("a time that no clock shows", "", "20260310T240000", "20260310T096000Z", "20260310T090061Z", "20260310T990000Z"),
		datesOf("another form of time", "", "2026-03-10T09:00:00Z", "20260310T0900Z", "20260310T09Z", "20260310T090000+0100", "20260310 090000", "20260310T", "T090000Z", "1773133200", "20260310T090000.5Z"),
		datesOf("another form of date", ";VALUE=DATE", "2026-03-10", "2026310", "260310", "10.03.2026", "2026W102", "today", fullWidth("20260310")),
		{"a value that is empty", func(t *rapid.T, b *begin) string {
			value := b.dateValue(inUTC, 1)
			return anyDates().Draw(t, "property") + ":" + rapid.SampledFrom([]string{value + ",", "," + value, value + ",," + value}).Draw(t, "list")
		}},
		{"a blank between values", func(t *rapid.T, b *begin) string {
			value := b.dateValue(inUTC, 1)
			return anyDates().Draw(t, "property") + ":" + rapid.SampledFrom([]string{value + ", " + value, value + " ," + value, " " + value}).Draw(t, "list")
		}},
		datesOf("periods where VALUE says nothing", "", "20260310T090000Z/PT1H", "20260310T090000Z/20260310T100000Z"),
		exceptPeriod(),
	}
}

// datesOf is an RDATE or EXDATE with one of the values, alone or behind other values that the
// parameters allow.
func datesOf(name, params string, values ...string) badLine {
	which := rapid.SampledFrom(values)
	return badLine{name, func(t *rapid.T, b *begin) string {
		return anyDates().Draw(t, "property") + params + ":" + b.goodValues(t, params) + which.Draw(t, "value")
	}}
}

// goodValues draws values that are right, each with a comma behind it, where the parameters
// alone are.
func (b *begin) goodValues(t *rapid.T, params string) string {
	forms := map[string]valueForm{"": inUTC, ";VALUE=DATE": days, ";VALUE=DATE-TIME": inUTC, ";TZID=Europe/Berlin": onClock, ";TZID=America/New_York": onClock}
	form, known := forms[params]
	if !known {
		return ""
	}
	var values strings.Builder
	for n := range rapid.IntRange(0, 2).Draw(t, "values before") {
		values.WriteString(b.dateValue(form, n+1) + ",")
	}
	return values.String()
}

func exceptPeriod() badLine {
	return badLine{"periods in an EXDATE", func(t *rapid.T, b *begin) string {
		return "EXDATE;VALUE=PERIOD:" + b.dateValue(periods, rapid.IntRange(0, 60).Draw(t, "days"))
	}}
}

// badPeriods are RDATEs with periods that are none.
func badPeriods() []badLine {
	return []badLine{
		periodOf("no slash", "20260310T090000Z", "20260310T090000Z-PT1H", "20260310T090000Z PT1H"),
		periodOf("an end before the start", "20260310T090000Z/20260310T085959Z", "20260310T090000/20250310T100000"),
		periodOf("an end at the start", "20260310T090000Z/20260310T090000Z", "20260310T090000/20260310T090000"),
		periodOf("a length of nothing", "20260310T090000Z/PT0S", "20260310T090000Z/P0D", "20260310T090000/P0W"),
		periodOf("a negative length", "20260310T090000Z/-PT1H", "20260310T090000/-P1D"),
		periodOf("a length that is none", "20260310T090000Z/P1H", "20260310T090000Z/PT", "20260310T090000Z/P", "20260310T090000Z/PT1H30S", "20260310T090000Z/P1W2D", "20260310T090000Z/P1Y", "20260310T090000Z/P1M", "20260310T090000Z/1H", "20260310T090000Z/PT1.5H", "20260310T090000Z/PT1M1H"),
		periodOf("no end", "20260310T090000Z/", "/PT1H", "/", "20260310T090000Z"),
		periodOf("a second slash", "20260310T090000Z/PT1H/PT1H", "20260310T090000Z//PT1H"),
		periodOf("two forms", "20260310T090000Z/20260310T100000", "20260310T090000/20260310T100000Z", "20260310T090000Z/20260311"),
		periodOf("a date for its start", "20260310/PT1H", "20260310/20260311"),
		periodOf("times that the calendar lacks", "20260230T090000Z/PT1H", "20260310T240000Z/PT1H", "20260310T090000Z/20260431T090000Z"),
		{"a period in UTC in a zone", func(t *rapid.T, b *begin) string {
			return "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:" + b.dateValue(periods, rapid.IntRange(0, 60).Draw(t, "days"))
		}},
	}
}

// periodOf is an RDATE with one of the values, alone or behind a period that is right.
func periodOf(name string, values ...string) badLine {
	which := rapid.SampledFrom(values)
	return badLine{name, func(t *rapid.T, b *begin) string {
		before := rapid.SampledFrom([]string{"", b.dateValue(periods, 1) + ","}).Draw(t, "values before")
		return "RDATE;VALUE=PERIOD:" + before + which.Draw(t, "value")
	}}
}

// Dates of another type than the start.
func daysOfTimes() []badLine {
	return []badLine{dated("an RDATE of days", "RDATE;VALUE=DATE", days), dated("an EXDATE of days", "EXDATE;VALUE=DATE", days)}
}
func timesForDays() []badLine {
	return []badLine{
		dated("an RDATE of times", "RDATE", inUTC), dated("an EXDATE of times", "EXDATE", inUTC),
		dated("an RDATE on no clock", "RDATE", onClock), dated("an EXDATE on no clock", "EXDATE;VALUE=DATE-TIME", onClock),
		dated("an RDATE in a zone", "RDATE;TZID=Europe/Berlin", onClock), dated("an EXDATE in a zone", "EXDATE;TZID=UTC", onClock),
		dated("an RDATE of periods", "RDATE;VALUE=PERIOD", periods),
	}
}

// dated is a line with one to three days or times after the start.
func dated(name, property string, form valueForm) badLine {
	return badLine{name, func(t *rapid.T, b *begin) string {
		return property + ":" + b.someValues(t, form)
	}}
}

// someValues draws one to three values of a form, on days after the start.
func (b *begin) someValues(t *rapid.T, form valueForm) string {
	after := rapid.SliceOfNDistinct(rapid.IntRange(2, 60), 1, 3, rapid.ID[int]).Draw(t, "days after the start")
	values := make([]string, len(after))
	for i, n := range after {
		values[i] = b.dateValue(form, n)
	}
	return strings.Join(values, ",")
}

// subDailyRules are rules below the day that leave the start.
func subDailyRules() []badLine {
	return []badLine{
		{"a rule below the day", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=" + rapid.SampledFrom(subDaily).Draw(t, "frequency").name + ";COUNT=" + strconv.Itoa(rapid.IntRange(1, 1000).Draw(t, "count"))
		}},
		{"a rule below the day with more parts", func(t *rapid.T, b *begin) string {
			f := rapid.SampledFrom(subDaily).Draw(t, "frequency")
			return "RRULE:" + strings.Join(b.byParts(t, f, []string{"FREQ=" + f.name, "INTERVAL=3"}), ";")
		}},
		{"an EXRULE below the day", func(t *rapid.T, b *begin) string {
			return strings.Replace(b.exruleLine(t), "MONTHLY", rapid.SampledFrom(subDaily).Draw(t, "frequency").name, 1)
		}},
	}
}

// badSet is a way of writing a whole recurrence that breaks a rule.
type badSet struct {
	name  string
	lines func(t *rapid.T, b *begin) []string
}

// inSet lists the ways of breaking a rule by the recurrence as a whole.
func inSet(need variant, sets ...badSet) []variant {
	variants := make([]variant, len(sets))
	for i, set := range sets {
		w := need
		w.name = set.name
		w.mutate = func(t *rapid.T, d *draft) diag.Pointer {
			d.body["recurrence"] = listOf(set.lines(t, beginOf(d.body))...)
			return "/recurrence"
		}
		variants[i] = w
	}
	return variants
}

// emptySets are recurrences that have no instance.
func emptySets() []badSet {
	return []badSet{
		{"UNTIL a moment before the start", func(t *rapid.T, b *begin) []string {
			until := date(b.at.AddDate(0, 0, -1))
			if !b.allDay {
				until = dateTime(b.at.UTC().Add(-time.Second)) + "Z"
			}
			return []string{plainRule(t) + ";UNTIL=" + until}
		}},
		{"UNTIL long before the start", func(t *rapid.T, b *begin) []string {
			form := inUTC
			if b.allDay {
				form = days
			}
			return []string{plainRule(t) + ";UNTIL=" + b.dateValue(form, -rapid.IntRange(2, 70_000).Draw(t, "days"))}
		}},
		{"UNTIL of the other form before the start", func(t *rapid.T, b *begin) []string {
			form := days
			if b.allDay {
				form = inUTC
			}
			return []string{plainRule(t) + ";UNTIL=" + b.dateValue(form, -rapid.IntRange(2, 70_000).Draw(t, "days"))}
		}},
		{"an EXDATE of the only instance", func(t *rapid.T, b *begin) []string {
			return shuffled(t, plainRule(t)+";COUNT=1", b.withoutStart(t))
		}},
		{"an EXDATE of the start alone", func(t *rapid.T, b *begin) []string { return []string{b.withoutStart(t)} }},
		{"EXDATEs of all instances", func(t *rapid.T, b *begin) []string {
			form, params := inUTC, ""
			if b.allDay {
				form, params = days, ";VALUE=DATE"
			}
			values := b.someValues(t, form)
			return shuffled(t, "RDATE"+params+":"+values, "EXDATE"+params+":"+values, "EXDATE"+params+":"+b.dateValue(form, 0))
		}},
		{"an EXRULE like the RRULE", func(t *rapid.T, b *begin) []string {
			_, rule, _ := strings.Cut(plainRule(t), ":")
			rule += ";COUNT=" + strconv.Itoa(rapid.IntRange(1, 20).Draw(t, "count"))
			return shuffled(t, "RRULE:"+rule, "EXRULE:"+rule)
		}},
	}
}

// shuffled draws an order of the lines.
func shuffled(t *rapid.T, lines ...string) []string {
	return rapid.Permutation(lines).Draw(t, "order of lines")
}

// withoutStart draws an EXDATE that takes the start out. One on the clock does so where the
// clock shows the start's time once, or for the first time.
func (b *begin) withoutStart(t *rapid.T) string {
	lines := []string{"EXDATE;VALUE=DATE:" + b.dateValue(days, 0), "EXDATE:" + b.dateValue(inUTC, 0)}
	written := &event.Time{DateTime: b.clock.Format(clockForm)}
	if b.allDay || read(written, b.clock.Location()).at.Equal(b.at) {
		lines = append(lines, "EXDATE:"+b.dateValue(onClock, 0), "EXDATE;TZID="+b.zone+":"+b.dateValue(onClock, 0))
	}
	return rapid.SampledFrom(lines).Draw(t, "EXDATE")
}

// startNotInRuleWays write rules that the start does not match.
func startNotInRuleVariants() []variant {
	return []variant{
		notInRule(weeklySeries(), "another day of the week", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=" + rapid.SampledFrom([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}).Draw(t, "frequency") + ";BYDAY=" + otherWeekday(t, b.clock)
		}),
		notInRule(weeklySeries(), "another day of the month", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=MONTHLY;BYMONTHDAY=" + strconv.Itoa(otherNumber(t, 1, 28, b.clock.Day()))
		}),
		notInRule(weeklySeries(), "another month", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=YEARLY;BYMONTH=" + strconv.Itoa(otherNumber(t, 1, 12, int(b.clock.Month())))
		}),
		notInRule(weeklySeries(), "another day of the year", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=YEARLY;BYYEARDAY=" + strconv.Itoa(otherNumber(t, 1, 365, b.clock.YearDay()))
		}),
		notInRule(weeklySeries(), "days that no month has", func(t *rapid.T, b *begin) string { return "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" }),
		notInRule(weeklyTimed(), "another hour", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=DAILY;BYHOUR=" + strconv.Itoa(otherNumber(t, 0, 23, b.clock.Hour()))
		}),
		notInRule(weeklyTimed(), "another minute", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=WEEKLY;BYMINUTE=" + strconv.Itoa(otherNumber(t, 0, 59, b.clock.Minute()))
		}),
		notInRule(weeklyTimed(), "another second", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=MONTHLY;BYSECOND=" + strconv.Itoa(otherNumber(t, 0, 59, b.clock.Second()))
		}),
	}
}

// otherNumber draws a number from low to high that is not the one given.
func otherNumber(t *rapid.T, low, high, not int) int {
	n := rapid.IntRange(low, high).Draw(t, "number")
	if n == not {
		n = low + high - not
	}
	if n == not {
		n = low
	}
	return n
}

// notInRule is a way with one or two rules, and dates somewhere among them. The first of the
// rules is what the finding is at.
func notInRule(need variant, name string, rule func(t *rapid.T, b *begin) string) variant {
	need.name = name
	need.mutate = func(t *rapid.T, d *draft) diag.Pointer {
		b := beginOf(d.body)
		lines := []string{rule(t, b) + rapid.SampledFrom([]string{"", ";COUNT=3", ";INTERVAL=2"}).Draw(t, "more")}
		if draw.Maybe(t, "second rule") {
			lines = append(lines, rule(t, b))
		}
		if draw.Maybe(t, "dates") {
			lines = append(lines, b.datesLine(t))
		}
		lines = shuffled(t, lines...)
		d.body["recurrence"] = listOf(lines...)
		isRule := func(line string) bool { return strings.HasPrefix(line, "RRULE") }
		return diag.Pointer("/recurrence").Index(slices.IndexFunc(lines, isRule))
	}
	return need
}

// misses are EXDATEs that take nothing out of a weekly series.
func misses() []badLine {
	return []badLine{
		{"before the start", func(t *rapid.T, b *begin) string { return b.exdate(-rapid.IntRange(1, 60_000).Draw(t, "days")) }},
		{"on another day of the week", func(t *rapid.T, b *begin) string {
			return b.exdate(7*rapid.IntRange(0, 500).Draw(t, "weeks") + rapid.IntRange(2, 5).Draw(t, "days"))
		}},
		{"after a value that matches", func(t *rapid.T, b *begin) string {
			_, miss, _ := strings.Cut(b.exdate(-rapid.IntRange(1, 60_000).Draw(t, "days")), ":")
			return b.exdate(0) + "," + miss
		}},
		{"a day without an instance", func(t *rapid.T, b *begin) string {
			return "EXDATE;VALUE=DATE:" + b.dateValue(days, 7*rapid.IntRange(0, 500).Draw(t, "weeks")+rapid.IntRange(2, 5).Draw(t, "days"))
		}},
	}
}

// timedMisses miss the time.
func timedMisses() []badLine {
	return []badLine{
		{"a second after the start", func(t *rapid.T, b *begin) string { return "EXDATE:" + dateTime(b.at.UTC().Add(time.Second)) + "Z" }},
		{"hours after the start", func(t *rapid.T, b *begin) string {
			return "EXDATE:" + dateTime(b.at.UTC().Add(time.Duration(rapid.IntRange(1, 23).Draw(t, "hours"))*time.Hour)) + "Z"
		}},
		{"the start's clock in another zone", func(t *rapid.T, b *begin) string {
			_, offset := b.clock.Zone()
			elsewhere := "Etc/GMT-14"
			if offset == 14*3600 {
				elsewhere = "Etc/GMT+12"
			}
			return "EXDATE;TZID=" + elsewhere + ":" + b.dateValue(onClock, 0)
		}},
	}
}

// exdate writes an EXDATE so many days after the start: of a day, or in UTC.
func (b *begin) exdate(n int) string {
	if b.allDay {
		return "EXDATE;VALUE=DATE:" + b.dateValue(days, n)
	}
	return "EXDATE:" + b.dateValue(inUTC, n)
}

// emptiedWays change a stored series so that what is stored beside it loses its point.
func emptiedVariants() []variant {
	return []variant{
		movedVariant("a start after UNTIL", "/recurrence", func(t *rapid.T, b *begin) ([]string, int) {
			n := rapid.IntRange(0, 60).Draw(t, "days until the end")
			form := rapid.SampledFrom([]valueForm{days, inUTC}).Draw(t, "form")
			return []string{plainRule(t) + ";UNTIL=" + b.dateValue(form, n)}, n + rapid.IntRange(2, 1000).Draw(t, "days after it")
		}),
		movedVariant("a start at the exclusion of a series of one", "/recurrence", func(t *rapid.T, b *begin) ([]string, int) {
			n := rapid.IntRange(1, 1000).Draw(t, "days")
			return []string{plainRule(t) + ";COUNT=1", b.exdate(n)}, n
		}),
		movedVariant("a start after an exclusion", "/recurrence/1", func(t *rapid.T, b *begin) ([]string, int) {
			return []string{plainRule(t), b.exdate(0)}, rapid.IntRange(1, 1000).Draw(t, "days")
		}),
		movedVariant("a start before an exclusion, on another day of the week", "/recurrence/0", func(t *rapid.T, b *begin) ([]string, int) {
			return []string{b.exdate(0), "RRULE:FREQ=WEEKLY"}, -7*rapid.IntRange(0, 500).Draw(t, "weeks") - rapid.IntRange(2, 5).Draw(t, "days")
		}),
		{name: "an addition that was excluded goes", on: diag.Modify, prepare: recurringWeekly(anyForm), mutate: func(t *rapid.T, d *draft) diag.Pointer {
			b := beginOf(d.body)
			out := b.exdate(7*rapid.IntRange(0, 50).Draw(t, "weeks") + rapid.IntRange(2, 5).Draw(t, "days"))
			in := "RDATE" + strings.TrimPrefix(out, "EXDATE")
			d.stored["recurrence"], d.body["recurrence"] = listOf("RRULE:FREQ=WEEKLY", in, out), listOf("RRULE:FREQ=WEEKLY", out)
			return "/recurrence/1"
		}},
		{name: "a rule with fewer instances", on: diag.Modify, prepare: recurringWeekly(allDayForm), mutate: func(t *rapid.T, d *draft) diag.Pointer {
			b := beginOf(d.body)
			out := b.exdate(7*rapid.IntRange(0, 50).Draw(t, "weeks") + rapid.IntRange(2, 5).Draw(t, "days"))
			rule := rapid.SampledFrom([]string{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=DAILY;INTERVAL=7"}).Draw(t, "rule")
			d.stored["recurrence"], d.body["recurrence"] = listOf(out, "RRULE:FREQ=DAILY"), listOf(out, rule)
			return "/recurrence/0"
		}},
	}
}

// movedWay stores a recurrence and moves the start, and the end with it, so many days.
func movedVariant(name string, path diag.Pointer, draw func(t *rapid.T, b *begin) (lines []string, moved int)) variant {
	return variant{name: name, on: diag.Modify, prepare: recurringWeekly(anyForm), mutate: func(t *rapid.T, d *draft) diag.Pointer {
		b := beginOf(d.body)
		lines, n := draw(t, b)
		d.stored["recurrence"], d.body["recurrence"] = listOf(lines...), listOf(lines...)
		put(d.body, "/start", b.moved(n))
		put(d.body, "/end", b.moved(n))
		return path
	}}
}

// moved writes the start so many days later.
func (b *begin) moved(n int) members {
	at := b.at.UTC().AddDate(0, 0, n)
	if b.allDay {
		return members{"date": at.Format(dateForm), "timeZone": b.zone}
	}
	return members{"dateTime": nanos(at), "timeZone": b.zone}
}

// onInstanceWays give an instance a recurrence.
func onInstanceVariants() []variant {
	return []variant{
		onInstance("a rule", plainRule),
		onInstance("a rule and dates", plainRule, func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"RDATE:20260310T090000Z", "EXDATE;VALUE=DATE:20260310"}).Draw(t, "dates")
		}),
		onInstance("dates", func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"RDATE:20260310T090000Z", "RDATE;VALUE=DATE:20260310"}).Draw(t, "dates")
		}),
	}
}

// onInstance is a way with these lines. Where something is stored, it is the instance.
func onInstance(name string, lines ...func(t *rapid.T) string) variant {
	return variant{name: name, prepare: recurringOf(anyForm), whole: []string{"recurringEventId", "recurrence"}, mutate: func(t *rapid.T, d *draft) diag.Pointer {
		texts := make([]string, len(lines))
		for i, line := range lines {
			texts[i] = line(t)
		}
		d.body["recurrence"] = listOf(texts...)
		d.body["recurringEventId"] = seriesID().Draw(t, "series")
		if d.stored != nil {
			remove(d.stored, "/recurrence")
			d.stored["recurringEventId"] = d.body["recurringEventId"]
		}
		return "/recurrence"
	}}
}
