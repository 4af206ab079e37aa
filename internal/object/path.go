package object

import (
	"strconv"

	"github.com/calrules/calrules/diag"
)

// path is the place of a value in another value. It refers to the path of the value around it, so that its cost does not depend
// on the depth of the value or the length of the names around it. The zero path means the whole value.
type path struct {
	outer  *path  // nil for the whole
	token  string // the name of a member or the index of an element
	depth  int
	length int // of the pointer, in bytes, escapes aside
}

func (p *path) member(name string) *path {
	return &path{p, name, p.depth + 1, p.length + len("/") + len(name)}
}

func (p *path) element(i int) *path { return p.member(strconv.Itoa(i)) }

// pointer returns the path as a JSON Pointer.
func (p *path) pointer() diag.Pointer { return diag.Pointer(p.append(make([]byte, 0, p.length))) }

func (p *path) append(dst []byte) []byte {
	if p.outer == nil {
		return dst
	}
	return append(p.outer.append(dst), diag.Pointer("").Member(p.token)...)
}
