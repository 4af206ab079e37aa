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
	// PATCH /calendars/primary/events/standup {"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260311T125959Z"]}
	// POST /calendars/primary/events {"id":"standup2","status":"confirmed","summary":"Daily","location":"Room 5","start":{"dateTime":"2026-03-11T10:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-11T10:15:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY"]}
	// DELETE /calendars/primary/events/standup2_20260312T140000Z
	// PUT /calendars/primary/events/standup2_20260313T140000Z {"id":"standup2_20260313T140000Z","summary":"Demo","start":{"dateTime":"2026-03-13T14:00:00-04:00"},"end":{"dateTime":"2026-03-13T15:00:00-04:00"},"originalStartTime":{"dateTime":"2026-03-13T10:00:00-04:00","timeZone":"America/New_York"}}
	// DELETE /calendars/primary/events/standup_20260313T130000Z
	// 2026-03-09T09:00:00-04:00 America/New_York Daily
	// 2026-03-11T10:00:00-04:00 America/New_York Daily
	// 2026-03-13T14:00:00-04:00 Demo
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

// A series that is split at its first instance, or at none, does not change.
func TestFollowingRefused(t *testing.T) {
	c := newCalendar(t, `[{"id":"abc12","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY"]}]`)
	for _, date := range []string{"2026-03-10", "2026-03-09"} {
		if _, err := c.following("abc12", "abc13", &event.Time{Date: date}, nil, func(*event.Event) {}); err == nil || len(c) != 1 {
			t.Errorf("on %s: %v", date, err)
		}
	}
	var refused *diag.Error
	_, err := c.following("abc12", "abc13", &event.Time{Date: "2026-03-12"}, nil, func(e *event.Event) { e.End.Date = "2026-03-01" })
	if !errors.As(err, &refused) || len(c) != 1 || c["abc12"].Recurrence[0] != "RRULE:FREQ=DAILY" {
		t.Errorf("with a refused change: %v", err)
	}
}

// The exceptions of the old series that replace no instance after the split stay.
func TestFollowingKeepsOthers(t *testing.T) {
	c := newCalendar(t, `[{"id":"abc12","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=DAILY"]},
		{"id":"before","recurringEventId":"abc12","originalStartTime":{"date":"2026-03-09"},"start":{"date":"2026-03-09"},"end":{"date":"2026-03-10"}},
		{"id":"first","recurringEventId":"abc12","originalStartTime":{"date":"2026-03-11"},"status":"cancelled"},
		{"id":"second","recurringEventId":"abc12","originalStartTime":{"date":"2026-03-13"},"status":"cancelled"}]`)
	later := &event.Time{Date: "2026-03-14"}
	requests, err := c.following("abc12", "abc13", &event.Time{Date: "2026-03-12"}, later, func(*event.Event) {})
	if err != nil {
		t.Fatal(err)
	}
	if last := requests[len(requests)-1].String(); last != "DELETE /calendars/primary/events/abc13_20260315" {
		t.Errorf("the last request is %s", last)
	}
	want := []string{"abc12", "abc13", "abc13_20260315", "before", "first"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(c))); diff != "" {
		t.Errorf("the copy (-want +got):\n%s", diff)
	}
	size := len(c)
	_, err = c.following("abc13", "abc14", later, nil, func(*event.Event) {}) // the first
	if err == nil || len(c) != size {
		t.Errorf("at the first instance: %v", err)
	}
	_, err = c.following("abc12", "abc14", &event.Time{Date: "2026-03-11"}, nil, func(e *event.Event) {
		e.Start, e.End = event.Date(2026, time.March, 12), event.Date(2026, time.March, 13)
	})
	if err == nil || len(c) != size {
		t.Errorf("with a start after an exception: %v, and the copy has %d events", err, len(c))
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
