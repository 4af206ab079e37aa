// Package rtdbline answers the lines of `calrules rtdb --ndjson`. Each line is a request to a realtime database, with
// facts about its tokens and the caller's policy.
package rtdbline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/ndjson"
	"github.com/calrules/calrules/rtdbauth"
)

// Request is a request in the form of a line.
type Request struct {
	ID json.RawMessage // any JSON value; repeated in the result
	rtdbauth.Message
	Known  Known
	Policy rtdbauth.Policy
}

var requestForm = ndjson.NewObject("a request",
	ndjson.Raw("id", func(r *Request) *json.RawMessage { return &r.ID }),
	ndjson.Of("method", func(r *Request) *string { return &r.Method }, ndjson.Text[string]),
	ndjson.Of("url", func(r *Request) *rtdbauth.Token { return &r.URL }, readToken),
	ndjson.Of("headers", func(r *Request) *[]rtdbauth.Field { return &r.Headers }, ndjson.List(readField)),
	ndjson.Of("known", func(r *Request) *Known { return &r.Known }, readKnown),
	ndjson.Func("policy", readPolicy),
	ndjson.Of("dialect", func(r *Request) *diag.Dialect { return &r.Policy.Dialect }, ndjson.Decoded[diag.Dialect]),
)

// UnmarshalJSON decodes one line. If the line does not specify a dialect, the dialect of r stays unchanged. The error names the
// faulty member, but quotes no value. Even after an error, the ID is set if it can be found.
func (r *Request) UnmarshalJSON(line []byte) error {
	*r = Request{Policy: rtdbauth.Policy{Dialect: r.Policy.Dialect}}
	err := requestForm.ReadLine(bytes.Clone(line), r, &r.ID)
	if e, ok := errors.AsType[*ndjson.Error](err); ok && e.Fault == ndjson.NotJSON {
		err = errNotJSON
	}
	r.TLS = r.Known.TLS
	return err
}

// errNotJSON omits the reason why a line is not JSON, since the reason could quote a token.
var errNotJSON = ndjson.NewError("the line is not JSON")

// readToken decodes the URL or the value of a header field. An unpaired surrogate becomes bytes that are not UTF-8, which no
// token contains; a replacement character could make different tokens equal.
func readToken(value []byte) (rtdbauth.Token, error) {
	text, err := ndjson.WTF8(value)
	return rtdbauth.NewToken(string(text)), err
}

var errNoField = ndjson.NewError("headers: a header field must be an array of two strings, its name and its value")

func readField(value []byte) (f rtdbauth.Field, err error) {
	pair, err := ndjson.List(readToken)(value)
	if err != nil || len(pair) != 2 {
		return f, errNoField
	}
	return rtdbauth.Field{Name: pair[0].Reveal(), Value: pair[1]}, nil
}

// Policy is the "policy" member of a line.
type Policy struct {
	Legacy            string           `json:"legacy,omitempty"` // "refuse"
	LegacyIn          []rtdbauth.Place `json:"legacy_in,omitempty"`
	LegacyRules       string           `json:"legacy_rules,omitempty"`       // "apply" or "bypass"
	EmptyCredential   string           `json:"empty_credential,omitempty"`   // "ignore"
	UnsupportedScheme string           `json:"unsupported_scheme,omitempty"` // "ignore" or "reject"
	OnConflict        string           `json:"on_conflict,omitempty"`        // "least_privilege"
	AmbiguousPath     string           `json:"ambiguous_path,omitempty"`     // "reject"
	LeewaySeconds     int64            `json:"leeway_seconds,omitempty"`
	RequireTLS        bool             `json:"require_tls,omitempty"`
	ScopeBase         string           `json:"scope_base,omitempty"`
}

var policyForm = ndjson.NewObject("a policy",
	ndjson.Of("legacy", func(p *Policy) *string { return &p.Legacy }, ndjson.Word("refuse")),
	ndjson.Of("legacy_in", func(p *Policy) *[]rtdbauth.Place { return &p.LegacyIn }, ndjson.List(readPlace)),
	ndjson.Of("legacy_rules", func(p *Policy) *string { return &p.LegacyRules }, ndjson.Word("apply", "bypass")),
	ndjson.Of("empty_credential", func(p *Policy) *string { return &p.EmptyCredential }, ndjson.Word("ignore")),
	ndjson.Of("unsupported_scheme", func(p *Policy) *string { return &p.UnsupportedScheme }, ndjson.Word("ignore", "reject")),
	ndjson.Of("on_conflict", func(p *Policy) *string { return &p.OnConflict }, ndjson.Word("least_privilege")),
	ndjson.Of("ambiguous_path", func(p *Policy) *string { return &p.AmbiguousPath }, ndjson.Word("reject")),
	ndjson.Of("leeway_seconds", func(p *Policy) *int64 { return &p.LeewaySeconds }, ndjson.Natural),
	ndjson.Of("require_tls", func(p *Policy) *bool { return &p.RequireTLS }, ndjson.Bool),
	ndjson.Of("scope_base", func(p *Policy) *string { return &p.ScopeBase }, ndjson.Text[string]),
)

// readPolicy decodes a policy, and returns an error for a misspelled name or an unknown word, because a stricter decision would
// be lost, and for a repeated member, because the less strict of two decisions could win.
func readPolicy(r *Request, value []byte) error {
	p, err := policyForm.Value(value)
	dialect := r.Policy.Dialect
	r.Policy = p.policy()
	r.Policy.Dialect = dialect
	return err
}

var places = map[string]rtdbauth.Place{"auth": rtdbauth.InAuth, "access_token": rtdbauth.InAccessToken, "header": rtdbauth.InHeader}

func readPlace(value []byte) (rtdbauth.Place, error) {
	word, err := ndjson.Word("auth", "access_token", "header")(value)
	return places[word], err
}

// policy converts p to a [rtdbauth.Policy].
func (p *Policy) policy() rtdbauth.Policy {
	var bypass *bool
	if p.LegacyRules != "" {
		bypass = new(p.LegacyRules == "bypass")
	}
	return rtdbauth.Policy{
		RejectLegacy: p.Legacy == "refuse", LegacyIn: p.LegacyIn, LegacyBypass: bypass,
		IgnoreEmpty:        p.EmptyCredential == "ignore",
		IgnoreOtherSchemes: p.UnsupportedScheme == "ignore", RejectOtherSchemes: p.UnsupportedScheme == "reject",
		LeastPrivilege: p.OnConflict == "least_privilege", RejectAmbiguousPath: p.AmbiguousPath == "reject",
		LeewaySeconds: p.LeewaySeconds, RequireTLS: p.RequireTLS, ScopeBase: p.ScopeBase,
	}
}

// Result is the answer to a [Request].
type Result struct {
	ID json.RawMessage
	rtdbauth.Decision
}

// MarshalJSON returns the answer as a line.
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

// Check returns the answer to a request.
func Check(req *Request) Result {
	d, _ := rtdbauth.Authenticate(context.Background(), req.Message, &req.Known, req.Policy, req.Known.Now) // the policy is valid
	return Result{req.ID, d}
}

// Known is the "known" member of a line: facts about tokens, keyed by the decoded token, and about the request. Known
// implements [rtdbauth.Verifier].
type Known struct {
	Now time.Time // "_now"; the zero time means unknown
	TLS *bool     // "_request.tls"; nil means unknown

	entry func(token string) *entry // a function, because printing a map would reveal the tokens
}

type entry struct {
	rtdbauth.Facts
	failed bool // whether the verifier failed
}

// readKnown decodes the "known" member, in which the name of every member other than _now and _request is a token.
func readKnown(value []byte) (k Known, err error) {
	tokens := map[string]*entry{}
	err = ndjson.Each(value, func(name string, value []byte) (err error) {
		switch name {
		case "_now":
			k.Now, err = readTime(value)
		case "_request":
			k.TLS, err = transportForm.Value(value)
		default:
			e, err := factsForm.Value(value)
			tokens[name] = &e
			return ndjson.OfOne(err)
		}
		return ndjson.In(name, err)
	})
	if err != nil {
		return Known{}, err
	}
	k.entry = func(token string) *entry { return tokens[token] }
	return k, nil
}

var transportForm = ndjson.NewObject("", ndjson.Of("tls", func(tls **bool) **bool { return tls }, ndjson.Opt(ndjson.Bool)))

// VerifyToken returns the facts about a token, or no facts and no error for an unlisted token. VerifyToken returns an error if
// the token's entry records a verifier failure.
func (k Known) VerifyToken(_ context.Context, _ rtdbauth.Place, token rtdbauth.Token) (rtdbauth.Facts, error) {
	if k.entry == nil {
		return rtdbauth.Facts{}, nil
	}
	switch e := k.entry(token.Reveal()); {
	case e == nil:
		return rtdbauth.Facts{}, nil
	case e.failed:
		return rtdbauth.Facts{}, errVerifier
	default:
		return e.Facts, nil
	}
}

// errVerifier omits the value of verifier_error, which may contain the token.
var errVerifier = ndjson.NewError("the verifier failed (verifier_error); ask it again")

// factsForm is the table for the facts about one token, which allows additional facts without effect.
var factsForm = ndjson.NewObject("",
	ndjson.Of("kind", func(e *entry) *rtdbauth.Kind { return &e.Kind }, readKind),
	ndjson.Of("issued_to", func(e *entry) **bool { return &e.ServiceAccount }, readIssuedTo),
	ndjson.Of("verified", func(e *entry) **bool { return &e.Verified }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("expired", func(e *entry) **bool { return &e.Expired }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("revoked", func(e *entry) **bool { return &e.Revoked }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("db_permission", func(e *entry) **bool { return &e.DBPermission }, ndjson.Opt(ndjson.Bool)),
	ndjson.Of("exp", func(e *entry) *time.Time { return &e.Expires }, readTime),
	ndjson.Of("nbf", func(e *entry) *time.Time { return &e.NotBefore }, readTime),
	ndjson.Of("iat", func(e *entry) *time.Time { return &e.IssuedAt }, readTime),
	ndjson.Of("scopes", func(e *entry) *[]string { return &e.Scopes }, ndjson.List(ndjson.Text[string])),
	ndjson.Of("db", func(e *entry) **bool { return &e.Database }, readAddressed),
	ndjson.Of("audience", func(e *entry) **bool { return &e.Audience }, readAddressed),
	ndjson.Of("uid", func(e *entry) **string { return &e.UID }, ndjson.Opt(ndjson.Text[string])),
	ndjson.Func("claims", func(_ *entry, value []byte) error { return checkClaims(value) }),
	ndjson.Of("verifier_error", func(e *entry) *bool { return &e.failed }, readFailure),
)

// readKind decodes the kind of a token. An unknown word means the kind other.
func readKind(value []byte) (rtdbauth.Kind, error) {
	name, err := ndjson.Text[string](value)
	if err != nil || name == "" {
		return rtdbauth.KindUnknown, err
	}
	for k := rtdbauth.KindUnknown + 1; k < rtdbauth.KindOther; k++ {
		if name == k.String() {
			return k, nil
		}
	}
	return rtdbauth.KindOther, nil
}

// readIssuedTo decodes the kind of account to which a token was issued, and reports whether it is a service account.
func readIssuedTo(value []byte) (*bool, error) {
	word, err := ndjson.Text[string](value)
	if err != nil {
		return nil, err
	}
	return new(word == "service_account"), nil
}

// readAddressed decodes a word, and reports whether it means the project or database of the request.
func readAddressed(value []byte) (*bool, error) {
	word, err := ndjson.Text[string](value)
	if err != nil {
		return nil, err
	}
	return new(word == "this_project" || word == "this_database" || word == "this_db"), nil
}

// errClaims is the error for claims that are neither an object nor a string.
var errClaims = ndjson.NewError("known: the claims of a token must be an object or a string")

// checkClaims checks the claims, which have no effect.
func checkClaims(value []byte) error {
	switch value[0] {
	case '{':
		return nil
	case '"':
		_, err := ndjson.Text[string](value)
		return err
	default:
		return errClaims
	}
}

func readFailure(value []byte) (bool, error) {
	_, err := ndjson.WTF8(value)
	return err == nil, err
}

// readTime decodes a time in Unix seconds, which may have a fraction (RFC 7519 section 2).
func readTime(value []byte) (time.Time, error) {
	seconds, err := ndjson.Number(value)
	if err != nil {
		return time.Time{}, err
	}
	return unix(seconds), nil
}

// yearOne replaces the zero [time.Time], which means that the time is unknown.
var yearOne = time.Time{}.Add(-time.Nanosecond)

// unix converts Unix seconds to the closest [time.Time] that is not zero.
func unix(seconds float64) time.Time {
	const limit = 1 << 60 // time.Time counts from the year 1 and must not overflow
	whole, fraction := math.Modf(min(max(seconds, -limit), limit))
	at := time.Unix(int64(whole), int64(fraction*float64(time.Second)))
	if at.IsZero() {
		return yearOne
	}
	return at
}
