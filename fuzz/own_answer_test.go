package fuzz_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/operation"
)

// What the library answers to a request is judged right as the answer to it: it agrees with what the request does. Advice about
// limits is about what was stored before. By default, it draws for some of the rules.
func TestOwnAnswerIsRight(t *testing.T) {
	for _, in := range dialects {
		for _, op := range known {
			requests := fuzz.Request(in, op)
			t.Run(in.String()+"/"+string(op), rapid.MakeCheck(func(t *rapid.T) { checkOwnAnswer(t, requests.Draw(t, "request")) }))
		}
		for i, rule := range fuzz.Rules(in) {
			if i%testdepth.Draws(4, 1) != 0 {
				continue
			}
			broken := fuzz.Violating(in, rule)
			t.Run(in.String()+"/"+rule, rapid.MakeCheck(func(t *rapid.T) { checkOwnAnswer(t, broken.Draw(t, "payload").Event) }))
		}
	}
}

func checkOwnAnswer(t tb, req *event.Request) {
	t.Helper()
	result := must(checker.Check(req))
	isPartial := req.Existing == nil && gen.OccasionOf(req.Op).Has(diag.Patch) || req.Existing != nil && req.Existing.Start == nil
	isEmpty := req.Op == operation.Response || req.Op == operation.EventsDelete // the public service shows no event
	if result.Answer == nil || isPartial || isEmpty || req.Existing != nil && len(representationFaults(req, req.Existing)) > 0 {
		return
	}
	if req.Existing == nil && result.Answer.ID == "" {
		result.Answer.ID = "abc12def" // every stored event has an id, although it may be unknown
	}
	with := *req
	if with.Answer = result.Answer.AppendIn(result.Dialect, nil); req.Op == operation.EventsList {
		with.Answer = append(append([]byte(`{"items":[`), with.Answer...), "]}"...)
	}
	for _, f := range must(checker.Check(&with)).AnswerFindings.OfKind(diag.Reject) {
		t.Fatalf("%s: %s %s %v\nstored %s\nanswer %s", f, req.Op, req.Body, req.Params, req.Existing, with.Answer)
	}
}
