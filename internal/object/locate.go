package object

import (
	"cmp"
	"math/bits"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Offsets are the offsets in a text of an object, of the members that its table lists and of the elements of these
// members, in bytes.
type Offsets struct {
	whole int
	valid bool // whether the text is well-formed
	noted Set
	at    [maxMembers]int // of the members in noted

	elements []int                                // of the members in noted, in the order of the text
	spans    [maxMembers]struct{ first, end int } // of the elements of each of the members
	last     int                                  // the member that was noted last
}

// Release drops an unusually large buffer. [Table.Decode] sets the offsets again.
func (o *Offsets) Release() {
	const usual = 256
	if cap(o.elements) > usual {
		o.elements = nil
	}
}

// Present returns the members in the text, null included.
func (o *Offsets) Present() Set { return o.noted }

func (o *Offsets) note(member, offset int) {
	o.noted |= 1 << member
	o.at[member], o.last = offset, member
	o.spans[member].first, o.spans[member].end = len(o.elements), len(o.elements)
}

// noteElement notes the offset of an element of the member noted last.
func (o *Offsets) noteElement(offset int) {
	o.elements = append(o.elements, offset)
	o.spans[o.last].end = len(o.elements)
}

// enter returns the offset of the element of a member that a path leads to or into, the offset of the next element if
// there is one, and the rest of the path. If the path leads to no element, it returns the offset of the member, and the
// path.
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

// begin returns the offset of a noted member, or 0 for unknown members, which can be anywhere.
func (o *Offsets) begin(member Set) int {
	if member == unknownMembers {
		return 0
	}
	return o.at[bits.TrailingZeros64(uint64(member))]
}

// Locate is [jsonscan.Locate] for a decoded text. It reads only the members with a place within them.
func (t *Table[P]) Locate(text []byte, in diag.Dialect, o *Offsets, places []jsonscan.Place) {
	var inner []innerPlace
	var within Set
	passed := 0 // the number of bytes that Find may have passed over
	for i := range places {
		p := &places[i]
		if p.Offset = -1; !p.Path.InBody() {
			continue
		}
		switch m, path := t.memberAt(in, p.Path); {
		case m == unknownMembers:
			inner = append(inner, innerPlace{m, jsonscan.Place{Path: p.Path}, p})
			within |= m
		case m&o.noted == 0: // the whole object, or a member that is missing
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

// quickly is the approximate number of bytes up to which places are found one by one. Finding them together costs more at
// first, but passes over a text only once.
const quickly = 64 << 10

// innerPlace is a place within a member.
type innerPlace struct {
	member Set
	jsonscan.Place
	of *jsonscan.Place // the requested place, with the whole path
}

// locateWithin locates the places within a member.
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

// memberAt returns the member that a path leads to or into, and the rest of the path. It returns no member for
// the path of the whole object.
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
