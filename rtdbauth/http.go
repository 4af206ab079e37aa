package rtdbauth

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
)

var errorsRule = &diag.Rule{
	ID: "rtdb.errors", Kind: diag.Unspecified, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "Status codes and bodies of rejected requests are not shown.",
	Section: "rtdb.md, Errors",
	Why:     "A decision therefore has no status, and no finding is made under this rule. A Guard chooses its own status.",
	Good:    ask(answerPublic, sampleGet),
	Bad:     ask(`{"principal":"rejected","read":"none","status":null}`, `"method":"GET","url":"/users/jack"`),
}

var okRule = &diag.Rule{
	ID: "rtdb.ok", Kind: diag.Effect, When: diag.HTTP, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A successful read answers HTTP 200 with the JSON data at the location.",
	Section: "rtdb.md, Endpoints",
	Why: "The package decides what may be read; the database answers. The answer to another method is not shown, so the " +
		"decision about it has a finding.",
	Good: ask(`{"read":"full","findings":[]}`, sampleBearer, sampleKnownSA, samplePolicy),
	Bad:  ask(`{"read":"full","findings":[`+samplePutFinding+`]}`, samplePut, sampleHeader, sampleKnownSA, samplePolicy),
}

// FromHTTP returns the message of a request. Its path must be relative to the database: if the
// handler is mounted elsewhere, use [http.StripPrefix]. A request without a URL has an empty path
// and is rejected.
//
// A request without r.TLS did not come over TLS. Behind a proxy that terminates TLS, set the TLS
// of the message to what the proxy says.
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

func target(u *url.URL) string {
	if u == nil {
		return ""
	}
	path := cmp.Or(u.Opaque, u.EscapedPath())
	if u.RawQuery == "" {
		return path
	}
	return path + "?" + u.RawQuery
}

// Strip returns a copy of the request without credentials, for forwarding. It removes the
// Authorization field from header and trailer, the parameters with the name of a credential in
// any case from the query and from forms that have been read, every pair of the query that cannot
// be decoded, user information in the URL, and the fragment. It leaves the rest of the query as
// it was sent, and does not look at the body.
func Strip(r *http.Request) *http.Request {
	out := r.Clone(r.Context())
	for _, fields := range []http.Header{out.Header, out.Trailer} {
		maps.DeleteFunc(fields, func(name string, _ []string) bool { return isAuthorization(name) })
	}
	for _, form := range []url.Values{out.Form, out.PostForm} {
		maps.DeleteFunc(form, isCredential)
	}
	if out.MultipartForm != nil {
		maps.DeleteFunc(out.MultipartForm.Value, isCredential)
		maps.DeleteFunc(out.MultipartForm.File, isCredential)
	}
	if out.URL == nil {
		out.RequestURI = ""
		return out
	}
	stripURL(out.URL)
	if out.RequestURI != "" {
		out.RequestURI = out.URL.RequestURI()
	}
	return out
}

// isCredential reports whether a form's entry has the name of a credential, in any case.
func isCredential[T any](name string, _ T) bool { return pair{name: name}.nearPlace() != 0 }

func stripURL(u *url.URL) {
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u.RawQuery = stripQuery(u.RawQuery)
	// An opaque URL is sent as it is, and may contain every part of a URL.
	opaque, _, _ := strings.Cut(u.Opaque, "#")
	opaque, query, _ := strings.Cut(opaque, "?")
	u.Opaque = withoutUser(opaque)
	if query = stripQuery(query); query != "" {
		u.Opaque += "?" + query
	}
}

// stripQuery returns the pairs of a query that are not credentials. The query ends at a #.
func stripQuery(query string) string {
	query, _, _ = strings.Cut(query, "#")
	var kept []string
	for raw := range strings.SplitSeq(query, "&") {
		if p := readPair(raw); raw != "" && p.fault == "" && p.nearPlace() == 0 && p.hidden() == 0 {
			kept = append(kept, raw)
		}
	}
	return strings.Join(kept, "&")
}

// withoutUser removes the user information from a URL without a query. The authority follows the
// first two slashes; without them, everything before the first slash could be one.
func withoutUser(address string) string {
	start := 0
	if i := strings.Index(address, "/"); i >= 0 && strings.HasPrefix(address[i:], "//") {
		start = i + len("//")
	}
	authority, _, _ := strings.Cut(address[start:], "/")
	return address[:start] + address[start+strings.LastIndexByte(authority, '@')+1:]
}

// Guard is HTTP middleware that decides about every request. It calls the handler only if the
// request is granted something. The handler gets the decision from [FromContext].
type Guard struct {
	Verifier Verifier // must not be nil
	Policy   Policy

	// Now returns the current time. If it is nil, the current time is unknown.
	Now func() time.Time

	// Message reads a request. If it is nil, [FromHTTP] does.
	Message func(*http.Request) Message

	// Status is the HTTP status of rejected requests. 0 means 403 Forbidden. The document does
	// not show it (rule rtdb.errors).
	Status int
}

// Wrap returns a handler that calls next for granted requests, and answers the others with problem
// details (RFC 9457) that give the reasons. It panics if the guard has no verifier.
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
	g.Status = cmp.Or(g.Status, http.StatusForbidden)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d := Authenticate(r.Context(), g.Message(r), g.Verifier, g.Policy, g.Now())
		if !d.Granted() {
			refuse(w, d.Problem(g.Status))
			return
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), contextKey{}, d)))
	})
}

type contextKey struct{}

// FromContext returns the decision of the [Guard] that called the handler. It returns false, and
// a decision that grants nothing, if there was no guard.
func FromContext(ctx context.Context) (Decision, bool) {
	d, ok := ctx.Value(contextKey{}).(Decision)
	return d, ok
}

// Problem returns the findings as problem details with the status.
func (d Decision) Problem(status int) diag.Problem {
	p := d.Findings.Problem(status)
	p.Title = "The request is refused, because what it may do is not specified."
	if d.Granted() {
		p.Title = "The request is granted access."
	} else if d.Principal == Rejected {
		p.Title = "The request is rejected."
	}
	return p
}

func refuse(w http.ResponseWriter, p diag.Problem) {
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // a problem contains only strings and numbers
	}
	w.Header().Set("Content-Type", diag.ProblemContentType)
	w.WriteHeader(p.Status)
	_, _ = w.Write(body)
}
