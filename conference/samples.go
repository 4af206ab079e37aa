package conference

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
)

// The members of conference data and the elements of entryPoints that the examples use, as JSON.
const (
	addOn = `"conferenceSolution":{"key":{"type":"addOn"},"name":"Example Meet"}`
	meet  = `"conferenceSolution":{"key":{"type":"videoMeet"},"name":"Example Meet"}`

	videoEntry = `{"entryPointType":"video","uri":"https://meet.example.com/abc"}`
	phoneEntry = `{"entryPointType":"phone","uri":"tel:+15550100"}`
	moreEntry  = `{"entryPointType":"more","uri":"https://meet.example.com/how"}`
)

func entryPoints(entries ...string) string {
	return `"entryPoints":[` + strings.Join(entries, ",") + `]`
}

// createRequest returns the createRequest member, with the given status, if any.
func createRequest(id, typ string, status ...string) string {
	s := `"createRequest":{"requestId":"` + id + `","conferenceSolutionKey":{"type":"` + typ + `"}`
	for _, code := range status {
		s += `,"status":{"statusCode":"` + code + `"}`
	}
	return s + "}"
}

// data returns the conferenceData member of an event. The given members are the members of the conference data.
func data(members ...string) string {
	return `"conferenceData":{` + strings.Join(members, ",") + `}`
}

const version1 = `"params":{"conferenceDataVersion":"1"}`

// insert returns an example of an insert of conference data with the given members.
func insert(members ...string) func() diag.Example {
	return func() diag.Example { return sample.With(sample.Timed(data(members...)), version1)() }
}

// patch returns an example of a patch, with the given members, of an event whose member conferenceData is stored.
func patch(stored string, members ...string) func() diag.Example {
	return func() diag.Example { return sample.With(sample.Patch(data(members...), stored), version1)() }
}

// response returns an example of a representation of conference data with the given members.
func response(members ...string) func() diag.Example {
	return func() diag.Example { return sample.Response(data(members...))() }
}

// repeat returns a string of n characters.
func repeat(s string, n int) string { return strings.Repeat(s, n) }
