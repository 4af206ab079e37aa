package limits

import "strconv"

// Limit is one row of [Table].
type Limit struct {
	Name      string `json:"name"`      // the identifier in this package
	AppliesTo string `json:"appliesTo"` // the members or parameters that it is about
	Value     string `json:"value"`     // the number, the members of the enumeration, or the form
	Unit      string `json:"unit"`      // what the number counts, or "one of", "alphabet" or "form"
	Basis     string `json:"basis"`     // "stated", "rfc", "inferred" or "observed"
	Source    string `json:"source"`    // the section or the RFC that says so
}

// The bases, as the rules' catalogue has them too.
const (
	stated   = "stated"   // the document says so
	rfc      = "rfc"      // an RFC that the document names says so
	inferred = "inferred" // it follows from the document
	observed = "observed" // the public service does so, as its users report
)

// The units of limits that are no numbers.
const (
	oneOf    = "one of"
	alphabet = "alphabet"
	form     = "form"
)

// The sections of the document.
const (
	eventResource  = "Event resource"
	timeFields     = "start, end, originalStartTime sub-fields"
	attendeeFields = "attendees[] sub-fields"
	conference     = "conferenceData"
	reminders      = "reminders"
	byEventType    = "source, attachments, properties by event type"
	behavior       = "Behavior rules per operation"
	eventsInsert   = "Events insert in detail"
	versioning     = "Versioning"
)

// Table returns every number, alphabet, enumeration and form of this package, in the order
// in which the document comes to them. The slice is the caller's own.
func Table() []Limit {
	n := strconv.Itoa
	return []Limit{
		{"EventKind", "kind", EventKind, form, stated, eventResource},
		{"EventIDAlphabet", "id on creation", "a-v and 0-9", alphabet, stated, eventResource},
		{"EventIDMinLength", "id on creation", n(EventIDMinLength), "characters", stated, eventResource},
		{"EventIDMaxLength", "id on creation", n(EventIDMaxLength), "characters", stated, eventResource},
		{"Status", "status", Status.String(), oneOf, stated, eventResource},
		{"RecurrenceLine", "recurrence[]", RecurrenceLine.String(), oneOf, stated, eventResource},
		{"Transparency", "transparency", Transparency.String(), oneOf, stated, eventResource},
		{"Visibility", "visibility", Visibility.String(), oneOf, stated, eventResource},
		{"SequenceMin", "sequence", n(SequenceMin), "revisions", rfc, "RFC 5545 section 3.8.7.4"},
		{"PropertyKeyMaxLength", "keys of extendedProperties.private and .shared", n(PropertyKeyMaxLength), "characters", observed, "the public service"},
		{"PropertyValueMaxLength", "values of extendedProperties.private and .shared", n(PropertyValueMaxLength), "characters", observed, "the public service"},
		{"GadgetSizeMin", "gadget.width, gadget.height", n(GadgetSizeMin), "pixels", stated, eventResource},
		{"GadgetDisplay", "gadget.display", GadgetDisplay.String(), oneOf, stated, eventResource},
		{"AttachmentsMax", "attachments", n(AttachmentsMax), "entries", stated, eventResource},
		{"EventType", "eventType", EventType.String(), oneOf, stated, eventResource},

		{"IsDate", "date of start, end and originalStartTime", "yyyy-mm-dd, a day that exists", form, stated, timeFields},
		{"IsDateTime", "dateTime of start, end and originalStartTime; created, updated", "date-time of RFC 3339 section 5.6", form, stated, timeFields},
		{"IsZone", "timeZone of start, end and originalStartTime", "name of the IANA Time Zone Database, release " + ZoneRelease, oneOf, stated, timeFields},

		{"IsAddrSpec", "organizer.email, attendees[].email", "addr-spec of RFC 5322 section 3.4.1", form, stated, attendeeFields},
		{"ResponseStatus", "attendees[].responseStatus", ResponseStatus.String(), oneOf, stated, attendeeFields},
		{"AdditionalGuestsMin", "attendees[].additionalGuests", n(AdditionalGuestsMin), "guests", inferred, attendeeFields},
		{"AsyncOperation", "attendees[].asyncOperation", AsyncOperation.String(), oneOf, stated, attendeeFields},

		{"EntryPointsMin", "conferenceData.entryPoints beside conferenceSolution", n(EntryPointsMin), "entries", stated, conference},
		{"CreateRequestStatus", "conferenceData.createRequest.status.statusCode", CreateRequestStatus.String(), oneOf, stated, conference},
		{"ConferenceSolutionType", "conferenceSolutionKey.type, conferenceSolution.key.type", ConferenceSolutionType.String(), oneOf, stated, conference},
		{"ConferenceSolutionDeprecated", "the same, not to be created", ConferenceSolutionDeprecated.String(), oneOf, stated, conference},
		{"IsMeetingCode", "conferenceData.conferenceId of videoMeet", "three, four and three letters joined by hyphens", form, stated, conference},
		{"ConferenceNotesMaxLength", "conferenceData.notes", n(ConferenceNotesMaxLength), "characters", stated, conference},
		{"EntryPointType", "conferenceData.entryPoints[].entryPointType", EntryPointType.String(), oneOf, stated, conference},
		{"EntryPointsOfTypeMax", "conferenceData.entryPoints of types video, sip and more", n(EntryPointsOfTypeMax), "entries of each type", stated, conference},
		{"EntryPointURIMaxLength", "conferenceData.entryPoints[].uri", n(EntryPointURIMaxLength), "characters", stated, conference},
		{"IsHTTPURL", "conferenceData.entryPoints[].uri of types video and more; source.url", "URL with scheme http or https", form, stated, conference},
		{"IsTelURI", "conferenceData.entryPoints[].uri of type phone", "URI with scheme tel", form, stated, conference},
		{"IsSIPURI", "conferenceData.entryPoints[].uri of type sip", "URI with scheme sip", form, stated, conference},
		{"EntryPointLabelMaxLength", "conferenceData.entryPoints[].label", n(EntryPointLabelMaxLength), "characters", stated, conference},
		{"EntryPointCodeMaxLength", "meetingCode, accessCode, passcode, password and pin of conferenceData.entryPoints[]", n(EntryPointCodeMaxLength), "characters", stated, conference},

		{"ReminderOverridesMax", "reminders.overrides", n(ReminderOverridesMax), "entries", stated, reminders},
		{"ReminderMethod", "reminders.overrides[].method", ReminderMethod.String(), oneOf, stated, reminders},
		{"ReminderMinutesMin", "reminders.overrides[].minutes", n(ReminderMinutesMin), "minutes", stated, reminders},
		{"ReminderMinutesMax", "reminders.overrides[].minutes", n(ReminderMinutesMax), "minutes", stated, reminders},

		{"AutoDeclineMode", "autoDeclineMode of focusTimeProperties and outOfOfficeProperties", AutoDeclineMode.String(), oneOf, stated, byEventType},
		{"ChatStatus", "focusTimeProperties.chatStatus", ChatStatus.String(), oneOf, stated, byEventType},
		{"BirthdayType", "birthdayProperties.type", BirthdayType.String(), oneOf, stated, byEventType},
		{"BirthdayContactTypes", "the same, with birthdayProperties.contact", BirthdayContactTypes.String(), oneOf, stated, byEventType},
		{"IsContactName", "birthdayProperties.contact", "people/<contact_id>", form, stated, byEventType},
		{"WorkingLocationType", "workingLocationProperties.type", WorkingLocationType.String(), oneOf, stated, byEventType},

		{"PatchQuotaUnits", "every patch operation", n(PatchQuotaUnits), "quota units", stated, behavior},
		{"FeatureVersionMin", "parameters conferenceDataVersion and eventLabelVersion", n(FeatureVersionMin), "version", stated, eventsInsert},
		{"FeatureVersionMax", "parameters conferenceDataVersion and eventLabelVersion", n(FeatureVersionMax), "version", stated, eventsInsert},
		{"MaxAttendeesMin", "parameter maxAttendees", n(MaxAttendeesMin), "attendees", inferred, eventsInsert},
		{"SendUpdates", "parameter sendUpdates", SendUpdates.String(), oneOf, stated, eventsInsert},
		{"ServiceVersion", "{base_url}", n(ServiceVersion), "version", stated, versioning},

		{"JSONMaxDepth", "every body", n(JSONMaxDepth), "levels", rfc, "RFC 8259 section 9"},
	}
}
