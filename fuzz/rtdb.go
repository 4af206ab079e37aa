package fuzz

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/rtdbauth"
)

// RTDB is a request to the REST interface of a realtime database, with what a verifier knows
// of the tokens in it and the policy under which it is decided. It holds text, since what
// [rtdbauth.Request] reads it does not show again: the tokens of these requests are drawn, and
// a failing test has to show them.
type RTDB struct {
	// Line is the request in the batch form that `calrules rtdb --ndjson` reads, without an
	// id and without a line end.
	Line json.RawMessage
}

// Request returns the request as the library reads it. [rtdbauth.Check] gives the verdict of
// a correct server. The member Known is a [rtdbauth.Verifier] for a server of one's own, and
// the clock is its Now.
func (r *RTDB) Request() *rtdbauth.Request {
	req := new(rtdbauth.Request)
	if err := req.UnmarshalJSON(r.Line); err != nil {
		panic(fmt.Sprintf("fuzz: no request: %v", err))
	}
	return req
}

// HTTP returns the request as a server of net/http would hand it to a handler: the names of
// header fields in their canonical form, and TLS set where it is known that the request came
// over it. To send it to a server, set the scheme and the host of its URL and clear its
// RequestURI.
//
// The error says that net/http does not read the URL as it stands: its server answers such a
// request on its own, with status 400, or hands another one to the handler. There is none for
// a valid request.
func (r *RTDB) HTTP() (*http.Request, error) {
	req := r.Request()
	target := req.URL.Reveal()
	u, err := url.ParseRequestURI(target)
	if err != nil {
		return nil, fmt.Errorf("fuzz: a request that reaches no handler: %w", err)
	}
	if path, _, _ := strings.Cut(target, "?"); u.EscapedPath() != path {
		return nil, fmt.Errorf("fuzz: a request that reaches handlers as another: %s", target)
	}
	out := &http.Request{
		Method: req.Method, URL: u, RequestURI: target, Host: "database.example.com",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: http.Header{}, Body: http.NoBody,
	}
	for _, field := range req.Headers {
		out.Header.Add(field.Name, field.Value.Reveal())
	}
	if req.TLS == rtdbauth.Yes {
		out.TLS = &tls.ConnectionState{HandshakeComplete: true}
	}
	return out, nil
}

// String returns the line.
func (r *RTDB) String() string { return string(r.Line) }

// GoString returns the line, for rapid prints what it drew in Go syntax.
func (r *RTDB) GoString() string { return r.String() }

// MarshalJSON writes the line.
func (r *RTDB) MarshalJSON() ([]byte, error) { return r.Line, nil }

// UnmarshalJSON reads a line.
func (r *RTDB) UnmarshalJSON(line []byte) error {
	r.Line = bytes.Clone(line)
	return nil
}

// RTDBRequest draws valid requests to a realtime database: none of them is refused. They
// present nothing, or the access token of a service account, an identity token or a legacy
// credential, in every place where it may stand, or several where the policy admits that; with
// every fact that a verifier may know, just good enough or well, and every member of the
// policy. Some are of the kind that the document says nothing about, and that are therefore
// [rtdbauth.Unspecified]: valid is what is not [rtdbauth.Rejected]. Advice may be given.
//
// Around that stand other parameters and header fields, in any order, with names and values
// percent-encoded where they need not be.
func RTDBRequest() *rapid.Generator[*RTDB] {
	return rapid.Custom(func(t *rapid.T) *RTDB {
		s := drawAccess(t)
		presentations()[rapid.SampledFrom(presented).Draw(t, "presented")](t, s)
		if draw.Seldom(t, "left open") {
			leaveOpen(t, s)
		}
		return s.request(t)
	})
}

// presented names what a request presents, the least first.
var presented = []string{
	"nothing", "access token", "identity token", "legacy credential",
	"unknown token", "doubtful credential", "empty credential", "other scheme", "several", "look-alike",
}

// presentations are how it is drawn.
var presentations = sync.OnceValue(func() map[string]func(*rapid.T, *access) {
	return map[string]func(*rapid.T, *access){
		"nothing":             func(*rapid.T, *access) {},
		"access token":        func(t *rapid.T, s *access) { s.present(t, oauthAccess) },
		"identity token":      func(t *rapid.T, s *access) { s.present(t, idToken) },
		"legacy credential":   func(t *rapid.T, s *access) { s.present(t, drawLegacy(t)) },
		"unknown token":       presentUnknown,
		"doubtful credential": presentDoubtful,
		"empty credential":    presentEmpty,
		"other scheme":        presentOtherScheme,
		"several":             presentSeveral,
		"look-alike":          presentLookAlike,
	}
})

// presentUnknown presents a token that the verifier has nothing, or nothing to go by, to say of.
func presentUnknown(t *rapid.T, s *access) {
	in := credentialPlace().Draw(t, "place")
	token := s.token(t, in)
	s.put(t, in, token)
	if draw.Maybe(t, "listed") {
		s.known[token] = rapid.SampledFrom(knowingNothing()).Draw(t, "what is known")
	}
}

// knowingNothing are entries of which none answers what the token is. They are shared, and of
// another type than [facts], so that nobody changes them.
func knowingNothing() []any {
	return []any{
		map[string]any{},
		map[string]any{"verified": true, "expired": false}, // without a kind
		map[string]any{"kind": nil},
		map[string]any{"kind": "id_token", "verified": true, "verifier_error": "timeout"},
		map[string]any{"verifier_error": ""},
		map[string]any{"kind": "oauth_access", "verified": "true"}, // of another type
		map[string]any{"kind": "id_token", "scopes": "all"},
		"id_token", 1, false, nil, []any{},
	}
}

// presentDoubtful presents a credential of which a fact that it needs is unknown.
func presentDoubtful(t *rapid.T, s *access) {
	kind := drawKind(t)
	f, in := s.present(t, kind)
	if kind.legacy() {
		s.admit(in)
	}
	name := rapid.SampledFrom(append([]string{"life"}, kind.needed...)).Draw(t, "unknown fact")
	forgotten := []string{name}
	if name == "life" { // or whatever else says that a legacy token stands
		forgotten = []string{"expired", "exp", "revoked"}
	}
	switch rapid.IntRange(0, 2).Draw(t, "how") {
	case 0:
		maps.DeleteFunc(f, func(name string, _ any) bool { return slices.Contains(forgotten, name) })
	case 1:
		for _, name := range forgotten {
			f[name] = nil
		}
	case 2:
		f[forgotten[0]] = map[string]any{} // of no fact's type, which leaves all unknown
	}
}

// presentEmpty presents nothing in a place that asks for something, under a policy that has
// that count as absent, and perhaps a credential in another place.
func presentEmpty(t *rapid.T, s *access) {
	s.policy.EmptyCredential = rtdbauth.Ignore
	empty := credentialPlace().Draw(t, "empty place")
	s.putEmpty(t, empty)
	if draw.Maybe(t, "a credential") {
		kind := drawKind(t)
		if in := rapid.SampledFrom(kind.places()).Draw(t, "place"); in != rtdbauth.InHeader || in != empty {
			s.presentIn(t, kind, in)
		}
	}
}

// presentOtherScheme presents a header of another scheme than Bearer, under a policy that
// ignores it or says nothing of it.
func presentOtherScheme(t *rapid.T, s *access) {
	s.putOtherScheme(t)
	if s.policy.UnsupportedScheme = silentOr(t, "unsupported scheme", rtdbauth.Ignore); s.policy.UnsupportedScheme != rtdbauth.Ignore {
		return
	}
	if kind := drawKind(t); draw.Maybe(t, "a credential") {
		in := rtdbauth.InAuth
		if kind == oauthAccess {
			in = rtdbauth.InAccessToken
		}
		s.presentIn(t, kind, in)
	}
}

// presentSeveral presents credentials of which each is good, and the least is nobody else's,
// under a policy that has the least count.
func presentSeveral(t *rapid.T, s *access) {
	s.policy.OnConflict = rtdbauth.LeastPrivilege
	s.uid = userID().Draw(t, "the one user")
	kinds := rapid.SampledFrom([][]*kind{
		{idToken, oauthAccess}, {idToken}, {oauthAccess}, {legacySecret, legacyToken}, {oauthAccess, legacySecret},
		{idToken, legacyToken},
	}).Draw(t, "kinds")
	// Whether a legacy credential or the other has less is the rulings' matter, but it must
	// not be the same.
	if kinds[0] == oauthAccess && len(kinds) > 1 {
		s.policy.LegacyRules = rtdbauth.Apply
	} else {
		s.policy.LegacyRules = rtdbauth.Bypass
	}
	header := false
	for i := range rapid.OneOf(rapid.IntRange(2, 4), rapid.Just(rtdbauth.MaxCredentials)).Draw(t, "number") {
		kind := kinds[i%len(kinds)]
		in := rapid.SampledFrom(kind.places()).Draw(t, "place")
		if in == rtdbauth.InHeader {
			if header {
				in = kind.places()[1]
			}
			header = true
		}
		s.presentIn(t, kind, in)
	}
}

// presentLookAlike presents what gives rise to advice: a parameter whose name is one for
// credentials but for case, or a + that reads as a space.
func presentLookAlike(t *rapid.T, s *access) {
	in := inParameter().Draw(t, "place")
	if draw.Maybe(t, "plus") {
		s.presentPlus(t, in)
	} else {
		s.presentNear(t, in)
	}
}

// leaveOpen makes the request one of which the document and the policy leave open what it is.
func leaveOpen(t *rapid.T, s *access) {
	switch rapid.IntRange(0, 2).Draw(t, "open") {
	case 0:
		s.method = noMethod().Draw(t, "no method")
	case 1:
		s.policy.AmbiguousPath = silentOr(t, "ambiguous path")
		s.path = ambiguousPath().Draw(t, "ambiguous path")
	case 2:
		s.policy.RequireTLS, s.tls = true, nil
	}
}
