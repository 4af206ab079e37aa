package event_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/engine"
)

func TestClear(t *testing.T) {
	for _, test := range []struct {
		name, patch string // members
		paths       []diag.Pointer
		want        string
	}{
		{"nothing", `"summary":"a"`, nil, `"summary":"a"`},
		{"member", `"summary":"a"`, []diag.Pointer{"/location"}, `"summary":"a","location":null`},
		{"member that is set", `"summary":"a","location":"b"`, []diag.Pointer{"/location"}, `"summary":"a","location":null`},
		{"object that is set", `"start":{"date":"2026-03-10"}`, []diag.Pointer{"/start"}, `"start":null`},
		{"nested", `"start":{"dateTime":"2026-03-10T09:00:00Z"}`, []diag.Pointer{"/start/date"}, `"start":{"date":null,"dateTime":"2026-03-10T09:00:00Z"}`},
		{"nested in nothing", ``, []diag.Pointer{"/source/title"}, `"source":{"title":null}`},
		{"key of a map", `"extendedProperties":{"private":{"a":"<1>"}}`, []diag.Pointer{"/extendedProperties/private/b~1c"},
			`"extendedProperties":{"private":{"a":"<1>","b/c":null}}`},
		{"below null", `"start":null`, []diag.Pointer{"/start/date"}, `"start":null`},
		{"unknown member", `"x":{"b":1.50,"a":[]}`, []diag.Pointer{"/x/a"}, `"x":{"a":null,"b":1.50}`},
		{"array", `"attendees":[{"email":"a@b"}]`, []diag.Pointer{"/attendees"}, `"attendees":null`},
		{"beside a wrong type", `"summary":5`, []diag.Pointer{"/location"}, `"summary":5,"location":null`},
	} {
		t.Run(test.name, func(t *testing.T) {
			patch, _ := event.Decode([]byte(object(test.patch)), diag.Documents)
			if err := patch.Clear(test.paths...); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(object(test.want), string(patch.AppendJSON(nil))); diff != "" {
				t.Errorf("the patch (-want +got):\n%s", diff)
			}
		})
	}
}

func TestClearWhatIsNoMember(t *testing.T) {
	tooDeep := diag.Pointer(strings.Repeat("/x", 200))
	for _, path := range []diag.Pointer{
		"", "?maxAttendees", "#If-Match", "/summary/x", "/attendees/0", "/attendees/0/email", tooDeep,
		"/y", "/sumary", "/hangoutLink", "/source/x",
		"/location/x", "/attachments/0", "/reminders/overrides/0/minutes", "/extendedProperties/private/a/b", // of what is absent
	} {
		patch := event.Event{Summary: "a", Attendees: []event.Attendee{{Email: "a@b"}}}
		before := patch.String()
		if err := patch.Clear("/location", path); err == nil || !strings.Contains(err.Error(), engine.Quote(string(path))) {
			t.Errorf("Clear(%q) = %v", path, err)
		}
		if after := patch.String(); after != before {
			t.Errorf("Clear(%q) makes %s of %s", path, after, before)
		}
	}
}

// A member of a value that is no object, as a text of a wrong type may have, cannot be cleared.
func TestClearInWhatIsNoObject(t *testing.T) {
	for path, want := range map[diag.Pointer]string{
		"/source/title": `"/source/title" cannot be cleared: "title" is in a value that is not an object`,
		"/source/x":     `"/source/x" cannot be cleared: `,
	} {
		patch, _ := event.Decode([]byte(`{"source":5}`), diag.Documents)
		if err := patch.Clear(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Clear(%q) = %v", path, err)
		}
		if got := patch.String(); got != `{"source":5}` {
			t.Errorf("Clear(%q) makes %s", path, got)
		}
	}
}

// A field that is set after Clear is sent.
func TestSetAfterClear(t *testing.T) {
	var patch event.Event
	if err := patch.Clear("/location", "/summary"); err != nil {
		t.Fatal(err)
	}
	patch.Location = "Room 4"
	if got, want := patch.String(), `{"summary":null,"location":"Room 4"}`; got != want {
		t.Errorf("the patch is %s, want %s", got, want)
	}
}

// A patch with a cleared member removes only this member from the stored event.
func TestClearedMembersGo(t *testing.T) {
	events := fuzz.Event("")
	rapid.Check(t, func(t *rapid.T) {
		stored := events.Draw(t, "stored")
		want := anyObject(t, stored)
		var path diag.Pointer
		for within := want; ; {
			name := rapid.SampledFrom(slices.Sorted(maps.Keys(within))).Draw(t, "member")
			path = path.Member(name)
			if inner, isObject := within[name].(map[string]any); isObject && len(inner) > 1 && rapid.Bool().Draw(t, "deeper") {
				within = inner
				continue
			}
			delete(within, name)
			break
		}
		var patch event.Event
		if err := patch.Clear(path); err != nil {
			t.Fatal(err)
		}
		got, err := stored.AfterPatch(patch.AppendJSON(nil), diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		// Compare texts: cmp takes exponential time for arrays in arrays, such as a homeOffice may hold.
		if diff := cmp.Diff(sortedJSON(t, want), sortedJSON(t, anyObject(t, got))); diff != "" {
			t.Fatalf("%s was cleared (-want +got):\n%s", path, diff)
		}
	})
}

func anyObject(t *rapid.T, e *event.Event) (members map[string]any) {
	if err := json.Unmarshal(e.AppendJSON(nil), &members); err != nil {
		t.Fatal(err)
	}
	return members
}

func sortedJSON(t *rapid.T, members map[string]any) string {
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
