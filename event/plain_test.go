package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
)

// A check that skips what cannot have findings, and recognizes what is plain, finds what all rules find.
func TestQuickCheckFindsWhatAllRulesFind(t *testing.T) {
	payloads, err := fuzz.Mix{InvalidShare: 0.5}.Generator()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		req := payloads.Draw(t, "payload").Event
		findings, _ := event.Findings(req) // an operation that is unknown has none
		var found []string
		for _, f := range findings {
			found = append(found, f.String())
		}
		if diff := cmp.Diff(event.Thorough(req), found); diff != "" {
			t.Fatalf("(-thorough +quick):\n%s", diff)
		}
	})
}
