package object_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
)

func TestSet(t *testing.T) {
	s := thingTable.Set("count", "text")
	if got, want := thingTable.NamesOf(s), []string{"text", "count"}; !slices.Equal(got, want) {
		t.Errorf("NamesOf = %q, want %q", got, want)
	}
	if !s.Has(thingTable.Set("text", "any")) || s.Has(thingTable.Set("any")) {
		t.Errorf("%b has a member other than text and count", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("Set does not panic for a name that the table does not list")
		}
	}()
	thingTable.Set("text", "x")
}

// differences returns the differences between two things, as "path: old to new".
func differences(a, b *thing) []string {
	var all []string
	thingTable.Diff(diag.Documents, a, b, func(d object.Difference) { all = append(all, fmt.Sprintf("%s: %s to %s", d.Path, d.Old, d.New)) })
	return all
}

func TestDiff(t *testing.T) {
	long, longest := strings.Repeat("a", 300), strings.Repeat("a", 256-len("/x/"))
	for _, test := range []struct {
		name, a, b string
		want       []string
		patch      string
	}{
		{"same", `{"text":"a","parts":[{"name":"b"}]}`, `{"parts":[{"name":"b"}],"text":"a"}`, nil, `{}`},
		{"elements", `{"parts":[{"name":"a"},{"size":1}]}`, `{"parts":[{"name":"b"},{"size":1}]}`,
			[]string{`/parts/0/name: "a" to "b"`}, `{"parts":[{"name":"b"},{"size":1}]}`},
		{"length", `{"parts":[{"size":1}]}`, `{"parts":[{"size":1},{}]}`, []string{`/parts: [{"size":1}] to [{"size":1},{}]`}, `{"parts":[{"size":1},{}]}`},
		{"no array", `{}`, `{"parts":[{}]}`, []string{`/parts:  to [{}]`}, `{"parts":[{}]}`},
		{"null to a value", `{"any":{"x":null}}`, `{"any":{"x":1}}`, []string{`/any/x: null to 1`}, `{"any":{"x":1}}`},
		{"a value to none", `{"any":{"x":1}}`, `{"any":{}}`, []string{`/any/x: 1 to `}, `{"any":{"x":null}}`},
		{"spelling", `{"any":{"x":10}}`, `{"any":{"x":1e1}}`, nil, `{}`},
		{"objects in order", `{"x":{"a":{"b":1},"c":{"d":{"e":1}}}}`, `{"x":{"a":{"b":2},"c":{"d":{"e":2}},"f":0}}`,
			[]string{`/x/a/b: 1 to 2`, `/x/c/d/e: 1 to 2`, `/x/f:  to 0`}, `{"x":{"a":{"b":2},"c":{"d":{"e":2}},"f":0}}`},
		{"names with escapes", `{"x":{"a/b~":1}}`, `{"x":{"a/b~":2}}`, []string{`/x/a~1b~0: 1 to 2`}, `{"x":{"a/b~":2}}`},
		{"a long name", `{"x":{"` + long + `":1}}`, `{"x":{"` + long + `":2}}`, []string{"/x/" + long + ": 1 to 2"}, `{"x":{"` + long + `":2}}`},
		{"within a long name", `{"x":{"` + long + `":{"b":1,"c":1}}}`, `{"x":{"` + long + `":{"b":2,"c":1}}}`,
			[]string{"/x/" + long + `: {"b":1,"c":1} to {"b":2,"c":1}`}, `{"x":{"` + long + `":{"b":2}}}`},
		{"within the longest path", `{"x":{"` + longest + `":{"b":1,"c":1}}}`, `{"x":{"` + longest + `":{"b":2,"c":1}}}`,
			[]string{"/x/" + longest + `/b: 1 to 2`}, `{"x":{"` + longest + `":{"b":2}}}`},
		{"any value to none", `{"any":{"x":1}}`, `{}`, []string{`/any: {"x":1} to `}, `{"any":null}`},
		{"none to any value", `{}`, `{"any":{"x":1}}`, []string{`/any:  to {"x":1}`}, `{"any":{"x":1}}`},
		{"an element to another with null", `{"parts":[{"name":"a"}]}`, `{"parts":[{"name":"b","size":null}]}`,
			[]string{`/parts/0/name: "a" to "b"`}, `{"parts":[{"name":"b","size":null}]}`},

		// A documented member that is null is absent; in an object of any members, null is a value that no patch can give.
		{"null", `{"text":null,"any":null,"map":null,"part":null}`, `{}`, nil, `{}`},
		{"to null", `{}`, `{"text":null,"any":null,"map":null,"part":null}`, nil, `{}`},
		{"inner null", `{"any":{"x":null}}`, `{"any":{}}`, []string{`/any/x: null to `}, `{"any":{"x":null}}`},
		{"to inner null", `{"any":{}}`, `{"any":{"x":null}}`, []string{`/any/x:  to null`}, `{}`},
		{"a value to null", `{"any":{"x":1}}`, `{"any":{"x":null}}`, []string{`/any/x: 1 to null`}, `{"any":{"x":null}}`},
		{"both null", `{"any":{"x":null}}`, `{"any":{"x":null}}`, nil, `{}`},
		{"unknown null", `{"x":null}`, `{}`, []string{`/x: null to `}, `{"x":null}`},
		{"to unknown null", `{}`, `{"x":null,"y":{"z":null}}`, []string{`/x:  to null`, `/y:  to {"z":null}`}, `{"y":{}}`},
		{"null in a map", `{"map":{"a":null,"b":"1"}}`, `{"map":{"b":"1"}}`, []string{`/map/a: null to `}, `{"map":{"a":null}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := decode(test.a), decode(test.b)
			if diff := cmp.Diff(test.want, differences(a, b)); diff != "" {
				t.Errorf("from %s to %s (-want +got):\n%s", test.a, test.b, diff)
			}
			if got := thingTable.Equal(a, b); got != (test.want == nil) {
				t.Errorf("%s and %s are equal: %t", test.a, test.b, got)
			}
			if got := string(thingTable.AppendPatch(diag.Documents, nil, a, b, object.All)); got != test.patch {
				t.Errorf("the patch from %s to %s is %s, want %s", test.a, test.b, got, test.patch)
			}
		})
	}
}

// Two things are equal exactly if they do not differ, and a patch removes all differences but null.
func TestDiffLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := decode(things().Draw(t, "a")), decode(things().Draw(t, "b"))
		if rapid.Bool().Draw(t, "patched") {
			patch := b
			b = thingTable.Clone(a)
			thingTable.Merge(b, patch)
		}
		list := differences(a, b)
		if got := thingTable.Equal(a, b); got != (list == nil) {
			t.Fatalf("%s and %s are equal: %t, and differ in %q", encode(a), encode(b), got, list)
		}
		text := string(thingTable.AppendPatch(diag.Documents, nil, a, b, object.All))
		patch := decode(text)
		thingTable.Merge(a, patch)
		if again := string(thingTable.AppendPatch(diag.Documents, nil, a, b, object.All)); again != "{}" {
			t.Fatalf("after the patch %s, the patch of %s to %s is %s", text, encode(a), encode(b), again)
		}
		for _, d := range differences(a, b) {
			if !strings.Contains(d, "null") {
				t.Fatalf("after the patch %s, %s differs from %s: %s", text, encode(a), encode(b), d)
			}
		}
	})
}
