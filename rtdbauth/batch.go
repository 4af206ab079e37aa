package rtdbauth

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
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
		"id": keep(&r.ID), "method": to(&r.Method), "url": readURL(&r.URL), "headers": to(&r.Headers),
		"known": to(&r.Known), "policy": to(&r.Policy),
	})
	r.TLS = r.Known.TLS
	return err
}

// UnmarshalJSON reads a field from an array of its name and its value.
func (f *Field) UnmarshalJSON(data []byte) error {
	var line []string
	if err := json.Unmarshal(data, &line); err != nil || len(line) != 2 {
		return errNoField
	}
	*f = Field{Name: line[0], Value: NewToken(line[1])}
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

	entry func(token string) []byte // a function, because the keys of a map would show the tokens
}

// UnmarshalJSON reads the member. The facts about a token are not read until [Known.VerifyToken]
// needs them, because most lines list more tokens than the request contains.
func (k *Known) UnmarshalJSON(data []byte) error {
	entries := map[string][]byte{}
	data = bytes.Clone(data) // the caller may reuse its buffer
	err := eachMember(data, func(name string, value []byte) error {
		entries[name] = value
		return nil
	})
	if err != nil {
		return err
	}
	const now, request = "_now", "_request" // every other member is a token
	*k = Known{entry: func(token string) []byte { return entries[token] }}
	_ = as(&k.Now, unix)(now, entries[now]) // a value of another type is unknown
	if readObject(entries[request], members{"tls": as(&k.TLS, FactOf)}) == errDuplicate {
		return errDuplicate
	}
	delete(entries, now)
	delete(entries, request)
	return nil
}

// VerifyToken returns the facts about the credential's token. It returns no facts and no error
// if the token is not listed. It returns an error if the entry of the token repeats a member,
// contains a value of the wrong JSON type, or says that the verifier failed.
func (k Known) VerifyToken(_ context.Context, c Credential) (Facts, error) {
	if k.entry == nil {
		return Facts{}, nil
	}
	entry := k.entry(c.Token.Reveal())
	if entry == nil {
		return Facts{}, nil
	}
	return readFacts(entry)
}

// errVerifier stands in for the text of verifier_error, which may contain the token.
const errVerifier formError = "the verifier failed (verifier_error); ask it again"

// readFacts reads the facts about one token.
func readFacts(data []byte) (Facts, error) {
	var f Facts
	err := readObject(data, members{
		"kind": as(&f.Kind, readKind), "verified": as(&f.Verified, FactOf),
		"expired": as(&f.Expired, FactOf), "revoked": as(&f.Revoked, FactOf),
		"exp": as(&f.Expires, unix), "nbf": as(&f.NotBefore, unix), "iat": as(&f.IssuedAt, unix),
		"audience": as(&f.Audience, addressed), "db": as(&f.Database, addressed),
		"issued_to":      as(&f.ServiceAccount, func(s string) Fact { return FactOf(s == "service_account") }),
		"db_permission":  as(&f.DBPermission, FactOf),
		"scopes":         to(&f.Scopes),
		"uid":            as(&f.UID, func(uid string) *string { return &uid }),
		"verifier_error": func(string, []byte) error { return errVerifier },
	})
	if err != nil {
		return Facts{}, formError(err.Error())
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

// addressed returns whether a word is one of those for the project or the database of the request.
func addressed(word string) Fact {
	return FactOf(word == "this_project" || word == "this_database" || word == "this_db")
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

// formError is an error that does not show any value. Other errors might, so findings never
// include their text.
type formError string

func (e formError) Error() string { return string(e) }

const (
	errNoObject  formError = "it must be a JSON object"
	errNotUTF8   formError = "it is not valid UTF-8"
	errDuplicate formError = "a JSON object repeats a member name; write each name once"
	errNoField   formError = "a header field must be an array of two strings, its name and its value"
)

// members says how the members of a JSON object are read, by name.
type members map[string]func(name string, value []byte) error

// to returns the function that reads a member into the target.
func to[T any](target *T) func(string, []byte) error {
	return as(target, func(v T) T { return v })
}

// keep returns the function that keeps a member as it is.
func keep(target *json.RawMessage) func(string, []byte) error {
	return func(_ string, value []byte) error {
		*target = bytes.Clone(value)
		return nil
	}
}

// readURL returns the function that reads a URL. Half of a surrogate pair becomes bytes that are not
// UTF-8, so [Extract] finds it; the replacement character could make two tokens the same.
func readURL(target *Token) func(string, []byte) error {
	return func(name string, value []byte) error {
		if !jsonscan.Of(value).IsString() {
			return to(new(string))(name, value)
		}
		*target = NewToken(string(jsonscan.UnquoteWTF8(value)))
		return nil
	}
}

// as returns the function that reads a member of type T and sets the target to what it becomes. It
// does not read half of a surrogate pair into a text, because encoding/json replaces it.
func as[T, V any](target *V, convert func(T) V) func(string, []byte) error {
	return func(name string, value []byte) error {
		var v T
		if err := ndjson.Unmarshal(name, value, &v); err != nil {
			return err
		}
		switch any(v).(type) {
		case string, []string:
			if _, err := new(jsonscan.Index).Check(value); err != nil {
				return fmt.Errorf("%s contains half of a surrogate pair", name)
			}
		}
		*target = convert(v)
		return nil
	}
}

// readObject reads a JSON object. Unlike [json.Unmarshal] with a struct, it matches names exactly
// and rejects an object that repeats a name. It skips members that are not listed.
func readObject(data []byte, into members) error {
	return eachMember(data, func(name string, value []byte) error {
		if read, listed := into[name]; listed {
			return read(name, value)
		}
		return nil
	})
}

// eachMember calls do for each member of the JSON object in data, in order, unless it is null. The
// values are parts of data. It returns the first error, but calls do for the other members too.
func eachMember(data []byte, do func(name string, value []byte) error) error {
	switch {
	case !utf8.Valid(data):
		return errNotUTF8
	case jsonscan.Valid(data) != nil || !jsonscan.Of(data).IsObject():
		return errNoObject
	}
	var first error
	seen := map[string]bool{}
	for quoted, value := range jsonscan.Of(data).Members() {
		name := string(jsonscan.UnquoteWTF8(quoted))
		if seen[name] {
			return errDuplicate
		}
		seen[name] = true
		if value.IsNull() {
			continue
		}
		if err := do(name, value.Text); first == nil {
			first = err
		}
	}
	return first
}
