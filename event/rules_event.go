package event

import (
	"maps"
	"strconv"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
	"github.com/calrules/calrules/recurrence"
)

var iCalUIDChanged = diag.Rule{
	ID: "event.icaluid.changed", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"iCalUID"},
	Summary: "The iCalUID cannot change after creation.",
	Section: sectionEvent + ", iCalUID",
	Why: "The documents do not say that the iCalUID is writable after creation, and the occurrences of a series share it, so a " +
		"different value has no effect.",
	Good: sample.Patch{`"iCalUID":"uid-1@example.org"`, `"iCalUID":"uid-1@example.org"`},
	Bad:  sample.Patch{`"iCalUID":"uid-2@example.org"`, `"iCalUID":"uid-1@example.org"`},
	Says: diag.Sentences{
		{Key: "changed", Text: "The iCalUID of the event is {limit} and cannot change, so {value} has no effect. Leave it out."},
		{Key: "cleared", Text: "The iCalUID of the event is {limit} and cannot change, so clearing it has no effect. Leave it out."},
	},
	Check: check(checkICalUIDChanged),
}

func checkICalUIDChanged(in *input, r engine.Reporter) {
	was, is := in.stored.ICalUID, in.sent.ICalUID
	switch {
	case was == "" || is == was || !in.present.Has(ofICalUID):
	case is == "":
		r.Report("/iCalUID", "cleared", diag.Value("limit", was))
	default:
		r.Report("/iCalUID", "changed", diag.Value("value", is), diag.Value("limit", was))
	}
}

var eventKind = diag.Rule{
	ID: "event.kind", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"kind"},
	Summary: "The kind, if present, must be calendar#event.",
	Section: sectionEvent,
	Why:     "A body of another kind is not an event.",
	Good:    sample.Timed{`"kind":"calendar#event"`},
	Bad:     sample.Timed{`"kind":"calendar#calendar"`},
	Says:    diag.Sentences{{Key: "other", Text: "The kind is {value}; it must be {limit} or absent.", Fix: diag.Proposal{Value: `"calendar#event"`, Certain: true}}},
	Check:   check(checkKind),
}

func checkKind(in *input, r engine.Reporter) {
	e := in.sent
	stored := in.existing == knownEvent && e.Kind != "" && e.Kind == in.stored.Kind
	if e.Kind != constraint.EventKind && wasSent(e.Kind, &e.extra, "kind") && !stored {
		r.Report("/kind", "other", diag.Value("value", e.Kind), diag.Value("limit", constraint.EventKind))
	}
}

var eventReadOnly = diag.Rule{
	ID: "event.read-only", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange,
	Reads: []string{
		"created", "updated", "creator", "creator.self", "organizer.self", "locked",
		"attendees[].organizer", "attendees[].self", "attendees[].asyncOperation",
		"birthdayProperties.contact", "birthdayProperties.customTypeName",
		"attachments[].fileId", "conferenceData.createRequest.status",
	},
	Summary: "A client cannot write read-only members.",
	Section: sectionEvent,
	Why: "The read-only members are created, updated, creator and locked; organizer, self and asyncOperation of attendees; self of the " +
		"organizer; contact and customTypeName of a birthday; fileId of attachments; and the status of a createRequest. A value that " +
		"differs from the stored one has no effect.",
	Good:  sample.Timed{`"locked":false`},
	Bad:   sample.Timed{`"created":"2026-01-05T08:00:00Z"`},
	Says:  object.SaysIgnored,
	Check: check(checkRequestStatus),
}

func checkRequestStatus(in *input, r engine.Reporter) {
	if sendsRequestStatus(in) {
		r.Report("/conferenceData/createRequest/status", "ignored", diag.Name("member", "status"))
	}
}

// sendsRequestStatus reports whether the body contains a createRequest status that differs from the stored status. The tables
// of this package do not cover conference data. With conferenceDataVersion=0, all conference data is ignored, which the rule
// conference.version reports.
func sendsRequestStatus(in *input) bool {
	if in.sent.ConferenceData == nil || in.options.ConferenceDataVersion == 0 || in.existing == unknownEvent {
		return false
	}
	request, old := createRequest(in.asked()), createRequest(in.stored)
	if request == nil {
		return false
	}
	stored := old != nil && old.Status != nil
	if request.Status == nil { // a patch with a requestId creates a new request instead of clearing the status
		return stored && in.on == diag.Patch && createRequest(in.sent).RequestID == ""
	}
	return !stored || request.Status.Code != old.Status.Code
}

// createRequest returns the createRequest of the event's conference data, or nil.
func createRequest(e *Event) *conference.CreateRequest {
	if e.ConferenceData == nil {
		return nil
	}
	return e.ConferenceData.CreateRequest
}

var eventServerSet = diag.Rule{
	ID: "event.server-set", Kind: diag.Ignore, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"etag", "htmlLink", "videoLink", "gadget.link", "gadget.iconLink", "attachments[].iconLink"},
	Summary: "A client cannot write members that only the service sets.",
	Section: sectionEvent,
	Why: "Only the service sets etag, htmlLink and videoLink, the iconLink of attachments, and the link and iconLink of the gadget. A " +
		"value that differs from the stored one has no effect. In the public service, clients can set the iconLink of third-party " +
		"attachments, whose files are not on drive.google.com or docs.google.com.",
	Says: object.SaysIgnored,
	Good: sample.Timed{`"summary":"Standup"`},
	Bad:  sample.Timed{`"htmlLink":"https://calendar.example.com/event?eid=1"`},
}

var eventTimestamps = diag.Rule{
	ID: "event.timestamps", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"created", "updated"},
	Summary: "The members created and updated must be RFC 3339 timestamps.",
	Section: sectionEvent + ", created and updated",
	Why:     "The timestamps must have an offset, because there is no timeZone for them. Either may be absent.",
	Says:    constraint.Timestamp.Says(),
	Good:    sample.Request{"response", `"id":"abc12def"`, sample.Start, sample.End, `"created":"2026-01-05T08:00:00.123Z"`},
	Bad:     sample.Request{"response", `"id":"abc12def"`, sample.Start, sample.End, `"created":"2026-01-05T08:00:00.123"`},
}

var colorKnown = diag.Rule{
	ID: "event.color.known", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"colorId"},
	Summary: "The colorId must be an entry in the event section of the colors definition.",
	Section: sectionEvent + ", colorId",
	Why: "The rule is checked only if the service processes colorId and the caller supplies the ids that Colors.get lists. In the " +
		"dialect of the public service, the colors are 1 to 11 if the caller supplies none. A patch or an update of an unknown event may " +
		"repeat the color of the event.",
	Good: sample.With(sample.Timed{`"colorId":"5"`}, `"calendar":{"colors":["1","5"]}`),
	Bad:  sample.With(sample.Timed{`"colorId":"12"`}, `"calendar":{"colors":["1","5"]}`),
	Says: diag.Sentences{
		{Key: "unknown", Text: "The colorId {value} is not an event color in the colors definition. Choose a color that Colors.get lists."},
		{Key: "palette", Text: "The colorId {value} is not an event color of the public service. Choose 1 to 11, or another color that Colors.get lists."},
	},
	Check: check(checkColorKnown),
}

func checkColorKnown(in *input, r engine.Reporter) {
	calendar, id := in.req.Calendar, in.next.ColorID
	if in.existing == unknownEvent || in.options.EventLabelVersion > 0 || !wasSent(id, &in.next.extra, "colorId") {
		return
	}
	switch {
	case calendar != nil && calendar.Colors != nil:
		if !calendar.Colors.Has(id) {
			r.Report("/colorId", "unknown", diag.Value("value", id))
		}
	case in.dialect == diag.Google && id != "" && !isEventColor(id):
		r.Report("/colorId", "palette", diag.Value("value", id))
	}
}

// isEventColor reports whether id is the id of an event color in the public service.
func isEventColor(id string) bool {
	const most = 11
	n, err := strconv.Atoi(id)
	return err == nil && 1 <= n && n <= most && strconv.Itoa(n) == id
}

var startRequired = diag.Rule{
	ID: "event.start.required", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"start"},
	Summary: "A new event must have a start.",
	Section: sectionInsert,
	Reason:  "required",
	Says:    constraint.SaysRequired(nil),
	Good:    sample.Timed{},
	Bad:     sample.Insert{sample.End},
}

var endRequired = diag.Rule{
	ID: "event.end.required", Kind: diag.Reject, When: diag.Insert, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"end"},
	Summary: "A new event must have an end.",
	Section: sectionInsert,
	Reason:  "required",
	Why:     "An end is required even if endTimeUnspecified is true.",
	Says:    constraint.SaysRequired(nil),
	Good:    sample.Timed{},
	Bad:     sample.Insert{sample.Start},
}

var endUnspecified = diag.Rule{
	ID: "event.end-unspecified", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"endTimeUnspecified", "end"},
	Summary: "The member endTimeUnspecified defaults to false. If it is true, the event still has an end.",
	Section: sectionEvent + ", endTimeUnspecified",
	Good:    sample.Answered(sample.Timed{}, `{"event":{"endTimeUnspecified":null,`+sample.End+`}}`),
	Bad:     sample.Answered(sample.Timed{`"endTimeUnspecified":true`}, `{"event":{"endTimeUnspecified":true,`+sample.End+`}}`),
}

var endProvided = diag.Rule{
	ID: "event.end.provided", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"endTimeUnspecified", "end", "status"},
	Summary: "An event must have an end even if endTimeUnspecified is true.",
	Section: sectionEvent + ", endTimeUnspecified",
	Why:     "A cancelled event need not have an end.",
	Good:    sample.Response{`"endTimeUnspecified":true`},
	Bad:     sample.Request{"response", `"id":"abc12def"`, sample.Start, `"endTimeUnspecified":true`},
	Says:    diag.Sentences{{Key: "missing", Text: "The event has no end. An end is required even if endTimeUnspecified is true."}},
	Check:   check(checkEndProvided),
}

func checkEndProvided(in *input, r engine.Reporter) {
	e := in.next
	if e.EndTimeUnspecified && e.End == nil && e.Status != constraint.StatusCancelled {
		r.Report("/end", "missing")
	}
}

var recurringIDWritten = diag.Rule{
	ID: "event.recurring-id.written", Kind: diag.Advise, When: diag.Create, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads: []string{"recurringEventId", "originalStartTime"},
	Summary: "An event that is inserted, or imported with the iCalUID of its series, should have neither recurringEventId nor " +
		"originalStartTime.",
	Section: sectionObserved,
	Seen: `A client's request to add an event gets 400: "Invalid recurringEventId value."; an import of one occurrence with the iCalUID ` +
		`of its series gets 400: "Invalid iCalUID value."`,
	Reported: []string{"kewisch/gdata-provider#1071", "googleworkspace/solutions#191", "googleworkspace/apps-script-samples#384"},
	Why: "The service creates the instances of a series. To change an instance, update it by its own id. An import is not reported if " +
		"the caller supplies the series and the series has a different iCalUID.",
	Good: sample.Timed{},
	Bad:  sample.Timed{`"recurringEventId":"abc12def"`},
	Says: diag.Sentences{
		{Key: "inserted", Text: "An instance cannot be inserted, because the service creates it. Update the instance by its own id instead."},
		{Key: "imported", Text: "The public service refuses to import an occurrence with the iCalUID of its series. Import the series, or leave {member} out and give the occurrence another iCalUID."},
	},
	Check: check(checkRecurringIDWritten),
}

func checkRecurringIDWritten(in *input, r engine.Reporter) {
	key := "inserted"
	if in.on == diag.Import {
		key = "imported"
		if hasOwnUID(in.next, in.req.Series) {
			return
		}
	}
	if in.next.RecurringEventID != "" {
		r.Report("/recurringEventId", key, diag.Name("member", "recurringEventId"))
	}
	if in.next.OriginalStartTime != nil {
		r.Report("/originalStartTime", key, diag.Name("member", "originalStartTime"))
	}
}

// hasOwnUID reports whether the iCalUID of an occurrence is known to differ from the series' iCalUID.
func hasOwnUID(occurrence, series *Event) bool {
	uid := series.orZero().ICalUID
	return uid != "" && occurrence.ICalUID != "" && occurrence.ICalUID != uid
}

var originalStartMember = diag.Rule{
	ID: "event.original-start.member", Kind: diag.Advise, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfRequest, Reads: []string{"originalStartTime"},
	Summary: "The originalStartTime should be the start of an instance of the series.",
	Section: sectionEvent + ", originalStartTime",
	Why:     "The originalStartTime identifies the instance. The rule is checked only if the caller supplies the series.",
	Good:    insertInstance{`"originalStartTime":{"date":"2026-03-11"}`},
	Bad:     insertInstance{`"originalStartTime":{"date":"2026-03-20"}`},
	Says: diag.Sentences{
		{Key: "no-instance", Text: "The originalStartTime {time} is not the start of an instance of the series."},
		{Key: "other-form", Text: "The originalStartTime {time} does not have the form of the start of the series; it identifies the instance of {suggestion}."},
		{Key: "id", Text: "The originalStartTime {time} is not the start of an instance of the series; the id identifies the instance of {suggestion}."},
		{Key: "missing", Text: "The originalStartTime is missing. The id identifies the instance of {suggestion}."},
		{Key: "time-in-zone", Text: "{timeTime} in {timeZone}"},
		{Key: "compare", Text: "Compare it with the recurrence of the series."},
		{Key: "leave-out", Text: "Leave it out."},
		{Key: "send-other", Text: "Send the originalStartTime of an instance."},
	},
	Check: check(checkOriginalStartMember),
}

// insertInstance is an insert in a series from 10 to 12 March 2026.
type insertInstance []string

func (members insertInstance) Example() diag.Example {
	return sample.With(sample.AllDay(members),
		`"series":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`).Example()
}

func checkOriginalStartMember(in *input, r engine.Reporter) {
	original := in.next.OriginalStartTime
	if in.req.Series == nil || original == nil {
		return
	}
	if member, known := isMember(in.req.Series, in.startOf(in.req.Series), parseTime(original)); known && !member {
		if means := meantStart(Series{Event: in.req.Series, Zone: in.calendarZone()}, in.next); means != nil && !diag.Create.Has(in.on) {
			adviseOriginalStart(r, original, means)
			return
		}
		advice := "compare"
		switch in.on {
		case diag.Insert: // every originalStartTime is wrong; see recurringIDWritten
			advice = "leave-out"
		case diag.Import:
			advice = "send-other"
		}
		r.Report("/originalStartTime", "no-instance", append(original.mention("time"), wording.Also(advice), diag.Value("value", original.String()))...)
	}
}

// adviseOriginalStart advises sending the original start of the instance that an exception is meant to replace.
func adviseOriginalStart(r engine.Reporter, original, means *Time) {
	suggestion := diag.Plain("suggestion", means.Date+means.DateTime)
	if original == nil {
		r.Report("/originalStartTime", "missing", suggestion)
		return
	}
	key := "other-form"
	if (original.Date != "") == (means.Date != "") {
		key = "id"
	}
	r.Report("/originalStartTime", key, append(original.mention("time"), suggestion, diag.Value("value", original.String()))...)
}

// meantStart returns the start of the instance that an exception most likely replaces, if it differs from its
// originalStartTime.
func meantStart(series Series, exception *Event) *Time {
	x, err := newExpansion(series)
	if err != nil {
		return nil
	}
	m, ok, err := x.stand(exception, x.searching(1))
	if !ok || err != nil || !m.rewrite {
		return nil
	}
	return x.startAt(m.original)
}

// isMember reports whether an instance of the series starts at the given time. The result known is false if the series
// or the time is unreadable.
func isMember(series *Event, start recurrence.Start, at parsedTime) (member, known bool) {
	if start.IsZero() || !at.known {
		return false, false
	}
	if (at.form == allDay) != start.AllDay() {
		return false, true
	}
	set, err := recurrence.Parse(series.Recurrence)
	if err != nil {
		return false, false
	}
	expanded, err := set.Compile(start)
	if err != nil {
		return false, false
	}
	member, err = expanded.Contains(at.instant())
	return member, err == nil
}

var statusEnum = diag.Rule{
	ID: "event.status.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"status"},
	Summary: "The status must be " + constraint.EventStatus.String() + ".",
	Section: sectionEvent + ", status",
	Says:    constraint.EventStatus.Says(),
	Good:    sample.Timed{`"status":"tentative"`},
	Bad:     sample.Timed{`"status":"CONFIRMED"`},
}

var statusDefault = diag.Rule{
	ID: "event.status.default", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"status"},
	Summary: "The status defaults to confirmed.",
	Section: sectionEvent + ", status",
	Good:    sample.Answered(sample.Timed{}, `{"event":{"status":"confirmed"}}`),
	Bad:     sample.Answered(sample.Timed{`"status":"tentative"`}, `{"event":{"status":"tentative"}}`),
}

var transparencyEnum = diag.Rule{
	ID: "event.transparency.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"transparency"},
	Summary: "The transparency must be " + constraint.Transparency.String() + ". The default is opaque.",
	Section: sectionEvent + ", transparency",
	Says:    constraint.Transparency.Says(),
	Good:    sample.Timed{`"transparency":"transparent"`},
	Bad:     sample.Timed{`"transparency":"busy"`},
}

var sequenceNegative = diag.Rule{
	ID: "event.sequence", Kind: diag.Reject, When: diag.Write, Basis: diag.RFC, Scope: diag.OfEvent, Reads: []string{"sequence"},
	Summary: "The sequence must be a non-negative integer.",
	Section: "RFC 5545 section 3.8.7.4",
	Says:    constraint.ICalSequence.Says(),
	Good:    sample.Timed{`"sequence":0`},
	Bad:     sample.Timed{`"sequence":-1`},
}

var sequenceEffect = diag.Rule{
	ID: "event.sequence.effect", Describes: diag.Effect, When: diag.Write, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:   []string{"sequence", "start", "end", "recurrence"},
	Summary: "In the dialect of the public service, the sequence increases by one if the start, the end or the recurrence changes.",
	Section: sectionObserved,
	Seen: "The sequence is 0 after an insert, increases by one with a change to the start or the end, and stays the same with other " +
		"changes.",
	Reported: []string{"https://github.com/handley-lab/mcp-handley-lab"},
	Why: "A different instant or zone is a change; a different spelling is not. If the request sends a higher sequence, that value is " +
		"kept; a lower or absent one has no effect. After an insert or an import, the sequence is the value that was sent, or 0. A move " +
		"keeps the sequence.",
	Good: sample.Answered(sample.Patch{`"end":{"dateTime":"2026-03-10T11:00:00-04:00"}`, `"sequence":3`},
		`{"event":{"sequence":4}}`, `"dialect":"google"`),
	Bad: sample.Answered(sample.Patch{`"end":{"dateTime":"2026-03-10T14:00:00Z"}`, `"sequence":3`},
		`{"event":{"sequence":3}}`, `"dialect":"google"`),
	OnlyIn: new(diag.Google),
}

var guestsDefaults = diag.Rule{
	ID: "event.defaults.guests", Describes: diag.Default, When: diag.All, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"guestsCanInviteOthers", "guestsCanSeeOtherGuests", "guestsCanModify", "anyoneCanAddSelf", "attendeesOmitted", "locked"},
	Summary: "guestsCanInviteOthers and guestsCanSeeOtherGuests are true by default; guestsCanModify, anyoneCanAddSelf, attendeesOmitted and locked are false.",
	Section: sectionEvent,
	Why: "A serializer that omits false turns a restriction into a permission. The method Event.WithDefaults sets the defaults that " +
		"are not false.",
	Good: sample.Via("Event.WithDefaults", sample.Timed{},
		`{"guestsCanInviteOthers":true,"guestsCanSeeOtherGuests":true,"guestsCanModify":null,"anyoneCanAddSelf":null,"attendeesOmitted":null,"locked":null}`),
	Bad: sample.Via("Event.WithDefaults", sample.Timed{`"guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":false,"guestsCanModify":true`},
		`{"guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":false,"guestsCanModify":true}`),
}

var anyoneCanAddSelf = diag.Rule{
	ID: "event.anyone-can-add-self.deprecated", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"anyoneCanAddSelf"},
	Summary: "An event should not have the deprecated member anyoneCanAddSelf.",
	Section: "calendar.md, Versioning",
	Good:    sample.Timed{`"guestsCanModify":true`},
	Bad:     sample.Timed{`"anyoneCanAddSelf":true`},
	Says:    diag.Sentences{{Key: "deprecated", Text: "The member anyoneCanAddSelf is deprecated. Leave it out."}},
	Check:   check(checkAnyoneCanAddSelf),
}

func checkAnyoneCanAddSelf(in *input, r engine.Reporter) {
	if in.next.AnyoneCanAddSelf || in.next.extra.WasSent("anyoneCanAddSelf") {
		r.Report("/anyoneCanAddSelf", "deprecated")
	}
}

var startEndRequired = diag.Rule{
	ID: "event.start-end.required", Kind: diag.Reject, When: diag.Import | diag.Update, Basis: diag.Inferred, Scope: diag.OfEvent,
	Reads:   []string{"start", "end"},
	Summary: "An imported or updated event must have a start and an end.",
	Section: sectionInsert,
	Reason:  "required",
	Why:     "An update replaces the whole event, so members that are not sent are removed.",
	Says:    constraint.SaysRequired(nil),
	Good:    sample.Update{""},
	Bad:     sample.With(sample.Request{"events.update", sample.Start}, sample.Existing()),
}

var recurringIDImmutable = diag.Rule{
	ID: "event.recurring-id.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"recurringEventId"},
	Summary: "The recurringEventId cannot change.",
	Section: sectionEvent + ", recurringEventId",
	Why:     "An update that does not send an immutable member leaves it unchanged.",
	Good:    sample.Patch{`"recurringEventId":"series1"`, `"recurringEventId":"series1"`},
	Bad:     sample.Patch{`"recurringEventId":"series2"`, `"recurringEventId":"series1"`},
	Says: diag.Sentences{
		{Key: "set", Text: "The request sets the immutable recurringEventId to {value}, but the event has none. Leave it out."},
		{Key: "removed", Text: "The request removes the immutable recurringEventId {limit}. Leave it out."},
		{Key: "changed", Text: "The request changes the immutable recurringEventId from {limit} to {value}. Leave it out."},
	},
	Check: check(checkRecurringIDImmutable),
}

func checkRecurringIDImmutable(in *input, r engine.Reporter) {
	was, is := in.stored.RecurringEventID, in.sent.RecurringEventID
	if in.existing != knownEvent || !in.present.Has(ofRecurringEventID) || is == was {
		return
	}
	change := "changed"
	switch {
	case was == "":
		change = "set"
	case is == "":
		change = "removed"
	}
	r.Report("/recurringEventId", change, diag.Value("value", is), diag.Value("limit", was))
}

var originalStartImmutable = diag.Rule{
	ID: "event.original-start.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"originalStartTime"},
	Summary:       "The originalStartTime cannot change.",
	Section:       sectionEvent + ", originalStartTime",
	Why:           "The originalStartTime identifies the instance. The same instant may be written differently.",
	Good:          sample.Update{`"originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}`, `"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`},
	Bad:           sample.Update{`"originalStartTime":{"dateTime":"2026-03-10T14:00:00Z"}`, `"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`},
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes the immutable originalStartTime, which identifies the instance. Leave it out."}},
	YieldsToValue: true,
	Supersedes:    []string{ruleid.PatchWhole, ruleid.EventOriginalStartMember},
	Check:         check(checkOriginalStartImmutable),
}

func checkOriginalStartImmutable(in *input, r engine.Reporter) {
	if in.existing == knownEvent && in.present.Has(ofOriginalStartTime) && !sameTime(in.stored.OriginalStartTime, in.written().OriginalStartTime) {
		r.Report("/originalStartTime", "changed")
	}
}

var privateCopyImmutable = diag.Rule{
	ID: "event.private-copy.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"privateCopy"},
	Summary: "The member privateCopy cannot change. The default is false.",
	Section: sectionEvent + ", privateCopy",
	Good:    sample.Update{`"privateCopy":false`},
	Bad:     sample.Update{`"privateCopy":true`},
	Says:    diag.Sentences{{Key: "changed", Text: "The request changes the immutable privateCopy from {limit} to {value}. Leave it out."}},
	Check:   check(checkPrivateCopyImmutable),
}

func checkPrivateCopyImmutable(in *input, r engine.Reporter) {
	if was, is := in.stored.PrivateCopy, in.sent.PrivateCopy; in.existing == knownEvent && in.present.Has(ofPrivateCopy) && is != was {
		r.Report("/privateCopy", "changed", diag.Plain("value", strconv.FormatBool(is)), diag.Plain("limit", strconv.FormatBool(was)))
	}
}

var eventLocked = diag.Rule{
	ID: "event.locked", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:         []string{"locked", "summary", "description", "location", "start", "end", "recurrence"},
	Summary:       "The summary, description, location, start, end and recurrence of a locked copy cannot change.",
	Section:       sectionEvent + ", locked",
	Why:           "The other members of the copy can change.",
	Good:          sample.Patch{`"colorId":"5"`, `"locked":true`},
	Bad:           sample.Patch{`"summary":"Daily"`, `"locked":true`},
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes {member}, but the copy is locked. Send the stored value, or leave the member out of a patch."}},
	YieldsToValue: true,
	Supersedes: []string{
		ruleid.TypeFromMailModify, ruleid.PatchWhole, ruleid.BirthdayModify, ruleid.EventOrganizerOnly,
		ruleid.RecurrenceEmptied, ruleid.RecurrenceReanchored,
	},
	Check: check(checkLocked),
}

func checkLocked(in *input, r engine.Reporter) {
	if in.stored.Locked {
		in.reportChanged(tables().lockable, r)
	}
}

var updatedMainData = diag.Rule{
	ID: "event.updated.main-data", Describes: diag.Effect, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"updated", "reminders"},
	Summary: "The member updated changes when the main event data changes, but not when only the reminders change.",
	Section: sectionEvent + ", updated",
	Why: "The library does not read a clock, so the response contains the stored value until ServerFields.Set sets the time, 12:00 " +
		"in the example.",
	Good: sample.Via("event.ServerFields.Set", sample.Patch{`"summary":"Daily"`, `"status":"confirmed"`, `"updated":"2026-03-09T12:00:00.000Z"`},
		`{"updated":"2026-03-10T12:00:00.000Z"}`),
	Bad: sample.Via("event.ServerFields.Set", sample.Patch{`"reminders":{"useDefault":true}`, `"status":"confirmed"`, `"updated":"2026-03-09T12:00:00.000Z"`},
		`{"updated":"2026-03-09T12:00:00.000Z"}`),
}

var sequenceDecrease = diag.Rule{
	ID: "event.sequence.decrease", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"sequence"},
	Summary:  "The sequence should not decrease.",
	Section:  sectionObserved,
	Seen:     "The service refuses a sequence below the stored one: 400, invalid sequence value.",
	Reported: []string{"https://coderwall.com/p/m6ozfg"},
	Why:      "The public service refuses a sequence below the stored one. A sequence that is absent or null is not checked.",
	Good:     sample.Patch{`"sequence":3`, `"sequence":3`},
	Bad:      sample.Patch{`"sequence":2`, `"sequence":3`},
	Says:     diag.Sentences{{Key: "lower", Text: "The sequence {value} is lower than the stored sequence, {stored}. Leave it out, or send a higher sequence."}},
	Check:    check(checkSequenceDecrease),
}

func checkSequenceDecrease(in *input, r engine.Reporter) {
	says := in.present.Has(ofSequence) && !in.sent.extra.Null("sequence")
	was, is := in.stored.Sequence, in.next.Sequence
	if says && in.existing == knownEvent && constraint.ICalSequence.HasInt(is) && is < was {
		r.Report("/sequence", "lower", diag.Plain("value", strconv.Itoa(int(is))), diag.Plain("stored", strconv.Itoa(int(was))))
	}
}

var organizerOnly = diag.Rule{
	ID: "event.organizer-only", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads: []string{
		"summary", "description", "location", "start", "end", "recurrence", "conferenceData", "attendees",
		"attachments", "extendedProperties.shared", "guestsCanInviteOthers", "guestsCanModify", "guestsCanSeeOtherGuests",
		"organizer.email", "organizer.self", "privateCopy",
	},
	Summary:  "A guest should not change the shared members of an event unless guestsCanModify is true.",
	Section:  sectionObserved,
	Seen:     `403 with the reason forbiddenForNonOrganizer: "Shared properties can only be changed by the organizer of the event."`,
	Reported: []string{"kewisch/gdata-provider#426", "kewisch/gdata-provider#3"},
	Status:   403, Reason: "forbiddenForNonOrganizer",
	Why: "The public service responds with 403. The shared members are summary, description, location, start, end, recurrence, " +
		"conferenceData, attachments, shared extended properties, the attendees, and the guests' permissions: " +
		"guestsCanInviteOthers, guestsCanModify and guestsCanSeeOtherGuests, which an update that leaves them out sets to their " +
		"defaults. Guests may change their own response, and add guests unless guestsCanInviteOthers is false. They may also " +
		"change all other members, such as reminders, color, visibility, transparency and private extended properties. The rule is " +
		"checked only if the emails of the caller and the organizer are known and differ. The rule does not apply to private " +
		"copies, or to the organizer's own calendar (organizer.self), which others may be allowed to write.",
	Good: sample.With(sample.Patch{`"reminders":{"useDefault":true}`, storedOfChair}, `"caller":{"email":"ada@example.com"}`),
	Bad:  sample.With(sample.Patch{`"summary":"Daily"`, storedOfChair}, `"caller":{"email":"ada@example.com"}`),
	Says: diag.Sentences{
		{Key: "changed", Text: "Only the organizer can change {member} unless guestsCanModify is true. Leave it as it is, or ask the organizer."},
		{Key: "left-out", Text: "Leaving {member} out of the update resets it to its default, but only the organizer can change it. Send the stored value."},
		{Key: "attendees", Text: "Only the organizer can change the entries of other guests unless guestsCanModify is true. Leave them as they are, or ask the organizer."},
		{Key: "invites", Text: "Only the organizer can add attendees, because guestsCanInviteOthers is false. Leave them as they are, or ask the organizer."},
		{Key: "shared-properties", Text: "Only the organizer can change shared extended properties unless guestsCanModify is true. Leave them as they are, or ask the organizer."},
	},
	YieldsToValue: true,
	Check:         check(checkOrganizerOnly),
}

const storedOfChair = `"organizer":{"email":"chair@example.com"}`

func checkOrganizerOnly(in *input, r engine.Reporter) {
	if !callerIsGuest(in) {
		return
	}
	in.reportChanged(sharedMembers, r)
	reportPermissions(in, r)
	switch addsAny, changesAny := changesOfGuests(in); {
	case changesAny:
		r.Report("/attendees", "attendees")
	case addsAny && !canInvite(in.stored):
		r.Report("/attendees", "invites")
	}
	if !maps.Equal(in.stored.sharedProperties(), in.next.sharedProperties()) {
		r.Report("/extendedProperties/shared", "shared-properties")
	}
}

// reportPermissions reports the guest permissions that a guest changes.
func reportPermissions(in *input, r engine.Reporter) {
	for _, name := range tables().event.NamesOf(permissions & in.changedInEffect()) {
		key := "changed"
		if in.on == diag.Update && !in.present.Has(membersNamed(name)) {
			key = "left-out"
		}
		r.Report(diag.Pointer("").Member(name), key, diag.Name("member", name))
	}
}

// canInvite reports whether guests can add other guests.
func canInvite(e *Event) bool { return e.GuestsCanInviteOthers == nil || *e.GuestsCanInviteOthers }

// callerIsGuest reports whether the caller is known not to be the organizer, and not to be allowed to change the event
// for everyone.
func callerIsGuest(in *input) bool {
	e, o := in.stored, in.stored.Organizer.orZero()
	if in.req.Caller == nil || in.req.Caller.Email == "" || o.Email == "" || o.Self || isCaller(in, o.Email) {
		return false
	}
	a := findAttendee(e.Attendees, in.req.Caller.Email)
	return !e.GuestsCanModify && !e.PrivateCopy && (a == nil || !a.Organizer)
}

// changesOfGuests reports whether the request adds attendees, and whether it changes or removes attendees. The participant's
// response is not considered a change.
func changesOfGuests(in *input) (adds, changes bool) {
	was, is := in.stored.Attendees, in.next.Attendees
	known := 0
	for i := range is {
		old := in.was(i)
		if old == nil {
			adds = true
			continue
		}
		known++
		a := is[i]
		if in.isParticipant(old) {
			a.respondAs(old)
		}
		changes = changes || !tables().attendee.Equal(&a, old)
	}
	return adds, changes || known != len(was)
}

// sharedProperties returns the event's shared extended properties.
func (e *Event) sharedProperties() map[string]string {
	if e.ExtendedProperties == nil {
		return nil
	}
	return e.ExtendedProperties.Shared
}

var iCalUIDRequired = diag.Rule{
	ID: "event.icaluid.required", Kind: diag.Reject, When: diag.Import, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"iCalUID"},
	Summary: "An imported event must have an iCalUID.",
	Section: sectionEvent + ", iCalUID",
	Reason:  "required",
	Why:     "The iCalUID identifies the event that is copied.",
	Says:    constraint.SaysRequired(nil),
	Good:    sample.Import{},
	Bad:     sample.Request{"events.import", sample.Start, sample.End},
}
