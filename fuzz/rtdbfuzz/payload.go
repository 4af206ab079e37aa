package rtdbfuzz

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/draw/rapidgen"
	"github.com/calrules/calrules/internal/gen/rtdbgen"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

// Payload is a request or a key file, with the verdict of a correct server. For a key file, the path in the verdict is a JSON
// Pointer into the file. If credentials contradict each other, there is a finding for each credential, and the verdict contains
// the path of the first finding.
type Payload struct {
	fuzz.Verdict
	Request Line    `json:"request,omitempty"` // nil for a key file
	KeyFile *string `json:"keyFile,omitempty"` // the content of a broken key file, or nil
}

// String formats the payload for a failing test: the verdict on one line, and the request or key file after it.
func (p Payload) String() string {
	if p.KeyFile != nil {
		return p.Verdict.String() + "\n" + *p.KeyFile
	}
	return p.Verdict.String() + "\n" + string(p.Request)
}

// GoString returns the same string as String, because rapid prints drawn values in Go syntax.
func (p Payload) GoString() string { return p.String() }

func newPayload(p rtdbgen.Payload) Payload {
	return Payload{fuzz.Verdict(p.Verdict), Line(p.Request), p.KeyFile}
}

// Request draws valid requests to a realtime database, which no rule rejects. The requests have no credentials, an access
// token of a service account, an identity token or a legacy credential, in every allowed place, or several credentials under a
// policy that allows that. The verifier's facts about tokens cover every kind of token, from barely sufficient to more than
// sufficient, and every member of the policy is set in some requests. For some requests, the documents leave the outcome open,
// and the principal is [rtdbauth.Unspecified]. A rule may advise against a request.
//
// The requests also have other parameters and header fields, in any order. Names and values may be percent-encoded even if
// that is unnecessary.
func Request() *rapid.Generator[Line] {
	return rapidgen.Of(draw.Map(rtdbgen.Request, func(line json.RawMessage) Line { return Line(line) }))
}

// Violating draws requests that break one rule. If the rule rejects, no other rule rejects the request; if it ignores, advises
// or leaves a question open, no rule rejects the request. Each broken request has one fault, in a fact about a token, in the
// policy or in a string. If the library does not report that rule, or another rule rejects the request, Violating draws another
// request. For the rule rtdb.key-file, Violating draws the content of a key file.
//
// Violating panics if the rule does not exist or no request can break it. [Rules] lists the rules that requests can break.
func Violating(rule string) *rapid.Generator[Payload] {
	return rapidgen.Of(draw.Map(rtdbgen.Violating(rule), newPayload))
}

// Rules returns the sorted ids of the rules that requests can break.
func Rules() []string { return rtdbgen.Rules() }

// KeyFile draws service account key files that [rtdbauth.ParseKeyFile] accepts. The private key in a file is random, so
// a token library may refuse it.
func KeyFile() *rapid.Generator[string] { return rapidgen.Of(rtdbgen.KeyFile) }

// Mix describes a mix of payloads, valid and broken. The zero value draws valid payloads.
type Mix struct {
	// Rules are the ids of the rules that broken requests break. If Rules is empty, the broken requests break all rules that
	// [Rules] returns.
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. InvalidShare includes requests that are
	// accepted because the rule only ignores or advises.
	InvalidShare float64
}

// Payloads returns a function that draws payload number i for a seed. With the same release of this package, the payload is
// the same on every machine. The function is safe for concurrent use. Payloads returns an error if a rule cannot be broken,
// or if InvalidShare is out of range.
func (m Mix) Payloads(seed uint64) (func(i int) Payload, error) {
	mix, err := rtdbgen.Mix(m).Compile()
	if err != nil {
		return nil, err
	}
	return func(i int) Payload { return newPayload(mix.Payload(seed, i)) }, nil
}

// Line is a request to a realtime database, with a verifier's facts about its tokens and the policy for the decision. Line is a
// line of the batch form that `calrules rtdb --ndjson` reads, without an id or a newline. Line is a string because values of
// package rtdbauth never print tokens, which a failing test must show. Verifier, Policy, Now and Decision panic if the line is
// not a request.
type Line []byte

// String returns the line as a string.
func (l Line) String() string { return string(l) }

// GoString returns the line, because rapid prints drawn values in Go syntax.
func (l Line) GoString() string { return string(l) }

// MarshalJSON returns the line.
func (l Line) MarshalJSON() ([]byte, error) { return json.RawMessage(l).MarshalJSON() }

// UnmarshalJSON sets *l to a copy of line.
func (l *Line) UnmarshalJSON(line []byte) error {
	*l = slices.Clone(line)
	return nil
}

// request decodes the line and panics if the line is not a request.
func (l Line) request() *rtdbline.Request {
	req := new(rtdbline.Request)
	if err := req.UnmarshalJSON(l); err != nil {
		panic(fmt.Errorf("rtdbfuzz: not a request: %w", err))
	}
	return req
}

// Verifier returns a verifier for a server under test, which returns the facts about tokens in the line.
func (l Line) Verifier() rtdbauth.Verifier { return l.request().Known }

// Policy returns the policy for the decision on the request.
func (l Line) Policy() rtdbauth.Policy { return l.request().Policy }

// Now returns the time on the server's clock. The zero time means that the time is unknown.
func (l Line) Now() time.Time { return l.request().Known.Now }

// Decision returns the decision that a correct server would make.
func (l Line) Decision() rtdbauth.Decision { return rtdbline.Check(l.request()).Decision }
