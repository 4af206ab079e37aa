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
	&birthdayTypeEnum,
	&birthdayTypeCreate,
	&birthdayContact,
	&birthdayShape,
	&birthdayEventType,
	&birthdayPrivateProperties,
}

// birthday makes an insert of a birthday with further members.
func birthday(members ...string) string {
	return sample.AllDay(append([]string{`"eventType":"birthday"`, sample.Recurrence("RRULE:FREQ=YEARLY")}, members...)...)
}

var birthdayTypeEnum = diag.Rule{
	ID: "birthday.type.enum", Kind: diag.Reject, When: diag.Write | diag.Response, Basis: diag.Stated, Scope: diag.OfEvent, Reads: []string{"birthdayProperties"},
	Summary: "The type of a birthday is anniversary, birthday, custom, other or self; birthday when absent.",
	Section: sectionParts,
	Good:    diag.Example{Request: birthday(`"birthdayProperties":{"type":"birthday"}`)},
	Bad:     diag.Example{Request: birthday(`"birthdayProperties":{"type":"bday"}`)},
}

var birthdayTypeCreate = diag.Rule{
	ID: "birthday.type.create", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "Only a birthday of type birthday is created by a client.",
	Section: sectionParts,
	Why:     "The other types belong to contacts, or to the owner of the calendar.",
	Good:    diag.Example{Request: birthday(`"birthdayProperties":{"type":"birthday"}`)},
	Bad:     diag.Example{Request: birthday(`"birthdayProperties":{"type":"anniversary"}`)},
}

var birthdayContact = diag.Rule{
	ID: "birthday.contact", Kind: diag.Reject, When: diag.Response, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "The types anniversary, custom and other always have a contact, self has none; customTypeName is set when the type is custom.",
	Section: sectionParts,
	Why:     "A contact is a resource name of the shape people/<contact_id>.",
	Good:    diag.Example{Request: sample.Response(`"eventType":"birthday","birthdayProperties":{"type":"other","contact":"people/c12"}`)},
	Bad:     diag.Example{Request: sample.Response(`"eventType":"birthday","birthdayProperties":{"type":"other"}`)},
	Check:   check(checkBirthdayContact),
}

func checkBirthdayContact(in *input, r diag.Reporter) {
	b := in.result.BirthdayProperties
	if b == nil || in.result.Status == status.Cancelled {
		return // of a cancelled event nothing but its identity is guaranteed
	}
	const contact = "/birthdayProperties/contact"
	sent := wasSent(b.Contact, &b.extra, "contact")
	switch {
	case !sent && limits.BirthdayTypeWithContact.Has(b.Type):
		r.Report(contact, "The birthday type %s always has a contact; there is none.", b.Type)
	case sent && b.Type == "self":
		r.Report(contact, "The birthday type self has no contact; there is %s.", diag.Quote(b.Contact))
	case sent && !limits.IsContactName(b.Contact):
		r.Report(contact, "The contact is %s; it must have the shape people/<contact_id>.", diag.Quote(b.Contact))
	}
	if b.Type == "custom" && b.CustomTypeName == "" {
		r.Report("/birthdayProperties/customTypeName", "The birthday type custom has a customTypeName; there is none.")
	}
}

var birthdayShape = diag.Rule{
	ID: "birthday.shape", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated, Scope: diag.OfEvent,
	Summary: "A birthday is an all-day event with annual recurrence.",
	Section: sectionEvent + ", eventType",
	Good:    diag.Example{Request: birthday()},
	Bad:     diag.Example{Request: sample.AllDay(`"eventType":"birthday"`)},
	Check:   check(checkBirthdayShape),
}

func checkBirthdayShape(in *input, r diag.Reporter) {
	e := in.result
	if e.EventType != typeBirthday {
		return
	}
	if in.start.form == timed {
		r.Report("/start", "The birthday is timed; it must be all-day. Send date instead of dateTime, in start and end.")
	}
	if !in.isAnnual() {
		r.Report("/recurrence", "The birthday does not recur every year. Send \"recurrence\": [\"RRULE:FREQ=YEARLY\"].")
	}
}

// isAnnual reports whether the event recurs once a year. Lines that cannot be read, and those
// of an event without a readable start, count as annual: what is wrong is told elsewhere.
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

// isYearly reports whether the rule's period is one year.
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

// oncePerYear reports whether no two of the first instances lie in one year. A few tell: the
// parts of a rule that could give more than one are the same every year.
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
	Summary: "birthdayProperties are used only if the eventType is birthday.",
	Section: sectionEvent + ", birthdayProperties",
	Good:    diag.Example{Request: birthday(`"birthdayProperties":{"type":"birthday"}`)},
	Bad:     diag.Example{Request: sample.AllDay(`"birthdayProperties":{"type":"birthday"}`)},
	Check:   check(checkBirthdayEventType),
}

func checkBirthdayEventType(in *input, r diag.Reporter) {
	checkGoesWith(in, r, in.result.BirthdayProperties != nil, "birthdayProperties", typeBirthday)
}

var birthdayPrivateProperties = diag.Rule{
	ID: "birthday.private-properties", Kind: diag.Advise, When: diag.Write, Basis: diag.Observed, Scope: diag.OfEvent, Reads: []string{"extendedProperties", "eventType"},
	Summary: "A birthday carries no private extended properties.",
	Section: sectionObserved,
	Good:    diag.Example{Request: birthday(`"extendedProperties":{"shared":{"crm":"1"}}`)},
	Bad:     diag.Example{Request: birthday(`"extendedProperties":{"private":{"crm":"1"}}`)},
	Check:   check(checkBirthdayPrivateProperties),
}

func checkBirthdayPrivateProperties(in *input, r diag.Reporter) {
	p := in.result.ExtendedProperties
	if in.result.EventType == typeBirthday && p != nil && len(p.Private) > 0 {
		r.Report("/extendedProperties/private", "The birthday has private extended properties, %d in number; birthdays carry none. Leave them out.", len(p.Private))
	}
}
