package recurrence

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// The rules about the parts of a rule together, and with the start of the event.

var ruleUntilForm = diag.Rule{
	ID: "recurrence.rule.until-form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "UNTIL has the form of the start: a date for an all-day start, a time in UTC for a start with a zone.",
	Section: ruleSection,
	Why: "Readers differ in the zone of a local UNTIL, and so in the last instance. Two mismatches that calendars write themselves only get advice: " +
		"a date with a timed start includes the whole day, and of a time with an all-day start only the date counts.",
	Good:  sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z"),
	Bad:   sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T090000"),
	Check: check(checkFaults),
}

var ruleByPart = diag.Rule{
	ID: "recurrence.rule.by-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "BY parts appear only with frequencies that allow them, and BYSETPOS only with another BY part.",
	Section: ruleSection,
	Why:     "RFC 5545 marks these combinations N/A: they have no meaning, so readers invent different ones.",
	Good:    sample.Series("RRULE:FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"),
	Bad:     sample.Series("RRULE:FREQ=MONTHLY;BYWEEKNO=11;BYDAY=TU;COUNT=3"),
	Check:   check(checkFaults),
}

var ruleTimePart = diag.Rule{
	ID: "recurrence.rule.time-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "With an all-day start, a rule has no BYSECOND, BYMINUTE and BYHOUR, and its frequency is DAILY or longer.",
	Section: ruleSection,
	Why:     "A date has no time of day to choose or to step by.",
	Good:    sample.Days("RRULE:FREQ=DAILY;COUNT=3"),
	Bad:     sample.Days("RRULE:FREQ=DAILY;BYHOUR=9;COUNT=3"),
	Check:   check(checkFaults),
}

var exruleDeprecated = diag.Rule{
	ID: "recurrence.exrule.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "There are no EXRULE lines: RFC 5545 deprecates them.",
	Section: "RFC 5545 8.3.2",
	Why:     "Many readers drop EXRULE lines, and then show the instances that these exclude.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260310T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;COUNT=1"),
	Check:   check(checkFaults),
}

var subDaily = diag.Rule{
	ID: "recurrence.sub-daily", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: reads,
	Summary: "The frequency is not SECONDLY, MINUTELY or HOURLY.",
	Section: "observed",
	Why:     "RFC 5545 has these frequencies, but the public API returns an internal error for them.",
	Good:    sample.Series("RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4"),
	Bad:     sample.Series("RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=4"),
	Check:   check(checkFaults),
}

// judgeRule adds the faults of a rule's parts together and, if start is not nil, with the start.
func (l *line) judgeRule(start *Start) {
	r, f := l.rule, &l.faults
	if l.parts.has(partCount) && l.parts.has(partUntil) {
		f.reject(&ruleCountUntil, whole, "The rule has both COUNT and UNTIL; keep one of them.")
	}
	r.judgeByParts(l.parts, f)
	if start != nil {
		r.judgeUntil(*start, f)
	}
	if start != nil && start.allDay {
		r.judgeTimeParts(l.parts, f)
	} else if r.Freq.SubDaily() {
		f.advise(&subDaily, whole, "The public API returns an error for FREQ=%s, although RFC 5545 has it; use DAILY or longer.", r.Freq)
	}
}

// judgeByParts checks the entries N/A of the table in RFC 5545 section 3.3.10, and what the
// section says about ordinals and BYSETPOS.
func (r *Rule) judgeByParts(parts partSet, f *faults) {
	if r.Freq == 0 { // it is not readable
		return
	}
	if parts.has(partByWeekNo) && r.Freq != Yearly {
		f.reject(&ruleByPart, whole, "BYWEEKNO appears in a %s rule; use it only with YEARLY.", r.Freq)
	}
	if parts.has(partByYearDay) && (r.Freq == Daily || r.Freq == Weekly || r.Freq == Monthly) {
		f.reject(&ruleByPart, whole, "BYYEARDAY appears in a %s rule; do not use it with DAILY, WEEKLY or MONTHLY.", r.Freq)
	}
	if parts.has(partByMonthDay) && r.Freq == Weekly {
		f.reject(&ruleByPart, whole, "BYMONTHDAY appears in a WEEKLY rule; do not use it with WEEKLY.")
	}
	if d, ok := r.firstOrdinal(); ok {
		switch {
		case r.Freq != Monthly && r.Freq != Yearly:
			f.reject(&ruleByPart, whole, "BYDAY=%s has a number in a %s rule; use numbers only with MONTHLY and YEARLY.", d, r.Freq)
		case r.Freq == Yearly && parts.has(partByWeekNo):
			f.reject(&ruleByPart, whole, "BYDAY=%s has a number in a rule with BYWEEKNO; remove the number.", d)
		}
	}
	if parts.has(partBySetPos) && parts&byParts == 0 {
		f.reject(&ruleByPart, whole, "BYSETPOS is the only BY part; add another one for it to choose from.")
	}
}

// firstOrdinal returns the first BYDAY value with a number.
func (r *Rule) firstOrdinal() (ByDay, bool) {
	for _, d := range r.ByDay {
		if d.N != 0 {
			return d, true
		}
	}
	return ByDay{}, false
}

// judgeUntil compares the form of UNTIL with that of the start. Two mismatches do not reject the
// rule, since calendars in use write them.
func (r *Rule) judgeUntil(start Start, f *faults) {
	switch {
	case r.Until.Form == 0:
	case start.allDay && r.Until.Form != Date:
		f.advise(&ruleUntilForm, whole, "UNTIL=%s has a time and the start is a date, so only the date of UNTIL counts; write a date.", r.Until)
	case !start.allDay && r.Until.Form == Date:
		f.advise(&ruleUntilForm, whole, "UNTIL=%s is a date and the start has a time, so UNTIL includes the whole day; write a time in UTC.", r.Until)
	case !start.allDay && r.Until.Form == Local:
		f.reject(&ruleUntilForm, whole, "UNTIL=%s is not in UTC, which a start with a zone requires; convert it and add a Z.", r.Until)
	}
}

func (r *Rule) judgeTimeParts(parts partSet, f *faults) {
	if r.Freq.SubDaily() {
		f.reject(&ruleTimePart, whole, "FREQ=%s repeats within the day and the start is a date; use DAILY or longer.", r.Freq)
	}
	for _, p := range []part{partByHour, partByMinute, partBySecond} {
		if parts.has(p) {
			f.reject(&ruleTimePart, whole, "%s gives a time and the start is a date; remove it.", p)
		}
	}
}
