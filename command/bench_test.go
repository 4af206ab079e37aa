package command

import (
	"bytes"
	"io"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
)

// typicalRequest is an insert as clients send them: attendees, reminders, a conference, an
// attachment and a property.
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

// BenchmarkStream answers a stream on all processors. An operation is a line.
func BenchmarkStream(b *testing.B) {
	in := &repeated{text: []byte(typicalRequest), times: b.N}
	b.SetBytes(int64(len(typicalRequest)))
	b.ReportAllocs()
	if err := filter.Check(event.Checker{}, filter.Defaults{}).Run(b.Context(), in, io.Discard); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "lines/s")
}

// repeated is a reader of a text, repeated many times.
type repeated struct {
	text  []byte
	at    int
	times int
}

func (r *repeated) Read(dst []byte) (n int, err error) {
	for n < len(dst) && r.times > 0 {
		k := copy(dst[n:], r.text[r.at:])
		n += k
		if r.at += k; r.at == len(r.text) {
			r.at = 0
			r.times--
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}
