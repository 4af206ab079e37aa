package event_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// With all rules off, every request is accepted and none panics.
func TestEverythingGradedOff(t *testing.T) {
	off := diag.Grading{Bases: map[diag.Basis]diag.Grade{diag.Stated: diag.Off, diag.RFC: diag.Off, diag.Inferred: diag.Off, diag.Observed: diag.Off}}
	checker := event.Checker{Grading: off}
	for op := range operation.All() {
		for _, body := range []string{``, `{`, `[]`, `{}`, `null`, `{"start":5,"attendees":[5],"recurrence":[5],"conferenceData":{"entryPoints":[5]}}`} {
			for _, stored := range []*event.Event{nil, {}, read(t, object(storedTimed))} {
				req := &event.Request{Op: op.ID, Body: []byte(body), Existing: stored}
				result := must(checker.Check(req))
				if !result.Accepted || len(result.Findings) > 0 {
					t.Errorf("the answer to %s of %q is %+v", op.ID, body, result)
				}
				isEvent := strings.HasPrefix(body, "{") && body != "{"
				if op.When.Has(diag.Write) && !isEvent && (result.Stored != nil || result.Answer != nil) {
					t.Errorf("%s of %q stores %v and answers %v", op.ID, body, result.Stored, result.Answer)
				}
			}
		}
	}
	// No request has written to the event that stands for an absent one.
	if got := text(t, must((*event.Event)(nil).AfterPatch([]byte("{}"), diag.Documents))); got != "{}" {
		t.Errorf("an empty patch of nothing is %s", got)
	}
}
