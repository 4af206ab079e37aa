package emulator_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/intent"
	"github.com/calrules/calrules/operation"
)

// TestSplit divides a series with exceptions by the requests of an intent that changes nothing. The calendar then shows what it
// showed before.
func TestSplit(t *testing.T) {
	c := newDirect(t, emulator.New(emulator.WithClock(clock)))
	const zone = `","timeZone":"America/New_York"}`
	c.do(200, "POST", eventsPath, `{"id":"series","summary":"Standup","recurrence":["RRULE:FREQ=DAILY;COUNT=10","EXDATE:20260317T130000Z"],
		"start":{"dateTime":"2026-03-09T09:00:00-04:00`+zone+`,"end":{"dateTime":"2026-03-09T09:15:00-04:00`+zone+`}`)
	instance := eventsPath + "/series_202603%02dT130000Z"
	c.do(200, "PATCH", fmt.Sprintf(instance, 10), `{"summary":"First demo"}`)
	c.do(200, "PATCH", fmt.Sprintf(instance, 14), `{"summary":"Second demo","start":{"dateTime":"2026-03-14T15:00:00-04:00"},"end":{"dateTime":"2026-03-14T16:00:00-04:00"}}`)
	c.do(204, "DELETE", fmt.Sprintf(instance, 11), "")
	c.do(204, "DELETE", fmt.Sprintf(instance, 15), "")
	before := c.shown()

	series, exceptions := c.series("series")
	maker := intent.Maker{Dialect: diag.Google}
	requests, err := maker.ChangeFollowing(event.Series{Event: series, Exceptions: exceptions}, &event.Time{DateTime: "2026-03-12T09:00:00-04:00"}, new(event.Event))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		c.carryOut(r)
	}
	if diff := cmp.Diff(before, c.shown()); diff != "" {
		t.Errorf("the calendar has changed (-before +after):\n%s", diff)
	}
	if len(before) != 7 {
		t.Errorf("the calendar shows %d instances, want 7 of 10: %v", len(before), before)
	}
}

// carryOut sends a request of an intent.
func (c *client) carryOut(r event.Request) {
	c.t.Helper()
	switch r.Op {
	case operation.EventsInsert:
		c.do(200, "POST", eventsPath, string(r.Body))
	case operation.EventsPatch:
		c.do(200, "PATCH", eventsPath+"/"+r.Existing.ID, string(r.Body))
	case operation.EventsDelete:
		c.do(204, "DELETE", eventsPath+"/"+r.Existing.ID, "")
	default:
		c.t.Errorf("%s is not expected", r.Op)
	}
}

// shown returns the times and the titles of the instances in the calendar.
func (c *client) shown() (list []string) {
	c.t.Helper()
	for _, o := range c.do(200, "GET", eventsPath+"?singleEvents=true&orderBy=startTime", "").items() {
		start, end := object(o["start"].(map[string]any)), object(o["end"].(map[string]any))
		list = append(list, start.text("dateTime")+" "+end.text("dateTime")+" "+o.text("summary"))
	}
	return list
}

// series returns a series and its exceptions, as a client reads them.
func (c *client) series(id string) (series *event.Event, exceptions []*event.Event) {
	c.t.Helper()
	read := func(a answer) *event.Event {
		e, found := event.Decode([]byte(a.Text), diag.Google)
		if found != nil {
			c.t.Fatalf("%v in %s", found, a.Text)
		}
		return e
	}
	for _, o := range c.do(200, "GET", eventsPath+"?showDeleted=true", "").items() {
		if o.text("recurringEventId") == id {
			exceptions = append(exceptions, read(c.send("GET", eventsPath+"/"+o.text("id"), "")))
		}
	}
	return read(c.send("GET", eventsPath+"/"+id, "")), exceptions
}
