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

// requestWays break the rules about what stands around the body: the query, the caller, the
// calendar, and the stored event that an operation without body is about.
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
			just("its default, which is no value", "false"),
			anyOf("empty or a boolean", "", "true"),
		),
		ruleid.InsertParamBoolean: given(variant{}, "sendNotifications", notBooleans()...),
		ruleid.InsertParamSendNotifications: slices.Concat(
			withoutParam("sendUpdates", given(variant{}, "sendNotifications", anyOf("alone", "true", "false"))),
			besideParam("sendUpdates", given(variant{}, "sendNotifications", anyOf("beside sendUpdates", "true", "false"))),
		),
		ruleid.InsertParamSupportsAttachments: given(variant{prepare: noFiles}, "supportsAttachments", notBooleans()...),
		ruleid.ParamUnknown: sharing(variant{on: anyOperation},
			variant{name: "of another service", mutate: unknown(rapid.SampledFrom([]string{"fields", "alt", "prettyPrint", "key", "quotaUser", ""}))},
			variant{name: "any other name", mutate: unknown(rapid.StringMatching(`x-?[a-zA-Z0-9_.\[\]/~]{0,40}`))},
			variant{name: "of another operation", mutate: unknown(rapid.Custom(ofAnotherOperation))},
			variant{name: "in another case", on: takingParams, mutate: misspelt(otherCase)},
			variant{name: "a letter too many", on: takingParams, mutate: misspelt(func(name string) string { return name + "s" })},
			variant{name: "a letter too few", on: takingParams, mutate: misspelt(func(name string) string { return name[:len(name)-1] })},
			variant{name: "with a blank", on: takingParams, mutate: misspelt(func(name string) string { return " " + name })},
		),
		ruleid.ParamRepeated: sharing(variant{on: takingParams, prepare: both(unlabelled, noFiles)},
			variant{name: "two valid values", mutate: repeating(func(t *rapid.T, first, second string) []string { return []string{first, second} })},
			variant{name: "the first value again after another", mutate: repeating(func(t *rapid.T, first, second string) []string { return []string{first, second, first} })},
			variant{name: "another after many of one", mutate: repeating(func(t *rapid.T, first, second string) []string {
				return append(slices.Repeat([]string{first}, rapid.IntRange(2, 40).Draw(t, "times")), second)
			})},
			variant{name: "with an empty value", mutate: repeating(func(t *rapid.T, first, _ string) []string { return []string{first, ""} })},
			variant{name: "with a value that is none", mutate: repeating(func(t *rapid.T, first, _ string) []string { return []string{first, "x " + first} })},
		),

		ruleid.ScopeInsert: {
			{name: "no scope", mutate: inScopes()},
			{name: "one that only reads", mutate: inScopes("https://scopes.example.com/auth/calendar.readonly")},
			{name: "several that do not suffice", mutate: inScopes("openid",
				"https://scopes.example.com/auth/calendar.events.readonly", "https://scopes.example.com/auth/calendar.freebusy")},
			{name: "of another service", mutate: inScopes("https://scopes.example.com/auth/contacts")},
			{name: "with more behind it", mutate: insufficient(func(scope string) string { return "https://scopes.example.com/" + scope + "x" })},
			{name: "with a slash behind it", mutate: insufficient(func(scope string) string { return "https://scopes.example.com/" + scope + "/" })},
			{name: "without its base", mutate: insufficient(func(scope string) string { return scope })},
			{name: "with an empty base", mutate: insufficient(func(scope string) string { return "/" + scope })},
			{name: "with a base that goes on", mutate: insufficient(func(scope string) string { return "https://scopes.example.com/x" + scope })},
			{name: "in capitals", mutate: insufficient(func(scope string) string { return "https://scopes.example.com/" + strings.ToUpper(scope) })},
			{name: "two in one text", mutate: insufficient(func(scope string) string { return "openid https://scopes.example.com/" + scope })},
			{name: "with a blank behind it", mutate: insufficient(func(scope string) string { return "https://scopes.example.com/" + scope + " " })},
		},

		ruleid.ImportType: {
			{name: "with the properties of its type", types: typesOfClients[1:], mutate: ofType},
			{name: "without the properties of its type", types: typesOfClients[1:], mutate: func(t *rapid.T, d *draft) diag.Pointer {
				for _, name := range typeProperties {
					delete(d.body, name)
				}
				return ofType(t, d)
			}},
			{name: "from a message", types: []string{typeFromMail}, mutate: ofType},
			{name: "not as its type has to be", mutate: replaced("/eventType", oneValue(typeBirthday, typeFocusTime, typeFromMail, typeOutOfOffice, typeWorkingLocation))},
			{name: "with properties that are wrong", types: typesOfClients, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				name := rapid.SampledFrom(typeProperties).Draw(t, "properties")
				d.body[name] = members{"type": "none", "autoDeclineMode": "none", "chatStatus": "none"}
				return replaced("/eventType", oneValue(typesOfClients[1], typesOfClients[2], typesOfClients[3], typesOfClients[4]))(t, d)
			}},
		},
		ruleid.ImportParty: {
			{name: "of nobody", prepare: alone, mutate: byOutsider("outsider@calendars.example.net")},
			{name: "of other attendees", prepare: withAttendees, mutate: byOutsider("outsider@calendars.example.net")},
			{name: "of another organizer", prepare: withAttendees, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.body["organizer"] = members{"email": Address().Draw(t, "organizer")}
				return byOutsider("outsider@calendars.example.net")(t, d)
			}},
			{name: "of the name in other capitals", prepare: alone, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.body["attendees"] = []any{members{"email": "Outsider@calendars.example.net"}}
				return byOutsider("outsider@calendars.example.net")(t, d)
			}},
			{name: "of the name at another domain", prepare: alone, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.body["organizer"] = members{"email": "outsider@example.net"}
				return byOutsider("outsider@calendars.example.net")(t, d)
			}},
		},

		ruleid.MoveDestination: {
			{name: "absent", on: diag.Move, mutate: without("destination")},
			{name: "empty", on: diag.Move, mutate: withParam("destination", "")},
			{name: "empty twice", on: diag.Move, mutate: withParam("destination", "", "")},
		},
		ruleid.MoveType: {
			{name: "of a type that clients create", on: diag.Move, types: typesOfClients[1:], mutate: nothing},
			{name: "from a message", on: diag.Move, types: []string{typeFromMail}, mutate: nothing},
			{name: "the birthday of a contact", on: diag.Move, types: []string{typeBirthday}, prepare: contactBirthday, mutate: nothing},
			{name: "of a type that nobody knows", on: diag.Move, mutate: firstSet("/eventType", "reminder", nothing)},
		},
		ruleid.QuickAddText: {
			{name: "absent", on: diag.QuickAdd, mutate: without("text")},
			{name: "empty", on: diag.QuickAdd, mutate: withParam("text", "")},
			{name: "empty twice", on: diag.QuickAdd, mutate: withParam("text", "", "")},
		},
		ruleid.InstancesRecurring: {
			{name: "a single event", on: diag.Instances, prepare: single, mutate: nothing},
			{name: "an instance", on: diag.Instances, prepare: anInstance, mutate: nothing},
			{name: "without a line", on: diag.Instances, mutate: firstSet("/recurrence", []any{}, nothing)},
		},
		ruleid.StatusDeleteExists: {
			{name: "nothing stored", on: diag.Delete, mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.stored = nil
				return ""
			}},
			{name: "nothing stored, and a tag", on: diag.Delete, mutate: func(_ *rapid.T, d *draft) diag.Pointer {
				d.ifMatch, d.stored = d.stored["etag"].(string), nil
				return ""
			}},
			{name: "nothing stored, by somebody known", on: diag.Delete, mutate: func(t *rapid.T, d *draft) diag.Pointer {
				d.stored, d.caller = nil, &operation.Caller{Email: Address().Draw(t, "caller"), Creator: new(true)}
				return ""
			}},
		},

		ruleid.CalendarsClear: inCalendar(diag.CalendarsClear, nothing,
			state{"a secondary calendar", operation.Calendar{Primary: new(false)}},
			state{"a secondary calendar that is active", operation.Calendar{Primary: new(false), Status: operation.StatusActive}},
			state{"a secondary calendar that is disabled", operation.Calendar{Primary: new(false), Status: "disabled"}},
			state{"a secondary calendar without events", operation.Calendar{Primary: new(false), IDs: []string{}}},
		),
		ruleid.CalendarsDelete: inCalendar(diag.CalendarsDelete, nothing,
			state{"the primary calendar", operation.Calendar{Primary: new(true)}},
			state{"the primary calendar that is disabled", operation.Calendar{Primary: new(true), Status: "disabled"}},
			state{"the primary calendar without events", operation.Calendar{Primary: new(true), IDs: []string{}}},
		),
		ruleid.CalendarsTransferParams: sharing(variant{on: diag.CalendarsTransfer},
			variant{name: "no new owner", mutate: without("newDataOwner")},
			variant{name: "an empty new owner", mutate: withParam("newDataOwner", "")},
			variant{name: "no administrator's access", mutate: without("useAdminAccess")},
			variant{name: "an administrator's access left empty", mutate: withParam("useAdminAccess", "")},
			variant{name: "no administrator's access wanted", mutate: withParam("useAdminAccess", "false")},
			variant{name: "not in the words of a boolean", mutate: func(t *rapid.T, d *draft) diag.Pointer {
				return withParam("useAdminAccess", rapid.SampledFrom([]string{"TRUE", "True", "1", "yes", " true", "true,true"}).Draw(t, "value"))(t, d)
			}},
		),
		ruleid.CalendarsTransferCalendar: append(inCalendar(diag.CalendarsTransfer, nothing,
			state{"the primary calendar", operation.Calendar{Primary: new(true)}},
			state{"the primary calendar that is active", operation.Calendar{Primary: new(true), Status: operation.StatusActive}},
			state{"a disabled calendar", operation.Calendar{Primary: new(false), Status: "disabled"}},
			state{"a deleted calendar", operation.Calendar{Status: "deleted"}},
			state{"a calendar of a state that nobody knows", operation.Calendar{Status: "Active"}},
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

// anyOperation are the occasions of all operations of the calendar.
const anyOperation = diag.All &^ diag.Response

// takingParams are the operations that the documents show a parameter of.
const takingParams = diag.Write | diag.Get | diag.Instances | diag.List | diag.Move | diag.QuickAdd | diag.CalendarsTransfer

// noVersion are values that are no version of conference data or of labels.
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

// noBoolean are values that are neither true nor false.
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

// given lists the ways of breaking a rule by one wrong value of a parameter.
func given(need variant, name string, values ...badValue) []variant {
	variants := make([]variant, len(values))
	for i, v := range values {
		w := need
		w.name = name + ", " + v.name
		w.mutate = func(t *rapid.T, d *draft) diag.Pointer {
			return withParam(name, v.value.Draw(t, "value").(string))(t, d)
		}
		variants[i] = w
	}
	return variants
}

// besideParam makes ways of requests that have another parameter too.
func besideParam(name string, variants []variant) []variant {
	for i := range variants {
		v := variants[i].mutate
		variants[i].mutate = func(t *rapid.T, d *draft) diag.Pointer {
			d.params[name] = []string{valueOf(d.op, name).Draw(t, name)}
			return v(t, d)
		}
	}
	return variants
}

// withoutParam makes ways of requests that do not have another parameter.
func withoutParam(name string, variants []variant) []variant {
	for i := range variants {
		variants[i].mutate = sending(name, nil, variants[i].mutate)
	}
	return variants
}

// withParam gives a parameter the values.
func withParam(name string, values ...string) mutation {
	return within(diag.Param(name), sending(name, values, nothing))
}

// without leaves a parameter out.
func without(name string) mutation { return withParam(name) }

// valueOf draws a valid value of a parameter that an operation takes.
func valueOf(op operation.ID, name string) *rapid.Generator[string] {
	row, _ := operation.Lookup(op)
	i := slices.IndexFunc(row.Params, func(p operation.Param) bool { return p.Name == name })
	return paramValue(row.Params[i])
}

// unknown adds a parameter that the operation does not have.
func unknown(name *rapid.Generator[string]) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		drawn := name.Filter(func(name string) bool { return !takes(d.op, name) }).Draw(t, "name")
		return withParam(drawn, Text(freeText).Draw(t, "value"))(t, d)
	}
}

// misspelt adds a parameter whose name is nearly one of the operation's.
func misspelt(spell func(name string) string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		p := drawParam(t, d.op)
		return withParam(spell(p.Name), paramValue(p).Draw(t, "value"))(t, d)
	}
}

// takes reports whether an operation has the parameter.
func takes(op operation.ID, name string) bool {
	row, _ := operation.Lookup(op)
	return slices.ContainsFunc(row.Params, func(p operation.Param) bool { return p.Name == name })
}

// drawParam draws one of the parameters of an operation that has any.
func drawParam(t *rapid.T, op operation.ID) operation.Param {
	row, _ := operation.Lookup(op)
	return rapid.SampledFrom(row.Params).Draw(t, "parameter")
}

// ofAnotherOperation draws the name of a parameter of some operation.
func ofAnotherOperation(t *rapid.T) string {
	from := rapid.SampledFrom(operationsOn(takingParams)).Draw(t, "operation")
	return drawParam(t, from).Name
}

// repeating gives one of the operation's parameters several values, made of two that it may
// have; where it may have only one, the second is none.
func repeating(values func(t *rapid.T, first, second string) []string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		p := drawParam(t, d.op)
		first := paramValue(p).Filter(func(v string) bool { return v != "" }).Draw(t, "first")
		second := unlike(t, first, paramValue(p)).(string)
		return withParam(p.Name, values(t, first, second)...)(t, d)
	}
}

// inScopes makes the request with a token that has the scopes.
func inScopes(scopes ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{Scopes: append([]string{}, scopes...)}
		return ""
	}
}

// insufficient makes the request with a scope that is nearly one that would do.
func insufficient(spell func(scope string) string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		op, _ := operation.Lookup(d.op)
		return inScopes(spell(rapid.SampledFrom(op.Scopes).Draw(t, "scope")))(t, d)
	}
}

// ofType is the finding about an imported event that is not of type default.
func ofType(*rapid.T, *draft) diag.Pointer { return "/eventType" }

// typeProperties are the members that go with one event type.
var typeProperties = []string{"birthdayProperties", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"}

// byOutsider is a request by somebody who is neither the organizer nor an attendee.
func byOutsider(email string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.caller = &operation.Caller{Email: email}
		return ""
	}
}

// state is a calendar in a state, and what that is called.
type state struct {
	name     string
	calendar operation.Calendar
}

// inCalendar lists the ways of breaking a rule by the state of the calendar alone.
func inCalendar(on diag.When, v mutation, states ...state) []variant {
	var variants []variant
	for _, is := range states {
		variants = append(variants, beside(is.calendar, []variant{{name: is.name, on: on, mutate: v}})...)
	}
	return variants
}

func unlabelled(_ *rapid.T, e *event.Event) { e.EventLabelID = nil }
func alone(_ *rapid.T, e *event.Event)      { e.Attendees = nil }
