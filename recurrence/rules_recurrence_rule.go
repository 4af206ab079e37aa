package recurrence

import (
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/recurrence/internal/civil"
	"github.com/calrules/calrules/recurrence/internal/expand"
)

var rulePart = diag.Rule{
	ID: "recurrence.rule.part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each rule part must be known and appear once, FREQ must be present, and the values must be in the ranges of RFC 5545.",
	Section: ruleSection,
	Why: "A part that a program does not know or cannot read changes the instances. Programs ignore parts with X-names, so such a part " +
		"gets only advice if it appears once.",
	Good: sample.Series{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10,31;COUNT=5"},
	Bad:  sample.Series{"RRULE:FREQ=MONTHLY;BYMONTHDAY=10,32;COUNT=5"},
	Says: diag.Sentences{
		{Key: "no-freq", Text: "The rule has no FREQ. Add a frequency, such as FREQ=DAILY."},
		placed("glued", "{name} is not a rule part but a line. Write {line} as a separate line."),
		placed("glued-time", "{name} is not a rule part. Use the event's start and end."),
		placed("part-zone", "A rule cannot have a TZID, because rules are expanded in the zone of the event's start. Remove the part."),
		placed("unknown", "RFC 5545 has no rule part {part}. Remove the part."),
		placed("other-name", "RFC 5545 has no rule part {part}. Write {meant}."),
		placed("rfc-7529", "{part} is a rule part of RFC 7529, not of RFC 5545. Remove the part."),
		placed("twice", "{part} appears twice. Keep one."),
		placed("no-value", "{part} has no value. Add a value, or remove the part."),
		placed("extension-value", "The value of the rule part {part} is empty or contains an equals sign. Correct the value."),
		placed("extension-twice", "The rule part {part} appears twice. Keep one."),
		placed("extension", "The rule part {part} is an extension that programs may ignore. Remove the part."),
		placed("freq", "FREQ={text} is not a frequency. Write SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY or YEARLY."),
		placed("freq-meant", "FREQ={text} is not a frequency. Write {meant}."),
		placed("semicolon", "{text} is a rule part. Write a semicolon before it."),
		placed("until-meant", "UNTIL={text} does not have the RFC 5545 form of a DATE or DATE-TIME. Write {meant}."),
		placed("until-form", "UNTIL={text} is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value."),
		placed("until-date", "UNTIL={text} has an invalid date. Correct the date."),
		placed("until-time", "UNTIL={text} has an invalid time of day. Correct the time."),
		placed("empty-value", "A value in the list of {part} is empty. Write a comma only between two values."),
		placed("number", "{part}={text} is not a number. Write only digits."),
		placed("number-meant", "{part}={text} is not a number. Write {meant}."),
		placed("clock", "BYHOUR={text} is not a number. Write {meant}."),
		placed("range", "{part}={text} is out of range. Write {low} to {high}."),
		placed("signed-range", "{part}={text} is out of range. Write {low} to {high} or -{high} to -{low}."),
		placed("byday", "BYDAY={text} is not a weekday. Write SU, MO, TU, WE, TH, FR or SA, or one of them after a number from 1 to 53 or -53 to -1."),
		placed("byday-meant", "BYDAY={text} is not a weekday. Write {meant}."),
		placed("wkst-meant", "WKST={text} is not a weekday. Write {meant}."),
		placed("wkst", "WKST={text} is not a weekday. Write SU, MO, TU, WE, TH, FR or SA."),
	},
	Check: check(checkFaults),
}

var ruleCountUntil = diag.Rule{
	ID: "recurrence.rule.count-until", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "A rule must have at most one of COUNT and UNTIL, and COUNT and INTERVAL must be at least 1.",
	Section: ruleSection,
	Why:     "COUNT and UNTIL both end the rule. If they disagree, some programs obey COUNT and others UNTIL.",
	Good:    sample.Series{"RRULE:FREQ=WEEKLY;COUNT=10"},
	Bad:     sample.Series{"RRULE:FREQ=WEEKLY;COUNT=10;UNTIL=20261231T000000Z"},
	Says: diag.Sentences{
		placed("below-1", "{part}={text} is less than 1. Write 1 or more, or remove the part."),
		{Key: "both", Text: "The rule has both COUNT and UNTIL. Keep one of them."},
	},
	Check: check(checkCountUntil),
}

// Checks of rule parts examine every rule, including rules with a part that cannot be parsed.

func checkCountUntil(in *input, r engine.Reporter) {
	checkFaults(in, r)
	for i := range in.lines {
		if parts := in.lines[i].parts; in.lines[i].rule != nil && parts.has(partCount) && parts.has(partUntil) {
			in.reject(r, i, "both")
		}
	}
}

var ruleUntilForm = diag.Rule{
	ID: "recurrence.rule.until-form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "UNTIL must have the form of the start: a date for an all-day start, and a time in UTC for a start with a zone.",
	Section: ruleSection,
	Why: "Programs differ in the zone of a local UNTIL, and so in the last instance. Two mismatches that calendars themselves write get " +
		"only advice: with a timed start, an UNTIL that is a date includes the whole day; with an all-day start, only the date of an " +
		"UNTIL that is a time counts. For midnight in the zone of the series, that is the date in the zone; for any other time, it is " +
		"the date in UTC.",
	Good: sample.Series{"RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z"},
	Bad:  sample.Series{"RRULE:FREQ=WEEKLY;UNTIL=20260602T090000"},
	Says: diag.Sentences{
		{Key: "midnight", Text: "UNTIL={until} is midnight in {zone}, where it means {meant}. Write that date."},
		{Key: "time", Text: "UNTIL={until} has a time but the start is a date, so only the date of UNTIL counts. Write {meant}."},
		{Key: "date", Text: "UNTIL={until} is a date but the start has a time, so UNTIL includes the whole day. Write {meant}."},
		{Key: "local", Text: "UNTIL={until} is not in UTC, which a start with a zone requires. Write {meant}."},
	},
	Check: check(checkUntilForm),
}

// checkUntilForm checks that the form of UNTIL matches the form of the start. Two kinds of mismatch do not reject the rule,
// because existing calendars write mismatched values.
func checkUntilForm(in *input, r engine.Reporter) {
	if in.start.IsZero() {
		return
	}
	for i := range in.lines {
		rule := in.lines[i].rule
		if rule == nil || rule.Until.Form == 0 {
			continue
		}
		written, until := in.start.untilInForm(rule.Until), rule.Until
		if written == until {
			continue
		}
		line := strings.Replace(in.lines[i].text, until.String(), written.String(), 1)
		said := []diag.Arg{diag.Plain("until", until.String()), meant(written.String()), diag.Value("suggestion", line)}
		switch advise := r.WithKind(diag.Advise); {
		case in.start.until(until) != until:
			in.report(advise, i, "midnight", append(said, diag.Name("zone", in.start.days.String()))...)
		case in.start.allDay:
			in.report(advise, i, "time", said...)
		case until.Form == Date:
			in.report(advise, i, "date", said...)
		default:
			in.reject(r, i, "local", said...)
		}
	}
}

// byParts contains the BY parts except BYSETPOS, which selects from the instances that the other parts produce.
const byParts partSet = 1<<partBySecond | 1<<partByMinute | 1<<partByHour | 1<<partByDay |
	1<<partByMonthDay | 1<<partByYearDay | 1<<partByWeekNo | 1<<partByMonth

var ruleByPart = diag.Rule{
	ID: "recurrence.rule.by-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "BY parts must appear only with frequencies that allow them, and BYSETPOS only with another BY part.",
	Section: ruleSection,
	Why:     "RFC 5545 forbids other combinations: their meaning is undefined, so programs interpret them differently.",
	Good:    sample.Series{"RRULE:FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"},
	Bad:     sample.Series{"RRULE:FREQ=MONTHLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"},
	Says: diag.Sentences{
		{Key: "week", Text: "BYWEEKNO appears with FREQ={freq}. Use it only with YEARLY."},
		{Key: "year-day", Text: "BYYEARDAY appears with FREQ={freq}. Do not use it with DAILY, WEEKLY or MONTHLY."},
		{Key: "month-day", Text: "BYMONTHDAY appears with FREQ=WEEKLY. Use it with another frequency."},
		{Key: "number", Text: "BYDAY={day} has a number with FREQ={freq}. Use numbers only with MONTHLY and YEARLY."},
		{Key: "number-and-week", Text: "BYDAY={day} has a number in a rule with BYWEEKNO. Remove the number."},
		{Key: "place", Text: "BYSETPOS is the only BY part. Add another BY part, from whose set BYSETPOS chooses."},
	},
	Check: check(checkByPart),
}

// checkByPart checks for combinations marked N/A in the table of RFC 5545 section 3.3.10, and for violations of that
// section's requirements for ordinals and BYSETPOS.
func checkByPart(in *input, r engine.Reporter) {
	for i := range in.lines {
		l := &in.lines[i]
		if l.rule == nil || l.rule.Freq == 0 { // FREQ cannot be parsed
			continue
		}
		freq := l.rule.Freq
		if l.parts.has(partByWeekNo) && freq != Yearly {
			in.reject(r, i, "week", freq.arg())
		}
		if l.parts.has(partByYearDay) && (freq == Daily || freq == Weekly || freq == Monthly) {
			in.reject(r, i, "year-day", freq.arg())
		}
		if l.parts.has(partByMonthDay) && freq == Weekly {
			in.reject(r, i, "month-day")
		}
		in.checkNumbers(i, r)
		if l.parts.has(partBySetPos) && l.parts&byParts == 0 {
			in.reject(r, i, "place")
		}
	}
}

// checkNumbers checks whether the rule of line i may have numbers in BYDAY.
func (in *input) checkNumbers(i int, r engine.Reporter) {
	l := &in.lines[i]
	k := slices.IndexFunc(l.rule.ByDay, ByDay.isNumbered)
	if k < 0 {
		return
	}
	day := diag.Plain("day", l.rule.ByDay[k].String())
	switch freq := l.rule.Freq; {
	case freq != Monthly && freq != Yearly:
		in.reject(r, i, "number", day, freq.arg())
	case freq == Yearly && l.parts.has(partByWeekNo):
		in.reject(r, i, "number-and-week", day)
	}
}

func (d ByDay) isNumbered() bool { return d.N != 0 }

var ruleTimePart = diag.Rule{
	ID: "recurrence.rule.time-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "With an all-day start, a rule must not have BYSECOND, BYMINUTE or BYHOUR, and the frequency must be DAILY or longer.",
	Section: ruleSection,
	Why:     "A date has no time of day that a rule could select or repeat.",
	Good:    sample.Days{"RRULE:FREQ=DAILY;COUNT=3"},
	Bad:     sample.Days{"RRULE:FREQ=DAILY;BYHOUR=9;COUNT=3"},
	Says: diag.Sentences{
		{Key: "freq", Text: "FREQ={freq} repeats within the day but the start is a date. Use DAILY or longer."},
		{Key: "part", Text: "{part} specifies a time but the start is a date. Remove the part."},
	},
	Check: check(checkTimePart),
}

func checkTimePart(in *input, r engine.Reporter) {
	if !in.start.allDay {
		return
	}
	for i := range in.lines {
		l := &in.lines[i]
		if l.rule == nil {
			continue
		}
		if l.rule.Freq.SubDaily() {
			in.reject(r, i, "freq", l.rule.Freq.arg())
		}
		for _, p := range [...]part{partByHour, partByMinute, partBySecond} {
			if l.parts.has(p) {
				in.reject(r, i, "part", p.arg())
			}
		}
	}
}

var ruleAmbiguous = diag.Rule{
	ID: "recurrence.rule.ambiguous", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "A rule should have only one meaning: BYMONTHDAY in a YEARLY rule or with a numbered BYDAY needs BYMONTH, BYWEEKNO needs " +
		"BYDAY, and the meaning of BYSETPOS should not depend on instances before the start.",
	Section: "RFC 5545 3.3.10, RFC 8984 4.3.3",
	Why: "Programs supply the missing part differently; the library follows RFC 8984. Programs also differ in whether BYSETPOS counts " +
		"instances before the start in the first period. Such a rule is reported only if the result depends on the difference, and not " +
		"if it has BYWEEKNO, whose weeks may belong to two years.",
	Good: sample.Series{"RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10;COUNT=3"},
	Bad:  sample.Series{"RRULE:FREQ=YEARLY;BYMONTHDAY=10;COUNT=3"},
	Says: diag.Sentences{
		{Key: "number-in-month", Text: numberedDay + "the number counts within the month" + addMonth},
		{Key: "number-of-start", Text: numberedDay + "both refer to the month of the start" + addMonth},
		{Key: "number-in-year", Text: numberedDay + "the number counts within the year" + addMonth},
		{Key: "month", Text: yearlyDay + "it means the month of the start" + addMonth},
		{Key: "month-each", Text: yearlyDay + "it means every one" + addMonth},
		{Key: "weekday", Text: weekNumber + "it means the weekday of the start" + addWeekday},
		{Key: "weekday-each", Text: weekNumber + "it means every one" + addWeekday},
		{Key: "first-period", Text: "The start is within the first {unit} of BYSETPOS, and programs differ in whether instances before the start count; " +
			"in calrules, they do. Write the rule without BYSETPOS if possible."},
	},
	Check: check(checkAmbiguous),
}

// Beginnings and ends that the sentences of [ruleAmbiguous] share.
const (
	numberedDay = "BYMONTHDAY and a numbered BYDAY appear without BYMONTH, and programs combine them differently; in calrules, "
	yearlyDay   = "BYMONTHDAY appears in a YEARLY rule without BYMONTH, which may mean one month or every month; in calrules, "
	weekNumber  = "BYWEEKNO appears without BYDAY, which may mean one day of the week or every day; in calrules, "
	addMonth    = ". Add BYMONTH, with all twelve months to mean every month."
	addWeekday  = ". Add BYDAY, with all seven days to mean every day."
)

func checkAmbiguous(in *input, r engine.Reporter) {
	in.periods = *expand.NewBudget(checkBudget)
	for i := range in.lines {
		l := &in.lines[i]
		if l.rule == nil || l.rejected {
			continue
		}
		if key := l.rule.missingPart(); key != "" {
			r.Report(diag.Pointer("").Index(i), key)
		}
		if !in.start.IsZero() && l.rule.dependsOnFirstPeriod(in.start, &in.periods) {
			r.Report(diag.Pointer("").Index(i), "first-period", wording.Text("unit", unitNames[l.rule.Freq]))
		}
	}
}

// missingPart returns the key of the message of [ruleAmbiguous] about the part that a rule needs to be unambiguous, or
// "" if no part is missing.
func (r *Rule) missingPart() string {
	noYearDay := len(r.ByYearDay) == 0 // a rule with BYYEARDAY takes no day from the start
	switch {
	case len(r.ByMonth) > 0 || len(r.ByMonthDay) == 0:
	case slices.ContainsFunc(r.ByDay, ByDay.isNumbered):
		return numberedMeaning(r.Freq, noYearDay)
	case r.Freq == Yearly && noYearDay && len(r.ByWeekNo) == 0:
		return "month"
	case r.Freq == Yearly:
		return "month-each"
	}
	switch {
	case len(r.ByWeekNo) == 0 || len(r.ByDay) > 0:
		return ""
	case noYearDay && len(r.ByMonthDay) == 0:
		return "weekday"
	default:
		return "weekday-each"
	}
}

// numberedMeaning returns the key of the message about the period in which BYDAY ordinals count if the rule also has
// BYMONTHDAY.
func numberedMeaning(freq Freq, noYearDay bool) string {
	switch {
	case freq == Monthly:
		return "number-in-month"
	case noYearDay:
		return "number-of-start"
	default:
		return "number-in-year"
	}
}

// dependsOnFirstPeriod reports whether BYSETPOS selects different instances in the first period if instances before the start
// are not counted. The result is false if there are too many instances to compare.
func (r *Rule) dependsOnFirstPeriod(start Start, budget *expand.Budget) bool {
	if len(r.BySetPos) == 0 || len(r.ByWeekNo) > 0 {
		return false
	}
	every := r.without(start.clock)
	begin, end := every.Period(start.clock)
	if begin <= civil.MinClock {
		return false
	}
	all, ok := between(every, begin, end, budget)
	if !ok {
		return false
	}
	first, _ := slices.BinarySearch(all, start.clock)
	whole := slices.DeleteFunc(atPositions(all, r.BySetPos), func(clock int64) bool { return clock < start.clock })
	return !slices.Equal(whole, atPositions(all[first:], r.BySetPos))
}

// without returns the rule without BYSETPOS, INTERVAL, COUNT and UNTIL, and with the parts that it would take from the
// start filled in.
func (r *Rule) without(clock int64) *expand.Rule {
	var x expand.Rule
	r.expandTo(&x)
	x.Interval, x.Count, x.BySetPos, x.LastInstant, x.LastClock = 0, 0, nil, expand.NoUntil, civil.MaxClock
	day, second := civil.Split(clock)
	x.FillIn(day, expand.Options{})
	fill := func(list *[]int, below Freq, value int64) {
		if r.Freq > below && len(*list) == 0 {
			*list = []int{int(value)}
		}
	}
	fill(&x.ByHour, Hourly, second/3600)
	fill(&x.ByMinute, Minutely, second/60%60)
	fill(&x.BySecond, Secondly, second%60)
	return &x
}

// between returns the local times of the instances of a rule that are at or after begin and before end, or false if the budget
// is exhausted or there are too many instances.
func between(rule *expand.Rule, begin, end int64, budget *expand.Budget) (all []int64, ok bool) {
	before := begin - 1 // in the preceding period
	series := expand.New(expand.Set{
		Start: expand.Start{Clock: before, Instant: before},
		Zone:  civil.ZoneOf(time.UTC),
		Rules: []expand.Rule{*rule},
	}, expand.Options{})
	it := series.Iterate(begin, end, budget)
	for len(all) < maxOfPeriod {
		clock, found := it.Next()
		if !found {
			return all, !budget.IsOver()
		}
		all = append(all, clock)
	}
	return nil, false
}

// maxOfPeriod is the maximum number of instances per period that dependsOnFirstPeriod compares.
const maxOfPeriod = 1 << 12

// atPositions returns the instances at the given BYSETPOS positions, sorted and without duplicates.
func atPositions(all []int64, positions []int) (chosen []int64) {
	for _, p := range positions {
		if isNegative(p) {
			p += len(all) + 1
		}
		if 1 <= p && p <= len(all) {
			chosen = append(chosen, all[p-1])
		}
	}
	slices.Sort(chosen)
	return slices.Compact(chosen)
}
