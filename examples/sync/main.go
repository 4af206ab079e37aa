// Command sync keeps a local copy of a calendar. The command applies the changes reported by the service, creates the smallest
// patch for a local edit, moves an instance and all later instances, and writes an agenda of the local copy. The command does
// not open connections.
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
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/intent"
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
	requests, err := intent.Maker{}.MoveFollowing(c.series("standup"), wednesday, atTen)
	must(err)
	must(c.carryOut(os.Stdout, requests))
	monday := time.Date(2026, time.March, 9, 0, 0, 0, 0, time.UTC)
	must(c.agenda(os.Stdout, monday, monday.AddDate(0, 0, 5)))
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// calendar is the local copy of a calendar. The map contains series and their exceptions by event id, as events.list returns
// them.
type calendar map[string]*event.Event

// pull applies the changed events on a page from events.list, and writes the changes.
func (c calendar) pull(w io.Writer, page []byte) error {
	var changed []*event.Event
	if err := json.Unmarshal(page, &changed); err != nil {
		return err // a *diag.Error if an event has wrong types
	}
	for _, e := range changed {
		for _, d := range (c[e.ID]).Diff(e, diag.Documents) {
			fmt.Fprintf(w, "%s%s: %s -> %s\n", e.ID, d.Path, cmp.Or(string(d.Old), "nothing"), cmp.Or(string(d.New), "nothing"))
		}
		c.put(e)
	}
	return nil
}

// put stores an event in the copy, or removes the event if it is deleted. A cancelled exception remains, because it
// cancels an instance.
func (c calendar) put(e *event.Event) {
	c[e.ID] = e
	if e.StatusMeaning() == status.Deleted {
		delete(c, e.ID)
	}
}

// edit changes the local copy of an event as the service will, and returns the patch to send. If the service would
// refuse the patch, the error is a [*diag.Error] and the copy does not change.
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
	c[id] = result.Stored // may differ from edited, because the service ignores some members
	return patch, nil
}

// carryOut writes the requests for an intent, and changes the local copy as the service will. If the service would refuse a
// request, the error is a [*diag.Error] and the copy does not change.
func (c calendar) carryOut(w io.Writer, requests []event.Request) error {
	next := maps.Clone(c)
	for _, r := range requests {
		result, err := event.Check(&r)
		if err == nil {
			err = result.Err()
		}
		if err != nil {
			return err
		}
		next.put(result.Stored)
		fmt.Fprintln(w, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Op, result.Stored.ID, r.Body)))
	}
	clear(c)
	maps.Copy(c, next)
	return nil
}

// series returns the series with the given id and its exceptions, in order of id.
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
