package object

import (
	"fmt"
	"slices"
	"sync"

	"github.com/calrules/calrules/internal/jsonscan"
)

// MergeJSON appends the JSON value that the merge patch makes of target (RFC 7396), which may
// be empty for no value at all. Both are checked first: it is an error if a text is not JSON, repeats
// a name in an object or is nested too deeply. What the patch does not change is copied as it is
// written, and members keep their order.
func MergeJSON(dst, target, patch []byte) ([]byte, error) {
	m := mergers.Get().(*merger)
	defer m.release()
	var old jsonscan.Value
	var err error
	if len(target) > 0 {
		if old, err = m.target.Check(target); err != nil {
			return dst, fmt.Errorf("target: %w", err)
		}
	}
	change, err := m.patch.Check(patch)
	if err != nil {
		return dst, fmt.Errorf("patch: %w", err)
	}
	return m.merge(dst, old, change), nil
}

// appendMerged is like [MergeJSON] for texts that are known to be JSON.
func appendMerged(dst, target, patch []byte) []byte {
	m := mergers.Get().(*merger)
	defer m.release()
	var old jsonscan.Value
	if len(target) > 0 {
		old = m.target.Of(target)
	}
	return m.merge(dst, old, m.patch.Of(patch))
}

// merger is the memory that a merge needs.
type merger struct {
	target, patch jsonscan.Index
	changes       []change // of the patch and of those within that are being applied
}

var mergers = sync.Pool{New: func() any { return new(merger) }}

func (m *merger) release() {
	m.target.Release()
	m.patch.Release()
	const usual = 256
	if cap(m.changes) > usual {
		m.changes = nil
	}
	clear(m.changes[:cap(m.changes)])
	mergers.Put(m)
}

// merge is MergePatch of RFC 7396 section 2.
func (m *merger) merge(dst []byte, target, patch jsonscan.Value) []byte {
	if !patch.IsObject() {
		return append(dst, patch.Text...)
	}
	changes := m.read(patch)
	dst = append(dst, '{')
	start := len(dst)
	for name, value := range target.Members() {
		c := changes.take(name)
		if c == nil {
			dst = append(appendPair(dst, start, name), value.Text...)
		} else if !c.value.IsNull() {
			dst = m.merge(appendPair(dst, start, name), value, c.value)
		}
	}
	for _, c := range changes.list {
		if !c.taken && !c.value.IsNull() {
			dst = m.merge(appendPair(dst, start, c.name), jsonscan.Value{}, c.value)
		}
	}
	m.changes = m.changes[:len(m.changes)-len(changes.list)]
	return append(dst, '}')
}

// appendPair appends a quoted name and a colon, after a comma unless it is the first.
func appendPair(dst []byte, start int, name jsonscan.Name) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	return append(append(dst, name...), ':')
}

// change is a member of a patch.
type change struct {
	name  jsonscan.Name
	value jsonscan.Value
	taken bool // the target has the member
}

// changeSet finds the members of a patch by name. Patches are mostly short: a few members are
// compared one by one, and only a longer patch is worth a map.
type changeSet struct {
	list   []change
	byName map[string]int // nil if there are few
}

func (m *merger) read(patch jsonscan.Value) changeSet {
	const few = 8
	start := len(m.changes)
	for name, value := range patch.Members() {
		m.changes = append(m.changes, change{name: name, value: value})
	}
	s := changeSet{list: m.changes[start:]}
	if len(s.list) > few {
		s.byName = make(map[string]int, len(s.list))
		for i, c := range s.list {
			s.byName[c.name.String()] = i
		}
	}
	return s
}

// take returns the change with the name, or nil, and marks it as taken.
func (s *changeSet) take(name jsonscan.Name) *change {
	i := -1
	if s.byName == nil {
		i = slices.IndexFunc(s.list, func(c change) bool { return c.name.Equal(name) })
	} else if at, ok := s.byName[name.String()]; ok {
		i = at
	}
	if i < 0 {
		return nil
	}
	s.list[i].taken = true
	return &s.list[i]
}
