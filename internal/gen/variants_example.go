package gen

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/operation"
)

// exampleVariants break a rule like its examples: what differs between the good one and the bad one is
// changed in a drawn request. They are for rules that have no other variants.
func exampleVariants(rule *diag.Rule) []variant {
	good, bad := readExample(rule.Good), readExample(rule.Bad)
	if good == nil || bad == nil {
		return nil
	}
	e := &exampled{rule: rule, good: good, bad: bad, proven: map[operation.ID]*proof{}}
	e.prove()
	ops := slices.Sorted(maps.Keys(e.proven))
	if len(ops) == 0 {
		return nil
	}
	hidden := bad.Caller != nil || bad.Calendar != nil || bad.Series != nil
	return []variant{
		{name: "as in the example", on: rule.When, ops: ops, isHidden: hidden, request: e.changed},
		{name: "an example", on: rule.When, ops: ops, isHidden: hidden, request: func(_ *draw.T, op operation.ID) (*event.Request, diag.Finding) { return e.proven[op].copied() }},
	}
}

// readExample reads an example of `calrules check`. It returns nil for other examples.
func readExample(example diag.Example) *event.Request {
	req := new(batch.Request)
	if req.UnmarshalJSON([]byte(example.Request)) != nil || req.Op != operation.Response && !isOperation(req.Op) {
		return nil
	}
	return &req.Request
}

// copied returns a deep copy.
func copied(req *event.Request) *event.Request {
	clone := new(batch.Request)
	if err := clone.UnmarshalJSON([]byte(req.String())); err != nil {
		panic(fmt.Sprintf("fuzz: copying a request: %v", err))
	}
	return &clone.Request
}

// exampled changes drawn requests as the examples of a rule differ.
type exampled struct {
	rule      *diag.Rule
	good, bad *event.Request
	proven    map[operation.ID]*proof
}

// proof is a request that breaks only the rule, and the finding.
type proof struct {
	request *event.Request
	finding diag.Finding
}

func (p *proof) copied() (*event.Request, diag.Finding) { return copied(p.request), p.finding }

// prove looks for requests that break only the rule, on every operation to which it applies.
func (e *exampled) prove() {
	if found, ok := onlyFinding(e.rule, e.bad); ok {
		e.proven[e.bad.Op] = &proof{e.bad, found}
	}
	if e.good.Op != e.bad.Op && sameAround(e.good, e.bad) {
		return // what differs is about the operations
	}
	const tries = 20
	for _, op := range OperationsOn(e.rule.When) {
		for seed := uint64(0); seed < tries && e.proven[op] == nil; seed++ {
			if p := e.change(draw.Seeded(seed), op); p != nil {
				e.proven[op] = p
			}
		}
	}
}

// sameAround reports whether two requests are the same except for their operations, bodies and stored events.
func sameAround(a, b *event.Request) bool {
	return a.IfMatch == b.IfMatch && reflect.DeepEqual(a.Params, b.Params) && reflect.DeepEqual(a.Caller, b.Caller) &&
		reflect.DeepEqual(a.Calendar, b.Calendar) && reflect.DeepEqual(a.Series, b.Series)
}

// onlyFinding returns the finding of the rule about a request, if no other rule rejects it.
func onlyFinding(rule *diag.Rule, req *event.Request) (found diag.Finding, ok bool) {
	findings, err := event.Find(req)
	if err != nil {
		return found, false
	}
	for _, f := range findings {
		switch {
		case f.Rule == rule && !ok:
			found, ok = f, true
		case f.Kind == diag.Reject:
			return found, false
		}
	}
	return found, ok
}

// changed draws a request for the operation. It is the proven one if the drawn one turns out to break
// another rule, or none.
func (e *exampled) changed(t *draw.T, op operation.ID) (*event.Request, diag.Finding) {
	if p := e.change(t, op); p != nil {
		return p.request, p.finding
	}
	return e.proven[op].copied()
}

// change draws a valid request and makes the change, or returns nil if that does not break only the
// rule.
func (e *exampled) change(t *draw.T, op operation.ID) *proof {
	good, bad := e.good, e.bad
	drawn := Request(op).Draw(t, "request").In(bad.Dialect)
	req := &drawn
	if req.Params == nil {
		req.Params = operation.Params{}
	}
	apply(req.Params, good.Params, bad.Params)
	swap(&req.IfMatch, good.IfMatch, bad.IfMatch)
	swap(&req.Caller, good.Caller, bad.Caller)
	swap(&req.Calendar, good.Calendar, bad.Calendar)
	swap(&req.Series, good.Series, bad.Series)
	if bad.Existing != nil && good.Existing != nil && req.Existing != nil {
		stored := encodeTree(req.Existing)
		apply(stored, encodeTree(good.Existing), encodeTree(bad.Existing))
		req.Existing = decodeEvent(stored)
	} else {
		swap(&req.Existing, good.Existing, bad.Existing)
	}
	switch body, from, to := treeOf(req.Body), treeOf(good.Body), treeOf(bad.Body); {
	case req.Body == nil && occasion.Bodies.Has(OccasionOf(op)):
		req.Body = bad.Body
	case good.Body != nil && bad.Body != nil && (from == nil || to == nil):
		req.Body = bad.Body // it is not an object, which is the fault
	case body != nil:
		apply(body, from, to)
		if OccasionOf(op).Has(diag.Write) {
			needParams(req.Params, func(name string) bool { return body[name] != nil })
		}
		req.Body = bodyText(body)
	}
	found, ok := onlyFinding(e.rule, req)
	if !ok {
		return nil
	}
	return &proof{req, found}
}

// treeOf reads a body, or returns nil if it is not an object.
func treeOf(body []byte) members {
	if jsonscan.Valid(body) != nil || body[0] != '{' {
		return nil
	}
	return decodeJSON(body).(members)
}

// swap sets a part of a request to the part of the bad example, if the good one has another.
func swap[V any](part *V, good, bad V) {
	if !reflect.DeepEqual(good, bad) {
		*part = bad
	}
}

// apply makes the same change to a map that turns the good example into the bad one.
func apply[V any](to, good, bad map[string]V) {
	for name := range good {
		if _, stays := bad[name]; !stays {
			delete(to, name)
		}
	}
	for name, value := range bad {
		if old, was := good[name]; !was || !reflect.DeepEqual(old, value) {
			to[name] = value
		}
	}
}
