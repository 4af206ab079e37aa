package recurrence

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

var datesForm = diag.Rule{
	ID: "recurrence.dates.form", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values must have the form that VALUE specifies, and TZID can appear only with local times.",
	Section: datesSection,
	Why:     "A value that a reader cannot read neither excludes nor adds an instance, which goes unnoticed until the day of the instance.",
	Good:    sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T090000"},
	Bad:     sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T130000Z"},
	Says: diag.Sentences{
		placed("period", "An EXDATE cannot have periods. Write the starts to exclude, without VALUE=PERIOD."),
		placed("type", "VALUE={text} is not a value type for this line. Write DATE-TIME, DATE or, for an RDATE, PERIOD."),
		placed("zone-of-date", "TZID appears with VALUE=DATE, but a date has no zone. Remove the TZID."),
		placed("form", "{text} is neither a DATE such as 20260310 nor a DATE-TIME such as 20260310T130000Z. Correct the value."),
		placed("other-form", "{text} does not have the RFC 5545 form of a DATE or DATE-TIME. Write {meant}."),
		placed("date", "{text} has an invalid date. Correct the date."),
		placed("time", "{text} has an invalid time of day. Correct the time."),
		placed("is-period", "{text} is a period, which requires the parameter VALUE=PERIOD. Add the parameter."),
		placed("has-time", "{text} has a time, but VALUE=DATE does not allow times. Remove the time or the parameter."),
		placed("is-date", "{text} is a date, which requires the parameter VALUE=DATE. Add the parameter."),
		placed("utc", "{text} is in UTC, but TZID specifies a zone. Remove the Z or the TZID."),
		placed("not-period", "{text} is not a PERIOD. Write a start, a slash and an end or a duration."),
		placed("period-start", "The period {text} does not begin with a DATE-TIME such as 20260310T130000Z. Correct the period."),
		placed("period-end", "The period {text} has neither a DATE-TIME nor a positive DURATION such as PT1H after the slash. Correct "+
			"the period."),
		placed("period-forms", "The period {text} has a start and an end of different forms. Write both in the same form."),
		placed("period-order", "The period {text} does not end after its start. Correct the period."),
		placed("period-utc", "The period {text} is in UTC, but TZID specifies a zone. Remove the Z or the TZID."),
	},
	Check: check(checkFaults),
}

const datesSection = "RFC 5545 3.8.5.1, 3.8.5.2"

var datesZone = diag.Rule{
	ID: "recurrence.dates.zone", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: reads,
	Summary: "The TZID of an RDATE or EXDATE must be a name in the IANA Time Zone Database. Windows time zone names are accepted with " +
		"advice.",
	Section: "RFC 5545 3.2.19; observed",
	Seen: "The service accepts an EXDATE with the TZID Pacific Standard Time and reads its digits as UTC: the answer has that time in " +
		"the zone of the event, and the EXDATE excludes nothing.",
	Reported: []string{"derekantrican/GAS-ICS-Sync#398"},
	Why: "A Windows name, such as Central Standard Time, has a counterpart in the IANA database, which the library uses to expand the " +
		"line (Unicode CLDR, windowsZones). The public service accepts the name but reads the times as UTC, so an EXDATE excludes " +
		"nothing.",
	Good: sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=America/New_York:20260311T090000"},
	Bad:  sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Mars/Olympus:20260311T090000"},
	Says: diag.Sentences{
		placed("zone", "TZID={text} is not a name in the IANA Time Zone Database. Use a name such as America/New_York."),
		placed("zone-meant", "TZID={text} is not a name in the IANA Time Zone Database. Write {suggestion}."),
		placed("windows", "TZID={text} is a Windows time zone name, which the public service accepts but reads as UTC, so the line "+
			"misses its instance. Write {suggestion}."),
	},
	Check: check(checkFaults),
}

var datesStartForm = diag.Rule{
	ID: "recurrence.dates.start-form", Kind: diag.Advise, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: reads,
	Summary: "RDATE and EXDATE values should have the value type of the start.",
	Section: datesSection,
	Why: "Programs differ in whether a date matches an instance with a time. In the library, an EXDATE that is a date matches all " +
		"instances on that day, and an RDATE that is a date gets the start's time of day.",
	Good: sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20260311T130000Z"},
	Bad:  sample.Series{"RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20260311"},
	Says: diag.Sentences{
		{Key: "period", Text: "{date} is a PERIOD but the start is a date, so only the date on which the period starts counts. Write VALUE=DATE and dates."},
		{Key: "time", Text: "{date} is a {form} but the start is a date, so only the date counts. Write VALUE=DATE and dates."},
		{Key: "rdate", Text: "{date} is a DATE but the start is a time, so the date gets the start's time of day. Write the time."},
		{Key: "exdate", Text: "{date} is a DATE but the start is a time, so the date means the whole day. Write the time."},
	},
	Check: check(checkStartForm),
}

// checkStartForm compares the form of the values in each line with the form of the start.
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

// checkDates reports at most one value per line, because all values in a line have the same type.
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
