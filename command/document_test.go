package command

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
)

// A stored event in a file has the names of one dialect.
func TestStoredEvent(t *testing.T) {
	for _, test := range []struct {
		in   diag.Dialect
		text string
		want string // in the error; empty for none
	}{
		{diag.Documents, `{}`, ""},
		{diag.Documents, `{"videoLink":"a","eventType":"fromMail","hangoutlink":1,"x":"fromGmail","attendees":[{"hangoutLink":1}]}`, ""},
		{diag.Documents, `{"conferenceData":{"conferenceSolution":{},"createRequest":{}}}`, ""},
		{diag.Documents, `{"conferenceData":{"conferenceSolution":{"key":{"type":"videoMeet"}}}}`, ""},
		{diag.Documents, `{"summary":"hangoutLink","eventType":"hangout"}`, ""},
		{diag.Documents, `{"eventType":"hangoutsMeet","conferenceData":{"conferenceSolution":{"key":{"type":"hangoutLink"}}}}`, ""},
		{diag.Google, `{"hangoutLink":"a","eventType":"fromGmail","summary":"videoLink"}`, ""},
		{diag.Google, `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":"hangoutsMeet"}}}}`, ""},

		{diag.Documents, `{"x":1,"hangoutLink":"a"}`, "/hangoutLink: "},
		{diag.Documents, `{"eventType":"fromGmail"}`, `/eventType: The eventType is "fromGmail". That is the name in the dialect google. Use fromMail.`},
		{diag.Documents, `{"conferenceData":{"conferenceSolution":{"key":{"type":"hangoutsMeet"}}}}`, "/conferenceData/conferenceSolution/key/type: "},
		{diag.Documents, `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":"eventHangout"}}}}`, "/conferenceData/createRequest/conferenceSolutionKey/type: "},
		{diag.Google, `{"videoLink":"a"}`, "That is the name in the dialect documents. Use hangoutLink."},
		{diag.Google, `{"eventType":"fromMail"}`, `/eventType: The eventType is "fromMail". That is the name in the dialect documents. Use fromGmail.`},
		{diag.Google, `{"conferenceData":{"conferenceSolution":{"key":{"type":"eventNamedVideo"}}}}`, "Use eventNamedHangout"},
		{diag.Google, `{"summary":5}`, "/summary: "},
	} {
		_, err := (&console{reading: reading{dialect: test.in}}).event(document{text: []byte(test.text)})
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in the dialect %s: error %v, want %q", test.text, test.in, err, test.want)
		}
	}
}
