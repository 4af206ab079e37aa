package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// What stands in the body and belongs into the query or the path is told to move there, and so is the reverse.
func TestMisplaced(t *testing.T) {
	const days = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for _, test := range []struct {
		op     operation.ID
		params operation.Params
		body   string
		want   []string // the keys of the sentences, with their places
	}{
		{operation.EventsInsert, nil, `{` + days + `,"sendUpdates":"all","calendarId":"primary","x":1,"source":{"sendUpdates":"all"}}`,
			[]string{"/sendUpdates in-query", "/calendarId in-path", "/x unknown", "/source/sendUpdates unknown"}},
		{operation.EventsInsert, operation.Params{"summary": {"a"}, "hangoutLink": {"a"}, "videoLink": {"a"}, "calendarId": {"a"}, "x": {"a"}}, `{` + days + `}`,
			[]string{"?calendarId in-path", "?hangoutLink in-body", "?summary in-body", "?videoLink in-body", "?x unknown"}},
		{operation.EventsList, operation.Params{"summary": {"a"}}, ``, []string{"?summary unlisted"}},
		{operation.EventsMove, operation.Params{"destination": {"a"}, "eventId": {"a"}}, ``, []string{"?eventId in-path"}},
		{operation.EventsWatch, operation.Params{"address": {"a"}}, `{"id":"c-1","type":"web_hook","address":"https://example.com/n","timeMin":"2026-03-10T00:00:00Z"}`,
			[]string{"?address in-body", "/timeMin in-query"}},
		{"acl.insert", operation.Params{"role": {"reader"}}, `{"role":"reader","scope":{"type":"default"},"sendNotifications":true}`,
			[]string{"?role in-body", "/sendNotifications in-query"}},
	} {
		req := &event.Request{Op: test.op, Params: test.params, Dialect: diag.Google}
		if test.body != "" {
			req.Body = []byte(test.body)
		}
		found, err := event.Find(req)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range found {
			got = append(got, string(f.Path)+" "+f.Key)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s %v %s (-want +got):\n%s", test.op, test.params, test.body, diff)
		}
	}
}
