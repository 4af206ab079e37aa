package event_test

import (
	"slices"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Nothing is stored that a new event could keep, even if the service marks one of its attendees.
func TestReadOnlyMessage(t *testing.T) {
	const body = `{"iCalUID":"u","organizer":{"email":"ada@example.com"},"attendees":[{"email":"ada@example.com","organizer":false}]}`
	for op, want := range map[operation.ID]string{
		operation.EventsImport: "Only the service writes organizer, so the value sent has no effect. Leave it out.",
		operation.EventsPatch:  "Only the service writes organizer, so the value sent has no effect; the stored value stays. Leave it out.",
	} {
		req := event.Request{Op: op, Body: []byte(body)}
		if op == operation.EventsPatch {
			req.Existing = read(t, `{"attendees":[{"email":"ada@example.com","organizer":true}]}`)
		}
		findings := must(event.Findings(&req))
		if !slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Message() == want }) {
			t.Errorf("%s: %v, want %q", op, findings, want)
		}
	}
}

// A value that equals the stored one is not an attempt to write it.
func TestReadOnlyWithStoredEvent(t *testing.T) {
	const (
		ada     = `"attendees":[{"email":"ada@example.com","organizer":true,"self":true,"asyncOperation":"inProgress"}]`
		file    = `"attachments":[{"fileUrl":"https://example.com/1","fileId":"f1"}]`
		day     = `"eventType":"birthday","birthdayProperties":{"type":"birthday","contact":"people/c1"}`
		created = `"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}`
	)
	withFiles, withConference := query("supportsAttachments", "true"), query("conferenceDataVersion", "1")
	checkChange(t, "event.read-only", diag.Ignore, []changeCase{
		{name: "accept/same", sent: `"created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z","creator":{"email":"owner@example.com"}`},
		{name: "accept/part-of-creator", sent: `"creator":{}`},
		{name: "accept/same-in-update", op: update, stored: ada, sent: `"creator":{"email":"owner@example.com"},` + ada},
		{name: "accept/left-out-of-update", op: update, stored: `"locked":true`},
		{name: "ignore/created", sent: `"created":"2026-01-05T08:00:00Z"`, want: []string{"/created"}},
		{name: "ignore/created-null", sent: `"created":null`, want: []string{"/created"}},
		{name: "ignore/created-empty", op: update, sent: `"created":""`, want: []string{"/created"}},
		{name: "accept/created-null-in-update", op: update, sent: `"created":null,"creator":{"email":null}`},
		{name: "ignore/creator-email-null", sent: `"creator":{"email":null}`, want: []string{"/creator"}},
		{name: "ignore/creator-null", sent: `"creator":null`, want: []string{"/creator"}},
		{name: "ignore/creator-email", sent: `"creator":{"email":"eve@example.com"}`, want: []string{"/creator"}},
		{name: "ignore/creator-name", sent: `"creator":{"displayName":"Eve"}`, want: []string{"/creator"}},
		{name: "ignore/creator-id", sent: `"creator":{"id":"p9"}`, want: []string{"/creator"}},
		{name: "ignore/creator-self", sent: `"creator":{"email":"owner@example.com","self":true}`, want: []string{"/creator"}},
		{name: "accept/creator-not-self", sent: `"creator":{"email":"owner@example.com","self":false}`},
		{name: "ignore/unlock", stored: `"locked":true`, sent: `"locked":false`, want: []string{"/locked"}},
		{name: "ignore/unlock-by-null", stored: `"locked":true`, sent: `"locked":null`, want: []string{"/locked"}},
		{name: "ignore/organizer-self", stored: `"organizer":{"email":"o@example.com","self":true}`, sent: `"organizer":{"self":false}`, want: []string{"/organizer/self"}},
		{name: "accept/attendee", stored: ada, sent: ada},
		{name: "accept/attendee-without-flags", stored: ada, sent: `"attendees":[{"email":"ada@example.com"}]`},
		{name: "ignore/attendee", stored: ada, sent: `"attendees":[{"email":"ada@example.com","organizer":false,"self":true,"asyncOperation":"done"}]`,
			want: []string{"/attendees/0/organizer", "/attendees/0/asyncOperation"}},
		{name: "accept/file", stored: file, sent: file, params: withFiles},
		{name: "ignore/file", stored: file, sent: `"attachments":[{"fileUrl":"https://example.com/1","fileId":"f2"}]`, params: withFiles, want: []string{"/attachments/0/fileId"}},
		{name: "accept/birthday", stored: day, sent: `"birthdayProperties":{"contact":"people/c1"}`},
		{name: "ignore/birthday", stored: day, sent: `"birthdayProperties":{"contact":"people/c2"}`, want: []string{"/birthdayProperties/contact"}},
		{name: "accept/request", stored: created, sent: created, params: withConference},
		{name: "ignore/request", stored: created, sent: `"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"success"}}}`, params: withConference,
			want: []string{"/conferenceData/createRequest/status"}},
		{name: "ignore/request-status-null", stored: created, sent: `"conferenceData":{"createRequest":{"status":null}}`, params: withConference,
			want: []string{"/conferenceData/createRequest/status"}},
		{name: "ignore/request-code-null", stored: created, sent: `"conferenceData":{"createRequest":{"status":{"statusCode":null}}}`, params: withConference,
			want: []string{"/conferenceData/createRequest/status"}},
		{name: "accept/request-status-empty", stored: created, sent: `"conferenceData":{"createRequest":{"status":{}}}`, params: withConference},
		{name: "accept/request-null", stored: created, sent: `"conferenceData":{"createRequest":null}`, params: withConference,
			want: []string{"conference.required /conferenceData"}},
		{name: "accept/request-without-status", op: update, stored: created, sent: `"conferenceData":{"createRequest":{"requestId":"r","status":null}}`, params: withConference,
			want: []string{"conference.request.id-repeated /conferenceData/createRequest/requestId"}},
	})
}

func TestServerSetWithStoredEvent(t *testing.T) {
	const (
		gadget = `"gadget":{"display":"icon","link":"https://example.com/l","iconLink":"https://example.com/i"}`
		file   = `"attachments":[{"fileUrl":"https://example.com/1","iconLink":"https://example.com/i"}]`
	)
	withFiles := query("supportsAttachments", "true")
	checkChange(t, "event.server-set", diag.Ignore, []changeCase{
		{name: "accept/same", sent: `"etag":"\"3181161784712000\""`},
		{name: "ignore/etag", sent: `"etag":"\"1\""`, want: []string{"/etag"}},
		{name: "ignore/etag-null", sent: `"etag":null`, want: []string{"/etag"}},
		{name: "ignore/link-null", stored: `"htmlLink":"https://example.com/e"`, sent: `"htmlLink":null`, want: []string{"/htmlLink"}},
		{name: "accept/link-null-without-stored", sent: `"htmlLink":null`},
		{name: "accept/icon", stored: file, sent: file, params: withFiles},
		{name: "accept/icon-left-out", stored: file, sent: `"attachments":[{"fileUrl":"https://example.com/1"}]`, params: withFiles},
		{name: "ignore/icon", stored: file, sent: `"attachments":[{"fileUrl":"https://example.com/1","iconLink":"https://example.com/j"}]`, params: withFiles,
			want: []string{"/attachments/0/iconLink"}},
		{name: "accept/gadget", stored: gadget, sent: gadget},
		{name: "ignore/gadget", stored: gadget, sent: `"gadget":{"link":"https://example.com/m"}`, want: []string{"/gadget/link"}},
	})
}

func TestOrganizerWithStoredEvent(t *testing.T) {
	const organized = `"organizer":{"id":"p1","email":"o@example.com","displayName":"Olga"}`
	checkChange(t, "event.organizer.read-only", diag.Ignore, []changeCase{
		{name: "accept/same", stored: organized, sent: organized},
		{name: "accept/part", stored: organized, sent: `"organizer":{"email":"o@example.com"}`},
		{name: "accept/left-out-of-update", op: update, stored: organized},
		{name: "accept/null-without-stored", sent: `"organizer":null`},
		{name: "ignore/null", stored: organized, sent: `"organizer":null`, want: []string{"/organizer"}},
		{name: "ignore/email", stored: organized, sent: `"organizer":{"email":"e@example.com"}`, want: []string{"/organizer"}},
		{name: "ignore/email-null", stored: organized, sent: `"organizer":{"email":null}`, want: []string{"/organizer"}},
		{name: "ignore/email-empty", op: update, stored: organized, sent: `"organizer":{"email":""}`, want: []string{"/organizer"}},
		{name: "accept/email-null-without-stored", sent: `"organizer":{"email":null}`},
		{name: "ignore/name", stored: organized, sent: `"organizer":{"displayName":"Eve"}`, want: []string{"/organizer"}},
		{name: "ignore/added", sent: organized, want: []string{"/organizer"}},
	})
}
