package constraint

import (
	"math"

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
	conferenceNamedVideo = "eventNamedVideo"
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
	Kind = ofForm("Kind", EventKind, "", isKind)

	// The characters and the length of the ids that clients choose: base32hex in lower case (RFC 2938 section 3.1.2).
	EventIDCharacters = &Constraint{
		Name: "EventIDCharacters", Subject: Text, Unit: alphabet, limit: "a-v and 0-9", want: "made of the letters a to v and the digits 0 to 9",
		low: math.MinInt64, high: math.MaxInt64, allows: func(s string) bool { return form.EventIDAlphabet(s) < 0 }, fault: form.EventIDFault,
		says: diag.Sentences{
			{Key: "alphabet", Text: "{The member} is {value}, which contains {character} at character {at}; only a to v and 0 to 9 are allowed. Use lowercase base32hex."},
			send,
		},
	}
	EventIDLength = &Constraint{
		Name: "EventIDLength", Subject: Text, Unit: characters, limit: "{low} to {high}", want: "{low} to {high} characters long",
		low: form.EventIDMinLength, high: form.EventIDMaxLength,
		says: diag.Sentences{{Key: "length", Text: "{The member} has {n|character|characters}; it must have {limit}. Leave it out to have one generated."}},
	}

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
	Timestamp = explained("Timestamp", "an RFC 3339 timestamp with an offset", "2026-03-10T09:00:00Z", form.IsDateTime,
		form.TimestampFault, clockFaults, dateFaults, diag.Sentences{noTime, noOffset})

	// EventType is the type of an event, which is fixed when the event is created. NewEventType is the type of an event
	// that a client creates.
	EventType = enumForNew("EventType",
		[]string{TypeBirthday, TypeDefault, TypeFocusTime, TypeOutOfOffice, TypeWorkingLocation},
		TypeBirthday, TypeDefault, TypeFocusTime, TypeFromMail, TypeOutOfOffice, TypeWorkingLocation)
	NewEventType = ofForm("NewEventType", "a type that clients can create (not {"+TypeFromMail+"})", ", such as "+TypeDefault, isNewEventType)
)

// The constraints on start, end and originalStartTime. Unlike [form.IsDateTime], EventDateTime allows a missing offset, because
// the offset is optional if there is a timeZone. Source: start, end, originalStartTime sub-fields.
var (
	FullDate      = explained("FullDate", "a calendar date in the form yyyy-mm-dd", "2026-03-10", form.IsDate, form.DateFault, dateFaults, diag.Sentences{isNumber, hasTime})
	EventDateTime = explained("EventDateTime", "an RFC 3339 timestamp", "2026-03-10T09:00:00-04:00", isEventDateTime, form.DateTimeFault, clockFaults, dateFaults, diag.Sentences{sendAsDate, sendLocal})
	IANAZone      = &Constraint{
		Name: "IANAZone", Subject: Text, Unit: oneOf, limit: zoneLimit, want: zoneLimit + ", such as Europe/Berlin",
		low: math.MinInt64, high: math.MaxInt64, allows: form.IsZone, hint: zoneHint,
		says: diag.Sentences{
			{Key: "zone", Text: "{The member} is {value}, which is not in the IANA Time Zone Database (" + form.ZoneRelease + ")."},
			{Key: "windows", Text: "That is a Windows time zone. Send {suggestion}.", Fix: certain},
			{Key: "example", Text: "Use a name such as Europe/Berlin."},
		},
	}
)

// The constraints on people. Source: attendees[] sub-fields.
var (
	// AddrSpec is the form of an email address.
	AddrSpec = explained("AddrSpec", "a valid RFC 5322 address", "ada@example.com", form.IsAddrSpec, form.AddressFault, addressFaults)

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
	EntryPointsWithSolution = &Constraint{
		Name: "EntryPointsWithSolution", Subject: Int, Unit: "entry points", limit: "{low} or more", want: "{low} or more beside a conferenceSolution",
		low: EntryPointsMin, high: math.MaxInt64,
		says: diag.Sentences{{Key: "too-small", Text: "{The member} is {value}; it must be {low} or more beside a conferenceSolution."}},
	}
	EntryPointsOfType = atMostMany("EntryPointsOfType", EntryPointsOfTypeMax, "entry point of each of the types video, sip and more")

	// CreateRequestStatus is the progress of a conference's creation. After success, the conference has entry points; after
	// failure, it has no entry points. Only the service sets the status.
	CreateRequestStatus = enum("CreateRequestStatus", RequestPending, RequestSuccess, RequestFailure)

	// ConferenceType is the kind of conference; addOn means a third-party conference. Readers tolerate unlisted types, and clients
	// can create conferences of any type that is not deprecated. Source: conferenceData; Versioning.
	ConferenceType = enumForNew("ConferenceType", []string{ConferenceVideoMeet, ConferenceAddOn},
		ConferenceEventVideo, conferenceNamedVideo, ConferenceVideoMeet, ConferenceAddOn)
	DeprecatedConferenceType = enum("DeprecatedConferenceType", ConferenceEventVideo, conferenceNamedVideo)
	NewConferenceType        = ofForm("NewConferenceType", "a type that clients can create (not {"+ConferenceEventVideo+"} or {"+conferenceNamedVideo+"})", ", such as {"+ConferenceVideoMeet+"}",
		isNewConferenceType)

	// MeetingCode is the form of a videoMeet conference's conferenceId.
	MeetingCode = explained("MeetingCode", "three, four and three letters joined by hyphens", "abc-mnop-xyz", form.IsMeetingCode, form.MeetingCodeFault, meetingCodeFaults)

	// ConferenceNotes is the length of the notes about a conference, including markup.
	ConferenceNotes = atMostLong("ConferenceNotes", ConferenceNotesMaxLength)

	// EntryPointType is the way to join a conference: over HTTP (video), by phone, by SIP, or by following extra instructions
	// (more). The uri has an HTTPScheme if the type of the entry point is video or more. HTTPURL is the form of a source's url.
	EntryPointType = enum("EntryPointType", EntryVideo, EntryPhone, EntrySIP, EntryMore)
	HTTPURL        = explained("HTTPURL", "a well-formed http or https URL with a host", "https://example.com/", form.IsHTTPURL, httpFault, uriFaults, diag.Sentences{otherScheme})
	HTTPScheme     = explained("HTTPScheme", "a URI with the scheme http or https", "https://example.com/", hasHTTPScheme, httpFault, diag.Sentences{noScheme, otherScheme})
	TelScheme      = explained("TelScheme", "a tel: URI with the whole dial sequence", "tel:+15550100", hasTelScheme, telFault, diag.Sentences{noScheme, otherScheme})
	SIPScheme      = explained("SIPScheme", "a sip: URI", "sip:ada@example.com", hasSIPScheme, sipFault, diag.Sentences{noScheme, otherScheme})

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
	BirthdayType            = enumForNew("BirthdayType", []string{"birthday"}, "anniversary", "birthday", "custom", "other", "self")
	BirthdayTypeWithContact = enum("BirthdayTypeWithContact", "anniversary", "custom", "other")

	// NewBirthdayType is the type of a birthday that a client creates. NewBirthdayType allows all types except documented types
	// that only the service creates.
	NewBirthdayType = ofForm("NewBirthdayType", "the type that clients can create, birthday", "", isNewBirthdayType)

	// ContactName is the form of a contact's resource name.
	ContactName = explained("ContactName", "a resource name of the form people/<contact_id>", "people/c12345", form.IsContactName, form.ContactNameFault, diag.Sentences{noPeople})

	// WorkingLocationType is the kind of place where a person works. The value is also the name of the member with the details.
	WorkingLocationType = enum("WorkingLocationType", "homeOffice", "officeLocation", "customLocation")
)

// The constraints on query parameters. Source: Events insert in detail.
var (
	// FeatureVersion is the range of conferenceDataVersion and eventLabelVersion.
	FeatureVersion = between("FeatureVersion", FeatureVersionMin, FeatureVersionMax, "version")

	// MaxAttendees is the range of maxAttendees. The minimum is inferred.
	MaxAttendees = &Constraint{
		Name: "MaxAttendees", Subject: Int, Unit: "attendees", limit: "{low} or more", want: "{low} or more",
		low: MaxAttendeesMin, high: math.MaxInt64, says: saysTooSmall, Inferred: true,
	}

	// SendUpdates selects the guests who are notified: all, only guests outside the service, or none. According to the
	// documents, the default is false, which is not a valid value.
	SendUpdates = enum("SendUpdates", "all", "externalOnly", "none")
)

func isKind(s string) bool              { return s == EventKind }
func isNewEventType(s string) bool      { return s != TypeFromMail }
func isNewConferenceType(s string) bool { return !DeprecatedConferenceType.Has(s) }
func isNewBirthdayType(s string) bool   { return s == "birthday" || !BirthdayType.Has(s) }
func hasHTTPScheme(s string) bool       { return form.HasScheme(s, "http", "https") }
func hasTelScheme(s string) bool        { return form.HasScheme(s, "tel") }
func hasSIPScheme(s string) bool        { return form.HasScheme(s, "sip") }

func isEventDateTime(s string) bool {
	_, ok := form.ParseDateTime(s)
	return ok
}

const zoneLimit = "a name in the IANA Time Zone Database, release " + form.ZoneRelease

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
