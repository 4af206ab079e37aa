package filter_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// The answer to a line does not depend on the lines before it, whatever is wrong with them and whatever their gradings accept.
func TestAnswersDoNotDependOnOrder(t *testing.T) {
	lines := [][]byte{[]byte(`{"op":"events.patch","body":{}}`)} // about an unknown event
	for _, in := range dialects {
		payload := payloads(t, in)
		for i := range testdepth.Draws(100, 5000) {
			lines = append(lines, payload(i).Line())
		}
	}
	answers := map[string]string{}
	for _, line := range lines {
		answers[string(line)] = string(check(line, nil))
		check(broken(t, line), nil)
	}
	for _, line := range slices.Backward(lines) {
		if got := string(check(line, nil)); got != answers[string(line)] {
			t.Errorf("the answer to %s is\n%s\nand then\n%s", line, answers[string(line)], got)
		}
	}
}

var dialects = []diag.Dialect{diag.Documents, diag.Google}

// payloads returns requests, half of which break a rule.
func payloads(t *testing.T, in diag.Dialect) func(n int) fuzz.Payload {
	t.Helper()
	payload, err := fuzz.Mix{Dialect: in, InvalidShare: 0.5}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	return payload
}

// A line has the answer of [event.Check] to its request, although its memory has been that of other lines.
func TestLinesAreRequests(t *testing.T) {
	for _, in := range dialects {
		t.Run(in.String(), func(t *testing.T) {
			payload := payloads(t, in)
			for i := range testdepth.Draws(200, 500) {
				p := payload(i)
				if p.Event == nil {
					continue // a request to the database
				}
				var got map[string]any
				if err := json.Unmarshal(check(p.Line(), nil), &got); err != nil {
					t.Fatal(err)
				}
				delete(got, "id")
				made, _ := got["event"].(map[string]any)
				fresh := event.Checker{NewID: func() string { return made["id"].(string) }}
				result, err := fresh.Check(p.Event)
				if err != nil {
					t.Fatal(err)
				}
				fresh.AddFixes(p.Event, result.Findings)
				if diff := cmp.Diff(answerOf(t, result), got); diff != "" {
					t.Fatalf("%s (-library +line)\n%s", p, diff)
				}
			}
		})
	}
}

// answerOf returns a result as a line has it.
func answerOf(t *testing.T, r event.Result) (answer map[string]any) {
	t.Helper()
	written := map[string]any{"accepted": r.Accepted, "findings": append(diag.Findings{}, r.Findings...)}
	if r.Truncated {
		written["truncated"] = true
	}
	if r.AnswerFindings != nil {
		written["answerFindings"] = r.AnswerFindings
	}
	add := func(name string, e *event.Event) {
		if e != nil {
			written[name] = json.RawMessage(e.AppendIn(r.Dialect, nil))
		}
	}
	add("event", r.Answer)
	if r.Answer == nil || r.Stored == nil || !r.Stored.Equal(*r.Answer) {
		add("stored", r.Stored)
	}
	add("remainder", r.CancelledCopy)
	text, err := json.Marshal(written)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// broken returns a line with half of its body, and a grading that accepts that.
func broken(t *testing.T, line []byte) []byte {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		t.Fatal(err)
	}
	members["grade"] = json.RawMessage(`{"basis:stated":"off","basis:rfc":"advise","basis:inferred":"off"}`)
	if body := members["body"]; body != nil {
		half, err := json.Marshal(string(body[:len(body)/2]))
		if err != nil {
			t.Fatal(err)
		}
		delete(members, "body")
		members["bodyText"] = half
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
