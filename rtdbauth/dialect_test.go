package rtdbauth_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

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

// TestScopesWithoutBase checks that scopes of which no base could have both are rejected, although the
// base is unknown.
func TestScopesWithoutBase(t *testing.T) {
	const email, database = "/auth/userinfo.email", "/auth/platform.database"
	for name, c := range map[string]struct {
		scopes []string
		want   rtdbauth.Principal
	}{
		"unknown":         {nil, rtdbauth.Unspecified},
		"both":            {[]string{"https://a.example" + database, "https://a.example" + email}, rtdbauth.Unspecified},
		"both, and more":  {[]string{"https://b.example" + email, "https://a.example" + email, "https://a.example" + database}, rtdbauth.Unspecified},
		"none":            {[]string{}, rtdbauth.Rejected},
		"only email":      {[]string{"https://a.example" + email}, rtdbauth.Rejected},
		"only database":   {[]string{"https://a.example" + database}, rtdbauth.Rejected},
		"different bases": {[]string{"https://a.example" + email, "https://b.example" + database}, rtdbauth.Rejected},
		"empty base":      {[]string{email, database}, rtdbauth.Rejected},
	} {
		facts := factsThat(rtdbauth.KindOAuthAccess, yes)
		facts.Scopes = c.scopes
		d := decide(wire{method: "GET", path: "/a.json", pairs: []string{"access_token=t"}}, verifier{"t": facts}, rtdbauth.Policy{})
		if d.Principal != c.want {
			t.Errorf("%s: %v, want %v: %v", name, d.Principal, c.want, d.Findings)
		}
		var rules []string
		for _, f := range d.Findings {
			rules = append(rules, f.Rule.ID+" "+string(f.Path))
		}
		if diff := cmp.Diff([]string{"rtdb.service-account.scopes ?access_token"}, rules); diff != "" {
			t.Errorf("%s: rules and paths (-want +got):\n%s", name, diff)
		}
	}
}

// TestDialect sends the scopes and the addresses of the public service under both dialects.
func TestDialect(t *testing.T) {
	const token = `"known":{"t":{"kind":"oauth_access","issued_to":"service_account","verified":true,"expired":false,"db_permission":true,` +
		`"scopes":["https://www.googleapis.com/auth/userinfo.email","https://www.googleapis.com/auth/firebase.database"]}}`
	for line, want := range map[string]rtdbauth.Principal{
		`{"dialect":"google","method":"GET","url":"/a.json?access_token=t",` + token + `}`:                                   rtdbauth.ServiceAccount,
		`{"dialect":"google","method":"GET","url":"https://my-db.firebaseio.com/a.json?access_token=t",` + token + `}`:       rtdbauth.ServiceAccount,
		`{"dialect":"google","method":"GET","url":"https://my-db.europe-west1.firebasedatabase.app/a.json"}`:                 rtdbauth.None,
		`{"dialect":"google","method":"GET","url":"HTTPS://My-DB.FirebaseIO.com/a.json"}`:                                    rtdbauth.None,
		`{"dialect":"google","method":"GET","url":"https://My-DB.Europe-West1.FirebaseDatabase.App/a.json"}`:                 rtdbauth.None,
		`{"dialect":"google","method":"GET","url":"https://Ky.firebaseio.com/a.json"}`:                                       rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://my-db.firebaseio.com.example/a.json"}`:                            rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"http://my-db.firebaseio.com/a.json"}`:                                     rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https//my-db.firebaseio.com/a.json"}`:                                     rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://u@my-db.firebaseio.com/a.json"}`:                                  rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://my-db.example/a.json"}`:                                           rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://my-db..firebasedatabase.app/a.json"}`:                             rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://my-db.a.b.firebasedatabase.app/a.json"}`:                          rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://.firebaseio.com/a.json"}`:                                         rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"https://my-db.firebaseio.com"}`:                                           rtdbauth.Rejected,
		`{"dialect":"google","method":"GET","url":"my-db.firebaseio.com/a.json"}`:                                            rtdbauth.Rejected,
		`{"method":"GET","url":"https://my-db.firebaseio.com/a.json"}`:                                                       rtdbauth.Rejected,
		`{"method":"GET","url":"/a.json?access_token=t","policy":{"scope_base":"https://www.googleapis.com"},` + token + `}`: rtdbauth.Rejected,
		`{"dialect":"documents","method":"GET","url":"/a.json?access_token=t",` + token + `}`:                                rtdbauth.Rejected,
	} {
		if res := answerLine(t, line); res.Principal != want {
			t.Errorf("%s: %v, want %v: %v", line, res.Principal, want, res.Findings)
		}
	}
}
