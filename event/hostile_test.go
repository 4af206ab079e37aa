package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
)

// hostileStrings makes bodies with a string of a length in each place that is read.
var hostileStrings = map[string]func(n int) string{
	"summary":    func(n int) string { return object(timed, `"summary":"`+long(n)+`"`) },
	"id":         func(n int) string { return object(timed, `"id":"`+long(n)+`"`) },
	"status":     func(n int) string { return object(timed, `"status":"`+long(n)+`"`) },
	"event-type": func(n int) string { return object(timed, `"eventType":"`+long(n)+`"`) },
	"date":       func(n int) string { return object(`"start":{"date":"`+long(n)+`"}`, timedEnd) },
	"date-time": func(n int) string {
		return object(`"start":{"dateTime":"2026-03-10T09:00:00.`+strings.Repeat("1", n)+`Z"}`, timedEnd)
	},
	"zone": func(n int) string {
		return object(`"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"`+long(n)+`"}`, timedEnd)
	},
	"email": func(n int) string {
		return object(timed, `"attendees":[{"email":"`+long(n)+`@example.com"},{"email":"`+long(n)+`"}]`)
	},
	"quoted-email": func(n int) string {
		return object(timed, `"attendees":[{"email":"\"`+strings.Repeat(`\\`, n/2)+`"}]`)
	},
	"url":  func(n int) string { return object(timed, `"source":{"url":"https://`+long(n)+`/"}`) },
	"line": func(n int) string { return object(timed, `"recurrence":["RRULE:FREQ=`+long(n)+`"]`) },
	"line-of-dates": func(n int) string {
		return object(timed, `"recurrence":["EXDATE:`+strings.Repeat("20260310T130000Z,", n/16)+`20260310T130000Z"]`)
	},
	"unknown-name": func(n int) string { return object(timed, `"`+long(n)+`":0`) },
	"property-key": func(n int) string {
		return object(timed, `"extendedProperties":{"private":{"`+long(n)+`":"`+long(n)+`"}}`)
	},
	"wrong-type": func(n int) string { return object(timed, `"sequence":"`+long(n)+`"`) },
	"number":     func(n int) string { return object(timed, `"sequence":1`+strings.Repeat("0", n)) },
	"fraction": func(n int) string { // 1, at length
		return object(timed, fmt.Sprintf(`"sequence":0.%s1e%d`, strings.Repeat("0", n), n+1))
	},
	"exponent": func(n int) string { return object(timed, `"sequence":1e`+strings.Repeat("9", n)) },
	"notes": func(n int) string {
		return object(timed, `"conferenceData":{"notes":"`+long(n)+`","createRequest":{"requestId":"`+long(n)+`"}}`)
	},
	"label":        func(n int) string { return object(timed, `"eventLabelId":"`+long(n)+`"`) },
	"unterminated": func(n int) string { return `{"summary":"` + long(n) },
	"blanks":       func(n int) string { return strings.Repeat(" ", n) + object(timed) + strings.Repeat("\n", n) },
}

func long(n int) string { return strings.Repeat("a", n) }

// hostileString returns an insert whose parameters allow every member.
func hostileString(t *testing.T, body string) *event.Request {
	return bodyRequest{body: body, params: "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true"}.request(t)
}

func TestHostileStringsHaveShortMessages(t *testing.T) {
	const limit = 1000
	for name, body := range hostileStrings {
		t.Run(name, func(t *testing.T) {
			for _, f := range must(event.Check(hostileString(t, body(10*limit)))).Findings {
				if len(f.Message()) > limit {
					t.Errorf("the message of %s has %d bytes, want at most %d", f.Rule.ID, len(f.Message()), limit)
				}
			}
		})
	}
}
