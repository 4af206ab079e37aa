package ruletest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
)

// TestReads tests that the check of a rule about events reads only members listed in the rule. The bad example must still break
// the rule after the removal of any member that is not in [diag.Rule.Reads].
func TestReads(t *testing.T, c *event.Checker, r *diag.Rule) {
	t.Helper()
	var line map[string]json.RawMessage
	var body map[string]json.RawMessage
	if r.Scope != diag.OfEvent || len(r.Reads) == 0 || json.Unmarshal([]byte(r.Bad.Example().Request), &line) != nil || json.Unmarshal(line["body"], &body) != nil {
		return
	}
	for name, value := range body {
		if slices.ContainsFunc(r.Reads, func(path string) bool { return topOf(path) == name }) {
			continue
		}
		delete(body, name)
		line["body"], _ = json.Marshal(body)
		body[name] = value
		without, _ := json.Marshal(line)
		if !raises(t, c, r, without) {
			t.Errorf("the check reads %s, which Reads does not list: without it, the bad example keeps the rule", name)
		}
	}
}

// topOf returns the first name in a path, such as attendees for attendees[].email.
func topOf(path string) string {
	name, _, _ := strings.Cut(path, ".")
	return strings.TrimSuffix(name, "[]")
}

func raises(t *testing.T, c *event.Checker, r *diag.Rule, line []byte) bool {
	t.Helper()
	var req batch.Request
	if err := req.UnmarshalJSON(line); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	result, err := req.Check(c)
	return err == nil && slices.ContainsFunc(result.Findings, func(f diag.Finding) bool { return f.Is(r.ID) })
}
