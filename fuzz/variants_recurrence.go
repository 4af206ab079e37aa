package fuzz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
)

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

// recurrenceVariants break the rules about the lines of a recurrence.
func recurrenceVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.RecurrenceLineName:         badNames(),
		ruleid.RecurrenceLineDTStart:      startLines(),
		ruleid.RecurrenceLineSyntax:       slices.Concat(badLines(), badRules()),
		ruleid.RecurrenceRulePart:         slices.Concat(badParts(), badNumbers(), extensions()),
		ruleid.RecurrenceRuleCountUntil:   badEnds(),
		ruleid.RecurrenceRuleUntilForm:    badUntils(),
		ruleid.RecurrenceRuleByPart:       badByParts(),
		ruleid.RecurrenceRuleTimePart:     timesOfDays(),
		ruleid.RecurrenceExRuleDeprecated: exrules(),
		ruleid.RecurrenceDatesForm:        slices.Concat(badDates(), badPeriods()),
		ruleid.RecurrenceDatesStartForm:   datesOfOtherForm(),
		ruleid.RecurrenceNoInstance:       emptySets(),
		ruleid.RecurrenceStartNotInRule:   startsNotInRule(),
		ruleid.RecurrenceExDateMisses:     missingExclusions(),
		ruleid.RecurrenceSubDaily:         subDailyRules(),
		ruleid.RecurrenceRuleAmbiguous:    ambiguousRules(),
		ruleid.RecurrenceRDateBeforeStart: earlyDates(),
		ruleid.RecurrenceLineRepeated:     repeatedLines(),
		ruleid.RecurrenceEmptied:          emptiedSeries(),
		ruleid.RecurrenceOnInstance:       recurringInstances(),
	}
}

func anySeries() variant { return variant{prepare: recurringOf(anyForm)} }

// withStart returns a series of the form. A patch sends the start, which what is wrong depends on.
func withStart(f timeForm) variant {
	return variant{prepare: recurringOf(f), whole: []string{"start", "recurrence"}}
}

func badNames() []variant {
	return slices.Concat(anySeries().inLine(
		line("a rule without its name", plainValue),
		line("another property of iCalendar", choice{"SUMMARY:Lunch", "DTSTAMP:20260310T090000Z", "DURATION:PT1H", "RECURRENCE-ID:20260310", "UID:a@example.com", "DUE:20260310T090000Z", "SEQUENCE:1"}),
		line("a component of iCalendar", choice{"BEGIN:VEVENT", "END:VEVENT", "BEGIN:VCALENDAR", "VERSION:2.0"}),
		line("a misspelt name", choice{"RULE", "RRULES", "R-RULE", "RRULE1", "EXRULES", "EX-RULE", "EXDATES", "EXDAT", "RDATES", "RDATE-TIME", "DATE"}, ":", (*begin).ruleValue),
		line("an extension", choice{"X-RRULE:FREQ=DAILY", "X-EXDATE:20260310T090000Z", "X-NOTE:a"}),
		line("a name alone", choice{"DAILY", "RRULE-FREQ-DAILY", "WEEKLY;BYDAY=MO", "every-day"}),
	), anySeries().only(diag.Response).inLine( // where the other rules about lines do not apply
		line("no name", choice{"", ":FREQ=DAILY", ";TZID=UTC:20260310T090000", "=DAILY"}),
		line("a blank before the name", choice{" RRULE:FREQ=DAILY", "\tRRULE:FREQ=DAILY", "\ufeffRRULE:FREQ=DAILY", "\nRRULE:FREQ=DAILY"}),
		line("full-width letters", choice{fullWidth("RRULE") + ":FREQ=DAILY", fullWidth("EXDATE") + ":20260310T090000Z"}),
		line("a line of the start", choice{"DTSTART:20260310T090000Z", "DTEND;VALUE=DATE:20260311", "DTSTART"}),
	))
}

// startLines give the start and the end, which the event has elsewhere.
func startLines() []variant {
	return anySeries().inLine(
		line("in UTC", choice{"DTSTART:20260310T090000Z", "DTEND:20260310T100000Z"}),
		line("with parameters", choice{"DTSTART;TZID=America/New_York:20260310T090000", "DTEND;VALUE=DATE:20260311", "DTSTART;X-NOTE=a:20260310T090000"}),
		line("in lower case", choice{"dtstart:20260310t090000z", "DtEnd:20260310T100000Z"}),
		line("what cannot be read", choice{"DTSTART", "DTEND:", "DTSTART=20260310", "DTSTART;:\r\n"}),
		line("the start itself", choice{"DTSTART", "DTEND"}, ":", dayAt(inUTC, 0)),
	)
}

// badLines do not follow the grammar of lines and of parameters.
func badLines() []variant {
	return anySeries().inLine(
		line("an empty line", choice{"", " ", "\r\n", "\t"}),
		lineWith("a line break at the end", with("", "\r\n"), with("", "\n"), with("", "\r")),
		brokenBy("a folded line", "\r\n ", "\r\n\t", "\n ", "\n\t"),
		brokenBy("a control character", "\x00", "\x07", "\x1b", "\x7f", "\n"),
		line("two lines in one", (*begin).anyLine, choice{"\n", "\r\n"}, (*begin).anyLine),
		lineWith("a blank at the end", with("", " "), with("", "\t"), with("", "   ")),
		lineWith("a character before the name", with(" ", ""), with("\t", ""), with("\ufeff", ""), with(":", ""), with(";", ""), with("* ", "")),
		lineWith("full-width letters", func(line string) string { return fullWidth(line[:1]) + line[1:] }),
		lineWith("no colon", swappedColon(""), swappedColon(" "), swappedColon("="), swappedColon("："), swappedColon(";")),
		lineWith("no value",
			func(line string) string { return line[:nameEnd(line)] },
			func(line string) string { return line[:nameEnd(line)] + ":" },
			func(line string) string { return line[:nameEnd(line)] + ";X-NOTE=a:" }),

		paramLine("a parameter that has no value", ";TZID", ";", ";VALUE;X-NOTE=a", "; "),
		paramLine("a parameter that has no name", ";=UTC", ";;X-NOTE=a", `;"TZID"=UTC`, ";X NOTE=a"),
		paramLine("a quote that is not closed", `;TZID="America/New_York`, `;X-NOTE="`, `;X-NOTE=a,"b`),
		paramLine("a quote in the middle", `;TZID=America/"New_York"`, `;X-NOTE="a"b`, `;X-NOTE=a"`),
		paramLine("a parameter twice", ";TZID=UTC;TZID=UTC", ";VALUE=DATE-TIME;VALUE=DATE-TIME", ";tzid=UTC;X-NOTE=a;TZID=Europe/Berlin"),
		badLine{"a zone or a value type for a rule", func(t *rapid.T, b *begin) string {
			value := b.ruleValue(t)
			param := rapid.SampledFrom([]string{";TZID=Europe/Berlin", ";VALUE=RECUR", ";VALUE=DATE", ";tzid=UTC", `;X-NOTE=a;TZID="UTC"`}).Draw(t, "parameter")
			return drawRuleName(t) + param + ":" + value
		}},
	)
}

// badRules are not lists of NAME=value.
func badRules() []variant {
	return anySeries().inLine(
		ruleWith("an empty part",
			func(parts []string) string { return strings.Join(parts, ";") + ";" },
			func(parts []string) string { return ";" + strings.Join(parts, ";") },
			func(parts []string) string { return parts[0] + ";;" + strings.Join(append(parts[1:], "X-A=b"), ";") }),
		rulePlus("a part without an equals sign", "INTERVAL", "X-NOTE", "WEEKLY", "BYDAY:MO"),
		rulePlus("a part without a name", "=1", "=", "=DAILY"),
		rulePlus("a blank before a part", " WKST=MO", " X-NOTE=a", "\tWKST=MO"),
		rulePlus("a name of other characters", "BY_DAY=MO", fullWidth("WKST")+"=MO", "WKST =MO", "X.A=1"),
	)
}

// badParts are unknown to RFC 5545, repeated, or have a value that it does not allow.
func badParts() []variant {
	return anySeries().inLine(
		badLine{"no frequency", func(t *rapid.T, b *begin) string {
			property, parts := b.parts(t)
			return property + strings.Join(append(withoutParts(parts, "FREQ="), "X-NOTE=1"), ";")
		}},
		badLine{"a part twice", func(t *rapid.T, b *begin) string {
			property, parts := b.parts(t)
			return property + strings.Join(append(parts, rapid.SampledFrom(withoutParts(parts, "X-")).Draw(t, "part")), ";")
		}},
		rulePlus("a part that RFC 5545 does not have", "BYEASTER=0", "RSCALE=GREGORIAN", "SKIP=OMIT", "BYWEEK=1", "BYDATE=10", "X=1", "X-=1", "DTSTART=20260310", "FREQUENCY=DAILY", "TZID=UTC"),
		rulePlus("an extension without a value", "X-NOTE=", "X-NOTE=a=b"),
		withParts("an unknown frequency", "FREQ=FORTNIGHTLY;INTERVAL=2", "FREQ=BIWEEKLY", "FREQ=DAY", "FREQ=7", "FREQ=WEEKLY,DAILY", "FREQ=DAILY ;COUNT=2", "FREQ="+fullWidth("DAILY"), "FREQ=;COUNT=2", "FREQ==DAILY"),
		badLine{"a part without a value", func(t *rapid.T, _ *begin) string {
			name := rapid.SampledFrom([]string{"INTERVAL", "COUNT", "UNTIL", "WKST", "BYDAY", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS"}).Draw(t, "part")
			return drawRuleName(t) + ":" + rapid.SampledFrom([]string{"FREQ=YEARLY;BYMONTH=3;" + name + "=", name + "=;FREQ=YEARLY;BYMONTH=3"}).Draw(t, "order")
		}},
		withValue("an invalid UNTIL", "UNTIL",
			"20260230", "20261301T000000Z", "20261231T240000Z", "20261231T236000Z", "20261231T235961Z", "20261231T2359Z", "20261231Z", "20261231T",
			"2026-12-31", "2026-12-31T00:00:00Z", "20261231T000000+0100", "20261231 000000Z", "20261231T000000ZZ", "1798675200", "forever", "2026", "20261231,20271231", fullWidth("20261231")),
		withValue("a COUNT that is not a number", "COUNT", "ten", "1.5", "+3", "1e3", "0x10", "--1", " 3", "3,4", "-", fullWidth("3")),
		withValue("an INTERVAL that is not a number", "INTERVAL", "two", "0.5", "+2", " 2", "1,2", "-", "P1D", fullWidth("2")),
		withValue("an invalid week start", "WKST", "MON", "Monday", "M", "1", "1MO", "MO,SU", fullWidth("MO")),
		withValue("an invalid BYDAY", "BYDAY",
			"0MO", "54MO", "-54MO", "+0MO", "99MO", "001MO", "MON", "Monday", "M", "1", "MO1", "+MO", "-MO", "1 MO", "MO-FR", "MO TU", "MO,,TU", "MO,", ",MO", "MO,TU,XX", "MO/TH", fullWidth("MO")),
	)
}

// badNumbers are outside the range of a BY part.
func badNumbers() []variant {
	isSigned := func(p byPart) bool { return p.signed }
	isUnsigned := func(p byPart) bool { return !p.signed }
	return anySeries().inLine(
		numbered("one over", nil, func(_ *rapid.T, p byPart) string { return strconv.Itoa(p.high + 1) }),
		numbered("far over", nil, func(t *rapid.T, p byPart) string {
			return strconv.FormatInt(rapid.Int64Range(10*int64(p.high), math.MaxInt64).Draw(t, "number"), 10)
		}),
		numbered("beyond every integer", nil, func(*rapid.T, byPart) string { return strings.Repeat("9", 40) }),
		numbered("zero, which is not allowed", func(p byPart) bool { return p.low > 0 }, func(t *rapid.T, _ byPart) string {
			return rapid.SampledFrom([]string{"0", "00"}).Draw(t, "zero")
		}),
		numbered("one over, from the end", isSigned, func(_ *rapid.T, p byPart) string { return strconv.Itoa(-p.high - 1) }),
		numbered("a sign that is not allowed", isUnsigned, func(t *rapid.T, p byPart) string {
			return rapid.SampledFrom([]string{"-", "+"}).Draw(t, "sign") + numberIn(p.low, p.high)(t)
		}),
		numbered("too many digits", nil, func(_ *rapid.T, p byPart) string { return fmt.Sprintf("%04d", p.high) }),
		numbered("no number", nil, func(t *rapid.T, _ byPart) string {
			return rapid.SampledFrom([]string{"x", "MO", "1.5", "1-3", " 1", "1 ", "--1", "-", "+", "*", fullWidth("1")}).Draw(t, "word")
		}),
		numbered("an empty element", nil, func(*rapid.T, byPart) string { return "" }),
	)
}

// extensions are valid parts that no reader needs.
func extensions() []variant {
	extension := func(t *rapid.T) string {
		return rapid.StringMatching(`[Xx]-[A-Za-z0-9-]{1,12}=[A-Za-z0-9 +,.]{0,12}[a-z0-9]`).Draw(t, "extension")
	}
	return anySeries().as(diag.Advise).inLine(
		line("an extension", (*begin).ruleLine, ";", extension),
		line("an extension in an EXRULE", (*begin).exruleLine, ";", extension),
	)
}

// badEnds are rules that end in two ways, or never begin.
func badEnds() []variant {
	return anySeries().inLine(
		line("COUNT and UNTIL", plainRule, ";COUNT=10;UNTIL=", (*begin).until),
		line("UNTIL and COUNT", "EXRULE:UNTIL=", (*begin).until, ";FREQ=DAILY;COUNT=", numberIn(1, 1000)),
		tooSmall("no times", "COUNT", "0", "00", "000000000000000000000", "-0"),
		tooSmall("a negative COUNT", "COUNT", "-1", "-10", "-01", "-9223372036854775808", "-99999999999999999999"),
		tooSmall("an interval of nothing", "INTERVAL", "0", "00", "000000000000000000000", "-0"),
		tooSmall("a negative INTERVAL", "INTERVAL", "-1", "-7", "-9223372036854775808", "-99999999999999999999"),
	)
}

// badUntils do not fit the form of the start.
func badUntils() []variant {
	return slices.Concat(withStart(timedForm).inLine(
		line("on the clock of the zone", endlessRule, ";UNTIL=", dayIn(onClock, 0, 4000)),
		line("in lower case", endlessRule, ";until=", func(_ *rapid.T, b *begin) string { return strings.ToLower(b.dateValue(onClock, 7)) }),
		line("before the start", endlessRule, ";UNTIL=00010101T000000"),
	), withStart(timedForm).as(diag.Advise).inLine(
		line("a date for a timed start", plainRule, ";UNTIL=", dayIn(days, 0, 4000)),
	), withStart(allDayForm).as(diag.Advise).inLine(
		line("a time in UTC for an all-day start", plainRule, ";UNTIL=", dayIn(inUTC, 0, 4000)),
		line("a time on no clock for an all-day start", plainRule, ";UNTIL=", dayIn(onClock, 0, 4000)),
	))
}

// badByParts have no meaning together.
func badByParts() []variant {
	return slices.Concat(anySeries().inLine(
		byPartOf("a week of the year in a rule of another frequency", byWeekNo, "DAILY", "WEEKLY", "MONTHLY"),
		byPartOf("a day of the year in a rule of days, weeks or months", byYearDay, "DAILY", "WEEKLY", "MONTHLY"),
		byPartOf("a day of the month in a weekly rule", byMonthDay, "WEEKLY"),
		line("an ordinal in a daily or weekly rule", ruleNames, ":FREQ=", choice{"DAILY", "WEEKLY"}, ";BYDAY=", someOrdinals),
		line("an ordinal beside weeks of the year", ruleNames, ":FREQ=", choice{"YEARLY"}, ";", byWeekNo.draw, ";BYDAY=", someOrdinals),
		byPartOf("a position in nothing", bySetPos, "DAILY", "WEEKLY", "MONTHLY", "YEARLY"),
	), withStart(timedForm).inLine(
		byPartOf("a week of the year in a rule below the day", byWeekNo, "HOURLY", "MINUTELY", "SECONDLY"),
		line("an ordinal in a rule below the day", ruleNames, ":FREQ=", choice{"HOURLY", "MINUTELY", "SECONDLY"}, ";BYDAY=", someOrdinals),
		byPartOf("a position in nothing, below the day", bySetPos, "HOURLY", "MINUTELY", "SECONDLY"),
	))
}

// timesOfDays are rules with times, which an all-day event does not have.
func timesOfDays() []variant {
	var lines []badLine
	for _, p := range timeParts {
		lines = append(lines, byPartOf(p.name, p, "DAILY", "WEEKLY", "MONTHLY", "YEARLY"))
	}
	return withStart(allDayForm).inLine(append(lines,
		line("a frequency below the day", ruleNames, ":FREQ=", choice{"HOURLY", "MINUTELY", "SECONDLY"}))...)
}

// exrules do not exclude the start.
func exrules() []variant {
	return anySeries().inLine(
		line("on a day of the month", (*begin).exruleLine),
		line("on a day of the week", "EXRULE:FREQ=WEEKLY;BYDAY=", otherWeekday),
		line("in lower case", func(t *rapid.T, b *begin) string { return strings.ToLower(b.exruleLine(t)) }),
		line("with a parameter and an end", func(t *rapid.T, b *begin) string {
			return strings.Replace(b.exruleLine(t), ":", ";X-NOTE=a:", 1)
		}, ";UNTIL=", (*begin).until),
	)
}

// badDates are lines of dates without the form that they declare.
func badDates() []variant {
	return anySeries().inLine(
		datesOf("a time where VALUE says a date", ";VALUE=DATE", "20260310T090000Z", "20260310T090000"),
		datesOf("a date where VALUE says nothing", "", "20260310"),
		datesOf("a date where VALUE says a time", ";VALUE=DATE-TIME", "20260310"),
		datesOf("a date in a zone", ";TZID=Europe/Berlin", "20260310"),
		datesOf("an unknown VALUE", ";VALUE=TEXT", "a"),
		datesOf("a VALUE that is misspelt", ";VALUE=DATETIME", "20260310T090000Z"),
		datesOf("two VALUEs", ";VALUE=DATE,DATE-TIME", "20260310"),
		datesOf("an empty VALUE", ";VALUE=", "20260310T090000"),
		datesOf("a zone for dates", ";VALUE=DATE;TZID=Europe/Berlin", "20260310"),
		badLine{"an unknown zone", func(t *rapid.T, b *begin) string {
			name := rapid.SampledFrom([]string{"", "Local", "PST", "CEST", "europe/berlin", "Eastern Standard Time", "+01:00", "UTC+1", "/Europe/Berlin", "America/New York", "Europe/Berlin,UTC"}).Draw(t, "zone")
			if strings.ContainsAny(name, ":,") {
				name = `"` + name + `"`
			}
			return drawDateName(t) + ";TZID=" + name + ":" + b.dateValue(onClock, 1)
		}},
		datesOf("a time in UTC in a zone", ";TZID=America/New_York", "20260310T130000Z"),
		datesOf("a day that does not exist", "", "20260230T090000", "20261301T090000Z", "20260010T090000", "20260229T090000Z"),
		datesOf("a date that does not exist", ";VALUE=DATE", "20260230", "20260432", "20260229", "20261310"),
		datesOf("a time that no clock shows", "", "20260310T240000", "20260310T096000Z", "20260310T090061Z", "20260310T990000Z"),
		datesOf("another form of time", "", "2026-03-10T09:00:00Z", "20260310T0900Z", "20260310T09Z", "20260310T090000+0100", "20260310 090000", "20260310T", "T090000Z", "1773133200", "20260310T090000.5Z"),
		datesOf("another form of date", ";VALUE=DATE", "2026-03-10", "2026310", "260310", "10.03.2026", "2026W102", "today", fullWidth("20260310")),
		listsOf("a value that is empty", "VALUE,", ",VALUE", "VALUE,,VALUE"),
		listsOf("a blank between values", "VALUE, VALUE", "VALUE ,VALUE", " VALUE"),
		datesOf("periods where VALUE says nothing", "", "20260310T090000Z/PT1H", "20260310T090000Z/20260310T100000Z"),
		line("periods in an EXDATE", "EXDATE;VALUE=PERIOD:", dayIn(periods, 0, 60)),
	)
}

func badPeriods() []variant {
	return anySeries().inLine(
		periodOf("no slash", "20260310T090000Z", "20260310T090000Z-PT1H", "20260310T090000Z PT1H"),
		periodOf("an end before the start", "20260310T090000Z/20260310T085959Z", "20260310T090000/20250310T100000"),
		periodOf("an end at the start", "20260310T090000Z/20260310T090000Z", "20260310T090000/20260310T090000"),
		periodOf("a length of nothing", "20260310T090000Z/PT0S", "20260310T090000Z/P0D", "20260310T090000/P0W"),
		periodOf("a negative length", "20260310T090000Z/-PT1H", "20260310T090000/-P1D"),
		periodOf("an invalid length", "20260310T090000Z/P1H", "20260310T090000Z/PT", "20260310T090000Z/P", "20260310T090000Z/PT1H30S", "20260310T090000Z/P1W2D", "20260310T090000Z/P1Y", "20260310T090000Z/P1M", "20260310T090000Z/1H", "20260310T090000Z/PT1.5H", "20260310T090000Z/PT1M1H"),
		periodOf("no end", "20260310T090000Z/", "/PT1H", "/", "20260310T090000Z"),
		periodOf("a second slash", "20260310T090000Z/PT1H/PT1H", "20260310T090000Z//PT1H"),
		periodOf("two forms", "20260310T090000Z/20260310T100000", "20260310T090000/20260310T100000Z", "20260310T090000Z/20260311"),
		periodOf("a date for its start", "20260310/PT1H", "20260310/20260311"),
		periodOf("times that do not exist", "20260230T090000Z/PT1H", "20260310T240000Z/PT1H", "20260310T090000Z/20260431T090000Z"),
		line("a period in UTC in a zone", "RDATE;VALUE=PERIOD;TZID=Europe/Berlin:", dayIn(periods, 0, 60)),
	)
}

// datesOfOtherForm are of another type than the start.
func datesOfOtherForm() []variant {
	return slices.Concat(withStart(timedForm).inLine(
		line("an RDATE of days", "RDATE;VALUE=DATE:", someDays(days)),
		line("an EXDATE of days", "EXDATE;VALUE=DATE:", someDays(days)),
	), withStart(allDayForm).inLine(
		line("an RDATE of times", "RDATE:", someDays(inUTC)),
		line("an EXDATE of times", "EXDATE:", someDays(inUTC)),
		line("an RDATE on no clock", "RDATE:", someDays(onClock)),
		line("an EXDATE on no clock", "EXDATE;VALUE=DATE-TIME:", someDays(onClock)),
		line("an RDATE in a zone", "RDATE;TZID=Europe/Berlin:", someDays(onClock)),
		line("an EXDATE in a zone", "EXDATE;TZID=UTC:", someDays(onClock)),
		line("an RDATE of periods", "RDATE;VALUE=PERIOD:", someDays(periods)),
	))
}

// subDailyRules do not exclude the start.
func subDailyRules() []variant {
	return withStart(timedForm).inLine(
		line("a rule below the day", "RRULE:FREQ=", subDailyName, ";COUNT=", numberIn(1, 1000)),
		badLine{"a rule below the day with more parts", func(t *rapid.T, b *begin) string {
			f := rapid.SampledFrom(subDaily).Draw(t, "frequency")
			return "RRULE:" + strings.Join(b.byParts(t, f, []string{"FREQ=" + f.name, "INTERVAL=3"}), ";")
		}},
		badLine{"an EXRULE below the day", func(t *rapid.T, b *begin) string {
			return strings.Replace(b.exruleLine(t), "MONTHLY", subDailyName(t), 1)
		}},
	)
}

// emptySets are recurrences without an instance.
func emptySets() []variant {
	late := variant{prepare: recurringWeekly(anyForm), whole: []string{"start", "recurrence"}}
	untilBefore := func(timed, allDay valueForm) func(t *rapid.T, b *begin) []string {
		return func(t *rapid.T, b *begin) []string {
			form := timed
			if b.allDay {
				form = allDay
			}
			return []string{plainRule(t) + ";UNTIL=" + dayBefore(form, 2, 70_000)(t, b)}
		}
	}
	return []variant{
		late.inSet("UNTIL a moment before the start", func(t *rapid.T, b *begin) []string {
			until := date(b.at.AddDate(0, 0, -1))
			if !b.allDay {
				until = dateTime(b.at.UTC().Add(-time.Second)) + "Z"
			}
			return []string{plainRule(t) + ";UNTIL=" + until}
		}),
		late.inSet("UNTIL long before the start", untilBefore(inUTC, days)),
		late.inSet("UNTIL of the other form before the start", untilBefore(days, inUTC)),
		late.inSet("an EXDATE of the only instance", func(t *rapid.T, b *begin) []string {
			return shuffled(t, plainRule(t)+";COUNT=1", b.withoutStart(t))
		}),
		late.inSet("an EXDATE of the start alone", func(t *rapid.T, b *begin) []string { return []string{b.withoutStart(t)} }),
		late.inSet("EXDATEs of all instances", func(t *rapid.T, b *begin) []string {
			form, params := inUTC, ""
			if b.allDay {
				form, params = days, ";VALUE=DATE"
			}
			values := someDays(form)(t, b)
			return shuffled(t, "RDATE"+params+":"+values, "EXDATE"+params+":"+values, "EXDATE"+params+":"+b.dateValue(form, 0))
		}),
		late.inSet("an EXRULE like the RRULE", func(t *rapid.T, _ *begin) []string {
			rule := plainValue(t) + ";COUNT=" + numberIn(1, 20)(t)
			return shuffled(t, "RRULE:"+rule, "EXRULE:"+rule)
		}),
	}
}

func startsNotInRule() []variant {
	weekly := variant{prepare: recurringWeekly(anyForm)}
	timed := variant{prepare: recurringWeekly(timedForm)}
	return []variant{
		weekly.notInRule("another day of the week", line("", "RRULE:FREQ=", choice{"DAILY", "WEEKLY", "MONTHLY", "YEARLY"}, ";BYDAY=", otherWeekday).draw),
		weekly.notInRule("another day of the month", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=MONTHLY;BYMONTHDAY=" + otherNumber(t, 1, 28, b.clock.Day())
		}),
		weekly.notInRule("another month", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=YEARLY;BYMONTH=" + otherNumber(t, 1, 12, int(b.clock.Month()))
		}),
		weekly.notInRule("another day of the year", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=YEARLY;BYYEARDAY=" + otherNumber(t, 1, 365, b.clock.YearDay())
		}),
		weekly.notInRule("days that no month has", func(*rapid.T, *begin) string { return "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30" }),
		timed.notInRule("another hour", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=DAILY;BYHOUR=" + otherNumber(t, 0, 23, b.clock.Hour())
		}),
		timed.notInRule("another minute", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=WEEKLY;BYMINUTE=" + otherNumber(t, 0, 59, b.clock.Minute())
		}),
		timed.notInRule("another second", func(t *rapid.T, b *begin) string {
			return "RRULE:FREQ=MONTHLY;BYSECOND=" + otherNumber(t, 0, 59, b.clock.Second())
		}),
	}
}

// missingExclusions are EXDATEs that exclude nothing from a weekly series.
func missingExclusions() []variant {
	return slices.Concat(variant{prepare: recurringWeekly(anyForm)}.inLine(
		badLine{"before the start", func(t *rapid.T, b *begin) string { return b.exdate(-rapid.IntRange(1, 60_000).Draw(t, "days")) }},
		badLine{"on another day of the week", func(t *rapid.T, b *begin) string { return b.exdate(offWeek(t, 500)) }},
		badLine{"after a value that matches", func(t *rapid.T, b *begin) string {
			_, miss, _ := strings.Cut(b.exdate(-rapid.IntRange(1, 60_000).Draw(t, "days")), ":")
			return b.exdate(0) + "," + miss
		}},
		badLine{"a day without an instance", func(t *rapid.T, b *begin) string {
			return "EXDATE;VALUE=DATE:" + b.dateValue(days, offWeek(t, 500))
		}},
	), variant{prepare: recurringWeekly(timedForm)}.inLine(
		badLine{"a second after the start", func(_ *rapid.T, b *begin) string { return "EXDATE:" + dateTime(b.at.UTC().Add(time.Second)) + "Z" }},
		badLine{"hours after the start", func(t *rapid.T, b *begin) string {
			return "EXDATE:" + dateTime(b.at.UTC().Add(time.Duration(rapid.IntRange(1, 23).Draw(t, "hours"))*time.Hour)) + "Z"
		}},
		badLine{"the start's clock in another zone", func(_ *rapid.T, b *begin) string {
			_, offset := b.clock.Zone()
			elsewhere := "Etc/GMT-14"
			if offset == 14*3600 {
				elsewhere = "Etc/GMT+12"
			}
			return "EXDATE;TZID=" + elsewhere + ":" + b.dateValue(onClock, 0)
		}},
	))
}

// emptiedSeries change a stored series so that an unchanged line becomes useless.
func emptiedSeries() []variant {
	weekly := variant{on: diag.Modify, prepare: recurringWeekly(anyForm)}
	allDay := variant{on: diag.Modify, prepare: recurringWeekly(allDayForm)}
	return []variant{
		weekly.moved("a start after UNTIL", "/recurrence", func(t *rapid.T, b *begin) ([]string, int) {
			n := rapid.IntRange(0, 60).Draw(t, "days until the end")
			form := rapid.SampledFrom([]valueForm{days, inUTC}).Draw(t, "form")
			return []string{plainRule(t) + ";UNTIL=" + b.dateValue(form, n)}, n + rapid.IntRange(2, 1000).Draw(t, "days after it")
		}),
		weekly.moved("a start at the exclusion of a series of one", "/recurrence", func(t *rapid.T, b *begin) ([]string, int) {
			n := rapid.IntRange(1, 1000).Draw(t, "days")
			return []string{plainRule(t) + ";COUNT=1", b.exdate(n)}, n
		}),
		weekly.moved("a start after an exclusion", "/recurrence/1", func(t *rapid.T, b *begin) ([]string, int) {
			return []string{plainRule(t), b.exdate(0)}, rapid.IntRange(1, 1000).Draw(t, "days")
		}),
		weekly.moved("a start before an exclusion, on another day of the week", "/recurrence/0", func(t *rapid.T, b *begin) ([]string, int) {
			return []string{b.exdate(0), "RRULE:FREQ=WEEKLY"}, -offWeek(t, 500)
		}),
		weekly.with("an addition that was excluded goes", func(t *rapid.T, d *draft) diag.Pointer {
			out := beginOf(d.body).exdate(offWeek(t, 50))
			in := "RDATE" + strings.TrimPrefix(out, "EXDATE")
			d.stored["recurrence"], d.body["recurrence"] = recurrence("RRULE:FREQ=WEEKLY", in, out), recurrence("RRULE:FREQ=WEEKLY", out)
			return "/recurrence/1"
		}),
		allDay.with("a rule with fewer instances", func(t *rapid.T, d *draft) diag.Pointer {
			out := beginOf(d.body).exdate(offWeek(t, 50))
			rule := rapid.SampledFrom([]string{"RRULE:FREQ=WEEKLY", "RRULE:FREQ=DAILY;COUNT=2", "RRULE:FREQ=DAILY;INTERVAL=7"}).Draw(t, "rule")
			d.stored["recurrence"], d.body["recurrence"] = recurrence(out, "RRULE:FREQ=DAILY"), recurrence(out, rule)
			return "/recurrence/0"
		}),
	}
}

// recurringInstances give an instance a recurrence. The stored event, if any, is the instance.
func recurringInstances() []variant {
	base := variant{prepare: recurringOf(anyForm), whole: []string{"recurringEventId", "recurrence"}}
	oneOf := func(lines ...string) func(t *rapid.T) string {
		return func(t *rapid.T) string { return rapid.SampledFrom(lines).Draw(t, "dates") }
	}
	return []variant{
		base.onInstance("a rule", plainRule),
		base.onInstance("a rule and dates", plainRule, oneOf("RDATE:20260310T090000Z", "EXDATE;VALUE=DATE:20260310")),
		base.onInstance("dates", oneOf("RDATE:20260310T090000Z", "RDATE;VALUE=DATE:20260310")),
	}
}

// ambiguousRules lack a part that says what they mean.
func ambiguousRules() []variant {
	return anySeries().inLine(
		line("a day of which month", "RRULE:FREQ=YEARLY;BYMONTHDAY=", numberIn(1, 28)),
		line("which day of the week", "RRULE:FREQ=YEARLY;BYWEEKNO=", numberIn(1, 52)),
		line("a numbered day of the month or the year", "RRULE:FREQ=", choice{"MONTHLY", "YEARLY"}, ";BYDAY=2TU,1MO;BYMONTHDAY=", numberIn(1, 14)),
	)
}

// earlyDates are RDATE lines with a value before the start.
func earlyDates() []variant {
	return variant{prepare: recurringWeekly(anyForm), whole: []string{"start", "recurrence"}}.inLine(
		badLine{"before the start", func(t *rapid.T, b *begin) string {
			return strings.Replace(b.exdate(-rapid.IntRange(1, 60_000).Draw(t, "days")), "EXDATE", "RDATE", 1)
		}},
		badLine{"a day before the start, after the start", func(_ *rapid.T, b *begin) string {
			_, early, _ := strings.Cut(b.exdate(-1), ":")
			return strings.Replace(b.exdate(0), "EXDATE", "RDATE", 1) + "," + early
		}},
	)
}

// repeatedLines are lines that repeat the first one.
func repeatedLines() []variant {
	repeated := func(most int) mutation {
		return func(t *rapid.T, d *draft) diag.Pointer {
			lines, _ := d.body["recurrence"].([]any)
			more := slices.Repeat(lines[:1], rapid.IntRange(1, most).Draw(t, "times"))
			d.body["recurrence"] = slices.Concat(lines, more)
			return diag.Pointer("/recurrence").Index(len(lines))
		}
	}
	return []variant{anySeries().with("the first line", repeated(1)), anySeries().with("the first line many times", repeated(20))}
}
