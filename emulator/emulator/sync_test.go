package emulator_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store"
	"github.com/calrules/calrules/event"
)

// TestSyncOfInstances compares the events of a client that synchronizes single events with a full list, while series
// change in every way.
func TestSyncOfInstances(t *testing.T) {
	runHistories(t, draws(60, 1000, 5000), runSeriesHistory)
}

// runHistories runs histories, each with another seed and an emulator without data.
func runHistories(t *testing.T, n int, run func(*testing.T, *history)) {
	c := newDirect(t, emulator.New(emulator.WithClock(clock)))
	for seed := range uint64(n) {
		c.do(204, "POST", "/emulator/reset", "")
		run(t, &history{c, rand.New(rand.NewPCG(seed, 1)), seed})
	}
}

// history is a history of requests, drawn with a seed.
type history struct {
	client *client
	random *rand.Rand
	seed   uint64
}

// isOnce checks that a synchronization has no event twice.
func (h *history) isOnce(t *testing.T, sync object) {
	t.Helper()
	ids := sync.of("id")
	if slices.Sort(ids); len(slices.Compact(slices.Clone(ids))) < len(ids) {
		t.Fatalf("seed %d: a synchronization has an event twice: %v", h.seed, ids)
	}
}

// runSeriesHistory changes a series and its instances at random, and synchronizes in between.
func runSeriesHistory(t *testing.T, h *history) {
	c, random, seed := h.client, h.random, h.seed
	c.do(200, "POST", eventsPath, `{"id":"series","summary":"S",`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]}`)
	query := "?singleEvents=true&timeMin=2026-03-05T00:00:00Z"
	replica := map[string]string{}
	token := ""
	synchronize := func() {
		q := query
		if token != "" {
			q = "?singleEvents=true&syncToken=" + token
		}
		o := c.do(200, "GET", eventsPath+q, "")
		h.isOnce(t, o)
		for _, i := range o.items() {
			if i.text("status") == "cancelled" {
				delete(replica, i.text("id"))
			} else {
				replica[i.text("id")] = i.text("etag")
			}
		}
		token = o.text("nextSyncToken")
	}
	instance := func() string { return fmt.Sprintf("%s/series_202603%02d", eventsPath, 9+random.IntN(6)) }
	steps := []func(){
		func() {
			c.send("PATCH", eventsPath+"/series", fmt.Sprintf(`{"recurrence":["RRULE:FREQ=DAILY;COUNT=%d"]}`, 1+random.IntN(6)))
		},
		func() {
			c.send("PATCH", eventsPath+"/series", fmt.Sprintf(`{%s}`, times(9+random.IntN(3))))
		},
		func() { c.send("PATCH", instance(), `{"summary":"changed"}`) },
		func() { c.send("PATCH", instance(), `{`+times(1+random.IntN(20))+`}`) },
		func() { c.send("DELETE", instance(), "") },
		func() { c.send("DELETE", eventsPath+"/series", "") },
		func() { c.send("PATCH", eventsPath+"/series", `{"status":"confirmed"}`) },
		synchronize,
	}
	for range 15 {
		steps[random.IntN(len(steps))]()
	}
	synchronize()
	want := map[string]string{}
	for _, i := range c.do(200, "GET", eventsPath+query, "").items() {
		want[i.text("id")] = i.text("etag")
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(replica))); diff != "" {
		t.Fatalf("seed %d: the replica differs (-list +replica):\n%s", seed, diff)
	}
	if diff := cmp.Diff(want, replica); diff != "" {
		t.Fatalf("seed %d: the entity tags of the replica differ (-list +replica):\n%s", seed, diff)
	}
}

// TestListUnderChange lists events while one of them changes: the entity tag of a list is that of its last
// change, not that of a later one, with which a client would miss it.
func TestListUnderChange(t *testing.T) {
	handler := emulator.New(emulator.WithClock(clock))
	send := func(method, path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, google+eventsPath+path, strings.NewReader(body)))
		return w
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 { // in an order that takes time to sort
		day := noon.AddDate(0, 0, 1+random.IntN(1000))
		if err := handler.Put(me, &event.Event{ID: fmt.Sprintf("event%d", i), Status: "confirmed", Start: event.TimeAt(day), End: event.TimeAt(day.Add(time.Hour))}); err != nil {
			t.Fatal(err)
		}
	}
	send("POST", "", `{"id":"first",`+times(1)+`}`)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			default:
				send("PATCH", "/first", fmt.Sprintf(`{"summary":"%d"}`, i))
			}
		}
	})
	for range draws(20, 200, 500) {
		w := send("GET", "?singleEvents=true&orderBy=startTime&maxResults=1", "")
		var o object
		if err := json.Unmarshal(w.Body.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		if got, want := w.Header().Get("ETag"), o.of("etag")[0]; got != want {
			t.Errorf("the entity tag of the list is %s, that of its last change %s", got, want)
		}
	}
	close(done)
	wg.Wait()
}

// The entity tag of a list of events changes with everything that the list says of the calendar.
func TestListTag(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}, "bob": {Email: "bob@example.com"}}))
	as := func(token string) string { return "Authorization: Bearer " + token }
	const list = "/calendars/ada@example.com/events"
	rule := func(role string) {
		c.do(200, "POST", "/calendars/primary/acl", `{"role":"`+role+`","scope":{"type":"user","value":"bob@example.com"}}`, as("ada"))
	}
	c.do(200, "POST", "/calendars/primary/events", `{`+hour+`}`, as("ada"))
	rule("writer")
	for name, change := range map[string]func(){
		"summary":    func() { c.do(200, "PATCH", "/calendars/primary", `{"summary":"A"}`, as("ada")) },
		"timeZone":   func() { c.do(200, "PATCH", "/calendars/primary", `{"timeZone":"Asia/Tokyo"}`, as("ada")) },
		"accessRole": func() { rule("reader") },
		"removal": func() {
			rule("writer")
			c.do(200, "POST", "/calendars/primary/acl", `{"role":"reader","scope":{"type":"default"}}`, as("ada"))
			c.do(204, "DELETE", "/calendars/primary/acl/user:bob@example.com", "", as("ada"))
		},
	} {
		rule("writer")
		tag := c.send("GET", list, "", as("bob")).Header.Get("ETag")
		if a := c.send("GET", list, "", as("bob"), "If-None-Match: "+tag); a.Status != 304 {
			t.Errorf("%s: without a change the status is %d", name, a.Status)
		}
		change()
		if a := c.send("GET", list, "", as("bob"), "If-None-Match: "+tag); a.Status != 200 {
			t.Errorf("%s: after the change the status is %d", name, a.Status)
		}
	}
}

// TestSyncUnderChange synchronizes in small pages while writers change events, and compares the replay with the
// state at the end.
func TestSyncUnderChange(t *testing.T) {
	c := newClient(t)
	const writers, changes = 4, 100
	var wg sync.WaitGroup
	done := make(chan struct{})
	for w := range writers {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(w), 7))
			for range changes {
				id := fmt.Sprintf("event%d%02d", w, random.IntN(40))
				switch random.IntN(4) {
				case 0, 1:
					c.send("POST", eventsPath, fmt.Sprintf(`{"id":%q,%s}`, id, times(1+random.IntN(20))))
				case 2:
					c.send("PATCH", eventsPath+"/"+id, fmt.Sprintf(`{"summary":"%d"}`, random.IntN(100)))
				default:
					c.send("DELETE", eventsPath+"/"+id, "")
				}
			}
		})
	}
	go func() { wg.Wait(); close(done) }()
	replica := map[string]string{}
	token := ""
	for last := false; ; {
		select {
		case <-done:
			last = true
		default:
		}
		query := "?maxResults=3"
		if token != "" {
			query += "&syncToken=" + token
		}
		for page := ""; ; {
			o := c.do(200, "GET", eventsPath+query+page, "")
			for _, i := range o.items() {
				if i.text("status") == "cancelled" {
					delete(replica, i.text("id"))
				} else {
					replica[i.text("id")] = i.text("etag")
				}
			}
			if token = o.text("nextSyncToken"); token != "" {
				break
			}
			page = "&pageToken=" + o.text("nextPageToken")
		}
		if last {
			break
		}
	}
	want := map[string]string{}
	for _, i := range c.do(200, "GET", eventsPath, "").items() {
		want[i.text("id")] = i.text("etag")
	}
	if len(want) == 0 {
		t.Fatal("no event is left")
	}
	if diff := cmp.Diff(want, replica); diff != "" {
		t.Errorf("the replay differs (-state +replay):\n%s", diff)
	}
}

// A sync token does not survive a reset, which removes the revisions of what a client has.
func TestSyncAfterReset(t *testing.T) {
	disk := new(store.Memory)
	open := func() *client {
		handler, err := emulator.Open(disk, emulator.WithClock(clock))
		if err != nil {
			t.Fatal(err)
		}
		return newClientOf(t, handler)
	}
	c := open()
	lists := []string{eventsPath, "/users/me/calendarList", "/calendars/primary/acl"}
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	tokens := map[string]string{}
	for _, list := range lists {
		tokens[list] = c.do(200, "GET", list, "").text("nextSyncToken")
		c.do(200, "GET", list+"?syncToken="+tokens[list], "")
	}
	c.do(204, "POST", "/emulator/reset", "")
	for _, c := range []*client{c, open()} {
		for _, list := range lists {
			if got := c.do(410, "GET", list+"?syncToken="+tokens[list], "").reason(); got != "fullSyncRequired" {
				t.Errorf("%s: the reason is %q", list, got)
			}
			token := c.do(200, "GET", list, "").text("nextSyncToken")
			c.do(200, "GET", list+"?syncToken="+token, "")
		}
	}
	// A token of a state that is ahead, such as that of another process, tells nothing.
	c.do(200, "POST", eventsPath, `{"id":"event2",`+hour+`}`)
	ahead := c.do(200, "GET", eventsPath, "").text("nextSyncToken")
	newClient(t).do(410, "GET", eventsPath+"?syncToken="+ahead, "")
}

// A sync token is one of a list of a user, however the request names the list.
func TestSyncOfWhat(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}, "bob": {Email: "bob@example.com"}}))
	ada, bob := "Authorization: Bearer ada", "Authorization: Bearer bob"
	const acl, list = "/calendars/primary/acl", "/users/me/calendarList"
	token := c.do(200, "GET", acl, "", ada).text("nextSyncToken")
	c.do(200, "GET", "/calendars/ada%40example.com/acl?syncToken="+token, "", ada)
	c.do(400, "GET", acl+"?syncToken="+token, "", bob)
	c.do(400, "GET", list+"?syncToken="+token, "", ada)
	token = c.do(200, "GET", list, "", ada).text("nextSyncToken")
	c.do(200, "GET", list+"?syncToken="+token, "", ada)
	c.do(400, "GET", list+"?syncToken="+token, "", bob)
}

// A synchronization has the types of events that it asks for, of series too.
func TestSyncOfTypes(t *testing.T) {
	c := newClient(t)
	const zoned = `"start":{"dateTime":"2026-03-11T09:00:00","timeZone":"Asia/Tokyo"},"end":{"dateTime":"2026-03-11T10:00:00","timeZone":"Asia/Tokyo"}`
	for _, single := range []string{"", "&singleEvents=true"} {
		c.do(204, "POST", "/emulator/reset", "")
		query := "?eventTypes=outOfOffice" + single
		token := c.do(200, "GET", eventsPath+query, "").text("nextSyncToken")
		c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
		c.do(200, "POST", eventsPath, `{"id":"event2","eventType":"outOfOffice",`+hour+`}`)
		c.do(200, "POST", eventsPath, `{"id":"series",`+zoned+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}`)
		c.do(200, "POST", eventsPath, `{"id":"absence","eventType":"outOfOffice",`+zoned+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=1"]}`)
		synchronize := func() []string {
			o := c.do(200, "GET", eventsPath+query+"&syncToken="+token, "")
			token = o.text("nextSyncToken")
			var got []string
			for _, id := range o.of("id") {
				id, _, _ = strings.Cut(id, "_")
				got = append(got, id)
			}
			return got
		}
		if diff := cmp.Diff([]string{"event2", "absence"}, synchronize()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", single, diff)
		}
		for _, id := range []string{"event1", "event2", "series", "absence"} {
			c.do(204, "DELETE", eventsPath+"/"+id, "")
		}
		if diff := cmp.Diff([]string{"event2", "absence"}, synchronize()); diff != "" {
			t.Errorf("%q, deleted (-want +got):\n%s", single, diff)
		}
	}
}

// A synchronization of a calendar list has what changed in what the entries show: the calendars and the roles, too.
func TestSyncOfCalendarList(t *testing.T) {
	c := newClient(t, emulator.WithTokens(map[string]emulator.Token{"ada": {Email: "ada@example.com"}, "bob": {Email: "bob@example.com"}}))
	as := func(token string) string { return "Authorization: Bearer " + token }
	const ada, list = "/calendars/ada@example.com", "/users/me/calendarList"
	rule := func(role string) {
		c.do(200, "POST", ada+"/acl", `{"role":"`+role+`","scope":{"type":"user","value":"bob@example.com"}}`, as("ada"))
	}
	c.do(200, "GET", ada, "", as("ada"))
	rule("writer")
	c.do(200, "POST", list, `{"id":"ada@example.com"}`, as("bob"))
	token := c.do(200, "GET", list, "", as("bob")).text("nextSyncToken")
	for _, step := range []struct {
		name   string
		change func()
		want   object // members of ada's entry; nil if it did not change
	}{
		{"nothing", func() {}, nil},
		{"renamed", func() { c.do(200, "PATCH", ada, `{"summary":"A"}`, as("ada")) }, object{"summary": "A"}},
		{"another role", func() { rule("reader") }, object{"accessRole": "reader"}},
		{"hidden", func() { c.do(200, "PATCH", list+"/ada@example.com", `{"hidden":true}`, as("bob")) }, object{"hidden": true}},
		{"role lost", func() { rule("none") }, object{"deleted": true}},
		{"role back", func() { rule("owner") }, object{"accessRole": "owner", "summary": "A"}},
		{"rule removed", func() { c.do(204, "DELETE", ada+"/acl/user:bob@example.com", "", as("ada")) }, object{"deleted": true}},
	} {
		step.change()
		o := c.do(200, "GET", list+"?syncToken="+token, "", as("bob"))
		token = o.text("nextSyncToken")
		got := object(nil)
		for _, i := range o.items() {
			if i.text("id") == "ada@example.com" {
				got = object{}
				for name := range step.want {
					got[name] = i[name]
				}
			}
		}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

// TestSyncOfResources compares what a client knows of access rules and of its calendar list, after a synchronization,
// with full lists, over histories of changes, also by an emulator that opens what another has stored.
func TestSyncOfResources(t *testing.T) {
	for seed := range uint64(draws(20, 300, 1000)) {
		random := rand.New(rand.NewPCG(seed, 5))
		disk := new(store.Memory)
		open := func() *client {
			handler, err := emulator.Open(disk, emulator.WithClock(clock))
			if err != nil {
				t.Fatal(err)
			}
			return newDirect(t, handler)
		}
		c := open()
		calendars := []string{}
		for range 3 {
			calendars = append(calendars, c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id"))
		}
		one := func() string { return calendars[random.IntN(len(calendars))] }
		rule := func() string { return fmt.Sprintf("user:%c@example.com", 'a'+random.IntN(3)) }
		lists := []string{"/users/me/calendarList", "/calendars/primary/acl"}
		known, tokens := map[string]map[string]string{}, map[string]string{}
		synchronize := func() {
			for _, list := range lists {
				query := "?showDeleted=true&maxResults=2"
				if tokens[list] == "" {
					known[list] = map[string]string{}
				} else {
					query = "?maxResults=2&syncToken=" + tokens[list]
				}
				for page := ""; ; {
					o := c.do(200, "GET", list+query+page, "")
					for _, i := range o.items() {
						known[list][i.text("id")] = i.text("etag")
						if i["deleted"] == true || i["role"] == "none" || i["hidden"] == true {
							delete(known[list], i.text("id"))
						}
					}
					if tokens[list] = o.text("nextSyncToken"); tokens[list] != "" {
						break
					}
					page = "&pageToken=" + o.text("nextPageToken")
				}
			}
		}
		steps := []func(){
			func() { c.send("DELETE", "/users/me/calendarList/"+one(), "") },
			func() { c.send("POST", "/users/me/calendarList", `{"id":"`+one()+`"}`) },
			func() {
				c.send("PATCH", "/users/me/calendarList/"+one(), fmt.Sprintf(`{"hidden":%t}`, random.IntN(2) == 0))
			},
			func() { c.send("PATCH", "/calendars/"+one(), fmt.Sprintf(`{"summary":"%d"}`, random.IntN(100))) },
			func() { c.send("DELETE", "/calendars/"+one(), "") },
			func() {
				c.send("POST", "/calendars/primary/acl", fmt.Sprintf(`{"role":"reader","scope":{"type":"user","value":%q}}`, rule()[len("user:"):]))
			},
			func() { c.send("DELETE", "/calendars/primary/acl/"+rule(), "") },
			func() { c = open() },
			synchronize,
		}
		for range 25 {
			steps[random.IntN(len(steps))]()
		}
		synchronize()
		for _, list := range lists {
			want := map[string]string{}
			for _, i := range c.do(200, "GET", list, "").items() {
				want[i.text("id")] = i.text("etag")
			}
			if diff := cmp.Diff(want, known[list]); diff != "" {
				t.Fatalf("seed %d: %s differs (-list +known):\n%s", seed, list, diff)
			}
		}
	}
}
