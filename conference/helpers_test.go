package conference_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/conference"
)

// read decodes conference data; "" is nil. Values of a wrong type are left to the rules.
func read(t testing.TB, text string) *conference.Data {
	t.Helper()
	if text == "" {
		return nil
	}
	d := new(conference.Data)
	_ = d.UnmarshalJSON([]byte(text))
	return d
}

// Members of conference data and elements of entryPoints. The name of a request may include its status.
const (
	meet     = `"conferenceSolution":{"key":{"type":"videoMeet"}}`
	holoDeck = `"conferenceSolution":{"key":{"type":"holoDeck"}}`
	sip      = `{"entryPointType":"sip","uri":"sip:room@example.com"}`
	more     = `{"entryPointType":"more","uri":"https://meet.example.com/how"}`
	request1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}}`
	pending1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"pending"}}`
	failure1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"failure"}}`
	success1 = `"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"success"}}`
)

// obj returns an object with the members.
func obj(members ...string) string { return "{" + strings.Join(members, ",") + "}" }

// entries returns the member entryPoints.
func entries(list ...string) string { return `"entryPoints":[` + strings.Join(list, ",") + "]" }

func TestCodes(t *testing.T) {
	p := conference.EntryPoint{Password: "e", MeetingCode: "c", PIN: "a"}
	var got []string
	for name, code := range p.Codes() {
		got = append(got, name+"="+code)
	}
	if diff := cmp.Diff([]string{"pin=a", "meetingCode=c", "password=e"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for range p.Codes() {
		break // an iterator must stop when it is told to
	}
}
