package object

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/limits"
)

// MergeJSON appends the JSON value that the merge patch makes of target (RFC 7396), which may
// be empty for no value at all. Both are checked first: the error tells of text that is not
// JSON, repeats a name or is nested too deeply. What the patch does not touch is copied as it
// is written, and members keep their order.
func MergeJSON(dst, target, patch []byte) ([]byte, error) {
	if len(target) > 0 {
		if err := checkJSON(target); err != nil {
			return dst, fmt.Errorf("target: %w", err)
		}
	}
	if err := checkJSON(patch); err != nil {
		return dst, fmt.Errorf("patch: %w", err)
	}
	return appendMerged(dst, target, patch), nil
}

// scanner is what checking a text needs.
type scanner struct {
	json   jsontext.Decoder
	buffer bytes.Buffer
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

// checkJSON reports whether text is one JSON value without repeated names, nested at most
// [limits.JSONMaxDepth] deep.
func checkJSON(text []byte) error {
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.buffer = *bytes.NewBuffer(text)
	s.json.Reset(&s.buffer)
	value, err := s.json.ReadValue()
	if err != nil {
		return err
	}
	if depth(value) > limits.JSONMaxDepth {
		return fmt.Errorf("arrays and objects are nested more than %d levels deep", limits.JSONMaxDepth)
	}
	if rest := skipSpace(text, int(s.json.InputOffset())); rest < len(text) {
		return fmt.Errorf("something follows the JSON value, at byte %d", rest)
	}
	s.buffer = bytes.Buffer{}
	return nil
}

// appendMerged is MergePatch of RFC 7396 section 2 over texts that are known to be JSON.
func appendMerged(dst, target, patch []byte) []byte {
	patch = bytes.TrimSpace(patch)
	if patch[0] != '{' {
		return append(dst, patch...)
	}
	target = bytes.TrimSpace(target)
	if len(target) == 0 || target[0] != '{' {
		target = emptyObject
	}
	var changes patchIndex
	changes.read(patch)
	dst = append(dst, '{')
	start := len(dst)
	for m, at := nextPair(target, 1); m.name != nil; m, at = nextPair(target, at) {
		change := changes.take(m.name)
		if change == nil {
			dst = append(appendPair(dst, start, m.name), m.value...)
		} else if change.value[0] != 'n' {
			dst = appendMerged(appendPair(dst, start, m.name), m.value, change.value)
		}
	}
	for m := range changes.left() {
		dst = appendMerged(appendPair(dst, start, m.name), nil, m.value)
	}
	return append(dst, '}')
}

var emptyObject = []byte("{}")

// appendPair appends a quoted name and its colon, after a comma unless it is the first.
func appendPair(dst []byte, start int, name []byte) []byte {
	if len(dst) > start {
		dst = append(dst, ',')
	}
	return append(append(dst, name...), ':')
}

// pair is a member of an object: its name in quotes, as written, and the text of its value.
type pair struct {
	name, value []byte
	taken       bool
}

// patchIndex finds the members of a patch by name. Patches are short: up to a handful of
// members are looked through, and only a longer patch is worth a map.
type patchIndex struct {
	few  [8]pair
	n    int
	many []pair
	byID map[string]int
}

func (x *patchIndex) read(object []byte) {
	for m, at := nextPair(object, 1); m.name != nil; m, at = nextPair(object, at) {
		if x.n < len(x.few) {
			x.few[x.n] = m
			x.n++
			continue
		}
		if x.byID == nil {
			x.byID = map[string]int{}
		}
		x.byID[string(unquote(m.name))] = len(x.many)
		x.many = append(x.many, m)
	}
}

// take returns the member with the name, or nil, and marks it.
func (x *patchIndex) take(name []byte) *pair {
	for i := range x.few[:x.n] {
		if p := &x.few[i]; sameName(p.name, name) {
			p.taken = true
			return p
		}
	}
	if i, ok := x.byID[string(unquote(name))]; ok {
		x.many[i].taken = true
		return &x.many[i]
	}
	return nil
}

// left yields the members that nobody has taken and that are not null.
func (x *patchIndex) left() func(yield func(pair) bool) {
	return func(yield func(pair) bool) {
		for _, list := range [][]pair{x.few[:x.n], x.many} {
			for _, p := range list {
				if !p.taken && p.value[0] != 'n' && !yield(p) {
					return
				}
			}
		}
	}
}

// sameName compares two quoted names, of which either may be written with escapes.
func sameName(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	if bytes.IndexByte(a, '\\') < 0 && bytes.IndexByte(b, '\\') < 0 {
		return false
	}
	return bytes.Equal(unquote(a), unquote(b))
}

// nextPair returns the member of a well-formed object that begins at or after the offset at,
// and where to go on. Its name is nil at the end.
func nextPair(object []byte, at int) (pair, int) {
	at = skipSpace(object, at)
	if object[at] == ',' {
		at = skipSpace(object, at+1)
	}
	if object[at] == '}' {
		return pair{}, at
	}
	nameEnd := skipString(object, at)
	begin := skipSpace(object, skipSpace(object, nameEnd)+1) // past the colon
	end := skipValue(object, begin)
	return pair{name: object[at:nameEnd], value: object[begin:end]}, end
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// skipString returns the offset past the string that begins at at.
func skipString(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}

// skipValue returns the offset past the value that begins at at. It stands in an object, so that
// something follows it.
func skipValue(text []byte, at int) int {
	switch text[at] {
	case '"':
		return skipString(text, at)
	case '{', '[':
		return skipNested(text, at)
	}
	for !endsScalar(text[at]) {
		at++
	}
	return at
}

func endsScalar(c byte) bool {
	switch c {
	case ',', '}', ']', ' ', '\n', '\t', '\r':
		return true
	}
	return false
}

// skipNested returns the offset past the object or array that begins at at.
func skipNested(text []byte, at int) int {
	for level := 0; ; at++ {
		switch text[at] {
		case '"':
			at = skipString(text, at) - 1
		case '{', '[':
			level++
		case '}', ']':
			if level--; level == 0 {
				return at + 1
			}
		}
	}
}
