package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// The findings of a Go value have the order that those of its text have.
func TestFindingsOfValueAreInOrder(t *testing.T) {
	e := read(t, `{"id":"!","status":"x","recurrence":["RRULE:FREQ=DAILY;COUNT=0"],"attendees":[{"email":"x"},{"email":""}],"start":{"date":"2026-03-10","timeZone":"x"},"end":{"date":"2026-03-09"}}`)
	list := func(req *event.Request) (all []string) {
		for _, f := range must(event.Find(req)) {
			all = append(all, f.Rule.ID+" "+string(f.Path))
		}
		return all
	}
	got := list(&event.Request{Op: operation.EventsInsert, Event: e})
	want := list(&event.Request{Op: operation.EventsInsert, Body: e.AppendIn(diag.Documents, nil)})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-text +value):\n%s", diff)
	}
}

// Findings about one place keep the order in which they were reported, however many there are.
func TestFindingsOfParametersAreInOrder(t *testing.T) {
	params := operation.Params{}
	var want []string
	for i := range 30 {
		name := fmt.Sprintf("x%02d", i)
		params[name] = []string{"1"}
		want = append(want, "?"+name)
	}
	req := &event.Request{Op: operation.EventsInsert, Params: params, Body: []byte(object(timed))}
	var got []string
	for _, f := range must(event.Find(req)) {
		if strings.HasPrefix(string(f.Path), "?x") {
			got = append(got, string(f.Path))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}
