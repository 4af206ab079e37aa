package event

import (
	"maps"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/status"
)

// changeRules are about what a request changes in a stored event.
var changeRules = []*diag.Rule{
	&idMismatch, &updateETag, &startEndRequired,
	&recurringIDImmutable, &originalStartImmutable, &privateCopyImmutable, &birthdayImmutable, &eventTypeImmutable,
	&eventLocked, &fromMailModify, &birthdayModify, &attendeeResourceLate, &sourceCreatorOnly,
	&statusUnspecified, &responseStatusUnspecified, &recurrenceEmptied, &labelRemove, &updatedMainData,
	&sequenceDecrease, &organizerOnly, &statusModifyCancelled, &recurrenceReanchored,
	&attendeeOmittedUpdate, &extendedPropertiesMerge, &patchMerge, &patchWhole, &patchQuota, &updateWhole,
}

var idMismatch = diag.Rule{
	ID: "event.id.mismatch", Kind: diag.Reject, When: diag.Modify, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"id"},
	Summary: "An id in the body is the id of the addressed event.",
	Section: sectionEvent + ", id",
	Why:     "A body with another id was meant for another event.",
	Good:    sample.Patch(`"id":"abc12def","summary":"Daily"`),
	Bad:     sample.Patch(`"id":"abc12deg","summary":"Daily"`),
	Says:    diag.Sentences{{Key: "other", Text: "The id in the body is {value}, but the id of the addressed event is {limit}. Leave the id out, or address the other event."}},
	Check:   check(checkIDMismatch),
}

func checkIDMismatch(in *input, r engine.Reporter) {
	e := in.sent
	if in.stored.ID != "" && wasSent(e.ID, &e.extra, "id") && e.ID != in.stored.ID {
		r.Report("/id", "other", diag.Value("value", e.ID), diag.Value("limit", in.stored.ID))
	}
}

var updateETag = diag.Rule{
	ID: "update.etag", Kind: diag.Reject, When: diag.Modify | diag.Delete | diag.Move, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"etag"},
	Summary: "The stored event has one of the etags on which the request is conditional.",
	Section: sectionOperations + ", 2; RFC 9110 section 13.1.1",
	Status:  412, Reason: "conditionNotMet",
	Why: "A get followed by an unconditional update loses the changes that others made in between. If-Match has one tag, a " +
		"list of tags, or *, which every stored event matches. Tags are opaque and compared exactly. The comparison is " +
		"strong: a weak tag, one that begins with W/, matches no event, and an event with a weak tag matches only *.",
	Good: sample.With(sample.Patch(`"summary":"Daily"`), `"ifMatch":"\"1\""`),
	Bad:  sample.With(sample.Patch(`"summary":"Daily"`), `"ifMatch":"\"2\""`),
	Says: diag.Sentences{
		{Key: "other", Text: "The request is conditional on the etag {value}, but the stored event has another one. Get the event again, and send the request with its etag."},
		{Key: "none", Text: "The request is conditional on the etag {value}, but the stored event has none. Send the request without a condition."},
		{Key: "weak-stored", Text: "The request is conditional on the etag {value}, but the stored event has a weak one, which only * matches. Send the request without a condition."},
		{Key: "weak-sent", Text: "The request is conditional on the etag {value}, but the stored event has a strong one, and a weak one matches no event. Send the stored etag, without W/."},
		{Key: "quotes", Text: "The request is conditional on the etag {value}, but the stored event has it in quotes, which are part of an etag. Send the stored etag with its quotes."},
	},
	Check: check(checkETag),
}

func checkETag(in *input, r engine.Reporter) {
	const anyTag = "*"
	want := strings.Trim(in.req.IfMatch, " \t")
	if !diag.Modify.Has(in.on) {
		r = r.WithBasis(diag.Inferred) // the documents speak of modifications only
	}
	if want != "" && want != anyTag && in.existing == knownEvent && !listsTag(want, in.stored.ETag) {
		r.Report("", mismatch(want, in.stored.ETag), diag.Value("value", want))
	}
}

// mismatch returns the key of the sentence that says why a list of tags does not match the stored one.
func mismatch(list, stored string) string {
	switch {
	case stored == "":
		return "none"
	case strings.HasPrefix(stored, weak):
		return "weak-stored"
	case lists(list, weak+stored):
		return "weak-sent"
	case lists(list, strings.Trim(stored, `"`)):
		return "quotes"
	default:
		return "other"
	}
}

// weak is the prefix of a weak entity tag.
const weak = "W/"

// listsTag reports whether a list of entity tags, separated by commas, has the tag by strong
// comparison (RFC 9110 section 8.8.3.2). A tag may also be written without quotes, as a whole.
func listsTag(list, tag string) bool {
	return !strings.HasPrefix(tag, weak) && lists(list, tag)
}

// lists reports whether a list of entity tags has the tag, character by character.
func lists(list, tag string) bool {
	for rest := strings.TrimLeft(list, ", \t"); rest != ""; rest = strings.TrimLeft(rest, ", \t") {
		n := tagLength(rest)
		if strings.TrimRight(rest[:n], " \t") == tag {
			return true
		}
		rest = rest[n:]
	}
	return false
}

// tagLength returns the length of the first element of a list. A comma in quotes is part of a tag.
func tagLength(list string) int {
	quoted := false
	for i, c := range []byte(list) {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			return i
		}
	}
	return len(list)
}

var startEndRequired = diag.Rule{
	ID: "event.start-end.required", Kind: diag.Reject, When: diag.Import | diag.Update, Basis: diag.Inferred, Scope: diag.OfEvent,
	Reads:   []string{"start", "end"},
	Summary: "An imported or updated event has a start and an end.",
	Section: sectionInsert,
	Reason:  "required",
	Why:     "An update replaces the whole event, so members that are not sent are removed.",
	Says:    constraint.SaysRequired(nil),
	Good:    sample.Update(""),
	Bad:     sample.With(sample.Request("events.update", sample.Start), sample.Existing()),
}

var recurringIDImmutable = diag.Rule{
	ID: "event.recurring-id.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"recurringEventId"},
	Summary: "The recurringEventId does not change.",
	Section: sectionEvent + ", recurringEventId",
	Why:     "An update that does not send an immutable member leaves it unchanged.",
	Good:    sample.Patch(`"recurringEventId":"series1"`, `"recurringEventId":"series1"`),
	Bad:     sample.Patch(`"recurringEventId":"series2"`, `"recurringEventId":"series1"`),
	Says: diag.Sentences{
		{Key: "set", Text: "The request sets recurringEventId to {value}, but the event has none; it is immutable. Leave it out."},
		{Key: "removed", Text: "The request removes recurringEventId, which is {limit}; it is immutable. Leave it out."},
		{Key: "changed", Text: "The request changes recurringEventId from {limit} to {value}; it is immutable. Leave it out."},
	},
	Check: check(checkRecurringIDImmutable),
}

func checkRecurringIDImmutable(in *input, r engine.Reporter) {
	was, is := in.stored.RecurringEventID, in.sent.RecurringEventID
	if in.existing != knownEvent || !in.present.Has(ofRecurringEventID) || is == was {
		return
	}
	change := "changed"
	switch {
	case was == "":
		change = "set"
	case is == "":
		change = "removed"
	}
	r.Report("/recurringEventId", change, diag.Value("value", is), diag.Value("limit", was))
}

var originalStartImmutable = diag.Rule{
	ID: "event.original-start.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"originalStartTime"},
	Summary:       "The originalStartTime does not change.",
	Section:       sectionEvent + ", originalStartTime",
	Why:           "It identifies the instance. Equal instants may be written differently.",
	Good:          sample.Update(`"originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}`, `"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`),
	Bad:           sample.Update(`"originalStartTime":{"dateTime":"2026-03-10T14:00:00Z"}`, `"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`),
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes originalStartTime, which is immutable and identifies the instance. Leave it out."}},
	YieldsToValue: true,
	Supersedes:    []string{ruleid.PatchWhole, ruleid.EventOriginalStartMember},
	Check:         check(checkOriginalStartImmutable),
}

func checkOriginalStartImmutable(in *input, r engine.Reporter) {
	if in.existing == knownEvent && in.present.Has(ofOriginalStartTime) && !sameTime(in.stored.OriginalStartTime, in.asked().OriginalStartTime) {
		r.Report("/originalStartTime", "changed")
	}
}

// sameTime reports whether two times are the same date or instant, even if they are written
// differently.
func sameTime(a, b *Time) bool {
	if timeTable.Equal(a, b) {
		return true
	}
	first, second := parseTime(a), parseTime(b)
	order, ok := first.compare(&second)
	return ok && order == 0
}

var privateCopyImmutable = diag.Rule{
	ID: "event.private-copy.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"privateCopy"},
	Summary: "The member privateCopy does not change. The default is false.",
	Section: sectionEvent + ", privateCopy",
	Good:    sample.Update(`"privateCopy":false`),
	Bad:     sample.Update(`"privateCopy":true`),
	Says:    diag.Sentences{{Key: "changed", Text: "The request changes privateCopy from {limit} to {value}; it is immutable. Leave it out."}},
	Check:   check(checkPrivateCopyImmutable),
}

func checkPrivateCopyImmutable(in *input, r engine.Reporter) {
	if was, is := in.stored.PrivateCopy, in.sent.PrivateCopy; in.existing == knownEvent && in.present.Has(ofPrivateCopy) && is != was {
		r.Report("/privateCopy", "changed", diag.Plain("value", strconv.FormatBool(is)), diag.Plain("limit", strconv.FormatBool(was)))
	}
}

var birthdayImmutable = diag.Rule{
	ID: "birthday.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"birthdayProperties", "birthdayProperties.type"},
	Summary: "The birthdayProperties do not change.",
	Section: sectionEvent + ", birthdayProperties",
	Why:     "Their contact and customTypeName are also read-only, so a value that differs has no effect.",
	Good:    sample.PatchBirthday(`"birthdayProperties":{"type":"birthday"}`, `{}`),
	Bad:     sample.PatchBirthday(`"birthdayProperties":{"type":"self"}`, `{"type":"birthday"}`),
	Says: diag.Sentences{
		{Key: "added-or-removed", Text: "The request adds or removes birthdayProperties, which are immutable. Leave them out."},
		{Key: "type", Text: "The request changes the type of the birthday from {limit} to {value}; it is immutable. Leave it out."},
	},
	YieldsToValue: true,
	Check:         check(checkBirthdayImmutable),
}

func checkBirthdayImmutable(in *input, r engine.Reporter) {
	if in.existing != knownEvent || !in.present.Has(ofBirthdayProperties) {
		return
	}
	was, is := in.stored.BirthdayProperties, in.asked().BirthdayProperties
	switch {
	case (was == nil) != (is == nil):
		r.Report("/birthdayProperties", "added-or-removed")
	case was != nil && !is.saysType() && in.on == diag.Update: // a member that is not sent is kept
	case was != nil && birthdayType(was) != birthdayType(is):
		r.Report("/birthdayProperties/type", "type", diag.Value("value", birthdayType(is)), diag.Value("limit", birthdayType(was)))
	}
}

// saysType reports whether a type was sent.
func (b *Birthday) saysType() bool { return wasSent(b.Type, &b.extra, "type") }

// birthdayType returns the type of a birthday, which has a default.
func birthdayType(b *Birthday) string {
	if !b.saysType() {
		return constraint.TypeBirthday
	}
	return b.Type
}

var eventTypeImmutable = diag.Rule{
	ID: "event.type.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"eventType"},
	Summary:       "The eventType does not change after creation.",
	Section:       sectionEvent + ", eventType",
	Why:           "An absent type is default. An update that does not send the type leaves it unchanged; null in a patch makes it default.",
	Good:          sample.Patch(`"eventType":"default"`),
	Bad:           sample.Patch(`"eventType":"outOfOffice"`),
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes eventType from {limit} to {value}; it cannot change after creation. Leave it out."}},
	YieldsToValue: true,
	Check:         check(checkEventTypeImmutable),
}

func checkEventTypeImmutable(in *input, r engine.Reporter) {
	was, is := in.dialect.Name(eventType(in.stored.EventType)), in.dialect.Name(eventType(in.sent.EventType))
	if in.existing == knownEvent && in.present.Has(ofEventType) && was != is {
		r.Report("/eventType", "changed", diag.Value("value", is), diag.Value("limit", was))
	}
}

// eventType returns the type that t means: an absent type is default.
func eventType(t string) string {
	if t == "" {
		return constraint.TypeDefault
	}
	return t
}

var eventLocked = diag.Rule{
	ID: "event.locked", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:         []string{"locked", "summary", "description", "location", "start", "end", "recurrence"},
	Summary:       "On a locked copy summary, description, location, start, end and recurrence do not change.",
	Section:       sectionEvent + ", locked",
	Why:           "The other members can change.",
	Good:          sample.Patch(`"colorId":"5"`, `"locked":true`),
	Bad:           sample.Patch(`"summary":"Daily"`, `"locked":true`),
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes {member}, but the copy is locked. Send the stored value, or leave the member out of a patch."}},
	YieldsToValue: true,
	Supersedes: []string{
		ruleid.TypeFromMailModify, ruleid.PatchWhole, ruleid.BirthdayModify, ruleid.EventOrganizerOnly,
		ruleid.RecurrenceEmptied, ruleid.RecurrenceReanchored,
	},
	Check: check(checkLocked),
}

func checkLocked(in *input, r engine.Reporter) {
	if in.stored.Locked {
		in.reportChanged(lockableMembers, r)
	}
}

var fromMailModify = diag.Rule{
	ID: "type.from-mail.modify", Kind: diag.Reject, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"eventType"},
	Summary:       "In an event of type fromMail only colorId, eventLabelId, reminders, visibility, transparency, status, attendees and extendedProperties change.",
	Section:       sectionObserved,
	Seen:          "A change of the summary is refused.",
	Reported:      []string{"obot-platform/obot#2328"},
	Why:           "The other members come from the message. An update that leaves one out would remove it.",
	Good:          sample.Patch(`"colorId":"5"`, `"eventType":"fromMail"`),
	Bad:           sample.Patch(`"summary":"Flight"`, `"eventType":"fromMail"`),
	Says:          diag.Sentences{{Key: "changed", Text: "The request changes {member}, but the event comes from a message. Send the stored value, or leave the member out of a patch."}},
	YieldsToValue: true,
	Supersedes: []string{
		ruleid.PatchWhole, ruleid.BirthdayModify, ruleid.EventOrganizerOnly, ruleid.RecurrenceEmptied, ruleid.RecurrenceReanchored,
	},
	Check: check(checkFromMailModify),
}

func checkFromMailModify(in *input, r engine.Reporter) {
	if in.stored.EventType == constraint.TypeFromMail {
		in.reportChanged(^(freeInMailSet | immutableMembers), r)
	}
}

// reportChanged reports each of the members that the request changes in effect, with the sentence "changed" of the rule. A
// default that is written out, and an instant that is written differently in the same zone, change nothing.
func (c *change) reportChanged(members object.Set, r engine.Reporter) {
	for _, name := range eventTable.NamesOf(members & c.changedInEffect()) {
		r.Report(diag.Pointer("").Member(name), "changed", diag.Name("member", name))
	}
}

// changedInEffect returns the members that the request changes in effect. An update that leaves out the
// sequence says nothing about it.
func (c *change) changedInEffect() object.Set {
	changed := eventTable.ChangedValue(c.stored.WithDefaults(), c.next.WithDefaults(), object.All)
	if c.on == diag.Update && !c.present.Has(ofSequence) {
		changed &^= ofSequence
	}
	if sameStart(c.stored.Start, c.next.Start) {
		changed &^= ofStart
	}
	if sameStart(c.stored.End, c.next.End) {
		changed &^= ofEnd
	}
	return changed
}

// sameStart reports whether two times are the same and have the same zone, in which a series is
// expanded.
func sameStart(a, b *Time) bool {
	return a != nil && b != nil && a.TimeZone == b.TimeZone && sameTime(a, b)
}

var birthdayModify = diag.Rule{
	ID: "birthday.modify", Kind: diag.Advise, When: diag.Modify | diag.Delete, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"birthdayProperties.type"},
	Summary: "A birthday of a type other than birthday changes only in summary, color and reminders, and is not deleted.",
	Section: sectionObserved,
	Seen: "Changes of anything but the summary, the color and the reminders are refused; the day changes only in a birthday " +
		"that has no contact and is not of the type self.",
	Reported: []string{"t4t5/caldir#61"},
	Why: "Such a birthday comes from a contact or, with the type self, from the owner's profile. The rule birthday.delete " +
		"also rejects the deletion.",
	Good: sample.PatchBirthday(`"summary":"Ada's day"`, `{"type":"other","contact":"people/c1"}`),
	Bad:  sample.PatchBirthday(`"location":"Paris"`, `{"type":"other","contact":"people/c1"}`),
	Says: diag.Sentences{
		{Key: "deleted", Text: "The birthday lasts as long as the profile or the contact that it comes from. Change the profile or the contact."},
		{Key: "changed", Text: "The request changes {member}, but the birthday comes from a profile or a contact. Change the profile or the contact."},
	},
	YieldsToValue: true,
	Check:         check(checkBirthdayModify),
}

func checkBirthdayModify(in *input, r engine.Reporter) {
	if !in.stored.BirthdayProperties.hasOtherType() {
		return
	}
	if in.on == diag.Delete {
		r.Report("", "deleted")
		return
	}
	in.reportChanged(^(freeInBirthdaySet | immutableMembers), r)
}

// hasOtherType reports whether the type is a documented one other than birthday: such a birthday
// comes from a contact or a profile.
func (b *Birthday) hasOtherType() bool {
	return b != nil && b.Type != constraint.TypeBirthday && constraint.BirthdayType.Has(b.Type)
}

var attendeeResourceLate = diag.Rule{
	ID: "attendee.resource.late", Kind: diag.Ignore, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"attendees[].resource"},
	Summary: "The member resource of an attendee is set when the attendee is first added.",
	Section: sectionAttendees + ", resource",
	Why:     "Later changes are ignored. An attendee who is sent again without resource changes nothing.",
	Good:    sample.Patch(`"attendees":[{"email":"room@example.com","resource":true}]`, `"attendees":[{"email":"room@example.com","resource":true}]`),
	Bad:     sample.Patch(`"attendees":[{"email":"room@example.com","resource":true}]`, `"attendees":[{"email":"room@example.com"}]`),
	Says:    diag.Sentences{{Key: "ignored", Text: "The attendee was added with resource {resource}; later changes are ignored. Leave resource out."}},
	Check:   check(checkResourceLate),
}

func checkResourceLate(in *input, r engine.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		if isSent := is.Resource || is.extra.WasSent("resource"); isSent && was.Resource != is.Resource {
			r.Report(attendeePath(i, "/resource"), "ignored", diag.Plain("resource", strconv.FormatBool(was.Resource)))
		}
	})
}

// eachKnownAttendee calls do with every attendee of the body that is also stored and that the
// request can change.
func (in *input) eachKnownAttendee(do func(i int, was, is *Attendee)) {
	var only *Attendee
	if in.takesOneResponse() {
		i := in.answering()
		if i < 0 {
			return
		}
		only = &in.stored.Attendees[i]
	}
	for i := range in.sent.Attendees {
		if was := in.storedFor(i); was != nil && (only == nil || was == only) {
			do(i, was, &in.sent.Attendees[i])
		}
	}
}

var sourceCreatorOnly = diag.Rule{
	ID: "source.creator-only", Kind: diag.Ignore, When: diag.Modify | diag.Get, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"source"},
	Summary: "Only the creator of an event sees and changes its source.",
	Section: sectionEvent + ", source",
	Why:     "The rule is only checked if it is known whether the caller is the creator.",
	Good: sample.Answered(sample.With(sample.Patch(`"source":{"url":"https://example.com/2"}`), `"caller":{"creator":true}`),
		`{"event":{"source":{"url":"https://example.com/2"}}}`),
	Bad: sample.Answered(sample.With(sample.Patch(`"source":{"url":"https://example.com/2"}`, `"source":{"url":"https://example.com/1"}`), `"caller":{"creator":false}`),
		`{"event":{"source":null},"stored":{"source":{"url":"https://example.com/1"}}}`),
	Says: diag.Sentences{
		{Key: "hidden", Text: "Only the creator of the event sees the source, so it is left out."},
		{Key: "ignored", Text: "Only the creator of the event changes the source, so the value sent has no effect. Leave it out."},
	},
	Check: check(checkSourceCreatorOnly),
}

func checkSourceCreatorOnly(in *input, r engine.Reporter) {
	switch {
	case !in.callerIsNotCreator():
	case in.on == diag.Get:
		if in.stored.Source != nil {
			r.Report("/source", "hidden")
		}
	case in.present.Has(ofSource) && !sourceTable.Equal(in.stored.Source, in.asked().Source):
		r.Report("/source", "ignored")
	}
}

var statusUnspecified = diag.Rule{
	ID: "status.unspecified", Kind: diag.Unspecified, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"status"},
	Summary: "The documents do not show what a write of another status does, including one that restores a cancelled event.",
	Section: sectionStates,
	Why:     "They show only that a deleted event is represented as cancelled, and when a move leaves a cancelled event. The caller decides the rest.",
	OnlyIn:  new(diag.Documents),
	Good:    sample.Patch(`"status":"confirmed"`),
	Bad:     sample.Patch(`"status":"tentative"`),
	Says:    diag.Sentences{{Key: "changed", Text: "The request changes the status from {was} to {value}; the documents do not show this transition."}},
	Check:   check(checkStatusTransition),
}

func checkStatusTransition(in *input, r engine.Reporter) {
	was, is := normalStatus(in.stored.Status), normalStatus(in.next.Status)
	if in.existing != knownEvent || in.next.extra.WasSent("status") || !constraint.EventStatus.Has(is) {
		return // an invalid status, the empty string included, breaks another rule
	}
	if was != is {
		r.Report("/status", "changed", diag.Plain("was", was), diag.Name("value", is))
	}
}

var responseStatusUnspecified = diag.Rule{
	ID: "response-status.unspecified", Kind: diag.Unspecified, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"attendees[].responseStatus"},
	Summary: "The documents do not show the transitions of an attendee's responseStatus.",
	Section: sectionStates,
	OnlyIn:  new(diag.Documents),
	Good: sample.Patch(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"accepted"}]`),
	Bad: sample.Patch(`"attendees":[{"email":"ada@example.com","responseStatus":"declined"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"accepted"}]`),
	Says:  diag.Sentences{{Key: "changed", Text: "The request changes the responseStatus from {was} to {value}; the documents do not show this transition."}},
	Check: check(checkResponseTransitions),
}

func checkResponseTransitions(in *input, r engine.Reporter) {
	in.eachKnownAttendee(func(i int, was, is *Attendee) {
		both := was.ResponseStatus != "" && constraint.ResponseStatus.Has(is.ResponseStatus)
		if both && was.ResponseStatus != is.ResponseStatus {
			r.Report(attendeePath(i, "/responseStatus"), "changed", diag.Plain("was", was.ResponseStatus), diag.Name("value", is.ResponseStatus))
		}
	})
}

var labelRemove = diag.Rule{
	ID: "event.label.remove", Describes: diag.Effect, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"eventLabelId"},
	Summary: "With eventLabelVersion=1 an empty eventLabelId removes the label; so does an update that leaves it out.",
	Section: sectionEvent + ", eventLabelId",
	Why:     "A patch that leaves it out changes nothing. At version 0 a label that is left out stays, and a change requires version 1.",
	Good: sample.Answered(sample.With(sample.Patch(`"eventLabelId":""`, `"eventLabelId":"urgent"`), labelVersion1),
		`{"event":{"summary":"Standup","eventLabelId":null}}`),
	Bad: sample.Answered(sample.With(sample.Patch(`"summary":"Daily"`, `"eventLabelId":"urgent"`), labelVersion1),
		`{"event":{"summary":"Daily","eventLabelId":"urgent"}}`),
}

var updatedMainData = diag.Rule{
	ID: "event.updated.main-data", Describes: diag.Effect, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange, Reads: []string{"updated", "reminders"},
	Summary: "The member updated changes when the main event data changes. A change of the reminders alone does not change it.",
	Section: sectionEvent + ", updated",
	Why:     "The library does not read a clock, so the answer has the stored value until ServerFields.Set sets the time, here 12:00.",
	Good: sample.Via("event.ServerFields.Set", sample.Patch(`"summary":"Daily"`, `"status":"confirmed"`, `"updated":"2026-03-09T12:00:00.000Z"`),
		`{"updated":"2026-03-10T12:00:00.000Z"}`),
	Bad: sample.Via("event.ServerFields.Set", sample.Patch(`"reminders":{"useDefault":true}`, `"status":"confirmed"`, `"updated":"2026-03-09T12:00:00.000Z"`),
		`{"updated":"2026-03-09T12:00:00.000Z"}`),
}

// changesUpdated reports whether the member updated changes if next replaces stored: that is, if
// the main event data differs, which does not include the reminders.
// Source: calendar.md, Event resource, updated.
func changesUpdated(stored, next *Event) bool {
	return eventTable.ChangedValue(stored.orZero(), next.orZero(), mainDataMembers) != 0
}

var sequenceDecrease = diag.Rule{
	ID: "event.sequence.decrease", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"sequence"},
	Summary:  "The sequence does not decrease.",
	Section:  sectionObserved,
	Seen:     "A sequence below the stored one is refused: 400, invalid sequence value.",
	Reported: []string{"https://coderwall.com/p/m6ozfg"},
	Why:      "The public service refuses a sequence below the stored one. A sequence that is absent or null says nothing.",
	Good:     sample.Patch(`"sequence":3`, `"sequence":3`),
	Bad:      sample.Patch(`"sequence":2`, `"sequence":3`),
	Says:     diag.Sentences{{Key: "lower", Text: "The sequence is {value}, but the stored one is {stored}, and the service refuses a lower one. Leave it out, or send a higher one."}},
	Check:    check(checkSequenceDecrease),
}

func checkSequenceDecrease(in *input, r engine.Reporter) {
	says := in.present.Has(ofSequence) && !in.sent.extra.Null("sequence")
	was, is := in.stored.Sequence, in.next.Sequence
	if says && in.existing == knownEvent && constraint.ICalSequence.HasInt(is) && is < was {
		r.Report("/sequence", "lower", diag.Number("value", is), diag.Number("stored", was))
	}
}

var organizerOnly = diag.Rule{
	ID: "event.organizer-only", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads: []string{
		"summary", "description", "location", "start", "end", "recurrence", "conferenceData", "attendees",
		"extendedProperties.shared", "guestsCanModify", "organizer.email", "organizer.self", "privateCopy",
	},
	Summary:  "Only the organizer changes the shared members of an event, unless guestsCanModify is true.",
	Section:  sectionObserved,
	Seen:     `403 with the reason forbiddenForNonOrganizer: "Shared properties can only be changed by the organizer of the event."`,
	Reported: []string{"kewisch/gdata-provider#426", "kewisch/gdata-provider#3"},
	Status:   403, Reason: "forbiddenForNonOrganizer",
	Why: "The public service answers 403. Shared are summary, description, location, start, end, recurrence, conferenceData, " +
		"shared extended properties, and all of the attendees except the caller's own response. The rule is only checked if " +
		"the emails of the caller and of the organizer are known and differ. It does not apply on the organizer's " +
		"own calendar (organizer.self), which others may be allowed to write, or to a private copy.",
	Good: sample.With(sample.Patch(`"reminders":{"useDefault":true}`, storedOfChair), `"caller":{"email":"ada@example.com"}`),
	Bad:  sample.With(sample.Patch(`"summary":"Daily"`, storedOfChair), `"caller":{"email":"ada@example.com"}`),
	Says: diag.Sentences{
		{Key: "changed", Text: "Only the organizer can change {member} unless guestsCanModify is true. Leave it as it is, or ask the organizer."},
		{Key: "attendees", Text: "Only the organizer can change attendees, other than the caller's own response, unless guestsCanModify is true. Leave them as they are, or ask the organizer."},
		{Key: "shared-properties", Text: "Only the organizer can change shared extended properties unless guestsCanModify is true. Leave them as they are, or ask the organizer."},
	},
	YieldsToValue: true,
	Check:         check(checkOrganizerOnly),
}

const storedOfChair = `"organizer":{"email":"chair@example.com"}`

func checkOrganizerOnly(in *input, r engine.Reporter) {
	if !callerIsGuest(in) {
		return
	}
	in.reportChanged(sharedMembers, r)
	if changesOtherAttendees(in) {
		r.Report("/attendees", "attendees")
	}
	if !maps.Equal(in.stored.sharedProperties(), in.next.sharedProperties()) {
		r.Report("/extendedProperties/shared", "shared-properties")
	}
}

// callerIsGuest reports whether the caller is known not to be the organizer, and not to be allowed
// to change the event for everybody.
func callerIsGuest(in *input) bool {
	e, o := in.stored, in.stored.Organizer.orZero()
	if in.req.Caller == nil || in.req.Caller.Email == "" || o.Email == "" || o.Self || isCaller(in, o.Email) {
		return false
	}
	a := findAttendee(e.Attendees, in.req.Caller.Email)
	return !e.GuestsCanModify && !e.PrivateCopy && (a == nil || !a.Organizer)
}

// changesOtherAttendees reports whether the request changes more of the attendees than the response
// of the participant.
func changesOtherAttendees(in *input) bool {
	was, is := in.stored.Attendees, in.next.Attendees
	pairs := pairAttendees(is, was)
	for i := range is {
		old := partner(was, pairs, i)
		if old == nil {
			return true
		}
		a := is[i]
		if in.isParticipant(old) {
			a.respondAs(old)
		}
		if !attendeeTable.Equal(&a, old) {
			return true
		}
	}
	return len(is) != len(was)
}

// sharedProperties returns the event's shared extended properties.
func (e *Event) sharedProperties() map[string]string {
	if e.ExtendedProperties == nil {
		return nil
	}
	return e.ExtendedProperties.Shared
}

var statusModifyCancelled = diag.Rule{
	ID: "status.modify-cancelled", Kind: diag.Advise, When: diag.Modify, Basis: diag.Observed, Scope: diag.OfChange,
	Reads:    []string{"status", "recurringEventId", "originalStartTime"},
	Summary:  "A cancelled instance of a series does not change.",
	Section:  sectionObserved,
	Seen:     `The change of a cancelled instance fails with "Invalid start time."; others report that they restored one.`,
	Reported: []string{"derekantrican/GAS-ICS-Sync#522", "ethereum/pm#2083"},
	Why:      "The public service usually refuses the change. A request that changes nothing gets no advice.",
	Good:     sample.Patch(`"summary":"Daily"`, sampleInstance),
	Bad:      sample.Patch(`"summary":"Daily"`, sampleCancelled, sampleInstance),
	Says:     diag.Sentences{{Key: "cancelled", Text: "The stored event is a cancelled instance of a series, and the service usually refuses to change one. Change another instance, or the series."}},
	Check:    check(checkModifyCancelled),
}

func checkModifyCancelled(in *input, r engine.Reporter) {
	if in.stored.StatusMeaning() == status.Exception && in.changedInEffect() != 0 {
		r.Report("", "cancelled")
	}
}

var attendeeOmittedUpdate = diag.Rule{
	ID: "attendee.omitted-update", Describes: diag.Effect, When: diag.Update, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"attendeesOmitted", "attendees", "attendees[].self", "attendees[].responseStatus", "attendees[].comment", "attendees[].additionalGuests"},
	Summary: "An update with attendeesOmitted true uses only the participant's own response from the body.",
	Section: sectionEvent + ", attendeesOmitted",
	Why:     "The other stored attendees stay, and so does the stored attendeesOmitted, since none is missing. The participant is the attendee with self true or, if the body lacks that one, the caller or the organizer on whose calendar the event is.",
	Good: sample.Answered(sample.Update(`"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com"}]`),
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"bob@example.com"}]}}`),
	Bad: sample.Answered(sample.Update(`"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`,
		`"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com"}]`),
		`{"event":{"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]}}`),
}

var extendedPropertiesMerge = diag.Rule{
	ID: "event.extended-properties.merge", Describes: diag.Effect, When: diag.Patch, Basis: diag.Inferred, Scope: diag.OfChange,
	Reads:   []string{"extendedProperties.private", "extendedProperties.shared"},
	Summary: "A patch merges each map of extended properties by key; null clears a key.",
	Section: sectionEvent + ", extendedProperties",
	Good: sample.Answered(sample.Patch(`"extendedProperties":{"private":{"a":null,"c":"3"}}`, `"extendedProperties":{"private":{"a":"1","b":"2"}}`),
		`{"event":{"extendedProperties":{"private":{"a":null,"b":"2","c":"3"}}}}`),
	Bad: sample.Answered(sample.Update(`"extendedProperties":{"private":{"c":"3"}}`, `"extendedProperties":{"private":{"a":"1","b":"2"}}`),
		`{"event":{"extendedProperties":{"private":{"a":null,"b":null,"c":"3"}}}}`),
}

var patchMerge = diag.Rule{
	ID: "patch.merge", Describes: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "A patch replaces the members that it specifies and keeps the others. An array replaces the whole stored array.",
	Section: sectionOperations + ", 1; RFC 7396",
	Why:     "Objects merge member by member, and null clears a member, as in RFC 7396, which no document names.",
	Good: sample.Answered(sample.Patch(`"location":null,"description":"Daily"`, `"location":"Room 4"`),
		`{"event":{"summary":"Standup","description":"Daily","location":null}}`),
	Bad: sample.Answered(sample.Update(`"description":"Daily"`, `"location":"Room 4"`),
		`{"event":{"summary":null,"description":"Daily","location":null}}`),
}

var patchWhole = diag.Rule{
	ID: "patch.whole", Kind: diag.Reject, When: diag.Patch, Basis: diag.Inferred, Scope: diag.OfChange, Reads: []string{"start", "end"},
	Summary: "A patch results in an event that follows every rule about events.",
	Section: sectionOperations + ", 1",
	Why: "A valid patch may not fit the stored event, as a date next to a stored dateTime. This rule reports what is wrong " +
		"only with the stored start or end. What another rule says about the merged event is reported under its own id.",
	Good: sample.Patch(`"end":{"dateTime":"2026-03-10T11:00:00-04:00"}`),
	Bad:  sample.Patch(`"end":{"date":"2026-03-11"}`),
	Says: diag.Sentences{
		{Key: "start-cleared", Text: "The patch clears the start, which an event must have. Send a start, or leave it out."},
		{Key: "end-cleared", Text: "The patch clears the end, which an event must have. Send an end, or leave it out."},
	},
	YieldsToValue: true,
	Supersedes:    []string{ruleid.BirthdayModify, ruleid.EventOrganizerOnly},
	Check:         check(checkPatchCleared),
}

// checkPatchCleared checks the part of [patchWhole] that no other rule covers: an event has a start
// and an end. [run.checkWhole] checks the rest.
func checkPatchCleared(in *input, r engine.Reporter) {
	clears := func(member object.Set, stored *Time) bool {
		return in.present.Has(member) && (stored != nil || in.existing == unknownEvent)
	}
	if in.next.Start == nil && clears(ofStart, in.stored.Start) {
		r.Report("/start", "start-cleared")
	}
	if in.next.End == nil && clears(ofEnd, in.stored.End) {
		r.Report("/end", "end-cleared")
	}
}

var patchQuota = diag.Rule{
	ID: "patch.quota", Describes: diag.Effect, When: diag.Patch, Basis: diag.Stated, Scope: diag.OfRequest,
	Summary: "A patch request costs 3 quota units; a get followed by an update is preferred.",
	Section: "calendar.md, Limits",
	Why:     "The documents state no cost of other operations.",
	Good:    sample.Via("operation.Lookup", sample.Patch(`"summary":"Daily"`), `{"id":"events.patch","quotaUnits":3}`),
	Bad:     sample.Via("operation.Lookup", sample.Update(`"summary":"Daily"`), `{"id":"events.update","quotaUnits":null}`),
}

var updateWhole = diag.Rule{
	ID: "update.whole", Describes: diag.Effect, When: diag.Update, Basis: diag.Stated, Scope: diag.OfChange,
	Summary: "An update replaces the entire event: members that are not sent are removed, except those that the caller cannot write.",
	Section: sectionOperations + ", 2",
	Why: "Members that only the service writes stay, and so do the id, the iCalUID and the immutable members. Conference " +
		"data and the label stay without their version parameters. For a partial change, get the event, change it and " +
		"update it conditionally on its etag, or send a patch.",
	Good: sample.Answered(sample.Update(`"description":"Daily"`, `"location":"Room 4"`, `"created":"2026-01-05T08:00:00Z"`),
		`{"event":{"description":"Daily","location":null,"created":"2026-01-05T08:00:00Z"}}`),
	Bad: sample.Answered(sample.Patch(`"description":"Daily"`, `"location":"Room 4"`, `"created":"2026-01-05T08:00:00Z"`),
		`{"event":{"description":"Daily","location":"Room 4","created":"2026-01-05T08:00:00Z"}}`),
}
