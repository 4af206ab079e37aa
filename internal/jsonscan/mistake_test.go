package jsonscan

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/testing/jsontest"
	"github.com/calrules/calrules/internal/wording"
)

func TestReason(t *testing.T) {
	for _, test := range []struct {
		text, want string
		offset     int
	}{
		{"", "it is empty", 0},
		{"\ufeff{}", "it begins with a byte order mark (U+FEFF); save it as UTF-8 without a byte order mark", 0},
		{"\xff\xfe{\x00", "it begins with a UTF-16 byte order mark; save it as UTF-8 without a byte order mark", 0},
		{"\xfe\xff\x00{", "it begins with a UTF-16 byte order mark; save it as UTF-8 without a byte order mark", 0},
		{"x", `expected a value, found "x"`, 0},
		{`{"a":1`, "unexpected end of input", 6},
		{`{"a":"x`, "unexpected end of input", 7},
		{`{"a":}`, `expected a value, found "}"`, 5},
		{`{"a":NaN}`, `expected a value, found "N"`, 5},
		{`{"a":é}`, `expected a value, found "é"`, 5},
		{`[,1]`, `expected a value, found ","`, 1},
		{`{"a" 1}`, `expected a colon after the name, found "1"`, 5},
		{`{"a"}`, `expected a colon after the name, found "}"`, 4},
		{`{"a":01}`, `expected a comma or "}" after the value, found "1"`, 6},
		{`{"a":1]`, `expected a comma or "}" after the value, found "]"`, 6},
		{`[1 2]`, `expected a comma or "]" after the element, found "2"`, 3},
		{`{"a":1,}`, "a comma precedes the end of an object or array; remove the comma", 6},
		{"[1, \n]", "a comma precedes the end of an object or array; remove the comma", 2},
		{`{,}`, "a comma precedes the end of an object or array; remove the comma", 1},
		{`{a:1}`, `expected a name in double quotes, found "a"`, 1},
		{`{1:1}`, `expected a name in double quotes, found "1"`, 1},
		{`{"a":1,b:2}`, `expected a name in double quotes, found "b"`, 7},
		{`{"a":tru}`, `expected the rest of true, false or null, found "}"`, 8},
		{`{"a":-}`, `expected a digit, found "}"`, 6},
		{`{"a":1.e}`, `expected a digit, found "e"`, 7},
		{"{\"a\":\"\t\"}", `a string contains the control character "\t"; escape the character`, 6},
		{`{"a":"\x"}`, "a string contains a backslash that does not begin a JSON escape; write the backslash twice", 6},
		{`{"a":"\ud800"}`, "a string contains an escaped half of a surrogate pair, which is not a character; write both halves or remove it", 6},
		{`{"a":"\ude00`, "a string contains an escaped half of a surrogate pair, which is not a character; write both halves or remove it", 6},
		{"{\"a\":\"\xff\"}", "it is not valid UTF-8", 6},
		{`{"a":1, "a":2}`, "an object contains the same name twice; write each name once", 8},
		{`{"x":[{"a":1,"\u0061":2}]}`, "an object contains the same name twice; write each name once", 13},
		{`{} x`, "there is more input after the value", 3},
	} {
		err := check([]byte(test.text), 100)
		if err == nil || err.Reason() != test.want || err.Offset != test.offset {
			t.Errorf("%q: %v, want %s (byte %d)", test.text, err, test.want, test.offset+1)
		}
	}
}

func TestError(t *testing.T) {
	err := &SyntaxError{Mistake: NoValue, Offset: 5, found: "}"}
	if got, want := err.Error(), `expected a value, found "}" (byte 6)`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := []diag.Arg{wording.Part("reason", "no-value"), diag.Value("found", "}"), diag.Number("most", 0), diag.Number("at", 6)}
	if diff := cmp.Diff(want, err.Args()); diff != "" {
		t.Errorf("arguments (-want +got):\n%s", diff)
	}
}

// The explainer finds a fault exactly when the reader refuses, and the fault has a place in the text and words.
func TestExplainerFindsFaultExactlyWhenReaderRefuses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(jsontest.Object(3, jsontest.String(), true).Draw(t, "text"))
		at := rapid.IntRange(0, len(text)).Draw(t, "at")
		end := rapid.IntRange(at, min(at+2, len(text))).Draw(t, "end")
		put := rapid.SampledFrom([]string{"", ",", ":", "}", "]", "{", "\"", "\\", "0", "\x00", "\xff", "null"}).Draw(t, "put")
		text = append(append(text[:at:at], put...), text[end:]...)
		err := check(text, 100)
		if reads := jsontext.Value(text).IsValid(); reads == (err != nil) {
			t.Fatalf("%q: it can be read: %t; the fault is %v", text, reads, err)
		}
		if err != nil && (err.Offset < 0 || err.Offset > len(text) || err.Reason() == "") {
			t.Fatalf("%q: %q at %d", text, err.Reason(), err.Offset)
		}
	})
}
