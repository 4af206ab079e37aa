package aim

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// Each kind of life has variants, with times and with dates.
func TestLive(t *testing.T) {
	for number, want := range map[int]string{0: `"dateTime":"2026-03-27T08:00:00+01:00"`, 8: `"date":"2026-03-27"`, 16: `"dateTime":"2026-03-27T08:00:00+01:00"`} {
		record := &recorder{answer: refusing}
		r := newRun(t, record.serve, operation.EventsInsert)
		r.Nonce = "t"
		if o := r.live(number); !strings.Contains(record.with("POST"), want) || o.fault != Refused {
			t.Errorf("life %d begins with %s, want %s", number, record.with("POST"), want)
		}
	}
}

// Only a request about an instance of the current series is judged by the series.
func TestWritingSeries(t *testing.T) {
	series := eventOf(t, "abcde", threeDays)
	for name, test := range map[string]struct {
		current, to *event.Event
		want        *event.Event
	}{
		"an instance":             {series, eventOf(t, "first", confirmed+instanceAt), series},
		"of another series":       {series, eventOf(t, "first", confirmed+`,"recurringEventId":"other"`), nil},
		"the series":              {series, series, nil},
		"a new event":             {series, nil, nil},
		"before the first event":  {nil, eventOf(t, "first", confirmed+instanceAt), nil},
		"the first event of many": {nil, nil, nil},
	} {
		l := newLife()
		l.s = &stored{event: test.current}
		if got := l.writing(operation.EventsPatch, test.to, tree{}).Series; got != test.want {
			t.Errorf("%s is judged by the series %v", name, got)
		}
	}
}

// A life sends what a server must refuse because of its state: only what the dialect knows.
func TestRefuse(t *testing.T) {
	const insert, page, sync, both = `POST /calendars/primary/events`, `pageToken=`, `syncToken=aim`, `q=x&syncToken=token`
	e := eventOf(t, "abcde", confirmed)
	for name, test := range map[string]struct {
		dialect     diag.Dialect
		token       string
		has, hasNot []string
	}{
		"without a token": {diag.Google, "", []string{insert, page}, []string{sync, both}},
		"with a token":    {diag.Google, "token", []string{insert, page, sync, both}, nil},
		"the documents":   {diag.Documents, "token", []string{sync, both}, []string{insert, page}},
	} {
		var all []string
		l := lifeWith(t, func(r *http.Request) (int, string) {
			query, _ := url.QueryUnescape(r.URL.RawQuery)
			all = append(all, r.Method+" "+r.URL.Path+"?"+query)
			return 400, "{}"
		}, &stored{event: e})
		l.Dialect, l.token = test.dialect, test.token
		l.refuse(e)
		text := strings.Join(all, "\n")
		for _, want := range test.has {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in\n%s", name, want, text)
			}
		}
		for _, not := range test.hasNot {
			if strings.Contains(text, not) {
				t.Errorf("%s: %s in\n%s", name, not, text)
			}
		}
		if l.o.isOver() {
			t.Errorf("%s: %s %s", name, l.o.message, l.o.unclear)
		}
	}
}

// A server refuses, or a request proves nothing.
func TestRefused(t *testing.T) {
	for name, test := range map[string]struct {
		id       string
		status   int
		requests int
		isLost   bool
		unclear  string
	}{
		"refused":     {"abcde", 404, 1, false, ""},
		"accepted":    {"abcde", 200, 1, true, ""},
		"a redirect":  {"abcde", 302, 1, false, "302 Found"},
		"no answer":   {"abcde", 0, 1, false, "a request got no response: out of luck"},
		"a failure":   {"abcde", 500, 1, false, ""},
		"no request":  {"", 200, 0, false, ""},
		"not offered": {"gone", 200, 0, false, ""},
	} {
		l := lifeWith(t, func(*http.Request) (int, string) { return test.status, "{}" }, nil)
		if test.status == 0 {
			l.Client = failing{errors.New("out of luck")}
		}
		l.lacks[operation.EventsDelete] = test.id == "gone"
		req := &event.Request{Op: operation.EventsDelete, Existing: &event.Event{ID: test.id}}
		l.refused("a delete", req)
		if len(l.o.requests) != test.requests || (l.o.fault == Lost) != test.isLost || l.o.unclear != test.unclear {
			t.Errorf("%s: %d requests, %s, unclear: %s", name, len(l.o.requests), l.o.message, l.o.unclear)
		}
		if sent := req.Params["sendUpdates"]; test.id == "abcde" && !slices.Equal(sent, []string{"none"}) {
			t.Errorf("%s: sendUpdates is %q", name, sent)
		}
	}
}

// An instance is moved by an hour or by a day.
func TestLater(t *testing.T) {
	for members, want := range map[string]tree{
		atNine: {"summary": "Changed", "start": tree{"dateTime": "2026-03-10T10:00:00Z"}, "end": tree{"dateTime": "2026-03-10T11:00:00Z"}},
		onTen:  {"summary": "Changed", "start": tree{"date": "2026-03-11"}, "end": tree{"date": "2026-03-12"}},
	} {
		if diff := cmp.Diff(want, newLife().later(decodeEvent(t, members))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", members, diff)
		}
	}
}

// An instance is found by its place in the series.
func TestInstance(t *testing.T) {
	series := eventOf(t, "abcde", threeDays)
	for name, test := range map[string]struct {
		s      *event.Event
		status int
		index  int
		want   string
	}{
		"the first":       {series, 200, 0, "abcde_20260310T090000Z"},
		"the third":       {series, 200, 2, "abcde_20260312T090000Z"},
		"after the last":  {series, 200, 3, ""},
		"no instances":    {series, 404, 0, ""},
		"of a later list": {eventOf(t, "abcde", strings.ReplaceAll(threeDays, "2026", "2027")), 200, 0, ""},
		"of no rule":      {eventOf(t, "abcde", strings.ReplaceAll(threeDays, "DAILY", "NEVER")), 200, 0, ""},
	} {
		l := lifeWith(t, func(*http.Request) (int, string) { return test.status, answerOf(instances(t, series)...) }, &stored{event: test.s})
		got := ""
		if e := l.instance(test.index); e != nil {
			got = e.ID
		}
		if got != test.want {
			t.Errorf("%s is %q, want %q", name, got, test.want)
		}
	}
}

// A series is divided before its fifth instance, as far as the server lets it be.
func TestDivide(t *testing.T) {
	zoned := strings.ReplaceAll(strings.Replace(threeDays, "COUNT=3", "COUNT=7", 1), `Z"}`, `Z","timeZone":"UTC"}`) + `,"reminders":{"useDefault":true}`
	exception := []*event.Event{{ID: "exception"}}
	for name, test := range map[string]struct {
		s       *stored
		fails   string   // the request that fails
		want    []string // the methods of the writes
		divided int      // the series that are added
		isCut   bool
	}{
		"divided":          {&stored{}, "", []string{"PATCH", "POST"}, 1, true},
		"not cut":          {&stored{}, "PATCH", []string{"PATCH"}, 0, false},
		"not added":        {&stored{}, "POST", []string{"PATCH", "POST"}, 0, true},
		"no instances":     {&stored{}, "GET", nil, 0, false},
		"deleted":          {&stored{isGone: true}, "", nil, 0, false},
		"with exceptions":  {&stored{exceptions: exception}, "", nil, 0, false},
		"deleted and both": {&stored{isGone: true, exceptions: exception}, "", nil, 0, false},
	} {
		var got []string
		test.s.event = eventOf(t, "abcde", zoned)
		all := instances(t, test.s.event)
		l := lifeWith(t, func(r *http.Request) (int, string) {
			if r.Method != http.MethodGet {
				got = append(got, r.Method)
			}
			switch {
			case r.Method == test.fails:
				return 403, `{"error":{}}`
			case r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/instances"):
				return 200, answerOf(all...)
			case r.Method == http.MethodGet:
				return 501, "{}"
			}
			text, _ := io.ReadAll(r.Body)
			body := decoded(text)
			if r.Method == http.MethodPatch {
				lines := body["recurrence"]
				body = treeOf(test.s.event, diag.Google)
				body["recurrence"], body["sequence"] = lines, 1
			}
			body["kind"] = "calendar#event"
			answer := draw.EncodeJSON(body)
			now, _ := event.Decode(answer, diag.Google)
			all = instances(t, now)
			return 200, string(answer)
		}, test.s)
		l.Nonce = "t"
		l.divide1(nil)
		if diff := cmp.Diff(test.want, got); diff != "" || len(l.all) != test.divided || (l.s.event.Recurrence[0] != "RRULE:FREQ=DAILY;COUNT=7") != test.isCut {
			t.Errorf("%s: %d series are added, %q, %s: %s %s (-want +got):\n%s", name, len(l.all), l.s.event.Recurrence, l.o.place, l.o.message, l.o.unclear, diff)
		}
	}
}

// An event that is moved is in the other calendar, as it was.
func TestOfMove(t *testing.T) {
	const there = `{"kind":"calendar#event","id":"aimt00001","summary":"Beside",`
	for name, test := range map[string]struct {
		second, fails string
		status        int
		answer        string
		want          []string // the requests
		lost          string
		isUnclear     bool
	}{
		"moved":         {"second", "", 200, there + confirmed + `}`, []string{"POST", "POST move", "GET", "GET second"}, "", false},
		"missing":       {"second", "", 404, "{}", []string{"POST", "POST move", "GET", "GET second"}, "is missing", false},
		"another":       {"second", "", 200, `{"kind":"calendar#event","id":"aimt00001",` + confirmed + `}`, []string{"POST", "POST move", "GET", "GET second"}, "is missing", false},
		"cancelled":     {"second", "", 200, there + cancelled + `}`, []string{"POST", "POST move", "GET", "GET second"}, "is missing", false},
		"there by half": {"second", "", 203, there + confirmed + `}`, []string{"POST", "POST move", "GET", "GET second"}, "is missing", false},
		"not moved":     {"second", "move", 200, "{}", []string{"POST", "POST move"}, "", true},
		"not inserted":  {"second", "insert", 200, "{}", []string{"POST"}, "", true},
		"one calendar":  {"", "insert", 200, "{}", []string{"POST"}, "", true},
	} {
		var got []string
		l := lifeWith(t, func(r *http.Request) (int, string) {
			isMove, isSecond := strings.HasSuffix(r.URL.Path, "/move"), strings.HasPrefix(r.URL.Path, "/calendars/second/")
			switch {
			case strings.HasSuffix(r.URL.Path, "/events") && r.Method == http.MethodGet:
				return 501, "{}"
			case isMove:
				if got = append(got, "POST move"); test.fails == "move" {
					return 302, "{}"
				}
				return 200, there + confirmed + `}`
			case isSecond:
				got = append(got, "GET second")
				return test.status, test.answer
			}
			if got = append(got, r.Method); r.Method == http.MethodGet {
				return 200, there + cancelled + `}`
			}
			if test.fails == "insert" {
				return 302, "{}"
			}
			text, _ := io.ReadAll(r.Body)
			body := decoded(text)
			body["kind"], body["reminders"] = "calendar#event", tree{"useDefault": true}
			return 200, string(draw.EncodeJSON(body))
		}, &stored{})
		l.Nonce, l.Second = "t", test.second
		l.ofMove(0)
		if diff := cmp.Diff(test.want, got); diff != "" || !strings.Contains(l.o.message, test.lost) || (l.o.fault != "") != (test.lost != "") || (l.o.unclear != "") != test.isUnclear {
			t.Errorf("%s: %s: %s, unclear: %s (-want +got):\n%s", name, l.o.place, l.o.message, l.o.unclear, diff)
		}
	}
}

// A life of many instances is of one long series, or random.
func TestOfMany(t *testing.T) {
	for variant, want := range map[int]bool{0: true, 1: false} {
		for _, status := range []int{200, 302} {
			var posted, reads []string
			l := lifeWith(t, func(r *http.Request) (int, string) {
				text, _ := io.ReadAll(r.Body)
				if r.Method != http.MethodPost {
					reads = append(reads, r.URL.Path)
					return 501, "{}"
				}
				posted = append(posted, string(text))
				body := decoded(text)
				body["kind"], body["reminders"] = "calendar#event", tree{"useDefault": true}
				return status, string(draw.EncodeJSON(body))
			}, &stored{})
			l.Nonce = "t"
			l.ofMany(variant)
			if isLong := len(posted) == 1 && strings.Contains(posted[0], "COUNT=300"); isLong != want || isLong && (len(reads) > 0) != (status == 200) {
				t.Errorf("variant %d at %d: %q, %d reads, %s", variant, status, posted, len(reads), l.o.message)
			}
		}
	}
}

// A restored instance is an exception, and so is one that cannot be restored.
func TestCancelAndRestore(t *testing.T) {
	for name, test := range map[string]struct {
		fails map[string]int
		want  []string
	}{
		"restored": {map[string]int{}, []string{"confirmed"}}, "not restored": {map[string]int{"PATCH": 302}, []string{"cancelled"}}, "not deleted": {map[string]int{"DELETE": 302}, nil},
	} {
		s := shelfOf(listed("first", confirmed+instanceAt))
		s.fails = test.fails
		l := lifeWith(t, s.serve, &stored{event: eventOf(t, "abcde", strings.Replace(threeDays, "COUNT=3", "COUNT=1", 1))})
		l.cancelAndRestore(eventOf(t, "first", confirmed+instanceAt))
		var got []string
		for _, e := range l.s.exceptions {
			got = append(got, e.Status)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, %s: %s", name, got, l.o.place, l.o.message)
		}
	}
}

// An odd variant of a life has dates, and an even one has times in a zone.
func TestVariants(t *testing.T) {
	for variant := range 8 {
		isOdd := variant%2 == 1
		start, end := times(variant, "2026-03-10", "2026-03-11", "09:00:00", "10:00:00")
		series, moved := newLife().series(variant), shifted(variant)
		for name, value := range map[string]any{"the start": start, "the end": end, "a series": series["start"], "a moved start": moved["start"], "a moved end": moved["end"]} {
			if object, _ := value.(tree); (object["date"] != nil) != isOdd || (object["timeZone"] != nil) == isOdd {
				t.Errorf("%s of variant %d is %v", name, variant, value)
			}
		}
		if lines := fmt.Sprint(series["recurrence"]); strings.Contains(lines, "VALUE=DATE") != isOdd || strings.Contains(lines, "T070000Z") && isOdd {
			t.Errorf("variant %d recurs by %s", variant, lines)
		}
		if textAt(moved["start"].(tree), "date") == "2026-03-27" {
			t.Errorf("variant %d is not moved", variant)
		}
	}
}

// seriesServer is a server with one series and its instances, without lists.
type seriesServer struct {
	series     tree
	before     tree // the series that was divided
	exceptions map[string]tree
	writes     []string
	at         int // the write without a verdict, or 0
	after      int // the requests after it
}

func (s *seriesServer) serve(r *http.Request) (int, string) {
	if s.at > 0 && len(s.writes) >= s.at {
		s.after++
	}
	if r.Method != http.MethodGet {
		if s.writes = append(s.writes, r.Method); len(s.writes) == s.at {
			return 302, "{}"
		}
	}
	_, id, _ := strings.Cut(r.URL.Path, "/events/")
	text := []byte(nil)
	if r.Body != nil {
		text, _ = io.ReadAll(r.Body)
	}
	switch {
	case r.Method == http.MethodPost:
		e := decoded(text)
		e["kind"], e["status"], e["reminders"] = "calendar#event", "confirmed", tree{"useDefault": true}
		s.series, s.before, s.exceptions = e, s.series, map[string]tree{}
		return 200, string(draw.EncodeJSON(e))
	case strings.HasSuffix(id, "/instances") && r.URL.RawQuery == "":
		all := []string{}
		for _, e := range s.all() {
			all = append(all, string(draw.EncodeJSON(e)))
		}
		return 200, answerOf(all...)
	case strings.HasSuffix(id, "/instances"):
		return 404, "{}"
	}
	isInstance := false
	e := s.series
	switch {
	case e == nil || id == textAt(e, "id"):
	case id == textAt(s.before, "id"):
		e = s.before
	default:
		if e = s.exceptions[id]; e == nil {
			e = s.all()[id]
		}
		isInstance = true
	}
	switch {
	case e == nil:
		return 501, "{}"
	case r.Method == http.MethodDelete:
		e["status"] = "cancelled"
	case r.Method == http.MethodPatch:
		body := decoded(text)
		maps.Copy(e, body)
		if body["start"] != nil || body["recurrence"] != nil {
			e["sequence"] = 1
		}
	}
	if r.Method != http.MethodGet && isInstance {
		s.exceptions[id] = e
	}
	if r.Method == http.MethodDelete {
		return 204, ""
	}
	return 200, string(draw.EncodeJSON(e))
}

// all returns the instances of the series.
func (s *seriesServer) all() map[string]tree {
	all := map[string]tree{}
	e, _ := event.Decode(draw.EncodeJSON(s.series), diag.Google)
	series := event.Series{Event: e}
	for _, exception := range s.exceptions {
		e, _ := event.Decode(draw.EncodeJSON(exception), diag.Google)
		series.Exceptions = append(series.Exceptions, e)
	}
	for i, err := range series.Instances(event.Window{}) {
		if err != nil {
			break
		}
		all[i.Event.ID] = treeOf(i.Event, diag.Google)
		all[i.Event.ID]["kind"] = "calendar#event"
	}
	return all
}

// A life of a series changes it and its instances, and ends with the first write without a verdict.
func TestOfSeries(t *testing.T) {
	want := []string{"POST", "PATCH", "PATCH", "DELETE", "PATCH", "PATCH", "PATCH", "POST", "DELETE"}
	for at := range len(want) + 1 {
		s := &seriesServer{at: at}
		l := lifeWith(t, s.serve, &stored{})
		l.Nonce = "t"
		l.ofSeries(0)
		n := at
		if at == 0 {
			n = len(want)
		}
		if diff := cmp.Diff(want[:n], s.writes); diff != "" || s.after > 0 || l.o.fault != "" || (l.o.unclear != "") != (at > 0) {
			t.Errorf("write %d without a verdict, and %d requests after it: %s: %s %s (-want +got):\n%s", at, s.after, l.o.place, l.o.message, l.o.unclear, diff)
		}
	}
}
