package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

const uid = `"iCalUID":"uid-1@example.org"`

// imported returns the cases as imports.
func imported(cases []ruleCase) []ruleCase {
	for i := range cases {
		cases[i].op = operation.EventsImport
	}
	return cases
}

func TestICalUIDRequired(t *testing.T) {
	checkRule(t, "event.icaluid.required", diag.Reject, imported([]ruleCase{
		{name: "accept", members: uid},
		{name: "reject/absent", want: []string{"/iCalUID"}},
		{name: "reject/null", members: `"iCalUID":null`, want: []string{"/iCalUID"}},
		{name: "reject/empty", members: `"iCalUID":""`, want: []string{"/iCalUID"}},
	}))
	checkRule(t, "event.icaluid.required", diag.Reject, []ruleCase{{name: "accept/insert"}})
}

func TestStartEndRequired(t *testing.T) {
	checkRule(t, "event.start-end.required", diag.Reject, []ruleCase{
		{name: "accept/import", op: operation.EventsImport, members: uid},
		{name: "reject/import-start", op: operation.EventsImport, base: timedEnd, members: uid, want: []string{"/start"}},
		{name: "reject/import-end", op: operation.EventsImport, base: timedStart, members: uid, want: []string{"/end"}},
		{name: "reject/import-null", op: operation.EventsImport, base: timedStart, members: uid + `,"end":null`, want: []string{"/end"}},
		{name: "accept/update", op: operation.EventsUpdate},
		{name: "reject/update", op: operation.EventsUpdate, body: `{}`, want: []string{"/start", "/end"}},
		{name: "accept/patch", op: operation.EventsPatch, body: `{}`},
	})
}

func TestOrganizerEmail(t *testing.T) {
	by := func(organizer string) string { return uid + `,"organizer":` + organizer }
	checkRule(t, "event.organizer.email", diag.Reject, imported([]ruleCase{
		{name: "accept", members: by(`{"email":"chair@example.org"}`)},
		{name: "accept/absent", members: by(`{"displayName":"Chair"}`)},
		{name: "accept/null", members: by(`{"email":null}`)},
		{name: "reject/brackets", members: by(`{"email":"<chair@example.org>"}`), want: []string{"/organizer/email"}},
		{name: "reject/empty", members: by(`{"email":""}`), want: []string{"/organizer/email"}},
	}))
}

func TestImportType(t *testing.T) {
	checkRule(t, "import.type", diag.Ignore, imported([]ruleCase{
		{name: "accept/absent", members: uid},
		{name: "accept/default", members: uid + `,"eventType":"default"`},
		{name: "ignore/other", members: uid + `,"eventType":"outOfOffice"`, want: []string{"/eventType"}},
		{name: "ignore/with-properties", members: uid + `,"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}`, want: []string{"/eventType"}},
		{name: "ignore/all-day", base: allDay, members: uid + `,"eventType":"focusTime","focusTimeProperties":{}`, want: []string{"/eventType"}},
		{name: "accept/unknown", members: uid + `,"eventType":"party"`, want: []string{"event.type.enum /eventType"}},
	}))
}

func TestImportParty(t *testing.T) {
	ada, unknown := &operation.Caller{Email: "ada@example.com"}, new(operation.Caller)
	const (
		other     = uid + `,"attendees":[{"email":"bob@example.com"}]`
		attends   = uid + `,"attendees":[{"email":"bob@example.com"},{"email":"ada@EXAMPLE.com"}]`
		organizes = uid + `,"organizer":{"email":"ada@example.com"}`
	)
	checkRule(t, "import.party", diag.Advise, imported([]ruleCase{
		{name: "accept/attends", members: attends, caller: ada},
		{name: "accept/organizes", members: organizes, caller: ada},
		{name: "accept/unknown", members: other},
		{name: "accept/no-address", members: other, caller: unknown},
		{name: "accept/unreadable-organizer", members: other + `,"organizer":"ada@example.com"`, caller: ada, want: []string{"json.type /organizer"}},
		{name: "accept/unreadable-attendees", members: uid + `,"attendees":"ada@example.com"`, caller: ada, want: []string{"json.type /attendees"}},
		{name: "advise/other-attendees", members: other, caller: ada, want: []string{""}},
		{name: "advise/other-organizer", members: uid + `,"organizer":{"email":"bob@example.com"}`, caller: ada, want: []string{""}},
		{name: "advise/no-party", members: uid, caller: ada, want: []string{""}},
	}))
}

func TestMoveType(t *testing.T) {
	to := query("destination", "team@example.com")
	var cases []changeCase
	for name, want := range map[string][]string{
		"default": nil, "birthday": {""}, "focusTime": {""}, "fromMail": {""}, "outOfOffice": {""}, "workingLocation": {""},
	} {
		cases = append(cases, changeCase{name: name, op: operation.EventsMove, params: to, stored: `"eventType":"` + name + `"`, want: want})
	}
	cases = append(cases,
		changeCase{name: "absent", op: operation.EventsMove, params: to},
		changeCase{name: "nothing-stored", op: operation.EventsMove, params: to, stored: "-"})
	checkChange(t, "move.type", diag.Reject, cases)
}

func TestDeleteExists(t *testing.T) {
	checkChange(t, "status.delete.exists", diag.Reject, []changeCase{
		{name: "accept", op: operation.EventsDelete},
		{name: "accept/cancelled", op: operation.EventsDelete, stored: `"status":"cancelled"`, want: []string{"status.delete.gone "}},
		{name: "accept/cancelled-instance", op: operation.EventsDelete, stored: `"status":"cancelled","recurringEventId":"series1"`, want: []string{"status.delete.gone "}},
		{name: "accept/tentative", op: operation.EventsDelete, stored: `"status":"tentative"`},
		{name: "reject/none", op: operation.EventsDelete, stored: "-", want: []string{""}},
	})
}

func TestInstancesRecurring(t *testing.T) {
	checkChange(t, "instances.recurring", diag.Reject, []changeCase{
		{name: "accept", op: operation.EventsInstances, stored: `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
		{name: "accept/nothing-stored", op: operation.EventsInstances, stored: "-"},
		{name: "reject/single", op: operation.EventsInstances, want: []string{""}},
		{name: "reject/empty", op: operation.EventsInstances, stored: `"recurrence":[]`, want: []string{""}},
	})
}

// A change that leaves the stored recurrence without an instance causes advice. Only a recurrence
// that the request writes is rejected.
func TestRecurrenceEmptied(t *testing.T) {
	const (
		untilMarch = `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`
		excluding  = `"recurrence":["RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260312T090000"]`
		april      = `"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`
		later      = `"start":{"dateTime":"2026-03-10T09:30:00-04:00"}`
		missing    = `"recurrence":["RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260312T093000"]`
	)
	checkChangeBeside(t, "recurrence.emptied", diag.Advise, []string{"recurrence.reanchored"}, []changeCase{
		{name: "accept/other-change", stored: untilMarch, sent: `"summary":"Daily"`},
		{name: "accept/rule-goes-too", stored: untilMarch, sent: april + `,"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260430T000000Z"]`},
		{name: "advise/start", stored: untilMarch, sent: april, want: []string{"/recurrence"}},
		{name: "advise/start-and-same-rule", stored: untilMarch, sent: april + "," + untilMarch, want: []string{"/recurrence"}},
		{name: "advise/exclusion", stored: excluding, sent: later, want: []string{"/recurrence/1"}},
		{name: "accept/exclusion-missed-before", stored: missing, sent: `"start":{"dateTime":"2026-03-10T08:30:00-04:00"}`,
			want: []string{"recurrence.exdate-misses /recurrence/1"}},
		{name: "accept/exclusion-hits-now", stored: missing, sent: later},
		{name: "advise/exclusion-elsewhere", stored: excluding,
			sent: `"recurrence":["EXDATE;TZID=America/New_York:20260312T090000","RRULE:FREQ=WEEKLY;COUNT=5"]`,
			want: []string{"/recurrence/0"}},
		{name: "accept/exclusion-missed-before-elsewhere", stored: missing,
			sent: `"recurrence":["EXDATE;TZID=America/New_York:20260312T093000","RRULE:FREQ=WEEKLY;COUNT=5"]`,
			want: []string{"recurrence.exdate-misses /recurrence/0"}},
		{name: "advise/the-one-that-matched",
			stored: `"recurrence":["EXDATE;TZID=America/New_York:20260312T091500","RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260313T090000"]`, sent: later,
			want: []string{"recurrence.exdate-misses /recurrence/0", "/recurrence/2"}},
		{name: "accept/exclusion-missed-before-beside-advice",
			stored: `"recurrence":["EXRULE:FREQ=WEEKLY;COUNT=1","RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260312T093000"]`,
			sent:   `"start":{"dateTime":"2026-03-10T08:30:00-04:00"}`, want: []string{"recurrence.exrule.deprecated /recurrence/0", "recurrence.exdate-misses /recurrence/2"}},
		{name: "advise/empty-with-exclusion", stored: `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z","EXDATE;TZID=America/New_York:20260312T090000"]`, sent: april,
			want: []string{"/recurrence"}},
		{name: "accept/exclusion-of-the-request", stored: excluding,
			sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=5","EXDATE;TZID=America/New_York:20260312T093000"]`,
			want: []string{"recurrence.exdate-misses /recurrence/1"}},
		{name: "reject/rule-of-the-request", stored: untilMarch, sent: `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260301T000000Z"]`,
			want: []string{"recurrence.no-instance /recurrence"}},
	})
}

// Advice does not become a rejection if there are more findings than are kept, and a finding that
// rejects is always kept.
func TestPatchBeyondMaxFindings(t *testing.T) {
	unknown := numbered(2*diag.DefaultMax, `"member%d":0`)
	stored := read(t, object(timed, `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260331T000000Z"]`))
	for name, test := range map[string]struct {
		sent string
		want []string
	}{
		"empty":  {`"start":{"dateTime":"2026-04-10T09:00:00-04:00"},"end":{"dateTime":"2026-04-10T10:00:00-04:00"}`, []string{}},
		"beside": {`"end":{"dateTime":"2026-03-10T08:00:00-04:00"}`, []string{"reject patch.whole"}},
		"alone":  {`"status":"x"`, []string{"reject event.status.enum"}},
	} {
		body := object(test.sent, unknown[1:len(unknown)-1])
		result := must(event.Check(&event.Request{Op: operation.EventsPatch, Existing: stored, Body: []byte(body)}))
		if result.Accepted != (len(test.want) == 0) || !result.Truncated || len(result.Findings) != diag.DefaultMax {
			t.Errorf("%s: accepted %t, truncated %t, %d findings", name, result.Accepted, result.Truncated, len(result.Findings))
		}
		if diff := cmp.Diff(test.want, kinds(result.Findings.Kind(diag.Reject))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// A body counts in each of the members that can have it.
func TestBodyOfAnotherOperation(t *testing.T) {
	text := "{}"
	for name, req := range map[string]event.Request{
		"body":       {Body: []byte(text)},
		"empty-body": {Body: []byte{}},
		"event":      {Event: new(event.Event)},
	} {
		req.Op = "acl.insert"
		if diff := cmp.Diff([]string{"unspecified operation.unspecified"}, kinds(must(event.Check(&req)).Findings)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
