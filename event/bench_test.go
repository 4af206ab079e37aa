package event_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/recurrence"
)

// plain has the fields of an event without its methods, so that encoding/json decodes it by
// reflection. Conference data has methods of its own, so it is mirrored in plain fields.
type plain struct {
	mirror
	ConferenceData *plainConference `json:"conferenceData,omitzero"`
}

type mirror event.Event

type plainConference struct {
	CreateRequest *struct {
		RequestID   string                 `json:"requestId,omitzero"`
		SolutionKey *struct{ Type string } `json:"conferenceSolutionKey,omitzero"`
		Status      *struct {
			Code string `json:"statusCode,omitzero"`
		} `json:"status,omitzero"`
	} `json:"createRequest,omitzero"`
	EntryPoints []struct {
		Type        string `json:"entryPointType,omitzero"`
		URI         string `json:"uri,omitzero"`
		Label       string `json:"label,omitzero"`
		PIN         string `json:"pin,omitzero"`
		AccessCode  string `json:"accessCode,omitzero"`
		MeetingCode string `json:"meetingCode,omitzero"`
		Passcode    string `json:"passcode,omitzero"`
		Password    string `json:"password,omitzero"`
	} `json:"entryPoints,omitzero"`
	Solution *struct {
		Key     *struct{ Type string } `json:"key,omitzero"`
		Name    string                 `json:"name,omitzero"`
		IconURI string                 `json:"iconUri,omitzero"`
	} `json:"conferenceSolution,omitzero"`
	ID        string `json:"conferenceId,omitzero"`
	Signature string `json:"signature,omitzero"`
	Notes     string `json:"notes,omitzero"`
}

// The benchmarks against the mirror are fair only if it decodes what an event decodes.
func TestPlainReadsTheSame(t *testing.T) {
	for _, p := range payloads {
		var e plain
		if err := json.Unmarshal([]byte(p.body), &e); err != nil {
			t.Fatal(err)
		}
		want := read(t, p.body)
		if e.Summary != want.Summary || len(e.Attendees) != len(want.Attendees) || (e.ConferenceData == nil) != (want.ConferenceData == nil) ||
			e.ConferenceData != nil && e.ConferenceData.EntryPoints[1].PIN != want.ConferenceData.EntryPoints[1].PIN {
			t.Errorf("%s: the mirror is decoded as %+v", p.name, e)
		}
	}
}

// BenchmarkDecodeAndCheck compares a whole check, from bytes to findings, with encoding/json
// decoding the same bytes into the same fields.
// Compare with benchstat -col /impl.
func BenchmarkDecodeAndCheck(b *testing.B) {
	for _, p := range payloads {
		body := []byte(p.body)
		b.Run(p.name+"/impl=calrules", func(b *testing.B) {
			req := bodyRequest{body: p.body, params: payloadParams}.request(b)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if findings := must(event.Find(req)); len(findings) > 0 {
					b.Fatal(findings)
				}
			}
		})
		b.Run(p.name+"/impl=encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				var e plain
				if err := json.Unmarshal(body, &e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkCheck checks events that are already Go values.
func BenchmarkCheck(b *testing.B) {
	for _, p := range payloads {
		b.Run(p.name, func(b *testing.B) {
			req := valueRequest(b, p.body)
			b.ReportAllocs()
			for b.Loop() {
				must(event.Find(req))
			}
		})
	}
}

// BenchmarkAnswer also computes the stored event.
func BenchmarkAnswer(b *testing.B) {
	for _, p := range payloads {
		b.Run(p.name, func(b *testing.B) {
			req := bodyRequest{body: p.body, params: payloadParams}.request(b)
			b.ReportAllocs()
			for b.Loop() {
				must(event.Check(req))
			}
		})
	}
}

// BenchmarkCheckAttendees shows how the cost grows with the number of attendees.
func BenchmarkCheckAttendees(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			req := valueRequest(b, typical(n))
			b.ReportAllocs()
			for b.Loop() {
				must(event.Find(req))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/attendee")
		})
	}
}

// violations is the number of findings about each request of [tenViolations].
const violations = 10

// tenViolations returns requests that break ten rules, one as bytes and one as a Go value.
func tenViolations(tb testing.TB) map[string]*event.Request {
	const members = `"kind":"x","id":"W","status":"x","transparency":"x","visibility":"x","sequence":-1,` +
		`"source":{"url":"x"},"attendees":[{"email":"x"},{"email":"a@example.com","responseStatus":"x"}]`
	return map[string]*event.Request{
		"text":  bodyRequest{members: members, params: "sendUpdates=all"}.request(tb),
		"value": {Op: operation.EventsInsert, Event: read(tb, object(timed, members)), Params: operation.Params{"sendUpdates": {"all"}}},
	}
}

func BenchmarkTenViolations(b *testing.B) {
	for name, req := range tenViolations(b) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n = len(must(event.Find(req)))
			}
			if n != violations {
				b.Fatalf("%d findings, want %d", n, violations)
			}
			allocs := testing.AllocsPerRun(10, func() { must(event.Find(req)) })
			b.ReportMetric(allocs/violations, "allocs/violation")
		})
	}
}

// BenchmarkInstances measures an instance of a series as an event, and the expansion alone.
func BenchmarkInstances(b *testing.B) {
	series := read(b, `{"id":"series1","recurrence":["RRULE:FREQ=DAILY"],"start":{"dateTime":"1997-09-02T09:00:00","timeZone":"America/New_York"},
		"end":{"dateTime":"1997-09-02T10:00:00","timeZone":"America/New_York"}}`)
	const n = 1000
	b.Run("events", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			left := n
			for range (event.Series{Event: series}).Instances(event.Window{}) {
				if left--; left == 0 {
					break
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/instance")
	})
	b.Run("expansion", func(b *testing.B) {
		set, _ := recurrence.Parse(series.Recurrence)
		zone, _ := time.LoadLocation(series.Start.TimeZone)
		expanded, _ := set.Compile(recurrence.StartTime(time.Date(1997, 9, 2, 9, 0, 0, 0, zone)))
		for b.Loop() {
			left := n
			for range expanded.All() {
				if left--; left == 0 {
					break
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/instance")
	})
}
