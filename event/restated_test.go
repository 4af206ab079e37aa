package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// One fault is one finding: of the rules that refuse the same value of a member, the one that says most reports it.
func TestOneFaultIsOneFinding(t *testing.T) {
	const (
		locked     = `"locked":true`
		mail       = `"eventType":"fromMail"`
		birthday   = `"eventType":"birthday","recurrence":["RRULE:FREQ=YEARLY"],"birthdayProperties":{"type":"other","contact":"people/c1"}`
		instance   = `"recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`
		days       = `"id":"abc12def","start":{"date":"2026-03-10","timeZone":"UTC"},"end":{"date":"2026-03-11","timeZone":"UTC"}`
		chair      = `"organizer":{"email":"chair@example.com"}`
		attached   = `"attachments":[{"fileUrl":"https://files.example.com/1"}]`
		untilMarch = `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`
		april      = `"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`
		endBefore  = `"end":{"dateTime":"2026-03-10T08:00:00-04:00","timeZone":"America/New_York"}`
	)
	guest := &operation.Caller{Email: "ada@example.com"}
	for _, c := range []changeCase{
		// The value is wrong whatever is stored.
		{name: "locked start is no time", stored: locked, sent: `"start":{"dateTime":"soon"}`, want: []string{"time.datetime.format /start/dateTime"}},
		{name: "locked start has a wrong type", stored: locked, sent: `"start":5`, want: []string{"json.type /start"}},
		{name: "locked line is no line", stored: locked, sent: `"recurrence":["RRULE:FREQ=NEVER"]`, want: []string{"recurrence.rule.part /recurrence/0"}},
		{name: "start of a mail is no time", stored: mail, sent: `"start":{"dateTime":"soon"}`, want: []string{"time.datetime.format /start/dateTime"}},
		{name: "original start is no time", stored: instance, sent: `"originalStartTime":{"dateTime":"soon"}`, want: []string{"time.datetime.format /originalStartTime/dateTime"}},
		{name: "original start has an unknown zone", stored: instance, sent: `"originalStartTime":{"timeZone":"Mars/Base"}`, want: []string{"time.zone.iana /originalStartTime/timeZone"}},
		{name: "original start has a wrong type", stored: instance, sent: `"originalStartTime":{"dateTime":5}`, want: []string{"json.type /originalStartTime/dateTime"}},
		{name: "unknown type", sent: `"eventType":"party"`, want: []string{"event.type.enum /eventType"}},
		{name: "empty type", stored: mail, sent: `"eventType":""`, want: []string{"event.type.enum /eventType"}},
		{name: "unknown type of birthday", days: days, stored: birthday, sent: `"birthdayProperties":{"type":"name-day"}`, want: []string{"birthday.type.enum /birthdayProperties/type"}},

		// The member is fixed.
		{name: "locked start is cleared", stored: locked, sent: `"start":null`, want: []string{"event.locked /start"}},
		{name: "start of a mail is cleared", stored: mail, sent: `"start":null`, want: []string{"type.from-mail.modify /start"}},
		{name: "locked mail", stored: locked + "," + mail, sent: `"summary":"Daily"`, want: []string{"event.locked /summary"}},
		{name: "locked for a guest", stored: locked + "," + chair, sent: `"summary":"Daily"`, caller: guest, want: []string{"event.locked /summary"}},
		{name: "locked end changes its form", stored: locked, sent: `"end":{"date":"2026-03-11","dateTime":null,"timeZone":null}`, want: []string{"event.locked /end"}},
		{name: "locked start changes its form", stored: locked, sent: `"start":{"date":"2026-03-10","dateTime":null,"timeZone":null}`, want: []string{"event.locked /start"}},
		{name: "locked end before the start", stored: locked, sent: endBefore, want: []string{"event.locked /end"}},

		// The stored event needs it.
		{name: "start of a contact is cleared", days: days, stored: birthday, sent: `"start":null`, want: []string{"patch.whole /start"}},
		{name: "start is cleared by a guest", stored: chair, sent: `"start":null`, caller: guest, want: []string{"patch.whole /start"}},

		// Other members are other faults.
		{name: "another member", stored: locked, sent: `"summary":"Daily","status":"x"`, want: []string{"event.locked /summary", "event.status.enum /status"}},
		{name: "another member beside the start", stored: locked, sent: `"start":null,"status":"x"`, want: []string{"event.locked /start", "event.status.enum /status"}},
		{name: "a consequence of another change", stored: untilMarch, sent: `"eventType":"focusTime",` + april,
			want: []string{"recurrence.emptied /recurrence", "event.type.immutable /eventType"}},
		{name: "another member beside the end", sent: `"eventType":"focusTime","end":{"date":"2026-03-11","dateTime":null,"timeZone":null}`,
			want: []string{"event.type.immutable /eventType", "patch.whole /end"}},
		{name: "a part of an array", stored: mail, sent: `"attachments":[{}]`, params: operation.Params{"supportsAttachments": {"true"}},
			want: []string{"type.from-mail.modify /attachments", "attachments.file-url /attachments/0/fileUrl"}},

		// The parameter is there, but wrong.
		{name: "no boolean", sent: attached, params: operation.Params{"supportsAttachments": {"1"}}, want: []string{"insert.param.supports-attachments ?supportsAttachments"}},
		{name: "two booleans", sent: attached, params: operation.Params{"supportsAttachments": {"false", "true"}}, want: []string{"param.repeated ?supportsAttachments"}},
		{name: "no version of labels", sent: `"eventLabelId":"urgent"`, params: operation.Params{"eventLabelVersion": {"2"}}, want: []string{"insert.param.range ?eventLabelVersion"}},
		{name: "no version of conferences", sent: `"conferenceData":{"createRequest":{"requestId":"r-1"}}`, params: operation.Params{"conferenceDataVersion": {"01"}},
			want: []string{"insert.param.range ?conferenceDataVersion"}},
		{name: "another parameter", sent: attached, params: operation.Params{"eventLabelVersion": {"2"}},
			want: []string{"insert.param.range ?eventLabelVersion", "attachments.supports /attachments"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			result := must(event.Check(c.request(t)))
			if diff := cmp.Diff(c.want, describe(result.Findings, nil)); diff != "" {
				t.Errorf("findings of %s (-want +got):\n%s", c.sent, diff)
			}
			checkVerdict(t, result)
		})
	}
}

// An update of a locked copy reports what it lacks, and what is wrong with its times together, as an update of any event.
func TestUpdateOfLockedCopy(t *testing.T) {
	const start, end = `"start":{"date":"2026-03-10"}`, `"end":{"date":"2026-03-11"}`
	stored := read(t, object(`"id":"abc12def","locked":true`, start, end))
	for body, want := range map[string][]string{
		object(start, end):          nil,
		object(end):                 {"event.start-end.required /start"},
		object(start):               {"event.start-end.required /end"},
		object(start, `"end":null`): {"event.start-end.required /end"},
		object(start, `"end":{"date":"2026-03-09"}`): {"time.order /end", "event.locked /end"},
		object(start, `"end":{"date":"2026-03-32"}`): {"time.date.format /end/date"},
	} {
		result := must(event.Check(&event.Request{Op: operation.EventsUpdate, Existing: stored, Body: []byte(body)}))
		if diff := cmp.Diff(want, describe(result.Findings, nil), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("findings of %s (-want +got):\n%s", body, diff)
		}
	}
}

// A rule that is off restates nothing, so the next one reports the fault.
func TestGradedFaultIsReported(t *testing.T) {
	moved := changeCase{stored: `"recurrence":["RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260312T090000"]`, sent: `"start":{"dateTime":"2026-03-10T09:30:00-04:00"}`}
	typed := changeCase{sent: `"eventType":"party"`}
	for _, test := range []struct {
		name    string
		c       changeCase
		grading diag.Grading
		want    []string
	}{
		{"exclusion", moved, diag.Documented(), []string{"recurrence.exdate-misses /recurrence/1"}},
		{"enumeration", typed, diag.Grading{Rules: map[string]diag.Kind{"event.type.enum": diag.Off}}, []string{"event.type.immutable /eventType"}},
		{"enumeration as advice", typed, diag.Grading{Rules: map[string]diag.Kind{"event.type.enum": diag.Advise}},
			[]string{"event.type.enum=advise /eventType", "event.type.immutable /eventType"}},
	} {
		checker := event.Checker{Grading: test.grading}
		if diff := cmp.Diff(test.want, describe(must(checker.Check(test.c.request(t))).Findings, nil)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
