package fuzz_test

import (
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// TestUncheckedEventsDoNotPanic passes broken events to the functions of package event in every role: as the stored event, as
// the series of an instance and as its exceptions. Callers may believe that these are valid.
func TestUncheckedEventsDoNotPanic(t *testing.T) {
	aboutValues(t)
	last := new(event.Event)
	for i, rule := range fuzz.Rules(diag.Documents) {
		payload := fuzz.Violating(diag.Documents, rule).Example(i)
		broken := decode(payload.Event.Body)
		for _, pair := range [][2]*event.Event{{broken, last}, {last, broken}, {broken, broken}, {broken, payload.Event.Existing}} {
			if pair[0] != nil && pair[1] != nil {
				useUnchecked(t, pair[0], pair[1], payload.Event.Body)
			}
		}
		last = broken
	}
}

// useUnchecked calls the functions that take two events.
func useUnchecked(t *testing.T, a, b *event.Event, body []byte) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("panic: %v, of %s\nand %s\nand the body %s", p, a, b, body)
		}
	}()
	a, b = a.Clone(), b.Clone()
	b.RecurringEventID = a.ID
	for _, w := range []event.Window{{}, {From: time.Date(2026, 3, 11, 0, 0, 0, 0, time.UTC), Cancelled: true}} {
		n := 0
		for range (event.Series{Event: a, Exceptions: []*event.Event{b}}).Instances(w) {
			if n++; n == 3 {
				break
			}
		}
		_, _ = event.Series{Event: a, Exceptions: []*event.Event{b}}.Last(w)
		_, _ = event.Series{Event: a, Exceptions: []*event.Event{b}}.Count(w, 3)
	}
	a.Diff(b, diag.Documents)
	a.AfterUpdate(b).WithDefaults()
	_, _ = a.AfterPatch(body, diag.Documents)
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate, operation.EventsMove, operation.EventsInstances, operation.EventsGet, operation.Response} {
		must(event.Check(&event.Request{Op: op, Existing: a, Series: b, Body: body}))
		must(event.Check(&event.Request{Op: op, Existing: b, Series: a, Event: a}))
	}
}
