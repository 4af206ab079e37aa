// Package jsontest draws JSON text, and provides slow but obviously correct functions, based on encoding/json, for comparison.
package jsontest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
)

// Space returns a generator of the white space between tokens.
func Space() *rapid.Generator[string] { return rapid.SampledFrom([]string{"", "", "", " ", "\n\t "}) }

// Literal returns a generator of JSON string literals for values drawn from s, in various spellings.
func Literal(s *rapid.Generator[string]) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		text := s.Draw(t, "string")
		quoted, _ := json.Marshal(text)
		if rapid.IntRange(0, 4).Draw(t, "spelling") > 0 {
			return string(quoted)
		}
		var b strings.Builder
		for _, r := range text {
			if r > 0xffff {
				r1, r2 := 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff
				fmt.Fprintf(&b, `\u%04x\u%04x`, r1, r2)
			} else {
				fmt.Fprintf(&b, `\u%04X`, r)
			}
		}
		return `"` + b.String() + `"`
	})
}

// String returns a generator of strings that are valid UTF-8.
func String() *rapid.Generator[string] {
	return rapid.String().Filter(utf8.ValidString)
}

// Value returns a generator of arbitrary JSON values. The names of members are drawn from names, and are distinct within an
// object unless twice is true.
func Value(depth int, names *rapid.Generator[string], twice bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pad := func(s string) string { return Space().Draw(t, "before") + s + Space().Draw(t, "after") }
		kind := rapid.IntRange(0, 7).Draw(t, "kind")
		if depth == 0 {
			kind %= 6
		}
		switch kind {
		case 0:
			return pad("null")
		case 1:
			return pad(rapid.SampledFrom([]string{"true", "false"}).Draw(t, "bool"))
		case 2, 3:
			return pad(rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number"))
		case 4, 5:
			return pad(Literal(String()).Draw(t, "text"))
		case 6:
			n := rapid.IntRange(0, 3).Draw(t, "n")
			elements := make([]string, n)
			for i := range elements {
				elements[i] = Value(depth-1, names, twice).Draw(t, "element")
			}
			return pad("[" + strings.Join(elements, ",") + "]")
		default:
			return pad(Object(depth-1, names, twice).Draw(t, "object"))
		}
	})
}

func Object(depth int, names *rapid.Generator[string], twice bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		list := rapid.SliceOfNDistinct(names, 0, 5, rapid.ID[string])
		if twice {
			list = rapid.SliceOfN(names, 0, 5)
		}
		var members []string
		for _, name := range list.Draw(t, "names") {
			member := Literal(rapid.Just(name)).Draw(t, "name")
			members = append(members, Space().Draw(t, "gap")+member+Space().Draw(t, "gap")+":"+Value(depth, names, twice).Draw(t, "value"))
		}
		return "{" + strings.Join(members, ",") + "}"
	})
}

// MergePatches are the examples in appendix A of RFC 7396.
var MergePatches = []struct{ Target, Patch, Result string }{
	{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
	{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
	{`{"a":"b"}`, `{"a":null}`, `{}`},
	{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
	{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
	{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
	{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
	{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
	{`["a","b"]`, `["c","d"]`, `["c","d"]`},
	{`{"a":"b"}`, `["c"]`, `["c"]`},
	{`{"a":"foo"}`, `null`, `null`},
	{`{"a":"foo"}`, `"bar"`, `"bar"`},
	{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
	{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
	{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
}

// ordered is a JSON object that preserves the order of its members.
type ordered []member

type member struct {
	name  string
	value any
}

func (o ordered) find(name string) int {
	return slices.IndexFunc(o, func(m member) bool { return m.name == name })
}

// MarshalJSON implements [json.Marshaler].
func (o ordered) MarshalJSON() ([]byte, error) {
	members := make([]string, len(o))
	for i, m := range o {
		name, _ := json.Marshal(m.name) // cannot fail for a string
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		members[i] = string(name) + ":" + string(value)
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// MergePatch implements the pseudocode MergePatch in RFC 7396 section 2 for values returned by Tree. MergePatch adds new
// members after existing members.
func MergePatch(target, patch any) any {
	members, ok := patch.(ordered)
	if !ok {
		return patch
	}
	object, ok := target.(ordered)
	if !ok {
		object = ordered{}
	}
	object = slices.Clone(object)
	for _, m := range members {
		switch i := object.find(m.name); {
		case m.value == nil && i >= 0:
			object = slices.Delete(object, i, i+1)
		case m.value == nil:
		case i >= 0:
			object[i].value = MergePatch(object[i].value, m.value)
		default:
			object = append(object, member{m.name, MergePatch(nil, m.value)})
		}
	}
	return object
}

// Tree decodes valid JSON text. Tree preserves member order and number notation, and returns nil for empty text.
func Tree(text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var read func() any
	read = func() any {
		token, _ := d.Token()
		switch token {
		case json.Delim('['):
			list := []any{}
			for d.More() {
				list = append(list, read())
			}
			_, _ = d.Token()
			return list
		case json.Delim('{'):
			object := ordered{}
			for d.More() {
				name, _ := d.Token()
				object = append(object, member{name.(string), read()})
			}
			_, _ = d.Token()
			return object
		default:
			return token
		}
	}
	return read()
}

// MaxFuzzed is the maximum size in bytes of the inputs that a fuzz target passes to this package, because some
// functions take more than linear time.
const MaxFuzzed = 64 << 10

// Large returns objects of 20 KB or more as seeds for fuzz targets: with many members, repeated names, a long string, a
// long array, or many values nested to the maximum depth.
func Large() []string {
	list := func(n int, element func(i int) string) string {
		elements := make([]string, n)
		for i := range elements {
			elements[i] = element(i)
		}
		return strings.Join(elements, ",")
	}
	member := func(i int) string { return fmt.Sprintf(`"m%d":{"a":%d}`, i, i) }
	deep := strings.Repeat(`{"a":`, constraint.JSONMaxDepth-2) + "1" + strings.Repeat("}", constraint.JSONMaxDepth-2)
	return []string{
		"{" + list(1500, member) + "}",
		"{" + list(1500, member) + "," + member(700) + "}",
		`{"text":"` + strings.Repeat("Grüße ", 2500) + `\ud83d\ude00\n"}`,
		`{"lines":[` + list(2500, func(i int) string { return fmt.Sprintf(`"line %d"`, i) }) + "]}",
		`{"x":[` + list(40, func(int) string { return deep }) + "]}",
	}
}

// Valid reports whether text is exactly one JSON value, in UTF-8 and not nested too deeply.
func Valid(text string) bool {
	return json.Valid([]byte(text)) && utf8.ValidString(text) && depth(text) <= constraint.JSONMaxDepth && !hasLoneSurrogate(text)
}

func depth(text string) int {
	deepest, depth := 0, 0
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		switch token, err := d.Token(); {
		case err != nil:
			return deepest
		case token == json.Delim('{'), token == json.Delim('['):
			depth++
			deepest = max(deepest, depth)
		case token == json.Delim('}'), token == json.Delim(']'):
			depth--
		}
	}
}

// escape matches an escape sequence in valid JSON text, or both escape sequences of a surrogate pair.
var escape = regexp.MustCompile(`(?i)\\(?:ud[89ab]..\\ud[c-f]..|u....|.)`)

var loneSurrogate = regexp.MustCompile(`(?i)^\\ud[89a-f]..$`)

// hasLoneSurrogate reports whether valid JSON text contains an escape sequence for an unpaired surrogate.
func hasLoneSurrogate(text string) bool {
	return slices.ContainsFunc(escape.FindAllString(text, -1), loneSurrogate.MatchString)
}

// Repeats reports whether any object in valid JSON text repeats a name.
func Repeats(text string) bool {
	_, repeats := places(text)
	return repeats
}

// Locate returns the offset of the value at the path or, if there is no such value, of the innermost existing value on the
// path.
func Locate(text string, path diag.Pointer) int {
	offsets, _ := places(text)
	for {
		if offset, found := offsets[path]; found {
			return offset
		}
		path = path[:max(strings.LastIndexByte(string(path), '/'), 0)]
	}
}

// places reads valid JSON text with encoding/json, returns the offsets of the values, except in repeated members, and reports
// whether any object repeats a name.
func places(text string) (offsets map[diag.Pointer]int, repeats bool) {
	offsets = map[diag.Pointer]int{}
	d := json.NewDecoder(strings.NewReader(text))
	var visit func(at diag.Pointer, first bool)
	visit = func(at diag.Pointer, first bool) {
		start := int(d.InputOffset())
		start += strings.IndexFunc(text[start:], func(r rune) bool { return !strings.ContainsRune(" \t\r\n:,", r) })
		_, again := offsets[at]
		repeats = repeats || again || !first
		if first = first && !again; first {
			offsets[at] = start
		}
		token, _ := d.Token()
		for i := 0; (token == json.Delim('[') || token == json.Delim('{')) && d.More(); i++ {
			child := at.Index(i)
			if token == json.Delim('{') {
				name, _ := d.Token()
				child = at.Member(name.(string))
			}
			visit(child, first)
		}
		if _, nested := token.(json.Delim); nested {
			_, _ = d.Token()
		}
	}
	visit("", true)
	return offsets, repeats
}
