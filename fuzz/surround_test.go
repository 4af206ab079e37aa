package fuzz_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

// trait is a property of a request that does not depend on what is wrong with it.
type trait struct {
	name string
	in   func(req *event.Request) bool
}

// traits returns those of requests for the operation.
func traits(op operation.ID) []trait {
	list := []trait{
		{"caller", func(req *event.Request) bool { return req.Caller != nil }},
		{"caller's scopes", func(req *event.Request) bool { return req.Caller != nil && req.Caller.Scopes != nil }},
		{"service account", func(req *event.Request) bool { return req.Caller != nil && req.Caller.ServiceAccount != nil }},
		{"calendar", func(req *event.Request) bool { return req.Calendar != nil }},
		{"calendar's state", func(req *event.Request) bool { return req.Calendar != nil && req.Calendar.Status != "" }},
		{"calendar's labels", func(req *event.Request) bool { return req.Calendar != nil && req.Calendar.Labels != nil }},
	}
	row, _ := operation.Lookup(op)
	for _, p := range row.Params {
		list = append(list, trait{"parameter " + p.Name, func(req *event.Request) bool { return req.Params[p.Name] != nil }})
	}
	for _, eventType := range constraint.EventType.Values() {
		if eventType != "fromMail" { // of which most members cannot change
			list = append(list, trait{"type " + eventType, func(req *event.Request) bool { return eventTypeOf(req) == eventType }})
		}
	}
	if op == operation.EventsInsert {
		return append(list,
			trait{"no type", func(req *event.Request) bool { return eventTypeOf(req) == "" }},
			trait{"null", func(req *event.Request) bool { return bytes.Contains(req.Body, []byte(":null")) }})
	}
	return append(list,
		trait{"condition", func(req *event.Request) bool { return req.IfMatch != "" }},
		stored("locked", func(e *event.Event) bool { return e.Locked }),
		stored("cancelled", func(e *event.Event) bool { return e.Status == "cancelled" && e.Start != nil }),
		stored("instance", func(e *event.Event) bool { return e.RecurringEventID != "" && e.Start != nil }),
		stored("later member", func(e *event.Event) bool { return bytes.Contains(e.AppendJSON(nil), []byte(`"etagVersion":`)) }),
		trait{"series", func(req *event.Request) bool { return req.Series != nil }},
	)
}

func stored(name string, in func(e *event.Event) bool) trait {
	return trait{name, func(req *event.Request) bool { return req.Existing != nil && in(req.Existing) }}
}

// eventTypeOf returns the type of the stored or else of the sent event, which may be empty.
func eventTypeOf(req *event.Request) string {
	if req.Existing != nil {
		return req.Existing.EventType
	}
	var body struct{ EventType any }
	_ = json.Unmarshal(req.Body, &body) // a body that cannot be read has no type
	eventType, _ := body.EventType.(string)
	return eventType
}

// TestBrokenIsLikeValid checks that broken requests look like valid ones: at least a third as
// many of them have each trait, and at most three times as many.
func TestBrokenIsLikeValid(t *testing.T) {
	aboutValues(t)
	const draws = 1000
	for _, op := range []operation.ID{operation.EventsInsert, operation.EventsUpdate, operation.EventsPatch} {
		valid, broken := requestsOf(t, op, 0, draws), requestsOf(t, op, 1, draws)
		for _, trait := range traits(op) {
			of, among := count(valid, trait.in), count(broken, trait.in)
			if of == 0 || 3*among < of || among > 3*of {
				t.Errorf("%s, %s: %d of %d valid requests and %d of as many broken ones", op, trait.name, of, draws, among)
			}
		}
	}
}

// requestsOf draws requests for an operation, the same in every run.
func requestsOf(t *testing.T, op operation.ID, share float64, draws int) []*event.Request {
	t.Helper()
	payload, err := fuzz.Mix{Operations: []operation.ID{op}, InvalidShare: share}.Payloads(1)
	if err != nil {
		t.Fatal(err)
	}
	requests := make([]*event.Request, draws)
	for i := range requests {
		requests[i] = payload(i).Event
	}
	return requests
}

func count(requests []*event.Request, in func(*event.Request) bool) int {
	n := 0
	for _, req := range requests {
		if in(req) {
			n++
		}
	}
	return n
}

// crossed are rules about single members that do not depend on the event type, its state and the caller.
var crossed = []string{
	"event.status.enum", "event.visibility.enum", "event.sequence", "time.order", "time.zone.iana",
	"reminders.minutes", "reminders.method", "source.url", "json.unknown-field", "json.type", "json.duplicate-name",
}

// TestMemberRulesMeetEveryType checks that a rule about one member is broken in stored events of
// all types, and in new ones of the types that clients create.
func TestMemberRulesMeetEveryType(t *testing.T) {
	aboutValues(t)
	const draws = 250
	for _, rule := range crossed {
		for _, op := range []operation.ID{operation.EventsInsert, operation.EventsUpdate} {
			payloads, types := fuzz.Violating(diag.Documents, rule, op), map[string]bool{}
			for seed := 0; seed < draws && len(types) < len(constraint.EventType.Values()); seed++ {
				if eventType := eventTypeOf(payloads.Example(seed).Event); eventType != "" {
					types[eventType] = true
				}
			}
			for _, eventType := range constraint.EventType.Values() {
				if !types[eventType] && !slices.Contains(unmet(rule, op), eventType) {
					t.Errorf("%s on %s is never broken in an event of type %s", rule, op, eventType)
				}
			}
		}
	}
}

// unmet returns the types that a rule cannot meet: no client creates an event of type fromMail or changes more than some of its
// members, and the days of a birthday and the visibility of a working location have rules of their own.
func unmet(rule string, op operation.ID) []string {
	changedFromMail := []string{"event.status.enum", "reminders.minutes", "reminders.method", "json.type"}
	switch {
	case rule == "event.visibility.enum" && op == operation.EventsInsert:
		return []string{"fromMail", "workingLocation"}
	case rule == "event.visibility.enum":
		return []string{"workingLocation"}
	case rule == "time.order" || op == operation.EventsInsert && rule == "time.zone.iana":
		return []string{"fromMail", "birthday"}
	case op == operation.EventsInsert || !slices.Contains(changedFromMail, rule):
		return []string{"fromMail"}
	default:
		return nil
	}
}
