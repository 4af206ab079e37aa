package object

import (
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
	offset     int
	first, end int // the range in [Offsets.inner] of its members
}

// innerMember is a member of an element.
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
		o.elements[len(o.elements)-1].end = len(o.inner)
		return
	}
	o.noted |= bit
	o.at[member], o.last = offset, member
	o.spans[member].first, o.spans[member].end = len(o.elements), len(o.elements)
}

// noteElement records the offset of an element of the most recently noted member.
func (o *Offsets) noteElement(offset int) {
	o.elements = append(o.elements, element{offset, len(o.inner), len(o.inner)})
	o.spans[o.last].end = len(o.elements)
}

// of returns the offset of a member of an object or, if the member is missing, of the object. The result is -1 if the offset is
// not noted, and for nil offsets.
func (o *Offsets) of(object *place, m *Declaration) int {
	switch {
	case o == nil || object.n > 1:
		return -1
	case object.n == 1:
		return o.inElement(object.steps[0], m)
	case o.noted.Has(1 << m.index):
		return o.at[m.index]
	default:
		return o.whole
	}
}

func (o *Offsets) inElement(at step, m *Declaration) int {
	if at.index == single || !o.noted.Has(1<<at.member.index) {
		return -1
	}
	offset, _ := o.find(at.member.index, at.index, m.place)
	return offset
}

// find returns the offset of the member at a place within an element of a noted member, and true. If the element lacks the member,
// the results are the offset of the element and false. If the input lacks the element, they are -1 and false.
func (o *Offsets) find(member, index int, within diag.Pointer) (offset int, ok bool) {
	span := o.spans[member]
	if index += span.first; index >= span.end {
		return -1, false
	}
	at := o.elements[index]
	for _, inner := range o.inner[at.first:at.end] {
		if inner.of.place == within {
			return inner.offset, true
		}
	}
	return at.offset, false
}

// Locate sets the offsets of the findings that have none, as [jsonscan.Locate] does, and reports whether it set all. Locate stops
// at malformed input, and before it scans much more than the input.
func (t *Table[P]) Locate(text []byte, in diag.Dialect, o *Offsets, found diag.Findings) (all bool) {
	const quickly = 64 << 10 // bytes
	scanned := 0             // the number of bytes that Find may have scanned
	for i := range found {
		f := &found[i]
		if f.Offset >= 0 || !f.Path.InBody() {
			continue
		}
		begin, rest := o.enter(t.in(in), f.Path)
		if rest != "" {
			if !o.valid || scanned > quickly {
				return false
			}
			scanned += len(text) - begin
			begin = jsonscan.Find(text, begin, rest)
		}
		f.Offset = begin
	}
	return true
}

// enter follows a path to the innermost noted value. It returns the offset of this value and the rest of the path, which is empty
// if nothing else is on the path.
func (o *Offsets) enter(members *names, path diag.Pointer) (begin int, rest diag.Pointer) {
	if path == "" {
		return o.whole, ""
	}
	name, rest := jsonscan.Cut(path)
	member := indexOf(members, name)
	switch {
	case member < 0:
		return o.whole, path // unknown members can be anywhere
	case !o.noted.Has(1 << member):
		return o.whole, ""
	case rest == "":
		return o.at[member], ""
	}
	token, within := jsonscan.Cut(rest)
	index, ok := jsonscan.ArrayIndex(token)
	if !ok {
		return o.at[member], rest
	}
	switch offset, ok := o.find(member, index, within); {
	case ok:
		return offset, ""
	case offset == -1:
		return o.at[member], rest
	default:
		return offset, within
	}
}
