package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/sample"
)

// typeRules are about the event type and the properties that belong to one type. Those of birthdays
// are [birthdayRules].
var typeRules = []*diag.Rule{
	&eventTypeEnum, &eventTypeFromMail, &typeTimedOnly, &typePlain, &typePropertiesRequired,
	&workingLocationType, &workingLocationOtherFields, &workingLocationEventType, &workingLocationBuilding,
	&focusTimeAutoDecline, &focusTimeChatStatus, &focusTimeEventType, &outOfOfficeAutoDecline, &outOfOfficeEventType,
}

var eventTypeEnum = diag.Rule{
	ID: "event.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventType"},
	Summary: "The eventType is birthday, default, focusTime, fromMail, outOfOffice or workingLocation. The default is default.",
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
	Good:     sample.Timed(`"eventType":"outOfOffice"`),
	Bad:      sample.AllDay(`"eventType":"outOfOffice"`),
	Says:     diag.Sentences{{Key: "all-day", Text: "The event of type {type} is all-day; it must be timed. Send dateTime instead of date in start and end."}},
	Check:    check(checkTimedOnly),
}

// wasOfForm reports whether the start of the stored event has the form.
func (in *input) wasOfForm(f timeForm) bool {
	return !in.isNew() && parseTime(in.stored.Start).form == f
}

// changesEventType reports whether the request changes the type of a stored event, which
// event.type.immutable rejects. What the other type requires is then not reported too.
func (in *input) changesEventType() bool {
	return !in.isNew() && in.hasStored && eventType(in.stored.EventType) != eventType(in.result.EventType)
}

func checkTimedOnly(in *input, r diag.Reporter) {
	t := in.result.EventType
	if (t == constraint.TypeFocusTime || t == constraint.TypeOutOfOffice) && in.start.form == allDay && !in.wasOfForm(allDay) && !in.changesEventType() {
		r.Report("/start", "all-day", diag.Name("type", t))
	}
}

var typePlain = diag.Rule{
	ID: "type.plain", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"eventType", "attendees", "conferenceData", "location"},
	Summary:  "Events of type outOfOffice and focusTime have no attendees and no conference; events of type workingLocation have no location.",
	Section:  sectionObserved,
	Seen:     "An outOfOffice event with attendees or a conference is refused, and a workingLocation event with a location.",
	Reported: []string{"macro-inc/macro#6183", "BuilderIO/agent-native#1930"},
	Why:      "An absence and focus time are one person's, and the place of a working location is in its properties. A conference in an event of type focusTime is accepted with advice.",
	Good:     sample.Timed(`"eventType":"focusTime"`),
	Bad:      sample.With(sample.Timed(`"eventType":"focusTime","attendees":[{"email":"ada@example.com"}]`), sample.SendUpdates),
	Says: diag.Sentences{
		{Key: "attendees", Text: "The event of type {type} has {n|attendee|attendees}; it must have none. Leave them out."},
		{Key: "location", Text: "The event of type workingLocation has a location; it must have none. Send the location in workingLocationProperties."},
		{Key: "conference", Text: "The event of type {type} has a conference, which such events do not have. Leave conferenceData out."},
	},
	Check: check(checkPlain),
}

func checkPlain(in *input, r diag.Reporter) {
	e := in.result
	switch e.EventType {
	case constraint.TypeOutOfOffice, constraint.TypeFocusTime:
		if n := len(e.Attendees); n > 0 && in.didChange(ofAttendees|ofEventType) {
			r.Report("/attendees", "attendees", diag.Name("type", e.EventType), diag.Number("n", n))
		}
		checkPlainConference(in, r)
	case constraint.TypeWorkingLocation:
		if e.Location != "" && in.didChange(ofLocation|ofEventType) {
			r.Report("/location", "location")
		}
	}
}

func checkPlainConference(in *input, r diag.Reporter) {
	if in.result.ConferenceData == nil || in.flags.ConferenceDataVersion == 0 || !in.didChange(ofConferenceData|ofEventType) {
		return // at version 0 it is ignored
	}
	if in.result.EventType == constraint.TypeFocusTime {
		r = r.As(diag.Advise)
	}
	r.Report("/conferenceData", "conference", diag.Name("type", in.result.EventType))
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
	Good:     sample.Timed(`"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}`),
	Bad:      sample.Timed(`"eventType":"workingLocation"`),
	Says:     diag.Sentences{{Key: "missing", Text: "The event of type workingLocation has no workingLocationProperties; it must have them. Send them with a type."}},
	Check:    check(checkPropertiesRequired),
}

func checkPropertiesRequired(in *input, r diag.Reporter) {
	if in.lacksWorkingLocation() {
		r.Report("/workingLocationProperties", "missing")
	}
}

// lacksWorkingLocation reports whether the event is a working location without properties. A patch
// of an unknown event that does not clear them may find them stored.
func (in *input) lacksWorkingLocation() bool {
	e := in.result
	known := !in.isPartial() || in.sentMembers.Has(ofWorkingLocationProperties)
	return known && !in.changesEventType() && e.EventType == constraint.TypeWorkingLocation && e.WorkingLocationProperties == nil
}

// insertWorkingLocation returns an example: an insert of a working location with the properties.
func insertWorkingLocation(properties string) diag.Example {
	return sample.Timed(`"eventType":"workingLocation","workingLocationProperties":` + properties)
}

var workingLocationType = diag.Rule{
	ID: "working-location.type", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties.type"},
	Summary: "Working location properties that are added have the type homeOffice, officeLocation or customLocation.",
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

func checkWorkingLocationOtherFields(in *input, r diag.Reporter) {
	w, old := in.merged.WorkingLocationProperties, in.stored.WorkingLocationProperties.orZero()
	if w == nil || !constraint.WorkingLocationType.Has(w.Type) {
		return
	}
	sent, isNewType := in.sent.WorkingLocationProperties.orZero(), w.Type != old.Type
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

// keepOtherFields restores the stored values of the members that [workingLocationOtherFields]
// ignores. Members that were cleared stay absent.
func keepOtherFields(w, stored *WorkingLocation) *WorkingLocation {
	if w == nil || w == stored || !constraint.WorkingLocationType.Has(w.Type) {
		return w
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
	return &kept
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
	return func(in *input, r diag.Reporter) {
		is := eventType(in.result.EventType)
		known := constraint.EventType.Has(is) && !in.result.extra.WasSent("eventType") && !in.isOfUnknownType() && !in.changesEventType()
		if known && is != want && present(in.result) {
			advice := "leave-out"
			if in.on == occasion.Insert { // an import makes any event one of type default
				advice = "leave-out-or-send"
			}
			r.Report(diag.Pointer("").Member(member), "other-type", diag.Name("member", member), diag.Name("is", is), diag.Name("type", want), diag.Also(advice))
		}
	}
}

var workingLocationEventType = diag.Rule{
	ID: "working-location.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties", "eventType"},
	Summary: "An event with workingLocationProperties has the eventType workingLocation.",
	Section: sectionParts,
	Good:    insertWorkingLocation(`{"type":"homeOffice"}`),
	Bad:     sample.Timed(`"workingLocationProperties":{"type":"homeOffice"}`),
	Says:    goesWithSays,
	Check:   goesWith("workingLocationProperties", constraint.TypeWorkingLocation, func(e *Event) bool { return e.WorkingLocationProperties != nil }),
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

func checkWorkingLocationBuilding(in *input, r diag.Reporter) {
	w := in.result.WorkingLocationProperties
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
	Summary: "The autoDeclineMode of focus time is declineNone, declineAllConflictingInvitations or declineOnlyNewConflictingInvitations.",
	Section: sectionParts,
	Says:    constraint.AutoDeclineMode.Says(),
	Good:    sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineNone"}`),
	Bad:     sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineAll"}`),
}

var focusTimeChatStatus = diag.Rule{
	ID: "focus-time.chat-status", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties.chatStatus"},
	Summary: "The chatStatus of focus time is available or doNotDisturb.",
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
	Summary: "The autoDeclineMode of an out-of-office event is declineNone, declineAllConflictingInvitations or declineOnlyNewConflictingInvitations.",
	Section: sectionParts,
	Says:    constraint.AutoDeclineMode.Says(),
	Good:    sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineNone"}`),
	Bad:     sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineAll"}`),
}

var outOfOfficeEventType = diag.Rule{
	ID: "out-of-office.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"outOfOfficeProperties", "eventType"},
	Summary: "An event with outOfOfficeProperties has the eventType outOfOffice.",
	Section: sectionEvent + ", outOfOfficeProperties",
	Good:    sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"declineMessage":"Away"}`),
	Bad:     sample.Timed(`"outOfOfficeProperties":{"declineMessage":"Away"}`),
	Says:    goesWithSays,
	Check:   goesWith("outOfOfficeProperties", constraint.TypeOutOfOffice, func(e *Event) bool { return e.OutOfOfficeProperties != nil }),
}
