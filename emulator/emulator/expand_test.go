package emulator_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
)

// newTestServer returns a client and the emulator that it calls.
func newTestServer(t *testing.T, opts ...emulator.Option) (*client, *emulator.Server) {
	t.Helper()
	handler := emulator.New(append([]emulator.Option{emulator.WithClock(clock)}, opts...)...)
	return newDirect(t, handler), handler
}

// pages returns the pages of a list, as member reads their items.
func (c *client) pages(path string, member string) (list [][]string) {
	c.t.Helper()
	for page := ""; ; {
		o := c.do(200, "GET", path+page, "")
		list = append(list, o.of(member))
		if o.text("nextPageToken") == "" {
			return list
		}
		page = "&pageToken=" + o.text("nextPageToken")
	}
}

// A series with an instance every second, for years, is listed a page at a time, in every order.
func TestManyInstances(t *testing.T) {
	c, handler := newTestServer(t)
	start := event.Time{DateTime: "2026-03-10T00:00:00Z", TimeZone: "UTC"}
	for _, id := range []string{"series", "tseries"} {
		series := &event.Event{ID: id, Status: "confirmed", Updated: "2026-03-10T00:00:00.000Z", Summary: "S", Start: &start, End: &start, Recurrence: []string{"RRULE:FREQ=SECONDLY"}}
		if err := handler.Put(me, series); err != nil {
			t.Fatal(err)
		}
	}
	c.do(200, "PATCH", eventsPath+"/series_20260310T000002Z", `{"start":{"dateTime":"2026-03-10T00:00:01Z"},"summary":"moved"}`)
	second := func(series string, n int) string { return fmt.Sprintf("%s_20260310T0000%02dZ", series, n) }
	ordered := []string{
		second("series", 0), second("tseries", 0), second("series", 1), second("series", 2), second("tseries", 1), second("tseries", 2),
		second("series", 3), second("tseries", 3),
	}
	for path, want := range map[string][]string{
		eventsPath + "/series/instances?":                      {second("series", 0), second("series", 1), second("series", 2), second("series", 3), second("series", 4)},
		eventsPath + "?singleEvents=true":                      {second("series", 0), second("series", 1), second("series", 2), second("series", 3), second("series", 4)},
		eventsPath + "?singleEvents=true&orderBy=startTime":    ordered,
		eventsPath + "?singleEvents=true&orderBy=updated":      {second("series", 0), second("series", 1), second("series", 3), second("series", 4), second("series", 5)},
		eventsPath + "?singleEvents=true&orderBy=updated&q=s":  {second("series", 0), second("series", 1), second("series", 3), second("series", 4), second("series", 5)},
		eventsPath + "?singleEvents=true&q=moved":              {second("series", 2)},
		eventsPath + "?singleEvents=true&orderBy=updated&q=mo": {second("series", 2)},
	} {
		var got []string
		for page := ""; len(got) < len(want); {
			o := c.do(200, "GET", path+"&maxResults=2"+page, "")
			got = append(got, o.of("id")...)
			if page = "&pageToken=" + o.text("nextPageToken"); o.text("nextPageToken") == "" {
				break
			}
		}
		if diff := cmp.Diff(want, got[:min(len(got), len(want))]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	// A request that needs all instances is refused.
	token := c.do(200, "GET", eventsPath+"?singleEvents=true&timeMax=2026-03-10T00:00:02Z", "").text("nextSyncToken")
	c.do(200, "GET", eventsPath+"?singleEvents=true&syncToken="+token, "")
	c.do(200, "POST", eventsPath, `{"id":"event1",`+hour+`}`)
	token = c.do(200, "GET", eventsPath+"?q=nothing", "").text("nextSyncToken")
	if token != "" {
		t.Error("a list of some events has a sync token")
	}
	if got := c.do(400, "POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-12T00:00:00Z","items":[{"id":"primary"}]}`).reason(); got != "timeRangeTooLong" {
		t.Errorf("the reason is %q", got)
	}
	c.do(200, "POST", "/freeBusy", `{"timeMin":"2026-03-10T00:00:00Z","timeMax":"2026-03-10T01:00:00Z","items":[{"id":"primary"}]}`)
}

// A synchronization that needs too many instances is answered with 410, since a full one expands only a page at a time.
func TestSyncOfManyInstances(t *testing.T) {
	c, handler := newTestServer(t)
	token := c.do(200, "GET", eventsPath+"?singleEvents=true", "").text("nextSyncToken")
	start := event.Time{DateTime: "2026-03-10T00:00:00Z", TimeZone: "UTC"}
	if err := handler.Put(me, &event.Event{ID: "series", Status: "confirmed", Start: &start, End: &start, Recurrence: []string{"RRULE:FREQ=SECONDLY"}}); err != nil {
		t.Fatal(err)
	}
	if got := c.do(410, "GET", eventsPath+"?singleEvents=true&syncToken="+token, "").reason(); got != "fullSyncRequired" {
		t.Errorf("the reason is %q", got)
	}
}

// The pages of a list, in any order and of any size, have what one page has, in the same order.
func TestPagesOfInstances(t *testing.T) {
	c, _ := newTestServer(t)
	c.do(200, "POST", eventsPath, `{"id":"dail5","summary":"D",`+times(1)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=9"]}`)
	c.do(200, "POST", eventsPath, `{"id":"single","summary":"D",`+hour+`}`)
	c.do(200, "POST", eventsPath, `{"id":"night","summary":"D","start":{"dateTime":"2026-03-03T23:00:00+01:00","timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-03-04T23:30:00+01:00","timeZone":"Europe/Berlin"},"recurrence":["RRULE:FREQ=DAILY;COUNT=9"]}`)
	c.do(200, "PATCH", eventsPath+"/dail5_20260303", `{`+times(8)+`}`)
	c.do(200, "PATCH", eventsPath+"/dail5_20260306", `{"start":{"date":null,"dateTime":"2026-03-02T12:00:00Z"},"end":{"date":null,"dateTime":"2026-03-02T13:00:00Z"}}`)
	c.do(204, "DELETE", eventsPath+"/dail5_20260304", "")
	c.do(200, "PATCH", eventsPath+"/night_20260305T220000Z", `{"summary":"E"}`)
	zones := []string{"Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago"}
	for _, zone := range zones[:draws(1, 3, 3)] {
		c.do(200, "PATCH", "/calendars/primary", `{"timeZone":"`+zone+`"}`)
		for _, list := range []string{"?singleEvents=true", "?singleEvents=true&orderBy=startTime", "?singleEvents=true&orderBy=updated", "/dail5/instances?", "/night/instances?"} {
			for _, query := range []string{"", "&showDeleted=true", "&timeMin=2026-03-04T05:00:00Z", "&timeMin=2026-03-04T05:00:00Z&timeMax=2026-03-08T05:00:00Z", "&updatedMin=2026-03-01T00:00:00Z"} {
				path := eventsPath + list + query
				whole := c.pages(path, "id")
				if len(whole) != 1 || len(whole[0]) < 2 {
					t.Errorf("%s: the pages are %v", path, whole)
				}
				for _, size := range []string{"1", "2", "3", "7"} {
					got := slices.Concat(c.pages(path+"&maxResults="+size, "id")...)
					if diff := cmp.Diff(whole[0], got); diff != "" {
						t.Errorf("%s %s, pages of %s (-whole +paged):\n%s", zone, path, size, diff)
					}
				}
			}
		}
	}
}

// TestSyncOfMoves is like TestSyncOfInstances, with series that move between calendars, become single events, and
// become series again.
func TestSyncOfMoves(t *testing.T) {
	runHistories(t, draws(40, 500, 2000), runMoveHistory)
}

func runMoveHistory(t *testing.T, h *history) {
	c, random := h.client, h.random
	team := "/calendars/" + c.do(200, "POST", "/calendars", `{"summary":"Team"}`).text("id")
	c.do(200, "POST", eventsPath, `{"id":"series","summary":"S",`+times(9)+`,"recurrence":["RRULE:FREQ=DAILY;COUNT=5"]}`)
	at := [2]string{"/calendars/primary", team}
	place := 0
	replicas := [2]map[string]string{{}, {}}
	var tokens [2]string
	synchronize := func(i int) {
		q := "/events?singleEvents=true&timeMin=2026-03-05T00:00:00Z"
		if tokens[i] != "" {
			q = "/events?singleEvents=true&syncToken=" + tokens[i]
		}
		a := c.send("GET", at[i]+q, "")
		if a.Status == 410 {
			tokens[i], replicas[i] = "", map[string]string{}
			q = "/events?singleEvents=true&timeMin=2026-03-05T00:00:00Z"
		}
		o := c.do(200, "GET", at[i]+q, "")
		h.isOnce(t, o)
		for _, e := range o.items() {
			if e.text("status") == "cancelled" {
				delete(replicas[i], e.text("id"))
			} else {
				replicas[i][e.text("id")] = e.text("etag")
			}
		}
		tokens[i] = o.text("nextSyncToken")
	}
	steps := []func(){
		func() {
			if a := c.send("POST", at[place]+"/events/series/move?destination="+at[1-place][len("/calendars/"):], ""); a.Status == 200 {
				place = 1 - place
			} else if a.Status != 404 {
				t.Errorf("seed %d: the move is answered with %d %s", h.seed, a.Status, a.Text)
			}
		},
		func() {
			c.send("PATCH", at[place]+"/events/series", fmt.Sprintf(`{"recurrence":["RRULE:FREQ=DAILY;COUNT=%d"]}`, 1+random.IntN(6)))
		},
		func() { c.send("PATCH", at[place]+"/events/series", `{"recurrence":null}`) },
		func() { c.send("PUT", at[place]+"/events/series", `{`+times(9+random.IntN(3))+`}`) },
		func() {
			c.send("PATCH", fmt.Sprintf("%s/events/series_202603%02d", at[place], 9+random.IntN(6)), `{"summary":"changed"}`)
		},
		func() { c.send("DELETE", fmt.Sprintf("%s/events/series_202603%02d", at[place], 9+random.IntN(6)), "") },
		func() { synchronize(0) },
		func() { synchronize(1) },
	}
	for range 20 {
		steps[random.IntN(len(steps))]()
	}
	for i := range at {
		synchronize(i)
		want := map[string]string{}
		for _, e := range c.do(200, "GET", at[i]+"/events?singleEvents=true&timeMin=2026-03-05T00:00:00Z", "").items() {
			want[e.text("id")] = e.text("etag")
		}
		if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(replicas[i]))); diff != "" {
			t.Fatalf("seed %d: the replica %d differs (-list +replica):\n%s", h.seed, i, diff)
		}
		if diff := cmp.Diff(want, replicas[i]); diff != "" {
			t.Fatalf("seed %d: the entity tags of the replica %d differ (-list +replica):\n%s", h.seed, i, diff)
		}
	}
}

// The parameter originalStart selects the instance with that start by the recurrence, even if it was moved.
func TestOriginalStart(t *testing.T) {
	c := newClient(t)
	c.do(200, "POST", eventsPath, `{"id":"timed1","recurrence":["RRULE:FREQ=DAILY;COUNT=3"],"start":{"dateTime":"2026-03-11T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-11T10:00:00Z","timeZone":"UTC"}}`)
	c.do(200, "POST", eventsPath, `{"id":"dated1","recurrence":["RRULE:FREQ=DAILY;COUNT=3"],"start":{"date":"2026-03-11"},"end":{"date":"2026-03-12"}}`)
	c.do(200, "PATCH", eventsPath+"/timed1_20260312T090000Z", `{"start":{"dateTime":"2026-03-20T09:00:00Z"},"end":{"dateTime":"2026-03-20T10:00:00Z"}}`)
	for query, want := range map[string][]string{
		"timed1/instances?originalStart=2026-03-12T09:00:00Z":      {"timed1_20260312T090000Z"},
		"timed1/instances?originalStart=2026-03-13T05:00:00-04:00": {"timed1_20260313T090000Z"},
		"timed1/instances?originalStart=2026-03-20T09:00:00Z":      {},
		"timed1/instances?originalStart=2026-03-12":                {},
		"dated1/instances?originalStart=2026-03-12":                {"dated1_20260312"},
		"dated1/instances?originalStart=2026-03-12T00:00:00Z":      {},
	} {
		if diff := cmp.Diff(want, c.do(200, "GET", eventsPath+"/"+query, "").of("id")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	c.do(400, "GET", eventsPath+"/timed1/instances?originalStart=soon", "")
	c.do(400, "GET", eventsPath+"/timed1/instances?originalStart=2026-03-12T09:00:00", "")
}
