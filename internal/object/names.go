package object

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/wording"
)

// names contains the names of a table's members in one dialect.
type names struct {
	form.Words
	index map[string]int
}

// newNames returns empty names with room for the given number.
func newNames(room int) *names {
	return &names{Words: form.Words{List: make([]string, 0, room)}, index: make(map[string]int, room)}
}

func (n *names) add(name string) {
	n.index[name] = len(n.List)
	n.List = append(n.List, name)
}

func indexOf[S string | []byte](n *names, name S) int {
	if i, isKnown := n.index[string(name)]; isKnown {
		return i
	}
	return -1
}

// Args implements [wording.Source]. It returns the arguments about an unknown name.
func (n *names) Args(value diag.Arg, in wording.Dialect) []diag.Arg {
	args := []diag.Arg{diag.Value("value", value.Text)}
	return constraint.Suggest(args, diag.Dialect(in), value.Text, &n.Words, "")
}

// HasName reports whether the table contains a member with the given name in any dialect.
func (t *Table[P]) HasName(name string) bool {
	return indexOf(t.documents, name) >= 0 || indexOf(t.google, name) >= 0
}

// in returns the members' names in the given dialect.
func (t *Table[P]) in(dialect diag.Dialect) *names {
	if dialect == diag.Google {
		return t.google
	}
	return t.documents
}
