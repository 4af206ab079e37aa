// Package sample composes the example requests that document the rules: small, alike, and
// valid but for the one member that a rule is about.
package sample

import "strings"

// Start and End are the members of those names of a timed event: Tuesday 10 March 2026, 09:00
// to 10:00 in New York.
const (
	Start = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"}`
	End   = `"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`
)

const (
	timed  = Start + "," + End
	allDay = `"start":{"date":"2026-03-10","timeZone":"America/New_York"},` +
		`"end":{"date":"2026-03-11","timeZone":"America/New_York"}`
	stored = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","status":"confirmed",` +
		`"created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z",` +
		`"creator":{"email":"owner@example.org","self":true},` +
		`"organizer":{"email":"owner@example.org","self":true},` +
		`"iCalUID":"abc12def@calendar.example.com","sequence":0`
)

// Insert is an insert of a body with exactly these members, each as JSON text such as
// `"summary":"Standup"`.
func Insert(members ...string) string { return Request("events.insert", members) }

// Timed is an insert of an event on Tuesday 10 March 2026, 09:00 to 10:00 in New York, with
// further members.
func Timed(members ...string) string { return Insert(append([]string{timed}, members...)...) }

// AllDay is an insert of an event on the whole of Tuesday 10 March 2026, with further members.
func AllDay(members ...string) string { return Insert(append([]string{allDay}, members...)...) }

// Series is [Timed] with the recurrence lines given.
func Series(lines ...string) string { return Timed(Recurrence(lines...)) }

// Days is [AllDay] with the recurrence lines given.
func Days(lines ...string) string { return AllDay(Recurrence(lines...)) }

// Recurrence is the member recurrence with the lines given, which need no JSON escapes.
func Recurrence(lines ...string) string {
	return `"recurrence":["` + strings.Join(lines, `","`) + `"]`
}

// Response is the check of a representation: a stored event on 10 March 2026, 09:00 to
// 10:00 in New York, with further members.
func Response(members ...string) string {
	return Request("response", append([]string{stored, timed}, members...))
}

// Request is a request for an operation with a body of exactly these members.
func Request(op string, members []string) string {
	return `{"op":"` + op + `","body":{` + strings.Join(members, ",") + `}}`
}

// With adds members beside the body, such as `"params":{"sendUpdates":"all"}`, to a request
// that this package made.
func With(request string, members ...string) string {
	return strings.TrimSuffix(request, "}") + "," + strings.Join(members, ",") + "}"
}
