package event_test

import (
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// ByID returns an event of its own, whether the instance is stored or made from the series.
func TestByIDIsAClone(t *testing.T) {
	series := mustEvent(t, `{"id":"series1","attendees":[{"email":"a@example.com"}],"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]}`)
	stored := mustEvent(t, `{"id":"series1_20260311T090000Z","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-11T09:00:00Z"},"start":{"dateTime":"2026-03-11T11:00:00Z"},"end":{"dateTime":"2026-03-11T12:00:00Z"},"attendees":[{"email":"b@example.com"}]}`)
	for _, id := range []string{"series1_20260311T090000Z", "series1_20260312T090000Z"} {
		before := series.String() + stored.String()
		e, err := event.Series{Event: series, Exceptions: []*event.Event{stored}}.ByID(id)
		if err != nil || e == nil {
			t.Fatal(e, err)
		}
		e.Start.DateTime, e.Attendees[0].Email = "x", "x"
		if series.String()+stored.String() != before {
			t.Errorf("a change of %s changes what is stored", id)
		}
	}
}

// A copy of an event shares what it keeps beside its fields until one of the two changes.
func TestExtraMembersAreCopiedWhenWritten(t *testing.T) {
	a := read(t, `{"x":1,"summary":null,"location":""}`)
	for _, change := range []func(*event.Event) error{
		func(e *event.Event) error { return e.Clear("/location") },
		func(e *event.Event) error { return e.Clear("/x") },
		func(e *event.Event) error { return e.UnmarshalJSON([]byte(`{"y":2,"location":null}`)) },
	} {
		b := *a
		before := a.String()
		if err := change(&b); err != nil {
			t.Fatal(err)
		}
		if a.String() != before {
			t.Errorf("a change of a copy changes %s to %s", before, a)
		}
	}
}

// An update keeps zeros that were written out in what it copies from the stored event.
func TestUpdateKeepsWrittenZeros(t *testing.T) {
	stored := read(t, `{"id":"abcde","etag":"","sequence":0,"locked":false,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)
	result, err := event.Check(&event.Request{Op: operation.EventsPatch, Existing: stored, Body: []byte(`{"summary":"a"}`)})
	if err != nil || !result.Accepted {
		t.Fatal(result.Findings, err)
	}
	want := `{"etag":"","id":"abcde","status":"confirmed","summary":"a","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"sequence":0,"locked":false}`
	if got := string(result.Stored.AppendIn(diag.Documents, nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// A response by an update changes one attendee of a list of its own, also if the stored list has room.
func TestResponseDoesNotWriteToTheStoredList(t *testing.T) {
	stored := read(t, `{"id":"abcde","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"attendees":[{"email":"a@example.com","self":true},{"email":"b@example.com"}]}`)
	stored.Attendees = append(make([]event.Attendee, 0, 10), stored.Attendees...)
	before := stored.String()
	spare := slices.Clone(stored.Attendees[:cap(stored.Attendees)])
	result, err := event.Check(&event.Request{Op: operation.EventsUpdate, Existing: stored, Body: []byte(
		`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"attendeesOmitted":true,"attendees":[{"email":"a@example.com","responseStatus":"accepted"}]}`)})
	if err != nil || !result.Accepted || result.Stored.Attendees[0].ResponseStatus != "accepted" || len(result.Stored.Attendees) != 2 {
		t.Fatal(result.Findings, err)
	}
	result.Stored.Attendees = append(result.Stored.Attendees, event.Attendee{Email: "c@example.com"})
	if stored.String() != before {
		t.Errorf("the stored event is now %s", stored)
	}
	for i, a := range stored.Attendees[:cap(stored.Attendees)] {
		if a.Email != spare[i].Email {
			t.Errorf("the stored list has %q beyond its end", a.Email)
		}
	}
}
