package event_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// hostile are bodies that somebody makes to keep a server busy, by their size. A checker
// takes time in proportion to the size, and not to its square.
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

// numbered is a JSON array of n elements, each with its number.
func numbered(n int, element string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, ","+element, i)
	}
	return "[" + strings.TrimPrefix(b.String(), ",") + "]"
}

func TestHostileSizesTakeLinearTime(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("takes some seconds, and under the race detector a minute in which times mean nothing")
	}
	const size = 100_000
	for name, body := range hostile {
		for _, op := range []operation.ID{operation.EventsInsert, operation.EventsPatch, operation.EventsUpdate} {
			t.Run(name+"/"+string(op), func(t *testing.T) {
				text := body(size)
				req := hostileRequest(op, text)
				checkLinear(t, text, func() { event.Check(req) })
			})
		}
	}
}

// checkLinear fails the test if check takes more than a hundred times as long as encoding/json takes to
// read the text, in the same run. For the sizes of the test, quadratic time is far more than that. The
// machine may be busy during one attempt, but not during each.
func checkLinear(t *testing.T, text string, check func()) {
	t.Helper()
	const factor, attempts = 100, 3
	var took, limit time.Duration
	for range attempts {
		limit = factor * duration(func() { _ = json.Unmarshal([]byte(text), new(any)) })
		if took = duration(check); took <= limit {
			return
		}
	}
	t.Errorf("it takes %v; the limit is %v", took, limit)
}

func duration(do func()) time.Duration {
	start := time.Now()
	do()
	return time.Since(start)
}

// hostileRequest is an insert of the body, or a change with it of the like an hour earlier, so that
// what is stored is as large. An update is one response, to an invitation of other people.
func hostileRequest(op operation.ID, body string) *event.Request {
	req := &event.Request{Op: op, Body: []byte(body), Params: operation.Params{"conferenceDataVersion": {"1"}}}
	if op != operation.EventsInsert {
		req.Existing = new(event.Event)
		earlier := strings.NewReplacer("T09:", "T08:", "T10:", "T09:", "guest", "person").Replace(body)
		if op == operation.EventsUpdate {
			req.Body = []byte(strings.Replace(body, "{", `{"attendeesOmitted":true,`, 1))
		}
		if err := json.Unmarshal([]byte(earlier), req.Existing); err != nil {
			req.Existing = nil // nothing that reads so can be stored
		}
	}
	return req
}

// Strings of ten million characters, wherever a string is read, take no time to speak of and
// do not come back in a message.
func TestHostileStrings(t *testing.T) {
	long := strings.Repeat("a", 10_000_000)
	const params = "eventLabelVersion=1&conferenceDataVersion=1&supportsAttachments=true"
	for name, body := range map[string]string{
		"summary":       object(timed, `"summary":"`+long+`"`),
		"id":            object(timed, `"id":"`+long+`"`),
		"status":        object(timed, `"status":"`+long+`"`),
		"event-type":    object(timed, `"eventType":"`+long+`"`),
		"date":          object(`"start":{"date":"`+long+`"}`, timedEnd),
		"date-time":     object(`"start":{"dateTime":"2026-03-10T09:00:00.`+strings.Repeat("1", 10_000_000)+`Z"}`, timedEnd),
		"zone":          object(`"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"`+long+`"}`, timedEnd),
		"email":         object(timed, `"attendees":[{"email":"`+long+`@example.com"},{"email":"`+long+`"}]`),
		"quoted-email":  object(timed, `"attendees":[{"email":"\"`+strings.Repeat(`\\`, 5_000_000)+`"}]`),
		"url":           object(timed, `"source":{"url":"https://`+long+`/"}`),
		"line":          object(timed, `"recurrence":["RRULE:FREQ=`+long+`"]`),
		"line-of-dates": object(timed, `"recurrence":["EXDATE:`+strings.Repeat("20260310T130000Z,", 600_000)+`20260310T130000Z"]`),
		"unknown-name":  object(timed, `"`+long+`":0`),
		"property-key":  object(timed, `"extendedProperties":{"private":{"`+long+`":"`+long+`"}}`),
		"wrong-type":    object(timed, `"sequence":"`+long+`"`),
		"number":        object(timed, `"sequence":1`+strings.Repeat("0", 10_000_000)),
		"fraction":      object(timed, `"sequence":0.`+strings.Repeat("0", 10_000_000)+`1e10000001`),
		"exponent":      object(timed, `"sequence":1e`+strings.Repeat("9", 10_000_000)),
		"notes":         object(timed, `"conferenceData":{"notes":"`+long+`","createRequest":{"requestId":"`+long+`"}}`),
		"label":         object(timed, `"eventLabelId":"`+long+`"`),
		"unterminated":  `{"summary":"` + long,
		"blanks":        strings.Repeat(" ", 10_000_000) + object(timed) + strings.Repeat("\n", 10_000_000),
	} {
		t.Run(name, func(t *testing.T) {
			req := ruleCase{body: body, params: params}.request(t)
			start := time.Now()
			result := event.Check(req)
			if took := time.Since(start); took > 5*time.Second && !raceDetector {
				t.Errorf("takes %v", took)
			}
			for _, f := range result.Findings {
				if len(f.Message) > 1000 {
					t.Errorf("%s has a message of %d bytes", f.Rule.ID, len(f.Message))
				}
			}
		})
	}
}
