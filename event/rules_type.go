package event

import (
	"cmp"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/internal/wording"
)

// typeRules are about the event type and the properties that belong to one type. Those of birthdays
// are [birthdayRules].
var typeRules = []*diag.Rule{
	&eventTypeEnum, &eventTypeFromMail, &typeUpdateAbsent, &typePrimaryOnly, &typeTimedOnly, &typeOpaque, &typePlain, &typePropertiesRequired,
	&workingLocationForm, &visibilityInstance,
	&workingLocationType, &workingLocationOtherFields, &workingLocationEventType, &workingLocationBuilding,
	&focusTimeAutoDecline, &focusTimeChatStatus, &focusTimeEventType, &outOfOfficeAutoDecline, &outOfOfficeEventType,
}

var eventTypeEnum = diag.Rule{
	ID: "event.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventType"},
	Summary: "The eventType is " + constraint.EventType.Value + ". The default is default.",
	Section: sectionEvent + ", eventType",
	Says:    constraint.EventType.Says(),
	Good:    sample.Timed(`"eventType":"default"`),
	Bad:     sample.Timed(`"eventType":"meeting"`),
}

var eventTypeFromMail = diag.Rule{
	ID: "event.type.from-mail", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventType"},
	Summary: "A client does not create an event of type fromMail.",
	Section: sectionEvent + ", eventType",
	Why:     "The documents say that such events cannot be created.",
	Says:    constraint.NewEventType.Says(),
	Good:    sample.Timed(`"eventType":"default"`),
	Bad:     sample.Timed(`"eventType":"fromMail"`),
}

var typeTimedOnly = diag.Rule{
	ID: "type.timed-only", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"eventType", "start"},
	Summary:  "Events of type focusTime and outOfOffice are timed, not all-day.",
	Section:  sectionObserved,
	Seen:     "An outOfOffice event with a date is refused.",
	Reported: []string{"macro-inc/macro#6474"},
	Why:      "What a patch or an update makes of such an event counts, unless it is stored so.",
	Good:     sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{}`),
	Bad:      sample.AllDay(`"eventType":"outOfOffice","outOfOfficeProperties":{}`),
	Says:     diag.Sentences{{Key: "all-day", Text: "The event of type {type} is all-day; it must be timed. Send dateTime instead of date in start and end."}},
	Check:    check(checkTimedOnly),
}

// wasOfForm reports whether the start of the stored event has the form.
func (c *change) wasOfForm(f timeForm) bool {
	return parseTime(c.stored.Start).form == f
}

func checkTimedOnly(in *input, r engine.Reporter) {
	t := in.next.EventType
	if (t == constraint.TypeFocusTime || t == constraint.TypeOutOfOffice) && in.start.form == allDay && !in.wasOfForm(allDay) {
		r.Report("/start", "all-day", diag.Name("type", t))
	}
}

var typePlain = diag.Rule{
	ID: "type.plain", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"eventType", "attendees", "conferenceData", "location", "description"},
	Summary:  "Events of type outOfOffice and focusTime have no attendees and no conference; events of type workingLocation have no location; events of type outOfOffice have no description and no location.",
	Section:  sectionObserved,
	Seen:     `An outOfOffice event with attendees or a conference is refused, and a workingLocation event with a location; 400: "An out of office event must not have a description."`,
	Reported: []string{"macro-inc/macro#6183", "BuilderIO/agent-native#1930"},
	Why:      "An absence and focus time are one person's, and the place of a working location is in its properties. A conference in an event of type focusTime, and a location in one of type outOfOffice, are accepted with advice.",
	Good:     sample.Timed(`"eventType":"focusTime"`, sampleFocus),
	Bad:      sample.With(sample.Timed(`"eventType":"focusTime"`, sampleFocus, `"attendees":[{"email":"ada@example.com"}]`), sample.SendUpdates),
	Says: diag.Sentences{
		{Key: "attendees", Text: "The event of type {type} has {n|attendee|attendees}; it must have none. Leave them out."},
		{Key: "location", Text: "The event of type workingLocation has a location; it must have none. Send the location in workingLocationProperties."},
		{Key: "no-location", Text: "The event of type outOfOffice has a location, which such events do not have. Leave it out."},
		{Key: "description", Text: "The event of type outOfOffice has a description; it must have none. Send the text as declineMessage in outOfOfficeProperties."},
		{Key: "conference", Text: "The event of type {type} has a conference, which such events do not have. Leave conferenceData out."},
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

// checkPlainAbsence checks what only events of type outOfOffice must not have.
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
	if in.next.ConferenceData == nil || in.flags.ConferenceDataVersion == 0 || !in.changes(ofConferenceData|ofEventType) {
		return // at version 0 it is ignored
	}
	if in.next.EventType == constraint.TypeFocusTime {
		r = r.WithKind(diag.Advise)
	}
	r.Report("/conferenceData", "conference", diag.Name("type", in.next.EventType))
}

var typePropertiesRequired = diag.Rule{
	ID: "type.properties-required", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"eventType", "workingLocationProperties"},
	Summary:  "An event of type workingLocation has workingLocationProperties.",
	Section:  sectionObserved,
	Seen:     `400: "workingLocationProperties requires an event type of workingLocation, and vice versa."`,
	Reported: []string{"phw198/OutlookGoogleCalendarSync#1817"},
	Reason:   "required",
	Why:      "An update that leaves them out would remove them.",
	Good:     insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:      sample.Timed(`"eventType":"workingLocation","visibility":"public","transparency":"transparent"`),
	Says:     diag.Sentences{{Key: "missing", Text: "The event of type workingLocation has no workingLocationProperties; it must have them. Send them with a type."}},
	Check:    check(checkPropertiesRequired),
}

func checkPropertiesRequired(in *input, r engine.Reporter) {
	if lacksWorkingLocation(in) {
		r.Report("/workingLocationProperties", "missing")
	}
}

// lacksWorkingLocation reports whether the event is a working location without properties. A patch
// of an unknown event that does not clear them may find them stored.
func lacksWorkingLocation(in *input) bool {
	e := in.next
	known := !in.isPartial() || in.present.Has(ofWorkingLocationProperties)
	return known && e.EventType == constraint.TypeWorkingLocation && e.WorkingLocationProperties == nil
}

var typeUpdateAbsent = diag.Rule{
	ID: "event.type.update-absent", Kind: diag.Advise, When: diag.Update, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"eventType"},
	Summary:      "An update of an event that is not of type default sends the eventType.",
	Section:      sectionObserved,
	Seen:         `400: "Event type cannot be changed."`,
	Reported:     []string{"gemini-cli-extensions/workspace#319"},
	Why:          "The public service takes an absent type for default, and so for a change. Here the stored type stays.",
	KindInGoogle: diag.Reject,
	Good:         sample.Update(`"eventType":"focusTime"`, `"eventType":"focusTime"`),
	Bad:          sample.Update(`"summary":"Deep work"`, `"eventType":"focusTime"`),
	Says:         diag.Sentences{{Key: "absent", Text: "The update has no eventType, which the public service treats as a change from {type} to default. Send the stored eventType."}},
	Check:        check(checkTypeUpdateAbsent),
}

func checkTypeUpdateAbsent(in *input, r engine.Reporter) {
	if t := eventType(in.stored.EventType); in.existing == knownEvent && t != constraint.TypeDefault && !in.present.Has(ofEventType) {
		r.Report("/eventType", "absent", diag.Name("type", t))
	}
}

// isStatusType reports whether events of a type show what a person does: focus time, an absence, a working location.
func isStatusType(t string) bool {
	return t == constraint.TypeFocusTime || t == constraint.TypeOutOfOffice || t == constraint.TypeWorkingLocation
}

var typePrimaryOnly = diag.Rule{
	ID: "type.primary-only", Kind: diag.Advise, When: diag.Create, Basis: diag.Observed, Scope: diag.OfRequest, Reads: []string{"eventType"},
	Summary:  "Events of type focusTime, outOfOffice and workingLocation are on a primary calendar.",
	Section:  sectionObserved,
	Seen:     "The guide says that such events exist on primary calendars only.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/calendar-status"},
	Why:      "The rule is only checked if it is known which calendar it is.",
	Good:     sample.With(sample.Timed(`"eventType":"focusTime"`, sampleFocus), `"calendar":{"primary":true}`),
	Bad:      sample.With(sample.Timed(`"eventType":"focusTime"`, sampleFocus), `"calendar":{"primary":false}`),
	Says:     diag.Sentences{{Key: "secondary", Text: "The calendar is secondary; events of type {type} exist on primary calendars only. Use the calendar primary."}},
	Check:    check(checkPrimaryOnly),
}

// sampleFocus are the properties of focus time in the examples.
const sampleFocus = `"focusTimeProperties":{"chatStatus":"doNotDisturb"}`

func checkPrimaryOnly(in *input, r engine.Reporter) {
	c := in.req.Calendar
	if isStatusType(in.next.EventType) && c != nil && c.Primary != nil && !*c.Primary {
		r.Report("/eventType", "secondary", diag.Name("type", in.next.EventType))
	}
}

var typeOpaque = diag.Rule{
	ID: "type.opaque", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"eventType", "transparency", "focusTimeProperties", "outOfOfficeProperties"},
	Summary:  "Events of type focusTime and outOfOffice are opaque and have the properties of their type.",
	Section:  sectionObserved,
	Seen:     "The guide requires both; its samples leave transparency out, which means opaque.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/calendar-status"},
	Good:     sample.Timed(`"eventType":"focusTime"`, sampleFocus),
	Bad:      sample.Timed(`"eventType":"focusTime","transparency":"transparent"`, sampleFocus),
	Says: diag.Sentences{
		{Key: "transparent", Text: "The event of type {type} is transparent; it must be opaque. Leave transparency out."},
		{Key: "properties", Text: "The event of type {type} has no {member}; such events carry them. Send them, with an autoDeclineMode."},
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

var workingLocationForm = diag.Rule{
	ID: "working-location.form", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:   []string{"eventType", "visibility", "transparency", "start", "end"},
	Summary: "An event of type workingLocation is public and transparent, and one that is all-day covers exactly one day.",
	Section: sectionObserved,
	Seen: `400 malformedWorkingLocationEvent: "A working location event must have a visibility setting of public.", and the same of transparency ` +
		`and of an all-day one that is longer than a day.`,
	Reported:      []string{"https://github.com/GAM-team/GAM/releases/tag/v7.05.04"},
	Reason:        "malformedWorkingLocationEvent",
	YieldsToValue: true,
	Why:           "What a patch or an update makes of the event counts. A timed working location may span days.",
	Good:          insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:           sample.Timed(`"eventType":"workingLocation","transparency":"transparent","workingLocationProperties":{"type":"homeOffice"}`),
	Says: diag.Sentences{
		{Key: "visibility", Text: `The event of type workingLocation must have the visibility public. Send "visibility": "public".`},
		{Key: "transparency", Text: `The event of type workingLocation must have the transparency transparent. Send "transparency": "transparent".`},
		{Key: "days", Text: "The event of type workingLocation covers {n|day|days}; an all-day one covers exactly one. Send one event for each day."},
	},
	Check: check(checkWorkingLocationForm),
}

func checkWorkingLocationForm(in *input, r engine.Reporter) {
	e := in.next
	if e.EventType != constraint.TypeWorkingLocation {
		return
	}
	counts := func(member object.Set) bool {
		return in.changes(member|ofEventType) && (!in.isPartial() || in.present.Has(member))
	}
	if e.Visibility != "public" && counts(ofVisibility) {
		r.Report("/visibility", "visibility")
	}
	if e.Transparency != "transparent" && counts(ofTransparency) {
		r.Report("/transparency", "transparency")
	}
	if days, ok := in.days(); ok && days != 1 && in.changes(ofStart|ofEnd|ofEventType) {
		r.Report("/end", "days", diag.Number("n", days))
	}
}

// days returns how many days an all-day event covers, and false if it is not all-day or its times are wrong.
func (in *input) days() (int, bool) {
	if in.start.form != allDay || in.end.form != allDay || !in.start.known || !in.end.known {
		return 0, false
	}
	n := in.end.date.Days() - in.start.date.Days()
	return n, n >= 0 // an end before the start breaks another rule
}

var visibilityInstance = diag.Rule{
	ID: "event.visibility.instance", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"visibility", "recurringEventId"},
	Summary:  "The visibility of a single instance of a series does not change.",
	Section:  sectionObserved,
	Seen:     "A stricter visibility of one instance applies to the whole series, and a less strict one has no effect.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/concepts/sharing"},
	Good:     sample.Patch(`"visibility":"private"`),
	Bad:      sample.Patch(`"visibility":"private"`, `"recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`),
	Says:     diag.Sentences{{Key: "instance", Text: "The event is an instance; a stricter visibility applies to the whole series, and a less strict one has no effect. Change the series."}},
	Check:    check(checkVisibilityInstance),
}

func checkVisibilityInstance(in *input, r engine.Reporter) {
	was, is := cmp.Or(in.stored.Visibility, "default"), cmp.Or(in.next.Visibility, "default")
	if in.existing == knownEvent && in.stored.RecurringEventID != "" && was != is && constraint.Visibility.Has(is) {
		r.Report("/visibility", "instance")
	}
}

// insertWorkingLocation returns an example: an insert of a working location with the properties.
func insertWorkingLocation(properties string) diag.Example {
	return sample.Timed(`"eventType":"workingLocation","visibility":"public","transparency":"transparent","workingLocationProperties":` + properties)
}

var workingLocationType = diag.Rule{
	ID: "working-location.type", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties.type"},
	Summary: "Working location properties that are added have the type " + constraint.WorkingLocationType.Value + ".",
	Section: sectionParts,
	Says:    slices.Concat(constraint.WorkingLocationType.Says(), constraint.SaysRequired(constraint.WorkingLocationType)),
	Good:    insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:     insertWorkingLocation(`{"homeOffice":{}}`),
}

var workingLocationOtherFields = diag.Rule{
	ID: "working-location.other-fields", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"workingLocationProperties.type", "workingLocationProperties.homeOffice", "workingLocationProperties.customLocation", "workingLocationProperties.officeLocation"},
	Summary: "The details of a working location are in the member with the name of its type.",
	Section: sectionParts,
	Why:     "The other members are ignored. The member with the name of the type may be missing.",
	Good:    insertWorkingLocation(`{"type":"officeLocation","officeLocation":{"label":"HQ"}}`),
	Bad:     insertWorkingLocation(`{"type":"officeLocation","customLocation":{"label":"HQ"}}`),
	Says:    diag.Sentences{{Key: "ignored", Text: "The type is {type}, so {member} has no effect. Leave it out, or send the type {member}."}},
	Check:   check(checkWorkingLocationOtherFields),
}

func checkWorkingLocationOtherFields(in *input, r engine.Reporter) {
	if in.sent.WorkingLocationProperties == nil {
		return
	}
	w, old := in.asked().WorkingLocationProperties, in.stored.WorkingLocationProperties.orZero()
	if w == nil || !constraint.WorkingLocationType.Has(w.Type) {
		return
	}
	sent, isNewType := in.sent.WorkingLocationProperties, w.Type != old.Type
	ignored := func(name string, wasSent, isStored bool) {
		if wasSent && w.Type != name && (isNewType || !isStored) {
			r.Report(diag.Pointer("/workingLocationProperties").Member(name), "ignored", diag.Name("type", w.Type), diag.Name("member", name))
		}
	}
	home := len(sent.HomeOffice) > 0 && string(sent.HomeOffice) != "null"
	ignored("homeOffice", home, object.SameJSON(w.HomeOffice, old.HomeOffice))
	ignored("customLocation", sent.CustomLocation != nil, customLocationTable.Equal(w.CustomLocation, old.CustomLocation))
	ignored("officeLocation", sent.OfficeLocation != nil, officeLocationTable.Equal(w.OfficeLocation, old.OfficeLocation))
}

// keepOtherFields keeps the members of a working location that [workingLocationOtherFields] ignores. Members that were
// cleared stay absent.
func keepOtherFields(in *input, e *Event) {
	w, stored := e.WorkingLocationProperties, in.stored.WorkingLocationProperties
	if w == nil || w == stored || !constraint.WorkingLocationType.Has(w.Type) {
		return
	}
	old, kept := stored.orZero(), *w
	if w.Type != "homeOffice" && w.HomeOffice != nil {
		kept.HomeOffice = old.HomeOffice
	}
	if w.Type != "customLocation" && w.CustomLocation != nil {
		kept.CustomLocation = old.CustomLocation
	}
	if w.Type != "officeLocation" && w.OfficeLocation != nil {
		kept.OfficeLocation = old.OfficeLocation
	}
	e.WorkingLocationProperties = &kept
}

func (w *WorkingLocation) orZero() WorkingLocation {
	if w == nil {
		return WorkingLocation{}
	}
	return *w
}

// goesWithSays are the sentences of [goesWith].
var goesWithSays = diag.Sentences{
	{Key: "other-type", Text: "The event has {member}, but its eventType is {is}; they have an effect only with {type}."},
	{Key: "leave-out", Text: "Leave them out."},
	{Key: "leave-out-or-send", Text: "Leave them out, or send that type."},
}

// goesWith returns a check that reports a member, if present, that belongs to another event type
// than the event's, if that is known.
func goesWith(member, want string, present func(*Event) bool) check {
	return func(in *input, r engine.Reporter) {
		is := eventType(in.next.EventType)
		known := constraint.EventType.Has(is) && !in.next.extra.WasSent("eventType") && (in.existing != unknownEvent || in.present.Has(ofEventType))
		if known && is != want && present(in.next) {
			advice := "leave-out"
			if in.on == diag.Insert { // an import makes any event one of type default
				advice = "leave-out-or-send"
			}
			r.Report(diag.Pointer("").Member(member), "other-type", diag.Name("member", member), diag.Name("is", is), diag.Name("type", want), wording.Also(advice))
		}
	}
}

var workingLocationEventType = diag.Rule{
	ID: "working-location.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties", "eventType"},
	Summary:      "An event with workingLocationProperties has the eventType workingLocation.",
	Section:      sectionParts,
	KindInGoogle: diag.Reject,
	Good:         insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:          sample.Timed(`"workingLocationProperties":{"type":"homeOffice"}`),
	Says:         goesWithSays,
	Check:        goesWith("workingLocationProperties", constraint.TypeWorkingLocation, func(e *Event) bool { return e.WorkingLocationProperties != nil }),
}

var workingLocationBuilding = diag.Rule{
	ID: "working-location.building", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"workingLocationProperties.type", "workingLocationProperties.officeLocation.buildingId"},
	Summary: "The buildingId of an office is the id of a building of the organization.",
	Section: sectionParts,
	Why:     "The rule is only checked if the caller supplies the ids of the buildings.",
	Good: sample.With(insertWorkingLocation(`{"type":"officeLocation","officeLocation":{"buildingId":"hq-1"}}`),
		`"calendar":{"buildings":["hq-1"]}`),
	Bad: sample.With(insertWorkingLocation(`{"type":"officeLocation","officeLocation":{"buildingId":"hq-9"}}`),
		`"calendar":{"buildings":["hq-1"]}`),
	Says:  diag.Sentences{{Key: "unknown", Text: "The buildingId {value} is not a building of the organization. Choose one from its resources database."}},
	Check: check(checkWorkingLocationBuilding),
}

func checkWorkingLocationBuilding(in *input, r engine.Reporter) {
	w := in.next.WorkingLocationProperties
	if w == nil || w.Type != "officeLocation" || w.OfficeLocation == nil || in.req.Calendar == nil {
		return
	}
	if id := w.OfficeLocation.BuildingID; id != "" && !mayContain(in.req.Calendar.Buildings, id) {
		r.Report("/workingLocationProperties/officeLocation/buildingId", "unknown", diag.Value("value", id))
	}
}

var focusTimeAutoDecline = diag.Rule{
	ID: "focus-time.auto-decline", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"focusTimeProperties.autoDeclineMode"},
	Summary: "The autoDeclineMode of focus time is " + constraint.AutoDeclineMode.Value + ".",
	Section: sectionParts,
	Says:    constraint.AutoDeclineMode.Says(),
	Good:    sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineNone"}`),
	Bad:     sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineAll"}`),
}

var focusTimeChatStatus = diag.Rule{
	ID: "focus-time.chat-status", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties.chatStatus"},
	Summary: "The chatStatus of focus time is " + constraint.ChatStatus.Value + ".",
	Section: sectionParts,
	Says:    constraint.ChatStatus.Says(),
	Good:    sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"doNotDisturb"}`),
	Bad:     sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"away"}`),
}

var focusTimeEventType = diag.Rule{
	ID: "focus-time.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties", "eventType"},
	Summary: "An event with focusTimeProperties has the eventType focusTime.",
	Section: sectionEvent + ", focusTimeProperties",
	Good:    sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"available"}`),
	Bad:     sample.Timed(`"focusTimeProperties":{"chatStatus":"available"}`),
	Says:    goesWithSays,
	Check:   goesWith("focusTimeProperties", constraint.TypeFocusTime, func(e *Event) bool { return e.FocusTimeProperties != nil }),
}

var outOfOfficeAutoDecline = diag.Rule{
	ID: "out-of-office.auto-decline", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"outOfOfficeProperties.autoDeclineMode"},
	Summary: "The autoDeclineMode of an out-of-office event is " + constraint.AutoDeclineMode.Value + ".",
	Section: sectionParts,
	Says:    constraint.AutoDeclineMode.Says(),
	Good:    sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineNone"}`),
	Bad:     sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineAll"}`),
}

var outOfOfficeEventType = diag.Rule{
	ID: "out-of-office.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"outOfOfficeProperties", "eventType"},
	Summary:      "An event with outOfOfficeProperties has the eventType outOfOffice.",
	Section:      sectionEvent + ", outOfOfficeProperties",
	KindInGoogle: diag.Reject,
	Good:         sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"declineMessage":"Away"}`),
	Bad:          sample.Timed(`"outOfOfficeProperties":{"declineMessage":"Away"}`),
	Says:         goesWithSays,
	Check:        goesWith("outOfOfficeProperties", constraint.TypeOutOfOffice, func(e *Event) bool { return e.OutOfOfficeProperties != nil }),
}
