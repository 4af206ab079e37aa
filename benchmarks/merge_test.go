package benchmarks

import (
	"testing"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"github.com/calrules/calrules/event"
)

var stored = []byte(`{"kind":"calendar#event","etag":"\"3181161784712000\"","id":"abc12def","status":"confirmed","htmlLink":"https://calendar.example.com/event?eid=abc12def","created":"2026-01-05T08:00:00.000Z","updated":"2026-01-06T09:30:00.123Z","summary":"Weekly planning with the whole team","description":"Agenda:<br>1. Numbers<br>2. Plans<br>3. Any other business. Please read the notes before.","location":"Room 4.12, Main building","creator":{"email":"owner@example.org","self":true},"organizer":{"email":"owner@example.org","self":true},"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10T10:00:00-04:00","timeZone":"America/New_York"},"iCalUID":"abc12def@calendar.example.com","sequence":3,"attendees":[{"email":"owner@example.org","displayName":"Olive Owner","organizer":true,"self":true,"responseStatus":"accepted"},{"email":"ada@example.com","displayName":"Ada L","responseStatus":"needsAction"},{"email":"bob@example.com","displayName":"Bob","responseStatus":"declined","comment":"On leave"},{"email":"room4@resource.example.com","displayName":"Room 4","resource":true,"responseStatus":"accepted"},{"email":"eve@example.net","optional":true,"responseStatus":"tentative","additionalGuests":2}],"extendedProperties":{"private":{"crm":"deal-4711","stage":"2"},"shared":{"topic":"planning"}},"conferenceData":{"conferenceSolution":{"key":{"type":"videoMeet"},"name":"Meet","iconUri":"https://example.com/i.png"},"conferenceId":"abc-defg-hij","entryPoints":[{"entryPointType":"video","uri":"https://meet.example.com/abc-defg-hij","label":"meet.example.com/abc-defg-hij"},{"entryPointType":"phone","uri":"tel:+49-30-901820","pin":"1234","label":"+49 30 901820"}]},"reminders":{"useDefault":false,"overrides":[{"method":"popup","minutes":10},{"method":"email","minutes":1440}]},"attachments":[{"fileUrl":"https://files.example.com/open?id=1","title":"Agenda","mimeType":"text/plain","fileId":"f1"},{"fileUrl":"https://files.example.com/open?id=2","title":"Numbers","mimeType":"application/pdf","fileId":"f2"}],"eventType":"default","guestsCanModify":false}`)

var patch = []byte(`{"summary":"Weekly planning","location":null,"start":{"dateTime":"2026-03-10T09:30:00-04:00"},"end":{"dateTime":"2026-03-10T10:30:00-04:00"},"extendedProperties":{"private":{"stage":"3","crm":null}},"reminders":{"useDefault":true,"overrides":null}}`)

// BenchmarkMerge merges a patch into an event, both as JSON text.
func BenchmarkMerge(b *testing.B) {
	b.Run("typical/impl=calrules", func(b *testing.B) {
		b.ReportAllocs()
		buffer := make([]byte, 0, 8192)
		for b.Loop() {
			if _, err := event.MergeJSON(buffer, stored, patch); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("typical/impl=evanphx-json-patch", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := jsonpatch.MergePatch(stored, patch); err != nil {
				b.Fatal(err)
			}
		}
	})
}
