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
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// changeWays break the rules about what a request changes: what only the service writes, what
// never changes, and what changes only under a condition.
func changeVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.EventIDMismatch: {
			{name: "another id", mutate: replaced("/id", otherID)},
			{name: "one character more", mutate: replaced("/id", longerBy("0"))},
			{name: "the id of an instance", mutate: replaced("/id", longerBy("_20260310T090000Z"))},
			{name: "the empty id", mutate: replaced("/id", always(""))},
		},
		ruleid.EventReadOnly: append([]variant{
			{name: "another time of creation", mutate: replaced("/created", otherTimestamp)},
			{name: "another time of the last change", mutate: replaced("/updated", otherTimestamp)},
			{name: "the time of creation cleared", on: diag.Patch, mutate: cleared("/created")},
			{name: "another creator", mutate: within("/creator", replaced("/creator/email", otherAddress))},
			{name: "another name of the creator", mutate: within("/creator", replaced("/creator/displayName", otherText))},
			{name: "another creator's flag", mutate: within("/creator", replaced("/creator/self", flipped))},
			{name: "the creator cleared", on: diag.Patch, mutate: cleared("/creator")},
			{name: "another organizer's flag", mutate: replaced("/organizer/self", flipped)},
			{name: "locked", prepare: unlocked, mutate: replaced("/locked", flipped)},
			{name: "unlocked", on: diag.Modify, prepare: locked, mutate: replaced("/locked", flipped)},
			{name: "the organizer among the attendees", prepare: withAttendees, mutate: replaced("/attendees/*/organizer", flipped)},
			{name: "oneself among the attendees", prepare: withAttendees, mutate: replaced("/attendees/*/self", flipped)},
			{name: "an operation on an attendee", prepare: withAttendees, mutate: replaced("/attendees/*/asyncOperation", anyWord)},
			{
				name: "an attendee's flag taken away", on: diag.Modify, prepare: withAttendees,
				mutate: firstSet("/attendees/0/self", true, replaced("/attendees/0/self", flipped)),
			},
			{name: "the file of an attachment", prepare: withFiles, mutate: replaced("/attachments/*/fileId", anyWord)},
			{name: "the status of a create request", prepare: withRequest, mutate: within("/conferenceData/createRequest/status",
				replaced("/conferenceData/createRequest/status/statusCode", anyStatusCode))},
			{name: "another status of a create request", on: diag.Modify, prepare: withPendingRequest, mutate: within("/conferenceData/createRequest/status",
				replaced("/conferenceData/createRequest/status/statusCode", always(success)))},
		}, sharing(variant{on: diag.Insert | diag.Modify, types: []string{typeBirthday}, prepare: asBirthday(typeBirthday)},
			variant{name: "the contact of a birthday", mutate: replaced("/birthdayProperties/contact", otherContact)},
			variant{name: "the name of a birthday's type", mutate: replaced("/birthdayProperties/customTypeName", otherText)},
		)...),
		ruleid.EventServerSet: {
			{name: "another entity tag", mutate: replaced("/etag", otherTag)},
			{name: "the entity tag cleared", on: diag.Patch, mutate: cleared("/etag")},
			{name: "another page of the event", mutate: replaced("/htmlLink", otherURL)},
			{name: "another video link", mutate: replaced("/videoLink", otherURL)},
			{name: "the video link cleared", on: diag.Patch, mutate: firstSet("/videoLink", "https://meet.example.com/abc", cleared("/videoLink"))},
			{name: "an attachment's icon", prepare: withFiles, mutate: replaced("/attachments/*/iconLink", otherURL)},
			{name: "the gadget's link", prepare: withGadget, mutate: replaced("/gadget/link", otherURL)},
			{name: "the gadget's icon", prepare: withGadget, mutate: replaced("/gadget/iconLink", otherURL)},
		},
		ruleid.EventOrganizerReadOnly: {
			{name: "another organizer address", mutate: within("/organizer", replaced("/organizer/email", otherAddress))},
			{name: "another organizer name", mutate: within("/organizer", replaced("/organizer/displayName", otherText))},
			{name: "another organizer profile", mutate: within("/organizer", replaced("/organizer/id", anyWord))},
			{name: "cleared", on: diag.Patch, mutate: cleared("/organizer")},
		},

		ruleid.EventRecurringIDWritten: {
			{name: "the id of a series", prepare: single, mutate: replaced("/recurringEventId", otherID)},
			{name: "the start of an instance", mutate: replaced("/originalStartTime", anyTime)},
			{name: "an instance read back", prepare: anInstance, mutate: func(*rapid.T, *draft) diag.Pointer { return "/originalStartTime" }},
		},
		ruleid.EventRecurringIDImmutable: {
			{name: "made an instance", prepare: single, mutate: replaced("/recurringEventId", otherID)},
			{name: "of another series", prepare: anInstance, mutate: replaced("/recurringEventId", otherID)},
			{name: "of the same series, cut off", prepare: anInstance, mutate: replaced("/recurringEventId", longerBy("_R20270101"))},
			{name: "of no series", prepare: anInstance, mutate: replaced("/recurringEventId", always(""))},
			{name: "cleared", on: diag.Patch, prepare: anInstance, mutate: cleared("/recurringEventId")},
		},
		ruleid.EventOriginalStartImmutable: {
			{name: "a second later", prepare: anInstance, mutate: originalMoved(timedOffset, time.Second)},
			{name: "days earlier", prepare: anInstance, mutate: originalMoved(timedOffset, -3*day)},
			{name: "another day", prepare: anInstance, mutate: originalMoved(wholeDay, day)},
			{name: "a time instead of the day", prepare: anInstance, mutate: firstSet("/originalStartTime", members{"date": "2026-03-10"},
				replaced("/originalStartTime", always(members{"dateTime": "2026-03-10T00:00:00Z"})))},
			{name: "a day instead of the time", prepare: anInstance, mutate: firstSet("/originalStartTime", members{"dateTime": "2026-03-10T00:00:00Z"},
				replaced("/originalStartTime", always(members{"date": "2026-03-10"})))},
			{name: "given to a single event", prepare: single, mutate: replaced("/originalStartTime", anyTime)},
			{name: "cleared", on: diag.Patch, prepare: anInstance, mutate: cleared("/originalStartTime")},
		},
		ruleid.EventOriginalStartMember: sharing(variant{prepare: single, whole: []string{"originalStartTime"}},
			variant{name: "between two days of the series", mutate: notAStart(weekly, members{"date": "2026-03-11"})},
			variant{name: "before the first day", mutate: notAStart(weekly, members{"date": "2026-03-03"})},
			variant{name: "after the last day", mutate: notAStart(weekly, members{"date": "2026-03-31"})},
			variant{name: "an excluded day", mutate: notAStart(weekly, members{"date": "2026-03-17"})},
			variant{name: "a time of a series of days", mutate: notAStart(weekly, members{"dateTime": "2026-03-10T00:00:00Z"})},
			variant{name: "a second after a start", mutate: notAStart(hourly, members{"dateTime": "2026-03-10T10:00:01-04:00"})},
			variant{name: "in another offset", mutate: notAStart(hourly, members{"dateTime": "2026-03-10T09:00:00+04:00"})},
			variant{name: "a day of a series of times", mutate: notAStart(hourly, members{"date": "2026-03-10"})},
		),
		ruleid.EventPrivateCopyImmutable: {
			{name: "made one", prepare: publicCopy, mutate: replaced("/privateCopy", flipped)},
			{name: "made none", prepare: privateCopy, mutate: replaced("/privateCopy", flipped)},
			{name: "cleared", on: diag.Patch, prepare: privateCopy, mutate: cleared("/privateCopy")},
		},
		ruleid.EventLocked: sharing(variant{prepare: locked}, slices.Concat(
			edits(otherWords()...),
			edits(removals()...),
			edits(otherTimes()...),
		)...),
		ruleid.TypeFromMailModify: sharing(variant{types: []string{typeFromMail}}, slices.Concat(
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
		ruleid.EventTypeImmutable: {
			{name: "another type", types: typesOfClients, prepare: plain, mutate: replaced("/eventType", otherType)},
			{name: "made one from a message", types: typesOfClients, prepare: plain, mutate: replaced("/eventType", always(typeFromMail))},
			{name: "cleared", on: diag.Patch, types: typesOfClients[1:], prepare: plain, mutate: cleared("/eventType")},
		},

		ruleid.BirthdayImmutable: {
			{name: "another type", types: []string{typeBirthday}, prepare: asBirthday(typeBirthday), mutate: replaced("/birthdayProperties/type", otherBirthday)},
			{name: "no longer a contact's", types: []string{typeBirthday}, prepare: contactBirthday, mutate: replaced("/birthdayProperties/type", always(typeBirthday))},
			{name: "a type for one of none", types: []string{typeBirthday}, prepare: asBirthday(""), mutate: replaced("/birthdayProperties/type", otherBirthday)},
			{name: "the type cleared", on: diag.Patch, types: []string{typeBirthday}, prepare: contactBirthday, mutate: cleared("/birthdayProperties/type")},
			{name: "cleared", on: diag.Patch, types: []string{typeBirthday}, prepare: asBirthday(typeBirthday), mutate: cleared("/birthdayProperties")},
			{name: "added", types: []string{typeBirthday}, prepare: noBirthday, mutate: replaced("/birthdayProperties", always(members{"type": typeBirthday}))},
			{name: "added, and empty", types: []string{typeBirthday}, prepare: noBirthday, mutate: replaced("/birthdayProperties", always(members{}))},
			{name: "added to another event", types: plainTypes, mutate: replaced("/birthdayProperties", always(members{"type": typeBirthday}))},
		},
		ruleid.BirthdayModify: append(sharing(variant{types: []string{typeBirthday}, prepare: contactBirthday}, slices.Concat(
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
		)...), variant{name: "deleted", on: diag.Delete, types: []string{typeBirthday}, prepare: contactBirthday, mutate: nothing}),

		ruleid.EventColorKnown: slices.Concat(
			beside(operation.Calendar{Colors: []string{"1", "5"}}, variantsAt(variant{prepare: inColour}, []string{"/colorId"},
				anyOf("one more", "12", "2", "0"),
				anyOf("as a name", "red", "Tomato", "#dc2127"),
				anyOf("with a blank or a zero", " 5", "5 ", "05", "5.0"),
				drawnAs("any other", rapid.StringMatching(`x[a-z0-9]{0,40}`)),
			)),
			beside(operation.Calendar{Colors: []string{}}, variantsAt(variant{prepare: inColour}, []string{"/colorId"}, just("where none is known", "7"))),
		),
		ruleid.EventLabelKnown: slices.Concat(
			beside(operation.Calendar{Labels: []string{"urgent", "later"}}, variantsAt(variant{prepare: inLabel}, []string{"/eventLabelId"},
				anyOf("misspelt", "urgnet", "urgen", "urgentt"),
				anyOf("in another case or with a blank", "URGENT", "Urgent", " urgent", "later\n"),
				anyOf("two in one", "urgent,later", "urgent later"),
				drawnAs("any other", rapid.StringMatching(`x[a-z0-9]{0,40}`)),
			)),
			beside(operation.Calendar{Labels: []string{}}, variantsAt(variant{prepare: inLabel}, []string{"/eventLabelId"}, just("where there is none", "first"))),
		),
		ruleid.EventLabelVersion: {
			{name: "without the parameter", prepare: inLabel, mutate: sending("eventLabelVersion", nil, replaced("/eventLabelId", otherLabel))},
			{name: "at version 0", prepare: inLabel, mutate: sending("eventLabelVersion", []string{"0"}, replaced("/eventLabelId", otherLabel))},
			{name: "beside a colour", prepare: both(inLabel, inColour), mutate: sending("eventLabelVersion", nil,
				func(t *rapid.T, d *draft) diag.Pointer {
					replaced("/colorId", otherLabel)(t, d)
					return replaced("/eventLabelId", otherLabel)(t, d)
				})},
			{name: "removed by an empty text", on: diag.Modify, mutate: firstSet("/eventLabelId", "urgent",
				sending("eventLabelVersion", nil, replaced("/eventLabelId", always(""))))},
			{name: "cleared", on: diag.Patch, mutate: firstSet("/eventLabelId", "urgent", sending("eventLabelVersion", []string{"0"}, cleared("/eventLabelId")))},
		},
		ruleid.EventLabelColorIgnored: {
			{name: "a colour at version 1", prepare: inColour, mutate: sending("eventLabelVersion", []string{"1"}, replaced("/colorId", otherLabel))},
			{name: "beside a label", prepare: inColour, mutate: sending("eventLabelVersion", []string{"1"}, func(t *rapid.T, d *draft) diag.Pointer {
				replaced("/eventLabelId", otherLabel)(t, d)
				return replaced("/colorId", otherLabel)(t, d)
			})},
			{name: "beside an empty label", prepare: inColour, mutate: sending("eventLabelVersion", []string{"1"}, func(t *rapid.T, d *draft) diag.Pointer {
				put(d.body, "/eventLabelId", "")
				return replaced("/colorId", otherLabel)(t, d)
			})},
			{name: "cleared", on: diag.Patch, mutate: firstSet("/colorId", "5", sending("eventLabelVersion", []string{"1"}, cleared("/colorId")))},
		},

		ruleid.AttendeeResourceLate: sharing(variant{prepare: withAttendees},
			variant{name: "made a resource", mutate: firstSet("/attendees/0/resource", false, replaced("/attendees/0/resource", flipped))},
			variant{name: "made a person", mutate: firstSet("/attendees/0/resource", true, replaced("/attendees/0/resource", flipped))},
			variant{name: "left out", mutate: firstSet("/attendees/0/resource", true, cleared("/attendees/0/resource"))},
			variant{name: "any of them", mutate: replaced("/attendees/*/resource", flipped)},
			variant{name: "in another order", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				replaced("/attendees/0/resource", flipped)(t, d)
				guests := d.body["attendees"].([]any)
				slices.Reverse(guests)
				return diag.Pointer("/attendees").Index(len(guests)-1) + "/resource"
			}},
			variant{name: "of an address in capitals", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.set("/attendees/0/email", "room@example.com")
				put(d.body, "/attendees/0/email", "room@EXAMPLE.com")
				return replaced("/attendees/0/resource", flipped)(t, d)
			}},
		),
		ruleid.AttachmentsSupports: slices.Concat(
			sharing(variant{prepare: noFiles},
				variant{name: "added without the parameter", mutate: sending("supportsAttachments", nil, replaced("/attachments", otherFiles))},
				variant{name: "added with false", mutate: sending("supportsAttachments", []string{"false"}, replaced("/attachments", otherFiles))},
			),
			sharing(variant{on: diag.Modify, prepare: withFiles},
				variant{name: "exchanged", mutate: sending("supportsAttachments", nil, replaced("/attachments", otherFiles))},
				variant{name: "another title", mutate: sending("supportsAttachments", nil, within("/attachments", replaced("/attachments/*/title", otherText)))},
				variant{name: "another type of file", mutate: sending("supportsAttachments", []string{"false"},
					within("/attachments", replaced("/attachments/*/mimeType", always("application/pdf"))))},
				variant{name: "one taken out", mutate: sending("supportsAttachments", nil, func(t *rapid.T, d *draft) diag.Pointer {
					d.body["attachments"] = d.body["attachments"].([]any)[1:]
					return "/attachments"
				})},
				variant{name: "all taken out", mutate: sending("supportsAttachments", nil, cleared("/attachments"))},
			),
		),
		ruleid.SourceCreatorOnly: sharing(variant{on: diag.Modify | diag.Get, prepare: withSource},
			variant{name: "another title", on: diag.Modify, mutate: byAnother(within("/source", replaced("/source/title", otherText)))},
			variant{name: "another address", on: diag.Modify, mutate: byAnother(within("/source", replaced("/source/url", otherURL)))},
			variant{name: "cleared", on: diag.Patch, mutate: byAnother(cleared("/source"))},
			variant{name: "the address cleared", on: diag.Patch, mutate: byAnother(within("/source", cleared("/source/url")))},
			variant{name: "added", on: diag.Modify, mutate: byAnother(func(t *rapid.T, d *draft) diag.Pointer {
				remove(d.stored, "/source")
				return "/source"
			})},
			variant{name: "seen", on: diag.Get, mutate: byAnother(func(*rapid.T, *draft) diag.Pointer { return "/source" })},
		),

		ruleid.ConferenceVersion: {
			{name: "without the parameter", prepare: noConference, mutate: sending("conferenceDataVersion", nil, replaced("/conferenceData", anyConference))},
			{name: "at version 0", prepare: noConference, mutate: sending("conferenceDataVersion", []string{"0"}, replaced("/conferenceData", anyConference))},
			{name: "none that could be kept", prepare: noConference, mutate: sending("conferenceDataVersion", nil,
				replaced("/conferenceData", oneValue(members{}, members{"notes": "a"}, members{"entryPoints": []any{members{"entryPointType": "fax"}}})))},
			{name: "in an event that has none", types: []string{typeFocusTime, typeOutOfOffice}, mutate: sending("conferenceDataVersion", []string{"0"},
				replaced("/conferenceData", anyConference))},
			{name: "other notes", on: diag.Modify, prepare: withConference, mutate: sending("conferenceDataVersion", nil,
				within("/conferenceData", replaced("/conferenceData/notes", otherText)))},
			{name: "cleared", on: diag.Patch, prepare: withConference, mutate: sending("conferenceDataVersion", []string{"0"}, cleared("/conferenceData"))},
		},
		ruleid.ConferenceRequestIDRepeated: sharing(variant{prepare: withAnsweredRequest, whole: []string{"conferenceData"}},
			variant{name: "asked again", mutate: within(requestID, cleared("/conferenceData/createRequest/status"))},
			variant{name: "for another type", mutate: within(requestID, replaced("/conferenceData/createRequest/conferenceSolutionKey/type", otherConferenceType))},
			variant{name: "for no type", mutate: within(requestID, firstSet("/conferenceData/createRequest/conferenceSolutionKey", members{"type": addOn},
				cleared("/conferenceData/createRequest/conferenceSolutionKey/type")))},
			variant{name: "with other notes", mutate: within(requestID, func(t *rapid.T, d *draft) diag.Pointer {
				replaced("/conferenceData/notes", otherText)(t, d)
				return cleared("/conferenceData/createRequest/status")(t, d)
			})},
		),
		ruleid.ConferenceTypeUnknown: sharing(variant{prepare: ofUnknownType}, inConference(
			variant{name: "other notes", mutate: replaced("/conferenceData/notes", otherText)},
			variant{name: "another id", mutate: replaced("/conferenceData/conferenceId", otherText)},
			variant{name: "another name", mutate: replaced("/conferenceData/conferenceSolution/name", otherText)},
			variant{name: "of a known type", mutate: replaced("/conferenceData/conferenceSolution/key/type", otherConferenceType)},
			variant{name: "another entry point", mutate: replaced("/conferenceData/entryPoints", always([]any{members{"entryPointType": video, "uri": "https://example.org/1"}}))},
			variant{name: "no entry point", mutate: replaced("/conferenceData/entryPoints", always([]any{}))},
			variant{name: "a new one instead", mutate: replaced("/conferenceData", anyConference)},
			variant{name: "a create request beside it", mutate: replaced("/conferenceData/createRequest", always(members{"requestId": "r-1"}))},
			variant{name: "taken out", mutate: cleared("/conferenceData")},
		)...),

		ruleid.UpdateETag: {
			{name: "another tag", mutate: onlyIf(`"other"`)},
			{name: "the tag as a weak one", mutate: onlyIfTag(func(tag string) string { return "W/" + tag })},
			{name: "the tag without quotes", mutate: onlyIfTag(func(tag string) string { return strings.Trim(tag, `"`) })},
			{name: "the tag of an earlier state", mutate: onlyIfTag(func(tag string) string { return strings.Replace(tag, `"`, `"0`, 1) })},
			{name: "an event without a tag", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.unset("/etag")
				d.ifMatch = `"1"`
				return ""
			}},
			{name: "the empty tag", mutate: onlyIf(`""`)},
		},
		ruleid.CancelledGuaranteed: sharing(variant{prepare: single},
			variant{name: "no id", mutate: isCancelled("/id", cleared("/id"))},
			variant{name: "an empty id", mutate: isCancelled("/id", replaced("/id", always("")))},
			variant{name: "nothing but the status", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.body = members{"status": cancelled}
				return "/id"
			}},
			variant{name: "an exception to no series", mutate: isCancelled("/recurringEventId", replaced("/originalStartTime", anyTime))},
			variant{name: "an exception to an empty series", mutate: isCancelled("/recurringEventId", func(t *rapid.T, d *draft) diag.Pointer {
				put(d.body, "/recurringEventId", "")
				return replaced("/originalStartTime", anyTime)(t, d)
			})},
			variant{name: "an exception at no time", mutate: isCancelled("/originalStartTime", replaced("/recurringEventId", otherID))},
			variant{name: "an exception without an id", mutate: isCancelled("/id", func(t *rapid.T, d *draft) diag.Pointer {
				replaced("/recurringEventId", otherID)(t, d)
				replaced("/originalStartTime", anyTime)(t, d)
				return cleared("/id")(t, d)
			})},
		),

		ruleid.PatchWhole: slices.Concat(
			sharing(variant{prepare: single}, conflictsOfTimes()...),
			sharing(variant{prepare: single}, conflictsOfLines()...),
			conflictsOfParts(),
		),
	}
}

// conflictsOfTimes are patches whose start or end is wrong beside the other.
func conflictsOfTimes() []variant {
	return []variant{
		{name: "the start cleared", mutate: cleared("/start")},
		{name: "the end cleared", mutate: cleared("/end")},
		{name: "a date beside the dateTime", mutate: timed("/start", func(d *draft) { put(d.body, "/start/date", "2026-03-10") })},
		{name: "a date beside the end's dateTime", mutate: timed("/end", func(d *draft) { put(d.body, "/end/date", "2026-03-10") })},
		{name: "a dateTime beside the date", mutate: allDay("/start", func(d *draft) { put(d.body, "/start/dateTime", "2026-03-10T09:00:00Z") })},
		{name: "the dateTime cleared", mutate: timed("/start", func(d *draft) { remove(d.body, "/start/dateTime") })},
		{name: "an all-day start", mutate: timed("/end", func(d *draft) { d.body["start"] = members{"date": "2026-01-01"} })},
		{name: "an all-day end", mutate: timed("/end", func(d *draft) { d.body["end"] = members{"date": "9999-01-01"} })},
		{name: "a timed start", mutate: allDay("/end", func(d *draft) { d.body["start"] = members{"dateTime": "2026-01-01T09:00:00Z"} })},
		{name: "a timed end", mutate: allDay("/end", func(d *draft) { d.body["end"] = members{"dateTime": "9999-01-01T09:00:00Z"} })},
		{name: "a start after the end", mutate: timed("/end", func(d *draft) { d.body["start"] = members{"dateTime": "9999-01-01T09:00:00Z"} })},
		{name: "an end before the start", mutate: timed("/end", func(d *draft) { d.body["end"] = members{"dateTime": "1999-01-01T09:00:00Z"} })},
		{name: "a first day after the last", mutate: allDay("/end", func(d *draft) { d.body["start"] = members{"date": "9999-01-01"} })},
		{name: "a last day before the first", mutate: allDay("/end", func(d *draft) { d.body["end"] = members{"date": "1999-01-01"} })},
		{name: "the zone of a time without offset cleared", mutate: timed("/start/dateTime", func(d *draft) {
			d.set("/start", members{"dateTime": "2025-01-01T09:00:00", "timeZone": "UTC"})
			remove(d.body, "/start/timeZone")
		})},
	}
}

// conflictsOfLines are patches whose recurrence is wrong beside the start, or the other way round.
func conflictsOfLines() []variant {
	return []variant{
		{name: "recurrence without a zone of the start", mutate: timed("/start/timeZone", func(d *draft) {
			d.unset("/start/timeZone")
			put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
		})},
		{name: "recurrence without a zone of the end", mutate: timed("/end/timeZone", func(d *draft) {
			d.unset("/end/timeZone")
			put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
		})},
		{name: "the zone of a series cleared", mutate: timed("/start/timeZone", func(d *draft) {
			d.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			remove(d.body, "/start/timeZone")
		})},
		{name: "UNTIL before the start", mutate: timed("/recurrence", func(d *draft) {
			put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY;UNTIL=20251231T000000Z"})
		})},
		{name: "UNTIL before the first day", mutate: allDay("/recurrence", func(d *draft) {
			put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY;UNTIL=20251231"})
		})},
		{name: "hours of an all-day event", mutate: allDay("/recurrence/0", func(d *draft) {
			put(d.body, "/recurrence", []any{"RRULE:FREQ=HOURLY;COUNT=3"})
		})},
		{name: "recurrence of an instance", mutate: timed("/recurrence", func(d *draft) {
			d.set("/recurringEventId", "series1")
			d.set("/originalStartTime", members{"date": "2026-03-10"})
			put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
		})},
	}
}

// conflictsOfParts are patches of other members that are wrong beside the rest of their part, or beside
// the event type.
func conflictsOfParts() []variant {
	return []variant{
		{name: "overrides beside the defaults", mutate: firstSet("/reminders", members{"useDefault": true},
			replaced("/reminders/overrides", always([]any{members{"method": "popup", "minutes": 5}})))},
		{name: "the defaults beside overrides", mutate: within("/reminders/overrides",
			firstSet("/reminders", members{"useDefault": false, "overrides": []any{members{"method": "popup", "minutes": 5}}},
				replaced("/reminders/useDefault", flipped)))},
		{name: "attendees of time alone", types: []string{typeFocusTime, typeOutOfOffice}, mutate: replaced("/attendees", otherGuests)},
		{name: "a conference out of office", types: []string{typeOutOfOffice}, mutate: replaced("/conferenceData", anyConference)},
		{name: "a location beside the working location", types: []string{typeWorkingLocation}, mutate: replaced("/location", otherText)},
		{name: "a working location of no type", types: []string{typeWorkingLocation}, mutate: cleared("/workingLocationProperties/type")},
		{name: "a conference without a way in", prepare: withConference, mutate: within("/conferenceData", cleared("/conferenceData/entryPoints"))},
		{name: "a conference without a solution", prepare: withConference, mutate: within("/conferenceData", cleared("/conferenceData/conferenceSolution"))},
		{name: "an id that the conference cannot have", prepare: withMeeting, mutate: replaced("/conferenceData/conferenceId", anyWord)},
	}
}

// violation is the violate of a [way].
type mutation = func(t *rapid.T, d *draft) diag.Pointer

// nothing breaks a rule that the request breaks by itself, as a whole.
func nothing(*rapid.T, *draft) diag.Pointer { return "" }

// set puts a value into what is stored and into the body.
func (d *draft) set(path diag.Pointer, value any) {
	if d.stored != nil {
		put(d.stored, path, cloned(value))
	}
	if d.body != nil {
		put(d.body, path, cloned(value))
	}
}

// unset takes a member out of what is stored and out of the body.
func (d *draft) unset(path diag.Pointer) {
	remove(d.stored, path)
	remove(d.body, path)
}

// replaced puts another value in place of the one that the body has, which is nil for none. A
// * in the place stands for any element of an array.
func replaced(pattern string, other func(t *rapid.T, was any) any) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := place(t, d.body, pattern)
		put(d.body, path, other(t, at(d.body, path)))
		return path
	}
}

// cleared takes a member out of the body: in a patch it becomes null.
func cleared(path diag.Pointer) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		remove(d.body, path)
		return path
	}
}

// within is a violation that is found at another place than it is made.
func within(path diag.Pointer, v mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		v(t, d)
		return path
	}
}

// firstSet is a violation of an event that has, or had, the value at the place.
func firstSet(path diag.Pointer, value any, v mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.set(path, value)
		return v(t, d)
	}
}

// sending is a violation in a request with the parameter or, where there are no values,
// without it whatever the body asks for.
func sending(name string, values []string, v mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.params[name] = append([]string{}, values...)
		return v(t, d)
	}
}

// byAnother is a violation by a caller who did not create the event.
func byAnother(v mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{Creator: new(false)}
		return v(t, d)
	}
}

// onlyIf makes the request conditional on an entity tag.
func onlyIf(tag string) mutation {
	return onlyIfTag(func(string) string { return tag })
}

// onlyIfTag makes the request conditional on an entity tag that is made of the stored one.
func onlyIfTag(of func(tag string) string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.ifMatch = of(d.stored["etag"].(string))
		return ""
	}
}

// isCancelled is a violation of a cancelled event.
func isCancelled(path diag.Pointer, v mutation) mutation {
	return within(path, firstSet("/status", cancelled, v))
}

// sharing adds to ways what they have in common and do not say themselves.
func sharing(common variant, variants ...variant) []variant {
	for i := range variants {
		w := &variants[i]
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
	return variants
}

// beside makes ways of requests for a calendar of which this is known.
func beside(calendar operation.Calendar, variants []variant) []variant {
	for i := range variants {
		v := variants[i].mutate
		variants[i].mutate = func(t *rapid.T, d *draft) diag.Pointer {
			d.calendar = new(calendar) // a payload of its own
			return v(t, d)
		}
	}
	return variants
}

// inConference makes ways of requests that declare that they know conference data. What is
// wrong is the conference as a whole.
func inConference(variants ...variant) []variant {
	for i := range variants {
		variants[i].mutate = sending("conferenceDataVersion", []string{"1"}, within("/conferenceData", variants[i].mutate))
	}
	return variants
}

// edit is a change of one member of a stored event, to another value that it may have.
type edit struct {
	member string
	name   string
	apply  mutation
}

// edits makes ways of edits that a rule forbids.
func edits(list ...edit) []variant {
	variants := make([]variant, len(list))
	for i, e := range list {
		variants[i] = variant{name: e.name, on: diag.Modify, mutate: within(diag.Pointer("").Member(e.member), e.apply)}
	}
	return variants
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
		{"recurrence", "the recurrence taken out", timed("", func(d *draft) {
			d.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			remove(d.body, "/recurrence")
		})},
	}
}

func otherTimes() []edit {
	return []edit{
		{"start", "an earlier start", timed("", func(d *draft) { put(d.body, "/start/dateTime", "1999-01-01T09:00:00Z") })},
		{"start", "a start in another zone", timed("", func(d *draft) { put(d.body, "/start/timeZone", "Pacific/Kiritimati") })},
		{"start", "a start without its zone", timed("", func(d *draft) { remove(d.body, "/start/timeZone") })},
		{"start", "an earlier day", allDay("", func(d *draft) { put(d.body, "/start/date", "1999-01-01") })},
		{"end", "a later end", timed("", func(d *draft) { put(d.body, "/end/dateTime", "9999-01-01T09:00:00Z") })},
		{"end", "a later last day", allDay("", func(d *draft) { put(d.body, "/end/date", "9999-01-01") })},
		{"recurrence", "made a series", timed("", func(d *draft) { put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"}) })},
		{"recurrence", "another rule", timed("", func(d *draft) {
			d.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			put(d.body, "/recurrence/0", "RRULE:FREQ=DAILY;COUNT=4")
		})},
		{"recurrence", "another line", timed("", func(d *draft) {
			d.set("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"})
			put(d.body, "/recurrence/1", "RDATE:20301231T090000Z")
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
func timed(path diag.Pointer, change func(d *draft)) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		start := daysAfter(usualDay, tenYears).Draw(t, "day").Add(time.Duration(rapid.IntRange(0, 23).Draw(t, "hour")) * time.Hour)
		n := notation{zone: ZoneName().Draw(t, "zone"), offset: true, utc: "Z"}
		d.single(timedAt(start, n), timedAt(start.Add(time.Hour), n))
		change(d)
		return path
	}
}

// allDay makes of the event a single one of one day in the years from 2026 on, before it
// changes the body.
func allDay(path diag.Pointer, change func(d *draft)) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		first := daysAfter(usualDay, tenYears).Draw(t, "first day")
		d.single(allDayAt(t, first), allDayAt(t, first.Add(day)))
		change(d)
		return path
	}
}

// single gives the event these times, and no recurrence.
func (d *draft) single(start, end moment) {
	tree := encodeTree(&event.Event{Start: start.Time, End: end.Time})
	d.set("/start", tree["start"])
	d.set("/end", tree["end"])
	d.unset("/recurrence")
}

// timedOffset and wholeDay write an instant and a day.
func timedOffset(t *rapid.T, at time.Time) *event.Time {
	n := drawNotation(t, "original start")
	n.offset = true // or of two instants that read the same on the clock, one is read for both
	return timedAt(at, n).Time
}

func wholeDay(t *rapid.T, at time.Time) *event.Time { return allDayAt(t, at.Truncate(day)).Time }

// originalMoved makes the originalStartTime of an instance an earlier or a later one.
func originalMoved(written func(*rapid.T, time.Time) *event.Time, by time.Duration) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		at := instant(usualDay, usualDay.AddDate(10, 0, 0)).Draw(t, "original start")
		was, is := encodeTree(&event.Event{Start: written(t, at)}), encodeTree(&event.Event{Start: written(t, at.Add(by))})
		d.stored["originalStartTime"], d.body["originalStartTime"] = was["start"], is["start"]
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
func notAStart(series *event.Event, original members) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.series = series.Clone()
		d.set("/recurringEventId", series.ID)
		d.set("/originalStartTime", original)
		return "/originalStartTime"
	}
}

// laterDays moves an all-day event by a week.
func laterDays(_ *rapid.T, d *draft) diag.Pointer {
	for _, path := range []diag.Pointer{"/start/date", "/end/date"} {
		at, _ := time.Parse(dateForm, at(d.body, path).(string))
		put(d.body, path, at.AddDate(0, 0, 7).Format(dateForm))
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
	return encodeTree(&event.Event{Start: drawReturnedTime(t)})["start"]
}

func anyConference(t *rapid.T, _ any) any {
	return encodeTree(&event.Event{ConferenceData: Conference().Draw(t, "conference")})["conferenceData"]
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
func asBirthday(birthdayType string) preparation {
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
