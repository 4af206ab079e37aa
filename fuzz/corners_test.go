package fuzz_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/operation"
)

// eachBroken checks a property of the requests for the operations that break a rule; none means all
// operations.
func eachBroken(t *testing.T, property func(t *rapid.T, req *event.Request), ops ...operation.ID) {
	t.Helper()
	for _, rule := range fuzz.Rules(ops...) {
		broken := fuzz.Violating(rule, ops...)
		t.Run(rule, rapid.MakeCheck(func(t *rapid.T) { property(t, broken.Draw(t, "payload").Event) }))
	}
}

// TestUnknownIsNotAbsent checks that a request that is accepted beside the stored event is accepted if
// that event is unknown: only what is certain rejects.
func TestUnknownIsNotAbsent(t *testing.T) {
	changing := []operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsMove}
	each(t, changing, checkUnknown)
	eachBroken(t, checkUnknown, changing...)
}

func checkUnknown(t *rapid.T, req *event.Request) {
	if len(rejections(req)) > 0 {
		return
	}
	unknown := *req
	unknown.Existing = nil
	for _, f := range must(event.Findings(&unknown)).Kind(diag.Reject) {
		if !breaks(req.Existing, f.Rule) {
			t.Fatalf("%s only while the stored event is unknown: %v", f, req)
		}
	}
}

// breaks reports whether a stored event breaks a rule itself, as no new event may.
func breaks(stored *event.Event, rule *diag.Rule) bool {
	return raises(must(event.Findings(&event.Request{Op: operation.EventsInsert, Event: stored})), rule.ID)
}

// TestAnswersAreRepresentations checks that what the service answers is accepted as a representation,
// if what it had stored is. What a change makes of an unknown event lacks the members that are stored.
func TestAnswersAreRepresentations(t *testing.T) {
	eachOperation(t, checkAnswers)
	eachBroken(t, checkAnswers)
}

func checkAnswers(t *rapid.T, req *event.Request) {
	isUnknown := req.Existing == nil && gen.OccasionOf(req.Op).Has(diag.Modify)
	if isUnknown || len(representationFaults(req, req.Existing)) > 0 {
		return
	}
	result := must(checker.Check(req))
	for _, e := range []*event.Event{result.Answer, result.Stored, result.Remainder} {
		if faults := representationFaults(req, e); len(faults) > 0 {
			t.Fatalf("the answer %s breaks %v: %v", e, faults, req)
		}
	}
}

func representationFaults(req *event.Request, e *event.Event) []string {
	if e == nil {
		return nil
	}
	return rejections(&event.Request{Op: operation.Response, Body: e.AppendJSON(nil), Series: req.Series})
}
