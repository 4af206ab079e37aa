package fuzz

import (
	"bytes"
	"fmt"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
)

// writable are members that a client may send with a value that says no more than their
// absence: null, or the zero value of their type.
var writable = []string{
	`"summary":""`, `"description":""`, `"location":""`, `"colorId":""`, `"iCalUID":""`,
	`"sequence":0`, `"attendees":[]`, `"attachments":[]`, `"attendeesOmitted":false`, `"guestsCanModify":false`,
	`"endTimeUnspecified":false`, `"privateCopy":false`, `"locked":false`,
	`"location":null`, `"visibility":null`, `"reminders":null`, `"conferenceData":null`, `"recurringEventId":null`,
}

// represented are the like, as servers write them. They write no null.
var represented = []string{
	`"summary":""`, `"description":""`, `"location":""`, `"sequence":0`, `"attendees":[]`, `"recurrence":[]`,
	`"attendeesOmitted":false`, `"guestsCanModify":false`, `"endTimeUnspecified":false`, `"locked":false`,
	`"hangoutLink":"https://meet.example.com/abc"`, `"etagVersion":{"n":[1.50,null]}`, // from a later version of the service
}

// written returns the event with some of the members added, as if it had been read from JSON
// that has them. Members that it has stay as they are.
func written(t *rapid.T, e *event.Event, members []string) *event.Event {
	if !seldom(t, "written-out zeros") {
		return e
	}
	text := e.AppendJSON(nil)
	for _, member := range rapid.SliceOfDistinct(rapid.SampledFrom(members), name).Draw(t, "written-out zeros") {
		if !bytes.Contains(text, []byte(name(member)+":")) {
			text = append(append(text[:len(text)-1], ','), member+"}"...)
		}
	}
	full := new(event.Event)
	if err := full.UnmarshalJSON(text); err != nil {
		panic(fmt.Sprintf("fuzz: %v in %s", err, text))
	}
	return full
}

// name returns the quoted name of a member that is given as JSON text.
func name(member string) string {
	return member[:bytes.IndexByte([]byte(member), ':')]
}
