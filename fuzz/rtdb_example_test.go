package fuzz_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/rtdbauth"
)

// guarded returns a database behind the middleware, for the tokens and under the policy of one
// request. A server of yours takes the tokens from the request's Known where it would
// otherwise ask a token service.
func guarded(req *rtdbauth.Request) http.Handler {
	guard := rtdbauth.Guard{
		Verifier: req.Known,
		Policy:   req.Policy,
		Now:      func() time.Time { return req.Known.Now },
	}
	return guard.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, _ := rtdbauth.FromContext(r.Context())
		fmt.Fprint(w, d.Principal)
	}))
}

// The examples go through seeds; in a test of yours, put the property into rapid.Check.
func ExampleRTDBRequest() {
	answers := map[string]int{}
	for seed := range 500 {
		r := fuzz.RTDBRequest().Example(seed)
		in, err := r.HTTP()
		if err != nil {
			fmt.Println(err)
			return
		}
		w := httptest.NewRecorder()
		guarded(r.Request()).ServeHTTP(w, in)

		want := rtdbauth.Check(r.Request()) // the verdict of a correct server
		if got := w.Body.String(); w.Code == http.StatusOK && got != want.Principal.String() {
			fmt.Printf("served as %s: %v\n", got, r)
		}
		if want.Granted() {
			answers[want.Principal.String()]++
		}
	}
	for _, principal := range []string{"none", "user", "service_account", "legacy"} {
		fmt.Println(principal, answers[principal] > 10)
	}
	// Output:
	// none true
	// user true
	// service_account true
	// legacy true
}

// A server that is careless with queries: url.URL.Query takes the first of several values and
// drops pairs that it cannot read.
func ExampleRTDB_HTTP() {
	careless := func(req *rtdbauth.Request) http.Handler {
		inner := guarded(req)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			query := r.URL.Query()
			for name := range query {
				query.Set(name, query.Get(name))
			}
			r.URL.RawQuery = query.Encode()
			inner.ServeHTTP(w, r)
		})
	}

	letIn := map[string]bool{}
	payloads := fuzz.Violating("rtdb.one-credential")
	for seed := range 500 {
		p := payloads.Example(seed)
		in, err := p.RTDB.HTTP()
		if err != nil {
			continue // net/http does not let such a request through
		}
		w := httptest.NewRecorder()
		careless(p.RTDB.Request()).ServeHTTP(w, in)
		if w.Code == http.StatusOK && !p.Accepted {
			letIn[p.Way] = true
		}
	}
	for _, way := range []string{"auth repeated", "malformed escape", "header and auth"} {
		fmt.Printf("%s: let in %t\n", way, letIn[way])
	}
	// Output:
	// auth repeated: let in true
	// malformed escape: let in true
	// header and auth: let in false
}
