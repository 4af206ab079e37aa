package limits

// The numbers of the Event resource.
const (
	// EventKind is the one value of an event's kind.
	// Source: Event resource.
	EventKind = "calendar#event"

	// EventIDMinLength is the fewest characters of an event id that a client chooses.
	// An empty id is too short, not absent. Source: Event resource; Limits.
	EventIDMinLength = 5

	// EventIDMaxLength is the most characters of an event id that a client chooses.
	// Source: Event resource; Limits.
	EventIDMaxLength = 1024

	// SequenceMin is the least iCalendar sequence number.
	// Source: RFC 5545 section 3.8.7.4.
	SequenceMin = 0

	// PropertyKeyMaxLength is the most characters of an extended property's key. The
	// service drops a property with a longer one without a word. Source: observed.
	PropertyKeyMaxLength = 44

	// PropertyValueMaxLength is the most characters of an extended property's value.
	// The service cuts a longer one without a word. Source: observed.
	PropertyValueMaxLength = 1024

	// GadgetSizeMin is the least width and the least height of a gadget, in pixels.
	// Source: Event resource ("greater than 0"); Limits.
	GadgetSizeMin = 1

	// AttachmentsMax is the most attachments of one event.
	// Source: Event resource; Limits.
	AttachmentsMax = 25

	// AdditionalGuestsMin is the least number of guests that an attendee brings. That
	// it cannot be negative is inferred. Source: attendees[] sub-fields.
	AdditionalGuestsMin = 0
)

// The numbers of conferenceData.
const (
	// ConferenceNotesMaxLength is the most characters of a conference's notes, markup
	// included. Source: conferenceData; Limits.
	ConferenceNotesMaxLength = 2048

	// EntryPointsMin is the fewest entry points beside a conferenceSolution.
	// Source: conferenceData.
	EntryPointsMin = 1

	// EntryPointsOfTypeMax is the most entry points of each of the types video, sip
	// and more. Those of type phone are not limited. Source: conferenceData.
	EntryPointsOfTypeMax = 1

	// EntryPointURIMaxLength is the most characters of an entry point's uri.
	// Source: conferenceData; Limits.
	EntryPointURIMaxLength = 1300

	// EntryPointLabelMaxLength is the most characters of an entry point's label.
	// Source: conferenceData; Limits.
	EntryPointLabelMaxLength = 512

	// EntryPointCodeMaxLength is the most characters of each of an entry point's
	// meetingCode, accessCode, passcode, password and pin.
	// Source: conferenceData; Limits.
	EntryPointCodeMaxLength = 128
)

// The numbers of reminders.
const (
	// ReminderOverridesMax is the most entries of reminders.overrides.
	// Source: reminders; Limits.
	ReminderOverridesMax = 5

	// ReminderMinutesMin is the fewest minutes before the start at which a reminder can
	// be given: at the start itself. Source: reminders; Limits.
	ReminderMinutesMin = 0

	// ReminderMinutesMax is the most minutes before the start at which a reminder can be
	// given: four weeks. Source: reminders; Limits.
	ReminderMinutesMax = 40320
)

// The numbers of requests.
const (
	// PatchQuotaUnits is what one patch request of any resource costs, in quota units.
	// Source: Behavior rules per operation; Limits.
	PatchQuotaUnits = 3

	// FeatureVersionMin is the least value of the parameters conferenceDataVersion and
	// eventLabelVersion, and the one that they default to.
	// Source: Events insert in detail; Limits.
	FeatureVersionMin = 0

	// FeatureVersionMax is the greatest value of the parameters conferenceDataVersion
	// and eventLabelVersion. Source: Events insert in detail; Limits.
	FeatureVersionMax = 1

	// MaxAttendeesMin is the least value of the parameter maxAttendees. That it has to
	// be positive is inferred. Source: Events insert in detail.
	MaxAttendeesMin = 1

	// ServiceVersion is the version of the service, which is part of its address.
	// Source: Versioning.
	ServiceVersion = 3

	// JSONMaxDepth is how many levels deep the objects and arrays of a body may be
	// nested, the body itself being the first. The number is this library's choice,
	// as RFC 8259 section 9 leaves to every reader of JSON.
	JSONMaxDepth = 100
)
