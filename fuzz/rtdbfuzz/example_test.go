package rtdbfuzz_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/fuzz/rtdbfuzz"
	"github.com/calrules/calrules/rtdbauth/rtdbhttp"
)

// guarded returns a database behind the middleware, with the tokens and the policy of one request.
// In a test of your own server, the verifier replaces the token service.
func guarded(r rtdbfuzz.Line) http.Handler {
	guard := rtdbhttp.Guard{
		Verifier: r.Verifier(),
		Policy:   r.Policy(),
		Now:      func() time.Time { return r.Now() },
	}
	handler, err := guard.Wrap(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, _ := rtdbhttp.FromContext(r.Context())
		fmt.Fprint(w, d.Principal)
	}))
	if err != nil {
		panic(err)
	}
	return handler
}

// The examples use fixed seeds; in your own test, put the property into rapid.Check.
func ExampleRequest() {
	answers := map[string]int{}
	for seed := range 500 {
		r := rtdbfuzz.Request().Example(seed)
		in, err := fuzzhttp.NewDatabaseRequest("http://database.example", r)
		if err != nil {
			fmt.Println(err)
			return
		}
		w := httptest.NewRecorder()
		guarded(r).ServeHTTP(w, in)

		want := r.Decision() // the verdict of a correct server
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

// This server is careless with queries: it takes the first of several values, as url.URL.Query
// does, and drops pairs that cannot be decoded.
func ExampleViolating() {
	careless := func(line rtdbfuzz.Line) http.Handler {
		inner := guarded(line)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			query := r.URL.Query()
			for name := range query {
				query.Set(name, query.Get(name))
			}
			r.URL.RawQuery = query.Encode()
			inner.ServeHTTP(w, r)
		})
	}

	letIn := map[diag.Pointer]bool{}
	payloads := rtdbfuzz.Violating("rtdb.one-credential")
	for seed := range 500 {
		p := payloads.Example(seed)
		in, err := fuzzhttp.NewDatabaseRequest("http://database.example", p.Request)
		if err != nil {
			continue // net/http does not let such a request through
		}
		w := httptest.NewRecorder()
		careless(p.Request).ServeHTTP(w, in)
		if w.Code == http.StatusOK && !p.Accepted {
			letIn[p.Path] = true
		}
	}
	for _, place := range []diag.Pointer{"?auth", "?access_token", "#Authorization"} {
		fmt.Printf("a contradiction at %s: let in %t\n", place, letIn[place])
	}
	// Output:
	// a contradiction at ?auth: let in true
	// a contradiction at ?access_token: let in true
	// a contradiction at #Authorization: let in false
}
