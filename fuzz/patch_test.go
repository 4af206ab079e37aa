package fuzz_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// patchParams are the query parameters that the patches of [fuzz.Patch] need.
var patchParams = operation.Params{
	"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "eventLabelVersion": {"1"},
}

// checkPatch draws a patch of a stored event, and checks the promises of [fuzz.Patch].
func checkPatch(t *rapid.T, stored *event.Event) {
	t.Helper()
	before := string(stored.AppendJSON(nil))
	patch := fuzz.Patch(diag.Documents, stored).Draw(t, "patch")
	if after := string(stored.AppendJSON(nil)); after != before {
		t.Fatalf("the stored event changed from %s to %s", before, after)
	}
	req := &event.Request{Op: operation.EventsPatch, Existing: stored, Body: []byte(patch), Params: patchParams}
	if found := rejections(req); len(found) > 0 {
		t.Fatalf("rejected by %v: %s of %s", found, patch, stored.AppendJSON(nil))
	}
}

// TestPatchIsValid patches what the package draws: stored events of every kind, and events as they were inserted.
func TestPatchIsValid(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsGet, operation.EventsPatch, operation.EventsInstances} {
		t.Run("of "+string(op), rapid.MakeCheck(func(t *rapid.T) {
			if stored := fuzz.Request(diag.Documents, op).Draw(t, "request").Existing; stored != nil {
				checkPatch(t, stored)
			}
		}))
	}
	t.Run("inserted", rapid.MakeCheck(func(t *rapid.T) {
		checkPatch(t, must(event.Check(fuzz.Request(diag.Documents, operation.EventsInsert).Draw(t, "insert"))).Answer)
	}))
}

// TestPatchOfRepresentationIsValid patches representations, which may have an end before the start.
func TestPatchOfRepresentationIsValid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkPatch(t, decode(fuzz.Request(diag.Documents, operation.Response).Draw(t, "response").Body))
	})
}

// TestPatchOfDocumentedEventsIsValid patches the stored events in the examples of the rules.
func TestPatchOfDocumentedEventsIsValid(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsGet} {
		for _, req := range documented(t, op) {
			if req.Existing == nil {
				continue
			}
			t.Run(string(req.Existing.AppendJSON(nil)), rapid.MakeCheck(func(t *rapid.T) { checkPatch(t, req.Existing) }))
		}
	}
}

// TestStoredIsSentBack checks that a stored event is valid as an update and as a representation.
func TestStoredIsSentBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stored := fuzz.Request(diag.Documents, operation.EventsDelete).Draw(t, "request").Existing
		text := stored.AppendJSON(nil)
		sent := event.Request{Op: operation.EventsUpdate, Existing: stored, Body: text}
		if stored.Start != nil { // an update needs one even for a cancelled event
			checkAccepted(t, &sent)
		}
		checkAccepted(t, &event.Request{Op: operation.Response, Body: text})
	})
}

// TestEveryPatchIsDrawn checks that each member that a client may clear is cleared, and that each outcome of a merge occurs.
func TestEveryPatchIsDrawn(t *testing.T) {
	t.Parallel()
	cleared, outcomes := map[string]int{}, map[string]int{}
	for _, req := range drawn()[operation.EventsPatch] {
		patch := mustParse(req.Body)
		for _, p := range places(patch) {
			if p.node.text == "null" {
				cleared[generic(p)]++
			}
		}
		if req.Existing != nil {
			countOutcomes(outcomes, "", mustParse(req.Existing.AppendJSON(nil)), patch)
		}
	}
	for _, member := range members(event.Event{}) {
		if isClearable(member) && cleared[member] == 0 {
			t.Errorf("%s is never cleared", member)
		}
	}
	for _, outcome := range []string{
		"nothing", "added", "set again as it is", "replaced", "cleared", "cleared where there is nothing",
		"object added", "object merged", "object merged with nothing", "array added", "array replaced", "array emptied", "array sent again",
		"key added", "key replaced", "key cleared", "map cleared",
	} {
		if outcomes[outcome] == 0 {
			t.Errorf("no patch has the outcome %q; there are %v", outcome, outcomes)
		}
	}
}

// isClearable reports whether a client may clear the member: it is not immutable, written by the
// service, required, or in an element of an array, which is replaced as a whole.
func isClearable(member string) bool {
	kept := slices.Concat(ofServer, ofIdentity[:6], []string{
		"start", "end", "originalStartTime/", "birthdayProperties/", "creator/", "organizer/", "workingLocationProperties", "workingLocationProperties/type",
		"gadget/link", "gadget/iconLink", "iCalUID",
		// The objects of these are cleared as a whole.
		"conferenceData/createRequest/requestId", "conferenceData/createRequest/conferenceSolutionKey/type",
		"conferenceData/createRequest/status/statusCode",
		"conferenceData/conferenceSolution/key", "conferenceData/conferenceSolution/key/type",
	})
	return !strings.Contains(member, "*") && !slices.ContainsFunc(kept, func(name string) bool {
		return member == "/"+name || strings.HasSuffix(name, "/") && strings.HasPrefix(member, "/"+name)
	})
}

// countOutcomes counts the effects of a patch on a stored object.
func countOutcomes(outcomes map[string]int, path string, stored, patch *node) {
	if len(patch.names) == 0 {
		outcomes[map[bool]string{true: "nothing", false: "object merged with nothing"}[path == ""]]++
	}
	for i, name := range patch.names {
		var was *node
		if k := slices.Index(stored.names, name); k >= 0 {
			was = stored.children[k]
		}
		at := path + "/" + name
		outcomes[outcome(at, was, patch.children[i])]++
		if was != nil && was.object && patch.children[i].object {
			countOutcomes(outcomes, at, was, patch.children[i])
		}
	}
}

// outcome names the effect of a value of a patch on a stored one.
func outcome(path string, was, is *node) string {
	what, isMap := "", false
	switch {
	case strings.HasPrefix(path, "/extendedProperties/") || strings.HasPrefix(path, "/gadget/preferences"):
		isMap = strings.Count(path, "/") == 2
		if !isMap {
			what = "key "
		}
	case is.array:
		what = "array "
	case is.object:
		what = "object "
	}
	switch {
	case is.text == "null" && was == nil:
		return "cleared where there is nothing"
	case is.text == "null" && isMap:
		return "map cleared"
	case is.text == "null":
		return strings.TrimSpace(what + "cleared")
	case was == nil:
		return what + "added"
	case is.array && was.value() == is.value():
		return what + "sent again"
	case is.array && len(is.children) == 0:
		return what + "emptied"
	case is.object && was.object:
		return what + "merged"
	case was.value() == is.value():
		return "set again as it is"
	default:
		return what + "replaced"
	}
}
