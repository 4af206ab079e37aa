package fuzz

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/conference"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// changeWays break the rules about what a request changes: what only the service writes, what
// never changes, and what changes only under a condition.
func changeWays() map[string][]way {
	return map[string][]way{
		"event.id.mismatch": {
			{name: "another id", violate: replaced("/id", otherID)},
			{name: "one character more", violate: replaced("/id", longerBy("0"))},
			{name: "the id of an instance", violate: replaced("/id", longerBy("_20260310T090000Z"))},
			{name: "the empty id", violate: replaced("/id", always(""))},
		},
		"event.read-only": append([]way{
			{name: "another time of creation", violate: replaced("/created", otherTimestamp)},
			{name: "another time of the last change", violate: replaced("/updated", otherTimestamp)},
			{name: "the time of creation cleared", on: diag.Patch, violate: cleared("/created")},
			{name: "another creator", violate: within("/creator", replaced("/creator/email", otherAddress))},
			{name: "another name of the creator", violate: within("/creator", replaced("/creator/displayName", otherText))},
			{name: "another creator's flag", violate: within("/creator", replaced("/creator/self", flipped))},
			{name: "the creator cleared", on: diag.Patch, violate: cleared("/creator")},
			{name: "another organizer's flag", violate: replaced("/organizer/self", flipped)},
			{name: "locked", prepare: unlocked, violate: replaced("/locked", flipped)},
			{name: "unlocked", on: diag.Modify, prepare: locked, violate: replaced("/locked", flipped)},
			{name: "the organizer among the attendees", prepare: withAttendees, violate: replaced("/attendees/*/organizer", flipped)},
			{name: "oneself among the attendees", prepare: withAttendees, violate: replaced("/attendees/*/self", flipped)},
			{name: "an operation on an attendee", prepare: withAttendees, violate: replaced("/attendees/*/asyncOperation", anyWord)},
			{
				name: "an attendee's flag taken away", on: diag.Modify, prepare: withAttendees,
				violate: firstSet("/attendees/0/self", true, replaced("/attendees/0/self", flipped)),
			},
			{name: "the file of an attachment", prepare: withFiles, violate: replaced("/attachments/*/fileId", anyWord)},
			{name: "the status of a create request", prepare: withRequest, violate: within("/conferenceData/createRequest/status",
				replaced("/conferenceData/createRequest/status/statusCode", anyStatusCode))},
			{name: "another status of a create request", on: diag.Modify, prepare: withPendingRequest, violate: within("/conferenceData/createRequest/status",
				replaced("/conferenceData/createRequest/status/statusCode", always(success)))},
		}, sharing(way{on: diag.Insert | diag.Modify, types: []string{typeBirthday}, prepare: asBirthday(typeBirthday)},
			way{name: "the contact of a birthday", violate: replaced("/birthdayProperties/contact", otherContact)},
			way{name: "the name of a birthday's type", violate: replaced("/birthdayProperties/customTypeName", otherText)},
		)...),
		"event.server-set": {
			{name: "another entity tag", violate: replaced("/etag", otherTag)},
			{name: "the entity tag cleared", on: diag.Patch, violate: cleared("/etag")},
			{name: "another page of the event", violate: replaced("/htmlLink", otherURL)},
			{name: "another video link", violate: replaced("/videoLink", otherURL)},
			{name: "the video link cleared", on: diag.Patch, violate: firstSet("/videoLink", "https://meet.example.com/abc", cleared("/videoLink"))},
			{name: "an attachment's icon", prepare: withFiles, violate: replaced("/attachments/*/iconLink", otherURL)},
			{name: "the gadget's link", prepare: withGadget, violate: replaced("/gadget/link", otherURL)},
			{name: "the gadget's icon", prepare: withGadget, violate: replaced("/gadget/iconLink", otherURL)},
		},
		"event.organizer.read-only": {
			{name: "another organizer address", violate: within("/organizer", replaced("/organizer/email", otherAddress))},
			{name: "another organizer name", violate: within("/organizer", replaced("/organizer/displayName", otherText))},
			{name: "another organizer profile", violate: within("/organizer", replaced("/organizer/id", anyWord))},
			{name: "cleared", on: diag.Patch, violate: cleared("/organizer")},
		},

		"event.recurring-id.written": {
			{name: "the id of a series", prepare: single, violate: replaced("/recurringEventId", otherID)},
			{name: "the start of an instance", violate: replaced("/originalStartTime", anyTime)},
			{name: "an instance read back", prepare: anInstance, violate: func(*rapid.T, *scene) diag.Pointer { return "/originalStartTime" }},
		},
		"event.recurring-id.immutable": {
			{name: "made an instance", prepare: single, violate: replaced("/recurringEventId", otherID)},
			{name: "of another series", prepare: anInstance, violate: replaced("/recurringEventId", otherID)},
			{name: "of the same series, cut off", prepare: anInstance, violate: replaced("/recurringEventId", longerBy("_R20270101"))},
			{name: "of no series", prepare: anInstance, violate: replaced("/recurringEventId", always(""))},
			{name: "cleared", on: diag.Patch, prepare: anInstance, violate: cleared("/recurringEventId")},
		},
		"event.original-start.immutable": {
			{name: "a second later", prepare: anInstance, violate: originalMoved(timedOffset, time.Second)},
			{name: "days earlier", prepare: anInstance, violate: originalMoved(timedOffset, -3*day)},
			{name: "another day", prepare: anInstance, violate: originalMoved(wholeDay, day)},
			{name: "a time instead of the day", prepare: anInstance, violate: firstSet("/originalStartTime", members{"date": "2026-03-10"},
				replaced("/originalStartTime", always(members{"dateTime": "2026-03-10T00:00:00Z"})))},
			{name: "a day instead of the time", prepare: anInstance, violate: firstSet("/originalStartTime", members{"dateTime": "2026-03-10T00:00:00Z"},
				replaced("/originalStartTime", always(members{"date": "2026-03-10"})))},
			{name: "given to a single event", prepare: single, violate: replaced("/originalStartTime", anyTime)},
			{name: "cleared", on: diag.Patch, prepare: anInstance, violate: cleared("/originalStartTime")},
		},
		"event.original-start.member": sharing(way{prepare: single, whole: []string{"originalStartTime"}},
			way{name: "between two days of the series", violate: notAStart(weekly, members{"date": "2026-03-11"})},
			way{name: "before the first day", violate: notAStart(weekly, members{"date": "2026-03-03"})},
			way{name: "after the last day", violate: notAStart(weekly, members{"date": "2026-03-31"})},
			way{name: "an excluded day", violate: notAStart(weekly, members{"date": "2026-03-17"})},
			way{name: "a time of a series of days", violate: notAStart(weekly, members{"dateTime": "2026-03-10T00:00:00Z"})},
			way{name: "a second after a start", violate: notAStart(hourly, members{"dateTime": "2026-03-10T10:00:01-04:00"})},
			way{name: "in another offset", violate: notAStart(hourly, members{"dateTime": "2026-03-10T09:00:00+04:00"})},
			way{name: "a day of a series of times", violate: notAStart(hourly, members{"date": "2026-03-10"})},
		),
		"event.private-copy.immutable": {
			{name: "made one", prepare: publicCopy, violate: replaced("/privateCopy", flipped)},
			{name: "made none", prepare: privateCopy, violate: replaced("/privateCopy", flipped)},
			{name: "cleared", on: diag.Patch, prepare: privateCopy, violate: cleared("/privateCopy")},
		},
		"event.locked": sharing(way{prepare: locked}, slices.Concat(
			edits(otherWords()...),
			edits(removals()...),
			edits(otherTimes()...),
		)...),
		"type.from-mail.modify": sharing(way{types: []string{typeFromMail}}, slices.Concat(
			edits(otherWords()...),
			edits(removals()...),
			edits(otherTimes()...),
			edits(otherFlags()...),
			edits(otherParts()...),
			edits(
				edit{"iCalUID", "another iCalUID", replaced("/iCalUID", otherText)},
				edit{"workingLocationProperties", "a working location", replaced("/workingLocationProperties", always(members{"type": "homeOffice"}))},
				edit{"outOfOfficeProperties", "out of office", replaced("/outOfOfficeProperties/declineMessage", otherText)},
				edit{"focusTimeProperties", "focus time", replaced("/focusTimeProperties/declineMessage", otherText)},
			),
		)...),
		"event.type.immutable": {
			{name: "another type", types: typesOfClients, prepare: plain, violate: replaced("/eventType", otherType)},
			{name: "made one from a message", types: typesOfClients, prepare: plain, violate: replaced("/eventType", always(typeFromMail))},
			{name: "cleared", on: diag.Patch, types: typesOfClients[1:], prepare: plain, violate: cleared("/eventType")},
		},

		"birthday.immutable": {
			{name: "another type", types: []string{typeBirthday}, prepare: asBirthday(typeBirthday), violate: replaced("/birthdayProperties/type", otherBirthday)},
			{name: "no longer a contact's", types: []string{typeBirthday}, prepare: contactBirthday, violate: replaced("/birthdayProperties/type", always(typeBirthday))},
			{name: "a type for one of none", types: []string{typeBirthday}, prepare: asBirthday(""), violate: replaced("/birthdayProperties/type", otherBirthday)},
			{name: "the type cleared", on: diag.Patch, types: []string{typeBirthday}, prepare: contactBirthday, violate: cleared("/birthdayProperties/type")},
			{name: "cleared", on: diag.Patch, types: []string{typeBirthday}, prepare: asBirthday(typeBirthday), violate: cleared("/birthdayProperties")},
			{name: "added", types: []string{typeBirthday}, prepare: noBirthday, violate: replaced("/birthdayProperties", always(members{"type": typeBirthday}))},
			{name: "added, and empty", types: []string{typeBirthday}, prepare: noBirthday, violate: replaced("/birthdayProperties", always(members{}))},
			{name: "added to another event", types: plainTypes, violate: replaced("/birthdayProperties", always(members{"type": typeBirthday}))},
		},
		"birthday.modify": append(sharing(way{types: []string{typeBirthday}, prepare: contactBirthday}, slices.Concat(
			edits(otherWords()[1:]...),
			edits(removals()[1:3]...),
			edits(otherFlags()...),
			edits(otherParts()...),
			edits(
				edit{"start", "another day", laterDays},
				edit{"recurrence", "another rule", replaced("/recurrence", always([]any{"RRULE:FREQ=MONTHLY;INTERVAL=12;COUNT=7"}))},
				edit{"status", "another status", firstSet("/status", "tentative", replaced("/status", always("confirmed")))},
				edit{"visibility", "another visibility", firstSet("/visibility", "private", replaced("/visibility", always("public")))},
				edit{"transparency", "another transparency", firstSet("/transparency", "transparent", replaced("/transparency", always("opaque")))},
				edit{"attendees", "other attendees", replaced("/attendees", otherGuests)},
				edit{"extendedProperties", "another property", replaced("/extendedProperties/shared/a", otherText)},
			),
		)...), way{name: "deleted", on: diag.Delete, types: []string{typeBirthday}, prepare: contactBirthday, violate: nothing}),

		"event.color.known": slices.Concat(
			beside(operation.Calendar{Colors: []string{"1", "5"}}, leaf(way{prepare: inColour}, []string{"/colorId"},
				anyOf("one more", "12", "2", "0"),
				anyOf("as a name", "red", "Tomato", "#dc2127"),
				anyOf("with a blank or a zero", " 5", "5 ", "05", "5.0"),
				drawnAs("any other", rapid.StringMatching(`x[a-z0-9]{0,40}`)),
			)),
			beside(operation.Calendar{Colors: []string{}}, leaf(way{prepare: inColour}, []string{"/colorId"}, just("where none is known", "7"))),
		),
		"event.label.known": slices.Concat(
			beside(operation.Calendar{Labels: []string{"urgent", "later"}}, leaf(way{prepare: inLabel}, []string{"/eventLabelId"},
				anyOf("misspelt", "urgnet", "urgen", "urgentt"),
				anyOf("in another case or with a blank", "URGENT", "Urgent", " urgent", "later\n"),
				anyOf("two in one", "urgent,later", "urgent later"),
				drawnAs("any other", rapid.StringMatching(`x[a-z0-9]{0,40}`)),
			)),
			beside(operation.Calendar{Labels: []string{}}, leaf(way{prepare: inLabel}, []string{"/eventLabelId"}, just("where there is none", "first"))),
		),
		"event.label.version": {
			{name: "without the parameter", prepare: inLabel, violate: sending("eventLabelVersion", nil, replaced("/eventLabelId", otherLabel))},
			{name: "at version 0", prepare: inLabel, violate: sending("eventLabelVersion", []string{"0"}, replaced("/eventLabelId", otherLabel))},
			{name: "beside a colour", prepare: both(inLabel, inColour), violate: sending("eventLabelVersion", nil,
				func(t *rapid.T, s *scene) diag.Pointer {
					replaced("/colorId", otherLabel)(t, s)
					return replaced("/eventLabelId", otherLabel)(t, s)
				})},
			{name: "removed by an empty text", on: diag.Modify, violate: firstSet("/eventLabelId", "urgent",
				sending("eventLabelVersion", nil, replaced("/eventLabelId", always(""))))},
			{name: "cleared", on: diag.Patch, violate: firstSet("/eventLabelId", "urgent", sending("eventLabelVersion", []string{"0"}, cleared("/eventLabelId")))},
		},
		"event.label.color-ignored": {
			{name: "a colour at version 1", prepare: inColour, violate: sending("eventLabelVersion", []string{"1"}, replaced("/colorId", otherLabel))},
			{name: "beside a label", prepare: inColour, violate: sending("eventLabelVersion", []string{"1"}, func(t *rapid.T, s *scene) diag.Pointer {
				replaced("/eventLabelId", otherLabel)(t, s)
				return replaced("/colorId", otherLabel)(t, s)
			})},
			{name: "beside an empty label", prepare: inColour, violate: sending("eventLabelVersion", []string{"1"}, func(t *rapid.T, s *scene) diag.Pointer {
				put(s.body, "/eventLabelId", "")
				return replaced("/colorId", otherLabel)(t, s)
			})},
			{name: "cleared", on: diag.Patch, violate: firstSet("/colorId", "5", sending("eventLabelVersion", []string{"1"}, cleared("/colorId")))},
		},

		"attendee.resource.late": sharing(way{prepare: withAttendees},
			way{name: "made a resource", violate: firstSet("/attendees/0/resource", false, replaced("/attendees/0/resource", flipped))},
			way{name: "made a person", violate: firstSet("/attendees/0/resource", true, replaced("/attendees/0/resource", flipped))},
			way{name: "left out", violate: firstSet("/attendees/0/resource", true, cleared("/attendees/0/resource"))},
			way{name: "any of them", violate: replaced("/attendees/*/resource", flipped)},
			way{name: "in another order", violate: func(t *rapid.T, s *scene) diag.Pointer {
				replaced("/attendees/0/resource", flipped)(t, s)
				guests := s.body["attendees"].([]any)
				slices.Reverse(guests)
				return diag.Pointer("/attendees").Index(len(guests)-1) + "/resource"
			}},
			way{name: "of an address in capitals", violate: func(t *rapid.T, s *scene) diag.Pointer {
				s.set("/attendees/0/email", "room@example.com")
				put(s.body, "/attendees/0/email", "room@EXAMPLE.com")
				return replaced("/attendees/0/resource", flipped)(t, s)
			}},
		),
		"attachments.supports": slices.Concat(
			sharing(way{prepare: noFiles},
				way{name: "added without the parameter", violate: sending("supportsAttachments", nil, replaced("/attachments", otherFiles))},
				way{name: "added with false", violate: sending("supportsAttachments", []string{"false"}, replaced("/attachments", otherFiles))},
			),
			sharing(way{on: diag.Modify, prepare: withFiles},
				way{name: "exchanged", violate: sending("supportsAttachments", nil, replaced("/attachments", otherFiles))},
				way{name: "another title", violate: sending("supportsAttachments", nil, within("/attachments", replaced("/attachments/*/title", otherText)))},
				way{name: "another type of file", violate: sending("supportsAttachments", []string{"false"},
					within("/attachments", replaced("/attachments/*/mimeType", always("application/pdf"))))},
				way{name: "one taken out", violate: sending("supportsAttachments", nil, func(t *rapid.T, s *scene) diag.Pointer {
					s.body["attachments"] = s.body["attachments"].([]any)[1:]
					return "/attachments"
				})},
				way{name: "all taken out", violate: sending("supportsAttachments", nil, cleared("/attachments"))},
			),
		),
		"source.creator-only": sharing(way{on: diag.Modify | diag.Get, prepare: withSource},
			way{name: "another title", on: diag.Modify, violate: byAnother(within("/source", replaced("/source/title", otherText)))},
			way{name: "another address", on: diag.Modify, violate: byAnother(within("/source", replaced("/source/url", otherURL)))},
			way{name: "cleared", on: diag.Patch, violate: byAnother(cleared("/source"))},
			way{name: "the address cleared", on: diag.Patch, violate: byAnother(within("/source", cleared("/source/url")))},
			way{name: "added", on: diag.Modify, violate: byAnother(func(t *rapid.T, s *scene) diag.Pointer {
				remove(s.stored, "/source")
				return "/source"
			})},
			way{name: "seen", on: diag.Get, violate: byAnother(func(*rapid.T, *scene) diag.Pointer { return "/source" })},
		),

		"conference.version": {
			{name: "without the parameter", prepare: noConference, violate: sending("conferenceDataVersion", nil, replaced("/conferenceData", anyConference))},
			{name: "at version 0", prepare: noConference, violate: sending("conferenceDataVersion", []string{"0"}, replaced("/conferenceData", anyConference))},
			{name: "none that could be kept", prepare: noConference, violate: sending("conferenceDataVersion", nil,
				replaced("/conferenceData", oneValue(members{}, members{"notes": "a"}, members{"entryPoints": []any{members{"entryPointType": "fax"}}})))},
			{name: "in an event that has none", types: []string{typeFocusTime, typeOutOfOffice}, violate: sending("conferenceDataVersion", []string{"0"},
				replaced("/conferenceData", anyConference))},
			{name: "other notes", on: diag.Modify, prepare: withConference, violate: sending("conferenceDataVersion", nil,
				within("/conferenceData", replaced("/conferenceData/notes", otherText)))},
			{name: "cleared", on: diag.Patch, prepare: withConference, violate: sending("conferenceDataVersion", []string{"0"}, cleared("/conferenceData"))},
		},
		"conference.request.id-repeated": sharing(way{prepare: withAnsweredRequest, whole: []string{"conferenceData"}},
			way{name: "asked again", violate: within(requestID, cleared("/conferenceData/createRequest/status"))},
			way{name: "for another type", violate: within(requestID, replaced("/conferenceData/createRequest/conferenceSolutionKey/type", otherConferenceType))},
			way{name: "for no type", violate: within(requestID, firstSet("/conferenceData/createRequest/conferenceSolutionKey", members{"type": addOn},
				cleared("/conferenceData/createRequest/conferenceSolutionKey/type")))},
			way{name: "with other notes", violate: within(requestID, func(t *rapid.T, s *scene) diag.Pointer {
				replaced("/conferenceData/notes", otherText)(t, s)
				return cleared("/conferenceData/createRequest/status")(t, s)
			})},
		),
		"conference.type.unknown": sharing(way{prepare: ofUnknownType}, inConference(
			way{name: "other notes", violate: replaced("/conferenceData/notes", otherText)},
			way{name: "another id", violate: replaced("/conferenceData/conferenceId", otherText)},
			way{name: "another name", violate: replaced("/conferenceData/conferenceSolution/name", otherText)},
			way{name: "of a known type", violate: replaced("/conferenceData/conferenceSolution/key/type", otherConferenceType)},
			way{name: "another entry point", violate: replaced("/conferenceData/entryPoints", always([]any{members{"entryPointType": video, "uri": "https://example.org/1"}}))},
			way{name: "no entry point", violate: replaced("/conferenceData/entryPoints", always([]any{}))},
			way{name: "a new one instead", violate: replaced("/conferenceData", anyConference)},
			way{name: "a create request beside it", violate: replaced("/conferenceData/createRequest", always(members{"requestId": "r-1"}))},
			way{name: "taken out", violate: cleared("/conferenceData")},
		)...),

		"update.etag": {
			{name: "another tag", violate: onlyIf(`"other"`)},
			{name: "the tag as a weak one", violate: onlyIfTag(func(tag string) string { return "W/" + tag })},
			{name: "the tag without quotes", violate: onlyIfTag(func(tag string) string { return strings.Trim(tag, `"`) })},
			{name: "the tag of an earlier state", violate: onlyIfTag(func(tag string) string { return strings.Replace(tag, `"`, `"0`, 1) })},
			{name: "an event without a tag", violate: func(_ *rapid.T, s *scene) diag.Pointer {
				s.unset("/etag")
				s.ifMatch = `"1"`
				return ""
			}},
			{name: "the empty tag", violate: onlyIf(`""`)},
		},
		"cancelled.guaranteed": sharing(way{prepare: single},
			way{name: "no id", violate: isCancelled("/id", cleared("/id"))},
			way{name: "an empty id", violate: isCancelled("/id", replaced("/id", always("")))},
			way{name: "nothing but the status", violate: func(_ *rapid.T, s *scene) diag.Pointer {
				s.body = members{"status": cancelled}
				return "/id"
			}},
			way{name: "an exception to no series", violate: isCancelled("/recurringEventId", replaced("/originalStartTime", anyTime))},
			way{name: "an exception to an empty series", violate: isCancelled("/recurringEventId", func(t *rapid.T, s *scene) diag.Pointer {
				put(s.body, "/recurringEventId", "")
				return replaced("/originalStartTime", anyTime)(t, s)
			})},
			way{name: "an exception at no time", violate: isCancelled("/originalStartTime", replaced("/recurringEventId", otherID))},
			way{name: "an exception without an id", violate: isCancelled("/id", func(t *rapid.T, s *scene) diag.Pointer {
				replaced("/recurringEventId", otherID)(t, s)
				replaced("/originalStartTime", anyTime)(t, s)
				return cleared("/id")(t, s)
			})},
		),

		"patch.whole": slices.Concat(
			sharing(way{prepare: single}, conflictsOfTimes()...),
			sharing(way{prepare: single}, conflictsOfLines()...),
			conflictsOfParts(),
		),
	}
}

// conflictsOfTimes are patches whose start or end is wrong beside the other.
func conflictsOfTimes() []way {
	return []way{
		{name: "the start cleared", violate: cleared("/start")},
		{name: "the end cleared", violate: cleared("/end")},
		{name: "a date beside the dateTime", violate: timed("/start", func(s *scene) { put(s.body, "/start/date", "2026-03-10") })},
		{name: "a date beside the end's dateTime", violate: timed("/end", func(s *scene) { put(s.body, "/end/date", "2026-03-10") })},
		{name: "a dateTime beside the date", violate: allDay("/start", func(s *scene) { put(s.body, "/start/dateTime", "2026-03-10T09:00:00Z") })},
		{name: "the dateTime cleared", violate: timed("/start", func(s *scene) { remove(s.body, "/start/dateTime") })},
		{name: "an all-day start", violate: timed("/end", func(s *scene) { s.body["start"] = members{"date": "2026-01-01"} })},
		{name: "an all-day end", violate: timed("/end", func(s *scene) { s.body["end"] = members{"date": "9999-01-01"} })},
		{name: "a timed start", violate: allDay("/end", func(s *scene) { s.body["start"] = members{"dateTime": "2026-01-01T09:00:00Z"} })},
		{name: "a timed end", violate: allDay("/end", func(s *scene) { s.body["end"] = members{"dateTime": "9999-01-01T09:00:00Z"} })},
		{name: "a start after the end", violate: timed("/end", func(s *scene) { s.body["start"] = members{"dateTime": "9999-01-01T09:00:00Z"} })},
		{name: "an end before the start", violate: timed("/end", func(s *scene) { s.body["end"] = members{"dateTime": "1999-01-01T09:00:00Z"} })},
		{name: "a first day after the last", violate: allDay("/end", func(s *scene) { s.body["start"] = members{"date": "9999-01-01"} })},
		{name: "a last day before the first", violate: allDay("/end", func(s *scene) { s.body["end"] = members{"date": "1999-01-01"} })},
		{name: "the zone of a time without offset cleared", violate: timed("/start/dateTime", func(s *scene) {
			s.set("/start", members{"dateTime": "2025-01-01T09:00:00", "timeZone": "UTC"})
			remove(s.body, "/start/timeZone")
		})},
	}
}

// conflictsOfLines are patches whose recurrence is wrong beside the start, or the other way round.
func conflictsOfLines() []way {
	return []way{
		{name: "recurrence without a zone of the start", violate: timed("/start/timeZone", func(s *scene) {
			s.unset("/start/timeZone")
			put(s.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
		})},
		{name: "recurrence without a zone of the end", violate: timed("/end/timeZone", func(s *scene) {
			s.unset("/end/timeZone")
			put(s.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
		})},
		{name: "the zone of a series cleared", violate: timed("/start/timeZone", func(s *scene) {
			s.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			remove(s.body, "/start/timeZone")
		})},
		{name: "UNTIL before the start", violate: timed("/recurrence", func(s *scene) {
			put(s.body, "/recurrence", []any{"RRULE:FREQ=DAILY;UNTIL=20251231T000000Z"})
		})},
		{name: "UNTIL before the first day", violate: allDay("/recurrence", func(s *scene) {
			put(s.body, "/recurrence", []any{"RRULE:FREQ=DAILY;UNTIL=20251231"})
		})},
		{name: "hours of an all-day event", violate: allDay("/recurrence/0", func(s *scene) {
			put(s.body, "/recurrence", []any{"RRULE:FREQ=HOURLY;COUNT=3"})
		})},
		{name: "recurrence of an instance", violate: timed("/recurrence", func(s *scene) {
			s.set("/recurringEventId", "series1")
			s.set("/originalStartTime", members{"date": "2026-03-10"})
			put(s.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
		})},
	}
}

// conflictsOfParts are patches of other members that are wrong beside the rest of their part, or beside
// the event type.
func conflictsOfParts() []way {
	return []way{
		{name: "overrides beside the defaults", violate: firstSet("/reminders", members{"useDefault": true},
			replaced("/reminders/overrides", always([]any{members{"method": "popup", "minutes": 5}})))},
		{name: "the defaults beside overrides", violate: within("/reminders/overrides",
			firstSet("/reminders", members{"useDefault": false, "overrides": []any{members{"method": "popup", "minutes": 5}}},
				replaced("/reminders/useDefault", flipped)))},
		{name: "attendees of time alone", types: []string{typeFocusTime, typeOutOfOffice}, violate: replaced("/attendees", otherGuests)},
		{name: "a conference out of office", types: []string{typeOutOfOffice}, violate: replaced("/conferenceData", anyConference)},
		{name: "a location beside the working location", types: []string{typeWorkingLocation}, violate: replaced("/location", otherText)},
		{name: "a working location of no type", types: []string{typeWorkingLocation}, violate: cleared("/workingLocationProperties/type")},
		{name: "a conference without a way in", prepare: withConference, violate: within("/conferenceData", cleared("/conferenceData/entryPoints"))},
		{name: "a conference without a solution", prepare: withConference, violate: within("/conferenceData", cleared("/conferenceData/conferenceSolution"))},
		{name: "an id that the conference cannot have", prepare: withMeeting, violate: replaced("/conferenceData/conferenceId", anyWord)},
	}
}

// violation is the violate of a [way].
type violation = func(t *rapid.T, s *scene) diag.Pointer

// nothing breaks a rule that the request breaks by itself, as a whole.
func nothing(*rapid.T, *scene) diag.Pointer { return "" }

// set puts a value into what is stored and into the body.
func (s *scene) set(path diag.Pointer, value any) {
	if s.stored != nil {
		put(s.stored, path, cloned(value))
	}
	if s.body != nil {
		put(s.body, path, cloned(value))
	}
}

// unset takes a member out of what is stored and out of the body.
func (s *scene) unset(path diag.Pointer) {
	remove(s.stored, path)
	remove(s.body, path)
}

// replaced puts another value in place of the one that the body has, which is nil for none. A
// * in the place stands for any element of an array.
func replaced(pattern string, other func(t *rapid.T, was any) any) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		path := place(t, s.body, pattern)
		put(s.body, path, other(t, at(s.body, path)))
		return path
	}
}

// cleared takes a member out of the body: in a patch it becomes null.
func cleared(path diag.Pointer) violation {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		remove(s.body, path)
		return path
	}
}

// within is a violation that is found at another place than it is made.
func within(path diag.Pointer, v violation) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		v(t, s)
		return path
	}
}

// firstSet is a violation of an event that has, or had, the value at the place.
func firstSet(path diag.Pointer, value any, v violation) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		s.set(path, value)
		return v(t, s)
	}
}

// sending is a violation in a request with the parameter or, where there are no values,
// without it whatever the body asks for.
func sending(name string, values []string, v violation) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		s.params[name] = append([]string{}, values...)
		return v(t, s)
	}
}

// byAnother is a violation by a caller who did not create the event.
func byAnother(v violation) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		s.caller = &operation.Caller{Creator: new(false)}
		return v(t, s)
	}
}

// onlyIf makes the request conditional on an entity tag.
func onlyIf(tag string) violation {
	return onlyIfTag(func(string) string { return tag })
}

// onlyIfTag makes the request conditional on an entity tag that is made of the stored one.
func onlyIfTag(of func(tag string) string) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		s.ifMatch = of(s.stored["etag"].(string))
		return ""
	}
}

// isCancelled is a violation of a cancelled event.
func isCancelled(path diag.Pointer, v violation) violation {
	return within(path, firstSet("/status", cancelled, v))
}

// sharing adds to ways what they have in common and do not say themselves.
func sharing(common way, ways ...way) []way {
	for i := range ways {
		w := &ways[i]
		if w.on == 0 {
			w.on = common.on
		}
		if w.types == nil {
			w.types = common.types
		}
		if w.prepare == nil {
			w.prepare = common.prepare
		}
		if w.whole == nil {
			w.whole = common.whole
		}
	}
	return ways
}

// beside makes ways of requests for a calendar of which this is known.
func beside(calendar operation.Calendar, ways []way) []way {
	for i := range ways {
		v := ways[i].violate
		ways[i].violate = func(t *rapid.T, s *scene) diag.Pointer {
			s.calendar = new(calendar) // a payload of its own
			return v(t, s)
		}
	}
	return ways
}

// inConference makes ways of requests that declare that they know conference data. What is
// wrong is the conference as a whole.
func inConference(ways ...way) []way {
	for i := range ways {
		ways[i].violate = sending("conferenceDataVersion", []string{"1"}, within("/conferenceData", ways[i].violate))
	}
	return ways
}

// edit is a change of one member of a stored event, to another value that it may have.
type edit struct {
	member string
	name   string
	apply  violation
}

// edits makes ways of edits that a rule forbids.
func edits(list ...edit) []way {
	ways := make([]way, len(list))
	for i, e := range list {
		ways[i] = way{name: e.name, on: diag.Modify, violate: within(diag.Pointer("").Member(e.member), e.apply)}
	}
	return ways
}

func otherWords() []edit {
	return []edit{
		{"summary", "another summary", replaced("/summary", otherText)},
		{"description", "another description", replaced("/description", otherText)},
		{"location", "another location", replaced("/location", otherText)},
	}
}

func removals() []edit {
	return []edit{
		{"summary", "the summary taken out", firstSet("/summary", "Standup", cleared("/summary"))},
		{"description", "the description taken out", firstSet("/description", "Daily", cleared("/description"))},
		{"location", "the location taken out", firstSet("/location", "Room 4", cleared("/location"))},
		{"recurrence", "the recurrence taken out", timed("", func(s *scene) {
			s.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			remove(s.body, "/recurrence")
		})},
	}
}

func otherTimes() []edit {
	return []edit{
		{"start", "an earlier start", timed("", func(s *scene) { put(s.body, "/start/dateTime", "1999-01-01T09:00:00Z") })},
		{"start", "a start in another zone", timed("", func(s *scene) { put(s.body, "/start/timeZone", "Pacific/Kiritimati") })},
		{"start", "a start without its zone", timed("", func(s *scene) { remove(s.body, "/start/timeZone") })},
		{"start", "an earlier day", allDay("", func(s *scene) { put(s.body, "/start/date", "1999-01-01") })},
		{"end", "a later end", timed("", func(s *scene) { put(s.body, "/end/dateTime", "9999-01-01T09:00:00Z") })},
		{"end", "a later last day", allDay("", func(s *scene) { put(s.body, "/end/date", "9999-01-01") })},
		{"recurrence", "made a series", timed("", func(s *scene) { put(s.body, "/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"}) })},
		{"recurrence", "another rule", timed("", func(s *scene) {
			s.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			put(s.body, "/recurrence/0", "RRULE:FREQ=DAILY;COUNT=4")
		})},
		{"recurrence", "another line", timed("", func(s *scene) {
			s.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			put(s.body, "/recurrence/1", "RDATE:20301231T090000Z")
		})},
	}
}

func otherFlags() []edit {
	return []edit{
		{"endTimeUnspecified", "the end unspecified, or not", replaced("/endTimeUnspecified", flipped)},
		{"attendeesOmitted", "attendees omitted", replaced("/attendeesOmitted", flipped)},
		{"anyoneCanAddSelf", "another permission to join", replaced("/anyoneCanAddSelf", flipped)},
		{"guestsCanModify", "another permission to modify", replaced("/guestsCanModify", flipped)},
		{"guestsCanInviteOthers", "another permission to invite", replaced("/guestsCanInviteOthers", flippedFromTrue)},
		{"guestsCanSeeOtherGuests", "another permission to see guests", replaced("/guestsCanSeeOtherGuests", flippedFromTrue)},
	}
}

func otherParts() []edit {
	return []edit{
		{"sequence", "another sequence", replaced("/sequence", oneMore)},
		{"conferenceData", "a conference", replaced("/conferenceData", anyConference)},
		{"gadget", "another gadget", replaced("/gadget/title", otherText)},
		{"source", "another source", replaced("/source/title", otherText)},
		{"attachments", "other attachments", replaced("/attachments", otherFiles)},
	}
}

// tenYears is a number of days.
const tenYears = 3650

// timed makes of the event a single one of an hour in the years from 2026 on, with a zone and
// an offset, before it changes the body.
func timed(path diag.Pointer, change func(s *scene)) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		start := daysAfter(usualDay, tenYears).Draw(t, "day").Add(time.Duration(rapid.IntRange(0, 23).Draw(t, "hour")) * time.Hour)
		n := notation{zone: ZoneName().Draw(t, "zone"), offset: true, utc: "Z"}
		s.single(timedAt(start, n), timedAt(start.Add(time.Hour), n))
		change(s)
		return path
	}
}

// allDay makes of the event a single one of one day in the years from 2026 on, before it
// changes the body.
func allDay(path diag.Pointer, change func(s *scene)) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		first := daysAfter(usualDay, tenYears).Draw(t, "first day")
		s.single(allDayAt(t, first), allDayAt(t, first.Add(day)))
		change(s)
		return path
	}
}

// single gives the event these times, and no recurrence.
func (s *scene) single(start, end moment) {
	tree := treeOf(&event.Event{Start: start.Time, End: end.Time})
	s.set("/start", tree["start"])
	s.set("/end", tree["end"])
	s.unset("/recurrence")
}

// timedOffset and wholeDay write an instant and a day.
func timedOffset(t *rapid.T, at time.Time) *event.Time {
	n := drawNotation(t, "original start")
	n.offset = true // or of two instants that read the same on the clock, one is read for both
	return timedAt(at, n).Time
}

func wholeDay(t *rapid.T, at time.Time) *event.Time { return allDayAt(t, at.Truncate(day)).Time }

// originalMoved makes the originalStartTime of an instance an earlier or a later one.
func originalMoved(written func(*rapid.T, time.Time) *event.Time, by time.Duration) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		at := instant(usualDay, usualDay.AddDate(10, 0, 0)).Draw(t, "original start")
		was, is := treeOf(&event.Event{Start: written(t, at)}), treeOf(&event.Event{Start: written(t, at.Add(by))})
		s.stored["originalStartTime"], s.body["originalStartTime"] = was["start"], is["start"]
		return "/originalStartTime"
	}
}

// The series of which [notAStart] makes an event an instance.
var weekly = &event.Event{
	ID: "series1", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"},
	Recurrence: []string{"RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20260317"},
}
var hourly = &event.Event{
	ID:         "series2",
	Start:      &event.Time{DateTime: "2026-03-10T09:00:00-04:00", TimeZone: "America/New_York"},
	End:        &event.Time{DateTime: "2026-03-10T09:30:00-04:00", TimeZone: "America/New_York"},
	Recurrence: []string{"RRULE:FREQ=HOURLY;COUNT=3"},
}

// notAStart makes of the event an instance of the series that the series does not have.
func notAStart(series *event.Event, original members) violation {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		s.series = series.Clone()
		s.set("/recurringEventId", series.ID)
		s.set("/originalStartTime", original)
		return "/originalStartTime"
	}
}

// laterDays moves an all-day event by a week.
func laterDays(_ *rapid.T, s *scene) diag.Pointer {
	for _, path := range []diag.Pointer{"/start/date", "/end/date"} {
		at, _ := time.Parse(dateForm, at(s.body, path).(string))
		put(s.body, path, at.AddDate(0, 0, 7).Format(dateForm))
	}
	return "/start"
}

// Other values than the one that there is, which is nil for none.

func always(value any) func(*rapid.T, any) any {
	return func(*rapid.T, any) any { return cloned(value) }
}

func oneValue(values ...any) func(*rapid.T, any) any {
	return func(t *rapid.T, _ any) any { return cloned(rapid.SampledFrom(values).Draw(t, "value")) }
}

func longerBy(suffix string) func(*rapid.T, any) any {
	return func(_ *rapid.T, was any) any { return was.(string) + suffix }
}

// unlike draws a text that is not the one that there is.
func unlike(t *rapid.T, was any, g *rapid.Generator[string]) any {
	text := g.Draw(t, "other")
	if text == was {
		return text + "0"
	}
	return text
}

func otherText(t *rapid.T, was any) any    { return unlike(t, was, draw.NonEmptyText(freeText)) }
func otherID(t *rapid.T, was any) any      { return unlike(t, was, ID()) }
func otherLabel(t *rapid.T, was any) any   { return unlike(t, was, draw.Name()) }
func otherURL(t *rapid.T, was any) any     { return unlike(t, was, httpURL(freeText)) }
func otherAddress(t *rapid.T, was any) any { return unlike(t, was, Address()) }

func otherTag(t *rapid.T, was any) any {
	return unlike(t, was, rapid.StringMatching(`(W/)?"[a-z]{1,16}"`))
}

func otherTimestamp(t *rapid.T, was any) any {
	return unlike(t, was, rapid.OneOf(timestamp(), rapid.SampledFrom([]string{"0000-01-01T00:00:00Z", "yesterday"})))
}

func otherContact(t *rapid.T, was any) any {
	return unlike(t, was, rapid.StringMatching(`people/[a-zA-Z0-9_-]{1,12}`))
}

// anyWord is a word that is none of the documents.
func anyWord(t *rapid.T, was any) any { return unlike(t, was, rapid.StringMatching(`x[a-z0-9]{1,20}`)) }

func anyStatusCode(t *rapid.T, was any) any { return unlike(t, was, oneOf(limits.CreateRequestStatus)) }

// flipped is the other value of a flag that is false when absent, flippedFromTrue of one that
// is true then.
func flipped(_ *rapid.T, was any) any         { return was != true }
func flippedFromTrue(_ *rapid.T, was any) any { return was == false }

// oneMore is the number after the one that there is, and after the last of all 0.
func oneMore(_ *rapid.T, was any) any {
	number, _ := was.(json.Number)
	n, _ := number.Int64()
	if n == math.MaxInt64 {
		return 0
	}
	return n + 1
}

// anyTime is a start that an instance may have had.
func anyTime(t *rapid.T, _ any) any {
	return treeOf(&event.Event{Start: drawReturnedTime(t)})["start"]
}

func anyConference(t *rapid.T, _ any) any {
	return treeOf(&event.Event{ConferenceData: Conference().Draw(t, "conference")})["conferenceData"]
}

func otherConferenceType(t *rapid.T, was any) any {
	return differing(t, was, []string{addOn, videoMeet})
}

// differing draws one of the values that is not the one that there is.
func differing(t *rapid.T, was any, values []string) any {
	return rapid.SampledFrom(slices.DeleteFunc(slices.Clone(values), func(v string) bool { return v == was })).Draw(t, "other")
}

// otherGuests and otherFiles are lists that no generator of valid events draws.
func otherGuests(t *rapid.T, _ any) any {
	return []any{members{"email": Address().Draw(t, "address")}, members{"email": "another.guest@guests.example.net"}}
}

func otherFiles(t *rapid.T, _ any) any {
	return []any{members{"fileUrl": "https://files.example.net/" + draw.Name().Draw(t, "file")}}
}

// typesOfClients are the event types that clients create, the default one first.
var typesOfClients = []string{typeDefault, typeBirthday, typeFocusTime, typeOutOfOffice, typeWorkingLocation}

func otherType(t *rapid.T, was any) any { return differing(t, was, typesOfClients) }

func otherBirthday(t *rapid.T, _ any) any {
	return rapid.SampledFrom(slices.DeleteFunc(limits.BirthdayType.Values(), func(v string) bool { return v == typeBirthday })).Draw(t, "birthday type")
}

const requestID = "/conferenceData/createRequest/requestId"

// What events are prepared with.

func locked(_ *rapid.T, e *event.Event)      { e.Locked = true }
func unlocked(_ *rapid.T, e *event.Event)    { e.Locked = false }
func privateCopy(_ *rapid.T, e *event.Event) { e.PrivateCopy = true }
func publicCopy(_ *rapid.T, e *event.Event)  { e.PrivateCopy = false }
func noBirthday(_ *rapid.T, e *event.Event)  { e.BirthdayProperties = nil }
func noFiles(_ *rapid.T, e *event.Event)     { e.Attachments = nil }
func plain(_ *rapid.T, e *event.Event)       { e.Attendees, e.ConferenceData, e.Location = nil, nil, "" }

// anInstance makes of the event an instance of a series.
func anInstance(t *rapid.T, e *event.Event) {
	e.Recurrence = nil
	drawMovedInstance(t, e)
}

// asBirthday gives the event the properties of a birthday.
func asBirthday(birthdayType string) func(*rapid.T, *event.Event) {
	return func(_ *rapid.T, e *event.Event) { e.BirthdayProperties = &event.Birthday{Type: birthdayType} }
}

// contactBirthday makes of the event the birthday of a contact, or of the calendar's owner.
func contactBirthday(t *rapid.T, e *event.Event) {
	asBirthday(oneOf(limits.BirthdayType, typeBirthday).Draw(t, "birthday type"))(t, e)
	if b := e.BirthdayProperties; b.Type != "self" {
		b.Contact = "people/" + draw.Name().Draw(t, "contact")
	}
}

// withFiles gives the event an attachment at least, of files that are all different.
func withFiles(t *rapid.T, e *event.Event) {
	e.Attachments = nil
	for i := range rapid.SampledFrom([]int{1, 2, limits.AttachmentsMax}).Draw(t, "number of attachments") {
		a := drawAttachment(t)
		a.FileURL = "https://files.example.com/" + strings.Repeat("0", i)
		e.Attachments = append(e.Attachments, a)
	}
}

// inColour gives the event a colour or none, inLabel a label or none.
func inColour(t *rapid.T, e *event.Event) {
	e.EventLabelID, e.ColorID = nil, draw.Optional(t, "colour", rapid.Just("5"))
}

func inLabel(t *rapid.T, e *event.Event) {
	e.EventLabelID, e.ColorID = draw.Pointer(t, "label", rapid.Just("urgent")), ""
}

// withRequest gives the event conference data with a create request that has no answer yet,
// beside a conference or instead of one.
func withRequest(t *rapid.T, e *event.Event) {
	withConference(t, e)
	d := e.ConferenceData
	d.CreateRequest = drawRequest(t, addOn)
	if draw.Maybe(t, "nothing ready") {
		d.Solution, d.EntryPoints, d.ID = nil, nil, ""
	}
}

func withPendingRequest(t *rapid.T, e *event.Event) {
	withRequest(t, e)
	e.ConferenceData.CreateRequest.Status = &conference.Status{Code: "pending"}
}

// withAnsweredRequest gives the event conference data with a create request in any state.
func withAnsweredRequest(t *rapid.T, e *event.Event) {
	withRequest(t, e)
	e.ConferenceData.CreateRequest.Status = &conference.Status{Code: oneOf(limits.CreateRequestStatus).Draw(t, "status")}
}

// withMeeting gives the event a conference whose id has a form.
func withMeeting(t *rapid.T, e *event.Event) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, videoMeet)
}

// ofUnknownType gives the event a conference of a type that nobody knows, or of none.
func ofUnknownType(t *rapid.T, e *event.Event) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, rapid.SampledFrom([]string{"holoDeck", "", "VideoMeet", "videoMeet "}).Draw(t, "unknown type"))
	if draw.Maybe(t, "no key") {
		e.ConferenceData.Solution.Key = nil
	}
}
