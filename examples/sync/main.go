// Command sync keeps a local copy of a calendar: it applies the changes that the service reports, makes the
// smallest patch for a local edit, and reads an agenda from the copy. It opens no connections.
//
//	go run ./examples/sync
package main

import (
	"cmp"
	"encoding/json"
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
	patch := event.MakePatch(c[id], edited, diag.Documents)
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

// agenda writes the instances of all series that start in a window.
func (c calendar) agenda(w io.Writer, from, to time.Time) error {
	for id, series := range c {
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
