package recurrence

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

const (
	fieldSection = "calendar.md, Event resource, recurrence"
	ruleSection  = "RFC 5545 3.3.10"
)

// good is what most of the accepting examples send.
var good = sample.Series("RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10")

var lineName = diag.Rule{
	ID: "recurrence.line.name", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line is an RRULE, EXRULE, RDATE or EXDATE line.",
	Section: fieldSection,
	Why:     "A rule without its RRULE: in front, or another property of an iCalendar file, is not a line of this field, and nothing would recur.",
	Good:    diag.Example{Request: good},
	Bad:     diag.Example{Request: sample.Series("FREQ=WEEKLY;BYDAY=TU;COUNT=10")},
	Check:   check(checkLineName),
}

var lineDTStart = diag.Rule{
	ID: "recurrence.line.dtstart", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "DTSTART and DTEND lines are not allowed.",
	Section: fieldSection,
	Why:     "The first instance is what start and end say. A second statement of it could differ.",
	Good:    diag.Example{Request: good},
	Bad:     diag.Example{Request: sample.Series("DTSTART;TZID=America/New_York:20260310T090000", "RRULE:FREQ=WEEKLY;COUNT=10")},
	Check:   check(reportFaults),
}

var lineSyntax = diag.Rule{
	ID: "recurrence.line.syntax", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each line follows the grammar of RFC 5545: name, parameters, colon, value; without folding and line breaks.",
	Section: "RFC 5545 3.1",
	Why:     "Lines copied from an iCalendar file are often folded or end with CR LF. Each element of the array is one line as it is after unfolding.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", `EXDATE;TZID=\"America/New_York\":20260311T090000`)},
	Bad:     diag.Example{Request: sample.Series(`RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10\r\n`)},
	Check:   check(reportFaults),
}

var rulePart = diag.Rule{
	ID: "recurrence.rule.part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Rule parts are known, FREQ is among them, none comes twice, and their values are within the ranges of RFC 5545.",
	Section: ruleSection,
	Why:     "A part that a reader does not know or cannot read changes which instances there are. Parts with X-names are read over, which is worth knowing but no error.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10,31;COUNT=5")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=MONTHLY;BYMONTHDAY=10,32;COUNT=5")},
	Check:   check(reportFaults),
}

var ruleCountUntil = diag.Rule{
	ID: "recurrence.rule.count-until", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "COUNT and UNTIL do not stand together; COUNT and INTERVAL are at least 1.",
	Section: ruleSection,
	Why:     "Both end the rule, and where they disagree readers differ in which of them they obey.",
	Good:    diag.Example{Request: good},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=WEEKLY;COUNT=10;UNTIL=20261231T000000Z")},
	Check:   check(reportFaults),
}

var ruleUntilForm = diag.Rule{
	ID: "recurrence.rule.until-form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "UNTIL has the form of the start: a date for an all-day start, a time in UTC for a start with a zone.",
	Section: ruleSection,
	Why: "A local UNTIL is read in different zones by different readers, and the last instance comes and goes with them. Two mismatches that calendars write " +
		"themselves are read and reported without refusing: a date with a timed start means its whole day, a time with an all-day start its date.",
	Good:  diag.Example{Request: sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T130000Z")},
	Bad:   diag.Example{Request: sample.Series("RRULE:FREQ=WEEKLY;UNTIL=20260602T090000")},
	Check: check(reportFaults),
}

var ruleByPart = diag.Rule{
	ID: "recurrence.rule.by-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "BY parts stand only with the frequencies that allow them, and BYSETPOS only beside another.",
	Section: ruleSection,
	Why:     "RFC 5545 marks these combinations N/A: it gives them no meaning, so readers invent different ones.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=YEARLY;BYWEEKNO=11;BYDAY=TU;COUNT=3")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=MONTHLY;BYWEEKNO=11;BYDAY=TU;COUNT=3")},
	Check:   check(reportFaults),
}

var ruleTimePart = diag.Rule{
	ID: "recurrence.rule.time-part", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "BYSECOND, BYMINUTE, BYHOUR and the frequencies below DAILY do not apply to an all-day start.",
	Section: ruleSection,
	Why:     "A date has no time that could be chosen or stepped.",
	Good:    diag.Example{Request: sample.Days("RRULE:FREQ=DAILY;COUNT=3")},
	Bad:     diag.Example{Request: sample.Days("RRULE:FREQ=DAILY;BYHOUR=9;COUNT=3")},
	Check:   check(reportFaults),
}

var exruleDeprecated = diag.Rule{
	ID: "recurrence.exrule.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "EXRULE is not used: RFC 5545 deprecates it.",
	Section: "RFC 5545 8.3.2",
	Why:     "Many readers drop EXRULE lines, and then show what they were to take out.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=1")},
	Check:   check(reportFaults),
}

var datesForm = diag.Rule{
	ID: "recurrence.dates.form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values have the form that VALUE says, and TZID is an IANA name that stands with local times only.",
	Section: "RFC 5545 3.8.5.1, 3.8.5.2",
	Why:     "A value that cannot be read excludes or adds nothing, and that is seen only when the instance is.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T090000")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T130000Z")},
	Check:   check(reportFaults),
}

var datesStartForm = diag.Rule{
	ID: "recurrence.dates.start-form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values have the value type of the start.",
	Section: "RFC 5545 3.8.5.1, 3.8.5.2",
	Why:     "Readers differ in whether a date matches an instance with a time. Here it stands for the whole day.",
	Good:    diag.Example{Request: sample.Days("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260311")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260311")},
	Check:   check(reportFaults),
}

var noInstance = diag.Rule{
	ID: "recurrence.no-instance", Kind: diag.Reject, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "The set has at least one instance.",
	Section: fieldSection,
	Why:     "A series without instances is stored and never shown: nobody can open it to delete it.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=2", "EXDATE:20260310T130000Z")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;UNTIL=20260309T130000Z")},
	Check:   check(checkNoInstance),
}

var startNotInRule = diag.Rule{
	ID: "recurrence.start-not-in-rule", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "The start is an instance of an RRULE.",
	Section: "RFC 5545 3.8.5.3",
	Why:     "RFC 5545 leaves open what such a set is. Here the start is the first instance all the same, and COUNT does not count it; other readers count it or drop it.",
	Good:    diag.Example{Request: good},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=10")},
	Check:   check(checkStartNotInRule),
}

var exdateMisses = diag.Rule{
	ID: "recurrence.exdate-misses", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "Each EXDATE value matches an instance.",
	Section: "RFC 5545 3.8.5.1",
	Why:     "It usually means a wrong zone or a start that was moved since: the instance that was to be taken out is still there.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T090000Z")},
	Check:   check(checkExdateMisses),
}

var subDaily = diag.Rule{
	ID: "recurrence.sub-daily", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: reads,
	Summary: "The frequency is not SECONDLY, MINUTELY or HOURLY.",
	Section: "observed",
	Why:     "RFC 5545 has these frequencies, but the public API answers them with an error of its own.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;BYHOUR=9,12;COUNT=4")},
	Bad:     diag.Example{Request: sample.Series("RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=4")},
	Check:   check(reportFaults),
}

// hour is an instance of an hour in New York as `calrules expand --ndjson` has it.
func hour(date, offset, from, to string) string {
	const zone = `"timeZone":"America/New_York"}`
	return `{"start":{"dateTime":"` + date + "T" + from + offset + `",` + zone +
		`,"end":{"dateTime":"` + date + "T" + to + offset + `",` + zone + `}`
}

// expand is a line for `calrules expand --ndjson` about an hour in New York.
func expand(date, from, to, line string) string {
	return hour(date, "", from, to)[:len(hour(date, "", from, to))-1] + `,"recurrence":["` + line + `"]}`
}

// answer is what an expansion to the instances given is answered with.
func answer(instances ...string) string {
	list := ""
	for i, one := range instances {
		if i > 0 {
			list += ","
		}
		list += one
	}
	return `{"instances":[` + list + `]}`
}

var expansion = diag.Rule{
	ID: "recurrence.expansion", Kind: diag.Effect, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent, Reads: reads,
	Summary: "The recurrence is expanded in the start's zone; the start is the first instance, unless EXDATE takes it out or UNTIL lies before it.",
	Section: "calendar.md, Event resource, start and timeZone",
	Why:     "A meeting at nine stays at nine when the clock changes: what repeats is the local time, not a number of hours.",
	Good: diag.Example{
		Request: expand("2026-03-07", "09:00:00", "10:00:00", "RRULE:FREQ=DAILY;COUNT=2"),
		Answer:  answer(hour("2026-03-07", "-05:00", "09:00:00", "10:00:00"), hour("2026-03-08", "-04:00", "09:00:00", "10:00:00")),
	},
	Bad: diag.Example{
		Request: expand("2026-03-10", "09:00:00", "10:00:00", "RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=1"),
		Answer:  answer(hour("2026-03-10", "-04:00", "09:00:00", "10:00:00"), hour("2026-03-16", "-04:00", "09:00:00", "10:00:00")),
	},
}

var expansionGap = diag.Rule{
	ID: "recurrence.expansion.gap", Kind: diag.Effect, When: diag.All, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "An instance whose local time does not exist is left out and not counted; of a local time that occurs twice the first is meant.",
	Section: "RFC 5545 3.3.5, 3.3.10",
	Why:     "Readers that shift the time, or count what they leave out, end the series on another day.",
	Good: diag.Example{
		Request: expand("2024-03-09", "02:30:00", "03:30:00", "RRULE:FREQ=DAILY;COUNT=3"),
		Answer: answer(hour("2024-03-09", "-05:00", "02:30:00", "03:30:00"), hour("2024-03-11", "-04:00", "02:30:00", "03:30:00"),
			hour("2024-03-12", "-04:00", "02:30:00", "03:30:00")),
	},
	Bad: diag.Example{
		Request: expand("2024-03-08", "04:30:00", "05:30:00", "RRULE:FREQ=DAILY;COUNT=3"),
		Answer: answer(hour("2024-03-08", "-05:00", "04:30:00", "05:30:00"), hour("2024-03-09", "-05:00", "04:30:00", "05:30:00"),
			hour("2024-03-10", "-04:00", "04:30:00", "05:30:00")),
	},
}

var expansionBounded = diag.Rule{
	ID: "recurrence.expansion.bounded", Kind: diag.Effect, When: diag.All, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: reads,
	Summary: "No rule, however sparse or contradictory, makes an expansion hang, panic or take memory without bound.",
	Section: "inferred",
	Why:     "Anyone who may write an event chooses its rules, and whoever reads it pays for them.",
	Good: diag.Example{
		Request: expand("2026-03-10", "09:00:00", "10:00:00", "RRULE:FREQ=YEARLY;INTERVAL=9223372036854775807;BYMONTH=2;BYMONTHDAY=30"),
		Answer:  answer(hour("2026-03-10", "-04:00", "09:00:00", "10:00:00")),
	},
	Bad: diag.Example{
		Request: expand("2026-03-10", "09:00:00", "10:00:00", "RRULE:FREQ=DAILY;COUNT=1"),
		Answer:  answer(hour("2026-03-10", "-04:00", "09:00:00", "10:00:00")),
	},
}
