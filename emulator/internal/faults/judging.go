package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
)

// judging contains the faults of servers that do not check a rule, invent a rule, or send invalid responses.
var judging = []Fault{
	{"end-before-start-accepted", "An end before the start is stored.", ruleid.TimeOrder, accepts(writes, func(body object) bool {
		from, ok := start(body)
		to, ended := memberTime(body, "end")
		body["end"] = body["start"]
		return ok && ended && to.Before(from)
	})},
	{"end-missing-accepted", "An insert without an end lasts an hour.", ruleid.EventEndRequired, on(inserts, func(c *call) {
		if _, ok := start(c.sent); ok && c.sent["end"] == nil && text(c.sent, "start", "dateTime") != "" {
			body := clone(c.sent)
			body["end"] = clone(body)["start"]
			shift(body["end"].(object), time.Hour)
			c.body = encode(body)
		}
		c.pass()
	})},
	{"zone-accepted", "A timeZone that does not exist is stored.", ruleid.TimeZoneIANA, accepts(writes, func(body object) (fixed bool) {
		eachTime(func(t object) {
			if _, err := time.LoadLocation(text(t, "timeZone")); err != nil {
				t["timeZone"], fixed = "UTC", true
			}
		})(body, nil, nil)
		return fixed
	})},
	{"six-overrides-accepted", "More than five reminders are stored.", ruleid.RemindersOverridesMax, accepts(writes, func(body object) bool {
		reminders, _ := body["reminders"].(object)
		all, _ := reminders["overrides"].([]any)
		if len(all) <= 5 {
			return false
		}
		reminders["overrides"] = all[:5]
		return true
	})},
	{"default-with-overrides-accepted", "Reminders beside the default ones are stored.", ruleid.RemindersDefaultAndOverrides, accepts(writes, func(body object) bool {
		reminders, _ := body["reminders"].(object)
		both := reminders["useDefault"] == true && len(objects(reminders["overrides"])) > 0
		delete(reminders, "overrides")
		return both
	})},
	{"minutes-accepted", "A reminder of more than four weeks before is stored.", ruleid.RemindersMinutes, accepts(writes, func(body object) (fixed bool) {
		reminders, _ := body["reminders"].(object)
		for _, r := range objects(reminders["overrides"]) {
			if minutes, _ := r["minutes"].(json.Number); number(minutes) > 40320 {
				r["minutes"], fixed = 10, true
			}
		}
		return fixed
	})},
	{"email-accepted", "An attendee whose email has no @ is stored.", ruleid.AttendeeEmailAddress, accepts(writes, func(body object) (fixed bool) {
		for i, guest := range objects(body["attendees"]) {
			if email, ok := guest["email"].(string); ok && email != "" && !strings.Contains(email, "@") {
				guest["email"], fixed = fmt.Sprintf("guest%d@example.com", i), true
			}
		}
		return fixed
	})},
	{"status-accepted", "Any text is a status.", ruleid.EventStatusEnum, accepts(writes, func(body object) bool {
		status, ok := body["status"].(string)
		body["status"] = "confirmed"
		return ok && !slices.Contains([]string{"confirmed", "tentative", "cancelled"}, status)
	})},
	{"uid-missing-accepted", "An import without iCalUID is stored.", ruleid.EventICalUIDRequired, on(imports, func(c *call) {
		if c.sent != nil && c.sent["iCalUID"] == nil {
			body := clone(c.sent)
			body["iCalUID"] = fmt.Sprintf("%d@server.example", time.Now().UnixNano())
			c.body = encode(body)
		}
		c.pass()
	})},
	{"duplicate-id-overwrites", "An insert with the id of another event replaces it.", ruleid.EventIDUnique, on(inserts, func(c *call) {
		if c.pass(); c.status != http.StatusConflict {
			return
		}
		body := clone(c.sent)
		id := text(body, "id")
		delete(body, "iCalUID")
		if e := c.ask(http.MethodPut, c.path(c.in, id), body); e != nil {
			c.status, c.answer = http.StatusOK, e
		}
	})},
	{"if-match-ignored", "A change that is conditional on another etag is made.", ruleid.UpdateETag, on(slices.Concat(modifies, deletes), func(c *call) {
		c.r.Header.Del("If-Match")
		c.pass()
	})},
	{"delete-twice-accepted", "The second DELETE of an event succeeds.", ruleid.StatusDeleteGone, deletesWhat(http.StatusGone)},
	{"delete-of-nothing-accepted", "The DELETE of an event that never was succeeds.", ruleid.StatusDeleteExists, deletesWhat(http.StatusNotFound)},

	{"if-match-refused", "A change that is conditional on the right etag is refused.", ruleid.UpdateETag, on(slices.Concat(modifies, deletes), func(c *call) {
		etag := text(c.event(c.id), "etag")
		if strings.Contains(c.r.Header.Get("If-Match"), etag) && etag != "" {
			c.refuse(http.StatusPreconditionFailed, reasons[http.StatusPreconditionFailed], "Precondition Failed")
			return
		}
		c.pass()
	})},
	{"properties-refused", "More than 100 extended properties are refused. (calendar.md and the public reference state no number)", ruleid.EventExtendedProperties,
		refuses(writes, 400, "Too many properties.", func(sent object) bool {
			properties, _ := sent["extendedProperties"].(object)
			private, _ := properties["private"].(object)
			shared, _ := properties["shared"].(object)
			return len(private)+len(shared) > 100
		})},
	{"until-refused", "An RRULE with UNTIL is refused.", ruleid.RecurrenceRuleUntilForm,
		refuses(writes, 400, "Invalid recurrence rule.", func(sent object) bool { return strings.Contains(fmt.Sprint(sent["recurrence"]), "UNTIL=") })},
	{"long-summary-refused", "A summary of 1,000 characters is refused. (calendar.md states no limit)", "",
		refuses(writes, 400, "Summary too long.", func(sent object) bool { return len(text(sent, "summary")) >= 1000 })},
	{"import-refused", "Every import is refused.", ruleid.ImportPrivateCopy, refuses(imports, 400, "Invalid iCalUID value.", func(object) bool { return true })},
	{"tentative-refused", "The status tentative is refused.", ruleid.EventStatusEnum,
		refuses(writes, 400, "Invalid value for status.", func(sent object) bool { return sent["status"] == "tentative" })},
	{"past-refused", "An insert of an event that has begun is refused. (no document asks for a time to come)", "",
		refuses(inserts, 400, "The event is in the past.", func(sent object) bool {
			at, ok := start(sent)
			return ok && at.Before(time.Now())
		})},
	{"local-time-refused", "A dateTime without an offset is refused, though there is a timeZone.", ruleid.TimeOffset,
		refuses(writes, 400, "Invalid start time.", func(sent object) (bare bool) {
			eachTime(func(t object) {
				_, ok := instant(t)
				bare = bare || !ok && t["dateTime"] != nil && t["timeZone"] != nil
			})(sent, nil, nil)
			return bare
		})},
	{"unknown-member-fails", "A member that is unknown is answered with 500.", ruleid.JSONUnknownField, on(writes, func(c *call) {
		if _, findings := event.Decode(c.body, c.dialect()); slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Is(ruleid.JSONUnknownField) }) {
			c.refuse(http.StatusInternalServerError, reasons[500], "Internal error")
			return
		}
		c.pass()
	})},

	{"empty-answer", "A write is answered with 200 and no body.", ruleid.AnswerResource, after(slices.Concat(writes, moves), func(c *call) {
		c.text, c.answer = nil, nil
	})},
	{"error-without-object", "A refusal is a line of plain text. (public-facts.md: errors carry a status and a reason)", "", func() server {
		return func(c *call) {
			if c.pass(); c.status >= 400 {
				c.text, c.answer = []byte(http.StatusText(c.status)+"\n"), nil
				c.header.Set("Content-Type", "text/plain; charset=utf-8")
			}
		}
	}},
	{"type-html", "Answers have the Content-Type text/html. (calendar.md: bodies are JSON)", "", func() server {
		return func(c *call) {
			if c.pass(); c.answer != nil {
				c.header.Set("Content-Type", "text/html; charset=utf-8")
			}
		}
	}},
}

// number returns n as an integer, or 0 if n is not an integer.
func number(n json.Number) int64 {
	i, _ := n.Int64()
	return i
}

// deletesWhat returns a server that responds to a DELETE with 204 instead of the given status.
func deletesWhat(status int) func() server {
	return on(deletes, func(c *call) {
		if c.pass(); c.status == status {
			c.status, c.text, c.answer = http.StatusNoContent, nil, nil
			c.header = http.Header{}
		}
	})
}
