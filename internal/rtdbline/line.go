// Package rtdbline answers the lines of `calrules rtdb --ndjson`: requests to a realtime database, each
// with what is known about its tokens and the caller's policy.
package rtdbline

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/rtdbauth"
)

// Request is one line.
type Request struct {
	ID json.RawMessage // any JSON; the result repeats it
	rtdbauth.Message
	Known  Known
	Policy rtdbauth.Policy
}

// UnmarshalJSON reads one line. A line that does not choose a dialect has that of r. The error
// names the member that is wrong, but does not show any value. Even then it sets the ID, if it can be read.
func (r *Request) UnmarshalJSON(line []byte) error {
	dialect := r.Policy.Dialect
	*r = Request{}
	var policy Policy
	err := ndjson.ReadForm("a request", line, ndjson.Members{
		"id":     func(_ string, value []byte) error { r.ID = bytes.Clone(value); return nil },
		"method": ndjson.To(&r.Method), "url": r.readURL, "headers": r.readHeaders,
		"dialect": ndjson.To(&dialect),
		"known":   ndjson.To(&r.Known), "policy": ndjson.To(&policy),
	})
	r.Policy = policy.In(dialect)
	if err != nil && r.ID == nil {
		r.ID = ndjson.FindID(line)
	}
	r.TLS = r.Known.TLS
	return err
}

// readURL reads the URL. Half of a surrogate pair becomes bytes that are not UTF-8, which no token
// has; the replacement character of encoding/json could make two tokens the same.
func (r *Request) readURL(name string, value []byte) error {
	if !jsonscan.Of(value).IsString() {
		return ndjson.To(new(string))(name, value)
	}
	r.URL = rtdbauth.NewToken(string(jsonscan.UnquoteWTF8(value)))
	return nil
}

const errNoField ndjson.Error = "headers: a header field must be an array of two strings, its name and its value"

func (r *Request) readHeaders(name string, value []byte) error {
	var fields []json.RawMessage
	if err := ndjson.Unmarshal(name, value, &fields); err != nil {
		return err
	}
	for _, field := range fields {
		var pair []string
		if err := json.Unmarshal(field, &pair); err != nil || len(pair) != 2 {
			return errNoField
		}
		r.Headers = append(r.Headers, rtdbauth.Field{Name: pair[0], Value: rtdbauth.NewToken(pair[1])})
	}
	return nil
}

// Policy is the member "policy". A word that a member does not know decides nothing.
type Policy struct {
	Legacy            string           `json:"legacy,omitempty"` // "refuse"
	LegacyIn          []rtdbauth.Place `json:"legacy_in,omitempty"`
	LegacyRules       string           `json:"legacy_rules,omitempty"`       // "bypass"
	EmptyCredential   string           `json:"empty_credential,omitempty"`   // "ignore"
	UnsupportedScheme string           `json:"unsupported_scheme,omitempty"` // "ignore" or "reject"
	OnConflict        string           `json:"on_conflict,omitempty"`        // "least_privilege"
	AmbiguousPath     string           `json:"ambiguous_path,omitempty"`     // "reject"
	LeewaySeconds     int64            `json:"leeway_seconds,omitempty"`
	RequireTLS        bool             `json:"require_tls,omitempty"`
	ScopeBase         string           `json:"scope_base,omitempty"`
}

// UnmarshalJSON reads a policy. Member names must match exactly. A repeated member is an error, because the laxer of
// two decisions could win; so is a name that looks misspelt, because a stricter decision would be lost.
func (p *Policy) UnmarshalJSON(data []byte) error {
	return ndjson.ReadForm("a policy", data, ndjson.Members{
		"legacy": ndjson.To(&p.Legacy), "legacy_in": ndjson.To(&p.LegacyIn), "legacy_rules": ndjson.To(&p.LegacyRules),
		"empty_credential": ndjson.To(&p.EmptyCredential), "unsupported_scheme": ndjson.To(&p.UnsupportedScheme),
		"on_conflict": ndjson.To(&p.OnConflict), "ambiguous_path": ndjson.To(&p.AmbiguousPath),
		"leeway_seconds": ndjson.To(&p.LeewaySeconds), "require_tls": ndjson.To(&p.RequireTLS), "scope_base": ndjson.To(&p.ScopeBase),
	})
}

// In returns the policy of the library in a dialect.
func (p *Policy) In(dialect diag.Dialect) rtdbauth.Policy {
	return rtdbauth.Policy{
		RejectLegacy: p.Legacy == "refuse", LegacyIn: p.LegacyIn, LegacyBypass: p.LegacyRules == "bypass",
		IgnoreEmpty:        p.EmptyCredential == "ignore",
		IgnoreOtherSchemes: p.UnsupportedScheme == "ignore", RejectOtherSchemes: p.UnsupportedScheme == "reject",
		LeastPrivilege: p.OnConflict == "least_privilege", RejectAmbiguousPath: p.AmbiguousPath == "reject",
		LeewaySeconds: p.LeewaySeconds, RequireTLS: p.RequireTLS, ScopeBase: p.ScopeBase, Dialect: dialect,
	}
}

// Result is the answer to a [Request].
type Result struct {
	ID json.RawMessage
	rtdbauth.Decision
}

// MarshalJSON returns the line of the answer.
func (r Result) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID        json.RawMessage    `json:"id"`
		Principal rtdbauth.Principal `json:"principal"`
		Subject   string             `json:"subject,omitempty"`
		Rules     string             `json:"rules"`
		Read      string             `json:"read"`
		Write     string             `json:"write"`
		Findings  diag.Findings      `json:"findings"`
	}{r.ID, r.Principal, r.Subject, r.Rules(), r.Access(), r.Access(), r.Findings})
}

// Check answers a request.
func Check(req *Request) Result {
	return Result{
		ID:       req.ID,
		Decision: rtdbauth.Authenticate(context.Background(), req.Message, req.Known, req.Policy, req.Known.Now),
	}
}

// Known is the member "known": facts about tokens, by the decoded text of the token, and about the
// request. It is a [rtdbauth.Verifier].
type Known struct {
	Now time.Time // "_now"; the zero time is unknown
	TLS *bool     // "_request.tls"; nil is unknown

	entry func(token string) []byte // a function, because the keys of a map would show the tokens
}

// UnmarshalJSON reads the member. The facts about a token are not read until VerifyToken needs them, because
// most lines list more tokens than the request contains.
func (k *Known) UnmarshalJSON(data []byte) error {
	entries := map[string][]byte{}
	err := ndjson.EachMember(bytes.Clone(data), func(name string, value []byte) error {
		entries[name] = value
		return nil
	})
	if err != nil {
		return err
	}
	const now, request = "_now", "_request" // every other member is a token
	*k = Known{entry: func(token string) []byte { return entries[token] }}
	_ = ndjson.As(&k.Now, unix)(now, entries[now]) // a value of another type is unknown
	if ndjson.ReadObject(entries[request], ndjson.Members{"tls": ndjson.To(&k.TLS)}) == ndjson.ErrDuplicate {
		return ndjson.ErrDuplicate
	}
	delete(entries, now)
	delete(entries, request)
	return nil
}

// VerifyToken returns the facts about a token. It returns no facts and no error
// if the token is not listed. It returns an error if the entry of the token repeats a member,
// contains a value of the wrong JSON type, or says that the verifier failed.
func (k Known) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if k.entry == nil {
		return rtdbauth.Facts{}, nil
	}
	entry := k.entry(token.Reveal())
	if entry == nil {
		return rtdbauth.Facts{}, nil
	}
	return readFacts(entry)
}

// errVerifier stands in for the text of verifier_error, which may contain the token.
const errVerifier ndjson.Error = "the verifier failed (verifier_error); ask it again"

// readFacts reads the facts about one token.
func readFacts(data []byte) (rtdbauth.Facts, error) {
	var f rtdbauth.Facts
	err := ndjson.ReadObject(data, ndjson.Members{
		"kind": ndjson.As(&f.Kind, readKind), "verified": ndjson.To(&f.Verified),
		"expired": ndjson.To(&f.Expired), "revoked": ndjson.To(&f.Revoked),
		"exp": ndjson.As(&f.Expires, unix), "nbf": ndjson.As(&f.NotBefore, unix), "iat": ndjson.As(&f.IssuedAt, unix),
		"audience": ndjson.As(&f.Audience, addressed), "db": ndjson.As(&f.Database, addressed),
		"issued_to":      ndjson.As(&f.ServiceAccount, func(s string) *bool { return new(s == "service_account") }),
		"db_permission":  ndjson.To(&f.DBPermission),
		"scopes":         ndjson.To(&f.Scopes),
		"uid":            ndjson.As(&f.UID, func(uid string) *string { return &uid }),
		"verifier_error": func(string, []byte) error { return errVerifier },
	})
	if err != nil {
		return rtdbauth.Facts{}, ndjson.Error(err.Error())
	}
	return f, nil
}

// readKind returns the kind with the name. A name that is not listed is that of another kind.
func readKind(name string) rtdbauth.Kind {
	if name == "" {
		return rtdbauth.KindUnknown
	}
	for _, k := range []rtdbauth.Kind{rtdbauth.KindOAuthAccess, rtdbauth.KindIDToken, rtdbauth.KindLegacySecret, rtdbauth.KindLegacyToken} {
		if name == k.String() {
			return k
		}
	}
	return rtdbauth.KindOther
}

// addressed returns whether a word is one of those for the project or the database of the request.
func addressed(word string) *bool {
	return new(word == "this_project" || word == "this_database" || word == "this_db")
}

// yearOne stands in for the zero [time.Time], which means that a time is unknown.
var yearOne = time.Time{}.Add(-time.Nanosecond)

// unix converts seconds, which may have a fraction (RFC 7519 section 2), to the closest
// [time.Time] that is not zero.
func unix(seconds float64) time.Time {
	const limit = 1 << 60 // time.Time counts from the year 1 and must not overflow
	whole, fraction := math.Modf(min(max(seconds, -limit), limit))
	at := time.Unix(int64(whole), int64(fraction*float64(time.Second)))
	if at.IsZero() {
		return yearOne
	}
	return at
}
