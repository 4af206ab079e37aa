// Package payload contains the requests for the benchmarks.
package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// Times contains the start and end members of most payloads.
const Times = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`

// Payload is the body of a new event.
type Payload struct {
	Name, Body string
	Valid      bool // whether no finding rejects it
}

// Named returns the payload with the given name. The payload must exist.
func Named(name string) Payload {
	for _, p := range slices.Concat(Usual, Unusual) {
		if p.Name == name {
			return p
		}
	}
	panic("there is no payload " + name)
}

// Usual contains the payloads for which CPU time is measured.
var Usual = []Payload{
	{"minimal", "{" + Times + "}", true},
	{"typical", typical(5, 2), true},
	{"recurring", "{" + Times + `,"summary":"Standup","recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271231T235959Z","EXDATE;TZID=America/New_York:20260402T090000,20260407T090000"]}`, true},
	{"200 attendees", typical(200, 25), true},
	{"20 KB description", "{" + Times + `,"summary":"Minutes","description":"` + strings.Repeat("What was said, and by whom.<br>", 670) + `"}`, true},
	{"broken", `{"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10"},` +
		`"id":"W","status":"x","transparency":"x","visibility":"x","sequence":-1,"source":{"url":"x"},"locaton":"Room 4",` +
		`"attendees":[{"email":"x"},{"email":"a@example.com","responseStatus":"x"},{"displayName":"Ada"}],"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":10}]}}`, false},
	{"bad zone", strings.Replace("{"+Times+"}", "America/New_York", "America/Newyorck", 1), false},
}

// Unusual contains payloads to which fast paths may not apply. For unusual payloads, only instructions are counted.
var Unusual = []Payload{
	{"imported from Outlook", "{" + Times + `,"summary":"Review","description":"` + strings.Repeat(`\u003cp class=\"MsoNormal\"\u003eAgenda\u0026nbsp;and notes\u003c/p\u003e\r\n`, 110) + `"}`, true},
	{"five EXDATE lines and RDATE", "{" + Times + `,"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=40","RDATE;TZID=America/New_York:20260314T090000",` +
		`"EXDATE;TZID=America/New_York:20260312T090000","EXDATE;TZID=America/New_York:20260317T090000","EXDATE;TZID=America/New_York:20260319T090000",` +
		`"EXDATE;TZID=America/New_York:20260324T090000","EXDATE;TZID=America/New_York:20260326T090000"]}`, true},
	{"a rule in lower case, reordered", "{" + Times + `,"summary":"Standup","recurrence":["rrule:byday=tu,th;until=20271231T235959Z;freq=weekly"]}`, true},
	{"30 properties in UTF-8", "{" + Times + `,"extendedProperties":{"private":{` + elements(30, `"Schlüssel-%d":"grün, größer, 日本語のテキスト"`) + `}}}`, true},
	{"six entry points", "{" + Times + `,"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"},"name":"Acme Meet"},"conferenceId":"acme-1","entryPoints":[` +
		`{"entryPointType":"video","uri":"https://meet.example.com/acme-1"},{"entryPointType":"more","uri":"https://meet.example.com/more"},` +
		elements(4, `{"entryPointType":"phone","uri":"tel:+1555010%d","pin":"1234","regionCode":"US"}`) + `]}}`, true},
	{"1,000 unknown members", "{" + Times + "," + elements(1000, `"unknown-%d":"x"`) + "}", true},
	{"3 unknown members", "{" + Times + "," + elements(3, `"unknown-%d":"x"`) + "}", true},
	{"40 unknown members", "{" + Times + "," + elements(40, `"unknown-%d":"x"`) + "}", true},
	{"20 guests who accepted", "{" + Times + `,"attendees":[` + elements(20, `{"email":"guest.%d@example.com","responseStatus":"accepted"}`) + "]}", true},
	{"20 guests with self:false", "{" + Times + `,"attendees":[` + elements(20, `{"email":"guest.%d@example.com","self":false}`) + "]}", true},
	{"10 attachments as Drive returns them", "{" + Times + `,"attachments":[` + elements(10, `{"fileUrl":"https://drive.google.com/open?id=1BxiMVs0XRA5nFMd%dKvBdBZj&authuser=0","title":"Agenda %[1]d",`+
		`"mimeType":"application/vnd.google-apps.document","iconLink":"https://drive-thirdparty.googleusercontent.com/16/type/application/vnd.google-apps.document","fileId":"1BxiMVs0XRA5nFMd%[1]dKvBdBZj"}`) + "]}", true},
	{"times without offsets", "{" + strings.ReplaceAll(Times, "-04:00", "") + "}", true},
	{"a rule with BYSETPOS", "{" + Times + `,"recurrence":["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=7"]}`, true},
	{"50 EXDATE in a line", "{" + Times + `,"recurrence":["RRULE:FREQ=DAILY","EXDATE;TZID=America/New_York:` + exdates(50, "%s") + `"]}`, true},
	{"50 EXDATE on 50 lines", "{" + Times + `,"recurrence":["RRULE:FREQ=DAILY",` + exdates(50, `"EXDATE;TZID=America/New_York:%s"`) + "]}", true},
	{"an all-day event", `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=YEARLY"],"transparency":"transparent","visibility":"private"}`, true},
	{"a birthday", `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"recurrence":["RRULE:FREQ=YEARLY"],"transparency":"transparent","visibility":"private","eventType":"birthday","birthdayProperties":{"type":"birthday"}}`, true},
	{"typical, indented", indented(typical(5, 2)), true},
	{"typical, reordered", reversed(typical(5, 2)), true},
	{"typical, in escapes", strings.ReplaceAll(typical(5, 2), "o", `\u006f`), true},
}

// indented returns indented JSON, as in hand-written files.
func indented(text string) string {
	var out bytes.Buffer
	must(json.Indent(&out, []byte(text), "", "  "))
	return out.String()
}

// reversed returns a JSON object with its members in reverse order.
func reversed(text string) string {
	var names []string
	values := map[string]json.RawMessage{}
	d := json.NewDecoder(strings.NewReader(text))
	for depth := 0; ; {
		token, err := d.Token()
		if err != nil {
			break
		}
		if name, ok := token.(string); ok && depth == 1 {
			var value json.RawMessage
			must(d.Decode(&value))
			names = append(names, name)
			values[name] = value
		}
		if token == json.Delim('{') {
			depth++
		}
	}
	slices.Reverse(names)
	members := make([]string, len(names))
	for i, name := range names {
		members[i] = fmt.Sprintf("%q:%s", name, values[name])
	}
	return "{" + strings.Join(members, ",") + "}"
}

// Answer is an event as returned by the public service.
const Answer = `{"kind":"calendar#event","etag":"\"3181161784712000\"","id":"4eahs9ghkhrvkld72hogu9ph3e","status":"confirmed",` +
	`"htmlLink":"https://www.google.com/calendar/event?eid=NGVhaHM5Z2hraHJ2a2xkNzJob2d1OXBoM2U","created":"2026-03-01T08:00:00.000Z","updated":"2026-03-02T08:00:00.000Z",` +
	`"summary":"Quarterly planning","location":"Room 4","creator":{"email":"ada@example.com","self":true},"organizer":{"email":"ada@example.com","self":true},` +
	Times + `,"iCalUID":"4eahs9ghkhrvkld72hogu9ph3e@google.com","sequence":0,"attendees":[{"email":"ada@example.com","organizer":true,"self":true,"responseStatus":"accepted"},` +
	`{"email":"bob@example.com","responseStatus":"needsAction"}],"hangoutLink":"https://meet.google.com/abc-defg-hij","reminders":{"useDefault":true},"eventType":"default"}`

// Page returns a page from events.list with n events, in the public service's form.
func Page(n int) []byte {
	items := make([]string, n)
	for i := range items {
		items[i] = strings.ReplaceAll(Answer, "4eahs9gh", fmt.Sprintf("4eahs%03d", i%1000))
	}
	return []byte(`{"kind":"calendar#events","etag":"\"p32\"","summary":"ada@example.com","timeZone":"America/New_York","accessRole":"owner",` +
		`"defaultReminders":[{"method":"popup","minutes":10}],"nextPageToken":"EiwKIDRlYWhz","items":[` + strings.Join(items, ",") + "]}")
}

// typical returns a body with guests, reminders, a conference, attachments and extended properties.
func typical(guests, files int) string {
	return "{" + strings.Join([]string{
		Times,
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

// exdates returns n EXDATE values on successive days, each in the given format.
func exdates(n int, format string) string {
	days := make([]string, n)
	for i := range days {
		days[i] = fmt.Sprintf(format, time.Date(2026, 3, 11+i, 9, 0, 0, 0, time.UTC).Format("20060102T150405"))
	}
	return strings.Join(days, ",")
}

// elements returns n elements, each formatted with its number.
func elements(n int, element string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(element, i)
	}
	return strings.Join(all, ",")
}

// Params contains the query parameters of all requests.
var Params = operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "sendUpdates": {"all"}}

// Insert returns a request to insert the payload, with the body as JSON.
func (p Payload) Insert() *event.Request {
	return &event.Request{Op: operation.EventsInsert, Body: []byte(p.Body), Params: Params}
}

// Value returns the same request as Insert, but with the event as a Go value.
func (p Payload) Value() *event.Request {
	return &event.Request{Op: operation.EventsInsert, Event: p.Event(), Params: Params}
}

// Patch returns a request to patch the payload as a stored event.
func (p Payload) Patch(body string) *event.Request {
	return &event.Request{Op: operation.EventsPatch, Body: []byte(body), Existing: p.Event(), Params: Params}
}

// Lines contains requests in the batch form, which are 519 bytes long on average.
var Lines = [][]byte{
	[]byte(`{"id":1,"op":"events.insert","params":{"sendUpdates":"all"},"body":{` + Times + `,"summary":"Standup"}}`),
	[]byte(`{"id":2,"op":"events.insert","params":{"conferenceDataVersion":"1","supportsAttachments":"true"},"body":` + typical(2, 1) + `}`),
	[]byte(`{"id":3,"op":"events.insert","body":{` + Times + `,"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU,TH","EXDATE;TZID=America/New_York:20260402T090000"]}}`),
	[]byte(`{"id":4,"op":"events.patch","existing":` + Answer[:len(Answer)-1] + `},"body":{"location":"Room 5"}}`),
	[]byte(`{"id":5,"op":"events.patch","body":{"summary":"Review","attendees":[{"email":"ada@example.com"},{"email":"bob"}]}}`),
	[]byte(`{"id":6,"op":"events.insert","body":{"start":{"dateTime":"2026-03-10T09:00:00-04:00"},"end":{"dateTime":"2026-03-10T08:00:00-04:00"},"visibility":"hidden","locaton":"Room 4"}}`),
	[]byte(`{"id":7,"op":"events.list","params":{"timeMin":"2026-03-01T00:00:00Z","singleEvents":"true","orderBy":"startTime"}}`),
	[]byte(`{"id":8,"op":"events.delete","params":{"sendUpdates":"none"},"existing":` + Answer + `}`),
}

// Event decodes the payload as an event in the documents' dialect.
func (p Payload) Event() *event.Event {
	e := new(event.Event)
	must(e.UnmarshalJSON([]byte(p.Body)))
	return e
}

// Findings returns the findings about a request, which must be checkable.
func Findings(req *event.Request) diag.Findings {
	found, err := event.Find(req)
	must(err)
	return found
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
