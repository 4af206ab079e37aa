package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/recurrence"
)

// timeRules are about start, end and originalStartTime, and about what a recurrence asks of
// them.
var timeRules = []*diag.Rule{
	&startRequired,
	&endRequired,
	&endUnspecified,
	&timeDateFormat,
	&timeDateTimeFormat,
	&timeOffset,
	&timeZoneIANA,
	&timeZoneRecurring,
	&timeZoneRecurringAllDay,
	&timeOneForm,
	&timeSameForm,
	&timeOrder,
	&timeEmpty,
	&recurrenceOnInstance,
	&recurringIDWritten,
	&originalStartMember,
}

// eachTime calls do with every [Time] of the event that there is and that the request is asked
// about.
func (in *input) eachTime(do func(t *Time, at diag.Pointer)) {
	e := in.result
	if e.Start != nil && in.isToCheck(ofStart) {
		do(e.Start, "/start")
	}
	if e.End != nil && in.isToCheck(ofEnd) {
		do(e.End, "/end")
	}
	if e.OriginalStartTime != nil && in.isToCheck(ofOriginalStart) {
		do(e.OriginalStartTime, "/originalStartTime")
	}
}

var startRequired = diag.Rule{
	ID: "event.start.required", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "A new event has a start.",
	Section: sectionInsert,
	Good:    diag.Example{Request: sample.Timed()},
	Bad:     diag.Example{Request: sample.Insert(sample.End)},
}

var endRequired = diag.Rule{
	ID: "event.end.required", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "A new event has an end.",
	Section: sectionInsert,
	Why:     "An end is given even where endTimeUnspecified says that it has no meaning.",
	Good:    diag.Example{Request: sample.Timed()},
	Bad:     diag.Example{Request: sample.Insert(sample.Start)},
}

var endUnspecified = diag.Rule{
	ID: "event.end-unspecified", Kind: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "endTimeUnspecified is false when absent; an end is still provided when it is true.",
	Section: sectionEvent + ", endTimeUnspecified",
	Good:    diag.Example{Request: sample.Timed(`"endTimeUnspecified":true`), Answer: `{"event":{"endTimeUnspecified":true,` + sample.End + `}}`},
	Bad:     diag.Example{Request: sample.Timed(), Answer: `{"event":{` + sample.End + `}}`},
}

var timeDateFormat = diag.Rule{
	ID: "time.date.format", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end", "originalStartTime"},
	Summary: "A date is a day of the calendar, written yyyy-mm-dd.",
	Section: sectionTimes + ", date",
	Good:    diag.Example{Request: sample.Insert(`"start":{"date":"2024-02-29"},"end":{"date":"2024-03-01"}`)},
	Bad:     diag.Example{Request: sample.Insert(`"start":{"date":"2026-02-29"},"end":{"date":"2026-03-01"}`)},
}

var timeDateTimeFormat = diag.Rule{
	ID: "time.datetime.format", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end", "originalStartTime"},
	Summary: "A dateTime is an RFC 3339 timestamp.",
	Section: sectionTimes + ", dateTime; RFC 3339 section 5.6",
	Why: "The letters t and z may be lower case, and a leap second may stand where there can be one. Whether " +
		"the offset may be missing is for time.offset to say.",
	Good: diag.Example{Request: sample.Insert(`"start":{"dateTime":"2026-03-10t09:00:00.5z"}`, sample.End)},
	Bad:  diag.Example{Request: sample.Insert(`"start":{"dateTime":"2026-03-10T09:00-04:00"}`, sample.End)},
}

var timeOffset = diag.Rule{
	ID: "time.offset", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end", "originalStartTime"},
	Summary: "A dateTime carries an offset unless timeZone is given.",
	Section: sectionTimes + ", dateTime",
	Why:     "Without either, nobody knows when the event is.",
	Good:    diag.Example{Request: sample.Insert(`"start":{"dateTime":"2026-03-10T09:00:00","timeZone":"America/New_York"}`, sample.End)},
	Bad:     diag.Example{Request: sample.Insert(`"start":{"dateTime":"2026-03-10T09:00:00"}`, sample.End)},
	Check:   check(checkOffset),
}

func checkOffset(in *input, r diag.Reporter) {
	in.eachTime(func(t *Time, at diag.Pointer) {
		if wasSent(t.TimeZone, &t.extra, "timeZone") {
			return
		}
		if civil, ok := limits.ParseDateTime(t.DateTime); ok && !civil.HasOffset {
			r.Report(at+"/dateTime", "The dateTime %s has no offset and there is no timeZone. Add one of them, such as Z or \"timeZone\": \"UTC\".", diag.Quote(t.DateTime))
		}
	})
}

var timeZoneIANA = diag.Rule{
	ID: "time.zone.iana", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end", "originalStartTime"},
	Summary: "A timeZone is a name of the IANA Time Zone Database.",
	Section: sectionTimes + ", timeZone",
	Why: "Links such as US/Pacific count. Local, offsets and abbreviations that the database lacks do not, nor do " +
		"the names that desktop calendars have for zones. The names are those of release " + limits.ZoneRelease + ".",
	Good: diag.Example{Request: sample.Insert(`"start":{"date":"2026-03-10","timeZone":"US/Pacific"},"end":{"date":"2026-03-11","timeZone":"US/Pacific"}`)},
	Bad:  diag.Example{Request: sample.Insert(`"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"Eastern Standard Time"}`, sample.End)},
}

var timeZoneRecurring = diag.Rule{
	ID: "time.zone.recurring", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end", "recurrence"},
	Summary: "A recurring timed event has a timeZone in its start and in its end.",
	Section: sectionTimes + ", timeZone",
	Why:     "The recurrence is expanded in that zone: an offset does not tell when clocks change.",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3")},
	Bad: diag.Example{Request: sample.Insert(sample.Start, `"end":{"dateTime":"2026-03-10T10:00:00-04:00"}`,
		sample.Recurrence("RRULE:FREQ=DAILY;COUNT=3"))},
	Check: check(checkZoneRecurring),
}

func checkZoneRecurring(in *input, r diag.Reporter) {
	eachZoneless(in, func(m moment, at diag.Pointer) {
		if m.form == timed {
			r.Report(at, "The event recurs and has no timeZone here; it is needed to expand the recurrence. Add an IANA name such as Europe/Berlin.")
		}
	})
}

var timeZoneRecurringAllDay = diag.Rule{
	ID: "time.zone.recurring-all-day", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start", "end", "recurrence"},
	Summary: "A recurring all-day event has a timeZone in its start and in its end.",
	Section: sectionTimes + ", timeZone",
	Why:     "The documents ask it of all recurring events; the public service accepts days without one.",
	Good:    diag.Example{Request: sample.Days("RRULE:FREQ=DAILY;COUNT=3")},
	Bad: diag.Example{Request: sample.Insert(`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`,
		sample.Recurrence("RRULE:FREQ=DAILY;COUNT=3"))},
	Check: check(checkZoneRecurringAllDay),
}

func checkZoneRecurringAllDay(in *input, r diag.Reporter) {
	eachZoneless(in, func(m moment, at diag.Pointer) {
		if m.form == allDay {
			r.Report(at, "The event recurs and has no timeZone here; the documents ask for one, even of days.")
		}
	})
}

// eachZoneless calls do with the start and the end of a recurring event, where they have no
// timeZone.
func eachZoneless(in *input, do func(m moment, at diag.Pointer)) {
	e := in.result
	if len(e.Recurrence) == 0 {
		return
	}
	if e.Start != nil && !wasSent(e.Start.TimeZone, &e.Start.extra, "timeZone") {
		do(in.start, "/start/timeZone")
	}
	if e.End != nil && !wasSent(e.End.TimeZone, &e.End.extra, "timeZone") {
		do(in.end, "/end/timeZone")
	}
}

var timeOneForm = diag.Rule{
	ID: "time.one-form", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"start", "end", "originalStartTime"},
	Summary:   "A start, end or originalStartTime holds exactly one of date and dateTime.",
	Section:   sectionObserved,
	Why:       "With both, nobody knows whether the event is all-day; with neither, when it is.",
	PatchHint: `To change the form, send the other member as null, as in {"date": null, "dateTime": "2026-03-10T09:00:00Z"}, in start and end.`,
	Good:      diag.Example{Request: sample.AllDay()},
	Bad:       diag.Example{Request: sample.Insert(`"start":{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00-04:00"}`, sample.End)},
	Check:     check(checkOneForm),
}

func checkOneForm(in *input, r diag.Reporter) {
	in.eachTime(func(t *Time, at diag.Pointer) {
		date, dateTime := wasSent(t.Date, &t.extra, "date"), wasSent(t.DateTime, &t.extra, "dateTime")
		switch {
		case date && dateTime:
			r.Report(at, "Both date and dateTime are given; there must be exactly one: date for an all-day event, else dateTime.")
		case !date && !dateTime && !in.isPartial():
			r.Report(at, "Neither date nor dateTime is given; there must be exactly one: date for an all-day event, else dateTime.")
		}
	})
}

var timeSameForm = diag.Rule{
	ID: "time.same-form", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary:   "The start and the end are both all-day or both timed.",
	Section:   sectionObserved,
	PatchHint: `To change the form, send the other member as null, as in {"date": null, "dateTime": "2026-03-10T09:00:00Z"}, in start and end.`,
	Good:      diag.Example{Request: sample.AllDay()},
	Bad:       diag.Example{Request: sample.Insert(`"start":{"date":"2026-03-10"}`, sample.End)},
	Check:     check(checkSameForm),
}

func checkSameForm(in *input, r diag.Reporter) {
	switch {
	case in.start.form == allDay && in.end.form == timed:
		r.Report("/end", "The end has a dateTime and the start a date; both must have the same form. Send the end as a date, or the start as a dateTime.")
	case in.start.form == timed && in.end.form == allDay:
		r.Report("/end", "The end has a date and the start a dateTime; both must have the same form. Send the end as a dateTime, or the start as a date.")
	}
}

var timeOrder = diag.Rule{
	ID: "time.order", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary: "The end is not before the start.",
	Section: sectionObserved,
	Why:     "Instants are compared with their offsets and zones, days by the calendar.",
	Good:    diag.Example{Request: sample.Insert(sample.Start, `"end":{"dateTime":"2026-03-10T14:00:00Z"}`)},
	Bad:     diag.Example{Request: sample.Insert(sample.Start, `"end":{"dateTime":"2026-03-10T10:00:00Z"}`)},
	Check:   check(checkOrder),
}

func checkOrder(in *input, r diag.Reporter) {
	if order, ok := in.end.compare(in.start); ok && order < 0 {
		r.Report("/end", "The end %s is before the start %s. Send an end that is after it.", in.result.End.quote(), in.result.Start.quote())
	}
}

var timeEmpty = diag.Rule{
	ID: "time.empty", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary: "The end is after the start.",
	Section: sectionEvent + ", start and end",
	Why:     "The start is inclusive and the end exclusive, so an event that ends when it starts covers no time. A single day ends on the next.",
	Good:    diag.Example{Request: sample.AllDay()},
	Bad:     diag.Example{Request: sample.Insert(`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"}`)},
	Check:   check(checkEmpty),
}

func checkEmpty(in *input, r diag.Reporter) {
	if order, ok := in.end.compare(in.start); ok && order == 0 {
		r.Report("/end", "The end equals the start, and the end is exclusive: the event covers no time. A single day ends on the next one.")
	}
}

// quote gives the moment as it was written, for a message, with its zone where there is one.
func (t *Time) quote() string {
	switch {
	case t.Date != "":
		return t.Date
	case t.TimeZone != "":
		return t.DateTime + " in " + t.TimeZone
	default:
		return t.DateTime
	}
}

var recurrenceOnInstance = diag.Rule{
	ID: "recurrence.on-instance", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"recurrence", "recurringEventId"},
	Summary: "An instance of a series has no recurrence of its own.",
	Section: sectionEvent + ", recurrence",
	Good:    diag.Example{Request: sample.Series("RRULE:FREQ=DAILY;COUNT=3")},
	Bad:     diag.Example{Request: sample.Timed(`"recurringEventId":"abc12def"`, sample.Recurrence("RRULE:FREQ=DAILY;COUNT=3"))},
	Check:   check(checkRecurrenceOnInstance),
}

func checkRecurrenceOnInstance(in *input, r diag.Reporter) {
	if len(in.result.Recurrence) > 0 && in.result.RecurringEventID != "" {
		r.Report("/recurrence", "The event is an instance of the series %s and has a recurrence of its own. Leave the recurrence out, or change the series.",
			diag.Quote(in.result.RecurringEventID))
	}
}

var recurringIDWritten = diag.Rule{
	ID: "event.recurring-id.written", Kind: diag.Advise, When: diag.Insert, Basis: diag.Observed, Scope: diag.OfEvent,
	Summary: "A client does not set recurringEventId or originalStartTime on insert.",
	Section: sectionObserved,
	Why:     "The service makes the instances of a series; to change one, update it by its own id.",
	Good:    diag.Example{Request: sample.Timed()},
	Bad:     diag.Example{Request: sample.Timed(`"recurringEventId":"abc12def"`)},
	Check:   check(checkRecurringIDWritten),
}

func checkRecurringIDWritten(in *input, r diag.Reporter) {
	const message = "Instances are not inserted: the service makes them. Update the instance by its own id instead."
	if in.result.RecurringEventID != "" {
		r.Report("/recurringEventId", message)
	}
	if in.result.OriginalStartTime != nil {
		r.Report("/originalStartTime", message)
	}
}

var originalStartMember = diag.Rule{
	ID: "event.original-start.member", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The originalStartTime is a start that the recurrence of the series gives.",
	Section: sectionEvent + ", originalStartTime",
	Why:     "It identifies the instance. Checked only where the caller supplies the series.",
	Good:    diag.Example{Request: instanceOf(`"originalStartTime":{"date":"2026-03-11"}`)},
	Bad:     diag.Example{Request: instanceOf(`"originalStartTime":{"date":"2026-03-20"}`)},
	Check:   check(checkOriginalStartMember),
}

// instanceOf makes an insert beside the series of 10 to 12 March 2026.
func instanceOf(members ...string) string {
	return sample.With(sample.AllDay(members...),
		`"series":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
}

func checkOriginalStartMember(in *input, r diag.Reporter) {
	original := in.result.OriginalStartTime
	if in.req.Series == nil || original == nil {
		return
	}
	if member, known := isMember(in.req.Series, readMoment(original)); known && !member {
		r.Report("/originalStartTime", "The originalStartTime %s is no start that the recurrence of the series gives. Send that of an instance.", original.quote())
	}
}

// isMember reports whether the recurrence of a series gives a start at the moment. known is
// false where the series or the moment cannot be read.
func isMember(series *Event, at moment) (member, known bool) {
	start := readMoment(series.Start).recurrence()
	if start == nil || !at.known {
		return false, false
	}
	if (at.form == allDay) != start.AllDay() {
		return false, true
	}
	set, err := recurrence.Parse(series.Recurrence)
	if err != nil {
		return false, false
	}
	expanded, err := recurrence.Compile(set, *start)
	if err != nil {
		return false, false
	}
	member, err = expanded.Contains(at.instant())
	return member, err == nil
}
