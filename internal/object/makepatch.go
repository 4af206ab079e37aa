package object

import (
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
)

// AppendPatch appends the smallest merge patch (RFC 7396), in a dialect, that makes to of from. [Type.Merge] cannot
// make an object that contains null.
func (t *Type[P]) AppendPatch(in diag.Dialect, dst []byte, from, to P) []byte {
	w := patchWriter{text: append(dst, '{')}
	t.Diff(from, to, "", Differ{In: in, Whole: true, Report: func(d Difference) {
		d.Path = t.Place(in, d.Path)
		w.add(d)
	}})
	w.enter(nil)
	return append(w.text, '}')
}

// patchWriter writes a patch from differences in the order of the document.
type patchWriter struct {
	text []byte
	open []string // the names of the objects that are being written
}

func (w *patchWriter) add(d Difference) {
	path := slices.Collect(d.Path.Tokens())
	last := len(path) - 1
	w.enter(path[:last])
	w.name(path[last])
	if d.New == "" {
		d.New = null
	}
	w.text = append(w.text, d.New...)
}

// enter closes and opens objects until the objects of the path are open.
func (w *patchWriter) enter(path []string) {
	same := 0
	for same < min(len(path), len(w.open)) && path[same] == w.open[same] {
		same++
	}
	w.text = append(w.text, strings.Repeat("}", len(w.open)-same)...)
	for _, name := range path[same:] {
		w.name(name)
		w.text = append(w.text, '{')
	}
	w.open = path
}

func (w *patchWriter) name(name string) {
	start := len(w.text)
	if w.text[start-1] != '{' {
		start-- // a comma goes before the name
	}
	w.text = appendName(w.text, start, name)
}
