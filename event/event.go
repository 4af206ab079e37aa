package event

import (
	"encoding/json"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/internal/object"
)

// Event is the Event resource: one event, one series, or one instance of a series.
//
// The comment on each field describes its meaning, writer (W: a client; R: only the service; -: undocumented), limits
// and default. The zero value of a field means that the member is absent. If zero has its own meaning, the field is a
// pointer. The source is calendar.md, Event resource.
//
// An Event read from JSON writes back everything in it, including unknown members, null and explicit zero values.
//
// Methods with a pointer receiver treat a nil event as an empty one. MarshalJSON, String, GoString and Equal have a
// value receiver, so that encoding/json, fmt and go-cmp find them on an Event in a struct or a slice; these packages
// treat a nil pointer as null, "<nil>" and unequal to any event.
type Event struct {
	// Kind is the constant "calendar#event". (-)
	Kind string `json:"kind,omitzero"`

	// ETag is the opaque entity tag of the resource. (-)
	ETag string `json:"etag,omitzero"`

	// ID is the opaque event id. (W, on creation) An id that a client chooses has 5 to 1024
	// characters of the base32hex alphabet, a-v and 0-9, and is unique within its calendar. The ids
	// in a server's representations may contain other characters. Default: the service generates an id.
	ID string `json:"id,omitzero"`

	// Status is confirmed, tentative or cancelled. (W) Default: confirmed.
	Status string `json:"status,omitzero"`

	// HTMLLink is present in the representation; the JSON member is htmlLink. (-) The documents do
	// not show its meaning.
	HTMLLink string `json:"htmlLink,omitzero"`

	// Created is when the event was created, an RFC 3339 timestamp. (R)
	Created string `json:"created,omitzero"`

	// Updated is when the main event data last changed, an RFC 3339 timestamp. (R) The reminders
	// are not part of the main event data.
	Updated string `json:"updated,omitzero"`

	// Summary is the title. (W)
	Summary string `json:"summary,omitzero"`

	// Description may contain HTML. (W)
	Description string `json:"description,omitzero"`

	// Location is free-form text. (W)
	Location string `json:"location,omitzero"`

	// ColorID is the id of an entry in the event section of the colors definition. (W)
	// EventLabelID supersedes it.
	ColorID string `json:"colorId,omitzero"`

	// EventLabelID is the id of an entry in the calendar's labelProperties.eventLabels. (W)
	// Setting or changing it requires eventLabelVersion=1. An empty string removes the label.
	EventLabelID *string `json:"eventLabelId,omitzero"`

	// Creator is the creator of the event. (R)
	Creator *Person `json:"creator,omitzero"`

	// Organizer is the organizer of the event. (R, but W on import) The move operation changes it.
	Organizer *Person `json:"organizer,omitzero"`

	// Start is the inclusive start; for a series, the start of its first instance. (W) Required.
	Start *Time `json:"start,omitzero"`

	// End is the exclusive end; for a series, the end of its first instance. (W) Required.
	End *Time `json:"end,omitzero"`

	// EndTimeUnspecified reports whether the end is unspecified. An end is still provided. (-)
	// Default: false.
	EndTimeUnspecified bool `json:"endTimeUnspecified,omitzero"`

	// Recurrence contains RRULE, EXRULE, RDATE and EXDATE lines (RFC 5545), but not DTSTART or
	// DTEND. (W) It is absent in single events and in instances of a series.
	Recurrence []string `json:"recurrence,omitzero"`

	// RecurringEventID is the id of the series of an instance. (-) Immutable.
	RecurringEventID string `json:"recurringEventId,omitzero"`

	// OriginalStartTime is the start of an instance according to the recurrence. (-) Immutable. It
	// identifies the instance within its series even if the instance is moved.
	OriginalStartTime *Time `json:"originalStartTime,omitzero"`

	// Transparency is opaque (the event blocks time, shown as Busy) or transparent. (W)
	// Default: opaque.
	Transparency string `json:"transparency,omitzero"`

	// Visibility is default, public, private or confidential (private, kept for
	// compatibility). (W) Default: default.
	Visibility string `json:"visibility,omitzero"`

	// ICalUID is the unique id defined by RFC 5545; the JSON member is iCalUID. (-) Required on
	// import. The instances of a series share it. A new event should have only one of ICalUID and
	// ID.
	ICalUID string `json:"iCalUID,omitzero"`

	// Sequence is the iCalendar sequence number (RFC 5545 3.8.7.4). It is not negative. (W)
	Sequence int64 `json:"sequence,omitzero"`

	// Attendees are the invited people, groups and resources. (W) Service accounts need
	// domain-wide delegation of authority to populate the list.
	Attendees []Attendee `json:"attendees,omitzero"`

	// AttendeesOmitted reports whether attendees may be missing from this representation. If an
	// update sends true, only the participant's response changes. (W) Default: false.
	AttendeesOmitted bool `json:"attendeesOmitted,omitzero"`

	// ExtendedProperties are properties that applications define. (-)
	ExtendedProperties *ExtendedProperties `json:"extendedProperties,omitzero"`

	// VideoLink is present in the representation. (-) The documents do not show its meaning.
	VideoLink string `json:"videoLink,omitzero"`

	// ConferenceData describes the conference of the event. (W) Changes require
	// conferenceDataVersion=1.
	ConferenceData *conference.Data `json:"conferenceData,omitzero"`

	// Gadget is deprecated; it only returns metadata of birthday calendars. (-)
	Gadget *Gadget `json:"gadget,omitzero"`

	// AnyoneCanAddSelf is deprecated. (W) Default: false.
	AnyoneCanAddSelf bool `json:"anyoneCanAddSelf,omitzero"`

	// GuestsCanModify reports whether attendees other than the organizer can change the event. (W)
	// Default: false.
	GuestsCanModify bool `json:"guestsCanModify,omitzero"`

	// PrivateCopy disables the propagation of the event. (-) Immutable. Default: false. It has
	// nothing to do with private extended properties.
	PrivateCopy bool `json:"privateCopy,omitzero"`

	// Locked marks a copy whose summary, description, location, start, end and recurrence cannot
	// be changed. (R) Default: false.
	Locked bool `json:"locked,omitzero"`

	// GuestsCanInviteOthers reports whether attendees other than the organizer can invite others.
	// (W) Default: true.
	GuestsCanInviteOthers *bool `json:"guestsCanInviteOthers,omitzero"`

	// GuestsCanSeeOtherGuests reports whether attendees other than the organizer can see the
	// attendees. (W) Default: true.
	GuestsCanSeeOtherGuests *bool `json:"guestsCanSeeOtherGuests,omitzero"`

	// Reminders are the authenticated user's. (-)
	Reminders *Reminders `json:"reminders,omitzero"`

	// Source is the origin of the event. (-) Only the creator of the event sees or changes it.
	Source *Source `json:"source,omitzero"`

	// WorkingLocationProperties belong to the event type workingLocation. (W)
	WorkingLocationProperties *WorkingLocation `json:"workingLocationProperties,omitzero"`

	// OutOfOfficeProperties are used if the event type is outOfOffice. (W)
	OutOfOfficeProperties *OutOfOffice `json:"outOfOfficeProperties,omitzero"`

	// FocusTimeProperties are used if the event type is focusTime. (W)
	FocusTimeProperties *FocusTime `json:"focusTimeProperties,omitzero"`

	// Attachments are at most 25 files. (-) Changing them requires supportsAttachments=true.
	Attachments []Attachment `json:"attachments,omitzero"`

	// BirthdayProperties are used if the event type is birthday. (W) Immutable.
	BirthdayProperties *Birthday `json:"birthdayProperties,omitzero"`

	// EventType is birthday, default, focusTime, fromMail (cannot be created), outOfOffice or
	// workingLocation. (W, on creation only) Default: default.
	EventType string `json:"eventType,omitzero"`

	extra object.Extra
}

// Time is a start, an end or an original start: a date in all-day events, and a date-time in others.
type Time struct {
	// Date is the date, yyyy-mm-dd, in an all-day event.
	Date string `json:"date,omitzero"`

	// DateTime is an RFC 3339 timestamp. The offset may be missing if TimeZone is given.
	DateTime string `json:"dateTime,omitzero"`

	// TimeZone is a name of the IANA Time Zone Database. Recurring events, which are expanded in
	// this zone, require it; in single events it is optional.
	TimeZone string `json:"timeZone,omitzero"`

	extra object.Extra
}

// Person is the creator or the organizer of an event.
type Person struct {
	ID          string `json:"id,omitzero"`          // profile id, if available
	Email       string `json:"email,omitzero"`       // address, if available; the organizer's is a valid RFC 5322 addr-spec (W on import)
	DisplayName string `json:"displayName,omitzero"` // name, if available (W on import, for the organizer)
	Self        bool   `json:"self,omitzero"`        // whether this copy is on the calendar of the person (R); default: false

	extra object.Extra
}

// Attendee is an invited person, group or resource.
type Attendee struct {
	// ID is the profile id, if available. (-)
	ID string `json:"id,omitzero"`

	// Email is a valid RFC 5322 addr-spec. (W) Required for an attendee who is added.
	Email string `json:"email,omitzero"`

	// DisplayName is the name. (W)
	DisplayName string `json:"displayName,omitzero"`

	// Organizer reports whether the attendee is the organizer of the event. (R) Default: false.
	Organizer bool `json:"organizer,omitzero"`

	// Self reports whether the entry represents the calendar with this copy of the event. (R)
	// Default: false.
	Self bool `json:"self,omitzero"`

	// Resource reports whether the attendee is a resource, such as a meeting room. (W when the
	// attendee is first added, ignored later) Default: false.
	Resource bool `json:"resource,omitzero"`

	// Optional reports whether attendance is optional. (W) Default: false.
	Optional bool `json:"optional,omitzero"`

	// ResponseStatus is needsAction (recommended for new events), declined, tentative or
	// accepted. (W)
	ResponseStatus string `json:"responseStatus,omitzero"`

	// Comment is the attendee's response comment. (W)
	Comment string `json:"comment,omitzero"`

	// AdditionalGuests is the number of guests that the attendee brings. It is not negative. (W)
	// Default: 0.
	AdditionalGuests int64 `json:"additionalGuests,omitzero"`

	// AsyncOperation is inProgress while an asynchronous operation runs for the attendee, such as
	// listing the members of a large group, and absent otherwise. (R)
	AsyncOperation string `json:"asyncOperation,omitzero"`

	extra object.Extra
}

// ExtendedProperties map strings to strings. Public clients report that a key of more than 44
// characters or a value of more than 1024 is dropped or truncated without an error.
type ExtendedProperties struct {
	Private map[string]string `json:"private,omitzero"` // only on this calendar's copy (W)
	Shared  map[string]string `json:"shared,omitzero"`  // also on the copies on other attendees' calendars (W)

	extra object.Extra
}

// Gadget is metadata of a birthday calendar. Deprecated.
type Gadget struct {
	Type        string            `json:"type,omitzero"`        // the type (W)
	Title       string            `json:"title,omitzero"`       // the title (W)
	Link        string            `json:"link,omitzero"`        // present in the representation (-)
	IconLink    string            `json:"iconLink,omitzero"`    // present in the representation (-)
	Width       *int64            `json:"width,omitzero"`       // pixels, greater than 0 (W)
	Height      *int64            `json:"height,omitzero"`      // pixels, greater than 0 (W)
	Display     string            `json:"display,omitzero"`     // icon (shown next to the title) or chip (shown when the event is clicked) (W)
	Preferences map[string]string `json:"preferences,omitzero"` // by name (W)

	extra object.Extra
}

// Reminders are the reminders of the authenticated user.
type Reminders struct {
	// UseDefault reports whether the default reminders of the calendar apply. (W)
	UseDefault *bool `json:"useDefault,omitzero"`

	// Overrides are at most 5 reminders that apply if the defaults do not. (W) Default: no
	// reminders.
	Overrides []Reminder `json:"overrides,omitzero"`

	extra object.Extra
}

// Reminder is a reminder. Both members are required.
type Reminder struct {
	Method  string `json:"method,omitzero"`  // email or popup
	Minutes *int64 `json:"minutes,omitzero"` // before the start of the event, 0 to 40320 (4 weeks)

	extra object.Extra
}

// Source is the web page, message or other document from which the event was created.
type Source struct {
	Title string `json:"title,omitzero"` // the title (W)
	URL   string `json:"url,omitzero"`   // its scheme is http or https (W)

	extra object.Extra
}

// WorkingLocation is the place where a user works. The member named after the type has the details; the other members
// are ignored.
type WorkingLocation struct {
	// Type is homeOffice, officeLocation or customLocation. Required.
	Type string `json:"type,omitzero"`

	// HomeOffice is any value; if it is present, the user works at home.
	HomeOffice json.RawMessage `json:"homeOffice,omitzero"`

	// CustomLocation is a place that is neither home nor an office.
	CustomLocation *CustomLocation `json:"customLocation,omitzero"`

	// OfficeLocation is an office.
	OfficeLocation *OfficeLocation `json:"officeLocation,omitzero"`

	extra object.Extra
}

// CustomLocation is a place to work that is neither home nor an office.
type CustomLocation struct {
	Label string `json:"label,omitzero"` // optional extra label

	extra object.Extra
}

// OfficeLocation is a place in an office. All members are optional.
type OfficeLocation struct {
	BuildingID     string `json:"buildingId,omitzero"`     // should be an id in the organization's resources database
	FloorID        string `json:"floorId,omitzero"`        // the id of the floor
	FloorSectionID string `json:"floorSectionId,omitzero"` // the id of the section of the floor
	DeskID         string `json:"deskId,omitzero"`         // the id of the desk
	Label          string `json:"label,omitzero"`          // the name of the office that clients show

	extra object.Extra
}

// OutOfOffice describes how an out-of-office event responds to invitations.
type OutOfOffice struct {
	// AutoDeclineMode is declineNone, declineAllConflictingInvitations or
	// declineOnlyNewConflictingInvitations.
	AutoDeclineMode string `json:"autoDeclineMode,omitzero"`

	// DeclineMessage is the response to invitations that are declined automatically.
	DeclineMessage string `json:"declineMessage,omitzero"`

	extra object.Extra
}

// FocusTime describes how a focus-time event responds to invitations, and the status in chat.
type FocusTime struct {
	// AutoDeclineMode is declineNone, declineAllConflictingInvitations or
	// declineOnlyNewConflictingInvitations.
	AutoDeclineMode string `json:"autoDeclineMode,omitzero"`

	// DeclineMessage is the response to events and invitations that are declined automatically.
	DeclineMessage string `json:"declineMessage,omitzero"`

	// ChatStatus is available or doNotDisturb.
	ChatStatus string `json:"chatStatus,omitzero"`

	extra object.Extra
}

// Attachment is an attached file.
type Attachment struct {
	FileURL  string `json:"fileUrl,omitzero"`  // (W) required for an attachment that is added
	Title    string `json:"title,omitzero"`    // the title (-)
	MIMEType string `json:"mimeType,omitzero"` // internet media type (-)
	IconLink string `json:"iconLink,omitzero"` // present in the representation (-)
	FileID   string `json:"fileId,omitzero"`   // the id of the file (R)

	extra object.Extra
}

// Birthday describes a birthday or another annual day.
type Birthday struct {
	// Contact is the resource name of the contact, "people/<contact_id>". (R)
	Contact string `json:"contact,omitzero"`

	// Type is birthday or, in events that clients cannot create, anniversary, custom, other (these
	// have a contact) or self (the owner's birthday, without a contact). Default: birthday.
	Type string `json:"type,omitzero"`

	// CustomTypeName is the label of the type custom. (R)
	CustomTypeName string `json:"customTypeName,omitzero"`

	extra object.Extra
}
