package object

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/diag"
)

// Locate returns, for each path, the offset in text, in bytes, of the value that stands there
// or, where there is none, of the innermost object or array around the place. Paths outside
// the body have the offset -1, so that they sort first. It reads text once, up to the first
// syntax error.
func Locate(text []byte, paths []diag.Pointer) []int {
	l := locators.Get().(*locator)
	defer l.release()
	t := &l.tree
	t.plant(paths)
	l.text, l.buffer = text, *bytes.NewBuffer(text)
	l.json.Reset(&l.buffer, jsontext.AllowDuplicateNames(true))
	l.visit(root)
	offsets := make([]int, len(paths))
	for i, path := range paths {
		offsets[i] = -1
		if path.InBody() {
			offsets[i] = t.offset(path)
		}
	}
	return offsets
}

// tree is the tree of the paths that are looked for. A place is known by its index.
type tree struct {
	places []place
	many   map[step]int // the children of places that have more than a few
}

// place is a node of the tree. Its children are a list, linked by index; 0, which is the root,
// ends it.
type place struct {
	token          string
	child, sibling int
	children       int
	offset         int
	found          bool
}

const root = 0

// step is the way from a place to a child.
type step struct {
	parent int
	token  string
}

// plant makes of an empty tree that of the paths.
func (t *tree) plant(paths []diag.Pointer) {
	most := 1
	for _, path := range paths {
		most += strings.Count(string(path), "/")
	}
	t.places = slices.Grow(t.places, most)[:1]
	for _, path := range paths {
		at := root
		if path.InBody() {
			for token := range path.Tokens() {
				at = t.add(at, token)
			}
		}
	}
}

// few is how many children are looked through one by one.
const few = 8

// find returns the child of parent with the token, or 0. The token is not kept.
func (t *tree) find(parent int, token []byte) int {
	p := &t.places[parent]
	if p.children > few {
		return t.many[step{parent, string(token)}]
	}
	for c := p.child; c != 0; c = t.places[c].sibling {
		if t.places[c].token == string(token) {
			return c
		}
	}
	return 0
}

// add returns the child of parent with the token, which it makes where there is none.
func (t *tree) add(parent int, token string) int {
	if c := t.find(parent, []byte(token)); c != 0 {
		return c
	}
	c := len(t.places)
	p := &t.places[parent]
	t.places = append(t.places, place{token: token, sibling: p.child})
	p.child = c
	p.children++
	if p.children > few {
		t.index(parent)
	}
	return c
}

// index puts the children of parent into the map: all of them when they have become many, and
// then each new one.
func (t *tree) index(parent int) {
	if t.many == nil {
		t.many = map[step]int{}
	}
	p := &t.places[parent]
	for c := p.child; c != 0; c = t.places[c].sibling {
		t.many[step{parent, t.places[c].token}] = c
		if p.children > few+1 {
			return // the others are there
		}
	}
}

// offset returns where the path was found, or the innermost place on the way to it.
func (t *tree) offset(path diag.Pointer) int {
	at, offset := root, t.places[root].offset
	for token := range path.Tokens() {
		at = t.find(at, []byte(token))
		if !t.places[at].found {
			break
		}
		offset = t.places[at].offset
	}
	return offset
}

// locator walks a text beside the tree of places.
type locator struct {
	tree   tree
	json   jsontext.Decoder
	buffer bytes.Buffer // what json reads
	text   []byte
}

// locators keeps what scanning needs, which is costly to make.
var locators = sync.Pool{New: func() any { return new(locator) }}

// release lets go of the text and of the paths, and keeps the room that they took.
func (l *locator) release() {
	const usual = 256 // places; where there were more, their room is not worth keeping
	if cap(l.tree.places) > usual {
		l.tree.places = nil
	}
	clear(l.tree.places)
	l.tree.places, l.tree.many = l.tree.places[:0], nil
	l.text, l.buffer = nil, bytes.Buffer{}
	locators.Put(l)
}

// visit notes where the next value is and looks into it for the places below. It reports
// whether the text goes on.
func (l *locator) visit(at int) bool {
	kind := l.json.PeekKind()
	p := &l.tree.places[at]
	p.offset, p.found = l.next(), true
	if p.children == 0 || kind != '{' && kind != '[' {
		return l.json.SkipValue() == nil
	}
	if _, err := l.json.ReadToken(); err != nil {
		return false
	}
	var number [20]byte
	for i := 0; ; i++ {
		if k := l.json.PeekKind(); k == '}' || k == ']' {
			_, err := l.json.ReadToken()
			return err == nil
		}
		token := strconv.AppendInt(number[:0], int64(i), 10)
		if kind == '{' {
			name, err := l.json.ReadValue()
			if err != nil {
				return false
			}
			token = unquote(name)
		}
		if !l.visitChild(l.tree.find(at, token)) {
			return false
		}
	}
}

// visitChild visits the place, or passes over the value if nothing is looked for there. Of a
// repeated member the first is the place.
func (l *locator) visitChild(at int) bool {
	if at == 0 || l.tree.places[at].found {
		return l.json.SkipValue() == nil
	}
	return l.visit(at)
}

// next returns where the value begins that was peeked at.
func (l *locator) next() int {
	offset := int(l.json.InputOffset())
	for offset < len(l.text) && bytes.IndexByte([]byte(" \t\r\n:,"), l.text[offset]) >= 0 {
		offset++
	}
	return offset
}
