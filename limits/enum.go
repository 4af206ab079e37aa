package limits

import (
	"slices"
	"strings"
)

// Enum is a closed list of strings, in the order in which the document names them. It
// cannot be changed. The zero value has no members.
type Enum struct {
	values []string
	list   string // what String gives
}

// enum makes an Enum of values.
func enum(values ...string) Enum { return Enum{values, list(values)} }

// Has reports whether s is a member. Case matters.
func (e Enum) Has(s string) bool {
	for _, v := range e.values {
		if v == s {
			return true
		}
	}
	return false
}

// Values returns the members in a slice of the caller's own.
func (e Enum) Values() []string { return slices.Clone(e.values) }

// String lists the members for a message: "confirmed, tentative or cancelled".
func (e Enum) String() string { return e.list }

func list(values []string) string {
	last := len(values) - 1
	if last < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// Nearest returns the member that s is most likely a misspelling of, as [Nearest] does.
func (e Enum) Nearest(s string) (string, bool) {
	near := search{word: s, most: mostEdits(s)}
	for _, v := range e.values { // an iterator would cost allocations
		if near.see(v) {
			break
		}
	}
	return near.best, near.ok
}
