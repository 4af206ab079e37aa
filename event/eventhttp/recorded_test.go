package eventhttp_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/internal/batch"
)

// What the public service was recorded to refuse is refused in its words, and elsewhere in the library's.
func TestRecorded(t *testing.T) {
	const (
		times    = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
		day      = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
		location = `"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice","homeOffice":{}}`
		open     = `"visibility":"public","transparency":"transparent"`
	)
	insert := func(members string) string { return `{"op":"events.insert","body":{` + members + `}` }
	type item struct{ Domain, Reason, Message, LocationType, Location string }
	invalid := func(message string) item { return item{Domain: "global", Reason: "invalid", Message: message} }
	required := func(message string) item { return item{Domain: "global", Reason: "required", Message: message} }
	for _, test := range []struct {
		line string
		want item
	}{
		{`{"op":"events.list","params":{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T09:00:00Z"}`, item{"calendar", "timeRangeEmpty", "The specified time range is empty.", "parameter", "timeMax"}},
		{`{"op":"freebusy.query","body":{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-03-10T09:00:00Z"}`, item{"calendar", "timeRangeEmpty", "The specified time range is empty.", "parameter", "timeMax"}},
		{`{"op":"freebusy.query","body":{"timeMax":"2026-03-10T09:00:00Z"}`, required("Missing timeMin parameter.")},
		{`{"op":"freebusy.query","grade":{"freebusy.range":"reject"},"body":{"timeMin":"2026-03-10T09:00:00Z","timeMax":"2026-08-10T09:00:00Z"}`, item{Domain: "calendar", Reason: "timeRangeTooLong", Message: "The requested time range is too long."}},
		{`{"op":"calendars.insert","body":{}`, required("Missing title.")},
		{`{"op":"acl.insert","body":{"role":"reader"}`, required("Missing scope type.")},
		{`{"op":"acl.insert","body":{"role":"reader","scope":{}}`, required("Missing scope type.")},
		{insert(day + `,"attendees":[{"email":"no address"}]`), invalid("Invalid attendee email.")},
		{insert(`"start":{"dateTime":"soon"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`), invalid("Invalid start time.")},
		{insert(`"start":{"date":"2026-3-1"},"end":{"date":"2026-03-11"}`), invalid("Invalid start time.")},
		{insert(`"start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Pacific Standard Time"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`), invalid("Invalid time zone definition for start time.")},
		{insert(times + `,"recurrence":["RRULE:FREQ=DAILY"]`), required("Missing time zone definition for start time.")},
		{insert(`"start":{"dateTime":"2026-03-10T09:00:00"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`), invalid("Missing time zone definition for start time.")},
		{`{"op":"events.insert","params":{"conferenceDataVersion":"1"},"body":{` + day + `,"conferenceData":{"createRequest":{"requestId":"a","conferenceSolutionKey":{"type":"zoom"}}}}`, invalid("Invalid conference type value.")},
		{insert(day + `,"colorId":"42"`), invalid("Invalid Value")},
		{`{"op":"events.patch","existing":{"id":"abc12def",` + times + `},"body":{"eventType":"outOfOffice"}`, invalid("Event type cannot be changed.")},
		{`{"op":"events.update","existing":{"id":"abc12def","eventType":"outOfOffice",` + times + `},"body":{` + times + `}`, invalid("Event type cannot be changed.")},
		{insert(day + `,` + location + `,"visibility":"private","transparency":"transparent"`), item{Domain: "calendar", Reason: "malformedWorkingLocationEvent", Message: "A working location event must have a visibility setting of public."}},
		{insert(day + `,` + location + `,"visibility":"public"`), item{Domain: "calendar", Reason: "malformedWorkingLocationEvent", Message: "A working location event must have a transparency setting of transparent."}},
		{insert(`"start":{"date":"2026-03-10"},"end":{"date":"2026-03-12"},` + location + `,` + open), item{Domain: "calendar", Reason: "malformedWorkingLocationEvent", Message: "An all-day working location event must be exactly one day long."}},
		{insert(day + `,"workingLocationProperties":{"type":"homeOffice","homeOffice":{}}`), invalid("workingLocationProperties requires an event type of workingLocation, and vice versa.")},
		{insert(times + `,"outOfOfficeProperties":{}`), invalid("outOfOfficeProperties requires an event type of outOfOffice")},
		{insert(times + `,"eventType":"outOfOffice","outOfOfficeProperties":{},"description":"a"`), item{Domain: "calendar", Reason: "malformedOutOfOfficeEvent", Message: "An out of office event must not have a description."}},
		{insert(day + `,"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"],"visibility":"private","transparency":"transparent","extendedProperties":{"private":{"a":"b"}}`), invalid("'birthday' event type must not have private extended properties.")},
		{`{"op":"events.delete","existing":{"id":"abc12def","eventType":"birthday","birthdayProperties":{"type":"birthday","contact":"people/1"},` + day + `}`, item{Domain: "calendar", Reason: "eventTypeRestriction", Message: "Attempt made to modify 'birthday' event in a way that is not valid for this event type."}},
		{insert(times + `,"eventType":"outOfOffice","outOfOfficeProperties":{},"attendees":[{"email":"ada@example.com"}]`), item{Domain: "calendar", Reason: "malformedOutOfOfficeEvent", Message: "/attendees: The event of type outOfOffice has 1 attendee; it must have none. Leave them out."}},
		{insert(times + `,"eventType":"focusTime","focusTimeProperties":{},"attendees":[{"email":"ada@example.com"}]`), invalid("/attendees: The event of type focusTime has 1 attendee; it must have none. Leave them out.")},
		{insert(day + `,"eventType":"outOfOffice","outOfOfficeProperties":{}`), item{Domain: "calendar", Reason: "malformedOutOfOfficeEvent", Message: "/start: The event of type outOfOffice is all-day; it must be timed. Send dateTime instead of date in start and end."}},
		{`{"op":"events.list","params":{"orderBy":"startTime"}`, item{"global", "invalid", "The requested ordering is not available for the particular query.", "parameter", "orderBy"}},
		{insert(`"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T08:00:00Z"}`), item{Domain: "calendar", Reason: "timeRangeEmpty", Message: "The specified time range is empty."}},
		{insert(`"start":{"date":"2026-03-10"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`), invalid("Start and end times must either both be date or both be dateTime.")},
		{insert(day + `,"eventType":"workingLocation",` + open), required("workingLocationProperties requires an event type of workingLocation, and vice versa.")},
		{`{"op":"events.insert","grade":{"event.recurring-id.written":"reject"},"body":{` + day + `,"recurringEventId":"series1"}`, invalid("Invalid recurringEventId value.")},
		{`{"op":"events.import","grade":{"event.recurring-id.written":"reject"},"body":{` + day + `,"iCalUID":"a@b.example","recurringEventId":"series1"}`, invalid("Invalid iCalUID value.")},
		{`{"op":"events.patch","grade":{"event.organizer-only":"reject"},"caller":{"email":"ada@example.com"},"existing":{"id":"abc12def","organizer":{"email":"bob@example.com"},` + times + `},"body":{"summary":"A"}`,
			item{Domain: "calendar", Reason: "forbiddenForNonOrganizer", Message: "Shared properties can only be changed by the organizer of the event."}},
		{`{"op":"events.patch","grade":{"status.modify-cancelled":"reject"},"existing":{"id":"abc12def_20260310","recurringEventId":"abc12def","originalStartTime":{"date":"2026-03-10"},"status":"cancelled"},"body":{"summary":"A"}`, invalid("Invalid start time.")},
		{`{"op":"events.delete","existing":{"id":"abc12def","status":"cancelled",` + times + `}`, item{Domain: "global", Reason: "deleted", Message: "Resource has been deleted"}},
		{`{"op":"events.watch","body":{"id":"a","type":"web_hook","address":"http://example.com/a"}`, item{Domain: "global", Reason: "push.webhookUrlNotHttps", Message: "WebHook callback must be HTTPS: http://example.com/a"}},
		{`{"op":"events.watch","body":{"id":"a b","type":"web_hook","address":"https://example.com/a"}`, item{Domain: "global", Reason: "push.channelIdInvalid", Message: "/id: The id is \"a b\"; only A-Z, a-z, 0-9 and -_+/= are allowed. Use a UUID."}},
	} {
		var req batch.Request
		if err := req.Read([]byte(test.line + `,"dialect":"google"}`)); err != nil {
			t.Fatalf("%s: %v", test.line, err)
		}
		checker := new(event.Checker)
		if req.Grade != nil {
			checker.Grading = checker.Grading.With(req.Grade)
		}
		result, err := checker.Check(&req.Request)
		if err != nil || result.Err() == nil {
			t.Errorf("%s is accepted: %v", test.line, err)
			continue
		}
		w := httptest.NewRecorder()
		eventhttp.WriteError(w, result.Err())
		var e struct {
			Error struct {
				Message string
				Errors  []struct {
					item
					DebugInfo string
				}
			}
		}
		read(t, w, "application/json; charset=UTF-8", &e)
		first := e.Error.Errors[0]
		if diff := cmp.Diff(test.want, first.item); diff != "" || e.Error.Message != test.want.Message || first.DebugInfo == "" && !strings.HasPrefix(first.Message, "/") {
			t.Errorf("%s: %+v (-want +got):\n%s", test.line, e, diff)
		}
	}
	// The documents' dialect has the library's sentences.
	result, err := event.Check(&event.Request{Op: "events.insert", Body: []byte(`{"start":{"dateTime":"soon"},"end":{"date":"2026-03-11"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings.OfKind(diag.Reject)[:1] {
		w := httptest.NewRecorder()
		eventhttp.WriteError(w, result.Err())
		var e errorForm
		read(t, w, "application/json; charset=UTF-8", &e)
		if got, want := e.Error.Errors[0].Message, string(f.Path)+": "+f.Message(); got != want {
			t.Errorf("the message is %q, want %q", got, want)
		}
	}
}
