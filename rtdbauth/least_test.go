package rtdbauth_test

import (
	"context"
	"testing"

	"github.com/calrules/calrules/rtdbauth"
)

// perToken is a verifier that knows tokens by their text.
type perToken map[string]rtdbauth.Facts

func (p perToken) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	return p[token.Reveal()], nil
}

// With the least privilege, a rejected credential counts less than an unspecified one, and that less than a good one. A
// rejected request has no location, since it has no access to it.
func TestLeastOfSeveral(t *testing.T) {
	uid := "jack"
	good := rtdbauth.Facts{Kind: rtdbauth.KindIDToken, Verified: new(true), Expired: new(false), Audience: new(true), UID: &uid}
	open := good
	open.Audience = nil
	bad := good
	bad.Verified = new(false)
	other := good
	other.UID = new("jill")
	tokens := perToken{"a.good.a": good, "a.open.a": open, "a.bad.a": bad, "a.other.a": other}
	for _, test := range []struct {
		query    string
		want     rtdbauth.Principal
		location string
	}{
		{"auth=a.good.a&auth=a.good.a", rtdbauth.User, "/users/jack"},
		{"auth=a.good.a&auth=a.open.a", rtdbauth.Unspecified, ""},
		{"auth=a.open.a&auth=a.good.a", rtdbauth.Unspecified, ""},
		{"auth=a.open.a&auth=a.bad.a", rtdbauth.Rejected, ""},
		{"auth=a.bad.a&auth=a.open.a", rtdbauth.Rejected, ""},
		{"auth=a.bad.a&auth=a.good.a", rtdbauth.Rejected, ""},
		{"auth=a.good.a&auth=a.other.a", rtdbauth.Rejected, ""}, // two users, of whom none is granted less
		{"auth=a.bad.a", rtdbauth.Rejected, ""},
		{"auth=a.good.a", rtdbauth.User, "/users/jack"},
	} {
		m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken("/users/jack.json?" + test.query)}
		d := must(rtdbauth.Authenticate(t.Context(), m, tokens, rtdbauth.Policy{LeastPrivilege: true}, noon))
		if d.Principal != test.want || d.Location != test.location || (d.Subject != "") != (test.want == rtdbauth.User) {
			t.Errorf("%s: %v %q at %q, want %v at %q: %v", test.query, d.Principal, d.Subject, d.Location, test.want, test.location, d.Findings)
		}
	}
}
