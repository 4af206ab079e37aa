package fuzz

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/operation"
)

// Mix describes a mix of payloads, valid and broken ones. The zero value draws valid ones for all
// operations.
type Mix struct {
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

// minMaxBody is the least [Mix.MaxBody]. Every rule can be broken in a body of this length.
const minMaxBody = 4096

// Payloads returns a function that draws payload number i of a seed: the same on every machine, with
// one release of this package and of rapid. Several goroutines may call it. Payloads returns an error
// if there is no such operation, if no request for the operations breaks one of the rules, or if the
// share or MaxBody is out of range.
func (m Mix) Payloads(seed uint64) (func(i int) Payload, error) {
	mix, err := m.compile()
	if err != nil {
		return nil, err
	}
	return func(i int) Payload { return mix.Payload(seed, i) }, nil
}

// Generator returns a generator of the payloads for a property test. The errors are those of
// [Mix.Payloads].
func (m Mix) Generator() (*rapid.Generator[Payload], error) {
	mix, err := m.compile()
	if err != nil {
		return nil, err
	}
	return mix.Generator(), nil
}

// compile finds the generators of the mix.
func (m Mix) compile() (*draw.Mix[Payload], error) {
	if m.MaxBody != 0 && m.MaxBody < minMaxBody {
		return nil, fmt.Errorf("MaxBody is %d; it must be 0 or at least %d", m.MaxBody, minMaxBody)
	}
	valid, err := m.valid()
	if err != nil {
		return nil, err
	}
	broken, err := m.broken()
	if err != nil {
		return nil, err
	}
	return draw.NewMix(m.InvalidShare, valid, broken)
}

// valid returns a generator for each operation or, for no operations, one for each that there is,
// repeated by its weight.
func (m *Mix) valid() (valid []*rapid.Generator[Payload], err error) {
	for _, op := range m.Operations {
		if !isOperation(op) || op == operation.Response && m.OverHTTP {
			return nil, fmt.Errorf("there is no operation %q", op)
		}
		valid = append(valid, m.restrict(validRequest(op)))
	}
	if len(m.Operations) > 0 {
		return valid, nil
	}
	m.Operations = operations()
	if m.OverHTTP {
		m.Operations = m.Operations[1:]
	}
	for _, op := range m.Operations {
		valid = append(valid, slices.Repeat([]*rapid.Generator[Payload]{m.restrict(validRequest(op))}, weight(op))...)
	}
	return valid, nil
}

// broken returns a generator for each rule. The operations are known.
func (m *Mix) broken() (broken []*rapid.Generator[Payload], err error) {
	wanted := m.Rules
	if len(wanted) == 0 {
		wanted = Rules(m.Operations...)
	}
	for _, id := range wanted {
		rule, list := rules()[id], []candidate(nil)
		if rule != nil {
			list = candidates(rule, m.Operations)
		}
		if m.OverHTTP {
			list = slices.DeleteFunc(list, func(c candidate) bool { return c.isHidden })
		}
		switch {
		case len(list) > 0:
			broken = append(broken, m.restrict(anyCandidate(rule, list)))
		case len(m.Rules) > 0:
			return nil, fmt.Errorf("no request for these operations breaks a rule %q", id)
		}
	}
	return broken, nil
}

// restrict leaves out what is not sent over HTTP, and draws again while a body is too long.
func (m *Mix) restrict(g *rapid.Generator[Payload]) *rapid.Generator[Payload] {
	if !m.OverHTTP && m.MaxBody == 0 {
		return g
	}
	isSent, most := m.OverHTTP, m.MaxBody
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
