package event_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Objects, maps and arrays of the same length are compared member by member, everything else as a
// whole. Both directions have the same differences.
func TestDiff(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b string // members
		want []diag.Pointer
	}{
		{"same", timed, timed, nil},
		{"text", `"summary":"Standup"`, `"summary":"Daily"`, []diag.Pointer{"/summary"}},
		{"text/absent", `"summary":"Standup"`, "", []diag.Pointer{"/summary"}},
		{"zero-is-absent", `"summary":"","locked":false,"sequence":0,"attendees":[],"recurrence":[]`, "", nil},
		{"false-is-not-absent", `"guestsCanInviteOthers":false`, "", []diag.Pointer{"/guestsCanInviteOthers"}},
		{"document-order", `"summary":"a","colorId":"1","location":"x"`, `"location":"y","summary":"b","colorId":"2"`,
			[]diag.Pointer{"/summary", "/location", "/colorId"}},
		{"object", `"source":{"title":"a","url":"https://example.com/"}`, `"source":{"title":"b","url":"https://example.com/"}`, []diag.Pointer{"/source/title"}},
		{"object/absent", `"source":{"title":"a"}`, "", []diag.Pointer{"/source"}},
		{"map", `"extendedProperties":{"private":{"a":"1","b":"2","c/d":"3"}}`, `"extendedProperties":{"private":{"b":"2","a":"2","e":"5"}}`,
			[]diag.Pointer{"/extendedProperties/private/a", "/extendedProperties/private/c~1d", "/extendedProperties/private/e"}},
		{"map/absent", `"extendedProperties":{"private":{"a":"1"}}`, `"extendedProperties":{"shared":{"a":"1"}}`,
			[]diag.Pointer{"/extendedProperties/private", "/extendedProperties/shared"}},
		{"array/same-length", `"attendees":[{"email":"a@b"},{"email":"c@d"}]`, `"attendees":[{"email":"a@b"},{"email":"c@d","optional":true}]`,
			[]diag.Pointer{"/attendees/1/optional"}},
		{"array/added", `"attendees":[{"email":"a@b"}]`, `"attendees":[{"email":"a@b"},{"email":"c@d"}]`, []diag.Pointer{"/attendees/1"}},
		{"array/absent", `"attendees":[{"email":"a@b"}]`, "", []diag.Pointer{"/attendees"}},
		{"array/emptied", `"attachments":[{"fileUrl":"https://a"}]`, `"attachments":[]`, []diag.Pointer{"/attachments/0"}},
		{"strings", `"recurrence":["RRULE:FREQ=DAILY"]`, `"recurrence":["RRULE:FREQ=WEEKLY"]`, []diag.Pointer{"/recurrence"}},
		{"unknown/same", `"x":{"a":1,"b":[true]}`, `"x":{"b":[true],"a":1.0}`, nil},
		{"unknown/other", `"x":1`, `"x":2`, []diag.Pointer{"/x"}},
		{"unknown/one-side", `"x":1`, "", []diag.Pointer{"/x"}},
		{"unknown/nested", `"source":{"x":1}`, `"source":{"x":2}`, []diag.Pointer{"/source/x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := read(t, object(test.a)), read(t, object(test.b))
			if diff := cmp.Diff(test.want, paths(a.Diff(b, diag.Documents))); diff != "" {
				t.Errorf("a to b (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, paths(b.Diff(a, diag.Documents))); diff != "" {
				t.Errorf("b to a (-want +got):\n%s", diff)
			}
			if a.Equal(*b) != (test.want == nil) {
				t.Errorf("Equal = %t", a.Equal(*b))
			}
		})
	}
	if places := paths((*event.Event)(nil).Diff(read(t, `{"summary":"a"}`), diag.Documents)); !cmp.Equal(places, []diag.Pointer{"/summary"}) {
		t.Errorf("nil and an event with a summary differ at %v, want /summary", places)
	}
}

func paths(differences []event.Difference) (paths []diag.Pointer) {
	for _, d := range differences {
		paths = append(paths, d.Path)
	}
	return paths
}

// Elements are compared with those that are about the same person or file. In another order, the array differs as a whole.
func TestDiffPairsElements(t *testing.T) {
	for _, test := range []struct {
		name string
		a, b string // members
		want []string
	}{
		{"attendees/order", `"attendees":[{"email":"a@b"},{"email":"c@d"}]`, `"attendees":[{"email":"c@d"},{"email":"a@B"}]`,
			[]string{`/attendees [{"email":"a@b"},{"email":"c@d"}] [{"email":"c@d"},{"email":"a@B"}]`}},
		{"attendees/another", `"attendees":[{"email":"a@b"},{"email":"c@d"}]`, `"attendees":[{"email":"c@d","optional":true},{"email":"e@f"}]`,
			[]string{`/attendees/0/optional  true`, `/attendees/1  {"email":"e@f"}`, `/attendees/0 {"email":"a@b"} `}},
		{"attendees/nobody", `"attendees":[{"comment":"x"},{"email":"c@d"}]`, `"attendees":[{"comment":"x"}]`, []string{`/attendees/1 {"email":"c@d"} `}},
		{"attachments", `"attachments":[{"fileUrl":"https://a"},{"fileUrl":"https://b","title":"B"}]`, `"attachments":[{"fileUrl":"https://b","title":"C"}]`,
			[]string{`/attachments/0/title "B" "C"`, `/attachments/0 {"fileUrl":"https://a"} `}},
		{"reminders", `"reminders":{"overrides":[{"method":"popup","minutes":1},{"method":"email","minutes":2}]}`,
			`"reminders":{"overrides":[{"method":"email","minutes":2},{"method":"popup","minutes":1}]}`,
			[]string{`/reminders/overrides [{"method":"popup","minutes":1},{"method":"email","minutes":2}] [{"method":"email","minutes":2},{"method":"popup","minutes":1}]`}},
		{"attachments/order", `"attachments":[{"fileUrl":"https://a"},{"fileUrl":"https://b"}]`, `"attachments":[{"fileUrl":"https://b"},{"fileUrl":"https://a"}]`,
			[]string{`/attachments [{"fileUrl":"https://a"},{"fileUrl":"https://b"}] [{"fileUrl":"https://b"},{"fileUrl":"https://a"}]`}},
		{"cleared", `"location":"x"`, `"location":null`, []string{`/location "x" null`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, d := range read(t, object(test.a)).Diff(read(t, object(test.b)), diag.Documents) {
				got = append(got, fmt.Sprintf("%s %s %s", d.Path, string(d.Old), string(d.New)))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// An update replaces everything except what clients cannot write, identities, and immutable members.
func TestUpdate(t *testing.T) {
	const kept = `"etag":"\"1\"","id":"abc12def","iCalUID":"u@example.com","created":"2026-01-05T08:00:00Z","creator":{"email":"o@example.com"},` +
		`"recurringEventId":"s1","originalStartTime":{"date":"2026-03-10"},"privateCopy":true`
	for _, test := range []struct{ name, stored, next, want string }{
		{"replaces", kept + `,"summary":"Standup","attendees":[{"email":"a@b.c"}]`, `"location":"Room 4"`, kept + `,"location":"Room 4"`},
		{"written-by-service", kept, `"etag":"\"2\"","creator":{"email":"e@example.com"}`, kept},
		{"uid", kept, `"iCalUID":"v@example.com"`, kept},
		{"first-uid", `"id":"abc12def"`, `"iCalUID":"v@example.com"`, `"id":"abc12def","iCalUID":"v@example.com"`},
		{"conference", `"conferenceData":{"notes":"a"}`, `"conferenceData":{"notes":"b"}`, `"conferenceData":{"notes":"b"}`},
		{"nothing-stored", "", `"summary":"Daily","etag":"\"2\""`, `"summary":"Daily"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored, next := read(t, object(test.stored)), read(t, object(test.next))
			got := stored.AfterUpdate(next)
			if diff := cmp.Diff(text(t, read(t, object(test.want))), text(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if text(t, stored) != text(t, read(t, object(test.stored))) || text(t, next) != text(t, read(t, object(test.next))) {
				t.Error("Update modifies its arguments")
			}
		})
	}
	if got := (*event.Event)(nil).AfterUpdate(nil); text(t, got) != "{}" {
		t.Errorf("Update of nothing is %s", text(t, got))
	}
}

// A value of a wrong type is kept, so events that differ only in it are different.
func TestDiffOfWrongTypes(t *testing.T) {
	for _, test := range []struct {
		a, b string // members
		want []diag.Pointer
	}{
		{`"summary":5`, `"summary":6`, []diag.Pointer{"/summary"}},
		{`"summary":5`, `"summary":5.0`, nil},
		{`"summary":5`, ``, []diag.Pointer{"/summary"}},
		{`"summary":5`, `"summary":""`, []diag.Pointer{"/summary"}},
		{`"recurrence":["a",5]`, `"recurrence":["a",6]`, []diag.Pointer{"/recurrence"}},
		{`"recurrence":["a",5]`, `"recurrence":["a"]`, []diag.Pointer{"/recurrence"}},
		{`"start":{"date":5}`, `"start":{"date":6}`, []diag.Pointer{"/start/date"}},
		{`"extendedProperties":{"private":{"a":"x","b":5}}`, `"extendedProperties":{"private":{"a":"x","b":6}}`, []diag.Pointer{"/extendedProperties/private/b"}},
		{`"attendees":[5]`, `"attendees":[6]`, []diag.Pointer{"/attendees/0", "/attendees/0"}},
		{`"attendees":[5,{"email":"a@b"}]`, `"attendees":[5,{"email":"c@d"}]`, []diag.Pointer{"/attendees/1", "/attendees/1"}},
		{`"attendees":[5]`, `"attendees":[{}]`, []diag.Pointer{"/attendees/0", "/attendees/0"}},
	} {
		a, _ := event.Decode([]byte(object(test.a)), diag.Documents)
		b, _ := event.Decode([]byte(object(test.b)), diag.Documents)
		if diff := cmp.Diff(test.want, paths(a.Diff(b, diag.Documents))); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", test.a, test.b, diff)
		}
		if diff := cmp.Diff(test.want, paths(b.Diff(a, diag.Documents))); diff != "" {
			t.Errorf("%s to %s (-want +got):\n%s", test.b, test.a, diff)
		}
		if a.Equal(*b) != (test.want == nil) {
			t.Errorf("%s and %s: Equal is %t", test.a, test.b, a.Equal(*b))
		}
	}
}

func TestDiffInDialect(t *testing.T) {
	a := read(t, object(`"eventType":"fromMail","videoLink":"https://example.com/a"`))
	b := read(t, object(`"eventType":"default","videoLink":"https://example.com/b"`))
	want := []event.Difference{
		{Path: "/hangoutLink", Old: json.RawMessage(`"https://example.com/a"`), New: json.RawMessage(`"https://example.com/b"`)},
		{Path: "/eventType", Old: json.RawMessage(`"fromGmail"`), New: json.RawMessage(`"default"`)},
	}
	if diff := cmp.Diff(want, a.Diff(b, diag.Google)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
