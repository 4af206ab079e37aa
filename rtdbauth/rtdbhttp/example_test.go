package rtdbhttp_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// tokens is a verifier that knows one identity token.
type tokens struct{}

func (tokens) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if token.Reveal() != "a.signed.token" { // a real verifier checks the signature
		return rtdbauth.Facts{Verified: new(false)}, nil
	}
	uid := "jack"
	return rtdbauth.Facts{
		Kind: rtdbauth.KindIDToken, Verified: new(true), Expired: new(false), Audience: new(true), UID: &uid,
	}, nil
}

func ExampleGuard() {
	guard := rtdbhttp.Guard{
		Verifier: tokens{},
		Now:      func() time.Time { return time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC) }, // time.Now
	}
	handler, err := guard.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, _ := rtdbhttp.FromContext(r.Context())
		fmt.Fprintln(w, d.Principal, d.Subject)
	}))
	if err != nil {
		fmt.Println(err)
		return
	}

	for _, target := range []string{"/users/jack.json?auth=a.signed.token", "/users/jack.json?access_token=a.signed.token"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 user jack
	//
	// 403 {"error":"The identity token is sent in the header or as access_token. Send it as auth."}
}

// serviceAccounts is a verifier that knows one access token. A real one asks the issuer, as Google's tokeninfo endpoint.
type serviceAccounts struct{}

func (serviceAccounts) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if token.Reveal() != "an.access.token" {
		return rtdbauth.Facts{Verified: new(false)}, nil
	}
	return rtdbauth.Facts{
		Kind: rtdbauth.KindOAuthAccess, Verified: new(true), Expired: new(false), ServiceAccount: new(true), DBPermission: new(true),
		Scopes: []string{"https://www.googleapis.com/auth/userinfo.email", "https://www.googleapis.com/auth/firebase.database"},
	}, nil
}

// An access token needs the scopes of the policy. The operator sees which facts a verifier leaves out.
func ExampleGuard_scopes() {
	policy := rtdbauth.Policy{Dialect: diag.Google}
	scopes, _ := policy.RequiredScopes()
	fmt.Println(scopes)

	guard := rtdbhttp.Guard{Verifier: serviceAccounts{}, Policy: policy, Now: time.Now}
	handler, err := guard.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, _ := rtdbhttp.FromContext(r.Context())
		fmt.Fprintln(w, d.Principal)
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	r := httptest.NewRequest("GET", "https://name.firebaseio.com/users.json", nil)
	r.Header.Set("Authorization", "Bearer an.access.token")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	fmt.Print(w.Code, " ", w.Body)
	// Output:
	// [https://www.googleapis.com/auth/userinfo.email https://www.googleapis.com/auth/firebase.database]
	// 200 service_account
}

func ExampleForward() {
	guard := rtdbhttp.Guard{Verifier: tokens{}, Policy: rtdbauth.Policy{Dialect: diag.Google}}
	handler, err := guard.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, _ := rtdbhttp.FromContext(r.Context())
		out, err := rtdbhttp.Forward(r, d)
		if err != nil {
			http.Error(w, err.Error(), http.StatusForbidden)
			return
		}
		out.Header.Set("Authorization", "Bearer the-access-token")
		fmt.Fprintln(w, out.Method, out.URL)
	}))
	if err != nil {
		fmt.Println(err)
		return
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest("GET", "/users/jack.json?print=pretty&auth=a.signed.token", nil))
	fmt.Print(w.Body)
	// Output: GET /users/jack.json?print=pretty&auth_variable_override=%7B%22uid%22%3A%22jack%22%7D
}

func ExampleStrip() {
	r := httptest.NewRequest("GET", "/users/jack.json?print=pretty&auth=a.signed.token", nil)
	fmt.Println(rtdbhttp.Strip(r).URL)
	// Output: /users/jack.json?print=pretty
}
