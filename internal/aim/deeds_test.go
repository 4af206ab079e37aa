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

// shelf is a server that keeps events by their ids, without lists.
type shelf struct {
	events map[string]tree
	fails  map[string]int // the statuses of failures, by method
	stamp  string         // of created, in answers to changes
	recorder
}

// shelfOf returns a shelf with events.
func shelfOf(events ...string) *shelf {
	s := &shelf{events: map[string]tree{}, fails: map[string]int{}}
	for _, text := range events {
		e := decoded([]byte(text))
		s.events[textAt(e, "id")] = e
	}
	s.answer = s.read
	return s
}

func (s *shelf) read(r *http.Request) (int, string) {
	if status := s.fails[r.Method]; status != 0 {
		return status, `{"error":{"message":"No."}}`
	}
	_, id, _ := strings.Cut(r.URL.Path, "/events/")
	id, isMove := strings.CutSuffix(id, "/move")
	if strings.HasSuffix(id, "/instances") {
		var all []string
		for _, e := range s.events {
			if e["recurringEventId"] != nil {
				all = append(all, string(draw.EncodeJSON(e)))
			}
		}
		return 200, answerOf(all...)
	}
	e := s.events[id]
	if e == nil || isMove {
		return 501, "{}"
	}
	_, text, _ := strings.Cut(s.requests[len(s.requests)-1], " ")
	switch r.Method {
	case http.MethodDelete:
		e["status"] = "cancelled"
		return 204, ""
	case http.MethodPatch:
		for name, value := range decoded([]byte(text)) {
			if e[name] = value; value == nil {
				delete(e, name)
			}
		}
		guests, _ := e["attendees"].([]any)
		for _, guest := range guests {
			if guest, ok := guest.(tree); ok && guest["responseStatus"] == nil {
				guest["responseStatus"] = "needsAction"
			}
		}
		if s.stamp != "" {
			e["created"] = s.stamp
		}
	}
	return 200, string(draw.EncodeJSON(e))
}

const instanceAt = `,"recurringEventId":"abcde","originalStartTime":{"dateTime":"2026-03-10T09:00:00Z"}`

// A deleted event is restored if it can be read.
func TestRestoreEvent(t *testing.T) {
	e := eventOf(t, "abcde", confirmed)
	for name, test := range map[string]struct {
		s      *stored
		get    int
		patch  int
		answer string
		isGone bool
		want   []string // the methods of the requests
	}{
		"not deleted":     {&stored{event: e}, 200, 200, confirmed, false, nil},
		"with exceptions": {&stored{event: e, isGone: true, exceptions: []*event.Event{e}}, 200, 200, confirmed, true, nil},
		"absent":          {&stored{event: e, isGone: true}, 404, 200, confirmed, true, []string{"GET"}},
		"no gets":         {&stored{event: e, isGone: true}, 501, 200, confirmed, true, []string{"GET"}},
		"restored":        {&stored{event: e, isGone: true}, 200, 200, confirmed, false, []string{"GET", "PATCH", "GET"}},
		"still deleted":   {&stored{event: e, isGone: true}, 200, 200, cancelled, true, []string{"GET", "PATCH", "GET"}},
		"refused":         {&stored{event: e, isGone: true}, 200, 403, confirmed, true, []string{"GET", "PATCH"}},
	} {
		var got []string
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if strings.HasSuffix(r.URL.Path, "/events") {
				return 501, "{}"
			}
			got = append(got, r.Method)
			switch {
			case r.Method == http.MethodPatch:
				return test.patch, listed("abcde", test.answer)
			case slices.Contains(got, http.MethodPatch):
				return 200, listed("abcde", test.answer)
			}
			return test.get, listed("abcde", cancelled)
		}, test.s)
		if l.restoreEvent(nil); !slices.Equal(got, test.want) || l.s.isGone != test.isGone {
			t.Errorf("%s: %q, gone: %t, %s %s", name, got, l.s.isGone, l.o.message, l.o.unclear)
		}
	}
}

// A cancelled instance is an exception, and so is a restored one.
func TestCancelInstance(t *testing.T) {
	series := eventOf(t, "abcde", strings.Replace(threeDays, "COUNT=3", "COUNT=1", 1))
	for name, test := range map[string]struct {
		fails  map[string]int
		status []string // the statuses of the instance after the life, in several lives
	}{
		"restored":     {nil, []string{"cancelled", "confirmed"}},
		"not restored": {map[string]int{"PATCH": 403}, []string{"cancelled"}},
		"not deleted":  {map[string]int{"DELETE": 403}, nil},
		"not listed":   {map[string]int{"GET": 404}, nil},
	} {
		var got []string
		for seed := range uint64(10) {
			s := shelfOf(listed("first", confirmed+instanceAt))
			if test.fails != nil {
				s.fails = test.fails
			}
			l := lifeWith(t, s.serve, &stored{event: series})
			l.cancelInstance(draw.Seeded(seed))
			for _, e := range l.s.exceptions {
				got = append(got, e.Status)
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, test.status) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// An instance that is changed becomes an exception. Its time of creation stays if it was one.
func TestChangeInstance(t *testing.T) {
	const before, after = "2026-03-01T09:00:00.000Z", "2026-03-02T09:00:00.000Z"
	series := eventOf(t, "abcde", strings.Replace(threeDays, "COUNT=3", "COUNT=1", 1))
	first := confirmed + instanceAt + `,"created":"` + before + `"`
	for name, test := range map[string]struct {
		exceptions []*event.Event
		isLost     bool // whether a change of the time of creation is a fault
	}{
		"an instance": {nil, false}, "an exception": {[]*event.Event{eventOf(t, "first", first)}, true},
	} {
		methods, excepted, lost := map[string]bool{}, 0, 0
		for seed := range uint64(40) {
			s := shelfOf(listed("first", first))
			s.stamp = after
			l := lifeWith(t, s.serve, &stored{event: series, exceptions: slices.Clone(test.exceptions)})
			l.changeInstance(draw.Seeded(seed))
			for _, request := range s.requests {
				method, _, _ := strings.Cut(request, " ")
				methods[method] = true
			}
			if l.o.place == "created" {
				lost++
			}
			if len(l.s.exceptions) == 1 && l.s.exceptions[0].Created == after {
				excepted++
			}
		}
		if !methods["PATCH"] || !methods["PUT"] || excepted == 0 || (lost > 0) != test.isLost {
			t.Errorf("%s: with %v, %d exceptions, %d with a new time of creation", name, methods, excepted, lost)
		}
	}
}

// An invitation is answered by the organizer, who becomes a guest if there is none.
func TestAnswerInvitation(t *testing.T) {
	const organizer = `,"eventType":"default","organizer":{"email":"me@example.com"}`
	guests := `,"attendees":[{"email":"me@example.com","responseStatus":"needsAction"}]`
	for name, test := range map[string]struct {
		members string
		isGone  bool
		fails   map[string]int
		want    string // the methods of the first requests
	}{
		"a guest":      {organizer + guests, false, nil, "PUT"},
		"no guests":    {organizer, false, nil, "PATCH PUT"},
		"not invited":  {organizer, false, map[string]int{"PATCH": 403}, "PATCH"},
		"deleted":      {organizer + guests, true, nil, ""},
		"no organizer": {`,"eventType":"default"` + guests, false, nil, ""},
		"a focus time": {strings.Replace(organizer, "default", "focusTime", 1) + guests, false, nil, ""},
	} {
		s := shelfOf(listed("abcde", confirmed+test.members))
		if test.fails != nil {
			s.fails = test.fails
		}
		l := lifeWith(t, s.serve, &stored{event: eventOf(t, "abcde", confirmed+test.members), isGone: test.isGone})
		l.answerInvitation(draw.Seeded(1))
		var got []string
		for _, request := range s.requests {
			if method, _, _ := strings.Cut(request, " "); method != "GET" {
				got = append(got, method)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, %s %s %s", name, got, l.o.place, l.o.message, l.o.unclear)
		}
	}
}

// Two imports with one iCalUID are one event, or two.
func TestImportTwice(t *testing.T) {
	for name, test := range map[string]struct {
		ids  []string // of the imported events; no more are imported
		want int      // the events of the life
	}{
		"one event": {[]string{"first", "first"}, 1}, "two events": {[]string{"first", "second"}, 2}, "refused": {nil, 0}, "refused again": {[]string{"first"}, 1},
	} {
		found := false
		for seed := range uint64(20) {
			n := 0
			l := lifeWith(t, func(r *http.Request) (int, string) {
				if !strings.HasSuffix(r.URL.Path, "/import") {
					return 501, "{}"
				}
				if n++; n > len(test.ids) {
					return 403, `{"error":{"message":"No."}}`
				}
				text, _ := io.ReadAll(r.Body)
				body := decoded(text)
				body["id"], body["kind"] = test.ids[n-1], "calendar#event"
				return 200, string(draw.EncodeJSON(body))
			}, &stored{})
			l.importTwice(draw.Seeded(seed))
			if len(l.all) > test.want {
				t.Errorf("%s: %d events", name, len(l.all))
			}
			if last := l.s.event; len(l.all) == test.want && n >= len(test.ids) && (test.want == 0 || (last.Summary == "Imported again") == (len(test.ids) == 2)) {
				found = true
			}
		}
		if !found {
			t.Errorf("%s: in no life are there %d events", name, test.want)
		}
	}
}

// Only an event of the default type is moved, without exceptions, and not one that its organizer attends.
func TestMoveAway(t *testing.T) {
	const organizer = `,"organizer":{"email":"me@example.com"}`
	for name, test := range map[string]struct {
		members string
		second  string
		change  func(s *stored)
		want    bool
	}{
		"an event":         {``, "second", nil, true},
		"a guest":          {organizer + `,"attendees":[{"email":"ada@example.com"}]`, "second", nil, true},
		"the organizer":    {organizer + `,"attendees":[{"email":"me@example.com"}]`, "second", nil, false},
		"a marked guest":   {`,"attendees":[{"email":"ada@example.com","organizer":true}]`, "second", nil, false},
		"one calendar":     {``, "", nil, false},
		"deleted":          {``, "second", func(s *stored) { s.isGone = true }, false},
		"with an instance": {``, "second", func(s *stored) { s.exceptions = []*event.Event{{ID: "x"}} }, false},
		"a focus time":     {`,"eventType":"focusTime"`, "second", nil, false},
	} {
		l := lifeWith(t, func(*http.Request) (int, string) { return 403, "{}" }, &stored{event: eventOf(t, "abcde", confirmed+test.members)})
		if l.Second = test.second; test.change != nil {
			test.change(l.s)
		}
		if l.moveAway(nil); (len(l.o.requests) > 0) != test.want {
			t.Errorf("%s: %d requests", name, len(l.o.requests))
		}
	}
}

// A moved event has another organizer, if the organizer is known.
func TestMove(t *testing.T) {
	const me, other = `,"organizer":{"email":"me@example.com"}`, `,"organizer":{"email":"other@example.com"}`
	for name, test := range map[string]struct {
		id, was, is string
		status      int
		isMoved     bool
		lost        string
	}{
		"another organizer":  {"abcde", me, other, 200, true, ""},
		"the same organizer": {"abcde", me, me, 200, true, "the organizer of the moved event is still me@example.com"},
		"no organizer":       {"abcde", ``, ``, 200, true, ""},
		"a refusal":          {"abcde", me, other, 403, false, ""},
		"a redirect":         {"abcde", me, other, 302, false, ""},
		"no event":           {"", me, other, 200, false, ""},
		"another event":      {"abcde", me, other + `,"summary":"A"`, 200, false, "The response contains"},
	} {
		l := lifeWith(t, func(*http.Request) (int, string) { return test.status, listed("abcde", confirmed+test.is) }, &stored{})
		e := eventOf(t, test.id, confirmed+test.was)
		moved := l.move("primary", "second", e)
		if (moved != nil) != test.isMoved || (l.o.fault != "") != (test.lost != "") || !strings.Contains(l.o.message, test.lost) || (l.o.unclear != "") != (!test.isMoved && test.lost == "") {
			t.Errorf("%s: %v, %s, unclear: %s", name, moved, l.o.message, l.o.unclear)
		}
	}
}

// An event is moved back, unless it was not moved.
func TestMoveTwice(t *testing.T) {
	for name, test := range map[string]struct {
		refused int // the move that is refused
		want    int // the moves
		isGone  bool
	}{"both": {0, 2, false}, "not away": {1, 1, false}, "not back": {2, 2, true}} {
		n := 0
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if !strings.HasSuffix(r.URL.Path, "/move") {
				return 501, "{}"
			}
			if n++; n == test.refused {
				return 403, "{}"
			}
			return 200, listed("abcde", confirmed+fmt.Sprintf(`,"organizer":{"email":"%d@example.com"}`, n))
		}, &stored{event: eventOf(t, "abcde", confirmed+`,"organizer":{"email":"me@example.com"}`)})
		l.Second = "second"
		s := l.s
		if l.moveTwice(); n != test.want || l.s != s || l.s.isGone != test.isGone || l.Calendar != "primary" {
			t.Errorf("%s: %d moves, %+v, %s %s", name, n, l.s, l.o.message, l.o.unclear)
		}
		if email := addressOf(s.event.Organizer); (email == "2@example.com") != (test.refused == 0) {
			t.Errorf("%s: the organizer is %s", name, email)
		}
	}
}

// The second calendar has no event of the first.
func TestCompareSecond(t *testing.T) {
	for name, test := range map[string]struct {
		second string
		list   string
		reads  int
		isLost bool
	}{
		"none":         {"second", answerOf(listed("other", confirmed)), 1, false},
		"one":          {"second", answerOf(listed("other", confirmed), listed("abcde", confirmed)), 1, true},
		"no lists":     {"second", "", 1, false},
		"one calendar": {"", answerOf(listed("abcde", confirmed)), 0, false},
	} {
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if test.list == "" || r.URL.Path != "/calendars/second/events" {
				return 501, "{}"
			}
			return 200, test.list
		}, &stored{})
		l.Second, l.all = test.second, []*stored{{event: eventOf(t, "abcde", confirmed)}}
		if l.compareSecond(); len(l.o.requests) != test.reads || (l.o.fault == Lost) != test.isLost || l.Calendar != "primary" {
			t.Errorf("%s: %d reads, %s", name, len(l.o.requests), l.o.message)
		}
	}
}

// Each seed and each number of a life draws other events.
func TestOfDraws(t *testing.T) {
	first := map[string]bool{}
	for seed := range uint64(3) {
		for number := range 3 {
			record := &recorder{answer: refusing}
			l := lifeWith(t, record.serve, &stored{})
			l.Nonce, l.Seed, l.number = "t", seed, number
			l.ofDraws(0)
			first[record.with("POST")] = true
		}
	}
	if len(first) != 9 {
		t.Errorf("9 lives begin in %d ways", len(first))
	}
	l := lifeWith(t, refusing, &stored{})
	l.Nonce, l.Checker.MaxBytes = "t", 1 // no event is accepted
	if l.ofDraws(0); len(l.o.requests) > 0 || l.o.isOver() {
		t.Errorf("a life without events has %d requests", len(l.o.requests))
	}
}
