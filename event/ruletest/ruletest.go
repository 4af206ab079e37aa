// Package ruletest tests the rules that a program adds to a checker against the rules' own examples, as this module
// tests its rules:
//
//	func TestPolicy(t *testing.T) { ruletest.Test(t, checker) }
package ruletest

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/ruletest"
)

// Test tests every rule added with [event.Checker.WithRules], each in a subtest. The request of an example is an input line for
// `calrules check --ndjson`. The good example must be accepted without a finding of the rule. The bad example must have a
// finding of the rule, and no other rejecting finding. The rule must have every sentence that its check reports.
//
// The test fails if the check of a rule reads a member that [diag.Rule.Reads] does not list, because a request that
// changes only that member would not be checked.
//
// The test also fails if the checker is nil or has no added rules.
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
