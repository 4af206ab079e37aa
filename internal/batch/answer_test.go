package batch_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// An answer is always one line, whatever the request contains.
func TestAnswer(t *testing.T) {
	for _, test := range []struct {
		name   string
		id     string
		result event.Result
		want   string
	}{
		{"no-id", "", event.Result{Accepted: true}, `{"id":null,"accepted":true,"findings":[]}`},
		{"rejected", `"a"`, event.Result{}, `{"id":"a","accepted":false,"findings":[]}`},
		{"truncated", "7", event.Result{Truncated: true}, `{"id":7,"accepted":false,"findings":[],"truncated":true}`},
		{"events", "", event.Result{Accepted: true, Answer: &event.Event{ID: "a"}, CancelledCopy: &event.Event{ID: "b"}},
			`{"id":null,"accepted":true,"findings":[],"event":{"id":"a"},"remainder":{"id":"b"}}`},
		{"stored-as-returned", "", event.Result{Accepted: true, Answer: &event.Event{ID: "a"}, Stored: &event.Event{ID: "a"}},
			`{"id":null,"accepted":true,"findings":[],"event":{"id":"a"}}`},
		{"stored-otherwise", "", event.Result{Accepted: true, Answer: &event.Event{ID: "a"}, Stored: &event.Event{ID: "a", Summary: "s"}},
			`{"id":null,"accepted":true,"findings":[],"event":{"id":"a"},"stored":{"id":"a","summary":"s"}}`},
		{"on-one-line", "[1,\n 2]", event.Result{Accepted: true}, `{"id":[1,2],"accepted":true,"findings":[]}`},
		{"id-that-is-not-JSON", "[\n", event.Result{}, "{\"id\":[\n,\"accepted\":false,\"findings\":[]}"},
	} {
		t.Run(test.name, func(t *testing.T) {
			const before = "x"
			if diff := cmp.Diff(before+test.want, string(batch.AppendAnswer([]byte(before), json.RawMessage(test.id), test.result))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestError(t *testing.T) {
	const want = `x{"id":7,"accepted":false,"error":"no \"op\""}`
	if got := string(batch.AppendError([]byte("x"), json.RawMessage("7"), errors.New(`no "op"`))); got != want {
		t.Errorf("the answer is %s, want %s", got, want)
	}
}

func TestAnswerOfFindings(t *testing.T) {
	result, err := event.Check(&event.Request{
		Op:   operation.EventsInsert,
		Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"status":"x","visibility":"y"}`),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Findings []struct{ Rule, Kind, Basis, Path string }
	}
	if err := json.Unmarshal(batch.AppendAnswer(nil, nil, result), &got); err != nil {
		t.Fatal(err)
	}
	type finding = struct{ Rule, Kind, Basis, Path string }
	want := []finding{{"event.status.enum", "reject", "stated", "/status"}, {"event.visibility.enum", "reject", "stated", "/visibility"}}
	if diff := cmp.Diff(want, got.Findings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A finding in an answer has the form that encoding/json gives it.
func TestFormOfFindings(t *testing.T) {
	rule := &diag.Rule{ID: "time.order", Says: diag.Sentences{{Key: "value", Text: "The value {value} <b>&\u2028\u2029…."}}}
	patch := []diag.PatchOperation{{Op: "move", From: "/body/a", Path: "/body/b"}, {Op: "add", Path: "/body/<", Value: json.RawMessage(`"&"`)}}
	for _, f := range []diag.Finding{
		{},
		{Rule: rule, Kind: diag.Reject, Basis: diag.Stated, Path: "/a", Key: "value"},
		{Rule: rule, Kind: diag.Reject, Basis: diag.Stated, Path: "/\\\"\n\x01\x7f<é", Key: "value", Args: []diag.Arg{diag.Value("value", "a\xff\t\"<\u2028")}},
		{Rule: rule, Cause: &diag.Rule{ID: "patch.whole"}, Kind: diag.Advise, Basis: diag.RFC},
		{Rule: rule, Fix: &diag.Fix{Patch: patch, Safe: true}},
		{Rule: rule, Fix: &diag.Fix{Patch: patch}},
	} {
		var got struct{ Findings []json.RawMessage }
		if err := json.Unmarshal(batch.AppendAnswer(nil, nil, event.Result{Findings: diag.Findings{f}}), &got); err != nil {
			t.Fatal(err)
		}
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{string(want)}, []string{string(got.Findings[0])}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}
