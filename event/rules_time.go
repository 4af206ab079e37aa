package event

import (
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// timeMember is a start, end or originalStartTime that is present and must be checked.
type timeMember struct {
	*Time
	at     diag.Pointer
	parsed *parsedTime
	sent   *Time // the time in the body, or nil
}

// days returns the number of days that an all-day event covers, or false if the event is not all-day or its times are wrong.
func (in *input) days() (int, bool) {
	if in.start.form != allDay || in.end.form != allDay || !in.start.known || !in.end.known {
		return 0, false
	}
	n := in.end.date.Days() - in.start.date.Days()
	return n, n >= 0 // another rule reports an end before the start
}

// Paths of members of start, end and originalStartTime.
var (
	datePaths     = []string{"start.date", "end.date", "originalStartTime.date"}
	dateTimePaths = []string{"start.dateTime", "end.dateTime", "originalStartTime.dateTime"}
	zonePaths     = []string{"start.timeZone", "end.timeZone", "originalStartTime.timeZone"}
	formPaths     = []string{"start.date", "start.dateTime", "end.date", "end.dateTime", "originalStartTime.date", "originalStartTime.dateTime"}
	instantPaths  = []string{"start.dateTime", "start.timeZone", "end.dateTime", "end.timeZone", "originalStartTime.dateTime", "originalStartTime.timeZone"}
)

// The following methods report whether a member of a [Time] was sent, even if it is empty.

func (t *Time) hasDate() bool     { return wasSent(t.Date, &t.extra, "date") }
func (t *Time) hasDateTime() bool { return wasSent(t.DateTime, &t.extra, "dateTime") }
func (t *Time) hasZone() bool     { return wasSent(t.TimeZone, &t.extra, "timeZone") }

var timeDateFormat = diag.Rule{
	ID: "time.date.format", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: datePaths,
	Summary: "A date must be a valid calendar date in the form yyyy-mm-dd.",
	Section: sectionTimes + ", date",
	Says:    constraint.FullDate.Says(),
	Good:    sample.Insert{`"start":{"date":"2024-02-29"},"end":{"date":"2024-03-01"}`},
	Bad:     sample.Insert{`"start":{"date":"2026-02-29"},"end":{"date":"2026-03-01"}`},
	Check:   check(checkDateFormat),
}

func checkDateFormat(in *input, r engine.Reporter) {
	for _, t := range in.times {
		if !t.parsed.isDate && t.hasDate() {
			constraint.FullDate.Report(r, t.at+"/date", "date", t.Date)
		}
	}
}

var timeDateTimeFormat = diag.Rule{
	ID: "time.datetime.format", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: dateTimePaths,
	Summary: "A dateTime must be an RFC 3339 timestamp.",
	Section: sectionTimes + ", dateTime; RFC 3339 section 5.6",
	Why:     "The letters t and z may be in lower case. A leap second is valid where one can occur. The rule time.offset covers missing offsets.",
	Says:    constraint.EventDateTime.Says(),
	Good:    sample.Insert{`"start":{"dateTime":"2026-03-10t09:00:00.000z"}`, sample.End},
	Bad:     sample.Insert{`"start":{"dateTime":"2026-03-10T09:00-04:00"}`, sample.End},
	Check:   check(checkDateTimeFormat),
}

func checkDateTimeFormat(in *input, r engine.Reporter) {
	for _, t := range in.times {
		if !t.parsed.isDateTime && t.hasDateTime() {
			constraint.EventDateTime.Report(r, t.at+"/dateTime", "dateTime", t.DateTime)
		}
	}
}

var timeOffset = diag.Rule{
	ID: "time.offset", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: instantPaths,
	Summary: "A dateTime must have an offset unless there is a timeZone.",
	Section: sectionTimes + ", dateTime",
	Why:     "Without an offset or a timeZone, the instant is unknown.",
	Good:    sample.Insert{`"start":{"dateTime":"2026-03-10T09:00:00","timeZone":"America/New_York"}`, sample.End},
	Bad:     sample.Insert{`"start":{"dateTime":"2026-03-10T09:00:00"}`, sample.End},
	Says:    diag.Sentences{{Key: "none", Text: `The dateTime {value} has no offset, and there is no timeZone. Add one of them, such as Z or "timeZone": "UTC".`}},
	Check:   check(checkOffset),
}

func checkOffset(in *input, r engine.Reporter) {
	for _, t := range in.times {
		if t.parsed.isDateTime && !t.parsed.civil.HasOffset && !t.hasZone() && !in.mayHaveZone(t.sent) {
			r.Report(t.at+"/dateTime", "none", diag.Value("value", t.DateTime))
		}
	}
}

// mayHaveZone reports whether a time that a patch sends without a timeZone may have a stored timeZone, which is false if the
// patch clears the timeZone.
func (in *input) mayHaveZone(sent *Time) bool {
	return in.isPartial() && !sent.extra.Null("timeZone")
}

var timeZoneIANA = diag.Rule{
	ID: "time.zone.iana", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: zonePaths,
	Summary: "A timeZone must be a name in the IANA Time Zone Database.",
	Section: sectionTimes + ", timeZone",
	Why: "Links such as US/Pacific are valid. The name Local, offsets, abbreviations that are not in the database and the zone names of " +
		"desktop calendars are not. The library has the names from release " + form.ZoneRelease + ".",
	Says:  constraint.IANAZone.Says(),
	Good:  sample.Insert{`"start":{"date":"2026-03-10","timeZone":"US/Pacific"},"end":{"date":"2026-03-11","timeZone":"US/Pacific"}`},
	Bad:   sample.Insert{`"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"Eastern Standard Time"}`, sample.End},
	Check: check(checkZone),
}

func checkZone(in *input, r engine.Reporter) {
	for _, t := range in.times {
		if !t.parsed.isZone && t.hasZone() {
			constraint.IANAZone.Report(r, t.at+"/timeZone", "timeZone", t.TimeZone)
		}
	}
}

var timeZoneRecurring = diag.Rule{
	ID: "time.zone.recurring", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"start.dateTime", "start.timeZone", "end.dateTime", "end.timeZone", "recurrence"},
	Summary: "A recurring timed event must have a timeZone in both start and end.",
	Section: sectionTimes + ", timeZone",
	Reason:  "required",
	Why:     "The recurrence is expanded in that zone; an offset does not determine when clocks change.",
	Good:    sample.Series{"RRULE:FREQ=DAILY;COUNT=3"},
	Bad: sample.Insert{sample.Start, `"end":{"dateTime":"2026-03-10T10:00:00-04:00"}`,
		`"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	Says:  diag.Sentences{{Key: "missing", Text: "A recurring event requires a timeZone. Add an IANA name such as Europe/Berlin."}},
	Check: check(checkZoneRecurring),
}

func checkZoneRecurring(in *input, r engine.Reporter) { reportZoneless(in, timed, r) }

// reportZoneless reports the start and the end of a recurring event if they have the given form but no timeZone.
func reportZoneless(in *input, form timeForm, r engine.Reporter) {
	e := in.next
	if len(e.Recurrence) == 0 {
		return
	}
	if in.start.form == form && !e.Start.hasZone() && !in.mayHaveZone(in.sent.Start) {
		r.Report("/start/timeZone", "missing")
	}
	if in.end.form == form && !e.End.hasZone() && !in.mayHaveZone(in.sent.End) {
		r.Report("/end/timeZone", "missing")
	}
}

var timeZoneRecurringAllDay = diag.Rule{
	ID: "time.zone.recurring-all-day", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"start.date", "start.timeZone", "end.date", "end.timeZone", "recurrence"},
	Summary: "A recurring all-day event should have a timeZone in both start and end.",
	Section: sectionTimes + ", timeZone",
	Why: "The documents require a timeZone for all recurring events. The public service accepts recurring all-day events without " +
		"one, and ordinary clients send them.",
	Good: sample.Days{"RRULE:FREQ=DAILY;COUNT=3"},
	Bad: sample.Insert{`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`,
		`"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
	Says:  diag.Sentences{{Key: "missing", Text: "A recurring all-day event should have a timeZone. Add an IANA name such as Europe/Berlin."}},
	Check: check(checkZoneRecurringAllDay),
}

func checkZoneRecurringAllDay(in *input, r engine.Reporter) { reportZoneless(in, allDay, r) }

var timeOneForm = diag.Rule{
	ID: "time.one-form", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: formPaths,
	Summary:  "A start, end or originalStartTime must have exactly one of date and dateTime.",
	Section:  sectionObserved,
	Seen:     "A patch that adds a dateTime to an all-day event without clearing the date gets 400.",
	Reported: []string{"fazer-ai/agents#2"},
	Why:      "With both members, it is unclear whether the event is all-day; with neither, it is unclear when the event takes place.",
	Good:     sample.AllDay{},
	Bad:      sample.Insert{`"start":{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00-04:00"}`, sample.End},
	Says: diag.Sentences{
		{
			Key:  "both",
			Text: "The time has both date and dateTime. Send date for an all-day event, or dateTime for a timed event.",
			Fix:  diag.Proposal{At: "/{stored}", Value: "null", Certain: true},
		},
		{Key: "neither", Text: "The time has neither date nor dateTime. Send date for an all-day event, or dateTime for a timed event."},
		{Key: patchHint, Text: changeForm},
	},
	Check: check(checkOneForm),
}

// changeForm is the hint for a patch that changes a stored time from a date to a date-time or vice versa.
const changeForm = `To change the form, send the other member as null in both start and end, as in {"date": null, "dateTime": ` +
	`"2026-03-10T09:00:00Z"} or {"date": "2026-03-10", "dateTime": null}.`

func checkOneForm(in *input, r engine.Reporter) {
	for _, t := range in.times {
		switch date, dateTime := t.hasDate(), t.hasDateTime(); {
		case date && dateTime:
			r.Report(t.at, "both", t.otherForm()...)
		case !date && !dateTime && (!in.isPartial() || t.sent.clearsForm()):
			r.Report(t.at, "neither")
		}
	}
}

// otherForm returns an argument that names the stored form of the time if a patch sends only the other form.
func (t *timeMember) otherForm() []diag.Arg {
	switch {
	case t.sent == nil || t.sent.Date != "" && t.sent.DateTime != "":
		return nil
	case t.sent.Date != "":
		return []diag.Arg{diag.Name("stored", "dateTime")}
	default:
		return []diag.Arg{diag.Name("stored", "date")}
	}
}

// clearsForm reports whether a patch sends null for both date and dateTime.
func (t *Time) clearsForm() bool { return t.extra.Null("date") && t.extra.Null("dateTime") }

var timeSameForm = diag.Rule{
	ID: "time.same-form", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"start.date", "start.dateTime", "end.date", "end.dateTime"},
	Summary:  "The start and the end must both be all-day or both be timed.",
	Section:  sectionObserved,
	Seen:     `400: "Start and end times must either both be date or both be dateTime."`,
	Reported: []string{"googleapis/google-api-php-client#955", "t4t5/caldir#20"},
	Good:     sample.AllDay{},
	Bad:      sample.Insert{`"start":{"date":"2026-03-10"}`, sample.End},
	Says: diag.Sentences{
		{Key: "timed-end", Text: "The end has a dateTime, but the start has a date. Send a date for both, or a dateTime for both."},
		{Key: "all-day-end", Text: "The end has a date, but the start has a dateTime. Send a date for both, or a dateTime for both."},
		{Key: patchHint, Text: changeForm},
	},
	AboutAll: true,
	Check:    check(checkSameForm),
}

func checkSameForm(in *input, r engine.Reporter) {
	switch start, end := formOf(in, &in.start, in.sent.Start), formOf(in, &in.end, in.sent.End); {
	case start == allDay && end == timed:
		r.Report("/end", "timed-end")
	case start == timed && end == allDay:
		r.Report("/end", "all-day-end")
	}
}

// formOf returns the form of a time. If the stored time is unknown and a patch clears one form, formOf returns the other form.
func formOf(in *input, t *parsedTime, sent *Time) timeForm {
	switch {
	case t.form != noForm || !in.isPartial() || sent == nil || sent.clearsForm():
		return t.form
	case sent.extra.Null("date"):
		return timed
	case sent.extra.Null("dateTime"):
		return allDay
	default:
		return noForm
	}
}

var timeOrder = diag.Rule{
	ID: "time.order", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary:  "The end must not be before the start.",
	Section:  sectionObserved,
	Seen:     `400 with the reason timeRangeEmpty: "The specified time range is empty."`,
	Reported: []string{"kewisch/gdata-provider#12", "flavorjones/calendar-assistant#117"},
	Reason:   "timeRangeEmpty",
	Why:      "Times are compared as instants, which depend on their offsets and zones; dates are compared as dates.",
	Good:     sample.Insert{sample.Start, `"end":{"dateTime":"2026-03-10T14:00:00Z"}`},
	Bad:      sample.Insert{sample.Start, `"end":{"dateTime":"2026-03-10T10:00:00Z"}`},
	Says: append(diag.Sentences{
		{Key: "before", Text: "The end {end} is before the start {start}. Send an end after the start."},
		{Key: patchHint, Text: "Send the start and the end of the event together."},
		{Key: "patch-hint-start", Text: "The patch moves only the start, past the stored end. Send the end too."},
		{Key: "patch-hint-end", Text: "The patch moves only the end, before the stored start. To move the event, send the start too."},
	}, inZones...),
	AboutAll: true,
	Check:    check(checkOrder),
}

// inZones contains the phrases that mention a start and an end with their zones. See [parsedTime.mention].
var inZones = diag.Sentences{
	{Key: "end-in-zone", Text: "{endTime} in {endZone}"},
	{Key: "end-skipped", Text: "{endTime} in {endZone} (which the clock skips, so it means {endInstant})"},
	{Key: "start-in-zone", Text: "{startTime} in {startZone}"},
	{Key: "start-skipped", Text: "{startTime} in {startZone} (which the clock skips, so it means {startInstant})"},
}

func checkOrder(in *input, r engine.Reporter) {
	if order, ok := in.end.compare(&in.start); ok && order < 0 {
		end, start := in.end.mention("end", in.next.End), in.start.mention("start", in.next.Start)
		r.Report("/end", "before", append(append(end, start...), diag.Value("value", in.next.End.String()))...)
	}
}

// mention returns the arguments that show the time in a sentence, as written and with its zone, if any. The rule must
// have a sentence for a time with a zone.
func (t *Time) mention(place string) []diag.Arg {
	switch {
	case t.Date != "":
		return []diag.Arg{diag.Plain(place, t.Date)}
	case t.TimeZone == "":
		return []diag.Arg{diag.Plain(place, t.DateTime)}
	default:
		return []diag.Arg{wording.Part(place, place+"-in-zone"), diag.Plain(place+"Time", t.DateTime), diag.Plain(place+"Zone", t.TimeZone)}
	}
}

// mention is like [Time.mention], but also explains a local time that the clock skips.
func (p *parsedTime) mention(place string, t *Time) []diag.Arg {
	args := t.mention(place)
	if instant := p.ifSkipped(); instant != "" {
		args[0] = wording.Part(place, place+"-skipped")
		args = append(args, diag.Plain(place+"Instant", instant))
	}
	return args
}

// ifSkipped returns the service's interpretation, with an offset, of a local time that the clock skips, such as when daylight
// saving time begins, or "" for other times.
func (p *parsedTime) ifSkipped() string {
	switch at := p.at().In(p.location()); {
	case p.form == allDay, p.civil.HasOffset, at.Hour() == p.civil.Hour && at.Minute() == p.civil.Minute:
		return ""
	default:
		return at.Format(time.RFC3339)
	}
}

var timeEmpty = diag.Rule{
	ID: "time.empty", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"start", "end"},
	Summary: "The end should be after the start.",
	Section: sectionEvent + ", start and end",
	Why: "The start is inclusive and the end is exclusive, so an event that ends when it starts has no duration. A one-day event " +
		"ends on the next day.",
	Good: sample.AllDay{},
	Bad:  sample.Insert{`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-10"}`},
	Says: append(diag.Sentences{
		{Key: "equal", Text: "The end equals the start, so the event has no duration."},
		{Key: "equal-instant", Text: "The end {end} is the same instant as the start {start}, so the event has no duration."},
		{Key: "later", Text: "Send an end after the start."},
		{Key: "next-day", Text: "A one-day event ends on the next day."},
	}, inZones...),
	Check: check(checkEmpty),
}

func checkEmpty(in *input, r engine.Reporter) {
	if order, ok := in.end.compare(&in.start); !ok || order != 0 {
		return
	}
	if in.start.form == allDay {
		r.Report("/end", "equal", wording.Also("next-day"))
		return
	}
	if start, end := in.next.Start, in.next.End; start.DateTime == end.DateTime && start.TimeZone == end.TimeZone {
		r.Report("/end", "equal", wording.Also("later"))
		return
	}
	end, start := in.end.mention("end", in.next.End), in.start.mention("start", in.next.Start)
	r.Report("/end", "equal-instant", append(append(end, start...), wording.Also("later"))...)
}

var timeFraction = diag.Rule{
	ID: "time.fraction", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"start.dateTime", "end.dateTime"},
	Summary:  "The start and the end should not have fractions of a second.",
	Section:  sectionObserved,
	Seen:     "The answer of the service has no microseconds.",
	Reported: []string{"kuzmoyev/google-calendar-simple-api#190"},
	Why: "The public service drops fractions of a second, so responses in its dialect contain none; in the dialect of the " +
		"documents, fractions are kept. A fraction that is all zeros is not reported.",
	Good:  sample.Insert{`"start":{"dateTime":"2026-03-10T09:00:00.000-04:00"}`, sample.End},
	Bad:   sample.Insert{`"start":{"dateTime":"2026-03-10T09:00:00.500-04:00"}`, sample.End},
	Says:  diag.Sentences{{Key: "fraction", Text: "The dateTime {value} has a fraction of a second, which Google Calendar drops. Send whole seconds.", Fix: diag.Proposal{Certain: true}}},
	Check: check(checkFraction),
}

func checkFraction(in *input, r engine.Reporter) {
	for _, t := range in.times {
		if t.at != "/originalStartTime" && t.parsed.hasFraction() {
			r.Report(t.at+"/dateTime", "fraction", diag.Value("value", t.DateTime), diag.Value("suggestion", withoutFraction(t.DateTime)))
		}
	}
}

// withoutFraction returns a dateTime without its fractional seconds.
func withoutFraction(dateTime string) string {
	whole, rest, _ := strings.Cut(dateTime, ".")
	return whole + strings.TrimLeft(rest, "0123456789")
}

var timeOffsetSeason = diag.Rule{
	ID: "time.offset.season", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: instantPaths,
	Summary: "The offset of a dateTime should not be an offset that its timeZone has only in another season.",
	Section: sectionTimes + ", dateTime and timeZone",
	Why: "The offset determines the instant, so a winter offset in summer moves the event by an hour. The offsets Z, +00:00 and " +
		"-00:00 mean UTC and are not reported. Nor are offsets that the zone does not have at all in that year, or the offset of " +
		"the calendar's zone, which the public service uses in its responses.",
	Good: sample.Insert{`"start":{"dateTime":"2026-04-04T13:00:00+02:00","timeZone":"Europe/Berlin"}`,
		`"end":{"dateTime":"2026-04-04T15:00:00+02:00","timeZone":"Europe/Berlin"}`},
	Bad: sample.Insert{`"start":{"dateTime":"2026-04-04T13:00:00+01:00","timeZone":"Europe/Berlin"}`,
		`"end":{"dateTime":"2026-04-04T15:00:00+02:00","timeZone":"Europe/Berlin"}`},
	Says:  diag.Sentences{{Key: "season", Text: "The dateTime {value} has an offset that {zone} has only at another time of that year, so it means {instant} in that zone. If the time of day is right, send {suggestion}."}},
	Check: check(checkOffsetSeason),
}

func checkOffsetSeason(in *input, r engine.Reporter) {
	for _, t := range in.times {
		p, named := t.parsed, t.parsed.namedZone()
		if named == nil || !p.known || p.civil.Offset == 0 || in.hasOffset(named, p.at(), p.civil.Offset) || !in.hasOffsetIn(named, p.civil) {
			continue
		}
		if shown := answerZone(in); in.dialect == diag.Google && shown != nil && in.hasOffset(shown, p.at(), p.civil.Offset) {
			continue // the offset that the service returns
		}
		meant := *p
		meant.civil.HasOffset, meant.civil.Offset = false, 0
		if meant.at().Equal(p.at()) {
			continue // the clock skips the time, so the earlier offset is right
		}
		r.Report(t.at+"/dateTime", "season", diag.Value("value", t.DateTime), diag.Plain("zone", t.TimeZone),
			diag.Plain("instant", p.dateTimeIn(named)), diag.Value("suggestion", meant.dateTimeIn(nil)))
	}
}

// hasOffset reports whether the zone has the given offset, in seconds, at the given instant.
func (in *input) hasOffset(zone *time.Location, at time.Time, offset int) bool {
	return in.seasons.At(at.In(zone)) == offset
}

// hasOffsetIn reports whether the zone has the offset of a dateTime on any day of the same year.
func (in *input) hasOffsetIn(zone *time.Location, t form.DateTime) bool {
	for at := time.Date(t.Year, time.January, 1, 12, 0, 0, 0, zone); at.Year() == t.Year; at = at.AddDate(0, 0, 1) {
		if in.hasOffset(zone, at, t.Offset) {
			return true
		}
	}
	return false
}

var timeAnswerOffset = diag.Rule{
	ID: "time.answer-offset", Describes: diag.Effect, When: diag.Write | diag.Get | diag.List | diag.Instances, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:   instantPaths,
	Summary: "In the dialect of the public service, every dateTime in a response has an offset and keeps its timeZone.",
	Section: sectionObserved,
	Seen: "A dateTime has the offset of the calendar's zone, or of the timeZone parameter of get, list and instances; the timeZone " +
		"stays as stored.",
	Reported: []string{"googleapis/google-api-dotnet-client#1778", "googleapis/google-api-ruby-client#647"},
	Why: "Without the timeZone parameter, and if the calendar's zone is unknown, an offset that was sent is kept. If no offset was " +
		"sent, the offset of the timeZone is added: in a gap, the offset before the gap; in an overlap, the first. A time without " +
		"a timeZone gets the zone of the calendar, if that is known. Fractions of a second are dropped. The stored event keeps the " +
		"client's spelling, and sending the response back changes nothing.",
	Good: sample.Answered(sample.Insert{`"start":{"dateTime":"2026-12-01T09:00:00","timeZone":"America/New_York"}`,
		`"end":{"dateTime":"2026-12-01T10:00:00","timeZone":"America/New_York"}`},
		`{"event":{"start":{"dateTime":"2026-12-01T09:00:00-05:00","timeZone":"America/New_York"}},"stored":{"start":{"dateTime":"2026-12-01T09:00:00"}}}`, `"dialect":"google"`),
	Bad: sample.Answered(sample.Insert{`"start":{"date":"2026-12-01"}`, `"end":{"date":"2026-12-02"}`},
		`{"event":{"start":{"date":"2026-12-01"}}}`, `"dialect":"google"`),
	OnlyIn: new(diag.Google),
}
