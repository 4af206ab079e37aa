package aim

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

const threeDays = confirmed + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"]`

// instances returns the instances of a series as a server lists them.
func instances(t *testing.T, s *event.Event) (all []string) {
	t.Helper()
	for i, err := range (event.Series{Event: s}).Instances(event.Window{}) {
		if err != nil {
			t.Fatal(err)
		}
		object := decoded(i.Event.AppendJSON(nil))
		object["kind"] = "calendar#event"
		all = append(all, string(draw.EncodeJSON(object)))
	}
	return all
}

// The instances of a series are read twice: as such, and in a list of single events.
func TestReadInstances(t *testing.T) {
	series := eventOf(t, "abcde", threeDays)
	all := instances(t, series)
	far := eventOf(t, "abcde", strings.ReplaceAll(threeDays, "2026", "2099"))
	for name, test := range map[string]struct {
		s         *stored
		status    int // of the instances
		instances string
		list      string
		want      string // what is lost
		requests  string // the operations, and whether they have a window
	}{
		"all":               {&stored{event: series}, 200, answerOf(all...), answerOf(all...), "", "instances list in"},
		"one is missing":    {&stored{event: series}, 200, answerOf(all[1:]...), answerOf(all...), "the instance at 2026-03-10T09:00:00Z", "instances"},
		"one is not listed": {&stored{event: series}, 200, answerOf(all...), answerOf(all[:2]...), "the instance at 2026-03-12T09:00:00Z", "instances list in"},
		"no instances":      {&stored{event: series}, 501, "{}", answerOf(all...), "", "instances list in"},
		"unclear":           {&stored{event: series}, 302, "{}", answerOf(all...), "", "instances"},
		"deleted":           {&stored{event: series, isGone: true}, 200, answerOf(all...), answerOf(), "", "list in"},
		"deleted, but not":  {&stored{event: series, isGone: true}, 200, answerOf(all...), answerOf(all...), "the series has none then", "list in"},
		"no series":         {&stored{event: eventOf(t, "abcde", confirmed)}, 200, answerOf(), answerOf(), "", ""},
		"without end":       {&stored{event: eventOf(t, "abcde", confirmed+`,"recurrence":["RRULE:FREQ=WEEKLY;INTERVAL=52"]`)}, 404, "{}", "", "", "instances in list in"},
		"in a far year":     {&stored{event: far}, 404, "{}", "", "", "instances in list in"},
		"too many":          {&stored{event: eventOf(t, "abcde", confirmed+`,"recurrence":["RRULE:FREQ=HOURLY"]`)}, 404, "{}", "", "", ""},
	} {
		var got []string
		r := runWith(t, func(r *http.Request) (int, string) {
			is := "list"
			if strings.HasSuffix(r.URL.Path, "/instances") {
				is = "instances"
			}
			if got = append(got, is); r.URL.Query().Has("timeMin") && r.URL.Query().Has("timeMax") {
				got = append(got, "in")
			}
			if is == "list" && r.URL.Query().Get("singleEvents") != "true" {
				t.Errorf("%s: a list has %s", name, r.URL.RawQuery)
			}
			switch {
			case is == "instances":
				return test.status, test.instances
			case test.list == "":
				return 501, "{}"
			}
			return 200, test.list
		})
		o := &outcome{story: &story{}}
		if r.readInstances(o, test.s); (o.fault != "") != (test.want != "") || !strings.Contains(o.message, test.want) || strings.Join(got, " ") != test.requests {
			t.Errorf("%s: %q, %s", name, got, o.message)
		}
	}
}

// At most 400 instances are compared.
func TestExpectedMost(t *testing.T) {
	for count, want := range map[int]bool{400: true, 401: false} {
		s := &stored{event: eventOf(t, "abcde", confirmed+fmt.Sprintf(`,"recurrence":["RRULE:FREQ=DAILY;COUNT=%d"]`, count))}
		if all, ok := expected(s, time.Time{}, time.Time{}); ok != want || ok && len(all) != count {
			t.Errorf("of %d instances %d are expected: %t", count, len(all), ok)
		}
	}
}

// Instances near the edge of a window are at its edge, on either side.
func TestExpectedEdges(t *testing.T) {
	s := &stored{event: eventOf(t, "abcde", confirmed+`,"recurrence":["RRULE:FREQ=DAILY"]`)}
	at := func(day int) time.Time { return time.Date(2026, 4, day, 9, 0, 0, 0, time.UTC) }
	want, ok := expected(s, at(1), at(11))
	for day := range 20 {
		i, isThere := want[keyOf(event.TimeAt(at(day)))]
		if isEdge := day < 3 || day > 9; isThere && i.isEdge != isEdge || !isThere && day > 0 && day < 12 {
			t.Errorf("day %d is expected: %t, at the edge: %t", day, isThere, i.isEdge)
		}
	}
	if !ok {
		t.Error("no instances are expected")
	}
}

// The members that a server sets are known of a stored instance alone.
func TestExpectationAs(t *testing.T) {
	const stamps = `,"etag":"\"1\"","created":"2026-03-01T09:00:00.000Z","updated":"2026-03-02T09:00:00.000Z"`
	s := &stored{event: eventOf(t, "abcde", threeDays+stamps)}
	s.exceptions = []*event.Event{eventOf(t, "abcde_20260311T090000Z", confirmed+stamps+`,"recurringEventId":"abcde","originalStartTime":{"dateTime":"2026-03-11T09:00:00Z"}`)}
	want, ok := expected(s, time.Time{}, time.Time{})
	for key, isStored := range map[string]bool{"2026-03-10T09:00:00Z": false, "2026-03-11T09:00:00Z": true} {
		e := want[key].as(&event.Event{ID: "other"})
		if known := e.ETag + e.Created + e.Updated; !ok || (known != "") != isStored || e.ID != "other" {
			t.Errorf("of the instance at %s are known: %q", key, known)
		}
	}
}

// Equal times have equal keys, and dates stay dates.
func TestKeyOf(t *testing.T) {
	for want, at := range map[string]*event.Time{
		"": nil, "2026-03-10": event.Date(2026, 3, 10), "2026-03-10T09:00:00Z": {DateTime: "2026-03-10T10:00:00+01:00"},
	} {
		if got := keyOf(at); got != want {
			t.Errorf("the key of %v is %q, want %q", at, got, want)
		}
	}
}

// Events of others do not hide the instances of a series.
func TestCompareInstancesOfOthers(t *testing.T) {
	l, p := newLife(), listOf()
	want, _ := expected(&stored{event: eventOf(t, "abcde", threeDays)}, time.Time{}, time.Time{})
	for _, w := range want {
		p.entries[w.Event.ID], p.of[w.Event.ID] = w.as(w.Event).Clone(), p.last()
	}
	for i := range 50 {
		id := fmt.Sprint("other", i)
		p.entries[id] = &event.Event{ID: id}
	}
	if l.compareInstances(l.o, p, "abcde", want, operation.Params{}, map[string]string{}); l.o.fault != "" {
		t.Error(l.o.message)
	}
}
