package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// statusLife is an event, single or an instance of a series, and a simple model of its status.
type statusLife struct {
	stored   *event.Event
	status   string // never empty
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

// write sends a status by patch or update. Null, and absence in an update, mean the default.
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
	req := &event.Request{Op: op, Existing: l.stored, Body: []byte(object(members))}
	var checker event.Checker
	strict := rapid.Bool().Draw(t, "strict") // the caller rejects unspecified changes
	if strict {
		checker.Grading = diag.Grading{Rules: map[string]diag.Grade{"status.unspecified": diag.ToReject}}
	}
	result := must(checker.Check(req))
	changes := next != l.status
	if got := hasFinding(result, "status.unspecified"); got != changes || result.Accepted == (strict && changes) {
		t.Fatalf("%s from %s to %s: %v, accepted %t", op, l.status, next, result.Findings, result.Accepted)
	}
	if result.Accepted {
		l.stored, l.status = result.Stored, next
	}
}

func hasFinding(result event.Result, id string) bool {
	for _, f := range result.Findings {
		if f.Rule.ID == id {
			return true
		}
	}
	return false
}

// reject sends an invalid status.
func (l *statusLife) reject(t *rapid.T) {
	to := rapid.SampledFrom([]string{`"Cancelled"`, `"canceled"`, `"deleted"`}).Draw(t, "status")
	result := must(event.Check(&event.Request{Op: operation.EventsPatch, Existing: l.stored, Body: []byte(object(`"status":` + to))}))
	if result.Accepted || !hasFinding(result, "event.status.enum") || hasFinding(result, "status.unspecified") {
		t.Fatalf("a patch with the status %s: %v", to, result.Findings)
	}
}

func (l *statusLife) remove(t *rapid.T) {
	result := must(event.Check(&event.Request{Op: operation.EventsDelete, Existing: l.stored}))
	if gone := l.status == "cancelled"; gone || !result.Accepted {
		if gone && !result.Accepted && hasFinding(result, "status.delete.gone") {
			return
		}
		t.Fatalf("delete of a %s event: %v", l.status, result.Findings)
	}
	l.stored, l.status = result.Stored, "cancelled"
}

// reading is a way to read an event, and what it returns for a cancelled one.
type reading struct {
	op     operation.ID
	params operation.Params
	shows  string
}

// What a reading returns for a cancelled event.
const (
	nothing     = "nothing"
	guaranteed  = "the guaranteed members"
	wholeEvents = "everything"
)

// readings are all ways to read: get returns everything, and list leaves a cancelled event out unless
// it asks for deleted ones or is an incremental sync, which returns the guaranteed members.
var readings = []reading{
	{operation.EventsGet, nil, wholeEvents},
	{operation.EventsList, nil, nothing},
	{operation.EventsList, operation.Params{"showDeleted": {"true"}}, wholeEvents},
	{operation.EventsList, operation.Params{"showDeleted": {"false"}}, nothing},
	{operation.EventsList, operation.Params{"syncToken": {"t"}}, guaranteed},
	{operation.EventsList, operation.Params{"updatedMin": {"2026-01-01T00:00:00Z"}}, guaranteed},
	{operation.EventsList, operation.Params{"updatedMin": {"2026-01-01T00:00:00Z"}, "showDeleted": {"false"}}, guaranteed},
	{operation.EventsList, operation.Params{"syncToken": {"t"}, "showDeleted": {"true"}}, wholeEvents},
	{operation.EventsList, operation.Params{"updatedMin": {"2026-01-01T00:00:00Z"}, "showDeleted": {"true"}}, wholeEvents},
	{operation.Response, nil, wholeEvents},
}

// check compares the stored event, and what one of the readings returns, with the model.
func (l *statusLife) check(t *rapid.T) {
	r := rapid.SampledFrom(readings).Draw(t, "reading")
	req := &event.Request{Op: r.op, Params: r.params, Existing: l.stored}
	if r.op == operation.Response {
		req.Existing, req.Event = nil, l.stored
	}
	result := must(event.Check(req))
	var got any
	if result.Answer != nil {
		got = value(t, []byte(text(t, result.Answer)))
	}
	if diff := cmp.Diff(l.shown(t, r), got); diff != "" || !result.Accepted {
		t.Fatalf("%s with %v of a %s event: %v (-model +shown):\n%s", r.op, r.params, l.status, result.Findings, diff)
	}
}

// shown returns what a reading should return, as a JSON value.
func (l *statusLife) shown(t *rapid.T, r reading) any {
	whole, ok := value(t, []byte(text(t, l.stored))).(map[string]any)
	if !ok || whole["status"] != l.status && (whole["status"] != nil || l.status != "confirmed") || whole["summary"] != "Standup" {
		t.Fatalf("the stored event is %v, want the status %s", whole, l.status)
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
			"reject": l.reject,
			"delete": l.remove,
			"":       l.check,
		})
	})
}
