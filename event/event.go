package event

import (
	"encoding/json"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/internal/object"
)

// Event is the Event resource: one event, one series, or one instance of a series.
//
// Each field says what it means, its type where the Go type does not, who writes it (W: a
// client may; R: read-only; -: the documents state neither), its limits and what it is when
// absent. The zero value of a field is its absence; where zero has a meaning of its own
// the field is a pointer. All of it is from calendar.md, Event resource.
//
// An Event that was read from JSON writes back all that was in it: unknown members, null,
// and zero values that were written out.
type Event struct {
	// Kind is the constant "calendar#event". (-)
	Kind string `json:"kind,omitzero"`

	// ETag is the entity tag of the resource, opaque. (-)
	ETag string `json:"etag,omitzero"`

	// ID is the opaque event id. (W, on creation) One that a client chooses has 5 to 1024
	// characters of the base32hex alphabet, a-v and 0-9, and is unique per calendar; the
	// service makes one if it is absent. See [NewID]. The ids of a server's own
	// representations may hold other characters.
	ID string `json:"id,omitzero"`

	// Status is confirmed, tentative or cancelled. (W) Absent: confirmed.
	Status string `json:"status,omitzero"`

	// HTMLLink is present in the representation; the JSON member is htmlLink. (-)
	HTMLLink string `json:"htmlLink,omitzero"`

	// Created is when the event was created, an RFC 3339 timestamp. (R)
	Created string `json:"created,omitzero"`

	// Updated is when the main event data last changed, an RFC 3339 timestamp. (R) A change
	// of reminders does not count.
	Updated string `json:"updated,omitzero"`

	// Summary is the title. (W)
	Summary string `json:"summary,omitzero"`

	// Description may hold HTML. (W)
	Description string `json:"description,omitzero"`

	// Location is free-form text. (W)
	Location string `json:"location,omitzero"`

	// ColorID is the id of an entry in the event section of the colors definition. (W)
	// EventLabelID supersedes it.
	ColorID string `json:"colorId,omitzero"`

	// EventLabelID is the id of an entry in the calendar's labelProperties.eventLabels. (W)
	// Setting or changing it takes eventLabelVersion=1. An empty string removes the label.
	EventLabelID *string `json:"eventLabelId,omitzero"`

	// Creator is who made the event. (R)
	Creator *Person `json:"creator,omitzero"`

	// Organizer is who organizes the event. (R, except W on import) The move operation
	// changes it.
	Organizer *Person `json:"organizer,omitzero"`

	// Start is the inclusive start; of a series, the start of its first instance. (W)
	// Required.
	Start *Time `json:"start,omitzero"`

	// End is the exclusive end; of a series, the end of its first instance. (W) Required.
	End *Time `json:"end,omitzero"`

	// EndTimeUnspecified says that the end has no meaning; one is still given. (-) Absent:
	// false.
	EndTimeUnspecified bool `json:"endTimeUnspecified,omitzero"`

	// Recurrence holds RRULE, EXRULE, RDATE and EXDATE lines (RFC 5545), and no DTSTART or
	// DTEND. (W) Absent for single events and for instances of a series.
	Recurrence []string `json:"recurrence,omitzero"`

	// RecurringEventID is, for an instance, the id of its series. (-) Immutable.
	RecurringEventID string `json:"recurringEventId,omitzero"`

	// OriginalStartTime is, for an instance, the start that the recurrence gives it. (-)
	// Immutable. It identifies the instance within its series even where the instance moved.
	OriginalStartTime *Time `json:"originalStartTime,omitzero"`

	// Transparency is opaque (the event blocks time, shown as Busy) or transparent. (W)
	// Absent: opaque.
	Transparency string `json:"transparency,omitzero"`

	// Visibility is default, public, private or confidential (private, kept for
	// compatibility). (W) Absent: default.
	Visibility string `json:"visibility,omitzero"`

	// ICalUID is the unique id of RFC 5545; the JSON member is iCalUID. (-) Required on
	// import. The instances of a series share it. Only one of it and ID should be given at
	// creation.
	ICalUID string `json:"iCalUID,omitzero"`

	// Sequence is the iCalendar sequence number (RFC 5545 3.8.7.4), not negative. (W)
	Sequence int64 `json:"sequence,omitzero"`

	// Attendees are who is invited. (W) Service accounts need domain-wide delegation of
	// authority to populate the list.
	Attendees []Attendee `json:"attendees,omitzero"`

	// AttendeesOmitted says that attendees may be missing from this representation; sent
	// with an update, that only the participant's response is to be taken. (W) Absent: false.
	AttendeesOmitted bool `json:"attendeesOmitted,omitzero"`

	// ExtendedProperties are named strings for applications. (-)
	ExtendedProperties *ExtendedProperties `json:"extendedProperties,omitzero"`

	// VideoLink is present in the representation. (-)
	VideoLink string `json:"videoLink,omitzero"`

	// ConferenceData describes the conference of the event. (W) Changes take
	// conferenceDataVersion=1.
	ConferenceData *conference.Data `json:"conferenceData,omitzero"`

	// Gadget is deprecated; it only returns the metadata of birthday calendars. (-)
	Gadget *Gadget `json:"gadget,omitzero"`

	// AnyoneCanAddSelf is deprecated. (W) Absent: false.
	AnyoneCanAddSelf bool `json:"anyoneCanAddSelf,omitzero"`

	// GuestsCanInviteOthers says whether attendees other than the organizer can invite. (W)
	// Absent: true.
	GuestsCanInviteOthers *bool `json:"guestsCanInviteOthers,omitzero"`

	// GuestsCanModify says whether attendees other than the organizer can change the event.
	// (W) Absent: false.
	GuestsCanModify bool `json:"guestsCanModify,omitzero"`

	// GuestsCanSeeOtherGuests says whether attendees other than the organizer see who is
	// invited. (W) Absent: true.
	GuestsCanSeeOtherGuests *bool `json:"guestsCanSeeOtherGuests,omitzero"`

	// PrivateCopy disables the propagation of the event. (-) Immutable. Absent: false.
	PrivateCopy bool `json:"privateCopy,omitzero"`

	// Locked marks a copy whose summary, description, location, start, end and recurrence
	// cannot be changed. (R) Absent: false.
	Locked bool `json:"locked,omitzero"`

	// Reminders are those of the authenticated user. (-)
	Reminders *Reminders `json:"reminders,omitzero"`

	// Source is where the event came from. (-) Only its creator sees or changes it.
	Source *Source `json:"source,omitzero"`

	// WorkingLocationProperties go with the event type workingLocation. (W)
	WorkingLocationProperties *WorkingLocation `json:"workingLocationProperties,omitzero"`

	// OutOfOfficeProperties are used if the event type is outOfOffice. (W)
	OutOfOfficeProperties *OutOfOffice `json:"outOfOfficeProperties,omitzero"`

	// FocusTimeProperties are used if the event type is focusTime. (W)
	FocusTimeProperties *FocusTime `json:"focusTimeProperties,omitzero"`

	// Attachments are at most 25 files. (-) Changing them takes supportsAttachments=true.
	Attachments []Attachment `json:"attachments,omitzero"`

	// BirthdayProperties are used if the event type is birthday. (W) Immutable.
	BirthdayProperties *Birthday `json:"birthdayProperties,omitzero"`

	// EventType is birthday, default, focusTime, fromMail (cannot be created), outOfOffice or
	// workingLocation. (W, on creation only) Absent: default.
	EventType string `json:"eventType,omitzero"`

	extra object.Extra
}

// Time is a start, an end or an original start: a day for all-day events, else a moment.
type Time struct {
	// Date is a day, yyyy-mm-dd, for an all-day event.
	Date string `json:"date,omitzero"`

	// DateTime is an RFC 3339 timestamp. The offset may be missing if TimeZone is given.
	DateTime string `json:"dateTime,omitzero"`

	// TimeZone is a name of the IANA Time Zone Database. Required for recurring events, in
	// whose zone the recurrence is expanded; optional for single ones.
	TimeZone string `json:"timeZone,omitzero"`

	extra object.Extra
}

// Person is the creator or the organizer of an event.
type Person struct {
	ID          string `json:"id,omitzero"`          // profile id, if available
	Email       string `json:"email,omitzero"`       // address, if available; the organizer's is a valid RFC 5322 addr-spec (W on import)
	DisplayName string `json:"displayName,omitzero"` // name, if available (the organizer's: W on import)
	Self        bool   `json:"self,omitzero"`        // whether the calendar that holds this copy is the person's (R); absent: false

	extra object.Extra
}

// Attendee is one person, group or room that is invited.
type Attendee struct {
	// ID is the profile id, if available. (-)
	ID string `json:"id,omitzero"`

	// Email is a valid RFC 5322 addr-spec. (W) Required when adding an attendee.
	Email string `json:"email,omitzero"`

	// DisplayName is the name. (W)
	DisplayName string `json:"displayName,omitzero"`

	// Organizer says that the attendee is the organizer of the event. (R) Absent: false.
	Organizer bool `json:"organizer,omitzero"`

	// Self says that the entry stands for the calendar that holds this copy. (R) Absent:
	// false.
	Self bool `json:"self,omitzero"`

	// Resource says that the attendee is a room or another resource. (W, when the attendee
	// is first added; ignored later) Absent: false.
	Resource bool `json:"resource,omitzero"`

	// Optional says that attendance is optional. (W) Absent: false.
	Optional bool `json:"optional,omitzero"`

	// ResponseStatus is needsAction (recommended for new events), declined, tentative or
	// accepted. (W)
	ResponseStatus string `json:"responseStatus,omitzero"`

	// Comment is the attendee's response comment. (W)
	Comment string `json:"comment,omitzero"`

	// AdditionalGuests is how many guests the attendee brings, not negative. (W) Absent: 0.
	AdditionalGuests int64 `json:"additionalGuests,omitzero"`

	// AsyncOperation is inProgress while an asynchronous operation runs for the attendee,
	// such as listing the members of a large group, and absent otherwise. (R)
	AsyncOperation string `json:"asyncOperation,omitzero"`

	extra object.Extra
}

// ExtendedProperties are maps of string to string. Public clients report that a key of more
// than 44 or a value of more than 1024 characters is dropped or cut without a word.
type ExtendedProperties struct {
	Private map[string]string `json:"private,omitzero"` // on this calendar's copy only (W)
	Shared  map[string]string `json:"shared,omitzero"`  // also on the copies on other attendees' calendars (W)

	extra object.Extra
}

// Gadget is metadata of a birthday calendar. Deprecated.
type Gadget struct {
	Type        string            `json:"type,omitzero"`     // (W)
	Title       string            `json:"title,omitzero"`    // (W)
	Link        string            `json:"link,omitzero"`     // (-)
	IconLink    string            `json:"iconLink,omitzero"` // (-)
	Width       *int64            `json:"width,omitzero"`    // pixels, greater than 0 (W)
	Height      *int64            `json:"height,omitzero"`   // pixels, greater than 0 (W)
	Display     string            `json:"display,omitzero"`  // icon (next to the title) or chip (when the event is clicked) (W)
	Preferences map[string]string `json:"preferences,omitzero"`

	extra object.Extra
}

// Reminders are the reminders of the authenticated user.
type Reminders struct {
	// UseDefault says whether the calendar's default reminders apply. (W)
	UseDefault *bool `json:"useDefault,omitzero"`

	// Overrides are at most 5 reminders of this event, used when the defaults are not. (W) If
	// they are unset then, there are no reminders.
	Overrides []Reminder `json:"overrides,omitzero"`

	extra object.Extra
}

// Reminder is one reminder. Both members are required.
type Reminder struct {
	Method  string `json:"method,omitzero"`  // email or popup
	Minutes *int64 `json:"minutes,omitzero"` // before the start, 0 to 40320 (4 weeks)

	extra object.Extra
}

// Source is a web page, a message or any document that the event came from.
type Source struct {
	Title string `json:"title,omitzero"` // (W)
	URL   string `json:"url,omitzero"`   // of scheme http or https (W)

	extra object.Extra
}

// WorkingLocation says where somebody works. The details are in the member that is named
// like the type; the others are ignored.
type WorkingLocation struct {
	// Type is homeOffice, officeLocation or customLocation. Required.
	Type string `json:"type,omitzero"`

	// HomeOffice is any value: if present, the user works at home.
	HomeOffice json.RawMessage `json:"homeOffice,omitzero"`

	// CustomLocation, if present, is a place of another kind.
	CustomLocation *CustomLocation `json:"customLocation,omitzero"`

	// OfficeLocation, if present, is an office.
	OfficeLocation *OfficeLocation `json:"officeLocation,omitzero"`

	extra object.Extra
}

// CustomLocation is a place to work at that is neither home nor office.
type CustomLocation struct {
	Label string `json:"label,omitzero"` // optional extra label

	extra object.Extra
}

// OfficeLocation is a place in an office. All members are optional.
type OfficeLocation struct {
	BuildingID     string `json:"buildingId,omitzero"` // should be a building of the organization's resources database
	FloorID        string `json:"floorId,omitzero"`
	FloorSectionID string `json:"floorSectionId,omitzero"`
	DeskID         string `json:"deskId,omitzero"`
	Label          string `json:"label,omitzero"` // the office's name, shown in clients

	extra object.Extra
}

// OutOfOffice says how an out-of-office event answers invitations.
type OutOfOffice struct {
	// AutoDeclineMode is declineNone, declineAllConflictingInvitations or
	// declineOnlyNewConflictingInvitations.
	AutoDeclineMode string `json:"autoDeclineMode,omitzero"`

	// DeclineMessage goes with the invitations that are declined.
	DeclineMessage string `json:"declineMessage,omitzero"`

	extra object.Extra
}

// FocusTime says how a focus-time event answers invitations and shows in chat.
type FocusTime struct {
	// AutoDeclineMode is as in [OutOfOffice].
	AutoDeclineMode string `json:"autoDeclineMode,omitzero"`

	// DeclineMessage goes with the events or invitations that are declined.
	DeclineMessage string `json:"declineMessage,omitzero"`

	// ChatStatus is available or doNotDisturb.
	ChatStatus string `json:"chatStatus,omitzero"`

	extra object.Extra
}

// Attachment is one attached file.
type Attachment struct {
	FileURL  string `json:"fileUrl,omitzero"`  // (W) required when adding an attachment
	Title    string `json:"title,omitzero"`    // (-)
	MIMEType string `json:"mimeType,omitzero"` // internet media type (-)
	IconLink string `json:"iconLink,omitzero"` // present in the representation (-)
	FileID   string `json:"fileId,omitzero"`   // (R)

	extra object.Extra
}

// Birthday says whose birthday, or other yearly day, it is.
type Birthday struct {
	// Contact is the resource name of the contact, "people/<contact_id>". (R)
	Contact string `json:"contact,omitzero"`

	// Type is birthday, or for events that cannot be created anniversary, custom, other (these
	// always have a contact) or self (the owner's own birthday, without a contact). Absent:
	// birthday.
	Type string `json:"type,omitzero"`

	// CustomTypeName is the label of the type custom. (R)
	CustomTypeName string `json:"customTypeName,omitzero"`

	extra object.Extra
}
