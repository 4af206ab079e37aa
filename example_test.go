package calrules_test

import (
	"fmt"
	"log"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Check a new event: every problem at once, with its place and its rule.
func Example_check() {
	result, err := event.Check(&event.Request{
		Op:      operation.EventsInsert,
		Dialect: diag.Google, // the names of the Google Calendar API
		Body:    []byte(`{"start": {"date": "2026-03-10"}, "end": {"date": "2026-03-09"}, "attendees": [{"email": "Ada"}]}`),
	})
	if err != nil {
		log.Fatal(err) // the request cannot be checked: a bug in the program
	}
	fmt.Println(result.Err())
	// Output:
	// /end: The end 2026-03-09 is before the start 2026-03-10. Send an end after the start. [time.order]
	// /attendees/0/email: The email "Ada" has no @. Send an address such as ada@example.com. [attendee.email.address]
}

// Change a stored series, and see what has changed and when it now takes place.
func Example_change() {
	stored, findings := event.Decode([]byte(`{"id": "standup1", "summary": "Review", "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3"],
		"start": {"dateTime": "2026-03-10T09:00:00-04:00", "timeZone": "America/New_York"},
		"end": {"dateTime": "2026-03-10T10:00:00-04:00", "timeZone": "America/New_York"}}`), diag.Google)
	if err := findings.Err(); err != nil {
		log.Fatal(err)
	}
	changed, err := stored.AfterPatch([]byte(`{"summary": null, "recurrence": ["RRULE:FREQ=DAILY;COUNT=2"]}`), diag.Google)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range stored.Diff(changed, diag.Google) {
		fmt.Println("changed:", d.Path)
	}
	series := event.Series{Event: changed}
	for instance, err := range series.Instances(event.Window{}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(instance.ID, instance.Start.DateTime)
	}
	// Output:
	// changed: /summary
	// changed: /recurrence
	// standup1_20260310T130000Z 2026-03-10T09:00:00-04:00
	// standup1_20260311T130000Z 2026-03-11T09:00:00-04:00
}
