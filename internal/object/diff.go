package object

import (
	"encoding/json"
	"maps"
	"math/bits"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Set is a set of members of one table. The highest bit represents all unknown members.
type Set uint64

const unknownMembers Set = 1 << 63

// All is the set of all members.
const All = ^Set(0)

// Has reports whether the two sets share a member.
func (s Set) Has(other Set) bool { return s&other != 0 }

// first returns the first member in s, which must not be empty.
func (t *Table[P]) first(s Set) *Member[P] { return t.members[s.index()] }

// index returns the index of the first member in s, which must not be empty.
func (s Set) index() int { return bits.TrailingZeros64(uint64(s)) }

// Set returns the set of the members with the given names, which should be constants. Set panics if a name is not in the table.
func (t *Table[P]) Set(names ...string) Set {
	var s Set
	for _, name := range names {
		i := indexOf(t.documents, name)
		if i < 0 {
			panic("object: no member " + name)
		}
		s |= 1 << i
	}
	return s
}

// Present returns the members that are present in v: members with non-zero fields, and members whose values were read but
// cannot be stored in their fields, such as null, a value of the wrong type, or a zero value.
func (t *Table[P]) Present(v P) Set {
	s := t.nonZero(v)
	for _, m := range t.extra(v).all().known {
		s |= 1 << indexOf(t.documents, m.name)
	}
	return s
}

// ChangedText returns the members in s in which a and b differ according to [Table.Exact].
func (t *Table[P]) ChangedText(a, b P, s Set) Set { return t.changed(a, b, s, true) }

// ChangedValue returns the members in s in which a and b differ according to [Table.Equal]. The result is a subset of the
// result of [Table.ChangedText].
func (t *Table[P]) ChangedValue(a, b P, s Set) Set { return t.changed(a, b, s, false) }

func (t *Table[P]) changed(a, b P, among Set, exact bool) Set {
	var s Set
	for rest := (t.Present(a) | t.Present(b)) & among; rest != 0; rest &= rest - 1 {
		if m := t.first(rest); !t.memberEqual(m, a, b, exact) {
			s |= m.bit
		}
	}
	if among.Has(unknownMembers) && !t.extra(a).sameUnknown(t.extra(b)) {
		s |= unknownMembers
	}
	return s
}

// NonZero returns the members with non-zero fields.
func (t *Table[P]) NonZero(v P) Set {
	var s Set
	for _, m := range t.members {
		if m.has(v) {
			s |= m.bit
		}
	}
	return s
}

// WithNonZero sets a faster replacement for NonZero, whose default implementation calls a function for each member. WithNonZero
// returns t.
func (t *Table[P]) WithNonZero(nonZero func(P) Set) *Table[P] {
	t.nonZero = nonZero
	return t
}

// NamesOf returns the names of the members in s, in table order.
func (t *Table[P]) NamesOf(s Set) []string {
	var names []string
	for _, m := range t.members {
		if s.Has(m.bit) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Copy copies the members in s from one value to v, without the nulls that [Table.DropNulls] drops. See [Table.Merge].
func (t *Table[P]) Copy(v, from P, s Set) {
	extra, other := t.extra(v), t.extra(from)
	for s &= t.all; s != 0; s &= s - 1 {
		m := t.first(s)
		extra.remove(m.Name)
		m.assign(v, from)
		m.dropNullsIfAny(v)
		if kept := other.find(m.Name); kept != nil {
			extra.set(*kept)
		}
	}
}

// Difference is a place at which two values differ, with the old and new JSON text at that place. Old or New is nil if the
// member or element is absent.
type Difference struct {
	Path     diag.Pointer
	Old, New json.RawMessage
}

// Diff reports every place at which a and b differ, in table order, with the names of a dialect. Diff compares objects and
// maps member by member, and arrays element by element, paired by their [Pairings] or, without pairings, by index if the
// lengths are equal. Diff reports reordered arrays, and objects with paths longer than maxPath, as a whole. Paths are
// therefore not much longer than values.
func (t *Table[P]) Diff(in diag.Dialect, a, b P, report func(Difference)) {
	d := differ{in: in, report: func(at *path, old, next []byte) { report(Difference{at.pointer(), old, next}) }}
	t.diff(d, a, b, new(path), All)
}

// maxPath is the maximum length in bytes of the path to an object within which [Table.Diff] reports members.
const maxPath = 256

// differ reports the differences between two values, in table order.
type differ struct {
	in     diag.Dialect
	report func(at *path, old, next []byte) // old or next is nil if there is no value
	whole  bool                             // report arrays as a whole, as in a merge patch, and paths of any length
}

// descends reports whether to compare the members of an object at a place.
func (d differ) descends(at *path) bool { return d.whole || at.length <= maxPath }

// diff reports the differences between a and b in the members in the set among.
func (t *Table[P]) diff(d differ, a, b P, at *path, among Set) {
	if t.extra(a).all().element != t.extra(b).all().element { // a or b is not an object
		d.report(at, t.AppendIn(d.in, nil, a), t.AppendIn(d.in, nil, b))
		return
	}
	for s := (t.Present(a) | t.Present(b)) & among; s != 0; s &= s - 1 {
		m := t.first(s)
		if t.memberEqual(m, a, b, false) {
			continue
		}
		inner := at.member(m.nameIn(d.in))
		if m.diff == nil || !d.descends(inner) || !t.sameText(m.Name, a, b) || !m.diff(a, b, inner, d) {
			d.text(inner, t.memberText(d.in, m, a), t.memberText(d.in, m, b))
		}
	}
	if !t.extra(a).sameUnknown(t.extra(b)) {
		d.members(at, t.unknownIn(d.in, a), t.unknownIn(d.in, b))
	}
}

// nameIn returns a member's name in the given dialect.
func (m *Member[P]) nameIn(in diag.Dialect) string {
	if in == diag.Google {
		return m.Google
	}
	return m.Name
}

// unknownIn returns the unknown members of v, keyed by their names in the given dialect.
func (t *Table[P]) unknownIn(in diag.Dialect, v P) map[string]jsonscan.Value {
	members := make(map[string]jsonscan.Value)
	for name, value := range t.Unknown(v) {
		members[t.nameIn(in, name)] = new(jsonscan.Index).Of(value)
	}
	return members
}

// memberText returns the JSON text of a member as [Table.AppendIn] writes it, or nil if the member is absent.
func (t *Table[P]) memberText(in diag.Dialect, m *Member[P], v P) []byte {
	if kept := t.keptText(m, v, t.extra(v)); kept != nil {
		return []byte(kept.value)
	}
	if !m.has(v) {
		return nil
	}
	return m.append(in, nil, v)
}

// text reports the differences between two JSON values of a known member, for which null is equivalent to absence.
func (d differ) text(at *path, old, next []byte) {
	var x, y jsonscan.Index
	a, b := x.Of(old), y.Of(next)
	if a.IsObject() && b.IsObject() && d.descends(at) {
		d.members(at, valuesByName(a), valuesByName(b))
	} else {
		d.report(at, old, next)
	}
}

// value reports the differences between two values, comparing two objects member by member.
func (d differ) value(at *path, a, b jsonscan.Value) {
	switch {
	case a.IsObject() && b.IsObject() && d.descends(at):
		d.members(at, valuesByName(a), valuesByName(b))
	case !SameJSON(a.Text, b.Text):
		d.report(at, a.Text, b.Text)
	}
}

func valuesByName(object jsonscan.Value) map[string]jsonscan.Value {
	members := make(map[string]jsonscan.Value)
	for name, value := range object.Members() {
		members[name.String()] = value
	}
	return members
}

// members reports the differences between the members of two objects, by name.
func (d differ) members(at *path, a, b map[string]jsonscan.Value) {
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		d.value(at.member(name), a[name], b[name])
	}
}

// diffArrays reports the differences between two arrays, or returns false if the arrays must be reported as a whole. The place
// of an element includes its index in b or, if the element is only in a, its index in a.
func diffArrays[S any](t *Table[*S], a, b []S, at *path, d differ, pair Pairing[S]) bool {
	switch {
	case d.whole:
		return anyHasNulls(t, b) && equalArrays(t, a, withoutNullsIn(t, b), false) // compare with the result of a patch
	case a == nil || b == nil || pair == nil && len(a) != len(b):
		return false
	}
	partners := pairUp(t, a, b, pair)
	kept := slices.DeleteFunc(slices.Clone(partners), func(k int) bool { return k < 0 })
	if !slices.IsSorted(kept) {
		return false
	}
	for i, k := range partners {
		if k >= 0 {
			t.diff(d, &a[k], &b[i], at.element(i), All)
		} else {
			d.report(at.element(i), nil, t.AppendIn(d.in, nil, &b[i]))
		}
	}
	for k := range a {
		if _, isKept := slices.BinarySearch(kept, k); !isKept {
			d.report(at.element(k), t.AppendIn(d.in, nil, &a[k]), nil)
		}
	}
	return true
}

// withoutNullsIn returns a copy of the list without the nulls that [Table.DropNulls] drops.
func withoutNullsIn[S any](t *Table[*S], list []S) []S {
	list = slices.Clone(list)
	for i := range list {
		t.DropNulls(&list[i], All)
	}
	return list
}

// pairUp returns, for each element of b, the index of the element of a that it continues, or -1. Without a Pairing, elements
// with equal indexes are paired. An element without a partner in the Pairing continues the element at the same index if the two
// elements are equal.
func pairUp[S any](t *Table[*S], a, b []S, pair Pairing[S]) []int {
	partners := make([]int, len(b))
	if pair == nil {
		for i := range partners {
			partners[i] = i
		}
		return partners
	}
	pairs := pair(b, a)
	taken := make([]bool, len(a))
	for _, k := range pairs {
		if k >= 0 {
			taken[k] = true
		}
	}
	for i := range b {
		switch {
		case pairs != nil && pairs[i] >= 0:
			partners[i] = pairs[i]
		case i < len(a) && !taken[i] && t.Equal(&a[i], &b[i]):
			partners[i] = i
		default:
			partners[i] = -1
		}
	}
	return partners
}
