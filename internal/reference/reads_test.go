package reference_test

import (
	"testing"

	"github.com/calrules/calrules/event"
)

// TestReads checks that every path that a rule says it reads is the path of a member.
func TestReads(t *testing.T) {
	known := map[string]bool{}
	for _, f := range event.Fields() {
		known[f.Path] = true
	}
	for r := range event.Catalogue().All() {
		for _, path := range r.Reads {
			if !known[path] {
				t.Errorf("%s reads %q, which is not the path of a member", r.ID, path)
			}
		}
	}
}
