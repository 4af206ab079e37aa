package event_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/testdepth"
	"github.com/calrules/calrules/operation"
)

// hostile makes bodies of a size that are meant to keep a server busy.
var hostile = map[string]func(n int) string{
	"attendees": func(n int) string {
		return object(timed, `"attendees":`+numbered(n, `{"email":"guest%d@example.com"}`))
	},
	"attendees-alike": func(n int) string {
		return object(timed, `"attendees":`+array(n, `{"email":"guest@example.com"}`))
	},
	"attendees-without-email": func(n int) string { return object(timed, `"attendees":`+array(n, `{}`)) },
	"attendees-of-wrong-type": func(n int) string { return object(timed, `"attendees":`+array(n, `0`)) },
	"attendees-of-one-id": func(n int) string {
		return object(timed, `"attendees":`+numbered(n, `{"id":"x","email":"guest%d@example.com"}`))
	},
	"participants": func(n int) string {
		return object(timed, `"attendees":`+numbered(n, `{"self":true,"additionalGuests":-1,"email":"guest%d@example.com"}`))
	},
	"attachments": func(n int) string { return object(timed, `"attachments":`+array(n, file)) },
	"overrides":   func(n int) string { return object(timed, `"reminders":{"overrides":`+array(n, popup)+`}`) },
	"lines":       func(n int) string { return object(timed, `"recurrence":`+array(n, `"X"`)) },
	"unknown-members": func(n int) string {
		members := numbered(n, `"member%d":0`)
		return object(timed, members[1:len(members)-1])
	},
	"unknown-in-attendee": func(n int) string {
		members := numbered(n, `"member%d":0`)
		return object(timed, `"attendees":[{"email":"a@example.com",`+members[1:len(members)-1]+`}]`)
	},
	"unknown-alike": func(n int) string {
		members := array(n, `"member":0`)
		return object(timed, members[1:len(members)-1])
	},
	"properties": func(n int) string {
		members := numbered(n, `"key%d":"v"`)
		return object(timed, `"extendedProperties":{"private":{`+members[1:len(members)-1]+`}}`)
	},
	"properties-too-long": func(n int) string {
		members := numbered(n, `"a-key-that-is-longer-than-the-44-characters-allowed-%d":"v"`)
		return object(timed, `"extendedProperties":{"private":{`+members[1:len(members)-1]+`}}`)
	},
	"properties-of-wrong-type": func(n int) string {
		members := numbered(n, `"key%d":0`)
		return object(timed, `"extendedProperties":{"private":{`+members[1:len(members)-1]+`}}`)
	},
	"duplicates": func(n int) string {
		members := array(n, `"summary":"a"`)
		return object(timed, members[1:len(members)-1])
	},
	"large-unknown-value": func(n int) string { return object(timed, `"x":`+array(n, `[{"a":1}]`)) },
	"exclusions": func(n int) string {
		var lines strings.Builder
		for i := range n {
			fmt.Fprintf(&lines, `,"EXDATE:%s"`, time.Date(2026, 3, 1, 0, 0, i, 0, time.UTC).Format("20060102T150405Z"))
		}
		return object(timed, `"recurrence":["RRULE:FREQ=DAILY"`+lines.String()+`]`)
	},
	"entry-points": func(n int) string {
		return object(timed, `"conferenceData":{"entryPoints":`+array(n, `{"entryPointType":"video"}`)+`}`)
	},
}

// numbered returns a JSON array of n elements. The element is a format of its index.
func numbered(n int, element string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+element, i)
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]"
}

func TestHostileSizesTakeLinearTime(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("takes seconds, and a minute under the race detector, which distorts times")
	}
	size := testdepth.Draws(3_000, 100_000)
	for name, body := range hostile {
		for _, op := range []operation.ID{operation.EventsInsert, operation.EventsPatch, operation.EventsUpdate} {
			t.Run(name+"/"+string(op), func(t *testing.T) {
				checkLinearTime(t, size, func(n int) func() {
					req := hostileRequest(op, body(n))
					return func() { must(event.Check(req)) }
				})
			})
		}
	}
}

// hostileRequest returns an insert of the body, or a write of it over a stored event of the same
// size that starts an hour earlier and has other guests. An update is the response of one
// participant.
func hostileRequest(op operation.ID, body string) *event.Request {
	req := &event.Request{Op: op, Body: []byte(body), Params: operation.Params{"conferenceDataVersion": {"1"}}}
	if op != operation.EventsInsert {
		req.Existing = new(event.Event)
		earlier := strings.NewReplacer("T09:", "T08:", "T10:", "T09:", "guest", "person").Replace(body)
		if op == operation.EventsUpdate {
			req.Body = []byte(strings.Replace(body, "{", `{"attendeesOmitted":true,`, 1))
		}
		if err := json.Unmarshal([]byte(earlier), req.Existing); err != nil {
			req.Existing = nil // an event that cannot be decoded is not stored
		}
	}
	return req
}

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
	return ruleCase{body: body, params: "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true"}.request(t)
}

func TestHostileStringsHaveShortMessages(t *testing.T) {
	const limit = 1000
	for name, body := range hostileStrings {
		t.Run(name, func(t *testing.T) {
			for _, f := range must(event.Check(hostileString(t, body(10*limit)))).Findings {
				if len(f.Message) > limit {
					t.Errorf("the message of %s has %d bytes, want at most %d", f.Rule.ID, len(f.Message), limit)
				}
			}
		})
	}
}

func TestHostileStringsTakeLinearTime(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector distorts times")
	}
	size := testdepth.Draws(1_000_000, 10_000_000)
	for name, body := range hostileStrings {
		t.Run(name, func(t *testing.T) {
			checkLinearTime(t, size, func(n int) func() {
				req := hostileString(t, body(n))
				return func() { must(event.Check(req)) }
			})
		})
	}
}
