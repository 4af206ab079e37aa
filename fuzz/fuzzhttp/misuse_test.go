package fuzzhttp_test

import (
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/fuzz/rtdbfuzz"
	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/operation"
)

// TestMisuse calls the functions with nil, the zero value and what is not an address.
func TestMisuse(t *testing.T) {
	insert := &event.Request{Op: operation.EventsInsert}
	surface.CheckMisuse(t, ".", map[string]func(t *testing.T){
		"NewDatabaseRequest": func(t *testing.T) {
			if r, err := fuzzhttp.NewDatabaseRequest("https://example.com", nil); r != nil || err == nil {
				t.Error("a request of nothing")
			}
			if r, err := fuzzhttp.NewDatabaseRequest("\x7f", rtdbfuzz.Request().Example(1)); r != nil || err == nil {
				t.Error("a request to no address")
			}
		},
		"NewRequest": func(t *testing.T) {
			for _, c := range []struct {
				base, calendar string
				req            *event.Request
			}{
				{"https://example.com", "a", nil},
				{"https://example.com", "a", &event.Request{}},
				{"https://example.com", "a", &event.Request{Op: operation.Response}},
				{"https://example.com", "a", &event.Request{Op: operation.EventsGet, Existing: &event.Event{}}},
				{"https://example.com", "", insert},
				{"\x7f", "a", insert},
			} {
				if r, err := fuzzhttp.NewRequest(c.base, c.calendar, c.req); err == nil || r != nil {
					t.Errorf("%q, %q, %v: no error", c.base, c.calendar, c.req)
				}
			}
		},
	}, nil)
}
