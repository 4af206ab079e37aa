package event_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// answerCase is a request about a stored event and the answer.
type answerCase struct {
	changeCase
	answer    string // the members of the answered event, without those of storedPlain
	kept      string // the members of the event to store, if it differs from the answered one
	remainder string // the members of the remainder; empty if there is no remainder
}

func checkAnswers(t *testing.T, cases []answerCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			req := c.request(t)
			result := must(event.Check(req))
			if !result.Accepted {
				t.Fatal(result.Findings)
			}
			want := c.event(t, c.answer)
			var remains *event.Event
			if c.remainder != "" {
				remains = read(t, object(c.remainder))
			}
			if diff := cmp.Diff(text(t, want), text(t, result.Answer)); diff != "" {
				t.Errorf("event (-want +got):\n%s", diff)
			}
			if c.kept != "" {
				want = c.event(t, c.kept)
			}
			if diff := cmp.Diff(text(t, want), text(t, result.Stored)); result.Stored != nil && diff != "" {
				t.Errorf("stored event (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(text(t, remains), text(t, result.Remainder)); diff != "" {
				t.Errorf("remainder (-want +got):\n%s", diff)
			}
		})
	}
}

// event returns the stored event with the members.
func (answerCase) event(t *testing.T, members string) *event.Event {
	e := read(t, object(storedPlain, members))
	if e.Status == "" {
		e.Status = "confirmed" // its default
	}
	return e
}

// query returns parameters with one value each, given as alternating names and values.
func query(pairs ...string) operation.Params {
	params := operation.Params{}
	for i := 0; i < len(pairs); i += 2 {
		params[pairs[i]] = []string{pairs[i+1]}
	}
	return params
}

// Members that clients cannot write keep their stored values, and so do the members of an identity.
func TestAnswerKeepsWhatClientsCannotWrite(t *testing.T) {
	const (
		label = `"eventLabelId":"urgent","colorId":"5"`
		file  = `{"fileUrl":"https://example.com/1","fileId":"f1","iconLink":"https://example.com/i"}`
		ada   = `{"id":"p1","email":"ada@example.com","organizer":true,"self":true,"resource":true,"asyncOperation":"inProgress"}`
	)
	files := func(s string) string { return `"attachments":[` + s + `]` }
	list := func(s string) string { return `"attendees":[` + s + `]` }
	withFiles := query("supportsAttachments", "true")
	checkAnswers(t, []answerCase{
		{changeCase: changeCase{name: "update/immutable", op: update, stored: `"recurringEventId":"s1","originalStartTime":{"date":"2026-03-10"},"privateCopy":true`},
			answer: `"recurringEventId":"s1","originalStartTime":{"date":"2026-03-10"},"privateCopy":true`},
		{changeCase: changeCase{name: "update/server", op: update, stored: `"videoLink":"https://example.com/v"`, sent: `"videoLink":"https://example.com/w"`},
			answer: `"videoLink":"https://example.com/v"`},
		{changeCase: changeCase{name: "label/version-0-left-out", op: update, stored: label, sent: `"colorId":"6"`},
			answer: `"eventLabelId":"urgent","colorId":"6"`},
		{changeCase: changeCase{name: "label/version-1-left-out", op: update, stored: label, params: query("eventLabelVersion", "1")},
			answer: `"colorId":"5"`},
		{changeCase: changeCase{name: "label/version-1-empty", stored: label, sent: `"eventLabelId":""`, params: query("eventLabelVersion", "1")},
			answer: `"colorId":"5"`},
		{changeCase: changeCase{name: "label/empty-without-stored", sent: `"eventLabelId":""`, params: query("eventLabelVersion", "1")}},
		{changeCase: changeCase{name: "label/stored-empty", stored: `"eventLabelId":""`, sent: `"summary":"Daily"`},
			answer: `"eventLabelId":"","summary":"Daily"`},
		{changeCase: changeCase{name: "label/version-1-color", stored: label, sent: `"colorId":"6"`, params: query("eventLabelVersion", "1")},
			answer: label},
		{changeCase: changeCase{name: "attachment/same-file", stored: files(file), sent: files(`{"fileUrl":"https://example.com/1","title":"Agenda","fileId":"f9"}`), params: withFiles},
			answer: files(`{"fileUrl":"https://example.com/1","title":"Agenda","fileId":"f1","iconLink":"https://example.com/i"}`)},
		{changeCase: changeCase{name: "attachment/another-file", stored: files(file), sent: files(`{"fileUrl":"https://example.com/2","fileId":"f1"}`), params: withFiles},
			answer: files(`{"fileUrl":"https://example.com/2"}`)},
		{changeCase: changeCase{name: "attendee/known", stored: list(ada), sent: list(`{"email":"ada@EXAMPLE.com","comment":"x"}`)},
			answer: list(`{"email":"ada@EXAMPLE.com","comment":"x","organizer":true,"self":true,"resource":true,"asyncOperation":"inProgress"}`)},
		{changeCase: changeCase{name: "attendee/known-after-a-new-one", stored: list(ada), sent: list(`{"email":"bob@example.com"},{"email":"ada@example.com"}`)},
			answer: list(`{"email":"bob@example.com"},{"email":"ada@example.com","organizer":true,"self":true,"resource":true,"asyncOperation":"inProgress"}`)},
		{changeCase: changeCase{name: "attendee/known-by-id", stored: list(ada), sent: list(`{"id":"p1","comment":"x"}`)},
			answer: list(`{"id":"p1","email":"ada@example.com","comment":"x","organizer":true,"self":true,"resource":true,"asyncOperation":"inProgress"}`)},
		{changeCase: changeCase{name: "attendee/known-by-id-after-another", stored: list(`{"id":"p2","email":"bob@example.com"},` + ada), sent: list(`{"id":"p2","email":"bob@example.com"},{"id":"p1"}`)},
			answer: list(`{"id":"p2","email":"bob@example.com"},{"id":"p1","email":"ada@example.com","organizer":true,"self":true,"resource":true,"asyncOperation":"inProgress"}`)},
		{changeCase: changeCase{name: "attendee/another-address", stored: list(ada), sent: list(`{"id":"p1","email":"bob@example.com","self":true}`)},
			answer: list(`{"id":"p1","email":"bob@example.com"}`)},
		{changeCase: changeCase{name: "attendee/each-stored-matches-one-sent", stored: list(ada), sent: list(`{"email":"ada@example.com"},{"id":"p1","email":"bob@example.com"}`)},
			answer: list(`{"email":"ada@example.com","organizer":true,"self":true,"resource":true,"asyncOperation":"inProgress"},{"id":"p1","email":"bob@example.com"}`)},
		{changeCase: changeCase{name: "source/not-the-creator", op: update, stored: `"source":{"url":"https://example.com/1"},"videoLink":"https://example.com/v"`,
			sent: `"source":{"url":"https://example.com/2"}`, caller: &operation.Caller{Creator: new(false)}},
			answer: `"videoLink":"https://example.com/v"`, kept: `"source":{"url":"https://example.com/1"},"videoLink":"https://example.com/v"`},
		{changeCase: changeCase{name: "gadget", stored: `"gadget":{"display":"icon","link":"https://example.com/l","iconLink":"https://example.com/i"}`,
			sent: `"gadget":{"title":"x","link":"https://example.com/m"}`},
			answer: `"gadget":{"display":"icon","title":"x","link":"https://example.com/l","iconLink":"https://example.com/i"}`},
		{changeCase: changeCase{name: "birthday", stored: `"eventType":"birthday","birthdayProperties":{"type":"birthday","contact":"people/c1"}`,
			sent: `"birthdayProperties":{"contact":"people/c2"}`},
			answer: `"eventType":"birthday","birthdayProperties":{"type":"birthday","contact":"people/c1"}`},
		{changeCase: changeCase{name: "birthday/type-left-out-of-update", op: update, stored: `"eventType":"birthday","birthdayProperties":{"type":"self"}`,
			sent: `"birthdayProperties":{}`},
			answer: `"eventType":"birthday","birthdayProperties":{"type":"self"}`},
		{changeCase: changeCase{name: "type/first-written", sent: `"eventType":"default"`}, answer: `"eventType":"default"`},
		{changeCase: changeCase{name: "type/first-written/update", op: update, sent: `"eventType":"default"`}, answer: `"eventType":"default"`},
		{changeCase: changeCase{name: "type/left-out", stored: `"eventType":"default"`, op: update}, answer: `"eventType":"default"`},
	})
}

// A write of a working location writes the member that is named like the type. The others keep
// their stored values unless the write omits them.
func TestAnswerOfWorkingLocation(t *testing.T) {
	place := func(kind, home, custom, office string) string {
		members := []string{`"type":"` + kind + `"`}
		for _, m := range []struct{ name, value string }{{"homeOffice", home}, {"customLocation", custom}, {"officeLocation", office}} {
			if m.value != "" {
				members = append(members, `"`+m.name+`":`+m.value)
			}
		}
		return `"eventType":"workingLocation","workingLocationProperties":` + object(members...)
	}
	const was, is = `{"label":"was"}`, `{"label":"is"}`
	cases := []answerCase{}
	for _, c := range []struct{ name, stored, sent, answer string }{
		{"home/written", place("homeOffice", was, "", ""), place("homeOffice", is, "", ""), place("homeOffice", is, "", "")},
		{"home/added", place("homeOffice", "", was, was), place("homeOffice", is, is, is), place("homeOffice", is, was, was)},
		{"home/others-left-out", place("homeOffice", was, was, was), place("homeOffice", was, "", ""), place("homeOffice", was, "", "")},
		{"custom/written", place("customLocation", "", was, ""), place("customLocation", "", is, ""), place("customLocation", "", is, "")},
		{"custom/added", place("customLocation", was, "", was), place("customLocation", is, is, is), place("customLocation", was, is, was)},
		{"custom/others-left-out", place("customLocation", was, was, was), place("customLocation", "", was, ""), place("customLocation", "", was, "")},
		{"office/written", place("officeLocation", "", "", was), place("officeLocation", "", "", is), place("officeLocation", "", "", is)},
		{"office/added", place("officeLocation", was, was, ""), place("officeLocation", is, is, is), place("officeLocation", was, was, is)},
		{"office/others-left-out", place("officeLocation", was, was, was), place("officeLocation", "", "", was), place("officeLocation", "", "", was)},
		{"office/others-not-stored", place("officeLocation", "", "", was), place("officeLocation", is, is, was), place("officeLocation", "", "", was)},
	} {
		cases = append(cases, answerCase{changeCase: changeCase{name: c.name, op: update, stored: c.stored, sent: c.sent}, answer: c.answer})
	}
	checkAnswers(t, cases)
}

// The paths of findings about an update with attendeesOmitted are paths in the body.
func TestPlacesOfAttendeesOmitted(t *testing.T) {
	const stored = `"attendees":[{"email":"bob@example.com"},{"email":"eve@example.com"},{"email":"ada@example.com","self":true}]`
	said := func(answers string) string { return `"attendeesOmitted":true,"attendees":[` + answers + `]` }
	const bob, ada = `{"email":"bob@example.com","responseStatus":"maybe"}`, `{"email":"ada@example.com","responseStatus":"maybe"}`
	checkChange(t, "attendee.response.enum", diag.Reject, []changeCase{
		{name: "reject/alone", op: update, stored: stored, sent: said(ada), want: []string{"/attendees/0/responseStatus"}},
		{name: "reject/second", op: update, stored: stored, sent: said(bob + "," + ada), want: []string{"/attendees/1/responseStatus"}},
		{name: "accept/not-taken", op: update, stored: stored, sent: said(bob)},
	})
	checkChange(t, "attendee.guests", diag.Reject, []changeCase{
		{name: "reject/alone", op: update, stored: stored, sent: said(`{"email":"ada@example.com","additionalGuests":-1}`), want: []string{"/attendees/0/additionalGuests"}},
	})
	checkChange(t, "attendee.duplicate", diag.Advise, []changeCase{
		{name: "advise/body", op: update, stored: stored, sent: said(`{"email":"ada@example.com","responseStatus":"declined"},{"email":"ada@example.com"}`),
			want: []string{"/attendees/1/email"}},
		{name: "accept/stored", op: update, stored: `"attendees":[{"email":"bob@example.com"},{"email":"bob@example.com"},{"email":"ada@example.com","self":true}]`,
			sent: said(`{"email":"ada@example.com","responseStatus":"declined"}`)},
	})
}

// An update with attendeesOmitted writes the response of the participant and no other part of the
// attendees.
func TestAnswerOfAttendeesOmitted(t *testing.T) {
	const both = `"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com","responseStatus":"accepted"}]`
	said := func(who string) string {
		return `"attendeesOmitted":true,"attendees":[{"email":"` + who + `","responseStatus":"declined","comment":"x","additionalGuests":2,"optional":true}]`
	}
	const (
		bobFirst = `"attendees":[{"email":"bob@example.com","responseStatus":"accepted"},{"email":"ada@example.com","self":true,"responseStatus":"needsAction"}]`
		unmarked = `"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"bob@example.com","responseStatus":"accepted"}]`

		ofAda       = `"organizer":{"email":"ada@example.com","self":true},`
		ofAnother   = `"organizer":{"email":"ada@example.com"},`
		ofUnknown   = `"organizer":{"self":true},`
		adaDeclined = `{"email":"ada@example.com","responseStatus":"declined","comment":"x","additionalGuests":2}`
	)
	checkAnswers(t, []answerCase{
		{changeCase: changeCase{name: "self-is-second", op: update, stored: bobFirst, sent: said("ada@example.com")},
			answer: `"attendees":[{"email":"bob@example.com","responseStatus":"accepted"},{"email":"ada@example.com","self":true,"responseStatus":"declined","comment":"x","additionalGuests":2}]`},
		{changeCase: changeCase{name: "organizer-of-this-calendar", op: update, stored: ofAda + unmarked, sent: said("ada@example.com")},
			answer: ofAda + `"attendees":[` + adaDeclined + `,{"email":"bob@example.com","responseStatus":"accepted"}]`},
		{changeCase: changeCase{name: "not-the-organizer", op: update, stored: ofAda + unmarked, sent: said("bob@example.com")},
			answer: ofAda + unmarked},
		{changeCase: changeCase{name: "organizer-of-another-calendar", op: update, stored: ofAnother + unmarked, sent: said("ada@example.com")},
			answer: ofAnother + unmarked},
		{changeCase: changeCase{name: "organizer-without-address", op: update, stored: ofUnknown + unmarked, sent: said("ada@example.com")},
			answer: ofUnknown + unmarked},
		{changeCase: changeCase{name: "self", op: update, stored: both, sent: said("ada@example.com")},
			answer: `"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"declined","comment":"x","additionalGuests":2},{"email":"bob@example.com","responseStatus":"accepted"}]`},
		{changeCase: changeCase{name: "another", op: update, stored: both, sent: said("bob@example.com")},
			answer: both},
		{changeCase: changeCase{name: "caller", op: update, stored: both, sent: said("bob@example.com"), caller: &operation.Caller{Email: "bob@EXAMPLE.com"}},
			answer: `"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"needsAction"},{"email":"bob@example.com","responseStatus":"declined","comment":"x","additionalGuests":2}]`},
		{changeCase: changeCase{name: "self-before-the-caller", op: update, stored: both, caller: &operation.Caller{Email: "bob@example.com"},
			sent: `"attendeesOmitted":true,"attendees":[{"email":"bob@example.com","responseStatus":"declined"},` + adaDeclined + `]`},
			answer: `"attendees":[{"email":"ada@example.com","self":true,"responseStatus":"declined","comment":"x","additionalGuests":2},{"email":"bob@example.com","responseStatus":"accepted"}]`},
		{changeCase: changeCase{name: "caller-before-the-organizer", op: update, stored: ofAda + unmarked, caller: &operation.Caller{Email: "bob@example.com"},
			sent: `"attendeesOmitted":true,"attendees":[` + adaDeclined + `,{"email":"bob@example.com","responseStatus":"declined"}]`},
			answer: ofAda + `"attendees":[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"bob@example.com","responseStatus":"declined"}]`},
		{changeCase: changeCase{name: "by-id", op: update, stored: `"attendees":[{"id":"p1","email":"ada@example.com","self":true},{"email":"bob@example.com"}]`,
			sent: `"attendeesOmitted":true,"attendees":[{"id":"p1","responseStatus":"accepted"}]`},
			answer: `"attendees":[{"id":"p1","email":"ada@example.com","self":true,"responseStatus":"accepted"},{"email":"bob@example.com"}]`},
		{changeCase: changeCase{name: "by-id-of-another-address", op: update, stored: `"attendees":[{"id":"p1","email":"ada@example.com","self":true}]`,
			sent: `"attendeesOmitted":true,"attendees":[{"id":"p1","email":"eve@example.com","responseStatus":"accepted"}]`},
			answer: `"attendees":[{"id":"p1","email":"ada@example.com","self":true}]`},
		{changeCase: changeCase{name: "without-ids", op: update, stored: `"attendees":[{"email":"ada@example.com","self":true}]`,
			sent: `"attendeesOmitted":true,"attendees":[{"email":"bob@example.com","responseStatus":"accepted"}]`},
			answer: `"attendees":[{"email":"ada@example.com","self":true}]`},
		{changeCase: changeCase{name: "stranger", op: update, stored: both, sent: said("eve@example.com")},
			answer: both},
	})
}

// A move changes the organizer. If the old organizer is not an attendee, a cancelled event remains
// in the old calendar.
func TestAnswerOfMove(t *testing.T) {
	const (
		id        = `"id":"abc12def"`
		remainder = id + `,"status":"cancelled"`
		organizer = `"organizer":{"email":"team@example.com"}`
	)
	to := query("destination", "team@example.com")
	list := func(s string) string { return `"attendees":[` + s + `]` }
	by := func(organizer, attendees string) string { return `"organizer":` + organizer + `,` + list(attendees) }
	const old = `{"id":"p1","email":"old@example.com"}`
	move := operation.EventsMove
	cases := []answerCase{
		{changeCase: changeCase{name: "no-attendees", stored: `"organizer":` + old}, answer: organizer, remainder: remainder},
		{changeCase: changeCase{name: "others", stored: by(old, `{"email":"ada@example.com"}`)},
			answer: organizer + "," + list(`{"email":"ada@example.com"}`), remainder: remainder},
		{changeCase: changeCase{name: "attends/address", stored: by(old, `{"email":"old@EXAMPLE.com"}`)},
			answer: organizer + "," + list(`{"email":"old@EXAMPLE.com"}`)},
		{changeCase: changeCase{name: "attends/profile", stored: by(old, `{"id":"p1"}`)},
			answer: organizer + "," + list(`{"id":"p1"}`)},
		{changeCase: changeCase{name: "attends/flag", stored: by(old, `{"email":"o@example.com","organizer":true}`)},
			answer: organizer + "," + list(`{"email":"o@example.com"}`)},
		{changeCase: changeCase{name: "new-organizer-attends", stored: by(old, `{"email":"old@example.com","organizer":true},{"email":"team@example.com"}`)},
			answer: organizer + "," + list(`{"email":"old@example.com"},{"email":"team@example.com","organizer":true}`)},
		{changeCase: changeCase{name: "organizer-without-identity", stored: by(`{}`, `{"displayName":"Ada"}`)},
			answer: organizer + "," + list(`{"displayName":"Ada"}`), remainder: remainder},
	}
	for i := range cases {
		cases[i].op, cases[i].params = move, to
	}
	checkAnswers(t, cases)
	checkAnswers(t, []answerCase{
		{changeCase: changeCase{name: "primary/caller-known", op: move, params: query("destination", "primary"), stored: `"organizer":` + old, caller: &operation.Caller{Email: "me@example.com"}},
			answer: `"organizer":{"email":"me@example.com"}`, remainder: remainder},
		{changeCase: changeCase{name: "no-address", op: move, params: query("destination", "team"), stored: `"organizer":` + old}, remainder: remainder},
		{changeCase: changeCase{name: "primary/caller-unknown", op: move, params: query("destination", "primary"), stored: `"organizer":` + old},
			remainder: remainder},
	})
}

// Nothing that is null is stored, so no answer has it either.
func TestAnswersHaveNoNulls(t *testing.T) {
	const (
		nulls   = `"summary":null,"source":{"title":"x","url":null}`
		noNulls = `"source":{"title":"x"}`
	)
	of := func(name string, op operation.ID, sent, answer string) answerCase {
		return answerCase{changeCase: changeCase{name: name, op: op, stored: nulls, sent: sent}, answer: answer}
	}
	checkAnswers(t, []answerCase{
		of("patch", "", `"location":"x"`, noNulls+`,"location":"x"`),
		of("get", operation.EventsGet, "", noNulls),
		of("list", operation.EventsList, "", noNulls),
		of("delete", operation.EventsDelete, "", noNulls+`,"status":"cancelled"`),
	})
}

// events.list returns cancelled events only on request, and often without their details.
func TestAnswerOfList(t *testing.T) {
	const (
		cancelled = `"status":"cancelled","summary":"Standup"`
		bare      = `{"id":"abc12def","status":"cancelled"}`
		confirmed = `"status":"confirmed"` // its default
	)
	for _, test := range []struct {
		name   string
		params operation.Params
		stored string
		want   string // empty if the event is not listed
	}{
		{"confirmed", nil, `"summary":"Standup"`, object(storedPlain, confirmed, `"summary":"Standup"`)},
		{"uid/same", query("iCalUID", "abc12def@calendar.example.com"), "", object(storedPlain, confirmed)},
		{"uid/other", query("iCalUID", "x@calendar.example.com"), "", ""},
		{"cancelled", nil, cancelled, ""},
		{"cancelled/asked", query("showDeleted", "true"), cancelled, object(storedPlain, cancelled)},
		{"cancelled/sync", query("syncToken", "t1"), cancelled, bare},
		{"cancelled/sync-asked", query("syncToken", "t1", "showDeleted", "true"), cancelled, object(storedPlain, cancelled)},
		{"cancelled/since", query("updatedMin", "2026-01-01T00:00:00Z"), cancelled, bare},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := must(event.Check(changeCase{op: operation.EventsList, stored: test.stored, params: test.params}.request(t)))
			var want *event.Event
			if test.want != "" {
				want = read(t, test.want)
			}
			if diff := cmp.Diff(text(t, want), text(t, result.Answer)); diff != "" {
				t.Errorf("event (-want +got):\n%s\n%v", diff, result.Findings)
			}
		})
	}
}
