package rtdbauth_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

func TestRequiredScopes(t *testing.T) {
	for name, c := range map[string]struct {
		policy rtdbauth.Policy
		want   [2]string
		ok     bool
	}{
		"documents":      {rtdbauth.Policy{ScopeBase: scopeBase}, [2]string{scopeBase + "/auth/userinfo.email", scopeBase + "/auth/platform.database"}, true},
		"slash":          {rtdbauth.Policy{ScopeBase: scopeBase + "/"}, [2]string{scopeBase + "/auth/userinfo.email", scopeBase + "/auth/platform.database"}, true},
		"without a base": {rtdbauth.Policy{}, [2]string{"/auth/userinfo.email", "/auth/platform.database"}, false},
		"google":         {rtdbauth.Policy{Dialect: diag.Google}, [2]string{"https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/firebase.database"}, true},
		"google, a base": {rtdbauth.Policy{Dialect: diag.Google, ScopeBase: scopeBase}, [2]string{scopeBase + "/auth/userinfo.email", scopeBase + "/auth/firebase.database"}, true},
	} {
		if got, ok := c.policy.RequiredScopes(); got != c.want || ok != c.ok {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
}

// The public service's address of a database is not a part of the location, in its dialect.
func TestAddressOfDatabase(t *testing.T) {
	const noSlash = "The path does not begin with a slash. Write it relative to the database, with a slash before it."
	const noSuffix = "The path does not end with .json in lower case. Add .json to the path of the location."
	for target, want := range map[string]string{
		"https://db.firebaseio.com/a.json":                         "/a",
		"HTTPS://DB.firebaseio.com/a.json":                         "/a",
		"https://db.europe-west1.firebasedatabase.app/a.json":      "/a",
		"https://db.firebaseio.com/":                               noSuffix,
		"https://db.firebaseio.com":                                noSlash,
		"http://db.firebaseio.com/a.json":                          noSlash,
		"https://db.example.com/a.json":                            noSlash,
		"https://a.b.europe-west1.firebasedatabase.app/a.json":     noSlash,
		"https://db.europe-west1.firebasedatabase.app.evil/a.json": noSlash,
		"https://db\u212aey.firebaseio.com/a.json":                 noSlash,
	} {
		d := decide(wire{method: "GET", path: target}, good, rtdbauth.Policy{Dialect: diag.Google})
		got := d.Location
		if len(d.Findings) > 0 {
			got = d.Findings[0].Message()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", target, got, want)
		}
	}
}
