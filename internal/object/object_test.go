package object_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// foundProblem is the part of a problem that tests compare. At is the start of the text at its offset.
type foundProblem struct {
	Fault object.Fault
	Path  diag.Pointer
	At    string
}

func problems(text string, nulls object.Nulls) []foundProblem {
	var all []foundProblem
	for _, p := range thingTable.Decode([]byte(text), new(thing), object.Reading{Nulls: nulls}) {
		at := text[min(p.Offset, len(text)):]
		all = append(all, foundProblem{p.Fault, p.Path, at[:min(len(at), 3)]})
	}
	return all
}

func TestDecodeProblems(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []foundProblem
	}{
		{"none", `{"text":"a","count":1,"any":[null],"lines":["x"],"map":{"a":"b"},"part":{"name":"n"},"parts":[{},{}]}`, nil},
		{"wrong/string", `{"text": 5 }`, []foundProblem{{object.WrongType, "/text", "5 }"}}},
		{"wrong/opt-string", `{"optText":true}`, []foundProblem{{object.WrongType, "/optText", "tru"}}},
		{"wrong/bool", `{"flag":"true"}`, []foundProblem{{object.WrongType, "/flag", `"tr`}}},
		{"wrong/opt-bool", `{"optFlag":0}`, []foundProblem{{object.WrongType, "/optFlag", "0}"}}},
		{"wrong/int", `{"count":"1"}`, []foundProblem{{object.WrongType, "/count", `"1"`}}},
		{"wrong/fraction", `{"count": 1.5}`, []foundProblem{{object.WrongType, "/count", "1.5"}}},
		{"wrong/opt-int", `{"optNum":[1]}`, []foundProblem{{object.WrongType, "/optNum", "[1]"}}},
		{"wrong/strings", `{"lines":"x"}`, []foundProblem{{object.WrongType, "/lines", `"x"`}}},
		{"wrong/line", `{"lines":["x", 5,"y" ,null]}`, []foundProblem{{object.WrongType, "/lines/1", `5,"`}, {object.WrongType, "/lines/3", "nul"}}},
		{"wrong/object", `{"part":[]}`, []foundProblem{{object.WrongType, "/part", "[]}"}}},
		{"wrong/in-object", `{"part":{"name":5}}`, []foundProblem{{object.WrongType, "/part/name", "5}}"}}},
		{"wrong/array", `{"parts":{}}`, []foundProblem{{object.WrongType, "/parts", "{}}"}}},
		{"wrong/element", `{"parts":[{},null, [1],{"name":{}}]}`,
			[]foundProblem{{object.WrongType, "/parts/1", "nul"}, {object.WrongType, "/parts/2", "[1]"}, {object.WrongType, "/parts/3/name", "{}}"}}},
		{"map/no-map", `{"map":"x"}`, []foundProblem{{object.MapType, "/map", `"x"`}}},
		{"map/value", `{"map":{"a":"1","b": 2,"c":{}}}`, []foundProblem{{object.MapType, "/map/b", "2,\""}, {object.MapType, "/map/c", "{}}"}}},
		{"map/escaped", `{"map":{"a/b~c":1}}`, []foundProblem{{object.MapType, "/map/a~1b~0c", "1}}"}}},
		{"unknown", `{"x": 1}`, []foundProblem{{object.Unknown, "/x", "1}"}}},
		{"unknown/escaped", `{"a/b~c":1}`, []foundProblem{{object.Unknown, "/a~1b~0c", "1}"}}},
		{"unknown/empty", `{"":1}`, []foundProblem{{object.Unknown, "/", "1}"}}},
		{"unknown/inner", `{"parts":[{"text":1}],"part":{"x":2}}`, []foundProblem{{object.Unknown, "/parts/0/text", "1}]"}, {object.Unknown, "/part/x", "2}}"}}},
		{"duplicate", `{"text":"a","text": "b"}`, []foundProblem{{object.Duplicate, "/text", `"b"`}}},
		{"duplicate/escaped", `{"text":"a","t\u0065xt":"b"}`, []foundProblem{{object.Duplicate, "/text", `"b"`}}},
		{"duplicate/zero", `{"flag":false,"flag":false}`, []foundProblem{{object.Duplicate, "/flag", "fal"}}},
		{"duplicate/null", `{"text":null,"text":"b"}`, []foundProblem{{object.Duplicate, "/text", `"b"`}}},
		{"duplicate/unknown", `{"x":1,"x":2}`, []foundProblem{{object.Unknown, "/x", `1,"`}, {object.Duplicate, "/x", "2}"}}},
		{"duplicate/in-any", `{"any":[{"a":1,"a":2}]}`, []foundProblem{{object.Duplicate, "/any/0/a", "2}]"}}},
		{"duplicate/in-wrong", `{"text":{"a":1,"a":2}}`, []foundProblem{{object.WrongType, "/text", `{"a`}, {object.Duplicate, "/text/a", "2}}"}}},
		{"duplicate/in-map", `{"map":{"a":"1","a":"2"}}`, []foundProblem{{object.Duplicate, "/map/a", `"2"`}}},
		{"duplicate/in-element", `{"parts":[{"name":"a","name":"b"}]}`, []foundProblem{{object.Duplicate, "/parts/0/name", `"b"`}}},
		{"all-in-order", `{"x":1,"count":"a","part":{"name":1},"count":2,"lines":[1]}`, []foundProblem{
			{object.Unknown, "/x", `1,"`}, {object.WrongType, "/count", `"a"`}, {object.WrongType, "/part/name", "1},"},
			{object.Duplicate, "/count", "2,\""}, {object.WrongType, "/lines/0", "1]}"}}},
		{"syntax/after-others", `{"text":5,"count":}`, []foundProblem{{object.WrongType, "/text", `5,"`}, {object.Syntax, "/count", "}"}}},
		{"syntax/empty", ``, []foundProblem{{object.Syntax, "", ""}}},
		{"syntax/no-object", `[1]`, []foundProblem{{object.Syntax, "", "[1]"}}},
		{"syntax/trailing", `{} x`, []foundProblem{{object.Syntax, "", "x"}}},
		{"syntax/second", `{} {}`, []foundProblem{{object.Syntax, "", "{}"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := problems(test.text, object.NullIsKept)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("problems of %s (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestDecodeNulls(t *testing.T) {
	const text = `{"text":null,"optText":null,"flag":null,"count":null,"any":null,"lines":null,"map":{"a":null,"b":"1"},"part":null,"parts":[{"name":null}]}`
	t.Run("kept", func(t *testing.T) {
		v := new(thing)
		if got := thingTable.Decode([]byte(text), v, object.Reading{Nulls: object.NullIsKept}); got != nil {
			t.Errorf("problems %v", got)
		}
		if diff := cmp.Diff(value(t, text), value(t, encode(v))); diff != "" {
			t.Errorf("encoded again (-want +got):\n%s", diff)
		}
		if v.Map["b"] != "1" || len(v.Map) != 1 || v.Lines != nil || v.Part != nil {
			t.Errorf("null is decoded as a value: %+v", v)
		}
		if v.extra.WasSent("text") || v.Parts[0].extra.WasSent("name") {
			t.Error("null counts as sent")
		}
	})
	t.Run("dropped", func(t *testing.T) {
		v := new(thing)
		if got := thingTable.Decode([]byte(text), v, object.Reading{Nulls: object.NullIsDropped}); got != nil {
			t.Errorf("problems %v", got)
		}
		if diff := cmp.Diff(value(t, `{"map":{"b":"1"},"parts":[{}]}`), value(t, encode(v))); diff != "" {
			t.Errorf("encoded again (-want +got):\n%s", diff)
		}
	})
	t.Run("wrong", func(t *testing.T) {
		want := []foundProblem{
			{object.WrongType, "/text", "nul"}, {object.WrongType, "/optText", "nul"}, {object.WrongType, "/flag", "nul"}, {object.WrongType, "/count", "nul"},
			{object.WrongType, "/lines", "nul"}, {object.MapType, "/map/a", "nul"}, {object.WrongType, "/part", "nul"}, {object.WrongType, "/parts/0/name", "nul"},
		} // null is one of any values
		if diff := cmp.Diff(want, problems(text, object.NullIsWrong)); diff != "" {
			t.Errorf("problems (-want +got):\n%s", diff)
		}
	})
}

func TestDecodeDepth(t *testing.T) {
	arrays := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "0" + strings.Repeat("}", n) }
	for name, place := range map[string]struct {
		text  string
		depth int // of the place
	}{
		"any": {`{"any":?}`, 1}, "unknown": {`{"x":?}`, 1}, "wrong": {`{"text":?}`, 1}, "line": {`{"lines":[?]}`, 2},
		"element": {`{"parts":[?]}`, 2}, "in-element": {`{"parts":[{"x":?}]}`, 3}, "in-map": {`{"map":{"a":?}}`, 2}, "in-part": {`{"part":{"name":?}}`, 2},
		"duplicate": {`{"text":"a","text":?}`, 1},
	} {
		for kind, nest := range map[string]func(int) string{"arrays": arrays, "objects": objects} {
			for depth, wantSyntax := range map[int]bool{constraint.JSONMaxDepth: false, constraint.JSONMaxDepth + 1: true, 20_000: true} {
				text := strings.ReplaceAll(place.text, "?", nest(depth-place.depth))
				got := problems(text, object.NullIsKept)
				isSyntax := len(got) > 0 && got[len(got)-1].Fault == object.Syntax
				if isSyntax != wantSyntax {
					t.Errorf("%s of %s, %d deep: %.200v", kind, name, depth, got)
				}
			}
		}
	}
}

// nest is an object that contains another one.
type nest struct {
	Inner *nest
	extra object.Extra
}

// Objects that have a table count for the depth like any others.
func TestDecodeDepthOfTables(t *testing.T) {
	extra := func(n *nest) *object.Extra { return &n.extra }
	table := object.NewTable(extra)
	for range constraint.JSONMaxDepth + 1 {
		table = object.NewTable(extra, object.Object("inner", func(n *nest) **nest { return &n.Inner }, table))
	}
	for depth, wantSyntax := range map[int]bool{constraint.JSONMaxDepth: false, constraint.JSONMaxDepth + 1: true} {
		text := strings.Repeat(`{"inner":`, depth-1) + "{}" + strings.Repeat("}", depth-1)
		got := table.Decode([]byte(text), new(nest), object.Reading{Nulls: object.NullIsKept})
		if isSyntax := len(got) > 0; isSyntax != wantSyntax {
			t.Errorf("%d deep: %.200v", depth, got)
		}
	}
}

// A problem at the maximum depth is reported as what it is. What is deeper is only reported as too deep.
func TestSyntaxErrorAtTheLimitOfDepth(t *testing.T) {
	for arrays, want := range map[int]diag.Pointer{
		constraint.JSONMaxDepth - 1: diag.Pointer("/x" + strings.Repeat("/0", constraint.JSONMaxDepth-1)),
		constraint.JSONMaxDepth:     "/x",
	} {
		got := problems(`{"x":`+strings.Repeat("[", arrays)+"?", object.NullIsKept)
		if len(got) != 1 || got[0].Fault != object.Syntax || got[0].Path != want {
			t.Errorf("in %d arrays: %v, want a syntax error at %s", arrays, got, want)
		}
	}
}

// Problems are returned until a report is full and truncated. Unknown members do not count against
// the limit of the others, and a syntax error is always returned.
func TestDecodeReturnsNoMoreThanAReportKeeps(t *testing.T) {
	const each = 2 * engine.Most
	var text strings.Builder
	text.WriteString(`{`)
	for i := range each {
		fmt.Fprintf(&text, `"x%d":0,`, i)
	}
	text.WriteString(`"lines":[` + strings.Repeat("0,", each) + `0]`)
	got := map[object.Fault]int{}
	for _, p := range problems(text.String(), object.NullIsKept) {
		got[p.Fault]++
	}
	want := map[object.Fault]int{object.Unknown: engine.Most + 1, object.WrongType: engine.Most + 1, object.Syntax: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
}

// A problem quotes the start of a long value and never a part of a character.
func TestProblemQuotesTheStart(t *testing.T) {
	const most = 40 // bytes, of which a quotation mark is the first
	for _, test := range []struct{ value, want string }{
		{`"` + strings.Repeat("a", most-2) + `"`, `"` + strings.Repeat("a", most-2) + `"`},
		{`"` + strings.Repeat("a", most-1) + `"`, `"` + strings.Repeat("a", most-1) + "…"},
		{`"` + strings.Repeat("a", most-2) + `é"`, `"` + strings.Repeat("a", most-2) + "…"},
		{`"` + strings.Repeat("a", most-3) + `éa"`, `"` + strings.Repeat("a", most-3) + "é…"},
		{strings.Repeat("9", most), strings.Repeat("9", most) + ";"},
		{strings.Repeat("9", most+1), strings.Repeat("9", most) + "…"},
	} {
		for _, p := range thingTable.Decode([]byte(`{"count":`+test.value+`}`), new(thing), object.Reading{Nulls: object.NullIsKept}) {
			if got := sentence(p, diag.Documents); !strings.Contains(got, " "+test.want) || !utf8.ValidString(got) {
				t.Errorf("%s: %q does not quote %s", test.value, got, test.want)
			}
		}
	}
}

// A problem names the kind of the value, with the value only if it is a string or a number.
func TestProblemDescribes(t *testing.T) {
	for value, want := range map[string]string{
		`"a"`: `is the string "a"; it must be an object.`, `15`: `is the number 15; it must be an object.`,
		`true`: `is a boolean; it must be an object.`, `[1]`: `is an array; it must be an object.`,
	} {
		for _, p := range thingTable.Decode([]byte(`{"part":`+value+`}`), new(thing), object.Reading{Nulls: object.NullIsKept}) {
			if got := sentence(p, diag.Documents); got != `The member "part" `+want {
				t.Errorf("%s: %q, want %q", value, got, want)
			}
		}
	}
}

// A sentence names the place that it is about, unless that is the whole text.
func TestProblemSentence(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"lines":["a",`, "The body must be one well-formed JSON object: unexpected end of input (byte 15)."},
		{`[]`, "The body is an array; it must be one JSON object."},
		{`{"count":"1"}`, `The member "count" is the string "1"; it must be an integer.`},
		{`{"count":12345678901234567890}`, `The member "count" is 12345678901234567890; it must be a 64-bit signed integer.`},
		{`{"flag":"yes"}`, `The member "flag" is the string "yes"; it must be true or false.`},
		{`{"":1}`, `The member "" is not a documented field and has no meaning to the service.`},
		{`{"10":1}`, `The member "10" is not a documented field and has no meaning to the service.`},
		{`{"b/c":1}`, `The member "b/c" is not a documented field and has no meaning to the service.`},
		{`{"test":1}`, `The member "test" is not a documented field and has no meaning to the service. Did you mean text?`},
		{`{"lines":["a",2]}`, `Element 2 is the number 2; it must be a string.`},
		{`{"lines":{}}`, `The member "lines" is an object; it must be an array of strings.`},
		{`{"map":{"10":2}}`, `The member "10" is the number 2; it must be a string.`},
		{`{"map":null}`, `The member "map" is null; it must be an object whose values are strings.`},
		{`{"parts":{}}`, `The member "parts" is an object; it must be an array.`},
		{`{"text":"a","text":"b"}`, `The member "text" appears more than once in its object. Send it once.`},
	} {
		got := thingTable.Decode([]byte(test.text), new(thing), object.Reading{Nulls: object.NullIsWrong})
		if len(got) != 1 || sentence(got[0], diag.Documents) != test.want {
			t.Errorf("%s: %+v, want %s", test.text, got, test.want)
		}
	}
	const most = 10
	got := thingTable.Decode([]byte(`{"text":"abc"}`), new(thing), object.Reading{Limits: object.Limits{Bytes: most}})
	if want := "The body has 14 bytes, but at most 10 are allowed. Send a smaller body."; len(got) != 1 || sentence(got[0], diag.Documents) != want {
		t.Errorf("%+v, want %s", got, want)
	}
}

// A scalar of another type may say what is meant, if its text is such a value.
func TestProblemMeant(t *testing.T) {
	for text, want := range map[string]string{
		`{"text":5}`:       `"5"`,
		`{"text":true}`:    ``,
		`{"count":"5"}`:    `5`,
		`{"count":"05"}`:   ``,
		`{"count":"true"}`: ``,
		`{"count":true}`:   ``,
		`{"flag":"true"}`:  `true`,
		`{"flag":"false"}`: `false`,
		`{"flag":"5"}`:     ``,
		`{"flag":5}`:       ``,
	} {
		problems := thingTable.Decode([]byte(text), new(thing), object.Reading{})
		if len(problems) != 1 {
			t.Errorf("%s has the problems %v", text, problems)
			continue
		}
		if got, _ := finding(problems[0], diag.Documents).Arg("meant"); got != want {
			t.Errorf("%s means %s, want %s", text, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	want := []string{"text", "optText", "flag", "optFlag", "count", "optNum", "any", "lines", "map", "part", "parts"}
	if got := thingTable.NamesOf(object.All); !slices.Equal(got, want) {
		t.Errorf("Names = %q, want %q", got, want)
	}
}

func TestNewTypePanics(t *testing.T) {
	extra := func(p *part) *object.Extra { return &p.extra }
	row := func(name string) object.Member[*part] {
		return object.String(name, func(p *part) *string { return &p.Name })
	}
	many := make([]object.Member[*part], 64)
	for i := range many {
		many[i] = row(fmt.Sprint(i))
	}
	for name, test := range map[string]struct {
		members []object.Member[*part]
		panics  bool
	}{
		"twice":    {[]object.Member[*part]{row("a"), row("a")}, true},
		"too-many": {many, true},
		"most":     {many[:63], false},
	} {
		func() {
			defer func() {
				if panics := recover() != nil; panics != test.panics {
					t.Errorf("%s: panics %t, want %t", name, panics, test.panics)
				}
			}()
			object.NewTable(extra, test.members...)
		}()
	}
}

// A field that is set after decoding is encoded with its new value, whatever the text had.
func TestAppendEncodesChangedFields(t *testing.T) {
	for _, test := range []struct {
		name, text string
		change     func(*thing)
		want       string
	}{
		{"string", `{"text":"a"}`, func(v *thing) { v.Text = "b" }, `{"text":"b"}`},
		{"string-was-null", `{"text":null}`, func(v *thing) { v.Text = "b" }, `{"text":"b"}`},
		{"string-was-empty", `{"text":""}`, func(v *thing) { v.Text = "b" }, `{"text":"b"}`},
		{"string-was-wrong", `{"text":5}`, func(v *thing) { v.Text = "b" }, `{"text":"b"}`},
		{"string-cleared", `{"text":"a"}`, func(v *thing) { v.Text = "" }, `{}`},
		{"opt-string", `{"optText":null}`, func(v *thing) { v.OptText = new(string) }, `{"optText":""}`},
		{"opt-string-cleared", `{"optText":""}`, func(v *thing) { v.OptText = nil }, `{}`},
		{"bool", `{"flag":false}`, func(v *thing) { v.Flag = true }, `{"flag":true}`},
		{"bool-cleared", `{"flag":true}`, func(v *thing) { v.Flag = false }, `{}`},
		{"int", `{"count":0}`, func(v *thing) { v.Count = 7 }, `{"count":7}`},
		{"opt-int", `{"optNum":"x"}`, func(v *thing) { v.OptNum = new(int64) }, `{"optNum":0}`},
		{"any", `{"any":null}`, func(v *thing) { v.Any = json.RawMessage(`[1]`) }, `{"any":[1]}`},
		{"strings", `{"lines":[]}`, func(v *thing) { v.Lines = []string{"b"} }, `{"lines":["b"]}`},
		{"strings-was-wrong", `{"lines":"a"}`, func(v *thing) { v.Lines = []string{"b"} }, `{"lines":["b"]}`},
		{"strings-held-wrong", `{"lines":["a",5]}`, func(v *thing) { v.Lines = []string{"b"} }, `{"lines":["b"]}`},
		{"map", `{"map":{}}`, func(v *thing) { v.Map = map[string]string{"a": "b"} }, `{"map":{"a":"b"}}`},
		{"map-held-wrong", `{"map":{"a":5}}`, func(v *thing) { v.Map = map[string]string{"a": "b"} }, `{"map":{"a":"b"}}`},
		{"map-held-null", `{"map":{"a":null,"c":"d"}}`, func(v *thing) { v.Map["a"] = "b" }, `{"map":{"a":"b","c":"d"}}`},
		{"object", `{"part":null}`, func(v *thing) { v.Part = &part{Name: "n"} }, `{"part":{"name":"n"}}`},
		{"array", `{"parts":5}`, func(v *thing) { v.Parts = []part{{Name: "n"}} }, `{"parts":[{"name":"n"}]}`},
		{"element-was-wrong", `{"parts":[5,{}]}`, func(v *thing) { v.Parts[0] = part{Name: "n"} }, `{"parts":[{"name":"n"},{}]}`},
		{"in-element", `{"parts":[{"name":null,"x":1}]}`, func(v *thing) { v.Parts[0].Name = "n" }, `{"parts":[{"name":"n","x":1}]}`},
		{"other-member", `{"text":null,"x":1}`, func(v *thing) { v.Flag = true }, `{"text":null,"flag":true,"x":1}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := decode(test.text)
			test.change(v)
			if diff := cmp.Diff(value(t, test.want), value(t, encode(v))); diff != "" {
				t.Errorf("%s, changed (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

// A zero value that is written out is in the text, unless the field has another value. It replaces a null and a value of a
// wrong type.
func TestWriteOut(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{}`, `{"text":"","flag":false,"count":0}`},
		{`{"text":null,"flag":"yes","count":0}`, `{"text":"","flag":false,"count":0}`},
		{`{"text":"A","flag":true,"count":3,"other":1}`, `{"text":"A","flag":true,"count":3,"other":1}`},
	} {
		v := decode(test.text)
		thingTable.WriteOut(v, thingTable.Set("text", "flag", "count"))
		if got := encode(v); got != test.want {
			t.Errorf("%s becomes %s, want %s", test.text, got, test.want)
		}
	}
}

func TestAppendOrder(t *testing.T) {
	const want = `{"text":"a","count":1,"map":{"a":"1","b":"2"},"zz":1,"aa":2}`
	if got := encode(decode(`{"zz":1,"map":{"b":"2","a":"1"},"aa":2,"count":1,"text":"a"}`)); got != want {
		t.Errorf("encoded as %s, want %s: members of the table first, then the others as in the text", got, want)
	}
	if got := string(thingTable.Append([]byte("x="), new(thing))); got != "x={}" {
		t.Errorf("Append returns %s", got)
	}
}

// Invalid UTF-8 that Go code has put into a field does not make invalid JSON.
func TestAppendRepairsStrings(t *testing.T) {
	if got := encode(&thing{Text: "a\xffb"}); !json.Valid([]byte(got)) || value(t, got).(map[string]any)["text"] != "a\ufffdb" {
		t.Errorf("encoded as %s", got)
	}
}

// Encoding a decoded object gives an equal JSON value, whatever the types of its members.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := things().Draw(t, "text")
		v := new(thing)
		for _, p := range thingTable.Decode([]byte(text), v, object.Reading{Nulls: object.NullIsKept}) {
			if p.Fault == object.Syntax || p.Fault == object.Duplicate {
				t.Fatalf("%s: %+v", text, p)
			}
		}
		once := encode(v)
		if diff := cmp.Diff(value(t, text), value(t, once)); diff != "" {
			t.Fatalf("%s is encoded as %s (-want +got):\n%s", text, once, diff)
		}
		if twice := encode(decode(once)); twice != once {
			t.Fatalf("%s is encoded as %s, and that as %s", text, once, twice)
		}
	})
}

// The problems are in the order of the text, and each offset is that of the value.
func TestProblemsArePlaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := things().Draw(t, "text")
		last := -1
		for _, p := range thingTable.Decode([]byte(text), new(thing), object.Reading{Nulls: object.NullIsWrong}) {
			if p.Offset < last {
				t.Fatalf("%s: %+v comes after one at %d", text, p, last)
			}
			last = p.Offset
			if want := jsontest.Locate(text, p.Path); p.Offset != want {
				t.Fatalf("%s: the offset of %+v is not %d", text, p, want)
			}
		}
	})
}

func TestCloneIsIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := decode(things().Draw(t, "text"))
		before := encode(v)
		c := thingTable.Clone(v)
		if got := encode(c); got != before || !thingTable.Equal(v, c) {
			t.Fatalf("the clone of %s is %s", before, got)
		}
		change(c)
		if after := encode(v); after != before {
			t.Fatalf("%s becomes %s when its clone changes", before, after)
		}
		thingTable.Decode([]byte(things().Draw(t, "other")), c, object.Reading{Nulls: object.NullIsKept}) // reading into a copy, as a patch does
		if after := encode(v); after != before {
			t.Fatalf("%s becomes %s when its clone is decoded into", before, after)
		}
	})
	if thingTable.Clone(nil) != nil {
		t.Error("the clone of nil is not nil")
	}
}

// change writes to everything that v refers to.
func change(v *thing) {
	if v.OptText != nil {
		*v.OptText += "!"
	}
	if v.OptFlag != nil {
		*v.OptFlag = !*v.OptFlag
	}
	if v.OptNum != nil {
		*v.OptNum++
	}
	for i := range v.Any {
		v.Any[i] = ' '
	}
	for i := range v.Lines {
		v.Lines[i] += "!"
	}
	if v.Map != nil {
		v.Map["!"] = "!"
	}
	if v.Part != nil {
		v.Part.Name += "!"
	}
	for i := range v.Parts {
		v.Parts[i].Name += "!"
	}
}

func TestEqualLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		texts := things()
		a, b, c := decode(texts.Draw(t, "a")), decode(texts.Draw(t, "b")), decode(texts.Draw(t, "c"))
		equal := thingTable.Equal
		if !equal(a, a) || !equal(a, decode(encode(a))) {
			t.Fatalf("%s does not equal itself", encode(a))
		}
		if equal(a, b) != equal(b, a) {
			t.Fatalf("%s and %s: Equal is not symmetrical", encode(a), encode(b))
		}
		if equal(a, b) && equal(b, c) && !equal(a, c) {
			t.Fatalf("%s, %s, %s: Equal is not transitive", encode(a), encode(b), encode(c))
		}
		if equal(a, b) && a.Count != b.Count {
			t.Fatalf("%s equals %s", encode(a), encode(b))
		}
	})
}

// Two objects that differ in one member are equal only if the values of the member are.
func TestEqualOfOneMember(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{}`, `{"text":""}`, true},
		{`{}`, `{"text":null}`, true},
		{`{}`, `{"optText":""}`, false},
		{`{}`, `{"optText":null}`, true},
		{`{}`, `{"flag":false}`, true},
		{`{}`, `{"optFlag":false}`, false},
		{`{}`, `{"count":0}`, true},
		{`{}`, `{"optNum":0}`, false},
		{`{}`, `{"lines":[]}`, true},
		{`{}`, `{"map":{}}`, true},
		{`{}`, `{"parts":[]}`, true},
		{`{"count":1}`, `{"count":1.0}`, true},
		{`{"lines":["a","b"]}`, `{"lines":["b","a"]}`, false},
		{`{"map":{"a":"1","b":"2"}}`, `{"map":{"b":"2","a":"1"}}`, true},
		{`{"any":{"a":1,"b":[2]}}`, `{"any":{"b": [2],"a":1}}`, true},
		{`{"any":[1,2]}`, `{"any":[2,1]}`, false},
		{`{"any":1}`, `{"any":1.0}`, true},
		{`{"any":9007199254740993}`, `{"any":9007199254740992}`, false},
		{`{"x":1}`, `{"x":1}`, true},
		{`{"x":1,"y":2}`, `{"y":2,"x":1}`, true},
		{`{"x":1}`, `{"y":1}`, false},
		{`{"x":1}`, `{"x":"1"}`, false},
		{`{"part":{"x":1}}`, `{"part":{"x":2}}`, false},
		{`{"parts":[5]}`, `{"parts":[{}]}`, false},
		{`{"parts":[5]}`, `{"parts":[5]}`, true},
		{`{"parts":[{"name":"a"}]}`, `{"parts":[{"name":"a"},{}]}`, false},
	} {
		a, b := decode(test.a), decode(test.b)
		if got := thingTable.Equal(a, b); got != test.want {
			t.Errorf("Equal(%s, %s) = %t", test.a, test.b, got)
		}
		if got := thingTable.Equal(b, a); got != test.want {
			t.Errorf("Equal(%s, %s) = %t", test.b, test.a, got)
		}
	}
	if !thingTable.Equal(nil, nil) || thingTable.Equal(nil, new(thing)) || thingTable.Equal(new(thing), nil) {
		t.Error("nil does not equal nil alone")
	}
}

func TestUnknownYieldsInOrder(t *testing.T) {
	v := decode(`{"b":1,"text":null,"a":{"c": 2},"count":"x"}`)
	var got []string
	for name, text := range thingTable.Unknown(v) {
		got = append(got, name+string(text))
	}
	if want := []string{"b1", `a{"c": 2}`}; !slices.Equal(got, want) {
		t.Errorf("Unknown = %q, want %q", got, want)
	}
}

// Decoders are reused, but nothing of one text may appear in the next.
func TestDecodeKeepsNothing(t *testing.T) {
	first := decode(`{"text":"secret","x":"secret","any":"secret","lines":["secret"]}`)
	thingTable.Decode([]byte(`{"text":`), new(thing), object.Reading{Nulls: object.NullIsKept})
	second := decode(`{}`)
	if got := encode(second); got != "{}" {
		t.Errorf("after an invalid text, {} is decoded as %s", got)
	}
	if got := encode(first); !strings.Contains(got, `"x":"secret"`) {
		t.Errorf("the first value became %s", got)
	}
}

// TestMemory: objects are decoded into the memory that is given for them, and into memory of their own when there is none left.
func TestMemory(t *testing.T) {
	type pair struct {
		First, Second *part

		extra object.Extra
	}
	table := object.NewTable(func(p *pair) *object.Extra { return &p.extra },
		object.Object("first", func(p *pair) **part { return &p.First }, partTable),
		object.Object("second", func(p *pair) **part { return &p.Second }, partTable),
	)
	given := make([]part, 1)
	memory, v := given, pair{}
	if problems := table.Decode([]byte(`{"first":{"name":"a"},"second":{"name":"b"}}`), &v, object.Reading{Memory: &memory}); len(problems) > 0 {
		t.Fatalf("problems: %v", problems)
	}
	if v.First != &given[0] || v.First.Name != "a" || len(memory) != 0 {
		t.Errorf("the first object is %+v, and %d are left", v.First, len(memory))
	}
	if v.Second == nil || v.Second.Name != "b" {
		t.Errorf("the second object is %+v", v.Second)
	}
}
