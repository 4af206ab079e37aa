package rtdbauth_test

import (
	"context"
	"testing"

	"github.com/calrules/calrules/rtdbauth"
)

// knows is a verifier that knows the same about every token.
type knows struct{ facts rtdbauth.Facts }

func (k knows) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return k.facts, nil
}

// The table in the documentation of Facts: a needed fact that is unknown leaves the request unspecified, and a bad fact
// rejects it. The other facts of a kind have no effect.
func TestFactsThatKindsNeed(t *testing.T) {
	const base = "https://scope.example"
	yes, no, jack := new(true), new(false), "jack"
	good := rtdbauth.Facts{
		Verified: yes, Expired: no, Revoked: no, Audience: yes, Database: yes, ServiceAccount: yes, DBPermission: yes,
		Scopes: []string{base + "/auth/userinfo.email", base + "/auth/firebase.database", base + "/auth/platform.database"}, UID: &jack,
	}
	const needed, asked, free = "needed", "asked", "free"
	facts := []struct {
		name        string
		forget, bad func(*rtdbauth.Facts)
		kinds       [4]string // oauth_access, id_token, legacy_secret, legacy_token
	}{
		{"Verified", func(f *rtdbauth.Facts) { f.Verified = nil }, func(f *rtdbauth.Facts) { f.Verified = no }, [4]string{needed, needed, needed, needed}},
		{"ServiceAccount", func(f *rtdbauth.Facts) { f.ServiceAccount = nil }, func(f *rtdbauth.Facts) { f.ServiceAccount = no }, [4]string{needed, free, free, free}},
		{"Expired", func(f *rtdbauth.Facts) { f.Expired = nil }, func(f *rtdbauth.Facts) { f.Expired = yes }, [4]string{needed, needed, asked, asked}},
		{"Revoked", func(f *rtdbauth.Facts) { f.Revoked = nil }, func(f *rtdbauth.Facts) { f.Revoked = yes }, [4]string{asked, asked, needed, asked}},
		{"Expired and Revoked", func(f *rtdbauth.Facts) { f.Expired, f.Revoked = nil, nil }, func(f *rtdbauth.Facts) { f.Expired, f.Revoked = yes, yes },
			[4]string{needed, needed, needed, needed}},
		{"Scopes", func(f *rtdbauth.Facts) { f.Scopes = nil }, func(f *rtdbauth.Facts) { f.Scopes = []string{} }, [4]string{needed, free, free, free}},
		{"DBPermission", func(f *rtdbauth.Facts) { f.DBPermission = nil }, func(f *rtdbauth.Facts) { f.DBPermission = no }, [4]string{needed, free, free, free}},
		{"Audience", func(f *rtdbauth.Facts) { f.Audience = nil }, func(f *rtdbauth.Facts) { f.Audience = no }, [4]string{asked, needed, asked, asked}},
		{"Database", func(f *rtdbauth.Facts) { f.Database = nil }, func(f *rtdbauth.Facts) { f.Database = no }, [4]string{asked, asked, asked, asked}},
		{"UID", func(f *rtdbauth.Facts) { f.UID = nil }, func(f *rtdbauth.Facts) { f.UID = new("") }, [4]string{free, needed, free, free}},
	}
	kinds := []rtdbauth.Kind{rtdbauth.KindOAuthAccess, rtdbauth.KindIDToken, rtdbauth.KindLegacySecret, rtdbauth.KindLegacyToken}
	for i, kind := range kinds {
		decide := func(change func(*rtdbauth.Facts)) rtdbauth.Decision {
			f := good
			f.Kind = kind
			change(&f)
			url := "/a.json?auth=a.b.c"
			if kind == rtdbauth.KindOAuthAccess {
				url = "/a.json?access_token=a.b.c"
			}
			m := rtdbauth.Message{Method: "GET", URL: rtdbauth.NewToken(url)}
			policy := rtdbauth.Policy{ScopeBase: base, LegacyIn: []rtdbauth.Place{rtdbauth.InAuth}}
			return must(rtdbauth.Authenticate(t.Context(), m, knows{f}, policy, noon))
		}
		if d := decide(func(*rtdbauth.Facts) {}); !d.Granted() {
			t.Fatalf("%v with good facts is %v: %v", kind, d.Principal, d.Findings)
		}
		for _, fact := range facts {
			forgotten, bad := decide(fact.forget), decide(fact.bad)
			if got := forgotten.Principal == rtdbauth.Unspecified; got != (fact.kinds[i] == needed) {
				t.Errorf("%v without %s is %v", kind, fact.name, forgotten.Principal)
			}
			if got := bad.Principal == rtdbauth.Rejected; got != (fact.kinds[i] != free) {
				t.Errorf("%v with a bad %s is %v", kind, fact.name, bad.Principal)
			}
		}
	}
}
