package event_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Only changes of the main event data change the updated time.
func TestUpdated(t *testing.T) {
	for sent, want := range map[string]bool{
		`"reminders":{"useDefault":false}`:                     false,
		`"etag":"\"2\""`:                                       false,
		`"kind":"x"`:                                           false,
		`"created":"2026-01-01T00:00:00Z"`:                     false,
		`"updated":"2026-01-01T00:00:00Z"`:                     false,
		`"sequence":0`:                                         false,
		`"summary":"Daily"`:                                    true,
		`"status":"cancelled"`:                                 true,
		`"attendees":[{"email":"ada@example.com"}]`:            true,
		`"x-unknown":1`:                                        true,
		`"reminders":{"useDefault":false},"location":"Room 4"`: true,
		`"start":{"dateTime":"2026-03-10T09:00:00-04:00"}`:     false,
		`"start":{"dateTime":"2026-03-10T09:00:01-04:00"}`:     true,
	} {
		stored := read(t, object(storedPlain))
		next, err := stored.AfterPatch([]byte(object(sent)), diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		was := next.Updated
		stamp.Set(&event.Result{Stored: next}, stored)
		if got := next.Updated != was; got != want {
			t.Errorf("with %s, updated changes: %t", sent, got)
		}
	}
}
