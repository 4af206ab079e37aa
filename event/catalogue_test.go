package event_test

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func TestSupportedOperations(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsInsert, operation.Response} {
		if result := event.Check(&event.Request{Op: op}); result.Error != "" {
			t.Errorf("%s: %s", op, result.Error)
		}
	}
	if result := event.Check(&event.Request{Op: "events.inserted"}); result.Error == "" || result.Accepted {
		t.Errorf("an unknown operation is answered %+v", result)
	}
}
