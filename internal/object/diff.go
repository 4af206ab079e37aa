package object

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"math/bits"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Set is a set of the members of one table. The highest bit is for all unknown members.
type Set uint64

const unknownMembers Set = 1 << 63

// All is the set of all members.
const All = ^Set(0)

// Has reports whether the two sets share a member.
func (s Set) Has(other Set) bool { return s&other != 0 }

// first returns the first member in s, which is not empty.
func (t *Type[P]) first(s Set) *Member[P] { return t.members[s.index()] }

// index returns the index of the first member in s, which is not empty.
func (s Set) index() int { return bits.TrailingZeros64(uint64(s)) }

// Set returns the set of the members with these names. It panics if the table does not list one: the
// names are constants.
func (t *Type[P]) Set(names ...string) Set {
	var s Set
	for _, name := range names {
		i := indexOf(&t.documents, name)
		if i < 0 {
			panic("object: no member " + name)
		}
		s |= 1 << i
	}
	return s
}

// Changed returns the members in which a and b differ, by the rules of [Type.Equal].
func (t *Type[P]) Changed(a, b P) Set { return t.differing(a, b, All, false) }

// ChangedOf is Changed among the members in touched, which [Type.Touched] has returned.
func (t *Type[P]) ChangedOf(a, b P, touched Set) Set { return t.differing(a, b, touched, false) }

// Touched returns the members in which a and b differ, by the rules of [Type.Exact].
func (t *Type[P]) Touched(a, b P) Set { return t.differing(a, b, All, true) }

func (t *Type[P]) differing(a, b P, among Set, exact bool) Set {
	var s Set
	for rest := (t.Sent(a) | t.Sent(b)) & among; rest != 0; rest &= rest - 1 {
		if m := t.first(rest); !t.memberEqual(m, a, b, exact) {
			s |= m.bit
		}
	}
	if among.Has(unknownMembers) && !t.extra(a).sameUnknown(t.extra(b)) {
		s |= unknownMembers
	}
	return s
}

// Sent returns the members that were in the text that v was read from, also as null, and those whose
// field is not zero.
func (t *Type[P]) Sent(v P) Set { return t.Kept(v) | t.nonZero(v) }

// NonZero returns the members whose fields are not zero.
func (t *Type[P]) NonZero(v P) Set {
	var s Set
	for _, m := range t.members {
		if m.has(v) {
			s |= m.bit
		}
	}
	return s
}

// WithNonZero sets a function that does the same as NonZero field by field, which is faster. It returns t.
func (t *Type[P]) WithNonZero(nonZero func(P) Set) *Type[P] {
	t.nonZero = nonZero
	return t
}

// Kept returns the members for which v keeps a value that their fields cannot have: null, a value of a wrong
// type, or a zero value that was sent.
func (t *Type[P]) Kept(v P) Set {
	var s Set
	for _, m := range t.extra(v).all().known {
		s |= 1 << indexOf(&t.documents, m.name)
	}
	return s
}

// NamesOf returns the names of the members in s, in the order of the table.
func (t *Type[P]) NamesOf(s Set) []string {
	var names []string
	for _, m := range t.members {
		if s.Has(m.bit) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Copy copies the members in s to v, without the nulls that [Type.DropNulls] drops. See [Type.Merge].
func (t *Type[P]) Copy(v, from P, s Set) {
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

// Difference is a place in which two values differ, with the JSON texts that they have there. A text
// is empty where the member or the element is absent.
type Difference struct {
	Path     diag.Pointer
	Old, New string
}

// Differ receives the differences between two values, in the order of the tables.
type Differ struct {
	Report func(Difference)
	Whole  bool         // arrays differ as a whole, as a merge patch replaces them
	In     diag.Dialect // of the texts; the paths have the documents' names
}

// Diff reports every place in which a and b, which are at at, differ. It compares objects and maps member by member.
// Elements of arrays are compared as their [Pairings] pair them or, in an array without pairings, by index if the
// lengths are equal.
func (t *Type[P]) Diff(a, b P, at diag.Pointer, d Differ) {
	if t.extra(a).all().element != t.extra(b).all().element { // one of them is not an object
		d.Report(Difference{at, t.text(d.In, a), t.text(d.In, b)})
		return
	}
	for _, m := range t.members {
		if t.memberEqual(m, a, b, false) {
			continue
		}
		place := at.Member(m.Name)
		if m.diff == nil || !t.sameText(m.Name, a, b) || !m.diff(a, b, place, d) {
			d.json(place, t.memberText(d.In, m, a), t.memberText(d.In, m, b))
		}
	}
	d.members(at, maps.All(t.extra(a).unknownByName()), maps.All(t.extra(b).unknownByName()))
}

// text returns v as JSON.
func (t *Type[P]) text(in diag.Dialect, v P) string { return string(t.AppendIn(in, nil, v)) }

// memberText returns the text of a member, as [Type.Append] writes it.
func (t *Type[P]) memberText(in diag.Dialect, m *Member[P], v P) string {
	if kept := t.keptText(m, v, t.extra(v)); kept != nil {
		return kept.value
	}
	if !m.has(v) {
		return ""
	}
	return string(m.append(in, nil, v))
}

// json reports the differences between two texts: of two objects member by member.
func (d Differ) json(at diag.Pointer, old, next string) {
	a, b := jsonscan.Of([]byte(old)), jsonscan.Of([]byte(next))
	switch {
	case a.IsObject() && b.IsObject():
		d.members(at, texts(a), texts(b))
	case !SameJSON([]byte(cmp.Or(old, null)), []byte(cmp.Or(next, null))): // absent is null
		d.Report(Difference{at, old, next})
	}
}

// texts yields the members of an object.
func texts(object jsonscan.Value) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for name, value := range object.Members() {
			if !yield(name.String(), json.RawMessage(value.Text)) {
				return
			}
		}
	}
}

// members reports the differences between the members of two objects, by name.
func (d Differ) members(at diag.Pointer, old, next iter.Seq2[string, json.RawMessage]) {
	a, b := maps.Collect(old), maps.Collect(next)
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		d.json(at.Member(name), string(a[name]), string(b[name]))
	}
}

// diffArrays reports the differences between two arrays. It returns false if they differ as a whole.
// The place of an element that is only in a has the index there; all others have the index in b.
func diffArrays[S any](t *Type[*S], a, b []S, at diag.Pointer, d Differ, pair Pairing[S]) bool {
	if d.Whole || a == nil || b == nil || pair == nil && len(a) != len(b) {
		return false
	}
	if pair == nil {
		for i := range b {
			t.Diff(&a[i], &b[i], at.Index(i), d)
		}
		return true
	}
	gone := make(map[int]bool, len(a))
	for k := range a {
		gone[k] = true
	}
	pairs := pair(b, a)
	for i := range b {
		if k := partner(t, a, b, i, pairs); gone[k] {
			delete(gone, k)
			t.Diff(&a[k], &b[i], at.Index(i), d)
		} else {
			d.Report(Difference{at.Index(i), "", t.text(d.In, &b[i])})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(gone)) {
		d.Report(Difference{at.Index(k), t.text(d.In, &a[k]), ""})
	}
	return true
}

// partner returns the index of the element of a with which element i of b is paired, or -1. An element without a key
// for pairing is compared with the element at its index.
func partner[S any](t *Type[*S], a, b []S, i int, pairs []int) int {
	switch {
	case pairs != nil && pairs[i] >= 0:
		return pairs[i]
	case i < len(a) && t.Equal(&a[i], &b[i]):
		return i
	default:
		return -1
	}
}
