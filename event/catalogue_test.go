package event_test

import (
	"slices"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func TestSupportedOperations(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsInsert, operation.Response} {
		if _, err := event.Check(&event.Request{Op: op}); err != nil {
			t.Errorf("%s: %v", op, err)
		}
	}
	if result, err := event.Check(&event.Request{Op: "events.inserted"}); err == nil || result.Accepted {
		t.Errorf("an unknown operation is answered %+v", result)
	}
}

// A rule supersedes others of the catalogue, and none that supersedes it.
func TestSupersededRulesExist(t *testing.T) {
	catalogue := event.Catalogue()
	for rule := range catalogue.All() {
		for _, id := range rule.Supersedes {
			superseded := catalogue.Lookup(id)
			if superseded == nil {
				t.Errorf("%s supersedes %s, which is no rule", rule.ID, id)
				continue
			}
			if slices.Contains(superseded.Supersedes, rule.ID) {
				t.Errorf("%s and %s supersede each other", rule.ID, id)
			}
		}
	}
}
