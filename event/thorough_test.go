package event

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/object"
	"github.com/calrules/calrules/operation"
)

// thorough returns the findings of all rules, whether or not an event has what they are about.
func thorough(req *Request) (found []string) {
	r := run{in: input{thorough: true}, offsets: new(object.Offsets)}
	if r.start(new(Checker), req) == nil {
		r.check()
	}
	for _, f := range r.report.Findings {
		found = append(found, f.String())
	}
	return found
}

// A rule about members that an event does not have has nothing to say.
func TestAbsentMembersHaveNoFindings(t *testing.T) {
	for rule := range Catalogue().All() {
		for _, example := range []string{rule.Good.Request, rule.Bad.Request} {
			var line struct {
				Op       operation.ID
				Params   operation.Params
				Existing *Event
				Body     json.RawMessage
				Caller   *operation.Caller
				Series   *Event
			}
			if json.Unmarshal([]byte(example), &line) != nil {
				continue // a request to another command
			}
			req := Request{Op: line.Op, Params: line.Params, Existing: line.Existing, Body: line.Body, Caller: line.Caller, Series: line.Series}
			compareThorough(t, &req)
			withoutMembers(t, req)
		}
	}
}

// withoutMembers compares requests that lack a member of the example.
func withoutMembers(t *testing.T, req Request) {
	var members map[string]json.RawMessage
	if json.Unmarshal(req.Body, &members) != nil {
		return
	}
	for name, value := range members {
		delete(members, name)
		req.Body, _ = json.Marshal(members)
		compareThorough(t, &req)
		members[name] = value
	}
}

func compareThorough(t *testing.T, req *Request) {
	var found []string
	findings, _ := Findings(req) // an operation that is unknown has none
	for _, f := range findings {
		found = append(found, f.String())
	}
	if diff := cmp.Diff(thorough(req), found); diff != "" {
		t.Errorf("%s: the quick check differs (-thorough +quick):\n%s", req.Body, diff)
	}
}

// The rules report nothing about plain times, for which they are not called.
func TestPlainTimesHaveNoFindings(t *testing.T) {
	times := []string{
		`null`, `{}`, `{"date":"2026-03-10"}`, `{"date":"2026-03-11"}`, `{"date":"2026-02-30"}`, `{"date":"2026-03-11","timeZone":"UTC"}`, `{"date":"2026-03-11","timeZone":"x"}`,
		`{"date":"2026-03-10","dateTime":"2026-03-10T09:00:00Z"}`, `{"date":null,"dateTime":"2026-03-10T09:00:00Z"}`, `{"date":"","dateTime":"2026-03-10T09:00:00Z"}`,
		`{"dateTime":"2026-03-10T09:00:00Z"}`, `{"dateTime":"2026-03-10T09:00:00-04:00"}`, `{"dateTime":"2026-03-10T10:00:00Z","timeZone":"America/New_York"}`,
		`{"dateTime":"2026-03-10T09:00:00","timeZone":"America/New_York"}`, `{"dateTime":"2026-03-08T02:30:00","timeZone":"America/New_York"}`, `{"dateTime":"2026-03-08T03:15:00","timeZone":"America/New_York"}`,
		`{"dateTime":"2026-03-10T11:00:00"}`, `{"dateTime":"2026-03-10T11:00:00","timeZone":"x"}`, `{"dateTime":"2026-03-10T11:00:00Z","timeZone":"x"}`, `{"dateTime":"2026-03-10T11:00:00Z","timeZone":""}`,
		`{"dateTime":"2026-03-10T11:00:00.5Z"}`, `{"dateTime":"2026-03-10T11:00:00.0000000001Z"}`, `{"dateTime":"2026-03-10T12:00:00.25Z"}`, `{"dateTime":"2026-03-10T12:00:00.0000000002Z"}`, `{"date":"2026-03-12","timeZone":"UTC"}`, `{"dateTime":"2026-03-10T11:00:00.000Z"}`, `{"dateTime":"2026-03-10T25:00:00Z"}`,
		`{"dateTime":"2026-06-30T23:59:60Z"}`, `{"dateTime":"2026-06-30T23:59:59Z"}`, `{"dateTime":"2026-07-01T00:00:00Z"}`, `{"dateTime":"2026-03-10T11:00:00Z","unknown":1}`,
	}
	others := []string{``, `,"recurrence":["RRULE:FREQ=DAILY;COUNT=2"]`, `,"originalStartTime":{"date":"2026-03-10","dateTime":"x"}`}
	for _, start := range times {
		for _, end := range times {
			for _, other := range others {
				body := []byte(`{"start":` + start + `,"end":` + end + other + `}`)
				compareThorough(t, &Request{Op: operation.EventsInsert, Body: body})
			}
			stored := &Event{ID: "abc12def", Start: &Time{Date: "2026-03-10"}, End: &Time{Date: "2026-03-11"}}
			compareThorough(t, &Request{Op: operation.EventsPatch, Body: []byte(`{"start":` + start + `,"end":` + end + `}`), Existing: stored})
		}
	}
}

// fuzzed are parts of events, and changes that make them less plain.
var fuzzed = []string{
	`"eventType":"default"`, `"eventType":""`, `"eventType":null`, `"eventType":"focusTime"`, `"eventType":"birthday"`,
	`"attendees":[{"email":"a@example.com"}]`, `"attendees":[{"email":"a@example.com","responseStatus":"accepted","additionalGuests":2}]`,
	`"attendees":[]`, `"attendees":[{}]`, `"attendees":[7]`, `"attendees":[{"email":"a@example.com"},{"email":"A"}]`, `"attendees":7`, `"attendees":null`,
	`"attendees":[{"email":"a@example.com","self":true}]`, `"attendees":[{"email":"a@example.com","organizer":true}]`, `"attendees":[{"email":"a@example.com","organizer":false}]`,
	`"attendees":[{"email":"a@example.com","asyncOperation":"inProgress"}]`, `"attendees":[{"email":"a@example.com","additionalGuests":-1}]`,
	`"attendees":[{"email":"a@example.com","responseStatus":"x"}]`, `"attendees":[{"email":"a@example.com","responseStatus":""}]`,
	`"reminders":{"useDefault":true}`, `"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":0},{"method":"email","minutes":40320}]}`,
	`"reminders":{"useDefault":true,"overrides":[{"method":"popup","minutes":0}]}`, `"reminders":{"overrides":[{"method":"popup","minutes":0}]}`,
	`"reminders":{"useDefault":false,"overrides":[{"method":"sms","minutes":0}]}`, `"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":40321}]}`,
	`"reminders":{"useDefault":false,"overrides":[{"method":"popup"}]}`, `"reminders":{"useDefault":false,"overrides":[{"minutes":1}]}`, `"reminders":null`, `"reminders":{}`,
	`"reminders":{"useDefault":false,"overrides":[` + strings.Repeat(`{"method":"popup","minutes":1},`, 5) + `{"method":"popup","minutes":1}]}`,
	`"attachments":[{"fileUrl":"x"}]`, `"attachments":[{"title":"x"}]`, `"attachments":[{"fileUrl":"x","fileId":"x"}]`, `"attachments":[{"fileUrl":"x","iconLink":"x"}]`,
	`"attachments":[{"fileUrl":"x","iconLink":""}]`, `"attachments":[{"fileUrl":"x"},7]`, `"attachments":[` + strings.Repeat(`{"fileUrl":"x"},`, 25) + `{"fileUrl":"x"}]`,
	`"extendedProperties":{"private":{"k":"v"},"shared":{}}`, `"extendedProperties":{"private":{"` + strings.Repeat("k", 45) + `":"v"}}`,
	`"extendedProperties":{"shared":{"k":"` + strings.Repeat("v", 1025) + `"}}`, `"extendedProperties":{"shared":{"k":7}}`, `"extendedProperties":null`,
}

// compareOnOccasions compares an event on the occasions of new events.
func compareOnOccasions(t *testing.T, body string) {
	for _, op := range []operation.ID{operation.EventsInsert, operation.EventsImport, operation.Response} {
		for _, params := range []operation.Params{nil, {"supportsAttachments": {"true"}, "sendUpdates": {"all"}}} {
			for _, caller := range []*operation.Caller{nil, {Email: "a@example.com"}} {
				compareThorough(t, &Request{Op: op, Params: params, Body: []byte(body), Caller: caller})
			}
		}
	}
}

func TestPlainMembersHaveNoFindings(t *testing.T) {
	const times = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for i, members := range fuzzed {
		compareOnOccasions(t, `{`+times+`,`+members+`}`)
		compareOnOccasions(t, `{`+times+`,`+members+`,`+fuzzed[(i+7)%len(fuzzed)]+`}`)
	}
}

func FuzzPlain(f *testing.F) {
	for _, members := range fuzzed {
		f.Add(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},` + members + `}`)
	}
	f.Fuzz(func(t *testing.T, body string) { compareOnOccasions(t, body) })
}

// A set of the rules of an occasion has room for all of them.
func TestRulesOfAnOccasionFit(t *testing.T) {
	for on := range occasions {
		if n := len(occasionOf(on).rules); n > maxRules {
			t.Errorf("%d rules apply on occasion %d, more than %d", n, on, maxRules)
		}
	}
}
