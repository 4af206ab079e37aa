package recurrence

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

var datesForm = diag.Rule{
	ID: "recurrence.dates.form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values have the form that VALUE gives, and TZID appears only with local times.",
	Section: datesSection,
	Why:     "A value that a reader cannot read excludes or adds nothing, and this goes unnoticed until the day of the instance.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T090000"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T130000Z"),
	Says: diag.Sentences{
		placed("period", "An EXDATE cannot have periods. Write the starts to exclude, without VALUE=PERIOD."),
		placed("type", "VALUE={text} is not a value type of this line. Write DATE-TIME, DATE or, for an RDATE, PERIOD."),
		placed("zone-of-date", "TZID appears with VALUE=DATE, but a date has no zone. Remove it."),
		placed("form", "{text} is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct it."),
		placed("other-form", "{text} is not written as RFC 5545 writes a DATE or DATE-TIME. Write {meant}."),
		placed("date", "{text} has an invalid date. Correct it."),
		placed("time", "{text} has an invalid time of day. Correct it."),
		placed("is-period", "{text} is a period, which requires the parameter VALUE=PERIOD. Add it."),
		placed("has-time", "{text} has a time and VALUE=DATE excludes times. Remove one of them."),
		placed("is-date", "{text} is a date, which requires the parameter VALUE=DATE. Add it."),
		placed("utc", "{text} is in UTC and TZID gives a zone. Remove the Z or the TZID."),
		placed("not-period", "{text} is not a PERIOD. Write a start, a slash and an end or a duration."),
		placed("period-start", "The period {text} does not begin with a DATE-TIME such as 20260310T130000Z. Correct it."),
		placed("period-end", "The period {text} has neither a DATE-TIME nor a positive DURATION such as PT1H after its slash. Correct it."),
		placed("period-forms", "The period {text} has a start and an end of different forms. Correct it."),
		placed("period-order", "The period {text} does not end after its start. Correct it."),
		placed("period-utc", "The period {text} is in UTC and TZID gives a zone. Remove the Z or the TZID."),
	},
	Check: check(checkFaults),
}

const datesSection = "RFC 5545 3.8.5.1, 3.8.5.2"

var datesZone = diag.Rule{
	ID: "recurrence.dates.zone", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: reads,
	Summary: "The TZID of an RDATE or EXDATE is a name of the IANA Time Zone Database. A name of Windows is advised against.",
	Section: "RFC 5545 3.2.19; observed",
	Seen: "An EXDATE whose TZID is Pacific Standard Time is accepted and comes back as the same digits in UTC, moved to the zone of " +
		"the event, so that it excludes nothing.",
	Reported: []string{"derekantrican/GAS-ICS-Sync#398"},
	Why: "A name of Windows, such as Central Standard Time, has a counterpart in the IANA database, in which the line is expanded here " +
		"(Unicode CLDR, windowsZones). The public service accepts the name and reads the times as UTC, so that an EXDATE excludes nothing.",
	Good: sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T090000"),
	Bad:  sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Mars/Olympus:20260311T090000"),
	Says: diag.Sentences{
		placed("zone", "TZID={text} is not a name of the IANA Time Zone Database. Use one, such as America/New_York."),
		placed("zone-meant", "TZID={text} is not a name of the IANA Time Zone Database. Write {suggestion}."),
		placed("windows", "TZID={text} is a name of Windows, which the public service accepts but reads as UTC, so that the line misses its instance. Write {suggestion}."),
	},
	Check: check(checkFaults),
}

var datesStartForm = diag.Rule{
	ID: "recurrence.dates.start-form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values have the value type of the start.",
	Section: datesSection,
	Why:     "Readers differ in whether a date matches an instance with a time. Here an EXDATE that is a date matches all instances of the day, and an RDATE gets the start's time of day.",
	Good:    sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z"),
	Bad:     sample.Series("RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260311"),
	Says: diag.Sentences{
		{Key: "period", Text: "{date} is a PERIOD and the start is a date, so only the date of its start counts. Write VALUE=DATE and dates."},
		{Key: "time", Text: "{date} is a {form} and the start is a date, so only the date counts. Write VALUE=DATE and dates."},
		{Key: "rdate", Text: "{date} is a DATE and the start is a time, so it gets the start's time of day. Write the time."},
		{Key: "exdate", Text: "{date} is a DATE and the start is a time, so it means the whole day. Write the time."},
	},
	Check: check(checkStartForm),
}

// checkStartForm compares the form of the values of each line with the form of the start.
func checkStartForm(in *input, r engine.Reporter) {
	if in.start.IsZero() {
		return
	}
	for i := range in.lines {
		if dates := in.lines[i].dates; dates != nil {
			in.checkDates(i, dates, r)
		}
	}
}

// checkDates reports at most one value of a line, because all values of the line have the same type.
func (in *input) checkDates(i int, dates *Dates, r engine.Reporter) {
	allDay := in.start.allDay
	if allDay && len(dates.Periods) > 0 {
		in.report(r, i, "period", diag.Plain("date", dates.Periods[0].String()))
	}
	if len(dates.Values) == 0 || allDay == (dates.Values[0].Form == Date) {
		return
	}
	v := dates.Values[0]
	switch {
	case allDay:
		in.report(r, i, "time", v.arg(), wording.Text("form", v.Form.String()))
	case in.lines[i].kind == rdateLine:
		in.report(r, i, "rdate", v.arg())
	default:
		in.report(r, i, "exdate", v.arg())
	}
}
