package fuzz

import (
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/draw/rapidgen"
	"github.com/calrules/calrules/operation"
)

// Mix describes a mix of payloads, valid and broken. The zero value draws valid payloads for all operations.
type Mix struct {
	// Dialect is the dialect of the requests and of the server that the verdicts describe.
	Dialect diag.Dialect

	// Operations are the operations of the requests; [operation.Response] may be among them. If it is empty, requests
	// are for all operations, and more often for operations that have an event as body.
	Operations []operation.ID

	// Rules are the ids of the rules that broken requests break. If it is empty, they break
	// every rule of [Rules].
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. Requests that break
	// a rule and are accepted, because the rule only ignores or advises, count as well.
	InvalidShare float64

	// OverHTTP leaves out everything that is not sent over HTTP: representations, and the facts about the caller, the
	// calendar and the series. Each accepted request about an event comes with the stored event. A broken request is
	// kept if a server can recognize it from the request and from the event that it stores.
	OverHTTP bool

	// MaxBytes is the maximum length of a body in bytes, at least 4096. 0 means no limit.
	MaxBytes int
}

// Payloads returns a function that draws payload number i of a seed: the same on every machine, with one release of
// this package. It is safe for concurrent use. Payloads returns an error if there is no such operation, if no request
// for the operations breaks one of the rules, or if the share or MaxBytes is out of range.
func (m Mix) Payloads(seed uint64) (func(i int) Payload, error) {
	mix, err := gen.Mix(m).Compile()
	if err != nil {
		return nil, err
	}
	return func(i int) Payload { return newPayload(mix.Payload(seed, i)) }, nil
}

// Generator returns a generator of the payloads for a property test. It returns the errors of [Mix.Payloads].
func (m Mix) Generator() (*rapid.Generator[Payload], error) {
	mix, err := gen.Mix(m).Compile()
	if err != nil {
		return nil, err
	}
	return rapidgen.Of(draw.Map(mix.Draw, newPayload)), nil
}

// Untried returns the rules of [Mix.Rules], or of all rules, that no request of the mix breaks, each with the reason.
func (m Mix) Untried() map[string]string {
	mix := gen.Mix(m)
	return mix.Untried()
}

func newPayload(p gen.Payload) Payload { return Payload{Verdict(p.Verdict), p.Event} }
