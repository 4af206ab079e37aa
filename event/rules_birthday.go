package event

import (
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/sample"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/recurrence"
	"github.com/calrules/calrules/status"
)

// birthdayRules are about events of type birthday and their properties.
var birthdayRules = []*diag.Rule{
	&birthdayTypeEnum, &birthdayTypeCreate, &birthdayContact, &birthdayShape, &birthdayEventType, &birthdayPrivateProperties,
}

// insertBirthday returns an example: an insert of a birthday with the other members.
func insertBirthday(members ...string) diag.Example {
	return sample.AllDay(append([]string{`"eventType":"birthday"`, sample.Recurrence("RRULE:FREQ=YEARLY")}, members...)...)
}

var birthdayTypeEnum = diag.Rule{
	ID: "birthday.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties.type"},
	Summary: "The type of a birthday is anniversary, birthday, custom, other or self. The default is birthday.",
	Section: sectionParts,
	Good:    insertBirthday(`"birthdayProperties":{"type":"birthday"}`),
	Bad:     insertBirthday(`"birthdayProperties":{"type":"bday"}`),
}

var birthdayTypeCreate = diag.Rule{
	ID: "birthday.type.create", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties.type"},
	Summary: "A client creates only birthdays of type birthday.",
	Section: sectionParts,
	Why:     "The other types belong to contacts or to the owner of the calendar.",
	Good:    insertBirthday(`"birthdayProperties":{"type":"birthday"}`),
	Bad:     insertBirthday(`"birthdayProperties":{"type":"anniversary"}`),
}

var birthdayContact = diag.Rule{
	ID: "birthday.contact", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"birthdayProperties.contact", "birthdayProperties.type", "birthdayProperties.customTypeName", "status"},
	Summary: "A birthday of type anniversary, custom or other has a contact; one of type self has none. One of type custom has a customTypeName.",
	Section: sectionParts,
	Why:     "A contact is a resource name of the form people/<contact_id>.",
	Good:    sample.Response(`"eventType":"birthday","birthdayProperties":{"type":"other","contact":"people/c12"}`),
	Bad:     sample.Response(`"eventType":"birthday","birthdayProperties":{"type":"other"}`),
	Check:   check(checkBirthdayContact),
}

func checkBirthdayContact(in *input, r diag.Reporter) {
	b := in.result.BirthdayProperties
	if b == nil || in.result.Status == status.Cancelled {
		return // only the identity of a cancelled event is guaranteed
	}
	const contact = "/birthdayProperties/contact"
	sent := wasSent(b.Contact, &b.extra, "contact")
	switch {
	case !sent && limits.BirthdayTypeWithContact.Has(b.Type):
		r.Report(contact, "The contact is missing; a birthday of type %s always has one.", b.Type)
	case sent && b.Type == "self":
		r.Report(contact, "The contact is %s; a birthday of type self has none.", diag.Quote(b.Contact))
	case sent && !limits.IsContactName(b.Contact):
		r.Report(contact, "The contact is %s; it must have the form people/<contact_id>.", diag.Quote(b.Contact))
	}
	if b.Type == "custom" && b.CustomTypeName == "" {
		r.Report("/birthdayProperties/customTypeName", "The customTypeName is missing; a birthday of type custom has one.")
	}
}

var birthdayShape = diag.Rule{
	ID: "birthday.shape", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Reads:   []string{"eventType", "start", "recurrence"},
	Summary: "A birthday is an all-day event that recurs annually.",
	Section: sectionEvent + ", eventType",
	Good:    insertBirthday(),
	Bad:     sample.AllDay(`"eventType":"birthday"`),
	Check:   check(checkBirthdayShape),
}

func checkBirthdayShape(in *input, r diag.Reporter) {
	if in.result.EventType != typeBirthday {
		return
	}
	if in.start.form == timed {
		r.Report("/start", "The birthday is timed; it must be all-day. Send date instead of dateTime in start and end.")
	}
	if !in.isAnnual() {
		r.Report("/recurrence", "The birthday does not recur every year. Send \"recurrence\": [\"RRULE:FREQ=YEARLY\"].")
	}
}

// isAnnual reports whether the event recurs once a year. Lines that cannot be read, and those of
// an event without a readable start, count as annual, because other rules report them.
func (in *input) isAnnual() bool {
	start := in.start.recurrence()
	set, err := recurrence.Parse(in.result.Recurrence)
	if err != nil || start == nil {
		return true
	}
	for _, rule := range set.Rules {
		if !isYearly(rule) {
			return false
		}
	}
	series, err := recurrence.Compile(set, *start)
	return len(set.Rules) > 0 && (err != nil || oncePerYear(series))
}

// isYearly reports whether the period of the rule is one year.
func isYearly(rule *recurrence.Rule) bool {
	switch rule.Freq {
	case recurrence.Yearly:
		return rule.Interval <= 1
	case recurrence.Monthly:
		return rule.Interval == 12
	default:
		return false
	}
}

// oncePerYear reports whether no two of the first instances are in one year. A few are enough: a
// rule that could give more than one does so in every year.
func oncePerYear(series *recurrence.Series) bool {
	const few = 5
	n, last := 0, 0
	for t, err := range series.All() {
		if err != nil || n == few {
			return true
		}
		if n > 0 && t.Year() == last {
			return false
		}
		n, last = n+1, t.Year()
	}
	return true
}

var birthdayEventType = diag.Rule{
	ID: "birthday.event-type", Kind: diag.Advise, When: diag.Write, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties", "eventType"},
	Summary: "An event with birthdayProperties has the eventType birthday.",
	Section: sectionEvent + ", birthdayProperties",
	Good:    insertBirthday(`"birthdayProperties":{"type":"birthday"}`),
	Bad:     sample.AllDay(`"birthdayProperties":{"type":"birthday"}`),
	Check:   goesWith("birthdayProperties", typeBirthday, func(e *Event) bool { return e.BirthdayProperties != nil }),
}

var birthdayPrivateProperties = diag.Rule{
	ID: "birthday.private-properties", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent,
	Reads:   []string{"extendedProperties.private", "eventType"},
	Summary: "A birthday has no private extended properties.",
	Section: sectionObserved,
	Good:    insertBirthday(`"extendedProperties":{"shared":{"crm":"1"}}`),
	Bad:     insertBirthday(`"extendedProperties":{"private":{"crm":"1"}}`),
	Check:   check(checkBirthdayPrivateProperties),
}

func checkBirthdayPrivateProperties(in *input, r diag.Reporter) {
	p := in.result.ExtendedProperties
	if in.result.EventType == typeBirthday && p != nil && len(p.Private) > 0 {
		r.Report("/extendedProperties/private", "The birthday has private extended properties (%d); a birthday has none. Leave them out.", len(p.Private))
	}
}
