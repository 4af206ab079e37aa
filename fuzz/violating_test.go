package fuzz_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// TestViolating is the main test of the engine and of the generators. For each rule that rejects, ignores or advises, each
// request that breaks it causes the finding of its verdict, and no other finding rejects.
func TestViolating(t *testing.T) {
	t.Parallel()
	for _, rule := range fuzz.Rules(diag.Documents) {
		t.Run(rule, rapid.MakeCheck(func(t *rapid.T) {
			checkViolates(t, fuzz.Violating(diag.Documents, rule).Draw(t, "payload"))
		}))
	}
}

// TestViolatingOnEveryOperation draws requests that break each rule in each dialect, on each operation on which it can be broken,
// and reads them back. By default, it draws for some of the rules.
func TestViolatingOnEveryOperation(t *testing.T) {
	for _, in := range dialects {
		for _, op := range known {
			t.Run(in.String()+"/"+string(op), func(t *testing.T) {
				t.Parallel()
				for i, rule := range fuzz.Rules(in, op) {
					if i%testdepth.Draws(12, 1) != 0 {
						continue
					}
					p := fuzz.Violating(in, rule, op).Example(i)
					checkViolates(t, p)
					if p.Event.Op != op || p.Event.Dialect != in {
						t.Errorf("not for %s in %s: %v", op, in, p)
					}
					p.Event = readBack(t, p)
					checkViolates(t, p)
				}
			})
		}
	}
}

var dialects = []diag.Dialect{diag.Documents, diag.Google}

// notDrawn are rules about the answer to a request, and about a path that is no operation, which Violating does not draw.
var notDrawn = []string{ruleid.AnswerEffect, ruleid.AnswerResource, ruleid.OperationPath}

// TestEveryRuleIsBroken checks that each rule that reports about requests is broken in each dialect in which it holds.
func TestEveryRuleIsBroken(t *testing.T) {
	for _, in := range dialects {
		var want []string
		for rule := range event.Catalogue().All() {
			if rule.Kind != "" && rule.HoldsIn(in) && !slices.Contains(notDrawn, rule.ID) {
				want = append(want, rule.ID)
			}
		}
		slices.Sort(want)
		if diff := gocmp.Diff(want, fuzz.Rules(in)); diff != "" {
			t.Errorf("the rules that are broken in %s (-want +got):\n%s", in, diff)
		}
	}
}

// readBack reads the request from its line, and compares it with the payload as JSON.
func readBack(t tb, p fuzz.Payload) *event.Request {
	t.Helper()
	req, whole := new(batch.Request), fuzz.Payload{}
	text, err := json.Marshal(p)
	if err := errors.Join(err, json.Unmarshal(p.Line(), req), json.Unmarshal(text, &whole)); err != nil {
		t.Fatalf("%v, of %v", err, p)
	}
	// The time of cmp.Diff doubles with each level of nested arrays.
	if line, payload := req.String(), whole.Event.String(); !reflect.DeepEqual(valueOf(t, line), valueOf(t, payload)) {
		t.Fatalf("the line is %s\nbut the payload %s", line, payload)
	}
	for name, values := range req.Params {
		if len(values) == 0 {
			t.Fatalf("the parameter %q is sent without a value: %v", name, p)
		}
	}
	return &req.Request
}

func checkViolates(t tb, p fuzz.Payload) {
	t.Helper()
	findings := must(event.Find(p.Event))
	if !slices.ContainsFunc(findings, func(f diag.Finding) bool {
		return f.Rule.ID == p.Rule && f.Path == p.Path && f.Kind == p.Kind
	}) {
		t.Fatalf("not raised, but %v, by %v", briefs(findings), p)
	}
	want := []string{}
	if !p.Accepted {
		want = append(want, string(p.Path)+" ["+p.Rule+"] "+string(p.Kind))
	}
	if diff := gocmp.Diff(want, rejections(p.Event)); diff != "" {
		t.Fatalf("rejections (-want +got):\n%s\nof %v", diff, p)
	}
}

// aboutValues is for long tests that look at values only. They run in parallel, and not with
// -short, with which the race detector runs.
func aboutValues(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("looks at many values")
	}
	t.Parallel()
}

// valueOf returns the value of a JSON text.
func valueOf(t tb, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}
