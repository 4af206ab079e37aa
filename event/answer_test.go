package event_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// decoded returns JSON as comparable values.
func decoded(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

func marshal(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Null means absence in a decoded Go value, too.
func TestAnswerOfValueWithNull(t *testing.T) {
	e := read(t, object(timed, `"summary":null,"source":{"title":"x","url":null}`))
	result := must(event.Check(&event.Request{Op: operation.EventsInsert, Event: e}))
	if !result.Accepted {
		t.Fatal(result.Findings)
	}
	want := object(timed, `"kind":"calendar#event","status":"confirmed","eventType":"default","source":{"title":"x"}`)
	if diff := cmp.Diff(decoded(t, want), decoded(t, marshal(t, result.Answer))); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestAnswerWithoutNewID(t *testing.T) {
	if result := must(event.Check(bodyRequest{}.request(t))); result.Answer.ID != "" {
		t.Errorf("ID = %q, want none without NewID", result.Answer.ID)
	}
}

// NewID is called only if the new id is stored.
func TestNewIDCalls(t *testing.T) {
	for _, test := range []struct {
		bodyRequest
		calls int
	}{
		{bodyRequest{name: "absent"}, 1},
		{bodyRequest{name: "given", members: `"id":"abcde"`}, 0},
		{bodyRequest{name: "refused", members: `"status":"x"`}, 0},
		{bodyRequest{name: "response", op: operation.Response, body: object(timed)}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := 0
			checker := event.Checker{NewID: func() string { calls++; return "newid" }}
			must(checker.Find(test.request(t)))
			if calls != 0 {
				t.Error("Findings calls NewID")
			}
			must(checker.Check(test.request(t)))
			if calls != test.calls {
				t.Errorf("NewID is called %d times, want %d", calls, test.calls)
			}
		})
	}
}

// full is a body with a value for every member that is a pointer, a slice or a map in Go.
const full = `{` + timed + `,"summary":"Standup","x":{"y":1},"eventLabelId":"urgent","guestsCanInviteOthers":false,"guestsCanSeeOtherGuests":true,` +
	`"creator":{"email":"c@example.com"},"organizer":{"email":"o@example.com"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"],` +
	`"attendees":[{"email":"ada@example.com","comment":"a"},{"email":"bob@example.com"}],` +
	`"extendedProperties":{"private":{"a":"1"},"shared":{"b":"2"}},"gadget":{"width":1,"height":2,"preferences":{"p":"q"}},` +
	`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10}]},"source":{"title":"t","url":"https://example.com/"},` +
	`"attachments":[{"fileUrl":"https://example.com/1","title":"Agenda"}],` +
	`"conferenceData":{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}},"entryPoints":[{"entryPointType":"phone","uri":"tel:+15550100"}]},` +
	`"workingLocationProperties":{"type":"homeOffice","homeOffice":{"a":1}},"outOfOfficeProperties":{"declineMessage":"x"},` +
	`"focusTimeProperties":{"declineMessage":"x"},"birthdayProperties":{"type":"birthday"},"originalStartTime":{"date":"2026-03-10"}}`

// overwrite writes to everything that e refers to.
func overwrite(e *event.Event) {
	e.Start.DateTime, e.End.TimeZone, e.OriginalStartTime.Date = "!", "!", "!"
	if e.EventLabelID != nil {
		*e.EventLabelID = "!"
	}
	*e.GuestsCanInviteOthers, *e.GuestsCanSeeOtherGuests = true, false
	e.Recurrence[0] = "!"
	e.Attendees[0].Email, e.Attendees[1].Comment = "!", "!"
	e.ExtendedProperties.Private["a"], e.ExtendedProperties.Shared["!"] = "!", "!"
	*e.Gadget.Width, e.Gadget.Preferences["p"] = 99, "!"
	*e.Reminders.UseDefault, e.Reminders.Overrides[0].Method = true, "!"
	*e.Reminders.Overrides[0].Minutes = 99
	e.Source.URL, e.Attachments[0].Title = "!", "!"
	if c := e.ConferenceData; c != nil {
		c.CreateRequest.RequestID, c.CreateRequest.SolutionKey.Type, c.EntryPoints[0].URI = "!", "!", "!"
	}
	copy(e.WorkingLocationProperties.HomeOffice, `{"!":99}`)
	e.OutOfOfficeProperties.DeclineMessage, e.FocusTimeProperties.DeclineMessage, e.BirthdayProperties.Type = "!", "!", "!"
}

// The answer shares no memory with the request, and the request is not modified.
func TestAnswerSharesNothing(t *testing.T) {
	c := bodyRequest{body: full, params: "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true&maxAttendees=5", caller: &operation.Caller{Email: "ada@example.com"}}
	checker := event.Checker{NewID: func() string { return "newid" }}
	t.Run("value", func(t *testing.T) {
		req := c.request(t)
		req.Event, req.Body = read(t, full), nil
		result := must(checker.Check(req))
		if !result.Accepted {
			t.Fatal(result.Findings)
		}
		overwrite(result.Answer)
		if diff := cmp.Diff(decoded(t, full), decoded(t, marshal(t, req.Event))); diff != "" {
			t.Errorf("the request has changed (-before +after):\n%s", diff)
		}
	})
	t.Run("text", func(t *testing.T) {
		req := c.request(t)
		first := must(checker.Check(req))
		overwrite(first.Answer)
		if string(req.Body) != full {
			t.Errorf("the body has changed: %s", req.Body)
		}
		want := marshal(t, must(checker.Check(c.request(t))).Answer)
		result := must(checker.Check(req))
		for i := range req.Body {
			req.Body[i] = 'x' // a caller may reuse the buffer
		}
		if got := marshal(t, result.Answer); got != want {
			t.Errorf("the answer shares the buffer of the body: %s, want %s", got, want)
		}
	})
	t.Run("max-attendees", func(t *testing.T) {
		req := c.request(t)
		req.Event, req.Body = read(t, full), nil
		req.Params["maxAttendees"] = []string{"1"}
		result := must(checker.Check(req))
		result.Answer.Attendees = append(result.Answer.Attendees, event.Attendee{Email: "eve@example.com"})
		result.Answer.Attendees[0].Email = "!"
		if diff := cmp.Diff(decoded(t, full), decoded(t, marshal(t, req.Event))); diff != "" {
			t.Errorf("the request has changed (-before +after):\n%s", diff)
		}
	})
}

// Advice about a value leaves the value open in the response, wherever it is there. Advice about all parts of a value leaves the
// value open. Unknown members within known members are open too. A caller's rule can advise against a value that was not sent.
func TestOpenValues(t *testing.T) {
	const a, b = `{"email":"a@x.example","comment":"A"}`, `{"email":"b@x.example","comment":"B"}`
	const otherA, otherB = `{"email":"a@x.example","comment":"other"}`, `{"email":"b@x.example","comment":"other"}`
	guests := func(list ...string) string { return `"attendees":[` + strings.Join(list, ",") + `]` }
	const source = `"source":{"title":"T","url":"https://x.example/"}`
	for _, test := range []struct {
		advice, sent, answer string
		want                 string // the paths of the differences that are not open
	}{
		{"", guests(a, b), guests(a, otherB), "/attendees/1/comment"},
		{"/attendees/1/comment", guests(a, b), guests(a, otherB), ""},
		{"/attendees/1/comment", guests(a, b), guests(otherB, a), ""},
		{"/attendees/1/comment", guests(a, b), guests(otherA, b), "/attendees/0/comment"},
		{"/attendees/1/comment", guests(a), guests(otherA), "/attendees/0/comment"},
		{"/comment", guests(a), guests(otherA), "/attendees/0/comment"},
		{"/attendees/0/comment", guests(a), guests(a, b), "/attendees/1"},
		{"", guests(`{"email":"a@x.example","x":1}`), guests(`{"email":"a@x.example","x":2}`), ""},
		{"", `"extendedProperties":{"private":{"k":"v"}}`, `"extendedProperties":{"private":{"k":"w"}}`, "/extendedProperties/private/k"},
		{"/source/url", source, ``, "/source"},
		{"/source/title /source/url", source, ``, ""},
		{"/source/title /source/url", source, `"source":{"title":"U","url":"https://x.example/"}`, ""},
	} {
		rule := &diag.Rule{
			ID: "company.advice", Kind: diag.Advise, When: diag.Write, Basis: diag.Inferred, Scope: diag.OfEvent, Reads: []string{"source", "attendees"},
			Summary: "Nothing is there.",
			Section: "company handbook, Advice",
			Good:    diag.Example{Request: `{"op":"events.insert","body":{}}`},
			Bad:     diag.Example{Request: `{"op":"events.insert","body":{"location":"x"}}`},
			Says:    diag.Sentences{{Key: "there", Text: "Remove it."}},
			Check: func(_ event.View, r diag.Reporter) {
				for _, path := range strings.Fields(test.advice) {
					r.Report(diag.Pointer(path), "there")
				}
			},
		}
		req := &event.Request{Op: operation.EventsInsert, Body: []byte(object(timed, test.sent)), Answer: []byte(object(timed, `"id":"abcde","status":"confirmed"`, test.answer))}
		var got []string
		for _, f := range must(must(new(event.Checker).WithRules(rule)).Check(req)).AnswerFindings {
			got = append(got, string(f.Path))
		}
		if all := strings.Join(got, " "); all != test.want {
			t.Errorf("with advice about %s, %s may not become %s at %s, want %s", test.advice, test.sent, test.answer, all, test.want)
		}
	}
}
