// Package sample builds the example requests that document the rules. Its functions return functions, which build the examples
// when somebody reads them, because every program that links the rules calls them at startup. The examples are small, similar to each other,
// and valid except for the member that a rule is about. Members are JSON text, such as `"summary":"Standup"`.
package sample

import (
	"strings"

	"github.com/calrules/calrules/diag"
)

// Start and End are the start and end members of a timed event on Tuesday 10 March 2026, 09:00 to 10:00 in New York.
const (
	Start = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"}`
	End   = `"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`
)

// SendUpdates is the params member of a request that notifies all guests.
const SendUpdates = `"params":{"sendUpdates":"all"}`

const (
	timed  = Start + "," + End
	allDay = `"start":{"date":"2026-03-10","timeZone":"America/New_York"},` +
		`"end":{"date":"2026-03-11","timeZone":"America/New_York"}`
	stored         = `"etag":"\"1\"","id":"abc12def","summary":"Standup",` + timed
	representation = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","status":"confirmed",` +
		`"created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z",` +
		`"creator":{"email":"owner@example.org","self":true},` +
		`"organizer":{"email":"owner@example.org","self":true},` +
		`"iCalUID":"abc12def@calendar.example.com","sequence":0`
)

// Request returns a request for an operation, whose body has the given members.
func Request(op string, members ...string) func() diag.Example {
	return request(op, "", members)
}

// request is like Request, but puts the member first, if it is not "", before the other members.
func request(op, first string, members []string) func() diag.Example {
	return func() diag.Example {
		return diag.Example{Request: listed(`{"op":"`+op+`","body":{`, first, members, "}}")}
	}
}

// Insert returns an insert whose body has the given members.
func Insert(members ...string) func() diag.Example { return request("events.insert", "", members) }

// Timed returns an insert of an event with [Start], [End] and the given members.
func Timed(members ...string) func() diag.Example { return request("events.insert", timed, members) }

// AllDay returns an insert of an all-day event on Tuesday 10 March 2026 with the given members.
func AllDay(members ...string) func() diag.Example { return request("events.insert", allDay, members) }

// Series is like [Timed], but adds the given recurrence lines.
func Series(lines ...string) func() diag.Example { return Timed(Recurrence(lines...)) }

// Days is like [AllDay], but adds the given recurrence lines.
func Days(lines ...string) func() diag.Example { return AllDay(Recurrence(lines...)) }

// Recurrence returns the recurrence member with the given lines, which must not need JSON escapes.
func Recurrence(lines ...string) string {
	return `"recurrence":["` + strings.Join(lines, `","`) + `"]`
}

// Import returns an import of an event with [Start], [End], an iCalUID and the given members.
func Import(members ...string) func() diag.Example {
	return request("events.import", timed+`,"iCalUID":"uid-1@example.org"`, members)
}

// Patch returns a patch with the given members. The stored event also has the members in others.
func Patch(members string, others ...string) func() diag.Example {
	return func() diag.Example { return ofStored(`{"op":"events.patch","body":{`+members+"},", others) }
}

// Update is like [Patch], but returns an update with [Start], [End] and the given members.
func Update(members string, others ...string) func() diag.Example {
	if members != "" {
		members = "," + members
	}
	return func() diag.Example { return ofStored(`{"op":"events.update","body":{`+timed+members+"},", others) }
}

// ofStored returns a request with the given beginning about a stored event with the members in others.
func ofStored(beginning string, others []string) diag.Example {
	return diag.Example{Request: listed(beginning+`"existing":{`, stored, others, "}}")}
}

// PatchBirthday returns a patch, with the given members, of a stored birthday with the given properties.
func PatchBirthday(members, properties string) func() diag.Example {
	return With(Request("events.patch", members), birthday(properties))
}

// DeleteBirthday returns the deletion of a stored birthday with the given properties.
func DeleteBirthday(properties string) func() diag.Example {
	return With(diag.Example{Request: `{"op":"events.delete"}`}.Func(), birthday(properties))
}

func birthday(properties string) string {
	return `"existing":{"etag":"\"1\"","id":"abc12def","summary":"Ada",` + allDay + "," + Recurrence("RRULE:FREQ=YEARLY") +
		`,"eventType":"birthday","birthdayProperties":` + properties + "}"
}

// About returns a request without a body for an operation on a stored event with the given members.
func About(op string, others ...string) func() diag.Example {
	return func() diag.Example { return ofStored(`{"op":"`+op+`",`, others) }
}

// Existing returns the existing member of a request: a stored event with [Start], [End] and the given members.
func Existing(members ...string) string {
	return listed(`"existing":{`, stored, members, "}")
}

// Response returns a check of the representation of a stored event with [Start], [End] and the given members.
func Response(members ...string) func() diag.Example {
	return request("response", representation+","+timed, members)
}

// With returns the example e with additional members next to its body, such as `"params":{"sendUpdates":"all"}`.
func With(e func() diag.Example, members ...string) func() diag.Example {
	return func() diag.Example {
		with := e()
		with.Request = listed("", strings.TrimSuffix(with.Request, "}"), members, "}")
		return with
	}
}

// Answered returns the example e with the given answer.
func Answered(e func() diag.Example, answer string) func() diag.Example { return Via("", e, answer) }

// Via returns the example e with the name of a function and the answer that the function has changed.
func Via(function string, e func() diag.Example, answer string) func() diag.Example {
	return func() diag.Example { return diag.Example{Request: e().Request, Answer: answer, Via: function} }
}

// listed returns the member first, if it is not "", and the other members, between before and end.
func listed(before, first string, members []string, end string) string {
	if first != "" {
		members = append([]string{first}, members...)
	}
	return before + strings.Join(members, ",") + end
}
