package benchmarks

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/tags"
	"github.com/calrules/calrules/operation"
)

const times = `"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"}`

// payloads are valid bodies of new events.
var payloads = []struct{ name, body string }{
	{"minimal", "{" + times + "}"},
	{"typical", typical(5)},
	{"200-attendees", typical(200)},
}

// typical is a body with n attendees, reminders, a conference, two attachments and extended
// properties.
func typical(n int) string {
	guests := make([]string, n)
	for i := range guests {
		guests[i] = fmt.Sprintf(`{"email":"guest.%d@example.com","displayName":"Guest %d","optional":%t,"responseStatus":"needsAction"}`, i, i, i%3 == 0)
	}
	return "{" + strings.Join([]string{
		times,
		`"summary":"Quarterly planning","description":"Where we stand and what comes next.","location":"Room 4"`,
		`"transparency":"opaque","visibility":"private","guestsCanInviteOthers":false`,
		`"attendees":[` + strings.Join(guests, ",") + `]`,
		`"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10},{"method":"email","minutes":1440}]}`,
		`"conferenceData":{"conferenceSolution":{"key":{"type":"addOn"},"name":"Acme Meet"},"conferenceId":"acme-1",` +
			`"entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/acme-1","label":"meet.example.com/acme-1"},` +
			`{"entryPointType":"phone","uri":"tel:+15550100,,,1234%23","pin":"1234"}]}`,
		`"attachments":[{"fileUrl":"https://files.example.com/open?id=1","title":"Agenda"},{"fileUrl":"https://files.example.com/open?id=2"}]`,
		`"extendedProperties":{"private":{"crm-id":"4711","stage":"draft"},"shared":{"project":"apollo"}}`,
	}, ",") + "}"
}

// BenchmarkCheck checks a valid decoded event with all rules, with the validator and the tags of
// the event, which cover the rules about single fields, and with a JSON Schema that is about
// equivalent to the tags.
func BenchmarkCheck(b *testing.B) {
	v := validator.New(validator.WithRequiredStructEnabled())
	if err := tags.Register(v); err != nil {
		b.Fatal(err)
	}
	s := compiled(b)
	for _, p := range payloads {
		e := new(event.Event)
		if err := json.Unmarshal([]byte(p.body), e); err != nil {
			b.Fatal(err)
		}
		req := &event.Request{Op: operation.EventsInsert, Event: e,
			Params: operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}}}
		b.Run(p.name+"/impl=calrules", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if findings, err := event.Findings(req); findings != nil || err != nil {
					b.Fatal(findings)
				}
			}
		})
		b.Run(p.name+"/impl=validator", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := v.Struct(e); err != nil {
					b.Fatal(tags.Findings(err))
				}
			}
		})
		b.Run(p.name+"/impl=jsonschema", func(b *testing.B) {
			value := decoded(b, p.body)
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Validate(value); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
