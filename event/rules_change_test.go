package event_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// changeCase is a request about a stored event and the findings about it.
type changeCase struct {
	name   string
	op     operation.ID // if empty, events.patch
	stored string       // members of the stored event after those of storedPlain; "-" for no stored event
	sent   string       // members of the body, if the operation has one; for an update, after timed

	params operation.Params
	caller *operation.Caller
	tag    string // If-Match
	etag   string // of the stored event; if empty, that of storedPlain
	days   string // members of the stored event in place of storedPlain

	want []string // as in a ruleCase
}

const (
	update = operation.EventsUpdate

	// storedPlain are the members of a stored event that an update without further members does
	// not change.
	storedPlain = `"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","created":"2026-01-05T08:00:00.000Z",` +
		`"updated":"2026-01-06T09:30:00.123Z","creator":{"email":"owner@example.com"},"iCalUID":"abc12def@calendar.example.com",` + timed
)

func (c changeCase) request(t *testing.T) *event.Request {
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

// checkChange is like checkRule for requests about stored events.
func checkChange(t *testing.T, id string, kind diag.Kind, cases []changeCase) {
	t.Helper()
	checkChangeBeside(t, id, kind, nil, cases)
}

// checkChangeBeside is checkChange without the findings of rules that accompany most of the cases.
func checkChangeBeside(t *testing.T, id string, kind diag.Kind, ignored []string, cases []changeCase) {
	t.Helper()
	checkListed(t, id, kind)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := must(event.Check(c.request(t)))
			if diff := cmp.Diff(qualify(c.want, id), describe(result.Findings, ignored)); diff != "" {
				t.Errorf("findings of %s (-want +got):\n%s", c.sent, diff)
			}
			checkVerdict(t, result)
		})
	}
}

func TestIDMismatch(t *testing.T) {
	checkChange(t, "event.id.mismatch", diag.Reject, []changeCase{
		{name: "accept/same", sent: `"id":"abc12def"`},
		{name: "accept/absent", op: update, sent: `"summary":"Daily"`},
		{name: "accept/nothing-stored", stored: "-", sent: `"id":"abc12deg"`},
		{name: "reject/patch", sent: `"id":"abc12deg"`, want: []string{"/id"}},
		{name: "reject/update", op: update, sent: `"id":"abc12deg"`, want: []string{"/id"}},
		{name: "accept/null-names-none", sent: `"id":null`},
		{name: "accept/stored-without-id", days: `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`, sent: `"id":"abc12deg"`},
	})
}

func TestUpdateETag(t *testing.T) {
	const has = `"3181161784712000"` // the tag of storedPlain
	checkChange(t, "update.etag", diag.Reject, []changeCase{
		{name: "accept/unconditional", sent: `"summary":"Daily"`},
		{name: "accept/same", sent: `"summary":"Daily"`, tag: has},
		{name: "accept/any", sent: `"summary":"Daily"`, tag: "*"},
		{name: "accept/nothing-stored", stored: "-", sent: `"summary":"Daily"`, tag: has},
		{name: "reject/other", sent: `"summary":"Daily"`, tag: `"1"`, want: []string{""}},
		{name: "reject/weak", sent: `"summary":"Daily"`, tag: "W/" + has, want: []string{""}},
		{name: "reject/update", op: update, tag: `"1"`, want: []string{""}},
		{name: "accept/list", sent: `"summary":"Daily"`, tag: `"1", ` + has},
		{name: "accept/list-without-blanks", sent: `"summary":"Daily"`, tag: `W/"1",` + has + `,"2"`},
		{name: "accept/list-with-empty-elements", sent: `"summary":"Daily"`, tag: `, ,` + has + " ,"},
		{name: "accept/blanks-around", sent: `"summary":"Daily"`, tag: " " + has + " "},
		{name: "accept/any-with-blanks", sent: `"summary":"Daily"`, tag: " * "},
		{name: "accept/blank-is-none", sent: `"summary":"Daily"`, tag: " "},
		{name: "reject/list", sent: `"summary":"Daily"`, tag: `"1", "2"`, want: []string{""}},
		{name: "reject/weak-in-list", sent: `"summary":"Daily"`, tag: `"1", W/` + has, want: []string{""}},
		{name: "reject/in-another-tag", sent: `"summary":"Daily"`, tag: `"1,3181161784712000,2"`, want: []string{""}},
		{name: "reject/not-closed", sent: `"summary":"Daily"`, tag: `"3181161784712000`, want: []string{""}},
		{name: "reject/weak-stored", sent: `"summary":"Daily"`, etag: `W/"1"`, tag: `W/"1"`, want: []string{""}},
		{name: "accept/weak-stored-any", sent: `"summary":"Daily"`, etag: `W/"1"`, tag: `*`},
		{name: "reject/no-comma", sent: `"summary":"Daily"`, etag: `"2"`, tag: `"1" "2"`, want: []string{""}},
		{name: "accept/comma-in-tag", sent: `"summary":"Daily"`, etag: `"a,b"`, tag: `"c", "a,b"`},
		{name: "accept/delete", op: operation.EventsDelete, tag: has},
		{name: "reject/delete", op: operation.EventsDelete, tag: `"1"`, want: []string{""}},
		{name: "accept/move", op: operation.EventsMove, params: operation.Params{"destination": {"a@example.com"}}, tag: has},
		{name: "reject/move", op: operation.EventsMove, params: operation.Params{"destination": {"a@example.com"}}, tag: `"1"`, want: []string{""}},
		{name: "accept/get", op: operation.EventsGet, tag: `"1"`},
	})
}

func TestRecurringIDImmutable(t *testing.T) {
	const instance = `"recurringEventId":"series1"`
	checkChange(t, "event.recurring-id.immutable", diag.Reject, []changeCase{
		{name: "accept/same", stored: instance, sent: instance},
		{name: "accept/left-out-of-update", op: update, stored: instance},
		{name: "reject/other", stored: instance, sent: `"recurringEventId":"series2"`, want: []string{"/recurringEventId"}},
		{name: "reject/cleared", stored: instance, sent: `"recurringEventId":null`, want: []string{"/recurringEventId"}},
		{name: "reject/added", sent: instance, want: []string{"/recurringEventId"}},
		{name: "reject/update", op: update, stored: instance, sent: `"recurringEventId":"series2"`, want: []string{"/recurringEventId"}},
	})
}

func TestOriginalStartImmutable(t *testing.T) {
	const instance = `"originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`
	checkChange(t, "event.original-start.immutable", diag.Reject, []changeCase{
		{name: "accept/same", stored: instance, sent: instance},
		{name: "accept/same-instant", op: update, stored: instance, sent: `"originalStartTime":{"dateTime":"2026-03-10T13:00:00Z"}`},
		{name: "accept/left-out-of-update", op: update, stored: instance},
		{name: "reject/other-instant", op: update, stored: instance, sent: `"originalStartTime":{"dateTime":"2026-03-10T13:00:01Z"}`, want: []string{"/originalStartTime"}},
		{name: "reject/day-instead", op: update, stored: instance, sent: `"originalStartTime":{"date":"2026-03-10"}`, want: []string{"/originalStartTime"}},
		{name: "reject/cleared", stored: instance, sent: `"originalStartTime":null`, want: []string{"/originalStartTime"}},
		{name: "reject/clock-cleared", stored: instance, sent: `"originalStartTime":{"dateTime":null}`, want: []string{"/originalStartTime"}},
		{name: "reject/day-beside-clock", stored: instance, sent: `"originalStartTime":{"date":"2026-03-10"}`, want: []string{"/originalStartTime"}},
		{name: "reject/both-forms", stored: instance, sent: `"originalStartTime":{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00Z"}`,
			want: []string{"time.one-form /originalStartTime"}},
		{name: "accept/wrong-type", stored: instance, sent: `"originalStartTime":{"dateTime":5}`, want: []string{"json.type /originalStartTime/dateTime"}},
		{name: "accept/no-time", op: update, stored: instance, sent: `"originalStartTime":{"dateTime":""}`, want: []string{"time.datetime.format /originalStartTime/dateTime"}},
		{name: "reject/added", sent: instance, want: []string{"/originalStartTime"}},
	})
}

func TestPrivateCopyImmutable(t *testing.T) {
	const private = `"privateCopy":true`
	checkChange(t, "event.private-copy.immutable", diag.Reject, []changeCase{
		{name: "accept/same", stored: private, sent: private},
		{name: "accept/false-is-absent", sent: `"privateCopy":false`},
		{name: "accept/left-out-of-update", op: update, stored: private},
		{name: "reject/set", sent: private, want: []string{"/privateCopy"}},
		{name: "reject/unset", stored: private, sent: `"privateCopy":false`, want: []string{"/privateCopy"}},
		{name: "reject/cleared", stored: private, sent: `"privateCopy":null`, want: []string{"/privateCopy"}},
	})
}

func TestEventTypeImmutable(t *testing.T) {
	const away = `"eventType":"outOfOffice"`
	checkChange(t, "event.type.immutable", diag.Reject, []changeCase{
		{name: "accept/default-is-absent", sent: `"eventType":"default"`},
		{name: "accept/absent-is-default", stored: `"eventType":"default"`, sent: `"eventType":null`},
		{name: "accept/same", stored: away, sent: away},
		{name: "accept/left-out-of-update", op: update, stored: away},
		{name: "reject/other", sent: away, want: []string{"/eventType"}},
		{name: "reject/to-default", stored: away, sent: `"eventType":"default"`, want: []string{"/eventType"}},
		{name: "reject/cleared", stored: away, sent: `"eventType":null`, want: []string{"/eventType"}},
		{name: "reject/beside-stored-properties", stored: away + `,"outOfOfficeProperties":{"declineMessage":"Away"}`, sent: `"eventType":"default"`,
			want: []string{"/eventType"}},
	})
}

func TestBirthdayImmutable(t *testing.T) {
	const (
		plain  = `"eventType":"birthday"`
		stored = plain + `,"birthdayProperties":{"type":"self"}`
	)
	day := func(sent string) string { return `"birthdayProperties":` + sent }
	checkChange(t, "birthday.immutable", diag.Reject, []changeCase{
		{name: "accept/same", stored: stored, sent: day(`{"type":"self"}`)},
		{name: "accept/absent-is-birthday", stored: plain + "," + day(`{}`), sent: day(`{"type":"birthday"}`)},
		{name: "accept/birthday-is-absent", stored: plain + "," + day(`{"type":"birthday"}`), sent: day(`{"type":null}`)},
		{name: "reject/type", stored: stored, sent: day(`{"type":"other"}`), want: []string{"/birthdayProperties/type"}},
		{name: "reject/type-cleared", stored: stored, sent: day(`{"type":null}`), want: []string{"/birthdayProperties/type"}},
		{name: "accept/type-left-out-of-update", op: update, stored: stored, sent: day(`{}`)},
		{name: "reject/type-in-update", op: update, stored: stored, sent: day(`{"type":"other"}`), want: []string{"/birthdayProperties/type"}},
		{name: "reject/removed", stored: stored, sent: day(`null`), want: []string{"/birthdayProperties"}},
		{name: "reject/added", stored: plain, sent: day(`{"type":"birthday"}`), want: []string{"/birthdayProperties"}},
	})
}

func TestEventLocked(t *testing.T) {
	const locked = `"locked":true,"summary":"Standup"`
	checkChange(t, "event.locked", diag.Reject, []changeCase{
		{name: "accept/unlocked", stored: `"summary":"Standup"`, sent: `"summary":"Daily"`},
		{name: "accept/same", stored: locked, sent: `"summary":"Standup"`},
		{name: "accept/other-members", stored: locked, sent: `"colorId":"5","visibility":"private","attendees":[{"email":"ada@example.com"}]`},
		{name: "accept/same-start-written-otherwise", stored: locked, sent: `"start":{"dateTime":"2026-03-10T13:00:00Z"}`},
		{name: "accept/same-end-written-otherwise", stored: locked, sent: `"end":{"dateTime":"2026-03-10T14:00:00Z"}`},
		{name: "reject/summary", stored: locked, sent: `"summary":"Daily"`, want: []string{"/summary"}},
		{name: "reject/cleared", stored: locked, sent: `"summary":null`, want: []string{"/summary"}},
		{name: "reject/left-out-of-update", op: update, stored: locked, want: []string{"/summary"}},
		{name: "reject/description", stored: locked, sent: `"description":"x"`, want: []string{"/description"}},
		{name: "reject/location", stored: locked, sent: `"location":"x"`, want: []string{"/location"}},
		{name: "reject/start", stored: locked, sent: `"start":{"dateTime":"2026-03-10T09:30:00-04:00"}`, want: []string{"/start"}},
		{name: "reject/end", stored: locked, sent: `"end":{"dateTime":"2026-03-10T10:30:00-04:00"}`, want: []string{"/end"}},
		{name: "reject/zone", stored: locked, sent: `"start":{"timeZone":"America/Toronto"}`, want: []string{"/start"}},
		{name: "reject/day-beside-clock", stored: locked, sent: `"start":{"date":"2026-03-10"}`, want: []string{"/start"}},
		{name: "reject/start-of-series", stored: locked + `,"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260312T130000Z"]`, sent: `"start":{"dateTime":"2026-03-20T09:00:00-04:00"},"end":{"dateTime":"2026-03-20T10:00:00-04:00"}`,
			want: []string{"/start", "/end"}},
		{name: "reject/rule-of-series", stored: locked + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=4"]`, want: []string{"/recurrence"}},
		{name: "reject/start-after-end", stored: locked, sent: `"start":{"dateTime":"2026-03-10T11:00:00-04:00"}`, want: []string{"/start"}},
		{name: "reject/start-cleared", stored: locked, sent: `"start":null`, want: []string{"/start"}},
		{name: "reject/end-cleared", stored: locked, sent: `"end":null`, want: []string{"/end"}},
		{name: "reject/recurrence", stored: locked, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`, want: []string{"/recurrence"}},
	})
}

func TestFromMailModify(t *testing.T) {
	const mail = `"eventType":"fromMail","summary":"Flight"`
	checkChange(t, "type.from-mail.modify", diag.Reject, []changeCase{
		{name: "accept/what-may-change", stored: mail, sent: `"colorId":"5","reminders":{"useDefault":false},"visibility":"private",` +
			`"transparency":"transparent","attendees":[{"email":"ada@example.com"}],"extendedProperties":{"private":{"a":"1"}}`},
		{name: "accept/label", stored: mail, sent: `"eventLabelId":"l1"`, params: query("eventLabelVersion", "1")},
		{name: "accept/default-written-out", stored: mail, sent: `"guestsCanInviteOthers":true`},
		{name: "accept/representation", stored: mail, sent: `"attendeesOmitted":true`},
		{name: "accept/another-type", stored: `"summary":"Flight"`, sent: `"summary":"Train"`},
		{name: "accept/response", op: update, stored: mail + `,"attendees":[{"email":"ada@example.com","self":true},{"email":"bob@example.com"}]`,
			sent: mail + `,"attendeesOmitted":true,"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`},
		{name: "accept/sequence-left-out", op: update, stored: mail + `,"sequence":3`, sent: mail},
		{name: "reject/sequence", op: update, stored: mail + `,"sequence":3`, sent: mail + `,"sequence":4`, want: []string{"/sequence"}},
		{name: "reject/summary", stored: mail, sent: `"summary":"Train"`, want: []string{"/summary"}},
		{name: "reject/location", stored: mail, sent: `"location":"Gate 4"`, want: []string{"/location"}},
		{name: "reject/left-out-of-update", op: update, stored: mail, want: []string{"/summary"}},
		{name: "reject/type-once", stored: mail, sent: `"eventType":"default"`, want: []string{"event.type.immutable /eventType"}},
	})
}

func TestBirthdayModify(t *testing.T) {
	const (
		other = `"eventType":"birthday","birthdayProperties":{"type":"other","contact":"people/c1"}`
		own   = `"eventType":"birthday","birthdayProperties":{"type":"birthday"}`
	)
	checkChange(t, "birthday.modify", diag.Advise, []changeCase{
		{name: "accept/what-may-change", stored: other, sent: `"summary":"Ada","colorId":"5","reminders":{"useDefault":false}`},
		{name: "accept/label", stored: other, sent: `"eventLabelId":"l1"`, params: query("eventLabelVersion", "1")},
		{name: "accept/representation", stored: other, sent: `"attendeesOmitted":true`},
		{name: "accept/own", stored: own, sent: `"location":"Paris"`},
		{name: "accept/own-deleted", op: operation.EventsDelete, stored: own},
		{name: "accept/no-birthday-deleted", op: operation.EventsDelete},
		{name: "advise/location", stored: other, sent: `"location":"Paris"`, want: []string{"/location"}},
		{name: "advise/sequence", op: update, stored: other + `,"sequence":3`, sent: other + `,"sequence":4`, want: []string{"/sequence"}},
		{name: "accept/sequence-left-out", op: update, stored: other + `,"sequence":3`, sent: other},
		{name: "accept/unknown-type", stored: `"eventType":"birthday","birthdayProperties":{"type":"pet"}`, sent: `"location":"Paris"`},
		{name: "advise/deleted", op: operation.EventsDelete, stored: other, want: []string{"birthday.delete ", ""}},
	})
}

func TestAttendeeResourceLate(t *testing.T) {
	list := func(s string) string { return `"attendees":[` + s + `]` }
	const (
		room   = `{"email":"room@example.com","resource":true}`
		person = `{"email":"room@example.com"}`
		ada    = `{"email":"ada@example.com","self":true}`
	)
	checkChange(t, "attendee.resource.late", diag.Ignore, []changeCase{
		{name: "accept/same", stored: list(room), sent: list(room)},
		{name: "accept/first-added", stored: list(ada), sent: list(ada + "," + room)},
		{name: "accept/none-stored", sent: list(room)},
		{name: "ignore/set", stored: list(person), sent: list(room), want: []string{"/attendees/0/resource"}},
		{name: "ignore/unset", stored: list(room), sent: list(person), want: []string{"/attendees/0/resource"}},
		{name: "ignore/by-address", stored: list(ada + "," + room), sent: list(`{"email":"room@EXAMPLE.com"}`), want: []string{"/attendees/0/resource"}},
		{name: "ignore/update", op: update, stored: list(person), sent: list(room), want: []string{"/attendees/0/resource"}},
		{name: "accept/not-taken", op: update, stored: list(person + "," + ada), sent: `"attendeesOmitted":true,` + list(room)},
		{name: "ignore/own", op: update, stored: list(ada), sent: `"attendeesOmitted":true,` + list(`{"email":"ada@example.com","resource":true}`),
			want: []string{"/attendees/0/resource"}},
	})
}

func TestSourceCreatorOnly(t *testing.T) {
	const one, two = `"source":{"url":"https://example.com/1"}`, `"source":{"url":"https://example.com/2"}`
	creator, other := &operation.Caller{Creator: yes()}, &operation.Caller{Creator: new(false)}
	checkChange(t, "source.creator-only", diag.Ignore, []changeCase{
		{name: "accept/creator", stored: one, sent: two, caller: creator},
		{name: "accept/unknown", stored: one, sent: two, caller: new(operation.Caller)},
		{name: "accept/same", stored: one, sent: one, caller: other},
		{name: "accept/not-sent", stored: one, sent: `"summary":"Daily"`, caller: other},
		{name: "accept/get-by-creator", op: operation.EventsGet, stored: one, caller: creator},
		{name: "accept/get-without", op: operation.EventsGet, caller: other},
		{name: "ignore/changed", stored: one, sent: two, caller: other, want: []string{"/source"}},
		{name: "ignore/added", sent: one, caller: other, want: []string{"/source"}},
		{name: "ignore/cleared", stored: one, sent: `"source":null`, caller: other, want: []string{"/source"}},
		{name: "ignore/seen", op: operation.EventsGet, stored: one, caller: other, want: []string{"/source"}},
	})
}

func TestStatusTransition(t *testing.T) {
	checkChange(t, "status.unspecified", diag.Unspecified, []changeCase{
		{name: "accept/same", stored: `"status":"tentative"`, sent: `"status":"tentative"`},
		{name: "accept/confirmed-is-absent", sent: `"status":"confirmed"`},
		{name: "accept/absent-is-confirmed", stored: `"status":"confirmed"`, sent: `"status":null`},
		{name: "accept/nothing-stored", stored: "-", sent: `"status":"tentative"`},
		{name: "unspecified/tentative", sent: `"status":"tentative"`, want: []string{"/status"}},
		{name: "unspecified/cleared", stored: `"status":"tentative"`, sent: `"status":null`, want: []string{"/status"}},
		{name: "unspecified/cancelled", sent: `"status":"cancelled"`, want: []string{"/status"}},
		{name: "unspecified/restored", stored: `"status":"cancelled"`, sent: `"status":"confirmed"`, want: []string{"/status"}},
		{name: "unspecified/left-out-of-update", op: update, stored: `"status":"tentative"`, want: []string{"/status"}},
	})
}

func TestResponseTransition(t *testing.T) {
	ada := func(response string) string {
		return `"attendees":[{"email":"ada@example.com","responseStatus":"` + response + `"}]`
	}
	const silent = `"attendees":[{"email":"ada@example.com"}]`
	checkChange(t, "response-status.unspecified", diag.Unspecified, []changeCase{
		{name: "accept/same", stored: ada("accepted"), sent: ada("accepted")},
		{name: "accept/none-stored", stored: silent, sent: ada("accepted")},
		{name: "accept/none-sent", stored: ada("accepted"), sent: silent},
		{name: "unspecified/another", stored: ada("accepted"), sent: ada("declined"), want: []string{"/attendees/0/responseStatus"}},
		{name: "unspecified/first", stored: ada("needsAction"), sent: ada("accepted"), want: []string{"/attendees/0/responseStatus"}},
	})
}

func TestPatchCleared(t *testing.T) {
	checkChange(t, "patch.whole", diag.Reject, []changeCase{
		{name: "reject/start", sent: `"start":null`, want: []string{"/start"}},
		{name: "reject/end", sent: `"end":null`, want: []string{"/end"}},
		{name: "accept/nothing-stored", stored: "-", sent: `"start":null,"end":null`},
	})
}

// Only changes of the main event data change the updated time.
func TestChangesUpdated(t *testing.T) {
	for sent, want := range map[string]bool{
		`"reminders":{"useDefault":false}`:                     false,
		`"etag":"\"2\""`:                                       false,
		`"kind":"x"`:                                           false,
		`"created":"2026-01-01T00:00:00Z"`:                     false,
		`"updated":"2026-01-01T00:00:00Z"`:                     false,
		`"sequence":0`:                                         false,
		`"summary":"Daily"`:                                    true,
		`"status":"cancelled"`:                                 true,
		`"attendees":[{"email":"ada@example.com"}]`:            true,
		`"x-unknown":1`:                                        true,
		`"reminders":{"useDefault":false},"location":"Room 4"`: true,
		`"start":{"dateTime":"2026-03-10T09:00:00-04:00"}`:     false,
		`"start":{"dateTime":"2026-03-10T09:00:01-04:00"}`:     true,
	} {
		stored := read(t, object(storedPlain))
		next, err := event.Patch(stored, []byte(object(sent)), diag.Documents)
		if err != nil {
			t.Fatal(err)
		}
		if got := event.ChangesUpdated(stored, next); got != want {
			t.Errorf("ChangesUpdated with %s = %t", sent, got)
		}
	}
}

func TestSequenceDecrease(t *testing.T) {
	checkChange(t, "event.sequence.decrease", diag.Advise, []changeCase{
		{name: "accept/same", stored: `"sequence":3`, sent: `"sequence":3`},
		{name: "accept/higher", stored: `"sequence":3`, sent: `"sequence":4`},
		{name: "accept/absent", stored: `"sequence":3`, sent: `"summary":"Daily"`},
		{name: "accept/absent-from-update", op: update, stored: `"sequence":3`},
		{name: "accept/null", stored: `"sequence":3`, sent: `"sequence":null`},
		{name: "accept/none-stored", sent: `"sequence":0`},
		{name: "accept/nothing-stored", stored: "-", sent: `"sequence":1`},
		{name: "accept/negative-is-another-rule", stored: `"sequence":3`, sent: `"sequence":-1`, want: []string{"event.sequence /sequence"}},
		{name: "advise/one-less", stored: `"sequence":3`, sent: `"sequence":2`, want: []string{"/sequence"}},
		{name: "advise/zero", stored: `"sequence":3`, sent: `"sequence":0`, want: []string{"/sequence"}},
		{name: "advise/update", op: update, stored: `"sequence":3`, sent: `"sequence":2`, want: []string{"/sequence"}},
	})
}

func TestOrganizerOnly(t *testing.T) {
	const (
		chair    = `"organizer":{"email":"chair@example.com"}`
		list     = chair + `,"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"bob@example.com"}]`
		answered = `"attendees":[{"email":"ada@example.com","responseStatus":"accepted","comment":"Yes","additionalGuests":1},{"email":"bob@example.com"}]`
		shared   = `"extendedProperties":{"shared":{"a":"1"}}`
	)
	ada := &operation.Caller{Email: "ada@example.com"}
	const answer = "response-status.unspecified /attendees/0/responseStatus"
	checkChange(t, "event.organizer-only", diag.Advise, []changeCase{
		{name: "accept/caller-unknown", stored: chair, sent: `"summary":"Daily"`},
		{name: "accept/email-unknown", stored: chair, sent: `"summary":"Daily"`, caller: &operation.Caller{}},
		{name: "accept/organizer-unknown", sent: `"summary":"Daily"`, caller: ada},
		{name: "accept/organizer", stored: chair, sent: `"summary":"Daily"`, caller: &operation.Caller{Email: "chair@EXAMPLE.com"}},
		{name: "accept/own-calendar", stored: `"organizer":{"email":"chair@example.com","self":true}`, sent: `"summary":"Daily"`, caller: ada},
		{name: "accept/organizer-by-flag", stored: chair + `,"attendees":[{"email":"ada@example.com","organizer":true}]`, sent: `"summary":"Daily"`, caller: ada},
		{name: "accept/guests-can-modify", stored: chair + `,"guestsCanModify":true`, sent: `"summary":"Daily"`, caller: ada},
		{name: "accept/private-copy", stored: chair + `,"privateCopy":true`, sent: `"summary":"Daily"`, caller: ada},
		{name: "accept/nothing-stored", stored: "-", sent: `"summary":"Daily"`, caller: ada},
		{name: "accept/unchanged", stored: chair + `,"summary":"Daily"`, sent: `"summary":"Daily",` + timedStart, caller: ada},
		{name: "accept/own-data", stored: chair, sent: `"colorId":"5","reminders":{"useDefault":true},"extendedProperties":{"private":{"a":"1"}}`, caller: ada},
		{name: "accept/own-response", stored: list, sent: answered, caller: ada, want: []string{answer}},
		{name: "accept/update", op: update, stored: list, sent: answered, caller: ada, want: []string{answer}},
		{name: "advise/summary", stored: chair, sent: `"summary":"Daily"`, caller: ada, want: []string{"/summary"}},
		{name: "advise/other-members", stored: chair, sent: `"description":"a","location":"b",` + shared, caller: ada, want: []string{"/description", "/location", "/extendedProperties/shared"}},
		{name: "advise/times", stored: chair, sent: `"start":{"dateTime":"2026-03-10T08:00:00-04:00"},"end":{"dateTime":"2026-03-10T11:00:00-04:00"}`, caller: ada, want: []string{"/start", "/end"}},
		{name: "advise/another-added", stored: list, sent: `"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"bob@example.com"},{"email":"cy@example.com"}]`, caller: ada, want: []string{"/attendees"}},
		{name: "advise/another-removed", stored: list, sent: `"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"}]`, caller: ada, want: []string{"/attendees"}},
		{name: "advise/another-changed", stored: list, sent: `"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"bob@example.com","optional":true}]`, caller: ada, want: []string{"/attendees"}},
		{name: "advise/update", op: update, stored: chair + `,"summary":"Standup"`, caller: ada, want: []string{"/summary"}},
	})
}

func TestModifyCancelled(t *testing.T) {
	const gone = `"status":"cancelled","recurringEventId":"series1","originalStartTime":{"dateTime":"2026-03-10T09:00:00-04:00"}`
	checkChange(t, "status.modify-cancelled", diag.Advise, []changeCase{
		{name: "accept/single", stored: `"status":"cancelled"`, sent: `"summary":"Daily"`},
		{name: "accept/instance", stored: `"recurringEventId":"series1"`, sent: `"summary":"Daily"`},
		{name: "accept/unchanged", stored: gone, sent: `"status":"cancelled"`},
		{name: "accept/nothing-stored", stored: "-", sent: `"summary":"Daily"`},
		{name: "accept/deleted", op: operation.EventsDelete, stored: gone, want: []string{"status.delete.gone "}},
		{name: "advise/patch", stored: gone, sent: `"summary":"Daily"`, want: []string{""}},
		{name: "advise/update", op: update, stored: gone, sent: `"summary":"Daily","status":"cancelled"`, want: []string{""}},
		{name: "advise/restored", stored: gone, sent: `"status":"confirmed"`, want: []string{"", "status.unspecified /status"}},
	})
}

func TestReanchored(t *testing.T) {
	const (
		daily = `"recurrence":["RRULE:FREQ=DAILY;COUNT=10"]`
		later = `"start":{"dateTime":"2026-03-10T09:30:00-04:00","timeZone":"America/New_York"}`

		forever = `"recurrence":["RRULE:FREQ=DAILY"]`

		// Series of which no instance, or not the last one, is found in reasonable time.
		tooHard     = `"recurrence":["RRULE:FREQ=SECONDLY","EXRULE:FREQ=SECONDLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12"]`
		lastTooHard = `"recurrence":["RRULE:FREQ=SECONDLY","EXRULE:FREQ=SECONDLY;BYMONTH=4,5,6,7,8,9,10,11,12"]`
	)
	checkChange(t, "recurrence.reanchored", diag.Advise, []changeCase{
		{name: "accept/single", sent: later},
		{name: "accept/becomes-series", sent: daily},
		{name: "accept/nothing-stored", stored: "-", sent: later},
		{name: "accept/other-member", stored: daily, sent: `"summary":"Daily"`},
		{name: "accept/same", op: update, stored: daily, sent: daily},
		{name: "accept/stored-start-unreadable", days: `"start":{"dateTime":"soon"},"end":{"dateTime":"later"},` + daily, sent: later + `,"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`},
		{name: "advise/instances-between-removed", stored: `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`, sent: `"recurrence":["RRULE:FREQ=DAILY;INTERVAL=2;COUNT=2"]`, want: []string{"/recurrence"}},
		{name: "accept/start-written-differently", stored: daily, sent: `"start":{"dateTime":"2026-03-10T13:00:00Z"}`},
		{name: "accept/rule-written-differently", stored: daily, sent: `"recurrence":["rrule:count=10;freq=daily;interval=1;wkst=mo"]`},
		{name: "accept/rule-with-the-same-effect", stored: `"recurrence":["RRULE:FREQ=WEEKLY;COUNT=4"]`, sent: `"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU;UNTIL=20260331T235959Z"]`},
		{name: "accept/exclusion", stored: daily, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=10","EXDATE;TZID=America/New_York:20260312T090000"]`},
		{name: "accept/emptied", stored: `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260310T000000Z"]`, sent: `"start":{"dateTime":"2026-03-10T09:30:00-04:00"}`, want: []string{"recurrence.emptied /recurrence"}},
		{name: "accept/cleared", stored: daily, sent: `"recurrence":null`},
		{name: "accept/no-lines", stored: daily, sent: `"recurrence":[]`},
		{name: "accept/no-lines-in-update", op: update, stored: daily, sent: `"recurrence":[]`},
		{name: "accept/invalid", stored: daily, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=0"]`, want: []string{"recurrence.rule.count-until /recurrence/0"}},
		{name: "advise/start", stored: daily, sent: later, want: []string{"/start"}},
		{name: "advise/rule", stored: daily, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=11"]`, want: []string{"/recurrence"}},
		{name: "advise/fewer", stored: daily, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=9"]`, want: []string{"/recurrence"}},
		{name: "advise/update", op: update, stored: daily, sent: `"recurrence":["RRULE:FREQ=WEEKLY;COUNT=10"]`, want: []string{"/recurrence"}},
		{name: "accept/long-and-the-same", stored: forever, sent: `"recurrence":["RRULE:FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR,SA,SU"]`},
		{name: "advise/ends-far-away", stored: forever, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=2000"]`, want: []string{"/recurrence"}},
		{name: "advise/far-away-earlier", stored: `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20360310T130000Z"]`, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=2000"]`, want: []string{"/recurrence"}},
		{name: "advise/far-away-later", stored: `"recurrence":["RRULE:FREQ=DAILY;COUNT=2000"]`, sent: forever, want: []string{"/recurrence"}},
		{name: "accept/stored-too-hard", stored: tooHard, sent: daily},
		{name: "accept/last-too-hard", stored: lastTooHard, sent: `"recurrence":["RRULE:FREQ=SECONDLY"]`, want: []string{"recurrence.sub-daily /recurrence/0"}},
		{name: "advise/zone", stored: forever, sent: `"start":{"timeZone":"America/Bogota"}`, want: []string{"/start"}},
	})
}

func TestSendUpdatesAbsent(t *testing.T) {
	const guest = `"attendees":[{"email":"bob@example.com"}]`
	ada := &operation.Caller{Email: "ada@example.com"}
	move := operation.Params{"destination": {"a@example.com"}}
	for _, test := range []struct {
		name   string
		op     operation.ID
		body   string
		stored string
		params operation.Params
		caller *operation.Caller
		want   bool
	}{
		{"insert", operation.EventsInsert, object(timed, guest), "", nil, nil, true},
		{"insert-nobody", operation.EventsInsert, object(timed), "", nil, nil, false},
		{"insert-guest-by-id", operation.EventsInsert, object(timed, `"attendees":[{"id":"p1"}]`), "", nil, nil, true},
		{"insert-caller", operation.EventsInsert, object(timed, `"attendees":[{"email":"ada@EXAMPLE.com"}]`), "", nil, ada, false},
		{"insert-told", operation.EventsInsert, object(timed, guest), "", operation.Params{"sendUpdates": {"none"}}, nil, false},
		{"insert-told-the-old-way", operation.EventsInsert, object(timed, guest), "", operation.Params{"sendNotifications": {"false"}}, nil, false},
		{"import", operation.EventsImport, object(timed, guest, `"iCalUID":"a"`), "", nil, nil, false},
		{"patch", operation.EventsPatch, object(`"summary":"a"`), guest, nil, nil, true},
		{"patch-nothing", operation.EventsPatch, object(), guest, nil, nil, false},
		{"patch-reminders", operation.EventsPatch, object(`"reminders":{"useDefault":true}`), guest, nil, nil, false},
		{"patch-unknown", operation.EventsPatch, object(`"summary":"a"`), "-", nil, nil, false},
		{"patch-unknown-with-guests", operation.EventsPatch, object(guest), "-", nil, nil, false},
		{"patch-last-removed", operation.EventsPatch, object(`"attendees":[]`), guest, nil, nil, false},
		{"update", operation.EventsUpdate, object(timed, guest), "", nil, nil, true},
		{"delete", operation.EventsDelete, "", guest, nil, nil, true},
		{"delete-self", operation.EventsDelete, "", `"attendees":[{"email":"a@example.com","self":true}]`, nil, nil, false},
		{"delete-organizer", operation.EventsDelete, "", `"organizer":{"email":"bob@example.com"},` + guest, nil, nil, false},
		{"delete-nobody", operation.EventsDelete, "", "", nil, nil, false},
		{"move", operation.EventsMove, "", guest, move, nil, true},
		{"get", operation.EventsGet, "", guest, nil, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := &event.Request{Op: test.op, Params: test.params, Caller: test.caller}
			if test.body != "" {
				req.Body = []byte(test.body)
			}
			if test.stored != "-" && test.op != operation.EventsInsert && test.op != operation.EventsImport {
				req.Existing = read(t, object(storedPlain, test.stored))
			}
			var got []diag.Pointer
			for _, f := range must(event.Findings(req)) {
				if f.Rule.ID == sendUpdatesAbsent {
					got = append(got, f.Path)
				}
			}
			var want []diag.Pointer
			if test.want {
				want = []diag.Pointer{"?sendUpdates"}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Without the stored event, a patch is only told what is wrong whatever is stored.
func TestUnknownIsNotAbsent(t *testing.T) {
	const clock = `"dateTime":"2026-03-10T09:00:00"`
	service := &operation.Caller{ServiceAccount: yes()}
	checkChange(t, "time.offset", diag.Reject, []changeCase{
		{name: "accept/zone", stored: "-", sent: `"start":{` + clock + `}`},
		{name: "accept/zone-of-end", stored: "-", sent: `"end":{` + clock + `}`},
		{name: "reject/zone-cleared", stored: "-", sent: `"start":{` + clock + `,"timeZone":null}`, want: []string{"/start/dateTime"}},
		{name: "accept/recurrence", stored: "-", sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
		{name: "accept/recurrence-and-start", stored: "-", sent: `"start":{"dateTime":"2026-03-10T09:00:00-04:00"},"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"]`},
		{name: "reject/recurrence-and-zone-cleared", stored: "-", sent: `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":null},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`, want: []string{"time.zone.recurring /start/timeZone"}},
		{name: "accept/all-day-recurrence", stored: "-", sent: `"start":{"date":"2026-03-10"},"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`},
		{name: "accept/focus-time", stored: "-", sent: `"focusTimeProperties":{"chatStatus":"available"}`},
		{name: "accept/out-of-office", stored: "-", sent: `"outOfOfficeProperties":{"declineMessage":"a"}`},
		{name: "accept/working-location", stored: "-", sent: `"workingLocationProperties":{"type":"homeOffice"}`},
		{name: "accept/birthday", stored: "-", sent: `"birthdayProperties":{"type":"birthday"}`},
		{name: "advise/another-type", stored: "-", sent: `"eventType":"default","focusTimeProperties":{"chatStatus":"available"}`, want: []string{"focus-time.event-type /focusTimeProperties"}},
		{name: "accept/update", op: update, stored: "-", sent: `"focusTimeProperties":{"chatStatus":"available"}`},
		{name: "accept/working-location-type-alone", stored: "-", sent: `"eventType":"workingLocation"`},
		{name: "reject/working-location-cleared", stored: "-", sent: `"eventType":"workingLocation","workingLocationProperties":null`, want: []string{"type.properties-required /workingLocationProperties"}},
		{name: "accept/birthday-type-alone", stored: "-", sent: `"eventType":"birthday","start":{"date":"2026-03-10"}`},
		{name: "accept/overrides", stored: "-", sent: `"reminders":{"overrides":[{"method":"popup","minutes":1}]}`},
		{name: "advise/overrides-and-default-cleared", stored: "-", sent: `"reminders":{"useDefault":null,"overrides":[{"method":"popup","minutes":1}]}`, want: []string{"reminders.overrides-alone /reminders/overrides"}},
		{name: "reject/overrides-and-default", stored: "-", sent: `"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":1}]}`, want: []string{"reminders.default-and-overrides /reminders/overrides"}},
		{name: "accept/attachments", stored: "-", sent: `"attachments":[{"fileUrl":"https://files.example.com/1"}]`},
		{name: "accept/label", stored: "-", sent: `"eventLabelId":"urgent"`},
		{name: "accept/service-account", stored: "-", sent: `"attendees":[{"email":"ada@example.com"}]`, caller: service},
		{name: "accept/start-after-unknown-end", stored: "-", sent: timedStart},
		{name: "accept/attendee-by-id", stored: "-", sent: `"attendees":[{"id":"p1","optional":true}]`},
		{name: "accept/attendee-by-id-in-update", op: update, stored: "-", sent: `"attendees":[{"id":"p1"}]`},
		{name: "reject/attendee-without-id", stored: "-", sent: `"attendees":[{"optional":true}]`, want: []string{"attendee.email.required /attendees/0/email"}},
		{name: "reject/attendee-by-id-with-a-bad-address", stored: "-", sent: `"attendees":[{"id":"p1","email":"Ada"}]`, want: []string{"attendee.email.address /attendees/0/email"}},
		{name: "reject/order", stored: "-", sent: timedStart + `,"end":{"dateTime":"2026-03-10T08:00:00-04:00"}`, want: []string{"time.order /end"}},
		{name: "reject/form", stored: "-", sent: timedStart + `,"end":{"date":"2026-03-11"}`, want: []string{"time.same-form /end"}},
	})
}

func TestBirthdayDelete(t *testing.T) {
	of := func(kind string) string { return `"eventType":"birthday","birthdayProperties":{` + kind + `}` }
	remove, both := operation.EventsDelete, []string{"", "birthday.modify "}
	checkChange(t, "birthday.delete", diag.Reject, []changeCase{
		{name: "accept/own", op: remove, stored: of(`"type":"birthday"`)},
		{name: "accept/default", op: remove, stored: of("")},
		{name: "accept/unknown-type", op: remove, stored: of(`"type":"pet"`)},
		{name: "accept/no-birthday", op: remove},
		{name: "reject/birthday-of-a-contact", op: remove, stored: of(`"type":"birthday","contact":"people/c1"`), want: []string{""}},
		{name: "reject/anniversary", op: remove, stored: of(`"type":"anniversary"`), want: both},
		{name: "reject/custom", op: remove, stored: of(`"type":"custom"`), want: both},
		{name: "reject/other", op: remove, stored: of(`"type":"other"`), want: both},
		{name: "reject/self", op: remove, stored: of(`"type":"self"`), want: both},
	})
}

func TestShapeOfStoredTypes(t *testing.T) {
	const (
		day     = `"start":{"date":"2026-03-10","dateTime":null,"timeZone":null},"end":{"date":"2026-03-11","dateTime":null,"timeZone":null}`
		born    = `"eventType":"birthday","start":{"date":"2026-03-10","timeZone":"UTC"},"end":{"date":"2026-03-11","timeZone":"UTC"}`
		yearly  = born + `,"recurrence":["RRULE:FREQ=YEARLY"]`
		noYear  = "birthday.shape /recurrence"
		located = `"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}`
	)
	checkChange(t, "patch.whole", diag.Reject, []changeCase{
		{name: "reject/focus-time", stored: `"eventType":"focusTime"`, sent: day, want: []string{"type.timed-only /start"}},
		{name: "accept/default", sent: day},
		{name: "accept/birthday", days: yearly, sent: `"recurrence":["RRULE:FREQ=MONTHLY;BYMONTH=3"]`},
		{name: "accept/instance-of-birthday", days: born + `,"recurringEventId":"series1"`, sent: `"start":{"date":"2026-03-10","timeZone":"Europe/Berlin"}`},
		{name: "accept/instance-of-birthday-that-recurs", days: born + `,"recurringEventId":"series1"`, sent: `"recurrence":["RRULE:FREQ=DAILY"]`,
			want: []string{"recurrence.on-instance /recurrence"}},
		{name: "accept/stored-recurrence-is-wrong", stored: `"recurrence":["RRULE:FREQ=DAILY;COUNT=0"]`, sent: `"summary":"Daily"`},
		{name: "reject/birthday", days: yearly, sent: `"recurrence":["RRULE:FREQ=DAILY"]`, want: []string{noYear, "recurrence.reanchored /recurrence"}},
		{name: "reject/birthday-once", days: yearly, sent: `"recurrence":null`, want: []string{noYear}},
		{name: "reject/birthday-updated", op: update, days: yearly, want: []string{"birthday.shape /recurrence", "birthday.shape /start"}},
		{name: "reject/working-location", stored: located, sent: `"workingLocationProperties":null`, want: []string{"type.properties-required /workingLocationProperties"}},
		{name: "reject/working-location-updated", op: update, stored: located, want: []string{"type.properties-required /workingLocationProperties"}},
	})
}
