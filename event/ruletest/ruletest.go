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

// Test tests every rule that was added with [event.Checker.WithRules], in a test of its own. The request of
// an example is a line of the batch form that `calrules check --ndjson` reads. The good one must be
// accepted, without a finding of the rule; the bad one must have a finding of the rule, and no other that
// rejects. The texts of the rule must be there.
//
// If the checker is nil or has no such rules, the test is skipped.
func Test(t *testing.T, c *event.Checker) {
	if c == nil || c.Catalogue() == event.Catalogue() {
		t.Skip("the checker has no rules of its own")
	}
	for _, r := range c.Catalogue().Rules() {
		if event.Catalogue().Lookup(r.ID) == nil {
			t.Run(r.ID, func(t *testing.T) { ruletest.Test(t, c, r) })
		}
	}
}
