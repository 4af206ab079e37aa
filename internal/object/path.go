package object

import (
	"strconv"

	"github.com/calrules/calrules/diag"
)

// path is the place of a value within another value. A path refers to the path of the enclosing value, so its cost does not
// depend on the length of the whole path. The zero path means the whole value.
type path struct {
	outer  *path  // nil for the whole value
	token  string // the name of a member or the index of an element
	depth  int
	length int // the length of the pointer in bytes, without escapes
}

func (p *path) member(name string) *path {
	return &path{p, name, p.depth + 1, p.length + len("/") + len(name)}
}

func (p *path) element(i int) *path { return p.member(strconv.Itoa(i)) }

func (p *path) pointer() diag.Pointer { return diag.Pointer(p.append(make([]byte, 0, p.length))) }

func (p *path) append(dst []byte) []byte {
	if p.outer == nil {
		return dst
	}
	return append(p.outer.append(dst), diag.Pointer("").Member(p.token)...)
}
