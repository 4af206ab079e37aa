// Package ruletest tests the rules that a program adds to a checker, by their own examples, as the rules
// of this module are tested:
//
//	func TestPolicy(t *testing.T) { ruletest.Test(t, checker) }
package ruletest

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/ruletest"
)

// Test tests every rule that was added with [event.Checker.WithRules], each in a subtest. The request of
// an example is a line of the batch form that `calrules check --ndjson` reads. The good one must be
// accepted, without a finding of the rule; the bad one must have a finding of the rule, and no other that
// rejects. The texts of the rule must be there.
//
// A rule whose check reads a member that [diag.Rule.Reads] does not list is an error: a request that changes only that
// member would not be checked.
//
// If the checker is nil or has no such rules, the test fails: it would test nothing.
func Test(t *testing.T, c *event.Checker) {
	t.Helper()
	tested := false
	for _, r := range c.Catalogue().Rules() {
		if event.Catalogue().Lookup(r.ID) == nil {
			tested = true
			t.Run(r.ID, func(t *testing.T) {
				ruletest.Test(t, c, r)
				ruletest.TestReads(t, c, r)
			})
		}
	}
	if !tested {
		t.Error("the checker has no rules of its own; test the one that WithRules returns")
	}
}
