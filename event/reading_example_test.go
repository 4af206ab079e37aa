package event_test

import (
	"fmt"
	"log"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/recurrence"
)

// An event from the text of a calendar file.
func ExampleEvent_ofReading() {
	r, err := recurrence.Read("DTSTART;TZID=Eastern Standard Time:20260310T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=4")
	if err != nil {
		log.Fatal(err)
	}
	e := &event.Event{Summary: "Standup", Start: timeOf(r, r.Start.Time()), End: timeOf(r, r.Start.End()), Recurrence: r.Lines}
	fmt.Println(e.Start.DateTime, e.Start.TimeZone)
	fmt.Println(e.End.DateTime, e.End.TimeZone)
	fmt.Println(e.Recurrence)
	// Output:
	// 2026-03-10T09:00:00-04:00 America/New_York
	// 2026-03-10T10:00:00-04:00 America/New_York
	// [RRULE:FREQ=WEEKLY;COUNT=4]
}

// timeOf returns a time of a reading as an event has it: a date in an all-day series.
func timeOf(r *recurrence.Reading, at time.Time) *event.Time {
	if r.Start.AllDay() {
		return event.Date(at.Date())
	}
	return event.TimeAt(at)
}
