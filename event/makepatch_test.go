package event_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
)

func TestMakePatch(t *testing.T) {
	for _, test := range []struct{ name, stored, next, want string }{ // members
		{"same", timed, timed, ``},
		{"zero-is-absent", `"location":"","attendees":[]`, `"locked":false`, ``},
		{"changed", `"summary":"a","location":"x"`, `"summary":"b","location":"x"`, `"summary":"b"`},
		{"cleared", `"summary":"a","source":{"title":"a"}`, `"summary":""`, `"summary":"","source":null`},
		{"nested", `"source":{"title":"a","url":"https://a"},"start":{"date":"2026-03-10"}`, `"source":{"title":"b"},"start":{"dateTime":"2026-03-10T09:00:00Z"}`,
			`"start":{"date":null,"dateTime":"2026-03-10T09:00:00Z"},"source":{"title":"b","url":null}`},
		{"map", `"extendedProperties":{"private":{"a":"1","b":"2"},"shared":{"a":"1"}}`, `"extendedProperties":{"private":{"b":"2","c/d":"3"}}`,
			`"extendedProperties":{"private":{"a":null,"c/d":"3"},"shared":null}`},
		{"array", `"attendees":[{"email":"a@b"},{"email":"c@d"}]`, `"attendees":[{"email":"c@d"}]`, `"attendees":[{"email":"c@d"}]`},
		{"order-counts", `"attendees":[{"email":"a@b"},{"email":"c@d"}]`, `"attendees":[{"email":"c@d"},{"email":"a@b"}]`,
			`"attendees":[{"email":"c@d"},{"email":"a@b"}]`},
		{"unknown", `"x":{"a":1,"b":2},"y":1`, `"x":{"a":1,"b":3}`, `"x":{"b":3},"y":null`},
		{"any-value", `"workingLocationProperties":{"homeOffice":{"a":1}}`, `"workingLocationProperties":{"homeOffice":{"b":1}}`,
			`"workingLocationProperties":{"homeOffice":{"a":null,"b":1}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored, next := read(t, object(test.stored)), read(t, object(test.next))
			got := event.MakePatch(stored, next, diag.Documents)
			if want := object(test.want); string(got) != want {
				t.Errorf("the patch is %s, want %s", got, want)
			}
			checkMadePatch(t, stored, next)
		})
	}
	if got := string(event.MakePatch(nil, nil, diag.Documents)); got != "{}" {
		t.Errorf("the patch of nothing is %s", got)
	}
}

// A patch makes the next event, and that of an event to itself is empty.
func checkMadePatch(t interface{ Fatalf(string, ...any) }, stored, next *event.Event) {
	patch := event.MakePatch(stored, next, diag.Documents)
	got, err := event.Patch(stored, patch, diag.Documents)
	if err != nil || !got.Equal(*next) {
		t.Fatalf("the patch %s of %s makes %s with the error %v, want %s", patch, stored, got, err, next)
	}
	if again := string(event.MakePatch(got, next, diag.Documents)); again != "{}" {
		t.Fatalf("the patch of equal events is %s", again)
	}
}

func TestMakePatchOfDrawnEvents(t *testing.T) {
	events := fuzz.Event("")
	rapid.Check(t, func(t *rapid.T) {
		stored, next := events.Draw(t, "stored"), events.Draw(t, "next")
		if rapid.Bool().Draw(t, "patched") {
			next, _ = event.Patch(stored, fuzz.Patch(stored).Draw(t, "patch"), diag.Documents)
		}
		checkMadePatch(t, stored, next)
	})
}

// Differences are there exactly if a patch is not empty or elements have another order.
func TestDiffOfDrawnEvents(t *testing.T) {
	events := fuzz.Event("")
	rapid.Check(t, func(t *rapid.T) {
		a, b := events.Draw(t, "a"), events.Draw(t, "b")
		if got := event.Diff(a, a.Clone(), diag.Documents); len(got) > 0 {
			t.Fatalf("an event differs from itself: %v", paths(got))
		}
		there, back := event.Diff(a, b, diag.Documents), event.Diff(b, a, diag.Documents)
		if len(there) != len(back) || len(there) > 0 && string(event.MakePatch(a, b, diag.Documents)) == "{}" {
			t.Fatalf("%d differences from %s to %s, and %d back", len(there), a, b, len(back))
		}
	})
}
