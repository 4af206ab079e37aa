package fuzz_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/operation"
)

// eachBroken checks a property of the requests for the operations that break a rule; none means all operations.
func eachBroken(t *testing.T, property func(t *rapid.T, req *event.Request), ops ...operation.ID) {
	t.Helper()
	for _, rule := range fuzz.Rules(diag.Documents, ops...) {
		broken := fuzz.Violating(diag.Documents, rule, ops...)
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
	for _, f := range must(event.Find(&unknown)).OfKind(diag.Reject) {
		if !breaks(req.Existing, f.Rule) {
			t.Fatalf("%s only while the stored event is unknown: %v", f, req)
		}
	}
}

// breaks reports whether a stored event breaks a rule itself, as no new event may.
func breaks(stored *event.Event, rule *diag.Rule) bool {
	return raises(must(event.Find(&event.Request{Op: operation.EventsInsert, Event: stored})), rule.ID)
}

// TestAnswersAreRepresentations checks that what the service answers is accepted as a representation,
// if what it had stored is. A patch of an unknown event answers only what it sends.
func TestAnswersAreRepresentations(t *testing.T) {
	eachOperation(t, checkAnswers)
	eachBroken(t, checkAnswers)
}

func checkAnswers(t *rapid.T, req *event.Request) {
	isUnknown := req.Existing == nil && gen.OccasionOf(req.Op).Has(diag.Patch)
	if isUnknown || len(representationFaults(req, req.Existing)) > 0 {
		return
	}
	result := must(checker.Check(req))
	for _, e := range []*event.Event{result.Answer, result.Stored, result.CancelledCopy} {
		if e != nil && e.ID == "" && req.Existing == nil {
			e.ID = "abc12def" // every stored event has an id, although it may be unknown
		}
		if faults := representationFaults(req, e); len(faults) > 0 {
			t.Fatalf("the answer %s breaks %v: %v", e, faults, req)
		}
	}
}

func representationFaults(req *event.Request, e *event.Event) []string {
	if e == nil {
		return nil
	}
	faults := rejections(&event.Request{Op: operation.Response, Body: e.AppendJSON(nil), Series: req.Series})
	if req.Existing != nil && req.Existing.Start == nil {
		// The times of such a stored event are unknown, and so is whether the request leaves it without an end.
		faults = slices.DeleteFunc(faults, func(fault string) bool { return fault == "/end [event.end.provided] reject" })
	}
	return faults
}

// In the dialect of the public service an answer has what nobody sent, and other spellings. To send it back changes
// nothing, and no rule asks for anything.
func TestAnswerSentBackIsNoChange(t *testing.T) {
	eachOperation(t, func(t *rapid.T, req *event.Request) {
		if req.Op != operation.EventsInsert {
			return
		}
		insert := *req
		insert.Dialect = diag.Google
		insert.Calendar = &operation.Calendar{TimeZone: rapid.SampledFrom([]string{"", "Europe/Berlin", "America/New_York", "Asia/Kathmandu"}).Draw(t, "zone")}
		created := must(checker.Check(&insert))
		if !created.Accepted {
			return
		}
		back := event.Request{
			Op: operation.EventsUpdate, Dialect: diag.Google, Existing: created.Stored, Calendar: insert.Calendar,
			Body:   created.Answer.AppendIn(diag.Google, nil),
			Params: operation.Params{"conferenceDataVersion": {"1"}, "eventLabelVersion": {"1"}, "supportsAttachments": {"true"}, "sendUpdates": {"none"}},
		}
		result := must(checker.Check(&back))
		for _, f := range result.Findings {
			if !slices.ContainsFunc(created.Findings, func(g diag.Finding) bool { return g.Is(f.Rule.ID) }) {
				t.Errorf("%v about %s", f, back.Body)
			}
		}
		if diff := created.Stored.Diff(result.Stored, diag.Google); result.Accepted && len(diff) > 0 {
			t.Errorf("%s changes %v", back.Body, diff)
		}
	})
}
