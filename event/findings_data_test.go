package event_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// data is what a finding says to a program.
type data struct{ Value, Limit, Suggestion string }

// A finding says as data what its message says as a sentence.
func TestFindingData(t *testing.T) {
	for _, test := range []struct {
		member string // beside start and end
		param  operation.Params
		path   diag.Pointer
		want   data
	}{
		{member: `"status":"canceled"`, path: "/status", want: data{Value: "canceled", Limit: "confirmed, tentative or cancelled", Suggestion: "cancelled"}},
		{member: `"status":"?"`, path: "/status", want: data{Value: "?", Limit: "confirmed, tentative or cancelled"}},
		{member: `"sequence":-1`, path: "/sequence", want: data{Value: "-1", Limit: "0 or more"}},
		{member: `"sequence":"1"`, path: "/sequence", want: data{Value: `"1"`, Limit: "an integer"}},
		{member: `"sequence":9223372036854775808`, path: "/sequence", want: data{Value: "9223372036854775808", Limit: "a 64-bit signed integer"}},
		{member: `"sumary":"Lunch"`, path: "/sumary", want: data{Value: "sumary", Suggestion: "summary"}},
		{member: `"attendees":[{}]`, path: "/attendees/0/email", want: data{Limit: "a valid RFC 5322 address"}},
		{member: `"kind":"event"`, path: "/kind", want: data{Value: "event", Limit: "calendar#event"}},
		{member: `"extendedProperties":{"private":{"` + strings.Repeat("k", 45) + `":""}}`, path: diag.Pointer("/extendedProperties/private/" + strings.Repeat("k", 45)),
			want: data{Value: strings.Repeat("k", 45), Limit: "44"}},
		{param: operation.Params{"sendUpdates": {"external"}}, path: "?sendUpdates", want: data{Value: "external", Limit: "all, externalOnly or none"}},
		{param: operation.Params{"maxAttendees": {"0"}}, path: "?maxAttendees", want: data{Value: "0", Limit: "1 or more"}},
		{param: operation.Params{"sendupdates": {"all"}}, path: "?sendupdates", want: data{Value: "sendupdates", Suggestion: "sendUpdates"}},
		{member: `"end":{"date":"2026-03-09"}`, path: "/end", want: data{}},
	} {
		t.Run(string(test.path), func(t *testing.T) {
			members := timed
			if test.member != "" {
				members += "," + test.member
			}
			findings := must(event.Find(&event.Request{Op: operation.EventsInsert, Params: test.param, Body: []byte("{" + members + "}")}))
			for _, f := range findings {
				if f.Path != test.path {
					continue
				}
				if diff := cmp.Diff(test.want, data{Value: f.Value(), Limit: f.Limit(), Suggestion: f.Suggestion()}); diff != "" {
					t.Errorf("%s\n(-want +got):\n%s", f, diff)
				}
				return
			}
			t.Errorf("no finding at %s: %v", test.path, findings)
		})
	}
}
