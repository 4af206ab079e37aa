package filter_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// The answer to a line does not depend on the lines before it, whatever is wrong with them and whatever their
// gradings accept.
func TestAnswersDoNotDependOnOrder(t *testing.T) {
	payload, err := fuzz.Mix{InvalidShare: 0.5}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	lines := [][]byte{[]byte(`{"op":"events.patch","body":{}}`)} // about an unknown event
	for i := range testdepth.Draws(100, 5000) {
		lines = append(lines, payload(i).Line())
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
