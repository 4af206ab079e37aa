package event_test

import (
	"fmt"
	"log"
	"time"

	"github.com/calrules/calrules/event"
)

// The instances of a week, one of which was moved.
func ExampleSeries_Instances() {
	standup := &event.Event{
		ID:         "standup",
		Start:      &event.Time{DateTime: "2026-03-06T09:00:00", TimeZone: "America/New_York"},
		End:        &event.Time{DateTime: "2026-03-06T09:15:00", TimeZone: "America/New_York"},
		Recurrence: []string{"RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR"},
	}
	moved := &event.Event{
		ID:                "standup_20260310T130000Z",
		RecurringEventID:  "standup",
		OriginalStartTime: &event.Time{DateTime: "2026-03-10T13:00:00Z"},
		Start:             &event.Time{DateTime: "2026-03-10T16:00:00Z"},
		End:               &event.Time{DateTime: "2026-03-10T16:15:00Z"},
	}
	week := event.Window{
		From: time.Date(2026, 3, 6, 0, 0, 0, 0, time.UTC),
		To:   time.Date(2026, 3, 12, 0, 0, 0, 0, time.UTC),
	}
	series := event.Series{Event: standup, Exceptions: []*event.Event{moved}}
	for e, err := range series.Instances(week) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.ID, e.Start.DateTime)
	}
	// Output:
	// standup_20260306T140000Z 2026-03-06T09:00:00-05:00
	// standup_20260309T130000Z 2026-03-09T09:00:00-04:00
	// standup_20260310T130000Z 2026-03-10T16:00:00Z
	// standup_20260311T130000Z 2026-03-11T09:00:00-04:00
}

// The last instance before a time, and how many there are up to then.
func ExampleSeries_Last() {
	series := event.Series{Event: &event.Event{
		Start:      &event.Time{Date: "2024-02-29"},
		End:        &event.Time{Date: "2024-03-01"},
		Recurrence: []string{"RRULE:FREQ=YEARLY"},
	}}
	before := event.Window{To: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	last, err := series.Last(before)
	if err != nil {
		log.Fatal(err)
	}
	n, err := series.Count(before, 100)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(last.Start.Date, last.Span.Origin, n)
	// Output: 2028-02-29 rule 2
}

func ExampleSeries_Split() {
	series := &event.Event{
		ID:         "standup",
		Summary:    "Standup",
		Start:      &event.Time{DateTime: "2026-03-09T09:00:00-04:00", TimeZone: "America/New_York"},
		End:        &event.Time{DateTime: "2026-03-09T09:15:00-04:00", TimeZone: "America/New_York"},
		Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=14", "EXDATE:20260310T130000Z,20260314T130000Z"},
	}
	requests, err := event.Series{Event: series}.Split(&event.Time{DateTime: "2026-03-12T09:00:00-04:00"})
	if err != nil {
		fmt.Println(err)
		return
	}
	requests.Insert.Summary = "Standup, shorter" // this and the following ones
	fmt.Println("patch standup with", requests.Patch)
	fmt.Println("insert", requests.Insert)
	// Output:
	// patch standup with {"recurrence":["RRULE:FREQ=DAILY;COUNT=3","EXDATE:20260310T130000Z"]}
	// insert {"summary":"Standup, shorter","start":{"dateTime":"2026-03-12T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-12T09:15:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=11","EXDATE:20260314T130000Z"]}
}
