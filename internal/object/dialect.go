package object

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// A Go value uses the documents' names, regardless of the dialect from which it was read. If JSON in a different dialect uses
// the name that the documents use for a renamed member, the name belongs to an unknown member, which the Go value stores under
// the dialect's name. Thus the Go value can be written in either dialect without loss.

// nameIn translates the name of a member, known or unknown, from the documents to a dialect or back.
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

// Place translates a place from the documents' names to a dialect's names or back. Only members of the outermost object have
// different names.
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

// valueIn returns a string member's value in the given dialect.
func (m *Member[P]) valueIn(in diag.Dialect, v P) string {
	if m.renames {
		return in.Name(*m.text(v))
	}
	return *m.text(v)
}

func (m *Member[P]) appendValue(in diag.Dialect, dst []byte, v P) []byte {
	return jsonscan.AppendQuote(dst, m.valueIn(in, v))
}

// HasRenamed reports whether text is a value of the member, in either dialect, that has different names in the dialects.
func (d *Declaration) HasRenamed(text string) bool {
	other := diag.Google.Name(text)
	return other != text && (d.allows(text) || d.allows(other))
}

// allows reports whether a constraint lists a value.
func (d *Declaration) allows(value string) bool {
	return slices.ContainsFunc(d.Constraints, func(c Constraint) bool { return slices.Contains(c.Values(), value) })
}

// HasRenamedValues reports whether any of the member's values has different names in the dialects.
func (d *Declaration) HasRenamedValues() bool {
	return slices.ContainsFunc(d.Constraints, func(c Constraint) bool { return slices.ContainsFunc(c.Values(), d.HasRenamed) })
}
