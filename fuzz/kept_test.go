package fuzz_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// unwritable are values of members that a modification cannot change. No drawn event has them.
var unwritable = map[string]any{
	"id":                 "0therid",
	"recurringEventId":   "otherseries",
	"originalStartTime":  map[string]any{"date": "1999-12-31"},
	"birthdayProperties": map[string]any{"type": "bday"},
	"eventType":          "meeting",
	"iCalUID":            "other@calendar.example.com",
	"kind":               "calendar#event",
	"etag":               `"other"`,
	"htmlLink":           "https://example.com/other",
	"created":            "1999-12-31T00:00:00Z",
	"updated":            "1999-12-31T00:00:00Z",
	"creator":            map[string]any{"email": "other@example.com", "self": true},
	"organizer":          map[string]any{"email": "other@example.com", "self": true},
	"videoLink":          "https://example.com/other",
}

// TestRulesSeeTheKeptValue checks that a value that a modification cannot write has no other findings than those about
// the value itself: all other rules see the stored value, which stays.
func TestRulesSeeTheKeptValue(t *testing.T) {
	each(t, []operation.ID{operation.EventsPatch, operation.EventsUpdate}, func(t *rapid.T, req *event.Request) {
		name := rapid.SampledFrom([]string{"recurringEventId", "originalStartTime", "birthdayProperties", "eventType", "iCalUID",
			"id", "kind", "etag", "htmlLink", "created", "updated", "creator", "organizer", "videoLink", "privateCopy", "locked"}).Draw(t, "member")
		if req.Existing == nil {
			return
		}
		value := unwritable[name]
		switch isCleared := rapid.Bool().Draw(t, "null"); {
		case isCleared && req.Op == operation.EventsPatch:
			value = nil
		case name == "privateCopy":
			value = !req.Existing.PrivateCopy
		case name == "locked":
			value = !req.Existing.Locked
		case name == "eventType" && req.Existing.EventType != "focusTime":
			value = "focusTime"
		}
		checkKeptValue(t, req, name, value)
	})
}

// checkKeptValue compares the findings of a request with those of the same request with the stored value of a member.
func checkKeptValue(t *rapid.T, req *event.Request, name string, value any) {
	var body map[string]any
	if json.Unmarshal(req.Body, &body) != nil {
		return
	}
	findings := func(set func()) []string {
		set()
		changed := *req
		changed.Body = must(json.Marshal(body))
		found := must(event.Find(&changed))
		return briefs(slices.DeleteFunc(found, func(f diag.Finding) bool {
			return strings.HasPrefix(string(f.Path)+"/", "/"+name+"/")
		}))
	}
	stored := storedMember(req.Existing, name)
	want := findings(func() {
		if body[name] = stored; stored == nil {
			delete(body, name)
		}
	})
	got := findings(func() { body[name] = value })
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s as %v has other findings than as stored (-stored +changed):\n%s\n%s", name, value, diff, must(fuzz.Payload{Event: req}.MarshalJSON()))
	}
}

// storedMember returns the stored value of a member, or nil.
func storedMember(e *event.Event, name string) any {
	var members map[string]any
	if err := json.Unmarshal(e.AppendJSON(nil), &members); err != nil {
		panic(err)
	}
	return members[name]
}
