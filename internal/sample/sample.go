// Package sample builds the example requests that document the rules. They are small, similar to
// each other, and valid except for the member that a rule is about.
package sample

import "strings"

// Start and End are the members start and end of a timed event on Tuesday 10 March 2026, 09:00 to
// 10:00 in New York.
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

// Insert returns an insert of a body with the members, each as JSON text such as
// `"summary":"Standup"`.
func Insert(members ...string) string { return Request("events.insert", members) }

// Timed returns an insert of an event with [Start], [End] and the other members.
func Timed(members ...string) string { return Insert(append([]string{timed}, members...)...) }

// AllDay returns an insert of an all-day event on Tuesday 10 March 2026 with the other members.
func AllDay(members ...string) string { return Insert(append([]string{allDay}, members...)...) }

// Series is [Timed] with recurrence lines.
func Series(lines ...string) string { return Timed(Recurrence(lines...)) }

// Days is [AllDay] with recurrence lines.
func Days(lines ...string) string { return AllDay(Recurrence(lines...)) }

// Recurrence returns the member recurrence with the lines, which must not need JSON escapes.
func Recurrence(lines ...string) string {
	return `"recurrence":["` + strings.Join(lines, `","`) + `"]`
}

// Response returns the check of a representation: a stored event with [Start], [End] and the other
// members.
func Response(members ...string) string {
	return Request("response", append([]string{stored, timed}, members...))
}

// Request returns a request for an operation with a body that has the members.
func Request(op string, members []string) string {
	return `{"op":"` + op + `","body":{` + strings.Join(members, ",") + `}}`
}

// With adds members next to the body, such as `"params":{"sendUpdates":"all"}`, to a request from
// this package.
func With(request string, members ...string) string {
	return strings.TrimSuffix(request, "}") + "," + strings.Join(members, ",") + "}"
}
