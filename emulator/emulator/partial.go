package emulator

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// selection is the set of response members selected by the fields parameter, as in "items(id,start/date),kind". A nil
// selection means all members.
type selection map[string]selection

// parseFields parses the value of the fields parameter.
func parseFields(text string) (selection, error) {
	p := fieldParser{rest: text}
	s, ok := p.list()
	if p.isTooDeep {
		return nil, refused(http.StatusBadRequest, "invalidParameter", "The parameter fields selects members more than %d levels deep.", maxFieldDepth)
	}
	if !ok || p.rest != "" {
		return nil, refused(http.StatusBadRequest, "invalidParameter", "The parameter fields is %q; it must be names, separated by commas, with members after a slash or in parentheses.", text)
	}
	return s, nil
}

// maxFieldDepth is the maximum depth of a selection. No resource is nested that deeply.
const maxFieldDepth = 32

type fieldParser struct {
	rest      string
	depth     int
	isTooDeep bool
}

// list parses names separated by commas.
func (p *fieldParser) list() (selection, bool) {
	s := selection{}
	for {
		if !p.path(s) {
			return nil, false
		}
		if !p.skip(',') {
			return s, true
		}
	}
}

// path parses a name, followed by members after a slash or in parentheses.
func (p *fieldParser) path(into selection) bool {
	if p.depth++; p.depth > maxFieldDepth {
		p.isTooDeep = true
		return false
	}
	defer func() { p.depth-- }()
	end := strings.IndexAny(p.rest, ",/()")
	if end < 0 {
		end = len(p.rest)
	}
	name := strings.TrimSpace(p.rest[:end])
	p.rest = p.rest[end:]
	if name == "" {
		return false
	}
	inner, seen := into[name]
	isWhole := seen && inner == nil
	switch {
	case p.skip('/'):
		if inner == nil {
			inner = selection{}
		}
		if !p.path(inner) {
			return false
		}
	case p.skip('('):
		list, ok := p.list()
		if !ok || !p.skip(')') {
			return false
		}
		maps.Copy(list, inner)
		inner = list
	default:
		inner = nil // all members
	}
	if isWhole {
		inner = nil
	}
	into[name] = inner
	return true
}

func (p *fieldParser) skip(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// unknown returns the path of a selected member that is not in the schema, or "" if all selected members are in the schema.
func (s selection) unknown(value *schema) string {
	for value.Items != nil {
		value = value.Items
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		member, ok := value.member(name)
		if !ok {
			return name
		}
		if inner := s[name].unknown(member); inner != "" {
			return name + "/" + inner
		}
	}
	return ""
}

// of returns the selected part of JSON text.
func (s selection) of(text []byte) []byte {
	text = bytes.TrimSpace(text)
	switch {
	case s == nil || len(text) == 0:
		return text
	case text[0] == '[':
		return s.ofArray(text)
	case text[0] == '{':
		return s.ofObject(text)
	default:
		return text
	}
}

func (s selection) ofArray(text []byte) []byte {
	var elements []json.RawMessage
	if json.Unmarshal(text, &elements) != nil {
		return text
	}
	for i := range elements {
		elements[i] = s.of(elements[i])
	}
	return encode(elements)
}

func (s selection) ofObject(text []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil {
		return text
	}
	for name, value := range members {
		inner, ok := s[name]
		if !ok {
			inner, ok = s["*"]
		}
		if !ok {
			delete(members, name)
			continue
		}
		members[name] = inner.of(value)
	}
	return encode(members)
}

// encode encodes a value that was decoded from JSON.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // a bug: the values come from JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
