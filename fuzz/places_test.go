package fuzz_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// leftTypes says why json.type is not broken at a member.
var leftTypes = map[string]string{
	"/workingLocationProperties/homeOffice": "any value will do",
	"/extendedProperties/private":           "a map, of which another rule speaks",
	"/extendedProperties/shared":            "a map, of which another rule speaks",
	"/gadget/preferences":                   "a map, of which another rule speaks",
}

// TestEveryTypeIsBroken: each member of the documents, and an element of each list, is sent
// with a value of another type.
func TestEveryTypeIsBroken(t *testing.T) {
	aboutValues(t)
	broken := brokenPlaces("json.type", 4000)
	for _, member := range append(members(event.Event{}), elements...) {
		reason, left := leftTypes[member]
		if (broken[member] == 0) != left {
			t.Errorf("%s is broken %d times; it is left out for the reason %q", member, broken[member], reason)
		}
	}
}

// elements are those of the lists of an event.
var elements = []string{"/recurrence/*", "/attendees/*", "/attachments/*", "/reminders/overrides/*", "/conferenceData/entryPoints/*"}

// TestEveryObjectIsBroken: a member that the documents do not list, and one that is repeated,
// stand in each of their objects.
func TestEveryObjectIsBroken(t *testing.T) {
	aboutValues(t)
	for _, rule := range []string{"json.unknown-field", "json.duplicate-name"} {
		broken := map[string]int{}
		for path, n := range brokenPlaces(rule, 1500) {
			broken[parent(path)] += n
		}
		for _, member := range members(event.Event{}) {
			if object := parent(member); broken[object] == 0 {
				t.Errorf("%s is never broken in %q", rule, object)
			}
		}
	}
}

// parent cuts the last name off a path.
func parent(path string) string { return path[:strings.LastIndexByte(path, '/')] }

// brokenPlaces counts where inserts break the rule, in as many draws, the same in every run.
func brokenPlaces(rule string, draws int) map[string]int {
	broken := map[string]int{}
	drawn := fuzz.Violating(rule, operation.EventsInsert)
	for seed := range draws {
		p := drawn.Example(seed)
		broken[generic(place{path: p.Path})]++
	}
	return broken
}
