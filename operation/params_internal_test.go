package operation

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzParams compares what is read with encoding/json, which reads the last of two equal names and replaces what is not UTF-8.
func FuzzParams(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { "a" : "b" , "c":"" } `, `{"a":"b","a":"c"}`, `{"a":"b","\u0061":"c"}`, `{"\u0061":"c"}`, `{"":"c"}`, `{"a":["\u00e4",""]}`,
		`{"a":"\u00e4"}`, `{"a":"ä"}`, `{"ä":"b"}`, `{"a":["b"]}`, `{"a":1}`, `{"a":"b"`, `{"a":"b"} x`, `{"a":"b",}`, `null`, `[]`, ``, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := Params{"earlier": {"value"}}
		if got.UnmarshalJSON(text) != nil {
			return
		}
		var all map[string]any
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatalf("%q is read, but also an error: %v", text, err)
		}
		if len(got) != len(all) {
			t.Errorf("%q has %d parameters, want %d", text, len(got), len(all))
		}
		for name, value := range all {
			var want []string
			switch value := value.(type) {
			case string:
				want = []string{value}
			case []any:
				want = []string{}
				for _, element := range value {
					want = append(want, element.(string))
				}
			}
			if diff := cmp.Diff(want, got[name]); diff != "" {
				t.Errorf("%q: %q is read differently (-encoding/json +got):\n%s", text, name, diff)
			}
		}
	})
}

// TestParamsMapIsUsedAgain tests that a small map is used again and a large one is not, since clearing it would make
// every later query as costly as the largest one.
func TestParamsMapIsUsedAgain(t *testing.T) {
	many := []byte(`{"a":"1"`)
	for i := range 100 {
		many = fmt.Appendf(many, `,"p%d":"1"`, i)
	}
	params := Params{}
	decode := func(text string) (earlier Params) {
		earlier = params
		if err := params.UnmarshalJSON([]byte(text)); err != nil {
			t.Fatalf("%.20s: %v", text, err)
		}
		return earlier
	}
	if earlier := decode(`{"a":"1"}`); len(earlier) != 1 {
		t.Errorf("a small map is not used again: it is %v", earlier)
	}
	decode(string(many) + "}")
	if earlier := decode(`{"a":"1"}`); len(earlier) != 101 || len(params) != 1 {
		t.Errorf("a map of %d parameters is used again", len(earlier))
	}
}
