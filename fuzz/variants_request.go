package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// requestVariants break the rules about the rest of the request: the query, the caller, the calendar,
// and the stored event of an operation without body.
func requestVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.InsertParamRange: slices.Concat(
			given(variant{prepare: unlabelled}, "conferenceDataVersion", notVersions()...),
			given(variant{prepare: unlabelled}, "eventLabelVersion", notVersions()...),
		),
		ruleid.InsertParamMaxAttendees: given(variant{}, "maxAttendees",
			anyOf("none at all", "0", "00"),
			anyOf("fewer", "-1", "-9223372036854775808"),
			anyOf("more than an integer holds", "9223372036854775808", "18446744073709551617", strings.Repeat("9", 400)),
			anyOf("no integer", "1.0", "1e1", "0x10", "ten", "", "true", "١"),
			drawnAs("not in plain digits", rapid.StringMatching(`(\+|0| |[1-9][0-9]?[_,])[1-9][0-9]{0,3}|[1-9] `)),
		),
		ruleid.InsertParamSendUpdates: given(variant{}, "sendUpdates",
			drawnAs("a word that is not listed", rapid.StringMatching(`x[a-z]{0,12}`)),
			drawnAs("another case", rapid.Map(rapid.SampledFrom(limits.SendUpdates.Values()), otherCase)),
			anyOf("with a blank", "all ", " none", "externalOnly\n"),
			anyOf("two values in one", "all,none", "all none"),
			just("its default, which is not a value", "false"),
			anyOf("empty or a boolean", "", "true"),
		),
		ruleid.InsertParamBoolean: given(variant{}, "sendNotifications", notBooleans()...),
		ruleid.InsertParamSendNotifications: slices.Concat(
			withoutParam("sendUpdates", given(variant{}, "sendNotifications", anyOf("alone", "true", "false"))),
			besideParam("sendUpdates", given(variant{}, "sendNotifications", anyOf("beside sendUpdates", "true", "false"))),
		),
		ruleid.InsertParamSupportsAttachments: given(variant{prepare: noFiles}, "supportsAttachments", notBooleans()...),
		ruleid.ListOrderBy: withoutParam("syncToken", given(variant{on: diag.List}, "orderBy",
			just("instances of series", "startTime"), anyOf("another order", "endTime", "start", "UPDATED", "starttime", "")),
		),
		ruleid.ListTimeParam: withoutParam("syncToken", slices.Concat(
			given(variant{on: diag.List | diag.Instances}, "timeMin", notTimestamps()...),
			given(variant{on: diag.List | diag.Instances}, "timeMax", notTimestamps()...),
			given(variant{on: diag.List}, "updatedMin", notTimestamps()...),
		)),
		ruleid.ListTimeRange: withTimeMin("2026-03-10T09:00:00Z", withoutParam("syncToken", given(variant{on: diag.List | diag.Instances}, "timeMax",
			just("of no time", "2026-03-10T09:00:00Z"), anyOf("backwards", "2026-03-10T08:59:59Z", "2026-03-10T10:00:00+01:01", "0001-01-01T00:00:00Z")))),
		ruleid.ListSyncTokenAlone: {
			{on: diag.List, name: "beside another", mutate: sending("iCalUID", []string{"a"}, withParam("syncToken", "t"))},
			{on: diag.List, name: "beside a time", mutate: sending("timeMin", []string{"2026-03-10T09:00:00Z"}, withParam("syncToken", "t"))},
		},
		ruleid.ListUpdatedMinAge: withoutParam("syncToken", given(variant{on: diag.List}, "updatedMin",
			just("just before what is known", "2024-12-31T23:59:59Z"),
			anyOf("long ago", "2000-01-01T00:00:00+01:00", "0001-01-01T00:00:00Z"))),
		ruleid.ListMaxResults: given(variant{on: diag.List | diag.Instances}, "maxResults",
			anyOf("none", "0", "-1", "-9223372036854775809"), anyOf("too many", "2501", "9223372036854775808"), anyOf("no number", "", "ten", "1.5")),
		ruleid.ListExtendedPropertyParam: withoutParam("syncToken", slices.Concat(
			given(variant{on: diag.List}, "privateExtendedProperty", anyOf("no name", "", "=", "=a"), anyOf("no value", "a", "a:b")),
			given(variant{on: diag.List}, "sharedExtendedProperty", anyOf("no name", "", "=", "=a"), anyOf("no value", "a", "a:b")),
		)),
		ruleid.ParamUnknown: sharing(variant{on: anyOperation},
			variant{name: "of another service", mutate: unknown(rapid.SampledFrom([]string{"api-version", "$top", "$select", "format", "api_key", ""}))},
			variant{name: "any other name", mutate: unknown(rapid.StringMatching(`x-?[a-zA-Z0-9_.\[\]/~]{0,40}`))},
			variant{name: "of another operation", mutate: unknown(rapid.Custom(ofAnotherOperation))},
			variant{name: "in another case", on: takingParams, mutate: misspelt(otherCase)},
			variant{name: "a letter too many", on: takingParams, mutate: misspelt(func(name string) string { return name + "s" })},
			variant{name: "a letter too few", on: takingParams, mutate: misspelt(func(name string) string { return name[:len(name)-1] })},
			variant{name: "with a blank", on: takingParams, mutate: misspelt(func(name string) string { return " " + name })},
		),
		ruleid.ParamRepeated: sharing(
			variant{on: takingParams, prepare: edited(func(e *event.Event) { e.EventLabelID, e.Attachments = nil, nil })},
			variant{name: "two valid values", mutate: repeating("FIRST", "SECOND")},
			variant{name: "the first value again after another", mutate: repeating("FIRST", "SECOND", "FIRST")},
			variant{name: "another after many of one", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				p, first, second := drawTwoValues(t, d)
				values := slices.Repeat([]string{first}, rapid.IntRange(2, 40).Draw(t, "times"))
				return withParam(p, append(values, second)...)(t, d)
			}},
			variant{name: "with an empty value", mutate: repeating("FIRST", "")},
			variant{name: "with an invalid value", mutate: repeating("FIRST", "x FIRST")},
		),

		ruleid.ScopeInsert: {
			{name: "no scope", mutate: inScopes()},
			{name: "one that only reads", mutate: inScopes("https://scopes.example.com/auth/calendar.readonly")},
			{name: "several that do not suffice", mutate: inScopes("openid",
				"https://scopes.example.com/auth/calendar.events.readonly", "https://scopes.example.com/auth/calendar.freebusy")},
			{name: "of another service", mutate: inScopes("https://scopes.example.com/auth/contacts")},
			{name: "with more text after it", mutate: nearScope("https://scopes.example.com/SCOPEx")},
			{name: "with a slash after it", mutate: nearScope("https://scopes.example.com/SCOPE/")},
			{name: "without its base", mutate: nearScope("SCOPE")},
			{name: "with an empty base", mutate: nearScope("/SCOPE")},
			{name: "with text before its name", mutate: nearScope("https://scopes.example.com/xSCOPE")},
			{name: "in capitals", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				return inScopes("https://scopes.example.com/"+strings.ToUpper(drawScope(t, d)))(t, d)
			}},
			{name: "two in one text", mutate: nearScope("openid https://scopes.example.com/SCOPE")},
			{name: "with a space after it", mutate: nearScope("https://scopes.example.com/SCOPE ")},
		},

		ruleid.ImportType: {
			{name: "with the properties of its type", types: typesOfClients[1:], mutate: within("/eventType", nothing)},
			{name: "without the properties of its type", types: typesOfClients[1:], mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				for _, name := range typeProperties {
					delete(d.body, name)
				}
				return "/eventType"
			}},
			{name: "from a message", types: []string{typeFromMail}, mutate: within("/eventType", nothing)},
			{name: "without what its type requires", mutate: replaced("/eventType", oneValue(typeBirthday, typeFocusTime, typeFromMail, typeOutOfOffice, typeWorkingLocation))},
			{name: "with properties that are wrong", types: typesOfClients, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				name := rapid.SampledFrom(typeProperties).Draw(t, "properties")
				d.body[name] = members{"type": "none", "autoDeclineMode": "none", "chatStatus": "none"}
				return replaced("/eventType", oneValue(typesOfClients[1], typesOfClients[2], typesOfClients[3], typesOfClients[4]))(t, d)
			}},
		},
		ruleid.ImportParty: {
			{name: "without attendees", prepare: alone, mutate: byOutsider},
			{name: "of other attendees", prepare: withAttendees, mutate: byOutsider},
			{name: "of another organizer", prepare: withAttendees, mutate: inOrder(replaced("/organizer", func(t *rapid.T, _ any) any {
				return members{"email": Address().Draw(t, "organizer")}
			}), byOutsider)},
			{name: "of the name in other capitals", prepare: alone, mutate: inOrder(
				putting("/attendees", []any{members{"email": "Outsider@calendars.example.net"}}), byOutsider)},
			{name: "of the name at another domain", prepare: alone, mutate: inOrder(
				putting("/organizer", members{"email": "outsider@example.net"}), byOutsider)},
		},

		ruleid.MoveDestination: sharing(variant{on: diag.Move},
			variant{name: "absent", mutate: withParam("destination")},
			variant{name: "empty", mutate: withParam("destination", "")},
			variant{name: "empty twice", mutate: withParam("destination", "", "")},
		),
		ruleid.MoveType: sharing(variant{on: diag.Move},
			variant{name: "of a type that clients create", types: typesOfClients[1:], mutate: nothing},
			variant{name: "from a message", types: []string{typeFromMail}, mutate: nothing},
			variant{name: "the birthday of a contact", types: []string{typeBirthday}, prepare: contactBirthday, mutate: nothing},
			variant{name: "of an unknown type", mutate: firstSet("/eventType", "reminder", nothing)},
		),
		ruleid.QuickAddText: sharing(variant{on: diag.QuickAdd},
			variant{name: "absent", mutate: withParam("text")},
			variant{name: "empty", mutate: withParam("text", "")},
			variant{name: "empty twice", mutate: withParam("text", "", "")},
		),
		ruleid.InstancesRecurring: sharing(variant{on: diag.Instances},
			variant{name: "a single event", prepare: single, mutate: nothing},
			variant{name: "an instance", prepare: anInstance, mutate: nothing},
			variant{name: "without a line", mutate: firstSet("/recurrence", []any{}, nothing)},
		),
		ruleid.StatusDeleteExists: sharing(variant{on: diag.Delete},
			variant{name: "nothing stored", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.stored = nil
				return ""
			}},
			variant{name: "nothing stored, and a tag", mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.ifMatch, d.stored = d.stored["etag"].(string), nil
				return ""
			}},
			variant{name: "nothing stored, by a known caller", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.stored, d.caller = nil, &operation.Caller{Email: Address().Draw(t, "caller"), Creator: new(true)}
				return ""
			}},
		),

		ruleid.CalendarsClear: inCalendar(diag.CalendarsClear,
			state{"a secondary calendar", operation.Calendar{Primary: new(false)}},
			state{"a secondary calendar that is active", operation.Calendar{Primary: new(false), Status: operation.StatusActive}},
			state{"a secondary calendar that is disabled", operation.Calendar{Primary: new(false), Status: "disabled"}},
			state{"a secondary calendar without events", operation.Calendar{Primary: new(false), IDs: operation.IDList{}}},
		),
		ruleid.CalendarsDelete: inCalendar(diag.CalendarsDelete,
			state{"the primary calendar", operation.Calendar{Primary: new(true)}},
			state{"the primary calendar that is disabled", operation.Calendar{Primary: new(true), Status: "disabled"}},
			state{"the primary calendar without events", operation.Calendar{Primary: new(true), IDs: operation.IDList{}}},
		),
		ruleid.CalendarsTransferParams: sharing(variant{on: diag.CalendarsTransfer},
			variant{name: "no new owner", mutate: withParam("newDataOwner")},
			variant{name: "an empty new owner", mutate: withParam("newDataOwner", "")},
			variant{name: "no administrator's access", mutate: withParam("useAdminAccess")},
			variant{name: "an administrator's access left empty", mutate: withParam("useAdminAccess", "")},
			variant{name: "no administrator's access wanted", mutate: withParam("useAdminAccess", "false")},
			variant{name: "not a boolean", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				return withParam("useAdminAccess", rapid.SampledFrom([]string{"TRUE", "True", "1", "yes", " true", "true,true"}).Draw(t, "value"))(t, d)
			}},
		),
		ruleid.CalendarsTransferCalendar: append(inCalendar(diag.CalendarsTransfer,
			state{"the primary calendar", operation.Calendar{Primary: new(true)}},
			state{"the primary calendar that is active", operation.Calendar{Primary: new(true), Status: operation.StatusActive}},
			state{"a disabled calendar", operation.Calendar{Primary: new(false), Status: "disabled"}},
			state{"a deleted calendar", operation.Calendar{Status: "deleted"}},
			state{"a calendar in an unknown state", operation.Calendar{Status: "Active"}},
		),
			variant{name: "by a service account", on: diag.CalendarsTransfer, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.caller = &operation.Caller{ServiceAccount: new(true), Email: draw.Optional(t, "caller", Address())}
				return ""
			}},
			variant{name: "of a calendar in order, by a service account", on: diag.CalendarsTransfer, mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.caller = &operation.Caller{ServiceAccount: new(true)}
				d.calendar = &operation.Calendar{Primary: new(false), Status: operation.StatusActive}
				return ""
			}},
		),
	}
}

// anyOperation are the occasions of all operations.
const anyOperation = diag.All &^ diag.Response

// takingParams are the occasions of operations with documented parameters.
const takingParams = diag.Write | diag.Get | diag.Instances | diag.List | diag.Move | diag.QuickAdd | diag.CalendarsTransfer

// notVersions are values that are not versions of conference data or of labels.
func notVersions() []badValue {
	return []badValue{
		just("one over the limit", "2"),
		just("one below the limit", "-1"),
		anyOf("far below the limit", "-2", "-10", "-4294967295", "-18446744073709551615", "-"+strings.Repeat("1", 400)),
		just("the least integer", "-9223372036854775808"),
		anyOf("far over the limit", "10", "4294967297", "9223372036854775807", "18446744073709551617", strings.Repeat("1", 400)),
		anyOf("no integer", "1.0", "0.5", "1e0", "0x1", "one", "", "true", "null", "１"),
		anyOf("not in plain digits", "-0", "01", "00", "+1", " 1", "1 ", "0\n"),
	}
}

// notTimestamps are values that are not RFC 3339 timestamps with an offset.
func notTimestamps() []badValue {
	return []badValue{
		anyOf("no offset", "2026-03-10T09:00:00", "2026-03-10T09:00:00.5"),
		anyOf("no time", "2026-03-10", "2026-03-10T", "20260310"),
		anyOf("no such time", "2026-02-30T09:00:00Z", "2026-03-10T24:00:00Z"),
		anyOf("another form", "", "1773133200", "2026-03-10T09:00:00 01:00", "2026-03-10 09:00:00Z", "now"),
	}
}

// withTimeMin is for requests with a timeMin.
func withTimeMin(timeMin string, variants []variant) []variant {
	for i := range variants {
		variants[i].mutate = sending("timeMin", []string{timeMin}, variants[i].mutate)
	}
	return variants
}

// notBooleans are values other than true and false.
func notBooleans() []badValue {
	return []badValue{
		anyOf("a number", "1", "0", "-1"),
		anyOf("in another case", "True", "TRUE", "False", "fALSE"),
		anyOf("another word", "yes", "no", "on", "off", "t", "f", "null"),
		anyOf("empty or blank", "", " "),
		anyOf("with more around it", " true", "true ", "false\n", "\"true\"", "true,false"),
		drawnAs("any word", rapid.StringMatching(`x[a-z]{0,40}`)),
	}
}

// given returns a variant for each wrong value of a parameter.
func given(base variant, name string, values ...badValue) []variant {
	variants := base.each(func(t *rapid.T, d *draft, value func() any) diag.Pointer {
		return withParam(name, value().(string))(t, d)
	}, values...)
	for i := range variants {
		variants[i].name = name + ", " + variants[i].name
	}
	return variants
}

// besideParam is for requests that also have another parameter.
func besideParam(name string, variants []variant) []variant {
	for i := range variants {
		mutate := variants[i].mutate
		variants[i].mutate = func(t *rapid.T, d *draft) diag.Pointer {
			row, _ := operation.Lookup(d.op)
			p := slices.IndexFunc(row.Params, func(p operation.Param) bool { return p.Name == name })
			d.params[name] = []string{paramValue(row.Params[p]).Draw(t, name)}
			return mutate(t, d)
		}
	}
	return variants
}

// withoutParam is for requests that do not have another parameter.
func withoutParam(name string, variants []variant) []variant {
	for i := range variants {
		variants[i].mutate = sending(name, nil, variants[i].mutate)
	}
	return variants
}

// withParam sends a parameter with the values, or without values leaves it out.
func withParam(name string, values ...string) mutation {
	return within(diag.Param(name), sending(name, values, nothing))
}

// unknown adds a parameter that the operation does not have.
func unknown(name *rapid.Generator[string]) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		row, _ := operation.Lookup(d.op)
		drawn := name.Filter(func(name string) bool {
			return !row.Takes(name)
		}).Draw(t, "name")
		return withParam(drawn, Text(freeText).Draw(t, "value"))(t, d)
	}
}

// misspelt adds a parameter whose name is almost one of the operation's.
func misspelt(spell func(name string) string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		p := drawParam(t, d.op)
		return withParam(spell(p.Name), paramValue(p).Draw(t, "value"))(t, d)
	}
}

// drawParam draws one of the parameters of an operation.
func drawParam(t *rapid.T, op operation.ID) operation.Param {
	row, _ := operation.Lookup(op)
	return rapid.SampledFrom(row.Params).Draw(t, "parameter")
}

// ofAnotherOperation draws the name of a parameter of any operation.
func ofAnotherOperation(t *rapid.T) string {
	from := rapid.SampledFrom(operationsOn(takingParams)).Draw(t, "operation")
	return drawParam(t, from).Name
}

// drawTwoValues draws one of the operation's parameters and two different values of it. If it has
// only one valid value, the second is invalid.
func drawTwoValues(t *rapid.T, d *draft) (param, first, second string) {
	p := drawParam(t, d.op)
	if d.op == operation.EventsList {
		d.params["syncToken"] = []string{} // it would exclude others
	}
	first = paramValue(p).Filter(func(v string) bool { return v != "" }).Draw(t, "first")
	return p.Name, first, unlike(t, first, paramValue(p)).(string)
}

// repeating gives one of the operation's parameters several values, in which FIRST and SECOND stand
// for the drawn ones.
func repeating(values ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		p, first, second := drawTwoValues(t, d)
		sent := make([]string, len(values))
		for i, value := range values {
			sent[i] = strings.NewReplacer("FIRST", first, "SECOND", second).Replace(value)
		}
		return withParam(p, sent...)(t, d)
	}
}

// inScopes sends the request with a token that has the scopes.
func inScopes(scopes ...string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{Scopes: append([]string{}, scopes...)}
		return ""
	}
}

// nearScope sends the request with almost a sufficient scope: SCOPE stands for one.
func nearScope(pattern string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		return inScopes(strings.ReplaceAll(pattern, "SCOPE", drawScope(t, d)))(t, d)
	}
}

func drawScope(t *rapid.T, d *draft) string {
	op, _ := operation.Lookup(d.op)
	return rapid.SampledFrom(op.Scopes).Draw(t, "scope")
}

// byOutsider is for a caller who is neither the organizer nor an attendee.
func byOutsider(_ *rapid.T, d *draft) diag.Pointer {
	d.caller = &operation.Caller{Email: "outsider@calendars.example.net"}
	return ""
}

// state is a named state of a calendar.
type state struct {
	name     string
	calendar operation.Calendar
}

// inCalendar returns a variant for each state of the calendar that breaks the rule by itself.
func inCalendar(on diag.When, states ...state) []variant {
	var variants []variant
	for _, s := range states {
		variants = append(variants, beside(s.calendar, []variant{{name: s.name, on: on, mutate: nothing}})...)
	}
	return variants
}

func unlabelled(_ *rapid.T, e *event.Event) { e.EventLabelID = nil }
func alone(_ *rapid.T, e *event.Event)      { e.Attendees = nil }
