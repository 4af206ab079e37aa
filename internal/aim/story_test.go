package aim

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/operation"
)

// A body has new ids and reserved domains, but for the fault of the story.
func TestHarmless(t *testing.T) {
	for _, test := range []struct {
		story      story
		body, want string
	}{
		{story{}, `{"id":"abcde"}`, `{"id":"aimx00001"}`},
		{story{}, `{"id":"not an id"}`, `{"id":"not an id"}`},
		{story{}, `{"id":7}`, `{"id":7}`},
		{story{path: "/id"}, `{"id":"abcde"}`, `{"id":"abcde"}`},
		{story{was: tree{}}, `{"id":"abcde","iCalUID":"u"}`, `{"iCalUID":"u","id":"abcde"}`},
		{story{}, `{"iCalUID":"u"}`, `{"iCalUID":"aimx00001@example.com"}`},
		{story{}, `{"iCalUID":""}`, `{"iCalUID":""}`},
		{story{path: "/iCalUID"}, `{"iCalUID":"u"}`, `{"iCalUID":"u"}`},
		{story{}, `{"colorId":"7","eventLabelId":"l"}`, `{"colorId":"1"}`},
		{story{}, `{"colorId":"","eventLabelId":""}`, `{"eventLabelId":""}`},
		{story{path: "/colorId"}, `{"colorId":"7"}`, `{"colorId":"7"}`},
		{story{path: "/eventLabelId"}, `{"eventLabelId":"l"}`, `{"eventLabelId":"l"}`},
		{story{}, `{"summary":"a@b.c d@e.test f@example.org g@notexample.com h@EXAMPLE.com i@x.example.net"}`, `{"summary":"a@example.com d@e.test f@example.org g@example.com h@EXAMPLE.com i@x.example.net"}`},
		{story{}, `[{"id":"abcde","email":"a@b.c"}]`, `[{"id":"abcde","email":"a@example.com"}]`},
		{story{rule: ruleid.JSONSyntax}, `{"id":"abcde","email":"a@b.c"}`, `{"id":"abcde","email":"a@example.com"}`},
		{story{rule: ruleid.JSONDuplicateName}, `{"id":"abcde","id":"abcde"}`, `{"id":"abcde","id":"abcde"}`},
	} {
		r := &run{Options: Options{Nonce: "x"}}
		if got := string(r.harmless([]byte(test.body), &test.story)); got != test.want {
			t.Errorf("%s becomes %s, want %s", test.body, got, test.want)
		}
	}
}

// The body of an event without an id has the mark of the run, where the event can have it.
func TestMarked(t *testing.T) {
	const mark = `"extendedProperties":{"private":{"calrulesaim":"aimx"}}`
	insert := story{op: operation.EventsInsert}
	for _, test := range []struct {
		story      story
		body, want string
	}{
		{insert, `{}`, `{` + mark + `}`},
		{insert, `{"id":"aimx1"}`, `{"id":"aimx1"}`},
		{insert, `{"id":"other"}`, `{` + mark + `,"id":"other"}`},
		{insert, `{"eventType":"default"}`, `{"eventType":"default",` + mark + `}`},
		{insert, `{"eventType":"focusTime"}`, `{"eventType":"focusTime","id":"aimx00001"}`},
		{insert, `{"eventType":"focusTime","id":"other"}`, `{"eventType":"focusTime","id":"other"}`},
		{insert, `{"extendedProperties":7}`, `{"extendedProperties":7,"id":"aimx00001"}`},
		{insert, `{"extendedProperties":{"private":7}}`, `{"extendedProperties":{"private":7},"id":"aimx00001"}`},
		{insert, `{"extendedProperties":{"private":{"a":"1"},"shared":{"b":"2"}}}`, `{"extendedProperties":{"private":{"a":"1","calrulesaim":"aimx"},"shared":{"b":"2"}}}`},
		{story{op: operation.EventsInsert, path: "/extendedProperties/private/a"}, `{}`, `{"id":"aimx00001"}`},
		{story{op: operation.EventsInsert, was: tree{}}, `{}`, `{}`},
		{story{op: "acl.insert"}, `{}`, `{}`},
		{insert, `[]`, `[]`},
	} {
		r := &run{Options: Options{Nonce: "x"}}
		if got := string(r.marked(&test.story, []byte(test.body))); got != test.want {
			t.Errorf("%s becomes %s, want %s", test.body, got, test.want)
		}
	}
}

// No story asks for mail, and each has the mark of the run.
func TestSetParams(t *testing.T) {
	none := []string{"none"}
	for _, test := range []struct {
		story  story
		params operation.Params
		want   operation.Params
		sends  bool
	}{
		{story{op: operation.EventsInsert}, nil, operation.Params{"sendUpdates": none}, false},
		{story{op: operation.EventsInsert}, operation.Params{"sendUpdates": {"all"}, "sendNotifications": {"true"}}, operation.Params{"sendUpdates": none}, false},
		{story{op: operation.EventsInsert, path: "?sendUpdates"}, operation.Params{"sendUpdates": {"bogus"}}, operation.Params{"sendUpdates": {"bogus"}}, false},
		{story{op: operation.EventsInsert, path: "?sendUpdates"}, operation.Params{"sendUpdates": {"bogus", "all"}}, operation.Params{"sendUpdates": {"bogus", "all"}}, true},
		{story{op: operation.EventsInsert, path: "?sendUpdates"}, nil, operation.Params{}, true},
		{story{op: "acl.insert"}, nil, operation.Params{"sendNotifications": {"false"}}, false}, // the default is true
		{story{op: "acl.insert", path: "?sendNotifications"}, operation.Params{"sendNotifications": {"no"}}, operation.Params{"sendNotifications": {"no"}}, false},
		{story{op: operation.EventsGet}, operation.Params{"sendUpdates": {"all"}}, operation.Params{}, false},
		{story{op: operation.EventsList}, operation.Params{"syncToken": {"t"}, "pageToken": {"p"}, "iCalUID": {"u"}}, operation.Params{"maxResults": {"9"}}, false},
		{story{op: operation.EventsList, path: "?syncToken"}, operation.Params{"syncToken": {"t"}}, operation.Params{"syncToken": {"t"}, "maxResults": {"9"}}, false},
		{story{op: operation.EventsList}, operation.Params{"maxResults": {"7"}}, operation.Params{"maxResults": {"7"}}, false},
		{story{op: operation.EventsList}, operation.Params{"maxResults": {"10"}}, operation.Params{"maxResults": {"9"}}, false},
		{story{op: operation.EventsList, path: "?maxResults"}, operation.Params{"maxResults": {"9999"}}, operation.Params{"maxResults": {"9999"}}, false},
		{story{op: operation.EventsQuickAdd}, operation.Params{"text": {"Lunch", ""}}, operation.Params{"text": {"Lunch aimx", ""}, "sendUpdates": none}, false},
	} {
		s := test.story
		s.setParams(&run{Options: Options{Nonce: "x", Dialect: diag.Google}}, test.params)
		if diff := cmp.Diff(test.want, s.params); diff != "" || (s.notTried != "") != test.sends {
			t.Errorf("%s of %v about %s: %s (-want +got):\n%s", s.op, test.params, s.path, s.notTried, diff)
		}
	}
}

// The condition on the stored event has the server's entity tag.
func TestCondition(t *testing.T) {
	stored := &event.Event{ETag: `"server"`}
	pending := decodeEvent(t, `"etag":"\"server\"","conferenceData":{"createRequest":{"requestId":"r"}}`)
	made := decodeEvent(t, `"conferenceData":{"conferenceId":"c"}`)
	for _, test := range []struct {
		ifMatch, want string
		existing      *event.Event
	}{
		{"", "", stored}, {`"other"`, `"other"`, stored}, {`"drawn"`, `"server"`, stored}, {`"drawn"`, "*", pending}, {`"other"`, `"other"`, pending},
	} {
		s := story{ifMatch: test.ifMatch, was: tree{"etag": `"drawn"`}}
		if got := s.condition(test.existing); got != test.want {
			t.Errorf("If-Match: %s becomes %s, want %s", test.ifMatch, got, test.want)
		}
	}
	if isPending(made) || isPending(stored) || !isPending(pending) {
		t.Errorf("pending are %t, %t, %t", isPending(made), isPending(stored), isPending(pending))
	}
	if s := (&story{was: tree{}}); s.condition(stored) != "" {
		t.Errorf("a story without a condition has %s", s.condition(stored))
	}
}

// What repeats the stored event has the server's values.
func TestAbout(t *testing.T) {
	was := tree{"summary": "A", "etag": "1", "location": "B"}
	for body, want := range map[string]string{
		`{"summary":"A"}`: `{"summary":"S"}`, `{"summary":"other"}`: `{"summary":"other"}`, `{"location":"B"}`: `{}`, `{"location":null}`: `{"location":null}`, `[]`: `[]`,
	} {
		if got := string((&story{body: []byte(body), was: was}).about(tree{"summary": "S"})); got != want {
			t.Errorf("%s becomes %s, want %s", body, got, want)
		}
	}
}

// A disagreement is smaller without a part, and still has no mail.
func TestSmaller(t *testing.T) {
	s := &story{cancelled: true, body: []byte(`{"a":"long text","b":[1,{"c":2}],"d":3,"e":4}`), params: operation.Params{"sendUpdates": {"none"}, "q": {"x"}}}
	var got []string
	for _, smaller := range s.smaller() {
		text := string(smaller.body)
		if smaller.cancelled {
			text += " cancelled"
		}
		for _, name := range slices.Sorted(maps.Keys(smaller.params)) {
			text += " " + name
		}
		got = append(got, text)
	}
	const rest = " cancelled q sendUpdates"
	want := []string{
		`{"a":"long text","b":[1,{"c":2}],"d":3,"e":4} q sendUpdates`,
		`{"d":3,"e":4}` + rest, `{"a":"long text","b":[1,{"c":2}]}` + rest,
		`{"b":[1,{"c":2}],"d":3,"e":4}` + rest, `{"a":"long text","d":3,"e":4}` + rest, `{"a":"long text","b":[1,{"c":2}],"e":4}` + rest, `{"a":"long text","b":[1,{"c":2}],"d":3}` + rest,
		`{"a":"long text","b":[{"c":2}],"d":3,"e":4}` + rest, `{"a":"long text","b":[1],"d":3,"e":4}` + rest, `{"a":"long text","b":[1,{}],"d":3,"e":4}` + rest,
		`{"a":"long text","b":[1,{"c":2}],"d":3,"e":4} cancelled sendUpdates`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the smaller stories (-want +got):\n%s", diff)
	}
}

// answering answers each request with the status and the body that it returns.
type answering func(r *http.Request) (status int, body string)

func (f answering) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body := f(r)
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// runAt returns a run against a server that gives the same answer to each request.
func runAt(t *testing.T, status int, answer tree) *run {
	t.Helper()
	return runWith(t, func(*http.Request) (int, string) { return status, string(draw.EncodeJSON(answer)) })
}

// runWith returns a run against a server.
func runWith(t *testing.T, server answering) *run {
	t.Helper()
	const base = "http://calendar.test"
	watcher, err := between.New(between.Options{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	return &run{
		Options: Options{Base: base, Calendar: "primary", Dialect: diag.Google, Timeout: time.Minute, Nonce: "x", Client: server},
		watcher: watcher, ctx: t.Context(), lacks: map[operation.ID]bool{}, made: map[string]bool{},
	}
}

// A calendar that was deleted is gone, and one that was given away has another owner.
func TestReadCalendar(t *testing.T) {
	for _, test := range []struct {
		op     operation.ID
		done   int
		status int
		owner  string
		want   string // the place of what is lost, or "-"
	}{
		{deletesCalendar, 204, 404, "", "-"}, {deletesCalendar, 204, 200, "", ""}, {deletesCalendar, 403, 200, "", "-"},
		{givesCalendar, 200, 200, "heir@example.com", "-"}, {givesCalendar, 200, 200, "me@example.com", "dataOwner"},
		{givesCalendar, 200, 200, "", "-"}, {givesCalendar, 200, 404, "me@example.com", "-"}, {givesCalendar, 300, 200, "me@example.com", "-"}, {"calendars.get", 200, 200, "me@example.com", "-"},
	} {
		s := runAt(t, test.status, tree{"id": "c", "dataOwner": test.owner})
		o := &outcome{story: &story{op: test.op}}
		done := answered(test.op, test.done, "")
		done.url = "http://calendar.test/?newDataOwner=heir@example.com"
		s.readCalendar(o, done, "c")
		if isLost := o.fault == Lost; isLost != (test.want != "-") || isLost && o.place != test.want {
			t.Errorf("%+v: %s at %s", test, o.message, o.place)
		}
	}
	long := runAt(t, 200, tree{"id": "c", "description": strings.Repeat(" ", 4<<20)})
	o := &outcome{story: &story{op: deletesCalendar}}
	if long.readCalendar(o, answered(deletesCalendar, 204, ""), "c"); o.fault != "" {
		t.Errorf("an answer that is too long: %s", o.message)
	}
}

// Stories that delete a calendar, or give it away, make it first.
func TestSpendsCalendar(t *testing.T) {
	for op, want := range map[operation.ID]bool{deletesCalendar: true, givesCalendar: true, "calendars.get": false, operation.EventsDelete: false} {
		if got := (&story{op: op}).spendsCalendar(); got != want {
			t.Errorf("a story of %s spends its calendar: %t", op, got)
		}
	}
}

// A calendar that a story makes is a new one.
func TestMakeCalendar(t *testing.T) {
	for _, test := range []struct {
		status   int
		id, want string
	}{{200, "new", "new"}, {299, "new", "new"}, {300, "new", ""}, {400, "new", ""}, {200, "", ""}, {200, "primary", ""}, {200, "second", ""}} {
		r := runAt(t, test.status, tree{"id": test.id})
		r.Second = "second"
		o := &outcome{story: &story{}}
		if got := r.makeCalendar(o); got != test.want || (o.notTried == "") != (test.want != "") {
			t.Errorf("%d with the id %q makes %q: %s", test.status, test.id, got, o.notTried)
		}
	}
}

// A story has a calendar, a channel and an owner that a server can know.
func TestSetOthers(t *testing.T) {
	for name, test := range map[string]struct {
		story  story
		second string
		want   operation.Params
		body   string
	}{
		"no params":       {story{op: operation.EventsInsert, body: []byte(`{"id":"c"}`)}, "", operation.Params{}, `{"id":"c"}`},
		"a destination":   {story{op: operation.EventsMove, params: operation.Params{"destination": {"d"}}}, "second", operation.Params{"destination": {"second"}}, ``},
		"none":            {story{op: operation.EventsMove, params: operation.Params{"destination": {"d"}}}, "", operation.Params{"destination": {"aimx00001@example.com"}}, ``},
		"a bad one":       {story{op: operation.EventsMove, path: "?destination", params: operation.Params{"destination": {"d"}}}, "second", operation.Params{"destination": {"d"}}, ``},
		"an owner":        {story{op: givesCalendar, params: operation.Params{"newDataOwner": {"a@b.c"}}}, "", operation.Params{"newDataOwner": {"a@example.com"}}, ``},
		"a channel":       {story{op: "events.watch", body: []byte(`{"id":"c"}`)}, "", operation.Params{}, `{"id":"aimx00001"}`},
		"no channel":      {story{op: "events.watch", body: []byte(`[]`)}, "", operation.Params{}, `[]`},
		"no second param": {story{op: operation.EventsMove}, "second", operation.Params{}, ``},
	} {
		s := test.story
		if s.params == nil {
			s.params = operation.Params{}
		}
		s.setOthers(&run{Options: Options{Nonce: "x", Second: test.second}})
		if diff := cmp.Diff(test.want, s.params); diff != "" || string(s.body) != test.body {
			t.Errorf("%s: %s (-want +got):\n%s", name, s.body, diff)
		}
	}
}

// The stored event is one that a request can create.
func TestSetStored(t *testing.T) {
	r := &run{Options: Options{Dialect: diag.Google}}
	for name, test := range map[string]struct {
		op        operation.ID
		path      diag.Pointer
		stored    *event.Event
		has       []string // members that the insert has
		lacks     []string
		cancelled bool
		notTried  string
	}{
		"no stored event":  {operation.EventsInsert, "", decodeEvent(t, confirmed), nil, []string{"start"}, false, ""},
		"some event":       {operation.EventsPatch, "", nil, []string{"summary", "start"}, nil, false, ""},
		"an event":         {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"location":"L"`), []string{"location"}, []string{"status", "eventType"}, false, ""},
		"a cancelled one":  {operation.EventsPatch, "", decodeEvent(t, cancelled), []string{"start"}, []string{"status"}, true, ""},
		"without guests":   {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"attendeesOmitted":true`), []string{"start"}, []string{"attendeesOmitted"}, false, ""},
		"a page":           {operation.EventsInstances, "?maxResults", decodeEvent(t, confirmed+`,"location":"L","recurrence":["RRULE:FREQ=DAILY"]`), []string{"recurrence"}, []string{"location"}, false, ""},
		"another page":     {operation.EventsInstances, "?timeMin", decodeEvent(t, confirmed+`,"location":"L","recurrence":["RRULE:FREQ=DAILY"]`), []string{"recurrence", "location"}, nil, false, ""},
		"locked":           {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"locked":true`), nil, nil, false, "locked"},
		"from mail":        {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"eventType":"fromGmail"`), nil, nil, false, "from mail"},
		"an exception":     {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"recurringEventId":"s"`), nil, nil, false, "exception"},
		"an instance":      {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"originalStartTime":{"date":"2026-03-10"}`), nil, nil, false, "exception"},
		"a type":           {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"eventType":"focusTime"`), []string{"eventType"}, []string{"birthdayProperties"}, false, ""},
		"a birthday":       {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"eventType":"birthday","birthdayProperties":{"type":"birthday"}`), []string{"eventType", "birthdayProperties"}, nil, false, ""},
		"the default type": {operation.EventsPatch, "", decodeEvent(t, confirmed+`,"eventType":"default"`), []string{"eventType"}, nil, false, ""},
	} {
		s := &story{op: test.op, path: test.path}
		s.setStored(r, test.stored)
		made := decoded(s.made)
		for _, name := range test.has {
			if made[name] == nil {
				t.Errorf("%s: %s lacks %s", name, s.made, name)
			}
		}
		for _, name := range test.lacks {
			if _, has := made[name]; has {
				t.Errorf("%s: %s has %s", name, s.made, name)
			}
		}
		if s.cancelled != test.cancelled || (s.notTried != "") != (test.notTried != "") || !strings.Contains(s.notTried, test.notTried) {
			t.Errorf("%s: cancelled: %t, not tried because %q", name, s.cancelled, s.notTried)
		}
	}
}

// A story is tried only with its stored event.
func TestMakeStored(t *testing.T) {
	const insert = `{"summary":"A","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
	there, gone := listed("aimt00001", confirmed), listed("aimt00001", cancelled)
	for name, test := range map[string]struct {
		story             story
		answers           []string // status and body of each request
		ok                bool
		notTried, unclear string
	}{
		"nothing to store": {story{}, nil, true, "", ""},
		"stored":           {story{was: tree{}, made: []byte(insert)}, []string{"200 " + there}, true, "", ""},
		"no answer":        {story{was: tree{}, made: []byte(insert)}, nil, false, "", "a request got no response: EOF"},
		"broken":           {story{was: tree{}, made: []byte(`{"summary":7}`)}, []string{"400 {}"}, false, "no request can create the stored event", ""},
		"refused":          {story{was: tree{}, made: []byte(insert)}, []string{"400 {}"}, false, "", "the server did not store an event"},
		"no id":            {story{was: tree{}, made: []byte(insert)}, []string{"200 {" + confirmed + "}"}, false, "", "does not contain its id"},
		"cancelled":        {story{was: tree{}, made: []byte(insert), cancelled: true}, []string{"200 " + there, "204 ", "200 " + gone}, true, "", ""},
		"not deleted":      {story{was: tree{}, made: []byte(insert), cancelled: true}, []string{"200 " + there, "403 {}"}, false, "", "the server did not delete an event"},
		"gone":             {story{was: tree{}, made: []byte(insert), cancelled: true}, []string{"200 " + there, "204 ", "410 " + gone}, false, "the server does not return a cancelled event", ""},
		"still there":      {story{was: tree{}, made: []byte(insert), cancelled: true}, []string{"200 " + there, "204 ", "200 " + there}, false, "the server does not return a cancelled event", ""},
	} {
		n := 0
		r := runWith(t, func(*http.Request) (int, string) {
			status, body, _ := strings.Cut(test.answers[n], " ")
			n++
			code, _ := strconv.Atoi(status)
			return code, body
		})
		if r.Nonce = "t"; test.answers == nil {
			r.Client = failing{io.EOF}
		}
		o := &outcome{story: &test.story}
		existing, ok := r.makeStored(o)
		if ok != test.ok || !strings.HasPrefix(o.notTried, test.notTried) || !strings.Contains(o.unclear, test.unclear) || (o.notTried+o.unclear == "") != test.ok || n != len(test.answers) {
			t.Errorf("%s: %t, not tried because %q, unclear because %q, %d requests", name, ok, o.notTried, o.unclear, n)
		}
		if ok && (existing != nil) != (test.answers != nil) {
			t.Errorf("%s: %v is stored", name, existing)
		}
	}
}

// An object is the whole text.
func TestDecoded(t *testing.T) {
	for text, want := range map[string]tree{`{}`: {}, `{"a":"b"}`: {"a": "b"}, `{} {}`: nil, `[]`: nil, `{`: nil, ``: nil} {
		if diff := cmp.Diff(want, decoded([]byte(text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

// A member that is removed or new does not stop the members after it from having the server's values.
func TestAboutEach(t *testing.T) {
	was, body, want := tree{}, tree{}, tree{}
	for i := range 20 {
		name := fmt.Sprint("m", i)
		was[name], body[name] = "drawn", "drawn"
		body["new"+name], want["new"+name] = "1", "1"
	}
	if diff := cmp.Diff(want, decoded((&story{body: draw.EncodeJSON(body), was: was}).about(tree{}))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A story has its calendar, or its stored event, before the request.
func TestAct(t *testing.T) {
	there := listed("aimt00001", confirmed+`,"etag":"\"server\""`)
	for name, test := range map[string]struct {
		story   story
		answers []string // status and body of each request
		want    []string // the requests: method, path and If-Match
	}{
		"a calendar":     {story{op: deletesCalendar}, []string{`200 {"id":"made"}`, "204 ", "404 {}"}, []string{"POST /calendars ", "DELETE /calendars/made ", "GET /calendars/made "}},
		"no calendar":    {story{op: deletesCalendar}, []string{"403 {}"}, []string{"POST /calendars "}},
		"a stored event": {story{op: operation.EventsGet, was: tree{"etag": "1"}, ifMatch: "1", made: []byte(`{` + atNine + `}`)}, []string{"200 " + there, "200 " + there}, []string{"POST /calendars/primary/events ", `GET /calendars/primary/events/aimt00001 "server"`}},
		"not stored":     {story{op: operation.EventsGet, was: tree{}, made: []byte(`{` + atNine + `}`)}, []string{"403 {}"}, []string{"POST /calendars/primary/events "}},
		"no event":       {story{op: "colors.get", ifMatch: "1"}, []string{"404 {}"}, []string{"GET /colors 1"}},
	} {
		var got []string
		r := runWith(t, func(r *http.Request) (int, string) {
			got = append(got, r.Method+" "+r.URL.Path+" "+r.Header.Get("If-Match"))
			status, body, _ := strings.Cut(test.answers[min(len(got), len(test.answers))-1], " ")
			code, _ := strconv.Atoi(status)
			return code, body
		})
		r.Nonce = "t"
		r.act(&outcome{story: &test.story})
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
