package object

import (
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
)

// Set is a set of the members of one table. The highest bit is for all unknown members.
type Set uint64

const unknownMembers Set = 1 << 63

// All is the set of all members.
const All = ^Set(0)

// Has reports whether the two sets share a member.
func (s Set) Has(other Set) bool { return s&other != 0 }

// Set returns the set of the members with these names. It panics if the table does not list one: the
// names are constants.
func (t *Type[T]) Set(names ...string) Set {
	var s Set
	for _, name := range names {
		i, ok := t.index[name]
		if !ok {
			panic("object: no member " + name)
		}
		s |= 1 << i
	}
	return s
}

// Changed returns the members in which a and b differ, by the rules of [Type.Equal].
func (t *Type[T]) Changed(a, b *T) Set { return t.differing(a, b, false) }

// Touched returns the members in which a and b differ, by the rules of [Type.Exact].
func (t *Type[T]) Touched(a, b *T) Set { return t.differing(a, b, true) }

func (t *Type[T]) differing(a, b *T, exact bool) Set {
	var s Set
	for _, m := range t.members {
		if !t.memberEqual(m, a, b, exact) {
			s |= m.bit
		}
	}
	if !t.extra(a).sameUnknown(t.extra(b)) {
		s |= unknownMembers
	}
	return s
}

// Sent returns the members that were in the text that v was read from, also as null, and those whose
// field is not zero.
func (t *Type[T]) Sent(v *T) Set {
	var s Set
	for _, m := range t.members {
		if m.has(v) || t.extra(v).find(m.Name) != nil {
			s |= m.bit
		}
	}
	return s
}

// NamesOf returns the names of the members in s, in the order of the table.
func (t *Type[T]) NamesOf(s Set) []string {
	var names []string
	for _, m := range t.members {
		if s.Has(m.bit) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Copy copies the members in s from from to v. Afterwards v shares no memory with it.
func (t *Type[T]) Copy(v, from *T, s Set) {
	extra, other := t.extra(v), t.extra(from)
	for _, m := range t.members {
		if !s.Has(m.bit) {
			continue
		}
		extra.remove(m.Name)
		m.clear(v)
		if m.has(from) {
			m.merge(v, from)
		}
		if kept := other.find(m.Name); kept != nil {
			extra.set(*kept)
		}
	}
}

// Diff calls differs with every place in which a and b, which are at at, differ. It compares objects
// and maps member by member, arrays of one length element by element, and everything else as a whole.
func (t *Type[T]) Diff(a, b *T, at diag.Pointer, differs func(diag.Pointer)) {
	if t.extra(a).all().element != t.extra(b).all().element {
		differs(at) // one of them is not an object
		return
	}
	for _, m := range t.members {
		if t.memberEqual(m, a, b, false) {
			continue
		}
		place := at.Member(m.Name)
		if m.diff == nil || !t.sameText(m.Name, a, b) || !m.diff(a, b, place, differs) {
			differs(place)
		}
	}
	t.extra(a).diffUnknown(t.extra(b), at, differs)
}

func (r *Extra) diffUnknown(other *Extra, at diag.Pointer, differs func(diag.Pointer)) {
	here, there := r.unknownByName(), other.unknownByName()
	for name, value := range r.unknown() {
		if theirs, ok := there[name]; !ok || !SameJSON(value, theirs) {
			differs(at.Member(name))
		}
	}
	for name := range other.unknown() {
		if _, ok := here[name]; !ok {
			differs(at.Member(name))
		}
	}
}

func diffMaps(a, b map[string]string, at diag.Pointer, differs func(diag.Pointer)) bool {
	if a == nil || b == nil {
		return false
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		x, inA := a[key]
		if y, inB := b[key]; inA != inB || x != y {
			differs(at.Member(key))
		}
	}
	return true
}

func (t *Type[T]) diffArrays(a, b []T, at diag.Pointer, differs func(diag.Pointer)) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		t.Diff(&a[i], &b[i], at.Index(i), differs)
	}
	return true
}
