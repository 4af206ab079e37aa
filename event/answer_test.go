package event_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// checkAnswer compares the event in the answer to the case. New ids are "newid".
func checkAnswer(t *testing.T, c ruleCase, want string) {
	t.Helper()
	checker := event.Checker{NewID: func() string { return "newid" }}
	result := must(checker.Check(c.request(t)))
	if !result.Accepted {
		t.Fatalf("%s is refused: %v", c.text(), result.Findings)
	}
	if diff := cmp.Diff(decoded(t, want), decoded(t, marshal(t, result.Answer))); diff != "" {
		t.Errorf("answer to %s (-want +got):\n%s", c.text(), diff)
	}
}

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

// created returns what is stored after an insert of a timed event with the members.
func created(members ...string) string {
	return object(append([]string{timed, `"kind":"calendar#event","id":"newid","status":"confirmed","eventType":"default"`}, members...)...)
}

func TestAnswerOfInsert(t *testing.T) {
	ada := &operation.Caller{Email: "ada@example.com"}
	const twoAttendees = `"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`
	for _, test := range []struct {
		ruleCase
		stored string
	}{
		{ruleCase{name: "minimal"}, created()},
		{ruleCase{name: "id/kept", members: `"id":"abcde"`}, object(timed, `"id":"abcde","kind":"calendar#event","status":"confirmed","eventType":"default"`)},
		{ruleCase{name: "id/null", members: `"id":null`}, created()},
		{ruleCase{name: "status/kept", members: `"status":"tentative"`}, object(timed, `"id":"newid","kind":"calendar#event","status":"tentative","eventType":"default"`)},
		{ruleCase{name: "uid/kept", members: `"iCalUID":"a@example.com"`}, created(`"iCalUID":"a@example.com"`)},

		{ruleCase{name: "read-only/event", members: `"created":"2026-01-05T08:00:00Z","updated":"2026-01-05T08:00:00Z","creator":{"email":"a@example.com"},"locked":true`}, created()},
		{ruleCase{name: "read-only/server-set", members: `"etag":"1","htmlLink":"https://example.com/","videoLink":"https://example.com/"`}, created()},
		{ruleCase{name: "read-only/organizer", members: `"organizer":{"email":"chair@example.com","self":true}`}, created()},
		{ruleCase{name: "read-only/attendee", members: `"attendees":[{"email":"a@example.com","organizer":true,"self":true,"asyncOperation":"inProgress","id":"1"}]`},
			created(`"attendees":[{"email":"a@example.com","id":"1"}]`)},
		{ruleCase{name: "read-only/attachment", params: "supportsAttachments=true", members: `"attachments":[{"fileUrl":"https://example.com/1","fileId":"1","iconLink":"https://example.com/i"}]`},
			created(`"attachments":[{"fileUrl":"https://example.com/1"}]`)},
		{ruleCase{name: "read-only/gadget", members: `"gadget":{"title":"Cake","link":"https://example.com/","iconLink":"https://example.com/"}`}, created(`"gadget":{"title":"Cake"}`)},
		{ruleCase{name: "read-only/birthday", base: birthday, members: `"birthdayProperties":{"type":"birthday","contact":"people/c1","customTypeName":"x"}`},
			object(birthday, `"kind":"calendar#event","id":"newid","status":"confirmed","birthdayProperties":{"type":"birthday"}`)},

		{ruleCase{name: "label/version-0", members: `"colorId":"5"`}, created(`"colorId":"5"`)},
		{ruleCase{name: "label/version-1", params: "eventLabelVersion=1", members: `"colorId":"5","eventLabelId":"urgent"`}, created(`"eventLabelId":"urgent"`)},
		{ruleCase{name: "label/version-1-without", params: "eventLabelVersion=1", members: `"colorId":"5"`}, created()},
		{ruleCase{name: "label/version-1-empty", params: "eventLabelVersion=1", members: `"colorId":""`}, created()},

		{ruleCase{name: "conference/version-0", members: conferenceRequest}, created()},
		{ruleCase{name: "conference/version-0-sent", params: "conferenceDataVersion=0", members: conferenceRequest}, created()},
		{ruleCase{name: "conference/pending", params: "conferenceDataVersion=1", members: conferenceRequest},
			created(`"conferenceData":{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"},"status":{"statusCode":"pending"}}}`)},
		{ruleCase{name: "conference/status-sent", params: "conferenceDataVersion=1", members: `"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"failure"}}}`},
			created(`"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}`)},

		{ruleCase{name: "organizer/caller", members: twoAttendees, caller: ada}, created(`"attendees":[{"email":"ada@example.com","organizer":true},{"email":"bob@example.com"}]`)},
		{ruleCase{name: "organizer/case-of-domain", members: `"attendees":[{"email":"ada@EXAMPLE.com"}]`, caller: ada}, created(`"attendees":[{"email":"ada@EXAMPLE.com","organizer":true}]`)},
		{ruleCase{name: "organizer/case-before-the-at", members: `"attendees":[{"email":"Ada@example.com"}]`, caller: ada}, created(`"attendees":[{"email":"Ada@example.com"}]`)},
		{ruleCase{name: "organizer/not-invited", members: `"attendees":[{"email":"bob@example.com"}]`, caller: ada}, created(`"attendees":[{"email":"bob@example.com"}]`)},
		{ruleCase{name: "organizer/sent-for-another", members: `"attendees":[{"email":"bob@example.com","organizer":true}]`, caller: ada}, created(`"attendees":[{"email":"bob@example.com"}]`)},

		{ruleCase{name: "max-attendees/as-many", params: "maxAttendees=2", members: twoAttendees}, created(twoAttendees)},
		{ruleCase{name: "max-attendees/more", params: "maxAttendees=1", members: twoAttendees, caller: ada}, created(`"attendees":[{"email":"ada@example.com","organizer":true}],"attendeesOmitted":true`)},
		{ruleCase{name: "max-attendees/unknown-caller", params: "maxAttendees=1", members: twoAttendees}, created(`"attendeesOmitted":true`)},
		{ruleCase{name: "max-attendees/none-invited", params: "maxAttendees=1"}, created()},

		{ruleCase{name: "working-location/other-fields", base: workingLocation, members: `"workingLocationProperties":{"type":"officeLocation","homeOffice":{},"customLocation":{"label":"x"},"officeLocation":{"label":"HQ"}}`},
			object(workingLocation, `"kind":"calendar#event","id":"newid","status":"confirmed","workingLocationProperties":{"type":"officeLocation","officeLocation":{"label":"HQ"}}`)},

		{ruleCase{name: "null/top", members: `"summary":null,"attendees":null,"reminders":null,"guestsCanModify":null`}, created()},
		{ruleCase{name: "null/nested", members: `"attendees":[{"email":"a@example.com","comment":null}],"source":{"title":"x","url":null}`},
			created(`"attendees":[{"email":"a@example.com"}],"source":{"title":"x"}`)},
		{ruleCase{name: "null/map", members: `"extendedProperties":{"private":{"a":null,"b":"1"},"shared":null}`}, created(`"extendedProperties":{"private":{"b":"1"}}`)},
		{ruleCase{name: "null/unknown", members: `"x":null`}, created()},
		{ruleCase{name: "null/within-unknown", members: `"x":{"y":null}`}, created(`"x":{"y":null}`)},

		{ruleCase{name: "zero/strings", members: `"summary":"","location":"","description":""`}, created(`"summary":"","location":"","description":""`)},
		{ruleCase{name: "zero/booleans", members: `"guestsCanInviteOthers":false,"guestsCanModify":false,"guestsCanSeeOtherGuests":false,"attendeesOmitted":false`},
			created(`"guestsCanInviteOthers":false,"guestsCanModify":false,"guestsCanSeeOtherGuests":false,"attendeesOmitted":false`)},
		{ruleCase{name: "zero/integers", members: `"sequence":0,"attendees":[{"email":"a@example.com","additionalGuests":0}],` + reminders(`{"method":"popup","minutes":0}`)},
			created(`"sequence":0,"attendees":[{"email":"a@example.com","additionalGuests":0}],` + reminders(`{"method":"popup","minutes":0}`))},
		{ruleCase{name: "zero/lists", members: `"attendees":[],"attachments":[],"extendedProperties":{"private":{}}`}, created(`"attendees":[],"attachments":[],"extendedProperties":{"private":{}}`)},
		{ruleCase{name: "zero/integral", members: `"sequence":2.0`}, created(`"sequence":2`)},

		{ruleCase{name: "unknown/top", members: `"x":{"a":[1.50,"é"]},"Summary":"y"`}, created(`"Summary":"y"`, `"x":{"a":[1.5,"é"]}`)},
		{ruleCase{name: "unknown/nested", members: `"attendees":[{"email":"a@example.com","nick":"A"}],"source":{"x":1}`}, created(`"attendees":[{"email":"a@example.com","nick":"A"}],"source":{"x":1}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkAnswer(t, test.ruleCase, test.stored)
		})
	}
}

func TestAnswerOfResponse(t *testing.T) {
	const (
		both      = `"attendees":[{"email":"owner@example.com"},{"email":"bob@example.com","self":true}]`
		confirmed = `"status":"confirmed"` // its default
		marked    = `"attendees":[{"email":"owner@example.com","organizer":true},{"email":"bob@example.com","self":true}]`
	)
	for _, test := range []struct {
		ruleCase
		want string
	}{
		{ruleCase{name: "unchanged"}, object(storedTimed, confirmed)},
		{ruleCase{name: "no-other-defaults", body: object(timed, `"id":"abc12"`)}, object(timed, confirmed, `"id":"abc12"`)},
		{ruleCase{name: "cancelled", body: `{"status":"cancelled","id":"abc12"}`}, `{"status":"cancelled","id":"abc12"}`},
		{ruleCase{name: "organizer/marked", members: both}, object(storedTimed, confirmed, marked)},
		{ruleCase{name: "organizer/unknown", body: object(timed, both)}, object(timed, confirmed, both)},
		{ruleCase{name: "organizer/not-the-caller", members: `"attendees":[{"email":"ada@example.com"}]`, caller: &operation.Caller{Email: "ada@example.com"}},
			object(storedTimed, confirmed, `"attendees":[{"email":"ada@example.com"}]`)},
		{ruleCase{name: "max-attendees/as-many", params: "maxAttendees=2", members: both}, object(storedTimed, confirmed, marked)},
		{ruleCase{name: "max-attendees/self", params: "maxAttendees=1", members: both}, object(storedTimed, confirmed, `"attendees":[{"email":"bob@example.com","self":true}],"attendeesOmitted":true`)},
		{ruleCase{name: "max-attendees/self-before-caller", params: "maxAttendees=1", members: both, caller: &operation.Caller{Email: "owner@example.com"}},
			object(storedTimed, confirmed, `"attendees":[{"email":"bob@example.com","self":true}],"attendeesOmitted":true`)},
		{ruleCase{name: "unknown", members: `"x":1`}, object(storedTimed, confirmed, `"x":1`)},
		{ruleCase{name: "conference", members: `"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}`},
			object(storedTimed, confirmed, `"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}`)},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.op = operation.Response
			checkAnswer(t, test.ruleCase, test.want)
		})
	}
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
	if result := must(event.Check(ruleCase{}.request(t))); result.Answer.ID != "" {
		t.Errorf("ID = %q, want none without NewID", result.Answer.ID)
	}
}

// NewID is called only if the new id is stored.
func TestNewIDCalls(t *testing.T) {
	for _, test := range []struct {
		ruleCase
		calls int
	}{
		{ruleCase{name: "absent"}, 1},
		{ruleCase{name: "given", members: `"id":"abcde"`}, 0},
		{ruleCase{name: "refused", members: `"status":"x"`}, 0},
		{ruleCase{name: "response", op: operation.Response, body: object(timed)}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			calls := 0
			checker := event.Checker{NewID: func() string { calls++; return "newid" }}
			must(checker.Findings(test.request(t)))
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
	c := ruleCase{body: full, params: "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true&maxAttendees=5", caller: &operation.Caller{Email: "ada@example.com"}}
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
