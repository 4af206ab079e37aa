package object

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// A Go value has the names of the documents, whichever dialect it was read from. If a text contains the documents'
// name of a member with another name in its dialect, this is another, unknown member; the value has it under the
// dialect's name. So a text can be written again in its own dialect or in another, and nothing is lost.

// nameIn returns the name in a dialect for a documents' name of a member, known or not, and the reverse.
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

// HasRenamed reports whether text is either name of a value of the member with another name in a dialect.
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
