package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	v, err := newValidator()
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, booking string
		want          []string // the paths and the rules of the findings
	}{
		{name: "right", booking: `{"room":"4","day":"2026-03-10","timeZone":"Europe/Berlin","repeat":["RRULE:FREQ=DAILY;COUNT=2"],
			"guests":[{"email":"ada@example.com"}],"remindMinutes":10}`},
		{name: "wrong", booking: `{"room":"","day":"2026-02-29","timeZone":"Berlin","repeat":["RRULE:FREQ=DAILY","RRULE:COUNT=2"],
			"guests":[{"email":"ada@example.com"},{}],"remindMinutes":-1}`,
			want: []string{
				"/room validator.required", "/day time.date.format", "/timeZone time.zone.iana", "/repeat/1 recurrence.rule.part",
				"/guests/1/email attendee.email.required", "/remindMinutes reminders.minutes",
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, findings, err := read(v, strings.NewReader(test.booking))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range findings {
				got = append(got, string(f.Path)+" "+f.Rule.ID)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
	if _, _, err := read(v, strings.NewReader(`{`)); err == nil {
		t.Error("a text that is not JSON has no error")
	}
}
