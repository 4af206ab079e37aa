package object_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

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
func differences(a, b string, d object.Differ) []string {
	var all []string
	d.Report = func(d object.Difference) { all = append(all, fmt.Sprintf("%s: %s to %s", d.Path, d.Old, d.New)) }
	thingTable.Diff(decode(a), decode(b), "", d)
	return all
}

func TestDiff(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		want       []string
	}{
		{"same", `{"text":"a","parts":[{"name":"b"}]}`, `{"parts":[{"name":"b"}],"text":"a"}`, nil},
		{"elements", `{"parts":[{"name":"a"},{"size":1}]}`, `{"parts":[{"name":"b"},{"size":1}]}`, []string{`/parts/0/name: "a" to "b"`}},
		{"length", `{"parts":[{"size":1}]}`, `{"parts":[{"size":1},{}]}`, []string{`/parts: [{"size":1}] to [{"size":1},{}]`}},
		{"no array", `{}`, `{"parts":[{}]}`, []string{`/parts:  to [{}]`}},
		{"null is absent", `{"any":{"x":null}}`, `{"any":{}}`, nil},
		{"absent is null", `{"any":{}}`, `{"any":{"x":null}}`, nil},
		{"both null", `{"any":{"x":null}}`, `{"any":{"x":null}}`, nil},
		{"null to a value", `{"any":{"x":null}}`, `{"any":{"x":1}}`, []string{`/any/x: null to 1`}},
		{"a value to none", `{"any":{"x":1}}`, `{"any":{}}`, []string{`/any/x: 1 to `}},
		{"spelling", `{"any":{"x":10}}`, `{"any":{"x":1e1}}`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, differences(test.a, test.b, object.Differ{})); diff != "" {
				t.Errorf("from %s to %s (-want +got):\n%s", test.a, test.b, diff)
			}
		})
	}
	want := []string{`/parts: [{"size":1}] to [{"size":2}]`}
	if diff := cmp.Diff(want, differences(`{"parts":[{"size":1}]}`, `{"parts":[{"size":2}]}`, object.Differ{Whole: true})); diff != "" {
		t.Errorf("of whole arrays (-want +got):\n%s", diff)
	}
}
