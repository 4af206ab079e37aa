// Package rtdbhttp connects package rtdbauth with net/http: it converts requests, removes credentials before requests are
// forwarded, and guards handlers.
//
//	guarded, err := rtdbhttp.Guard{Verifier: verifier, Policy: policy, Now: time.Now}.Wrap(handler)
package rtdbhttp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/rtdbauth"
	"github.com/calrules/calrules/rtdbauth/internal/redact"
)

// Message returns the parts of a request that authentication needs. The path must be relative to the database: if the
// handler is mounted elsewhere, use [http.StripPrefix]. If the request is nil or has no URL, the path is empty, so the
// request will be rejected.
//
// If r.TLS is nil, the message states that the request did not arrive over TLS. Behind a proxy that terminates TLS, set
// the TLS field of the message from the information that the proxy provides.
func Message(r *http.Request) rtdbauth.Message {
	if r == nil {
		return rtdbauth.Message{}
	}
	m := rtdbauth.Message{Method: r.Method, URL: rtdbauth.NewToken(target(r.URL)), TLS: new(r.TLS != nil)}
	for name, values := range r.Header {
		for _, value := range values {
			m.Headers = append(m.Headers, rtdbauth.Field{Name: name, Value: rtdbauth.NewToken(value)})
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

// Strip returns a copy of the request without credentials, for forwarding. If r is nil, Strip returns nil. Strip removes the
// Authorization field from the header and trailer, user information and the fragment from the URL, and everything that
// [rtdbauth.RedactURL] hides from the query and from parsed forms. Strip also removes auth_variable_override; use [Forward] for
// a request to which you add your own access token. Strip leaves the rest of the query as sent. Strip does not change the path,
// which identifies the location, and does not examine the body.
func Strip(r *http.Request) *http.Request {
	if r == nil {
		return nil
	}
	out := r.Clone(r.Context())
	for _, fields := range []http.Header{out.Header, out.Trailer} {
		maps.DeleteFunc(fields, func(name string, _ []string) bool { return redact.IsField(name) })
	}
	for _, form := range []url.Values{out.Form, out.PostForm} {
		maps.DeleteFunc(form, isHidden)
	}
	if out.MultipartForm != nil {
		maps.DeleteFunc(out.MultipartForm.Value, isHidden)
		maps.DeleteFunc(out.MultipartForm.File, func(name string, _ []*multipart.FileHeader) bool { return isHidden(name, nil) })
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

// Forward returns a request to be forwarded to the public service. Once the caller has added the access token of a
// service account in the Authorization field, the request has exactly the access that d, the decision on r, grants. The
// request is the result of [Strip] with the method and location of the decision and the parameter that
// [rtdbauth.Decision.ForwardQuery] returns. If ForwardQuery returns an error, Forward returns the error too.
func Forward(r *http.Request, d rtdbauth.Decision) (*http.Request, error) {
	override, err := d.ForwardQuery()
	if err != nil {
		return nil, err
	}
	if r == nil || r.URL == nil {
		return nil, errors.New("rtdbhttp: the request has no URL")
	}
	out := Strip(r)
	out.Method, out.RequestURI = d.Method, ""
	out.URL.Opaque, out.URL.Path, out.URL.RawPath = "", d.Location+".json", ""
	out.URL.RawQuery = withParam(out.URL.RawQuery, override)
	return out, nil
}

// withParam adds a parameter to a query such that no reader can find another parameter with the same name, by omitting existing
// parameters with that name and any pair that some servers split at a semicolon.
func withParam(query, param string) string {
	name, _, _ := strings.Cut(param, "=")
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		other, _, _ := strings.Cut(pair, "=")
		other, _ = url.QueryUnescape(other) // Strip has removed pairs that cannot be decoded
		return pair == "" || strings.Contains(pair, ";") || strings.EqualFold(other, name)
	})
	if param != "" {
		pairs = append(pairs, param)
	}
	return strings.Join(pairs, "&")
}

// isHidden reports whether a form entry would be hidden in a query.
func isHidden(name string, values []string) bool {
	for _, value := range slices.Concat(values, []string{""}) {
		pair := url.QueryEscape(name) + "=" + url.QueryEscape(value)
		if redact.Query(pair) == "" {
			return true
		}
	}
	return false
}

func stripURL(u *url.URL) {
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	u.RawQuery = redact.Query(u.RawQuery)
	// An opaque URL is sent as is, and may contain any part of a URL.
	opaque, _, _ := strings.Cut(u.Opaque, "#")
	opaque, query, _ := strings.Cut(opaque, "?")
	u.Opaque = withoutUser(opaque)
	if query = redact.Query(query); query != "" {
		u.Opaque += "?" + query
	}
}

// withoutUser removes the user information from a URL that has no query. The authority follows the first two slashes; without
// two slashes, everything before the first slash could be an authority.
func withoutUser(address string) string {
	start := 0
	if i := strings.Index(address, "/"); i >= 0 && strings.HasPrefix(address[i:], "//") {
		start = i + len("//")
	}
	authority, _, _ := strings.Cut(address[start:], "/")
	return address[:start] + address[start+strings.LastIndexByte(authority, '@')+1:]
}

// A Guard is HTTP middleware that authenticates every request. A Guard calls the handler only if the request is granted
// access. The handler can get the decision with [FromContext].
type Guard struct {
	Verifier rtdbauth.Verifier // must not be nil
	Policy   rtdbauth.Policy

	// Now returns the current time. If Now is nil, the current time is unknown.
	Now func() time.Time

	// Message converts a request for authentication. If the field is nil, the function [Message] is used.
	Message func(*http.Request) rtdbauth.Message

	// Status is the HTTP status of responses to refused requests, from 400 to 599. If Status is 0, the status is 401
	// Unauthorized for an expired token, and otherwise 403 Forbidden. The documentation does not specify the status (rule
	// rtdb.errors).
	Status int

	// Refused, if not nil, is called with each refused request and its decision, for example for logging. Details about the
	// verifier and the policy are meant for the operator, and are not sent to the client.
	Refused func(*http.Request, rtdbauth.Decision)
}

// Wrap returns a handler that calls next for granted requests, with the method of the decision. Wrap responds to other
// requests with an error in the format of the service, {"error":"..."}, which states the mistake in the request or, if
// the request is unspecified, "Permission denied". Wrap returns an error if next or the verifier is nil, if the status
// is out of range, or if the policy is invalid.
func (g Guard) Wrap(next http.Handler) (http.Handler, error) {
	switch {
	case next == nil:
		return nil, errors.New("rtdbhttp: the handler is nil")
	case g.Verifier == nil:
		return nil, errors.New("rtdbhttp: the guard has no verifier")
	case g.Status != 0 && (g.Status < 400 || g.Status > 599):
		return nil, fmt.Errorf("rtdbhttp: the status of rejected requests is %d; it must be 400 to 599", g.Status)
	}
	if err := g.Policy.Validate(); err != nil {
		return nil, err
	}
	if g.Message == nil {
		g.Message = Message
	}
	if g.Now == nil {
		g.Now = func() time.Time { return time.Time{} }
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.serve(w, r, next) }), nil
}

func (g Guard) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	d, _ := rtdbauth.Authenticate(r.Context(), g.Message(r), g.Verifier, g.Policy, g.Now()) // Wrap has checked that the policy is valid
	if !d.Granted() {
		if g.Refused != nil {
			g.Refused(r, d)
		}
		refuse(w, cmp.Or(g.Status, statusOf(d)), reasonOf(d))
		return
	}
	r = r.WithContext(context.WithValue(r.Context(), contextKey{}, d))
	r.Method = d.Method
	next.ServeHTTP(w, r)
}

type contextKey struct{}

// FromContext returns the decision of the [Guard] that called the handler. If there was no guard, FromContext returns false and
// a decision that grants nothing.
func FromContext(ctx context.Context) (rtdbauth.Decision, bool) {
	if ctx == nil {
		return rtdbauth.Decision{}, false
	}
	d, ok := ctx.Value(contextKey{}).(rtdbauth.Decision)
	return d, ok
}

// statusOf returns the status for a refused request. The status is 401 only for an expired token, which the client can renew
// immediately.
func statusOf(d rtdbauth.Decision) int {
	if slices.ContainsFunc(d.Findings, func(f diag.Finding) bool { return f.Is(ruleid.RTDBIDTokenExpired) && f.Kind == diag.Reject }) {
		return http.StatusUnauthorized
	}
	return http.StatusForbidden
}

// reasonOf returns the reason for a refusal, in a form suitable for the client.
func reasonOf(d rtdbauth.Decision) string {
	var reasons []string
	if d.Principal == rtdbauth.Rejected {
		for _, f := range d.Findings.OfKind(diag.Reject) {
			reasons = append(reasons, f.Message())
		}
	}
	return cmp.Or(strings.Join(reasons, " "), "Permission denied")
}

func refuse(w http.ResponseWriter, status int, reason string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": reason}) // an error means that the client has disconnected
}
