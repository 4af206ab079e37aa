package event_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/operation"
)

// conferenceRequest is valid conference data.
const conferenceRequest = `"conferenceData":{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}}}`

func TestTypeTimedOnly(t *testing.T) {
	const home = `"workingLocationProperties":{"type":"homeOffice"}`
	checkRule(t, "type.timed-only", diag.Reject, []ruleCase{
		{name: "accept/focus-time", base: focusTime},
		{name: "accept/out-of-office", base: outOfOffice},
		{name: "accept/default-all-day", base: allDay, members: `"eventType":"default"`},
		{name: "accept/absent-all-day", base: allDay},
		{name: "accept/working-location-all-day", base: allDay, members: `"eventType":"workingLocation",` + home},
		{name: "accept/birthday-all-day", base: birthday},
		{name: "reject/focus-time", base: allDay, members: `"eventType":"focusTime"`, want: []string{"/start"}},
		{name: "reject/out-of-office", base: allDay, members: `"eventType":"outOfOffice"`, want: []string{"/start"}},
		{name: "accept/response", op: operation.Response, base: allDay, members: `"eventType":"outOfOffice"`},
	})
}

func TestTypePlain(t *testing.T) {
	const (
		ada  = `"attendees":[{"email":"ada@example.com"}]`
		room = `"location":"Room 4"`
		home = `"workingLocationProperties":{"type":"homeOffice"}`
	)
	checkRule(t, "type.plain", diag.Reject, []ruleCase{
		{name: "accept/focus-time", base: focusTime},
		{name: "accept/out-of-office", base: outOfOffice},
		{name: "accept/default-with-all", params: "conferenceDataVersion=1", members: `"eventType":"default",` + ada + "," + room + "," + conferenceRequest},
		{name: "accept/absent-with-all", params: "conferenceDataVersion=1", members: ada + "," + room + "," + conferenceRequest},
		{name: "accept/empty-list", base: focusTime, members: `"attendees":[]`},
		{name: "accept/nulls", base: outOfOffice, members: `"attendees":null,"conferenceData":null`},
		{name: "reject/focus-time-attendees", base: focusTime, members: ada, want: []string{"/attendees"}},
		{name: "reject/out-of-office-attendees", base: outOfOffice, members: ada, want: []string{"/attendees"}},
		{name: "accept/working-location-attendees", base: workingLocation, members: home + "," + ada},
		{name: "advise/focus-time-conference", params: "conferenceDataVersion=1", base: focusTime, members: conferenceRequest, want: []string{"type.plain=advise /conferenceData"}},
		{name: "reject/out-of-office-conference", params: "conferenceDataVersion=1", base: outOfOffice, members: conferenceRequest, want: []string{"/conferenceData"}},
		{name: "accept/conference-that-is-ignored", base: outOfOffice, members: conferenceRequest, want: []string{"conference.version /conferenceData"}},
		{name: "reject/working-location-location", base: workingLocation, members: home + "," + room, want: []string{"/location"}},
		{name: "accept/working-location-null", base: workingLocation, members: home + `,"location":null`},
		{name: "accept/focus-time-location", base: focusTime, members: room},
		{name: "accept/out-of-office-location", base: outOfOffice, members: room},
		{name: "accept/birthday-attendees", base: birthday, members: ada},
		{name: "accept/response", op: operation.Response, members: `"eventType":"outOfOffice",` + ada},
	})
}

func TestTypePropertiesRequired(t *testing.T) {
	checkRule(t, "type.properties-required", diag.Reject, []ruleCase{
		{name: "accept/given", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice"}`},
		{name: "accept/other-types-need-none", base: focusTime},
		{name: "accept/out-of-office", base: outOfOffice},
		{name: "accept/birthday", base: birthday},
		{name: "reject/missing", base: workingLocation, want: []string{"/workingLocationProperties"}},
		{name: "reject/null", base: workingLocation, members: `"workingLocationProperties":null`, want: []string{"/workingLocationProperties"}},
		{name: "accept/empty-lacks-only-the-type", base: workingLocation, members: `"workingLocationProperties":{}`, want: []string{"working-location.type /workingLocationProperties/type"}},
		{name: "accept/response", op: operation.Response, members: `"eventType":"workingLocation"`},
	})
}

func TestWorkingLocationType(t *testing.T) {
	const member, path = `"workingLocationProperties":{"type":?}`, "/workingLocationProperties/type"
	cases := enumCases(ruleCase{base: workingLocation}, member, path, "homeOffice", "officeLocation", "customLocation")
	checkRule(t, "working-location.type", diag.Reject, append(cases,
		ruleCase{name: "reject/missing", base: workingLocation, members: `"workingLocationProperties":{"homeOffice":{}}`, want: []string{path}},
		ruleCase{name: "reject/null", base: workingLocation, members: `"workingLocationProperties":{"type":null}`, want: []string{path}},
		ruleCase{name: "reject/of-other-event-type", members: `"workingLocationProperties":{}`, want: []string{path}, ignored: []string{"working-location.event-type"}},
		ruleCase{name: "accept/response", op: operation.Response, members: `"workingLocationProperties":{"type":"beach"}`},
	))
}

func TestWorkingLocationOtherFields(t *testing.T) {
	const all = `"homeOffice":{},"customLocation":{"label":"Café"},"officeLocation":{"label":"HQ"}`
	properties := func(members string) string { return `"workingLocationProperties":{` + members + `}` }
	const home, custom, office = "/workingLocationProperties/homeOffice", "/workingLocationProperties/customLocation", "/workingLocationProperties/officeLocation"
	checkRule(t, "working-location.other-fields", diag.Ignore, []ruleCase{
		{name: "accept/home", base: workingLocation, members: properties(`"type":"homeOffice","homeOffice":{}`)},
		{name: "accept/home-of-any-value", base: workingLocation, members: properties(`"type":"homeOffice","homeOffice":"yes"`)},
		{name: "accept/office", base: workingLocation, members: properties(`"type":"officeLocation","officeLocation":{"label":"HQ"}`)},
		{name: "accept/custom", base: workingLocation, members: properties(`"type":"customLocation","customLocation":{}`)},
		{name: "accept/named-one-missing", base: workingLocation, members: properties(`"type":"officeLocation"`)},
		{name: "ignore/with-home", base: workingLocation, members: properties(all + `,"type":"homeOffice"`), want: []string{custom, office}},
		{name: "ignore/with-office", base: workingLocation, members: properties(all + `,"type":"officeLocation"`), want: []string{home, custom}},
		{name: "ignore/with-custom", base: workingLocation, members: properties(all + `,"type":"customLocation"`), want: []string{home, office}},
		{name: "ignore/home-is-false", base: workingLocation, members: properties(`"type":"officeLocation","homeOffice":false`), want: []string{home}},
		{name: "ignore/empty-object", base: workingLocation, members: properties(`"type":"homeOffice","officeLocation":{}`), want: []string{office}},
		{name: "accept/no-type", base: workingLocation, members: properties(`"homeOffice":{}`), want: []string{"working-location.type /workingLocationProperties/type"}},
		{name: "accept/response", op: operation.Response, members: properties(all + `,"type":"homeOffice"`)},
	})
}

// checkGoesWith checks a rule that allows properties only with an event type.
func checkGoesWith(t *testing.T, rule, member, properties string, bases map[string]string, own string) {
	t.Helper()
	cases := []ruleCase{
		{name: "accept/null", base: bases["default"], members: `"` + member + `":null`},
		{name: "advise/no-type", base: bases["default"], members: `"` + member + `":` + properties, want: []string{"/" + member}},
		{name: "accept/response", op: operation.Response, members: `"` + member + `":` + properties},
	}
	for eventType, base := range bases {
		c := ruleCase{name: "advise/" + eventType, base: base, members: `"` + member + `":` + properties, want: []string{"/" + member}}
		if eventType == "default" {
			c.members += `,"eventType":"default"`
		}
		if eventType == own {
			c.name, c.want = "accept/"+eventType, nil
		}
		cases = append(cases, c)
	}
	checkRule(t, rule, diag.Advise, cases)
}

// types returns bases for the event types that clients can create.
var types = map[string]string{
	"default":         timed,
	"birthday":        birthday,
	"focusTime":       focusTime,
	"outOfOffice":     outOfOffice,
	"workingLocation": workingLocation + `,"workingLocationProperties":{"type":"homeOffice"}`,
}

func TestWorkingLocationEventType(t *testing.T) {
	bases := maps.Clone(types)
	bases["workingLocation"] = workingLocation // the cases add the properties
	checkGoesWith(t, "working-location.event-type", "workingLocationProperties", `{"type":"homeOffice"}`, bases, "workingLocation")
}

func TestFocusTimeEventType(t *testing.T) {
	checkGoesWith(t, "focus-time.event-type", "focusTimeProperties", `{"chatStatus":"available"}`, types, "focusTime")
}

func TestOutOfOfficeEventType(t *testing.T) {
	checkGoesWith(t, "out-of-office.event-type", "outOfOfficeProperties", `{"declineMessage":"Away"}`, types, "outOfOffice")
}

func TestBirthdayEventType(t *testing.T) {
	checkGoesWith(t, "birthday.event-type", "birthdayProperties", `{"type":"birthday"}`, types, "birthday")
}

func TestWorkingLocationBuilding(t *testing.T) {
	known := &operation.Calendar{Buildings: operation.IDList{"hq-1"}}
	office := func(members string) string {
		return `"workingLocationProperties":{"type":"officeLocation","officeLocation":{` + members + `}}`
	}
	const path = "/workingLocationProperties/officeLocation/buildingId"
	checkRule(t, "working-location.building", diag.Advise, []ruleCase{
		{name: "accept/nothing-known", base: workingLocation, members: office(`"buildingId":"hq-9"`)},
		{name: "accept/buildings-unknown", base: workingLocation, members: office(`"buildingId":"hq-9"`), calendar: &operation.Calendar{Colors: operation.IDList{"1"}}},
		{name: "accept/known", base: workingLocation, members: office(`"buildingId":"hq-1"`), calendar: known},
		{name: "accept/no-id", base: workingLocation, members: office(`"label":"HQ"`), calendar: known},
		{name: "accept/null", base: workingLocation, members: office(`"buildingId":null`), calendar: known},
		{name: "advise/unknown", base: workingLocation, members: office(`"buildingId":"hq-9"`), calendar: known, want: []string{path}},
		{name: "advise/none-known", base: workingLocation, members: office(`"buildingId":"hq-1"`), calendar: &operation.Calendar{Buildings: operation.IDList{}}, want: []string{path}},
		{name: "accept/office-that-is-ignored", base: workingLocation, members: `"workingLocationProperties":{"type":"homeOffice","officeLocation":{"buildingId":"hq-9"}}`, calendar: known,
			want: []string{"working-location.other-fields /workingLocationProperties/officeLocation"}},
		{name: "accept/response", op: operation.Response, members: office(`"buildingId":"hq-9"`), calendar: known},
	})
}

// declineModes are the values of autoDeclineMode.
var declineModes = []string{"declineNone", "declineAllConflictingInvitations", "declineOnlyNewConflictingInvitations"}

func TestFocusTimeAutoDecline(t *testing.T) {
	const member = `"focusTimeProperties":{"autoDeclineMode":?}`
	template := ruleCase{base: focusTime}
	cases := withNull(enumCases(template, member, "/focusTimeProperties/autoDeclineMode", declineModes...), template, member)
	checkRule(t, "focus-time.auto-decline", diag.Reject, append(cases,
		ruleCase{name: "accept/absent", base: focusTime, members: `"focusTimeProperties":{}`},
		ruleCase{name: "reject/of-other-event-type", members: `"focusTimeProperties":{"autoDeclineMode":"x"}`, want: []string{"focus-time.event-type /focusTimeProperties", "/focusTimeProperties/autoDeclineMode"}},
		ruleCase{name: "accept/response", op: operation.Response, members: `"focusTimeProperties":{"autoDeclineMode":"x"}`},
	))
}

func TestFocusTimeChatStatus(t *testing.T) {
	const member = `"focusTimeProperties":{"chatStatus":?}`
	template := ruleCase{base: focusTime}
	cases := withNull(enumCases(template, member, "/focusTimeProperties/chatStatus", "available", "doNotDisturb"), template, member)
	checkRule(t, "focus-time.chat-status", diag.Reject, append(cases,
		ruleCase{name: "accept/response", op: operation.Response, members: `"focusTimeProperties":{"chatStatus":"away"}`}))
}

func TestOutOfOfficeAutoDecline(t *testing.T) {
	const member = `"outOfOfficeProperties":{"autoDeclineMode":?}`
	template := ruleCase{base: outOfOffice}
	cases := withNull(enumCases(template, member, "/outOfOfficeProperties/autoDeclineMode", declineModes...), template, member)
	checkRule(t, "out-of-office.auto-decline", diag.Reject, append(cases,
		ruleCase{name: "accept/response", op: operation.Response, members: `"outOfOfficeProperties":{"autoDeclineMode":"x"}`}))
}

func TestBirthdayTypeEnum(t *testing.T) {
	const member, path = `"birthdayProperties":{"type":?}`, "/birthdayProperties/type"
	values := []string{"anniversary", "birthday", "custom", "other", "self"}
	template := ruleCase{base: birthday, ignored: []string{"birthday.type.create"}}
	checkRule(t, "birthday.type.enum", diag.Reject, withNull(enumCases(template, member, path, values...), template, member))
	t.Run("response", func(t *testing.T) {
		template := ruleCase{op: operation.Response, ignored: []string{"birthday.contact"}}
		checkRule(t, "birthday.type.enum", diag.Reject, enumCases(template, member, path, values...))
	})
}

func TestBirthdayTypeCreate(t *testing.T) {
	properties := func(kind string) string { return `"birthdayProperties":{"type":` + kind + `}` }
	cases := []ruleCase{
		{name: "accept/birthday", base: birthday, members: properties(`"birthday"`)},
		{name: "accept/null", base: birthday, members: properties("null")},
		{name: "accept/absent", base: birthday, members: `"birthdayProperties":{}`},
		{name: "accept/no-properties", base: birthday},
		{name: "accept/response", op: operation.Response, members: properties(`"self"`)},
	}
	for _, kind := range []string{"anniversary", "custom", "other", "self"} {
		cases = append(cases, ruleCase{name: "reject/" + kind, base: birthday, members: properties(quoted(kind)), want: []string{"/birthdayProperties/type"}})
	}
	checkRule(t, "birthday.type.create", diag.Reject, cases)
}

func TestBirthdayContact(t *testing.T) {
	const contact, custom = "/birthdayProperties/contact", "/birthdayProperties/customTypeName"
	properties := func(name, members string, want ...string) ruleCase {
		return ruleCase{name: name, op: operation.Response, members: `"eventType":"birthday","birthdayProperties":{` + members + `}`, want: want}
	}
	checkRule(t, "birthday.contact", diag.Reject, []ruleCase{
		properties("accept/birthday", `"type":"birthday"`),
		properties("accept/birthday-with-contact", `"type":"birthday","contact":"people/c12"`),
		properties("accept/type-absent", `"contact":"people/c12"`),
		properties("accept/anniversary", `"type":"anniversary","contact":"people/c12"`),
		properties("accept/other", `"type":"other","contact":"people/c12"`),
		properties("accept/custom", `"type":"custom","contact":"people/c12","customTypeName":"Name day"`),
		properties("accept/self", `"type":"self"`),
		properties("reject/anniversary-without", `"type":"anniversary"`, contact),
		properties("reject/other-without", `"type":"other"`, contact),
		properties("reject/other-empty", `"type":"other","contact":""`, contact),
		properties("reject/custom-without", `"type":"custom","customTypeName":"Name day"`, contact),
		properties("reject/custom-without-name", `"type":"custom","contact":"people/c12"`, custom),
		properties("reject/custom-with-empty-name", `"type":"custom","contact":"people/c12","customTypeName":""`, custom),
		properties("reject/self-with", `"type":"self","contact":"people/c12"`, contact),
		properties("reject/no-id", `"type":"other","contact":"people/"`, contact),
		properties("reject/no-collection", `"type":"other","contact":"c12"`, contact),
		properties("reject/other-collection", `"type":"other","contact":"contacts/c12"`, contact),
		properties("reject/more-segments", `"type":"other","contact":"people/c12/names"`, contact),
		properties("reject/case", `"type":"birthday","contact":"People/c12"`, contact),
		properties("accept/cancelled", `"type":"custom"},"status":"cancelled","x":{`),
		properties("reject/cancelled-self-with", `"type":"self","contact":"people/c12"},"status":"cancelled","x":{`, contact),
		properties("reject/cancelled-other-form", `"type":"other","contact":"c12"},"status":"cancelled","x":{`, contact),
		{name: "accept/insert", base: birthday, members: `"birthdayProperties":{"contact":"c12"}`, want: []string{"event.read-only /birthdayProperties/contact"}},
	})
}

func TestBirthdayShape(t *testing.T) {
	days := func(lines string) ruleCase {
		return ruleCase{base: allDay, members: `"eventType":"birthday"` + lines}
	}
	with := func(name, line string, want ...string) ruleCase {
		c := days(`,"recurrence":["` + line + `"]`)
		c.name, c.want = name, want
		return c
	}
	on := func(first, next string, c ruleCase) ruleCase {
		c.base = strings.NewReplacer("2026-03-10", first, "2026-03-11", next).Replace(allDay)
		return c
	}
	without := days("")
	without.name, without.want = "reject/single", []string{"/recurrence"}
	empty := days(`,"recurrence":[]`)
	empty.name, empty.want = "reject/no-lines", []string{"/recurrence"}
	null := days(`,"recurrence":null`)
	null.name, null.want = "reject/null", []string{"/recurrence"}
	inYear0 := days(`,"recurrence":["RRULE:FREQ=YEARLY"]`)
	inYear0.name, inYear0.base = "accept/year-0", strings.ReplaceAll(allDay, "2026-03", "0000-03")
	checkRule(t, "birthday.shape", diag.Reject, []ruleCase{
		inYear0,
		with("accept/yearly", "RRULE:FREQ=YEARLY"),
		with("accept/yearly-interval-1", "RRULE:FREQ=YEARLY;INTERVAL=1"),
		with("accept/yearly-bounded", "RRULE:FREQ=YEARLY;COUNT=10"),
		with("accept/yearly-on-the-day", "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=10"),
		without, empty, null,
		with("reject/every-second-year", "RRULE:FREQ=YEARLY;INTERVAL=2", "/recurrence"),
		with("accept/every-twelve-months", "RRULE:FREQ=MONTHLY;INTERVAL=12"),
		with("reject/twice-a-year", "RRULE:FREQ=YEARLY;BYMONTH=3,9", "/recurrence"),
		with("reject/monthly", "RRULE:FREQ=MONTHLY", "/recurrence"),
		with("reject/every-eleven-months", "RRULE:FREQ=MONTHLY;INTERVAL=11", "/recurrence"),
		with("reject/every-24-months", "RRULE:FREQ=MONTHLY;INTERVAL=24", "/recurrence"),
		with("reject/every-24-months-in-march", "RRULE:FREQ=MONTHLY;INTERVAL=24;BYMONTH=3", "/recurrence"),
		with("reject/every-365-days", "RRULE:FREQ=DAILY;INTERVAL=365", "/recurrence"),
		on("2028-02-29", "2028-03-01", with("accept/leap-day", "RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=29")),
		on("2026-03-29", "2026-03-30", with("reject/29-march-of-every-second-year", "RRULE:FREQ=MONTHLY;INTERVAL=24;BYMONTH=3", "/recurrence")),
		on("2026-02-10", "2026-02-11", with("reject/10-february-of-every-second-year", "RRULE:FREQ=MONTHLY;INTERVAL=24;BYMONTH=2", "/recurrence")),
		with("reject/daily", "RRULE:FREQ=DAILY;COUNT=2", "/recurrence"),
		with("reject/dates", "RDATE;VALUE=DATE:20270310", "/recurrence"),
		{name: "reject/timed", base: timed, members: `"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"]`, want: []string{"/start"}},
		{name: "reject/timed-and-single", base: timed, members: `"eventType":"birthday"`, want: []string{"/recurrence", "/start"}},
		{name: "accept/other-type", members: `"eventType":"default"`},
		{name: "accept/response", op: operation.Response, members: `"eventType":"birthday"`},
	})
}

func TestBirthdayPrivateProperties(t *testing.T) {
	checkRule(t, "birthday.private-properties", diag.Advise, []ruleCase{
		{name: "accept/shared", base: birthday, members: `"extendedProperties":{"shared":{"crm":"1"}}`},
		{name: "accept/empty", base: birthday, members: `"extendedProperties":{"private":{}}`},
		{name: "accept/null", base: birthday, members: `"extendedProperties":{"private":null}`},
		{name: "accept/null-value", base: birthday, members: `"extendedProperties":{"private":{"crm":null}}`},
		{name: "accept/other-type", members: `"extendedProperties":{"private":{"crm":"1"}}`},
		{name: "advise/private", base: birthday, members: `"extendedProperties":{"private":{"crm":"1"}}`, want: []string{"/extendedProperties/private"}},
		{name: "accept/response", op: operation.Response, members: `"eventType":"birthday","extendedProperties":{"private":{"crm":"1"}}`},
	})
}
