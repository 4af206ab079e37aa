package intent_test

import (
	"fmt"
	"log"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/intent"
)

// An instance of a series and all later ones get another place.
func ExampleMaker_ChangeFollowing() {
	standup, findings := event.Decode([]byte(`{"id": "standup1", "etag": "\"3\"", "summary": "Standup", "recurrence": ["RRULE:FREQ=DAILY"],
		"start": {"dateTime": "2026-03-09T09:00:00-04:00", "timeZone": "America/New_York"},
		"end": {"dateTime": "2026-03-09T09:15:00-04:00", "timeZone": "America/New_York"}}`), diag.Google)
	if err := findings.Err(); err != nil {
		log.Fatal(err)
	}
	at := &event.Time{DateTime: "2026-03-11T09:00:00-04:00"}
	requests, err := intent.Maker{Dialect: diag.Google}.ChangeFollowing(event.Series{Event: standup}, at, &event.Event{Location: "Room 5"})
	if err != nil {
		log.Fatal(err) // a *diag.Error if the service would not do it
	}
	for _, r := range requests {
		fmt.Println(r.Op, r.IfMatch, string(r.Body))
	}
	// Output:
	// events.insert  {"id":"vgcpf9nnviit0d7ff0sb4qsn8o","summary":"Standup","location":"Room 5","start":{"dateTime":"2026-03-11T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-11T09:15:00-04:00","timeZone":"America/New_York"},"recurrence":["RRULE:FREQ=DAILY"]}
	// events.patch "3" {"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260311T125959Z"]}
}
