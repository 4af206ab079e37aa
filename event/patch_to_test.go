package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
)

func TestPatchTo(t *testing.T) {
	const nulls = `"x":null,"start":{"date":"2026-03-10","x":null},"organizer":{"email":"a@b","x":null},"attendees":[{"email":"a@b","x":null}],` +
		`"extendedProperties":{"x":null},"conferenceData":{"x":null}`
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
		{"same-null", nulls, nulls, ``},
		{"same-null-beside-a-change", nulls + `,"summary":"a"`, nulls + `,"summary":"b"`, `"summary":"b"`},
		{"same-empty-label", `"eventLabelId":"","summary":"a"`, `"eventLabelId":"","summary":"b"`, `"summary":"b"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored, next := read(t, object(test.stored)), read(t, object(test.next))
			got, remain := stored.PatchTo(next, diag.Documents)
			if want := object(test.want); string(got) != want {
				t.Errorf("the patch is %s, want %s", got, want)
			}
			if len(remain) > 0 {
				t.Errorf("%v remain", paths(remain))
			}
			checkMadePatch(t, stored, next)
		})
	}
	if got, remain := (*event.Event)(nil).PatchTo(nil, diag.Documents); string(got) != "{}" || remain != nil {
		t.Errorf("the patch of nothing is %s", got)
	}
}

// What only the service writes, and what no patch can change, is not in the patch, and remains.
func TestPatchToOfServiceMembers(t *testing.T) {
	for _, test := range []struct {
		name, stored, next, want string // members
		remain                   []diag.Pointer
	}{
		{"service", `"etag":"\"1\"","updated":"2026-03-10T09:00:00Z","videoLink":"https://a.example"`, `"etag":"\"2\"","summary":"b"`, `"summary":"b"`,
			[]diag.Pointer{"/etag", "/updated", "/videoLink"}},
		{"creation", `"id":"abcde","eventType":"default"`, `"id":"fghij","eventType":"focusTime"`, ``, []diag.Pointer{"/id", "/eventType"}},
		{"organizer", `"organizer":{"email":"a@b.c"}`, `"organizer":{"email":"d@e.f"}`, ``, []diag.Pointer{"/organizer/email"}},
		{"uid", `"iCalUID":"a"`, `"iCalUID":"b"`, ``, []diag.Pointer{"/iCalUID"}},
		{"first-uid", ``, `"iCalUID":"b"`, `"iCalUID":"b"`, nil},
		{"elements", `"attendees":[{"email":"a@b.c","self":true},{"email":"d@e.f","organizer":true}]`,
			`"attendees":[{"email":"a@b.c","self":true,"responseStatus":"accepted"},{"email":"d@e.f","organizer":true}]`,
			`"attendees":[{"email":"a@b.c","responseStatus":"accepted"},{"email":"d@e.f"}]`, nil},
		{"new-element", `"attendees":[]`, `"attendees":[{"email":"a@b.c","self":true}]`, `"attendees":[{"email":"a@b.c"}]`, []diag.Pointer{"/attendees/0/self"}},
		{"within-elements", `"attendees":[{"email":"a@b.c"}]`, `"attendees":[{"email":"a@b.c","self":true}]`, ``, []diag.Pointer{"/attendees/0/self"}},
		{"within-objects", ``, `"conferenceData":{"createRequest":{"requestId":"1","status":{"statusCode":"success"}}}`,
			`"conferenceData":{"createRequest":{"requestId":"1"}}`, []diag.Pointer{"/conferenceData/createRequest/status/statusCode"}},
		{"null", `"x":{"a":null}`, `"x":{"b":null}`, `"x":{"a":null}`, []diag.Pointer{"/x/b"}},
		{"null-in-a-sent-array", `"attendees":[{"email":"a@b","x":null}]`, `"attendees":[{"email":"a@b","x":null,"comment":"c"}]`,
			`"attendees":[{"email":"a@b","comment":"c","x":null}]`, []diag.Pointer{"/attendees/0/x"}},
		{"null-of-the-service", `"organizer":{"x":null,"y":null}`, `"organizer":{"x":1,"y":null,"z":null}`, ``, []diag.Pointer{"/organizer/x", "/organizer/z"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored, next := read(t, object(test.stored)), read(t, object(test.next))
			patch, remain := stored.PatchTo(next, diag.Documents)
			if want := object(test.want); string(patch) != want {
				t.Errorf("the patch is %s, want %s", patch, want)
			}
			if diff := cmp.Diff(test.remain, paths(remain)); diff != "" {
				t.Errorf("what remains (-want +got):\n%s", diff)
			}
		})
	}
}

// A patch of the members that clients write makes the next event, and the patch of an event to itself is empty.
func checkMadePatch(t interface{ Fatalf(string, ...any) }, stored, next *event.Event) {
	patch, remain := stored.PatchTo(next, diag.Documents)
	got, err := stored.AfterPatch(patch, diag.Documents)
	if err != nil || len(remain) == 0 && !got.Equal(*next) {
		t.Fatalf("the patch %s of %s makes %s with the error %v, want %s", patch, stored, got, err, next)
	}
	if again, _ := got.PatchTo(next, diag.Documents); string(again) != "{}" {
		t.Fatalf("after the patch %s of %s to %s, another patch is %s", patch, stored, next, again)
	}
	isEqual, list := stored.Equal(*next), stored.Diff(next, diag.Documents)
	if isEqual != (len(list) == 0) || isEqual != (string(patch) == "{}" && len(remain) == 0) {
		t.Fatalf("%s and %s are equal: %t, have the differences %v, and the patch %s, and %v remain", stored, next, isEqual, paths(list), patch, paths(remain))
	}
}

func TestPatchToOfDrawnEvents(t *testing.T) {
	events := fuzz.Event("")
	rapid.Check(t, func(t *rapid.T) {
		stored, next := events.Draw(t, "stored"), events.Draw(t, "next")
		if rapid.Bool().Draw(t, "patched") {
			next, _ = stored.AfterPatch(fuzz.Patch(diag.Documents, stored).Draw(t, "patch"), diag.Documents)
		}
		checkMadePatch(t, stored, next)
	})
}

// Both directions have the same number of differences.
func TestDiffOfDrawnEvents(t *testing.T) {
	events := fuzz.Event("")
	rapid.Check(t, func(t *rapid.T) {
		a, b := events.Draw(t, "a"), events.Draw(t, "b")
		if got := a.Diff(a.Clone(), diag.Documents); len(got) > 0 {
			t.Fatalf("an event differs from itself: %v", paths(got))
		}
		there, back := a.Diff(b, diag.Documents), b.Diff(a, diag.Documents)
		if len(there) != len(back) {
			t.Fatalf("%d differences from %s to %s, and %d back", len(there), a, b, len(back))
		}
	})
}
