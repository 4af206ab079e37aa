package form_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/form"
)

func TestIsAddrSpec(t *testing.T) {
	verdict(t, "IsAddrSpec", form.IsAddrSpec, addresses, []string{
		"", "@", "a", "a@", "@b", "a@b@c", "a b@c", "a@b c", " a@b", "a@b ", "a@b\n", "a\r\n@b",
		".a@b", "a.@b", "a..b@c", "a@.b", "a@b.", "a@b..c",
		"John Doe <jdoe@machine.example>",        // RFC 5322 appendix A.1.1: a mailbox
		"<jdoe@machine.example>",                 //
		"jdoe@machine.example (home)",            // a comment
		"pete(his account)@silly.test",           // RFC 5322 appendix A.5
		"undisclosed-recipients:;",               // a group
		"john.q . public@example.com",            // RFC 5322 appendix A.6.1: obs-local-part
		`"a".b@example.com`, `a."b"@example.com`, // obs-local-part
		"a@b, c@d", // a list
		"mailto:a@b@c", "jané@example.com", "a@exämple.com", "a@b\u3002c",
		`"a@example.com`, `"a"b@example.com`, `a"b"@example.com`, `"a`, `"`, `"\`, `"a\`, `"\"@b`,
		"\"a\nb\"@example.com", "\"a\r\n b\"@example.com", "\"a\x00b\"@c", "\"\\\x01\"@c", "\"\x7f\"@c", "\"\\é\"@c", `"é"@c`,
		"a@[", "a@]", "a@[b", "a@[b]c", "a@[b c]", "a@[b[c]", `a@[b\c]`, "a@[b]]", "a@[é]", "[b]", "@[b]",
		"a\x00@b", "a@b\x00", "\xff@b", "a,b@c", "a;b@c", "a:b@c", "a(b@c", `a\b@c`, "a[b@c",
	})
}

func TestSameAddress(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"a@example.com", "a@example.com", true},
		{"a@example.com", "a@Example.COM", true},
		{"a@AZ.example", "a@az.example", true},
		{"A@example.com", "a@example.com", false}, // only the host may interpret it
		{"a@example.com", "b@example.com", false},
		{"a@example.com", "a@example.co", false},
		{"@example.com", "@Example.COM", true}, // the domain follows the @, even after an empty local part
		{`"a@B"@c`, `"a@B"@C`, true},
		{`"a@B"@c`, `"a@b"@c`, false},
		{"a@k.example", "a@\u212A.example", false}, // the Kelvin sign
		{"a@{", "a@[", false},                      // 0x20 apart, but not letters
		{"abc", "ABC", false},                      // without an @ there is no domain
		{"abc@", "abc", false},
		{"", "", true},
	} {
		if got := form.SameAddress(test.a, test.b); got != test.want {
			t.Errorf("SameAddress(%q, %q) = %t", test.a, test.b, got)
		}
	}
}

// TestAddressLong would not end if the scan took quadratic time.
func TestAddressLong(t *testing.T) {
	const n = 1 << 19
	for _, s := range []string{
		strings.Repeat("a.", n), strings.Repeat("a", n), strings.Repeat("@", n),
		`"` + strings.Repeat(`\"`, n), `"` + strings.Repeat(" ", n), "a@[" + strings.Repeat("[", n),
	} {
		if form.IsAddrSpec(s) {
			t.Errorf("IsAddrSpec accepts %.10q...", s)
		}
	}
}
