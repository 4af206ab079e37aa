package rtdbauth_test

import (
	"context"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
)

var public = rtdbauth.Policy{Dialect: diag.Google}

// owner is the verifier of an emulator that knows no other token.
var owner = public.EmulatorOwner(nil)

// asOwner returns a request of the owner of an emulator.
func asOwner(method, target string, headers ...[2]string) wire {
	return wire{method: method, path: target, headers: append([][2]string{{"Authorization", "Bearer owner"}}, headers...)}
}

// TestPublicDecision compares what only the dialect of the public service adds to a decision. The conformance cases have the rest.
func TestPublicDecision(t *testing.T) {
	const address = "https://my-db.firebaseio.com"
	type added struct{ Method, Database, Location, Override string }
	for name, c := range map[string]struct {
		request wire
		want    added
	}{
		"nothing":               {asOwner("GET", "/a.json"), added{Method: "GET", Location: "/a"}},
		"override of the POST":  {asOwner("POST", "/a.json", [2]string{"x-http-method-override", " PATCH "}), added{Method: "PATCH", Location: "/a"}},
		"override of the GET":   {asOwner("GET", "/a.json", [2]string{"X-HTTP-Method-Override", "DELETE"}), added{Method: "GET", Location: "/a"}},
		"override by parameter": {asOwner("POST", "/a.json?x-http-method-override=DELETE"), added{Method: "DELETE", Location: "/a"}},
		"two overrides":         {asOwner("POST", "/a.json?x-http-method-override=GET", [2]string{"X-HTTP-Method-Override", "PUT"}), added{Location: "/a"}},
		"database":              {asOwner("GET", "/a.json?ns=my-db"), added{Method: "GET", Database: "my-db", Location: "/a"}},
		"database in the host":  {asOwner("GET", "HTTPS://My-DB.firebaseio.com/a.json"), added{Method: "GET", Database: "my-db", Location: "/a"}},
		"both":                  {asOwner("GET", address+"/a.json?ns=my-db"), added{Method: "GET", Database: "my-db", Location: "/a"}},
		"two databases":         {asOwner("GET", address+"/a.json?ns=other"), added{Method: "GET"}},
		"object": {asOwner("GET", `/a.json?auth_variable_override={"uid":"ada",+"x":[1]}+`),
			added{Method: "GET", Location: "/a", Override: `{"uid":"ada", "x":[1]}`}},
		"null":     {asOwner("GET", "/a.json?auth_variable_override=null"), added{Method: "GET", Location: "/a", Override: "null"}},
		"rejected": {asOwner("GET", "/a.json?ns=my-db&auth_variable_override=1"), added{}},
	} {
		d := decide(c.request, owner, public)
		if c.want.Method == "" {
			c.want = added{} // the request is not accepted
		}
		if diff := cmp.Diff(c.want, added{d.Method, d.Database, d.Location, d.Override.Reveal()}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestEmulatorOwner checks that the verifier knows one token, and asks another verifier about the others.
func TestEmulatorOwner(t *testing.T) {
	v := (&rtdbauth.Policy{ScopeBase: scopeBase}).EmulatorOwner(good)
	for _, c := range []struct {
		request wire
		want    rtdbauth.Principal
	}{
		{asOwner("GET", "/a.json"), rtdbauth.ServiceAccount},
		{wire{method: "GET", path: "/a.json?access_token=owner"}, rtdbauth.ServiceAccount},
		{wire{method: "GET", path: "/a.json?auth=owner"}, rtdbauth.Rejected},
		{wire{method: "GET", path: "/a.json?access_token=Owner"}, rtdbauth.Unspecified},
		{wire{method: "GET", path: "/a.json?auth=user-1"}, rtdbauth.User},
	} {
		if d := decide(c.request, v, rtdbauth.Policy{ScopeBase: scopeBase}); d.Principal != c.want {
			t.Errorf("%+v: %v, want %v: %v", c.request, d.Principal, c.want, d.Findings)
		}
	}
	if d := decide(asOwner("GET", "/a.json"), good, public); d.Granted() {
		t.Errorf("a verifier that is not an emulator's grants %v to the owner", d.Principal)
	}
}

// TestForwardQuery forwards decisions as a service account. The library reads the same principal in the forwarded request.
func TestForwardQuery(t *testing.T) {
	for name, c := range map[string]struct {
		request wire
		want    string
	}{
		"nobody":                 {wire{method: "GET", path: "/a.json"}, "auth_variable_override=null"},
		"user":                   {wire{method: "GET", path: "/a.json?auth=user-1"}, "auth_variable_override=%7B%22uid%22%3A%22jill%22%7D"},
		"service account":        {asOwner("GET", "/a.json"), ""},
		"limited":                {asOwner("GET", "/a.json?auth_variable_override={%22a%22:1}"), "auth_variable_override=%7B%22a%22%3A1%7D"},
		"limited to nobody":      {asOwner("GET", "/a.json?auth_variable_override=null"), "auth_variable_override=null"},
		"secret":                 {wire{method: "GET", path: "/a.json?auth=secret-1"}, ""},
		"rejected":               {wire{method: "GET", path: "/a.json?auth=other-1"}, "error"},
		"unspecified":            {wire{method: "GET", path: "/a.json?auth=nobody-1"}, "error"},
		"no location":            {asOwner("GET", "//a.json"), "error"},
		"legacy under the rules": {wire{method: "GET", path: "/a.json?access_token=secret-1"}, "error"},
	} {
		policy := public
		if strings.HasPrefix(name, "legacy") {
			policy.LegacyIn = []rtdbauth.Place{rtdbauth.InAccessToken}
		}
		got, err := decide(c.request, public.EmulatorOwner(good), policy).ForwardQuery()
		if err != nil {
			got += "error"
		}
		if got != c.want {
			t.Errorf("%s: %q (%v), want %q", name, got, err, c.want)
		}
	}
}

// identity is a verifier that takes every token for an identity token of one user.
type identity string

func (uid identity) VerifyToken(context.Context, rtdbauth.Place, rtdbauth.Token) (rtdbauth.Facts, error) {
	return rtdbauth.Facts{
		Kind: rtdbauth.KindIDToken, Verified: new(true), Expired: new(false), Audience: new(true), UID: new(string(uid)),
	}, nil
}

// TestForwardQueryHasNoInjection uses ids of users that try to be somebody else, another parameter or another credential.
func TestForwardQueryHasNoInjection(t *testing.T) {
	uids := rapid.OneOf(rapid.StringN(1, -1, -1), rapid.SampledFrom([]string{
		`ada","uid":"admin`, `ada"}&auth_variable_override={"uid":"admin`, "ada&access_token=owner", "ada#", "ada%22", `\`, "a+b c", "null", "\u2028<>&", "\x00", "é",
	}))
	rapid.Check(t, func(t *rapid.T) {
		uid := uids.Draw(t, "uid")
		query, err := decide(wire{method: "GET", path: "/a.json?auth=id"}, identity(uid), public).ForwardQuery()
		if err != nil {
			t.Fatal(err)
		}
		if params, err := url.ParseQuery(query); err != nil || len(params) != 1 || len(params["auth_variable_override"]) != 1 {
			t.Fatalf("%q: %v, %v", query, params, err)
		}
		d := decide(asOwner("GET", "/a.json?"+query), owner, public)
		if d.Bypass || d.Subject != uid || d.Principal != rtdbauth.ServiceAccount {
			t.Fatalf("%q is forwarded as %q, %v %v: %v", uid, query, d.Principal, d.Subject, d.Findings)
		}
	})
	if query, err := (rtdbauth.Decision{Principal: rtdbauth.User, Subject: "a\xff", Location: "/"}).ForwardQuery(); err == nil {
		t.Errorf("a uid that is not UTF-8 is forwarded as another one: %q", query)
	}
}
