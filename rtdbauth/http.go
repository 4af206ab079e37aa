package rtdbauth

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

// FromHTTP returns what [Extract] needs of a request. The path is that of r.URL, which is
// relative to the database where the handler is mounted with [http.StripPrefix].
//
// A request without r.TLS came to this server without it. Behind a proxy that ends TLS, set
// the TLS of the message by what the proxy says.
func FromHTTP(r *http.Request) Message {
	m := Message{Method: r.Method, URL: NewToken(target(r.URL)), TLS: FactOf(r.TLS != nil)}
	for name, values := range r.Header {
		if !isAuthorization(name) {
			continue
		}
		for _, value := range values {
			m.Headers = append(m.Headers, Field{Name: name, Value: NewToken(value)})
		}
	}
	return m
}

// target returns path and query as they were sent.
func target(u *url.URL) string {
	if u.Opaque != "" {
		return u.Opaque
	}
	if u.RawQuery == "" {
		return u.EscapedPath()
	}
	return u.EscapedPath() + "?" + u.RawQuery
}

// Strip returns a copy of the request without anything that is a credential, or was meant as
// one, for forwarding: the Authorization field, the parameters by their names in any case,
// every pair of the query that cannot be read, user information in the URL. The rest of the
// query stays as it was sent.
func Strip(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	for name := range out.Header {
		if isAuthorization(name) {
			delete(out.Header, name)
		}
	}
	out.URL.User = nil
	out.URL.RawQuery = stripQuery(out.URL.RawQuery)
	if out.RequestURI != "" {
		out.RequestURI = out.URL.RequestURI()
	}
	for _, form := range []url.Values{out.Form, out.PostForm} {
		for name := range form {
			if (pair{name: name}).nearPlace() != 0 {
				delete(form, name)
			}
		}
	}
	return out
}

func stripQuery(query string) string {
	var kept []string
	for p := range pairs(query) {
		if p.readable && p.nearPlace() == 0 {
			kept = append(kept, p.raw)
		}
	}
	return strings.Join(kept, "&")
}

// Guard decides on every request before a handler sees it. The handler finds the decision
// with [FromContext]; a request that is granted nothing does not get there.
type Guard struct {
	Verifier Verifier // must not be nil
	Policy   Policy

	// Now is the clock; the package has none. Without one, what needs it is unknown.
	Now func() time.Time

	// Message is how a request is read; nil means [FromHTTP].
	Message func(*http.Request) Message

	// Status is the HTTP status of a refusal; 0 means 403 Forbidden. It is ours: the
	// document shows none (rule rtdb.errors).
	Status int
}

// Wrap returns a handler that lets requests through to next. It refuses with problem details
// (RFC 9457) that give the reasons. It panics where the guard has no verifier.
func (g Guard) Wrap(next http.Handler) http.Handler {
	if g.Verifier == nil {
		panic("rtdbauth: a Guard needs a Verifier")
	}
	if g.Message == nil {
		g.Message = FromHTTP
	}
	if g.Now == nil {
		g.Now = func() time.Time { return time.Time{} }
	}
	if g.Status == 0 {
		g.Status = http.StatusForbidden
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d := Authenticate(r.Context(), g.Message(r), g.Verifier, g.Policy, g.Now())
		if !d.Granted() {
			refuse(w, d.Problem(g.Status))
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, d)))
	})
}

// contextKey is the key of the decision in a request's context.
type contextKey struct{}

// FromContext returns the decision of the [Guard] that let the request through, and whether
// there was one. Without one, the decision grants nothing.
func FromContext(ctx context.Context) (Decision, bool) {
	d, ok := ctx.Value(contextKey{}).(Decision)
	return d, ok
}

// Problem renders the decision's findings as problem details with the status given.
func (d Decision) Problem(status int) diag.Problem {
	findings := slices.Clone(d.Findings)
	for i := range findings {
		if findings[i].Path == wholeRequest {
			findings[i].Path = "" // in problem details a path that is not empty is one into the body
		}
	}
	p := findings.Problem(status)
	switch {
	case d.Granted():
		p.Title = "The request is let in."
	case d.Principal == Rejected:
		p.Title = "The request is refused."
	default:
		p.Title = "The request is refused, since it is not specified what it may do."
	}
	return p
}

func refuse(w http.ResponseWriter, p diag.Problem) {
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // a problem holds strings and numbers only
	}
	w.Header().Set("Content-Type", diag.ProblemContentType)
	w.WriteHeader(p.Status)
	_, _ = w.Write(body)
}
