package limits

import (
	"slices"
	"strings"
)

// Enum is a closed list of strings in the order of the documents. It is immutable. The zero value
// is empty.
type Enum struct {
	values []string
	text   string // the result of String
}

func enum(values ...string) Enum { return Enum{values, list(values)} }

// Has reports whether s is one of the values. Case matters.
func (e Enum) Has(s string) bool {
	for _, v := range e.values {
		if v == s {
			return true
		}
	}
	return false
}

// Values returns a copy of the values.
func (e Enum) Values() []string { return slices.Clone(e.values) }

// String returns the values as a phrase, such as "confirmed, tentative or cancelled".
func (e Enum) String() string { return e.text }

func list(values []string) string {
	last := len(values) - 1
	if last < 1 {
		return strings.Join(values, "")
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// Nearest returns the value that s is most likely a misspelling of, chosen by [Nearest].
func (e Enum) Nearest(s string) (string, bool) {
	near := search{word: s, most: mostEdits(s)}
	for _, v := range e.values { // an iterator would allocate
		if near.see(v) {
			break
		}
	}
	return near.best, near.ok
}
