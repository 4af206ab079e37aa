package fuzz

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/operation"
)

// exceptPatch is for what a patch breaks only in combination with the stored event, which is
// another rule.
const exceptPatch = withBody &^ diag.Patch

// atHome gives the event the simplest place to work.
func atHome(_ *rapid.T, e *event.Event) {
	e.WorkingLocationProperties = &event.WorkingLocation{Type: "homeOffice"}
}

// typeVariants break the rules about event types, and about the properties that belong to them.
// No variant about one type is for imports, which make every event a default one.
func typeVariants() map[string][]variant {
	const on = withBody &^ diag.Import
	var (
		focused = variant{types: []string{typeFocusTime}, on: on}
		away    = variant{types: []string{typeOutOfOffice}, on: on}
		placed  = variant{types: []string{typeWorkingLocation}, on: on, prepare: atHome}
		born    = variant{types: []string{typeBirthday}, on: on}
		plain   = variant{types: defaultTypes}

		unplaced = variant{types: defaultTypes, prepare: edited(func(e *event.Event) { e.WorkingLocationProperties = nil })}
		present  = variant{types: defaultTypes, prepare: edited(func(e *event.Event) { e.OutOfOfficeProperties = nil })}
		distract = variant{types: defaultTypes, prepare: edited(func(e *event.Event) { e.FocusTimeProperties = nil })}
	)
	return map[string][]variant{
		ruleid.EventTypeFromMail: {
			plain.only(diag.Insert).with("a plain event", putting("/eventType", typeFromMail)),
			{name: "with attendees", types: defaultTypes, on: diag.Insert, prepare: withAttendees, mutate: putting("/eventType", typeFromMail)},
		},

		ruleid.TypeTimedOnly: {
			focused.only(diag.Insert|diag.Update).with("focus time of a day", wholeDays),
			away.only(diag.Insert|diag.Update).with("an absence of days", wholeDays),
		},
		ruleid.TypePlain: {
			focused.only(exceptPatch).with("attendees of focus time", addSomebody),
			away.only(exceptPatch).with("attendees of an absence", addSomebody),
			away.only(exceptPatch).with("a conference of an absence", replaced("/conferenceData", anyConference)),
			focused.as(diag.Advise).with("a conference of focus time", replaced("/conferenceData", anyConference)),
			placed.only(exceptPatch).with("a place beside the working location", addLocation),
		},
		ruleid.TypePropertiesRequired: {
			placed.only(diag.Insert|diag.Update).with("left out", cleared("/workingLocationProperties")),
			placed.only(diag.Insert|diag.Update).with("null", putting("/workingLocationProperties", nil)),
		},

		ruleid.WorkingLocationType: append(derived()[ruleid.WorkingLocationType],
			placed.only(diag.Create|diag.Update).with("details without a type, where nothing was before", addUntypedPlace)),
		ruleid.WorkingLocationOtherFields: {
			placed.with("the details of another type", otherDetails),
			unplaced.with("where nothing was before", otherDetails),
		},
		ruleid.WorkingLocationEventType: unplaced.invalid("/workingLocationProperties",
			just("of a default event", members{"type": "homeOffice"}),
			just("with details", members{"type": "customLocation", "customLocation": members{"label": "Café"}})),
		ruleid.WorkingLocationBuilding: {
			placed.with("no building is known", inUnknownBuilding()),
			placed.with("another building is known", inUnknownBuilding("1", "2")),
			{name: "of a default event", types: defaultTypes, prepare: atHome, mutate: inUnknownBuilding("1")},
		},

		ruleid.FocusTimeEventType: distract.invalid("/focusTimeProperties",
			just("of a default event", members{"chatStatus": "available"}), just("empty", members{})),
		ruleid.OutOfOfficeEventType: present.invalid("/outOfOfficeProperties",
			just("of a default event", members{"autoDeclineMode": "declineNone"}), just("empty", members{})),

		ruleid.BirthdayContact: birthdayContacts(born),
		ruleid.BirthdayShape: sharing(born.only(diag.Insert|diag.Update),
			variant{name: "timed", mutate: timedBirthday},
			variant{name: "once", mutate: cleared("/recurrence")},
			variant{name: "more often than once a year", mutate: recurringBy("RRULE:FREQ=WEEKLY", "RRULE:FREQ=MONTHLY",
				"RRULE:FREQ=MONTHLY;INTERVAL=6", "RRULE:FREQ=DAILY", "RRULE:FREQ=YEARLY;BYMONTH=1,2,3", "RRULE:FREQ=YEARLY;BYDAY=MO")},
			variant{name: "less often", mutate: recurringBy("RRULE:FREQ=YEARLY;INTERVAL=2", "RRULE:FREQ=MONTHLY;INTERVAL=24")},
			variant{name: "on listed days alone", mutate: recurringBy("RDATE;VALUE=DATE:20270310", "RDATE;VALUE=DATE:20270310,20280310")},
		),
		ruleid.BirthdayEventType: plain.only(diag.Create).invalid("/birthdayProperties",
			just("of a default event", members{"type": "birthday"}), just("empty", members{})),
		ruleid.BirthdayPrivateProperties: born.invalid("/extendedProperties/private",
			just("one", members{"crm": "1"}), just("several", members{"a": "1", "b": "2"})),
	}
}

// addUntypedPlace adds a place without a type to an event that has no place.
func addUntypedPlace(t *rapid.T, d *draft) diag.Pointer {
	if d.stored != nil {
		remove(d.stored, "/workingLocationProperties")
	}
	place := rapid.SampledFrom([]members{{}, {"homeOffice": members{}}, {"officeLocation": members{"label": "HQ"}}}).Draw(t, "place")
	d.body["workingLocationProperties"] = cloned(place)
	return "/workingLocationProperties/type"
}

// wholeDays makes the event all-day.
func wholeDays(t *rapid.T, d *draft) diag.Pointer {
	start, end := drawSpan(t, true)
	put(d.body, "/start", member("start", &event.Event{Start: start.Time}))
	put(d.body, "/end", member("end", &event.Event{End: end.Time}))
	remove(d.body, "/recurrence")
	return "/start"
}

func addSomebody(t *rapid.T, d *draft) diag.Pointer {
	d.add("/attendees", members{"email": Address().Draw(t, "address")})
	return "/attendees"
}

func addLocation(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/location", textOf("location").Draw(t, "location"))
	return "/location"
}

// otherDetails adds details that belong to another type than the place has.
func otherDetails(t *rapid.T, d *draft) diag.Pointer {
	types := []string{"homeOffice", "officeLocation", "customLocation"}
	details := []members{{"desk": 1}, {"label": "HQ"}, {"label": "Café"}}
	i := rapid.IntRange(0, len(types)-1).Draw(t, "type")
	other := (i + rapid.IntRange(1, len(types)-1).Draw(t, "details")) % len(types)
	put(d.body, "/workingLocationProperties", members{"type": types[i], types[other]: details[other]})
	return diag.Pointer("/workingLocationProperties").Member(types[other])
}

// inUnknownBuilding puts the event into a building that is not among the known ones.
func inUnknownBuilding(known ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.calendar = &operation.Calendar{Buildings: operation.IDList(known)}
		building := "hq-" + draw.Name().Draw(t, "building")
		put(d.body, "/workingLocationProperties", members{"type": "officeLocation", "officeLocation": members{"buildingId": building}})
		return "/workingLocationProperties/officeLocation/buildingId"
	}
}

func birthdayContacts(born variant) []variant {
	ofNobody := func(t *rapid.T, d *draft, value func() any) diag.Pointer {
		path := drawPlace(t, d, "/birthdayProperties")
		put(d.body, path, value())
		return path + "/contact"
	}
	contact := func(t *rapid.T, d *draft, value func() any) diag.Pointer {
		put(d.body, "/birthdayProperties", members{"type": "other"})
		path := drawPlace(t, d, "/birthdayProperties/contact")
		put(d.body, path, value())
		return path
	}
	set := func(name, found string, properties members) variant {
		return born.with(name, within(diag.Pointer(found), putting("/birthdayProperties", properties)))
	}
	return slices.Concat(
		born.each(ofNobody,
			just("an anniversary without a contact", members{"type": "anniversary"}),
			just("another day without a contact", members{"type": "other"}),
			just("a custom day without a contact", members{"type": "custom", "customTypeName": "Name day"})),
		born.each(contact,
			anyOf("in another form", "people/", "c12", "contacts/c12", "People/c12", "/people/c12", "people/c12/photos", "people")),
		[]variant{
			set("the owner's own day, of a contact", "/birthdayProperties/contact", members{"type": "self", "contact": "people/c12"}),
			set("a custom day without a name", "/birthdayProperties/customTypeName", members{"type": "custom", "contact": "people/c12"}),
		})
}

func timedBirthday(_ *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/start", members{"dateTime": "2026-03-10T09:00:00", "timeZone": "Europe/Berlin"})
	put(d.body, "/end", members{"dateTime": "2026-03-10T10:00:00", "timeZone": "Europe/Berlin"})
	put(d.body, "/recurrence", []any{"RRULE:FREQ=YEARLY"})
	return "/start"
}

// recurringBy replaces the recurrence by one of the lines.
func recurringBy(lines ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, "/recurrence", []any{rapid.SampledFrom(lines).Draw(t, "line")})
		return "/recurrence"
	}
}
