package operation

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzPlainParams compares the reader of plain parameters with that of all.
func FuzzPlainParams(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { "a" : "b" , "c":"" } `, `{"a":"b","a":"c"}`, `{"a":"b","\u0061":"c"}`, `{"\u0061":"c"}`, `{"":"c"}`,
		`{"a":"\u00e4"}`, `{"a":"ä"}`, `{"ä":"b"}`, `{"a":["b"]}`, `{"a":1}`, `{"a":"b"`, `{"a":"b"} x`, `{"a":"b",}`, `null`, `[]`, ``, "{\"a\":\"\xff\"}",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := Params{"earlier": {"value"}}
		if !got.decodePlain(text) {
			return
		}
		var want Params
		if err := want.decode(text); err != nil {
			t.Fatalf("%q is plain, but also an error: %v", text, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q is read differently (-all +plain):\n%s", text, diff)
		}
	})
}

// Plain parameters are strings of ASCII characters without escapes, sent once.
func TestPlainParams(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: true, `{"a":"b"}`: true, ` { "a" : "b" , "" : "" } `: true, "{\"a\":\"\x7f\"}": true,
		``: false, `null`: false, `[]`: false, `"a"`: false, `{"a":"b"`: false, `{"a":`: false, `{"a":"b"}{`: false,
		`{"a":"ä"}`: false, `{"ä":"b"}`: false, `{"a":"\u0062"}`: false, `{"a":["b"]}`: false, `{"a":null}`: false, `{"a":1}`: false,
		`{"a":"b","a":"b"}`: false,
	} {
		if ok := new(Params).decodePlain([]byte(text)); ok != want {
			t.Errorf("%s is plain: %t, want %t", text, ok, want)
		}
	}
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
		if !params.decodePlain([]byte(text)) {
			t.Fatalf("%.20s is not plain", text)
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
