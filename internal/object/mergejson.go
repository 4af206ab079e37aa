package object

import (
	"fmt"
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
	return appendMerge(dst, old, change), nil
}

// appendMerged is like [MergeJSON] for texts that are known to be JSON.
func appendMerged(dst, target, patch []byte) []byte {
	m := mergers.Get().(*merger)
	defer m.release()
	var old jsonscan.Value
	if len(target) > 0 {
		old = m.target.Of(target)
	}
	return appendMerge(dst, old, m.patch.Of(patch))
}

// merger is the memory that a merge needs.
type merger struct{ target, patch jsonscan.Index }

var mergers = sync.Pool{New: func() any { return new(merger) }}

func (m *merger) release() {
	m.target.Release()
	m.patch.Release()
	mergers.Put(m)
}

// appendMerge is MergePatch of RFC 7396 section 2.
func appendMerge(dst []byte, target, patch jsonscan.Value) []byte {
	if !patch.IsObject() {
		return append(dst, patch.Text...)
	}
	var changes changeSet
	changes.read(patch)
	dst = append(dst, '{')
	start := len(dst)
	for name, value := range target.Members() {
		c := changes.take(name)
		if c == nil {
			dst = append(appendPair(dst, start, name), value.Text...)
		} else if !c.value.IsNull() {
			dst = appendMerge(appendPair(dst, start, name), value, c.value)
		}
	}
	for _, list := range [][]change{changes.few[:changes.n], changes.many} {
		for _, c := range list {
			if !c.taken && !c.value.IsNull() {
				dst = appendMerge(appendPair(dst, start, c.name), jsonscan.Value{}, c.value)
			}
		}
	}
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
	few    [8]change
	n      int
	many   []change
	byName map[string]int
}

func (s *changeSet) read(patch jsonscan.Value) {
	for name, value := range patch.Members() {
		c := change{name: name, value: value}
		if s.n < len(s.few) {
			s.few[s.n] = c
			s.n++
			continue
		}
		if s.byName == nil {
			s.byName = map[string]int{}
		}
		s.byName[name.String()] = len(s.many)
		s.many = append(s.many, c)
	}
}

// take returns the change with the name, or nil, and marks it as taken.
func (s *changeSet) take(name jsonscan.Name) *change {
	for i := range s.few[:s.n] {
		if c := &s.few[i]; c.name.Equal(name) {
			c.taken = true
			return c
		}
	}
	if s.many == nil {
		return nil
	}
	if i, ok := s.byName[name.String()]; ok {
		s.many[i].taken = true
		return &s.many[i]
	}
	return nil
}
