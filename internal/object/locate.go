package object

import (
	"cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Offsets has the byte offsets of an object, its known members, the elements of these members, and their known members.
type Offsets struct {
	whole int
	valid bool // whether the input is well-formed
	noted Set
	at    [maxMembers]int // the offsets of the members in noted

	elements []element                            // the elements of these members, in input order
	spans    [maxMembers]struct{ first, end int } // the range of elements that belongs to each member
	last     int                                  // the most recently noted member
	inner    []innerMember                        // the members of the elements, in input order
}

// element is an element of a member.
type element struct {
	offset int
	first  int // the index in [Offsets.inner] of its first member
}

// innerMember is a member of an element. Its name is the same in each dialect.
type innerMember struct {
	of     *Declaration
	offset int
}

// noted is a kind of object whose known members are noted in [Offsets].
type noted uint8

const (
	theWhole   noted = iota + 1 // the outermost object
	theElement                  // an element of one of its members
)

func (o *Offsets) reset() {
	o.whole, o.valid, o.noted, o.elements, o.inner = 0, false, 0, o.elements[:0], o.inner[:0]
}

// Release drops unusually large buffers. The offsets must then be set again, by [Table.Decode].
func (o *Offsets) Release() {
	const usual = 256
	if cap(o.elements) > usual || cap(o.inner) > usual {
		o.elements, o.inner = nil, nil
	}
}

// Present returns the members that are present in the input, including null members.
func (o *Offsets) Present() Set { return o.noted }

// note records the offset of a member of an object.
func (o *Offsets) note(is noted, member int, bit Set, of *Declaration, offset int) {
	if is == theElement {
		o.inner = append(o.inner, innerMember{of, offset})
		return
	}
	o.noted |= bit
	o.at[member], o.last = offset, member
	o.spans[member].first, o.spans[member].end = len(o.elements), len(o.elements)
}

// noteElement records the offset of an element of the most recently noted member.
func (o *Offsets) noteElement(offset int) {
	o.elements = append(o.elements, element{offset, len(o.inner)})
	o.spans[o.last].end = len(o.elements)
}

// Locate sets the offsets of the findings that have none, as [jsonscan.Locate] does, for input that has been decoded.
func (t *Table[P]) Locate(text []byte, in diag.Dialect, o *Offsets, found diag.Findings) {
	var places []jsonscan.Place
	var placed []*diag.Finding // the findings of places
	scanned := 0               // the number of bytes that Find may have scanned
	for i := range found {
		f := &found[i]
		if f.Offset >= 0 || !f.Path.InBody() {
			continue
		}
		begin, end, rest := o.enter(t.in(in), f.Path)
		switch {
		case rest == "":
			f.Offset = begin
		case o.valid && scanned <= quickly:
			scanned += cmp.Or(end, len(text)) - begin
			f.Offset = jsonscan.Find(text, begin, rest)
		default:
			places, placed = append(places, jsonscan.Place{Path: f.Path}), append(placed, f)
		}
	}
	if len(places) > 0 {
		jsonscan.Locate(text, places)
	}
	for i, f := range placed {
		f.Offset = places[i].Offset
	}
}

// quickly is the approximate number of bytes to scan to find places one by one. Finding places together has a higher
// initial cost, but scans the input only once.
const quickly = 64 << 10

// enter follows a path to the innermost noted value. It returns the offset of this value, an offset after the value or 0
// for the end of the input, and the rest of the path, which is empty if nothing else is on the path.
func (o *Offsets) enter(members *names, path diag.Pointer) (begin, end int, rest diag.Pointer) {
	if path == "" {
		return o.whole, 0, ""
	}
	name, rest := jsonscan.Cut(path)
	member := indexOf(members, name)
	switch {
	case member < 0:
		return o.whole, 0, path // unknown members can be anywhere
	case !o.noted.Has(1 << member):
		return o.whole, 0, ""
	case rest == "":
		return o.at[member], 0, ""
	}
	token, inElement := jsonscan.Cut(rest)
	span := o.spans[member]
	index, ok := jsonscan.ArrayIndex(token)
	if index += span.first; !ok || index >= span.end {
		return o.at[member], 0, rest
	}
	begin, inner := o.elements[index].offset, o.inner[o.elements[index].first:]
	if index+1 < len(o.elements) {
		next := o.elements[index+1]
		end, inner = next.offset, o.inner[o.elements[index].first:next.first]
	}
	for _, m := range inner {
		if m.of.place == inElement {
			return m.offset, end, ""
		}
	}
	return begin, end, inElement
}
