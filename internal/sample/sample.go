// Package sample builds the example requests that document the rules. The examples are small, similar to each other, and valid
// except for the member that a rule is about. Members are JSON text, such as `"summary":"Standup"`.
//
// A sample consists of the parts of an example, as constants, and becomes text when somebody reads it. The compiler then
// initializes the rules without code, which every program that links the rules would run at startup. This requires that an
// argument of [With], [Answered] or [Via] is a literal and not a call.
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

// Sample is data that becomes an example when somebody reads it. It is the type of [diag.Rule.Good], since a conversion would be
// code.
type Sample = interface{ Example() diag.Example }

// The samples are lists of members, unless the comment states otherwise.
type (
	Request  []string // an operation, followed by the members of the body
	Insert   []string // an insert
	Timed    []string // an insert of an event with [Start], [End] and the members
	AllDay   []string // an insert of an all-day event on Tuesday 10 March 2026
	Series   []string // like Timed, but with the recurrence lines in the list
	Days     []string // like AllDay, but with the recurrence lines in the list
	Import   []string // an import of an event with [Start], [End], an iCalUID and the members
	Patch    []string // the members of a patch, followed by members that the stored event has in addition
	Update   []string // like Patch, but an update with [Start], [End] and the members
	About    []string // an operation without a body, followed by members that the stored event has in addition
	Response []string // a check of the representation of a stored event with [Start], [End] and the members

	PatchBirthday  [2]string // the members of a patch, and the stored birthdayProperties
	DeleteBirthday string    // the stored birthdayProperties
)

func (r Request) Example() diag.Example      { return request(r[0], "", r[1:]) }
func (members Insert) Example() diag.Example { return request("events.insert", "", members) }
func (members Timed) Example() diag.Example  { return request("events.insert", timed, members) }
func (members AllDay) Example() diag.Example { return request("events.insert", allDay, members) }
func (lines Series) Example() diag.Example   { return Timed{Recurrence(lines...)}.Example() }
func (lines Days) Example() diag.Example     { return AllDay{Recurrence(lines...)}.Example() }
func (a About) Example() diag.Example        { return ofStored(`{"op":"`+a[0]+`",`, a[1:]) }
func (p Patch) Example() diag.Example {
	return ofStored(`{"op":"events.patch","body":{`+p[0]+"},", p[1:])
}

func (u Update) Example() diag.Example {
	members := timed
	if u[0] != "" {
		members += "," + u[0]
	}
	return ofStored(`{"op":"events.update","body":{`+members+"},", u[1:])
}

func (members Import) Example() diag.Example {
	return request("events.import", timed+`,"iCalUID":"uid-1@example.org"`, members)
}

func (members Response) Example() diag.Example {
	return request("response", representation+","+timed, members)
}

func (p PatchBirthday) Example() diag.Example {
	return With(Request{"events.patch", p[0]}, birthday(p[1])).Example()
}

func (properties DeleteBirthday) Example() diag.Example {
	return With(diag.Example{Request: `{"op":"events.delete"}`}, birthday(string(properties))).Example()
}

func birthday(properties string) string {
	return `"existing":{"etag":"\"1\"","id":"abc12def","summary":"Ada",` + allDay + "," + Recurrence("RRULE:FREQ=YEARLY") +
		`,"eventType":"birthday","birthdayProperties":` + properties + "}"
}

// Recurrence returns the recurrence member with the given lines, which must not need JSON escapes.
func Recurrence(lines ...string) string {
	return `"recurrence":["` + strings.Join(lines, `","`) + `"]`
}

// Existing returns the existing member of a request: a stored event with [Start], [End] and the given members.
func Existing(members ...string) string {
	return listed(`"existing":{`, stored, members, "}")
}

// request returns a request for an operation whose body has the member first, if it is not "", and the other members.
func request(op, first string, members []string) diag.Example {
	return diag.Example{Request: listed(`{"op":"`+op+`","body":{`, first, members, "}}")}
}

// ofStored returns a request with the given beginning about a stored event with the members in others.
func ofStored(beginning string, others []string) diag.Example {
	return diag.Example{Request: listed(beginning+`"existing":{`, stored, others, "}}")}
}

// changed is a sample that changes another one.
type changed struct {
	Sample
	beside           []string // additional members next to the body
	answer, function string
}

func (c changed) Example() diag.Example {
	request := listed("", strings.TrimSuffix(c.Sample.Example().Request, "}"), c.beside, "}")
	return diag.Example{Request: request, Answer: c.answer, Via: c.function}
}

// With returns the sample s with additional members next to its body, such as `"params":{"sendUpdates":"all"}`.
func With(s Sample, beside ...string) Sample { return changed{s, beside, "", ""} }

// Answered is like [With], and adds the answer.
func Answered(s Sample, answer string, beside ...string) Sample {
	return changed{s, beside, answer, ""}
}

// Via is like [Answered], and adds the name of a function that has changed the answer.
func Via(function string, s Sample, answer string, beside ...string) Sample {
	return changed{s, beside, answer, function}
}

// listed returns the member first, if it is not "", and the other members, between before and end.
func listed(before, first string, members []string, end string) string {
	if first != "" {
		members = append([]string{first}, members...)
	}
	return before + strings.Join(members, ",") + end
}
