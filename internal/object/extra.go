package object

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"

	"github.com/calrules/calrules/diag"
)

// Extra contains the parts of an object that the fields of its Go struct cannot represent: unknown members, null, values of the
// wrong type, and zero values that were sent. The zero value is empty. Copies share their content, which after decoding is only
// replaced, never modified.
type Extra struct{ kept *kept }

// kept is the content of an Extra, which few objects have.
type kept struct {
	known   []rawMember // members of the table, each at most once
	unknown []rawMember
	element string // the JSON text of an array element that is not an object
}

// rawMember is a member as written.
type rawMember struct {
	name, value string
	over        bool // value contains more than the field, which may be non-zero
	wrong       bool // the value has the wrong type, and the field is zero
}

// all returns the content of r for reading only.
func (r *Extra) all() *kept {
	if r.kept == nil {
		return &none
	}
	return r.kept
}

var none kept

// own returns the content of r for modification during decoding.
func (r *Extra) own() *kept {
	if r.kept == nil {
		r.kept = new(kept)
	}
	return r.kept
}

// detach replaces the content of r with a copy, which can be modified during decoding.
func (r *Extra) detach() {
	if r.kept != nil {
		r.kept = &kept{slices.Clone(r.kept.known), slices.Clone(r.kept.unknown), r.kept.element}
	}
}

// IsEmpty reports whether r has no content.
func (r *Extra) IsEmpty() bool { return r.kept == nil }

// find returns the member of the table with the given name, or nil.
func (r *Extra) find(name string) *rawMember {
	if r.kept == nil {
		return nil // the usual case
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
	for i := range k.known {
		if k.known[i].name == name { // a function for slices.IndexFunc would copy each member
			return i
		}
	}
	return -1
}

// beyond returns the JSON text of the named member if the text contains more than the field, and "" otherwise.
func (r *Extra) beyond(name string) string {
	if m := r.find(name); m != nil && (m.over || m.wrong) {
		return m.value
	}
	return ""
}

// WasSent reports whether the named member was sent with a value other than null that its field cannot represent. A member that
// was sent is present even if its field is zero.
func (r *Extra) WasSent(name string) bool { return r.kept != nil && r.kept.wasSent(name) }

func (k *kept) wasSent(name string) bool {
	m := k.find(name)
	return m != nil && m.value != null
}

// Null reports whether the named member was sent as null, and that null was kept.
func (r *Extra) Null(name string) bool {
	m := r.find(name)
	return m != nil && m.value == null
}

// Element reports whether the value is an array element that is not an object.
func (r *Extra) Element() bool { return r.kept != nil && r.kept.element != "" }

// add adds a new member to r, while decoding.
func (r *Extra) add(m rawMember) { r.own().known = append(r.own().known, m) }

// set adds or replaces a member of the table.
func (r *Extra) set(m rawMember) {
	r.remove(m.name)
	changed := *r.all()
	changed.known = append(slices.Clip(changed.known), m)
	r.kept = &changed
}

// WriteOut causes the members in s to be encoded even if they are zero, as if their zero values had been sent. The
// members must have been declared with [String], [Bool] or [Int].
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

func (r *Extra) unknownByName() map[string]json.RawMessage {
	if len(r.all().unknown) == 0 {
		return nil // avoids an allocation
	}
	return maps.Collect(r.unknown())
}

func (r *Extra) unknown() iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, m := range r.all().unknown {
			if !yield(m.name, json.RawMessage(m.value)) {
				return
			}
		}
	}
}

// Unknown returns an iterator over the members of v that are not in the table, as written.
func (t *Table[P]) Unknown(v P) iter.Seq2[string, json.RawMessage] { return t.extra(v).unknown() }
