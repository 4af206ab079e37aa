package object

import (
	"encoding/json"
	"iter"
	"maps"
	"slices"
)

// Extra is what an object contains and the fields of its Go struct cannot: unknown members, null,
// values of a wrong type, and zero values that were sent. The zero value is empty.
type Extra struct {
	members []rawMember
	element string // the whole value of an array element that is not an object
}

// rawMember is a member as it was written.
type rawMember struct {
	name, value string
	over        bool // the text contains more than the field, even if that is not zero
	wrong       bool // the value has a wrong type, and the field is zero
}

// find returns the member name, or nil.
func (r *Extra) find(name string) *rawMember {
	if i := r.index(name); i >= 0 {
		return &r.members[i]
	}
	return nil
}

func (r *Extra) index(name string) int {
	return slices.IndexFunc(r.members, func(m rawMember) bool { return m.name == name })
}

// beyond returns the text of the member name if it contains more than the field, or "".
func (r *Extra) beyond(name string) string {
	if m := r.find(name); m != nil && (m.over || m.wrong) {
		return m.value
	}
	return ""
}

// WasSent reports whether the member name was sent with a value other than null that its field does not
// have, so that the member is not absent although the field is zero.
func (r *Extra) WasSent(name string) bool {
	m := r.find(name)
	return m != nil && m.value != null
}

// Null reports whether the member name was sent as null and that was kept.
func (r *Extra) Null(name string) bool {
	m := r.find(name)
	return m != nil && m.value == null
}

// Element reports whether the value is an element of an array and not an object.
func (r *Extra) Element() bool { return r.element != "" }

// add adds a member that r does not have yet.
func (r *Extra) add(m rawMember) { r.members = append(r.members, m) }

// set adds a member, or replaces it.
func (r *Extra) set(m rawMember) {
	r.remove(m.name)
	r.add(m)
}

func (r *Extra) remove(name string) {
	if i := r.index(name); i >= 0 {
		r.members = slices.Concat(r.members[:i], r.members[i+1:])
	}
}

// unknown yields the members that are not known.
func (r *Extra) unknown(known map[string]int) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for _, m := range r.members {
			if _, ok := known[m.name]; !ok && !yield(m.name, json.RawMessage(m.value)) {
				return
			}
		}
	}
}

// sameUnknown reports whether r and other have equal unknown members.
func (r *Extra) sameUnknown(other *Extra, known map[string]int) bool {
	same := func(a, b json.RawMessage) bool { return SameJSON(a, b) }
	return r.element == other.element && maps.EqualFunc(r.unknownByName(known), other.unknownByName(known), same)
}

// unknownByName returns the members that are not known by name.
func (r *Extra) unknownByName(known map[string]int) map[string]json.RawMessage {
	if len(r.members) == 0 {
		return nil // without an allocation
	}
	return maps.Collect(r.unknown(known))
}

// Unknown yields the members of v that the table does not list, as they were written.
func (t *Type[T]) Unknown(v *T) iter.Seq2[string, json.RawMessage] {
	return t.extra(v).unknown(t.index)
}
