package event_test

import (
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
