package event_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/operation"
)

// TestCases checks what Go sees of the answers to the conformance cases: whether there is an error, an event and a
// sentence, and that a Go value has the findings of its text. Package cases checks the answers themselves.
func TestCases(t *testing.T) {
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var req batch.Request
		if c.Form != "check" || c.Expect.Error || req.Read(c.Request) != nil {
			continue // not about an operation, or not a request
		}
		t.Run(c.Name, func(t *testing.T) {
			checker := event.Checker{Grading: diag.Grading{}.With(req.Grade)}
			result := must(checker.Check(&req.Request))
			checkVerdict(t, result)
			switch req.Op {
			case operation.EventsInsert, operation.EventsImport, operation.Response:
				checkValue(t, &checker, &req.Request, result)
			}
			for _, f := range result.Findings {
				if text := f.Message(); len(text) > 600 || !strings.HasSuffix(text, ".") && !strings.HasSuffix(text, "?") {
					t.Errorf("%s: the message is not a short sentence: %q", f.Rule.ID, text)
				}
			}
		})
	}
}

// checkVerdict checks that a request is accepted unless a finding rejects it.
func checkVerdict(t *testing.T, result event.Result) {
	t.Helper()
	if result.Accepted == result.Findings.Rejected() {
		t.Errorf("Accepted = %t with the findings %v", result.Accepted, result.Findings)
	}
	if (result.Err() == nil) != result.Accepted {
		t.Errorf("Accepted = %t with the error %v", result.Accepted, result.Err())
	}
}

// checkValue checks that there is an event if it is accepted, and that the body has the findings of the Go value that it
// decodes to. (A value cannot say that a member is null, which matters in changes.)
func checkValue(t *testing.T, checker *event.Checker, req *event.Request, result event.Result) {
	t.Helper()
	if result.Accepted != (result.Answer != nil) {
		t.Errorf("Accepted = %t with the event %v", result.Accepted, result.Answer)
	}
	onlyOfTexts := func(f diag.Finding) bool { return strings.HasPrefix(f.Rule.ID, "json.") }
	e, unread := event.Decode(req.Body, req.Dialect)
	if slices.ContainsFunc(result.Findings, onlyOfTexts) || unread.Rejected() {
		return
	}
	value := *req
	value.Body, value.Event = nil, e
	want, got := describe(result.Findings), describe(must(checker.Find(&value)))
	slices.Sort(want) // the members of a value are in the order of the tables
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the body has other findings as a Go value (-text +value):\n%s", diff)
	}
}
