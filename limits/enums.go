package limits

// The enumerations of the Event resource. They are variables only because Go has no
// constants of their type: nobody assigns to them.
var (
	// Status says whether an event takes place: it does (confirmed, the default), it may
	// (tentative), or it is deleted or an exception to its series (cancelled).
	// Source: Event resource; States and transitions.
	Status = enum("confirmed", "tentative", "cancelled")

	// RecurrenceLine is what a line of recurrence can be. DTSTART and DTEND lines are
	// not allowed. RFC 5545 section 2 matches the names without regard to case;
	// [Enum.Has] does not. Source: Event resource.
	RecurrenceLine = enum("RRULE", "EXRULE", "RDATE", "EXDATE")

	// Transparency says whether an event blocks time on the calendar: opaque (the
	// default) does, transparent does not. Source: Event resource.
	Transparency = enum("opaque", "transparent")

	// Visibility says who may read an event. The default is default: as the calendar has
	// it. confidential is private, kept for compatibility. Source: Event resource.
	Visibility = enum("default", "public", "private", "confidential")

	// GadgetDisplay says where a gadget is shown: beside the event's title (icon) or when
	// the event is clicked (chip). No default is stated. Source: Event resource.
	GadgetDisplay = enum("icon", "chip")

	// EventType is the flavor of an event, fixed at its creation; fromMail cannot be
	// created. The default is default: a regular event. Source: Event resource.
	EventType = enum("birthday", "default", "focusTime", "fromMail", "outOfOffice", "workingLocation")
)

// ResponseStatus is an attendee's answer. No default is stated; needsAction is
// recommended for new events. Source: attendees[] sub-fields.
var ResponseStatus = enum("needsAction", "declined", "tentative", "accepted")

// AsyncOperation is the state of an operation that the service runs for an attendee, such
// as listing the members of a group; absent when none runs. Source: attendees[] sub-fields.
var AsyncOperation = enum("inProgress")

// The enumerations of conferenceData.
var (
	// CreateRequestStatus is how far the making of a conference has come. In success the
	// entry points are there, in failure there are none; set by the service alone. No
	// default is stated. Source: conferenceData.
	CreateRequestStatus = enum("pending", "success", "failure")

	// ConferenceSolutionType is the kind of a conference. addOn is a third party's. A
	// reader tolerates types that are not listed. No default is stated.
	// Source: conferenceData.
	ConferenceSolutionType = enum("eventVideo", "eventNamedVideo", "videoMeet", "addOn")

	// ConferenceSolutionDeprecated is the part of [ConferenceSolutionType] that cannot
	// be created any more. Source: conferenceData; Versioning.
	ConferenceSolutionDeprecated = enum("eventVideo", "eventNamedVideo")

	// EntryPointType is how one joins a conference: over HTTP (video), by phone, by sip,
	// or as extra instructions say (more). No default is stated. Source: conferenceData.
	EntryPointType = enum("video", "phone", "sip", "more")
)

// ReminderMethod is how a reminder is delivered. It has no default: it is required when a
// reminder is added. Source: reminders.
var ReminderMethod = enum("email", "popup")

// The enumerations of the properties by event type.
var (
	// AutoDeclineMode says which conflicting invitations a focusTime or an outOfOffice
	// event declines: none, all, or only those that arrive while it exists. No default is
	// stated. Source: source, attachments, properties by event type.
	AutoDeclineMode = enum("declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations")

	// ChatStatus is how a person appears in chat during a focusTime event. No default is
	// stated. Source: source, attachments, properties by event type.
	ChatStatus = enum("available", "doNotDisturb")

	// BirthdayType is what a birthday event celebrates. The default is birthday, the only
	// one that can be created. Source: source, attachments, properties by event type.
	BirthdayType = enum("anniversary", "birthday", "custom", "other", "self")

	// BirthdayContactTypes is the part of [BirthdayType] that always has a contact. self
	// never has one; birthday may. Source: source, attachments, properties by event type.
	BirthdayContactTypes = enum("anniversary", "custom", "other")

	// WorkingLocationType is where one works, and names the sub-field that says more. It
	// has no default: it is required when the properties are added.
	// Source: source, attachments, properties by event type.
	WorkingLocationType = enum("homeOffice", "officeLocation", "customLocation")
)

// SendUpdates says which guests are notified: all, those outside the service, or none.
// The default is stated as false, which is no member. Source: Events insert in detail.
var SendUpdates = enum("all", "externalOnly", "none")
