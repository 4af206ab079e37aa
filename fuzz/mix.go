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

	// OverHTTP leaves out what is not sent over HTTP: representations, and the facts about the caller,
	// the calendar and the series. Of the broken requests it keeps those that a server can recognize
	// from what is sent and from the event that it stores.
	OverHTTP bool

	// MaxBody is the maximum length of a body in bytes, at least 4096. 0 means no limit.
	MaxBody int
}

// minMaxBody is the least [MixOptions.MaxBody]. Every rule can be broken in a body of this length.
const minMaxBody = 4096

// Mix draws payloads by number, valid and broken ones. It may be used by several goroutines. The methods of
// a Mix that [NewMix] did not return panic.
type Mix struct{ mix *draw.Mix[Payload] }

// NewMix returns the mix that the options describe. It returns an error if there is no such
// operation, if no request for the operations breaks one of the rules, or if the share or MaxBody is
// out of range.
func NewMix(opts MixOptions) (*Mix, error) {
	if opts.MaxBody != 0 && opts.MaxBody < minMaxBody {
		return nil, fmt.Errorf("MaxBody is %d; it must be 0 or at least %d", opts.MaxBody, minMaxBody)
	}
	valid, err := validRequests(&opts)
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
func validRequests(opts *MixOptions) (valid []*rapid.Generator[Payload], err error) {
	for _, op := range opts.Operations {
		if !isOperation(op) || op == operation.Response && opts.OverHTTP {
			return nil, fmt.Errorf("there is no operation %q", op)
		}
		valid = append(valid, opts.restrict(validRequest(op)))
	}
	if len(opts.Operations) > 0 {
		return valid, nil
	}
	opts.Operations = operations()
	if opts.OverHTTP {
		opts.Operations = opts.Operations[1:]
	}
	for _, op := range opts.Operations {
		valid = append(valid, slices.Repeat([]*rapid.Generator[Payload]{opts.restrict(validRequest(op))}, weight(op))...)
	}
	return valid, nil
}

// brokenRequests returns a generator for each rule. The operations of the options are known.
func brokenRequests(opts *MixOptions) (broken []*rapid.Generator[Payload], err error) {
	wanted := opts.Rules
	if len(wanted) == 0 {
		wanted = Rules(opts.Operations...)
	}
	for _, id := range wanted {
		rule, list := rules()[id], []candidate(nil)
		if rule != nil {
			list = candidates(rule, opts.Operations)
		}
		if opts.OverHTTP {
			list = slices.DeleteFunc(list, func(c candidate) bool { return c.isHidden })
		}
		switch {
		case len(list) > 0:
			broken = append(broken, opts.restrict(anyCandidate(rule, list)))
		case len(opts.Rules) > 0:
			return nil, fmt.Errorf("no request for these operations breaks a rule %q", id)
		}
	}
	return broken, nil
}

// restrict leaves out what is not sent over HTTP, and draws again while a body is too long.
func (opts *MixOptions) restrict(g *rapid.Generator[Payload]) *rapid.Generator[Payload] {
	if !opts.OverHTTP && opts.MaxBody == 0 {
		return g
	}
	isSent, most := opts.OverHTTP, opts.MaxBody
	return rapid.Map(g, func(p Payload) Payload {
		if isSent {
			p.Event.Caller, p.Event.Calendar, p.Event.Series = nil, nil, nil
		}
		return p
	}).Filter(func(p Payload) bool { return most == 0 || len(p.Event.Body) <= most })
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
	if occasionOf(id).Has(withBody) {
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

// Generator draws the payloads for a property test.
func (m *Mix) Generator() *rapid.Generator[Payload] { return m.mix.Generator() }
