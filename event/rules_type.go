package event

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
)

// typeRules are about the event type and the properties that go with one type. Those of
// birthdays are [birthdayRules].
var typeRules = []*diag.Rule{
	&eventTypeEnum,
	&eventTypeFromMail,
	&typeTimedOnly,
	&typePlain,
	&typePropertiesRequired,
	&workingLocationType,
	&workingLocationOtherFields,
	&workingLocationEventType,
	&workingLocationBuilding,
	&focusTimeAutoDecline,
	&focusTimeChatStatus,
	&focusTimeEventType,
	&outOfOfficeAutoDecline,
	&outOfOfficeEventType,
}

// The event types.
const (
	typeBirthday        = "birthday"
	typeDefault         = "default"
	typeFocusTime       = "focusTime"
	typeFromMail        = "fromMail"
	typeOutOfOffice     = "outOfOffice"
	typeWorkingLocation = "workingLocation"
)

var eventTypeEnum = diag.Rule{
	ID: "event.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"eventType"},
	Summary: "The eventType is birthday, default, focusTime, fromMail, outOfOffice or workingLocation; default when absent.",
	Section: sectionEvent + ", eventType",
	Good:    diag.Example{Request: sample.Timed(`"eventType":"default"`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"meeting"`)},
}

var eventTypeFromMail = diag.Rule{
	ID: "event.type.from-mail", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "An event of type fromMail is not created by a client.",
	Section: sectionEvent + ", eventType",
	Why:     "The service makes such events from messages.",
	Good:    diag.Example{Request: sample.Timed(`"eventType":"default"`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"fromMail"`)},
}

var typeTimedOnly = diag.Rule{
	ID: "type.timed-only", Kind: diag.Reject, When: diag.Create, Basis: diag.Observed, Scope: diag.OfEvent,
	Summary: "Events of type focusTime and outOfOffice are timed, not all-day.",
	Section: sectionObserved,
	Good:    diag.Example{Request: sample.Timed(`"eventType":"outOfOffice"`)},
	Bad:     diag.Example{Request: sample.AllDay(`"eventType":"outOfOffice"`)},
	Check:   check(checkTimedOnly),
}

func checkTimedOnly(in *input, r diag.Reporter) {
	t := in.result.EventType
	if (t == typeFocusTime || t == typeOutOfOffice) && in.start.form == allDay {
		r.Report("/start", "The event of type %s is all-day; it must be timed. Send dateTime instead of date, in start and end.", t)
	}
}

var typePlain = diag.Rule{
	ID: "type.plain", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"eventType", "attendees", "conferenceData", "location"},
	Summary: "Events of type outOfOffice and focusTime carry no attendees and no conference; those of type workingLocation no location of their own.",
	Section: sectionObserved,
	Why:     "They are about one person's time. A conference on focus time is advised against rather than refused.",
	Good:    diag.Example{Request: sample.Timed(`"eventType":"focusTime"`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"focusTime","attendees":[{"email":"ada@example.com"}]`)},
	Check:   check(checkPlain),
}

func checkPlain(in *input, r diag.Reporter) {
	e := in.result
	switch e.EventType {
	case typeOutOfOffice, typeFocusTime:
		if n := len(e.Attendees); n > 0 && in.didChange(ofAttendees|ofEventType) {
			r.Report("/attendees", "The event of type %s has %s; it can have none. Leave them out.", e.EventType, count(n, "attendee"))
		}
		checkPlainConference(in, r)
	case typeWorkingLocation:
		if e.Location != "" && in.didChange(ofLocation|ofEventType) {
			r.Report("/location", "The event of type workingLocation has a location of its own; it belongs into workingLocationProperties.")
		}
	}
}

func checkPlainConference(in *input, r diag.Reporter) {
	if in.result.ConferenceData == nil || in.flags.ConferenceDataVersion == 0 || !in.didChange(ofConference|ofEventType) {
		return // ignored at version 0
	}
	kind := diag.Reject
	if in.result.EventType == typeFocusTime {
		kind = diag.Advise
	}
	r.As(kind, "/conferenceData", "The event of type %s has a conference; it should have none. Leave conferenceData out.", in.result.EventType)
}

var typePropertiesRequired = diag.Rule{
	ID: "type.properties-required", Kind: diag.Reject, When: diag.Create, Basis: diag.Observed, Scope: diag.OfEvent,
	Summary: "An event of type workingLocation has workingLocationProperties.",
	Section: sectionObserved,
	Good:    diag.Example{Request: sample.Timed(`"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"workingLocation"`)},
	Check:   check(checkPropertiesRequired),
}

func checkPropertiesRequired(in *input, r diag.Reporter) {
	if in.result.EventType == typeWorkingLocation && in.result.WorkingLocationProperties == nil {
		r.Report("/workingLocationProperties", "The event of type workingLocation has no workingLocationProperties. Send them with a type.")
	}
}

// workingLocation makes an insert of a working location with the properties given.
func workingLocation(properties string) string {
	return sample.Timed(`"eventType":"workingLocation","workingLocationProperties":` + properties)
}

var workingLocationType = diag.Rule{
	ID: "working-location.type", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties"},
	Summary: "Working location properties that are added have a type: homeOffice, officeLocation or customLocation.",
	Section: sectionParts,
	Good:    diag.Example{Request: workingLocation(`{"type":"homeOffice"}`)},
	Bad:     diag.Example{Request: workingLocation(`{"homeOffice":{}}`)},
}

var workingLocationOtherFields = diag.Rule{
	ID: "working-location.other-fields", Kind: diag.Ignore, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The details of a working location stand in the member named like its type.",
	Section: sectionParts,
	Why:     "The other members are ignored. The one named like the type may be missing.",
	Good:    diag.Example{Request: workingLocation(`{"type":"officeLocation","officeLocation":{"label":"HQ"}}`)},
	Bad:     diag.Example{Request: workingLocation(`{"type":"officeLocation","customLocation":{"label":"HQ"}}`)},
	Check:   check(checkWorkingLocationOtherFields),
}

func checkWorkingLocationOtherFields(in *input, r diag.Reporter) {
	w, old := in.merged.WorkingLocationProperties, in.stored.WorkingLocationProperties.orZero()
	if w == nil || !limits.WorkingLocationType.Has(w.Type) {
		return
	}
	ignored := func(differs bool, name string) {
		if differs && w.Type != name {
			r.Report(diag.Pointer("/workingLocationProperties").Member(name),
				"The type is %s, so %s has no effect. Leave it out, or send the type %s.", w.Type, name, name)
		}
	}
	home := len(w.HomeOffice) > 0 && string(w.HomeOffice) != "null"
	ignored(home && !object.SameJSON(w.HomeOffice, old.HomeOffice), "homeOffice")
	ignored(w.CustomLocation != nil && !customLocationTable.Equal(w.CustomLocation, old.CustomLocation), "customLocation")
	ignored(w.OfficeLocation != nil && !officeLocationTable.Equal(w.OfficeLocation, old.OfficeLocation), "officeLocation")
}

// keepOtherFields leaves what [workingLocationOtherFields] tells of as it is stored. What was
// cleared is gone.
func keepOtherFields(w, stored *WorkingLocation) {
	if w == nil || !limits.WorkingLocationType.Has(w.Type) {
		return
	}
	old := stored.orZero()
	if w.Type != "homeOffice" && w.HomeOffice != nil {
		w.HomeOffice = slices.Clone(old.HomeOffice)
	}
	if w.Type != "customLocation" && w.CustomLocation != nil {
		w.CustomLocation = customLocationTable.Clone(old.CustomLocation)
	}
	if w.Type != "officeLocation" && w.OfficeLocation != nil {
		w.OfficeLocation = officeLocationTable.Clone(old.OfficeLocation)
	}
}

func (w *WorkingLocation) orZero() WorkingLocation {
	if w == nil {
		return WorkingLocation{}
	}
	return *w
}

// checkGoesWith reports properties that are used for another event type than the event's.
func checkGoesWith(in *input, r diag.Reporter, present bool, member, want string) {
	is := eventType(in.result.EventType)
	known := limits.EventType.Has(is) && !in.result.extra.WasSent("eventType")
	if !present || !known || is == want {
		return
	}
	r.Report(diag.Pointer("").Member(member), "The %s are used if the eventType is %s; it is %s. Leave them out, or send that type.", member, want, diag.Quote(is))
}

var workingLocationEventType = diag.Rule{
	ID: "working-location.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties", "eventType"},
	Summary: "workingLocationProperties go with the event type workingLocation.",
	Section: sectionParts,
	Good:    diag.Example{Request: workingLocation(`{"type":"homeOffice"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"workingLocationProperties":{"type":"homeOffice"}`)},
	Check:   check(checkWorkingLocationEventType),
}

func checkWorkingLocationEventType(in *input, r diag.Reporter) {
	checkGoesWith(in, r, in.result.WorkingLocationProperties != nil, "workingLocationProperties", typeWorkingLocation)
}

var workingLocationBuilding = diag.Rule{
	ID: "working-location.building", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"workingLocationProperties"},
	Summary: "The buildingId of an office references a building of the organization.",
	Section: sectionParts,
	Why:     "Checked only where the caller supplies the ids of the buildings.",
	Good: diag.Example{Request: sample.With(workingLocation(`{"type":"officeLocation","officeLocation":{"buildingId":"hq-1"}}`),
		`"calendar":{"buildings":["hq-1"]}`)},
	Bad: diag.Example{Request: sample.With(workingLocation(`{"type":"officeLocation","officeLocation":{"buildingId":"hq-9"}}`),
		`"calendar":{"buildings":["hq-1"]}`)},
	Check: check(checkWorkingLocationBuilding),
}

func checkWorkingLocationBuilding(in *input, r diag.Reporter) {
	w := in.result.WorkingLocationProperties
	if w == nil || w.Type != "officeLocation" || w.OfficeLocation == nil || in.req.Calendar == nil {
		return
	}
	id, buildings := w.OfficeLocation.BuildingID, in.req.Calendar.Buildings
	if id != "" && !contains(buildings, id) {
		r.Report("/workingLocationProperties/officeLocation/buildingId",
			"The buildingId %s is no building of the organization. Choose one of its resources database.", diag.Quote(id))
	}
}

var focusTimeAutoDecline = diag.Rule{
	ID: "focus-time.auto-decline", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties"},
	Summary: "The autoDeclineMode of focus time is declineNone, declineAllConflictingInvitations or declineOnlyNewConflictingInvitations.",
	Section: sectionParts,
	Good:    diag.Example{Request: sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineNone"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"autoDeclineMode":"declineAll"}`)},
}

var focusTimeChatStatus = diag.Rule{
	ID: "focus-time.chat-status", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties"},
	Summary: "The chatStatus of focus time is available or doNotDisturb.",
	Section: sectionParts,
	Good:    diag.Example{Request: sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"doNotDisturb"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"away"}`)},
}

var focusTimeEventType = diag.Rule{
	ID: "focus-time.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"focusTimeProperties", "eventType"},
	Summary: "focusTimeProperties are used only if the eventType is focusTime.",
	Section: sectionEvent + ", focusTimeProperties",
	Good:    diag.Example{Request: sample.Timed(`"eventType":"focusTime","focusTimeProperties":{"chatStatus":"available"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"focusTimeProperties":{"chatStatus":"available"}`)},
	Check:   check(checkFocusTimeEventType),
}

func checkFocusTimeEventType(in *input, r diag.Reporter) {
	checkGoesWith(in, r, in.result.FocusTimeProperties != nil, "focusTimeProperties", typeFocusTime)
}

var outOfOfficeAutoDecline = diag.Rule{
	ID: "out-of-office.auto-decline", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"outOfOfficeProperties"},
	Summary: "The autoDeclineMode of an absence is declineNone, declineAllConflictingInvitations or declineOnlyNewConflictingInvitations.",
	Section: sectionParts,
	Good:    diag.Example{Request: sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineNone"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"autoDeclineMode":"declineAll"}`)},
}

var outOfOfficeEventType = diag.Rule{
	ID: "out-of-office.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"outOfOfficeProperties", "eventType"},
	Summary: "outOfOfficeProperties are used only if the eventType is outOfOffice.",
	Section: sectionEvent + ", outOfOfficeProperties",
	Good:    diag.Example{Request: sample.Timed(`"eventType":"outOfOffice","outOfOfficeProperties":{"declineMessage":"Away"}`)},
	Bad:     diag.Example{Request: sample.Timed(`"outOfOfficeProperties":{"declineMessage":"Away"}`)},
	Check:   check(checkOutOfOfficeEventType),
}

func checkOutOfOfficeEventType(in *input, r diag.Reporter) {
	checkGoesWith(in, r, in.result.OutOfOfficeProperties != nil, "outOfOfficeProperties", typeOutOfOffice)
}
