package aim

import (
	"net/http"
	"strings"
	"testing"

	"github.com/calrules/calrules/event"
)

// A calendar is busy during its opaque events, and only then.
func TestCompareBusy(t *testing.T) {
	const (
		hour = `{"start":"2026-03-10T09:00:00Z","end":"2026-03-10T10:00:00Z"}`
		none = `{"calendars":{"primary":{"busy":[]}}}`
	)
	opaque, transparent := listed("opaque", confirmed), listed("transparent", confirmed+`,"transparency":"transparent"`)
	busy := strings.Replace(none, "[]", "["+hour+"]", 1)
	for name, test := range map[string]struct {
		list   string
		status int
		busy   string
		want   string
	}{
		"nothing":              {answerOf(), 200, none, ""},
		"busy then":            {answerOf(opaque), 200, busy, ""},
		"free then":            {answerOf(opaque), 200, none, "the calendar is free at 2026-03-10T09:00:00Z"},
		"a transparent event":  {answerOf(transparent), 200, none, ""},
		"busy for nothing":     {answerOf(transparent), 200, busy, "the calendar is busy at 2026-03-10T09:00:00Z"},
		"both":                 {answerOf(opaque, transparent), 200, busy, ""},
		"a whole day":          {answerOf(listed("day", onTen)), 200, none, ""},
		"a busy day":           {answerOf(listed("day", onTen)), 200, busy, ""},
		"no busy times":        {answerOf(opaque), 501, "{}", ""},
		"no such calendar":     {answerOf(opaque), 404, "{}", ""},
		"a list without end":   {endless(answerOf()), 200, busy, ""},
		"a list with no event": {"", 200, busy, ""},
	} {
		l := &life{run: runWith(t, func(r *http.Request) (int, string) {
			if r.URL.Path == "/freeBusy" {
				return test.status, test.busy
			}
			if test.list == "" {
				return 501, "{}"
			}
			return 200, test.list
		}), o: &outcome{story: &story{}}}
		l.compareBusy(decodeEvent(t, atNine))
		if (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.message, test.want) || l.o.unclear != "" {
			t.Errorf("%s: %s %s", name, l.o.message, l.o.unclear)
		}
	}
}

// Busy times are read in windows that are not empty, and not too long for a server.
func TestCompareBusyWindows(t *testing.T) {
	for end, want := range map[string]bool{
		"2026-03-10T09:00:00Z": false, "2026-03-10T09:00:01Z": true, "2026-05-09T09:00:00Z": true, "2026-05-09T09:00:01Z": false, "": false,
	} {
		l := &life{run: runAt(t, 501, nil), o: &outcome{story: &story{}}}
		e := decodeEvent(t, atNine)
		if e.End = nil; end != "" {
			e.End = &event.Time{DateTime: end}
		}
		if l.compareBusy(e); (len(l.o.requests) > 0) != want {
			t.Errorf("from %s to %s: %d requests", e.Start.DateTime, end, len(l.o.requests))
		}
		over := &life{run: runAt(t, 501, nil), o: &outcome{story: &story{}, unclear: "over"}}
		if over.compareBusy(e); len(over.o.requests) > 0 {
			t.Errorf("from %s to %s: %d requests after the end", e.Start.DateTime, end, len(over.o.requests))
		}
	}
}
