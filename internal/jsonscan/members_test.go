package jsonscan_test

import (
	"bytes"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/jsonscan"
)

// FuzzAppendMembers compares the members of a text with those that [jsonscan.Value.Members] yields.
func FuzzAppendMembers(f *testing.F) {
	for _, text := range []string{
		`{}`, ` { } `, `{"a":1}`, ` { "a" : [ 1 , {"b":"]}\\\""} ] , "\u0061" : -1.5e3 , "a":null} `, `{"":"é"}`,
		"", " ", "null", `[1]`, `"{}"`, `{`, `{"`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{}}`, `{"a":1}2`, `{"a" 1}`, `{a:1}`,
		"{\"a\":\"\xff\"}", "{\"\xff\":1}", `{"a":"\ud800"}`,
	} {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"a":` + deep(10_000) + "}")) // one level more than jsontext reads
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := jsonscan.AppendMembers(nil, text)
		isValid := jsonscan.Valid(text) == nil && jsonscan.Of(text).IsObject()
		if ok && !isValid || isValid && utf8.Valid(text) && !ok && !hasHalfPair(text) {
			t.Fatalf("%q: %v, want %v", text, ok, isValid)
		}
		if !ok {
			return
		}
		var want []jsonscan.Member
		for quoted, value := range jsonscan.Of(text).Members() {
			want = append(want, jsonscan.Member{Name: jsonscan.Unquote(quoted), Value: value.Text})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-Members +AppendMembers):\n%s", text, diff)
		}
	})
}

// hasHalfPair reports whether a text may have the escape of half a surrogate pair.
func hasHalfPair(text []byte) bool { return bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) }

func TestMemberNamed(t *testing.T) {
	for _, test := range []struct{ text, name, want string }{
		{`{"a":1,"b":{"c":2}}`, "b", `{"c":2}`},
		{`{"\u0061":1,"a":2}`, "a", "1"}, // the first one, however it is written
		{`{"a":1}`, "b", ""},
		{`[1]`, "0", ""},
	} {
		if got := string(jsonscan.Of([]byte(test.text)).Member(test.name).Text); got != test.want {
			t.Errorf("%s of %s is %q, want %q", test.name, test.text, got, test.want)
		}
	}
}
