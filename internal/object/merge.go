package object

import (
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Merge applies a merge patch (RFC 7396) to v. Members of the patch replace members of v, except that objects and maps
// are merged member by member, and null clears a member. The patch must have been decoded with [NullIsKept].
//
// Merge, [Table.Copy], [Table.DropNulls] and [Table.KeepWithin] write only to *v, not to values to which *v refers. Therefore v
// may be a shallow copy of a value that must not change. Afterwards, v still shares memory with the original value and with the
// patch; use [Table.Clone] to get an independent copy.
func (t *Table[P]) Merge(v, patch P) {
	extra, sent := t.extra(v), t.extra(patch)
	for s := t.Present(patch); s != 0; s &= s - 1 {
		m := t.first(s)
		kept := sent.find(m.Name)
		switch {
		case m.has(patch) && m.keys != nil:
			m.mergeMap(v, patch, extra, kept)
		case m.has(patch):
			extra.remove(m.Name)
			m.merge(v, patch)
			if kept != nil && kept.over {
				extra.set(*kept) // an array that contains more than strings
			}
		default: // null, a zero value, or a value of the wrong type
			was := extra.find(m.Name)
			extra.remove(m.Name)
			m.assign(v, t.none)
			if kept.value != null {
				extra.set(kept.mergedInto(was))
			}
		}
	}
	if len(sent.all().unknown) > 0 {
		extra.merge(sent)
	}
}

// mergedInto returns the result of merging a member of a patch into the same member's kept JSON text. An object of the wrong
// type also loses the members that are null in the patch.
func (m rawMember) mergedInto(was *rawMember) rawMember {
	if m.wrong {
		var before []byte
		if was != nil && was.wrong {
			before = []byte(was.value)
		}
		m.value = string(jsonmerge.AppendValid(nil, before, []byte(m.value)))
	}
	return m
}

// mergeMap merges a map of strings. If the map in the patch contains values that are not strings, kept is its JSON text. If
// either map contains values that are not strings, mergeMap also merges the JSON texts.
func (m *Member[P]) mergeMap(v, patch P, extra *Extra, kept *rawMember) {
	old := extra.find(m.Name)
	extra.remove(m.Name)
	if kept != nil || old != nil && old.over {
		merged := jsonmerge.AppendValid(nil, m.mapText(v, old), m.mapText(patch, kept))
		if !onlyStrings(string(merged)) {
			extra.set(rawMember{name: m.Name, value: string(merged), over: true})
		}
	}
	m.merge(v, patch)
	if kept != nil {
		for _, key := range nullKeys(kept.value) {
			delete(*m.keys(v), key)
		}
	}
}

// mapText returns a string map as JSON text: the kept value or, if kept is nil, the encoded field.
func (m *Member[P]) mapText(v P, kept *rawMember) []byte {
	switch {
	case kept != nil:
		return []byte(kept.value)
	case m.has(v):
		return m.append(diag.Documents, nil, v)
	default:
		return nil
	}
}

func nullKeys(object string) []string {
	var keys []string
	for name, value := range jsonscan.Of([]byte(object)).Members() {
		if value.IsNull() {
			keys = append(keys, name.String())
		}
	}
	return keys
}

// onlyStrings reports whether a value is an object whose members are all strings, which the field can represent.
func onlyStrings(value string) bool {
	v := jsonscan.Of([]byte(value))
	for _, member := range v.Members() {
		if !member.IsString() {
			return false
		}
	}
	return v.IsObject()
}

// merge merges the unknown members of a patch.
func (r *Extra) merge(patch *Extra) {
	here, there := r.unknownByName(), patch.unknownByName()
	changed := *r.all()
	changed.unknown = slices.DeleteFunc(slices.Clone(changed.unknown), func(m rawMember) bool {
		_, replaced := there[m.name]
		return replaced
	})
	for name, value := range patch.unknown() {
		if string(value) != null {
			changed.unknown = append(changed.unknown, rawMember{name: name, value: string(jsonmerge.AppendValid(nil, here[name], value))})
		}
	}
	r.kept = &changed
}

// DropNulls drops the kept nulls from v, and from within the given members of v. Members that were sent as null become absent.
func (t *Table[P]) DropNulls(v P, only Set) {
	if extra := t.extra(v); extra.hasNulls() {
		extra.kept = &kept{withoutNulls(extra.kept.known), withoutNulls(extra.kept.unknown), extra.kept.element}
	}
	for s := t.nullable & only; s != 0; s &= s - 1 {
		t.first(s).dropNullsIfAny(v)
	}
}

func (m *Member[P]) dropNullsIfAny(v P) {
	if m.hasNulls != nil && m.hasNulls(v) {
		m.dropNulls(v)
	}
}

// HasNulls reports whether [Table.DropNulls] may find nulls to drop.
func (t *Table[P]) HasNulls(v P, only Set) bool {
	if t.extra(v).hasNulls() {
		return true
	}
	for s := t.nullable & only; s != 0; s &= s - 1 {
		if t.first(s).hasNulls(v) {
			return true
		}
	}
	return false
}

func anyHasNulls[S any](t *Table[*S], list []S) bool {
	for i := range list {
		if t.HasNulls(&list[i], All) {
			return true
		}
	}
	return false
}

// hasNulls reports whether any member is null or may contain null.
func (r *Extra) hasNulls() bool {
	mayBe := func(m rawMember) bool { return m.over || m.value == null }
	return r.kept != nil && (slices.ContainsFunc(r.kept.known, mayBe) || slices.ContainsFunc(r.kept.unknown, mayBe))
}

// withoutNulls returns the members, except members that are null and members that are kept only because their list or map
// contains nulls.
func withoutNulls(members []rawMember) (kept []rawMember) {
	for _, m := range members {
		if m.over {
			m.value = string(jsonmerge.AppendValid(nil, nil, []byte(m.value)))
			if onlyStrings(m.value) {
				continue
			}
		}
		if m.value != null {
			kept = append(kept, m)
		}
	}
	return kept
}
