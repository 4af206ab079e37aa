// Command sync keeps a local copy of a calendar: it applies the changes that the service reports, makes the
// smallest patch for a local edit, splits a series to change the following instances, and reads an agenda from the copy.
// It opens no connections.
//
//	go run ./examples/sync
package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/status"
)

func main() {
	c := calendar{}
	must(c.pull(os.Stdout, []byte(`[{"id":"standup","summary":"Standup","location":"Room 4","recurrence":["RRULE:FREQ=DAILY"],
		"start":{"dateTime":"2026-03-09T09:00:00-04:00","timeZone":"America/New_York"},
		"end":{"dateTime":"2026-03-09T09:15:00-04:00","timeZone":"America/New_York"}}]`)))
	patch, err := c.edit("standup", func(e *event.Event) { e.Summary, e.Location = "Daily", "" })
	must(err)
	fmt.Printf("PATCH /calendars/primary/events/standup %s\n", patch)
	must(c.pull(os.Stdout, []byte(`[{"id":"standup_20260310T130000Z","recurringEventId":"standup","status":"cancelled",
		"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}},
		{"id":"standup_20260312T130000Z","recurringEventId":"standup","status":"cancelled",
		"originalStartTime":{"dateTime":"2026-03-12T09:00:00-04:00"}},
		{"id":"standup_20260313T130000Z","recurringEventId":"standup","summary":"Demo",
		"originalStartTime":{"dateTime":"2026-03-13T09:00:00-04:00"},
		"start":{"dateTime":"2026-03-13T14:00:00-04:00"},"end":{"dateTime":"2026-03-13T15:00:00-04:00"}}]`)))
	wednesday, atTen := &event.Time{DateTime: "2026-03-11T09:00:00-04:00"}, &event.Time{DateTime: "2026-03-11T10:00:00-04:00"}
	requests, err := c.following("standup", "standup2", wednesday, atTen, func(e *event.Event) { e.Location = "Room 5" })
	must(err)
	for _, r := range requests {
		fmt.Println(r)
	}
	monday := time.Date(2026, time.March, 9, 0, 0, 0, 0, time.UTC)
	must(c.agenda(os.Stdout, monday, monday.AddDate(0, 0, 5)))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// calendar is the local copy, by id. It has series and their exceptions, as events.list returns them.
type calendar map[string]*event.Event

// pull applies the changed events of a page of events.list, and writes what has changed.
func (c calendar) pull(w io.Writer, page []byte) error {
	var changed []*event.Event
	if err := json.Unmarshal(page, &changed); err != nil {
		return err // a *diag.Error if an event has wrong types
	}
	for _, e := range changed {
		for _, d := range (c[e.ID]).Diff(e, diag.Documents) {
			fmt.Fprintf(w, "%s%s: %s -> %s\n", e.ID, d.Path, cmp.Or(string(d.Old), "nothing"), cmp.Or(string(d.New), "nothing"))
		}
		c[e.ID] = e
		if e.StatusMeaning() == status.Deleted { // an exception stays: it cancels an instance
			delete(c, e.ID)
		}
	}
	return nil
}

// edit changes the local copy of an event as the service will, and returns the patch to send. The error is a
// [*diag.Error] if the service would refuse the patch; then the copy does not change.
func (c calendar) edit(id string, change func(*event.Event)) ([]byte, error) {
	edited := c[id].Clone()
	change(edited)
	patch, _ := (c[id]).PatchTo(edited, diag.Documents)
	result, err := event.Check(&event.Request{Op: operation.EventsPatch, Existing: c[id], Body: patch})
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, err
	}
	c[id] = result.Stored // which may differ from edited: the service ignores some members
	return patch, nil
}

// request is a request to send.
type request struct {
	method, path string
	body         []byte
}

func (r request) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s %s", r.method, r.path, r.body))
}

const events = "/calendars/primary/events"

// following changes an instance of a series and all later ones, which become a series with a new id. To is the new start of
// the instance, or nil. It returns the requests to send, in their order, and changes the local copy as the service will. If
// there is an error, the copy does not change.
func (c calendar) following(id, newID string, at, to *event.Time, change func(*event.Event)) ([]request, error) {
	split, err := c.series(id).Split(at)
	if err != nil {
		return nil, err
	}
	if split.Patch == nil {
		return nil, errors.New("the instance is the first one: edit the series")
	}
	series, exceptions := split.Insert, split.Moved
	if to != nil {
		move, err := event.Series{Event: series, Exceptions: exceptions}.Move(to)
		if err != nil {
			return nil, err
		}
		series.Start, series.End, series.Recurrence = move.Patch.Start, move.Patch.End, move.Patch.Recurrence
		exceptions = move.Moved
	}
	series.ID = newID
	change(series)
	inserted, insert, err := checked(operation.EventsInsert, nil, series)
	if err != nil {
		return nil, err
	}
	copies := calendar{newID: inserted}
	further, err := copies.replace(newID, exceptions)
	if err != nil {
		return nil, err
	}
	patch, err := c.edit(id, func(e *event.Event) { e.Recurrence = split.Patch.Recurrence })
	if err != nil {
		return nil, err
	}
	for _, e := range exceptions {
		delete(c, e.ID)
	}
	maps.Copy(c, copies)
	return append([]request{{"PATCH", events + "/" + id, patch}, {"POST", events, insert}}, further...), nil
}

// replace puts exceptions that have left another series in the place of instances of a new one.
func (c calendar) replace(id string, moved []*event.Event) (requests []request, err error) {
	for _, e := range moved {
		instance, err := event.Series{Event: c[id]}.At(e.OriginalStartTime)
		if err != nil {
			return nil, err
		}
		if instance == nil {
			return nil, fmt.Errorf("the new series has no instance for %s", e.ID)
		}
		body := e.Clone()
		body.ID = instance.ID
		if e.StatusMeaning() != status.Active {
			body.RecurringEventID = id
			c[body.ID] = body
			requests = append(requests, request{"DELETE", events + "/" + body.ID, nil})
			continue
		}
		stored, update, err := checked(operation.EventsUpdate, instance, body)
		if err != nil {
			return nil, err
		}
		c[body.ID] = stored
		requests = append(requests, request{"PUT", events + "/" + body.ID, update}, request{"DELETE", events + "/" + e.ID, nil})
	}
	return requests, nil
}

// checked returns the body of a request with an event, and what the service will store. The error is a [*diag.Error] if it
// would refuse the request.
func checked(op operation.ID, existing, e *event.Event) (stored *event.Event, body []byte, err error) {
	body = e.AppendIn(diag.Documents, nil)
	result, err := event.Check(&event.Request{Op: op, Existing: existing, Body: body})
	if err == nil {
		err = result.Err()
	}
	return result.Stored, body, err
}

// series returns a series with its exceptions, in the order of their ids.
func (c calendar) series(id string) event.Series {
	series := event.Series{Event: c[id]}
	for _, e := range slices.Sorted(maps.Keys(c)) {
		if c[e].RecurringEventID == id {
			series.Exceptions = append(series.Exceptions, c[e])
		}
	}
	return series
}

// agenda writes the instances of all series that start in a window.
func (c calendar) agenda(w io.Writer, from, to time.Time) error {
	for _, id := range slices.Sorted(maps.Keys(c)) {
		if len(c[id].Recurrence) == 0 {
			continue
		}
		for instance, err := range c.series(id).Instances(event.Window{From: from, To: to}) {
			if err != nil {
				return err
			}
			fmt.Fprintln(w, instance.Start, instance.Summary)
		}
	}
	return nil
}
