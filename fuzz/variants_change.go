package fuzz

import (
	"maps"
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

// changeVariants break the rules about what a request changes: what only the service writes, what
// never changes, and what changes only under a condition.
func changeVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.EventIDMismatch: {
			{name: "another id", mutate: replaced("/id", otherID)},
			{name: "one character more", mutate: replaced("/id", longerBy("0"))},
			{name: "the id of an instance", mutate: replaced("/id", longerBy("_20260310T090000Z"))},
			{name: "the empty id", mutate: putting("/id", "")},
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
				putting("/conferenceData/createRequest/status/statusCode", success))},
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
			{name: "without a series", prepare: anInstance, mutate: putting("/recurringEventId", "")},
			{name: "cleared", on: diag.Patch, prepare: anInstance, mutate: cleared("/recurringEventId")},
		},
		ruleid.EventOriginalStartImmutable: {
			{name: "a second later", prepare: anInstance, mutate: originalMoved(timedOffset, time.Second)},
			{name: "days earlier", prepare: anInstance, mutate: originalMoved(timedOffset, -3*day)},
			{name: "another day", prepare: anInstance, mutate: originalMoved(wholeDay, day)},
			{name: "a time instead of the day", prepare: anInstance, mutate: firstSet("/originalStartTime", members{"date": "2026-03-10"},
				putting("/originalStartTime", members{"dateTime": "2026-03-10T00:00:00Z"}))},
			{name: "a day instead of the time", prepare: anInstance, mutate: firstSet("/originalStartTime", members{"dateTime": "2026-03-10T00:00:00Z"},
				putting("/originalStartTime", members{"date": "2026-03-10"}))},
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
		ruleid.EventLocked: sharing(variant{prepare: locked}, edits(otherWords(), removals(), otherTimes())...),
		ruleid.TypeFromMailModify: sharing(variant{types: []string{typeFromMail}}, edits(
			otherWords(), removals(), otherTimes(), otherFlags(), otherParts(), []edit{
				{"iCalUID", "another iCalUID", replaced("/iCalUID", otherText)},
				{"workingLocationProperties", "a working location", putting("/workingLocationProperties", members{"type": "homeOffice"})},
				{"outOfOfficeProperties", "out of office", replaced("/outOfOfficeProperties/declineMessage", otherText)},
				{"focusTimeProperties", "focus time", replaced("/focusTimeProperties/declineMessage", otherText)},
			},
		)...),
		ruleid.EventTypeImmutable: {
			{name: "another type", types: typesOfClients, prepare: plain, mutate: replaced("/eventType", otherType)},
			{name: "made one from a message", types: typesOfClients, prepare: plain, mutate: putting("/eventType", typeFromMail)},
			{name: "cleared", on: diag.Patch, types: typesOfClients[1:], prepare: plain, mutate: cleared("/eventType")},
		},

		ruleid.BirthdayImmutable: append(sharing(variant{types: []string{typeBirthday}},
			variant{name: "another type", prepare: asBirthday(typeBirthday), mutate: replaced("/birthdayProperties/type", otherBirthday)},
			variant{name: "no longer a contact's", prepare: contactBirthday, mutate: putting("/birthdayProperties/type", typeBirthday)},
			variant{name: "a type for one of none", prepare: asBirthday(""), mutate: replaced("/birthdayProperties/type", otherBirthday)},
			variant{name: "the type cleared", on: diag.Patch, prepare: contactBirthday, mutate: cleared("/birthdayProperties/type")},
			variant{name: "cleared", on: diag.Patch, prepare: asBirthday(typeBirthday), mutate: cleared("/birthdayProperties")},
			variant{name: "added", prepare: noBirthday, mutate: putting("/birthdayProperties", members{"type": typeBirthday})},
			variant{name: "added, and empty", prepare: noBirthday, mutate: putting("/birthdayProperties", members{})},
		), variant{name: "added to another event", types: defaultTypes, mutate: putting("/birthdayProperties", members{"type": typeBirthday})}),
		ruleid.BirthdayModify: sharing(variant{types: []string{typeBirthday}, prepare: contactBirthday}, edits(
			otherWords()[1:], removals()[1:3], otherFlags(), otherParts(), []edit{
				{"start", "another day", aWeekLater},
				{"recurrence", "another rule", putting("/recurrence", []any{"RRULE:FREQ=MONTHLY;INTERVAL=12;COUNT=7"})},
				{"status", "another status", firstSet("/status", "tentative", putting("/status", "confirmed"))},
				{"visibility", "another visibility", firstSet("/visibility", "private", putting("/visibility", "public"))},
				{"transparency", "another transparency", firstSet("/transparency", "transparent", putting("/transparency", "opaque"))},
				{"attendees", "other attendees", replaced("/attendees", otherGuests)},
				{"extendedProperties", "another property", replaced("/extendedProperties/shared/a", otherText)},
			},
		)...),

		ruleid.EventColorKnown: slices.Concat(
			beside(operation.Calendar{Colors: operation.IDList{"1", "5"}}, variant{prepare: withColor}.invalid("/colorId",
				anyOf("one more", "12", "2", "0"),
				anyOf("as a name", "red", "Tomato", "#dc2127"),
				anyOf("with a blank or a zero", " 5", "5 ", "05", "5.0"),
				drawnAs("any other", rapid.StringMatching(`x[a-z0-9]{0,40}`)),
			)),
			beside(operation.Calendar{Colors: operation.IDList{}}, variant{prepare: withColor}.invalid("/colorId", just("when the calendar has none", "7"))),
		),
		ruleid.EventLabelKnown: slices.Concat(
			beside(operation.Calendar{Labels: operation.IDList{"urgent", "later"}}, variant{prepare: withLabel}.invalid("/eventLabelId",
				anyOf("misspelt", "urgnet", "urgen", "urgentt"),
				anyOf("in another case or with a blank", "URGENT", "Urgent", " urgent", "later\n"),
				anyOf("two in one", "urgent,later", "urgent later"),
				drawnAs("any other", rapid.StringMatching(`x[a-z0-9]{0,40}`)),
			)),
			beside(operation.Calendar{Labels: operation.IDList{}}, variant{prepare: withLabel}.invalid("/eventLabelId", just("when there are none", "first"))),
		),
		ruleid.EventLabelVersion: {
			{name: "without the parameter", prepare: withLabel, mutate: sending("eventLabelVersion", nil, replaced("/eventLabelId", otherLabel))},
			{name: "at version 0", prepare: withLabel, mutate: sending("eventLabelVersion", []string{"0"}, replaced("/eventLabelId", otherLabel))},
			{name: "beside a colour", prepare: func(t *rapid.T, e *event.Event) { withLabel(t, e); withColor(t, e) }, mutate: sending("eventLabelVersion", nil,
				inOrder(replaced("/colorId", otherLabel), replaced("/eventLabelId", otherLabel)))},
			{name: "removed by an empty text", on: diag.Modify, mutate: firstSet("/eventLabelId", "urgent",
				sending("eventLabelVersion", nil, putting("/eventLabelId", "")))},
			{name: "cleared", on: diag.Patch, mutate: firstSet("/eventLabelId", "urgent", sending("eventLabelVersion", []string{"0"}, cleared("/eventLabelId")))},
		},
		ruleid.EventLabelColorIgnored: {
			{name: "a colour at version 1", prepare: withColor, mutate: sending("eventLabelVersion", []string{"1"}, replaced("/colorId", otherLabel))},
			{name: "beside a label", prepare: withColor, mutate: sending("eventLabelVersion", []string{"1"},
				inOrder(replaced("/eventLabelId", otherLabel), replaced("/colorId", otherLabel)))},
			{name: "beside an empty label", prepare: withColor, mutate: sending("eventLabelVersion", []string{"1"},
				inOrder(putting("/eventLabelId", ""), replaced("/colorId", otherLabel)))},
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
					within("/attachments", replaced("/attachments/*/mimeType", func(*rapid.T, any) any { return "application/pdf" })))},
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
			variant{name: "added", on: diag.Modify, mutate: byAnother(func(_ *rapid.T, d *draft) diag.Pointer {
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
			{name: "in an event that has none", types: freeTimeTypes, mutate: sending("conferenceDataVersion", []string{"0"},
				replaced("/conferenceData", anyConference))},
			{name: "other notes", on: diag.Modify, prepare: withConference, mutate: sending("conferenceDataVersion", nil,
				within("/conferenceData", replaced("/conferenceData/notes", otherText)))},
			{name: "cleared", on: diag.Patch, prepare: withConference, mutate: sending("conferenceDataVersion", []string{"0"}, cleared("/conferenceData"))},
		},
		ruleid.ConferenceRequestIDRepeated: sharing(variant{prepare: withAnsweredRequest, whole: []string{"conferenceData"}},
			variant{name: "asked again", mutate: within(requestIDPath, cleared("/conferenceData/createRequest/status"))},
			variant{name: "for another type", mutate: within(requestIDPath, replaced("/conferenceData/createRequest/conferenceSolutionKey/type", otherConferenceType))},
			variant{name: "for no type", mutate: within(requestIDPath, firstSet("/conferenceData/createRequest/conferenceSolutionKey", members{"type": addOn},
				cleared("/conferenceData/createRequest/conferenceSolutionKey/type")))},
			variant{name: "with other notes", mutate: within(requestIDPath, inOrder(
				replaced("/conferenceData/notes", otherText), cleared("/conferenceData/createRequest/status")))},
		),
		ruleid.ConferenceTypeUnknown: sharing(variant{prepare: ofUnknownType}, inConference(
			variant{name: "other notes", mutate: replaced("/conferenceData/notes", otherText)},
			variant{name: "another id", mutate: replaced("/conferenceData/conferenceId", otherText)},
			variant{name: "another name", mutate: replaced("/conferenceData/conferenceSolution/name", otherText)},
			variant{name: "of a known type", mutate: replaced("/conferenceData/conferenceSolution/key/type", otherConferenceType)},
			variant{name: "another entry point", mutate: putting("/conferenceData/entryPoints", []any{members{"entryPointType": video, "uri": "https://example.org/1"}})},
			variant{name: "no entry point", mutate: putting("/conferenceData/entryPoints", []any{})},
			variant{name: "a new one instead", mutate: replaced("/conferenceData", anyConference)},
			variant{name: "a create request beside it", mutate: putting("/conferenceData/createRequest", members{"requestId": "r-1"})},
			variant{name: "taken out", mutate: cleared("/conferenceData")},
		)...),

		ruleid.UpdateETag: sharing(variant{on: diag.Modify | diag.Delete | diag.Move},
			variant{name: "another tag", mutate: ifMatch(func(string) string { return `"other"` })},
			variant{name: "the tag as a weak one", mutate: ifMatch(func(tag string) string { return "W/" + tag })},
			variant{name: "the tag without quotes", mutate: ifMatch(func(tag string) string { return strings.Trim(tag, `"`) })},
			variant{name: "the tag of an earlier state", mutate: ifMatch(func(tag string) string { return strings.Replace(tag, `"`, `"0`, 1) })},
			variant{name: "an event without a tag", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.unset("/etag")
				d.ifMatch = `"1"`
				return ""
			}},
			variant{name: "the empty tag", mutate: ifMatch(func(string) string { return `""` })},
		),
		ruleid.EventOrganizerOnly: {
			{name: "the summary", mutate: byGuest("/summary")},
			{name: "the description", mutate: byGuest("/description")},
		},
		ruleid.CancelledGuaranteed: sharing(variant{prepare: single},
			variant{name: "no id", mutate: isCancelled("/id", cleared("/id"))},
			variant{name: "an empty id", mutate: isCancelled("/id", putting("/id", ""))},
			variant{name: "nothing but the status", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.body = members{"status": cancelled}
				return "/id"
			}},
			variant{name: "an exception to no series", mutate: isCancelled("/recurringEventId", ofSeries(replaced("/originalStartTime", anyTime)))},
			variant{name: "an exception to an empty series", mutate: isCancelled("/recurringEventId", ofSeries(inOrder(putting("/recurringEventId", ""), replaced("/originalStartTime", anyTime))))},
			variant{name: "an exception at no time", mutate: isCancelled("/originalStartTime", ofSeries(replaced("/recurringEventId", otherID)))},
			variant{name: "an exception without an id", mutate: isCancelled("/id",
				inOrder(replaced("/recurringEventId", otherID), replaced("/originalStartTime", anyTime), cleared("/id")))},
		),

		ruleid.PatchWhole: sharing(variant{prepare: single}, conflictsOfTimes()...),
	}
}

// byGuest changes a text of an event of somebody else, who lets no guest change it.
func byGuest(place string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.set("/organizer", members{"email": "chair@example.com"})
		d.unset("/guestsCanModify")
		d.unset("/privateCopy")
		d.caller = &operation.Caller{Email: "guest@example.net"}
		return replaced(place, otherText)(t, d)
	}
}

// ofSeries is for an instance whose series is known, and active.
func ofSeries(mutate mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.series = &event.Event{Status: confirmed}
		return mutate(t, d)
	}
}

// conflictsOfTimes are patches whose start or end conflicts with the stored other.
func conflictsOfTimes() []variant {
	return []variant{
		{name: "the start cleared", mutate: cleared("/start")},
		{name: "the end cleared", mutate: cleared("/end")},
		{name: "a date beside the dateTime", mutate: timed("/start", putting("/start/date", "2026-03-10"))},
		{name: "a date beside the end's dateTime", mutate: timed("/end", putting("/end/date", "2026-03-10"))},
		{name: "a dateTime beside the date", mutate: allDay("/start", putting("/start/dateTime", "2026-03-10T09:00:00Z"))},
		{name: "the dateTime cleared", mutate: timed("/start", cleared("/start/dateTime"))},
		{name: "an all-day start", mutate: timed("/end", putting("/start", members{"date": "2026-01-01"}))},
		{name: "an all-day end", mutate: timed("/end", putting("/end", members{"date": "9999-01-01"}))},
		{name: "a timed start", mutate: allDay("/end", putting("/start", members{"dateTime": "2026-01-01T09:00:00Z"}))},
		{name: "a timed end", mutate: allDay("/end", putting("/end", members{"dateTime": "9999-01-01T09:00:00Z"}))},
		{name: "a start after the end", mutate: timed("/end", putting("/start", members{"dateTime": "9999-01-01T09:00:00Z"}))},
		{name: "an end before the start", mutate: timed("/end", putting("/end", members{"dateTime": "1999-01-01T09:00:00Z"}))},
		{name: "a first day after the last", mutate: allDay("/end", putting("/start", members{"date": "9999-01-01"}))},
		{name: "a last day before the first", mutate: allDay("/end", putting("/end", members{"date": "1999-01-01"}))},
	}
}

// mergedVariants are patches that break a rule only together with the stored event.
func mergedVariants() map[string][]variant {
	merged := conflictsOfLines()
	maps.Copy(merged, conflictsOfParts())
	for _, variants := range merged {
		sharing(variant{on: diag.Patch}, variants...)
	}
	return merged
}

// conflictsOfLines are patches whose recurrence conflicts with the stored start, or the other way
// round.
func conflictsOfLines() map[string][]variant {
	withoutZone := func(zone diag.Pointer) mutation {
		return timed(zone, func(_ *rapid.T, d *draft) diag.Pointer {
			d.unset(zone)
			put(d.body, "/recurrence", []any{"RRULE:FREQ=DAILY"})
			return zone
		})
	}
	return map[string][]variant{
		ruleid.TimeOffset: {{name: "the stored zone of a time without offset cleared", prepare: single, mutate: timed("/start/dateTime",
			firstSet("/start", members{"dateTime": "2025-01-01T09:00:00", "timeZone": "UTC"}, cleared("/start/timeZone")))}},
		ruleid.TimeZoneRecurring: sharing(variant{prepare: single},
			variant{name: "recurrence without a stored zone of the start", mutate: withoutZone("/start/timeZone")},
			variant{name: "recurrence without a stored zone of the end", mutate: withoutZone("/end/timeZone")},
			variant{name: "the zone of a stored series cleared", mutate: timed("/start/timeZone",
				firstSet("/recurrence", []any{"RRULE:FREQ=DAILY;COUNT=3"}, cleared("/start/timeZone")))}),
		ruleid.RecurrenceNoInstance: sharing(variant{prepare: single},
			variant{name: "UNTIL before the stored start", mutate: timed("/recurrence", putting("/recurrence", []any{"RRULE:FREQ=DAILY;UNTIL=20251231T000000Z"}))},
			variant{name: "UNTIL before the stored first day", mutate: allDay("/recurrence", putting("/recurrence", []any{"RRULE:FREQ=DAILY;UNTIL=20251231"}))}),
		ruleid.RecurrenceRuleTimePart: {{name: "hours of a stored all-day event", prepare: single,
			mutate: allDay("/recurrence/0", putting("/recurrence", []any{"RRULE:FREQ=HOURLY;COUNT=3"}))}},
		ruleid.RecurrenceOnInstance: {{name: "recurrence of a stored instance", prepare: single, mutate: timed("/recurrence", firstSet("/recurringEventId", "series1",
			firstSet("/originalStartTime", members{"date": "2026-03-10"}, putting("/recurrence", []any{"RRULE:FREQ=DAILY"}))))}},
	}
}

// conflictsOfParts are patches of other members that conflict with the rest of their part, or with
// the event type.
func conflictsOfParts() map[string][]variant {
	popup := []any{members{"method": "popup", "minutes": 5}}
	return map[string][]variant{
		ruleid.RemindersDefaultAndOverrides: {
			{name: "overrides beside the stored defaults", mutate: firstSet("/reminders", members{"useDefault": true}, putting("/reminders/overrides", popup))},
			{name: "the defaults beside stored overrides", mutate: within("/reminders/overrides",
				firstSet("/reminders", members{"useDefault": false, "overrides": popup}, replaced("/reminders/useDefault", flipped)))},
		},
		ruleid.TypePlain: {
			{name: "attendees of stored time alone", types: freeTimeTypes, mutate: replaced("/attendees", otherGuests)},
			{name: "a conference stored out of office", types: []string{typeOutOfOffice}, mutate: replaced("/conferenceData", anyConference)},
			{name: "a location beside the stored working location", types: []string{typeWorkingLocation}, mutate: replaced("/location", otherText)},
		},
		ruleid.TypeTimedOnly: {{name: "stored time alone all day", types: freeTimeTypes, prepare: single, mutate: timed("/start", func(_ *rapid.T, d *draft) diag.Pointer {
			put(d.body, "/start", members{"date": "2026-03-10"})
			put(d.body, "/end", members{"date": "2026-03-11"})
			return "/start"
		})}},
		ruleid.TypePropertiesRequired: {{name: "the stored working location cleared", types: []string{typeWorkingLocation}, mutate: cleared("/workingLocationProperties")}},
		ruleid.WorkingLocationType:    {{name: "the stored type cleared", types: []string{typeWorkingLocation}, mutate: cleared("/workingLocationProperties/type")}},
		ruleid.BirthdayShape: {{name: "a stored birthday every day", types: []string{typeBirthday},
			mutate: putting("/recurrence", []any{"RRULE:FREQ=DAILY"})}},
		ruleid.ConferenceRequired: {
			{name: "a stored conference without entry points", prepare: withConference, mutate: within("/conferenceData", cleared("/conferenceData/entryPoints"))},
			{name: "a stored conference without a solution", prepare: withConference, mutate: within("/conferenceData", cleared("/conferenceData/conferenceSolution"))},
		},
		ruleid.ConferenceIDForm: {{name: "an id that the stored conference cannot have", prepare: withMeeting, mutate: replaced("/conferenceData/conferenceId", anyWord)}},
	}
}

// edit is a change of one member of a stored event to another allowed value.
type edit struct {
	member, name string
	mutate       mutation
}

// edits returns a variant for each edit that a rule forbids.
func edits(lists ...[]edit) (variants []variant) {
	for _, list := range lists {
		for _, e := range list {
			variants = append(variants, variant{name: e.name, on: diag.Modify, mutate: within(diag.Pointer("").Member(e.member), e.mutate)})
		}
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
		{"recurrence", "the recurrence taken out", timed("", firstSet("/recurrence", threeDays(), cleared("/recurrence")))},
	}
}

func threeDays() []any { return []any{"RRULE:FREQ=DAILY;COUNT=3"} }

func otherTimes() []edit {
	return []edit{
		{"start", "an earlier start", timed("", putting("/start/dateTime", "1999-01-01T09:00:00Z"))},
		{"start", "a start in another zone", timed("", putting("/start/timeZone", "Pacific/Kiritimati"))},
		{"start", "a start without its zone", timed("", cleared("/start/timeZone"))},
		{"start", "an earlier day", allDay("", putting("/start/date", "1999-01-01"))},
		{"end", "a later end", timed("", putting("/end/dateTime", "9999-01-01T09:00:00Z"))},
		{"end", "a later last day", allDay("", putting("/end/date", "9999-01-01"))},
		{"recurrence", "made a series", timed("", putting("/recurrence", threeDays()))},
		{"recurrence", "another rule", timed("", firstSet("/recurrence", threeDays(), putting("/recurrence/0", "RRULE:FREQ=DAILY;COUNT=4")))},
		{"recurrence", "another line", timed("", firstSet("/recurrence", threeDays(), putting("/recurrence/1", "RDATE:20301231T090000Z")))},
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

// timedOffset writes an instant. It always writes the offset: otherwise two instants with the same
// clock time would be read as one.
func timedOffset(t *rapid.T, at time.Time) *event.Time {
	n := drawNotation(t, "original start")
	n.offset = true
	return timedAt(at, n).Time
}

func wholeDay(t *rapid.T, at time.Time) *event.Time { return allDayAt(t, at.Truncate(day)).Time }

// originalMoved moves the originalStartTime of an instance.
func originalMoved(written func(*rapid.T, time.Time) *event.Time, by time.Duration) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		at := instant(usualDay, usualDay.AddDate(10, 0, 0)).Draw(t, "original start")
		d.stored["originalStartTime"] = member("start", &event.Event{Start: written(t, at)})
		d.body["originalStartTime"] = member("start", &event.Event{Start: written(t, at.Add(by))})
		return "/originalStartTime"
	}
}

// The series of [notAStart].
var (
	weekly = &event.Event{
		ID: "series1", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"},
		Recurrence: []string{"RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE;VALUE=DATE:20260317"},
	}
	hourly = &event.Event{
		ID:         "series2",
		Start:      &event.Time{DateTime: "2026-03-10T09:00:00-04:00", TimeZone: "America/New_York"},
		End:        &event.Time{DateTime: "2026-03-10T09:30:00-04:00", TimeZone: "America/New_York"},
		Recurrence: []string{"RRULE:FREQ=HOURLY;COUNT=3"},
	}
)

// notAStart makes the event an instance of the series at a time that the series does not have.
func notAStart(series *event.Event, original members) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.series = series.Clone()
		d.set("/recurringEventId", series.ID)
		d.set("/originalStartTime", original)
		return "/originalStartTime"
	}
}

// aWeekLater moves an all-day event by a week.
func aWeekLater(_ *rapid.T, d *draft) diag.Pointer {
	for _, path := range []diag.Pointer{"/start/date", "/end/date"} {
		at, _ := time.Parse(dateForm, at(d.body, path).(string))
		put(d.body, path, at.AddDate(0, 0, 7).Format(dateForm))
	}
	return "/start"
}

// Preparations of stored events.

func locked(_ *rapid.T, e *event.Event)      { e.Locked = true }
func unlocked(_ *rapid.T, e *event.Event)    { e.Locked = false }
func privateCopy(_ *rapid.T, e *event.Event) { e.PrivateCopy = true }
func publicCopy(_ *rapid.T, e *event.Event)  { e.PrivateCopy = false }
func noBirthday(_ *rapid.T, e *event.Event)  { e.BirthdayProperties = nil }
func noFiles(_ *rapid.T, e *event.Event)     { e.Attachments = nil }
func plain(_ *rapid.T, e *event.Event)       { e.Attendees, e.ConferenceData, e.Location = nil, nil, "" }

// anInstance makes the event an instance of a series.
func anInstance(t *rapid.T, e *event.Event) {
	e.Recurrence = nil
	drawMovedInstance(t, e)
}

// asBirthday gives the event the properties of a birthday.
func asBirthday(birthdayType string) preparation {
	return func(_ *rapid.T, e *event.Event) { e.BirthdayProperties = &event.Birthday{Type: birthdayType} }
}

// contactBirthday makes the event the birthday of a contact or of the calendar's owner.
func contactBirthday(t *rapid.T, e *event.Event) {
	asBirthday(oneOf(limits.BirthdayType, typeBirthday).Draw(t, "birthday type"))(t, e)
	if b := e.BirthdayProperties; b.Type != "self" {
		b.Contact = "people/" + draw.Name().Draw(t, "contact")
	}
}

// withFiles gives the event attachments, all with different files.
func withFiles(t *rapid.T, e *event.Event) {
	e.Attachments = nil
	for i := range rapid.SampledFrom([]int{1, 2, limits.AttachmentsMax}).Draw(t, "number of attachments") {
		a := drawAttachment(t)
		a.FileURL = "https://files.example.com/" + strings.Repeat("0", i)
		e.Attachments = append(e.Attachments, a)
	}
}

// withColor gives the event a color or none, and no label.
func withColor(t *rapid.T, e *event.Event) {
	e.EventLabelID, e.ColorID = nil, draw.Optional(t, "color", rapid.Just("5"))
}

// withLabel gives the event a label or none, and no color.
func withLabel(t *rapid.T, e *event.Event) {
	e.EventLabelID, e.ColorID = draw.Pointer(t, "label", rapid.Just("urgent")), ""
}

// withRequest gives the event a create request without an answer, beside a conference or instead of
// one.
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

// withAnsweredRequest gives the event a create request with any status.
func withAnsweredRequest(t *rapid.T, e *event.Event) {
	withRequest(t, e)
	e.ConferenceData.CreateRequest.Status = &conference.Status{Code: oneOf(limits.CreateRequestStatus).Draw(t, "status")}
}

// withMeeting gives the event a conference whose id has a form.
func withMeeting(t *rapid.T, e *event.Event) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, videoMeet)
}

// ofUnknownType gives the event a conference of an unknown type, or of none.
func ofUnknownType(t *rapid.T, e *event.Event) {
	e.ConferenceData = new(conference.Data)
	drawReady(t, e.ConferenceData, rapid.SampledFrom([]string{"holoDeck", "", "VideoMeet", "videoMeet "}).Draw(t, "unknown type"))
	if draw.Maybe(t, "no key") {
		e.ConferenceData.Solution.Key = nil
	}
}
