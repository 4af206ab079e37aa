package jsonscan

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
)

// The functions in this file change one place of a valid text and keep all other bytes. They return false if the path does
// not lead to the place, or leads to several: readers disagree on which of several members with one name counts.

// Replace replaces the value at a path.
func Replace(text []byte, path diag.Pointer, value []byte) ([]byte, bool) {
	_, at, ok := find(text, path)
	if !ok {
		return nil, false
	}
	return splice(text, at.value, at.end, value), true
}

// Rename gives a member another name, which its object must not have.
func Rename(text []byte, path diag.Pointer, name string) ([]byte, bool) {
	in, at, ok := find(text, path)
	if !ok || in.isArray() || in.has(name) {
		return nil, false
	}
	return splice(text, at.start, at.nameEnd, quote(name)), true
}

// Insert adds a member to the object around the path, which must not have it. The text before the member is copied from the
// last member, so a text with a member on each line stays in that form.
func Insert(text []byte, path diag.Pointer, value []byte) ([]byte, bool) {
	around, name := path.Split()
	_, object, ok := find(text, around)
	if !ok || text[object.value] != '{' {
		return nil, false
	}
	in := container{text[object.value:object.end], object.value}
	if in.has(name) {
		return nil, false
	}
	member := slices.Concat(quote(name), []byte(":"), value)
	last, before := in.last()
	if last.end == 0 {
		return splice(text, object.value+1, object.value+1, member), true
	}
	if colon := text[last.nameEnd:last.value]; bytes.ContainsAny(colon, " ") {
		member = slices.Concat(quote(name), []byte(": "), value)
	}
	return splice(text, last.end, last.end, slices.Concat([]byte(","), text[before:last.start], member)), true
}

// Remove removes a member or an element, with the comma and the space around it.
func Remove(text []byte, path diag.Pointer) ([]byte, bool) {
	in, at, ok := find(text, path)
	if !ok || path == "" {
		return nil, false
	}
	previous := in.start + 1 // behind the bracket, or the item before
	for _, item := range in.items() {
		switch {
		case item.start > at.start: // the item behind takes the place
			return splice(text, at.start, item.start, nil), true
		case item.start < at.start:
			previous = item.end
		}
	}
	return splice(text, previous, at.end, nil), true
}

func splice(text []byte, from, to int, with []byte) []byte {
	return slices.Concat(text[:from], with, text[to:])
}

func quote(name string) []byte { return AppendQuote(nil, name) }

// item is the place of a member of an object or an element of an array in a text.
type item struct{ start, nameEnd, value, end int }

// container is an array or object that starts somewhere in a text.
type container struct {
	text  []byte
	start int
}

func (c container) isArray() bool { return c.text[0] == '[' }

// items yields the names or indexes, and the places, of the values in an array or object.
func (c container) items() iter.Seq2[string, item] {
	return func(yield func(string, item) bool) {
		if !isNested(c.text) {
			return
		}
		at := cursor{text: c.text, at: 1}
		for i := 0; at.more(); i++ {
			name, is := strconv.Itoa(i), item{start: c.start + at.at}
			if !c.isArray() {
				start := at.at
				name, is.nameEnd = at.name().String(), c.start+stringEnd(c.text, start)
			}
			is.value = c.start + at.at
			at.value()
			if is.end = c.start + at.at; !yield(name, is) {
				return
			}
		}
	}
}

func (c container) has(name string) bool {
	for other := range c.items() {
		if other == name {
			return true
		}
	}
	return false
}

// last returns the last item, and the offset of the text before it, behind a comma or the bracket.
func (c container) last() (last item, before int) {
	before = c.start + 1
	for _, is := range c.items() {
		if last.end > 0 {
			before = last.end + bytes.IndexByte(c.text[last.end-c.start:], ',') + 1
		}
		last = is
	}
	return last, before
}

// find returns the place at the path, and the array or object that it is in.
func find(text []byte, path diag.Pointer) (in container, at item, ok bool) {
	start := skipSpace(text, 0)
	at = item{value: start, end: start + len(Of(text).Text)}
	for token := range path.Tokens() {
		in = container{text[at.value:at.end], at.value}
		found := 0
		for name, is := range in.items() {
			if name == token {
				at = is
				found++
			}
		}
		if found != 1 {
			return in, at, false
		}
	}
	return in, at, true
}
