package object

// Merge changes v by the patch, as RFC 7396 says: what the patch has replaces what v has,
// objects and maps merge member by member, arrays are replaced whole, and null clears. The
// patch was decoded with [NullIsKept]. v shares nothing with it afterwards.
func (t *Type[T]) Merge(v, patch *T) { t.merge(v, patch) }

func (t *Type[T]) merge(v, patch *T) {
	rest, sent := t.rest(v), t.rest(patch)
	for i := range t.members {
		m := &t.members[i]
		kept := sent.find(m.Name)
		switch {
		case m.has(patch) && m.keys != nil:
			m.mergeMap(v, patch, rest, kept)
		case m.has(patch):
			rest.remove(m.Name)
			m.merge(v, patch)
		case kept != nil: // null, or a zero value that was written out
			rest.remove(m.Name)
			m.clear(v)
			if kept.value != null {
				rest.set(*kept)
			}
		}
	}
	if len(sent.members) > 0 {
		rest.merge(sent, t.index)
	}
}

// mergeMap merges a map of strings. kept is the text of the patch where it tells more than its
// map, and where the text of v does so, as of values that are no strings, that is merged too.
func (m *Member[T]) mergeMap(v, patch *T, rest *Rest, kept *rawMember) {
	if old := rest.find(m.Name); old != nil && old.over {
		text := m.append(nil, patch)
		if kept != nil {
			text = []byte(kept.value)
		}
		rest.set(rawMember{name: m.Name, value: string(appendMerged(nil, []byte(old.value), text)), over: true})
	} else {
		rest.remove(m.Name)
	}
	m.merge(v, patch)
	if kept != nil {
		for _, key := range nullKeys(kept.value) {
			delete(*m.keys(v), key)
		}
	}
}

// nullKeys returns the names that are null in an object.
func nullKeys(object string) []string {
	text := []byte(object)
	var keys []string
	for m, at := nextPair(text, 1); m.name != nil; m, at = nextPair(text, at) {
		if m.value[0] == 'n' {
			keys = append(keys, string(unquote(m.name)))
		}
	}
	return keys
}

// onlyStrings reports whether a value is an object whose members are all strings, which the
// field tells as well. Of a list it does not say so.
func onlyStrings(value string) bool {
	if value[0] != '{' {
		return false
	}
	text := []byte(value)
	for m, at := nextPair(text, 1); m.name != nil; m, at = nextPair(text, at) {
		if m.value[0] != '"' {
			return false
		}
	}
	return true
}

// merge merges the members that the table with these names does not list.
func (r *Rest) merge(patch *Rest, known map[string]int) {
	here, there := r.finder(), patch.finder()
	merged := r.members[:0:0]
	for _, m := range r.members {
		if _, listed := known[m.name]; listed || there.find(m.name) == nil {
			merged = append(merged, m)
		}
	}
	for name, value := range patch.unknown(known) {
		if string(value) == null {
			continue
		}
		var old []byte
		if m := here.find(name); m != nil {
			old = []byte(m.value)
		}
		merged = append(merged, rawMember{name: name, value: string(appendMerged(nil, old, value))})
	}
	r.members = merged
}

// Settle drops every null that v keeps: what was sent as null counts as absent.
func (t *Type[T]) Settle(v *T) { t.settle(v) }

func (t *Type[T]) settle(v *T) {
	rest := t.rest(v)
	kept := rest.members[:0:0]
	for _, m := range rest.members {
		if m.over { // a list or a map, where the field holds only the strings
			m.value = string(appendMerged(nil, nil, []byte(m.value))) // without its nulls
			if onlyStrings(m.value) {
				continue
			}
		}
		if m.value != null {
			kept = append(kept, m)
		}
	}
	rest.members = kept
	for i := range t.members {
		if m := &t.members[i]; m.settle != nil && m.has(v) {
			m.settle(v)
		}
	}
}
