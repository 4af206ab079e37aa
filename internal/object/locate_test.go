package object_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// compareLocate compares the offsets that a table finds after decoding with those that are found without it.
func compareLocate(t interface{ Fatalf(string, ...any) }, text string, paths ...diag.Pointer) {
	var offsets object.Offsets
	how := object.Reading{Nulls: object.NullIsDropped, Offsets: &offsets}
	problems := thingTable.Decode([]byte(text), new(thing), how)
	if slices.ContainsFunc(problems, func(p object.Problem) bool { return p.Fault == object.Syntax }) {
		return
	}
	var want []jsonscan.Place
	for _, path := range paths {
		want = append(want, jsonscan.Place{Path: path})
	}
	jsonscan.Locate([]byte(text), want)
	if diff := cmp.Diff(want, locate(text, &offsets, paths...)); diff != "" {
		t.Fatalf("%s (-simple +fast):\n%s", text, diff)
	}
}

// locate returns the places of findings at the given paths in text that has been decoded. Like package event, locate falls back
// on the function that needs no offsets.
func locate(text string, offsets *object.Offsets, paths ...diag.Pointer) (places []jsonscan.Place) {
	var found diag.Findings
	for _, path := range paths {
		found = append(found, diag.Finding{Path: path, Offset: -1})
		places = append(places, jsonscan.Place{Path: path})
	}
	if !thingTable.Locate([]byte(text), diag.Documents, offsets, found) {
		jsonscan.Locate([]byte(text), places)
	}
	for i, f := range found {
		if f.Offset >= 0 || !f.Path.InBody() {
			places[i].Offset = f.Offset
		}
	}
	return places
}

func TestLocate(t *testing.T) {
	for _, text := range []string{
		`{}`, ` {"text": "a","part":{"name":"b","size":1,"name":2},"parts":[{"name":"c"},{"size":2}],"x":{"y":1},"a/b":{"c":3},"count":null} `,
		`{"parts":{"0":1},"part":[1,2],"text":{"name":1},"map":{"a":"b"},"map":{"a":"c"}}`,
	} {
		compareLocate(t, text, "", "/text", "/count", "/flag", "/part", "/part/name", "/part/size", "/part/x/y", "/parts/1/size", "/parts/1/name", "/parts/7",
			"/parts/0", "/part/1", "/text/name", "/map/a", "/x", "/x/y", "/z", "/a~1b/c", "?text", "#text")
	}
}

// The first places in a long text are found one by one, the others together.
func TestLocateInLongText(t *testing.T) {
	const elements = 10_000
	text := `{"parts":[` + strings.Repeat(`{"name":"a"},`, elements) + `{"x":1}],"part":{"x":[` + strings.Repeat(`"a",`, elements) + `0],"size":1}}`
	last := diag.Pointer("/parts").Index(elements)
	compareLocate(t, text, last.Member("x"), "/parts/1/name", last, "/part/size", "/parts/2", "/parts/02/name", "/parts/0/name", "/x/y", "/part/x/9999", "/part/y", "/part/x/2")
}

// tree is an object with arrays in the elements of an array.
type tree struct {
	Method  string
	Trees   []tree
	Entries []entry

	extra object.Extra
}

var leafTable = object.NewTable(func(v *tree) *object.Extra { return &v.extra },
	object.String("method", func(v *tree) *string { return &v.Method }).Must(constraint.ReminderMethod, method),
	object.Array("entries", func(v *tree) *[]entry { return &v.Entries }, entryTable),
)

var treeTable = object.NewTable(func(v *tree) *object.Extra { return &v.extra },
	object.String("method", func(v *tree) *string { return &v.Method }),
	object.Array("trees", func(v *tree) *[]tree { return &v.Trees }, leafTable),
)

// An element of an array within an element is not an element of the member, and an element may be missing in the text.
func TestOffsetsOfNestedArrays(t *testing.T) {
	const text = `{"trees":[{"entries":[{"method":"a"}],"method":"b"},{"method":"c"}]}`
	var offsets object.Offsets
	v := new(tree)
	treeTable.Decode([]byte(text), v, object.Reading{Offsets: &offsets})
	v.Trees = append(v.Trees, tree{Method: "d"})
	checking := object.Checking{On: diag.Insert, Offsets: &offsets, Report: new(engine.Collector)}
	treeTable.CheckConstraints(checking, v, nil, "", object.All)
	got := map[diag.Pointer]string{}
	for _, f := range checking.Report.Findings {
		got[f.Path] = "not noted"
		if f.Offset >= 0 {
			got[f.Path] = text[f.Offset:]
		}
	}
	want := map[diag.Pointer]string{
		"/trees/0/entries/0/method": "not noted", "/trees/0/method": `"b"},{"method":"c"}]}`, "/trees/1/method": `"c"}]}`, "/trees/2/method": "not noted",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The text may end anywhere.
func TestLocateInMalformedText(t *testing.T) {
	const text = `{"part":{"name":"b"`
	var offsets object.Offsets
	thingTable.Decode([]byte(text), new(thing), object.Reading{Offsets: &offsets})
	got := locate(text, &offsets, "/part/name", "/part/size")
	want := []jsonscan.Place{{Path: "/part/name", Offset: 16}, {Path: "/part/size", Offset: 8}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLocateFast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		path := rapid.Custom(func(t *rapid.T) diag.Pointer {
			var p diag.Pointer
			for _, token := range rapid.SliceOfN(memberNames(), 0, 3).Draw(t, "tokens") {
				p = p.Member(token)
			}
			return p
		})
		text := jsontest.Space().Draw(t, "before") + things().Draw(t, "text")
		compareLocate(t, text, rapid.SliceOfN(path, 0, 20).Draw(t, "paths")...)
	})
}

func FuzzLocate(f *testing.F) {
	f.Add(`{"text":"a","part":{"name":"b"},"parts":[{"size":1}],"x":{}}`, "/part/name", "/parts/0/size")
	f.Add(` {"map":{"a":"b"},"map":1}`, "/map/a", "")
	f.Fuzz(func(t *testing.T, text, one, other string) {
		compareLocate(t, text, diag.Pointer(one), diag.Pointer(other))
	})
}
