package conference

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// The members of conference data that the examples are made of, as JSON text.
const (
	addOn = `"conferenceSolution":{"key":{"type":"addOn"},"name":"Example Meet"}`
	meet  = `"conferenceSolution":{"key":{"type":"videoMeet"},"name":"Example Meet"}`

	videoEntry = `{"entryPointType":"video","uri":"https://meet.example.com/abc"}`
	phoneEntry = `{"entryPointType":"phone","uri":"tel:+15550100"}`
	moreEntry  = `{"entryPointType":"more","uri":"https://meet.example.com/how"}`
)

// storedEvent is the event that the examples change, but for its conference data.
const storedEvent = `"id":"abc12def","status":"confirmed","iCalUID":"abc12def@calendar.example.com","sequence":0,` +
	`"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},` +
	`"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`

func entryPoints(entries ...string) string {
	return `"entryPoints":[` + strings.Join(entries, ",") + `]`
}

// createRequest is the member with a status if one is given.
func createRequest(id, typ string, status ...string) string {
	s := `"createRequest":{"requestId":"` + id + `","conferenceSolutionKey":{"type":"` + typ + `"}`
	for _, code := range status {
		s += `,"status":{"statusCode":"` + code + `"}`
	}
	return s + "}"
}

// conferenceData is the member of an event with these members of its own.
func conferenceData(members ...string) string {
	return `"conferenceData":{` + strings.Join(members, ",") + `}`
}

func insertExample(members ...string) diag.Example { return insertAtVersion("1", members...) }

func insertAtVersion(version string, members ...string) diag.Example {
	return diag.Example{Request: sample.With(sample.Timed(conferenceData(members...)), atVersion(version))}
}

// patchExample patches the stored event, which has the member conferenceData given.
func patchExample(stored string, members ...string) diag.Example {
	request := sample.Request("events.patch", []string{conferenceData(members...)})
	return diag.Example{Request: sample.With(request, atVersion("1"), existing(stored))}
}

func responseExample(members ...string) diag.Example {
	return diag.Example{Request: sample.Response(conferenceData(members...))}
}

// laterResponse is a representation of the stored event, which has the member
// conferenceData given.
func laterResponse(stored string, members ...string) diag.Example {
	return diag.Example{Request: sample.With(sample.Response(conferenceData(members...)), existing(stored))}
}

func atVersion(version string) string {
	return `"params":{"conferenceDataVersion":"` + version + `"}`
}

func existing(member string) string {
	return `"existing":{` + storedEvent + `,` + member + `}`
}

// answered is the example with its answer.
func answered(e diag.Example, answer string) diag.Example {
	e.Answer = answer
	return e
}

func repeat(s string, n int) string { return strings.Repeat(s, n) }
