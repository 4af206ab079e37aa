package object_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// thing is an object with a member of every type.
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

var partTable = object.NewTable(func(p *part) *object.Extra { return &p.extra },
	object.String("name", func(p *part) *string { return &p.Name }),
	object.Int("size", func(p *part) *int64 { return &p.Size }),
)

var thingTable = object.NewTable(func(v *thing) *object.Extra { return &v.extra },
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

// decode decodes a text with its nulls, ignoring problems.
func decode(text string) *thing {
	v := new(thing)
	thingTable.Decode([]byte(text), v, object.Reading{Nulls: object.NullIsKept})
	return v
}

func encode(v *thing) string { return string(thingTable.Append(nil, v)) }

// value decodes a JSON text into a Go value that is the same for all spellings of it, with exact numbers.
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

// memberNames draws names of members, and some that no table lists.
func memberNames() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"text", "optText", "flag", "optFlag", "count", "optNum", "any", "lines", "map", "part", "parts", "name", "size"}),
		rapid.SampledFrom([]string{"", "Text", "a/b", "a~b", "~1", "é", "0", "x"}),
		jsontest.String(),
	)
}

// rightValue draws a value of the type of the member, and sometimes any value.
func rightValue(name string) *rapid.Generator[string] {
	str := jsontest.Literal(jsontest.String())
	obj := jsontest.Object(1, rapid.SampledFrom([]string{"name", "size", "x", "a/b"}), false)
	right := map[string]*rapid.Generator[string]{
		"text": str, "optText": str,
		"flag": rapid.SampledFrom([]string{"true", "false"}), "optFlag": rapid.SampledFrom([]string{"true", "false"}),
		"count": rapid.StringMatching(`-?[0-9]|1e[0-9]|[1-9]\.0`), "optNum": rapid.StringMatching(`-?[0-9]|[1-9][0-9]{17}`),
		"part":  obj,
		"parts": rapid.Map(rapid.SliceOfN(rapid.OneOf(obj, obj, jsontest.Value(0, memberNames(), false)), 0, 3), arrayOf),
		"lines": rapid.Map(rapid.SliceOfN(rapid.OneOf(str, str, str, jsontest.Value(1, memberNames(), false)), 0, 3), arrayOf),
		"map":   jsontest.Object(0, memberNames(), false),
	}[name]
	if right == nil {
		return jsontest.Value(3, memberNames(), false)
	}
	return rapid.OneOf(right, right, right, jsontest.Value(2, memberNames(), false))
}

func arrayOf(elements []string) string { return "[" + strings.Join(elements, ",") + "]" }

// things draws objects whose members have right or wrong types.
func things() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b bytes.Buffer
		for _, name := range rapid.SliceOfNDistinct(memberNames(), 0, 8, rapid.ID[string]).Draw(t, "names") {
			if b.Len() > 0 {
				b.WriteString(",")
			}
			b.WriteString(jsontest.Literal(rapid.Just(name)).Draw(t, "name"))
			b.WriteString(jsontest.Space().Draw(t, "gap") + ":" + jsontest.Space().Draw(t, "gap"))
			b.WriteString(rightValue(name).Draw(t, "value"))
		}
		return "{" + b.String() + "}"
	})
}

// sentence says what a problem is.
func sentence(p object.Problem, in diag.Dialect) string { return finding(p, in).Message() }

// finding reports a problem.
func finding(p object.Problem, in diag.Dialect) diag.Finding {
	report := engine.Collector{Dialect: in}
	rule := &diag.Rule{Kind: diag.Reject, Says: slices.Concat(object.SaysSyntax, object.SaysDuplicate, object.SaysType, object.SaysUnknown)}
	p.Report(report.For(rule, ""), p.Path)
	return report.Findings[0]
}
