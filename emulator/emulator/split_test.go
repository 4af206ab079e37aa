package emulator_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/status"
)

// TestSplit divides a series with exceptions by the requests that Series.Split returns. The calendar then shows what it
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
	at := &event.Time{DateTime: "2026-03-12T09:00:00-04:00"}
	split, err := event.Series{Event: series, Exceptions: exceptions}.Split(at)
	if err != nil {
		t.Fatal(err)
	}
	text := func(e *event.Event) string { return string(e.AppendIn(diag.Google, nil)) }
	c.do(200, "PATCH", eventsPath+"/series", text(split.Patch))
	split.Insert.ID = "later"
	c.do(200, "POST", eventsPath, text(split.Insert))
	following, _ := c.series("later")
	for _, e := range split.Moved {
		stored := e.ID
		of, err := event.Series{Event: following}.At(e.OriginalStartTime)
		if err != nil || of == nil {
			t.Fatalf("the new series has no instance at %v: %v", e.OriginalStartTime, err)
		}
		if e.ID = of.ID; e.StatusMeaning() != status.Active {
			c.do(204, "DELETE", eventsPath+"/"+of.ID, "")
		} else {
			c.do(200, "PUT", eventsPath+"/"+of.ID, text(e))
		}
		if a := c.send("DELETE", eventsPath+"/"+stored, ""); a.Status != 204 && a.Status != 404 && a.Status != 410 {
			t.Errorf("%s is not deleted: %d %s", stored, a.Status, a.Text)
		}
	}
	if diff := cmp.Diff(before, c.shown()); diff != "" {
		t.Errorf("the calendar has changed (-before +after):\n%s", diff)
	}
	if len(before) != 7 {
		t.Errorf("the calendar shows %d instances, want 7 of 10: %v", len(before), before)
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
