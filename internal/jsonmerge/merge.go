// Package jsonmerge applies merge patches (RFC 7396) to JSON text.
//
// The fast merge checks, reads and writes in one pass over the target and the patch. For invalid JSON and names with
// escapes, Append falls back to the simple merge, which also specifies the behavior of the fast merge.
package jsonmerge

import (
	"sync"

	"github.com/calrules/calrules/internal/constraint"
)

// Append applies a merge patch (RFC 7396) to target and appends the resulting JSON value to dst. An empty target
// represents the absence of a value. Append returns an error if target or patch is not JSON, repeats a name in an
// object or is nested too deeply. Append copies unchanged values verbatim and preserves the order of members.
func Append(dst, target, patch []byte) ([]byte, error) {
	if merged, ok := appendFast(dst, target, patch); ok {
		return merged, nil
	}
	return appendSimple(dst, target, patch)
}

// AppendValid is like [Append], but requires target and patch to be valid.
func AppendValid(dst, target, patch []byte) []byte {
	if merged, ok := appendFast(dst, target, patch); ok {
		return merged
	}
	return appendSimpleValid(dst, target, patch)
}

type fast struct {
	target, patch scanner
	changes       []change
}

// change is the patch or a member of an object in the patch. In fast.changes, an object precedes its members.
type change struct {
	name
	at    int    // the offset of the value in the patch
	text  []byte // the value as JSON
	count int    // the number of members, if the value is an object
	end   int    // the index in fast.changes after the members
	taken bool   // whether the target has the member
}

func (c *change) isObject() bool { return c.text[0] == '{' }
func (c *change) isNull() bool   { return c.text[0] == 'n' }

var merges = sync.Pool{New: func() any { return new(fast) }}

// appendFast is a fast version of [Append], which returns false if the simple merge must be used instead.
func appendFast(dst, target, patch []byte) ([]byte, bool) {
	m := merges.Get().(*fast)
	defer m.release()
	return m.append(dst, target, patch)
}

func (m *fast) append(dst, target, patch []byte) ([]byte, bool) {
	m.target.text, m.patch.text = target, patch
	if at := m.patch.space(0); at == fail || !m.patch.isWhole(m.read(name{}, at, 1)) {
		return dst, false
	}
	if len(target) == 0 {
		return m.write(dst, 0), true
	}
	at := m.target.space(0)
	if at == fail {
		return dst, false
	}
	merged, end := m.merge(dst, at, 1, 0)
	return merged, m.target.isWhole(end)
}

func (m *fast) release() {
	const usual = 1024
	m.target.text, m.patch.text = nil, nil
	m.target.release()
	m.patch.release()
	if cap(m.changes) > usual {
		m.changes = nil
	}
	clear(m.changes)
	m.changes = m.changes[:0]
	merges.Put(m)
}

// read reads a value of the patch into changes, and returns the offset past the value.
func (m *fast) read(n name, at, depth int) int {
	i := len(m.changes)
	m.changes = append(m.changes, change{name: n, at: at})
	end, count := 0, 0
	if m.patch.text[at] == '{' {
		end, count = m.readMembers(at, depth)
	} else {
		end = m.patch.value(at, depth)
	}
	if end != fail {
		c := &m.changes[i]
		c.text, c.count, c.end = m.patch.text[at:end], count, len(m.changes)
	}
	return end
}

func (m *fast) readMembers(at, depth int) (end, count int) {
	if depth > constraint.JSONMaxDepth {
		return fail, 0
	}
	o := m.patch.open(at)
	at, more := m.patch.enter(at, '}')
	for more {
		n, value := m.patch.member(at)
		if value == fail || !m.patch.add(&o, n, len(m.changes)) {
			return fail, 0
		}
		if at = m.read(n, value, depth+1); at == fail {
			return fail, 0
		}
		at, more = m.patch.next(at, '}')
	}
	m.patch.close(o)
	return at, o.count
}

// merge applies a change to a value of the target, appends the result, and returns the offset past the value.
func (m *fast) merge(dst []byte, at, depth, i int) ([]byte, int) {
	if m.target.text[at] == '{' && m.changes[i].isObject() {
		return m.mergeMembers(dst, at, depth, i)
	}
	return m.write(dst, i), m.target.value(at, depth)
}

func (m *fast) mergeMembers(dst []byte, at, depth, object int) ([]byte, int) {
	if depth > constraint.JSONMaxDepth {
		return dst, fail
	}
	dst = append(dst, '{')
	start := len(dst)
	t := &m.target
	o := t.open(at)
	at, more := t.enter(at, '}')
	for more {
		n, value := t.member(at)
		if value == fail || !t.add(&o, n, 0) {
			return dst, fail
		}
		switch i := m.find(object, n); {
		case i == absent:
			at = t.value(value, depth+1)
			dst = append(appendName(dst, start, n.quoted), t.text[value:max(at, value)]...)
		case m.changes[i].isNull():
			at = t.value(value, depth+1)
		default:
			dst, at = m.merge(appendName(dst, start, n.quoted), value, depth+1, i)
		}
		if at == fail {
			return dst, fail
		}
		at, more = t.next(at, '}')
	}
	t.close(o)
	return m.writeMembers(dst, start, object), at
}

// find returns the index of the member with the given name in a change, or absent, and marks the member as taken.
func (m *fast) find(object int, n name) int {
	c := &m.changes[object]
	i := absent
	if c.count > few {
		i = m.patch.table.index(c.at, n)
	} else {
		for k := object + 1; k < c.end && i == absent; k = m.changes[k].end {
			if m.changes[k].equal(n) {
				i = k
			}
		}
	}
	if i != absent {
		m.changes[i].taken = true
	}
	return i
}

// write appends the result of applying change i in a place where the target has no object.
func (m *fast) write(dst []byte, i int) []byte {
	if !m.changes[i].isObject() {
		return append(dst, m.changes[i].text...)
	}
	dst = append(dst, '{')
	return m.writeMembers(dst, len(dst), i)
}

// writeMembers appends the members of a change that the target lacks, and the end of the object.
func (m *fast) writeMembers(dst []byte, start, object int) []byte {
	for i := object + 1; i < m.changes[object].end; i = m.changes[i].end {
		if c := &m.changes[i]; !c.taken && !c.isNull() {
			dst = m.write(appendName(dst, start, c.quoted), i)
		}
	}
	return append(dst, '}')
}

// appendName appends a quoted name and a colon, preceded by a comma unless the name is the first in its object.
func appendName(dst []byte, start int, quoted []byte) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	return append(append(dst, quoted...), ':')
}
