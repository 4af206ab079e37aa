package diag

import "strings"

// When is a set of occasions on which a rule applies. The zero value is the empty set. The occasions
// that are not about events are only for the rules of this module, and have no constants here.
type When uint32

// Each bit is an operation on events, or the check of a representation.
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

	Create = Insert | Import
	Modify = Update | Patch
	Write  = Create | Modify
	All    = When(1<<20 - 1) // also the occasions that are not about events
)

// ofDatabase are the occasions that are about the realtime database: the last three.
const ofDatabase = All &^ (1<<17 - 1)

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

// occasions has the name of each bit. Package internal/occasion has the constants of those that
// follow the response.
var occasions = [...]string{
	"insert", "import", "update", "patch", "move", "quickAdd", "delete", "get", "list", "instances", "response",
	"calendars.clear", "calendars.delete", "calendars.insert", "calendars.transferOwnership", "channels.stop", "other",
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
