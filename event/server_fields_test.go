package event_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// stamp is the stamp of Ada's calendar on a day in March.
var stamp = event.ServerFields{
	Now: time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC), ETag: `"7"`,
	Creator: event.Person{Email: "bob@example.com"}, Owner: event.Person{Email: "ada@example.com"},
	HTMLLink: "https://calendar.example.com/1", ICalUID: "1@calendar.example.com",
}

func TestStampOfNewEvent(t *testing.T) {
	result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(
		`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"sequence":4,"attendees":[{"email":"ada@EXAMPLE.com"},{"email":"bob@example.com"}]}`)})
	if err != nil {
		t.Fatal(err)
	}
	stamp.Set(&result, nil)
	want := read(t, `{"kind":"calendar#event","etag":"\"7\"","status":"confirmed","htmlLink":"https://calendar.example.com/1",
		"created":"2026-03-10T09:00:00.000Z","updated":"2026-03-10T09:00:00.000Z","creator":{"email":"bob@example.com"},
		"organizer":{"email":"ada@example.com","self":true},"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
		"iCalUID":"1@calendar.example.com","sequence":4,"attendees":[{"email":"ada@EXAMPLE.com","self":true},{"email":"bob@example.com"}],"eventType":"default"}`)
	for name, got := range map[string]*event.Event{"stored": result.Stored, "answer": result.Answer} {
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// The sequence is in the text of an event even if it is 0.
func TestStampShowsSequence(t *testing.T) {
	const times = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for _, test := range []struct {
		op             operation.ID
		existing, body string
		want           string
	}{
		{operation.EventsInsert, "", `{` + times + `}`, `"sequence":0`},
		{operation.EventsInsert, "", `{` + times + `,"sequence":null}`, `"sequence":0`},
		{operation.EventsInsert, "", `{` + times + `,"sequence":3}`, `"sequence":3`},
		{operation.EventsUpdate, `{"id":"abcde",` + times + `}`, `{` + times + `,"summary":"A"}`, `"sequence":0`},
		{operation.EventsPatch, `{"id":"abcde",` + times + `,"sequence":0}`, `{"summary":"A"}`, `"sequence":0`},
		{operation.EventsPatch, `{"id":"abcde",` + times + `,"sequence":0}`, `{"status":"tentative"}`, `"sequence":1`},
	} {
		request := &event.Request{Op: test.op, Body: []byte(test.body)}
		if test.existing != "" {
			request.Existing = read(t, test.existing)
		}
		result, err := event.Check(request)
		if err != nil || !result.Accepted {
			t.Fatal(test.body, err, result.Err())
		}
		stamp.Set(&result, request.Existing)
		for name, e := range map[string]*event.Event{"stored": result.Stored, "answer": result.Answer} {
			if got := string(e.AppendJSON(nil)); strings.Count(got, `"sequence"`) != 1 || !strings.Contains(got, test.want) {
				t.Errorf("%s of %s lacks %s: %s", name, test.body, test.want, got)
			}
		}
	}
}

func TestStampOfChange(t *testing.T) {
	stored := read(t, `{"id":"abcde","etag":"\"1\"","status":"confirmed","created":"2020-01-01T00:00:00.000Z","updated":"2020-01-01T00:00:00.000Z","sequence":4,
		"htmlLink":"x","iCalUID":"y","creator":{"email":"ada@example.com","self":true},"organizer":{"email":"bob@example.com"},
		"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	const before, now = "2020-01-01T00:00:00.000Z", "2026-03-10T09:00:00.000Z"
	for patch, want := range map[string]struct {
		updated  string
		sequence int64
	}{
		`{"reminders":{"useDefault":true}}`:                  {before, 4},
		`{"summary":"A"}`:                                    {now, 4},
		`{"end":{"dateTime":"2026-03-10T11:00:00Z"}}`:        {now, 5},
		`{"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]}`:        {now, 5},
		`{"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`:        {before, 4},
		`{"status":"cancelled"}`:                             {now, 5},
		`{"status":"tentative","sequence":9}`:                {now, 9},
		`{"end":{"dateTime":"2026-03-10T11:00:00+01:00"}}`:   {now, 4},
		`{"status":"tentative","sequence":3,"summary":null}`: {now, 5},
	} {
		result, err := event.Check(&event.Request{Op: operation.EventsPatch, Body: []byte(patch), Existing: stored})
		if err != nil || !result.Accepted {
			t.Fatal(patch, err, result.Err())
		}
		stamp.Set(&result, stored)
		got := result.Stored
		if got.Updated != want.updated || got.Sequence != want.sequence {
			t.Errorf("%s: updated %s, sequence %d, want %s, %d", patch, got.Updated, got.Sequence, want.updated, want.sequence)
		}
		if got.ETag != `"7"` || got.Created != before || got.HTMLLink != "x" || got.ICalUID != "y" || !got.Creator.Self || got.Organizer.Self {
			t.Errorf("%s: stored %s", patch, got)
		}
	}
}

// If the clock has gone back, updated still grows with each change.
func TestStampOfEarlierClock(t *testing.T) {
	for was, want := range map[string]string{
		"2026-03-10T08:59:59.999Z": "2026-03-10T09:00:00.000Z", "2026-03-10T09:00:00.000Z": "2026-03-10T09:00:00.000Z",
		"2026-03-10T09:00:00.001Z": "2026-03-10T09:00:00.002Z", "2026-03-10T10:30:00+01:00": "2026-03-10T09:30:00.001Z",
		"2030-01-01T00:00:00Z": "2030-01-01T00:00:00.001Z", "someday": "2026-03-10T09:00:00.000Z",
	} {
		stored := &event.Event{ID: "abcde", Created: "2020-01-01T00:00:00.000Z", Updated: was}
		next := stored.Clone()
		next.Summary = "A"
		stamp.Set(&event.Result{Stored: next}, stored)
		if next.Updated != want || next.Created != stored.Created {
			t.Errorf("updated is %s after %s, want %s; created is %s", next.Updated, was, want, next.Created)
		}
	}
}

// A person without an address is not known to be the owner, and nobody is no person.
func TestStampOfPersons(t *testing.T) {
	e := &event.Event{ID: "abcde"}
	unknown := event.ServerFields{Now: stamp.Now, Creator: event.Person{DisplayName: "Bob"}}
	unknown.Set(&event.Result{Stored: e}, nil)
	if e.Creator == nil || e.Creator.Self || e.Organizer != nil {
		t.Errorf("the creator is %v, and the organizer %v", e.Creator, e.Organizer)
	}
}

// A stored event without the time of its last change gets one, whatever changes.
func TestStampOfEventWithoutUpdated(t *testing.T) {
	next := &event.Event{ID: "abcde"}
	stamp.Set(&event.Result{Stored: next}, next.Clone())
	if next.Updated == "" {
		t.Error("the event has no time of its last change")
	}
}

// No change makes the sequence lower, and a result that is not accepted stays as it is.
func TestStampSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		status := rapid.SampledFrom([]string{"", "confirmed", "tentative", "cancelled"})
		number := rapid.Int64Range(0, 3)
		stored := &event.Event{Status: status.Draw(t, "stored"), Sequence: number.Draw(t, "was")}
		next := &event.Event{Status: status.Draw(t, "next"), Sequence: number.Draw(t, "sent")}
		least := max(stored.Sequence, next.Sequence)
		stamp.Set(&event.Result{Stored: next}, stored)
		if next.Sequence < least || next.Sequence > least+1 {
			t.Errorf("the sequence is %d", next.Sequence)
		}
	})
	var refused event.Result
	if stamp.Set(&refused, nil); refused.Stored != nil || refused.Answer != nil {
		t.Errorf("the result is %+v", refused)
	}
}

func TestByID(t *testing.T) {
	series := read(t, daily)
	moved := read(t, `{"id":"series1_20260308T133000Z","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-08T13:30:00Z"},"start":{"dateTime":"2026-03-12T10:00:00Z"},"end":{"dateTime":"2026-03-12T11:00:00Z"}}`)
	cancelled := read(t, `{"id":"series1_20260310T133000Z","status":"cancelled","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T13:30:00Z"}}`)
	other := read(t, `{"id":"series1_20260307T143000Z","recurringEventId":"series2","status":"cancelled","originalStartTime":{"dateTime":"2026-03-07T14:30:00Z"}}`)
	exceptions := []*event.Event{nil, other, moved, cancelled}
	for id, want := range map[string]string{
		"series1_20260307T143000Z": "2026-03-07T09:30:00-05:00",
		moved.ID:                   "2026-03-12T10:00:00Z",
		cancelled.ID:               "cancelled",
		"series1_20260309T133000Z": "", // excluded
		"series1_20260307T143001Z": "",
		"series1_20260307":         "",
		"20260307T143000Z":         "", // without the id of the series
		"series2_20260307T143000Z": "",
		"series1":                  "",
		"":                         "",
	} {
		got, err := event.Series{Event: series, Exceptions: exceptions}.ByID(id)
		if err != nil {
			t.Fatal(err)
		}
		shown := ""
		switch {
		case got == nil:
		case got.ID != id:
			t.Errorf("the instance %s has the id %s", id, got.ID)
		case got.Start == nil:
			shown = got.Status
		default:
			shown = got.Start.DateTime
		}
		if shown != want {
			t.Errorf("%s is %q, want %q", id, shown, want)
		}
	}
	if _, err := (event.Series{Event: moved}).ByID(moved.ID + "_20260307"); err != event.ErrNoSeries {
		t.Errorf("an event that does not recur: %v", err)
	}
}

// Every instance is found by its id.
func TestByIDFindsAll(t *testing.T) {
	for _, text := range []string{daily, camp} {
		series := read(t, text)
		for want := range (event.Series{Event: series}).Instances(event.Window{}) {
			got, err := event.Series{Event: series}.ByID(want.ID)
			if diff := cmp.Diff(want.Event, got); err != nil || diff != "" {
				t.Errorf("%s: %v (-want +got):\n%s", want.ID, err, diff)
			}
		}
	}
}

func TestWindowHas(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	day := read(t, `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`) // in Berlin from 23:00 UTC the day before
	timed := read(t, `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`)
	weekly := read(t, `{"recurrence":["RRULE:FREQ=WEEKLY"],"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)
	at := func(day, hour int) time.Time { return time.Date(2026, 3, day, hour, 0, 0, 0, time.UTC) }
	for _, test := range []struct {
		name     string
		e        *event.Event
		from, to time.Time
		in       *time.Location
		want     bool
	}{
		{"no bounds", timed, time.Time{}, time.Time{}, nil, true},
		{"no bounds for days", weekly, time.Time{}, time.Time{}, berlin, true},
		{"no bounds for a day", day, time.Time{}, time.Time{}, berlin, true},
		{"under way", timed, at(10, 9).Add(time.Minute), time.Time{}, nil, true},
		{"over", timed, at(10, 10), time.Time{}, nil, false},
		{"not begun", timed, time.Time{}, at(10, 9), nil, false},
		{"day in UTC", day, time.Time{}, at(9, 23).Add(time.Minute), nil, false},
		{"day in Berlin", day, time.Time{}, at(9, 23).Add(time.Minute), berlin, true},
		{"day over in Berlin", day, at(10, 23), time.Time{}, berlin, false},
		{"day not over in UTC", day, at(10, 23), time.Time{}, nil, true},
		{"series", weekly, at(16, 12), at(17, 12), nil, true},
		{"series between instances", weekly, at(18, 0), at(19, 0), nil, false},
		{"series in Berlin", weekly, at(16, 23), at(16, 23).Add(time.Minute), berlin, true},
		{"series in UTC", weekly, at(16, 23), at(16, 23).Add(time.Minute), nil, false},
		{"series that cannot be read", &event.Event{Recurrence: []string{"RRULE"}}, time.Time{}, time.Time{}, nil, false},
		{"no times", &event.Event{}, time.Time{}, time.Time{}, nil, false},
		{"no start", &event.Event{End: timed.End}, time.Time{}, at(11, 0), nil, false},
		{"no end", &event.Event{Start: timed.Start}, at(9, 0), time.Time{}, nil, false},
		{"none", nil, time.Time{}, time.Time{}, nil, false},
	} {
		w := event.Window{From: test.from, To: test.to, Overlap: true}
		if got := w.Has(test.e, test.in); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
