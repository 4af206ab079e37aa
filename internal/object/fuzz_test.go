package object_test

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/limits"
)

// FuzzDecode holds decoding equal to encoding/json on bytes that nobody meant, where the two
// are to agree: encoding/json mends what is no UTF-8, and knows neither the limit of depth
// nor repeated names, for which there are slow functions here. Beside these seeds,
// testdata/fuzz has more, and whatever the fuzzer has found.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{}`, ` {"text":"a","count":1.0,"lines":["x",5],"map":{"a":null},"parts":[{"name":"n"},7],"x":{"y":[1e400]}} `,
		`{"text":"\ud83d\ude00"}`, `{"text":"\ud83d"}`, `{"text":"a","t\u0065xt":"b"}`, `{"any":{"a":1,"a":2}}`, "{\"\xff\":1}", "\ufeff{}",
		`{"count":-0}`, `{"count":01}`, `[{}]`, `null`, ``, `{"part":`, `{} {}`, `{"x":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}`,
		`{"x":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 10_000 {
			return // there may be more problems than are told
		}
		v := new(thing)
		var syntax, duplicate bool
		last := 0
		for i, p := range thingTable.Decode([]byte(text), v, object.NullIsKept) {
			if syntax {
				t.Fatalf("%q: problem %d, %+v, follows the syntax error", text, i, p)
			}
			if p.Offset < 0 || p.Offset > len(text) {
				t.Fatalf("%q: %+v is outside the text", text, p)
			}
			last = p.Offset
			syntax = syntax || p.Fault == object.Syntax
			duplicate = duplicate || p.Fault == object.Duplicate
		}
		if want := !naiveIsObject(text); syntax != want {
			t.Fatalf("%q: a syntax error %t, want %t (at %d)", text, syntax, want, last)
		}
		if syntax {
			return
		}
		if want := naiveRepeats(text); duplicate != want {
			t.Fatalf("%q: a repeated name %t, want %t", text, duplicate, want)
		}
		if written := encode(v); !naiveIsObject(written) {
			t.Fatalf("%q is written as %q", text, written)
		} else if !duplicate && !strings.ContainsAny(text, "eE") { // large exponents are exact only at great length
			if !reflect.DeepEqual(value(t, text), value(t, written)) { // cmp.Diff takes exponential time for deep arrays
				t.Fatalf("%q is written as %q", text, written)
			}
		}
	})
}

// naiveIsObject reports whether the text is one JSON object, in UTF-8 and not too deep.
func naiveIsObject(text string) bool {
	return naiveIsJSON(text) && strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{")
}

// naiveIsJSON reports whether the text is one JSON value, in UTF-8 and not too deep.
func naiveIsJSON(text string) bool {
	return json.Valid([]byte(text)) && utf8.ValidString(text) && naiveDepth(text) <= limits.JSONMaxDepth && !naiveLoneSurrogate(text)
}

func naiveDepth(text string) int {
	deepest, depth := 0, 0
	for d := json.NewDecoder(strings.NewReader(text)); ; {
		switch token, err := d.Token(); {
		case err != nil:
			return deepest
		case token == json.Delim('{'), token == json.Delim('['):
			depth++
			deepest = max(deepest, depth)
		case token == json.Delim('}'), token == json.Delim(']'):
			depth--
		}
	}
}

// naiveLoneSurrogate reports whether an escape in a valid text is half of a pair.
func naiveLoneSurrogate(text string) bool {
	escape := func(i int) rune { // of the escape at i, or 0
		if i+6 > len(text) || text[i:i+2] != `\u` {
			return 0
		}
		n, _ := strconv.ParseUint(text[i+2:i+6], 16, 32)
		return rune(n)
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		r := escape(i)
		if utf16.IsSurrogate(r) {
			if utf16.DecodeRune(r, escape(i+6)) == utf8.RuneError {
				return true
			}
			i += 6
		}
		i++ // what is escaped is no backslash that escapes
	}
	return false
}

// naiveRepeats reports whether an object in a valid text repeats a name.
func naiveRepeats(text string) bool {
	d := json.NewDecoder(strings.NewReader(text))
	repeats := false
	var visit func()
	visit = func() {
		token, _ := d.Token()
		switch token {
		case json.Delim('['):
			for d.More() {
				visit()
			}
			_, _ = d.Token()
		case json.Delim('{'):
			seen := map[string]bool{}
			for d.More() {
				token, _ := d.Token()
				name := token.(string)
				repeats = repeats || seen[name]
				seen[name] = true
				visit()
			}
			_, _ = d.Token()
		}
	}
	visit()
	return repeats
}
