package event_test

import (
	"encoding/json"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// With all rules off, every request is accepted and none panics.
func TestEverythingGradedOff(t *testing.T) {
	off := map[string]string{"basis:stated": "off", "basis:rfc": "off", "basis:inferred": "off", "basis:observed": "off"}
	for op := range operation.All() {
		for _, body := range []string{``, `{`, `[]`, `{}`, `null`, `{"start":5,"attendees":[5],"recurrence":[5],"conferenceData":{"entryPoints":[5]}}`} {
			for _, stored := range []*event.Event{nil, {}, read(t, object(storedTimed))} {
				req := &event.Request{Op: op.ID, Body: json.RawMessage(body), Existing: stored, Grade: off}
				if result := event.Check(req); !result.Accepted || len(result.Findings) > 0 {
					t.Errorf("the answer to %s of %q is %+v", op.ID, body, result)
				}
			}
		}
	}
}
