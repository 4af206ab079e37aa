package main

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/intent"
)

func Example() {
	main()
	// Output:
	// standup/id: nothing -> "standup"
	// standup/summary: nothing -> "Standup"
	// standup/location: nothing -> "Room 4"
	// standup/start: nothing -> {"dateTime":"2026-03-09T09:00:00-04:00","timeZone":"America/New_York"}
	// standup/end: nothing -> {"dateTime":"2026-03-09T09:15:00-04:00","timeZone":"America/New_York"}
	// standup/recurrence: nothing -> ["RRULE:FREQ=DAILY"]
	// PATCH /calendars/primary/events/standup {"summary":"Daily","location":null}
	// standup_20260310T130000Z/id: nothing -> "standup_20260310T130000Z"
	// standup_20260310T130000Z/status: nothing -> "cancelled"
	// standup_20260310T130000Z/recurringEventId: nothing -> "standup"
	// standup_20260310T130000Z/originalStartTime: nothing -> {"dateTime":"2026-03-10T09:00:00-04:00"}
	// standup_20260312T130000Z/id: nothing -> "standup_20260312T130000Z"
	// standup_20260312T130000Z/status: nothing -> "cancelled"
	// standup_20260312T130000Z/recurringEventId: nothing -> "standup"
	// standup_20260312T130000Z/originalStartTime: nothing -> {"dateTime":"2026-03-12T09:00:00-04:00"}
	// standup_20260313T130000Z/id: nothing -> "standup_20260313T130000Z"
	// standup_20260313T130000Z/summary: nothing -> "Demo"
	// standup_20260313T130000Z/start: nothing -> {"dateTime":"2026-03-13T14:00:00-04:00"}
	// standup_20260313T130000Z/end: nothing -> {"dateTime":"2026-03-13T15:00:00-04:00"}
	// standup_20260313T130000Z/recurringEventId: nothing -> "standup"
	// standup_20260313T130000Z/originalStartTime: nothing -> {"dateTime":"2026-03-13T09:00:00-04:00"}
	// events.insert f523ne7uvu8ac3t8rjrrg45e7o {"id":"f523ne7uvu8ac3t8rjrrg45e7o","status":"confirmed","summary":"Daily","start":{"dateTime":"2026-03-11T10:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-11T10:15:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY"]}
	// events.delete f523ne7uvu8ac3t8rjrrg45e7o_20260312T140000Z
	// events.patch f523ne7uvu8ac3t8rjrrg45e7o_20260313T140000Z {"summary":"Demo","start":{"dateTime":"2026-03-13T14:00:00-04:00","timeZone":null},"end":{"dateTime":"2026-03-13T15:00:00-04:00","timeZone":null}}
	// events.delete standup_20260313T130000Z
	// events.patch standup {"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260311T125959Z"]}
	// 2026-03-11T10:00:00-04:00 America/New_York Daily
	// 2026-03-13T14:00:00-04:00 Demo
	// 2026-03-09T09:00:00-04:00 America/New_York Daily
}

func newCalendar(t *testing.T, page string) calendar {
	t.Helper()
	c := calendar{}
	if err := c.pull(io.Discard, []byte(page)); err != nil {
		t.Fatal(err)
	}
	return c
}

const meeting = `{"id":"abc12","summary":"a","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`

func TestPull(t *testing.T) {
	c := newCalendar(t, "["+meeting+"]")
	var changes strings.Builder
	if err := c.pull(&changes, []byte(`[{"id":"abc12","summary":"b","start":{"date":"2026-03-10"},"end":{"date":"2026-03-12"}}]`)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("abc12/summary: \"a\" -> \"b\"\nabc12/end/date: \"2026-03-11\" -> \"2026-03-12\"\n", changes.String()); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	if err := c.pull(io.Discard, []byte(`[{"id":"abc12","status":"cancelled"}]`)); err != nil || len(c) != 0 {
		t.Errorf("the copy of a calendar without events is %v, with the error %v", c, err)
	}
	var malformed *diag.Error
	if err := c.pull(io.Discard, []byte(`[{"summary":5}]`)); !errors.As(err, &malformed) {
		t.Errorf("the error is %v, want a *diag.Error", err)
	}
}

// If one of several requests is refused, the copy does not change.
func TestCarryOutRefused(t *testing.T) {
	c := newCalendar(t, "["+meeting+"]")
	stored := c["abc12"]
	requests := []event.Request{
		{Op: "events.patch", Existing: stored, Body: []byte(`{"summary":"b"}`)},
		{Op: "events.patch", Existing: stored, Body: []byte(`{"end":{"date":"2026-03-01"}}`)},
	}
	var refused *diag.Error
	if err := c.carryOut(io.Discard, requests); !errors.As(err, &refused) || c["abc12"].Summary != "a" {
		t.Errorf("%v, and the summary is %s", err, c["abc12"].Summary)
	}
}

// The exceptions that replace no instance of the new series stay.
func TestMoveFollowing(t *testing.T) {
	c := newCalendar(t, `[{"id":"abc12","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY"]},
		{"id":"before","recurringEventId":"abc12","originalStartTime":{"date":"2026-03-09"},"start":{"date":"2026-03-09"},"end":{"date":"2026-03-10"}},
		{"id":"first","recurringEventId":"abc12","originalStartTime":{"date":"2026-03-11"},"status":"cancelled"},
		{"id":"second","recurringEventId":"abc12","originalStartTime":{"date":"2026-03-13"},"status":"cancelled"}]`)
	requests, err := intent.Maker{}.MoveFollowing(c.series("abc12"), event.Date(2026, time.March, 12), event.Date(2026, time.March, 14))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.carryOut(io.Discard, requests); err != nil {
		t.Fatal(err)
	}
	var moved string
	for id, e := range c {
		if e.RecurringEventID == "" && id != "abc12" {
			moved = id
		}
	}
	want := []string{moved, moved + "_20260315", "abc12", "before", "first", "second"}
	slices.Sort(want)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(c))); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
}

func TestEditRefused(t *testing.T) {
	c := newCalendar(t, "["+meeting+"]")
	_, err := c.edit("abc12", func(e *event.Event) { e.End.Date = "2026-03-09" })
	var refused *diag.Error
	if !errors.As(err, &refused) {
		t.Fatalf("the error is %v, want a *diag.Error", err)
	}
	if got := c["abc12"].End.Date; got != "2026-03-11" {
		t.Errorf("a refused edit changed the copy: it ends on %s", got)
	}
}

func TestEdit(t *testing.T) {
	c := newCalendar(t, "["+meeting+"]")
	patch, err := c.edit("abc12", func(e *event.Event) { e.Summary = "" })
	if err != nil || string(patch) != `{"summary":null}` {
		t.Errorf("the patch is %s, with the error %v", patch, err)
	}
	if got := c["abc12"].Summary; got != "" {
		t.Errorf("the summary of the copy is %q", got)
	}
}
