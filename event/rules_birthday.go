package event

import (
	"slices"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/recurrence"
)

// insertBirthday is an insert of a birthday with the given members.
type insertBirthday []string

func (members insertBirthday) Example() diag.Example {
	birthday := sample.AllDay{`"eventType":"birthday","visibility":"private","transparency":"transparent"`, `"recurrence":["RRULE:FREQ=YEARLY"]`}
	return append(birthday, members...).Example()
}

var birthdayTypeEnum = diag.Rule{
	ID: "birthday.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties.type"},
	Summary: "The type of a birthday must be " + constraint.BirthdayType.String() + ". The default is birthday.",
	Section: sectionParts,
	Says:    constraint.BirthdayType.Says(),
	Good:    insertBirthday{`"birthdayProperties":{"type":"birthday"}`},
	Bad:     insertBirthday{`"birthdayProperties":{"type":"bday"}`},
}

var birthdayTypeCreate = diag.Rule{
	ID: "birthday.type.create", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties.type"},
	Summary: "A client can create only birthdays of type birthday.",
	Section: sectionParts,
	Why:     "The other types belong to contacts or to the owner of the calendar.",
	Says:    constraint.NewBirthdayType.Says(),
	Good:    insertBirthday{`"birthdayProperties":{"type":"birthday"}`},
	Bad:     insertBirthday{`"birthdayProperties":{"type":"anniversary"}`},
}

// yearly contains the members of an event that has the form of a birthday.
const yearly = `"id":"abc12def","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=YEARLY"]`

var birthdayContact = diag.Rule{
	ID: "birthday.contact", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads: []string{"birthdayProperties.contact", "birthdayProperties.type", "birthdayProperties.customTypeName", "status"},
	Summary: "A birthday of type anniversary, custom or other must have a contact, and a birthday of type self must not. A birthday of " +
		"type custom must have a customTypeName.",
	Section: sectionParts,
	Why: "A contact is a resource name of the form people/<contact_id>. A cancelled birthday may lack contact and customTypeName, " +
		"because only its identity is guaranteed.",
	Good: sample.Request{"response", yearly, `"eventType":"birthday","birthdayProperties":{"type":"other","contact":"people/c12"}`},
	Bad:  sample.Request{"response", yearly, `"eventType":"birthday","birthdayProperties":{"type":"other"}`},
	Says: append(diag.Sentences{
		{Key: "missing", Text: "A birthday of type {type} requires a contact."},
		{Key: "none", Text: "The contact is {value}, but a birthday of type self must have none."},
		{Key: "custom-type-name", Text: "A birthday of type custom requires a customTypeName."},
	}, constraint.ContactName.Says()...),
	Check: check(checkBirthdayContact),
}

func checkBirthdayContact(in *input, r engine.Reporter) {
	b := in.next.BirthdayProperties
	if b == nil {
		return
	}
	isWhole := in.next.Status != constraint.StatusCancelled // only the identity of a cancelled event is guaranteed
	const contact = "/birthdayProperties/contact"
	sent := wasSent(b.Contact, &b.extra, "contact")
	switch {
	case !sent && constraint.BirthdayTypeWithContact.Has(b.Type) && isWhole:
		r.Report(contact, "missing", diag.Name("type", b.Type))
	case sent && b.Type == "self":
		r.Report(contact, "none", diag.Value("value", b.Contact))
	case sent && !form.IsContactName(b.Contact):
		constraint.ContactName.Report(r, contact, "contact", b.Contact)
	}
	if b.Type == "custom" && b.CustomTypeName == "" && isWhole {
		r.Report("/birthdayProperties/customTypeName", "custom-type-name")
	}
}

// isPossible reports whether the service could have written the contact and the custom type name.
func (b *Birthday) isPossible() bool {
	switch {
	case constraint.BirthdayTypeWithContact.Has(b.Type) && b.Contact == "", b.Type == "self" && b.Contact != "":
		return false
	default:
		return b.Type != "custom" || b.CustomTypeName != ""
	}
}

var birthdayShape = diag.Rule{
	ID: "birthday.shape", Kind: diag.Reject, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"eventType", "start", "recurrence"},
	Summary: "A birthday must be an all-day event that recurs annually.",
	Section: sectionEvent + ", eventType",
	Why: "Any rule that recurs once a year complies, however it is written: YEARLY, or a shorter period with BYMONTH and one day. For a " +
		"patch or an update, the resulting birthday is checked. An instance of a birthday does not recur.",
	Good: insertBirthday{},
	Bad:  sample.AllDay{`"eventType":"birthday","visibility":"private","transparency":"transparent"`},
	Says: diag.Sentences{
		{Key: "timed", Text: "The birthday is timed; it must be all-day. Send date instead of dateTime in start and end."},
		{Key: "not-annual", Text: `The birthday does not recur once a year. Send "recurrence": ["{rule}"].`, Fix: diag.Proposal{Value: `["{rule}"]`}},
	},
	Supersedes: []string{ruleid.BirthdayForm},
	Check:      check(checkBirthdayShape),
}

func checkBirthdayShape(in *input, r engine.Reporter) {
	if in.next.EventType != constraint.TypeBirthday {
		return
	}
	if in.start.form == timed && !in.wasOfForm(timed) {
		r.Report("/start", "timed")
	}
	if recurs(in) && !hasBirthdayRule(in) && !isAnnual(in) {
		r.Report("/recurrence", "not-annual", diag.Plain("rule", birthdayRule(in)))
	}
}

// recurs reports whether the birthday is known to require a recurrence. A stored instance does not require a recurrence, and an
// unknown birthday may be an instance. A birthday stored without a recurrence requires a recurrence only if the request sends
// one.
func recurs(in *input) bool {
	if in.existing == absentEvent {
		return in.on != diag.Response || !in.next.isInstance()
	}
	return !in.next.isInstance() && len(in.stored.Recurrence)+len(in.next.Recurrence) > 0
}

// isAnnual reports whether the event recurs once a year, or its recurrence or start is unreadable, which other rules report.
func isAnnual(in *input) bool {
	start := in.start.recurrence()
	set, err := recurrence.Parse(in.next.Recurrence)
	if err != nil || start.IsZero() {
		return true
	}
	for _, rule := range set.Rules {
		if !isYearly(rule, start) {
			return false
		}
	}
	series, err := set.Compile(start)
	return len(set.Rules) > 0 && (err != nil || oncePerYear(series, false))
}

// isYearly reports whether the rule has one instance in each year, ignoring COUNT and UNTIL.
func isYearly(rule *recurrence.Rule, start recurrence.Start) bool {
	switch {
	case rule.Freq == recurrence.Yearly:
		return rule.Interval <= 1
	case rule.Freq == recurrence.Monthly && rule.Interval == 12:
		return true
	case rule.Freq.SubDaily() || len(rule.ByMonth) == 0:
		return false
	}
	endless := *rule
	endless.Count, endless.Until = 0, recurrence.Value{}
	series, err := (&recurrence.Set{Rules: []*recurrence.Rule{&endless}}).Compile(start)
	return err != nil || oncePerYear(series, true)
}

// oncePerYear reports whether the first instances are all in different years and, if every is true, whether no year is skipped.
// A birthday on February 29 only has to recur in leap years. Comparing a dozen instances is enough, because rules repeat their pattern sooner.
func oncePerYear(series *recurrence.Series, every bool) bool {
	const dozen = 12
	const betweenLeapYears = 8 // the years from 2096 to 2104
	n, last := 0, 0
	for t, err := range series.All() {
		if err != nil || n == dozen {
			return true
		}
		most := 1
		if t.Month() == time.February && t.Day() == 29 {
			most = betweenLeapYears
		}
		if gap := t.Year() - last; n > 0 && (gap == 0 || every && gap > most) {
			return false
		}
		n, last = n+1, t.Year()
	}
	return true
}

var birthdayForm = diag.Rule{
	ID: "birthday.form", Kind: diag.Advise, When: diag.Insert, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads: append([]string{"eventType", "start", "end", "visibility", "transparency", "recurrence", "extendedProperties.shared"}, notOfBirthday...),
	Summary: "A new birthday should have the form shown in the guide of the public service: one day, private and transparent, with " +
		"RRULE:FREQ=YEARLY and otherwise only a summary, a colorId, reminders and birthdayProperties.",
	Section:  sectionObserved,
	Seen:     "The guide of the public service creates birthdays of this form.",
	Reported: []string{"https://developers.google.com/workspace/calendar/api/guides/event-types"},
	Why: "For 29 February, the guide shows RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1. It is not known whether the service refuses " +
		"other forms.",
	Good: insertBirthday{},
	Bad:  sample.AllDay{`"eventType":"birthday"`, `"recurrence":["RRULE:FREQ=YEARLY"]`, `"visibility":"private"`},
	Says: diag.Sentences{
		{Key: "days", Text: "The birthday covers {n|day|days}, but birthdays in the guide of the public service cover one."},
		{Key: "visibility", Text: `Birthdays in the guide of the public service are private. Send "visibility": "private".`, Fix: diag.Proposal{Add: true, Value: `"private"`}},
		{Key: "transparency", Text: `Birthdays in the guide of the public service are transparent. Send "transparency": "transparent".`, Fix: diag.Proposal{Add: true, Value: `"transparent"`}},
		{Key: "recurrence", Text: `Birthdays in the guide of the public service have a different recurrence. Send "recurrence": ["{rule}"].`, Fix: diag.Proposal{Add: true, Value: `["{rule}"]`}},
		{Key: "member", Text: "Birthdays in the guide of the public service have no {member}. Leave it out."},
	},
	Check: check(checkBirthdayForm),
}

// notOfBirthday lists the client-written members that a birthday must not have.
var notOfBirthday = []string{
	"description", "location", "attendees", "attachments", "conferenceData", "source", "gadget", "guestsCanInviteOthers", "guestsCanModify",
	"guestsCanSeeOtherGuests", "anyoneCanAddSelf",
}

func checkBirthdayForm(in *input, r engine.Reporter) {
	e := in.next
	if e.EventType != constraint.TypeBirthday {
		return
	}
	if days, ok := in.days(); ok && days != 1 {
		r.Report("/end", "days", diag.Number("n", days))
	}
	if e.Visibility != "private" {
		r.Report("/visibility", "visibility")
	}
	if e.Transparency != "transparent" {
		r.Report("/transparency", "transparency")
	}
	if len(e.Recurrence) > 0 && !hasBirthdayRule(in) && areLines(e.Recurrence) {
		r.Report("/recurrence", "recurrence", diag.Plain("rule", birthdayRule(in)))
	}
	if p := e.ExtendedProperties; p != nil && len(p.Shared) > 0 { // birthday.private-properties covers private properties
		r.Report("/extendedProperties/shared", "member", diag.Name("member", "extendedProperties"))
	}
	for _, name := range tables().event.NamesOf(in.present & membersNamed(notOfBirthday...)) {
		if tables().event.Present(e).Has(membersNamed(name)) && !e.extra.Null(name) {
			r.Report(diag.Pointer("").Member(name), "member", diag.Name("member", name))
		}
	}
}

// areLines reports whether the strings are valid recurrence lines.
func areLines(texts []string) bool {
	_, err := recurrence.Parse(texts)
	return err == nil
}

// hasBirthdayRule reports whether the recurrence is the rule that the public service requires for a birthday.
func hasBirthdayRule(in *input) bool {
	return slices.Equal(in.next.Recurrence, []string{birthdayRule(in)})
}

// birthdayRule returns the recurrence rule that the public service requires for a birthday.
func birthdayRule(in *input) string {
	if in.start.date.Month == 2 && in.start.date.Day == 29 {
		return "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1"
	}
	return "RRULE:FREQ=YEARLY"
}

var birthdayEventType = diag.Rule{
	ID: "birthday.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties", "eventType"},
	Summary: "An event with birthdayProperties should have the eventType birthday.",
	Section: sectionEvent + ", birthdayProperties",
	Good:    insertBirthday{`"birthdayProperties":{"type":"birthday"}`},
	Bad:     sample.AllDay{`"birthdayProperties":{"type":"birthday"}`},
	Says:    goesWithSays,
	Check:   goesWith("birthdayProperties", constraint.TypeBirthday, func(e *Event) bool { return e.BirthdayProperties != nil }),
}

var birthdayPrivateProperties = diag.Rule{
	ID: "birthday.private-properties", Kind: diag.Reject, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:    []string{"extendedProperties.private", "eventType"},
	Summary:  "A birthday must not have private extended properties.",
	Section:  sectionObserved,
	Seen:     `400: "'birthday' event type must not have private extended properties."`,
	Reported: []string{"phw198/OutlookGoogleCalendarSync#2021", "phw198/OutlookGoogleCalendarSync#2103"},
	Good:     insertBirthday{`"colorId":"5"`},
	Bad:      insertBirthday{`"extendedProperties":{"private":{"crm":"1"}}`},
	Says:     diag.Sentences{{Key: "has", Text: "The birthday has {n|private extended property|private extended properties}; it must have none. Leave extendedProperties.private out."}},
	Check:    check(checkBirthdayPrivateProperties),
}

func checkBirthdayPrivateProperties(in *input, r engine.Reporter) {
	p := in.next.ExtendedProperties
	if in.next.EventType == constraint.TypeBirthday && p != nil && len(p.Private) > 0 {
		r.Report("/extendedProperties/private", "has", diag.Number("n", len(p.Private)))
	}
}

var birthdayDelete = diag.Rule{
	ID: "birthday.delete", Kind: diag.Reject, When: diag.Delete, Basis: diag.Observed, Scope: diag.OfRequest,
	Reads:    []string{"birthdayProperties.type", "birthdayProperties.contact"},
	Summary:  "A client cannot delete a birthday that comes from a contact.",
	Section:  sectionObserved,
	Seen:     "400 with the reason eventTypeRestriction.",
	Reported: []string{"kellylford/QuickMail#294"},
	Reason:   "eventTypeRestriction",
	Why: "A birthday that comes from a contact belongs to that contact; one of type self belongs to the profile. Of the documented " +
		"types, clients may delete only birthday, and only without a contact.",
	Good:  sample.DeleteBirthday(`{"type":"birthday"}`),
	Bad:   sample.DeleteBirthday(`{"type":"birthday","contact":"people/c1"}`),
	Says:  diag.Sentences{{Key: "of-contact", Text: "The birthday comes from a contact or a profile, so it cannot be deleted here. Change the contact or the profile."}},
	Check: check(checkBirthdayDelete),
}

func checkBirthdayDelete(in *input, r engine.Reporter) {
	if b := in.stored.BirthdayProperties; b != nil && (b.Contact != "" || b.hasOtherType()) {
		r.Report("", "of-contact")
	}
}

// hasOtherType reports whether the type is a documented type other than birthday. An event of a type other than birthday comes
// from a contact or a profile.
func (b *Birthday) hasOtherType() bool {
	return b != nil && b.Type != constraint.TypeBirthday && constraint.BirthdayType.Has(b.Type)
}

var birthdayImmutable = diag.Rule{
	ID: "birthday.immutable", Kind: diag.Reject, When: diag.Modify, Basis: diag.Stated, Scope: diag.OfChange,
	Reads:   []string{"birthdayProperties", "birthdayProperties.type"},
	Summary: "The birthdayProperties cannot change.",
	Section: sectionEvent + ", birthdayProperties",
	Why:     "The contact and customTypeName are also read-only, so a different value has no effect.",
	Good:    sample.PatchBirthday{`"birthdayProperties":{"type":"birthday"}`, `{}`},
	Bad:     sample.PatchBirthday{`"birthdayProperties":{"type":"self"}`, `{"type":"birthday"}`},
	Says: diag.Sentences{
		{Key: "added-or-removed", Text: "The request adds or removes birthdayProperties, which are immutable. Leave them out."},
		{Key: "type", Text: "The request changes the immutable type of the birthday from {limit} to {value}. Leave it out."},
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
	case was != nil && !is.saysType() && in.on == diag.Update: // the type is kept if not sent
	case was != nil && birthdayType(was) != birthdayType(is):
		r.Report("/birthdayProperties/type", "type", diag.Value("value", birthdayType(is)), diag.Value("limit", birthdayType(was)))
	}
}

// saysType reports whether a type was sent.
func (b *Birthday) saysType() bool { return wasSent(b.Type, &b.extra, "type") }

// birthdayType returns the type of a birthday, or the default type if it is absent.
func birthdayType(b *Birthday) string {
	if !b.saysType() {
		return constraint.TypeBirthday
	}
	return b.Type
}

var birthdayModify = diag.Rule{
	ID: "birthday.modify", Kind: diag.Advise, When: diag.Modify | diag.Delete, Basis: diag.Observed, Scope: diag.OfChange, Reads: []string{"birthdayProperties.type"},
	Summary: "Only the summary, color and reminders of a birthday of a type other than birthday can change, and such a birthday should " +
		"not be deleted.",
	Section: sectionObserved,
	Seen: "The service refuses changes to anything but the summary, the color and the reminders. The day can change only in a birthday " +
		"that has no contact and is not of type self.",
	Reported: []string{"t4t5/caldir#61"},
	Why: "A birthday of another type comes from a contact or, if the type is self, from the owner's profile. The rule birthday.delete " +
		"also rejects the deletion.",
	Good: sample.PatchBirthday{`"summary":"Ada's day"`, `{"type":"other","contact":"people/c1"}`},
	Bad:  sample.PatchBirthday{`"location":"Paris"`, `{"type":"other","contact":"people/c1"}`},
	Says: diag.Sentences{
		{Key: "deleted", Text: "The birthday comes from a profile or a contact, so it cannot be deleted here. Change the profile or the contact."},
		{Key: "changed", Text: "The birthday comes from a profile or a contact, so {member} cannot be changed here. Change the profile or the contact."},
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
	in.reportChanged(^(tables().freeInBirthday | tables().immutable), r)
}
