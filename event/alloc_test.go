package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// payloadParams go with every payload.
const payloadParams = "conferenceDataVersion=1&sendUpdates=all&supportsAttachments=true"

// payloads are valid inserts. The benchmarks use the same list.
var payloads = []struct{ name, body string }{
	{"minimal", object(timed)},
	{"typical", typical(5)},
	{"200-attendees", typical(200)},
	{"recurring", object(timed, `"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU,TH;UNTIL=20271231T235959Z","EXDATE;TZID=America/New_York:20260402T090000,20260407T090000"]`)},
}

// typical returns a body with n attendees, reminders, a conference, two attachments and extended properties.
func typical(n int) string {
	guests := make([]string, n)
	for i := range guests {
		guests[i] = fmt.Sprintf(`{"email":"guest.%d@example.com","displayName":"Guest %d","optional":%t,"responseStatus":"needsAction"}`, i, i, i%3 == 0)
	}
	return object(timed,
		`"summary":"Quarterly planning","description":"Where we stand and what comes next.\nBring your numbers.","location":"Room 4, Hauptstraße 7"`,
		`"colorId":"5","transparency":"opaque","visibility":"private","guestsCanInviteOthers":false`,
		`"attendees":[`+strings.Join(guests, ",")+`]`,
		`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10},{"method":"email","minutes":1440}]}`,
		`"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"},"name":"Acme Meet","iconUri":"https://example.com/i.png"},"conferenceId":"acme-1",`+
			`"entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/acme-1","label":"meet.example.com/acme-1"},{"entryPointType":"phone","uri":"tel:+15550100,,,1234%23","pin":"1234"}]}`,
		`"attachments":[{"fileUrl":"https://files.example.com/open?id=1","title":"Agenda","mimeType":"text/plain"},{"fileUrl":"https://files.example.com/open?id=2","title":"Numbers"}]`,
		`"extendedProperties":{"private":{"crm-id":"4711","stage":"draft"},"shared":{"project":"apollo"}}`,
	)
}

func TestPayloadsHaveNoFindings(t *testing.T) {
	for _, p := range payloads {
		result := must(event.Check(bodyRequest{body: p.body, params: payloadParams}.request(t)))
		if len(result.Findings) > 0 || !result.Accepted {
			t.Errorf("%s: %v", p.name, result.Findings)
		}
	}
}

// valueRequest returns an insert of the payload as a Go value.
func valueRequest(t testing.TB, body string) *event.Request {
	req := bodyRequest{params: payloadParams}.request(t)
	req.Body, req.Event = nil, read(t, body)
	return req
}

// A server may be sent invalid requests all day, so a finding must cost little.
func TestViolationsAllocateLittle(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	const most = 4 // allocations per violation
	for name, req := range tenViolations(t) {
		if n := len(must(event.Find(req))); n != violations {
			t.Errorf("%s: %d findings, want %d", name, n, violations)
		}
		if n := testing.AllocsPerRun(100, func() { must(event.Find(req)) }); n > most*violations {
			t.Errorf("%s: %v allocations for %d violations, want at most %d each", name, n, violations, most)
		}
	}
}

// The finding about an unknown zone searches all zones for the one that was meant.
func TestBadZoneAllocatesLittle(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	good := bodyRequest{body: object(timed)}.request(t)
	bad := bodyRequest{body: strings.Replace(object(timed), "America/New_York", "America/Newyorck", 1)}.request(t)
	allocs := func(req *event.Request) float64 {
		return testing.AllocsPerRun(100, func() { must(event.Find(req)) })
	}
	const most = 4
	if n := allocs(bad) - allocs(good); n > most {
		t.Errorf("%v allocations for the finding, want at most %d", n, most)
	}
}

// An answer is the decoded body, and a copy of it.
func TestAnswerAllocatesLittle(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	most := map[string]float64{"minimal": 5, "recurring": 7}
	for _, p := range payloads {
		req := bodyRequest{body: p.body, params: payloadParams}.request(t)
		if n := testing.AllocsPerRun(100, func() { must(event.Check(req)) }); most[p.name] > 0 && n > most[p.name] {
			t.Errorf("%s: %v allocations, want at most %v", p.name, n, most[p.name])
		}
	}
}

// The result of a patch is one allocation for the event and one for each object that the patch merges.
func TestPatchAllocatesLittle(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	patch := []byte(`{"summary":"Planning","location":null,"reminders":{"useDefault":true}}`)
	decode := testing.AllocsPerRun(100, func() { event.Decode(patch, diag.Documents) })
	for _, p := range payloads {
		stored := read(t, p.body)
		n := testing.AllocsPerRun(100, func() { must(stored.AfterPatch(patch, diag.Documents)) })
		if n -= decode; n > 2 {
			t.Errorf("%s: %v allocations beyond the patch itself, want at most 2", p.name, n)
		}
	}
}

func TestFindingsOfValidEventAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("under the race detector, sync.Pool drops items at random")
	}
	for _, p := range payloads {
		t.Run(p.name, func(t *testing.T) {
			req := valueRequest(t, p.body)
			if n := testing.AllocsPerRun(100, func() { must(event.Find(req)) }); n != 0 {
				t.Errorf("%v allocations, want none", n)
			}
		})
	}
	t.Run("response", func(t *testing.T) {
		req := &event.Request{Op: operation.Response, Event: read(t, object(storedTimed, `"attendees":[{"email":"a@example.com","self":true}]`))}
		if n := testing.AllocsPerRun(100, func() { must(event.Find(req)) }); n != 0 {
			t.Errorf("%v allocations, want none", n)
		}
	})
}
