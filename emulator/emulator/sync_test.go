package emulator_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/testdepth"
)

// TestSyncOfInstances compares the events of a client that synchronizes single events with a full list, while series
// change in every way.
func TestSyncOfInstances(t *testing.T) {
	c := newClient(t)
	for seed := range testdepth.Draws(20, 500) {
		c.do(204, "POST", "/emulator/reset", "")
		runSeriesHistory(t, c, uint64(seed))
	}
}

// runSeriesHistory changes a series and its instances at random, and synchronizes in between.
func runSeriesHistory(t *testing.T, c *client, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
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
