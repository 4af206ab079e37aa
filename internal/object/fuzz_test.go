package object_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

// FuzzDecode compares decoding with encoding/json, which replaces bytes that are not UTF-8 and checks neither depth nor
// repeated names; package jsontest has slow functions for these. There are more seeds in testdata/fuzz.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{}`, ` {"text":"a","count":1.0,"lines":["x",5],"map":{"a":null},"parts":[{"name":"n"},7],"x":{"y":[1e400]}} `,
		`{"text":"\ud83d\ude00"}`, `{"text":"\ud83d"}`, `{"text":"a","t\u0065xt":"b"}`, `{"any":{"a":1,"a":2}}`, "{\"\xff\":1}", "\ufeff{}",
		`{"count":-0}`, `{"count":01}`, `[{}]`, `null`, ``, `{"part":`, `{} {}`, `{"x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`,
		`{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
	} {
		f.Add(text)
	}
	for _, text := range jsontest.Large() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > jsontest.MaxFuzzed {
			return
		}
		v := new(thing)
		var syntax, duplicate bool
		last, faults := 0, 0
		for i, p := range thingTable.Decode([]byte(text), v, object.Reading{Nulls: object.NullIsKept}) {
			if syntax {
				t.Fatalf("%q: problem %d, %+v, comes after the syntax error", text, i, p)
			}
			if p.Offset < 0 || p.Offset > len(text) {
				t.Fatalf("%q: %+v is outside the text", text, p)
			}
			last = p.Offset
			if p.Fault != object.Unknown {
				faults++
			}
			syntax = syntax || p.Fault == object.Syntax
			duplicate = duplicate || p.Fault == object.Duplicate
		}
		if want := !naiveIsObject(text); syntax != want {
			t.Fatalf("%q: has a syntax error: %t, want %t (at %d)", text, syntax, want, last)
		}
		if syntax {
			return
		}
		if want := jsontest.Repeats(text); duplicate != want && faults <= engine.Most { // else not all are reported
			t.Fatalf("%q: has a repeated name: %t, want %t", text, duplicate, want)
		}
		if written := encode(v); !naiveIsObject(written) {
			t.Fatalf("%q is encoded as %q", text, written)
		} else if !duplicate && !strings.ContainsAny(text, "eE") { // large exponents are exact only at great length
			if !reflect.DeepEqual(value(t, text), value(t, written)) { // cmp.Diff takes exponential time for deep arrays
				t.Fatalf("%q is encoded as %q", text, written)
			}
		}
	})
}

// naiveIsObject reports whether the text is one JSON object, in UTF-8 and not too deep.
func naiveIsObject(text string) bool {
	return jsontest.Valid(text) && strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
}
