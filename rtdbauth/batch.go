package rtdbauth

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"time"
)

// Request is one line of the batch form, `calrules rtdb --ndjson`: a request, what is known about
// its tokens, and the caller's policy. As JSON it can be read, but it is written without tokens.
type Request struct {
	ID json.RawMessage `json:"id,omitempty"` // any JSON; the result repeats it
	Message
	Known  Known  `json:"known"`
	Policy Policy `json:"policy"`
}

// UnmarshalJSON reads one line. Its error names the member that is wrong, but does not show any
// value. Even then it sets the ID, if it can be read.
func (r *Request) UnmarshalJSON(data []byte) error {
	*r = Request{}
	err := readObject(data, members{
		"id": &r.ID, "method": &r.Method, "url": &r.URL, "headers": &r.Headers,
		"known": &r.Known, "policy": &r.Policy,
	})
	r.TLS = r.Known.TLS
	return err
}

// UnmarshalJSON reads a field from an array of its name and its value.
func (f *Field) UnmarshalJSON(data []byte) error {
	var line []Token
	if err := json.Unmarshal(data, &line); err != nil || len(line) != 2 {
		return errNoField
	}
	f.Name, f.Value = line[0].Reveal(), line[1]
	return nil
}

// MarshalJSON writes the field as an array of its name and "REDACTED".
func (f Field) MarshalJSON() ([]byte, error) { return json.Marshal([]any{f.Name, f.Value}) }

// Result is the answer to a [Request].
type Result struct {
	ID json.RawMessage `json:"id"`
	Decision
}

// Check answers a request in the batch form.
func Check(req *Request) Result {
	return Result{
		ID:       req.ID,
		Decision: Authenticate(context.Background(), req.Message, req.Known, req.Policy, req.Known.Now),
	}
}

// Known is the member "known" of the batch form: facts about tokens, by the decoded text of the
// token, and about the request. It is a [Verifier].
type Known struct {
	Now time.Time `json:"-"` // "_now"; the zero time is unknown
	TLS Fact      `json:"-"` // "_request.tls"

	entry func(token string) json.RawMessage // a function, because the keys of a map would show the tokens
}

// UnmarshalJSON reads the member. The facts about a token are not read until [Known.VerifyToken]
// needs them, because most lines list more tokens than the request contains.
func (k *Known) UnmarshalJSON(data []byte) error {
	entries := map[string]json.RawMessage{}
	data = bytes.Clone(data) // the caller may reuse its buffer
	if err := eachMember(data, func(name string, raw json.RawMessage) { entries[name] = raw }); err != nil {
		return err
	}
	const now, request = "_now", "_request" // every other member is a token
	var rawTLS json.RawMessage
	err := readObject(entries[request], members{"tls": &rawTLS})
	if err == errNoObject {
		err = nil
	}
	var seconds optional[float64]
	var tls optional[bool]
	_, _ = seconds.UnmarshalJSON(entries[now]), tls.UnmarshalJSON(rawTLS) // a value of another type is unknown
	delete(entries, now)
	delete(entries, request)
	*k = Known{
		Now:   unix(seconds),
		TLS:   tls.is(isTrue),
		entry: func(token string) json.RawMessage { return entries[token] },
	}
	return err
}

// VerifyToken returns the facts about the credential's token. It returns no facts and no error
// if the token is not listed. It returns an error if the entry of the token repeats a member,
// contains a value of the wrong JSON type, or says that the verifier failed.
func (k Known) VerifyToken(_ context.Context, c Credential) (Facts, error) {
	if k.entry == nil {
		return Facts{}, nil
	}
	raw := k.entry(c.Token.Reveal())
	if raw == nil || string(raw) == "null" {
		return Facts{}, nil
	}
	return readFacts(raw)
}

// errVerifier stands in for the text of verifier_error, which may contain the token.
const errVerifier formError = "the verifier failed (verifier_error); ask it again"

// readFacts reads the facts about one token.
func readFacts(data []byte) (Facts, error) {
	var kind, issuedTo, db, audience, uid optional[string]
	var exp, nbf, iat optional[float64]
	var scopes optional[[]string]
	var verified, expired, revoked, dbPermission optional[bool]
	var failed json.RawMessage
	err := readObject(data, members{
		"kind": &kind, "issued_to": &issuedTo, "db": &db, "audience": &audience, "uid": &uid,
		"exp": &exp, "nbf": &nbf, "iat": &iat, "scopes": &scopes, "verifier_error": &failed,
		"verified": &verified, "expired": &expired, "revoked": &revoked, "db_permission": &dbPermission,
	})
	switch {
	case failed != nil && err != errDuplicate:
		return Facts{}, errVerifier // the other members do not count
	case err != nil:
		return Facts{}, err
	}
	f := Facts{
		Kind: readKind(kind.value), Verified: verified.is(isTrue), Expired: expired.is(isTrue), Revoked: revoked.is(isTrue),
		Expires: unix(exp), NotBefore: unix(nbf), IssuedAt: unix(iat),
		Audience: audience.is(addressed), Database: db.is(addressed),
		ServiceAccount: issuedTo.is(func(s string) bool { return s == "service_account" }),
		DBPermission:   dbPermission.is(isTrue),
		Scopes:         scopes.value,
	}
	if uid.known {
		f.UID = &uid.value
	}
	return f, nil
}

// readKind returns the kind with the name. A name that is not listed is that of another kind.
func readKind(name string) (k Kind) {
	if _ = parse(&k, kindNames, []byte(name)); k == KindUnknown && name != "" {
		return KindOther
	}
	return k
}

// addressed reports whether a word is one of those for the project or the database of the
// request.
func addressed(word string) bool {
	return word == "this_project" || word == "this_database" || word == "this_db"
}

func isTrue(b bool) bool { return b }

// optional is a JSON value that is unknown if it is null or absent.
type optional[T any] struct {
	value T
	known bool
}

// UnmarshalJSON returns an error if the value is of another type.
func (o *optional[T]) UnmarshalJSON(data []byte) error {
	var v *T
	err := json.Unmarshal(data, &v)
	if err == nil && v != nil {
		o.value, o.known = *v, true
	}
	return err
}

// is returns whether the value passes the test, or [Unknown] if there is no value.
func (o optional[T]) is(test func(T) bool) Fact {
	if !o.known {
		return Unknown
	}
	return FactOf(test(o.value))
}

// yearOne stands in for the zero [time.Time], which means that a time is unknown.
var yearOne = time.Time{}.Add(-time.Nanosecond)

// unix converts seconds, which may have a fraction (RFC 7519 section 2). It returns the closest
// [time.Time], and the zero time if the seconds are unknown.
func unix(seconds optional[float64]) time.Time {
	if !seconds.known {
		return time.Time{}
	}
	const limit = 1 << 60 // time.Time counts from the year 1 and must not overflow
	whole, fraction := math.Modf(min(max(seconds.value, -limit), limit))
	at := time.Unix(int64(whole), int64(fraction*float64(time.Second)))
	if at.IsZero() {
		return yearOne
	}
	return at
}
