package event

import (
	"encoding/json"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/internal/object"
)

// Event is the Event resource: a single event, a series, or an instance of a series.
//
// The comment on each field describes its meaning, its writer (W for a client, R for only the service, - if
// undocumented), its limits and its default. The zero value of a field means that the member is absent. If zero has its
// own meaning, the field is a pointer. Source: calendar.md, Event resource.
//
// Encoding an Event that was decoded from JSON preserves all of the JSON, including unknown members, null and explicit zero
// values.
//
// Methods with a pointer receiver treat a nil event as empty. MarshalJSON, String, GoString and Equal have a value receiver
// because encoding/json, fmt and go-cmp must find these methods on an Event in a struct or a slice. For a nil pointer,
// encoding/json writes null, fmt prints "<nil>", and go-cmp reports that it differs from every event.
type Event struct {
	// Kind is the constant "calendar#event". (-)
	Kind string `json:"kind,omitzero"`

	// ETag is the opaque entity tag of the resource. (-)
	ETag string `json:"etag,omitzero"`

	// ID is the opaque event id. (W, on creation) An id chosen by a client consists of 5 to 1024 characters from the
	// base32hex alphabet, a-v and 0-9, and is unique within its calendar. Ids in a server's representations may contain other
	// characters. Default: the service generates an id.
	ID string `json:"id,omitzero"`

	// Status is confirmed, tentative or cancelled. (W) Default: confirmed.
	Status string `json:"status,omitzero"`

	// HTMLLink is a link with an undocumented meaning, which representations contain; the JSON member is htmlLink. (-)
	HTMLLink string `json:"htmlLink,omitzero"`

	// Created is the creation time of the event, as an RFC 3339 timestamp. (R)
	Created string `json:"created,omitzero"`

	// Updated is the time of the last change to the main event data, as an RFC 3339 timestamp. (R) Reminders are not
	// part of the main event data.
	Updated string `json:"updated,omitzero"`

	// Summary is the title of the event. (W)
	Summary string `json:"summary,omitzero"`

	// Description is a description of the event, which may contain HTML. (W)
	Description string `json:"description,omitzero"`

	// Location is the location of the event, as free-form text. (W)
	Location string `json:"location,omitzero"`

	// ColorID is the id of an entry in the event section of the colors definition. (W) EventLabelID supersedes ColorID.
	ColorID string `json:"colorId,omitzero"`

	// EventLabelID is the id of an entry in the calendar's labelProperties.eventLabels. (W) Setting or changing the id
	// requires eventLabelVersion=1. An empty string removes the label.
	EventLabelID *string `json:"eventLabelId,omitzero"`

	// Creator is the creator of the event. (R)
	Creator *Person `json:"creator,omitzero"`

	// Organizer is the organizer of the event. (R, but W on import) Moving the event changes its organizer.
	Organizer *Person `json:"organizer,omitzero"`

	// Start is the inclusive start of the event or, for a series, of its first instance. (W) Required.
	Start *Time `json:"start,omitzero"`

	// End is the exclusive end of the event or, for a series, of its first instance. (W) Required.
	End *Time `json:"end,omitzero"`

	// EndTimeUnspecified reports whether the end is unspecified, although the end member is still present. (-) Default: false.
	EndTimeUnspecified bool `json:"endTimeUnspecified,omitzero"`

	// Recurrence contains RRULE, EXRULE, RDATE and EXDATE lines (RFC 5545), but not DTSTART or DTEND. (W) Single events
	// and instances of a series have no recurrence.
	Recurrence []string `json:"recurrence,omitzero"`

	// RecurringEventID is the id of the series to which an instance belongs. (-) Immutable.
	RecurringEventID string `json:"recurringEventId,omitzero"`

	// OriginalStartTime is the start of an instance according to the recurrence. (-) Immutable. The original start
	// identifies the instance within its series even if the instance is moved.
	OriginalStartTime *Time `json:"originalStartTime,omitzero"`

	// Transparency is opaque (the event blocks time and is shown as Busy) or transparent. (W) Default: opaque.
	Transparency string `json:"transparency,omitzero"`

	// Visibility is default, public, private or confidential (private, kept for compatibility). (W) Default: default.
	Visibility string `json:"visibility,omitzero"`

	// ICalUID is the unique id that RFC 5545 defines; the JSON member is iCalUID. (-) Required on import. All instances
	// of a series have the same ICalUID. A new event should have either an ICalUID or an ID, but not both.
	ICalUID string `json:"iCalUID,omitzero"`

	// Sequence is the iCalendar sequence number (RFC 5545 3.8.7.4), and must not be negative. (W)
	Sequence int64 `json:"sequence,omitzero"`

	// Attendees are the invited people, groups and resources. (W) Service accounts need
	// domain-wide delegation of authority to populate the list.
	Attendees []Attendee `json:"attendees,omitzero"`

	// AttendeesOmitted reports whether attendees may be missing from the representation. An update that sends true changes only
	// the participant's response. (W) Default: false.
	AttendeesOmitted bool `json:"attendeesOmitted,omitzero"`

	// ExtendedProperties are properties that applications define. (-)
	ExtendedProperties *ExtendedProperties `json:"extendedProperties,omitzero"`

	// VideoLink is a link with an undocumented meaning, which representations contain. (-)
	VideoLink string `json:"videoLink,omitzero"`

	// ConferenceData describes the conference of the event. (W) Changing the data requires conferenceDataVersion=1.
	ConferenceData *conference.Data `json:"conferenceData,omitzero"`

	// Gadget is deprecated, and contains only metadata of birthday calendars. (-)
	Gadget *Gadget `json:"gadget,omitzero"`

	// AnyoneCanAddSelf is deprecated. (W) Default: false.
	AnyoneCanAddSelf bool `json:"anyoneCanAddSelf,omitzero"`

	// GuestsCanModify reports whether attendees other than the organizer can change the event. (W) Default: false.
	GuestsCanModify bool `json:"guestsCanModify,omitzero"`

	// PrivateCopy disables the propagation of the event. (-) Immutable. Default: false. Private extended properties are
	// unrelated.
	PrivateCopy bool `json:"privateCopy,omitzero"`

	// Locked reports whether the event is a locked copy, whose summary, description, location, start, end and
	// recurrence cannot change. (R) Default: false.
	Locked bool `json:"locked,omitzero"`

	// GuestsCanInviteOthers reports whether attendees other than the organizer can invite others. (W) Default: true.
	GuestsCanInviteOthers *bool `json:"guestsCanInviteOthers,omitzero"`

	// GuestsCanSeeOtherGuests reports whether attendees other than the organizer can see the attendees. (W) Default: true.
	GuestsCanSeeOtherGuests *bool `json:"guestsCanSeeOtherGuests,omitzero"`

	// Reminders are the authenticated user's reminders. (-)
	Reminders *Reminders `json:"reminders,omitzero"`

	// Source is the origin of the event. (-) Only the creator of the event can see or change the source.
	Source *Source `json:"source,omitzero"`

	// WorkingLocationProperties are used if the event type is workingLocation. (W)
	WorkingLocationProperties *WorkingLocation `json:"workingLocationProperties,omitzero"`

	// OutOfOfficeProperties are used if the event type is outOfOffice. (W)
	OutOfOfficeProperties *OutOfOffice `json:"outOfOfficeProperties,omitzero"`

	// FocusTimeProperties are used if the event type is focusTime. (W)
	FocusTimeProperties *FocusTime `json:"focusTimeProperties,omitzero"`

	// Attachments are the attached files, at most 25. (-) Changing attachments requires supportsAttachments=true.
	Attachments []Attachment `json:"attachments,omitzero"`

	// BirthdayProperties are used if the event type is birthday. (W) Immutable.
	BirthdayProperties *Birthday `json:"birthdayProperties,omitzero"`

	// EventType is birthday, default, focusTime, fromMail (which clients cannot create), outOfOffice or
	// workingLocation. (W, on creation only) Default: default.
	EventType string `json:"eventType,omitzero"`

	extra object.Extra
}

// Time is the start, end or original start of an event. Time is a date in all-day events, and a date-time in other events.
type Time struct {
	// Date is a date of the form yyyy-mm-dd, in an all-day event.
	Date string `json:"date,omitzero"`

	// DateTime is an RFC 3339 timestamp. The offset may be omitted if TimeZone is set.
	DateTime string `json:"dateTime,omitzero"`

	// TimeZone is the name of a zone in the IANA Time Zone Database. Recurring events require the zone, because they
	// are expanded in it; for single events, the zone is optional.
	TimeZone string `json:"timeZone,omitzero"`

	extra object.Extra
}

// Person is the creator or the organizer of an event.
type Person struct {
	ID          string `json:"id,omitzero"`          // the profile id, if available
	Email       string `json:"email,omitzero"`       // the address, if available; an RFC 5322 addr-spec for an organizer (W on import)
	DisplayName string `json:"displayName,omitzero"` // the name, if available (W on import, for the organizer)
	Self        bool   `json:"self,omitzero"`        // whether this copy is on the person's calendar (R); default: false

	extra object.Extra
}

// Attendee is an invited person, group or resource.
type Attendee struct {
	// ID is the profile id, if available. (-)
	ID string `json:"id,omitzero"`

	// Email is the attendee's address, a valid RFC 5322 addr-spec. (W) Required for an added attendee.
	Email string `json:"email,omitzero"`

	// DisplayName is the attendee's name. (W)
	DisplayName string `json:"displayName,omitzero"`

	// Organizer reports whether the attendee is the organizer of the event. (R) Default: false.
	Organizer bool `json:"organizer,omitzero"`

	// Self reports whether the entry represents the calendar that contains this copy of the event. (R) Default: false.
	Self bool `json:"self,omitzero"`

	// Resource reports whether the attendee is a resource, such as a meeting room. (W when the
	// attendee is first added, ignored later) Default: false.
	Resource bool `json:"resource,omitzero"`

	// Optional reports whether attendance is optional. (W) Default: false.
	Optional bool `json:"optional,omitzero"`

	// ResponseStatus is needsAction (recommended for new events), declined, tentative or accepted. (W)
	ResponseStatus string `json:"responseStatus,omitzero"`

	// Comment is the attendee's response comment. (W)
	Comment string `json:"comment,omitzero"`

	// AdditionalGuests is the number of guests that the attendee brings, and must not be negative. (W) Default: 0.
	AdditionalGuests int64 `json:"additionalGuests,omitzero"`

	// AsyncOperation is inProgress while an asynchronous operation runs for the attendee, such as
	// listing the members of a large group, and absent otherwise. (R)
	AsyncOperation string `json:"asyncOperation,omitzero"`

	extra object.Extra
}

// ExtendedProperties are maps from strings to strings. According to reports about the public service, keys of more than
// 44 characters and values of more than 1024 characters are dropped or truncated without an error.
type ExtendedProperties struct {
	Private map[string]string `json:"private,omitzero"` // visible only on this calendar's copy (W)
	Shared  map[string]string `json:"shared,omitzero"`  // also visible on other attendees' copies (W)

	extra object.Extra
}

// Gadget is deprecated metadata of a birthday calendar.
type Gadget struct {
	Type        string            `json:"type,omitzero"`        // the type (W)
	Title       string            `json:"title,omitzero"`       // the title (W)
	Link        string            `json:"link,omitzero"`        // undocumented, but present in representations (-)
	IconLink    string            `json:"iconLink,omitzero"`    // undocumented, but present in representations (-)
	Width       *int64            `json:"width,omitzero"`       // the width in pixels, greater than 0 (W)
	Height      *int64            `json:"height,omitzero"`      // the height in pixels, greater than 0 (W)
	Display     string            `json:"display,omitzero"`     // icon (shown next to the title) or chip (shown when the event is clicked) (W)
	Preferences map[string]string `json:"preferences,omitzero"` // the preferences by name (W)

	extra object.Extra
}

// Reminders are the reminders of the authenticated user.
type Reminders struct {
	// UseDefault reports whether the default reminders of the calendar apply. (W)
	UseDefault *bool `json:"useDefault,omitzero"`

	// Overrides are at most 5 reminders that apply instead of the default reminders. (W) Default: no reminders.
	Overrides []Reminder `json:"overrides,omitzero"`

	extra object.Extra
}

// Reminder is a reminder of an event. The method and minutes members are both required.
type Reminder struct {
	Method  string `json:"method,omitzero"`  // email or popup
	Minutes *int64 `json:"minutes,omitzero"` // the minutes before the start of the event, 0 to 40320 (4 weeks)

	extra object.Extra
}

// Source is the web page, message or other document from which the event was created.
type Source struct {
	Title string `json:"title,omitzero"` // the title (W)
	URL   string `json:"url,omitzero"`   // an http or https URL (W)

	extra object.Extra
}

// WorkingLocation is the place where a user works. The member with the name of the type contains the details, and the
// other members are ignored.
type WorkingLocation struct {
	// Type is homeOffice, officeLocation or customLocation. Required.
	Type string `json:"type,omitzero"`

	// HomeOffice may have any value. If the member is present, the user works at home.
	HomeOffice json.RawMessage `json:"homeOffice,omitzero"`

	// CustomLocation is a place that is neither home nor an office.
	CustomLocation *CustomLocation `json:"customLocation,omitzero"`

	// OfficeLocation is the office where the user works.
	OfficeLocation *OfficeLocation `json:"officeLocation,omitzero"`

	extra object.Extra
}

// CustomLocation is a place to work that is neither home nor an office.
type CustomLocation struct {
	Label string `json:"label,omitzero"` // an optional label

	extra object.Extra
}

// OfficeLocation is a place in an office. All members are optional.
type OfficeLocation struct {
	BuildingID     string `json:"buildingId,omitzero"`     // the id, which should be in the organization's resources database
	FloorID        string `json:"floorId,omitzero"`        // the id of the floor
	FloorSectionID string `json:"floorSectionId,omitzero"` // the id of the floor section
	DeskID         string `json:"deskId,omitzero"`         // the id of the desk
	Label          string `json:"label,omitzero"`          // the office name that clients show

	extra object.Extra
}

// OutOfOffice describes the response of an out-of-office event to invitations.
type OutOfOffice struct {
	// AutoDeclineMode is declineNone, declineAllConflictingInvitations or
	// declineOnlyNewConflictingInvitations.
	AutoDeclineMode string `json:"autoDeclineMode,omitzero"`

	// DeclineMessage is the response to invitations that are declined automatically.
	DeclineMessage string `json:"declineMessage,omitzero"`

	extra object.Extra
}

// FocusTime describes the user's chat status during a focus-time event, and the event's response to invitations.
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
	FileURL  string `json:"fileUrl,omitzero"`  // the URL of the file (W), required for an added attachment
	Title    string `json:"title,omitzero"`    // the title (-)
	MIMEType string `json:"mimeType,omitzero"` // the internet media type (-)
	IconLink string `json:"iconLink,omitzero"` // undocumented, but present in representations (-)
	FileID   string `json:"fileId,omitzero"`   // the id of the file (R)

	extra object.Extra
}

// Birthday describes a birthday or another annual special day.
type Birthday struct {
	// Contact is the resource name of the contact, "people/<contact_id>". (R)
	Contact string `json:"contact,omitzero"`

	// Type is birthday or, in events that clients cannot create, anniversary, custom, other (which all have a contact)
	// or self (the owner's birthday, which has no contact). Default: birthday.
	Type string `json:"type,omitzero"`

	// CustomTypeName is the label for the type custom. (R)
	CustomTypeName string `json:"customTypeName,omitzero"`

	extra object.Extra
}
