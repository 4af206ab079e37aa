package diag_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
)

// The pointers of RFC 6901 section 5 with their tokens and, from section 6, their fragments.
func TestPointerOfTheRFC(t *testing.T) {
	for _, test := range []struct {
		pointer  diag.Pointer
		tokens   []string
		fragment string
	}{
		{"", nil, "#"},
		{"/foo", []string{"foo"}, "#/foo"},
		{"/foo/0", []string{"foo", "0"}, "#/foo/0"},
		{"/", []string{""}, "#/"},
		{"/a~1b", []string{"a/b"}, "#/a~1b"},
		{"/c%d", []string{"c%d"}, "#/c%25d"},
		{"/e^f", []string{"e^f"}, "#/e%5Ef"},
		{"/g|h", []string{"g|h"}, "#/g%7Ch"},
		{`/i\j`, []string{`i\j`}, "#/i%5Cj"},
		{`/k"l`, []string{`k"l`}, "#/k%22l"},
		{"/ ", []string{" "}, "#/%20"},
		{"/m~0n", []string{"m~n"}, "#/m~0n"},
		{"/~01", []string{"~1"}, "#/~01"}, // section 4: ~01 is not /
	} {
		if got := slices.Collect(test.pointer.Tokens()); !slices.Equal(got, test.tokens) {
			t.Errorf("tokens of %q: %q, want %q", test.pointer, got, test.tokens)
		}
		if got := test.pointer.Fragment(); got != test.fragment {
			t.Errorf("fragment of %q: %s, want %s", test.pointer, got, test.fragment)
		}
		if !test.pointer.InBody() {
			t.Errorf("%q is not in the body", test.pointer)
		}
		var built diag.Pointer
		for _, token := range test.tokens {
			built = built.Member(token)
		}
		if built != test.pointer {
			t.Errorf("built from %q: %q, want %q", test.tokens, built, test.pointer)
		}
	}
}

func TestPointerOutsideTheBody(t *testing.T) {
	for _, p := range []diag.Pointer{"?maxAttendees", "#Authorization", "?a/b", "#"} {
		if p.InBody() {
			t.Errorf("%q is in the body", p)
		}
		if tokens := slices.Collect(p.Tokens()); len(tokens) > 0 {
			t.Errorf("%q has the tokens %q", p, tokens)
		}
	}
}

func TestPointerIndex(t *testing.T) {
	if got := diag.Pointer("/attendees").Index(12).Member("email"); got != "/attendees/12/email" {
		t.Errorf("got %q", got)
	}
}

func TestPointerTokensStop(t *testing.T) {
	for token := range diag.Pointer("/a/b").Tokens() {
		if token != "a" {
			t.Errorf("the loop continues after break, with %q", token)
		}
		break
	}
}

// Tokens, and the decoded fragment, return any names from which a pointer was built.
func TestPointerTellsItsTokens(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tokens := rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("~/01%#? é"))))).Draw(t, "tokens")
		var p diag.Pointer
		for _, token := range tokens {
			p = p.Member(token)
		}
		if got := slices.Collect(p.Tokens()); !slices.Equal(got, tokens) && len(tokens) > 0 {
			t.Fatalf("tokens of %q: %q, want %q", p, got, tokens)
		}
		fragment, ok := strings.CutPrefix(p.Fragment(), "#")
		decoded, err := url.PathUnescape(fragment)
		if !ok || err != nil || decoded != string(p) {
			t.Fatalf("the fragment %q of %q is %q, %v", p.Fragment(), p, decoded, err)
		}
	})
}

func TestPointerJSON(t *testing.T) {
	text, err := json.Marshal(map[diag.Pointer]diag.Pointer{"/a~1b": "?c"})
	if err != nil || string(text) != `{"/a~1b":"?c"}` {
		t.Errorf("JSON %s, %v", text, err)
	}
}
