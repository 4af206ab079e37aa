package fuzz_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// tree is a JSON object, with numbers as they are written.
type tree = map[string]any

func treeOfText(text []byte) tree {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var t tree
	if err := d.Decode(&t); err != nil {
		panic(err)
	}
	return t
}

// mergePatch is the pseudo-code of RFC 7396 section 2.
func mergePatch(target, patch any) any {
	p, ok := patch.(tree)
	if !ok {
		return patch
	}
	t, ok := target.(tree)
	if !ok {
		t = tree{}
	}
	merged := maps.Clone(t)
	for name, value := range p {
		if value == nil {
			delete(merged, name)
		} else {
			merged[name] = mergePatch(merged[name], value)
		}
	}
	return merged
}

// The members for which the result of a write does not depend on the body alone.
var (
	// ofServer keep their stored values.
	ofServer = []string{"kind", "etag", "htmlLink", "created", "updated", "creator", "organizer", "videoLink", "locked"}

	// immutable keep their stored values, and their spelling.
	immutable = []string{"id", "recurringEventId", "privateCopy", "eventType", "iCalUID"}

	// ofIdentity keep their stored values if an update leaves them out.
	ofIdentity = []string{
		"id", "recurringEventId", "originalStartTime", "privateCopy", "birthdayProperties", "eventType", "iCalUID",
	}

	// elsewhere are members that also depend on parameters, the caller and the stored event. Other tests are about them.
	elsewhere = []string{
		"colorId", "eventLabelId", "conferenceData", "source", "workingLocationProperties", "birthdayProperties",
		"originalStartTime",
	}

	// ofServerWithin are the members that the service writes in other members.
	ofServerWithin = []string{"organizer", "self", "asyncOperation", "resource", "email", "fileId", "iconLink", "link"}
)

// checkStored checks what an accepted patch or update stores: the merge of the RFC, or the body instead of the stored event.
func checkStored(t tb, req *event.Request, stored *event.Event) {
	t.Helper()
	was, sent := tree{}, treeOfText(req.Body)
	if req.Existing != nil {
		was = treeOfText(req.Existing.AppendJSON(nil))
	}
	want, _ := mergePatch(was, sent).(tree)
	if req.Op == operation.EventsUpdate {
		want = replaced(was, sent)
	}
	var kept []string // of an unknown event, all members are as they were sent
	if req.Existing != nil {
		kept = slices.Concat(ofServer, immutable)
	}
	for _, name := range kept {
		if (name == "eventType" || name == "iCalUID") && (was[name] == nil || was[name] == "") {
			continue // the default type may be written out, and an iCalUID that is not stored is supplied
		}
		delete(want, name)
		if value, ok := was[name]; ok {
			want[name] = value
		}
	}
	if want["status"] == nil && (req.Existing != nil || req.Op == operation.EventsUpdate) {
		want["status"] = "confirmed" // its default
	}
	got := treeOfText(stored.AppendJSON(nil))
	if req.Op == operation.EventsUpdate && sent["attendeesOmitted"] == true {
		for _, name := range []string{"attendees", "attendeesOmitted"} { // only one response of them is stored
			delete(want, name)
			delete(got, name)
		}
	}
	if diff := cmp.Diff(canonical(want), canonical(got)); diff != "" {
		t.Fatalf("stored differently than it was written (-written +stored):\n%s\n%v", diff, req)
	}
}

// replaced returns the result of an update: what is sent, and the stored identity if it is left out.
func replaced(was, sent tree) tree {
	next := tree{}
	for name, value := range sent {
		if value != nil {
			next[name] = value
		}
	}
	for _, name := range ofIdentity {
		if _, ok := next[name]; !ok && was[name] != nil {
			next[name] = was[name]
		}
	}
	return next
}

// canonical writes the members that the law is about so that equal values have equal texts. An
// absent member equals one that means the same.
func canonical(event tree) map[string]string {
	texts := map[string]string{}
	for name, value := range event {
		if slices.Contains(elsewhere, name) {
			continue
		}
		text := mustParse([]byte(quote(spoken(value)))).value()
		if text != `""` && text != "false" && text != "[]" && text != "0e0" && text != "0" {
			texts[name] = text
		}
	}
	return texts
}

// spoken returns a value without null, which means absence, and without what the service writes in it.
func spoken(value any) any {
	switch value := value.(type) {
	case tree:
		kept := tree{}
		for name, child := range value {
			if child != nil && !slices.Contains(ofServerWithin, name) {
				kept[name] = spoken(child)
			}
		}
		return kept
	case []any:
		kept := make([]any, len(value))
		for i, child := range value {
			kept[i] = spoken(child)
		}
		return kept
	default:
		return value
	}
}
