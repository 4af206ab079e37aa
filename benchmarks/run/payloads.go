package main

import (
	"fmt"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

const times = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`

// payload is the body of a new event.
type payload struct {
	name, body string
	valid      bool
}

var payloads = []payload{
	{"minimal", "{" + times + "}", true},
	{"typical", typical(5, 2), true},
	{"recurring", "{" + times + `,"summary":"Standup","recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271231T235959Z","EXDATE;TZID=America/New_York:20260402T090000,20260407T090000"]}`, true},
	{"200 attendees", typical(200, 25), true},
	{"20 KB description", "{" + times + `,"summary":"Minutes","description":"` + strings.Repeat("What was said, and by whom.<br>", 670) + `"}`, true},
	{"broken", `{"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10"},` +
		`"id":"W","status":"x","transparency":"x","visibility":"x","sequence":-1,"source":{"url":"x"},"locaton":"Room 4",` +
		`"attendees":[{"email":"x"},{"email":"a@example.com","responseStatus":"x"},{"displayName":"Ada"}],"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":10}]}}`, false},
	{"bad zone", strings.Replace("{"+times+"}", "America/New_York", "America/Newyorck", 1), false},
}

// typical is a body with guests, reminders, a conference, files and extended properties.
func typical(guests, files int) string {
	return "{" + strings.Join([]string{
		times,
		`"summary":"Quarterly planning","description":"Where we stand and what comes next.","location":"Room 4"`,
		`"transparency":"opaque","visibility":"private","guestsCanInviteOthers":false`,
		`"attendees":[` + elements(guests, `{"email":"guest.%d@example.com","displayName":"Guest %[1]d","optional":true,"responseStatus":"needsAction"}`) + `]`,
		`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10},{"method":"email","minutes":1440}]}`,
		`"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"},"name":"Acme Meet"},"conferenceId":"acme-1",` +
			`"entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/acme-1","label":"meet.example.com/acme-1"},` +
			`{"entryPointType":"phone","uri":"tel:+15550100,,,1234%23","pin":"1234"}]}`,
		`"attachments":[` + elements(files, `{"fileUrl":"https://files.example.com/open?id=%d","title":"Agenda"}`) + `]`,
		`"extendedProperties":{"private":{"crm-id":"4711","stage":"draft"},"shared":{"project":"apollo"}}`,
	}, ",") + "}"
}

// elements returns n elements, which are formats of a number.
func elements(n int, element string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(element, i)
	}
	return strings.Join(all, ",")
}

var params = operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "sendUpdates": {"all"}}

// insert returns an insert of the payload as text.
func (p payload) insert() *event.Request {
	return &event.Request{Op: operation.EventsInsert, Body: []byte(p.body), Params: params}
}

// value returns the same request with the event as a Go value.
func (p payload) value() *event.Request {
	return &event.Request{Op: operation.EventsInsert, Event: p.event(), Params: params}
}

// patch returns a patch of the payload, which is stored.
func (p payload) patch(body string) *event.Request {
	return &event.Request{Op: operation.EventsPatch, Body: []byte(body), Existing: p.event(), Params: params}
}

func (p payload) event() *event.Event {
	e := new(event.Event)
	must(e.UnmarshalJSON([]byte(p.body)))
	return e
}

// findings returns the findings about a request that can be checked.
func findings(req *event.Request) diag.Findings {
	found, err := event.Find(req)
	must(err)
	return found
}

// plain has the fields of an event without its methods, so that encoding/json reads it by
// reflection. Conference data has methods of its own, so it is mirrored in plain fields.
type plain struct {
	mirror
	ConferenceData *struct {
		EntryPoints []struct {
			Type  string `json:"entryPointType,omitzero"`
			URI   string `json:"uri,omitzero"`
			Label string `json:"label,omitzero"`
			PIN   string `json:"pin,omitzero"`
		} `json:"entryPoints,omitzero"`
		Solution *struct {
			Key  *struct{ Type string } `json:"key,omitzero"`
			Name string                 `json:"name,omitzero"`
		} `json:"conferenceSolution,omitzero"`
		ID string `json:"conferenceId,omitzero"`
	} `json:"conferenceData,omitzero"`
}

type mirror event.Event

func must(err error) {
	if err != nil {
		panic(err)
	}
}
