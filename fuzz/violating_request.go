package fuzz

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// requestWays break the rules about what stands around the body: the query, the caller, the
// calendar, and the stored event that an operation without body is about.
func requestWays() map[string][]way {
	return map[string][]way{
		"insert.param.range": slices.Concat(
			given(way{prepare: unlabelled}, "conferenceDataVersion", noVersion()...),
			given(way{prepare: unlabelled}, "eventLabelVersion", noVersion()...),
		),
		"insert.param.max-attendees": given(way{}, "maxAttendees",
			anyOf("none at all", "0", "00"),
			anyOf("fewer", "-1", "-9223372036854775808"),
			anyOf("more than an integer holds", "9223372036854775808", "18446744073709551617", strings.Repeat("9", 400)),
			anyOf("no integer", "1.0", "1e1", "0x10", "ten", "", "true", "١"),
			drawnAs("not in plain digits", rapid.StringMatching(`(\+|0| |[1-9][0-9]?[_,])[1-9][0-9]{0,3}|[1-9] `)),
		),
		"insert.param.send-updates": given(way{}, "sendUpdates",
			drawnAs("a word that is not listed", rapid.StringMatching(`x[a-z]{0,12}`)),
			drawnAs("another case", rapid.Map(rapid.SampledFrom(limits.SendUpdates.Values()), otherCase)),
			anyOf("with a blank", "all ", " none", "externalOnly\n"),
			anyOf("two values in one", "all,none", "all none"),
			just("its default, which is no value", "false"),
			anyOf("empty or a boolean", "", "true"),
		),
		"insert.param.boolean": given(way{}, "sendNotifications", noBoolean()...),
		"insert.param.send-notifications": slices.Concat(
			withoutParam("sendUpdates", given(way{}, "sendNotifications", anyOf("alone", "true", "false"))),
			besideParam("sendUpdates", given(way{}, "sendNotifications", anyOf("beside sendUpdates", "true", "false"))),
		),
		"insert.param.supports-attachments": given(way{prepare: noFiles}, "supportsAttachments", noBoolean()...),
		"param.unknown": sharing(way{on: anyOperation},
			way{name: "of another service", violate: unknown(rapid.SampledFrom([]string{"fields", "alt", "prettyPrint", "key", "quotaUser", ""}))},
			way{name: "any other name", violate: unknown(rapid.StringMatching(`x-?[a-zA-Z0-9_.\[\]/~]{0,40}`))},
			way{name: "of another operation", violate: unknown(rapid.Custom(ofAnotherOperation))},
			way{name: "in another case", on: takingParams, violate: misspelt(otherCase)},
			way{name: "a letter too many", on: takingParams, violate: misspelt(func(name string) string { return name + "s" })},
			way{name: "a letter too few", on: takingParams, violate: misspelt(func(name string) string { return name[:len(name)-1] })},
			way{name: "with a blank", on: takingParams, violate: misspelt(func(name string) string { return " " + name })},
		),
		"param.repeated": sharing(way{on: takingParams, prepare: both(unlabelled, noFiles)},
			way{name: "two valid values", violate: repeating(func(t *rapid.T, first, second string) []string { return []string{first, second} })},
			way{name: "the first value again after another", violate: repeating(func(t *rapid.T, first, second string) []string { return []string{first, second, first} })},
			way{name: "another after many of one", violate: repeating(func(t *rapid.T, first, second string) []string {
				return append(slices.Repeat([]string{first}, rapid.IntRange(2, 40).Draw(t, "times")), second)
			})},
			way{name: "with an empty value", violate: repeating(func(t *rapid.T, first, _ string) []string { return []string{first, ""} })},
			way{name: "with a value that is none", violate: repeating(func(t *rapid.T, first, _ string) []string { return []string{first, "x " + first} })},
		),

		"scope.insert": {
			{name: "no scope", violate: inScopes()},
			{name: "one that only reads", violate: inScopes("https://scopes.example.com/auth/calendar.readonly")},
			{name: "several that do not suffice", violate: inScopes("openid",
				"https://scopes.example.com/auth/calendar.events.readonly", "https://scopes.example.com/auth/calendar.freebusy")},
			{name: "of another service", violate: inScopes("https://scopes.example.com/auth/contacts")},
			{name: "with more behind it", violate: insufficient(func(scope string) string { return "https://scopes.example.com/" + scope + "x" })},
			{name: "with a slash behind it", violate: insufficient(func(scope string) string { return "https://scopes.example.com/" + scope + "/" })},
			{name: "without its base", violate: insufficient(func(scope string) string { return scope })},
			{name: "with an empty base", violate: insufficient(func(scope string) string { return "/" + scope })},
			{name: "with a base that goes on", violate: insufficient(func(scope string) string { return "https://scopes.example.com/x" + scope })},
			{name: "in capitals", violate: insufficient(func(scope string) string { return "https://scopes.example.com/" + strings.ToUpper(scope) })},
			{name: "two in one text", violate: insufficient(func(scope string) string { return "openid https://scopes.example.com/" + scope })},
			{name: "with a blank behind it", violate: insufficient(func(scope string) string { return "https://scopes.example.com/" + scope + " " })},
		},

		"import.type": {
			{name: "with the properties of its type", types: typesOfClients[1:], violate: ofType},
			{name: "without the properties of its type", types: typesOfClients[1:], violate: func(t *rapid.T, s *scene) diag.Pointer {
				for _, name := range typeProperties {
					delete(s.body, name)
				}
				return ofType(t, s)
			}},
			{name: "from a message", types: []string{typeFromMail}, violate: ofType},
			{name: "not as its type has to be", violate: replaced("/eventType", oneValue(typeBirthday, typeFocusTime, typeFromMail, typeOutOfOffice, typeWorkingLocation))},
			{name: "with properties that are wrong", types: typesOfClients, violate: func(t *rapid.T, s *scene) diag.Pointer {
				name := rapid.SampledFrom(typeProperties).Draw(t, "properties")
				s.body[name] = members{"type": "none", "autoDeclineMode": "none", "chatStatus": "none"}
				return replaced("/eventType", oneValue(typesOfClients[1], typesOfClients[2], typesOfClients[3], typesOfClients[4]))(t, s)
			}},
		},
		"import.party": {
			{name: "of nobody", prepare: alone, violate: byOutsider("outsider@calendars.example.net")},
			{name: "of other attendees", prepare: withAttendees, violate: byOutsider("outsider@calendars.example.net")},
			{name: "of another organizer", prepare: withAttendees, violate: func(t *rapid.T, s *scene) diag.Pointer {
				s.body["organizer"] = members{"email": Address().Draw(t, "organizer")}
				return byOutsider("outsider@calendars.example.net")(t, s)
			}},
			{name: "of the name in other capitals", prepare: alone, violate: func(t *rapid.T, s *scene) diag.Pointer {
				s.body["attendees"] = []any{members{"email": "Outsider@calendars.example.net"}}
				return byOutsider("outsider@calendars.example.net")(t, s)
			}},
			{name: "of the name at another domain", prepare: alone, violate: func(t *rapid.T, s *scene) diag.Pointer {
				s.body["organizer"] = members{"email": "outsider@example.net"}
				return byOutsider("outsider@calendars.example.net")(t, s)
			}},
		},

		"move.destination": {
			{name: "absent", on: diag.Move, violate: without("destination")},
			{name: "empty", on: diag.Move, violate: withParam("destination", "")},
			{name: "empty twice", on: diag.Move, violate: withParam("destination", "", "")},
		},
		"move.type": {
			{name: "of a type that clients create", on: diag.Move, types: typesOfClients[1:], violate: nothing},
			{name: "from a message", on: diag.Move, types: []string{typeFromMail}, violate: nothing},
			{name: "the birthday of a contact", on: diag.Move, types: []string{typeBirthday}, prepare: contactBirthday, violate: nothing},
			{name: "of a type that nobody knows", on: diag.Move, violate: firstSet("/eventType", "reminder", nothing)},
		},
		"quick-add.text": {
			{name: "absent", on: diag.QuickAdd, violate: without("text")},
			{name: "empty", on: diag.QuickAdd, violate: withParam("text", "")},
			{name: "empty twice", on: diag.QuickAdd, violate: withParam("text", "", "")},
		},
		"instances.recurring": {
			{name: "a single event", on: diag.Instances, prepare: single, violate: nothing},
			{name: "an instance", on: diag.Instances, prepare: anInstance, violate: nothing},
			{name: "without a line", on: diag.Instances, violate: firstSet("/recurrence", []any{}, nothing)},
		},
		"status.delete.exists": {
			{name: "nothing stored", on: diag.Delete, violate: func(_ *rapid.T, s *scene) diag.Pointer {
				s.stored = nil
				return ""
			}},
			{name: "nothing stored, and a tag", on: diag.Delete, violate: func(_ *rapid.T, s *scene) diag.Pointer {
				s.ifMatch, s.stored = s.stored["etag"].(string), nil
				return ""
			}},
			{name: "nothing stored, by somebody known", on: diag.Delete, violate: func(t *rapid.T, s *scene) diag.Pointer {
				s.stored, s.caller = nil, &operation.Caller{Email: Address().Draw(t, "caller"), Creator: new(true)}
				return ""
			}},
		},

		"calendars.clear": inCalendar(diag.CalendarsClear, nothing,
			state{"a secondary calendar", operation.Calendar{Primary: new(false)}},
			state{"a secondary calendar that is active", operation.Calendar{Primary: new(false), Status: operation.StatusActive}},
			state{"a secondary calendar that is disabled", operation.Calendar{Primary: new(false), Status: "disabled"}},
			state{"a secondary calendar without events", operation.Calendar{Primary: new(false), IDs: []string{}}},
		),
		"calendars.delete": inCalendar(diag.CalendarsDelete, nothing,
			state{"the primary calendar", operation.Calendar{Primary: new(true)}},
			state{"the primary calendar that is disabled", operation.Calendar{Primary: new(true), Status: "disabled"}},
			state{"the primary calendar without events", operation.Calendar{Primary: new(true), IDs: []string{}}},
		),
		"calendars.transfer.params": sharing(way{on: diag.CalendarsTransfer},
			way{name: "no new owner", violate: without("newDataOwner")},
			way{name: "an empty new owner", violate: withParam("newDataOwner", "")},
			way{name: "no administrator's access", violate: without("useAdminAccess")},
			way{name: "an administrator's access left empty", violate: withParam("useAdminAccess", "")},
			way{name: "no administrator's access wanted", violate: withParam("useAdminAccess", "false")},
			way{name: "not in the words of a boolean", violate: func(t *rapid.T, s *scene) diag.Pointer {
				return withParam("useAdminAccess", rapid.SampledFrom([]string{"TRUE", "True", "1", "yes", " true", "true,true"}).Draw(t, "value"))(t, s)
			}},
		),
		"calendars.transfer.calendar": append(inCalendar(diag.CalendarsTransfer, nothing,
			state{"the primary calendar", operation.Calendar{Primary: new(true)}},
			state{"the primary calendar that is active", operation.Calendar{Primary: new(true), Status: operation.StatusActive}},
			state{"a disabled calendar", operation.Calendar{Primary: new(false), Status: "disabled"}},
			state{"a deleted calendar", operation.Calendar{Status: "deleted"}},
			state{"a calendar of a state that nobody knows", operation.Calendar{Status: "Active"}},
		),
			way{name: "by a service account", on: diag.CalendarsTransfer, violate: func(t *rapid.T, s *scene) diag.Pointer {
				s.caller = &operation.Caller{ServiceAccount: new(true), Email: draw.Optional(t, "caller", Address())}
				return ""
			}},
			way{name: "of a calendar in order, by a service account", on: diag.CalendarsTransfer, violate: func(_ *rapid.T, s *scene) diag.Pointer {
				s.caller = &operation.Caller{ServiceAccount: new(true)}
				s.calendar = &operation.Calendar{Primary: new(false), Status: operation.StatusActive}
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
func noVersion() []wrong {
	return []wrong{
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
func noBoolean() []wrong {
	return []wrong{
		anyOf("a number", "1", "0", "-1"),
		anyOf("in another case", "True", "TRUE", "False", "fALSE"),
		anyOf("another word", "yes", "no", "on", "off", "t", "f", "null"),
		anyOf("empty or blank", "", " "),
		anyOf("with more around it", " true", "true ", "false\n", "\"true\"", "true,false"),
		drawnAs("any word", rapid.StringMatching(`x[a-z]{0,40}`)),
	}
}

// given lists the ways of breaking a rule by one wrong value of a parameter.
func given(need way, name string, values ...wrong) []way {
	ways := make([]way, len(values))
	for i, v := range values {
		w := need
		w.name = name + ", " + v.name
		w.violate = func(t *rapid.T, s *scene) diag.Pointer {
			return withParam(name, v.value.Draw(t, "value").(string))(t, s)
		}
		ways[i] = w
	}
	return ways
}

// besideParam makes ways of requests that have another parameter too.
func besideParam(name string, ways []way) []way {
	for i := range ways {
		v := ways[i].violate
		ways[i].violate = func(t *rapid.T, s *scene) diag.Pointer {
			s.params[name] = []string{valueOf(s.op, name).Draw(t, name)}
			return v(t, s)
		}
	}
	return ways
}

// withoutParam makes ways of requests that do not have another parameter.
func withoutParam(name string, ways []way) []way {
	for i := range ways {
		ways[i].violate = sending(name, nil, ways[i].violate)
	}
	return ways
}

// withParam gives a parameter the values.
func withParam(name string, values ...string) violation {
	return within(diag.Param(name), sending(name, values, nothing))
}

// without leaves a parameter out.
func without(name string) violation { return withParam(name) }

// valueOf draws a valid value of a parameter that an operation takes.
func valueOf(op operation.ID, name string) *rapid.Generator[string] {
	row, _ := operation.Lookup(op)
	i := slices.IndexFunc(row.Params, func(p operation.Param) bool { return p.Name == name })
	return paramValue(row.Params[i])
}

// unknown adds a parameter that the operation does not have.
func unknown(name *rapid.Generator[string]) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		drawn := name.Filter(func(name string) bool { return !takes(s.op, name) }).Draw(t, "name")
		return withParam(drawn, Text(freeText).Draw(t, "value"))(t, s)
	}
}

// misspelt adds a parameter whose name is nearly one of the operation's.
func misspelt(spell func(name string) string) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		p := drawParam(t, s.op)
		return withParam(spell(p.Name), paramValue(p).Draw(t, "value"))(t, s)
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
func repeating(values func(t *rapid.T, first, second string) []string) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		p := drawParam(t, s.op)
		first := paramValue(p).Filter(func(v string) bool { return v != "" }).Draw(t, "first")
		second := unlike(t, first, paramValue(p)).(string)
		return withParam(p.Name, values(t, first, second)...)(t, s)
	}
}

// inScopes makes the request with a token that has the scopes.
func inScopes(scopes ...string) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		s.caller = &operation.Caller{Scopes: append([]string{}, scopes...)}
		return ""
	}
}

// insufficient makes the request with a scope that is nearly one that would do.
func insufficient(spell func(scope string) string) violation {
	return func(t *rapid.T, s *scene) diag.Pointer {
		op, _ := operation.Lookup(s.op)
		return inScopes(spell(rapid.SampledFrom(op.Scopes).Draw(t, "scope")))(t, s)
	}
}

// ofType is the finding about an imported event that is not of type default.
func ofType(*rapid.T, *scene) diag.Pointer { return "/eventType" }

// typeProperties are the members that go with one event type.
var typeProperties = []string{"birthdayProperties", "focusTimeProperties", "outOfOfficeProperties", "workingLocationProperties"}

// byOutsider is a request by somebody who is neither the organizer nor an attendee.
func byOutsider(email string) violation {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		s.caller = &operation.Caller{Email: email}
		return ""
	}
}

// state is a calendar in a state, and what that is called.
type state struct {
	name     string
	calendar operation.Calendar
}

// inCalendar lists the ways of breaking a rule by the state of the calendar alone.
func inCalendar(on diag.When, v violation, states ...state) []way {
	var ways []way
	for _, is := range states {
		ways = append(ways, beside(is.calendar, []way{{name: is.name, on: on, violate: v}})...)
	}
	return ways
}

func unlabelled(_ *rapid.T, e *event.Event) { e.EventLabelID = nil }
func alone(_ *rapid.T, e *event.Event)      { e.Attendees = nil }
