package event_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// nest returns an unknown member whose value is nested so deep.
func nest(depth int) string {
	return `"x":` + strings.Repeat("[", depth) + strings.Repeat("]", depth)
}

func TestLimitsOfBodies(t *testing.T) {
	guests := func(n int) string { return `"attendees":` + numbered(n, `{"email":"guest%d@example.com"}`) }
	body := object(timed, guests(3)) // 3 members, 2 of each time, 3 elements with a member
	const elements = 3 + 2*2 + 3*2
	for _, test := range []struct {
		name     string
		checker  event.Checker
		body     string
		rejected string // a part of the message, or empty
	}{
		{"accept/bytes", event.Checker{MaxBytes: len(body)}, body, ""},
		{"reject/bytes", event.Checker{MaxBytes: len(body) - 1}, body, fmt.Sprintf("has %d bytes, but at most %d are allowed", len(body), len(body)-1)},
		{"reject/default-bytes", event.Checker{}, object(timed, `"summary":"`+long(event.DefaultMaxBytes)+`"`), "at most 4194304"},
		{"accept/elements", event.Checker{MaxElements: elements}, body, ""},
		{"reject/elements", event.Checker{MaxElements: elements - 1}, body, fmt.Sprintf("more than %d members and array elements", elements-1)},
		{"accept/default-elements", event.Checker{}, object(timed, strings.Trim(numbered(200_000, `"member%d":0`), "[]")), ""},
		{"reject/default-elements", event.Checker{}, object(timed, `"recurrence":`+array(250_000, `""`)), "more than 250000 members and array elements"},
		{"accept/depth", event.Checker{MaxDepth: 4}, object(timed, nest(3)), ""},
		{"reject/depth", event.Checker{MaxDepth: 4}, object(timed, nest(4)), "more than 4 levels deep"},
		{"accept/deeper-than-the-default", event.Checker{MaxDepth: 200}, object(timed, nest(199)), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := must(test.checker.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(test.body)}))
			if result.Accepted != (test.rejected == "") {
				t.Fatalf("accepted = %t: %.500v", result.Accepted, result.Findings)
			}
			if err := result.Err(); err != nil && !strings.Contains(err.Error(), test.rejected) {
				t.Errorf("the findings do not contain %q: %.500v", test.rejected, err)
			}
		})
	}
}

// What is kept of a large body must not keep the body alive.
func TestSmallEventsOfLargeBodies(t *testing.T) {
	const bodies, most = 50, 4 << 20
	insert := &event.Request{Op: operation.EventsInsert}
	kept := make([]event.Result, bodies)
	heap := func() uint64 {
		var stats runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	for i := range kept {
		insert.Body = []byte(object(timed, `"summary":"Standup"`, `"htmlLink":"`+long(1<<20)+`"`))
		kept[i] = must(event.Check(insert))
		kept[i].Findings = nil // they show the value
	}
	if grown := int64(heap() - before); grown > most {
		t.Errorf("%d events keep %d bytes alive, want at most %d", bodies, grown, most)
	}
	if kept[0].Answer.Summary != "Standup" {
		t.Error("the events are not read")
	}
}
