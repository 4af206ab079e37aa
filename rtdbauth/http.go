package rtdbauth

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

// FromHTTP returns what [Extract] needs of a request. The path is that of r.URL, which is
// relative to the database where the handler is mounted with [http.StripPrefix]. Where there
// is no URL, there is no path either, and the request is refused for that.
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
	if u == nil {
		return ""
	}
	path := u.Opaque
	if path == "" {
		path = u.EscapedPath()
	}
	if u.RawQuery == "" {
		return path
	}
	return path + "?" + u.RawQuery
}

// Strip returns a copy of the request without anything that is a credential, or was meant as
// one, for forwarding: the Authorization field of header and trailer, the parameters by their
// names in any case, be it in the query or in a form that was read, every pair of the query
// that cannot be read, user information in the URL, and its fragment. The rest of the query
// stays as it was sent, and so does the body, which is not looked at.
func Strip(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	for _, fields := range []http.Header{out.Header, out.Trailer} {
		maps.DeleteFunc(fields, func(name string, _ []string) bool { return isAuthorization(name) })
	}
	for _, form := range []url.Values{out.Form, out.PostForm} {
		maps.DeleteFunc(form, isNearPlace)
	}
	if out.MultipartForm != nil {
		maps.DeleteFunc(out.MultipartForm.Value, isNearPlace)
		maps.DeleteFunc(out.MultipartForm.File, isNearPlace)
	}
	switch {
	case out.URL == nil:
		out.RequestURI = "" // nothing says what of it may stay
	case out.RequestURI != "":
		stripURL(out.URL)
		out.RequestURI = out.URL.RequestURI()
	default:
		stripURL(out.URL)
	}
	return out
}

// isNearPlace reports whether the name of a form's entry is, but for case, that of a
// parameter that holds a credential.
func isNearPlace[T any](name string, _ T) bool { return pair{name: name}.nearPlace() != 0 }

func stripURL(u *url.URL) {
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u.RawQuery = stripQuery(u.RawQuery)
	// What is opaque is sent as it is, and may hold all that a URL does.
	opaque, _, _ := strings.Cut(u.Opaque, "#")
	opaque, query, _ := strings.Cut(opaque, "?")
	if u.Opaque = withoutUser(opaque); stripQuery(query) != "" {
		u.Opaque += "?" + stripQuery(query)
	}
}

// stripQuery keeps the pairs that are none of a credential. From a # on it is no query.
func stripQuery(query string) string {
	query, _, _ = strings.Cut(query, "#")
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
