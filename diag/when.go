package diag

import "strings"

// When is a set of occasions on which a rule can speak. The zero value is never.
type When uint32

// Each bit is one operation on events, the check of a representation, or one of
// the groups of operations that carry no event.
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
	Other // every other operation of the catalogue
	Token // a realtime-database credential
	Key   // a service account's key file
	HTTP  // a realtime-database request

	Create = Insert | Import
	Modify = Update | Patch
	Write  = Create | Modify
	All    = HTTP<<1 - 1
)

// whenNames lists the names that [When.String] uses, wide sets first.
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

// Has reports whether w and op share an occasion.
func (w When) Has(op When) bool { return w&op != 0 }

// String names the set in as few words as it can, such as "create,response".
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

// MarshalText writes the set as [When.String] does.
func (w When) MarshalText() ([]byte, error) { return []byte(w.String()), nil }
