package event_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// The stories are the most common mistakes of users of patch and update.

const (
	meeting = `{"id":"abc12def","etag":"\"1\"","status":"confirmed","summary":"Planning",
		"created":"2026-01-05T08:00:00Z","updated":"2026-01-06T09:30:00Z",
		"creator":{"email":"owner@example.com"},"organizer":{"email":"owner@example.com"},
		"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},
		"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"},
		"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com","responseStatus":"accepted"}],
		"reminders":{"useDefault":true},
		"conferenceData":{"conferenceSolution":{"key":{"type":"videoMeet"}},"conferenceId":"abc-defg-hij","entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/abc-defg-hij"}]}}`
	holiday = `{"id":"abc12def","status":"confirmed","summary":"Holiday","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
)

// story is a request about a stored event.
type story struct {
	op     operation.ID
	stored string
	sent   string
	params operation.Params
	caller *operation.Caller
}

func (s story) check(t *testing.T) event.Result {
	t.Helper()
	req := &event.Request{Op: s.op, Params: s.params, Caller: s.caller}
	if s.sent != "" {
		req.Body = []byte(s.sent)
	}
	if s.stored != "" {
		req.Existing = read(t, s.stored)
	}
	return must(event.Check(req))
}

// found returns the findings as "kind path rule".
func found(result event.Result) []string {
	var list []string
	for _, f := range result.Findings {
		if f.Rule.ID == sendUpdatesAbsent {
			continue // the stories have no parameters
		}
		list = append(list, fmt.Sprintf("%s %s %s", f.Kind, f.Path, f.Rule.ID))
	}
	return list
}

func expect(t *testing.T, result event.Result, accepted bool, want ...string) {
	t.Helper()
	if result.Accepted != accepted {
		t.Errorf("Accepted = %t, want %t", result.Accepted, accepted)
	}
	if diff := cmp.Diff(want, found(result)); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
}

func TestAllDayToTimedWithoutNullIsRejected(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: holiday,
		sent: `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`}.check(t)
	expect(t, result, false,
		"reject /start patch.whole", "reject /end patch.whole")
}

func TestAllDayToTimedWithNull(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: holiday,
		sent: `{"start":{"date":null,"dateTime":"2026-03-10T09:00:00Z"},"end":{"date":null,"dateTime":"2026-03-10T10:00:00Z"}}`}.check(t)
	expect(t, result, true)
	if got := result.Answer.Start; got.Date != "" || got.DateTime != "2026-03-10T09:00:00Z" {
		t.Errorf("start is %+v", got)
	}
}

func TestAllDayToTimedByUpdateNeedsNoNull(t *testing.T) {
	result := story{op: operation.EventsUpdate, stored: holiday,
		sent: `{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`}.check(t)
	expect(t, result, true)
	if got := result.Answer; got.Start.Date != "" || got.Summary != "" {
		t.Errorf("the update keeps %+v and the summary %q", got.Start, got.Summary)
	}
}

func TestUpdateWithoutAttendeesRemovesAll(t *testing.T) {
	result := story{op: operation.EventsUpdate, stored: meeting,
		sent: `{"summary":"Planning","start":{"dateTime":"2026-03-10T09:00:00-04:00"},"end":{"dateTime":"2026-03-10T10:00:00-04:00"}}`}.check(t)
	expect(t, result, true)
	if len(result.Answer.Attendees) != 0 {
		t.Errorf("the update keeps attendees: %v", result.Answer.Attendees)
	}
}

func TestPatchOfOneAttendeeRemovesTheOthers(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: meeting,
		sent: `{"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]}`}.check(t)
	expect(t, result, true)
	want := []string{"ada@example.com"}
	if diff := cmp.Diff(want, emails(result.Answer)); diff != "" {
		t.Errorf("attendees (-want +got):\n%s", diff)
	}
	if !result.Answer.Attendees[0].Self {
		t.Error("the patch clears self, which only the service writes")
	}
}

func TestReplyWithAttendeesOmitted(t *testing.T) {
	result := story{op: operation.EventsUpdate, stored: meeting,
		sent: `{"summary":"Planning","start":{"dateTime":"2026-03-10T09:00:00-04:00"},"end":{"dateTime":"2026-03-10T10:00:00-04:00"},
			"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"accepted"},{"email":"eve@example.com"}]}`}.check(t)
	expect(t, result, true, "unspecified /attendees/0/responseStatus response-status.unspecified")
	if diff := cmp.Diff([]string{"ada@example.com", "bob@example.com"}, emails(result.Answer)); diff != "" {
		t.Errorf("attendees (-want +got):\n%s", diff)
	}
	if got := result.Answer.Attendees[0].ResponseStatus; got != "accepted" {
		t.Errorf("the participant's response is %s", got)
	}
	if result.Stored.AttendeesOmitted {
		t.Error("the stored event has attendeesOmitted, so an update of it as it was read would change one response only")
	}
}

// The properties that an import drops together with the type break no other rule.
func TestImportOfABirthdayDropsItsProperties(t *testing.T) {
	result := story{op: operation.EventsImport,
		sent: `{"iCalUID":"uid-1@example.org","eventType":"birthday","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
			"birthdayProperties":{"type":"birthday","contact":"people/c1"}}`}.check(t)
	expect(t, result, true, "ignore /eventType import.type")
	if result.Answer.BirthdayProperties != nil || result.Answer.EventType != "default" {
		t.Errorf("the stored event is %v", result.Answer)
	}
}

// A patch that is invalid by itself is not rejected because of the stored event.
func TestPatchOfAZoneAlone(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: meeting, sent: `{"start":{"timeZone":"Mars/Phobos"}}`}.check(t)
	expect(t, result, false, "reject /start/timeZone time.zone.iana")
}

// A request is not rejected because of invalid stored values, even beside the ones that it sends.
func TestPatchBesideInvalidStoredTime(t *testing.T) {
	stored := `{"id":"abc12def_20260310","recurringEventId":"abc12def","originalStartTime":{"dateTime":"later"},
		"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"Mars/Phobos"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`
	result := story{op: operation.EventsPatch, stored: stored, sent: `{"end":{"dateTime":"2026-03-10T11:00:00Z"}}`}.check(t)
	expect(t, result, true)
}

// The empty string is not a status, and does not mean confirmed.
func TestPatchOfAnEmptyStatus(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: `{"id":"abc12def","status":"tentative","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
		sent: `{"status":""}`}.check(t)
	expect(t, result, false, "reject /status event.status.enum")
}

// If the zone is unknown, so are the instances, and it is not reported that there are none.
func TestSeriesInAnUnknownZone(t *testing.T) {
	result := story{op: operation.EventsInsert,
		sent: `{"start":{"dateTime":"2026-01-02T03:00:00Z","timeZone":"America/New York"},"end":{"dateTime":"2026-01-02T04:00:00Z","timeZone":"America/New_York"},
			"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260101"]}`}.check(t)
	expect(t, result, false, "reject /start/timeZone time.zone.iana")
}

func TestReminderAtTheStart(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: meeting,
		sent: `{"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":0}]}}`}.check(t)
	expect(t, result, true)
	if got := result.Answer.Reminders.Overrides; len(got) != 1 || got[0].Minutes == nil || *got[0].Minutes != 0 {
		t.Errorf("overrides are %+v", got)
	}
	if event.ChangesUpdated(read(t, meeting), result.Answer) {
		t.Error("ChangesUpdated is true for a change of reminders")
	}
}

func TestOverridesBesideInheritedDefaults(t *testing.T) {
	result := story{op: operation.EventsPatch, stored: meeting,
		sent: `{"reminders":{"overrides":[{"method":"popup","minutes":5}]}}`}.check(t)
	expect(t, result, false,
		"reject /reminders/overrides reminders.default-and-overrides")
}

func TestConferenceStaysWithoutVersion(t *testing.T) {
	for _, op := range []operation.ID{operation.EventsPatch, operation.EventsUpdate} {
		t.Run(string(op), func(t *testing.T) {
			result := story{op: op, stored: meeting,
				sent: `{"start":{"dateTime":"2026-03-10T09:00:00-04:00"},"end":{"dateTime":"2026-03-10T10:00:00-04:00"},
					"conferenceData":{"createRequest":{"requestId":"new"}}}`}.check(t)
			expect(t, result, true, "ignore /conferenceData conference.version")
			if got := result.Answer.ConferenceData; got == nil || got.ID != "abc-defg-hij" || got.CreateRequest != nil {
				t.Errorf("conferenceData is %+v", got)
			}
		})
	}
}

func TestUpdateThatOmitsTheConference(t *testing.T) {
	const sent = `{"start":{"dateTime":"2026-03-10T09:00:00-04:00"},"end":{"dateTime":"2026-03-10T10:00:00-04:00"}}`
	kept := story{op: operation.EventsUpdate, stored: meeting, sent: sent}.check(t)
	if kept.Answer.ConferenceData == nil {
		t.Error("an update without the version parameter removes the conference")
	}
	gone := story{op: operation.EventsUpdate, stored: meeting, sent: sent, params: operation.Params{"conferenceDataVersion": {"1"}}}.check(t)
	if gone.Answer.ConferenceData != nil {
		t.Error("an update with conferenceDataVersion=1 keeps the conference")
	}
}

func TestRequestIDRepeated(t *testing.T) {
	const stored = `{"id":"abc12def","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
		"conferenceData":{"createRequest":{"requestId":"r1","status":{"statusCode":"failure"}}}}`
	result := story{op: operation.EventsPatch, stored: stored, params: operation.Params{"conferenceDataVersion": {"1"}},
		sent: `{"conferenceData":{"createRequest":{"requestId":"r1","status":null}}}`}.check(t)
	expect(t, result, true, "ignore /conferenceData/createRequest/requestId conference.request.id-repeated")
	again := story{op: operation.EventsPatch, stored: stored, params: operation.Params{"conferenceDataVersion": {"1"}},
		sent: `{"conferenceData":{"createRequest":{"requestId":"r2"}}}`}.check(t)
	expect(t, again, true)
	if got := again.Answer.ConferenceData.CreateRequest; got.RequestID != "r2" || got.Status == nil || got.Status.Code != "pending" {
		t.Errorf("the create request is %+v", got)
	}
}

func TestGetThenUpdateChangesNothing(t *testing.T) {
	for _, stored := range []string{meeting, holiday} {
		for _, op := range []operation.ID{operation.EventsUpdate, operation.EventsPatch} {
			result := story{op: op, stored: stored, sent: stored}.check(t)
			expect(t, result, true)
			if places := event.Diff(read(t, stored), result.Answer, diag.Documents); len(places) > 0 {
				t.Errorf("%s with the stored event changes %v", op, places)
			}
		}
	}
}

func TestMoveLeavesARemainder(t *testing.T) {
	result := story{op: operation.EventsMove, stored: meeting, params: operation.Params{"destination": {"team@example.com"}}}.check(t)
	expect(t, result, true)
	if got := result.Answer.Organizer.Email; got != "team@example.com" {
		t.Errorf("the organizer is %s", got)
	}
	if diff := cmp.Diff(&event.Event{ID: "abc12def", Status: "cancelled"}, result.Remainder); diff != "" {
		t.Errorf("remainder (-want +got):\n%s", diff)
	}
}

func TestDeletedEventIsReturnedByGetButNotByList(t *testing.T) {
	deleted := story{op: operation.EventsDelete, stored: meeting}.check(t)
	expect(t, deleted, true)
	text, err := json.Marshal(deleted.Answer)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		op      operation.ID
		params  operation.Params
		listed  bool
		summary string
	}{
		{op: operation.EventsGet, listed: true, summary: "Planning"},
		{op: operation.EventsList},
		{op: operation.EventsList, params: operation.Params{"showDeleted": {"true"}}, listed: true, summary: "Planning"},
		{op: operation.EventsList, params: operation.Params{"syncToken": {"t"}}, listed: true},
		{op: operation.EventsList, params: operation.Params{"updatedMin": {"2026-01-01T00:00:00Z"}, "showDeleted": {"true"}}, listed: true, summary: "Planning"},
	} {
		result := story{op: c.op, stored: string(text), params: c.params}.check(t)
		if (result.Answer != nil) != c.listed {
			t.Errorf("%s %v returns %v", c.op, c.params, result.Answer)
			continue
		}
		if c.listed && (result.Answer.Status != "cancelled" || result.Answer.ID == "" || result.Answer.Summary != c.summary) {
			t.Errorf("%s %v returns %+v", c.op, c.params, result.Answer)
		}
	}
}

func emails(e *event.Event) []string {
	var list []string
	for _, a := range e.Attendees {
		list = append(list, a.Email)
	}
	return list
}
