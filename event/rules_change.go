package event

import (
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/status"
)

// changeRules are about what a request changes of a stored event.
var changeRules = []*diag.Rule{
	&idMismatch,
	&updateETag,
	&startEndRequired,
	&recurringIDImmutable,
	&originalStartImmutable,
	&privateCopyImmutable,
	&birthdayImmutable,
	&eventTypeImmutable,
	&eventLocked,
	&fromMailModify,
	&birthdayModify,
	&attendeeResourceLate,
	&sourceCreatorOnly,
	&statusUnspecified,
	&responseStatusUnspecified,
	&recurrenceEmptied,
	&labelRemove,
	&updatedMainData,
	&attendeeOmittedUpdate,
	&extendedPropertiesMerge,
	&patchMerge,
	&patchWhole,
	&patchQuota,
	&updateWhole,
}

const sampleStored = `"existing":{"etag":"\"1\"","id":"abc12def","summary":"Standup",` + sample.Start + `,` + sample.End + `}`

// patched makes a patch with the members given of a stored event that has further members.
func patched(members string, stored ...string) string {
	return changed("events.patch", members, stored...)
}

// updated makes an update to an event with the times of the sample and further members.
func updated(members string, stored ...string) string {
	if members != "" {
		members = "," + members
	}
	return changed("events.update", sample.Start+","+sample.End+members, stored...)
}

func changed(op, members string, stored ...string) string {
	return sample.With(sample.Request(op, []string{members}), existing(stored))
}

// existing is the member of that name: the sample event with further members.
func existing(members []string) string {
	return strings.Join(append([]string{strings.TrimSuffix(sampleStored, "}")}, members...), ",") + "}"
}

var idMismatch = diag.Rule{
	ID: "event.id.mismatch", Kind: diag.Reject, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange,
	Summary: "An id in the body is that of the event addressed.",
	Section: sectionEvent + ", id",
	Why:     "Another id means that the body belongs to another event.",
	Good:    diag.Example{Request: patched(`"id":"abc12def","summary":"Daily"`)},
	Bad:     diag.Example{Request: patched(`"id":"abc12deg","summary":"Daily"`)},
	Check:   check(checkIDMismatch),
}

func checkIDMismatch(in *input, r diag.Reporter) {
	e := in.sent
	if in.hasStored && in.stored.ID != "" && wasSent(e.ID, &e.extra, "id") && e.ID != in.stored.ID {
		r.Report("/id", "The body has the id %s, and the event addressed has %s. Leave the id out, or address the other event.",
			diag.Quote(e.ID), diag.Quote(in.stored.ID))
	}
}

var updateETag = diag.Rule{
	ID: "update.etag", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A request that is conditional on an entity tag meets an event that still has it.",
	Section: "calendar.md, Behavior rules per operation, 2",
	Why:     "Get followed by update loses what others wrote in between, unless the update is conditional. Tags are opaque and compared exactly.",
	Good:    diag.Example{Request: sample.With(patched(`"summary":"Daily"`), `"ifMatch":"\"1\""`)},
	Bad:     diag.Example{Request: sample.With(patched(`"summary":"Daily"`), `"ifMatch":"\"2\""`)},
	Check:   check(checkETag),
}

func checkETag(in *input, r diag.Reporter) {
	const any = "*" // matches every event that exists (RFC 9110 section 13.1.1)
	if want := in.req.IfMatch; want != "" && want != any && in.hasStored && want != in.stored.ETag {
		has := "another"
		if in.stored.ETag == "" {
			has = "none"
		}
		r.Report("", "The request is conditional on the etag %s, and the stored event has %s. Get the event again and apply the change to it.",
			diag.Quote(want), has)
	}
}

var startEndRequired = diag.Rule{
	ID: "event.start-end.required", Kind: diag.Reject, When: diag.Import | diag.Update, Basis: diag.Inferred, Scope: diag.OfEvent,
	Summary: "An imported or updated event has a start and an end.",
	Section: sectionInsert,
	Why:     "An update replaces the whole event: what is not sent is gone.",
	Good:    diag.Example{Request: updated("")},
	Bad:     diag.Example{Request: changed("events.update", sample.Start)},
}

var recurringIDImmutable = diag.Rule{
	ID: "event.recurring-id.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The recurringEventId does not change.",
	Section: sectionEvent + ", recurringEventId",
	Why:     "An immutable member that an update does not send stays as it is.",
	Good:    diag.Example{Request: patched(`"recurringEventId":"series1"`, `"recurringEventId":"series1"`)},
	Bad:     diag.Example{Request: patched(`"recurringEventId":"series2"`, `"recurringEventId":"series1"`)},
	Check:   check(checkRecurringIDImmutable),
}

func checkRecurringIDImmutable(in *input, r diag.Reporter) {
	if was, is := in.stored.RecurringEventID, in.merged.RecurringEventID; in.hasStored && in.wasSent(ofRecurringEventID) && is != was {
		r.Report("/recurringEventId", "The recurringEventId is %s and would become %s; it is immutable. Leave it out.", diag.Quote(was), diag.Quote(is))
	}
}

var originalStartImmutable = diag.Rule{
	ID: "event.original-start.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The originalStartTime does not change.",
	Section: sectionEvent + ", originalStartTime",
	Why:     "It identifies the instance. Equal instants that are written differently are equal.",
	Good: diag.Example{Request: updated(`"originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}`,
		`"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`)},
	Bad: diag.Example{Request: updated(`"originalStartTime":{"dateTime":"2026-03-10T14:00:00Z"}`,
		`"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`)},
	Check: check(checkOriginalStartImmutable),
}

func checkOriginalStartImmutable(in *input, r diag.Reporter) {
	if in.hasStored && in.wasSent(ofOriginalStart) && !sameTime(in.stored.OriginalStartTime, in.merged.OriginalStartTime) {
		r.Report("/originalStartTime", "The originalStartTime would change; it is immutable and identifies the instance. Leave it out.")
	}
}

// sameTime reports whether two times are one day or one instant, however they are written.
func sameTime(a, b *Time) bool {
	if timeTable.Equal(a, b) {
		return true
	}
	order, ok := readMoment(a).compare(readMoment(b))
	return ok && order == 0
}

var privateCopyImmutable = diag.Rule{
	ID: "event.private-copy.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The member privateCopy does not change; it is false when absent.",
	Section: sectionEvent + ", privateCopy",
	Good:    diag.Example{Request: updated(`"privateCopy":false`)},
	Bad:     diag.Example{Request: updated(`"privateCopy":true`)},
	Check:   check(checkPrivateCopyImmutable),
}

func checkPrivateCopyImmutable(in *input, r diag.Reporter) {
	if was := in.stored.PrivateCopy; in.hasStored && in.wasSent(ofPrivateCopy) && in.merged.PrivateCopy != was {
		r.Report("/privateCopy", "The member privateCopy is %t and would become %t; it is immutable. Leave it out.", was, in.merged.PrivateCopy)
	}
}

var birthdayImmutable = diag.Rule{
	ID: "birthday.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The birthdayProperties do not change.",
	Section: sectionEvent + ", birthdayProperties",
	Why:     "Their contact and customTypeName are read-only besides: a value that differs has no effect.",
	Good:    diag.Example{Request: patched(`"birthdayProperties":{"type":"birthday"}`, `"eventType":"birthday"`, `"birthdayProperties":{}`)},
	Bad:     diag.Example{Request: patched(`"birthdayProperties":{"type":"self"}`, `"eventType":"birthday"`, `"birthdayProperties":{"type":"birthday"}`)},
	Check:   check(checkBirthdayImmutable),
}

func checkBirthdayImmutable(in *input, r diag.Reporter) {
	if !in.hasStored || !in.wasSent(ofBirthday) {
		return
	}
	was, is := in.stored.BirthdayProperties, in.merged.BirthdayProperties
	switch {
	case (was == nil) != (is == nil):
		r.Report("/birthdayProperties", "The birthdayProperties would be added or removed; they are immutable. Leave them out.")
	case was != nil && !is.saysType() && in.on == diag.Update: // what is not sent stays
	case was != nil && birthdayType(was) != birthdayType(is):
		r.Report("/birthdayProperties/type", "The birthday type is %s and would become %s; it cannot change. Leave it out.",
			diag.Quote(birthdayType(was)), diag.Quote(birthdayType(is)))
	}
}

// saysType reports whether a type was sent.
func (b *Birthday) saysType() bool { return wasSent(b.Type, &b.extra, "type") }

func birthdayType(b *Birthday) string {
	if !b.saysType() {
		return typeBirthday
	}
	return b.Type
}

var eventTypeImmutable = diag.Rule{
	ID: "event.type.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The eventType does not change after creation.",
	Section: sectionEvent + ", eventType",
	Why:     "An absent type is default. A type that an update does not send stays; null in a patch is a change.",
	Good:    diag.Example{Request: patched(`"eventType":"default"`)},
	Bad:     diag.Example{Request: patched(`"eventType":"outOfOffice"`)},
	Check:   check(checkEventTypeImmutable),
}

func checkEventTypeImmutable(in *input, r diag.Reporter) {
	was, is := in.stored.EventType, in.merged.EventType
	if in.hasStored && in.wasSent(ofEventType) && eventType(was) != eventType(is) {
		r.Report("/eventType", "The eventType is %s and would become %s; it cannot change after creation. Leave it out.",
			eventType(was), diag.Quote(eventType(is)))
	}
}

// eventType returns the type that an event has.
func eventType(t string) string {
	if t == "" {
		return typeDefault
	}
	return t
}

var eventLocked = diag.Rule{
	ID: "event.locked", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "On a locked copy summary, description, location, start, end and recurrence do not change.",
	Section: sectionEvent + ", locked",
	Why:     "Other members can change.",
	Good:    diag.Example{Request: patched(`"colorId":"5"`, `"locked":true`)},
	Bad:     diag.Example{Request: patched(`"summary":"Daily"`, `"locked":true`)},
	Check:   check(checkLocked),
}

func checkLocked(in *input, r diag.Reporter) {
	if !in.stored.Locked {
		return
	}
	in.reportChanged(in.changedInEffect()&lockableMembers, r, "The copy is locked: the member %s cannot be changed. Leave it as it is.")
}

var fromMailModify = diag.Rule{
	ID: "type.from-mail.modify", Kind: diag.Reject, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Summary: "Of an event of type fromMail only colorId, eventLabelId, reminders, visibility, transparency, status, attendees and extendedProperties change.",
	Section: sectionObserved,
	Why:     "The rest comes from the message. An update that leaves a member out would remove it.",
	Good:    diag.Example{Request: patched(`"colorId":"5"`, `"eventType":"fromMail"`)},
	Bad:     diag.Example{Request: patched(`"summary":"Flight"`, `"eventType":"fromMail"`)},
	Check:   check(checkFromMailModify),
}

func checkFromMailModify(in *input, r diag.Reporter) {
	if in.stored.EventType == typeFromMail {
		in.reportChanged(in.changedInEffect()&^freeInMailSet, r, "The event comes from a message: the member %s cannot be changed. Leave it as it is.")
	}
}

// changedInEffect returns the members that the request changes in effect: a default that is written
// out, and an instant that is written differently in the same zone, change nothing.
func (in *input) changedInEffect() object.Set {
	set := eventTable.Changed(in.stored.WithDefaults(), in.result.WithDefaults())
	if sameStart(in.stored.Start, in.result.Start) {
		set &^= ofStart
	}
	if sameStart(in.stored.End, in.result.End) {
		set &^= ofEnd
	}
	return set
}

// sameStart reports whether two times are one, in one zone: a series is expanded in it.
func sameStart(a, b *Time) bool {
	return a != nil && b != nil && a.TimeZone == b.TimeZone && sameTime(a, b)
}

// reportChanged reports each of the members in the set; the format has one verb, for a name.
func (in *input) reportChanged(set object.Set, r diag.Reporter, format string) {
	for _, name := range eventTable.NamesOf(set) {
		r.Report(diag.Pointer("").Member(name), format, name)
	}
}

var birthdayModify = diag.Rule{
	ID: "birthday.modify", Kind: diag.Advise, When: diag.Modify | diag.Delete, Basis: diag.Observed, Scope: diag.OfChange,
	Summary: "Of the birthday of a contact only summary, colour and reminders are changed, and it is not deleted.",
	Section: sectionObserved,
	Why:     "It belongs to the contact: change that instead.",
	Good:    diag.Example{Request: patched(`"summary":"Ada's day"`, `"eventType":"birthday"`, `"birthdayProperties":{"type":"other","contact":"people/c1"}`)},
	Bad:     diag.Example{Request: patched(`"location":"Paris"`, `"eventType":"birthday"`, `"birthdayProperties":{"type":"other","contact":"people/c1"}`)},
	Check:   check(checkBirthdayModify),
}

func checkBirthdayModify(in *input, r diag.Reporter) {
	b := in.stored.BirthdayProperties
	if b == nil || birthdayType(b) == typeBirthday {
		return
	}
	if in.on == diag.Delete {
		r.Report("", "The birthday comes from a profile or a contact, and is not deleted here. Change it there instead.")
		return
	}
	in.reportChanged(in.changedInEffect()&^freeInBirthdaySet&^immutableMembers, r, "The birthday comes from a profile or a contact: the member %s is not changed here. Change it there instead.")
}

var attendeeResourceLate = diag.Rule{
	ID: "attendee.resource.late", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The member resource of an attendee is settled when the attendee is first added.",
	Section: sectionAttendees + ", resource",
	Why:     "Later changes are ignored.",
	Good: diag.Example{Request: patched(`"attendees":[{"email":"room@example.com","resource":true}]`,
		`"attendees":[{"email":"room@example.com","resource":true}]`)},
	Bad: diag.Example{Request: patched(`"attendees":[{"email":"room@example.com","resource":true}]`,
		`"attendees":[{"email":"room@example.com"}]`)},
	Check: check(checkResourceLate),
}

func checkResourceLate(in *input, r diag.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		if was.Resource != is.Resource {
			r.Report(attendeeAt(i, "/resource"), "The attendee was added with resource %t, which stays: later changes are ignored. Remove the attendee and add it again.", was.Resource)
		}
	})
}

// eachKnownAttendee calls do with every attendee of the body whom the stored event has too,
// and of whom the request takes anything.
func (in *input) eachKnownAttendee(do func(i int, was, is *Attendee)) {
	for i := range in.sent.Attendees {
		was := in.storedFor(i)
		if was != nil && (!in.takesOneResponse() || in.isParticipant(was)) {
			do(i, was, &in.sent.Attendees[i])
		}
	}
}

var sourceCreatorOnly = diag.Rule{
	ID: "source.creator-only", Kind: diag.Ignore, When: diag.Modify | diag.Get, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The source is seen and changed by the event's creator alone.",
	Section: sectionEvent + ", source",
	Why:     "Checked only where the caller says whether it is the creator.",
	Good: diag.Example{
		Request: sample.With(patched(`"source":{"url":"https://example.com/2"}`), `"caller":{"creator":true}`),
		Answer:  `{"event":{"source":{"url":"https://example.com/2"}}}`,
	},
	Bad: diag.Example{
		Request: sample.With(patched(`"source":{"url":"https://example.com/2"}`, `"source":{"url":"https://example.com/1"}`), `"caller":{"creator":false}`),
		Answer:  `{"event":{"source":{"url":"https://example.com/1"}}}`,
	},
	Check: check(checkSourceCreatorOnly),
}

func checkSourceCreatorOnly(in *input, r diag.Reporter) {
	switch {
	case !in.callerIsNotCreator():
	case in.on == diag.Get:
		if in.stored.Source != nil {
			r.Report("/source", "The source is seen by the event's creator alone: it is left out.")
		}
	case in.wasSent(ofSource) && !sourceTable.Equal(in.stored.Source, in.merged.Source):
		r.Report("/source", "The source is changed by the event's creator alone: the value sent has no effect. Leave it out.")
	}
}

var statusUnspecified = diag.Rule{
	ID: "status.unspecified", Kind: diag.Unspecified, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A write of another status is not shown in the documents, restoring a cancelled event included.",
	Section: sectionStates,
	Why:     "Only delete is shown to change a status. What a write does is for the service to say.",
	Good:    diag.Example{Request: patched(`"status":"confirmed"`)},
	Bad:     diag.Example{Request: patched(`"status":"tentative"`)},
	Check:   check(checkStatusTransition),
}

func checkStatusTransition(in *input, r diag.Reporter) {
	was, is := in.stored.Status, in.result.Status
	if !in.hasStored || in.result.extra.WasSent("status") || !limits.EventStatus.Has(status.Normal(is)) {
		return // what is no status, an empty text included, is told elsewhere
	}
	if status.Normal(was) != status.Normal(is) {
		r.Report("/status", "The status goes from %s to %s by a write; the documents show no such transition.", status.Normal(was), status.Normal(is))
	}
}

var responseStatusUnspecified = diag.Rule{
	ID: "response-status.unspecified", Kind: diag.Unspecified, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "Transitions of an attendee's responseStatus are not shown in the documents.",
	Section: sectionStates,
	Good: diag.Example{Request: patched(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`)},
	Bad: diag.Example{Request: patched(`"attendees":[{"email":"ada@example.com","responseStatus":"declined"}]`,
		`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`)},
	Check: check(checkResponseTransitions),
}

func checkResponseTransitions(in *input, r diag.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		both := was.ResponseStatus != "" && limits.ResponseStatus.Has(is.ResponseStatus)
		if both && was.ResponseStatus != is.ResponseStatus {
			r.Report(attendeeAt(i, "/responseStatus"), "The responseStatus goes from %s to %s; the documents show no transitions.", was.ResponseStatus, is.ResponseStatus)
		}
	})
}

var labelRemove = diag.Rule{
	ID: "event.label.remove", Kind: diag.Effect, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "With eventLabelVersion=1 an empty eventLabelId removes the label, and so does leaving it out of an update.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "Leaving it out of a patch changes nothing. At version 0 an omitted label stays, and an explicit change needs version 1.",
	Good: diag.Example{
		Request: labelled(patched(`"summary":"Daily"`, `"eventLabelId":"urgent"`)),
		Answer:  `{"event":{"eventLabelId":"urgent"}}`,
	},
	Bad: diag.Example{
		Request: labelled(patched(`"eventLabelId":""`, `"eventLabelId":"urgent"`, `"colorId":"5"`)),
		Answer:  `{"event":{"colorId":"5"}}`,
	},
}

var updatedMainData = diag.Rule{
	ID: "event.updated.main-data", Kind: diag.Effect, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "The member updated changes with the main event data; a change of reminders alone does not change it.",
	Section: sectionEvent + ", updated",
	Why:     "The function ChangesUpdated says whether it does. The library reads no clock: the answer keeps the stored value.",
	Good: diag.Example{
		Request: patched(`"summary":"Daily"`, `"updated":"2026-01-06T09:30:00Z"`),
		Answer:  `{"event":{"summary":"Daily"}}`,
	},
	Bad: diag.Example{
		Request: patched(`"reminders":{"useDefault":true}`, `"updated":"2026-01-06T09:30:00Z"`),
		Answer:  `{"event":{"updated":"2026-01-06T09:30:00Z"}}`,
	},
}

// ChangesUpdated reports whether a service that makes next of stored changes the member
// updated: it does where the main event data changes, to which the reminders do not belong.
// Source: calendar.md, Event resource, updated.
func ChangesUpdated(stored, next *Event) bool {
	return eventTable.Changed(stored, next).Has(mainDataMembers)
}

var attendeeOmittedUpdate = diag.Rule{
	ID: "attendee.omitted-update", Kind: diag.Effect, When: diag.Update, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "An update with attendeesOmitted true takes only the participant's own response from the body.",
	Section: sectionEvent + ", attendeesOmitted",
	Why:     "The other stored attendees stay. The participant is the attendee that self marks, or whoever calls.",
	Good: diag.Example{
		Request: updated(`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
			`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com"}]`),
		Answer: `{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com"}]}}`,
	},
	Bad: diag.Example{
		Request: updated(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
			`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com"}]`),
		Answer: `{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]}}`,
	},
}

var extendedPropertiesMerge = diag.Rule{
	ID: "event.extended-properties.merge", Kind: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A patch merges each map of extended properties by key; null clears a key.",
	Section: sectionEvent + ", extendedProperties",
	Good: diag.Example{
		Request: patched(`"extendedProperties":{"private":{"a":null,"c":"3"}}`, `"extendedProperties":{"private":{"a":"1","b":"2"}}`),
		Answer:  `{"event":{"extendedProperties":{"private":{"b":"2","c":"3"}}}}`,
	},
	Bad: diag.Example{
		Request: updated(`"extendedProperties":{"private":{"c":"3"}}`, `"extendedProperties":{"private":{"a":"1"}}`),
		Answer:  `{"event":{"extendedProperties":{"private":{"c":"3"}}}}`,
	},
}

var patchMerge = diag.Rule{
	ID: "patch.merge", Kind: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A patch replaces the fields that it specifies and leaves the others; a specified array overwrites the whole array.",
	Section: "calendar.md, Behavior rules per operation, 1; RFC 7396",
	Why:     "Objects merge member by member, and null clears.",
	Good: diag.Example{
		Request: patched(`"location":null,"description":"Daily"`, `"location":"Room 4"`),
		Answer:  `{"event":{"summary":"Standup","description":"Daily"}}`,
	},
	Bad: diag.Example{
		Request: updated(`"description":"Daily"`, `"location":"Room 4"`),
		Answer:  `{"event":{"description":"Daily"}}`,
	},
}

var patchWhole = diag.Rule{
	ID: "patch.whole", Kind: diag.Reject, When: diag.Patch, Basis: diag.Inferred, Scope: diag.OfChange,
	Summary: "The event that a patch makes obeys every rule of its own.",
	Section: "calendar.md, Behavior rules per operation, 1",
	Why: "A patch may be right by itself and wrong beside what is stored, as a date beside a stored dateTime. " +
		"The rule that the merged event breaks stands beside this one as advice.",
	Good:  diag.Example{Request: patched(`"start":{"date":"2026-03-10","dateTime":null},"end":{"date":"2026-03-11","dateTime":null}`)},
	Bad:   diag.Example{Request: patched(`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`)},
	Check: check(checkPatchCleared),
}

// checkPatchCleared is the part of [patchWhole] that no other rule says of a patch: an event
// has a start and an end. The rest of it is [run.checkWhole].
func checkPatchCleared(in *input, r diag.Reporter) {
	if in.result.Start == nil && in.stored.Start != nil {
		r.Report("/start", "The patch clears the start, and an event needs one. Send a start, or leave it out.")
	}
	if in.result.End == nil && in.stored.End != nil {
		r.Report("/end", "The patch clears the end, and an event needs one. Send an end, or leave it out.")
	}
}

var patchQuota = diag.Rule{
	ID: "patch.quota", Kind: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A patch request costs 3 quota units; get followed by update is preferred.",
	Section: "calendar.md, Limits",
	Why:     "Package operation has the cost of each operation that the documents give one.",
	Good:    diag.Example{Request: patched(`"summary":"Daily"`), Answer: `{"accepted":true}`},
	Bad:     diag.Example{Request: updated(`"summary":"Daily"`), Answer: `{"accepted":true}`},
}

var updateWhole = diag.Rule{
	ID: "update.whole", Kind: diag.Effect, When: diag.Update, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "An update replaces the entire event: what is not sent is gone, save what the caller cannot write.",
	Section: "calendar.md, Behavior rules per operation, 2",
	Why:     "For a partial change, get the event, change it and update it under its etag; or patch.",
	Good: diag.Example{
		Request: updated(`"description":"Daily"`, `"location":"Room 4"`, `"created":"2026-01-05T08:00:00Z"`),
		Answer:  `{"event":{"description":"Daily","created":"2026-01-05T08:00:00Z"}}`,
	},
	Bad: diag.Example{
		Request: patched(`"description":"Daily"`, `"location":"Room 4"`),
		Answer:  `{"event":{"description":"Daily","location":"Room 4"}}`,
	},
}
