package event_test

import (
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// TestSentences has requests, and what is said first about them.
func TestSentences(t *testing.T) {
	const stored = `{"id":"abcde","start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`
	const otherForm = `To change the form, send the other member as null in both start and end, as in {"date": null, "dateTime": "2026-03-10T09:00:00Z"} or {"date": "2026-03-10", "dateTime": null}.`
	timed := func(members string) string {
		return `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"},` + members + `}`
	}
	for _, test := range []struct {
		op           operation.ID
		body, broken string
		want         string
	}{
		{operation.EventsInsert, "nope\n", ruleid.JSONSyntax,
			`The body must be one well-formed JSON object: expected the rest of true, false or null, found "o" (byte 2).`},
		{operation.EventsInsert, "null", ruleid.JSONSyntax, `The body is null; it must be one JSON object.`},
		{operation.EventsInsert, `[1,`, ruleid.JSONSyntax, `The body must be one well-formed JSON object: unexpected end of input (byte 4).`},
		{operation.EventsPatch, `{"start":{"dateTime":"2026-03-10T11:00:00Z"}}`, ruleid.TimeOrder,
			"The end 2026-03-10T10:00:00Z is before the start 2026-03-10T11:00:00Z. Send an end after the start. The patch moves only the start, past the stored end. Send the end too."},
		{operation.EventsPatch, `{"end":{"dateTime":"2026-03-10T08:00:00Z"}}`, ruleid.TimeOrder,
			"The end 2026-03-10T08:00:00Z is before the start 2026-03-10T09:00:00Z. Send an end after the start. The patch moves only the end, before the stored start. To move the event, send the start too."},
		{operation.EventsPatch, `{"start":{"dateTime":"2026-03-10T11:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`, ruleid.TimeOrder,
			"The end 2026-03-10T10:00:00Z is before the start 2026-03-10T11:00:00Z. Send an end after the start."},
		{operation.EventsPatch, `{"start":{"date":"2026-03-10","dateTime":null},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`, ruleid.TimeSameForm,
			"The end has a dateTime, but the start has a date. Send a date for both, or a dateTime for both. " + otherForm},
		{operation.EventsPatch, `{"start":{"date":"2026-03-10","dateTime":"2026-03-10T10:00:00Z"}}`, ruleid.TimeOneForm,
			"The time has both date and dateTime. Send date for an all-day event, or dateTime for a timed event. " + otherForm},
		{operation.EventsInsert, `{"start":{"dateTime":"2026-03-08T02:30:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-08T03:30:00","timeZone":"America/New_York"}}`, ruleid.TimeEmpty,
			"The end 2026-03-08T03:30:00 in America/New_York is the same instant as the start 2026-03-08T02:30:00 in America/New_York (which the clock skips, so it means 2026-03-08T03:30:00-04:00), " +
				"so the event has no duration. Send an end after the start."},
		{operation.EventsInsert, timed(`"reminders":{"useDefault":false,"overrides":[{"method":"popup"}]}`), ruleid.RemindersMinutes,
			"The value of minutes is required; it must be from 0 to 40320. A generated Go client omits a 0 unless ForceSendFields lists the field."},
		{operation.EventsInsert, timed(`"reminders":{"overrides":[{"method":"popup","minutes":5}]}`), ruleid.RemindersOverridesAlone,
			`The reminders have 1 override but no useDefault; the service may assume true and reject the request. Send "useDefault": false. A generated Go client omits a false unless ForceSendFields lists the field.`},
		{operation.EventsInsert, timed(`"recurrence":["RRULE:FREQ=DAILY",5]`), ruleid.JSONType, "Element 2 is the number 5; it must be a string."},
		{operation.EventsInsert, timed(`"attachments":[` + strings.Repeat(`{"fileUrl":"https://example.com/1"},`, 25) + `{"fileUrl":"https://example.com/1"}]`), ruleid.AttachmentsMax,
			"There are 26 attachments, but at most 25 are allowed. Remove 1."},
	} {
		req := &event.Request{Op: test.op, Body: []byte(test.body)}
		if test.op == operation.EventsPatch {
			req.Existing, _ = event.Decode([]byte(stored), diag.Documents)
		}
		result, err := event.Check(req)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, f := range result.Findings {
			if !found && f.Is(test.broken) {
				found = true
				if f.Message() != test.want {
					t.Errorf("%s\ngot  %s\nwant %s", test.body, f.Message(), test.want)
				}
			}
		}
		if !found {
			t.Errorf("%s does not break %s: %v", test.body, test.broken, result.Findings)
		}
	}
}

// TestRefusalOfCause: the service refuses a patch that makes the end precede the start as it refuses such an event.
func TestRefusalOfCause(t *testing.T) {
	stored, _ := event.Decode([]byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`), diag.Documents)
	result, err := event.Check(&event.Request{Op: operation.EventsPatch, Existing: stored, Body: []byte(`{"start":{"date":"2026-03-20"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Findings.OfKind(diag.Reject) {
		if status, reason := f.Refusal(); !f.Is(ruleid.TimeOrder) || status != 400 || reason != "timeRangeEmpty" {
			t.Errorf("%v: %d %s", f, status, reason)
		}
	}
	if len(result.Findings.OfKind(diag.Reject)) != 1 {
		t.Errorf("one fault has the findings %v", result.Findings)
	}
}

// TestFractionInAnswer: the public service drops fractions of a second from its answers; what is stored keeps them, and so
// does what is written in the dialect of the documents.
func TestFractionInAnswer(t *testing.T) {
	const sent = "2026-03-10T09:00:00.25-04:00"
	body := []byte(`{"start":{"dateTime":"` + sent + `"},"end":{"dateTime":"2026-03-10T15:00:00.000Z"}}`)
	for dialect, want := range map[diag.Dialect]string{diag.Documents: sent, diag.Google: "2026-03-10T09:00:00-04:00"} {
		result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: body, Dialect: dialect})
		if err != nil {
			t.Fatal(err)
		}
		if got := result.Stored.Start.DateTime; got != sent {
			t.Errorf("%s: the stored start is %s, want %s", dialect, got, sent)
		}
		if e := result.Answer; e.Start.DateTime != want || e.End.DateTime != "2026-03-10T15:00:00.000Z" {
			t.Errorf("%s: the answer is %v, want a start at %s", dialect, e, want)
		}
	}
}
