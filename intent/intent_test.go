package intent_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/intent"
	"github.com/calrules/calrules/internal/testing/surface"
)

const threeGuests = `"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com","responseStatus":"declined","comment":"ill"},{"id":"c"}]`

// read returns the event with the members, and an id.
func read(t testing.TB, members string) *event.Event {
	t.Helper()
	e := new(event.Event)
	if err := e.UnmarshalJSON([]byte(`{"id":"event1"` + strings.TrimSuffix(","+members, ",") + "}")); err != nil {
		t.Fatal(err)
	}
	return e
}

type requests = []event.Request

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		name   string
		stored string // members
		make   func(*event.Event) (requests, error)
		want   string // the body of the patch, which is empty if there is no request, or what the error says
	}{
		{"respond", threeGuests, func(e *event.Event) (requests, error) {
			return intent.Maker{}.Respond(e, "Ada@EXAMPLE.com", "accepted", "")
		},
			`{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com","responseStatus":"declined","comment":"ill"},{"id":"c"}]}`},
		{"respond/the-same", threeGuests, func(e *event.Event) (requests, error) {
			return intent.Maker{}.Respond(e, "bob@example.com", "declined", "")
		}, ``},
		{"respond/nobody", threeGuests, func(e *event.Event) (requests, error) {
			return intent.Maker{}.Respond(e, "eve@example.com", "accepted", "")
		}, `no attendee "eve@example.com"`},
		{"respond/self", threeGuests, func(e *event.Event) (requests, error) { return intent.Maker{}.Respond(e, "", "accepted", "") }, `{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},`},
		{"respond/no-self", `"attendees":[{"id":"c"}]`, func(e *event.Event) (requests, error) { return intent.Maker{}.Respond(e, "", "accepted", "") }, "no attendee is marked as self"},
		{"respond/no-status", threeGuests, func(e *event.Event) (requests, error) { return intent.Maker{}.Respond(e, "bob@example.com", "yes", "") },
			`"yes"; it must be needsAction, declined, tentative or accepted`},
		{"respond/omitted", threeGuests + `,"attendeesOmitted":true`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.Respond(e, "bob@example.com", "accepted", "")
		}, "attendeesOmitted"},
		{"add", `"attendees":[{"email":"ada@example.com"}]`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.AddGuests(e, event.Attendee{Email: "bob@example.com", Optional: true}, event.Attendee{Email: "ADA@example.com", Optional: true}, event.Attendee{Email: "bob@example.com"})
		}, `{"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com","optional":true}]}`},
		{"add/first", ``, func(e *event.Event) (requests, error) {
			return intent.Maker{}.AddGuests(e, event.Attendee{Email: "bob@example.com"})
		},
			`{"attendees":[{"email":"bob@example.com"}]}`},
		{"add/none", threeGuests, func(e *event.Event) (requests, error) { return intent.Maker{}.AddGuests(e) }, ``},
		{"add/omitted", `"attendeesOmitted":true`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.AddGuests(e, event.Attendee{Email: "a@b.c"})
		}, "attendeesOmitted"},
		{"remove", `"attendees":[{"email":"ada@example.com"},{"id":"c"}]`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.RemoveGuests(e, "", "Ada@EXAMPLE.com", "eve@example.com")
		}, `{"attendees":[{"id":"c"}]}`},
		{"remove/no-address", threeGuests, func(e *event.Event) (requests, error) {
			return intent.Maker{}.RemoveGuests(e, "mailto:ada@example.com")
		}, `"mailto:ada@example.com" is not an address`},
		{"remove/omitted", `"attendeesOmitted":true`, func(e *event.Event) (requests, error) { return intent.Maker{}.RemoveGuests(e, "a@b.c") }, "attendeesOmitted"},
		{"conference/solution", `"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"},"name":"Rooms"}}`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.RequestConference(e, "")
		}, "has a conference already"},
		{"conference/entry-points", `"conferenceData":{"entryPoints":[{"entryPointType":"video","uri":"https://rooms.example.com/abc"}]}`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.RequestConference(e, "")
		}, "has a conference already"},
		{"reschedule/no-start", `"end":{"date":"2026-03-11"}`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.Reschedule(event.Series{Event: e}, event.Date(2026, time.March, 12))
		}, "lacks its start or its end"},
		{"reschedule/no-end", `"start":{"date":"2026-03-10"}`, func(e *event.Event) (requests, error) {
			return intent.Maker{}.Reschedule(event.Series{Event: e}, event.Date(2026, time.March, 12))
		}, "lacks its start or its end"},
	} {
		t.Run(test.name, func(t *testing.T) {
			stored := read(t, test.stored)
			list, err := test.make(stored)
			got := bodyOf(list)
			if err != nil {
				got = err.Error()
			}
			if wantErr := test.want != "" && !strings.HasPrefix(test.want, "{"); (err != nil) != wantErr || got == "" != (test.want == "") || !strings.Contains(got, test.want) {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if diff := cmp.Diff(read(t, test.stored), stored); diff != "" {
				t.Errorf("the stored event changes:\n%s", diff)
			}
		})
	}
}

// bodyOf returns the body of the only request, or "".
func bodyOf(list requests) string {
	if len(list) != 1 {
		return ""
	}
	return string(list[0].Body)
}

// Whoever is added can be removed, and a response changes nobody else.
func TestGuestsOfDrawnEvents(t *testing.T) {
	events := fuzz.Event("default")
	rapid.Check(t, func(t *rapid.T) {
		stored := events.Draw(t, "stored")
		if stored.AttendeesOmitted {
			return
		}
		after := func(was *event.Event, list requests, err error) *event.Event {
			if err != nil || len(list) != 1 {
				t.Fatalf("%s: %d requests, %v", was, len(list), err)
			}
			next, err := was.AfterPatch(list[0].Body, diag.Documents)
			if err != nil {
				t.Fatal(err)
			}
			return next
		}
		const email = "somebody-new@example.com"
		add, err := intent.Maker{}.AddGuests(stored, event.Attendee{Email: email})
		with := after(stored, add, err)
		last := len(stored.Attendees)
		if len(with.Attendees) != last+1 {
			t.Fatalf("%s with a guest is %s", stored, with)
		}
		remove, err := intent.Maker{}.RemoveGuests(with, email)
		if without := after(with, remove, err); len(without.Attendees) != last {
			t.Fatalf("%s without a guest is %s", with, without)
		}
		respond, err := intent.Maker{}.Respond(with, email, "tentative", "")
		answered := after(with, respond, err)
		if answered.Attendees[last].ResponseStatus != "tentative" {
			t.Fatalf("%s answered is %s", with, answered)
		}
		answered.Attendees[last].ResponseStatus = ""
		for _, d := range with.Diff(answered, diag.Documents) {
			if strings.Contains(string(d.Path), "email") {
				t.Fatalf("a response changes %s", d.Path)
			}
		}
	})
}

// A text always has the same id, and two texts have two.
func TestMakeID(t *testing.T) {
	ids := map[string]string{}
	rapid.Check(t, func(t *rapid.T) {
		uid := rapid.String().Draw(t, "uid")
		id := intent.MakeID(uid)
		if other, ok := ids[id]; ok && other != uid {
			t.Fatalf("%q and %q have the id %s", uid, other, id)
		}
		ids[id] = uid
		found, err := event.Find(&event.Request{Op: "events.insert", Event: &event.Event{ID: id, Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}}})
		if err != nil || len(found) > 0 {
			t.Fatalf("%s: %v, %v", id, found, err)
		}
	})
}

// Many calendars and a long time take several queries, which the public service takes.
func TestFreeBusy(t *testing.T) {
	var calendars []string
	for i := range 120 {
		calendars = append(calendars, fmt.Sprintf("room%d@example.com", i))
	}
	from := time.Date(2026, time.March, 1, 0, 0, 0, 0, time.UTC)
	list, err := intent.Maker{Dialect: diag.Google}.FreeBusy(from, from.AddDate(0, 0, 200), calendars...)
	if err != nil || len(list) != 3*3 {
		t.Fatalf("%d requests, %v", len(list), err)
	}
	asked := 0
	for _, r := range list {
		if found, err := event.Find(&r); err != nil || len(found) > 0 {
			t.Errorf("%s: %v, %v", r.Body, found, err)
		}
		asked += strings.Count(string(r.Body), `"id"`)
	}
	if asked != 3*len(calendars) || !strings.Contains(string(list[8].Body), `"timeMax":"2026-09-17T00:00:00Z"`) {
		t.Errorf("%d calendars are asked; the last query is %s", asked, list[8].Body)
	}
}

// What the service would refuse or ignore is an error with the findings.
func TestRefused(t *testing.T) {
	m := intent.Maker{}
	for want, call := range map[string]func() (requests, error){
		ruleid.BirthdayPrivateProperties: func() (requests, error) { return m.SetPrivate(read(t, `"eventType":"birthday"`), "a", "b") },
		ruleid.EventLocked: func() (requests, error) {
			locked := read(t, `"locked":true,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`)
			return m.Reschedule(event.Series{Event: locked}, event.Date(2026, time.March, 12))
		},
	} {
		_, err := call()
		refused, ok := errors.AsType[*diag.Error](err)
		if !ok || !refused.Findings[0].Is(want) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// What an event does not allow, and what is not there, is an error.
func TestMisuse(t *testing.T) {
	series := event.Series{Event: read(t, `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`)}
	day, other := &event.Time{Date: "2026-03-11"}, &event.Time{Date: "2026-04-11"}
	m, none := intent.Maker{}, event.Series{}
	first, last := time.Unix(0, 0), time.Unix(1, 0)
	title := &event.Event{Summary: "x"}
	calls := map[string]func(*testing.T){
		"MakeID": func(*testing.T) { intent.MakeID("") },
	}
	for name, refused := range map[string][]func() (requests, error){
		"Respond":      {func() (requests, error) { return m.Respond(nil, "", "accepted", "") }},
		"AddGuests":    {func() (requests, error) { return m.AddGuests(nil) }},
		"RemoveGuests": {func() (requests, error) { return m.RemoveGuests(nil) }},
		"Reschedule": {
			func() (requests, error) { return m.Reschedule(none, day) },
			func() (requests, error) { return m.Reschedule(series, nil) },
			func() (requests, error) { return m.Reschedule(event.Series{Event: new(event.Event)}, day) },
		},
		"CancelInstance": {
			func() (requests, error) { return m.CancelInstance(none, day) },
			func() (requests, error) { return m.CancelInstance(series, other) },
		},
		"RestoreInstance": {
			func() (requests, error) { return m.RestoreInstance(none, day) },
			func() (requests, error) { return m.RestoreInstance(series, day) },
		},
		"ChangeFollowing": {
			func() (requests, error) { return m.ChangeFollowing(none, day, title) },
			func() (requests, error) { return m.ChangeFollowing(series, day, nil) },
			func() (requests, error) { return m.ChangeFollowing(series, day, &event.Event{Start: day}) },
			func() (requests, error) { return m.ChangeFollowing(series, other, title) },
		},
		"MoveFollowing": {
			func() (requests, error) { return m.MoveFollowing(none, day, day) },
			func() (requests, error) { return m.MoveFollowing(series, day, nil) },
		},
		"EndFollowing":      {func() (requests, error) { return m.EndFollowing(none, day) }},
		"RequestConference": {func() (requests, error) { return m.RequestConference(nil, "") }},
		"CopyConference": {
			func() (requests, error) { return m.CopyConference(nil, series.Event) },
			func() (requests, error) { return m.CopyConference(series.Event, nil) },
			func() (requests, error) { return m.CopyConference(series.Event, series.Event) },
		},
		"SetPrivate": {
			func() (requests, error) { return m.SetPrivate(nil, "a", "b") },
			func() (requests, error) { return m.SetPrivate(read(t, `"eventType":"birthday"`), "a", "b") },
		},
		"ClearPrivate": {func() (requests, error) { return m.ClearPrivate(nil, "a") }},
		"SetColor": {
			func() (requests, error) { return m.SetColor(nil, "red") },
			func() (requests, error) { return m.SetColor(series.Event, "beige") },
		},
		"InsertWithID": {
			func() (requests, error) { return m.InsertWithID(nil) },
			func() (requests, error) { return m.InsertWithID(series.Event) },
		},
		"InsertOrImport": {
			func() (requests, error) { return m.InsertOrImport(nil, "") },
			func() (requests, error) { return m.InsertOrImport(&event.Event{RecurringEventID: "a"}, "") },
		},
		"FreeBusy": {
			func() (requests, error) { return m.FreeBusy(first, last) },
			func() (requests, error) { return m.FreeBusy(last, last, "primary") },
		},
	} {
		calls["Maker."+name] = func(t *testing.T) {
			for i, call := range refused {
				if list, err := call(); err == nil || list != nil {
					t.Errorf("%d: %d requests, %v", i, len(list), err)
				}
			}
		}
	}
	surface.CheckMisuse(t, ".", calls, nil)
}
