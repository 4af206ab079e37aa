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

	// Operations are the operations of the requests, which may include [operation.Response]. If Operations is empty,
	// requests are for all operations, more often for those with an event as the body.
	Operations []operation.ID

	// Rules are the ids of the rules that broken requests break. If Rules is empty, the broken requests break all rules that
	// [Rules] returns.
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. InvalidShare includes requests that are
	// accepted because the rule only ignores or advises.
	InvalidShare float64

	// OverHTTP omits everything that is not sent over HTTP: representations, and facts about the caller, the calendar and the
	// series. Every accepted request that refers to an event includes the stored event. Broken requests are limited to requests
	// that a server can recognize as broken from the request and the stored event.
	OverHTTP bool

	// MaxBytes is the maximum length of a body, in bytes. MaxBytes must be at least 4096, or 0 for no limit.
	MaxBytes int
}

// Payloads returns a function that draws payload number i for a seed. With the same release of this package, the payload is
// the same on every machine. The function is safe for concurrent use. Payloads returns an error if an operation does not
// exist, if a rule cannot be broken with the operations, or if InvalidShare or MaxBytes is out of range.
func (m Mix) Payloads(seed uint64) (func(i int) Payload, error) {
	mix, err := gen.Mix(m).Compile()
	if err != nil {
		return nil, err
	}
	return func(i int) Payload { return newPayload(mix.Payload(seed, i)) }, nil
}

// Generator returns a generator of payloads for a property test. Generator returns the same errors as [Mix.Payloads].
func (m Mix) Generator() (*rapid.Generator[Payload], error) {
	mix, err := gen.Mix(m).Compile()
	if err != nil {
		return nil, err
	}
	return rapidgen.Of(draw.Map(mix.Draw, newPayload)), nil
}

// Untried returns the ids of the rules that no request in the mix breaks, each with the reason why not. Only the rules in
// [Mix.Rules] are considered, or all rules if Mix.Rules is empty.
func (m Mix) Untried() map[string]string {
	mix := gen.Mix(m)
	return mix.Untried()
}

func newPayload(p gen.Payload) Payload { return Payload{Verdict(p.Verdict), p.Event} }
