package diag

import "strings"

// When is a set of occasions on which a rule applies. The zero value is the empty set.
type When uint32

// Each bit is an operation on events, the check of a representation, or a group of operations that
// do not transfer an event.
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
	Other // every other operation
	Token // a realtime-database credential
	Key   // a service account's key file
	HTTP  // a realtime-database request

	Create = Insert | Import
	Modify = Update | Patch
	Write  = Create | Modify
	All    = HTTP<<1 - 1
)

// whenNames lists the names that [When.String] uses, larger sets first.
var whenNames = []struct {
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
	{Other, "other"},
	{Token, "token"},
	{Key, "key"},
	{HTTP, "request"},
}

// Has reports whether w and op have an occasion in common.
func (w When) Has(op When) bool { return w&op != 0 }

// String returns the names of the occasions, with the names of groups where possible, such as
// "create,response".
func (w When) String() string {
	var names []string
	for _, n := range whenNames {
		if w&n.set == n.set && n.set != 0 {
			names = append(names, n.name)
			w &^= n.set
		}
	}
	return strings.Join(names, ",")
}

// MarshalText returns [When.String].
func (w When) MarshalText() ([]byte, error) { return []byte(w.String()), nil }
