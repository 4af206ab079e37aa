package jsonscan

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
)

// Place is a path and where in a text its value begins.
type Place struct {
	Path   diag.Pointer
	Offset int // in bytes
}

// Locate sets the offset of each place. If there is no value at the path, the offset is that of the
// innermost array or object around it, and -1 if the path is not in the body. Locate reads text once,
// up to the first syntax error.
func Locate(text []byte, places []Place) {
	l := locators.Get().(*locator)
	defer l.release()
	l.tree.build(places)
	l.missing = len(l.tree.nodes)
	l.json.Reset(text)
	l.visit(root)
	for i := range places {
		places[i].Offset = -1
		if path := places[i].Path; path.InBody() {
			places[i].Offset = l.tree.offset(path)
		}
	}
}

// tree is the tree of the paths that are looked for. Nodes are known by their index.
type tree struct {
	nodes []node
	many  map[edge]int // the children of nodes that have more than a few
}

// node is a node of the tree. Its children are a linked list, which ends with 0, the root.
type node struct {
	token          string
	child, sibling int
	children       int
	offset         int
	found          bool
}

const root = 0

// edge leads from a node to a child.
type edge struct {
	parent int
	token  string
}

// build makes an empty tree the tree of the places.
func (t *tree) build(places []Place) {
	most := 1
	for i := range places {
		most += strings.Count(string(places[i].Path), "/")
	}
	t.nodes = slices.Grow(t.nodes, most)[:1]
	for i := range places {
		at := root
		if path := places[i].Path; path.InBody() {
			for token := range path.Tokens() {
				at = t.add(at, token)
			}
		}
	}
}

// few is how many children are compared one by one.
const few = 8

// find returns the child of parent with the token, or 0. It does not keep the token.
func (t *tree) find(parent int, token []byte) int {
	p := &t.nodes[parent]
	if p.children > few {
		return t.many[edge{parent, string(token)}]
	}
	for c := p.child; c != 0; c = t.nodes[c].sibling {
		if t.nodes[c].token == string(token) {
			return c
		}
	}
	return 0
}

// add returns the child of parent with the token, and adds it if there is none.
func (t *tree) add(parent int, token string) int {
	if c := t.find(parent, []byte(token)); c != 0 {
		return c
	}
	c := len(t.nodes)
	p := &t.nodes[parent]
	t.nodes = append(t.nodes, node{token: token, sibling: p.child})
	p.child = c
	p.children++
	if p.children > few {
		t.index(parent)
	}
	return c
}

// index adds the children of parent to the map: all of them when they have become many, and later
// only the new one.
func (t *tree) index(parent int) {
	if t.many == nil {
		t.many = map[edge]int{}
	}
	p := &t.nodes[parent]
	for c := p.child; c != 0; c = t.nodes[c].sibling {
		t.many[edge{parent, t.nodes[c].token}] = c
		if p.children > few+1 {
			return // the others are there
		}
	}
}

// offset returns where the path was found, or the innermost node on the way to it.
func (t *tree) offset(path diag.Pointer) int {
	at, offset := root, t.nodes[root].offset
	for token := range path.Tokens() {
		at = t.find(at, []byte(token))
		if !t.nodes[at].found {
			break
		}
		offset = t.nodes[at].offset
	}
	return offset
}

// locator walks through a text and the tree together.
type locator struct {
	tree    tree
	json    Decoder
	missing int // the nodes that are not found yet
}

// locators are kept for reuse: their buffers are costly to make.
var locators = sync.Pool{New: func() any { return new(locator) }}

// release lets go of the text, of the paths and of more memory than is usual.
func (l *locator) release() {
	const usual = 256
	if cap(l.tree.nodes) > usual {
		l.tree.nodes = nil
	}
	clear(l.tree.nodes)
	l.tree.nodes, l.tree.many = l.tree.nodes[:0], nil
	l.json.Release()
	locators.Put(l)
}

// visit sets where the next value begins, which is at the node, and searches it for the children. It
// reports whether to go on.
func (l *locator) visit(at int) bool {
	kind := l.json.Peek()
	n := &l.tree.nodes[at]
	n.offset, n.found = l.json.Next(), true
	l.missing--
	switch {
	case l.missing == 0:
		return false
	case n.children == 0 || kind != '{' && kind != '[':
		return l.json.Skip()
	case kind == '{':
		return l.json.Enter() && l.visitMembers(at)
	default:
		return l.json.Enter() && l.visitElements(at)
	}
}

func (l *locator) visitMembers(at int) bool {
	for name, ok := l.json.Member(); ok; name, ok = l.json.Member() {
		if !l.visitChild(l.tree.find(at, name)) {
			return false
		}
	}
	return l.json.Err() == nil
}

func (l *locator) visitElements(at int) bool {
	var number [20]byte
	for i := int64(0); l.json.More(); i++ {
		if !l.visitChild(l.tree.find(at, strconv.AppendInt(number[:0], i, 10))) {
			return false
		}
	}
	return l.json.Err() == nil
}

// visitChild visits the node, or skips the value if there is no node. If a name is repeated, the
// first member is the one that counts.
func (l *locator) visitChild(at int) bool {
	if at == 0 || l.tree.nodes[at].found {
		return l.json.Skip()
	}
	return l.visit(at)
}
