// Package ruletest tests rules with their own examples. The good example must obey the rule; the bad example must break the
// rule, and no other rule may reject it. The tests in this package cover every rule of the library; package event/ruletest is
// for the rules of other programs.
package ruletest

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/operation"
)

// Test performs the tests that apply to every rule that reports findings. The checker answers the examples of the rule.
func Test(t *testing.T, c *event.Checker, r *diag.Rule) {
	t.Helper()
	checkFields(t, r)
	good, bad := check(t, c, r.Good.Example()), check(t, c, r.Bad.Example())
	checkOccasion(t, r, good)
	if wrong := unraised(r, good, bad, true); wrong != "" {
		t.Error(wrong)
	}
}

type answer struct {
	passed   any // the answer as JSON, passed through the function of the example
	findings diag.Findings
	failure  string // the reason why the request could not be answered
	refused  bool   // whether a request about an event was not accepted
	op       operation.ID

	request *event.Request // set if the request is about an event
	result  event.Result
}

func check(t *testing.T, c *event.Checker, e diag.Example) answer {
	t.Helper()
	var req batch.Request
	if err := req.UnmarshalJSON([]byte(e.Request)); err != nil {
		t.Fatalf("%v in %s", err, e.Request)
	}
	result, err := req.Check(c)
	if err != nil {
		return answer{failure: err.Error()}
	}
	return answer{findings: slices.Concat(result.Findings, result.AnswerFindings), refused: !result.Accepted, op: req.Op, request: &req.Request, result: result}
}

// The forms of a [diag.Rule.Summary] and of an element in [diag.Rule.Reported]. A summary is a sentence that begins with a
// capital letter or with a name such as eventType or events.list, and ends with a full stop.
var (
	summary      = regexp.MustCompile(`(?s)^([A-Z]|[a-z]+[A-Z.]).*\.$`)
	publicReport = regexp.MustCompile(`^([\w.-]+/[\w.-]+#\d+|https://\S+)$`)
)

func checkFields(t *testing.T, r *diag.Rule) {
	t.Helper()
	if r.Does() == "" || r.Basis == "" || r.Scope == "" || r.When == 0 || r.Section == "" {
		t.Errorf("a field is empty: %+v", r)
	}
	if !summary.MatchString(r.Summary) {
		t.Errorf("the summary is not a sentence: %q", r.Summary)
	}
	if isObserved := r.Basis == diag.Observed; isObserved != (r.Seen != "") || isObserved != (len(r.Reported) > 0) {
		t.Errorf("an observed rule, and no other, says what was seen and where that was reported: %q, %q", r.Seen, r.Reported)
	}
	for _, report := range r.Reported {
		if !publicReport.MatchString(report) {
			t.Errorf("%q is neither of the form owner/repository#number nor a URL", report)
		}
	}
	if r.Good.Example().Via != r.Bad.Example().Via {
		t.Errorf("the answers are passed through two functions: %q and %q", r.Good.Example().Via, r.Bad.Example().Via)
	}
}

// checkOccasion checks that the rule applies to the operation of its good example, but checks nothing if the example is a
// representation, or if it has an answer and the rule applies to responses.
func checkOccasion(t *testing.T, r *diag.Rule, good answer) {
	t.Helper()
	isAnswered := good.request != nil && good.request.Answer != nil && r.When.Has(diag.Response)
	if op, ok := operation.Lookup(good.op); ok && !isAnswered && !r.When.Has(op.When) {
		t.Errorf("the rule does not apply to %s, the operation of its good example", op.ID)
	}
}

// unraised returns the reason why the examples do not demonstrate a rule that reports findings, or "". The good example
// must be accepted without a finding of the rule, and the bad example must have such a finding. Findings of other rules
// are allowed only with inCompany, and must not reject.
func unraised(r *diag.Rule, good, bad answer, inCompany bool) string {
	own := func(f diag.Finding) bool { return f.Rule.ID == r.ID && f.Kind == r.KindIn(f.Dialect) }
	other := func(f diag.Finding) bool { return f.Rule.ID != r.ID && (f.Kind == diag.Reject || !inCompany) }
	switch {
	case good.failure != "" || slices.ContainsFunc(good.findings, other):
		return fmt.Sprintf("the good example breaks another rule: %s %v", good.failure, good.findings)
	case slices.ContainsFunc(good.findings, func(f diag.Finding) bool { return f.Rule.ID == r.ID }):
		return fmt.Sprintf("the good example raises the rule: %v", good.findings)
	case !slices.ContainsFunc(bad.findings, own):
		return fmt.Sprintf("the bad example does not raise the rule: %s %v", bad.failure, bad.findings)
	case slices.ContainsFunc(bad.findings, other):
		return fmt.Sprintf("the bad example breaks another rule: %v", bad.findings)
	}
	return ""
}
