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

// joinable is the member entryPoints with a video entry.
const joinable = `"entryPoints":[` + videoEntry + `]`

// createRequest returns the member createRequest.
func createRequest(id, typ string) string {
	return `"createRequest":{"requestId":"` + id + `","conferenceSolutionKey":{"type":"` + typ + `"}}`
}

// The member createRequest of a request r-1 for videoMeet, by its status.
const (
	pending   = answered + `"pending"}}`
	succeeded = answered + `"success"}}`
	failed    = answered + `"failure"}}`

	answered = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":`
)

// data returns the conferenceData member of an event. The given members are the members of the conference data.
func data(members ...string) string {
	return `"conferenceData":{` + strings.Join(members, ",") + `}`
}

const version1 = `"params":{"conferenceDataVersion":"1"}`

// insert is an insert of conference data with the given members.
type insert []string

func (members insert) Example() diag.Example {
	return sample.With(sample.Timed{data(members...)}, version1).Example()
}

// joined is an insert of an add-on's conference with the given elements of entryPoints.
type joined []string

func (entries joined) Example() diag.Example {
	return insert{addOn, `"entryPoints":[` + strings.Join(entries, ",") + `]`}.Example()
}

// asking is an insert of a createRequest with the given request id and type.
type asking [2]string

func (a asking) Example() diag.Example { return insert{createRequest(a[0], a[1])}.Example() }

// patch is the members of stored conference data, followed by the members of the conference data in a patch.
type patch []string

func (p patch) Example() diag.Example {
	return sample.With(sample.Patch{data(p[1:]...), data(p[0])}, version1).Example()
}

// response is a representation of conference data with the given members.
type response []string

func (members response) Example() diag.Example { return sample.Response{data(members...)}.Example() }

// represented is a representation of conference data with some members, for stored conference data with other members.
type represented struct{ members, stored []string }

func (r represented) Example() diag.Example {
	return sample.With(response(r.members), sample.Existing(data(r.stored...))).Example()
}

// repeat returns a string of n characters.
func repeat(s string, n int) string { return strings.Repeat(s, n) }
