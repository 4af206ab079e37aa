package object

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
)

// Extra is the content of an object that the fields of its Go struct cannot hold: unknown members, null,
// values of a wrong type, and zero values that were sent. The zero value is empty. Copies share their
// contents: after decoding, they are replaced, not modified.
type Extra struct{ kept *kept }

// kept is the content of an Extra. Few objects have any.
type kept struct {
	known   []rawMember // members of the table, at most one of each
	unknown []rawMember
	element string // the whole value of an array element that is not an object
}

// rawMember is a member as it was written.
type rawMember struct {
	name, value string
	over        bool // the text contains more than the field, even if that is not zero
	wrong       bool // the value has a wrong type, and the field is zero
}

// all returns the content of r, to be read only.
func (r *Extra) all() *kept {
	if r.kept == nil {
		return &none
	}
	return r.kept
}

var none kept

// own returns the contents of r, for decoding to write to.
func (r *Extra) own() *kept {
	if r.kept == nil {
		r.kept = new(kept)
	}
	return r.kept
}

// detach gives r its own copy of its contents, for decoding to write to.
func (r *Extra) detach() {
	if r.kept != nil {
		r.kept = &kept{slices.Clone(r.kept.known), slices.Clone(r.kept.unknown), r.kept.element}
	}
}

// IsEmpty reports whether r contains nothing.
func (r *Extra) IsEmpty() bool { return r.kept == nil }

// find returns the member of the table with the given name, or nil.
func (r *Extra) find(name string) *rawMember {
	if r.kept == nil {
		return nil // as usual
	}
	return r.kept.find(name)
}

func (k *kept) find(name string) *rawMember {
	if i := k.index(name); i >= 0 {
		return &k.known[i]
	}
	return nil
}

func (k *kept) index(name string) int {
	return slices.IndexFunc(k.known, func(m rawMember) bool { return m.name == name })
}

// beyond returns the text of the member name if it contains more than the field, or "".
func (r *Extra) beyond(name string) string {
	if m := r.find(name); m != nil && (m.over || m.wrong) {
		return m.value
	}
	return ""
}

// WasSent reports whether the member name was sent with a value other than null that its field cannot hold: it is not
// absent although the field is zero.
func (r *Extra) WasSent(name string) bool {
	m := r.find(name)
	return m != nil && m.value != null
}

// Null reports whether the member name was sent as null and the null was kept.
func (r *Extra) Null(name string) bool {
	m := r.find(name)
	return m != nil && m.value == null
}

// Element reports whether the value is an element of an array and not an object.
func (r *Extra) Element() bool { return r.kept != nil && r.kept.element != "" }

// add adds a member that r does not have yet, while decoding.
func (r *Extra) add(m rawMember) { r.own().known = append(r.own().known, m) }

// set adds a member of the table, or replaces it.
func (r *Extra) set(m rawMember) {
	r.remove(m.name)
	changed := *r.all()
	changed.known = append(slices.Clip(changed.known), m)
	r.kept = &changed
}

// WriteOut makes v write the members in s even if they are zero, as if their zero values had been sent. The members must
// be of the kinds [String], [Bool] or [Int].
func (t *Table[P]) WriteOut(v P, s Set) {
	for s &= t.all; s != 0; s &= s - 1 {
		if m := t.first(s); !m.has(v) {
			t.extra(v).set(rawMember{name: m.Name, value: string(m.append(diag.Documents, nil, v))})
		}
	}
}

func (r *Extra) remove(name string) {
	if i := r.all().index(name); i >= 0 {
		changed := *r.kept
		changed.known = slices.Concat(changed.known[:i], changed.known[i+1:])
		r.kept = &changed
	}
}

// sameUnknown reports whether r and other have equal unknown members.
func (r *Extra) sameUnknown(other *Extra) bool {
	same := func(a, b json.RawMessage) bool { return SameJSON(a, b) }
	return r.kept == other.kept || r.all().element == other.all().element && maps.EqualFunc(r.unknownByName(), other.unknownByName(), same)
}

// unknownByName returns the unknown members by name.
func (r *Extra) unknownByName() map[string]json.RawMessage {
	if len(r.all().unknown) == 0 {
		return nil // without an allocation
	}
	return maps.Collect(r.unknown())
}

// unknown yields the unknown members.
func (r *Extra) unknown() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, m := range r.all().unknown {
			if !yield(m.name, json.RawMessage(m.value)) {
				return
			}
		}
	}
}

// Unknown yields the members of v that the table does not list, as they were written.
func (t *Table[P]) Unknown(v P) iter.Seq2[string, json.RawMessage] { return t.extra(v).unknown() }
