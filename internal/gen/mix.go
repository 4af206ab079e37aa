package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// Mix implements the Mix of package fuzz, where its fields are documented.
type Mix struct {
	Dialect      diag.Dialect
	Operations   []operation.ID
	Rules        []string
	InvalidShare float64
	OverHTTP     bool
	MaxBytes     int
}

// MinMaxBytes is the minimum value of the MaxBytes field in a [Mix]. Every rule can be broken in a body of MinMaxBytes bytes.
const MinMaxBytes = 4096

// Compile returns the mix with its generators. Compile returns an error if an operation is unknown, if one of the rules cannot
// be broken by any request for the operations, or if the share or MaxBytes is out of range.
func (m Mix) Compile() (*draw.Mix[Payload], error) {
	if m.MaxBytes != 0 && m.MaxBytes < MinMaxBytes {
		return nil, fmt.Errorf("MaxBytes is %d; it must be 0 or at least %d", m.MaxBytes, MinMaxBytes)
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

// valid returns a generator of valid requests for each operation in the mix, or for every operation if the mix names none.
// Each generator is repeated according to the weight of its operation.
func (m *Mix) valid() (valid []draw.Generator[Payload], err error) {
	for _, op := range m.Operations {
		if !isOperation(op) || op == operation.Response && m.OverHTTP {
			return nil, fmt.Errorf("there is no operation %q", op)
		}
		valid = append(valid, m.restrict(Valid(m.Dialect, op)))
	}
	if len(m.Operations) > 0 {
		return valid, nil
	}
	m.Operations = operations()
	if m.OverHTTP {
		m.Operations = m.Operations[1:]
	}
	for _, op := range m.Operations {
		valid = append(valid, slices.Repeat([]draw.Generator[Payload]{m.restrict(Valid(m.Dialect, op))}, weight(op))...)
	}
	return valid, nil
}

// broken returns a generator for each rule to break, and must be called after valid, which checks the operations.
func (m *Mix) broken() (broken []draw.Generator[Payload], err error) {
	for _, id := range m.wanted() {
		payloads := findBreach(breachOf{id, m.Dialect, m.OverHTTP}).payloads(m.Operations, m.MaxBytes)
		switch {
		case payloads != nil:
			broken = append(broken, payloads)
		case len(m.Rules) > 0:
			return nil, fmt.Errorf("no request breaks a rule %q: %s", id, m.untried(id))
		}
	}
	return broken, nil
}

func (m *Mix) wanted() []string {
	if len(m.Rules) > 0 {
		return m.Rules
	}
	var all []string
	for rule := range event.Catalogue().All() {
		if rule.Kind != "" { // a rule without a kind describes the service
			all = append(all, rule.ID)
		}
	}
	return all
}

// Untried returns the ids of the rules that no request in the mix breaks, each with the reason why not.
func (m *Mix) Untried() map[string]string {
	reasons := map[string]string{}
	for _, id := range m.wanted() {
		if findBreach(breachOf{id, m.Dialect, m.OverHTTP}).payloads(m.Operations, m.MaxBytes) == nil {
			reasons[id] = m.untried(id)
		}
	}
	return reasons
}

// untried returns the reason why no request in the mix breaks a rule.
func (m *Mix) untried(id string) string {
	rule := event.Catalogue().Lookup(id)
	switch {
	case rule == nil:
		return "there is no such rule"
	case rule.Kind == "":
		return "the rule describes what the service does"
	case !rule.HoldsIn(m.Dialect):
		return fmt.Sprintf("the rule does not hold in the dialect %s", m.Dialect)
	case len(findBreach(breachOf{id, m.Dialect, m.OverHTTP}).operations(nil)) > 0:
		return "it holds on other operations"
	case m.OverHTTP && len(findBreach(breachOf{id: id, in: m.Dialect}).operations(nil)) > 0:
		return "it depends on facts about the caller, the calendar or the series, or on a representation, which a request over HTTP does not have"
	default:
		return "no request is known to break it alone"
	}
}

// restrict returns a generator that removes the parts of a request that are not sent over HTTP, if required, and redraws
// requests whose body is too long or whose event the server cannot know.
func (m *Mix) restrict(g draw.Generator[Payload]) draw.Generator[Payload] {
	if !m.OverHTTP && m.MaxBytes == 0 {
		return g
	}
	isSent, most := m.OverHTTP, m.MaxBytes
	return draw.Map(g, func(p Payload) Payload {
		if isSent {
			p.Event.Caller, p.Event.Calendar, p.Event.Series = nil, nil, nil
		}
		return p
	}).Filter(func(p Payload) bool {
		return (most == 0 || len(p.Event.Body) <= most) && !(isSent && lacksEvent(p.Event))
	})
}

// lacksEvent reports whether a request is about an unknown event, which a server would not find.
func lacksEvent(req *event.Request) bool {
	op, ok := operation.Lookup(req.Op)
	return ok && req.Existing == nil && strings.Contains(op.Path, "{eventId}")
}

// operations returns all operations, preceded by operation.Response.
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

// weight returns the weight of an operation. The weight is greater if the body is an event, because an event has many members
// to vary.
func weight(id operation.ID) int {
	if OccasionOf(id).Has(WithBody) {
		return 16
	}
	return 1
}

// Valid returns a generator of valid requests for an operation, as payloads.
func Valid(in diag.Dialect, op operation.ID) draw.Generator[Payload] {
	return draw.Map(Request(in, op), func(req *event.Request) Payload {
		return Payload{Verdict: Verdict{Accepted: true}, Event: req}
	})
}
