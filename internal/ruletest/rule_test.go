// Package ruletest tests every rule of the library by its own examples: no rule is listed that
// does not work, and no example shows anything but its rule.
package ruletest

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/operation"
)

func TestExamples(t *testing.T) {
	for r := range reference.Catalogue().All() {
		t.Run(r.ID, func(t *testing.T) {
			checkFields(t, r)
			good, bad := ask(t, r, r.Good), ask(t, r, r.Bad)
			checkAnswer(t, r.Good, good)
			checkAnswer(t, r.Bad, bad)
			checkOccasion(t, r, good)
			wrong := unraised(r, good, bad)
			if !r.Kind.Reports() {
				wrong = inconclusive(t, r, good, bad)
			}
			expect(t, unproven, r.ID, wrong)
		})
	}
}

// expect reports what is wrong with a rule, unless the rule is listed. If nothing is wrong with
// a listed rule, the list is out of date.
func expect(t *testing.T, listed []string, id, wrong string) {
	t.Helper()
	switch known := slices.Contains(listed, id); {
	case known && wrong == "":
		t.Errorf("%s is listed, but nothing is wrong with it any more; remove it from the list", id)
	case !known && wrong != "":
		t.Error(wrong)
	}
}

// summary is the form of a summary: a sentence that begins with a capital, or with a name such
// as eventType or events.list, and ends with a full stop.
var summary = regexp.MustCompile(`(?s)^([A-Z]|[a-z]+[A-Z.]).*\.$`)

// publicReport is the form of [diag.Rule.Reported].
var publicReport = regexp.MustCompile(`^[\w.-]+/[\w.-]+#\d+$`)

func checkFields(t *testing.T, r *diag.Rule) {
	t.Helper()
	if r.Kind == "" || r.Basis == "" || r.Scope == "" || r.When == 0 || r.Section == "" {
		t.Errorf("a field is empty: %+v", r)
	}
	if !summary.MatchString(r.Summary) {
		t.Errorf("the summary is not a sentence: %q", r.Summary)
	}
	if (r.Basis == diag.Observed) != (r.Seen != "") || r.Seen == "" && r.Reported != nil {
		t.Errorf("an observed rule, and no other, says what was seen: %q, %q", r.Seen, r.Reported)
	}
	for _, report := range r.Reported {
		if !publicReport.MatchString(report) {
			t.Errorf("%q is not of the form owner/repository#number", report)
		}
	}
	if r.Good.Via != r.Bad.Via {
		t.Errorf("the answers are passed through two functions: %q and %q", r.Good.Via, r.Bad.Via)
	}
}

// checkAnswer checks that the answer to an example contains what the example says.
func checkAnswer(t *testing.T, e diag.Example, a answer) {
	t.Helper()
	if e.Answer != "" && !fits(t, e, a) {
		t.Errorf("the answer to %s does not contain %s\nbut is %s", e.Request, e.Answer, asText(t, a.passed))
	}
}

// fits reports whether the answer contains what the example says.
func fits(t *testing.T, e diag.Example, a answer) bool {
	t.Helper()
	var want any
	read(t, e.Answer, &want)
	return contains(a.passed, want)
}

// checkOccasion checks that the rule applies to the operation of its good example. The example
// may also be what a server returned.
func checkOccasion(t *testing.T, r *diag.Rule, good answer) {
	t.Helper()
	if op, ok := operation.Lookup(good.op); ok && !r.When.Has(op.When) {
		t.Errorf("the rule does not apply to %s, the operation of its good example", op.ID)
	}
}

// unraised says why the examples do not prove a rule that reports. The good one must be
// accepted without findings, and the bad one must raise this rule and no other.
func unraised(r *diag.Rule, good, bad answer) string {
	own := func(f diag.Finding) bool { return f.Rule == r && f.Kind == r.Kind }
	other := func(f diag.Finding) bool {
		return f.Rule != r && (f.Kind == diag.Reject || !slices.Contains(accompanied, r.ID))
	}
	switch {
	case good.failure != "" || slices.ContainsFunc(good.findings, other):
		return fmt.Sprintf("the good example breaks another rule: %s %v", good.failure, good.findings)
	case slices.ContainsFunc(good.findings, func(f diag.Finding) bool { return f.Rule == r }):
		return fmt.Sprintf("the good example raises the rule: %v", good.findings)
	case !slices.ContainsFunc(bad.findings, own):
		return fmt.Sprintf("the bad example does not raise the rule: %s %v", bad.failure, bad.findings)
	case slices.ContainsFunc(bad.findings, other):
		return fmt.Sprintf("the bad example breaks another rule: %v", bad.findings)
	}
	return ""
}

// inconclusive says why the examples do not prove a rule that does not report: each must have
// an answer that does not fit the other example. Requests about events are accepted unless
// the answer says otherwise, or shows something other than whether they are accepted.
func inconclusive(t *testing.T, r *diag.Rule, good, bad answer) string {
	t.Helper()
	switch {
	case r.Good.Answer == "" || r.Bad.Answer == "":
		return "an example has no answer"
	case fits(t, r.Good, bad):
		return fmt.Sprintf("the answer %s fits the bad example too", r.Good.Answer)
	case fits(t, r.Bad, good):
		return fmt.Sprintf("the answer %s fits the good example too", r.Bad.Answer)
	case r.Good.Via == "" && (good.refused && !saysRefused(t, r.Good) || bad.refused && !saysRefused(t, r.Bad)):
		return fmt.Sprintf("an example is rejected: %s %v, %s %v", good.failure, good.findings, bad.failure, bad.findings)
	}
	return ""
}

func saysRefused(t *testing.T, e diag.Example) bool {
	t.Helper()
	var says struct{ Accepted *bool }
	read(t, e.Answer, &says)
	return says.Accepted != nil && !*says.Accepted
}
