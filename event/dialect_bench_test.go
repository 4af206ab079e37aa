//go:build unix

package event_test

import (
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// BenchmarkDialect reports the cost of a check, with its answer as text, in the dialect google, as a ratio to
// the cost in the documents' names: CPU time of the process, the two in turns, the median of all rounds.
func BenchmarkDialect(b *testing.B) {
	attendees := ""
	for i := range 5 {
		attendees += fmt.Sprintf(`{"email":"guest%d@example.com","responseStatus":"accepted"},`, i)
	}
	request := event.Request{
		Op:     operation.EventsInsert,
		Params: operation.Params{"conferenceDataVersion": {"1"}, "supportsAttachments": {"true"}, "sendUpdates": {"all"}},
		Body: []byte(object(timed, `"summary":"Planning","description":"The plan for the quarter.","location":"Room 4","attendees":[`+
			attendees[:len(attendees)-1]+`],"reminders":{"useDefault":false,"overrides":[{"method":"email","minutes":1440}]},`+
			`"conferenceData":{"createRequest":{"requestId":"7qxalsvy0e","conferenceSolutionKey":{"type":"videoMeet"}}},`+
			`"attachments":[{"fileUrl":"https://files.example.com/1"},{"fileUrl":"https://files.example.com/2"}],`+
			`"extendedProperties":{"private":{"ticket":"PLAN-7"}},"eventType":"default"`)),
	}
	google := request.WithDialect(diag.Google)
	requests := []event.Request{google.WithDialect(diag.Documents), google}
	var ratios []float64
	for b.Loop() {
		var spent [2]time.Duration
		for range 20 {
			for i := range requests {
				spent[i] += cpuTime(func() {
					for range 20 {
						result, _ := event.Check(&requests[i])
						result.Answer.AppendIn(result.Dialect, nil)
					}
				})
			}
		}
		ratios = append(ratios, float64(spent[1])/float64(spent[0]))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "google/documents")
	b.ReportMetric(0, "ns/op")
}

// cpuTime returns the CPU time of the process that do takes.
func cpuTime(do func()) time.Duration {
	var before, after syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &before)
	do()
	syscall.Getrusage(syscall.RUSAGE_SELF, &after)
	return time.Duration(after.Utime.Nano() + after.Stime.Nano() - before.Utime.Nano() - before.Stime.Nano())
}
