package schema

import (
	"encoding/json"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/resource"
	"github.com/calrules/calrules/operation"
)

// returned lists, for each resource other than an event, an operation that returns the resource in its body.
var returned = []operation.ID{"calendars.insert", "calendarList.insert", "acl.insert", "events.watch"}

// answerParts returns the schemas of the forms that occur only in responses from the public service.
func answerParts() Object {
	of := Object{}
	for name, form := range resource.Forms() {
		of[name] = schemaOf(form)
	}
	return of
}

func schemaOf(f *resource.Form) Object {
	switch {
	case f == nil:
		return Object{}
	case f.Ref != "":
		return part(f.Ref)
	case f.Type == resource.Time:
		return Object{"type": "string", "format": "date-time", "pattern": stampPattern}
	case f.Type == "array":
		return Object{"type": "array", "items": schemaOf(f.Each)}
	case f.Each != nil:
		return Object{"type": "object", "additionalProperties": schemaOf(f.Each)}
	case f.Members == nil:
		return Object{"type": f.Type}
	}
	members := Object{}
	for name, member := range f.Members {
		members[name] = schemaOf(member)
	}
	return Object{"type": "object", "properties": members}
}

func part(name string) Object { return Object{"$ref": componentsAt + name} }

// responses returns the Responses Object for an operation. The documents do not state the status for an accepted request, so
// responses uses the status that the public service returns: 200, or 204 for an empty response.
func responses(op *operation.Operation, d diag.Dialect) Object {
	described := Object{}
	switch name := resource.AnswerTo(op.When); {
	case name == resource.Event:
		described["200"] = Object{"description": "The event.", "content": content(part("Event"))}
	case d != diag.Google:
	case name != "":
		described["200"] = Object{"description": "The answer.", "content": content(part(name))}
	default:
		described["204"] = Object{"description": "The answer is empty."}
	}
	if d == diag.Google {
		described["default"] = Object{"description": "An error.", "content": content(part("Error"))}
	} else {
		described["default"] = Object{"description": "Any other answer. The documents do not show it."}
	}
	return described
}

const channelExample = `{"id":"01234567-89ab-cdef-0123-456789abcdef","type":"web_hook","address":"https://example.com/notifications"}`

// bodyExamples contains example bodies by operation. Events use only names and values that are the same in both dialects. Other
// resources have an example here only if no rule provides one.
var bodyExamples = map[operation.ID]string{
	operation.EventsInsert: `{"summary":"Planning","start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Europe/Berlin"},` +
		`"end":{"dateTime":"2026-03-10T10:00:00","timeZone":"Europe/Berlin"},"recurrence":["RRULE:FREQ=WEEKLY;COUNT=10"],` +
		`"attendees":[{"email":"ada@example.com"}],"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]}}`,
	operation.EventsImport: `{"iCalUID":"20260310-1@example.com","summary":"Planning","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
	operation.EventsUpdate: `{"summary":"Planning","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
	operation.EventsPatch:  `{"location":"Room 4"}`,

	"calendars.update":    `{"summary":"Team","timeZone":"Europe/Berlin"}`,
	"acl.patch":           `{"role":"reader"}`,
	"acl.update":          `{"role":"reader","scope":{"type":"user","value":"ada@example.com"}}`,
	"calendarList.patch":  `{"hidden":true}`,
	"calendarList.update": `{"summaryOverride":"Team","selected":true}`,
	"acl.watch":           channelExample,
	"calendarList.watch":  channelExample,
	"settings.watch":      channelExample,
}

// example returns an example body for an operation: from bodyExamples or, failing that, from the good example of a rule.
func example(op *operation.Operation, d diag.Dialect) json.RawMessage {
	if text, ok := bodyExamples[op.ID]; ok {
		return json.RawMessage(text)
	}
	for r := range event.Catalogue().All() {
		if !r.HoldsIn(d) {
			continue
		}
		var good struct {
			Op   operation.ID    `json:"op"`
			Body json.RawMessage `json:"body"`
		}
		if json.Unmarshal([]byte(r.Good.Example().Request), &good) == nil && good.Op == op.ID && good.Body != nil {
			return good.Body
		}
	}
	return nil
}
