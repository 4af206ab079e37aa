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
	must(c.pull(os.Stdout, []byte(`[{"id":"standup_1","recurringEventId":"standup","status":"cancelled",
		"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}}]`)))
	wednesday := &event.Time{DateTime: "2026-03-11T09:00:00-04:00"}
	patch, insert, err := c.following("standup", "standup2", wednesday, func(e *event.Event) { e.Location = "Room 5" })
	must(err)
	fmt.Printf("PATCH /calendars/primary/events/standup %s\n", patch)
	fmt.Printf("POST /calendars/primary/events %s\n", insert)
	monday := time.Date(2026, time.March, 9, 0, 0, 0, 0, time.UTC)
	must(c.agenda(os.Stdout, monday, monday.AddDate(0, 0, 3)))
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
		for _, d := range event.Diff(c[e.ID], e, diag.Documents) {
			fmt.Fprintf(w, "%s%s: %s -> %s\n", e.ID, d.Path, cmp.Or(string(d.Old), "nothing"), cmp.Or(string(d.New), "nothing"))
		}
		c[e.ID] = e
		if e.StatusMeaning() == status.Deleted { // an exception stays: it says which instance does not take place
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
	patch, _ := event.MakePatch(c[id], edited, diag.Documents)
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

// following changes an instance of a series and all later ones, which become a series with a new id. It returns the patch
// of the old series and the body of the insert. A client that sends them also sends the exceptions that event.Split returns.
func (c calendar) following(id, newID string, at *event.Time, change func(*event.Event)) (patch, insert []byte, err error) {
	rest, series, _, err := event.Split(c[id], nil, at)
	if err != nil {
		return nil, nil, err
	}
	if rest == nil {
		return nil, nil, errors.New("the instance is the first one: edit the series")
	}
	series.ID = newID
	change(series)
	insert = series.AppendIn(diag.Documents, nil)
	result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: insert})
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		return nil, nil, err
	}
	if patch, err = c.edit(id, func(e *event.Event) { e.Recurrence = rest.Recurrence }); err != nil {
		return nil, nil, err
	}
	c[newID] = result.Stored
	return patch, insert, nil
}

// agenda writes the instances of all series that start in a window.
func (c calendar) agenda(w io.Writer, from, to time.Time) error {
	for _, id := range slices.Sorted(maps.Keys(c)) {
		series := c[id]
		if len(series.Recurrence) == 0 {
			continue
		}
		exceptions := slices.DeleteFunc(slices.Collect(maps.Values(c)), func(e *event.Event) bool { return e.RecurringEventID != id })
		for instance, err := range event.Instances(series, exceptions, event.Window{From: from, To: to}) {
			if err != nil {
				return err
			}
			fmt.Fprintln(w, instance.Start, instance.Summary)
		}
	}
	return nil
}
