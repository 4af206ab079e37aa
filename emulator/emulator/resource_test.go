package emulator_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store"
)

// An event moves to another calendar and back, again and again, alone or as a series. It does not replace an event of
// another origin with the same id.
func TestMoveBack(t *testing.T) {
	c := newClient(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	c.do(200, "POST", eventsPath, `{"id":"event1","summary":"A",`+hour+`}`)
	c.do(200, "POST", eventsPath+"/import", `{"iCalUID":"1@elsewhere.example","summary":"B",`+hour+`}`)
	c.do(200, "POST", eventsPath, `{"id":"series","summary":"S",`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	c.do(200, "PATCH", eventsPath+"/series_20260310", `{"summary":"changed"}`)
	imported := c.do(200, "GET", eventsPath+"?iCalUID=1@elsewhere.example", "").of("id")[0]
	for range 2 {
		for _, id := range []string{"event1", imported, "series"} {
			c.do(200, "POST", eventsPath+"/"+id+"/move?destination="+team, "")
			c.do(200, "POST", "/calendars/"+team+"/events/"+id+"/move?destination=primary", "")
			if got := c.do(200, "GET", eventsPath+"/"+id, "").text("status"); got != "confirmed" {
				t.Errorf("%s: the status is %s", id, got)
			}
		}
	}
	if got := c.do(200, "GET", eventsPath+"/"+imported, "").text("iCalUID"); got != "1@elsewhere.example" {
		t.Errorf("the iCalUID is %s", got)
	}
	if got := fmt.Sprint(c.do(200, "GET", eventsPath+"/series/instances", "").of("summary")); got != "[S changed S]" {
		t.Errorf("the instances are %s", got)
	}
	c.do(200, "POST", "/calendars/"+team+"/events", `{"id":"other",`+hour+`}`)
	c.do(200, "POST", eventsPath+"/import", `{"id":"other","iCalUID":"2@elsewhere.example",`+hour+`}`)
	c.do(409, "POST", "/calendars/"+team+"/events/other/move?destination=primary", "")
}

// No caller can take the role of owner from themselves or from the data owner.
func TestOwnRule(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}, "bob": {Email: "bob@example.com"}}))
	const acl = "/calendars/ada@example.com/acl"
	rule := func(user, role string) string {
		return fmt.Sprintf(`{"role":%q,"scope":{"type":"user","value":"%s@example.com"}}`, role, user)
	}
	c.do(200, "GET", "/calendars/primary", "", "Authorization: Bearer ada")
	c.do(200, "POST", acl, rule("bob", "owner"), "Authorization: Bearer ada")
	for _, step := range []struct{ method, path, body string }{
		{"DELETE", acl + "/user:ada@example.com", ""},
		{"PATCH", acl + "/user:ada@example.com", `{"role":"writer"}`},
		{"PUT", acl + "/user:ada@example.com", `{"role":"none"}`},
		{"POST", acl, rule("ada", "reader")},
	} {
		for _, user := range []string{"ada", "bob"} { // ada owns the data
			if step.method == "PUT" {
				step.body = rule("ada", "none")
			}
			if got := c.do(403, step.method, step.path, step.body, "Authorization: Bearer "+user).reason(); got != "cannotChangeOwnAcl" {
				t.Errorf("%s as %s: the reason is %q", step.method, user, got)
			}
		}
	}
	c.do(403, "DELETE", acl+"/user:bob@example.com", "", "Authorization: Bearer bob")
	c.do(200, "PATCH", acl+"/user:ada@example.com", `{"role":"owner"}`, "Authorization: Bearer ada")
	c.do(204, "DELETE", acl+"/user:bob@example.com", "", "Authorization: Bearer ada")
}

// The emulator refuses resources with members of the wrong type.
func TestTypesOfMembers(t *testing.T) {
	c := newClient(t)
	team := "/calendars/" + c.do(200, "POST", "/calendars", `{"summary":"A"}`).text("id")
	entry := "/users/me/calendarList/primary"
	for _, step := range []struct{ method, path, body string }{
		{"POST", "/calendars", `{"summary":5}`}, {"PUT", team, `{"summary":5}`}, {"PATCH", team, `{"summary":{}}`},
		{"PATCH", team, `{"description":[]}`}, {"PATCH", team, `{"timeZone":true}`}, {"PATCH", team, `{"location":1}`},
		{"PUT", team, ``}, {"PUT", team, `{"summary":"A"}}`}, {"PUT", team, `[]`}, {"PATCH", team, `null`},
		{"PATCH", entry, `{"hidden":"yes"}`}, {"PATCH", entry, `{"selected":1}`}, {"PATCH", entry, `{"colorId":1}`},
		{"PUT", entry, `{"summaryOverride":false}`}, {"POST", "/users/me/calendarList", `{"id":5}`},
		{"POST", "/calendars/primary/acl", `{"role":5,"scope":{"type":"default"}}`},
		{"POST", "/calendars/primary/acl", `{"role":"reader","scope":"default"}`},
		{"POST", "/calendars/primary/acl", `{"role":"reader","scope":{"type":"user","value":5}}`},
		{"POST", "/freeBusy", `{"timeMin":5,"timeMax":"2026-03-11T00:00:00Z"}`},
		{"POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-11T00:00:00Z","items":"primary"}`},
		{"POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-11T00:00:00Z","items":["primary"]}`},
		{"POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-11T00:00:00Z","items":[{"id":5}]}`},
	} {
		c.do(400, step.method, step.path, step.body)
	}
	c.do(200, "PATCH", team, `{"description":null,"summary":"B"}`)
	c.do(200, "PATCH", team, ``)
}

// If the emulator has tokens, its own addresses require one too.
func TestAdminTokens(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}}))
	for _, step := range []struct{ method, path, body string }{
		{"GET", "/emulator/faults", ""}, {"POST", "/emulator/faults", `{"status":500,"path":"/none"}`}, {"DELETE", "/emulator/faults", ""},
		{"PUT", "/emulator/calendars/ada@example.com/events/event1", `{` + hour + `}`}, {"POST", "/emulator/reset", ""},
	} {
		c.do(401, step.method, step.path, step.body)
		c.do(401, step.method, step.path, step.body, "Authorization: Bearer mallory")
		if a := c.send(step.method, step.path, step.body, "Authorization: Bearer ada"); a.Status >= 300 {
			t.Errorf("%s %s: %d %s", step.method, step.path, a.Status, a.Text)
		}
	}
}

// A page token is one of the state that gave it: not one before a reset, and not one of another process.
func TestPageAfterReset(t *testing.T) {
	c := newClient(t)
	for _, list := range []string{eventsPath + "?maxResults=1", "/users/me/calendarList?maxResults=1"} {
		for i := range 2 {
			c.do(200, "POST", eventsPath, fmt.Sprintf(`{"id":"event%d",%s}`, i, hour))
			c.do(200, "POST", "/calendars", `{"summary":"A"}`)
		}
		token := "&pageToken=" + c.do(200, "GET", list, "").text("nextPageToken")
		c.do(200, "GET", list+token, "")
		newClient(t).do(400, "GET", list+token, "")
		c.do(204, "POST", "/emulator/reset", "")
		if got := c.do(400, "GET", list+token, "").reason(); got != "invalid" {
			t.Errorf("%s: the reason is %q", list, got)
		}
	}
}

// Everything that can be read, lists too, obeys If-None-Match with weak comparison and If-Match with strong comparison.
func TestConditions(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	for _, path := range []string{
		eventsPath, eventsPath + "/event1", eventsPath + "?singleEvents=true", "/calendars/primary", "/calendars/primary/acl",
		"/calendars/primary/acl/user:" + url.PathEscape(me), "/users/me/calendarList", "/users/me/calendarList/primary", "/colors",
		"/users/me/settings", "/users/me/settings/locale",
	} {
		tag := c.send("GET", path, "").Header.Get("ETag")
		if tag == "" {
			t.Errorf("%s has no entity tag", path)
		}
		for field, want := range map[string]int{
			"If-None-Match: " + tag: 304, "If-None-Match: W/" + tag: 304, "If-None-Match: *": 304, `If-None-Match: "x", ` + tag: 304, `If-None-Match: "x"`: 200,
			"If-Match: " + tag: 200, "If-Match: *": 200, `If-Match: "x", ` + tag: 200, `If-Match: "x"`: 412, "If-Match: W/" + tag: 412,
		} {
			a := c.send("GET", path, "", field)
			if a.Status != want || want == 304 && (a.Text != "" || a.Header.Get("ETag") != tag) || want == 412 && !strings.Contains(a.Text, "conditionNotMet") {
				t.Errorf("%s with %s: %d %s, want %d", path, field, a.Status, a.Text, want)
			}
		}
	}
}

// The number of past states of a series is bounded. A sync token that needs a forgotten state is answered with 410, also
// after a restart. The answers to other tokens are complete.
func TestPastIsBounded(t *testing.T) {
	disk := new(store.Memory)
	handler, err := emulator.Open(disk, emulator.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	c := newDirect(t, handler)
	list := func(c *client, token string) answer {
		return c.send("GET", eventsPath+"?singleEvents=true&syncToken="+token, "")
	}
	c.do(200, "POST", eventsPath, `{"id":"series",`+times(1)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=1"]}`)
	first := c.do(200, "GET", eventsPath+"?singleEvents=true", "").text("nextSyncToken")
	change := func(count int) {
		c.do(200, "PATCH", eventsPath+"/series", fmt.Sprintf(`{"recurrence":["RRULE:FREQ=DAILY;COUNT=%d"]}`, count))
	}
	for i := range 100 { // between the same states, which are remembered once
		change(2 + i%2)
	}
	if a := list(c, first); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Text)
	}
	size := func() (n int) {
		disk.Load(func(r store.Record) error { n += len(r.Value); return nil })
		return n
	}
	for i := range 50 {
		change(4 + i)
	}
	before := size()
	late := c.do(200, "GET", eventsPath+"?singleEvents=true", "").text("nextSyncToken")
	for i := range 200 {
		change(100 + i)
	}
	if after := size(); after > before+200 {
		t.Errorf("the store grew from %d to %d bytes", before, after)
	}
	change(1)
	recent := c.do(200, "GET", eventsPath+"?singleEvents=true", "").text("nextSyncToken")
	change(3)
	change(2)
	again, err := emulator.Open(disk, emulator.WithClock(clock))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*client{c, newDirect(t, again)} {
		for _, old := range []string{first, late} {
			if a := list(c, old); a.Status != 410 {
				t.Errorf("an old token: %d", a.Status)
			}
		}
		o := c.do(200, "GET", eventsPath+"?singleEvents=true&syncToken="+recent, "")
		if got := fmt.Sprint(o.of("id"), o.of("status")); got != "[series_20260301 series_20260302 series_20260303] [confirmed confirmed cancelled]" {
			t.Errorf("the changes are %s", got)
		}
		// A list without singleEvents needs no past states.
		if plain := strings.Count(c.do(200, "GET", eventsPath, "").text("nextSyncToken"), ""); plain < 2 {
			t.Error("there is no sync token")
		}
	}
}

// The instances of a series that were changed on their own get the new organizer in the calendar to which the series
// moves, and keep the organizer there when they change again.
func TestExceptionsMove(t *testing.T) {
	c := newClient(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	there := "/calendars/" + team + "/events"
	organizer := func(o object) string {
		p, _ := o["organizer"].(map[string]any)
		return object(p).text("email")
	}
	c.do(200, "POST", eventsPath, `{"id":"series",`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"],"attendees":[{"email":"ada@example.com"}]}`)
	x := c.do(200, "GET", eventsPath+"/series/instances", "").of("id")[1]
	if got := organizer(c.do(200, "PATCH", eventsPath+"/"+x, `{"summary":"Changed"}`)); got != me {
		t.Errorf("the organizer before the move is %q", got)
	}
	c.do(200, "POST", eventsPath+"/series/move?destination="+team, "")
	for _, o := range []object{
		c.do(200, "GET", there+"/series", ""), c.do(200, "GET", there+"/"+x, ""), c.do(200, "PATCH", there+"/"+x, `{"location":"Room 4"}`),
		c.do(200, "GET", there+"/"+x, ""), c.do(200, "GET", there+"/series/instances", "").items()[1],
	} {
		if got := organizer(o); got != team {
			t.Errorf("the organizer of %q is %q after the move", o.text("summary"), got)
		}
	}
	if got := c.do(200, "GET", there+"/"+x, ""); got.text("summary") != "Changed" || got.text("location") != "Room 4" {
		t.Errorf("the instance is %v", got)
	}
}

// Colors of an entry of the calendar list are set with colorRgbFormat=true alone, and the colorId follows. What belongs to the
// service stays.
func TestListedColors(t *testing.T) {
	c := newClient(t)
	const entry = "/users/me/calendarList/primary"
	for _, step := range []struct{ method, query, body, colorID, background string }{
		{"PATCH", "", `{"backgroundColor":"#0088aa","autoAcceptInvitations":true,"accessRole":"reader"}`, "1", "#ac725e"},
		{"PATCH", "?colorRgbFormat=true", `{"backgroundColor":"#0088aa","foregroundColor":"#ffffff"}`, "8", "#0088aa"},
		{"PATCH", "", `{"backgroundColor":"#000000","selected":true}`, "8", "#0088aa"},
		{"PATCH", "?colorRgbFormat=true", `{"hidden":false}`, "8", "#0088aa"},
		{"PUT", "", `{"colorId":"8","backgroundColor":"#000000","foregroundColor":"#000000"}`, "8", "#0088aa"},
		{"PATCH", "", `{"colorId":"2"}`, "2", "#d06b64"},
		{"PUT", "?colorRgbFormat=true", `{"backgroundColor":"#7bd149","foregroundColor":"#ffffff"}`, "9", "#7bd149"},
		{"PATCH", "?colorRgbFormat=true", `{"backgroundColor":"red"}`, "9", "red"},
		{"PUT", "", `{"selected":true}`, "1", "#ac725e"},
	} {
		for from, got := range map[string]object{"the answer": c.do(200, step.method, entry+step.query, step.body), "get": c.do(200, "GET", entry, "")} {
			if got.text("colorId") != step.colorID || got.text("backgroundColor") != step.background || got["autoAcceptInvitations"] != nil || got["hidden"] != nil || got.text("accessRole") != "owner" {
				t.Errorf("%s%s %s: %s is %v", step.method, step.query, step.body, from, got)
			}
		}
	}
}

// The event colors of the emulator are those that the library knows.
func TestPalette(t *testing.T) {
	c := newClient(t)
	palette, _ := c.do(200, "GET", "/colors", "")["event"].(map[string]any)
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	for n := range 30 {
		id := fmt.Sprint(n)
		a := c.send("PATCH", eventsPath+"/event1", `{"colorId":"`+id+`"}`)
		if isAccepted := a.Status == 200; isAccepted != (palette[id] != nil) {
			t.Errorf("%s is answered with %d; the palette has it: %t", id, a.Status, palette[id] != nil)
		}
	}
}

// Working hours that are sent replace those of the calendar whole, and to send nothing leaves them.
func TestWorkingHoursAreReplaced(t *testing.T) {
	const hours = `{"workingHoursEnabled":true,"availableTimes":[{"dayOfWeek":"monday","periodStart":540,"periodEnd":1020}]}`
	const off = `{"workingHoursEnabled":false}`
	c := newClient(t)
	for _, step := range []struct{ method, body, want string }{
		{"PATCH", `{"workingHours":` + hours + `}`, hours},
		{"PATCH", `{"workingHours":{}}`, hours},
		{"PATCH", `{"workingHours":null}`, hours},
		{"PUT", `{"summary":"A"}`, hours},
		{"PATCH", `{"workingHours":` + off + `}`, off},
		{"PUT", `{"summary":"A","workingHours":` + hours + `}`, hours},
	} {
		var want any
		if err := json.Unmarshal([]byte(step.want), &want); err != nil {
			t.Fatal(err)
		}
		got := c.do(200, step.method, "/calendars/primary", step.body)
		if diff := cmp.Diff(want, got["workingHours"]); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", step.method, step.body, diff)
		}
	}
}

// A change of a calendar that says nothing about its labels leaves them.
func TestLabelsStay(t *testing.T) {
	c := newClient(t)
	path := "/calendars/" + c.do(200, "POST", "/calendars", `{"summary":"A","labelProperties":{"eventLabels":[{"id":"1","name":"Travel","backgroundColor":"#039be5"}]}}`).text("id")
	labels := func(o object) int {
		properties, _ := o["labelProperties"].(map[string]any)
		list, _ := properties["eventLabels"].([]any)
		return len(list)
	}
	for _, step := range []struct {
		method, body string
		want         int
	}{
		{"PUT", `{"summary":"B"}`, 1}, {"PUT", `{"summary":"B","labelProperties":{}}`, 1}, {"PATCH", `{"labelProperties":null}`, 1},
		{"PATCH", `{"labelProperties":{"eventLabels":[{"id":"1","name":"Travel","backgroundColor":"#039be5"},{"id":"2","name":"Home","backgroundColor":"#039be5"}]}}`, 2},
		{"PUT", `{"summary":"C","labelProperties":{"eventLabels":[]}}`, 0},
	} {
		if got := labels(c.do(200, step.method, path, step.body)); got != step.want {
			t.Errorf("%s %s leaves %d labels, want %d", step.method, step.body, got, step.want)
		}
	}
}
