package constraint

import (
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// The values of status, responseStatus and eventType that are distinguished in code. An absent status means confirmed, and an
// absent eventType means default.
const (
	StatusConfirmed = "confirmed"
	StatusTentative = "tentative"
	StatusCancelled = "cancelled"

	NeedsAction = "needsAction" // the responseStatus of attendees who have not answered

	TypeBirthday        = "birthday"
	TypeDefault         = "default"
	TypeFocusTime       = "focusTime"
	TypeFromMail        = "fromMail"
	TypeOutOfOffice     = "outOfOffice"
	TypeWorkingLocation = "workingLocation"
)

// The enumeration values in conference data that are distinguished in code.
const (
	RequestPending = "pending"
	RequestSuccess = "success"
	RequestFailure = "failure"

	ConferenceEventVideo = "eventVideo"
	ConferenceVideoMeet  = "videoMeet"
	ConferenceAddOn      = "addOn" // a third-party conference

	EntryVideo = "video"
	EntryPhone = "phone"
	EntrySIP   = "sip"
	EntryMore  = "more"
)

// The constraints on the Event resource. Source: Event resource, unless the comment states otherwise.
var (
	// Kind is the kind of every event, a constant.
	Kind = ofForm("Kind", EventKind, "", func(s string) bool { return s == EventKind })

	// The characters and the length of the ids that clients choose: base32hex in lower case (RFC 2938 section 3.1.2).
	EventIDCharacters = eventIDCharacters()
	EventIDLength     = eventIDLength()

	// EventStatus is the status of an event, which takes place (confirmed, the default), may take place (tentative), or was
	// deleted, possibly as an instance of a series (cancelled). Source: Event resource; States and transitions.
	EventStatus = enum("EventStatus", StatusConfirmed, StatusTentative, StatusCancelled)

	// RecurrenceLine is the property name of a recurrence line. Names are not case-sensitive in RFC 5545 section 2, but are in
	// [Constraint.Has].
	RecurrenceLine = enum("RecurrenceLine", "RRULE", "EXRULE", "RDATE", "EXDATE")

	// Transparency determines whether an event blocks time on the calendar (opaque, the default), and Visibility
	// determines who can read the event. The value confidential means private and is kept for compatibility.
	Transparency = enum("Transparency", "opaque", "transparent")
	Visibility   = enum("Visibility", "default", "public", "private", "confidential")

	// ICalSequence is the iCalendar sequence number. Source: RFC 5545 section 3.8.7.4.
	ICalSequence = atLeast("ICalSequence", SequenceMin, "revisions")

	// The lengths of an extended property's key and value. Source: observed.
	PropertyKey   = atMostLong("PropertyKey", PropertyKeyMaxLength)
	PropertyValue = atMostLong("PropertyValue", PropertyValueMaxLength)

	// The size of a gadget in each dimension, and the way it is displayed: next to the title of the event (icon), or when the
	// event is clicked (chip).
	GadgetSize    = atLeast("GadgetSize", GadgetSizeMin, "pixels")
	GadgetDisplay = enum("GadgetDisplay", "icon", "chip")

	// Attachments is the number of attachments to an event.
	Attachments = atMostMany("Attachments", AttachmentsMax, "attachments")

	// Timestamp is the format of the times that the service sets: created and updated.
	Timestamp = ofForm("Timestamp", "an RFC 3339 timestamp with an offset", "2026-03-10T09:00:00Z", form.IsDateTime).
			explaining(form.TimestampFault, clockFaults, dateFaults, diag.Sentences{noTime, noOffset})

	// EventType is the type of an event, which is fixed when the event is created. NewEventType is the type of an event
	// that a client creates.
	EventType = enum("EventType", TypeBirthday, TypeDefault, TypeFocusTime, TypeFromMail, TypeOutOfOffice, TypeWorkingLocation).
			creating(TypeBirthday, TypeDefault, TypeFocusTime, TypeOutOfOffice, TypeWorkingLocation)
	NewEventType = ofForm("NewEventType", "a type that clients can create (not {"+TypeFromMail+"})", TypeDefault,
		func(s string) bool { return s != TypeFromMail })
)

// The constraints on start, end and originalStartTime. Unlike [form.IsDateTime], EventDateTime allows a missing offset, because
// the offset is optional if there is a timeZone. Source: start, end, originalStartTime sub-fields.
var (
	FullDate      = ofForm("FullDate", "a calendar date in the form yyyy-mm-dd", "2026-03-10", form.IsDate).explaining(form.DateFault, dateFaults, diag.Sentences{isNumber, hasTime})
	EventDateTime = ofForm("EventDateTime", "an RFC 3339 timestamp", "2026-03-10T09:00:00-04:00", isEventDateTime).explaining(form.DateTimeFault, clockFaults, dateFaults, diag.Sentences{sendAsDate, sendLocal})
	IANAZone      = ianaZone()
)

// The constraints on people. Source: attendees[] sub-fields.
var (
	// AddrSpec is the form of an email address.
	AddrSpec = ofForm("AddrSpec", "a valid RFC 5322 address", "ada@example.com", form.IsAddrSpec).explaining(form.AddressFault, addressFaults)

	// ResponseStatus is an attendee's response. For new events, needsAction is recommended.
	ResponseStatus = enum("ResponseStatus", NeedsAction, "declined", "tentative", "accepted")

	// AdditionalGuests is the number of guests that an attendee brings. The minimum is inferred.
	AdditionalGuests = atLeast("AdditionalGuests", AdditionalGuestsMin, "guests")

	// AsyncOperation is the state of an operation that the service runs for an attendee, such as listing the members of a group.
	// AsyncOperation is absent while no operation is running.
	AsyncOperation = enum("AsyncOperation", "inProgress")
)

// The constraints on conferenceData. Source: conferenceData.
var (
	// The number of entry points in a conference with a conferenceSolution, and the number of entry points of type video, of
	// type sip and of type more.
	EntryPointsWithSolution = entryPointsWithSolution()
	EntryPointsOfType       = atMostMany("EntryPointsOfType", EntryPointsOfTypeMax, "entry point of each of the types video, sip and more")

	// CreateRequestStatus is the progress of a conference's creation. After success, the conference has entry points; after
	// failure, it has no entry points. Only the service sets the status.
	CreateRequestStatus = enum("CreateRequestStatus", RequestPending, RequestSuccess, RequestFailure)

	// ConferenceType is the kind of conference; addOn means a third-party conference. Readers tolerate unlisted types, and clients
	// can create conferences of any type that is not deprecated. Source: conferenceData; Versioning.
	ConferenceType           = enum("ConferenceType", ConferenceEventVideo, "eventNamedVideo", ConferenceVideoMeet, ConferenceAddOn).creating(ConferenceVideoMeet, ConferenceAddOn)
	DeprecatedConferenceType = enum("DeprecatedConferenceType", ConferenceEventVideo, "eventNamedVideo")
	NewConferenceType        = ofForm("NewConferenceType", "a type that clients can create (not "+list(DeprecatedConferenceType.values, "{", "}")+")", "{"+ConferenceVideoMeet+"}",
		func(s string) bool { return !DeprecatedConferenceType.Has(s) })

	// MeetingCode is the form of a videoMeet conference's conferenceId.
	MeetingCode = ofForm("MeetingCode", "three, four and three letters joined by hyphens", "abc-mnop-xyz", form.IsMeetingCode).explaining(form.MeetingCodeFault, meetingCodeFaults)

	// ConferenceNotes is the length of the notes about a conference, including markup.
	ConferenceNotes = atMostLong("ConferenceNotes", ConferenceNotesMaxLength)

	// EntryPointType is the way to join a conference: over HTTP (video), by phone, by SIP, or by following extra instructions
	// (more). The uri has an HTTPScheme if the type of the entry point is video or more. HTTPURL is the form of a source's url.
	EntryPointType = enum("EntryPointType", EntryVideo, EntryPhone, EntrySIP, EntryMore)
	HTTPURL        = ofForm("HTTPURL", "a well-formed http or https URL with a host", "https://example.com/", form.IsHTTPURL).explaining(schemeFault("https", "http"), uriFaults, diag.Sentences{otherScheme})
	HTTPScheme     = ofForm("HTTPScheme", "a URI with the scheme http or https", "https://example.com/", func(s string) bool { return form.HasScheme(s, "http", "https") }).
			explaining(schemeFault("https", "http"), diag.Sentences{noScheme, otherScheme})
	TelScheme = ofForm("TelScheme", "a tel: URI with the whole dial sequence", "tel:+15550100", func(s string) bool { return form.HasScheme(s, "tel") }).
			explaining(schemeFault("tel"), diag.Sentences{noScheme, otherScheme})
	SIPScheme = ofForm("SIPScheme", "a sip: URI", "sip:ada@example.com", func(s string) bool { return form.HasScheme(s, "sip") }).
			explaining(schemeFault("sip"), diag.Sentences{noScheme, otherScheme})

	// The lengths of an entry point's uri, label and codes (meetingCode, accessCode, passcode, password and pin).
	EntryPointURI   = atMostLong("EntryPointURI", EntryPointURIMaxLength)
	EntryPointLabel = atMostLong("EntryPointLabel", EntryPointLabelMaxLength)
	EntryPointCode  = atMostLong("EntryPointCode", EntryPointCodeMaxLength)
)

// The constraints on reminders: the number of overrides, the delivery method, and the time before the start (40320
// minutes are four weeks). Source: reminders.
var (
	ReminderOverrides = atMostMany("ReminderOverrides", ReminderOverridesMax, "reminders")
	ReminderMethod    = enum("ReminderMethod", "email", "popup")
	ReminderMinutes   = between("ReminderMinutes", ReminderMinutesMin, ReminderMinutesMax, "minutes before the start")
)

// The constraints on the properties that depend on the event type. Source: source, attachments, properties by event type.
var (
	// AutoDeclineMode selects the conflicting invitations that a focusTime or outOfOffice event declines: none, all, or
	// only invitations that arrive while the event exists.
	AutoDeclineMode = enum("AutoDeclineMode", "declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations")

	// ChatStatus is a person's status in chat during a focusTime event.
	ChatStatus = enum("ChatStatus", "available", "doNotDisturb")

	// BirthdayType is the occasion for a birthday event. The default is birthday, the only type that clients can create. A
	// birthday of type birthday may have a contact, type self has no contact, and all other types require a contact.
	BirthdayType            = enum("BirthdayType", "anniversary", "birthday", "custom", "other", "self").creating("birthday")
	BirthdayTypeWithContact = enum("BirthdayTypeWithContact", "anniversary", "custom", "other")

	// NewBirthdayType is the type of a birthday that a client creates. NewBirthdayType allows all types except documented types
	// that only the service creates.
	NewBirthdayType = ofForm("NewBirthdayType", "the type that clients can create, birthday", "",
		func(s string) bool { return s == "birthday" || !BirthdayType.Has(s) })

	// ContactName is the form of a contact's resource name.
	ContactName = ofForm("ContactName", "a resource name of the form people/<contact_id>", "people/c12345", form.IsContactName).explaining(form.ContactNameFault, diag.Sentences{noPeople})

	// WorkingLocationType is the kind of place where a person works. The value is also the name of the member with the details.
	WorkingLocationType = enum("WorkingLocationType", "homeOffice", "officeLocation", "customLocation")
)

// The constraints on query parameters. Source: Events insert in detail.
var (
	// FeatureVersion is the range of conferenceDataVersion and eventLabelVersion.
	FeatureVersion = between("FeatureVersion", FeatureVersionMin, FeatureVersionMax, "version")

	// MaxAttendees is the range of maxAttendees. The minimum is inferred.
	MaxAttendees = inferred(atLeast("MaxAttendees", MaxAttendeesMin, "attendees"))

	// SendUpdates selects the guests who are notified: all, only guests outside the service, or none. According to the
	// documents, the default is false, which is not a valid value.
	SendUpdates = enum("SendUpdates", "all", "externalOnly", "none")
)

func eventIDCharacters() *Constraint {
	c := ofForm("EventIDCharacters", "a-v and 0-9", "", func(s string) bool { return form.EventIDAlphabet(s) < 0 })
	c.Unit = alphabet
	c.want = "made of the letters a to v and the digits 0 to 9"
	c.says = diag.Sentence{Key: "alphabet", Text: "{The member} is {value}, which contains {character} at character {at}; only a to v and 0 to 9 are allowed. Use lowercase base32hex."}
	c.fault, c.hints = form.EventIDFault, diag.Sentences{send}
	return c
}

func eventIDLength() *Constraint {
	c := atMostLong("EventIDLength", form.EventIDMaxLength)
	c.low = form.EventIDMinLength
	c.limit = strconv.Itoa(form.EventIDMinLength) + " to " + c.limit
	c.want = c.limit + " characters long"
	c.allows = func(s string) bool {
		return form.LongerThan(s, form.EventIDMinLength-1) && !form.LongerThan(s, form.EventIDMaxLength)
	}
	c.says = diag.Sentence{Key: "length", Text: "{The member} has {n|character|characters}; it must have {limit}. Leave it out to have one generated."}
	return c
}

func entryPointsWithSolution() *Constraint {
	c := atLeast("EntryPointsWithSolution", EntryPointsMin, "entry points")
	c.want += " beside a conferenceSolution"
	c.says.Text = "{The member} is {value}; it must be " + c.want + "."
	return c
}

func isEventDateTime(s string) bool {
	_, ok := form.ParseDateTime(s)
	return ok
}

func ianaZone() *Constraint {
	c := ofForm("IANAZone", "a name in the IANA Time Zone Database, release "+form.ZoneRelease, "Europe/Berlin", form.IsZone)
	c.Unit = oneOf
	c.says = diag.Sentence{Key: "zone", Text: "{The member} is {value}, which is not in the IANA Time Zone Database (" + form.ZoneRelease + ")."}
	c.hint = zoneHint
	c.hints = diag.Sentences{
		{Key: "windows", Text: "That is a Windows time zone. Send {suggestion}.", Fix: diag.Proposal{Certain: true}},
		{Key: "example", Text: "Use a name such as Europe/Berlin."},
	}
	return c
}

// zoneHint returns the hint that follows a report about an unknown zone, and the suggested zone, or "".
func zoneHint(name string) (sentence diag.Arg, suggestion string) {
	if zone, ok := form.WindowsZone(name); ok {
		return wording.Also("windows"), zone
	}
	if zone, ok := form.NearestZone(name); ok {
		return wording.Also("did-you-mean"), zone
	}
	return wording.Also("example"), ""
}
