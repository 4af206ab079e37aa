package jsonscan

import (
	"bytes"
	"iter"
	"slices"
	"strconv"

	"github.com/calrules/calrules/diag"
)

// The functions in this file change one place in valid JSON text and preserve all other bytes. The editing functions return
// false if the path does not lead to exactly one place. A path can lead to several places because a name may be repeated in an
// object, and readers disagree on which of the repeated members to use.

// Replace replaces the value at a path.
func Replace(text []byte, path diag.Pointer, value []byte) ([]byte, bool) {
	_, at, ok := find(text, path)
	if !ok {
		return nil, false
	}
	return splice(text, at.value, at.end, value), true
}

// Rename changes the name of a member. The object must not already contain the new name.
func Rename(text []byte, path diag.Pointer, name string) ([]byte, bool) {
	in, at, ok := find(text, path)
	if !ok || in.isArray() || in.has(name) {
		return nil, false
	}
	return splice(text, at.start, at.nameEnd, quote(name)), true
}

// Insert adds a member at the path. The object must not already contain the member. The white space before the new member is
// copied from the last member, which preserves the format of an object with one member per line.
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

// Remove removes a member or an element, including the adjacent comma and white space.
func Remove(text []byte, path diag.Pointer) ([]byte, bool) {
	in, at, ok := find(text, path)
	if !ok || path == "" {
		return nil, false
	}
	previous := in.start + 1 // the offset after the bracket or the previous item
	for _, item := range in.items() {
		switch {
		case item.start > at.start: // the next item takes its place
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

// An item is the position of an object member or array element in JSON text.
type item struct{ start, nameEnd, value, end int }

// A container is an array or object at an offset in JSON text.
type container struct {
	text  []byte
	start int
}

func (c container) isArray() bool { return c.text[0] == '[' }

// items yields the name or index and the position of each value in an array or object.
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

// last returns the last item, and the offset just after the comma or bracket that precedes it.
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

// find returns the item at the path, and the array or object that contains it.
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
