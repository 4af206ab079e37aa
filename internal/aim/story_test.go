package aim

import (
	"io"
	"maps"
	"net/http"
	"slices"
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
type answering func() (status int, body string)

func (f answering) RoundTrip(*http.Request) (*http.Response, error) {
	status, body := f()
	return &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// runAt returns a run against a server that gives the same answer to each request.
func runAt(t *testing.T, status int, answer tree) *run {
	t.Helper()
	const base = "http://calendar.test"
	watcher, err := between.New(between.Options{Base: base})
	if err != nil {
		t.Fatal(err)
	}
	client := answering(func() (int, string) { return status, string(draw.EncodeJSON(answer)) })
	return &run{
		Options: Options{Base: base, Calendar: "primary", Dialect: diag.Google, Timeout: time.Minute, Nonce: "x", Client: client},
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
