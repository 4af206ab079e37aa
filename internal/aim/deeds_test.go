package aim

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// recorder answers requests, and records their methods and bodies.
type recorder struct {
	answer   answering
	requests []string
}

func (r *recorder) serve(req *http.Request) (int, string) {
	body := []byte(nil)
	if req.Body != nil {
		body, _ = io.ReadAll(req.Body)
	}
	r.requests = append(r.requests, strings.TrimSpace(req.Method+" "+string(body)))
	return r.answer(req)
}

// with returns the first request with the given method, or "".
func (r *recorder) with(method string) string {
	for _, request := range r.requests {
		if strings.HasPrefix(request, method) {
			return request
		}
	}
	return ""
}

// ids returns the ids of events.
func idsOf(all []*event.Event) (ids []string) {
	for _, e := range all {
		ids = append(ids, e.ID)
	}
	return ids
}

// The events of a life beside the current one are those that are not deleted, with their exceptions.
func TestChoose(t *testing.T) {
	one := func(id string) *stored { return &stored{event: &event.Event{ID: id}} }
	first, second, third := one("first"), one("second"), one("third")
	second.exceptions, third.isGone = []*event.Event{{ID: "exception"}}, true
	l := &life{all: []*stored{first, second, third}}
	for _, test := range []struct {
		s    *stored
		want []string
	}{{first, []string{"second", "exception"}}, {second, []string{"first"}}, {third, []string{"first", "second", "exception"}}} {
		l.choose(test.s)
		if diff := cmp.Diff(test.want, idsOf(test.s.others)); diff != "" || l.s != test.s {
			t.Errorf("%s (-want +got):\n%s", test.s.event.ID, diff)
		}
	}
}

// An event is added to a life as it is stored.
func TestAdd(t *testing.T) {
	for name, test := range map[string]struct {
		e            *event.Event
		isIn, isGone bool
	}{"none": {nil, false, false}, "an event": {eventOf(t, "abcde", confirmed), true, false}, "a cancelled one": {eventOf(t, "abcde", cancelled), true, true}} {
		l := lifeWith(t, lacking, &stored{})
		if l.add(test.e); (len(l.all) > 0) != test.isIn || l.s.isGone != test.isGone || test.isIn && l.s.event != test.e {
			t.Errorf("%s: %d events, %+v", name, len(l.all), l.s)
		}
	}
}

// Most events are at times at which instances can be compared, but none that has a type with rules about its times.
func TestDrawEvent(t *testing.T) {
	l := lifeWith(t, lacking, &stored{})
	starts := map[string]bool{}
	for variant := range 10 {
		starts[fmt.Sprint(l.series(variant)["start"])] = true
	}
	var all, some, series [2]int // of events of the default type, and of others
	for seed := range uint64(150) {
		body, kind := l.drawEvent(draw.Seeded(seed)), 0
		if name := textAt(body, "eventType"); name != "" && name != "default" {
			kind = 1
		}
		if all[kind]++; starts[fmt.Sprint(body["start"])] {
			if some[kind]++; body["recurrence"] != nil {
				series[kind]++
			}
		}
		if body["status"] == "cancelled" {
			t.Errorf("seed %d draws a cancelled event", seed)
		}
	}
	if all[1] == 0 || some[1] > 0 || some[0] < all[0]/2 || series[0] < some[0]/10 || series[0] > some[0]*9/10 {
		t.Errorf("of the default type and of others, there are %v events, %v of them at known times, and %v series", all, some, series)
	}
}

// A write that is tried has a body, and the rules accept it.
func TestTry(t *testing.T) {
	e := eventOf(t, "abcde", confirmed)
	for name, test := range map[string]struct {
		op   operation.ID
		body tree
		want bool
	}{
		"a patch": {operation.EventsPatch, tree{"summary": "A"}, true}, "no patch": {operation.EventsPatch, nil, false},
		"a broken one": {operation.EventsPatch, tree{"summary": 7}, false},
	} {
		l := lifeWith(t, lacking, &stored{event: e})
		if l.try(test.op, e, test.body); (len(l.o.requests) > 0) != test.want {
			t.Errorf("%s: %d requests", name, len(l.o.requests))
		}
	}
}

// A write without an effect may leave no trace.
func TestIsSame(t *testing.T) {
	const conference = `,"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}`
	for _, test := range []struct {
		was, is string
		want    bool
	}{
		{`,"etag":"\"1\""`, `,"etag":"\"2\""`, true},
		{`,"etag":"\"1\""`, `,"etag":"\"2\"","summary":"A"`, false},
		{`,"etag":"\"1\""`, `,"etag":"\"1\"","summary":"A"`, true},
		{``, `,"summary":"A"`, false},
		{conference, conference + `,"summary":"A"`, true},
	} {
		if got := newLife().isSame(eventOf(t, "abcde", confirmed+test.was), eventOf(t, "abcde", confirmed+test.is)); got != test.want {
			t.Errorf("%q is the same as %q: %t", test.is, test.was, got)
		}
	}
}

// After a write the event is as the server stored it. All reads follow, or those that need no effect.
func TestStore(t *testing.T) {
	was := eventOf(t, "abcde", confirmed+`,"etag":"\"1\""`)
	for name, test := range map[string]struct {
		is     *event.Event
		isGone bool
		want   int // the reads
		lost   bool
	}{
		"nothing":         {nil, false, 0, false},
		"no change":       {eventOf(t, "abcde", confirmed+`,"etag":"\"1\""`), false, 2, false},
		"a change":        {eventOf(t, "abcde", confirmed+`,"summary":"A"`), false, 3, false},
		"cancelled":       {eventOf(t, "abcde", cancelled), true, 3, false},
		"without a stamp": {eventOf(t, "abcde", confirmed+`,"summary":"A","etag":"\"1\""`), false, 0, true},
	} {
		l := lifeWith(t, func(r *http.Request) (int, string) {
			switch {
			case r.Header.Get("If-None-Match") != "":
				return 200, "{}"
			case strings.HasSuffix(r.URL.Path, "/events") && (test.is == nil || test.isGone):
				return 200, answerOf()
			case strings.HasSuffix(r.URL.Path, "/events"):
				return 200, answerOf(listed("abcde", confirmed+`,"summary":"`+test.is.Summary+`"`))
			case test.isGone:
				return 200, listed("abcde", cancelled)
			}
			return 200, listed("abcde", confirmed+`,"summary":"`+test.is.Summary+`"`)
		}, &stored{event: was})
		l.o.requests = []*sent{answered(operation.EventsPatch, 200, "{}")}
		l.store(was, test.is)
		if got := len(l.o.requests) - 1; got != test.want || (l.o.fault != "") != test.lost || l.s.isGone != test.isGone || test.is != nil && l.s.event != test.is {
			t.Errorf("%s: %d reads, %+v, %s", name, got, l.s, l.o.message)
		}
	}
}

// A random change leaves alone what would make the state unknown.
func TestPatch(t *testing.T) {
	e := eventOf(t, "abcde", strings.ReplaceAll(threeDays, `Z"}`, `Z","timeZone":"UTC"}`))
	exceptions := []*event.Event{eventOf(t, "exception", confirmed)}
	body := tree{"summary": "A", "status": "tentative", "start": tree{"dateTime": "2026-03-10T08:00:00Z", "timeZone": "UTC"}, "recurrence": []any{"RRULE:FREQ=DAILY;COUNT=2"}}
	for name, test := range map[string]struct {
		s    *stored
		want string
	}{
		"an event":        {&stored{event: e}, `PATCH {"recurrence":["RRULE:FREQ=DAILY;COUNT=2"],"start":{"dateTime":"2026-03-10T08:00:00Z","timeZone":"UTC"},"summary":"A"}`},
		"with exceptions": {&stored{event: e, exceptions: exceptions}, `PATCH {"summary":"A"}`},
		"a deleted event": {&stored{event: e, isGone: true}, ``},
	} {
		record := &recorder{answer: lacking}
		l := lifeWith(t, record.serve, test.s)
		sent := tree{}
		for name, value := range body {
			sent[name] = value
		}
		if l.patch(sent); record.with("PATCH") != test.want {
			t.Errorf("%s: %s", name, record.with("PATCH"))
		}
	}
}

// One member is drawn that a patch can write. A member that is absent is not removed.
func TestDrawOne(t *testing.T) {
	l := lifeWith(t, lacking, &stored{event: eventOf(t, "abcde", confirmed+`,"summary":"A","location":"B"`)})
	is := treeOf(l.s.event, l.Dialect)
	names, removed := map[string]bool{}, 0
	for seed := range uint64(100) {
		body := l.drawOne(draw.Seeded(seed))
		for name, value := range body {
			if names[name] = true; value == nil {
				if removed++; is[name] == nil {
					t.Errorf("seed %d removes %s, which is absent", seed, name)
				}
			}
		}
		if len(body) != 1 {
			t.Errorf("seed %d draws %v", seed, body)
		}
	}
	if removed == 0 || removed == 100 || len(names) < 8 || names["status"] || names["id"] || names["eventType"] {
		t.Errorf("%d are removed, of %v", removed, names)
	}
	l.s.event.EventType = "fromMail"
	if body := l.drawOne(draw.Seeded(1)); body != nil {
		t.Errorf("of an event of another service %v is drawn", body)
	}
}

// An update keeps the status, and the times of a series with exceptions.
func TestUpdateSome(t *testing.T) {
	e := eventOf(t, "abcde", threeDays+`,"summary":"A","location":"B","description":"C"`)
	whole := treeOf(e, 1)
	changed, lacks := map[string]bool{}, 0
	for seed := range uint64(25) {
		for _, s := range []*stored{{event: e}, {event: e, exceptions: []*event.Event{eventOf(t, "exception", confirmed)}}, {event: e, isGone: true}} {
			record := &recorder{answer: lacking}
			l := lifeWith(t, record.serve, s)
			l.updateSome(draw.Seeded(seed))
			text := record.with("PUT")
			if s.isGone && len(record.requests) > 0 {
				t.Errorf("a deleted event has the update %s", text)
			}
			body := decoded([]byte(strings.TrimPrefix(text, "PUT ")))
			if body == nil {
				continue
			}
			for _, name := range []string{"status", "start", "end", "recurrence"} {
				if isSame := cmp.Equal(body[name], whole[name]); !isSame && (name == "status" || len(s.exceptions) > 0) {
					t.Errorf("seed %d: with %d exceptions, %s is %v", seed, len(s.exceptions), name, body[name])
				} else if !isSame {
					changed[name] = true
				}
			}
			for _, name := range []string{"summary", "location", "description"} {
				if _, has := body[name]; !has {
					lacks++
				}
			}
		}
	}
	if len(changed) == 0 || lacks == 0 {
		t.Errorf("without exceptions, %v are changed, and %d members are left out", changed, lacks)
	}
}

// An instance is an exception once.
func TestExcept(t *testing.T) {
	l := lifeWith(t, lacking, &stored{event: eventOf(t, "abcde", threeDays)})
	for _, test := range []struct {
		id   string
		want []string
	}{{"first", []string{"first"}}, {"second", []string{"first", "second"}}, {"first", []string{"second", "first"}}} {
		e := &event.Event{ID: test.id}
		if l.except(e); !slices.Equal(idsOf(l.s.exceptions), test.want) || l.s.exceptions[len(l.s.exceptions)-1] != e {
			t.Errorf("after %s the exceptions are %q", test.id, idsOf(l.s.exceptions))
		}
	}
}
