package emulator_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
)

const weekly = `{"id":"series1","start":{"dateTime":"2026-03-12T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-12T10:00:00Z","timeZone":"UTC"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"]}`

// An exception stands as long as its series has it, and again when the series has it again.
func TestExceptionStands(t *testing.T) {
	const third = "series1_20260326T090000Z"
	for name, away := range map[string][2]string{
		"shorter":     {`{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=1"]}`, `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"]}`},
		"later":       {`{"start":{"dateTime":"2026-03-12T10:00:00Z"},"end":{"dateTime":"2026-03-12T11:00:00Z"}}`, `{"start":{"dateTime":"2026-03-12T09:00:00Z"},"end":{"dateTime":"2026-03-12T10:00:00Z"}}`},
		"deleted":     {`{"status":"cancelled"}`, `{"status":"confirmed"}`},
		"no series":   {`{"recurrence":[]}`, `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"]}`},
		"of all days": {`{"start":{"date":"2026-03-10","dateTime":null},"end":{"date":"2026-03-11","dateTime":null}}`, `{"start":{"dateTime":"2026-03-12T09:00:00Z","timeZone":"UTC","date":null},"end":{"dateTime":"2026-03-12T10:00:00Z","timeZone":"UTC","date":null}}`},
	} {
		for change, want := range map[string]object{
			`{"status":"cancelled"}`: {"status": "cancelled"},
			`{"summary":"A"}`:        {"status": "confirmed", "summary": "A"},
		} {
			c := newClient(t)
			c.do(200, "POST", eventsPath, weekly)
			c.do(200, "PATCH", eventsPath+"/"+third, change)
			c.do(200, "PATCH", eventsPath+"/series1", away[0])
			// While the series does not have it, it is cancelled.
			if got := c.do(200, "GET", eventsPath+"/"+third, "").text("status"); got != "cancelled" {
				t.Errorf("%s, %s: the status is %s", name, change, got)
			}
			token := c.do(200, "GET", eventsPath, "").text("nextSyncToken")
			c.do(200, "PATCH", eventsPath+"/series1", away[1])
			for from, list := range map[string]string{
				"list": "?showDeleted=true", "single events": "?showDeleted=true&singleEvents=true", "instances": "/series1/instances?showDeleted=true",
				"sync": "?syncToken=" + token,
			} {
				got := object{"status": "not listed"}
				for _, i := range c.do(200, "GET", eventsPath+list, "").items() {
					if i.text("id") == third {
						got = i
					}
				}
				// A client that has the cancelled exception needs nothing of a synchronization, unless the series had ended.
				if from == "sync" && want.text("status") == "cancelled" && got.text("status") == "not listed" && name != "deleted" && name != "no series" {
					continue
				}
				if got.text("status") != want.text("status") || got.text("summary") != want.text("summary") {
					t.Errorf("%s, %s, %s: %v, want %v", name, change, from, got, want)
				}
			}
		}
	}
}

// The guests of a single instance hear that the series no longer has it.
func TestGuestsOfInstance(t *testing.T) {
	for name, end := range map[string]func(p *party){
		"deleted": func(p *party) { p.as("ada", 204, "DELETE", "/series1", "") },
		"shorter": func(p *party) { p.as("ada", 200, "PATCH", "/series1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"]}`) },
		"cleared": func(p *party) {
			p.do(204, "POST", "/calendars/primary/clear", "", "Authorization: Bearer ada")
		},
		"calendar of a guest too": func(p *party) {
			p.as("ada", 200, "PATCH", "/series1", `{"attendees":[{"email":"bob@example.com"}]}`)
			p.as("ada", 200, "PATCH", "/series1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=2"]}`)
		},
	} {
		p := newParty(t, "ada", "bob")
		p.as("ada", 200, "POST", "", weekly)
		const fourth = "/series1_20260402T090000Z"
		p.as("ada", 200, "PATCH", fourth, `{"attendees":[{"email":"bob@example.com"}]}`)
		if got := p.as("bob", 200, "GET", fourth, "").text("status"); got != "confirmed" {
			t.Errorf("%s: the invitation is %s", name, got)
		}
		end(p)
		if got := p.as("bob", 200, "GET", fourth, "").text("status"); got != "cancelled" {
			t.Errorf("%s: the copy is %s", name, got)
		}
		if name != "shorter" {
			continue
		}
		p.as("ada", 200, "PATCH", "/series1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"]}`)
		if got := p.as("bob", 200, "GET", fourth, "").text("status"); got != "confirmed" {
			t.Errorf("%s: when the series has the instance again, the copy is %s", name, got)
		}
	}
}

// What is cancelled on the way is updated, so that lists by updatedMin have it.
func TestUpdatedOnTheWay(t *testing.T) {
	for name, change := range map[string]func(c *client){
		"clear": func(c *client) { c.do(204, "POST", "/calendars/primary/clear", "") },
		"shorter": func(c *client) {
			c.do(200, "PATCH", eventsPath+"/series1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=1"]}`)
		},
		"delete": func(c *client) { c.do(204, "DELETE", eventsPath+"/series1", "") },
	} {
		now := noon
		c := newClient(t, emulator.WithClock(func() time.Time { return now }))
		c.do(200, "POST", eventsPath, weekly)
		c.do(200, "PATCH", eventsPath+"/series1_20260326T090000Z", `{"summary":"A"}`)
		now = now.Add(time.Hour)
		change(c)
		list := c.do(200, "GET", eventsPath+"?updatedMin="+now.Format(time.RFC3339), "")
		if diff := cmp.Diff([]string{"series1", "series1_20260326T090000Z"}, list.of("id")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A list without timeMax grows with the clock, in a synchronization and under If-None-Match, too.
func TestListGrows(t *testing.T) {
	now := noon
	c := newClient(t, emulator.WithClock(func() time.Time { return now }), emulator.WithHorizon(30*24*time.Hour))
	c.do(200, "POST", eventsPath, strings.Replace(weekly, ";COUNT=4", "", 1))
	const list = eventsPath + "?singleEvents=true"
	first := c.send("GET", list, "")
	token := c.do(200, "GET", list, "").text("nextSyncToken")
	if a := c.send("GET", list, "", "If-None-Match: "+first.Header.Get("ETag")); a.Status != http.StatusNotModified {
		t.Errorf("at the same time the status is %d", a.Status)
	}
	now = now.Add(14 * 24 * time.Hour)
	if a := c.send("GET", list, "", "If-None-Match: "+first.Header.Get("ETag")); a.Status != http.StatusOK {
		t.Errorf("two weeks later the status is %d", a.Status)
	}
	o := c.do(200, "GET", list+"&syncToken="+token, "")
	if diff := cmp.Diff([]string{"series1_20260416T090000Z", "series1_20260423T090000Z"}, o.of("id")); diff != "" {
		t.Errorf("the synchronization (-want +got):\n%s", diff)
	}
	if o = c.do(200, "GET", list+"&syncToken="+o.text("nextSyncToken"), ""); len(o.items()) != 0 {
		t.Errorf("a synchronization without a change has %v", o.of("id"))
	}
}

// The epoch is a time like any other.
func TestTimeMaxAtEpoch(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{`+hour+`}`)
	c.do(200, "POST", eventsPath, `{"id":"event1","start":{"dateTime":"1969-12-31T22:00:00Z"},"end":{"dateTime":"1969-12-31T23:00:00Z"}}`)
	for _, query := range []string{"?timeMax=1970-01-01T00:00:00Z", "?singleEvents=true&timeMax=1970-01-01T00:00:00Z"} {
		o := c.do(200, "GET", eventsPath+query, "")
		if diff := cmp.Diff([]string{"event1"}, o.of("id")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
		c.do(200, "PATCH", eventsPath+"/event1", `{"summary":"A"}`)
		c.do(200, "POST", eventsPath, `{`+hour+`}`)
		o = c.do(200, "GET", eventsPath+"?syncToken="+o.text("nextSyncToken"), "")
		for _, i := range o.items() {
			if i.text("id") != "event1" && i.text("status") != "cancelled" {
				t.Errorf("%s: the synchronization has %v", query, i)
			}
		}
	}
	// An end that UTC would have in the year 10000.
	c.do(200, "GET", eventsPath+"?singleEvents=true&maxResults=1&timeMax=9999-12-31T23:59:59-05:00", "")
}

// What remains of a moved event can be restored, with its times and its exceptions.
func TestRestoreMoved(t *testing.T) {
	c := newClient(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	c.do(200, "POST", eventsPath, weekly)
	const second = "series1_20260319T090000Z"
	c.do(200, "PATCH", eventsPath+"/"+second, `{"summary":"A"}`)
	before := c.do(200, "GET", eventsPath+"?singleEvents=true", "")
	moved := c.do(200, "POST", eventsPath+"/series1/move?destination="+team, "")
	c.do(200, "GET", "/calendars/"+team+"/events/series1", "")
	if got, want := moved.text("htmlLink"), c.do(200, "GET", eventsPath+"/series1", "").text("htmlLink"); got == want {
		t.Errorf("the moved event and what remains have the same page %s", got)
	}
	if got := c.do(200, "GET", eventsPath+"/"+second, "").text("status"); got != "cancelled" {
		t.Errorf("after the move, the exception is %s", got)
	}
	c.do(200, "PATCH", eventsPath+"/series1", `{"status":"confirmed"}`)
	after := c.do(200, "GET", eventsPath+"?singleEvents=true", "")
	for _, member := range []string{"id", "summary", "status"} {
		if diff := cmp.Diff(before.of(member), after.of(member)); diff != "" {
			t.Errorf("%s (-before +after):\n%s", member, diff)
		}
	}
	for _, i := range after.items() {
		if i["start"] == nil || i["end"] == nil {
			t.Errorf("%s has no times", i.text("id"))
		}
	}
}

// An exception that its series has lost moves with the series, and comes back in the other calendar.
func TestMoveOfLostException(t *testing.T) {
	c := newClient(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	c.do(200, "POST", eventsPath, weekly)
	const third = "series1_20260326T090000Z"
	c.do(200, "PATCH", eventsPath+"/"+third, `{"summary":"A"}`)
	c.do(200, "PATCH", eventsPath+"/series1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=1"]}`)
	c.do(200, "POST", eventsPath+"/series1/move?destination="+team, "")
	c.do(200, "PATCH", "/calendars/"+team+"/events/series1", `{"recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"]}`)
	got := c.do(200, "GET", "/calendars/"+team+"/events/"+third, "")
	organizer, _ := got["organizer"].(map[string]any)
	if got.text("status") != "confirmed" || got.text("summary") != "A" || organizer["email"] != team {
		t.Errorf("the exception is %v", got)
	}
}

// A sync token ends when all events look otherwise to the caller, though none has changed.
func TestSightChanges(t *testing.T) {
	p := newParty(t, "ada", "bob")
	const events = "/calendars/ada@example.com/events"
	p.as("ada", 200, "POST", "", `{"visibility":"private","summary":"A",`+hour+`}`)
	change := func(status int, method, path, body string) {
		p.do(status, method, "/calendars/primary"+path, body, "Authorization: Bearer ada")
	}
	share := func(role string) func() {
		return func() {
			change(200, "POST", "/acl", `{"role":"`+role+`","scope":{"type":"user","value":"bob@example.com"}}`)
		}
	}
	share("writer")()
	for _, step := range []struct {
		name   string
		change func()
		status int
	}{
		{"to reader", share("reader"), 410},
		{"to another role without details", share("writerWithoutPrivateAccess"), 200},
		{"to owner", share("owner"), 410},
		{"zone", func() { change(200, "PATCH", "", `{"timeZone":"America/New_York"}`) }, 410},
		{"name", func() { change(200, "PATCH", "", `{"summary":"B"}`) }, 200},
	} {
		token := p.do(200, "GET", events, "", "Authorization: Bearer bob").text("nextSyncToken")
		step.change()
		if a := p.send("GET", events+"?syncToken="+token, "", "Authorization: Bearer bob"); a.Status != step.status {
			t.Errorf("%s: the status is %d, want %d", step.name, a.Status, step.status)
		}
	}
}

// One exception stands for an instance, though others have stood for it under other forms of its time.
func TestOneExceptionForAnInstance(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, weekly)
	at := func(hour string) string {
		return `{"start":{"dateTime":"2026-03-12T` + hour + `:00:00Z","timeZone":"UTC","date":null},"end":{"dateTime":"2026-03-12T` + hour + `:30:00Z","timeZone":"UTC","date":null}}`
	}
	const first, second = "series1_20260319T090000Z", "series1_20260319T140000Z"
	c.do(200, "PATCH", eventsPath+"/"+first, `{"summary":"A"}`)
	c.do(200, "PATCH", eventsPath+"/series1", at("14"))
	c.do(200, "PATCH", eventsPath+"/"+second, `{"summary":"B"}`)
	c.do(200, "PATCH", eventsPath+"/series1", `{"start":{"date":"2026-03-12","dateTime":null},"end":{"date":"2026-03-13","dateTime":null}}`)
	stand := 0
	for _, id := range []string{first, second} {
		got := c.do(200, "GET", eventsPath+"/"+id, "")
		isListed := slices.Contains(c.do(200, "GET", eventsPath+"?singleEvents=true", "").of("id"), id)
		if isConfirmed := got.text("status") == "confirmed"; isConfirmed != isListed || isConfirmed != (got["recurringEventId"] != nil) {
			t.Errorf("%s is listed: %t, and is %v", id, isListed, got)
		} else if isConfirmed {
			stand++
		}
	}
	if stand != 1 {
		t.Errorf("%d exceptions stand for the instance", stand)
	}
	// Each comes back with its own instance.
	for hour, id := range map[string]string{"09": first, "14": second} {
		c.do(200, "PATCH", eventsPath+"/series1", at(hour))
		if got := c.do(200, "GET", eventsPath+"/"+id, ""); got.text("status") != "confirmed" || got.text("recurringEventId") != "series1" {
			t.Errorf("at %s, the exception is %v", hour, got)
		}
	}
}

// An exception stands for the day of its own zone, though the calendar's zone has another date then.
func TestDayOfExceptionInOwnZone(t *testing.T) {
	const at = `"start":{"dateTime":"2026-03-06T10:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-06T11:30:00","timeZone":"America/New_York"}`
	const east = "Pacific/Kiritimati"
	in, err := time.LoadLocation(east)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t)
	c.do(200, "PATCH", "/calendars/primary", `{"timeZone":"`+east+`"}`)
	c.do(200, "POST", eventsPath, `{"id":"series1",`+at+`,"recurrence":["RRULE:FREQ=MONTHLY;COUNT=3"]}`)
	c.do(200, "PATCH", eventsPath+"/series1_20260506T143000Z", `{"status":"cancelled"}`)
	c.do(200, "PUT", eventsPath+"/series1", `{"start":{"date":"2026-04-29"},"end":{"date":"2026-04-30"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=3"]}`)
	all := event.Series{Zone: in}
	for _, i := range c.do(200, "GET", eventsPath+"?showDeleted=true", "").items() {
		text, _ := json.Marshal(i) // it has been read from JSON
		if e, _ := event.Decode(text, diag.Google); e.RecurringEventID == "" {
			all.Event = e
		} else {
			all.Exceptions = append(all.Exceptions, e)
		}
	}
	var expanded []string
	for i, err := range all.Instances(event.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		expanded = append(expanded, i.ID)
	}
	want := []string{"series1_20260429", "series1_20260513"}
	if diff := cmp.Diff(want, expanded); diff != "" {
		t.Errorf("the series and its exceptions (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, c.do(200, "GET", eventsPath+"?singleEvents=true", "").of("id")); diff != "" {
		t.Errorf("the single events (-want +got):\n%s", diff)
	}
}

// A series that moves to a calendar in which its id had another one brings its own exceptions alone.
func TestMoveOntoAnother(t *testing.T) {
	c := newClient(t)
	team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	c.do(200, "POST", eventsPath, `{"id":"series1",`+times(11)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=9"]}`)
	c.do(204, "DELETE", eventsPath+"/series1_20260319", "")
	c.do(204, "DELETE", eventsPath+"/series1_20260312", "")
	c.do(204, "DELETE", eventsPath+"/series1", "")
	c.do(200, "POST", "/calendars/"+team+"/events", weekly)
	const second = "series1_20260319T090000Z"
	c.do(200, "PATCH", "/calendars/"+team+"/events/"+second, `{"summary":"A"}`)
	c.do(200, "POST", "/calendars/"+team+"/events/series1/move?destination=primary", "")
	list := c.do(200, "GET", eventsPath, "")
	if diff := cmp.Diff([]string{"series1", second}, list.of("id")); diff != "" {
		t.Errorf("the list (-want +got):\n%s", diff)
	}
	if got := len(c.do(200, "GET", eventsPath+"?singleEvents=true", "").items()); got != 4 {
		t.Errorf("there are %d instances", got)
	}
	if got := c.do(200, "GET", eventsPath+"/series1_20260312", ""); got.text("status") != "cancelled" || got["recurringEventId"] != nil {
		t.Errorf("an exception of the other series is %v", got)
	}
	// An exception of the other series is an instance like all others when this series has it.
	c.do(400, "PUT", eventsPath+"/series1_20260312", `{`+times(11)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=9"]}`)
	c.do(200, "PUT", eventsPath+"/series1", `{`+times(11)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	want := []string{"series1_20260311", "series1_20260312", "series1_20260313"}
	if diff := cmp.Diff(want, c.do(200, "GET", eventsPath+"?singleEvents=true", "").of("id")); diff != "" {
		t.Errorf("the instances of this series (-want +got):\n%s", diff)
	}
}

// An instance of a series that has ended is cancelled with it, also if it is changed meanwhile, and comes back with it.
func TestInstanceOfEndedSeries(t *testing.T) {
	const second = "series1_20260319T090000Z"
	for name, end := range map[string]func(c *client, team string){
		"deleted": func(c *client, _ string) { c.do(204, "DELETE", eventsPath+"/series1", "") },
		"moved": func(c *client, team string) {
			c.do(200, "POST", eventsPath+"/series1/move?destination="+team, "")
		},
	} {
		c := newClient(t)
		team := c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
		c.do(200, "POST", eventsPath, weekly)
		end(c, team)
		c.do(200, "PATCH", eventsPath+"/"+second, `{"summary":"A"}`)
		if name == "moved" {
			c.do(200, "POST", "/calendars/"+team+"/events/series1/move?destination=primary", "")
		} else {
			c.do(200, "PATCH", eventsPath+"/series1", `{"status":"confirmed"}`)
		}
		single := c.do(200, "GET", eventsPath+"?singleEvents=true", "")
		if got := c.do(200, "GET", eventsPath+"/"+second, "").text("status"); len(single.items()) != 4 || got != "confirmed" {
			t.Errorf("%s: the instances are %v, and the changed one is %s", name, single.of("id"), got)
		}
	}
}
