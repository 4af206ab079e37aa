package fuzz

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// Ways around an event of one type. No import is among them where the type matters: what is
// imported becomes a default event before the rules are asked.
func focused() variant {
	return variant{types: []string{typeFocusTime}, on: withBody &^ diag.Import}
}
func away() variant {
	return variant{types: []string{typeOutOfOffice}, on: withBody &^ diag.Import}
}
func placed() variant {
	return variant{types: []string{typeWorkingLocation}, on: withBody &^ diag.Import, prepare: atHome}
}
func born() variant {
	return variant{types: []string{typeBirthday}, on: withBody &^ diag.Import}
}

// plainTypes are those of an event of type default, written out or not.
var plainTypes = []string{"", typeDefault}

// exceptPatch is for what a patch breaks only beside the stored event, which is patch.whole.
const exceptPatch = withBody &^ diag.Patch

// with returns the way, named and with what breaks the rule.
func (w variant) with(name string, violate mutation) variant {
	w.name, w.mutate = name, violate
	return w
}

// typeWays break the rules about event types, and about the properties that go with them.
func typeVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.EventTypeEnum: notListed(variant{types: plainTypes, on: diag.Create | diag.Response}, []string{"/eventType"}, limits.EventType.Values()),
		ruleid.EventTypeFromMail: {
			variant{types: plainTypes, on: diag.Insert}.with("a plain event", putting("/eventType", typeFromMail)),
			variant{types: plainTypes, on: diag.Insert, prepare: withAttendees}.with("with attendees", putting("/eventType", typeFromMail)),
		},

		ruleid.TypeTimedOnly: {
			focused().only(diag.Insert).with("focus time of a day", wholeDays),
			away().only(diag.Insert).with("an absence of days", wholeDays),
		},
		ruleid.TypePlain: {
			focused().only(exceptPatch).with("attendees of focus time", addSomebody),
			away().only(exceptPatch).with("attendees of an absence", addSomebody),
			away().only(exceptPatch).with("a conference of an absence", addConference),
			adviseOnly(focused()).with("a conference of focus time", addConference),
			placed().only(exceptPatch).with("a place beside the working location", addLocation),
		},
		ruleid.TypePropertiesRequired: missing(placed().only(diag.Insert), "/workingLocationProperties"),

		ruleid.WorkingLocationType: slices.Concat(
			missing(placed().only(diag.Create|diag.Update), "/workingLocationProperties/type"),
			[]variant{placed().only(diag.Create|diag.Update).with("details without a type, where nothing was before", addPlaceOfNoType)},
			ofAnyType(placed(), "/workingLocationProperties/type", limits.WorkingLocationType.Values())),
		ruleid.WorkingLocationOtherFields: {
			placed().with("the details of another type", otherDetails),
			variant{types: plainTypes, prepare: noPlace}.with("where nothing was before", otherDetails),
		},
		ruleid.WorkingLocationEventType: variantsAt(variant{types: plainTypes, prepare: noPlace}, []string{"/workingLocationProperties"},
			just("of a default event", members{"type": "homeOffice"}),
			just("with details", members{"type": "customLocation", "customLocation": members{"label": "Café"}})),
		ruleid.WorkingLocationBuilding: {
			placed().with("no building is known", atOffice()),
			placed().with("another building is known", atOffice("1", "2")),
			variant{types: plainTypes, prepare: atHome}.with("of a default event", atOffice("1")),
		},

		ruleid.FocusTimeAutoDecline: ofAnyType(focused(), "/focusTimeProperties/autoDeclineMode", limits.AutoDeclineMode.Values()),
		ruleid.FocusTimeChatStatus:  ofAnyType(focused(), "/focusTimeProperties/chatStatus", limits.ChatStatus.Values()),
		ruleid.FocusTimeEventType: variantsAt(variant{types: plainTypes, prepare: noFocus}, []string{"/focusTimeProperties"},
			just("of a default event", members{"chatStatus": "available"}), just("empty", members{})),
		ruleid.OutOfOfficeAutoDecline: ofAnyType(away(), "/outOfOfficeProperties/autoDeclineMode", limits.AutoDeclineMode.Values()),
		ruleid.OutOfOfficeEventType: variantsAt(variant{types: plainTypes, prepare: noAbsence}, []string{"/outOfOfficeProperties"},
			just("of a default event", members{"autoDeclineMode": "declineNone"}), just("empty", members{})),

		// Birthday properties cannot change, so that their values are asked only where they are new.
		ruleid.BirthdayTypeEnum: append(
			notListed(born().only(diag.Insert|diag.Response), []string{"/birthdayProperties/type"}, limits.BirthdayType.Values()),
			notListed(variant{types: plainTypes, on: diag.Create}, []string{"/birthdayProperties/type"}, limits.BirthdayType.Values())...),
		ruleid.BirthdayTypeCreate: append(
			variantsAt(born().only(diag.Insert), []string{"/birthdayProperties/type"}, anyOf("of a contact", "anniversary", "custom", "other"), just("the owner's", "self")),
			variantsAt(variant{types: plainTypes, on: diag.Create}, []string{"/birthdayProperties/type"}, anyOf("beside another event type", "anniversary", "custom", "other", "self"))...),
		ruleid.BirthdayContact: birthdayContactVariants(),
		ruleid.BirthdayShape: {
			born().only(diag.Insert).with("timed", timedBirthday),
			born().only(diag.Insert).with("once", withoutRecurrence),
			born().only(diag.Insert).with("more often than once a year", recurringBy("RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY",
				"RRULE:FREQ=MONTHLY;INTERVAL=6", "RRULE:FREQ=DAILY", "RRULE:FREQ=YEARLY;BYMONTH=1,2,3", "RRULE:FREQ=YEARLY;BYDAY=MO")),
			born().only(diag.Insert).with("less often", recurringBy("RRULE:FREQ=YEARLY;INTERVAL=2", "RRULE:FREQ=MONTHLY;INTERVAL=24")),
			born().only(diag.Insert).with("on listed days alone", recurringBy("RDATE;VALUE=DATE:20270310", "RDATE;VALUE=DATE:20270310,20280310")),
		},
		ruleid.BirthdayEventType: variantsAt(variant{types: plainTypes, on: diag.Create}, []string{"/birthdayProperties"},
			just("of a default event", members{"type": "birthday"}), just("empty", members{})),
		ruleid.BirthdayPrivateProperties: variantsAt(born(), []string{"/extendedProperties/private"},
			just("one", members{"crm": "1"}), just("several", members{"a": "1", "b": "2"})),
	}
}

// ofAnyType lists the ways of breaking a rule by an unlisted value, of an event of the type that
// the properties go with and of a default one: what they hold is asked of both.
func ofAnyType(fitting variant, place string, values []string) []variant {
	misplaced := notListed(variant{types: plainTypes}, []string{place}, values)
	for i := range misplaced {
		misplaced[i].name += ", of a default event"
	}
	return append(notListed(fitting, []string{place}, values), misplaced...)
}

func atHome(_ *rapid.T, e *event.Event) {
	e.WorkingLocationProperties = &event.WorkingLocation{Type: "homeOffice"}
}

// addPlaceOfNoType adds a place to an event that has none.
func addPlaceOfNoType(t *rapid.T, d *draft) diag.Pointer {
	if d.stored != nil {
		remove(d.stored, "/workingLocationProperties")
	}
	place := rapid.SampledFrom([]members{{}, {"homeOffice": members{}}, {"officeLocation": members{"label": "HQ"}}}).Draw(t, "place")
	d.body["workingLocationProperties"] = cloned(place)
	return "/workingLocationProperties/type"
}

func noPlace(_ *rapid.T, e *event.Event)   { e.WorkingLocationProperties = nil }
func noFocus(_ *rapid.T, e *event.Event)   { e.FocusTimeProperties = nil }
func noAbsence(_ *rapid.T, e *event.Event) { e.OutOfOfficeProperties = nil }

// adviseOnly is for the milder case of a rule that rejects.
func adviseOnly(w variant) variant {
	w.kind = diag.Advise
	return w
}

// wholeDays makes the event all-day.
func wholeDays(t *rapid.T, d *draft) diag.Pointer {
	start, end := drawSpan(t, true)
	put(d.body, "/start", encodeTree(&event.Event{Start: start.Time})["start"])
	put(d.body, "/end", encodeTree(&event.Event{Start: end.Time})["start"])
	remove(d.body, "/recurrence")
	return "/start"
}

func addSomebody(t *rapid.T, d *draft) diag.Pointer {
	d.add("/attendees", members{"email": Address().Draw(t, "address")})
	return "/attendees"
}

func addConference(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/conferenceData", encodeTree(&event.Event{ConferenceData: Conference().Draw(t, "conference")})["conferenceData"])
	return "/conferenceData"
}

func addLocation(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/location", draw.NonEmptyText(freeText).Draw(t, "location"))
	return "/location"
}

// otherDetails adds details that are not those of the type.
func otherDetails(t *rapid.T, d *draft) diag.Pointer {
	details := []struct {
		name  string
		value any
	}{
		{"homeOffice", members{"desk": 1}},
		{"officeLocation", members{"label": "HQ"}},
		{"customLocation", members{"label": "Café"}},
	}
	i := rapid.IntRange(0, len(details)-1).Draw(t, "type")
	other := details[(i+rapid.IntRange(1, len(details)-1).Draw(t, "details"))%len(details)]
	put(d.body, "/workingLocationProperties", members{"type": details[i].name, other.name: other.value})
	return diag.Pointer("/workingLocationProperties").Member(other.name)
}

// atOffice puts the event into a building that is none of those known.
func atOffice(known ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.calendar = &operation.Calendar{Buildings: append([]string{}, known...)}
		building := "hq-" + draw.Name().Draw(t, "building")
		put(d.body, "/workingLocationProperties", members{"type": "officeLocation", "officeLocation": members{"buildingId": building}})
		return "/workingLocationProperties/officeLocation/buildingId"
	}
}

func birthdayContactVariants() []variant {
	variants := variantsAt(born(), []string{"/birthdayProperties"},
		just("an anniversary of nobody", members{"type": "anniversary"}),
		just("another day of nobody", members{"type": "other"}),
		just("a custom day of nobody", members{"type": "custom", "customTypeName": "Name day"}))
	for i := range variants {
		variants[i].mutate = then(variants[i].mutate, "/contact")
	}
	shaped := variantsAt(born(), []string{"/birthdayProperties/contact"},
		anyOf("of another shape", "people/", "c12", "contacts/c12", "People/c12", "/people/c12", "people/c12/photos", "people"))
	for i := range shaped {
		shaped[i].mutate = after(putting("/birthdayProperties", members{"type": "other"}), shaped[i].mutate)
	}
	return append(append(variants, shaped...),
		born().with("the owner's own day, of a contact", then(putting("/birthdayProperties", members{"type": "self", "contact": "people/c12"}), "/contact")),
		born().with("a custom day without a name", then(putting("/birthdayProperties", members{"type": "custom", "contact": "people/c12"}), "/customTypeName")))
}

// then returns the function with something added to the path.
func then(violate mutation, more diag.Pointer) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer { return violate(t, d) + more }
}

// after runs one function for its effect, and the second for the path too.
func after(first, second mutation) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		first(t, d)
		return second(t, d)
	}
}

func timedBirthday(_ *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/start", members{"dateTime": "2026-03-10T09:00:00", "timeZone": "Europe/Berlin"})
	put(d.body, "/end", members{"dateTime": "2026-03-10T10:00:00", "timeZone": "Europe/Berlin"})
	put(d.body, "/recurrence", []any{"RRULE:FREQ=YEARLY"})
	return "/start"
}

func withoutRecurrence(_ *rapid.T, d *draft) diag.Pointer {
	remove(d.body, "/recurrence")
	return "/recurrence"
}

// recurringBy replaces the rule by another.
func recurringBy(rules ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, "/recurrence", []any{rapid.SampledFrom(rules).Draw(t, "rule")})
		return "/recurrence"
	}
}
