package object

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// A value of Go has the names of the documents, whichever dialect it was read from. Where a text has the documents'
// name of a member that its dialect calls differently, that is another member, which is not known; the value has it
// under the dialect's name. So a text can be written again in its own dialect or in another, and nothing is lost.

// nameIn returns the name in a dialect of a member, known or not, that has the name in the documents, and
// the reverse.
func (t *Table[P]) nameIn(in diag.Dialect, name string) string {
	if in != diag.Google {
		return name
	}
	for _, m := range t.renamed {
		switch name {
		case m.Name:
			return m.Google
		case m.Google:
			return m.Name
		}
	}
	return name
}

// Place translates a place in a text in a dialect to the place in the documents' names, and the reverse.
// Only members of the outermost object have other names.
func (t *Table[P]) Place(in diag.Dialect, p diag.Pointer) diag.Pointer {
	if in != diag.Google || p == "" || p[0] != '/' {
		return p
	}
	name, rest, isInner := strings.Cut(string(p[1:]), "/")
	if isInner {
		rest = "/" + rest
	}
	return diag.Pointer("/" + t.nameIn(in, name) + rest)
}

// valueIn returns the value of a string member in a dialect.
func (m *Member[P]) valueIn(in diag.Dialect, v P) string {
	if m.renames {
		return in.Name(*m.text(v))
	}
	return *m.text(v)
}

// appendValue appends the value of a string member in a dialect.
func (m *Member[P]) appendValue(in diag.Dialect, dst []byte, v P) []byte {
	return jsonscan.AppendQuote(dst, m.valueIn(in, v))
}

// HasRenamed reports whether a text is a value of the member that has another name in a dialect, by either name.
func (d *Declaration) HasRenamed(text string) bool {
	other := diag.Google.Name(text)
	return other != text && (d.allows(text) || d.allows(other))
}

// allows reports whether a constraint lists a value.
func (d *Declaration) allows(value string) bool {
	return slices.ContainsFunc(d.Constraints, func(c Constraint) bool { return slices.Contains(c.Values(), value) })
}

// HasRenamedValues reports whether values of the member have other names in a dialect.
func (d *Declaration) HasRenamedValues() bool {
	return slices.ContainsFunc(d.Constraints, func(c Constraint) bool { return slices.ContainsFunc(c.Values(), d.HasRenamed) })
}
