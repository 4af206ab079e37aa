// Command google-client checks an event before sending it with the official Go client for Google Calendar. The client's types
// marshal with the public service's names, so the requests are in the google dialect.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"google.golang.org/api/calendar/v3"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

func main() {
	meeting := &calendar.Event{
		Summary: "Standup",
		Start:   &calendar.EventDateTime{DateTime: "2026-03-10T09:00:00-04:00", TimeZone: "America/New_York"},
		End:     &calendar.EventDateTime{DateTime: "2026-03-10T08:00:00-04:00", TimeZone: "America/New_York"},
		ConferenceData: &calendar.ConferenceData{CreateRequest: &calendar.CreateConferenceRequest{
			RequestId:             "standup-1",
			ConferenceSolutionKey: &calendar.ConferenceSolutionKey{Type: "hangoutMeet"},
		}},
	}
	if _, err := preflight(operation.EventsInsert, nil, meeting); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// preflight predicts the result of a request: the event that the service would return, or an error that lists every
// reason for a refusal. For an insert, stored is nil.
func preflight(op operation.ID, stored, sent *calendar.Event) (*calendar.Event, error) {
	request := event.Request{Op: op, Dialect: diag.Google, Params: operation.Params{"conferenceDataVersion": {"1"}}}
	var err error
	if request.Body, err = json.Marshal(sent); err != nil {
		return nil, err
	}
	if stored != nil {
		text, err := json.Marshal(stored)
		if err != nil {
			return nil, err
		}
		existing, findings := event.Decode(text, diag.Google)
		if err := findings.Err(); err != nil {
			return nil, err
		}
		request.Existing = existing
	}
	result, err := event.Check(&request)
	if err != nil {
		return nil, err
	}
	if err := result.Findings.Err(); err != nil {
		return nil, err
	}
	answer := new(calendar.Event)
	return answer, json.Unmarshal(result.Answer.AppendIn(diag.Google, nil), answer)
}
