package fuzz_test

import (
	"iter"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// leftTypes are members at which json.type cannot be broken, each with the reason.
var leftTypes = map[string]string{
	"/workingLocationProperties/homeOffice": "a member of any type",
	"/extendedProperties/private":           "a map with a rule of its own",
	"/extendedProperties/shared":            "a map with a rule of its own",
	"/gadget/preferences":                   "a map with a rule of its own",
}

// TestEveryTypeIsBroken checks that each documented member, and an element of each list, is sent with a value of another type.
func TestEveryTypeIsBroken(t *testing.T) {
	aboutValues(t)
	missing := map[string]bool{}
	for _, member := range append(members(event.Event{}), elements...) {
		if leftTypes[member] == "" {
			missing[member] = true
		}
	}
	for path := range brokenPlaces("json.type", 4000) {
		if reason := leftTypes[path]; reason != "" {
			t.Fatalf("%s is broken, although it is %s", path, reason)
		}
		if delete(missing, path); len(missing) == 0 {
			return
		}
	}
	t.Errorf("never broken: %v", missing)
}

// elements are the elements of the lists of an event.
var elements = []string{"/recurrence/*", "/attendees/*", "/attachments/*", "/reminders/overrides/*", "/conferenceData/entryPoints/*"}

// TestEveryObjectIsBroken checks that each documented object has an unknown member in one payload, and
// a repeated one in another.
func TestEveryObjectIsBroken(t *testing.T) {
	aboutValues(t)
	for _, rule := range []string{"json.unknown-field", "json.duplicate-name"} {
		missing := map[string]bool{}
		for _, member := range members(event.Event{}) {
			missing[parent(member)] = true
		}
		for path := range brokenPlaces(rule, 1500) {
			if delete(missing, parent(path)); len(missing) == 0 {
				break
			}
		}
		if len(missing) > 0 {
			t.Errorf("%s is never broken in %v", rule, missing)
		}
	}
}

// parent removes the last name from a path.
func parent(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// brokenPlaces yields where inserts break the rule, at most so many times, the same in every run.
func brokenPlaces(rule string, draws int) iter.Seq[string] {
	return func(yield func(string) bool) {
		drawn := fuzz.Violating(diag.Documents, rule, operation.EventsInsert)
		for seed := range draws {
			if !yield(generic(place{path: drawn.Example(seed).Path})) {
				return
			}
		}
	}
}
