package refusal_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/refusal"
)

// What the clients print, and the JSON of the service, says the same.
func TestParse(t *testing.T) {
	invalid := refusal.Refusal{Status: 400, Reason: "invalid", Message: "Invalid attendee email."}
	for name, test := range map[string]struct {
		text string
		want refusal.Refusal // with no status if there is none
	}{
		"json":                {`{"error":{"code":400,"message":"Invalid attendee email.","errors":[{"domain":"global","reason":"invalid","message":"Invalid attendee email."}]}}`, invalid},
		"json/an array":       {`[{"error":{"code":400,"message":"Invalid attendee email.","errors":[{"reason":"invalid"}]}}]`, invalid},
		"json/within others":  {`{"statusCode":400,"body":{"error":{"code":400,"message":"Invalid attendee email.","errors":[{"reason":"invalid"}]}}}`, invalid},
		"json/of Node":        {`{"message":"Invalid attendee email.","code":"400","errors":[{"reason":"invalid","message":"Invalid attendee email."}]}`, invalid},
		"json/after a text":   {"2026-03-10 ERROR insert failed: {\n \"error\": {\n  \"code\": 400, \"message\": \"Invalid attendee email.\", \"errors\": [{\"reason\": \"invalid\"}]}}", invalid},
		"json/a parameter":    {`{"error":{"code":400,"message":"The specified time range is empty.","errors":[{"reason":"timeRangeEmpty","locationType":"parameter","location":"timeMax"}]}}`, refusal.Refusal{Status: 400, Reason: "timeRangeEmpty", Message: "The specified time range is empty.", Location: "timeMax"}},
		"json/OAuth":          {`{"error":"invalid_grant","error_description":"Token has been expired or revoked."}`, refusal.Refusal{Status: 400, Reason: "invalid_grant", Message: "Token has been expired or revoked."}},
		"json/OAuth, unknown": {`{"error":"invalid_client"}`, refusal.Refusal{Reason: "invalid_client"}},
		"json/no status":      {`{"errors":[{"reason":"badRequest"}]}`, refusal.Refusal{Status: 400, Reason: "badRequest"}},
		"json/the last code":  {`{"code":599}`, refusal.Refusal{Status: 599}},
		"json/before a text":  {`{"error":{"code":400,"message":"Invalid attendee email.","errors":[{"reason":"invalid"}]}} from insert`, invalid},
		"json/nothing":        {`[]`, refusal.Refusal{}},
		"json/an event":       {`{"summary":"Review","status":"confirmed"}`, refusal.Refusal{}},
		"json/a number":       {`400`, refusal.Refusal{}},
		"Go":                  {"googleapi: Error 400: Invalid attendee email., invalid", invalid},
		"Go/in a log":         {"2026/03/10 09:00:00 insert: googleapi: Error 400: Invalid attendee email., invalid\nexit status 1\n", invalid},
		"Go/several":          {"googleapi: Error 403: Rate Limit Exceeded\nMore details:\nReason: rateLimitExceeded, Message: Quota exceeded\nReason: x, Message: y\n", refusal.Refusal{Status: 403, Reason: "rateLimitExceeded", Message: "Rate Limit Exceeded"}},
		"Go/no JSON":          {"googleapi: got HTTP response code 502 with body: <html>", refusal.Refusal{Status: 502}},
		"Python":              {`googleapiclient.errors.HttpError: <HttpError 400 when requesting https://www.googleapis.com/calendar/v3/calendars/primary/events?alt=json returned "Invalid attendee email.". Details: "[{'domain': 'global', 'reason': 'invalid', 'message': 'Invalid attendee email.'}]">`, invalid},
		"Python/no details":   {`<HttpError 404 when requesting https://www.googleapis.com/x returned "Not Found">`, refusal.Refusal{Status: 404, Message: "Not Found"}},
		"Python/OAuth":        {`google.auth.exceptions.RefreshError: ('invalid_grant: Token has been expired or revoked.', {'error': 'invalid_grant'})`, refusal.Refusal{Status: 400, Reason: "invalid_grant", Message: "('invalid_grant: Token has been expired or revoked.', {'error': 'invalid_grant'})"}},
		"Node":                {"GaxiosError: Invalid attendee email.\n    at Gaxios._request (/app/node_modules/gaxios/build/src/gaxios.js:142:23) {\n  config: { url: 'x' },\n  code: '400',\n  status: 400,\n  errors: [\n    {\n      domain: 'global',\n      reason: 'invalid',\n      message: 'Invalid attendee email.'\n    }\n  ]\n}\n", invalid},
		".NET":                {"Google.Apis.Requests.RequestError\nInvalid attendee email. [400]\nErrors [\n    Message[Invalid attendee email.] Location[ - ] Reason[invalid] Domain[global]\n]", invalid},
		"Python/a warning":    {`Encountered 403 Forbidden with reason "accessNotConfigured"`, refusal.Refusal{Status: 403, Reason: "accessNotConfigured"}},
		"Apps Script":         {"GoogleJsonResponseException: API call to calendar.events.insert failed with error: Invalid attendee email.", refusal.Refusal{Message: "Invalid attendee email."}},
		"nothing":             {"", refusal.Refusal{}},
		"another error":       {"Error: no such file", refusal.Refusal{}},
		"another text":        {"connect ECONNREFUSED 127.0.0.1:443", refusal.Refusal{}},
		"a success":           {`{"status":200}`, refusal.Refusal{}},
		"another code":        {`{"code":1000,"message":"x"}`, refusal.Refusal{}},
		".NET/in a log":       {"Google.GoogleApiException: Google.Apis.Requests.RequestError\r\nNot [yet] Found [404]\r\nErrors [\r\n\tMessage[Not Found] Location[ - ] Reason[notFound] Domain[global]\r\n]\r\n", refusal.Refusal{Status: 404, Reason: "notFound", Message: "Not Found"}},
		"a number in a text":  {"sent 400 events", refusal.Refusal{}},
		"a number at the end": {"see the notes [404]\nand the list [500]", refusal.Refusal{}},
		"an address in JSON":  {`{"error":{"message":"x"}}`, refusal.Refusal{}},
		"a status of 3 chars": {"Request failed with status code 429", refusal.Refusal{Status: 429}},
	} {
		got, ok := refusal.Parse(test.text)
		if !ok {
			got = refusal.Refusal{}
		}
		if diff := cmp.Diff(test.want, got); diff != "" || ok != (test.want != refusal.Refusal{}) {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

const (
	times = `"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}`
	day   = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
)

// findings returns the findings about a request, a line of the batch form without the closing brace.
func findings(t *testing.T, line string) diag.Findings {
	t.Helper()
	var req batch.Request
	if err := req.UnmarshalJSON([]byte(line + `,"dialect":"google"}`)); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	found, err := event.Find(&req.Request)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A refusal that was observed has its cause first, even if the request has other faults.
func TestObserved(t *testing.T) {
	for _, test := range []struct {
		line   string
		status int
		reason string
		text   string
		want   string
	}{
		{`{"op":"events.insert","body":{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T08:00:00Z"},"attendees":[{"email":"no"}]}`, 400, "timeRangeEmpty", "The specified time range is empty.", ruleid.TimeOrder},
		{`{"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"dateTime":"2026-03-10T08:00:00Z"},"id":"X"}`, 400, "invalid", "Start and end times must either both be date or both be dateTime.", ruleid.TimeSameForm},
		{`{"op":"events.insert","body":{` + times + `,"id":"X","attendees":[{"email":"no"}]}`, 400, "invalid", "Invalid attendee email.", ruleid.AttendeeEmailAddress},
		{`{"op":"events.insert","body":{` + times + `,"id":"X","reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":5}]}}`, 400, "cannotUseDefaultRemindersAndSpecifyOverride", "Cannot specify both default reminders and overrides at the same time.", ruleid.RemindersDefaultAndOverrides},
		{`{"op":"events.update","existing":{"id":"abc12def","eventType":"outOfOffice",` + times + `},"body":{` + times + `}`, 400, "invalid", "Event type cannot be changed.", ruleid.EventTypeUpdateAbsent},
		{`{"op":"events.insert","body":{` + day + `,"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice","homeOffice":{}},"visibility":"private","transparency":"transparent"}`, 400, "malformedWorkingLocationEvent", "A working location event must have a visibility setting of public.", ruleid.WorkingLocationForm},
		{`{"op":"events.insert","body":{` + day + `,"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"],"visibility":"private","transparency":"transparent","extendedProperties":{"private":{"a":"b"}}}`, 400, "invalid", "'birthday' event type must not have private extended properties.", ruleid.BirthdayPrivateProperties},
		{`{"op":"events.move","params":{"destination":"b@example.com"},"existing":{"id":"abc12_20260310T090000Z","recurringEventId":"abc12",` + times + `}`, 400, "cannotChangeOrganizerOfInstance", "x", ruleid.MoveInstance},
		{`{"op":"events.delete","existing":{"id":"abc12def","status":"cancelled",` + times + `}`, 410, "deleted", "Resource has been deleted", ruleid.StatusDeleteGone},
		{`{"op":"events.list","params":{"orderBy":"startTime","timeMin":"2026-03-10"}`, 400, "invalid", "The requested ordering is not available for the particular query.", ruleid.ListOrderBy},
		{`{"op":"events.insert","body":{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"},"recurrence":["RRULE:FREQ=DAILY"]}`, 400, "required", "Missing time zone definition for start time.", ruleid.TimeZoneRecurring},
		{`{"op":"events.insert","body":{` + times + `,"id":"X","reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":5}]}}`, 400, "cannotUseDefaultRemindersAndSpecifyOverride", "", ruleid.RemindersDefaultAndOverrides},
		{`{"op":"events.insert","body":{` + times + `,"id":"X"}`, 400, "badRequest", "", ruleid.EventIDAlphabet},
		{`{"op":"events.insert","body":{` + times + `,"id":"X"}`, 400, "", "", ruleid.EventIDAlphabet},
		{`{"op":"freebusy.query","body":{"timeMax":"2026-03-10T09:00:00Z"}`, 400, "required", "Missing timeMin parameter.", ruleid.FreebusyBody},
	} {
		e := refusal.Refusal{Status: test.status, Reason: test.reason, Message: test.text}.Explain(findings(t, test.line))
		if !e.Known || len(e.Causes) == 0 || !e.Causes[0].Is(test.want) {
			t.Errorf("%s: %s is explained by %v, want %s", test.line, test.reason, e.Causes, test.want)
		}
	}
}

// A refusal that names a parameter has the finding about it as its first cause, and as the only one if the service was seen to
// say the same of a known value.
func TestLocation(t *testing.T) {
	found := findings(t, `{"op":"events.list","params":{"orderBy":"start","maxResults":"many"}`)
	for _, parameter := range []string{"orderBy", "maxResults"} {
		for message, want := range map[string]int{"Invalid Value": 1, "": 2} {
			e := refusal.Refusal{Status: 400, Reason: "invalid", Message: message, Location: parameter}.Explain(found)
			if len(e.Causes) != want || e.Causes[0].Path != diag.Pointer("?"+parameter) {
				t.Errorf("%s with the message %q is explained by %v", parameter, message, e.Causes)
			}
		}
	}
}

// A refusal that has nothing to do with the request is not explained.
func TestUnknown(t *testing.T) {
	clean := `{"op":"events.insert","body":{` + times + `}`
	id := `{"op":"events.insert","body":{` + times + `,"id":"X"}`
	for _, test := range []struct {
		line, reason, text string
		status             int
	}{
		{clean, "invalid", "Invalid attendee email.", 400},
		{clean, "invalid", "Invalid Value", 400},
		{clean, "required", "Missing end time.", 400},
		{clean, "timeRangeEmpty", "The specified time range is empty.", 400},
		{clean, "malformedWorkingLocationEvent", "A working location event must have a visibility setting of public.", 400},
		{clean, "cannotUseDefaultRemindersAndSpecifyOverride", "", 400},
		{clean, "somethingNew", "Something new.", 400},
		{clean, "accountNotAllowed", "", 403},
		{clean, "", "Bad Request", 400},
		{id, "invalid", "Invalid attendee email.", 400},
		{id, "timeRangeEmpty", "The specified time range is empty.", 400},
		{id, "required", "Missing end time.", 400},
		{id, "eventTypeRestriction", "", 400},
		{id, "", "", 403},
		{`{"op":"events.insert","body":{"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T08:00:00Z"}}`, "invalid", "Invalid resource id value.", 400},
	} {
		if e := (refusal.Refusal{Status: test.status, Reason: test.reason, Message: test.text}).Explain(findings(t, test.line)); e.Known {
			t.Errorf("%s: %d %s %q is explained by %v", test.line, test.status, test.reason, test.text, e.Causes)
		}
	}
}

// What depends on the caller, the time or what is stored is explained by the reason or, if there is none, by the status.
func TestReasonsAlone(t *testing.T) {
	for name, r := range map[string]refusal.Refusal{
		"401": {Status: 401}, "412": {Status: 412}, "429": {Status: 429}, "500": {Status: 500}, "503": {Status: 503, Reason: "new"},
		"404": {Status: 404, Message: "Not Found"}, "requiredAccessLevel": {Status: 403, Reason: "requiredAccessLevel"},
		"authError": {Status: 401, Reason: "authError"}, "rateLimitExceeded": {Status: 403, Reason: "rateLimitExceeded"}, "notFound": {Status: 404, Reason: "notFound"},
		"forbiddenForNonOrganizer": {Status: 403, Reason: "forbiddenForNonOrganizer"}, "fullSyncRequired": {Status: 410, Reason: "fullSyncRequired"},
		"conditionNotMet": {Status: 412, Reason: "conditionNotMet"}, "duplicate": {Status: 409, Reason: "duplicate"},
	} {
		if e := r.Explain(nil); !e.Known || e.About.Meaning == "" || e.About.Next == "" || e.About.Source == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Every reason of a rule is in the table.
func TestReasonsOfRules(t *testing.T) {
	for rule := range event.Catalogue().All() {
		if _, reason := rule.Refusal(); reason != "" && (refusal.Refusal{Reason: reason}).Explain(nil).About == nil {
			t.Errorf("%s: the reason %s has no meaning", rule.ID, reason)
		}
	}
}

func TestMisuse(t *testing.T) {
	surface.CheckMisuse(t, ".", map[string]func(*testing.T){
		"Parse": func(t *testing.T) {
			if r, ok := refusal.Parse("{"); ok {
				t.Error(r)
			}
		},
		"Refusal.Redacted": func(t *testing.T) {
			if r := (refusal.Refusal{Status: -1, Reason: "x", Message: "x", Location: "x"}).Redacted(); r != (refusal.Refusal{Status: -1}) {
				t.Errorf("%+v", r)
			}
		},
		"Refusal.Explain": func(t *testing.T) {
			if e := (refusal.Refusal{Status: -1}).Explain(diag.Findings{{}}); e.Known || e.About != nil {
				t.Errorf("%+v", e)
			}
		},
		"Recorded": func(t *testing.T) {
			if r := refusal.Recorded(diag.Finding{Dialect: diag.Google}); r.Status != 400 || r.Reason != "invalid" {
				t.Errorf("%+v", r)
			}
		},
		"Domain": func(t *testing.T) {
			if d := refusal.Domain(""); d != "calendar" {
				t.Error(d)
			}
		},
	}, nil)
}
