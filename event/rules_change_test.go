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
		req.Body = json.RawMessage(object(timed, c.sent))
	}
	if c.stored != "-" {
		req.Existing = read(t, object(storedPlain, c.stored))
	}
	return req
}

// checkChange is like checkRule for requests about stored events.
func checkChange(t *testing.T, id string, kind diag.Kind, cases []changeCase) {
	t.Helper()
	checkListed(t, id, kind)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			result := event.Check(c.request(t))
			if result.Error != "" {
				t.Fatal(result.Error)
			}
			if diff := cmp.Diff(qualify(c.want, id), describe(result.Findings, nil)); diff != "" {
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
		{name: "reject/start-cleared", stored: locked, sent: `"start":null`, want: []string{"/start", "patch.whole /start"}},
		{name: "reject/end-cleared", stored: locked, sent: `"end":null`, want: []string{"/end", "patch.whole /end"}},
		{name: "reject/recurrence", stored: locked, sent: `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`, want: []string{"/recurrence"}},
	})
}

func TestFromMailModify(t *testing.T) {
	const mail = `"eventType":"fromMail","summary":"Flight"`
	checkChange(t, "type.from-mail.modify", diag.Reject, []changeCase{
		{name: "accept/what-may-change", stored: mail, sent: `"colorId":"5","reminders":{"useDefault":false},"visibility":"private",` +
			`"transparency":"transparent","attendees":[{"email":"ada@example.com"}],"extendedProperties":{"private":{"a":"1"}}`},
		{name: "accept/default-written-out", stored: mail, sent: `"guestsCanInviteOthers":true`},
		{name: "accept/another-type", stored: `"summary":"Flight"`, sent: `"summary":"Train"`},
		{name: "reject/summary", stored: mail, sent: `"summary":"Train"`, want: []string{"/summary"}},
		{name: "reject/location", stored: mail, sent: `"location":"Gate 4"`, want: []string{"/location"}},
		{name: "reject/left-out-of-update", op: update, stored: mail, want: []string{"/summary"}},
	})
}

func TestBirthdayModify(t *testing.T) {
	const (
		other = `"eventType":"birthday","birthdayProperties":{"type":"other","contact":"people/c1"}`
		own   = `"eventType":"birthday","birthdayProperties":{"type":"birthday"}`
	)
	checkChange(t, "birthday.modify", diag.Advise, []changeCase{
		{name: "accept/what-may-change", stored: other, sent: `"summary":"Ada","colorId":"5","reminders":{"useDefault":false}`},
		{name: "accept/own", stored: own, sent: `"location":"Paris"`},
		{name: "accept/own-deleted", op: operation.EventsDelete, stored: own},
		{name: "accept/no-birthday-deleted", op: operation.EventsDelete},
		{name: "advise/location", stored: other, sent: `"location":"Paris"`, want: []string{"/location"}},
		{name: "advise/deleted", op: operation.EventsDelete, stored: other, want: []string{""}},
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
		next, err := event.Patch(stored, []byte(object(sent)))
		if err != nil {
			t.Fatal(err)
		}
		if got := event.ChangesUpdated(stored, next); got != want {
			t.Errorf("ChangesUpdated with %s = %t", sent, got)
		}
	}
}
