package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/object"
)

// The values of most members are plain: so usual that no declaration or rule about a single member has anything to
// report. This file recognizes them without a table, in a small part of the time. What is not plain need not be wrong.

// plainRules are the rules that report nothing about an event in which the members are plain.
var plainRules = []struct {
	members object.Set
	rules   []*diag.Rule
}{
	{ofStart | ofEnd, []*diag.Rule{
		&timeOffset, &timeZoneRecurring, &timeZoneRecurringAllDay, &timeOneForm, &timeSameForm, &timeOrder, &timeEmpty, &timeFraction,
	}},
	{ofReminders, []*diag.Rule{&remindersBoth, &remindersAlone}},
	{ofAttachments, []*diag.Rule{&attachmentsSupports}},
	{ofEventType, []*diag.Rule{&typeTimedOnly, &typePlain, &birthdayShape, &birthdayPrivateProperties}},
}

// plainMembers are the members, apart from the times and the type, that may be plain in a new event.
var plainMembers = []struct {
	member  object.Set
	isPlain func(*input, *Event) bool
}{
	{ofAttendees, func(_ *input, e *Event) bool { return all(e.Attendees, (*Attendee).isPlain) }},
	{ofReminders, func(_ *input, e *Event) bool { return e.Reminders.isPlain() }},
	{ofAttachments, func(in *input, e *Event) bool {
		return in.flags.SupportsAttachments && all(e.Attachments, (*Attachment).isPlain) &&
			len(e.Attachments) <= constraint.AttachmentsMax
	}},
	{ofExtendedProperties, func(_ *input, e *Event) bool { return e.ExtendedProperties.isPlain() }},
}

// findPlain returns the members of the result that are plain. Only those of new events are looked at, except for the times.
func (in *input) findPlain() (plain object.Set) {
	if in.hasPlainTimes() {
		plain = ofStart | ofEnd
	}
	if !in.isNew() {
		return plain
	}
	if !in.present.Has(ofEventType) {
		plain |= ofEventType
	}
	for i := range plainMembers {
		if m := &plainMembers[i]; in.present.Has(m.member) && m.isPlain(in, in.result) {
			plain |= m.member
		}
	}
	return plain
}

func all[T any](list []T, is func(*T) bool) bool {
	for i := range list {
		if !is(&list[i]) {
			return false
		}
	}
	return true
}

// hasPlainTimes reports whether the result has a start and an end of the same form, without anything unusual,
// and no other times. Most events have plain times.
func (in *input) hasPlainTimes() bool {
	e := in.result
	if e.OriginalStartTime != nil || !in.start.isPlain(e.Start) || !in.end.isPlain(e.End) {
		return false
	}
	if len(e.Recurrence) > 0 && (e.Start.TimeZone == "" || e.End.TimeZone == "") {
		return false
	}
	order, ok := in.end.compare(&in.start)
	return ok && order > 0
}

// isPlain reports whether no rule has anything to report about the time t by itself.
func (p *parsedTime) isPlain(t *Time) bool {
	return p.known && !p.lost && p.civil.Nanosecond == 0 && p.beyond == "" && t.extra.IsEmpty() &&
		(p.form == timed || t.TimeZone == "")
}

// isPlain reports whether the attendee has an address, and no members that the service writes.
func (a *Attendee) isPlain() bool {
	return a.extra.IsEmpty() && !a.Organizer && !a.Self && a.AsyncOperation == "" && form.IsAddrSpec(a.Email) &&
		a.AdditionalGuests >= constraint.AdditionalGuestsMin &&
		(a.ResponseStatus == "" || a.ResponseStatus == constraint.NeedsAction || constraint.ResponseStatus.Has(a.ResponseStatus))
}

// isPlain reports whether the reminders are the default ones or a few others.
func (r *Reminders) isPlain() bool {
	if r == nil || r.UseDefault == nil || *r.UseDefault && len(r.Overrides) > 0 || len(r.Overrides) > constraint.ReminderOverridesMax {
		return false
	}
	return all(r.Overrides, func(r *Reminder) bool {
		return constraint.ReminderMethod.Has(r.Method) && r.Minutes != nil && constraint.ReminderMinutes.HasInt(*r.Minutes)
	})
}

// isPlain reports whether the attachment has a URL, and no members that the service writes.
func (a *Attachment) isPlain() bool {
	return a.extra.IsEmpty() && a.FileURL != "" && a.IconLink == "" && a.FileID == ""
}

// isPlain reports whether no property is too long.
func (p *ExtendedProperties) isPlain() bool {
	return p != nil && areShort(p.Private) && areShort(p.Shared)
}

func areShort(properties map[string]string) bool {
	for key, value := range properties {
		if form.LongerThan(key, constraint.PropertyKeyMaxLength) || form.LongerThan(value, constraint.PropertyValueMaxLength) {
			return false
		}
	}
	return true
}
