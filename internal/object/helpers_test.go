package object_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/object"
)

// thing is an object with a member of every sort.
type thing struct {
	Text    string
	OptText *string
	Flag    bool
	OptFlag *bool
	Count   int64
	OptNum  *int64
	Any     json.RawMessage
	Lines   []string
	Map     map[string]string
	Part    *part
	Parts   []part

	extra object.Extra
}

type part struct {
	Name string
	Size int64

	extra object.Extra
}

var partTable = object.NewType(func(p *part) *object.Extra { return &p.extra },
	object.String("name", func(p *part) *string { return &p.Name }),
	object.Int("size", func(p *part) *int64 { return &p.Size }),
)

var thingTable = object.NewType(func(v *thing) *object.Extra { return &v.extra },
	object.String("text", func(v *thing) *string { return &v.Text }),
	object.OptString("optText", func(v *thing) **string { return &v.OptText }),
	object.Bool("flag", func(v *thing) *bool { return &v.Flag }),
	object.OptBool("optFlag", func(v *thing) **bool { return &v.OptFlag }),
	object.Int("count", func(v *thing) *int64 { return &v.Count }),
	object.OptInt("optNum", func(v *thing) **int64 { return &v.OptNum }),
	object.Any("any", func(v *thing) *json.RawMessage { return &v.Any }),
	object.Strings("lines", func(v *thing) *[]string { return &v.Lines }),
	object.StringMap("map", func(v *thing) *map[string]string { return &v.Map }),
	object.Object("part", func(v *thing) **part { return &v.Part }, partTable),
	object.Array("parts", func(v *thing) *[]part { return &v.Parts }, partTable),
)

// decode reads a text in which nulls are kept, whatever is wrong with it.
func decode(text string) *thing {
	v := new(thing)
	thingTable.Decode([]byte(text), v, object.NullIsKept)
	return v
}

func encode(v *thing) string { return string(thingTable.Append(nil, v)) }

// value is a JSON text as a Go value that is the same for all spellings of it: numbers are
// exact.
func value(t interface{ Fatalf(string, ...any) }, text string) any {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return exact(v)
}

func exact(v any) any {
	switch v := v.(type) {
	case json.Number:
		r, _ := new(big.Rat).SetString(v.String())
		return "number " + r.RatString()
	case []any:
		for i := range v {
			v[i] = exact(v[i])
		}
	case map[string]any:
		for name := range v {
			v[name] = exact(v[name])
		}
	}
	return v
}

// space draws white space between tokens.
func space() *rapid.Generator[string] { return rapid.SampledFrom([]string{"", "", "", " ", "\n\t "}) }

// literal draws a JSON string, in one of its spellings.
func literal(s *rapid.Generator[string]) *rapid.Generator[string] {
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

// anyString draws strings that UTF-8 can hold.
func anyString() *rapid.Generator[string] {
	return rapid.String().Filter(utf8.ValidString)
}

// jsonValue draws any JSON value, with names that are drawn from names and distinct within
// an object unless twice.
func jsonValue(depth int, names *rapid.Generator[string], twice bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		pad := func(s string) string { return space().Draw(t, "before") + s + space().Draw(t, "after") }
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
			return pad(literal(anyString()).Draw(t, "text"))
		case 6:
			n := rapid.IntRange(0, 3).Draw(t, "n")
			elements := make([]string, n)
			for i := range elements {
				elements[i] = jsonValue(depth-1, names, twice).Draw(t, "element")
			}
			return pad("[" + strings.Join(elements, ",") + "]")
		default:
			return pad(jsonObject(depth-1, names, twice).Draw(t, "object"))
		}
	})
}

func jsonObject(depth int, names *rapid.Generator[string], twice bool) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		list := rapid.SliceOfNDistinct(names, 0, 5, rapid.ID[string])
		if twice {
			list = rapid.SliceOfN(names, 0, 5)
		}
		var members []string
		for _, name := range list.Draw(t, "names") {
			member := literal(rapid.Just(name)).Draw(t, "name")
			members = append(members, space().Draw(t, "gap")+member+space().Draw(t, "gap")+":"+jsonValue(depth, names, twice).Draw(t, "value"))
		}
		return "{" + strings.Join(members, ",") + "}"
	})
}

// memberNames are those of the tables, and some that no table lists.
func memberNames() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"text", "optText", "flag", "optFlag", "count", "optNum", "any", "lines", "map", "part", "parts", "name", "size"}),
		rapid.SampledFrom([]string{"", "Text", "a/b", "a~b", "~1", "é", "0", "x"}),
		anyString(),
	)
}

// rightValue draws a value of the type that the member has, or now and then any value.
func rightValue(name string) *rapid.Generator[string] {
	str := literal(anyString())
	obj := jsonObject(1, rapid.SampledFrom([]string{"name", "size", "x", "a/b"}), false)
	right := map[string]*rapid.Generator[string]{
		"text": str, "optText": str,
		"flag": rapid.SampledFrom([]string{"true", "false"}), "optFlag": rapid.SampledFrom([]string{"true", "false"}),
		"count": rapid.StringMatching(`-?[0-9]|1e[0-9]|[1-9]\.0`), "optNum": rapid.StringMatching(`-?[0-9]|[1-9][0-9]{17}`),
		"part":  obj,
		"parts": rapid.Map(rapid.SliceOfN(rapid.OneOf(obj, obj, jsonValue(0, memberNames(), false)), 0, 3), arrayOf),
		"lines": rapid.Map(rapid.SliceOfN(rapid.OneOf(str, str, str, jsonValue(1, memberNames(), false)), 0, 3), arrayOf),
		"map":   jsonObject(0, memberNames(), false),
	}[name]
	if right == nil {
		return jsonValue(3, memberNames(), false)
	}
	return rapid.OneOf(right, right, right, jsonValue(2, memberNames(), false))
}

func arrayOf(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// things draws objects whose members have right and wrong types.
func things() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b bytes.Buffer
		for _, name := range rapid.SliceOfNDistinct(memberNames(), 0, 8, rapid.ID[string]).Draw(t, "names") {
			if b.Len() > 0 {
				b.WriteString(",")
			}
			b.WriteString(literal(rapid.Just(name)).Draw(t, "name"))
			b.WriteString(space().Draw(t, "gap") + ":" + space().Draw(t, "gap"))
			b.WriteString(rightValue(name).Draw(t, "value"))
		}
		return "{" + b.String() + "}"
	})
}
