package diag

import "strings"

// When is a set of occasions on which a rule applies. The zero value is the empty set.
type When uint64

// The occasions. Most occasions are operations, and operations on events have short names.
const (
	Insert When = 1 << iota
	Import
	Update
	Patch
	Move
	QuickAdd
	Delete
	Get
	List
	Instances
	Response // checking a representation that a server returned
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
	Path            // a method and a path, for any operation
	Token           // a credential for a realtime database
	KeyFile         // a service account key file
	DatabaseRequest // a request to a realtime database

	end // the bit after the last occasion
)

// Sets of occasions on which many rules apply.
const (
	Create = Insert | Import
	Modify = Update | Patch
	Write  = Create | Modify
	All    = end - 1 // including the occasions that are not about events

	// OtherBodies is the set of operations whose request body is not an event.
	OtherBodies = ACLInsert | ACLPatch | ACLUpdate | ACLWatch | CalendarListInsert | CalendarListPatch | CalendarListUpdate | CalendarListWatch |
		CalendarsInsert | CalendarsPatch | CalendarsUpdate | ChannelsStop | EventsWatch | FreebusyQuery | SettingsWatch
)

// occasions lists the names used by [When.String]. Sets of several occasions come first, in order of decreasing size.
var occasions = []struct {
	set  When
	name string
}{
	{All, "all"},
	{Write, "write"},
	{Create, "create"},
	{Modify, "modify"},

	{Insert, "insert"},
	{Import, "import"},
	{Update, "update"},
	{Patch, "patch"},
	{Move, "move"},
	{QuickAdd, "quickAdd"},
	{Delete, "delete"},
	{Get, "get"},
	{List, "list"},
	{Instances, "instances"},
	{Response, "response"},
	{CalendarsClear, "calendars.clear"},
	{CalendarsDelete, "calendars.delete"},
	{CalendarsInsert, "calendars.insert"},
	{CalendarsTransfer, "calendars.transferOwnership"},
	{ChannelsStop, "channels.stop"},
	{ACLDelete, "acl.delete"},
	{ACLGet, "acl.get"},
	{ACLInsert, "acl.insert"},
	{ACLList, "acl.list"},
	{ACLPatch, "acl.patch"},
	{ACLUpdate, "acl.update"},
	{ACLWatch, "acl.watch"},
	{CalendarListDelete, "calendarList.delete"},
	{CalendarListGet, "calendarList.get"},
	{CalendarListInsert, "calendarList.insert"},
	{CalendarListList, "calendarList.list"},
	{CalendarListPatch, "calendarList.patch"},
	{CalendarListUpdate, "calendarList.update"},
	{CalendarListWatch, "calendarList.watch"},
	{CalendarsGet, "calendars.get"},
	{CalendarsPatch, "calendars.patch"},
	{CalendarsUpdate, "calendars.update"},
	{ColorsGet, "colors.get"},
	{EventsWatch, "events.watch"},
	{FreebusyQuery, "freebusy.query"},
	{SettingsGet, "settings.get"},
	{SettingsList, "settings.list"},
	{SettingsWatch, "settings.watch"},
	{Path, "path"},
	{Token, "token"},
	{KeyFile, "key"},
	{DatabaseRequest, "request"},
}

// Has reports whether w and op have an occasion in common.
func (w When) Has(op When) bool { return w&op != 0 }

// String returns the names of the occasions, separated by commas, such as "create,response". String uses the names of
// sets where possible.
func (w When) String() string {
	var names []string
	for _, o := range occasions {
		if w&o.set == o.set {
			names = append(names, o.name)
			w &^= o.set
		}
	}
	return strings.Join(names, ",")
}

// MarshalText returns the same text as [When.String].
func (w When) MarshalText() ([]byte, error) { return []byte(w.String()), nil }
