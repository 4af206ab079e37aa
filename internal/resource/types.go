package resource

import (
	"encoding/json"

	"github.com/calrules/calrules/internal/object"
)

// discoveryPage is the address of the public service's discovery document, version 3. The tables follow revision 20261030.
const discoveryPage = "https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest"

// Calendar is the body of calendars.insert, calendars.patch and calendars.update.
type Calendar struct {
	Kind, ETag, ID       string
	Summary              string
	Description          string
	Location             string
	TimeZone             string
	DataOwner            string
	AutoAcceptInvitation bool
	ConferenceProperties *ConferenceProperties
	LabelProperties      *LabelProperties
	WorkingHours         json.RawMessage

	extra object.Extra
}

// ConferenceProperties lists the types of conferences allowed in a calendar.
type ConferenceProperties struct {
	AllowedTypes []string

	extra object.Extra
}

// LabelProperties lists the labels of a calendar. The labels in a request replace the stored labels.
type LabelProperties struct {
	EventLabels []EventLabel

	extra object.Extra
}

// EventLabel is a label of a calendar, to which the eventLabelId of an event refers.
type EventLabel struct {
	ID, Name, BackgroundColor string

	extra object.Extra
}

// CalendarListEntry is the body of calendarList.insert, calendarList.patch and calendarList.update.
type CalendarListEntry struct {
	Kind, ETag, ID                     string
	AccessRole, DataOwner              string
	Summary, SummaryOverride           string
	Description, Location, TimeZone    string
	ColorID                            string
	BackgroundColor, ForegroundColor   string
	Primary, Deleted, Hidden, Selected bool
	AutoAcceptInvitations              bool
	DefaultReminders                   []Reminder
	NotificationSettings               *NotificationSettings
	ConferenceProperties               *ConferenceProperties

	extra object.Extra
}

// Reminder is a default reminder of a calendar.
type Reminder struct {
	Method  string
	Minutes *int64

	extra object.Extra
}

// NotificationSettings selects the notifications that the user receives.
type NotificationSettings struct {
	Notifications []Notification

	extra object.Extra
}

// Notification is an element of [NotificationSettings].
type Notification struct {
	Method, Type string

	extra object.Extra
}

// ACLRule is the body of acl.insert, acl.patch and acl.update.
type ACLRule struct {
	Kind, ETag, ID string
	Role           string
	Scope          *Scope

	extra object.Extra
}

// Scope is the user, group or domain to which an access control rule applies.
type Scope struct {
	Type, Value string

	extra object.Extra
}

// FreeBusy is the body of freebusy.query.
type FreeBusy struct {
	TimeMin, TimeMax, TimeZone string
	CalendarExpansionMax       *int64
	GroupExpansionMax          *int64
	Items                      []Item

	extra object.Extra
}

// Item is a calendar or group in a [FreeBusy] query.
type Item struct {
	ID string

	extra object.Extra
}

// Channel is the body of the four watch operations and of channels.stop.
type Channel struct {
	Kind, ID, Type, Address, Token string
	Params                         map[string]string
	Payload                        bool
	ResourceID, ResourceURI        string
	Expiration                     json.RawMessage // Unix time in milliseconds, as a number or a string of digits

	extra object.Extra
}
