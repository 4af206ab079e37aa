package rtdbauth

import (
	"bytes"
	"context"
	"encoding/json"
	"time"
)

// Request is one line of the batch form, `calrules rtdb --ndjson`: a request, what a
// verifier knows of the tokens in it, and the caller's policy. It is read from JSON; written,
// it shows no token.
type Request struct {
	ID json.RawMessage `json:"id,omitempty"` // any JSON; echoed in the result
	Message
	Known  Known  `json:"known"`
	Policy Policy `json:"policy"`
}

// UnmarshalJSON reads one line. The error, if any, says which member is wrong and shows no
// value; the ID is read all the same where it can be.
func (r *Request) UnmarshalJSON(data []byte) error {
	*r = Request{}
	err := readObject(data, members{
		"id": &r.ID, "method": &r.Method, "url": &r.URL, "headers": &r.Headers,
		"known": &r.Known, "policy": &r.Policy,
	})
	r.TLS = r.Known.TLS
	return err
}

// UnmarshalJSON reads a field as an array of its name and its value.
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

// Known is what the batch form says about tokens, by their decoded text, and about the
// request. It is a [Verifier].
type Known struct {
	Now time.Time `json:"-"` // "_now"; zero is unknown
	TLS Fact      `json:"-"` // "_request.tls"

	entry func(token string) json.RawMessage // behind a function, for its keys are tokens
}

// The members of the batch form's "known" that are about no token.
const (
	memberNow     = "_now"
	memberRequest = "_request"
)

// UnmarshalJSON reads the member "known". What it says about a token is read when the
// credential is verified: most of a line may be about tokens that the request does not hold.
func (k *Known) UnmarshalJSON(data []byte) error {
	entries := map[string]json.RawMessage{}
	data = bytes.Clone(data) // the entries outlive the call, what it was given does not
	if err := eachMember(data, func(name string, raw json.RawMessage) { entries[name] = raw }); err != nil {
		return err
	}
	var now optional[float64]
	if raw, ok := entries[memberNow]; ok {
		_ = now.UnmarshalJSON(raw) // of another type it is unknown, as where it is absent
	}
	k.TLS = Unknown
	err := factsOnly(readObject(entries[memberRequest], members{"tls": &k.TLS}))
	delete(entries, memberNow)
	delete(entries, memberRequest)
	k.Now, k.entry = unix(now), func(token string) json.RawMessage { return entries[token] }
	return err
}

// VerifyToken returns what is known of the credential's token. Of one that is not listed
// nothing is. An entry that repeats a member, holds a fact of the wrong JSON type, or says
// that the verifier failed is no answer, and an error.
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

// Result is the answer to one [Request].
type Result struct {
	ID json.RawMessage `json:"id"`
	Decision
}

// Check answers one line of the batch form.
func Check(req *Request) Result {
	return Result{
		ID:       req.ID,
		Decision: Authenticate(context.Background(), req.Message, req.Known, req.Policy, req.Known.Now),
	}
}
