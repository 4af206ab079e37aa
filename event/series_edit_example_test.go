package event_test

import (
	"fmt"
	"log"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// standup is a series of ten days.
var standup = &event.Event{
	ID:         "standup",
	Summary:    "Standup",
	Start:      &event.Time{DateTime: "2026-03-09T09:00:00-04:00", TimeZone: "America/New_York"},
	End:        &event.Time{DateTime: "2026-03-09T09:15:00-04:00", TimeZone: "America/New_York"},
	Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=10"},
}

// The series ends before the third instance.
func ExampleSeries_Truncate() {
	requests, err := event.Series{Event: standup}.Truncate(&event.Time{DateTime: "2026-03-11T09:00:00-04:00"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(requests.Patch.Recurrence)
	// Output: [RRULE:FREQ=DAILY;COUNT=2]
}

// The series begins an hour later.
func ExampleSeries_Move() {
	requests, err := event.Series{Event: standup}.Move(&event.Time{DateTime: "2026-03-09T10:00:00-04:00"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", requests.Patch.AppendIn(diag.Google, nil))
	// Output: {"start":{"dateTime":"2026-03-09T10:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-09T10:15:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY;COUNT=10"]}
}

// One instance changes.
func ExampleSeries_At() {
	instance, err := event.Series{Event: standup}.At(&event.Time{DateTime: "2026-03-12T09:00:00-04:00"})
	if err != nil {
		log.Fatal(err)
	}
	changed := instance.Clone()
	changed.Summary = "Demo"
	patch, _ := instance.PatchTo(changed, diag.Google)
	fmt.Printf("PATCH /calendars/primary/events/%s %s\n", instance.ID, patch)
	// Output: PATCH /calendars/primary/events/standup_20260312T130000Z {"summary":"Demo"}
}
