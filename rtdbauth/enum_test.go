package rtdbauth_test

import (
	"fmt"
	"testing"

	"github.com/calrules/calrules/rtdbauth"
)

// TestNameOfInvalidValue checks that a value beyond the last one has the name of the zero value.
func TestNameOfInvalidValue(t *testing.T) {
	for _, c := range []struct{ last, next, most, zero fmt.Stringer }{
		{rtdbauth.Yes, rtdbauth.Yes + 1, rtdbauth.Fact(255), rtdbauth.Unknown},
		{rtdbauth.InAuth, rtdbauth.InAuth + 1, rtdbauth.Place(255), rtdbauth.Place(0)},
		{rtdbauth.KindOther, rtdbauth.KindOther + 1, rtdbauth.Kind(255), rtdbauth.KindUnknown},
		{rtdbauth.Legacy, rtdbauth.Legacy + 1, rtdbauth.Principal(255), rtdbauth.Unspecified},
		{rtdbauth.SentOtherScheme, rtdbauth.SentOtherScheme + 1, rtdbauth.Sent(255), rtdbauth.SentNothing},
		{rtdbauth.RuledLeast, rtdbauth.RuledLeast + 1, rtdbauth.Ruling(255), rtdbauth.NoRuling},
	} {
		zero := c.zero.String()
		if c.last.String() == zero || c.next.String() != zero || c.most.String() != zero {
			t.Errorf("%T: the last is %q, the next %q and the greatest %q", c.zero, c.last, c.next, c.most)
		}
	}
}

// TestInvalidValueGrantsNothing takes requests that are granted access, and gives one fact a value that
// its enumeration does not have. The request is then unspecified.
func TestInvalidValueGrantsNothing(t *testing.T) {
	policy := rtdbauth.Policy{ScopeBase: scopeBase, LegacyIn: []rtdbauth.Place{rtdbauth.InHeader}}
	for _, c := range []struct {
		name   string
		kind   rtdbauth.Kind
		place  rtdbauth.Place
		change func(*rtdbauth.Facts)
	}{
		{"kind", rtdbauth.KindOAuthAccess, rtdbauth.InHeader, func(f *rtdbauth.Facts) { f.Kind = rtdbauth.KindOther + 1 }},
		{"greatest kind", rtdbauth.KindIDToken, rtdbauth.InAuth, func(f *rtdbauth.Facts) { f.Kind = 255 }},
	} {
		facts := factsThat(c.kind, yes)
		if d := decide(presenting(c.place), verifier{"t": facts}, policy); !d.Granted() {
			t.Errorf("%s: the original request is granted nothing: %v", c.name, d.Findings)
		}
		c.change(&facts)
		d := decide(presenting(c.place), verifier{"t": facts}, policy)
		if d.Principal != rtdbauth.Unspecified {
			t.Errorf("%s: %v", c.name, d.Principal)
		}
		checkReasons(t, d)
	}
}

// presenting returns a request with the token "t" in each of the places.
func presenting(places ...rtdbauth.Place) wire {
	w := wire{method: "GET", path: "/users.json"}
	for _, place := range places {
		if place == rtdbauth.InHeader {
			w.headers = append(w.headers, [2]string{"Authorization", "Bearer t"})
		} else {
			w.pairs = append(w.pairs, place.String()+"=t")
		}
	}
	return w
}

// TestAccess checks what a decision grants.
func TestAccess(t *testing.T) {
	for _, c := range []struct {
		principal rtdbauth.Principal
		bypass    bool
		rules     string
		want      string
	}{
		{rtdbauth.None, false, "apply", "public"},
		{rtdbauth.User, false, "apply", "rules"},
		{rtdbauth.Legacy, true, "bypass", "full"},
		{rtdbauth.Rejected, false, "n/a", "none"},
	} {
		d := rtdbauth.Decision{Principal: c.principal, Bypass: c.bypass}
		if d.Access() != "none" || d.Granted() {
			t.Errorf("%v without a location: %s", c.principal, d.Access())
		}
		d.Location = "/"
		if d.Access() != c.want || d.Rules() != c.rules || d.Granted() != (c.want != "none") {
			t.Errorf("%v: %s", c.principal, d.Access())
		}
	}
}
