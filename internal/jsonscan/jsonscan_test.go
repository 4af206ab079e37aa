package jsonscan_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/testing/jsontest"
)

func deep(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

// FuzzCheck compares the checks with encoding/json and slow functions.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		"", " {} ", "{} {}", `{"a":1,"\u0061":2}`, `["\ud83d"]`, "\"\xff\"", deep(constraint.JSONMaxDepth), deep(constraint.JSONMaxDepth + 1), `{"a":[{"b":"]}\\\""},2]}`,
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
		if got, want := jsonscan.Valid([]byte(text)) == nil, json.Valid([]byte(text)); got != want {
			t.Errorf("%q: valid %t, want %t", text, got, want)
		}
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err == nil {
			got, err := jsonscan.AppendCompact([]byte("x"), []byte(text))
			if err != nil || string(got) != "x"+want.String() {
				t.Errorf("%q is %q without white space, %v", text, got, err)
			}
		}
		var index jsonscan.Index
		_, err := index.Check([]byte(text))
		if want := jsontest.Valid(text) && !jsontest.Repeats(text); (err == nil) != want {
			t.Errorf("%q: the error is %v, want none: %t", text, err, want)
		}
	})
}

// Members are read alike with and without an index, and as encoding/json reads them.
func TestMembers(t *testing.T) {
	var index jsonscan.Index
	rapid.Check(t, func(t *rapid.T) {
		text := " " + jsontest.Object(3, rapid.OneOf(jsontest.String(), rapid.SampledFrom([]string{"a", "b"})), false).Draw(t, "text") + "\n"
		var want any
		if err := json.Unmarshal([]byte(text), &want); err != nil {
			t.Fatal(err)
		}
		for _, v := range []jsonscan.Value{jsonscan.Of([]byte(text)), index.Of([]byte(text))} {
			if diff := cmp.Diff(want, tree(t, v)); diff != "" {
				t.Fatalf("%s (-want +got):\n%s", text, diff)
			}
		}
	})
}

// tree decodes a value, with members and elements read one by one.
func tree(t *rapid.T, v jsonscan.Value) any {
	switch v.Text[0] {
	case '{':
		members := map[string]any{}
		for name, value := range v.Members() {
			members[name.String()] = tree(t, value)
		}
		return members
	case '[':
		elements := []any{}
		for element := range v.Elements() {
			elements = append(elements, tree(t, element))
		}
		return elements
	}
	var scalar any
	if err := json.Unmarshal(v.Text, &scalar); err != nil {
		t.Fatalf("%s: %v", v.Text, err)
	}
	return scalar
}

func TestMembersAndElementsStop(t *testing.T) {
	for name := range jsonscan.Of([]byte(`{"a":[1],"b":2}`)).Members() {
		if name.String() != "a" {
			t.Errorf("the first member is %s", name)
		}
		break
	}
	for element := range jsonscan.Of([]byte(`[[1],2]`)).Elements() {
		if string(element.Text) != "[1]" {
			t.Errorf("the first element is %s", element.Text)
		}
		break
	}
}

func TestMembersOfOtherValues(t *testing.T) {
	for _, text := range []string{"", "null", "[1]", `"{}"`} {
		for name := range jsonscan.Of([]byte(text)).Members() {
			t.Errorf("%s has the member %s", text, name)
		}
	}
	for _, text := range []string{"", "null", `{"a":1}`, `"[1]"`} {
		for element := range jsonscan.Of([]byte(text)).Elements() {
			t.Errorf("%s has the element %s", text, element.Text)
		}
	}
}

func TestKinds(t *testing.T) {
	for text, want := range map[string]string{"{}": "object", " \"\" ": "string", "null": "null", "[]": "", "7": "", "true": ""} {
		v, got := jsonscan.Of([]byte(text)), ""
		switch {
		case v.IsObject():
			got = "object"
		case v.IsString():
			got = "string"
		case v.IsNull():
			got = "null"
		}
		if got != want {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
	}
}

func TestUnquoteWTF8(t *testing.T) {
	for quoted, want := range map[string]string{
		`"\ud83d\ude00"`:        "😀",
		`"\ud83d\ud83d\ude00"`:  "\xed\xa0\xbd😀",
		`"\ud83d\ud83d"`:        "\xed\xa0\xbd\xed\xa0\xbd",
		`"\ude00\ud83d\n"`:      "\xed\xb8\x80\xed\xa0\xbd\n",
		`"\u00e9\\u00e9\u0061"`: `é\u00e9a`,
		`"x\u0041"`:             "xA",
	} {
		if got := string(jsonscan.UnquoteWTF8([]byte(quoted))); got != want {
			t.Errorf("%s is read as %q, want %q", quoted, got, want)
		}
	}
}

func TestFindDuplicate(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1,"b":{"a":1}}`:             "",
		`{"a":1, "\u0061" : 2}`:           "/a 2}",
		`[{"a~/":1},{"a~/":1,"a~/":[2]}]`: "/1/a~0~1 [2]}]",
	} {
		got := ""
		if path, offset, found := jsonscan.FindDuplicate([]byte(text)); found {
			got = string(path) + " " + text[offset:]
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Half a surrogate pair survives, and everything else is as encoding/json has it.
func TestWTF8(t *testing.T) {
	piece := rapid.OneOf(jsontest.String(), rapid.SampledFrom([]string{"\xED\xA0\x80", "\xED\xAF\xBF", "\xED\xB0\x80", "\xED\xBF\xBF", `\ud83d`}))
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "|")
		quoted := jsonscan.AppendQuoteWTF8(nil, text)
		if got := string(jsonscan.UnquoteWTF8(quoted)); got != text {
			t.Fatalf("%q is quoted as %s and read as %q", text, quoted, got)
		}
		var want string
		if err := json.Unmarshal(quoted, &want); err != nil {
			t.Fatal(err)
		}
		if got := string(jsonscan.Unquote(quoted)); got != want || utf8.ValidString(text) && got != text {
			t.Fatalf("%s is read as %q, want %q", quoted, got, want)
		}
	})
}
