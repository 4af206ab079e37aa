package limits

// The numbers of the Event resource.
const (
	// EventKind is the constant kind of an event.
	// Source: Event resource.
	EventKind = "calendar#event"

	// EventIDMinLength is the minimum length in characters of an event id that a client
	// chooses. An empty id is too short, not absent. Source: Event resource; Limits.
	EventIDMinLength = 5

	// EventIDMaxLength is the maximum length in characters of an event id that a client chooses.
	// Source: Event resource; Limits.
	EventIDMaxLength = 1024

	// SequenceMin is the minimum iCalendar sequence number.
	// Source: RFC 5545 section 3.8.7.4.
	SequenceMin = 0

	// PropertyKeyMaxLength is the maximum length in characters of the key of an extended
	// property. The service silently drops properties with longer keys. Source: observed.
	PropertyKeyMaxLength = 44

	// PropertyValueMaxLength is the maximum length in characters of the value of an extended
	// property. The service silently truncates longer values. Source: observed.
	PropertyValueMaxLength = 1024

	// GadgetSizeMin is the minimum width and height of a gadget in pixels.
	// Source: Event resource ("greater than 0"); Limits.
	GadgetSizeMin = 1

	// AttachmentsMax is the maximum number of attachments of an event.
	// Source: Event resource; Limits.
	AttachmentsMax = 25

	// AdditionalGuestsMin is the minimum number of additional guests of an attendee. That the
	// number must not be negative is inferred. Source: attendees[] sub-fields.
	AdditionalGuestsMin = 0
)

// The numbers of conferenceData.
const (
	// ConferenceNotesMaxLength is the maximum length in characters of the notes of a
	// conference, including markup. Source: conferenceData; Limits.
	ConferenceNotesMaxLength = 2048

	// EntryPointsMin is the minimum number of entry points with a conferenceSolution.
	// Source: conferenceData.
	EntryPointsMin = 1

	// EntryPointsOfTypeMax is the maximum number of entry points for each of the types video,
	// sip and more. There is no maximum for phone. Source: conferenceData.
	EntryPointsOfTypeMax = 1

	// EntryPointURIMaxLength is the maximum length in characters of the uri of an entry point.
	// Source: conferenceData; Limits.
	EntryPointURIMaxLength = 1300

	// EntryPointLabelMaxLength is the maximum length in characters of the label of an entry point.
	// Source: conferenceData; Limits.
	EntryPointLabelMaxLength = 512

	// EntryPointCodeMaxLength is the maximum length in characters of each of meetingCode,
	// accessCode, passcode, password and pin of an entry point.
	// Source: conferenceData; Limits.
	EntryPointCodeMaxLength = 128
)

// The numbers of reminders.
const (
	// ReminderOverridesMax is the maximum number of entries of reminders.overrides.
	// Source: reminders; Limits.
	ReminderOverridesMax = 5

	// ReminderMinutesMin is the minimum number of minutes between a reminder and the start of
	// the event. Source: reminders; Limits.
	ReminderMinutesMin = 0

	// ReminderMinutesMax is the maximum number of minutes between a reminder and the start of
	// the event: four weeks. Source: reminders; Limits.
	ReminderMinutesMax = 40320
)

// The numbers of requests.
const (
	// PatchQuotaUnits is the cost of a patch request for any resource in quota units.
	// Source: Behavior rules per operation; Limits.
	PatchQuotaUnits = 3

	// FeatureVersionMin is the minimum and default value of the parameters
	// conferenceDataVersion and eventLabelVersion.
	// Source: Events insert in detail; Limits.
	FeatureVersionMin = 0

	// FeatureVersionMax is the maximum value of the parameters conferenceDataVersion
	// and eventLabelVersion. Source: Events insert in detail; Limits.
	FeatureVersionMax = 1

	// MaxAttendeesMin is the minimum value of the parameter maxAttendees. That the value must
	// be positive is inferred. Source: Events insert in detail.
	MaxAttendeesMin = 1

	// ServiceVersion is the version of the service, which is part of its base URL.
	// Source: Versioning.
	ServiceVersion = 3

	// JSONMaxDepth is the maximum nesting depth of the objects and arrays of a body, which
	// itself is the first level. RFC 8259 section 9 lets parsers choose a limit.
	JSONMaxDepth = 100
)
