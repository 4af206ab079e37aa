package command

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
)

// typicalRequest is an insert as clients send them: attendees, reminders, a conference, an attachment and a property.
const typicalRequest = `{"id":"bench-1","op":"events.insert","params":{"conferenceDataVersion":"1","supportsAttachments":"true","sendUpdates":"all"},"body":{` +
	`"summary":"Quarterly planning","description":"Numbers first, then the plan for the spring.","location":"Room 4",` +
	`"start":{"dateTime":"2026-03-10T09:00:00-04:00","timeZone":"America/New_York"},"end":{"dateTime":"2026-03-10T10:30:00-04:00","timeZone":"America/New_York"},` +
	`"recurrence":["RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10"],` +
	`"attendees":[{"email":"ana@example.com"},{"email":"ben@example.com","optional":true},{"email":"room4@resource.example.com","resource":true},` +
	`{"email":"cho@example.com","displayName":"Cho"},{"email":"dee@example.com"}],` +
	`"reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":1440},{"method":"popup","minutes":10}]},` +
	`"conferenceData":{"createRequest":{"requestId":"7qxalsvy0e","conferenceSolutionKey":{"type":"videoMeet"}}},` +
	`"attachments":[{"fileUrl":"https://files.example.com/open?id=1","title":"Agenda"}],` +
	`"extendedProperties":{"private":{"ticket":"PLAN-7"}}}}` + "\n"

// simpleRequest is an insert of an all-day event.
const simpleRequest = `{"id":7,"op":"events.insert","body":{"summary":"Holiday","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}` + "\n"

// BenchmarkAnswerLine answers one line, from bytes to bytes.
func BenchmarkAnswerLine(b *testing.B) {
	for name, text := range map[string]string{"simple": simpleRequest, "typical": typicalRequest} {
		b.Run(name, func(b *testing.B) {
			line := []byte(text[:len(text)-1])
			answer := filter.Check(event.Checker{}, filter.Defaults{}).Handle
			var dst []byte
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				dst = answer(line, dst[:0])
			}
			if !bytes.Contains(dst, []byte(`"accepted":true`)) {
				b.Fatalf("the request is refused: %s", dst)
			}
		})
	}
}

// BenchmarkStream answers a stream on all processors.
func BenchmarkStream(b *testing.B) {
	const lines = 1000
	text := strings.Repeat(typicalRequest, lines)
	answer := filter.Check(event.Checker{}, filter.Defaults{})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := answer.Run(b.Context(), strings.NewReader(text), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(lines*float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}
