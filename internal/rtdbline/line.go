// Package rtdbline answers the lines of `calrules rtdb --ndjson`: requests to a realtime database, each
// with what is known about its tokens and the caller's policy.
package rtdbline

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"time"

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
	err := ndjson.ReadObject(line, ndjson.Members{
		"id":     func(_ string, value []byte) error { r.ID = bytes.Clone(value); return nil },
		"method": ndjson.To(&r.Method), "url": r.readURL, "headers": r.readHeaders,
		"dialect": ndjson.To(&dialect),
		"known":   ndjson.To(&r.Known), "policy": ndjson.To(&r.Policy),
	})
	r.Policy.Dialect = dialect
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

// Result is the answer to a [Request].
type Result struct {
	ID json.RawMessage `json:"id"`
	rtdbauth.Decision
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
	Now time.Time     // "_now"; the zero time is unknown
	TLS rtdbauth.Fact // "_request.tls"

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
	if ndjson.ReadObject(entries[request], ndjson.Members{"tls": ndjson.As(&k.TLS, rtdbauth.FactOf)}) == ndjson.ErrDuplicate {
		return ndjson.ErrDuplicate
	}
	delete(entries, now)
	delete(entries, request)
	return nil
}

// VerifyToken returns the facts about the credential's token. It returns no facts and no error
// if the token is not listed. It returns an error if the entry of the token repeats a member,
// contains a value of the wrong JSON type, or says that the verifier failed.
func (k Known) VerifyToken(_ context.Context, c rtdbauth.Credential) (rtdbauth.Facts, error) {
	if k.entry == nil {
		return rtdbauth.Facts{}, nil
	}
	entry := k.entry(c.Token.Reveal())
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
		"kind": ndjson.As(&f.Kind, readKind), "verified": ndjson.As(&f.Verified, rtdbauth.FactOf),
		"expired": ndjson.As(&f.Expired, rtdbauth.FactOf), "revoked": ndjson.As(&f.Revoked, rtdbauth.FactOf),
		"exp": ndjson.As(&f.Expires, unix), "nbf": ndjson.As(&f.NotBefore, unix), "iat": ndjson.As(&f.IssuedAt, unix),
		"audience": ndjson.As(&f.Audience, addressed), "db": ndjson.As(&f.Database, addressed),
		"issued_to":      ndjson.As(&f.ServiceAccount, func(s string) rtdbauth.Fact { return rtdbauth.FactOf(s == "service_account") }),
		"db_permission":  ndjson.As(&f.DBPermission, rtdbauth.FactOf),
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
func addressed(word string) rtdbauth.Fact {
	return rtdbauth.FactOf(word == "this_project" || word == "this_database" || word == "this_db")
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
