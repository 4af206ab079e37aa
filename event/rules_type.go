package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// goesWithSays lists the sentences of rules that use [goesWith].
var goesWithSays = diag.Sentences{
	{Key: "other-type", Text: "The event has {member}, but its eventType is {is}; they have an effect only with {type}."},
	{Key: "leave-out", Text: "Leave them out."},
	{Key: "leave-out-or-send", Text: "Leave them out, or send that type."},
}

// goesWith returns a check that reports a member that is present although the event type is known to differ from want.
func goesWith(member, want string, present func(*Event) bool) check {
	return func(in *input, r engine.Reporter) {
		is := eventType(in.next.EventType)
		known := constraint.EventType.Has(is) && !in.next.extra.WasSent("eventType") && (in.existing != unknownEvent || in.present.Has(ofEventType))
		if known && is != want && present(in.next) {
			advice := "leave-out"
			if in.on == diag.Insert { // an import changes every type to default
				advice = "leave-out-or-send"
			}
			r.Report(diag.Pointer("").Member(member), "other-type", diag.Name("member", member), diag.Name("is", is), diag.Name("type", want), wording.Also(advice))
		}
	}
}

// isStatusType reports whether events of the type show a person's status: focus time, an absence or a working location.
func isStatusType(t string) bool {
	return t == constraint.TypeFocusTime || t == constraint.TypeOutOfOffice || t == constraint.TypeWorkingLocation
}

var typePrimaryOnly = diag.Rule{
	ID: "type.primary-only", Kind: diag.Advise, When: diag.Create, Basis: diag.Observed, Scope: diag.OfRequest, Reads: []string{"eventType"},
	Summary:  "Events of type focusTime, outOfOffice and workingLocation should be on a primary calendar.",
	Section:  sectionObserved,
	Seen:     "The guide says that these types of events exist only on primary calendars.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/calendar-status"},
	Why:      "The rule is checked only if it is known whether the calendar is primary.",
	Good:     sample.With(sample.Timed{`"eventType":"focusTime"`, sampleFocus}, `"calendar":{"primary":true}`),
	Bad:      sample.With(sample.Timed{`"eventType":"focusTime"`, sampleFocus}, `"calendar":{"primary":false}`),
	Says:     diag.Sentences{{Key: "secondary", Text: "The calendar is secondary, but events of type {type} exist only on primary calendars. Use the primary calendar."}},
	Check:    check(checkPrimaryOnly),
}

// sampleFocus contains the focus-time properties in the examples.
const sampleFocus = `"focusTimeProperties":{"chatStatus":"doNotDisturb"}`

func checkPrimaryOnly(in *input, r engine.Reporter) {
	c := in.req.Calendar
	if isStatusType(in.next.EventType) && c != nil && c.Primary != nil && !*c.Primary {
		r.Report("/eventType", "secondary", diag.Name("type", in.next.EventType))
	}
}

var typeTimedOnly = diag.Rule{
	ID: "type.timed-only", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"eventType", "start"},
	Summary:  "Events of type focusTime and outOfOffice must be timed, not all-day.",
	Section:  sectionObserved,
	Seen:     "The service refuses an outOfOffice event with a date.",
	Reported: []string{"macro-inc/macro#6474"},
	Why:      "A patch or an update is judged by the event that results from it, unless the stored event is already all-day.",
	Good:     sample.Timed{`"eventType":"outOfOffice","outOfOfficeProperties":{}`},
	Bad:      sample.AllDay{`"eventType":"outOfOffice","outOfOfficeProperties":{}`},
	Says:     diag.Sentences{{Key: "all-day", Text: "The event of type {type} is all-day; it must be timed. Send dateTime instead of date in start and end."}},
	Check:    check(checkTimedOnly),
}

// wasOfForm reports whether the start of the stored event has the given form.
func (c *change) wasOfForm(f timeForm) bool {
	return parseTime(c.stored.Start).form == f
}

func checkTimedOnly(in *input, r engine.Reporter) {
	t := in.next.EventType
	if (t == constraint.TypeFocusTime || t == constraint.TypeOutOfOffice) && in.start.form == allDay && !in.wasOfForm(allDay) {
		r.Report("/start", "all-day", diag.Name("type", t))
	}
}

var typeOpaque = diag.Rule{
	ID: "type.opaque", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"eventType", "transparency", "focusTimeProperties", "outOfOfficeProperties"},
	Summary:  "Events of type focusTime and outOfOffice should be opaque and have the properties of their type.",
	Section:  sectionObserved,
	Seen:     "The guide requires both; the samples in the guide leave transparency out, which means opaque.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/calendar-status"},
	Good:     sample.Timed{`"eventType":"focusTime"`, sampleFocus},
	Bad:      sample.Timed{`"eventType":"focusTime","transparency":"transparent"`, sampleFocus},
	Says: diag.Sentences{
		{Key: "transparent", Text: "The event of type {type} is transparent; it must be opaque. Leave transparency out."},
		{Key: "properties", Text: "The event of type {type} has no {member}. Add them, with an autoDeclineMode."},
	},
	Check: check(checkOpaque),
}

func checkOpaque(in *input, r engine.Reporter) {
	e := in.next
	properties, member, has := ofFocusTimeProperties, "focusTimeProperties", e.FocusTimeProperties != nil
	switch {
	case e.EventType == constraint.TypeOutOfOffice:
		properties, member, has = ofOutOfOfficeProperties, "outOfOfficeProperties", e.OutOfOfficeProperties != nil
	case e.EventType != constraint.TypeFocusTime:
		return
	}
	if e.Transparency == "transparent" && in.changes(ofTransparency|ofEventType) {
		r.Report("/transparency", "transparent", diag.Name("type", e.EventType))
	}
	if !has && in.changes(properties|ofEventType) && (!in.isPartial() || in.present.Has(properties)) {
		r.Report(diag.Pointer("").Member(member), "properties", diag.Name("type", e.EventType), diag.Name("member", member))
	}
}

var typePlain = diag.Rule{
	ID: "type.plain", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads: []string{"eventType", "attendees", "conferenceData", "location", "description"},
	Summary: "Events of type outOfOffice and focusTime must not have attendees or a conference, events of type workingLocation must not " +
		"have a location, and events of type outOfOffice must not have a description or a location.",
	Section: sectionObserved,
	Seen: "The service refuses an outOfOffice event with attendees or a conference, and a workingLocation event with a location; " +
		`400: "An out of office event must not have a description."`,
	Reported: []string{"macro-inc/macro#6183", "BuilderIO/agent-native#1930"},
	Why: "Out-of-office and focus time belong to one person, and the place of a working location is in its properties. A conference " +
		"in an event of type focusTime, and a location in an event of type outOfOffice, are accepted with advice.",
	Good: sample.Timed{`"eventType":"focusTime"`, sampleFocus},
	Bad:  sample.With(sample.Timed{`"eventType":"focusTime"`, sampleFocus, `"attendees":[{"email":"ada@example.com"}]`}, sample.SendUpdates),
	Says: diag.Sentences{
		{Key: "attendees", Text: "The event of type {type} has {n|attendee|attendees}; it must have none. Leave them out."},
		{Key: "location", Text: "The event of type workingLocation has a location; it must have none. Send the location in workingLocationProperties."},
		{Key: "no-location", Text: "The event of type outOfOffice has a location; it should have none. Leave it out."},
		{Key: "description", Text: "The event of type outOfOffice has a description; it must have none. Send it as declineMessage in outOfOfficeProperties."},
		{Key: "conference", Text: "The event of type {type} has a conference; it should have none. Leave conferenceData out."},
	},
	Check: check(checkPlain),
}

func checkPlain(in *input, r engine.Reporter) {
	e := in.next
	switch e.EventType {
	case constraint.TypeOutOfOffice, constraint.TypeFocusTime:
		if n := len(e.Attendees); n > 0 && in.changes(ofAttendees|ofEventType) {
			r.Report("/attendees", "attendees", diag.Name("type", e.EventType), diag.Number("n", n))
		}
		checkPlainConference(in, r)
		checkPlainAbsence(in, r)
	case constraint.TypeWorkingLocation:
		if e.Location != "" && in.changes(ofLocation|ofEventType) {
			r.Report("/location", "location")
		}
	}
}

// checkPlainAbsence reports members that are forbidden only in events of type outOfOffice.
func checkPlainAbsence(in *input, r engine.Reporter) {
	e := in.next
	if e.EventType != constraint.TypeOutOfOffice {
		return
	}
	if e.Description != "" && in.changes(ofDescription|ofEventType) {
		r.Report("/description", "description")
	}
	if e.Location != "" && in.changes(ofLocation|ofEventType) {
		r.WithKind(diag.Advise).Report("/location", "no-location")
	}
}

func checkPlainConference(in *input, r engine.Reporter) {
	if in.next.ConferenceData == nil || in.options.ConferenceDataVersion == 0 || !in.changes(ofConferenceData|ofEventType) {
		return // conference data is ignored at version 0
	}
	if in.next.EventType == constraint.TypeFocusTime {
		r = r.WithKind(diag.Advise)
	}
	r.Report("/conferenceData", "conference", diag.Name("type", in.next.EventType))
}

var typePropertiesRequired = diag.Rule{
	ID: "type.properties-required", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"eventType", "workingLocationProperties"},
	Summary:  "An event of type workingLocation must have workingLocationProperties.",
	Section:  sectionObserved,
	Seen:     `400: "workingLocationProperties requires an event type of workingLocation, and vice versa."`,
	Reported: []string{"phw198/OutlookGoogleCalendarSync#1817"},
	Reason:   "required",
	Why:      "An update without workingLocationProperties would remove them.",
	Good:     insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:      sample.Timed{`"eventType":"workingLocation","visibility":"public","transparency":"transparent"`},
	Says:     diag.Sentences{{Key: "missing", Text: "The event of type workingLocation has no workingLocationProperties. Send them with a type."}},
	Check:    check(checkPropertiesRequired),
}

func checkPropertiesRequired(in *input, r engine.Reporter) {
	if lacksWorkingLocation(in) {
		r.Report("/workingLocationProperties", "missing")
	}
}

// lacksWorkingLocation reports whether the event is known to be a working location without properties. For a patch of
// an unknown event, properties that the patch does not clear may be stored.
func lacksWorkingLocation(in *input) bool {
	e := in.next
	known := !in.isPartial() || in.present.Has(ofWorkingLocationProperties)
	return known && e.EventType == constraint.TypeWorkingLocation && e.WorkingLocationProperties == nil
}

var fromMailModify = diag.Rule{
	ID: "type.from-mail.modify", Kind: diag.Reject, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"eventType"},
	Summary: "In an event of type fromMail, only colorId, eventLabelId, reminders, visibility, transparency, status, attendees and " +
		"extendedProperties can change.",
	Section:       sectionObserved,
	Seen:          "The service refuses a change to the summary.",
	Reported:      []string{"obot-platform/obot#2328"},
	Why:           "The other members come from the message. An update that leaves one of them out would remove it.",
	Good:          sample.Patch{`"colorId":"5"`, `"eventType":"fromMail"`},
	Bad:           sample.Patch{`"summary":"Flight"`, `"eventType":"fromMail"`},
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes {member}, but the event comes from a message. Send the stored value, or leave the member out of a patch."}},
	YieldsToValue: true,
	Supersedes: []string{
		ruleid.PatchWhole, ruleid.BirthdayModify, ruleid.EventOrganizerOnly, ruleid.RecurrenceEmptied, ruleid.RecurrenceReanchored,
	},
	Check: check(checkFromMailModify),
}

func checkFromMailModify(in *input, r engine.Reporter) {
	if in.stored.EventType == constraint.TypeFromMail {
		in.reportChanged(^(tables().freeInMail | tables().immutable), r)
	}
}
