package object

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonmerge"
)

// AppendPatch appends the smallest merge patch (RFC 7396), in the given dialect, that changes the value from into the value
// to. The patch covers only members in the set among, and omits members that only the service writes. A merge patch cannot
// create an object that contains null.
func (t *Table[P]) AppendPatch(in diag.Dialect, dst []byte, from, to P, among Set) []byte {
	whole := new(path)
	w := patchWriter{text: append(dst, '{'), open: whole}
	t.diff(differ{in: in, whole: true, report: w.add}, t.sendable(from), t.sendable(to), whole, among&^t.writtenByService())
	w.enter(whole)
	return append(w.text, '}')
}

// sendable returns a copy of v without service-written members within its objects and arrays.
func (t *Table[P]) sendable(v P) P {
	c := t.shallow(v)
	for s := t.Present(v); s != 0; s &= s - 1 {
		if m := t.first(s); m.nested.keep != nil {
			m.nested.keep(c, t.none)
		}
	}
	return c
}

func (t *Table[P]) writtenByService() Set {
	return t.Where(func(d *Declaration) bool { return d.Writer == Service })
}

// patchWriter writes a patch from differences in document order.
type patchWriter struct {
	text []byte
	open *path // the object that is being written
}

// add writes the change from old to next. Since null clears members in a patch, a value within arbitrary JSON cannot be
// changed to null.
func (w *patchWriter) add(at *path, old, next []byte) {
	switch {
	case next == nil:
		next = []byte(null)
	case string(next) != null:
		next = jsonmerge.AppendValid(nil, nil, next) // drops the nulls in next
	case old == nil:
		return
	}
	w.enter(at.outer)
	w.name(at.token)
	w.text = append(w.text, next...)
}

// enter writes closing and opening braces until the object at a place is open.
func (w *patchWriter) enter(at *path) {
	target := at
	var inner []string
	for ; at.depth > w.open.depth; at = at.outer {
		inner = append(inner, at.token)
	}
	for ; w.open.depth > at.depth; w.open = w.open.outer {
		w.text = append(w.text, '}')
	}
	for ; at != w.open; at, w.open = at.outer, w.open.outer {
		inner = append(inner, at.token)
		w.text = append(w.text, '}')
	}
	for _, name := range slices.Backward(inner) {
		w.name(name)
		w.text = append(w.text, '{')
	}
	w.open = target
}

func (w *patchWriter) name(name string) {
	start := len(w.text)
	if w.text[start-1] != '{' {
		start-- // the name needs a comma before it
	}
	w.text = appendName(w.text, start, name)
}
