package faults

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag/ruleid"
)

// writing contains the faults of servers that accept a write, but lose or change some of the data.
var writing = []Fault{
	{"location-dropped", "An insert stores no location.", ruleid.AnswerEffect, stores(inserts, loses("location"))},
	{"summary-cut", "A summary is cut at 255 bytes.", ruleid.AnswerEffect, stores(writes, rewrites(cut(255), "summary"))},
	{"guests-after-first-dropped", "An insert keeps only the first attendee.", ruleid.AnswerEffect, stores(inserts, func(e, _, _ object) {
		if guests := objects(e["attendees"]); len(guests) > 1 {
			e["attendees"] = list(guests[:1])
		}
	})},
	{"private-properties-dropped", "No write stores private extended properties.", ruleid.AnswerEffect, stores(writes, func(e, _, _ object) {
		if properties, ok := e["extendedProperties"].(object); ok {
			delete(properties, "private")
		}
	})},
	{"comments-dropped", "The comments of attendees are lost.", ruleid.AnswerEffect, stores(writes, eachGuest(func(g object) { delete(g, "comment") }))},
	{"optional-dropped", "All attendees are required ones.", ruleid.AnswerEffect, stores(writes, eachGuest(func(g object) { delete(g, "optional") }))},
	{"newlines-dropped", "The line breaks of a description become blanks.", ruleid.AnswerEffect,
		stores(writes, rewrites(func(s string) string { return strings.ReplaceAll(s, "\n", " ") }, "description"))},
	{"not-ascii", "Characters outside ASCII become question marks.", ruleid.AnswerEffect, stores(writes, rewrites(func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > 0x7f {
				return '?'
			}
			return r
		}, s)
	}, "summary", "description", "location"))},
	{"html-escaped", "A summary is escaped as HTML.", ruleid.AnswerEffect,
		stores(writes, rewrites(strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace, "summary"))},
	{"reminders-reset-by-patch", "A patch that names no reminders sets the default ones.", ruleid.PatchMerge, stores(patches, func(e, was, sent object) {
		if _, named := sent["reminders"]; !named && was["reminders"] != nil {
			e["reminders"] = object{"useDefault": true}
		}
	})},
	{"update-merges", "An update keeps what it does not send.", ruleid.UpdateWhole, stores(updates, func(e, was, sent object) {
		for _, name := range clearable {
			if sent[name] == nil && was[name] != nil {
				e[name] = was[name]
			}
		}
	})},
	{"patch-replaces", "A patch removes what it does not send.", ruleid.PatchMerge, stores(patches, func(e, _, sent object) {
		for _, name := range clearable {
			if _, named := sent[name]; !named {
				delete(e, name)
			}
		}
	})},
	{"patch-appends", "An array in a patch is appended to the stored one.", ruleid.PatchMerge, stores(patches, func(e, was, sent object) {
		for _, name := range []string{"attendees", "attachments"} {
			if added, ok := sent[name].([]any); ok && was[name] != nil {
				e[name] = slices.Concat(was[name].([]any), added)
			}
		}
	})},
	{"null-ignored", "null in a patch clears nothing.", ruleid.JSONNull, stores(patches, func(e, was, sent object) {
		for name, value := range sent {
			if value == nil {
				setOrDelete(e, name, was[name])
			}
		}
	})},
	{"empty-ignored", "An empty text in a patch changes nothing.", ruleid.PatchMerge, stores(patches, func(e, was, sent object) {
		for name, value := range sent {
			if value == "" {
				setOrDelete(e, name, was[name])
			}
		}
	})},
	{"siblings-dropped", "A patch of one extended property removes the others.", ruleid.EventExtendedPropertiesMerge, stores(patches, func(e, _, sent object) {
		if properties, ok := sent["extendedProperties"].(object); ok {
			e["extendedProperties"] = withoutNulls(properties)
		}
	})},
	{"recurrence-cut", "Of the recurrence, the first line is stored.", ruleid.AnswerEffect, stores(writes, func(e, _, _ object) {
		if lines, ok := e["recurrence"].([]any); ok && len(lines) > 1 {
			e["recurrence"] = lines[:1]
		}
	})},
	{"zone-replaced", "The timeZone of a time is stored as UTC.", ruleid.AnswerEffect, stores(writes, eachTime(func(t object) {
		if at, ok := instant(t); ok && t["dateTime"] != nil && t["timeZone"] != nil {
			t["dateTime"], t["timeZone"] = at.UTC().Format(time.RFC3339), "UTC"
		}
	}))},
	{"seconds-dropped", "Times are stored without their seconds.", ruleid.AnswerEffect, stores(writes, eachTime(func(t object) {
		if at, ok := instant(t); ok {
			setTime(t, at.Truncate(time.Minute))
		}
	}))},
	{"offset-ignored", "The offset of a time is read as Z.", ruleid.AnswerEffect, stores(inserts, func(e, _, sent object) {
		for _, name := range []string{"start", "end"} {
			at, ok := memberTime(sent, name)
			if stored, has := e[name].(object); ok && has && stored["dateTime"] != nil {
				_, offset := at.Zone()
				shift(stored, time.Duration(offset)*time.Second)
			}
		}
	})},
	{"all-day-longer", "An all-day event is stored with its end as the last day, and ends a day later. (calendar.md: end is exclusive)", ruleid.AnswerEffect,
		stores(inserts, func(e, _, _ object) {
			if end, ok := e["end"].(object); ok && end["date"] != nil {
				shift(end, 24*time.Hour)
			}
		})},
	{"color-ignored", "An insert stores no colorId.", ruleid.AnswerEffect, stores(inserts, loses("colorId"))},
	{"private-is-default", "The visibility private is stored as default.", ruleid.AnswerEffect, stores(writes, func(e, _, _ object) {
		if e["visibility"] == "private" {
			delete(e, "visibility")
		}
	})},
	{"transparency-dropped", "No write stores the transparency.", ruleid.AnswerEffect, stores(writes, loses("transparency"))},
	{"guests-flags-dropped", "What guests may do is not stored.", ruleid.AnswerEffect,
		stores(writes, loses("guestsCanModify", "guestsCanInviteOthers", "guestsCanSeeOtherGuests"))},
	{"tentative-is-confirmed", "The status tentative is stored as confirmed.", ruleid.AnswerEffect, stores(writes, func(e, _, _ object) {
		if e["status"] == "tentative" {
			e["status"] = "confirmed"
		}
	})},
	{"answers-reset", "A patch that names no attendees resets their answers.", ruleid.PatchMerge, stores(patches, func(e, _, sent object) {
		if _, named := sent["attendees"]; !named {
			eachGuest(func(g object) { g["responseStatus"] = "needsAction" })(e, nil, nil)
		}
	})},
	{"sequence-stays", "The sequence does not advance with a change of the times.", ruleid.EventSequenceEffect, stores(modifies, keeps("sequence"))},
	{"updated-stays", "A change does not change updated.", ruleid.EventUpdatedMainData, stores(modifies, keeps("updated"))},
	{"etag-stays", "A change does not change the etag. (calendar.md: update uses etags for atomicity)", ruleid.UpdateETag, stores(modifies, keeps("etag"))},
	{"created-changes", "Each change is a new creation time. (calendar.md: created is the creation time)", ruleid.EventReadOnly,
		stores(modifies, func(e, _, _ object) { e["created"] = e["updated"] })},
	{"uid-changes", "A patch gives the event another iCalUID.", ruleid.EventICalUIDChanged,
		stores(patches, func(e, _, _ object) { e["iCalUID"] = "x" + text(e, "iCalUID") })},
	{"import-loses-uid", "An imported event gets an iCalUID of the server.", ruleid.AnswerEffect,
		stores(imports, func(e, _, _ object) { e["iCalUID"] = text(e, "id") + "@server.example" })},
	{"attachments-lost", "An update without supportsAttachments removes the attachments.", ruleid.AttachmentsSupports, on(updates, func(c *call) {
		c.pass()
		if c.query().Get("supportsAttachments") != "true" {
			c.alter(func(e object) { delete(e, "attachments") })
		}
	})},
	{"conference-lost", "A change without conferenceDataVersion=1 removes the conference.", ruleid.ConferenceVersion, on(modifies, func(c *call) {
		c.pass()
		if c.query().Get("conferenceDataVersion") != "1" {
			c.alter(func(e object) { loses("conferenceData", "hangoutLink", "videoLink")(e, nil, nil) })
		}
	})},
	{"organizer-taken", "The organizer of an insert is stored.", ruleid.EventOrganizerReadOnly, stores(inserts, func(e, _, sent object) {
		if organizer, ok := sent["organizer"].(object); ok && organizer["email"] != nil {
			e["organizer"] = organizer
		}
	})},
	{"id-ignored", "An id that the client chooses is replaced.", ruleid.AnswerEffect, on(inserts, func(c *call) {
		if id, _ := c.sent["id"].(string); c.event(id) != nil || strings.Trim(id, "abcdefghijklmnopqrstuv0123456789") != "" || len(id) < 5 || len(id) > 1024 {
			c.pass()
			return
		}
		body := clone(c.sent)
		delete(body, "id")
		c.passBody(encode(body))
	})},
	{"patch-forgotten", "A patch is answered with the change, and not stored.", ruleid.AnswerEffect, forgets(patches, isAny, answersAsUsual)},
	{"patch-ignored", "A patch changes nothing, and is answered with the old event.", ruleid.PatchMerge, forgets(patches, isAny, func(c *call, was object) {
		if !c.query().Has("fields") {
			c.answer = was
		}
	})},
	{"delete-ignored", "A DELETE does nothing.", ruleid.StatusDelete, forgets(deletes, isAny, answersAsUsual)},
	{"cancelled-instance-forgotten", "The DELETE of an instance does nothing.", ruleid.CancelledException, forgets(deletes, isInstance, answersAsUsual)},
	{"delete-takes-series", "The DELETE of an instance deletes its series.", ruleid.CancelledException, on(deletes, func(c *call) {
		was := c.event(c.id)
		if c.pass(); c.ok() && isInstance(was) {
			c.ask(http.MethodDelete, c.path(c.in, text(was, "recurringEventId")), nil)
		}
	})},
	{"move-leaves-source", "A move leaves the event in its calendar, too.", ruleid.MoveRemainder, forgets(moves, isAny, answersAsUsual)},
	{"move-loses-event", "A moved event is in neither calendar.", ruleid.MoveOrganizer, after(moves, func(c *call) {
		c.ask(http.MethodDelete, c.path(c.query().Get("destination"), c.id), nil)
	})},
}

// clearable lists members that an update removes if the body omits them.
var clearable = []string{
	"description", "location", "colorId", "transparency", "visibility", "attendees", "recurrence", "extendedProperties", "source",
}

// withoutNulls returns an object without null members, at any depth.
func withoutNulls(o object) object {
	kept := object{}
	for name, value := range o {
		if inner, ok := value.(object); ok {
			value = withoutNulls(inner)
		}
		if value != nil {
			kept[name] = value
		}
	}
	return kept
}
