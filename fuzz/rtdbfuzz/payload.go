package rtdbfuzz

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/internal/draw"
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

// GoString returns the same as String, because rapid prints what it drew in Go syntax.
func (p Payload) GoString() string { return p.String() }

// Violating draws requests that break one rule. If the rule rejects, no other rule rejects the
// request; if it ignores or advises, or leaves a question open, no rule rejects it. Each rule has
// several variants, each drawn as often as the others. For the rule rtdb.key-file it draws the
// text of a key file.
//
// Violating panics if there is no such rule, or if no request breaks it; [Rules] lists the rules
// that requests break.
func Violating(rule string) *rapid.Generator[Payload] {
	if rule == ruleid.RTDBKeyFile {
		return brokenKeyFile()
	}
	list := variants()[rule]
	if list == nil {
		panic(fmt.Sprintf("rtdbfuzz: no request breaks a rule %q", rule))
	}
	return rapid.Custom(func(t *rapid.T) Payload {
		v := &list[draw.Evenly(len(list)).Draw(t, "variant")]
		b := drawBuilder(t)
		path := v.mutate(t, b)
		return Payload{
			Verdict: fuzz.Verdict{Accepted: v.kind != diag.Reject, Rule: rule, Kind: v.kind, Path: path, Variant: v.name},
			Request: b.line(t),
		}
	})
}

// Rules lists the ids of the rules that requests can break, sorted.
func Rules() []string { return slices.Sorted(maps.Keys(variants())) }

// Mix describes a mix of payloads, valid and broken ones. The zero value draws valid ones.
type Mix struct {
	// Rules are the ids of the rules that broken requests break. If it is empty, they break
	// every rule of [Rules].
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. Requests that break
	// a rule and are accepted, because the rule only ignores or advises, count as well.
	InvalidShare float64
}

// Payloads returns a function that draws payload number i of a seed: the same on every machine, with
// one release of this package and of rapid. Several goroutines may call it. Payloads returns an error
// if no request breaks one of the rules, or if the share is out of range.
func (m Mix) Payloads(seed uint64) (func(i int) Payload, error) {
	can := Rules()
	wanted := m.Rules
	if len(wanted) == 0 {
		wanted = can
	}
	var broken []*rapid.Generator[Payload]
	for _, rule := range wanted {
		if !slices.Contains(can, rule) {
			return nil, fmt.Errorf("no request to the realtime database breaks a rule %q", rule)
		}
		broken = append(broken, Violating(rule))
	}
	valid := rapid.Map(Request(), func(r Line) Payload { return Payload{Verdict: fuzz.Verdict{Accepted: true}, Request: r} })
	mix, err := draw.NewMix(m.InvalidShare, []*rapid.Generator[Payload]{valid}, broken)
	if err != nil {
		return nil, err
	}
	return func(i int) Payload { return mix.Payload(seed, i) }, nil
}

// Line is a request to a realtime database, with what a verifier knows about its tokens and the
// policy that decides it. It is a line of the batch form that `calrules rtdb --ndjson` reads,
// without an id and without a line end. It is text because values of package rtdbauth never
// print tokens, and a failing test has to show them. Verifier, Policy, Now and Decision panic if the text is
// not a request.
type Line []byte

// String returns the line.
func (l Line) String() string { return string(l) }

// GoString returns the line, because rapid prints what it drew in Go syntax.
func (l Line) GoString() string { return string(l) }

// MarshalJSON returns the line.
func (l Line) MarshalJSON() ([]byte, error) { return json.RawMessage(l).MarshalJSON() }

// UnmarshalJSON keeps a copy of the line.
func (l *Line) UnmarshalJSON(line []byte) error {
	*l = slices.Clone(line)
	return nil
}
