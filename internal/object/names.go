package object

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/form"
)

// names are the names of the members of a table in one dialect.
type names struct {
	form.Words
	index map[string]int
}

// add adds a new name.
func (n *names) add(name string) {
	if n.index == nil {
		n.index = map[string]int{}
	}
	n.index[name] = len(n.List)
	n.List = append(n.List, name)
}

// indexOf returns the index of a name, or -1.
func indexOf[S string | []byte](n *names, name S) int {
	if i, isKnown := n.index[string(name)]; isKnown {
		return i
	}
	return -1
}

// HasName reports whether the table has a member of the given name in a dialect.
func (t *Table[P]) HasName(name string) bool {
	return indexOf(&t.documents, name) >= 0 || indexOf(&t.google, name) >= 0
}

// in returns the names in a dialect.
func (t *Table[P]) in(dialect diag.Dialect) *names {
	if dialect == diag.Google {
		return &t.google
	}
	return &t.documents
}
