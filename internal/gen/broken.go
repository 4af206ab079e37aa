package gen

import (
	"fmt"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// fault is a way to break a rule.
type fault struct {
	on        diag.When                           // the occasions on which the fault may break the rule
	eventType string                              // the type of the events that can have the fault, or "" for any type
	put       func(t *draw.T, req *event.Request) // changes a valid request
}

// breach breaks a rule in a dialect by putting a fault into a valid request, and checks the result with the library: the
// request must break the rule, and no other rule may reject the request.
type breach struct {
	breachOf
	rule   *diag.Rule
	faults []*fault
	plain  map[operation.ID]func() *Payload // returns a payload for the operation, or nil
}

// breachOf is the context of a breach. Over HTTP, the caller, the calendar and the series are unknown.
type breachOf struct {
	id       string
	in       diag.Dialect
	overHTTP bool
}

// most is the maximum number of attempts to draw a payload that breaks the rule, before a plain payload is used.
// TestRedraws records the number of attempts.
const most = 16

var breaches sync.Map // from breachOf to *breach

// findBreach returns the breach of a rule, or nil if no request can break the rule in the dialect.
func findBreach(of breachOf) *breach {
	if found, ok := breaches.Load(of); ok {
		return found.(*breach)
	}
	found, _ := breaches.LoadOrStore(of, newBreach(of))
	return found.(*breach)
}

func newBreach(of breachOf) *breach {
	rule := event.Catalogue().Lookup(of.id)
	if rule == nil || rule.Kind == "" || !rule.HoldsIn(of.in) || OperationsOn(rule.When) == nil {
		return nil
	}
	b := &breach{breachOf: of, rule: rule, plain: map[operation.ID]func() *Payload{}}
	bad := readExample(rule.Bad.Example(), of.in)
	b.faults = slices.Concat(declaredFaults()[rule.ID], textFaults(rule, of.in))
	if good := readExample(rule.Good.Example(), of.in); good != nil && bad != nil {
		b.faults = append(b.faults, exampleFaults(good, bad)...)
	}
	for _, op := range OperationsOn(rule.When) {
		b.plain[op] = sync.OnceValue(func() *Payload { return b.findPlain(op, bad) })
	}
	return b
}

// findPlain returns the rule's bad example if that example is for the given operation, or else draws a payload.
func (b *breach) findPlain(op operation.ID, bad *event.Request) *Payload {
	if bad != nil && bad.Op == op {
		if p := b.ask(copied(bad)); p != nil {
			return p
		}
	}
	const seeds = 20
	for seed := uint64(0); seed < seeds && len(b.faults) > 0; seed++ {
		if p := b.try(draw.Seeded(seed), []operation.ID{op}); p != nil {
			return p
		}
	}
	return nil
}

// ask returns the request with its verdict if the request breaks this rule and no other, and otherwise nil.
func (b *breach) ask(req *event.Request) *Payload {
	if b.overHTTP {
		req.Caller, req.Calendar, req.Series = nil, nil, nil
	}
	findings, err := event.Find(req)
	if err != nil {
		return nil
	}
	var p *Payload
	for _, f := range findings {
		switch {
		case p == nil && f.Rule == b.rule && f.Kind == b.rule.KindIn(b.in):
			p = &Payload{Verdict{f.Kind != diag.Reject, f.Rule.ID, f.Kind, f.Path}, req}
		case f.Kind == diag.Reject:
			return nil
		}
	}
	if p != nil && p.Accepted && b.overHTTP && lacksEvent(req) {
		return nil
	}
	return p
}

// try puts a fault into a valid request for one of the operations, and returns the result of ask.
func (b *breach) try(t *draw.T, ops []operation.ID) *Payload {
	op := draw.One(t, "operation", ops...)
	faults := slices.DeleteFunc(slices.Clone(b.faults), func(f *fault) bool { return !f.on.Has(OccasionOf(op)) })
	if len(faults) == 0 {
		return nil
	}
	f := faults[draw.Evenly(len(faults)).Draw(t, "fault")]
	req := requestAbout(topic{b.in, op, f.eventType}).Draw(t, "request")
	f.put(t, req)
	return b.ask(req)
}

// draw draws a payload for one of the operations, and also returns the number of failed attempts. The rule must be breakable on
// every operation.
func (b *breach) draw(t *draw.T, ops []operation.ID, maxBytes int) (p *Payload, redraws int) {
	isGood := func(p *Payload) bool { return p != nil && (maxBytes == 0 || len(p.Event.Body) <= maxBytes) }
	if len(b.faults) > 0 {
		try := draw.Generator[*Payload](func(t *draw.T) *Payload { return b.try(t, ops) })
		if p, redraws = try.First(t, most, isGood); isGood(p) {
			return p, redraws
		}
	}
	plain := *b.plain[ops[0]]()
	plain.Event = copied(plain.Event)
	return &plain, redraws
}

// operations returns the operations in the list on which the rule can be broken. An empty list means all operations.
func (b *breach) operations(ops []operation.ID) (found []operation.ID) {
	if b == nil {
		return nil
	}
	if len(ops) == 0 {
		ops = OperationsOn(b.rule.When)
	}
	for _, op := range ops {
		if plain := b.plain[op]; plain != nil && plain() != nil {
			found = append(found, op)
		}
	}
	return found
}

// payloads returns a generator of payloads for the operations on which the rule can be broken, or nil if there are no such
// operations.
func (b *breach) payloads(ops []operation.ID, maxBytes int) draw.Generator[Payload] {
	found := b.operations(ops)
	if len(found) == 0 {
		return nil
	}
	return func(t *draw.T) Payload {
		p, _ := b.draw(t, found, maxBytes)
		return *p
	}
}

func copied(req *event.Request) *event.Request {
	clone := new(batch.Request)
	if err := clone.UnmarshalJSON([]byte(req.String())); err != nil {
		panic(fmt.Sprintf("fuzz: copying a request: %v", err))
	}
	return &clone.Request
}

// Violating returns a generator of requests in the given dialect that break one rule. The requests are for the given
// operations or, if none are given, for any operation. Violating panics for an unknown rule or operation, or if the rule
// cannot be broken on any of the operations.
func Violating(in diag.Dialect, rule string, ops ...operation.ID) draw.Generator[Payload] {
	for _, op := range ops {
		OccasionOf(op) // panics if there is no such operation
	}
	payloads := findBreach(breachOf{id: rule, in: in}).payloads(ops, 0)
	if payloads == nil {
		panic(fmt.Sprintf("fuzz: no request in the dialect %s breaks a rule %q on %v", in, rule, ops))
	}
	return payloads
}

// Rules returns the sorted ids of the rules that [Violating] can break on one of the operations or, if none are given, on any
// operation.
func Rules(in diag.Dialect, ops ...operation.ID) []string {
	var ids []string
	for rule := range event.Catalogue().All() {
		if len(findBreach(breachOf{id: rule.ID, in: in}).operations(ops)) > 0 {
			ids = append(ids, rule.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// WithBody is the set of occasions on which the body is an event.
const WithBody = diag.Write | diag.Response

// OccasionOf returns the occasion of an operation, which may be operation.Response. OccasionOf panics for an unknown operation.
func OccasionOf(op operation.ID) diag.When {
	if op == operation.Response {
		return diag.Response
	}
	row, ok := operation.Lookup(op)
	if !ok {
		panic(fmt.Sprintf("fuzz: there is no operation %q", op))
	}
	return row.When
}

// OperationsOn returns the operations, including operation.Response, for the given occasions.
func OperationsOn(when diag.When) []operation.ID {
	var ids []operation.ID
	for op := range operation.All() {
		if when.Has(op.When) {
			ids = append(ids, op.ID)
		}
	}
	if when.Has(diag.Response) {
		ids = append(ids, operation.Response)
	}
	return ids
}
