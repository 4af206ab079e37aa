package object

import "github.com/calrules/calrules/diag"

// names are the names of the members of a table in one dialect. To find one in a map takes several times as long.
type names struct {
	list  []string  // read-only
	first [64]uint8 // by hash: 1 plus the index of a name, or 0
	next  []uint8   // by index: the same of the next name with the same hash
}

// add adds a name that is not there yet.
func (n *names) add(name string) {
	h := hash(name)
	n.list, n.next = append(n.list, name), append(n.next, n.first[h])
	n.first[h] = uint8(len(n.list))
}

// indexOf returns the index of a name, or -1.
func indexOf[S string | []byte](n *names, name S) int {
	for i := n.first[hash(name)]; i > 0; i = n.next[i-1] {
		if n.list[i-1] == string(name) {
			return int(i) - 1
		}
	}
	return -1
}

// hash returns a small number that most names of a table do not share.
func hash[S string | []byte](name S) int {
	if len(name) == 0 {
		return 0
	}
	return (len(name)*7 + int(name[0])*3 + int(name[len(name)-1])) % len(names{}.first)
}

// in returns the names in a dialect.
func (t *Type[P]) in(dialect diag.Dialect) *names {
	if dialect == diag.Google {
		return &t.google
	}
	return &t.documents
}
