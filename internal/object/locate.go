package object

import (
	"cmp"
	"math/bits"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Offsets has the byte offsets of an object, its known members, and the elements of these members.
type Offsets struct {
	whole int
	valid bool // whether the input is well-formed
	noted Set
	at    [maxMembers]int // the offsets of the members in noted

	elements []int                                // the offsets of the elements of these members, in input order
	spans    [maxMembers]struct{ first, end int } // the range of elements that belongs to each member
	last     int                                  // the most recently noted member
}

// Release drops an unusually large buffer. The offsets must then be set again, by [Table.Decode].
func (o *Offsets) Release() {
	const usual = 256
	if cap(o.elements) > usual {
		o.elements = nil
	}
}

// Present returns the members that are present in the input, including null members.
func (o *Offsets) Present() Set { return o.noted }

func (o *Offsets) note(member, offset int) {
	o.noted |= 1 << member
	o.at[member], o.last = offset, member
	o.spans[member].first, o.spans[member].end = len(o.elements), len(o.elements)
}

// noteElement records the offset of an element of the most recently noted member.
func (o *Offsets) noteElement(offset int) {
	o.elements = append(o.elements, offset)
	o.spans[o.last].end = len(o.elements)
}

// enter follows a path into an element of a member. It returns the offset of the element, the offset of the next
// element or 0, and the rest of the path. Without a valid index at the beginning of the path, it returns the offset of
// the member, 0, and the path.
func (o *Offsets) enter(member Set, path diag.Pointer) (begin, next int, rest diag.Pointer) {
	token, rest := jsonscan.Cut(path)
	span := o.spans[bits.TrailingZeros64(uint64(member))]
	elements := o.elements[span.first:span.end]
	switch i, ok := jsonscan.ArrayIndex(token); {
	case !ok || i >= len(elements):
		return o.begin(member), 0, path
	case i+1 < len(elements):
		return elements[i], elements[i+1], rest
	default:
		return elements[i], 0, rest
	}
}

// begin returns the offset of a known member in noted, or 0 for unknown members, which can be anywhere.
func (o *Offsets) begin(member Set) int {
	if member == unknownMembers {
		return 0
	}
	return o.at[bits.TrailingZeros64(uint64(member))]
}

// Locate is like [jsonscan.Locate], but for input that has been decoded. Locate scans only members that contain a place.
func (t *Table[P]) Locate(text []byte, in diag.Dialect, o *Offsets, places []jsonscan.Place) {
	var inner []innerPlace
	var within Set
	passed := 0 // the number of bytes that Find may have scanned
	for i := range places {
		p := &places[i]
		if p.Offset = -1; !p.Path.InBody() {
			continue
		}
		switch m, path := t.memberAt(in, p.Path); {
		case m == unknownMembers:
			inner = append(inner, innerPlace{m, jsonscan.Place{Path: p.Path}, p})
			within |= m
		case m&o.noted == 0: // the whole object, or a missing member
			p.Offset = o.whole
		case path == "":
			p.Offset = o.begin(m)
		case o.valid && passed <= quickly:
			begin, next, rest := o.enter(m, path)
			passed += cmp.Or(next, len(text)) - begin
			p.Offset = jsonscan.Find(text, begin, rest)
		default:
			inner = append(inner, innerPlace{m, jsonscan.Place{Path: path}, p})
			within |= m
		}
	}
	for ; within != 0; within &= within - 1 {
		m := within & -within
		o.locateWithin(text, m, inner)
	}
}

// quickly is the approximate number of bytes to scan to find places one by one. Finding places together has a higher
// initial cost, but scans the input only once.
const quickly = 64 << 10

type innerPlace struct {
	member Set
	jsonscan.Place
	of *jsonscan.Place // the requested place, with the whole path
}

// locateWithin sets the offsets of the places within a member.
func (o *Offsets) locateWithin(text []byte, member Set, inner []innerPlace) {
	begin := o.begin(member)
	var group []jsonscan.Place
	for i := range inner {
		if inner[i].member == member {
			group = append(group, inner[i].Place)
		}
	}
	jsonscan.Locate(text[begin:], group)
	for i := range inner {
		if inner[i].member == member {
			inner[i].of.Offset, group = begin+group[0].Offset, group[1:]
		}
	}
}

// memberAt returns the member that a path points to or into, and the rest of the path. For the path of the whole
// object, it returns the empty set.
func (t *Table[P]) memberAt(in diag.Dialect, path diag.Pointer) (member Set, inner diag.Pointer) {
	if path == "" || path[0] != '/' {
		return 0, ""
	}
	name, inner := jsonscan.Cut(path)
	i := indexOf(t.in(in), name)
	if i < 0 {
		return unknownMembers, ""
	}
	return t.members[i].bit, inner
}
