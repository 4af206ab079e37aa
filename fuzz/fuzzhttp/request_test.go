package fuzzhttp_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/operation"
)

const base = "https://calendar.example.com/v3/"

func TestNewRequest(t *testing.T) {
	for _, c := range []struct {
		req    event.Request
		method string
		url    string
		body   string
		header http.Header
	}{
		{event.Request{Op: operation.EventsInsert, Body: []byte("{"), Params: operation.Params{"sendUpdates": {"all"}}},
			"POST", "calendars/a%2Fb@example.com/events?sendUpdates=all", "{", http.Header{"Content-Type": {"application/json"}}},
		{event.Request{Op: operation.EventsPatch, Body: []byte("{}"), Existing: &event.Event{ID: "e/1"}, IfMatch: "*"},
			"PATCH", "calendars/a%2Fb@example.com/events/e%2F1", "{}", http.Header{"Content-Type": {"application/json"}, "If-Match": {"*"}}},
		{event.Request{Op: operation.EventsDelete}, "DELETE", "calendars/a%2Fb@example.com/events/unknown1", "", http.Header{}},
	} {
		req, err := fuzzhttp.NewRequest(base, "a/b@example.com", &c.req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(req.Body)
		if err != nil || req.Method != c.method || req.URL.String() != base+c.url || string(body) != c.body {
			t.Errorf("%s %s with %q, want %s %s with %q", req.Method, req.URL, body, c.method, base+c.url, c.body)
		}
		if diff := cmp.Diff(c.header, req.Header); diff != "" {
			t.Errorf("%s: header (-want +got):\n%s", c.req.Op, diff)
		}
	}
}

func TestNewRequestErrors(t *testing.T) {
	for name, c := range map[string]struct {
		base string
		op   operation.ID
	}{"operation": {base, "events.fly"}, "representation": {base, operation.Response}, "base URL": {"://", operation.EventsGet}} {
		if req, err := fuzzhttp.NewRequest(c.base, "primary", &event.Request{Op: c.op}); err == nil {
			t.Errorf("%s: there is a request to %s", name, req.URL)
		}
	}
}

// TestRequestsResolve checks that the method and the path of every request lead back to its operation.
func TestRequestsResolve(t *testing.T) {
	payloads, err := fuzz.Mix{InvalidShare: 0.5, OverHTTP: true}.Generator()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := payloads.Draw(t, "payload")
		req, err := fuzzhttp.NewRequest(base, "primary", p.Event)
		if err != nil {
			t.Fatal(err)
		}
		match, ok := operation.Resolve(req.Method, req.URL.EscapedPath()[len("/v3"):])
		if !ok || match.Operation.ID != p.Event.Op {
			t.Fatalf("%s %s is resolved as %v", req.Method, req.URL, match)
		}
	})
}
