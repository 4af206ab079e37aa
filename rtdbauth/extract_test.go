package rtdbauth_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

// TestHeaderCharacters checks which characters a Bearer token (RFC 6750 section 2.1) and the name of
// a scheme (RFC 9110 section 5.6.2) may contain.
func TestHeaderCharacters(t *testing.T) {
	const (
		alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		b64token     = alphanumeric + "-._~+/"
		tchar        = alphanumeric + "!#$%&'*+-.^_`|~"
	)
	read := func(value string) rtdbauth.Principal {
		w := wire{method: "GET", path: "/a.json", headers: [][2]string{{"Authorization", value}}}
		return decide(w, verifier{}, rtdbauth.Policy{}).Principal
	}
	want := map[bool]rtdbauth.Principal{true: rtdbauth.Unspecified, false: rtdbauth.Rejected}
	for c := range rune(0x100) {
		if got := read("Bearer x" + string(c) + "x"); got != want[strings.ContainsRune(b64token, c)] {
			t.Errorf("a token with %q: %v", c, got)
		}
		if c == ' ' {
			continue // a space ends the name
		}
		isControl := c < ' ' && c != '\t' || c == 0x7f
		if got := read("Basic x" + string(c) + "x"); got != want[!isControl] {
			t.Errorf("a credential of another scheme with %q: %v", c, got)
		}
		if got := read("x" + string(c) + "x token"); got != want[strings.ContainsRune(tchar, c)] {
			t.Errorf("a scheme with %q: %v", c, got)
		}
	}
}

// TestTargetCharacters checks which characters the target of a request may contain as they are (RFC 9112 section 3.2).
func TestTargetCharacters(t *testing.T) {
	for c := range rune(0x80) {
		want := rtdbauth.None
		if c <= ' ' || c == '#' || c == 0x7f {
			want = rtdbauth.Rejected
		}
		w := wire{method: "GET", path: "/a.json", pairs: []string{"x" + string(c) + "x"}}
		if got := decide(w, verifier{}, rtdbauth.Policy{}).Principal; got != want {
			t.Errorf("a query with %q: %v, want %v", c, got, want)
		}
	}
}

// TestIsVisible compares isVisible, which examines several bytes at a time, with a search for each byte at each place.
func TestIsVisible(t *testing.T) {
	for length := range 40 {
		for at := range length {
			for c := range 0x100 {
				text := []byte(strings.Repeat("~!", length))[:length]
				text[at] = byte(c)
				if got, want := rtdbauth.IsVisible(string(text)), c > ' ' && c < 0x7f; got != want {
					t.Fatalf("%q is visible: %t, want %t", text, got, want)
				}
			}
		}
	}
}

// TestProblemTitle checks that the title of problem details is the outcome of the request.
func TestProblemTitle(t *testing.T) {
	for pair, want := range map[string]string{
		"auth=user-1":             "The request is granted access.",
		"auth=user-1&auth=user-1": "The request is rejected.",
		"auth=no-such-token":      "The request is refused, because its access is not specified.",
	} {
		d := decide(wire{method: "GET", path: "/a.json", pairs: []string{pair}}, good, rtdbauth.Policy{})
		if got := d.Problem(401).Title; got != want {
			t.Errorf("%s: %v, %q, want %q", pair, d.Principal, got, want)
		}
	}
}

// TestMaxCredentials checks the limit under a policy that accepts several credentials.
func TestMaxCredentials(t *testing.T) {
	policy := rtdbauth.Policy{LeastPrivilege: true}
	for n, want := range map[int]rtdbauth.Principal{
		rtdbauth.MaxCredentials - 1: rtdbauth.User,
		rtdbauth.MaxCredentials:     rtdbauth.User,
		rtdbauth.MaxCredentials + 1: rtdbauth.Rejected,
	} {
		d := decide(wire{method: "GET", path: "/a.json", pairs: slices.Repeat([]string{"auth=user-1"}, n)}, good, policy)
		if d.Principal != want {
			t.Errorf("%d credentials: %v, want %v", n, d.Principal, want)
		}
	}
}

// TestKeptStrings checks that a decision that is kept does not keep the URL alive.
func TestKeptStrings(t *testing.T) {
	url := "/users/jack.json?ns=my-database&x-http-method-override=PATCH&x=" + strings.Repeat("x", 100)
	policy := rtdbauth.Policy{Dialect: diag.Google}
	d := must(rtdbauth.Authenticate(t.Context(), rtdbauth.Message{Method: "POST", URL: rtdbauth.NewToken(url)}, verifier{}, policy, time.Time{}))
	got := []string{d.Location, d.Database, d.Method}
	if diff := cmp.Diff([]string{"/users/jack", "my-database", "PATCH"}, got); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	for _, s := range got {
		if unsafe.StringData(s) == unsafe.StringData(url[strings.Index(url, s):]) {
			t.Errorf("%q is a part of the URL", s)
		}
	}
}

// TestAccessTokenCharacters checks which characters an access token in the query has (RFC 6749 appendix A.12): visible ones
// and spaces.
func TestAccessTokenCharacters(t *testing.T) {
	for c := range rune(0x100) {
		token := "x" + string(c) + "x"
		facts := rtdbauth.Facts{Kind: rtdbauth.KindOAuthAccess, Verified: new(true), ServiceAccount: new(true), Expired: new(false)}
		m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken("/a.json?access_token=" + url.QueryEscape(token))}
		d := must(rtdbauth.Authenticate(t.Context(), m, perToken{token: facts}, rtdbauth.Policy{}, noon))
		isRejected := d.Principal == rtdbauth.Rejected
		if isVisible := c >= ' ' && c <= '~'; isRejected == isVisible {
			t.Errorf("a token with %q: %v, %v", c, d.Principal, d.Findings)
		}
	}
}
