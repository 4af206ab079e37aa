package command

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
)

// A stored event in a file has the names of one dialect.
func TestReadStored(t *testing.T) {
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
		{diag.Documents, `{"eventType":"fromGmail"}`, `/eventType: the value "fromGmail" is the name of fromMail in the dialect google`},
		{diag.Documents, `{"conferenceData":{"conferenceSolution":{"key":{"type":"hangoutsMeet"}}}}`, "/conferenceData/conferenceSolution/key/type: "},
		{diag.Documents, `{"conferenceData":{"createRequest":{"conferenceSolutionKey":{"type":"eventHangout"}}}}`, "/conferenceData/createRequest/conferenceSolutionKey/type: "},
		{diag.Google, `{"videoLink":"a"}`, "That is the name in the dialect documents; use hangoutLink."},
		{diag.Google, `{"eventType":"fromMail"}`, `/eventType: the value "fromMail" is the name of fromGmail in the dialect documents`},
		{diag.Google, `{"conferenceData":{"conferenceSolution":{"key":{"type":"eventNamedVideo"}}}}`, "is the name of eventNamedHangout"},
		{diag.Google, `{"summary":5}`, "/summary: "},
	} {
		_, err := readStored([]byte(test.text), test.in)
		if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in the dialect %s: error %v, want %q", test.text, test.in, err, test.want)
		}
	}
}
