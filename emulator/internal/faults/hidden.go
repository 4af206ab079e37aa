package faults

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/operation"
)

// hidden are faults of all kinds. Nothing but this file and its test describes them.
var hidden = []Fault{
	{"hour-long", "A timed event ends an hour after its start.", ruleid.AnswerEffect, stores(inserts, func(e, _, _ object) {
		if text(e, "start", "dateTime") != "" && text(e, "end", "dateTime") != "" {
			end := clone(e)["start"].(object)
			shift(end, time.Hour)
			setOrDelete(end, "timeZone", e["end"].(object)["timeZone"])
			e["end"] = end
		}
	})},
	{"blanks-trimmed", "Blanks around a description are removed.", ruleid.AnswerEffect, stores(writes, rewrites(strings.TrimSpace, "description"))},
	{"additional-guests-dropped", "additionalGuests is not stored.", ruleid.AnswerEffect, stores(writes, eachGuest(func(g object) { delete(g, "additionalGuests") }))},
	{"one-override", "Of the reminders, the first is stored.", ruleid.AnswerEffect, stores(writes, func(e, _, _ object) {
		reminders, _ := e["reminders"].(object)
		if all, ok := reminders["overrides"].([]any); ok && len(all) > 1 {
			reminders["overrides"] = all[:1]
		}
	})},
	{"sequence-reset", "A change of something else than the times resets the sequence.", ruleid.EventSequenceEffect, stores(patches, func(e, _, sent object) {
		if sent["start"] == nil && sent["end"] == nil && sent["recurrence"] == nil && e["sequence"] != nil {
			e["sequence"] = 0
		}
	})},
	{"instance-patch-for-all", "The summary in a patch of an instance becomes that of its series, too.", ruleid.PatchMerge, after(patches, func(c *call) {
		if summary, ok := c.sent["summary"].(string); ok && isInstance(c.answer) {
			c.ask(http.MethodPatch, c.path(c.in, text(c.answer, "recurringEventId")), object{"summary": summary})
		}
	})},
	{"move-loses-description", "A moved event has no description.", ruleid.MoveOrganizer, after(moves, func(c *call) {
		c.in = c.query().Get("destination")
		c.alter(func(e object) { delete(e, "description") })
	})},

	{"get-late", "The first get after a change shows the event before it.", ruleid.AnswerEffect, func() server {
		before := map[string]object{}
		return func(c *call) {
			key := fmt.Sprint(c.base, c.in, c.id)
			was := object(nil)
			if slices.Contains(modifies, c.op) {
				was = c.event(c.id)
			}
			c.pass()
			if c.ok() && was != nil {
				before[key] = was
			}
			if c.op == operation.EventsGet && before[key] != nil && c.ok() && c.answer != nil {
				c.answer = before[key]
				delete(before, key)
			}
		}
	}},
	{"moved-instance-in-place", "An expansion shows a moved instance where the series has it.", ruleid.InstancesIdentity, after(listings, func(c *call) {
		for _, e := range c.items() {
			at, ok := memberTime(e, "originalStartTime")
			if from, started := start(e); ok && started && isExpansion(c) {
				eachTime(func(t object) { shift(t, at.Sub(from)) })(e, nil, nil)
			}
		}
	})},
	{"under-way-missing", "A list lacks the events that began before timeMin and end after it. (public reference: timeMin bounds the end)", "",
		hides(listings, func(c *call, e object) bool {
			from, err := time.Parse(time.RFC3339, c.query().Get("timeMin"))
			at, ok := start(e)
			return err == nil && ok && text(e, "start", "dateTime") != "" && e["recurrence"] == nil && at.Before(from)
		})},
	{"sync-stale", "A synchronization shows a changed event as the last list did.", ruleid.AnswerEffect, func() server {
		listed := map[string]object{}
		return after(lists, func(c *call) {
			items := c.items()
			for i, e := range items {
				key := fmt.Sprint(c.base, c.in, e["id"])
				if old := listed[key]; c.query().Has("syncToken") && old != nil && e["status"] != "cancelled" {
					items[i] = old
				}
				listed[key] = e
			}
			c.setItems(items)
		})()
	}},
	{"updated-min-without-deleted", "A list with updatedMin has no deleted events.", ruleid.CancelledList, hides(lists, func(c *call, e object) bool {
		return c.query().Has("updatedMin") && c.query().Get("showDeleted") != "true" && e["status"] == "cancelled"
	})},
	{"instance-uids", "Each instance has an iCalUID of its own.", ruleid.InstancesOfSeries, shows(readings, func(e object) {
		if isInstance(e) && e["iCalUID"] != nil {
			e["iCalUID"] = fmt.Sprint(e["id"], "@server.example")
		}
	})},

	{"dtstart-accepted", "A line DTSTART of the recurrence is stored.", ruleid.RecurrenceLineDTStart, accepts(writes, func(body object) bool {
		lines, _ := body["recurrence"].([]any)
		kept := slices.DeleteFunc(slices.Clone(lines), func(line any) bool { return strings.HasPrefix(fmt.Sprint(line), "DTSTART") })
		body["recurrence"] = kept
		return len(kept) < len(lines)
	})},
	{"source-accepted", "A source whose url is neither http nor https is stored.", ruleid.SourceURL, accepts(writes, func(body object) bool {
		source, _ := body["source"].(object)
		_, rest, ok := strings.Cut(text(source, "url"), "://")
		if ok {
			source["url"] = "https://" + rest
		}
		return ok
	})},
	{"update-creates", "An update of an event that does not exist creates it. (public-facts.md: 404 notFound)", "", on(updates, func(c *call) {
		if c.pass(); c.status != http.StatusNotFound || c.sent == nil {
			return
		}
		body := clone(c.sent)
		body["id"] = c.id
		if e := c.ask(http.MethodPost, c.path(c.in, ""), body); e != nil {
			c.status, c.answer = http.StatusOK, e
		}
	})},
	{"emoji-refused", "A character outside the Basic Multilingual Plane is refused. (RFC 8259: any Unicode character)", ruleid.JSONSyntax,
		refuses(writes, 400, "Invalid character.", func(sent object) bool {
			return strings.ContainsFunc(string(encode(sent)), func(r rune) bool { return r > 0xffff })
		})},
	{"if-match-list-refused", "If-Match with several tags is refused, though one is right.", ruleid.UpdateETag, on(slices.Concat(modifies, deletes), func(c *call) {
		if strings.Contains(c.r.Header.Get("If-Match"), ",") {
			c.refuse(http.StatusPreconditionFailed, reasons[http.StatusPreconditionFailed], "Precondition Failed")
			return
		}
		c.pass()
	})},
	{"etag-missing", "The answer to a write has no etag. (calendar.md: the representation has the etag of the resource)", ruleid.AnswerResource,
		after(writes, func(c *call) { delete(c.answer, "etag") })},

	{"patch-changes-another", "The description in a patch becomes that of another event, too.", ruleid.PatchMerge, after(patches, func(c *call) {
		if other, description := c.other(c.id), text(c.sent, "description"); other != nil && description != "" {
			c.ask(http.MethodPatch, c.path(c.in, text(other, "id")), object{"description": description})
		}
	})},
}
