// Package occasion defines the occasions on which the rules of this module apply. Package diag has
// the groups of them that other programs need.
package occasion

import "github.com/calrules/calrules/diag"

// Each bit is an operation, or something else that is checked. Operations on events have short names. The names of package diag are in the same
// order.
const (
	Insert diag.When = 1 << iota
	Import
	Update
	Patch
	Move
	QuickAdd
	Delete
	Get
	List
	Instances
	_ // diag.Response
	CalendarsClear
	CalendarsDelete
	CalendarsInsert
	CalendarsTransfer
	ChannelsStop
	ACLDelete
	ACLGet
	ACLInsert
	ACLList
	ACLPatch
	ACLUpdate
	ACLWatch
	CalendarListDelete
	CalendarListGet
	CalendarListInsert
	CalendarListList
	CalendarListPatch
	CalendarListUpdate
	CalendarListWatch
	CalendarsGet
	CalendarsPatch
	CalendarsUpdate
	ColorsGet
	EventsWatch
	FreebusyQuery
	SettingsGet
	SettingsList
	SettingsWatch
	Token // a realtime-database credential
	Key   // a service account's key file
	HTTP  // a realtime-database request
)

// Bodies are the operations whose request has a body that is not an event.
const Bodies = ACLInsert | ACLPatch | ACLUpdate | ACLWatch | CalendarListInsert | CalendarListPatch | CalendarListUpdate | CalendarListWatch |
	CalendarsInsert | CalendarsPatch | CalendarsUpdate | ChannelsStop | EventsWatch | FreebusyQuery | SettingsWatch
