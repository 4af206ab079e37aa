package form_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/form"
)

// verdict tests a check with strings that it must accept and reject.
func verdict(t *testing.T, name string, is func(string) bool, accept, refuse []string) {
	t.Helper()
	for _, s := range accept {
		if !is(s) {
			t.Errorf("%s rejects %.80q", name, s)
		}
	}
	for _, s := range refuse {
		if is(s) {
			t.Errorf("%s accepts %.80q", name, s)
		}
	}
}

func TestLongerThan(t *testing.T) {
	for _, test := range []struct {
		s     string
		limit int
		want  bool
	}{
		{"", 0, false},
		{"a", 0, true},
		{"abc", 3, false},
		{"abcd", 3, true},
		{"äöü", 3, false},             // six bytes
		{"äöüß", 3, true},             // eight bytes
		{"😀😀😀", 3, false},             // twelve bytes, the maximum for three characters
		{"😀😀😀a", 3, true},             // thirteen bytes, too many for three characters
		{"e\u0301", 1, true},          // code points, not grapheme clusters
		{"\xff\xff\xff", 3, false},    // not UTF-8: every byte is a character
		{"\xff\xff\xff\xff", 3, true}, //
		{strings.Repeat("é", 2048), 2048, false},
		{strings.Repeat("é", 2049), 2048, true},
		{"any", int(^uint(0) >> 1), false}, // no overflow
		{"", -1, true},
	} {
		if got := form.LongerThan(test.s, test.limit); got != test.want {
			t.Errorf("LongerThan(%.20q, %d) = %t", test.s, test.limit, got)
		}
	}
}

func TestIsEventID(t *testing.T) {
	verdict(t, "IsEventID", form.IsEventID,
		[]string{"abcde", "01234", "vvvvv", "0123456789abcdefghijklmnopqrstuv", strings.Repeat("a", 1024)},
		[]string{"", "abcd", strings.Repeat("a", 1025), "abcdw", "Abcde", "abc-de", "abcde ", "abcdé", "abcde\x00", "/bcde", ":bcde"})
}

func TestEventIDAlphabet(t *testing.T) {
	for s, want := range map[string]int{
		"":          -1,
		"a":         -1,
		"09av":      -1,
		"w":         0,
		"abcA":      3,
		"ab\xff":    2,
		"abécd-":    2,
		"Weekly-Sy": 0,
	} {
		if got := form.EventIDAlphabet(s); got != want {
			t.Errorf("EventIDAlphabet(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestIsMeetingCode(t *testing.T) {
	verdict(t, "IsMeetingCode", form.IsMeetingCode,
		[]string{"abc-mnop-xyz", "ABC-MNOP-XYZ", "aZa-zAZa-aZa"},
		[]string{"", "abcmnopxyz", "abcd-mno-xyz", "abc-mnop-xy", "abc-mnop-xyzz", "abc-mn0p-xyz", "abc_mnop-xyz", "abc-mnop-xyz\n", "ab@-mnop-xyz", "ab[-mnop-xyz", "ab--mnop-xyz"})
}

func TestIsContactName(t *testing.T) {
	verdict(t, "IsContactName", form.IsContactName,
		[]string{"people/c1", "people/c123456789", "people/me", "people/é"},
		[]string{"", "people", "people/", "People/c1", "/people/c1", "people/c1/x", "people//c1", "people/c 1", "people/c1\n", "people/\u00a0", "people/c\u3000", "contacts/c1"})
}
