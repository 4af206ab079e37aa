package schema

import (
	"encoding/json"
	"maps"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// returningEvent are the operations that return an event.
const returningEvent = diag.Write | diag.Get | diag.Move | diag.QuickAdd

// returned are operations that return what they take, one for each resource other than an event.
var returned = []operation.ID{"calendars.insert", "calendarList.insert", "acl.insert", "events.watch"}

// answers are the schemas of the answers in the public service, by operation. Operations that are missing have an empty
// answer. Source: the reference of the public service.
var answers = map[operation.ID]string{
	"acl.get": "ACLRule", "acl.insert": "ACLRule", "acl.patch": "ACLRule", "acl.update": "ACLRule",
	"acl.list": "ACLRules", "acl.watch": "Channel",
	"calendarList.get": "CalendarListEntry", "calendarList.insert": "CalendarListEntry", "calendarList.patch": "CalendarListEntry",
	"calendarList.update": "CalendarListEntry", "calendarList.list": "CalendarList", "calendarList.watch": "Channel",
	"calendars.get": "Calendar", "calendars.insert": "Calendar", "calendars.patch": "Calendar", "calendars.update": "Calendar",
	"colors.get":  "Colors",
	"events.list": "Events", "events.instances": "Events", "events.watch": "Channel",
	"freebusy.query": "FreeBusyAnswer",
	"settings.get":   "Setting", "settings.list": "Settings", "settings.watch": "Channel",
}

// answerParts returns the schemas of answers that no operation takes, in the public service.
func answerParts() Object {
	list := func(items string, more Object) Object {
		of := texts("kind", "etag", "nextPageToken", "nextSyncToken")
		of["items"] = Object{"type": "array", "items": part(items)}
		maps.Copy(of, more)
		return object(of)
	}
	time := Object{"type": "string", "format": "date-time", "pattern": stampPattern}
	faults := Object{"type": "array", "items": part("FreeBusyError")}
	mapOf := func(schema Object) Object { return Object{"type": "object", "additionalProperties": schema} }
	return Object{
		"ACLRules":     list("ACLRule", nil),
		"CalendarList": list("CalendarListEntry", nil),
		"Settings":     list("Setting", nil),
		"Setting":      object(texts("kind", "etag", "id", "value")),
		"Events": list("Event", Object{
			"summary": text(), "description": text(), "timeZone": text(), "accessRole": text(), "updated": time,
			"defaultReminders": Object{"type": "array", "items": part("Reminder")},
		}),
		"Colors":         object(Object{"kind": text(), "updated": time, "calendar": mapOf(part("Color")), "event": mapOf(part("Color"))}),
		"Color":          object(texts("background", "foreground")),
		"FreeBusyAnswer": object(Object{"kind": text(), "timeMin": time, "timeMax": time, "calendars": mapOf(part("FreeBusyCalendar")), "groups": mapOf(part("FreeBusyGroup"))}),
		"FreeBusyCalendar": object(Object{
			"errors": faults, "busy": Object{"type": "array", "items": object(Object{"start": time, "end": time})},
		}),
		"FreeBusyGroup": object(Object{"errors": faults, "calendars": Object{"type": "array", "items": text()}}),
		"FreeBusyError": object(texts("domain", "reason")),
		"Error": object(Object{"error": object(Object{
			"code": Object{"type": "integer"}, "message": text(), "status": text(),
			"errors": Object{"type": "array", "items": object(texts("domain", "reason", "message", "locationType", "location"))},
		})}),
	}
}

func text() Object { return Object{"type": "string"} }

func object(properties Object) Object { return Object{"type": "object", "properties": properties} }

// texts returns the schemas of members that are strings.
func texts(names ...string) Object {
	of := Object{}
	for _, name := range names {
		of[name] = text()
	}
	return of
}

func part(name string) Object { return Object{"$ref": componentsAt + name} }

// responses returns the Responses Object of an operation.
func responses(op *operation.Operation, d diag.Dialect) Object {
	described := Object{}
	switch name := answers[op.ID]; {
	case returningEvent.Has(op.When):
		described["2XX"] = Object{"description": "The event.", "content": content(part("Event"))}
	case d != diag.Google:
	case name != "":
		described["2XX"] = Object{"description": "The answer.", "content": content(part(name))}
	default:
		described["2XX"] = Object{"description": "The answer is empty."}
	}
	if d == diag.Google {
		described["default"] = Object{"description": "An error.", "content": content(part("Error"))}
	} else {
		described["default"] = Object{"description": "Any other answer. The documents do not show it."}
	}
	return described
}

// channelExample is an example of a channel.
const channelExample = `{"id":"01234567-89ab-cdef-0123-456789abcdef","type":"web_hook","address":"https://example.com/notifications"}`

// bodyExamples are examples of bodies, by operation: of events, whose names and values are the same in both dialects, and of
// other resources if no rule has one for the operation.
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

// example returns an example of the body of an operation: of bodyExamples or, if they have none, the good example of the
// first rule that has one.
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
		if json.Unmarshal([]byte(r.Good.Request), &good) == nil && good.Op == op.ID && good.Body != nil {
			return good.Body
		}
	}
	return nil
}
