package event_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// statusLife is what becomes of the status of an event, a single one or an instance of a
// series, beside a plain model: the status, and whether there is a series.
type statusLife struct {
	stored   *event.Event
	status   string // as it is stored, never empty
	instance bool
}

func (l *statusLife) begin(t *rapid.T) {
	l.instance = rapid.Bool().Draw(t, "instance")
	l.status = rapid.SampledFrom([]string{"confirmed", "tentative", "cancelled"}).Draw(t, "status")
	members := storedTimed + `,"summary":"Standup","status":` + quoted(l.status)
	if l.instance {
		members += `,"recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`
	}
	l.stored = read(t, object(members))
}

// write sends a status by patch or update; null, and in an update no status, is the default.
func (l *statusLife) write(t *rapid.T) {
	to := rapid.SampledFrom([]string{`"confirmed"`, `"tentative"`, `"cancelled"`, `null`, ``}).Draw(t, "status")
	op := rapid.SampledFrom([]operation.ID{operation.EventsPatch, operation.EventsUpdate}).Draw(t, "operation")
	next := map[string]string{`"tentative"`: "tentative", `"cancelled"`: "cancelled"}[to]
	if next == "" {
		next = "confirmed"
	}
	if to == "" && op == operation.EventsPatch {
		next = l.status
	}
	members := timed + `,"summary":"Standup"`
	if to != "" {
		members += `,"status":` + to
	}
	req := &event.Request{Op: op, Existing: l.stored, Body: json.RawMessage(object(members))}
	strict := rapid.Bool().Draw(t, "strict") // a caller who lets no such write through
	if strict {
		req.Grade = map[string]string{"status.unspecified": "reject"}
	}
	result := event.Check(req)
	changes := next != l.status
	if got := findingsOf(result, "status.unspecified"); got != changes || result.Accepted == (strict && changes) {
		t.Fatalf("%s from %s to %s: %v, accepted %t", op, l.status, next, result.Findings, result.Accepted)
	}
	if result.Accepted {
		l.stored, l.status = result.Stored, next
	}
}

func findingsOf(result event.Result, id string) bool {
	for _, f := range result.Findings {
		if f.Rule.ID == id {
			return true
		}
	}
	return false
}

// refuse sends what is no status.
func (l *statusLife) refuse(t *rapid.T) {
	to := rapid.SampledFrom([]string{`"Cancelled"`, `"canceled"`, `"deleted"`}).Draw(t, "status")
	result := event.Check(&event.Request{Op: operation.EventsPatch, Existing: l.stored, Body: json.RawMessage(object(`"status":` + to))})
	if result.Accepted || !findingsOf(result, "event.status.enum") || findingsOf(result, "status.unspecified") {
		t.Fatalf("a patch with the status %s: %v", to, result.Findings)
	}
}

func (l *statusLife) remove(t *rapid.T) {
	result := event.Check(&event.Request{Op: operation.EventsDelete, Existing: l.stored})
	if !result.Accepted {
		t.Fatalf("delete of a %s event: %v", l.status, result.Findings)
	}
	l.stored, l.status = result.Stored, "cancelled"
}

// reading is a way of reading an event, with what it shows of one that is cancelled.
type reading struct {
	op     operation.ID
	params operation.Params
	shows  string
}

// What a reading shows of a cancelled event.
const (
	nothing     = "nothing"
	whatIsSure  = "what is guaranteed"
	wholeEvents = "all"
)

// readings are all of them: get shows everything, list hides a cancelled event unless it asks
// for deleted ones or is an incremental sync, which shows the bare event.
var readings = []reading{
	{operation.EventsGet, nil, wholeEvents},
	{operation.EventsList, nil, nothing},
	{operation.EventsList, operation.Params{"showDeleted": {"true"}}, wholeEvents},
	{operation.EventsList, operation.Params{"showDeleted": {"false"}}, nothing},
	{operation.EventsList, operation.Params{"syncToken": {"t"}}, whatIsSure},
	{operation.EventsList, operation.Params{"updatedMin": {"2026-01-01T00:00:00Z"}}, whatIsSure},
	{operation.EventsList, operation.Params{"syncToken": {"t"}, "showDeleted": {"false"}}, whatIsSure},
	{operation.EventsList, operation.Params{"syncToken": {"t"}, "showDeleted": {"true"}}, wholeEvents},
	{operation.EventsList, operation.Params{"updatedMin": {"2026-01-01T00:00:00Z"}, "showDeleted": {"true"}}, wholeEvents},
	{operation.Response, nil, wholeEvents},
}

// check holds what is stored, and what one of the readings shows of it, to the model.
func (l *statusLife) check(t *rapid.T) {
	r := rapid.SampledFrom(readings).Draw(t, "reading")
	req := &event.Request{Op: r.op, Params: r.params, Existing: l.stored}
	if r.op == operation.Response {
		req.Existing, req.Event = nil, l.stored
	}
	result := event.Check(req)
	var got any
	if result.Event != nil {
		got = value(t, []byte(text(t, result.Event)))
	}
	if diff := cmp.Diff(l.shown(t, r), got); diff != "" || !result.Accepted {
		t.Fatalf("%s with %v of a %s event: %v (-model +shown):\n%s", r.op, r.params, l.status, result.Findings, diff)
	}
}

// shown is what a reading shows of the event, as a JSON value.
func (l *statusLife) shown(t *rapid.T, r reading) any {
	whole, ok := value(t, []byte(text(t, l.stored))).(map[string]any)
	if !ok || whole["status"] != l.status && (whole["status"] != nil || l.status != "confirmed") || whole["summary"] != "Standup" {
		t.Fatalf("stored is %v, want the status %s", whole, l.status)
	}
	switch {
	case l.status != "cancelled" || r.shows == wholeEvents:
		return whole
	case r.shows == nothing:
		return nil
	case l.instance:
		return map[string]any{"id": "abc12def", "status": "cancelled", "recurringEventId": "series1", "originalStartTime": whole["originalStartTime"]}
	default:
		return map[string]any{"id": "abc12def", "status": "cancelled"}
	}
}

func TestStatusLife(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := &statusLife{}
		l.begin(t)
		t.Repeat(map[string]func(*rapid.T){
			"write":  l.write,
			"refuse": l.refuse,
			"delete": l.remove,
			"":       l.check,
		})
	})
}
