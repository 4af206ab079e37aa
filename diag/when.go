package diag

import "strings"

// When is a set of occasions on which a rule applies. The zero value is the empty set.
type When uint64

// The sets of occasions that most rules apply to. The occasion of a single operation is operation.Operation.When.
const (
	Create   = When(0b11)   // events.insert and events.import
	Modify   = When(0b1100) // events.update and events.patch
	Write    = Create | Modify
	Response = When(1 << 10)   // checking a representation that a server returned
	All      = When(1<<42 - 1) // also the occasions that are not about events
)

// groups lists the names that [When.String] uses for sets of several occasions, larger sets first.
var groups = []struct {
	set  When
	name string
}{
	{All, "all"},
	{Write, "write"},
	{Create, "create"},
	{Modify, "modify"},
}

// occasions has the name of each bit. Package internal/occasion has their constants.
var occasions = [...]string{
	"insert", "import", "update", "patch", "move", "quickAdd", "delete", "get", "list", "instances", "response",
	"calendars.clear", "calendars.delete", "calendars.insert", "calendars.transferOwnership", "channels.stop",
	"acl.delete", "acl.get", "acl.insert", "acl.list", "acl.patch", "acl.update", "acl.watch",
	"calendarList.delete", "calendarList.get", "calendarList.insert", "calendarList.list", "calendarList.patch",
	"calendarList.update", "calendarList.watch", "calendars.get", "calendars.patch", "calendars.update",
	"colors.get", "events.watch", "freebusy.query", "settings.get", "settings.list", "settings.watch",
	"token", "key", "request",
}

// Has reports whether w and op have an occasion in common.
func (w When) Has(op When) bool { return w&op != 0 }

// String returns the names of the occasions, with the names of groups where possible, such as
// "create,response".
func (w When) String() string {
	var names []string
	for _, g := range groups {
		if w&g.set == g.set {
			names = append(names, g.name)
			w &^= g.set
		}
	}
	for i, name := range occasions {
		if w.Has(1 << i) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ",")
}

// MarshalText returns [When.String].
func (w When) MarshalText() ([]byte, error) { return []byte(w.String()), nil }
