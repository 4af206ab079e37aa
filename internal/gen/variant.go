package gen

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// variant is one way to break a rule, in a request that is otherwise drawn freely.
type variant struct {
	name string

	// on are the occasions of the rule on which the variant breaks it; 0 means all on which the
	// body is an event.
	on diag.When

	// types are the possible event types; none means any with which the request breaks no other
	// rule.
	types []string

	// prepare are the steps "with NAME": they give the valid event what the variant needs. For a change, that is
	// the stored event.
	prepare []eventStep

	// whole are top-level members that a patch sends even if they do not change. Without them, a
	// rule about two members would be broken only in combination with the stored event.
	whole []string

	// steps break the rule.
	steps []step

	// isHidden says that the fault depends on the caller, the calendar or the series, which are
	// not sent over HTTP.
	isHidden bool

	// request, if not nil, draws the request instead of all this, on some operations, and returns the expected finding.
	ops     []operation.ID
	request func(t *draw.T, op operation.ID) (*event.Request, diag.Finding)
}

// WithBody are the occasions on which the body is an event.
const WithBody = diag.Write | diag.Response

// allVariants are the variants of each of the calendar's rules: variants.txt has them or, if it has none, the schema or
// else the examples of the rule imply them.
var allVariants = sync.OnceValue(func() map[string][]variant {
	all := scripted()
	for id, variants := range derived() {
		if all[id] == nil {
			all[id] = variants
		}
	}
	for id, rule := range rules() {
		if all[id] == nil && rule.Kind.Reports() {
			all[id] = exampleVariants(rule)
		}
		all[id] = append(all[id], bodyVariants(rule)...)
	}
	return all
})

// rules are the calendar's rules by id.
var rules = sync.OnceValue(func() map[string]*diag.Rule {
	index := map[string]*diag.Rule{}
	for rule := range event.Catalogue().All() {
		index[rule.ID] = rule
	}
	return index
})

// with returns the variant with a name and one more step.
func (v variant) with(name string, last step) variant {
	v.name, v.steps = name, append(slices.Clip(v.steps), last)
	return v
}

// only returns the variant for some of its occasions.
func (v variant) only(on diag.When) variant {
	if v.on == 0 {
		v.on = WithBody
	}
	v.on &= on
	return v
}

// draw draws a request that breaks the rule on one of the operations.
func (v *variant) draw(t *draw.T, rule *diag.Rule, ops []operation.ID) Payload {
	op := draw.One(t, "operation", ops...)
	if v.request != nil {
		req, found := v.request(t, op)
		return v.payload(rule, found.Kind, found.Path, req)
	}
	d := v.broken(t, op)
	d.drawStates(t)
	req := d.request(v.whole)
	d.surround(t, req)
	return v.payload(rule, cmp.Or(d.Kind, rule.Kind), d.Found(), req)
}

func (v *variant) payload(rule *diag.Rule, kind diag.Kind, path diag.Pointer, req *event.Request) Payload {
	return Payload{
		Verdict: Verdict{Accepted: kind != diag.Reject, Rule: rule.ID, Kind: kind, Path: path, Variant: v.name},
		Event:   req,
	}
}

// broken draws a valid request and breaks it. If the variant names no
// event types and the steps turn out to break another rule of the drawn type, broken draws an
// event of type default instead.
func (v *variant) broken(t *draw.T, op operation.ID) *draft {
	d := v.draft(t, op, v.drawType(t, OccasionOf(op)))
	if len(v.types) == 0 && !d.fitsType() {
		return v.draft(t, op, "")
	}
	return d
}

// drawType draws the event type. The first type takes the fewest draws, so that rapid shrinks to
// it, but is not drawn more often than others.
func (v *variant) drawType(t *draw.T, on diag.When) string {
	types := v.types
	if len(types) == 0 {
		types = typesOn(on)
	}
	if len(types) == 1 {
		return types[0]
	}
	if one, another := draw.Bool(t), draw.Bool(t); !one && !another {
		return types[0]
	}
	return draw.One(t, "event type", types[1:]...)
}

// OccasionOf returns the occasion of an operation or of the check of a response.
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

// operationsOn lists the operations, and the check of a response, that are on the occasions.
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

// Candidate is a variant of breaking a rule, with the operations that a caller asks for.
type Candidate struct {
	*variant
	rule *diag.Rule
	Ops  []operation.ID
}

// Name says in a few words how the rule is broken.
func (c Candidate) Name() string { return c.name }

// On draws a request for one of the operations.
func (c Candidate) On(ops []operation.ID) draw.Generator[Payload] {
	return func(t *draw.T) Payload { return c.draw(t, c.rule, ops) }
}

// Candidates lists the variants of a rule on some operations; none means all.
func Candidates(rule string, ops ...operation.ID) []Candidate {
	return candidates(rules()[rule], allVariants()[rule], ops)
}

// ExampleCandidates lists the variants of a rule that come from its examples, also if it has others.
func ExampleCandidates(rule *diag.Rule) []Candidate {
	return candidates(rule, exampleVariants(rule), nil)
}

func candidates(rule *diag.Rule, variants []variant, ops []operation.ID) []Candidate {
	var list []Candidate
	for i := range variants {
		v := &variants[i]
		wanted := slices.DeleteFunc(OperationsOn(v.only(rule.When).on), func(op operation.ID) bool {
			return len(ops) > 0 && !slices.Contains(ops, op) || v.ops != nil && !slices.Contains(v.ops, op)
		})
		if len(wanted) > 0 {
			list = append(list, Candidate{v, rule, wanted})
		}
	}
	return list
}

// Violating draws requests that break one rule, on the given operations or on all. It panics if there is
// no such rule or operation, or if the rule cannot be broken on any of the operations.
func Violating(rule string, ops ...operation.ID) draw.Generator[Payload] {
	for _, op := range ops {
		OccasionOf(op) // panics if there is no such operation
	}
	if rules()[rule] == nil {
		panic(fmt.Sprintf("fuzz: there is no rule %q", rule))
	}
	list := Candidates(rule, ops...)
	if len(list) == 0 {
		panic(fmt.Sprintf("fuzz: no variant breaks %q on %v", rule, ops))
	}
	return anyCandidate(list)
}

// anyCandidate draws requests of each candidate as often as of the others.
func anyCandidate(list []Candidate) draw.Generator[Payload] {
	return func(t *draw.T) Payload {
		c := list[draw.Evenly(len(list)).Draw(t, "variant")]
		return c.draw(t, c.rule, c.Ops)
	}
}

// Rules lists the ids of the rules that [Violating] can break on one of the operations or,
// without operations, on any. They are sorted.
func Rules(ops ...operation.ID) []string {
	var ids []string
	for id := range rules() {
		if len(Candidates(id, ops...)) > 0 {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
