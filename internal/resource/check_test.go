package resource_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/resource"
)

// The conformance cases say which bodies are right. These bodies are for what no case can have: spellings of numbers that
// JSON parsers change, and sentences.
func TestCheck(t *testing.T) {
	const channel = `{"id":"c-1","type":"web_hook","address":"https://example.com/","expiration":`
	for _, test := range []struct {
		on   diag.When
		body string
		want []string
	}{
		{diag.ACLWatch, channel + `1.796e12}`, nil},
		{diag.ACLWatch, channel + `1796083200000.0}`, nil},
		{diag.ACLWatch, channel + `1e30}`, []string{`/expiration: The expiration is "1e30"; it must be the Unix time in milliseconds, in digits. [watch.channel]`}},
		{diag.ACLWatch, channel + `"\u0022"}`, []string{`/expiration: The expiration is "\""; it must be the Unix time in milliseconds, in digits. [watch.channel]`}},
		{diag.FreebusyQuery, `{"timeMin":"0001-01-01T00:00:00Z","timeMax":"9999-12-31T00:00:00Z"}`, []string{
			"/timeMax: The range covers 3652058 days; the public service refuses more than about 90. Send several queries. [freebusy.range]"}},
		{diag.FreebusyQuery, `{"timeMin":"2026-12-01T00:00:00Z","timeMax":"2027-03-01T00:00:00.1Z"}`, []string{
			"/timeMax: The range covers 91 days; the public service refuses more than about 90. Send several queries. [freebusy.range]"}},
	} {
		request := resource.Request{On: test.on, Dialect: diag.Google, Body: []byte(test.body), Query: func(string) string { return "" }}
		var got []string
		for _, f := range request.Check() {
			got = append(got, f.String())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.body, diff)
		}
	}
}

// The service writes what the rule calendar-list.read-only says.
func TestReadOnly(t *testing.T) {
	got := resource.ReadOnly(diag.CalendarListPatch)
	slices.Sort(got)
	want := []string{"accessRole", "autoAcceptInvitations", "dataOwner", "deleted", "description", "location", "primary", "summary", "timeZone"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
