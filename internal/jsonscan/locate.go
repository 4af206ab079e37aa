package jsonscan

import (
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/calrules/calrules/diag"
)

// A Place is a path and the offset of the value at that path in JSON text.
type Place struct {
	Path   diag.Pointer
	Offset int // in bytes
}

// Locate sets the offset of each place. If there is no value at the path, Locate uses the offset of the innermost existing
// value on the path or, if the path is not in the body, -1. Locate reads text once, up to the first syntax error.
func Locate(text []byte, places []Place) {
	l := locators.Get().(*locator)
	defer l.release()
	l.json.Reset(text, math.MaxInt)
	for i := range places {
		l.add(&places[i])
	}
	slices.SortFunc(l.targets, func(a, b target) int { return slices.Compare(a.tokens, b.tokens) })
	l.missing = len(l.targets)
	l.visit(l.targets, 0)
}

// A target is a place to find.
type target struct {
	tokens []string // the tokens of the path
	found  int      // the number of tokens that lead to the innermost value found
	place  *Place
}

// A locator traverses JSON text. The targets are sorted, to make the targets within a value adjacent.
type locator struct {
	targets []target
	tokens  []string // the backing array for the tokens of all targets
	json    Decoder
	missing int // the number of targets whose values have not been found yet
}

// locators is a pool of locators, whose buffers are expensive to allocate.
var locators = sync.Pool{New: func() any { return new(locator) }}

// release drops references to the input, the paths and unusually large buffers, and returns the locator to the pool.
func (l *locator) release() {
	const usual = 256
	if cap(l.targets) > usual || cap(l.tokens) > usual {
		l.targets, l.tokens = nil, nil
	}
	clear(l.targets)
	clear(l.tokens)
	l.targets, l.tokens = l.targets[:0], l.tokens[:0]
	l.json.Release()
	locators.Put(l)
}

// add adds a target for the place if its path is in the body.
func (l *locator) add(p *Place) {
	if p.Offset = -1; !p.Path.InBody() {
		return
	}
	start := len(l.tokens)
	for token := range p.Path.Tokens() {
		l.tokens = append(l.tokens, token)
	}
	l.targets = append(l.targets, target{tokens: l.tokens[start:], place: p})
}

// visit reads the next value, to which the first depth tokens of all targets lead, searches the value for the targets, and
// reports whether to continue.
func (l *locator) visit(targets []target, depth int) bool {
	kind := l.json.Kind()
	within := targets
	for i := range targets {
		t := &targets[i]
		t.found, t.place.Offset = depth, l.json.Next()
		if len(t.tokens) == depth {
			within = targets[i+1:]
			l.missing--
		}
	}
	switch {
	case l.missing == 0:
		return false
	case len(within) == 0 || kind != '{' && kind != '[':
		return l.json.Skip()
	case kind == '{':
		return l.json.Enter() && l.visitMembers(within, depth)
	default:
		return l.json.Enter() && l.visitElements(within, depth)
	}
}

func (l *locator) visitMembers(targets []target, depth int) bool {
	for name, _, ok := l.json.Member(""); ok; name, _, ok = l.json.Member("") {
		if !l.visitChild(targets, depth, name) {
			return false
		}
	}
	return l.json.Err() == nil
}

func (l *locator) visitElements(targets []target, depth int) bool {
	var number [20]byte
	for i := int64(0); l.json.More(); i++ {
		if !l.visitChild(targets, depth, strconv.AppendInt(number[:0], i, 10)) {
			return false
		}
	}
	return l.json.Err() == nil
}

// visitChild visits the next value if the token leads to targets, and otherwise skips the value. If a name is repeated,
// only the first member is visited.
func (l *locator) visitChild(targets []target, depth int, token []byte) bool {
	first, end := 0, len(targets)
	for first < end { // like slices.BinarySearchFunc, but faster
		if middle := (first + end) / 2; targets[middle].tokens[depth] < string(token) {
			first = middle + 1
		} else {
			end = middle
		}
	}
	for end < len(targets) && targets[end].tokens[depth] == string(token) {
		end++
	}
	if first == end || targets[first].found > depth {
		return l.json.Skip()
	}
	return l.visit(targets[first:end], depth+1)
}
