package constraint

import (
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// The values of the status of an event, of the responseStatus of an attendee and of an eventType that code
// distinguishes. An absent status is confirmed, and an absent type is default.
const (
	StatusConfirmed = "confirmed"
	StatusTentative = "tentative"
	StatusCancelled = "cancelled"

	NeedsAction = "needsAction" // the responseStatus of an attendee who has not answered

	TypeBirthday        = "birthday"
	TypeDefault         = "default"
	TypeFocusTime       = "focusTime"
	TypeFromMail        = "fromMail"
	TypeOutOfOffice     = "outOfOffice"
	TypeWorkingLocation = "workingLocation"
)

// The values of the enumerations of conference data that code distinguishes.
const (
	RequestPending = "pending"
	RequestSuccess = "success"
	RequestFailure = "failure"

	ConferenceEventVideo = "eventVideo"
	ConferenceVideoMeet  = "videoMeet"
	ConferenceAddOn      = "addOn" // a third party's

	EntryVideo = "video"
	EntryPhone = "phone"
	EntrySIP   = "sip"
	EntryMore  = "more"
)

// The constraints of the Event resource. Source: Event resource, unless the comment says
// otherwise.
var (
	// Kind is the constant that every event has as its kind.
	Kind = ofForm("Kind", EventKind, "", func(s string) bool { return s == EventKind })

	// The ids that clients choose: base32hex in lower case (RFC 2938 section 3.1.2).
	EventIDCharacters = eventIDCharacters()
	EventIDLength     = eventIDLength()

	// EventStatus is the state of an event: it takes place (confirmed, the default), it may (tentative), or it is
	// deleted or an exception to its series (cancelled). Source: Event resource; States and transitions.
	EventStatus = enum("EventStatus", StatusConfirmed, StatusTentative, StatusCancelled)

	// RecurrenceLine is the name of a line of recurrence. RFC 5545 section 2 matches names
	// without regard to case; [Constraint.Has] does not.
	RecurrenceLine = enum("RecurrenceLine", "RRULE", "EXRULE", "RDATE", "EXDATE")

	// Whether an event blocks time on the calendar (opaque, the default), and who can read it.
	// confidential means private and is kept for compatibility.
	Transparency = enum("Transparency", "opaque", "transparent")
	Visibility   = enum("Visibility", "default", "public", "private", "confidential")

	// ICalSequence is the iCalendar sequence number. Source: RFC 5545 section 3.8.7.4.
	ICalSequence = atLeast("ICalSequence", SequenceMin, "revisions")

	// The lengths of an extended property. Source: observed.
	PropertyKey   = atMostLong("PropertyKey", PropertyKeyMaxLength)
	PropertyValue = atMostLong("PropertyValue", PropertyValueMaxLength)

	// The width or height of a gadget, and its place: beside the title of the event (icon) or when the event is clicked
	// (chip).
	GadgetSize    = atLeast("GadgetSize", GadgetSizeMin, "pixels")
	GadgetDisplay = enum("GadgetDisplay", "icon", "chip")

	// Attachments is the number of attachments of an event.
	Attachments = atMostMany("Attachments", AttachmentsMax, "attachments")

	// Timestamp is the form of the times that the service sets: created and updated.
	Timestamp = ofForm("Timestamp", "an RFC 3339 timestamp with an offset", "2026-03-10T09:00:00Z", form.IsDateTime).
			explaining(form.TimestampFault, slices.Concat(timestampFaults, diag.Sentences{noTime, noOffset})...)

	// EventType is the type of an event, which is fixed when the event is created. The
	// default is default. NewEventType is the type of an event that a client creates.
	EventType = enum("EventType", TypeBirthday, TypeDefault, TypeFocusTime, TypeFromMail, TypeOutOfOffice, TypeWorkingLocation).
			creating(TypeBirthday, TypeDefault, TypeFocusTime, TypeOutOfOffice, TypeWorkingLocation)
	NewEventType = ofForm("NewEventType", "a type that clients can create (not {"+TypeFromMail+"})", TypeDefault,
		func(s string) bool { return s != TypeFromMail })
)

// The constraints of start, end and originalStartTime. Unlike [form.IsDateTime], EventDateTime allows
// the offset to be missing, as it may be beside a timeZone.
// Source: start, end, originalStartTime sub-fields.
var (
	FullDate      = ofForm("FullDate", "a calendar date in the form yyyy-mm-dd", "2026-03-10", form.IsDate).explaining(form.DateFault, slices.Concat(dateFaults, diag.Sentences{isNumber, hasTime})...)
	EventDateTime = ofForm("EventDateTime", "an RFC 3339 timestamp", "2026-03-10T09:00:00-04:00", isEventDateTime).explaining(form.DateTimeFault, slices.Concat(timestampFaults, diag.Sentences{sendAsDate, sendLocal})...)
	IANAZone      = ianaZone()
)

// The constraints of people. Source: attendees[] sub-fields.
var (
	// AddrSpec is the form of an email address.
	AddrSpec = ofForm("AddrSpec", "a valid RFC 5322 address", "ada@example.com", form.IsAddrSpec).explaining(form.AddressFault, addressFaults...)

	// ResponseStatus is an attendee's answer. needsAction is recommended for new events.
	ResponseStatus = enum("ResponseStatus", NeedsAction, "declined", "tentative", "accepted")

	// AdditionalGuests is the number of guests that an attendee brings. That it cannot be
	// negative is inferred.
	AdditionalGuests = atLeast("AdditionalGuests", AdditionalGuestsMin, "guests")

	// AsyncOperation is the state of an operation that the service runs for an attendee, such
	// as listing the members of a group. It is absent when none runs.
	AsyncOperation = enum("AsyncOperation", "inProgress")
)

// The constraints of conferenceData. Source: conferenceData.
var (
	// The number of entry points beside a conferenceSolution, and of each of the types video,
	// sip and more.
	EntryPointsWithSolution = entryPointsWithSolution()
	EntryPointsOfType       = atMostMany("EntryPointsOfType", EntryPointsOfTypeMax, "entry point of each of the types video, sip and more")

	// CreateRequestStatus is the progress of a conference's creation. After success there are
	// entry points, after failure there are none. Only the service sets it.
	CreateRequestStatus = enum("CreateRequestStatus", RequestPending, RequestSuccess, RequestFailure)

	// ConferenceType is the kind of a conference. addOn is a third party's. Readers tolerate
	// types that are not listed; clients can create any that is not deprecated.
	// Source: conferenceData; Versioning.
	ConferenceType           = enum("ConferenceType", ConferenceEventVideo, "eventNamedVideo", ConferenceVideoMeet, ConferenceAddOn).creating(ConferenceVideoMeet, ConferenceAddOn)
	DeprecatedConferenceType = enum("DeprecatedConferenceType", ConferenceEventVideo, "eventNamedVideo")
	NewConferenceType        = ofForm("NewConferenceType", "a type that clients can create (not "+DeprecatedConferenceType.limit+")", "{"+ConferenceVideoMeet+"}",
		func(s string) bool { return !DeprecatedConferenceType.Has(s) })

	// MeetingCode is the form of the conferenceId of a videoMeet conference.
	MeetingCode = ofForm("MeetingCode", "three, four and three letters joined by hyphens", "abc-mnop-xyz", form.IsMeetingCode).explaining(form.MeetingCodeFault, meetingCodeFaults...)

	// ConferenceNotes is the length of a conference's notes, markup included.
	ConferenceNotes = atMostLong("ConferenceNotes", ConferenceNotesMaxLength)

	// EntryPointType is the way to join a conference: over HTTP (video), by phone, by sip, or as extra instructions say
	// (more). The uri of video and more has an HTTPScheme. HTTPURL is the form of a source's url.
	EntryPointType = enum("EntryPointType", EntryVideo, EntryPhone, EntrySIP, EntryMore)
	HTTPURL        = ofForm("HTTPURL", "a well-formed http or https URL with a host", "https://example.com/", form.IsHTTPURL).explaining(schemeFault("https", "http"), slices.Concat(uriFaults, diag.Sentences{otherScheme})...)
	HTTPScheme     = ofForm("HTTPScheme", "a URI with the scheme http or https", "https://example.com/", func(s string) bool { return form.HasScheme(s, "http", "https") }).
			explaining(schemeFault("https", "http"), noScheme, otherScheme)
	TelScheme = ofForm("TelScheme", "a tel: URI with the whole dial sequence", "tel:+15550100", func(s string) bool { return form.HasScheme(s, "tel") }).
			explaining(schemeFault("tel"), noScheme, otherScheme)
	SIPScheme = ofForm("SIPScheme", "a sip: URI", "sip:ada@example.com", func(s string) bool { return form.HasScheme(s, "sip") }).
			explaining(schemeFault("sip"), noScheme, otherScheme)

	// The lengths of an entry point's uri, of its label, and of each of its meetingCode,
	// accessCode, passcode, password and pin.
	EntryPointURI   = atMostLong("EntryPointURI", EntryPointURIMaxLength)
	EntryPointLabel = atMostLong("EntryPointLabel", EntryPointLabelMaxLength)
	EntryPointCode  = atMostLong("EntryPointCode", EntryPointCodeMaxLength)
)

// The constraints of reminders: the number of an event's own, the delivery method, and the time before the start (40320
// minutes are four weeks). Source: reminders.
var (
	ReminderOverrides = atMostMany("ReminderOverrides", ReminderOverridesMax, "reminders")
	ReminderMethod    = enum("ReminderMethod", "email", "popup")
	ReminderMinutes   = between("ReminderMinutes", ReminderMinutesMin, ReminderMinutesMax, "minutes before the start")
)

// The constraints of the properties by event type.
// Source: source, attachments, properties by event type.
var (
	// AutoDeclineMode is the conflicting invitations that a focusTime or an outOfOffice event declines: none, all, or
	// only invitations that arrive while the event exists.
	AutoDeclineMode = enum("AutoDeclineMode", "declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations")

	// ChatStatus is a person's status in chat during a focusTime event.
	ChatStatus = enum("ChatStatus", "available", "doNotDisturb")

	// BirthdayType is the occasion of a birthday event. The default is birthday, the only type
	// that clients can create. Some types always have a contact; self never has one, and
	// birthday may have one.
	BirthdayType            = enum("BirthdayType", "anniversary", "birthday", "custom", "other", "self").creating("birthday")
	BirthdayTypeWithContact = enum("BirthdayTypeWithContact", "anniversary", "custom", "other")

	// NewBirthdayType is the form of the type of a birthday that a client creates: any type except the documented types
	// that only the service creates.
	NewBirthdayType = ofForm("NewBirthdayType", "the type that clients can create, birthday", "",
		func(s string) bool { return s == "birthday" || !BirthdayType.Has(s) })

	// ContactName is the form of the resource name of a contact.
	ContactName = ofForm("ContactName", "a resource name of the form people/<contact_id>", "people/c12345", form.IsContactName).explaining(form.ContactNameFault, noPeople)

	// WorkingLocationType is the kind of place where a person works. It names the member that has the details.
	WorkingLocationType = enum("WorkingLocationType", "homeOffice", "officeLocation", "customLocation")
)

// The constraints of query parameters. Source: Events insert in detail.
var (
	// FeatureVersion is the range of conferenceDataVersion and eventLabelVersion.
	FeatureVersion = between("FeatureVersion", FeatureVersionMin, FeatureVersionMax, "version")

	// MaxAttendees is the range of maxAttendees. That it must be positive is inferred.
	MaxAttendees = inferred(atLeast("MaxAttendees", MaxAttendeesMin, "attendees"))

	// SendUpdates chooses the guests who are notified: all, only guests outside the service, or
	// none. The default is stated as false, which is not a value.
	SendUpdates = enum("SendUpdates", "all", "externalOnly", "none")
)

func eventIDCharacters() *Constraint {
	c := ofForm("EventIDCharacters", "a-v and 0-9", "", func(s string) bool { return form.EventIDAlphabet(s) < 0 })
	c.Unit = alphabet
	c.want = "made of the letters a to v and the digits 0 to 9"
	c.says = diag.Sentence{Key: "alphabet", Text: "{The member} is {value} and contains {character} at character {at}; only a to v and 0 to 9 are allowed. Use base32hex in lower case."}
	c.fault, c.hints = form.EventIDFault, diag.Sentences{send}
	return c
}

func eventIDLength() *Constraint {
	c := atMostLong("EventIDLength", form.EventIDMaxLength)
	c.low = form.EventIDMinLength
	c.Value = strconv.Itoa(form.EventIDMinLength) + " to " + c.Value
	c.limit, c.want = c.Value, c.Value+" characters long"
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

// zoneHint returns the sentence that follows the report of a zone, and the zone that it suggests, or "".
func zoneHint(name string) (sentence diag.Arg, suggestion string) {
	if zone, ok := form.WindowsZone(name); ok {
		return wording.Also("windows"), zone
	}
	if zone, ok := form.NearestZone(name); ok {
		return wording.Also("did-you-mean"), zone
	}
	return wording.Also("example"), ""
}
