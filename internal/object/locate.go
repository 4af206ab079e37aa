package object

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// Locate returns, for each path, the offset in text, in bytes, of the value that stands there
// or, where there is none, of the innermost object or array around the place. Paths outside
// the body have the offset -1, so that they sort first. It reads text once, up to the first
// syntax error.
func Locate(text []byte, paths []diag.Pointer) []int {
	root := &place{}
	places := make([]*place, len(paths))
	for i, path := range paths {
		if path.InBody() {
			places[i] = root.at(path)
		}
	}
	l := locator{json: jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true)), text: text}
	l.visit(root)
	offsets := make([]int, len(paths))
	for i, p := range places {
		if p == nil {
			offsets[i] = -1
			continue
		}
		for !p.found && p.parent != nil {
			p = p.parent
		}
		offsets[i] = p.offset
	}
	return offsets
}

// place is a node of the tree of the paths that are looked for.
type place struct {
	parent   *place
	children map[string]*place
	offset   int
	found    bool
}

// at returns the node of path below p, which it makes where there is none.
func (p *place) at(path diag.Pointer) *place {
	for token := range path.Tokens() {
		child := p.children[token]
		if child == nil {
			child = &place{parent: p}
			if p.children == nil {
				p.children = map[string]*place{}
			}
			p.children[token] = child
		}
		p = child
	}
	return p
}

// locator walks a text beside the tree of places.
type locator struct {
	json *jsontext.Decoder
	text []byte
}

// visit notes where the next value is and looks into it for the places below p. It reports
// whether the text goes on.
func (l *locator) visit(p *place) bool {
	kind := l.json.PeekKind()
	p.offset, p.found = l.next(), true
	if len(p.children) == 0 || kind != '{' && kind != '[' {
		return l.json.SkipValue() == nil
	}
	if _, err := l.json.ReadToken(); err != nil {
		return false
	}
	for i := 0; ; i++ {
		if k := l.json.PeekKind(); k == '}' || k == ']' {
			_, err := l.json.ReadToken()
			return err == nil
		}
		token := strconv.Itoa(i)
		if kind == '{' {
			name, err := l.json.ReadToken()
			if err != nil {
				return false
			}
			token = name.String()
		}
		if !l.visitChild(p.children[token]) {
			return false
		}
	}
}

// visitChild visits the place, or passes over the value if nothing is looked for there. Of a
// repeated member the first is the place.
func (l *locator) visitChild(child *place) bool {
	if child == nil || child.found {
		return l.json.SkipValue() == nil
	}
	return l.visit(child)
}

// next returns where the value begins that was peeked at.
func (l *locator) next() int {
	offset := int(l.json.InputOffset())
	for offset < len(l.text) && bytes.IndexByte([]byte(" \t\r\n:,"), l.text[offset]) >= 0 {
		offset++
	}
	return offset
}
