package emulator_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
)

func encodeObject(t *testing.T, o map[string]any) []byte {
	t.Helper()
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// party is an emulator with several users.
type party struct {
	*client
	server *emulator.Server
}

func newParty(t *testing.T, names ...string) *party {
	tokens := map[string]emulator.Token{}
	for _, name := range names {
		tokens[name] = emulator.Token{Email: name + "@example.com"}
	}
	c, server := newTestServer(t, emulator.WithTokens(tokens), emulator.WithNotifier(&http.Client{Transport: direct{http.NotFoundHandler()}}))
	return &party{c, server}
}

// as sends a request of a user to their events.
func (p *party) as(name string, status int, method, path, body string) object {
	p.t.Helper()
	return p.do(status, method, eventsPath+path, body, "Authorization: Bearer "+name)
}

// answers returns the answers in the event of a user.
func (p *party) answers(name, id string) string {
	p.t.Helper()
	return answersIn(p.as(name, 200, "GET", "/"+id, ""))
}

func answersIn(o object) string {
	var all []string
	list, _ := o["attendees"].([]any)
	for _, a := range list {
		name, _, _ := strings.Cut(object(a.(map[string]any)).text("email"), "@")
		all = append(all, name+" "+object(a.(map[string]any)).text("responseStatus"))
	}
	return strings.Join(all, ", ")
}

const (
	ada = `{"email":"ada@example.com"}`
	bob = `{"email":"bob@example.com"}`
	eve = `{"email":"eve@example.com"}`
)

// An invitation reaches the calendars of the guests who have one, whatever sendUpdates says. The copies follow the
// organizer's changes, up to the end.
func TestInvitations(t *testing.T) {
	p := newParty(t, "ada", "bob", "eve")
	for _, updates := range []string{"", "?sendUpdates=none", "?sendUpdates=all"} {
		id := "event" + strings.NewReplacer("?", "", "=", "").Replace(strings.ToLower(fmt.Sprint(len(updates))))
		made := p.as("ada", 200, "POST", updates, `{"id":"`+id+`","summary":"A","attendees":[`+bob+`,{"email":"stranger@example.com"}],"reminders":{"useDefault":false},"colorId":"3",`+
			`"extendedProperties":{"private":{"a":"1"},"shared":{"b":"2"}},`+hour+`}`)
		got := p.as("bob", 200, "GET", "/"+id, "")
		for _, name := range []string{"iCalUID", "summary", "status", "sequence", "created"} {
			if diff := cmp.Diff(made[name], got[name]); diff != "" {
				t.Errorf("%s (-organizer +guest):\n%s", name, diff)
			}
		}
		want := object{
			"organizer": map[string]any{"email": "ada@example.com"}, "creator": map[string]any{"email": "ada@example.com"}, "reminders": map[string]any{"useDefault": true},
			"extendedProperties": map[string]any{"shared": map[string]any{"b": "2"}},
			"attendees": []any{
				map[string]any{"email": "bob@example.com", "self": true, "responseStatus": "needsAction"},
				map[string]any{"email": "stranger@example.com", "responseStatus": "needsAction"},
			},
		}
		for name, value := range want {
			if diff := cmp.Diff(value, got[name]); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
		if got["colorId"] != nil || got.text("htmlLink") == made.text("htmlLink") {
			t.Errorf("the copy has the organizer's own members: %v", got)
		}
		p.as("bob", 200, "PATCH", "/"+id, `{"colorId":"5","extendedProperties":{"private":{"c":"3"}}}`)
		p.as("ada", 200, "PATCH", "/"+id+updates, `{"summary":"B","extendedProperties":{"shared":{"b":"4"}}}`)
		got = p.as("bob", 200, "GET", "/"+id, "")
		if diff := cmp.Diff(map[string]any{"private": map[string]any{"c": "3"}, "shared": map[string]any{"b": "4"}}, got["extendedProperties"]); diff != "" || got.text("summary") != "B" || got.text("colorId") != "5" {
			t.Errorf("the copy is %v (-want +got):\n%s", got, diff)
		}
		p.as("ada", 200, "PATCH", "/"+id+updates, `{"attendees":[`+eve+`]}`)
		if got := p.as("bob", 200, "GET", "/"+id, "").text("status"); got != "cancelled" {
			t.Errorf("the status is %s, but bob is not invited", got)
		}
		if got := p.answers("eve", id); got != "eve needsAction" {
			t.Errorf("the copy of eve has %s", got)
		}
		p.as("ada", 204, "DELETE", "/"+id+updates, "")
		if got := p.as("eve", 200, "GET", "/"+id, "").text("status"); got != "cancelled" {
			t.Errorf("the status is %s, but the event was deleted", got)
		}
	}
	if e := p.server.Event("stranger@example.com", "event0"); e != nil {
		t.Errorf("somebody who is no user has %s", e)
	}
}

// The answer that a guest gives in the copy comes back to the organizer, and reaches the other guests. Who deletes the copy
// declines, and is not invited again by the next change.
func TestGuestsAnswer(t *testing.T) {
	p := newParty(t, "ada", "bob", "eve")
	p.as("ada", 200, "POST", "", `{"id":"event1","attendees":[`+bob+`,`+eve+`],`+hour+`}`)
	check := func(want string, names ...string) {
		t.Helper()
		for _, name := range names {
			if got := p.answers(name, "event1"); got != want {
				t.Errorf("%s sees %s, want %s", name, got, want)
			}
		}
	}
	before := p.as("ada", 200, "GET", "/event1", "")
	p.as("bob", 200, "PATCH", "/event1", `{"attendees":[{"email":"bob@example.com","responseStatus":"accepted","comment":"Yes","additionalGuests":2},`+eve+`]}`)
	check("bob accepted, eve needsAction", "ada", "bob", "eve")
	after := p.as("ada", 200, "GET", "/event1", "")
	if answer := after["attendees"].([]any)[0].(map[string]any); answer["comment"] != "Yes" || answer["additionalGuests"] != 2.0 || after.text("etag") == before.text("etag") {
		t.Errorf("the event of the organizer is %v", after)
	}
	// A guest answers for nobody else, and changes nothing else.
	p.as("eve", 200, "PATCH", "/event1", `{"summary":"Mine","attendees":[{"email":"bob@example.com","responseStatus":"declined"},{"email":"eve@example.com","responseStatus":"tentative"}]}`)
	check("bob accepted, eve tentative", "ada", "bob")
	if got := p.as("ada", 200, "GET", "/event1", ""); got["summary"] != nil {
		t.Errorf("a guest has changed the summary: %v", got)
	}
	// The short form of an answer.
	p.as("bob", 200, "PATCH", "/event1", `{"attendeesOmitted":true,"attendees":[{"email":"bob@example.com","responseStatus":"tentative"}]}`)
	if got := p.answers("ada", "event1"); got != "bob tentative, eve tentative" {
		t.Errorf("the organizer sees %s", got)
	}
	p.as("bob", 204, "DELETE", "/event1", "")
	check("bob declined, eve tentative", "ada", "eve")
	p.as("ada", 200, "PATCH", "/event1", `{"summary":"Again"}`)
	if got := p.as("bob", 200, "GET", "/event1", "").text("status"); got != "cancelled" {
		t.Errorf("the copy that bob deleted is %s", got)
	}
	p.as("ada", 200, "PATCH", "/event1", `{"attendees":[`+eve+`]}`)
	p.as("ada", 200, "PATCH", "/event1", `{"attendees":[`+bob+`,`+eve+`]}`)
	if got := p.as("bob", 200, "GET", "/event1", ""); got.text("status") != "confirmed" || answersIn(got) != "bob needsAction, eve needsAction" {
		t.Errorf("after a new invitation the copy of bob is %v", got)
	}
}

// The guests get the conference of the event too.
func TestGuestsGetConference(t *testing.T) {
	p := newParty(t, "ada", "bob")
	p.as("ada", 200, "POST", version1, `{"id":"event1","attendees":[`+bob+`],`+asksMeet+`,`+hour+`}`)
	link := p.as("ada", 200, "GET", "/event1", "").text("hangoutLink")
	if got := p.as("bob", 200, "GET", "/event1", "").text("hangoutLink"); got == "" || got != link {
		t.Errorf("the guest has the link %q, the organizer %q", got, link)
	}
}

// Guests who may change the event do so for everybody. Guests who may not see the others see themselves.
func TestGuestsCan(t *testing.T) {
	p := newParty(t, "ada", "bob", "eve")
	p.as("ada", 200, "POST", "", `{"id":"event1","guestsCanModify":true,"colorId":"3","attendees":[`+bob+`,`+eve+`],`+hour+`}`)
	p.as("bob", 200, "PATCH", "/event1", `{"summary":"Changed by bob","colorId":"7"}`)
	for _, name := range []string{"ada", "eve"} {
		if got := p.as(name, 200, "GET", "/event1", ""); got.text("summary") != "Changed by bob" || got.text("colorId") == "7" {
			t.Errorf("%s has %v", name, got)
		}
	}
	if got := p.as("ada", 200, "GET", "/event1", "")["organizer"]; !cmp.Equal(got, any(map[string]any{"email": "ada@example.com", "self": true})) {
		t.Errorf("the organizer is %v", got)
	}
	p.as("ada", 200, "POST", "", `{"id":"event2","guestsCanSeeOtherGuests":false,"attendees":[`+bob+`,`+eve+`],`+hour+`}`)
	p.as("bob", 200, "PATCH", "/event2", `{"attendees":[{"email":"bob@example.com","responseStatus":"accepted"}]}`)
	for name, want := range map[string]string{"ada": "bob accepted, eve needsAction", "bob": "bob accepted", "eve": "eve needsAction"} {
		if got := p.answers(name, "event2"); got != want {
			t.Errorf("%s sees %s, want %s", name, got, want)
		}
	}
}

// The instances of a series that change on their own do so in the copies too, and so do answers to one instance.
func TestInvitationsToSeries(t *testing.T) {
	p := newParty(t, "ada", "bob", "eve")
	p.as("ada", 200, "POST", "", `{"id":"series","summary":"S","attendees":[`+bob+`],`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=4"]}`)
	summaries := func(name string) string {
		return fmt.Sprint(p.as(name, 200, "GET", "/series/instances", "").of("summary"))
	}
	p.as("ada", 200, "PATCH", "/series_20260310", `{"summary":"X"}`)
	p.as("ada", 204, "DELETE", "/series_20260311", "")
	if got := summaries("bob"); got != "[S X S]" {
		t.Errorf("bob has %s", got)
	}
	p.as("bob", 200, "PATCH", "/series_20260312", `{"attendees":[{"email":"bob@example.com","responseStatus":"declined"}]}`)
	if got := p.answers("ada", "series_20260312"); got != "bob declined" {
		t.Errorf("the organizer sees %s", got)
	}
	if got := p.answers("ada", "series"); got != "bob needsAction" {
		t.Errorf("the organizer sees %s in the series", got)
	}
	// Somebody who is invited to one instance has only this one.
	p.as("ada", 200, "PATCH", "/series_20260310", `{"attendees":[`+bob+`,`+eve+`]}`)
	if got := fmt.Sprint(p.as("eve", 200, "GET", "?singleEvents=true", "").of("summary")); got != "[X]" {
		t.Errorf("eve has %s", got)
	}
	p.as("ada", 200, "PATCH", "/series_20260310", `{"attendees":[`+eve+`]}`)
	if got := summaries("bob"); got != "[S S]" {
		t.Errorf("bob has %s, but is not invited to X", got)
	}
	p.as("ada", 200, "PATCH", "/series", `{"recurrence":["RRULE:FREQ=DAILY;COUNT=1"]}`)
	if got := summaries("bob"); got != "[S]" {
		t.Errorf("bob has %s of the shorter series", got)
	}
	p.as("ada", 204, "DELETE", "/series", "")
	if got := fmt.Sprint(p.as("bob", 200, "GET", "?singleEvents=true", "").of("id")); got != "[]" {
		t.Errorf("bob has %s of the deleted series", got)
	}
}

// Somebody who is added to a series gets its changed instances as the organizer has them.
func TestNewGuestOfSeries(t *testing.T) {
	p := newParty(t, "ada", "bob", "eve")
	p.as("ada", 200, "POST", "", `{"id":"series","summary":"S","attendees":[`+bob+`],`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=6"]}`)
	p.as("ada", 200, "PATCH", "/series_20260310", `{"summary":"with eve","attendees":[`+bob+`,`+eve+`]}`)
	p.as("ada", 200, "PATCH", "/series_20260311", `{"summary":"without eve"}`)
	p.as("ada", 204, "DELETE", "/series_20260312", "")
	p.as("ada", 200, "PATCH", "/series_20260314", `{"summary":"dropped"}`)
	p.as("ada", 200, "PATCH", "/series", `{"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]}`)
	p.as("ada", 200, "PATCH", "/series", `{"attendees":[`+bob+`,`+eve+`]}`)
	for name, want := range map[string]string{
		"bob": "[series_20260309 S series_20260310 with eve series_20260311 without eve series_20260313 S]",
		"eve": "[series_20260309 S series_20260310 with eve series_20260313 S]",
	} {
		var got []string
		for _, i := range p.as(name, 200, "GET", "/series/instances", "").items() {
			got = append(got, i.text("id"), i.text("summary"))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%s has %s, want %s", name, got, want)
		}
	}
	if got := p.as("eve", 200, "GET", "/series_20260312", "").text("status"); got != "cancelled" {
		t.Errorf("the deleted instance is %s", got)
	}
}

// A calendar that has another event with the id keeps it, and the copy has an id of its own.
func TestInvitationWithTakenID(t *testing.T) {
	p := newParty(t, "ada", "bob")
	p.as("bob", 200, "POST", "", `{"id":"series","summary":"Mine",`+hour+`}`)
	made := p.as("ada", 200, "POST", "", `{"id":"series","summary":"S","attendees":[`+bob+`],`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	list := p.as("bob", 200, "GET", "?iCalUID="+made.text("iCalUID"), "")
	if got := fmt.Sprint(list.of("summary")); got != "[Mine S]" {
		t.Fatalf("bob has %s", got)
	}
	id := list.of("id")[1]
	p.as("ada", 200, "PATCH", "/series_20260310", `{"summary":"X"}`)
	if got := fmt.Sprint(p.as("bob", 200, "GET", "/"+id+"/instances", "").of("summary")); got != "[S X S]" {
		t.Errorf("the copy has %s", got)
	}
	p.as("bob", 200, "PATCH", "/"+id+"_20260310", `{"attendees":[{"email":"bob@example.com","responseStatus":"accepted"}]}`)
	if got := p.answers("ada", "series_20260310"); got != "bob accepted" {
		t.Errorf("the organizer sees %s", got)
	}
	p.as("ada", 204, "DELETE", "/series", "")
	if got := p.as("bob", 200, "GET", "/"+id, "").text("status"); got != "cancelled" || p.as("bob", 200, "GET", "/series", "").text("status") != "confirmed" {
		t.Errorf("the copy is %s", got)
	}
}

// The copies follow an event to another calendar, and end when the calendar is cleared or deleted. Copies that a test put
// or imported are left alone.
func TestInvitationsOfCalendars(t *testing.T) {
	p := newParty(t, "ada", "bob")
	auth := "Authorization: Bearer ada"
	team := p.do(200, "POST", "/calendars", `{"summary":"Team"}`, auth).text("id")
	status := func(id, want string) {
		t.Helper()
		if got := p.as("bob", 200, "GET", "/"+id, "").text("status"); got != want {
			t.Errorf("the copy of %s is %s, want %s", id, got, want)
		}
	}
	p.as("ada", 200, "POST", "", `{"id":"event1","attendees":[`+bob+`],`+hour+`}`)
	p.as("ada", 200, "POST", "", `{"id":"event2","attendees":[`+bob+`],`+hour+`}`)
	p.as("ada", 200, "POST", "/event1/move?destination="+team, "")
	got := p.as("bob", 200, "GET", "/event1", "")
	if o, _ := got["organizer"].(map[string]any); o["email"] != team || got.text("status") != "confirmed" {
		t.Errorf("the copy is %v", got)
	}
	p.as("bob", 200, "PATCH", "/event1", `{"attendees":[{"email":"bob@example.com","responseStatus":"accepted"}]}`)
	if got := answersIn(p.do(200, "GET", "/calendars/"+team+"/events/event1", "", auth)); got != "bob accepted" {
		t.Errorf("the new organizer sees %s", got)
	}
	status("event2", "confirmed")
	p.do(204, "POST", "/calendars/primary/clear", "", auth)
	status("event2", "cancelled")
	status("event1", "confirmed")
	p.do(204, "DELETE", "/calendars/"+team, "", auth)
	status("event1", "cancelled")

	if err := p.server.Put("ada@example.com", &event.Event{ID: "event3", Attendees: []event.Attendee{{Email: "bob@example.com"}}}); err != nil {
		t.Fatal(err)
	}
	p.as("ada", 200, "POST", "/import", `{"id":"event4","iCalUID":"4@elsewhere.example","organizer":`+ada+`,"attendees":[`+bob+`],`+hour+`}`)
	p.as("bob", 404, "GET", "/event3", "")
	p.as("bob", 404, "GET", "/event4", "")
}

// Users and new calendars have the zone that the emulator was started with.
func TestTimeZoneOption(t *testing.T) {
	for zone, want := range map[string]string{"Europe/Berlin": "Europe/Berlin", "Mars/Olympus": "UTC", "": "UTC"} {
		c := newClient(t, emulator.WithTimeZone(zone))
		for _, got := range []string{
			c.do(200, "GET", "/users/me/settings/timezone", "").text("value"), c.do(200, "GET", "/calendars/primary", "").text("timeZone"),
			c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("timeZone"), c.do(200, "GET", eventsPath, "").text("timeZone"),
		} {
			if got != want {
				t.Errorf("%q: the zone is %q", zone, got)
			}
		}
		if got := c.do(200, "POST", "/calendars", `{"summary":"Team","timeZone":"Asia/Tokyo"}`).text("timeZone"); got != "Asia/Tokyo" {
			t.Errorf("%q: the zone that was asked for is %q", zone, got)
		}
	}
}
