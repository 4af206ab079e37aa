package fuzz_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// otherOperations returns the operations with a body that is no event, in order.
func otherOperations() (ids []operation.ID) {
	for op := range operation.All() {
		if diag.OtherBodies.Has(op.When) {
			ids = append(ids, op.ID)
		}
	}
	return ids
}

// FuzzBody checks the laws with arbitrary bytes as the body of each operation on another resource than an event. The corpus has
// deep, repeated and long values, names that are no text, and values with braces; the examples of the catalogue are seeds too.
func FuzzBody(f *testing.F) {
	ops := otherOperations()
	for _, op := range ops {
		for _, req := range documented(f, op) {
			f.Add([]byte(req.Body))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) == 0 {
			return // there is no body
		}
		for _, op := range ops {
			for _, dialect := range []diag.Dialect{diag.Documents, diag.Google} {
				checkBody(t, &event.Request{Op: op, Body: body, Dialect: dialect})
			}
		}
	})
}

// checkBody checks the answer to a request about another resource against the laws.
func checkBody(t tb, req *event.Request) {
	t.Helper()
	result := must(checker.Check(req))
	checkDeterministic(t, req, &result)
	checkOnlyRead(t, req)
	checkVerdict(t, &result)
	checkCap(t, req, &result)
	checkMessages(t, result.Findings)
	if result.Truncated {
		return // the laws below look for findings that may be left out
	}
	checkSyntax(t, req.Body, result.Findings)
	if raises(result.Findings, "json.syntax") || req.Dialect != diag.Google {
		return
	}
	checkPlaces(t, req, result.Findings)
	checkDuplicates(t, req.Body, result.Findings)
	if !raises(result.Findings, "json.duplicate-name") {
		checkOrder(t, req, result.Findings)
	}
}

// checkMessages checks that a message is a short text, whatever was sent.
func checkMessages(t tb, findings diag.Findings) {
	t.Helper()
	const longest = 1000
	for _, f := range findings {
		if m := f.Message(); m == "" || len(m) > longest || !utf8.ValidString(m) || strings.ContainsAny(m, "\x00\x1b\n") {
			t.Fatalf("%s says %.1100q", f.Rule.ID, m)
		}
	}
}

// checkOrder checks that the order of the members does not matter.
func checkOrder(t tb, req *event.Request, findings diag.Findings) {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(req.Body, &members); err != nil {
		t.Fatalf("%s: %v", req.Body, err)
	}
	sorted := *req
	sorted.Body = must(json.Marshal(members))
	want, got := briefs(findings), briefs(must(checker.Find(&sorted)))
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s with its members in another order, %s (-as sent +in order):\n%s", req.Body, sorted.Body, diff)
	}
}
