package event_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// An answer is always one line, whatever the request contains.
func TestResultJSON(t *testing.T) {
	for _, test := range []struct {
		name   string
		result event.Result
		want   string
	}{
		{"no-id", event.Result{Accepted: true}, `{"id":null,"accepted":true,"findings":[]}`},
		{"rejected", event.Result{ID: json.RawMessage(`"a"`)}, `{"id":"a","accepted":false,"findings":[]}`},
		{"truncated", event.Result{ID: json.RawMessage("7"), Truncated: true}, `{"id":7,"accepted":false,"findings":[],"truncated":true}`},
		{"error", event.Result{ID: json.RawMessage("7"), Accepted: true, Error: "no \"op\""}, `{"id":7,"accepted":false,"error":"no \"op\""}`},
		{"events", event.Result{Accepted: true, Event: &event.Event{ID: "a"}, Remainder: &event.Event{ID: "b"}},
			`{"id":null,"accepted":true,"findings":[],"event":{"id":"a"},"remainder":{"id":"b"}}`},
		{"stored-as-returned", event.Result{Accepted: true, Event: &event.Event{ID: "a"}, Stored: &event.Event{ID: "a"}},
			`{"id":null,"accepted":true,"findings":[],"event":{"id":"a"}}`},
		{"stored-otherwise", event.Result{Accepted: true, Event: &event.Event{ID: "a"}, Stored: &event.Event{ID: "a", Summary: "s"}},
			`{"id":null,"accepted":true,"findings":[],"event":{"id":"a"},"stored":{"id":"a","summary":"s"}}`},
		{"on-one-line", event.Result{ID: json.RawMessage("[1,\n 2]"), Accepted: true}, `{"id":[1,2],"accepted":true,"findings":[]}`},
		{"id-that-is-not-JSON", event.Result{ID: json.RawMessage("[\n")}, "{\"id\":[\n,\"accepted\":false,\"findings\":[]}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			const before = "x"
			if diff := cmp.Diff(before+test.want, string(test.result.AppendJSON([]byte(before)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestResultJSONOfFindings(t *testing.T) {
	result := event.Check(&event.Request{Op: operation.EventsInsert, Body: json.RawMessage(object(timed, `"status":"x","visibility":"y"`))})
	var got struct {
		Findings []struct{ Rule, Kind, Basis, Path string }
	}
	if err := json.Unmarshal(result.AppendJSON(nil), &got); err != nil {
		t.Fatal(err)
	}
	type finding = struct{ Rule, Kind, Basis, Path string }
	want := []finding{{"event.status.enum", "reject", "stated", "/status"}, {"event.visibility.enum", "reject", "stated", "/visibility"}}
	if diff := cmp.Diff(want, got.Findings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
