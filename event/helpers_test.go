package event_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Bases are members of bodies without findings. A test case adds its own.
const (
	timed  = timedStart + "," + timedEnd
	allDay = `"start":{"date":"2026-03-10","timeZone":"America/New_York"},"end":{"date":"2026-03-11","timeZone":"America/New_York"}`
	series = timed + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`

	timedStart = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"}`
	timedEnd   = `"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`

	birthday          = allDay + `,"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"]`
	focusTime         = timed + `,"eventType":"focusTime"`
	outOfOffice       = timed + `,"eventType":"outOfOffice"`
	conferenceRequest = `"conferenceData":{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}}}`

	// Members that a server returns.
	stored = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","htmlLink":"https://calendar.example.com/event?eid=1",` +
		`"created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z","creator":{"email":"owner@example.com","self":true},` +
		`"organizer":{"email":"owner@example.com","self":true},"iCalUID":"abc12def@calendar.example.com","sequence":0`
	storedTimed = stored + "," + timed
)

// bodyRequest is a request with a body.
type bodyRequest struct {
	name string
	op   operation.ID // if empty, events.insert

	base    string // members of the body before those of the case; if empty, timed, or storedTimed for a response
	members string
	body    string // the whole body, in place of base and members

	params   string // a query string
	caller   *operation.Caller
	calendar *operation.Calendar
	series   string // the members of the recurring event
}

func (c bodyRequest) text() string {
	switch {
	case c.body != "":
		return c.body
	case c.base == "" && c.op == operation.Response:
		return object(storedTimed, c.members)
	case c.base == "":
		return object(timed, c.members)
	default:
		return object(c.base, c.members)
	}
}

func (c bodyRequest) request(t testing.TB) *event.Request {
	t.Helper()
	req := &event.Request{Op: c.op, Body: []byte(c.text()), Caller: c.caller, Calendar: c.calendar}
	if req.Op == "" {
		req.Op = operation.EventsInsert
	}
	if c.params != "" {
		query, err := url.ParseQuery(c.params)
		if err != nil {
			t.Fatal(err)
		}
		req.Params = operation.Params(query)
	}
	if c.series != "" {
		req.Series = read(t, object(c.series))
	}
	return req
}

// changeRequest is a request about a stored event.
type changeRequest struct {
	op     operation.ID // if empty, events.patch
	stored string       // members of the stored event after those of storedPlain; "-" for no stored event
	sent   string       // members of the body, if the operation has one; for an update, after timed

	params operation.Params
	caller *operation.Caller
	tag    string // If-Match
	etag   string // of the stored event; if empty, that of storedPlain
	days   string // members of the stored event in place of storedPlain
}

const (
	update = operation.EventsUpdate

	// storedPlain are the members of a stored event that an update without further members does not change.
	storedPlain = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","created":"2026-01-05T08:00:00.000Z",` +
		`"updated":"2026-01-06T09:30:00.123Z","creator":{"email":"owner@example.com"},"iCalUID":"abc12def@calendar.example.com",` + timed
)

func (c changeRequest) request(t *testing.T) *event.Request {
	t.Helper()
	req := &event.Request{Op: c.op, Params: c.params, Caller: c.caller, IfMatch: c.tag}
	switch req.Op {
	case "":
		req.Op, req.Body = operation.EventsPatch, json.RawMessage(object(c.sent))
	case update:
		req.Body = []byte(object(timed, c.sent))
	}
	if c.stored != "-" {
		base := storedPlain
		if c.days != "" {
			base = c.days
		}
		req.Existing = read(t, object(base, c.stored))
		if c.etag != "" {
			req.Existing.ETag = c.etag
		}
	}
	return req
}

// object returns a JSON object with the members, except empty ones.
func object(members ...string) string {
	return "{" + strings.Join(slices.DeleteFunc(members, func(m string) bool { return m == "" }), ",") + "}"
}

// numbered returns a JSON array of n elements. The element is a format of its index.
func numbered(n int, element string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+element, i)
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]"
}

// array returns a JSON array of n equal elements.
func array(n int, element string) string {
	return "[" + strings.Join(slices.Repeat([]string{element}, n), ",") + "]"
}

// quoted returns s as a JSON string.
func quoted(s string) string {
	text, _ := json.Marshal(s) // cannot fail for a string
	return string(text)
}

// read decodes an event without errors.
func read(t fataler, text string) *event.Event {
	t.Helper()
	e := new(event.Event)
	if err := json.Unmarshal([]byte(text), e); err != nil {
		t.Fatal(err, text)
	}
	return e
}

// describe returns findings as "rule path", with the kind after "=" if it is not that of the rule.
func describe(findings diag.Findings) []string {
	all := []string{}
	for _, f := range findings {
		text := f.Rule.ID
		if f.Kind != f.Rule.Kind {
			text += "=" + string(f.Kind)
		}
		all = append(all, text+" "+string(f.Path))
	}
	return all
}

// must returns v. It panics if there is an error, which these requests do not have.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
