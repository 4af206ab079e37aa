package aim

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// answerOf returns the JSON text of a list with the given events.
func answerOf(events ...string) string {
	return `{"kind":"calendar#events","items":[` + strings.Join(events, ",") + `],"nextSyncToken":"next"}`
}

// endless returns a list that is a page of a longer one.
func endless(list string) string {
	return strings.Replace(list, `"nextSyncToken"`, `"nextPageToken"`, 1)
}

// listed returns an event as a server returns it.
func listed(id, members string) string {
	return fmt.Sprintf(`{"kind":"calendar#event","id":%q,%s}`, id, members)
}

const (
	confirmed = atNine + `,"status":"confirmed"`
	cancelled = atNine + `,"status":"cancelled"`
)

// eventOf decodes an event as a server returns it.
func eventOf(t *testing.T, id, members string) *event.Event {
	t.Helper()
	text := listed(id, members)
	return decodeEvent(t, text[1:len(text)-1])
}

// What the response to a read proves.
func TestReading(t *testing.T) {
	for name, test := range map[string]struct {
		status         int
		answer         string
		isRead, lacks  bool
		unclear, fault string
	}{
		"an event":        {200, listed("abcde", confirmed), true, false, "", ""},
		"no event":        {404, "{}", true, false, "", ""},
		"not implemented": {501, "", false, true, "", ""},
		"not allowed":     {405, "", false, true, "", ""},
		"a redirect":      {302, "", false, false, "a response neither accepts nor refuses the request: 302 Found", ""},
		"a failure":       {500, "", false, false, "", "the server failed"},
		"another failure": {503, "", false, false, "", "the server failed"},
		"no form":         {200, `{"id":7}`, false, false, "", "id"},
		"nothing":         {0, "", false, false, "a request got no response: out of luck", ""},
	} {
		r := runWith(t, func(*http.Request) (int, string) { return test.status, test.answer })
		if test.status == 0 {
			r.Client = failing{errors.New("out of luck")}
		}
		o := &outcome{story: &story{}}
		for range 2 { // what the server lacks is not read again
			x := r.reading(o, &event.Request{Op: operation.EventsGet, Existing: &event.Event{ID: "abcde"}})
			if (x != nil) != test.isRead {
				t.Errorf("%s: %+v", name, x)
			}
		}
		if want := 2; len(o.requests) != want && !test.lacks || len(o.requests) != 1 && test.lacks || r.lacks[operation.EventsGet] != test.lacks {
			t.Errorf("%s: %d requests, lacks %v", name, len(o.requests), r.lacks)
		}
		if o.unclear != test.unclear || (o.fault != "") != (test.fault != "") || !strings.Contains(o.message, test.fault) {
			t.Errorf("%s: %s %q, unclear %q", name, o.fault, o.message, o.unclear)
		}
	}
}

// failing gives no answer.
type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

// The response to a get shows what is stored, and a deleted event as cancelled.
func TestJudgeGet(t *testing.T) {
	for name, test := range map[string]struct {
		isGone bool
		status int
		answer string
		want   string
	}{
		"stored":             {false, 200, listed("abcde", confirmed), ""},
		"missing":            {false, 404, `{}`, "does not return the stored event"},
		"cancelled":          {false, 200, listed("abcde", cancelled), "does not return the stored event"},
		"another":            {false, 200, listed("abcde", confirmed+`,"summary":"A"`), "summary"},
		"deleted":            {true, 200, listed("abcde", cancelled), ""},
		"deleted, but there": {true, 200, listed("abcde", confirmed), "still exists"},
		"deleted and absent": {true, 404, listed("abcde", cancelled), "with the status cancelled"},
	} {
		l := newLife()
		l.judgeGet(l.o, answered(operation.EventsGet, test.status, test.answer), eventOf(t, "abcde", confirmed), test.isGone)
		if (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.place+": "+l.o.message, test.want) {
			t.Errorf("%s: %s", name, l.o.message)
		}
	}
}

// Without a change, members that the server sets stay, if they are known.
func TestCompareEvent(t *testing.T) {
	const conference = `,"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}`
	for _, test := range []struct{ is, want, place string }{
		{``, ``, ""},
		{`,"summary":"A"`, `,"summary":"B"`, "summary"},
		{`,"etag":"\"1\""`, `,"etag":"\"1\""`, ""},
		{`,"etag":"\"1\""`, `,"etag":"\"2\""`, "etag"},
		{`,"etag":"\"1\""`, ``, ""},
		{``, `,"etag":"\"2\""`, ""},
		{`,"etag":"\"1\""` + conference, `,"etag":"\"2\""` + conference, ""},
		{`,"iCalUID":"a@example.com"`, `,"iCalUID":"b@example.com"`, "iCalUID"},
		{`,"creator":{"email":"a@example.com"}`, `,"creator":{"email":"b@example.com"}`, "creator.email"},
		{`,"organizer":{"email":"a@example.com"}`, `,"organizer":{"email":"b@example.com"}`, "organizer.email"},
		{`,"created":"2026-03-10T09:00:00.000Z"`, `,"created":"2026-03-10T09:00:01.000Z"`, "created"},
		{`,"updated":"2026-03-10T09:00:00.000Z"`, `,"updated":"2026-03-10T09:00:01.000Z"`, "updated"},
	} {
		l := newLife()
		l.compareEvent(l.o, l.o.last(), nil, eventOf(t, "abcde", confirmed+test.is), eventOf(t, "abcde", confirmed+test.want))
		if l.o.place != test.place || (l.o.fault != "") != (test.place != "") {
			t.Errorf("%q instead of %q: %s", test.is, test.want, l.o.message)
		}
	}
}

// The events that a write has changed are read, up to the first that is not as it should be.
func TestReadEach(t *testing.T) {
	const first, second, third = "first", "second", "third"
	for name, test := range map[string]struct {
		changed []string
		missing string
		lacks   bool
		want    []string // the events that are read
		isLost  bool
	}{
		"one":              {[]string{first}, "", false, []string{first}, false},
		"another":          {[]string{third}, "", false, []string{third}, false},
		"two":              {[]string{first, third}, "", false, []string{first, third}, false},
		"the first is bad": {[]string{first, second}, first, false, []string{first}, true},
		"the last is bad":  {[]string{first, second}, second, false, []string{first, second}, true},
		"no gets":          {[]string{first, second}, "", true, []string{first}, false},
	} {
		var got []string
		r := runWith(t, func(r *http.Request) (int, string) {
			id := r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:]
			got = append(got, id)
			switch {
			case test.lacks:
				return 501, "{}"
			case id == test.missing:
				return 404, "{}"
			}
			return 200, listed(id, confirmed)
		})
		o := &outcome{story: &story{}}
		r.readEach(o, &stored{event: eventOf(t, first, confirmed), exceptions: []*event.Event{eventOf(t, second, confirmed)}, others: []*event.Event{eventOf(t, third, confirmed)}, changed: test.changed})
		if diff := cmp.Diff(test.want, got); diff != "" || (o.fault != "") != test.isLost {
			t.Errorf("%s: %s; read (-want +got):\n%s", name, o.message, diff)
		}
	}
}

// A list is read to its end, and has each event once.
func TestList(t *testing.T) {
	one, two := listed("first", confirmed), listed("second", confirmed)
	nameless := strings.Replace(one, `"id":"first",`, "", 1)
	for name, test := range map[string]struct {
		status  int
		pages   []string // the last one again and again
		want    []string // the ids, or nil if there is no list
		isWhole bool
		isLost  bool
	}{
		"a page":         {200, []string{answerOf(one, two)}, []string{"first", "second"}, true, false},
		"two pages":      {200, []string{endless(answerOf(one)), answerOf(two)}, []string{"first", "second"}, true, false},
		"no end":         {200, []string{endless(answerOf(one)), endless(answerOf())}, []string{"first"}, false, false},
		"twice":          {200, []string{answerOf(one, two, one)}, nil, false, true},
		"on two pages":   {200, []string{endless(answerOf(one)), answerOf(one)}, nil, false, true},
		"without ids":    {200, []string{answerOf(nameless, nameless)}, []string{""}, true, false},
		"no list":        {404, []string{"{}"}, nil, false, false},
		"no lists":       {501, []string{"{}"}, nil, false, false},
		"an empty list ": {200, []string{answerOf()}, []string{}, true, false},
	} {
		n := 0
		r := runWith(t, func(*http.Request) (int, string) {
			n++
			return test.status, test.pages[min(n, len(test.pages))-1]
		})
		o := &outcome{story: &story{}}
		p := r.list(o, operation.EventsList, nil, nil)
		if (p == nil) != (test.want == nil) || (o.fault != "") != test.isLost {
			t.Errorf("%s: %+v, %s", name, p, o.message)
			continue
		}
		if p == nil {
			continue
		}
		var got []string
		for id := range p.entries {
			got = append(got, id)
		}
		slices.Sort(got)
		if !slices.Equal(got, test.want) || p.isWhole != test.isWhole || (p.token == "next") != test.isWhole {
			t.Errorf("%s: %q, whole: %t, token: %s", name, got, p.isWhole, p.token)
		}
		if want := map[bool]int{true: len(test.pages), false: mostPages}[test.isWhole]; n != want || len(p.sent) != n || len(p.read) != n {
			t.Errorf("%s: %d requests, want %d", name, n, want)
		}
	}
}

// Instances of a large event are read in small pages.
func TestSmallPages(t *testing.T) {
	const series = atNine + `,"recurrence":["RRULE:FREQ=DAILY"]`
	sized := func(members string, size int) *event.Event {
		e := eventOf(t, "abcde", members)
		e.Summary = "-"
		e.Summary = strings.Repeat("-", 1+size-len(e.AppendJSON(nil)))
		return e
	}
	for name, test := range map[string]struct {
		of     *event.Event
		params operation.Params
		want   string
	}{
		"no event":        {nil, nil, ""},
		"a large series":  {sized(series, largeEvent+1), nil, "50"},
		"a smaller one":   {sized(series, largeEvent), nil, ""},
		"a large event":   {sized(atNine, largeEvent+1), nil, ""},
		"with a size":     {sized(series, largeEvent+1), operation.Params{"maxResults": {"2"}}, "2"},
		"another measure": {sized(series, largeEvent+1), operation.Params{"q": {"x"}}, "50"},
	} {
		got := ""
		r := runWith(t, func(r *http.Request) (int, string) {
			got = r.URL.Query().Get("maxResults")
			return 404, "{}"
		})
		if r.list(&outcome{story: &story{}}, operation.EventsList, test.of, test.params); got != test.want {
			t.Errorf("%s: maxResults is %q, want %q", name, got, test.want)
		}
	}
}

// A list has each event that is stored, as it is stored, and no deleted one.
func TestReadList(t *testing.T) {
	const instance = atNine + `,"recurringEventId":"abcde"`
	e, other := eventOf(t, "abcde", confirmed), eventOf(t, "other", confirmed)
	exception, gone := eventOf(t, "gone", instance+`,"status":"confirmed"`), eventOf(t, "gone", instance+`,"status":"cancelled"`)
	there, also := listed("abcde", confirmed), listed("other", confirmed)
	unsynced := strings.Replace(answerOf(there), `,"nextSyncToken":"next"`, "", 1)
	for name, test := range map[string]struct {
		s    *stored
		list string
		want string
	}{
		"listed":                  {&stored{event: e}, answerOf(there), ""},
		"with another":            {&stored{event: e, others: []*event.Event{other}}, answerOf(there, also), ""},
		"missing":                 {&stored{event: e}, answerOf(also), "does not contain the event abcde"},
		"another is missing":      {&stored{event: e, others: []*event.Event{other}}, answerOf(there), "does not contain the event other"},
		"both are missing":        {&stored{event: e, others: []*event.Event{other}}, answerOf(), "does not contain the event abcde"},
		"in a part of a list":     {&stored{event: e}, endless(answerOf()), ""},
		"changed":                 {&stored{event: e}, answerOf(listed("abcde", confirmed+`,"summary":"A"`)), "summary"},
		"deleted":                 {&stored{event: e, isGone: true}, answerOf(), ""},
		"deleted, but listed":     {&stored{event: e, isGone: true}, answerOf(there), "contains the deleted event abcde"},
		"deleted, and cancelled":  {&stored{event: e, isGone: true}, answerOf(listed("abcde", cancelled)), "contains the deleted event abcde"},
		"an exception":            {&stored{event: e, exceptions: []*event.Event{exception}}, answerOf(there, listed("gone", instance)), ""},
		"a cancelled one":         {&stored{event: e, exceptions: []*event.Event{gone}}, answerOf(there, listed("gone", instance+`,"status":"cancelled"`)), ""},
		"a cancelled one, absent": {&stored{event: e, exceptions: []*event.Event{gone}}, answerOf(there), ""},
		"a cancelled one, there":  {&stored{event: e, exceptions: []*event.Event{gone}}, answerOf(there, listed("gone", instance)), "contains the deleted event gone"},
		"no token":                {&stored{event: e}, unsynced, "nextSyncToken"},
		"no list":                 {&stored{event: e}, "", ""},
	} {
		r := runWith(t, func(*http.Request) (int, string) {
			if test.list == "" {
				return 501, "{}"
			}
			return 200, test.list
		})
		o := &outcome{story: &story{}}
		if r.readList(o, test.s); (o.fault != "") != (test.want != "") || !strings.Contains(o.place+": "+o.message, test.want) {
			t.Errorf("%s: %s", name, o.message)
		}
		if o.fault == "" && strings.Contains(test.list, "nextSyncToken") && r.next != "next" {
			t.Errorf("%s: the next token is %q", name, r.next)
		}
	}
}

// A list of changes has the events that the last write changed.
func TestReadChanges(t *testing.T) {
	const instance = atNine + `,"recurringEventId":"abcde"`
	e, other := eventOf(t, "abcde", confirmed), eventOf(t, "other", confirmed)
	exception := eventOf(t, "exception", instance+`,"status":"confirmed"`)
	there, gone := listed("abcde", confirmed), listed("abcde", cancelled)
	changed := []string{"abcde", "exception"}
	for name, test := range map[string]struct {
		s    *stored
		list string
		want string
	}{
		"changed":              {&stored{event: e, changed: changed}, answerOf(there), ""},
		"missing":              {&stored{event: e, changed: changed}, answerOf(), "does not contain the event abcde"},
		"in a part of a list":  {&stored{event: e, changed: changed}, endless(answerOf()), ""},
		"unchanged":            {&stored{event: e}, answerOf(), ""},
		"unchanged, then not":  {&stored{event: other, exceptions: []*event.Event{e}, changed: changed}, answerOf(), "does not contain the event abcde"},
		"the second":           {&stored{event: e, exceptions: []*event.Event{exception}, changed: changed}, answerOf(there), "does not contain the event exception"},
		"both":                 {&stored{event: e, exceptions: []*event.Event{exception}, changed: changed}, answerOf(), "does not contain the event abcde"},
		"another state":        {&stored{event: e, changed: changed}, answerOf(listed("abcde", confirmed+`,"summary":"A"`)), "summary"},
		"cancelled":            {&stored{event: e, changed: changed}, answerOf(gone), `has the status "cancelled"`},
		"deleted":              {&stored{event: e, isGone: true, changed: changed}, answerOf(gone), ""},
		"deleted, but there":   {&stored{event: e, isGone: true, changed: changed}, answerOf(there), `has the status "confirmed"`},
		"deleted, but missing": {&stored{event: e, isGone: true, changed: changed}, answerOf(), "does not contain the event abcde"},
		"of a deleted series":  {&stored{event: e, isGone: true, exceptions: []*event.Event{exception}, changed: changed}, answerOf(gone), ""},
		"no list":              {&stored{event: e, changed: changed}, "", ""},
	} {
		r := runWith(t, func(*http.Request) (int, string) {
			if test.list == "" {
				return 501, "{}"
			}
			return 200, test.list
		})
		o := &outcome{story: &story{}}
		if r.next = "before"; r.token != "" {
			t.Fatal("the run has a token")
		}
		if r.readChanges(o, test.s); r.token != "before" || len(o.requests) != 0 {
			t.Errorf("%s: without a token, %d requests", name, len(o.requests))
		}
		if r.readChanges(o, test.s); (o.fault != "") != (test.want != "") || !strings.Contains(o.place+": "+o.message, test.want) {
			t.Errorf("%s: %s", name, o.message)
		}
		if want := map[bool]string{true: "next", false: "before"}[strings.Contains(test.list, "nextSyncToken")]; test.list != endless(test.list) && r.token != want {
			t.Errorf("%s: the token is %q", name, r.token)
		}
	}
}

// The documents have no tokens.
func TestListWithoutToken(t *testing.T) {
	r := runAt(t, 200, tree{})
	r.Dialect = diag.Documents
	o := &outcome{story: &story{}}
	if r.readList(o, &stored{event: &event.Event{ID: "abcde"}, isGone: true}); o.fault != "" {
		t.Error(o.message)
	}
}

// refusedBy returns a request that a rule refuses.
func refusedBy(op operation.ID, status int, body string) *sent {
	x := answered(op, status, `{"error":{}}`)
	x.exchange.Findings = []between.Finding{{Finding: diag.Finding{Rule: event.Catalogue().Lookup(ruleid.TimeOrder), Certain: diag.Reject}}}
	x.body = []byte(body)
	return x
}

// After a refusal the stored event is read, or the event that must not be stored.
func TestRefusal(t *testing.T) {
	e := eventOf(t, "abcde", confirmed)
	there, other := listed("abcde", confirmed), listed("abcde", confirmed+`,"summary":"A"`)
	for name, test := range map[string]struct {
		x      *sent
		was    *event.Event
		status int
		answer string
		reads  int
		want   string
	}{
		"unchanged":           {refusedBy(operation.EventsPatch, 400, "{}"), e, 200, there, 1, ""},
		"changed":             {refusedBy(operation.EventsPatch, 400, "{}"), e, 200, other, 1, "summary"},
		"accepted":            {refusedBy(operation.EventsPatch, 399, "{}"), e, 200, other, 0, ""},
		"refused by no rule":  {answered(operation.EventsPatch, 400, "{}"), e, 200, other, 0, ""},
		"a read":              {refusedBy(operation.EventsGet, 400, "{}"), e, 200, other, 0, ""},
		"not inserted":        {refusedBy(operation.EventsInsert, 400, `{"id":"aimx1"}`), nil, 404, "{}", 1, ""},
		"inserted":            {refusedBy(operation.EventsInsert, 400, `{"id":"aimx1"}`), nil, 200, listed("aimx1", confirmed), 1, "the server refused the request but stored the event"},
		"no gets":             {refusedBy(operation.EventsInsert, 400, `{"id":"aimx1"}`), nil, 501, "", 1, ""},
		"without an id":       {refusedBy(operation.EventsInsert, 400, `{}`), nil, 200, there, 0, ""},
		"another's id":        {refusedBy(operation.EventsInsert, 400, `{"id":"abcde"}`), nil, 200, there, 0, ""},
		"another resource":    {refusedBy("acl.insert", 400, `{"id":"aimx1"}`), nil, 200, there, 0, ""},
		"a change of nothing": {refusedBy("calendars.patch", 400, `{"id":"aimx1"}`), nil, 200, there, 0, ""},
	} {
		r := runWith(t, func(*http.Request) (int, string) { return test.status, test.answer })
		o := &outcome{story: &story{}}
		r.refusal(o, test.x, &event.Request{Op: test.x.exchange.Op}, test.was)
		if len(o.requests) != test.reads || (o.fault != "") != (test.want != "") || !strings.Contains(o.place+": "+o.message, test.want) {
			t.Errorf("%s: %d reads, %s: %s", name, len(o.requests), o.place, o.message)
		}
		over := &outcome{story: &story{}, unclear: "over"}
		if r.refusal(over, test.x, &event.Request{Op: test.x.exchange.Op}, test.was); len(over.requests) != 0 {
			t.Errorf("%s: a story that is over has %d reads", name, len(over.requests))
		}
	}
}

// A refused request is repeated without its faults, as an event that can be deleted.
func TestControl(t *testing.T) {
	const (
		broken = `{` + atNine + `,"status":"CONFIRMED"}`
		own    = `{"id":"aimt7",` + atNine + `,"status":"CONFIRMED"}`
		refuse = `{"error":{"message":"No."}}`
	)
	ordered := operation.Params{"orderBy": {"startTime"}} // without singleEvents
	e := eventOf(t, "abcde", confirmed)
	for name, test := range map[string]struct {
		req     event.Request
		dialect diag.Dialect
		status  int
		answer  string
		body    string // of the repeated request, or "-" if there is none
		isFault bool
	}{
		"refused again":   {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 400, refuse, `{"id":"aimt7",` + confirmed + `}`, true},
		"accepted":        {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 200, listed("aimt7", confirmed), `{"id":"aimt7",` + confirmed + `}`, false},
		"without an id":   {event.Request{Op: operation.EventsInsert, Body: []byte(broken)}, diag.Google, 499, refuse, `"id":"aimt00001"`, true},
		"of an import":    {event.Request{Op: operation.EventsImport, Body: []byte(broken)}, diag.Google, 400, refuse, "-", false},
		"of a patch":      {event.Request{Op: operation.EventsPatch, Existing: e, Body: []byte(`{"status":"CONFIRMED"}`)}, diag.Google, 403, refuse, `{"status":"confirmed"}`, true},
		"of a list":       {event.Request{Op: operation.EventsList, Params: ordered}, diag.Google, 400, refuse, ``, true},
		"no rule of it":   {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"aimt7",` + confirmed + `}`)}, diag.Google, 400, refuse, "-", false},
		"with no fix":     {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"aimt7",` + atNine + `,"attendees":[{"email":"nobody"}]}`)}, diag.Google, 400, refuse, "-", false},
		"of two faults":   {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"aimt7",` + atNine + `,"status":"CONFIRMED","attendees":[{"email":"nobody"}]}`)}, diag.Google, 400, refuse, "-", false},
		"of the document": {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Documents, 400, refuse, "-", false},
		"a failure":       {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 500, refuse, `aimt7`, false},
		"too many":        {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 429, refuse, `aimt7`, false},
		"absent":          {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 404, refuse, `aimt7`, false},
		"a conflict":      {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 409, refuse, `aimt7`, false},
		"too long":        {event.Request{Op: operation.EventsInsert, Body: []byte(own)}, diag.Google, 400, strings.Repeat(" ", 4<<20+1), `aimt7`, false},
	} {
		got := "-"
		r := runWith(t, func(r *http.Request) (int, string) {
			body, _ := io.ReadAll(r.Body)
			got = string(body)
			return test.status, test.answer
		})
		r.Dialect, r.Nonce = test.dialect, "t"
		existing := test.req.Existing
		for name, o := range map[string]*outcome{"over": {story: &story{}, unclear: "over"}, "accepted": {story: &story{}}, "of no rule": {story: &story{}}} {
			x := refusedBy(test.req.Op, 400, "")
			switch name {
			case "accepted":
				x.status = 399
			case "of no rule":
				x.exchange.Findings = nil
			}
			if r.control(o, x, &test.req, existing); got != "-" {
				t.Errorf("%s: a request is repeated that is %s", name, name)
			}
		}
		o := &outcome{story: &story{}, rule: "some.rule"}
		r.control(o, refusedBy(test.req.Op, 400, ""), &test.req, existing)
		if (got == "-") != (test.body == "-") || !strings.Contains(got, test.body) {
			t.Errorf("%s: %s is sent, want %s", name, got, test.body)
		}
		if o.fault == Refused != test.isFault || (o.rule == "") != test.isFault || test.isFault && (o.status != test.status || !strings.HasSuffix(o.server, "No.")) {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

// The effect of an accepted write is read.
func TestFollowUp(t *testing.T) {
	e := eventOf(t, "abcde", confirmed+`,"reminders":{"useDefault":true}`)
	there := listed("abcde", confirmed+`,"reminders":{"useDefault":true}`)
	for name, test := range map[string]struct {
		x    *sent
		was  *event.Event
		url  string
		want bool
	}{
		"an insert":        {answered(operation.EventsInsert, 200, there), nil, "", true},
		"a patch":          {answered(operation.EventsPatch, 200, there), e, "", true},
		"a delete":         {answered(operation.EventsDelete, 204, ""), e, "", true},
		"a refusal":        {answered(operation.EventsPatch, 400, there), e, "", false},
		"an odd answer":    {answered(operation.EventsPatch, 300, there), e, "", false},
		"a broken request": {refusedBy(operation.EventsPatch, 200, "{}"), e, "", false},
		"a get":            {answered(operation.EventsGet, 200, there), e, "", false},
		"some members":     {answered(operation.EventsPatch, 200, there), e, "?fields=id", false},
		"a move":           {answered(operation.EventsMove, 200, there), e, "", false},
		"another resource": {answered("acl.insert", 200, there), nil, "", false},
		"a calendar":       {answered("calendars.clear", 204, ""), nil, "", false},
	} {
		test.x.url += test.url
		r := runAt(t, 501, nil)
		req := &event.Request{Op: test.x.exchange.Op}
		if req.Op != operation.EventsDelete {
			req.Body = []byte(`{}`)
		}
		if req.Op == operation.EventsInsert {
			req.Body = []byte(`{` + confirmed + `}`)
		}
		o := &outcome{story: &story{}}
		if r.followUp(o, test.x, req, test.was); (len(o.requests) > 0) != test.want || o.fault != "" {
			t.Errorf("%s: %d reads, %s %s", name, len(o.requests), o.place, o.message)
		}
		over := &outcome{story: &story{}, unclear: "over"}
		if r.followUp(over, test.x, req, test.was); len(over.requests) != 0 {
			t.Errorf("%s: a story that is over has %d reads", name, len(over.requests))
		}
	}
}

// The response to a write shows its effect, and the id of a new event is new.
func TestJudgeWrite(t *testing.T) {
	const (
		reminders = `,"reminders":{"useDefault":true}`
		ada, bob  = `{"email":"ada@example.com","responseStatus":"needsAction"}`, `{"email":"bob@example.com","responseStatus":"needsAction"}`
		guests    = confirmed + reminders + `,"attendees":[` + ada + `,` + bob + `]`
		cut       = confirmed + reminders + `,"attendees":[` + ada + `],"attendeesOmitted":true`
	)
	e, both := eventOf(t, "abcde", confirmed+reminders), eventOf(t, "abcde", guests)
	one := operation.Params{"maxAttendees": {"1"}}
	for name, test := range map[string]struct {
		req    event.Request
		answer string
		want   string // what is lost
		ok     bool
		reads  int
		get    string // the answer to a get
	}{
		"an insert":          {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"abcde",` + confirmed + `}`)}, listed("abcde", confirmed+reminders), "", true, 0, ""},
		"without its effect": {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"abcde",` + confirmed + `,"summary":"A"}`)}, listed("abcde", confirmed+reminders), "summary", false, 0, ""},
		"an empty answer":    {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"abcde",` + confirmed + `}`)}, "", "the response is empty", false, 0, ""},
		"another id":         {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"other",` + confirmed + `}`)}, listed("abcde", confirmed+reminders), "id", false, 0, ""},
		"an id that was":     {event.Request{Op: operation.EventsInsert, Body: []byte(`{` + confirmed + `}`)}, listed("made", confirmed+reminders), "which belongs to another event", false, 0, ""},
		"a cancelled one":    {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"abcde",` + cancelled + `}`)}, listed("abcde", cancelled+reminders), "", true, 0, ""},
		"a delete":           {event.Request{Op: operation.EventsDelete, Existing: e}, "", "", true, 0, ""},
		"a patch":            {event.Request{Op: operation.EventsPatch, Existing: e, Body: []byte(`{"summary":"A"}`)}, listed("abcde", confirmed+reminders+`,"summary":"A"`), "", true, 0, ""},
		"a patch of nothing": {event.Request{Op: operation.EventsPatch, Existing: eventOf(t, "made", confirmed+reminders), Body: []byte(`{}`)}, listed("made", confirmed+reminders), "", true, 0, ""},
		"of something":       {event.Request{Op: operation.EventsPatch, Body: []byte(`{"summary":"A"}`)}, listed("abcde", confirmed+reminders+`,"summary":"A","location":"B"`), "", true, 0, ""},
		"a move":             {event.Request{Op: operation.EventsMove, Existing: eventOf(t, "made", confirmed+reminders), Params: operation.Params{"destination": {"second"}}}, listed("made", confirmed+reminders), "", true, 0, ""},
		"no id":              {event.Request{Op: operation.EventsPatch, Existing: e, Body: []byte(`{}`)}, `{` + confirmed + reminders + `}`, "id", false, 0, ""},
		"no known id":        {event.Request{Op: operation.EventsPatch, Body: []byte(`{}`)}, `{` + confirmed + reminders + `}`, "", false, 0, ""},
		"cut":                {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{}`), Params: one}, listed("abcde", cut), "", true, 1, listed("abcde", guests)},
		"cut, all the same":  {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{}`), Params: one}, listed("abcde", cut), "", false, 1, listed("abcde", cut)},
		"cut, and changed":   {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{}`), Params: one}, listed("abcde", cut), "summary", false, 1, listed("abcde", guests+`,"summary":"A"`)},
		"cut, and absent":    {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{}`), Params: one}, listed("abcde", cut), "", false, 1, ""},
		"not cut":            {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{}`), Params: one}, listed("abcde", guests), "", true, 1, listed("abcde", guests)},
		"cut of the unknown": {event.Request{Op: operation.EventsPatch, Body: []byte(`{}`)}, listed("abcde", cut), "", false, 0, listed("abcde", guests)},
		"cut and new":        {event.Request{Op: operation.EventsInsert, Body: []byte(`{"id":"abcde",` + guests + `}`), Params: one}, listed("abcde", cut), "", true, 1, listed("abcde", guests)},
		"cut, not allowed":   {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{"status":"CONFIRMED"}`)}, listed("abcde", cut), "", false, 0, listed("abcde", guests)},
		"cut, and no gets":   {event.Request{Op: operation.EventsPatch, Existing: both, Body: []byte(`{}`), Params: one}, listed("abcde", cut), "", false, 1, "none"},
	} {
		r := runWith(t, func(*http.Request) (int, string) {
			switch test.get {
			case "":
				return 404, "{}"
			case "none":
				return 501, "{}"
			}
			return 200, test.get
		})
		r.made["made"] = true
		x := answered(test.req.Op, 200, test.answer)
		x.body = test.req.Body
		o := &outcome{story: &story{}}
		s, ok := r.judgeWrite(o, x, &test.req, test.req.Existing)
		if ok != test.ok || (o.fault != "") != (test.want != "") || !strings.Contains(o.place+": "+o.message, test.want) || len(o.requests) != test.reads {
			t.Errorf("%s: %t, %d reads, %s: %s", name, ok, len(o.requests), o.place, o.message)
		}
		if isGone := test.req.Op == operation.EventsDelete || strings.Contains(test.answer, "cancelled"); ok && (s.isGone != isGone || len(s.changed) != 1 || s.changed[0] != s.event.ID) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// A change of times by a zone that is removed has no known sequence.
func TestIsOpen(t *testing.T) {
	const null, other = `{"start":{"timeZone":null}}`, `{"start":{"timeZone":"UTC"}}`
	for _, test := range []struct {
		path diag.Pointer
		body string
		want bool
	}{{"/sequence", null, true}, {"/sequence", other, false}, {"/start", null, false}} {
		if got := isOpen(&diag.Finding{Path: test.path}, []byte(test.body)); got != test.want {
			t.Errorf("%s after %s is open: %t", test.path, test.body, got)
		}
	}
}

// A life writes only what the rules accept, with an effect that they determine.
func TestAccepts(t *testing.T) {
	r := &run{}
	for body, want := range map[string]bool{
		`{` + confirmed + `}`: true, `{` + atNine + `,"status":"CONFIRMED"}`: false, `{` + atNine + `,"summary":"A","guestsCanModify":7}`: false,
	} {
		if got := r.accepts(&event.Request{Op: operation.EventsInsert, Dialect: diag.Google, Body: []byte(body)}); got != want {
			t.Errorf("%s is accepted: %t", body, got)
		}
	}
	if r.accepts(&event.Request{Op: operation.EventsPatch, Existing: eventOf(t, "abcde", confirmed), Body: []byte(`{"status":"tentative"}`)}) {
		t.Error("a change with an unknown effect is accepted")
	}
	if r.accepts(&event.Request{Op: "events.none"}) {
		t.Error("an unknown operation is accepted")
	}
}

// All reads follow a write, up to the first that ends the story or the run.
func TestReadStops(t *testing.T) {
	e := eventOf(t, "abcde", confirmed)
	for name, test := range map[string]struct {
		get, list int // the statuses
		stopped   string
		want      int
	}{
		"all":      {200, 200, "", 2},
		"lost":     {404, 200, "", 1},
		"unclear":  {302, 200, "", 1},
		"stopped":  {200, 200, "enough", 1},
		"no gets":  {501, 200, "", 2},
		"no lists": {200, 501, "", 2},
	} {
		r := runWith(t, func(r *http.Request) (int, string) {
			if strings.HasSuffix(r.URL.Path, "/events") {
				return test.list, answerOf(listed("abcde", confirmed))
			}
			return test.get, listed("abcde", confirmed)
		})
		r.report.Stopped = test.stopped
		o := &outcome{story: &story{}}
		if r.read(o, &stored{event: e, changed: []string{"abcde"}}); len(o.requests) != test.want {
			t.Errorf("%s: %d reads, want %d", name, len(o.requests), test.want)
		}
	}
}

// A parameter is added to a copy, and replaces its values.
func TestWithParam(t *testing.T) {
	was := operation.Params{"q": {"x"}, "maxResults": {"1"}}
	if diff := cmp.Diff(operation.Params{"q": {"x"}, "maxResults": {"2"}}, withParam(was, "maxResults", "2")); diff != "" || was["maxResults"][0] != "1" {
		t.Errorf("%v (-want +got):\n%s", was, diff)
	}
}
