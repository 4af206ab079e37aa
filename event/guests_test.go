package event_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
)

const threeGuests = `"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com","responseStatus":"declined","comment":"ill"},{"id":"c"}]`

func TestGuests(t *testing.T) {
	for _, test := range []struct {
		name   string
		stored string // members
		patch  func(*event.Event) ([]byte, error)
		want   string // the patch, or what the error says
	}{
		{"respond", threeGuests, func(e *event.Event) ([]byte, error) { return e.PatchToRespond("ada@EXAMPLE.com", "accepted") },
			`{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com","responseStatus":"declined","comment":"ill"},{"id":"c"}]}`},
		{"respond/the-same", threeGuests, func(e *event.Event) ([]byte, error) { return e.PatchToRespond("bob@example.com", "declined") }, `{}`},
		{"respond/nobody", threeGuests, func(e *event.Event) ([]byte, error) { return e.PatchToRespond("eve@example.com", "accepted") }, `no attendee "eve@example.com"`},
		{"respond/no-address", threeGuests, func(e *event.Event) ([]byte, error) { return e.PatchToRespond("", "accepted") }, `no attendee ""`},
		{"respond/no-status", threeGuests, func(e *event.Event) ([]byte, error) { return e.PatchToRespond("bob@example.com", "yes") },
			`"yes"; it must be needsAction, declined, tentative or accepted`},
		{"respond/omitted", threeGuests + `,"attendeesOmitted":true`, func(e *event.Event) ([]byte, error) { return e.PatchToRespond("bob@example.com", "accepted") }, "attendeesOmitted"},
		{"add", `"attendees":[{"email":"ada@example.com"}]`, func(e *event.Event) ([]byte, error) {
			return e.PatchToAdd(event.Attendee{Email: "bob@example.com", Optional: true}, event.Attendee{Email: "ada@EXAMPLE.com", Optional: true}, event.Attendee{Email: "bob@example.com"})
		}, `{"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com","optional":true}]}`},
		{"add/first", ``, func(e *event.Event) ([]byte, error) {
			return e.PatchToAdd(event.Attendee{Email: "bob@example.com"})
		},
			`{"attendees":[{"email":"bob@example.com"}]}`},
		{"add/none", threeGuests, func(e *event.Event) ([]byte, error) { return e.PatchToAdd() }, `{}`},
		{"add/omitted", `"attendeesOmitted":true`, func(e *event.Event) ([]byte, error) { return e.PatchToAdd(event.Attendee{Email: "a@b.c"}) }, "attendeesOmitted"},
		{"remove", `"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`, func(e *event.Event) ([]byte, error) {
			return e.PatchToRemove("ada@EXAMPLE.com", "eve@example.com", "")
		}, `{"attendees":[{"email":"bob@example.com"}]}`},
		{"remove/omitted", `"attendeesOmitted":true`, func(e *event.Event) ([]byte, error) { return e.PatchToRemove("a@b.c") }, "attendeesOmitted"},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := read(t, object(test.stored))
			patch, err := test.patch(stored)
			if err != nil {
				patch = []byte(err.Error())
			}
			if wantErr := !strings.HasPrefix(test.want, "{"); (err != nil) != wantErr || !strings.Contains(string(patch), test.want) {
				t.Errorf("got %s, want %s", patch, test.want)
			}
			if diff := cmp.Diff(text(t, read(t, object(test.stored))), text(t, stored)); diff != "" {
				t.Errorf("the stored event changes:\n%s", diff)
			}
		})
	}
}

// Whoever is added can be removed, and a response changes nobody else.
func TestGuestsOfDrawnEvents(t *testing.T) {
	events := fuzz.Event("")
	rapid.Check(t, func(t *rapid.T) {
		stored := events.Draw(t, "stored")
		if stored.AttendeesOmitted {
			return
		}
		const email = "somebody-new@example.com"
		add, err := stored.PatchToAdd(event.Attendee{Email: email})
		if err != nil {
			t.Fatal(err)
		}
		with, err := stored.AfterPatch(add, diag.Documents)
		if err != nil || len(with.Attendees) != len(stored.Attendees)+1 {
			t.Fatalf("%s patched with %s is %s, %v", stored, add, with, err)
		}
		remove, err := with.PatchToRemove(email)
		if err != nil {
			t.Fatal(err)
		}
		without, err := with.AfterPatch(remove, diag.Documents)
		if err != nil || len(without.Attendees) != len(stored.Attendees) {
			t.Fatalf("%s patched with %s is %s, %v", with, remove, without, err)
		}
		respond, err := with.PatchToRespond(email, "tentative")
		if err != nil {
			t.Fatal(err)
		}
		answered, err := with.AfterPatch(respond, diag.Documents)
		last := len(with.Attendees) - 1
		if err != nil || answered.Attendees[last].ResponseStatus != "tentative" {
			t.Fatalf("%s patched with %s is %s, %v", with, respond, answered, err)
		}
		answered.Attendees[last].ResponseStatus = ""
		if list := with.Diff(answered, diag.Documents); len(list) > 0 && len(list[0].Path) > 0 && strings.Contains(string(list[0].Path), "email") {
			t.Fatalf("a response changes %v", paths(list))
		}
	})
}
