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

// Payload is a request or a key file, with the verdict of a correct server. The path of the verdict
// about a key file is a JSON Pointer into it. If credentials contradict each other, there is a finding
// at each of them, and the verdict has the path of the first.
type Payload struct {
	fuzz.Verdict
	Request Line    `json:"request,omitempty"` // nil for a key file
	KeyFile *string `json:"keyFile,omitempty"` // the text of a broken key file, or nil
}

// String returns the verdict and the request or the key file on two lines, as a failing test
// shows them.
func (p Payload) String() string {
	if p.KeyFile != nil {
		return p.Verdict.String() + "\n" + *p.KeyFile
	}
	return p.Verdict.String() + "\n" + string(p.Request)
}

// GoString returns the same as String, because rapid prints drawn values in Go syntax.
func (p Payload) GoString() string { return p.String() }

func newPayload(p rtdbgen.Payload) Payload {
	return Payload{fuzz.Verdict(p.Verdict), Line(p.Request), p.KeyFile}
}

// Request draws valid requests to a realtime database: no rule rejects them. They present
// nothing, or the access token of a service account, an identity token or a legacy credential, in
// every allowed place, or several credentials under a policy that allows it. A verifier knows
// every kind of fact about the tokens, just good enough or better, and every member of the policy
// is set. For some requests the document leaves the outcome open, so that the principal is
// [rtdbauth.Unspecified]. A rule may advise.
//
// Other parameters and header fields surround the credentials in any order, and names and
// values may be percent-encoded without need.
func Request() *rapid.Generator[Line] {
	return rapidgen.Of(draw.Map(rtdbgen.Request, func(line json.RawMessage) Line { return Line(line) }))
}

// Violating draws requests that break one rule. If the rule rejects, no other rule rejects the
// request; if it ignores or advises, or leaves a question open, no rule rejects it. A fact about
// a token, a choice of the policy or a text is wrong, and the library must find this rule and no other that rejects;
// otherwise another request is drawn. For the rule rtdb.key-file it draws the text of a key file.
//
// Violating panics if there is no such rule, or if no request breaks it; [Rules] lists the rules
// that requests break.
func Violating(rule string) *rapid.Generator[Payload] {
	return rapidgen.Of(draw.Map(rtdbgen.Violating(rule), newPayload))
}

// Rules returns the sorted ids of the rules that requests can break.
func Rules() []string { return rtdbgen.Rules() }

// KeyFile draws key files of service accounts that [rtdbauth.ParseKeyFile] accepts. The key in them is random, so a
// token library may refuse it.
func KeyFile() *rapid.Generator[string] { return rapidgen.Of(rtdbgen.KeyFile) }

// Mix describes a mix of payloads, valid and broken. The zero value draws valid payloads.
type Mix struct {
	// Rules are the ids of the rules that broken requests break. If it is empty, they break
	// every rule of [Rules].
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. Requests that break
	// a rule and are accepted, because the rule only ignores or advises, count as well.
	InvalidShare float64
}

// Payloads returns a function that draws payload number i of a seed: the same on every machine, with one release of
// this package. It is safe for concurrent use. Payloads returns an error if no request breaks one of the rules, or if
// the share is out of range.
func (m Mix) Payloads(seed uint64) (func(i int) Payload, error) {
	mix, err := rtdbgen.Mix(m).Compile()
	if err != nil {
		return nil, err
	}
	return func(i int) Payload { return newPayload(mix.Payload(seed, i)) }, nil
}

// Line is a request to a realtime database, with the facts of a verifier about its tokens and
// the policy that decides it. It is a line of the batch form that `calrules rtdb --ndjson` reads,
// without an id and without a line end. It is text because values of package rtdbauth never
// print tokens, and a failing test has to show them. Verifier, Policy, Now and Decision panic if the text is
// not a request.
type Line []byte

// String returns the line.
func (l Line) String() string { return string(l) }

// GoString returns the line, because rapid prints drawn values in Go syntax.
func (l Line) GoString() string { return string(l) }

// MarshalJSON returns the line.
func (l Line) MarshalJSON() ([]byte, error) { return json.RawMessage(l).MarshalJSON() }

// UnmarshalJSON keeps a copy of the line.
func (l *Line) UnmarshalJSON(line []byte) error {
	*l = slices.Clone(line)
	return nil
}

// request returns the request as the library reads it. It panics if the line is not a request.
func (l Line) request() *rtdbline.Request {
	req := new(rtdbline.Request)
	if err := req.UnmarshalJSON(l); err != nil {
		panic(fmt.Errorf("rtdbfuzz: not a request: %w", err))
	}
	return req
}

// Verifier returns a verifier for your own server that knows the facts about tokens in the line.
func (l Line) Verifier() rtdbauth.Verifier { return l.request().Known }

// Policy returns the policy that decides the request.
func (l Line) Policy() rtdbauth.Policy { return l.request().Policy }

// Now returns the time of the server's clock. The zero time means that it is unknown.
func (l Line) Now() time.Time { return l.request().Known.Now }

// Decision returns the decision of a correct server.
func (l Line) Decision() rtdbauth.Decision { return rtdbline.Check(l.request()).Decision }
