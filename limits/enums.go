package limits

// The enumerations of the Event resource. They are variables only because Go does not have
// constants of struct types. Do not assign to them.
var (
	// Status is the status of an event: confirmed (the default), tentative, or cancelled, which
	// means deleted or an exception to a series.
	// Source: Event resource; States and transitions.
	Status = enum("confirmed", "tentative", "cancelled")

	// RecurrenceLine is the name of a recurrence line. DTSTART and DTEND lines are not
	// allowed. The names are case-insensitive (RFC 5545 section 2), but [Enum.Has] is not.
	// Source: Event resource.
	RecurrenceLine = enum("RRULE", "EXRULE", "RDATE", "EXDATE")

	// Transparency says whether an event blocks time on the calendar: opaque (the
	// default) or transparent, which does not. Source: Event resource.
	Transparency = enum("opaque", "transparent")

	// Visibility says who can see an event. The default is default, the setting of the
	// calendar. The value confidential means private. Source: Event resource.
	Visibility = enum("default", "public", "private", "confidential")

	// GadgetDisplay says where a gadget is displayed: next to the title of the event (icon) or
	// when the event is clicked (chip). It has no stated default. Source: Event resource.
	GadgetDisplay = enum("icon", "chip")

	// EventType is the type of an event, which cannot change. Events of type fromMail cannot
	// be created. The default is default, a regular event. Source: Event resource.
	EventType = enum("birthday", "default", "focusTime", "fromMail", "outOfOffice", "workingLocation")
)

// ResponseStatus is the response of an attendee. It has no stated default; needsAction is
// recommended for new events. Source: attendees[] sub-fields.
var ResponseStatus = enum("needsAction", "declined", "tentative", "accepted")

// AsyncOperation is the state of an asynchronous operation for an attendee, such as listing the
// members of a group. It is absent if none is running. Source: attendees[] sub-fields.
var AsyncOperation = enum("inProgress")

// The enumerations of conferenceData.
var (
	// CreateRequestStatus is the status of a request to create a conference. With success the
	// entry points are populated; with failure there are none. Only the service sets it. It
	// has no stated default. Source: conferenceData.
	CreateRequestStatus = enum("pending", "success", "failure")

	// ConferenceSolutionType is the type of a conference solution; addOn is that of a third
	// party. Clients must tolerate other types. It has no stated default.
	// Source: conferenceData.
	ConferenceSolutionType = enum("eventVideo", "eventNamedVideo", "videoMeet", "addOn")

	// ConferenceSolutionDeprecated lists the values of [ConferenceSolutionType] that can no
	// longer be created. Source: conferenceData; Versioning.
	ConferenceSolutionDeprecated = enum("eventVideo", "eventNamedVideo")

	// EntryPointType is a way to join a conference: over HTTP (video), by phone, by SIP (sip),
	// or by following further instructions (more). It has no stated default.
	// Source: conferenceData.
	EntryPointType = enum("video", "phone", "sip", "more")
)

// ReminderMethod is the way to deliver a reminder. It has no default, because it is required when
// adding a reminder. Source: reminders.
var ReminderMethod = enum("email", "popup")

// The enumerations of the properties by event type.
var (
	// AutoDeclineMode says which conflicting invitations a focusTime or outOfOffice event
	// declines: none, all, or only those that arrive while the event exists. It has no stated
	// default. Source: source, attachments, properties by event type.
	AutoDeclineMode = enum("declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations")

	// ChatStatus is the chat status of a person during a focusTime event. It has no stated
	// default. Source: source, attachments, properties by event type.
	ChatStatus = enum("available", "doNotDisturb")

	// BirthdayType is the occasion of a birthday event. The default is birthday, the only value
	// that can be created. Source: source, attachments, properties by event type.
	BirthdayType = enum("anniversary", "birthday", "custom", "other", "self")

	// BirthdayContactTypes lists the values of [BirthdayType] that always have a contact. With
	// self there is never a contact; with birthday there may be one.
	// Source: source, attachments, properties by event type.
	BirthdayContactTypes = enum("anniversary", "custom", "other")

	// WorkingLocationType is the type of a working location and the name of the sub-field with
	// the details. It has no default, because it is required when adding the properties.
	// Source: source, attachments, properties by event type.
	WorkingLocationType = enum("homeOffice", "officeLocation", "customLocation")
)

// SendUpdates says which guests to notify: all, only those outside the service, or none. Its
// stated default is false, which is not one of the values. Source: Events insert in detail.
var SendUpdates = enum("all", "externalOnly", "none")
