package command

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/limits"
)

// A stored event in a file has the names of one dialect.
func TestReadStored(t *testing.T) {
	for _, test := range []struct {
		in   limits.Dialect
		text string
		want string // in the error; empty for none
	}{
		{limits.Documents, `{}`, ""},
		{limits.Documents, `{"videoLink":"a","eventType":"fromMail","hangoutlink":1,"x":"fromGmail","attendees":[{"hangoutLink":1}]}`, ""},
		{limits.Documents, `{"conferenceData":{"conferenceSolution":{},"createRequest":{}}}`, ""},
		{limits.Documents, `{"conferenceData":{"conferenceSolution":{"key":{"type":"videoMeet"}}}}`, ""},
		{limits.Documents, `{"summary":"hangoutLink","eventType":"hangout"}`, ""},
		{limits.Documents, `{"eventType":"hangoutsMeet","conferenceData":{"conferenceSolution":{"key":{"type":"hangoutLink"}}}}`, ""},
		{limits.Google, `{"hangoutLink":"a","eventType":"fromGmail","summary":"videoLink"}`, ""},
		{limits.Google, `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":"hangoutsMeet"}}}}`, ""},

		{limits.Documents, `{"x":1,"hangoutLink":"a"}`, "/hangoutLink: "},
		{limits.Documents, `{"eventType":"fromGmail"}`, `/eventType: The value is "fromGmail". That is the name of fromMail in the dialect google.`},
		{limits.Documents, `{"conferenceData":{"conferenceSolution":{"key":{"type":"hangoutsMeet"}}}}`, "/conferenceData/conferenceSolution/key/type: "},
		{limits.Documents, `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":"eventHangout"}}}}`, "/conferenceData/createRequest/conferenceSolutionKey/type: "},
		{limits.Google, `{"videoLink":"a"}`, "That is the name of hangoutLink in the dialect documents."},
		{limits.Google, `{"eventType":"fromMail"}`, `/eventType: The value is "fromMail". That is the name of fromGmail in the dialect documents.`},
		{limits.Google, `{"conferenceData":{"conferenceSolution":{"key":{"type":"eventNamedVideo"}}}}`, "That is the name of eventNamedHangout"},
		{limits.Google, `{"summary":5}`, "/summary: "},
	} {
		_, err := readStored([]byte(test.text), test.in)
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in the dialect %s: error %v, want %q", test.text, test.in, err, test.want)
		}
	}
}
