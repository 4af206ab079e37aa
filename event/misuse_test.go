package event_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/status"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"BodyFields": event.BodyFields, "Catalogue": event.Catalogue, "Check": event.Check, "Date": event.Date, "Decode": event.Decode,
		"DecodePage": event.DecodePage, "Fields": event.Fields, "Find": event.Find, "MergeJSON": event.MergeJSON, "OwnNames": event.OwnNames, "Pages": event.Pages, "TimeAt": event.TimeAt,
	}, event.Attachment{}, event.Attendee{}, event.Birthday{}, event.Calendar{}, event.Checker{}, event.CustomLocation{},
		event.Event{}, event.ExtendedProperties{}, event.FocusTime{}, event.Gadget{}, event.Instance{},
		event.OfficeLocation{}, event.OutOfOffice{}, event.Page{}, event.Person{}, event.Reminder{}, event.Reminders{},
		event.Request{}, event.Result{}, event.Series{}, event.Source{}, event.ServerFields{}, event.Time{}, event.Window{}, event.WorkingLocation{})
}

// A nil event is an empty one, and a nil checker one without options.
func TestNil(t *testing.T) {
	var e *event.Event
	for d := range diag.Dialect(3) {
		if got := string(e.AppendIn(d, nil)); got != "null" {
			t.Errorf("a nil event is written as %s in the dialect %v", got, d)
		}
	}
	if e.Clear("/summary") == nil || e.UnmarshalJSON([]byte("{}")) == nil || (*event.Time)(nil).UnmarshalJSON([]byte("{}")) == nil {
		t.Error("a nil event or time is written to")
	}
	if _, err := e.Length(nil); err == nil {
		t.Error("a nil event has a length")
	}
	if fmt.Sprint(e) != "<nil>" || e.Clone() != nil || e.WithDefaults() != nil || e.StatusMeaning() != status.Active {
		t.Error("a nil event is something")
	}
	if _, ok := (event.Series{}).Place(event.Date(2026, 3, 10)); ok {
		t.Error("a nil event has a place for a time")
	}
	if text, err := json.Marshal(e); err != nil || string(text) != "null" {
		t.Errorf("a nil event is encoded as %s, %v", text, err)
	}
	for name := range e.Unknown() {
		t.Errorf("a nil event has the member %s", name)
	}
	var c *event.Checker
	want := must(event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}))
	got := must(c.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(tenFaults)}))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("a nil checker differs from a zero one (-zero +nil):\n%s", diff)
	}
	if c.Catalogue() != event.Catalogue() {
		t.Error("a nil checker has other rules")
	}
	if with, err := c.WithRules(maxLength); err != nil || with.Catalogue().Lookup(maxLength.ID) != maxLength {
		t.Errorf("a nil checker with a rule: %v", err)
	}
}

// The checks refuse an unknown dialect. Everything else takes it for that of the documents.
func TestUnknownDialect(t *testing.T) {
	const unknown = diag.Dialect(9)
	valid := event.Request{Op: operation.EventsInsert, Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"videoLink":"x"}`)}
	other := valid
	other.Dialect = unknown
	for name, check := range map[string]func() (event.Result, error){
		"request":        func() (event.Result, error) { return event.Check(&other) },
		"checker":        func() (event.Result, error) { return (&event.Checker{Dialect: unknown}).Check(&valid) },
		"other, checker": func() (event.Result, error) { return (&event.Checker{Dialect: diag.Google}).Check(&other) },
	} {
		if result, err := check(); err == nil || !strings.Contains(err.Error(), "Dialect(9)") || result.Accepted {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if diff := cmp.Diff(valid.String(), other.String()); diff != "" {
		t.Errorf("the request is printed otherwise (-documents +unknown):\n%s", diff)
	}
	want, _ := event.Decode(valid.Body, diag.Documents)
	got, findings := event.Decode(valid.Body, unknown)
	if diff := cmp.Diff(want, got); diff != "" || len(findings) > 0 {
		t.Errorf("%v (-documents +unknown):\n%s", findings, diff)
	}
	if diff := cmp.Diff(string(got.AppendJSON(nil)), string(got.AppendIn(unknown, nil))); diff != "" {
		t.Errorf("the event is written otherwise (-documents +unknown):\n%s", diff)
	}
}
