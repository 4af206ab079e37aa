package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// A value that is stored and sent back unchanged need not follow the rules for what is added. The
// tables below test this for lists.

func TestAttendeesWithStoredEvent(t *testing.T) {
	list := func(s string) string { return `"attendees":[` + s + `]` }
	const (
		odd   = `{"id":"p1","email":"Ada","responseStatus":"maybe","additionalGuests":-1}`
		added = `{"email":"bob@example.com"}`
	)
	checkChange(t, "attendee.email.address", diag.Reject, []changeCase{
		{name: "accept/stored", stored: list(odd), sent: list(odd + "," + added)},
		{name: "accept/stored-in-update", op: update, stored: list(odd), sent: list(added + "," + odd)},
		{name: "reject/added", sent: list(`{"email":"Ada"}`), want: []string{"/attendees/0/email"}},
		{name: "reject/changed", stored: list(odd), sent: list(`{"id":"p2","email":"Eve"}`), want: []string{"/attendees/0/email"}},
	})
	checkChange(t, "attendee.response.enum", diag.Reject, []changeCase{
		{name: "accept/stored", stored: list(odd), sent: list(odd)},
		{name: "reject/changed", stored: list(odd), sent: list(`{"id":"p1","email":"Ada","responseStatus":"perhaps"}`), want: []string{"/attendees/0/responseStatus"}},
	})
	checkChange(t, "attendee.guests", diag.Reject, []changeCase{
		{name: "accept/stored", stored: list(odd), sent: list(odd)},
		{name: "reject/changed", stored: list(odd), sent: list(`{"id":"p1","email":"Ada","additionalGuests":-2}`), want: []string{"/attendees/0/additionalGuests"}},
	})
	checkChange(t, "attendee.email.required", diag.Reject, []changeCase{
		{name: "accept/known-by-id", stored: list(`{"id":"p1"}`), sent: list(`{"id":"p1","optional":true}`)},
		{name: "accept/one-id-with-address-and-without", op: update, stored: list(`{"id":"p1","email":"ada@example.com"},{"id":"p1"}`),
			sent: list(`{"id":"p1","email":"bob@example.com"},{"id":"p1"}`)},
		{name: "accept/one-id-without-address-and-with", op: update, stored: list(`{"id":"p1","email":"ada@example.com"},{"id":"p1"}`),
			sent: list(`{"id":"p1"},{"id":"p1","email":"bob@example.com"}`)},
		{name: "reject/added", stored: list(`{"id":"p1"}`), sent: list(`{"id":"p2"}`), want: []string{"/attendees/0/email"}},
		{name: "reject/one-stored-two-sent", stored: list(`{"id":"p1"}`), sent: list(`{"id":"p1"},{"id":"p1"}`), want: []string{"/attendees/1/email"}},
		{name: "reject/one-stored-sent-by-address-and-id", stored: list(`{"id":"p1","email":"ada@example.com"}`), sent: list(`{"email":"ada@example.com"},{"id":"p1"}`),
			want: []string{"/attendees/1/email"}},
	})
}

func TestKindWithStoredEvent(t *testing.T) {
	const known, other = `"kind":"calendar#event"`, `"kind":"calendar#other"`
	for _, test := range []struct {
		name, stored, sent string
		want               []string
	}{
		{"accept/stored", other, other, []string{}},
		{"accept/known", other, known, []string{}},
		{"reject/changed", known, other, []string{"event.kind /kind"}},
		{"reject/added", "", other, []string{"event.kind /kind"}},
		{"reject/empty-without-stored", "", `"kind":""`, []string{"event.kind /kind"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := &event.Request{
				Op: operation.EventsPatch, Body: []byte(object(test.sent)),
				Existing: read(t, object(`"id":"abc12def"`, timed, test.stored)),
			}
			if diff := cmp.Diff(test.want, describe(must(event.Findings(req)), nil)); diff != "" {
				t.Errorf("findings of %s (-want +got):\n%s", test.sent, diff)
			}
		})
	}
}

func TestServiceAccountWithStoredEvent(t *testing.T) {
	const ada = `"attendees":[{"email":"ada@example.com"}]`
	account := &operation.Caller{ServiceAccount: yes()}
	checkChange(t, "attendee.service-account", diag.Reject, []changeCase{
		{name: "accept/other-change", stored: ada, sent: `"summary":"Daily"`, caller: account},
		{name: "accept/same", stored: ada, sent: ada, caller: account},
		{name: "accept/removed", stored: ada, sent: `"attendees":[]`, caller: account},
		{name: "accept/delegated", sent: ada, caller: &operation.Caller{ServiceAccount: yes(), DomainWideDelegation: true}},
		{name: "accept/user", sent: ada, caller: &operation.Caller{ServiceAccount: new(false)}},
		{name: "accept/one-removed", stored: `"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`, sent: ada, caller: account},
		{name: "accept/answered", stored: ada, sent: `"attendees":[{"email":"ada@example.com","comment":"Late."}]`, caller: account},
		{name: "reject/one-more", stored: ada, sent: `"attendees":[{"email":"ada@example.com"},{"email":"bob@example.com"}]`, caller: account, want: []string{"/attendees"}},
		{name: "reject/added", sent: ada, caller: account, want: []string{"/attendees"}},
		{name: "reject/changed", stored: ada, sent: `"attendees":[{"email":"bob@example.com"}]`, caller: account, want: []string{"/attendees"}},
	})
}

func TestRemindersWithStoredEvent(t *testing.T) {
	of := func(overrides string) string {
		return `"reminders":{"useDefault":false,"overrides":[` + overrides + `]}`
	}
	const odd, good = `{"method":"sms"}`, `{"method":"popup","minutes":10}`
	checkChange(t, "reminders.method", diag.Reject, []changeCase{
		{name: "accept/stored", stored: of(odd), sent: of(good + "," + odd)},
		{name: "reject/added", stored: of(good), sent: of(`{"method":"sms","minutes":10}`), want: []string{"/reminders/overrides/0/method"}},
	})
	checkChange(t, "reminders.minutes", diag.Reject, []changeCase{
		{name: "accept/stored", stored: of(odd), sent: of(odd)},
		{name: "reject/added", stored: of(odd), sent: of(`{"method":"email"}`), want: []string{"/reminders/overrides/0/minutes"}},
		{name: "reject/added-beyond", stored: of(good), sent: of(`{"method":"popup","minutes":40321}`), want: []string{"/reminders/overrides/0/minutes"}},
	})
}

func TestAttachmentsWithStoredEvent(t *testing.T) {
	const (
		file  = `"attachments":[{"fileUrl":"https://example.com/1"}]`
		other = `"attachments":[{"fileUrl":"https://example.com/2"}]`
		bare  = `"attachments":[{"fileId":"f1","title":"Agenda"}]`
	)
	supports := query("supportsAttachments", "true")
	checkChange(t, "attachments.supports", diag.Reject, []changeCase{
		{name: "accept/other-change", stored: file, sent: `"summary":"Daily"`},
		{name: "accept/same", stored: file, sent: file},
		{name: "accept/told", stored: file, sent: other, params: supports},
		{name: "accept/none", op: update},
		{name: "reject/added", sent: file, want: []string{"/attachments"}},
		{name: "reject/changed", stored: file, sent: other, want: []string{"/attachments"}},
		{name: "reject/cleared", stored: file, sent: `"attachments":null`, want: []string{"/attachments"}},
		{name: "reject/left-out-of-update", op: update, stored: file, want: []string{"/attachments"}},
	})
	checkChange(t, "attachments.file-url", diag.Reject, []changeCase{
		{name: "accept/stored", stored: bare, sent: bare, params: supports},
		{name: "reject/changed", stored: bare, sent: `"attachments":[{"fileId":"f1","title":"Plan"}]`, params: supports, want: []string{"/attachments/0/fileUrl"}},
		{name: "reject/added", stored: file, sent: bare, params: supports,
			want: []string{"/attachments/0/fileUrl", "event.read-only /attachments/0/fileId"}},
	})
}

func TestTypePlainWithStoredEvent(t *testing.T) {
	const (
		away  = `"eventType":"outOfOffice"`
		focus = `"eventType":"focusTime"`
		work  = `"eventType":"workingLocation","workingLocationProperties":{"type":"homeOffice"}`
		ada   = `"attendees":[{"email":"ada@example.com"}]`
		room  = `"location":"Room 4"`
	)
	v1 := query("conferenceDataVersion", "1")
	checkChange(t, "type.plain", diag.Reject, []changeCase{
		{name: "accept/stored-attendees", stored: away + "," + ada, sent: room},
		{name: "accept/stored-location", stored: work + "," + room, sent: ada},
		{name: "accept/stored-conference", stored: away + "," + conferenceRequest, sent: room, params: v1},
		{name: "reject/attendees-added", op: update, stored: away, sent: away + "," + ada, want: []string{"/attendees"}},
		{name: "reject/location-added", op: update, stored: work, sent: work + "," + room, want: []string{"/location"}},
		{name: "reject/conference-added", op: update, stored: away, sent: away + "," + conferenceRequest, params: v1, want: []string{"/conferenceData"}},
		{name: "advise/conference-added-to-focus-time", stored: focus, sent: conferenceRequest, params: v1, want: []string{"type.plain=advise /conferenceData"}},
		{name: "reject/type-of-one-with-attendees", op: update, stored: ada, sent: away + "," + ada, want: []string{"event.type.immutable /eventType", "/attendees"}},
		{name: "reject/type-of-one-with-location", op: update, stored: room, sent: work + "," + room, want: []string{"event.type.immutable /eventType", "/location"}},
		{name: "reject/type-of-one-with-conference", op: update, stored: conferenceRequest, sent: away + "," + conferenceRequest, params: v1,
			want: []string{"event.type.immutable /eventType", "/conferenceData"}},
	})
}

// The stored details of another working location type are not new, and may be left out.
func TestWorkingLocationWithStoredEvent(t *testing.T) {
	const office, path = `"type":"officeLocation"`, "/workingLocationProperties/"
	place := func(members string) string {
		return `"eventType":"workingLocation","workingLocationProperties":{` + members + `}`
	}
	home, custom := place(office+`,"homeOffice":{"a":1}`), place(office+`,"customLocation":{"label":"Café"}`)
	desk := place(`"type":"homeOffice","officeLocation":{"label":"HQ"}`)
	checkChange(t, "working-location.other-fields", diag.Ignore, []changeCase{
		{name: "accept/home", op: update, stored: home, sent: home},
		{name: "accept/home-left-out", op: update, stored: home, sent: place(office)},
		{name: "accept/custom", op: update, stored: custom, sent: custom},
		{name: "accept/custom-left-out", op: update, stored: custom, sent: place(office)},
		{name: "accept/office", op: update, stored: desk, sent: desk},
		{name: "accept/office-left-out", op: update, stored: desk, sent: place(`"type":"homeOffice"`)},
		{name: "accept/left-out-of-patch", stored: home, sent: `"workingLocationProperties":{"type":"customLocation"}`},
		{name: "ignore/beside-new-type", op: update, stored: place(`"type":"homeOffice","homeOffice":{"a":1}`), sent: home, want: []string{path + "homeOffice"}},
		{name: "ignore/patched-beside-new-type", stored: home, sent: `"workingLocationProperties":{"type":"customLocation","homeOffice":{}}`, want: []string{path + "homeOffice"}},
		{name: "ignore/home", op: update, stored: home, sent: place(office + `,"homeOffice":{"a":2}`), want: []string{path + "homeOffice"}},
		{name: "ignore/custom", op: update, stored: custom, sent: place(office + `,"customLocation":{"label":"Bar"}`), want: []string{path + "customLocation"}},
		{name: "ignore/office", op: update, stored: desk, sent: place(`"type":"homeOffice","officeLocation":{"label":"Annex"}`), want: []string{path + "officeLocation"}},
	})
}

// A patch whose start or end is wrong only together with the stored one is rejected by patch.whole, and any
// other patch by the rule that the merged event breaks. There is one finding about each fault.
func TestPatchWhole(t *testing.T) {
	const (
		series  = `"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`
		stored  = `"reminders":{"useDefault":true}`
		ownOnes = `"reminders":{"overrides":[{"method":"popup","minutes":10}]}`

		conference = `"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"}},"entryPoints":[{"entryPointType":"video","uri":"https://example.com/1"}]}`
	)
	v1 := query("conferenceDataVersion", "1")
	checkChange(t, "patch.whole", diag.Reject, []changeCase{
		{name: "accept/form-changed", sent: `"start":{"date":"2026-03-10","dateTime":null},"end":{"date":"2026-03-11","dateTime":null}`},
		{name: "reject/date-beside-time", sent: `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`,
			want: []string{"/start", "/end"}},
		{name: "reject/order", sent: `"end":{"dateTime":"2026-03-10T08:00:00-04:00"}`, want: []string{"/end"}},
		{name: "reject/zone-cleared-of-series", stored: series, sent: `"start":{"timeZone":null}`,
			want: []string{"time.zone.recurring /start/timeZone"}},
		{name: "reject/reminders", stored: stored, sent: ownOnes,
			want: []string{"reminders.default-and-overrides /reminders/overrides"}},
		{name: "reject/conference-without-ways-in", stored: conference, sent: `"conferenceData":{"entryPoints":[]}`, params: v1,
			want: []string{"conference.required /conferenceData"}},
		{name: "reject/request-without-id", stored: `"conferenceData":{"createRequest":{"requestId":"r-1"}}`, sent: `"conferenceData":{"createRequest":{"requestId":null}}`, params: v1,
			want: []string{"conference.request.id /conferenceData/createRequest/requestId"}},
		{name: "alone/conference-made-of-nothing", sent: `"conferenceData":{"notes":"x"}`, params: v1, want: []string{"conference.required /conferenceData"}},
		{name: "accept/conference-of-what-is-not-known", stored: "-", sent: `"conferenceData":{"notes":"x","createRequest":{"conferenceSolutionKey":{"type":"videoMeet"}}}`, params: v1},
		{name: "alone/empty-id-of-what-is-not-known", stored: "-", sent: `"conferenceData":{"createRequest":{"requestId":""}}`, params: v1,
			want: []string{"conference.request.id /conferenceData/createRequest/requestId"}},
		{name: "accept/working-location-of-what-is-not-known", stored: "-", sent: `"eventType":"workingLocation","workingLocationProperties":{"homeOffice":{}}`},
		{name: "alone/order", sent: `"start":{"dateTime":"2026-03-10T12:00:00-04:00"},"end":{"dateTime":"2026-03-10T11:00:00-04:00"}`,
			want: []string{"time.order /end"}},
		{name: "alone/value", sent: `"visibility":"secret"`, want: []string{"event.visibility.enum /visibility"}},
		{name: "alone/parameter", sent: `"attachments":[{"fileUrl":"https://example.com/1"}]`, want: []string{"attachments.supports /attachments"}},
	})
}

// If the rule is graded off, a patch is refused by the rules of the merged event, as an update is.
func TestPatchWholeGradedOff(t *testing.T) {
	body := []byte(object(`"start":{"dateTime":"2026-03-10T09:00:00-04:00"}`, `"end":{"dateTime":"2026-03-10T08:00:00-04:00"}`))
	checker := event.Checker{Grading: diag.Grading{Rules: map[string]diag.Kind{"patch.whole": diag.Off}}}
	for name, test := range map[string]struct {
		checker *event.Checker
		req     event.Request
		want    string
	}{
		"patch":              {new(event.Checker), event.Request{Op: operation.EventsPatch, Body: []byte(`{"end":{"dateTime":"2026-03-10T08:00:00-04:00"}}`)}, "patch.whole"},
		"patch, graded off":  {&checker, event.Request{Op: operation.EventsPatch, Body: []byte(`{"end":{"dateTime":"2026-03-10T08:00:00-04:00"}}`)}, "time.order"},
		"update":             {new(event.Checker), event.Request{Op: operation.EventsUpdate, Body: body}, "time.order"},
		"update, graded off": {&checker, event.Request{Op: operation.EventsUpdate, Body: body}, "time.order"},
	} {
		test.req.Existing = read(t, object(storedPlain))
		findings, err := test.checker.Findings(&test.req)
		if err != nil {
			t.Fatal(err)
		}
		rejecting := findings.Kind(diag.Reject)
		if len(rejecting) != 1 || rejecting[0].Rule.ID != test.want {
			t.Errorf("%s: %v, want %s", name, rejecting, test.want)
		}
	}
}

// What an unknown event may have stored is not refused, nor called a change.
func TestUnknownStoredEvent(t *testing.T) {
	const (
		named = `"conferenceData":{"conferenceSolution":{"key":{"type":"eventNamedVideo"}},"entryPoints":[{"entryPointType":"video","uri":"https://example.com/1"}]}`
		other = `"conferenceData":{"conferenceSolution":{"key":{"type":"holoDeck"}},"entryPoints":[{"entryPointType":"video","uri":"https://example.com/1"}]}`
		asked = `"conferenceData":{"createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"eventVideo"}}}`
		met   = `"conferenceData":{"conferenceId":"acme-1","createRequest":{"requestId":"r-1","conferenceSolutionKey":{"type":"videoMeet"}}}`
	)
	v1 := query("conferenceDataVersion", "1")
	checkChange(t, "json.type", diag.Reject, []changeCase{
		{name: "accept/label", op: update, stored: "-", sent: `"eventLabelId":"urgent"`},
		{name: "accept/attachments", op: update, stored: "-", sent: `"attachments":[{"fileUrl":"https://example.com/1"}]`},
		{name: "accept/deprecated-conference", op: update, stored: "-", sent: named, params: v1},
		{name: "accept/conference-of-unknown-type", stored: "-", sent: other, params: v1},
		{name: "accept/repeated-request", stored: "-", sent: asked, params: v1},
		{name: "accept/id-of-stored-solution", stored: "-", sent: met, params: v1},
		{name: "accept/birthday-instance", stored: "-", sent: `"eventType":"birthday","recurrence":null`},
		{name: "accept/ended-series", op: update, stored: "-", sent: `"recurrence":["RRULE:FREQ=DAILY;UNTIL=20260301T000000Z"]`},
		{name: "accept/guests", stored: "-", sent: `"attendees":[{"email":"ada@example.com"}]`},
		{name: "ignore/conference", op: update, stored: "-", sent: named, want: []string{"conference.version /conferenceData"}},
		{name: "reject/value", op: update, stored: "-", sent: `"visibility":"secret"`, want: []string{"event.visibility.enum /visibility"}},
	})
}

func TestUnknownAttendeesOmitted(t *testing.T) {
	result, err := event.Check(&event.Request{Op: operation.EventsUpdate,
		Body: []byte(object(timed, `"attendeesOmitted":true`, `"attendees":[{"email":"ada@example.com","responseStatus":"accepted"}]`))})
	if err != nil || !result.Accepted || len(result.Answer.Attendees) != 1 || result.Answer.Attendees[0].ResponseStatus != "accepted" {
		t.Errorf("answered with %v, %v", result.Answer, result.Findings)
	}
}

// Only self says whose response a request with attendeesOmitted has, if the stored event is unknown.
func TestUnknownParticipant(t *testing.T) {
	const (
		omitted = `"attendeesOmitted":true`
		me      = `"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"accepted"}]`
	)
	checkChange(t, "event.read-only", diag.Ignore, []changeCase{
		{name: "accept/omitted", op: update, stored: "-", sent: omitted + "," + me},
		{name: "ignore/other-members", op: update, stored: "-", sent: omitted + "," + me + `,"locked":true`, want: []string{"/locked"}},
		{name: "ignore/all-attendees", op: update, stored: "-", sent: me, want: []string{"/attendees/0/self"}},
		{name: "ignore/patch", stored: "-", sent: omitted + "," + me, want: []string{"/attendees/0/self"}},
		{name: "ignore/stored", op: update, stored: `"attendees":[{"email":"ada@example.com"}]`, sent: omitted + "," + me, want: []string{"/attendees/0/self"}},
	})
}
