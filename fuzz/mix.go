package fuzz

import (
	"fmt"
	"iter"
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/operation"
)

// MixOptions describe a [Mix].
type MixOptions struct {
	// Operations are those that requests are for; [operation.Response] may be among them. If it
	// is empty, requests are for all operations, and more often for those that have an event as
	// body.
	Operations []operation.ID

	// Rules are the ids of the rules that broken requests break. If it is empty, they break
	// every rule of [Rules].
	Rules []string

	// InvalidShare is the share of requests that break a rule, from 0 to 1. Requests that break
	// a rule and are accepted, because the rule only ignores or advises, count as well.
	InvalidShare float64
}

// Mix draws payloads by number, valid and broken ones. It may be used by several goroutines.
type Mix struct{ mix *draw.Mix[Payload] }

// NewMix returns the mix that the options describe. It returns an error if there is no such
// operation, if no request for the operations breaks one of the rules, or if the share is out of
// range.
func NewMix(opts MixOptions) (*Mix, error) {
	valid, err := validRequests(opts.Operations)
	if err != nil {
		return nil, err
	}
	broken, err := brokenRequests(&opts)
	if err != nil {
		return nil, err
	}
	mix, err := draw.NewMix(opts.InvalidShare, valid, broken)
	if err != nil {
		return nil, err
	}
	return &Mix{mix}, nil
}

// validRequests returns a generator for each operation or, for no operations, one for each that
// there is, repeated by its weight.
func validRequests(ops []operation.ID) (valid []*rapid.Generator[Payload], err error) {
	for _, op := range ops {
		if !isOperation(op) {
			return nil, fmt.Errorf("there is no operation %q", op)
		}
		valid = append(valid, validRequest(op))
	}
	if len(ops) > 0 {
		return valid, nil
	}
	for _, op := range operations() {
		valid = append(valid, slices.Repeat([]*rapid.Generator[Payload]{validRequest(op)}, weight(op))...)
	}
	return valid, nil
}

func brokenRequests(opts *MixOptions) (broken []*rapid.Generator[Payload], err error) {
	can := Rules(opts.Operations...)
	wanted := opts.Rules
	if len(wanted) == 0 {
		wanted = can
	}
	for _, rule := range wanted {
		if !slices.Contains(can, rule) {
			return nil, fmt.Errorf("no request for these operations breaks a rule %q", rule)
		}
		broken = append(broken, Violating(rule, opts.Operations...))
	}
	return broken, nil
}

// operations lists every operation, and the check of a response.
func operations() []operation.ID {
	ids := []operation.ID{operation.Response}
	for op := range operation.All() {
		ids = append(ids, op.ID)
	}
	return ids
}

func isOperation(id operation.ID) bool {
	_, ok := operation.Lookup(id)
	return ok || id == operation.Response
}

// weight is greater for operations that have an event as body, in which more can be wrong.
func weight(id operation.ID) int {
	if occasion(id).Has(withBody) {
		return 16
	}
	return 1
}

// validRequest draws valid requests for the operation as payloads.
func validRequest(op operation.ID) *rapid.Generator[Payload] {
	return rapid.Map(Request(op), func(req *event.Request) Payload {
		return Payload{Verdict: Verdict{Accepted: true}, Event: req}
	})
}

// Payload returns payload number i of a seed: the same on every machine, with one release of
// this package and of rapid.
func (m *Mix) Payload(seed uint64, i int) Payload { return m.mix.Payload(seed, i) }

// All yields the payloads of a seed by number, without end.
func (m *Mix) All(seed uint64) iter.Seq2[int, Payload] { return m.mix.All(seed) }

// Payloads yields the payloads of a seed by number, without end: of every operation, and half of
// them broken, by every rule.
func Payloads(seed uint64) iter.Seq2[int, Payload] {
	m, err := NewMix(MixOptions{InvalidShare: 0.5})
	if err != nil {
		panic(fmt.Sprintf("fuzz: %v", err)) // impossible with these options
	}
	return m.All(seed)
}
