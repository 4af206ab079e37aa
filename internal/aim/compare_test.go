package aim

import (
	"fmt"
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
	"github.com/calrules/calrules/operation"
)

// answered returns a request with an answer.
func answered(op operation.ID, status int, answer string) *sent {
	return &sent{method: "GET", url: "http://a.example/", dialect: diag.Google, exchange: &between.Exchange{Op: op}, status: status, answer: []byte(answer)}
}

// newLife returns a life whose last request has an answer.
func newLife() *life {
	return &life{run: &run{Options: Options{Dialect: diag.Google}}, o: &outcome{story: &story{}, requests: []*sent{answered(operation.EventsGet, 200, "{}")}}}
}

// Redirects, credentials and rates say nothing about a request.
func TestIsNoVerdict(t *testing.T) {
	no := map[int]bool{401: true, 407: true, 408: true, 429: true}
	for status := 100; status < 600; status++ {
		if got, want := isNoVerdict(status), status < 200 || 300 <= status && status < 400 || no[status]; got != want {
			t.Errorf("%d is no verdict: %t", status, got)
		}
	}
}

// A success has a status of 200 to 299 and an answer.
func TestSucceeded(t *testing.T) {
	for status, want := range map[int]bool{0: false, 199: false, 200: true, 204: true, 299: true, 300: false, 404: false} {
		for _, problem := range []string{"", "no answer"} {
			if got := (&sent{status: status, problem: problem}).succeeded(); got != (want && problem == "") {
				t.Errorf("%d with the problem %q: %t", status, problem, got)
			}
		}
	}
}

// Free text tells where it comes from. A value of a list and a number do not.
func TestIsTelling(t *testing.T) {
	for path, want := range map[diag.Pointer]bool{
		"/summary": true, "/organizer/email": true, "/attendees/3/comment": true, "/status": false, "/attendees/0/responseStatus": false,
		"/sequence": false, "/locked": false, "/attendees": false, "": false, "?alt": false, "#If-Match": false, "/unknown": false,
	} {
		if got := isTelling(path); got != want {
			t.Errorf("%s is telling: %t", path, got)
		}
	}
}

// pending is an event whose conference is being made.
const pending = `{"conferenceData":{"createRequest":{"requestId":"r","status":{"statusCode":"pending"}}}}`

// While a conference is being made, a request about it proves nothing if it is valid.
func TestProvesNothingAboutPendingConference(t *testing.T) {
	for _, test := range []struct {
		stored, body string
		want         bool
	}{
		{pending, `{"conferenceData":{}}`, true}, {pending, `{"summary":"A"}`, false}, {`{}`, `{"conferenceData":{}}`, false}, {"", `{"conferenceData":{}}`, false},
	} {
		var existing *event.Event
		if test.stored != "" {
			existing, _ = event.Decode([]byte(test.stored), diag.Google)
		}
		x := answered(operation.EventsPatch, 200, "{}")
		x.body = []byte(test.body)
		o := &outcome{story: &story{op: operation.EventsPatch, was: tree{}}}
		if notTried, _ := o.provesNothing(x, existing); (notTried != "") != test.want {
			t.Errorf("%s beside %s: %q", test.body, test.stored, notTried)
		}
	}
}

// A server keeps a value without effect if its answer has it, and the stored event did not.
func TestKeeps(t *testing.T) {
	for _, test := range []struct {
		path                 diag.Pointer
		stored, body, answer string
		want                 bool
	}{
		{"/htmlLink", `{}`, `{"htmlLink":"x"}`, `{"htmlLink":"x"}`, true},
		{"/htmlLink", `{"htmlLink":"y"}`, `{"htmlLink":"x"}`, `{"htmlLink":"x"}`, true},
		{"/htmlLink", `{"htmlLink":"x"}`, `{"htmlLink":"x"}`, `{"htmlLink":"x"}`, false},
		{"/htmlLink", `{}`, `{"htmlLink":"x"}`, `{"htmlLink":"y"}`, false},
		{"/htmlLink", `{}`, `{"htmlLink":""}`, `{"htmlLink":""}`, false},
		{"/htmlLink", `{}`, `{}`, `{}`, false},
		{"/organizer", `{}`, `{"organizer":{"email":"a@b.c"}}`, `{"organizer":{"email":"a@b.c","self":true}}`, true},
		{"/creator", `{}`, `{"creator":{"email":"a@b.c"}}`, `{"creator":{"email":"d@e.f"}}`, false},
		{"/conferenceData/notes", `{}`, `{"conferenceData":{"notes":"x"}}`, `{"conferenceData":{"notes":"x"}}`, true},
		{"/conferenceData/notes", pending, `{"conferenceData":{"notes":"x"}}`, `{"conferenceData":{"notes":"x"}}`, false},
		{"/htmlLink", pending, `{"htmlLink":"x"}`, `{"htmlLink":"x"}`, true},
	} {
		stored, _ := event.Decode([]byte(test.stored), diag.Google)
		x := answered(operation.EventsPatch, 200, test.answer)
		x.body = []byte(test.body)
		if got := x.keeps(test.path, stored); got != test.want {
			t.Errorf("%s beside %s is answered with %s, and kept: %t", test.body, test.stored, test.answer, got)
		}
	}
}

// Why a request proves nothing.
func TestProvesNothing(t *testing.T) {
	unchecked := answered(operation.EventsInsert, 200, "{}")
	unchecked.exchange.Unchecked = "it is odd"
	failed := answered(operation.EventsInsert, 0, "")
	failed.problem = "no answer"
	for name, test := range map[string]struct {
		story             story
		x                 *sent
		notTried, unclear string
	}{
		"accepted":        {story{op: operation.EventsInsert}, answered(operation.EventsInsert, 200, "{}"), "", ""},
		"refused":         {story{op: operation.EventsInsert}, answered(operation.EventsInsert, 400, "{}"), "", ""},
		"no answer":       {story{op: operation.EventsInsert}, failed, "", "no answer"},
		"unchecked":       {story{op: operation.EventsInsert}, unchecked, "the request was not checked: it is odd", ""},
		"not the fault":   {story{op: operation.EventsInsert, rule: ruleid.TimeOrder}, answered(operation.EventsInsert, 200, "{}"), "no request can create the stored event that the rule needs", ""},
		"not implemented": {story{op: operation.EventsMove}, answered(operation.EventsMove, 501, ""), "the server does not implement events.move", ""},
		"not allowed":     {story{op: operation.EventsMove}, answered(operation.EventsMove, 405, ""), "the server does not implement events.move", ""},
		"a redirect":      {story{op: operation.EventsInsert}, answered(operation.EventsInsert, 302, ""), "", "a response neither accepts nor refuses the request: 302 Found"},
		"no destination":  {story{op: operation.EventsMove, was: tree{}}, answered(operation.EventsMove, 404, ""), "the server does not have the resource", ""},
		"no resource":     {story{op: "acl.get"}, answered("acl.get", 410, ""), "the server does not have the resource", ""},
		"the event":       {story{op: operation.EventsPatch, was: tree{}}, answered(operation.EventsPatch, 404, ""), "", ""},
		"a lost insert":   {story{op: operation.EventsInsert}, answered(operation.EventsInsert, 404, ""), "", ""},
		"another refusal": {story{op: "acl.get"}, answered("acl.get", 403, ""), "", ""},
	} {
		o := &outcome{story: &test.story}
		if notTried, unclear := o.provesNothing(test.x, nil); notTried != test.notTried || unclear != test.unclear {
			t.Errorf("%s: not tried because %q, unclear because %q", name, notTried, unclear)
		}
	}
}

// A refusal of the public service has an error object, and an answer is JSON.
func TestFormsOfAnswers(t *testing.T) {
	for _, test := range []struct {
		dialect    diag.Dialect
		rejections int
		answer     string
		want       Fault
	}{
		{diag.Google, 1, `{"error":{"code":400}}`, ""}, {diag.Google, 1, `{}`, Answer}, {diag.Google, 1, `no`, Answer}, {diag.Google, 0, `{}`, ""}, {diag.Documents, 1, `{}`, ""},
	} {
		o, x := &outcome{story: &story{}, rejections: test.rejections}, answered(operation.EventsInsert, 400, test.answer)
		x.dialect = test.dialect
		if o.compareRefusal(x); o.fault != test.want {
			t.Errorf("%s of %d rejections in %s: %q", test.answer, test.rejections, test.dialect, o.fault)
		}
	}
	for media, want := range map[string]Fault{"": "", "application/json": "", "application/json; charset=UTF-8": "", "text/html": Answer, "application/problem+json": Answer} {
		o, x := &outcome{story: &story{}}, answered(operation.EventsGet, 200, `{"id":"abcde"}`)
		x.media = media
		if o.compareAnswer(x, nil); o.fault != want {
			t.Errorf("an answer of %q: %q", media, o.fault)
		}
	}
}

// What a server sets with each change.
func TestCompareStamps(t *testing.T) {
	const before = "2026-03-10T09:00:00.000Z"
	for name, test := range map[string]struct {
		change func(e *event.Event)
		want   string
	}{
		"nothing":                {func(*event.Event) {}, ""},
		"created":                {func(e *event.Event) { e.Created = "2026-03-10T09:00:01.000Z" }, "created"},
		"the same tag":           {func(e *event.Event) { e.Summary = "A" }, "etag"},
		"no tag":                 {func(e *event.Event) { e.Summary, e.ETag = "A", "" }, ""},
		"updated earlier":        {func(e *event.Event) { e.ETag, e.Updated = "", "2026-03-10T08:59:59.999Z" }, "updated"},
		"updated at the instant": {func(e *event.Event) { e.ETag = "" }, ""},
	} {
		was := &event.Event{ID: "abcde", Created: before, Updated: before, ETag: `"1"`}
		if strings.HasPrefix(name, "updated") || name == "no tag" {
			was.ETag = ""
		}
		is, l := was.Clone(), newLife()
		test.change(is)
		if l.compareStamps(was, is); l.o.place != test.want {
			t.Errorf("%s: %q is at fault: %s", name, l.o.place, l.o.message)
		}
	}
}

// A calendar is busy during an event, without a gap, in the window.
func TestCompareSpan(t *testing.T) {
	at := func(minutes int) time.Time { return time.Date(2026, 3, 10, 9, minutes, 0, 0, time.UTC) }
	e := &event.Event{ID: "abcde", Start: event.TimeAt(at(0)), End: event.TimeAt(at(60))}
	for name, test := range map[string]struct {
		busy     []span
		from, to int
		want     string
	}{
		"just then":     {[]span{{at(0), at(60)}}, 0, 60, ""},
		"longer":        {[]span{{at(-5), at(65)}}, 0, 60, ""},
		"two parts":     {[]span{{at(0), at(30)}, {at(30), at(60)}}, 0, 60, ""},
		"overlapping":   {[]span{{at(0), at(40)}, {at(20), at(60)}}, 0, 60, ""},
		"free":          {nil, 0, 60, "09:00:00"},
		"a late start":  {[]span{{at(1), at(60)}}, 0, 60, "09:00:00"},
		"an early end":  {[]span{{at(0), at(59)}}, 0, 60, "09:59:00"},
		"a gap":         {[]span{{at(0), at(30)}, {at(31), at(60)}}, 0, 60, "09:30:00"},
		"of the window": {[]span{{at(30), at(40)}}, 30, 40, ""},
	} {
		l := newLife()
		l.compareSpan(l.o.last(), test.busy, e, at(test.from), at(test.to))
		if (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.message, test.want) {
			t.Errorf("%s: %s", name, l.o.message)
		}
	}
}

func TestIsBusy(t *testing.T) {
	for members, want := range map[string]presence{
		``: yes, `,"transparency":"opaque"`: yes, `,"transparency":"transparent"`: no, `,"status":"cancelled"`: no, `,"status":"tentative"`: yes,
		`,"eventType":"focusTime"`: open, `,"attendees":[{"email":"a@b.c","self":true}]`: open, `,"attendees":[{"email":"a@b.c"}]`: yes,
		`,"organizer":{"email":"a@b.c"},"attendees":[{"email":"a@b.c"}]`: open,
	} {
		e, _ := event.Decode([]byte(`{"start":{"dateTime":"2026-03-10T09:00:00Z"}`+members+`}`), diag.Google)
		if got := isBusy(e); got != want {
			t.Errorf("with %s the calendar is busy: %d, want %d", members, got, want)
		}
	}
	if got := isBusy(&event.Event{Start: event.Date(2026, 3, 10)}); got != open {
		t.Errorf("on a whole day the calendar is busy: %d", got)
	}
}

// A list of instances has each expected instance once, with the id that it had, and no other.
func TestCompareInstances(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	series := &event.Event{ID: "s", Status: "confirmed", Start: event.TimeAt(start), End: event.TimeAt(start.Add(time.Hour)), Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=3"}}
	const second = "s_20260311T090000Z"
	for name, test := range map[string]struct {
		change func(p *pages, ids map[string]string)
		want   string
	}{
		"all":            {func(*pages, map[string]string) {}, ""},
		"one is missing": {func(p *pages, _ map[string]string) { delete(p.entries, second) }, "does not contain the instance at 2026-03-11T09:00:00Z"},
		"a part of a list": {func(p *pages, _ map[string]string) {
			delete(p.entries, second)
			p.isWhole = false
		}, ""},
		"one is too many": {func(p *pages, _ map[string]string) {
			p.entries["x"] = p.entries[second].Clone()
			p.entries["x"].OriginalStartTime = event.TimeAt(start.AddDate(0, 0, 7))
		}, "contains an instance at 2026-03-17T09:00:00Z"},
		"one comes twice": {func(p *pages, _ map[string]string) {
			p.entries["x"], p.of["x"] = p.entries[second].Clone(), p.last()
		}, "two instances for 2026-03-11T09:00:00Z"},
		"a cancelled one": {func(p *pages, _ map[string]string) {
			p.entries["x"] = &event.Event{ID: "x", RecurringEventID: "s", Status: "cancelled", OriginalStartTime: event.TimeAt(start.AddDate(0, 0, 7))}
		}, ""},
		"one of another series": {func(p *pages, _ map[string]string) { p.entries["x"] = &event.Event{ID: "x", RecurringEventID: "t"} }, ""},
		"another id":            {func(_ *pages, ids map[string]string) { ids["2026-03-11T09:00:00Z"] = "y" }, "is s_20260311T090000Z; it was y"},
	} {
		l := newLife()
		want, ok := expected(&stored{event: series}, time.Time{}, time.Time{})
		if !ok || len(want) != 3 {
			t.Fatalf("%d instances are expected", len(want))
		}
		p := &pages{sent: l.o.requests, entries: map[string]*event.Event{}, of: map[string]*sent{}, isWhole: true}
		for _, w := range want {
			p.entries[w.Event.ID], p.of[w.Event.ID] = w.as(w.Event).Clone(), p.last()
		}
		ids := map[string]string{}
		test.change(p, ids)
		l.compareInstances(l.o, p, "s", want, nil, ids)
		if (l.o.fault != "") != (test.want != "") || !strings.Contains(l.o.message, test.want) {
			t.Errorf("%s: %s", name, l.o.message)
		}
	}
}

// Instances at the edges of a window may be in a list or not.
func TestExpected(t *testing.T) {
	start := time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)
	s := &stored{event: &event.Event{ID: "s", Start: event.TimeAt(start), End: event.TimeAt(start.Add(time.Hour)), Recurrence: []string{"RRULE:FREQ=DAILY"}}}
	want, ok := expected(s, start.AddDate(0, 0, 5), start.AddDate(0, 0, 10))
	var edges []string
	for key, w := range want {
		if w.isEdge {
			edges = append(edges, key)
		}
	}
	if slices.Sort(edges); !ok || len(edges) == 0 || len(edges) == len(want) {
		t.Errorf("of the instances %v, at the edges are %v", slices.Sorted(maps.Keys(want)), edges)
	}
	if want, ok := expected(s, time.Time{}, time.Time{}); ok {
		t.Errorf("all %d instances of an endless series are expected", len(want))
	}
	if want, ok := expected(&stored{event: s.event, isGone: true}, time.Time{}, time.Time{}); !ok || len(want) != 0 {
		t.Errorf("of a deleted series %d instances are expected", len(want))
	}
	for year, near := range map[int]bool{1990: true, time.Now().Year() + 3: false} {
		one := &stored{event: &event.Event{ID: "s", Start: event.Date(year, 3, 10), End: event.Date(year, 3, 11), Recurrence: []string{"RRULE:FREQ=DAILY;COUNT=2"}}}
		all, _ := expected(one, time.Time{}, time.Time{})
		if got := isNear(all); got != near || len(all) != 2 {
			t.Errorf("%d instances of %d are near: %t", len(all), year, got)
		}
	}
}

// The message of a refusal is short.
func TestSays(t *testing.T) {
	for answer, want := range map[string]string{
		`{"error":{"message":" No. "}}`: "400 Bad Request: No.", `{"detail":"No."}`: "400 Bad Request: No.", `[]`: "400 Bad Request",
		fmt.Sprintf(`{"detail":%q}`, strings.Repeat("é", 201)): "400 Bad Request: " + strings.Repeat("é", 200) + "...",
		fmt.Sprintf(`{"detail":%q}`, strings.Repeat("é", 200)): "400 Bad Request: " + strings.Repeat("é", 200),
	} {
		if diff := cmp.Diff(want, answered(operation.EventsGet, http.StatusBadRequest, answer).says()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", answer, diff)
		}
	}
}

// What a server may or may not keep is not drawn.
func TestDrawnBody(t *testing.T) {
	for body, want := range map[string]string{
		`{"start":{"dateTime":"2026-03-10T09:00:00Z"}}`:                                 `{"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"}}`,
		`{"start":{"dateTime":"2026-03-10T09:00:00.25","timeZone":"Europe/Berlin"}}`:    `{"start":{"dateTime":"2026-03-10T09:00:00","timeZone":"Europe/Berlin"}}`,
		`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11","timeZone":"UTC"}}`:  `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11","timeZone":"UTC"}}`,
		`{"start":{"timeZone":"UTC"},"end":{"timeZone":"UTC"},"attendeesOmitted":true}`: `{}`,
		`{"start":null,"summary":"A"}`:                                                  `{"start":null,"summary":"A"}`,
	} {
		if diff := cmp.Diff(decoded([]byte(want)), newLife().drawnBody([]byte(body))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", body, diff)
		}
	}
}

// Every other write has the parameters without which some members cannot be changed, and so has each write that needs them.
func TestWriting(t *testing.T) {
	l := newLife()
	l.s = &stored{}
	stored, _ := event.Decode([]byte(`{"id":"abcde","attachments":[{"fileUrl":"https://files.example.com/1"}]}`), diag.Google)
	for i, test := range []struct {
		op   operation.ID
		body string
		want bool
	}{
		{operation.EventsPatch, `{"summary":"A"}`, false},
		{operation.EventsPatch, `{"summary":"A"}`, true},
		{operation.EventsPatch, `{"attachments":[]}`, true},
		{operation.EventsDelete, ``, false},
		{operation.EventsPatch, `{"attachments":[{"fileUrl":"https://files.example.com/1"}]}`, false},
		{operation.EventsMove, ``, false},
		{operation.EventsUpdate, `{"conferenceData":{"notes":"A"}}`, true},
		{operation.EventsUpdate, `{"summary":"A"}`, true},
	} {
		var body any
		if test.body != "" {
			body = decoded([]byte(test.body))
		}
		params := l.writing(test.op, stored, body).Params
		if _, got := params.Value("conferenceDataVersion"); got != test.want {
			t.Errorf("%d: %s of %s has %v", i, test.op, test.body, params)
		}
	}
}

// The variants of a series have each rule, with times and with dates.
func TestSeriesVariants(t *testing.T) {
	all := map[string]bool{}
	for variant := range 8 {
		all[fmt.Sprint(newLife().series(variant)["start"], newLife().series(variant)["recurrence"])] = true
	}
	if len(all) != 8 {
		t.Errorf("%d series: %v", len(all), slices.Sorted(maps.Keys(all)))
	}
}

// A run stops at the fifth request in a row without an answer.
func TestMostFailures(t *testing.T) {
	w, err := between.New(between.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := &run{}
	for i := 1; i <= mostFailures; i++ {
		(&sent{exchange: w.Request(between.Message{})}).fail(r, io.EOF)
		if got := r.report.Stopped != ""; got != (i == mostFailures) {
			t.Errorf("after %d failures the run has stopped: %t", i, got)
		}
	}
}

// found returns findings of some kinds about some rules.
func found(kinds ...any) (all []between.Finding) {
	for i := 0; i < len(kinds); i += 2 {
		all = append(all, between.Finding{Finding: diag.Finding{Rule: event.Catalogue().Lookup(kinds[i].(string)), Certain: kinds[i+1].(diag.Kind)}})
	}
	return all
}

// A request is refused by the first finding that rejects it, or by the one about the rule of the story.
func TestRefusals(t *testing.T) {
	const first, second, third = ruleid.TimeOrder, ruleid.JSONType, ruleid.UpdateETag
	for name, test := range map[string]struct {
		findings []between.Finding
		rule     string
		want     [2]string // the rule of the first rejection, and of the refusal
	}{
		"nothing":       {nil, first, [2]string{}},
		"advice":        {found(first, diag.Advise), first, [2]string{}},
		"a rejection":   {found(first, diag.Advise, second, diag.Reject, third, diag.Reject), first, [2]string{second, second}},
		"of the rule":   {found(first, diag.Advise, second, diag.Reject, third, diag.Reject), third, [2]string{second, third}},
		"of no rule":    {found(second, diag.Reject), "", [2]string{second, second}},
		"advice before": {found(third, diag.Advise, second, diag.Reject), third, [2]string{second, second}},
	} {
		x := answered(operation.EventsInsert, 200, "{}")
		x.exchange.Findings = test.findings
		var got [2]string
		for i, f := range []*between.Finding{x.rejection(), x.refusal(test.rule)} {
			if f != nil {
				got[i] = f.Rule.ID
			}
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// The status of an answer shows whether the server agrees with the rules.
func TestCompareVerdicts(t *testing.T) {
	const refused = `{"error":{}}`
	for name, test := range map[string]struct {
		findings   []between.Finding
		status     int
		answer     string
		want       Fault
		rule       string
		rejections int
	}{
		"accepted":             {nil, 200, `{"id":"abcde"}`, "", "", 0},
		"refused":              {nil, 400, refused, Refused, "", 0},
		"failed":               {nil, 500, refused, Failed, "", 0},
		"just not failed":      {nil, 499, refused, Refused, "", 0},
		"missed":               {found(ruleid.TimeOrder, diag.Reject, ruleid.JSONType, diag.Advise), 200, `{}`, Missed, ruleid.TimeOrder, 1},
		"missed twice":         {found(ruleid.TimeOrder, diag.Reject, ruleid.JSONType, diag.Reject), 299, `{}`, Missed, ruleid.TimeOrder, 2},
		"found":                {found(ruleid.TimeOrder, diag.Reject), 400, refused, "", "", 1},
		"found, but failed":    {found(ruleid.TimeOrder, diag.Reject), 503, refused, Failed, "", 1},
		"found, without error": {found(ruleid.TimeOrder, diag.Reject), 400, `{}`, Answer, ruleid.AnswerResource, 1},
		"advice":               {found(ruleid.TimeOrder, diag.Advise), 400, refused, Refused, "", 0},
		"kept":                 {found(ruleid.EventServerSet, diag.Ignore), 200, `{"htmlLink":"x"}`, Missed, ruleid.EventServerSet, 0},
		"kept by advice":       {found(ruleid.EventServerSet, diag.Advise), 200, `{"htmlLink":"x"}`, "", "", 0},
		"not kept":             {found(ruleid.EventServerSet, diag.Ignore), 200, `{"htmlLink":"y"}`, "", "", 0},
		"not specified":        {found(ruleid.TimeOrder, diag.Unspecified), 400, refused, "", "", 0},
	} {
		x := answered(operation.EventsInsert, test.status, test.answer)
		x.exchange.Findings, x.body = test.findings, []byte(`{"htmlLink":"x"}`)
		for i := range test.findings {
			test.findings[i].Path = "/htmlLink"
		}
		o := &outcome{story: &story{op: operation.EventsInsert}}
		if o.compare(x, nil); o.fault != test.want || o.rule != test.rule || o.rejections != test.rejections {
			t.Errorf("%s: %q of %q, %d rejections, %s", name, o.fault, o.rule, o.rejections, o.message)
		}
		if (o.notTried != "") != (name == "not specified") {
			t.Errorf("%s: not tried because %q", name, o.notTried)
		}
	}
}

// An answer without a body has no form, and one with some members alone cannot be checked.
func TestCompareAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		answer, media, url string
		unchecked          between.Reason
		want               Fault
	}{
		"no body":      {"", "text/html", "http://a.example/", "", ""},
		"a page":       {"{}", "text/html", "http://a.example/", "", Answer},
		"unchecked":    {"{}", "", "http://a.example/", "it is odd", Answer},
		"some members": {"{}", "", "http://a.example/?fields=id", "it is odd", ""},
	} {
		o, x := &outcome{story: &story{}}, answered(operation.EventsGet, 200, test.answer)
		x.media, x.url, x.unchecked = test.media, test.url, test.unchecked
		if o.compareAnswer(x, nil); o.fault != test.want {
			t.Errorf("%s: %q", name, o.fault)
		}
	}
	for answer, want := range map[string]string{"a rule": "No rule rejects the request.", "": ""} {
		x := answered(operation.EventsGet, 500, answer)
		if answer == "" {
			x.exchange.Findings = found(ruleid.TimeOrder, diag.Reject)
		}
		if got := x.verdict(); (got == "No rule rejects the request.") != (want != "") {
			t.Errorf("the verdict is %q", got)
		}
	}
}
