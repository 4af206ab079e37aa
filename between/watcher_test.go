package between_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

const (
	service = "https://www.googleapis.com/calendar/v3"
	events  = service + "/calendars/primary/events"
	stored  = `{"kind":"calendar#event","etag":"\"1\"","id":"abcde","status":"confirmed","summary":"Review",` +
		`"start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"},"eventType":"default"}`
	early = `{"end":{"dateTime":"2026-03-10T08:00:00Z"}}` // before the stored start
)

func watcher(t *testing.T, o between.Options) *between.Watcher {
	t.Helper()
	w, err := between.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// as returns the header of a user's request.
func as(token string) between.Header { return between.Header{"Authorization": {"Bearer " + token}} }

// see shows a watcher the answer to a get.
func see(t *testing.T, w *between.Watcher, header between.Header, query, answer string) {
	t.Helper()
	x := w.Request(between.Message{Method: "GET", URL: events + "/abcde" + query, Header: header})
	if _, unchecked := x.Answer(200, nil, []byte(answer), ""); x.Op != operation.EventsGet || unchecked != "" && query == "" {
		t.Fatalf("the operation is %q, unchecked because %q", x.Op, unchecked)
	}
}

// patch shows a watcher a patch that only the stored event makes wrong.
func patch(w *between.Watcher, header between.Header) *between.Exchange {
	return w.Request(between.Message{Method: "PATCH", URL: events + "/abcde", Header: header, Body: []byte(early)})
}

// remembers reports whether a watcher remembers the stored event.
func remembers(w *between.Watcher, header between.Header) bool {
	x := patch(w, header)
	defer x.Cancel()
	return x.Stored == between.Known && slices.ContainsFunc(x.Findings, func(f between.Finding) bool { return f.Kind == diag.Reject && f.Remembered })
}

func TestRequest(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprint(z, `{"start":{"date":"2026-03-10"}}`)
	z.Close()
	for _, test := range []struct {
		name      string
		message   between.Message
		op        operation.ID
		findings  []string
		unchecked string
		refused   bool
	}{
		{"valid", between.Message{Method: "POST", URL: events, Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)}, operation.EventsInsert, nil, "", false},
		{"rejected", between.Message{Method: "POST", URL: events, Body: []byte(`{"start":{"date":"2026-03-10"}}`)}, operation.EventsInsert, []string{"event.end.required /end"}, "", true},
		{"without a body", between.Message{Method: "POST", URL: events}, operation.EventsInsert, []string{"json.syntax "}, "", true},
		{"a parameter", between.Message{Method: "GET", URL: events + "?maxResults=abc&access_token=secret"}, operation.EventsList, []string{"param.value ?maxResults"}, "", true},
		{"another resource", between.Message{Method: "POST", URL: service + "/calendars", Body: []byte(`{"timeZone":"Mars"}`)}, "calendars.insert", nil, "", true},
		{"gzip", between.Message{Method: "POST", URL: events, Header: between.Header{"content-encoding": {"gzip"}}, Body: packed.Bytes()}, operation.EventsInsert, []string{"event.end.required /end"}, "", true},
		{"broken gzip", between.Message{Method: "POST", URL: events, Header: between.Header{"Content-Encoding": {"gzip"}}, Body: []byte("x")}, operation.EventsInsert, nil, "not gzip", false},
		{"another coding", between.Message{Method: "POST", URL: events, Header: between.Header{"Content-Encoding": {"br"}}, Body: []byte("x")}, operation.EventsInsert, nil, `content coding "br"`, false},
		{"two codings", between.Message{Method: "POST", URL: events, Header: between.Header{"Content-Encoding": {"gzip", "gzip"}}, Body: packed.Bytes()}, operation.EventsInsert, nil, "or more than one", false},
		{"too long", between.Message{Method: "POST", URL: events, Body: bytes.Repeat([]byte(" "), 5000)}, operation.EventsInsert, nil, "longer than 4096 bytes", false},
		{"cut", between.Message{Method: "POST", URL: events, Unread: "the rest is missing"}, operation.EventsInsert, nil, "the rest is missing", false},
		{"a malformed query", between.Message{Method: "POST", URL: events + "?a=%zz", Body: []byte(`{}`)}, operation.EventsInsert, nil, "a pair that cannot be parsed", false},
		{"a long query", between.Message{Method: "POST", URL: events + "?" + strings.Repeat("&", 9_999), Body: []byte(`{}`)}, operation.EventsInsert, nil, "", true},
		{"too long a query", between.Message{Method: "POST", URL: events + "?" + strings.Repeat("&", 10_000), Body: []byte(`{}`)}, operation.EventsInsert, nil, "more than 10,000 pairs", false},
		{"another host", between.Message{Method: "POST", URL: "http://127.0.0.1:8085/calendar/v3/calendars/primary/events", Body: []byte(`{}`)}, operation.EventsInsert, nil, "", true},
		{"no host", between.Message{Method: "POST", URL: "/calendar/v3/calendars/primary/events", Body: []byte(`{}`)}, "", nil, "", false},
		{"another path", between.Message{Method: "POST", URL: "https://www.googleapis.com/drive/v3/files", Body: []byte(`{}`)}, "", nil, "", false},
		{"another method", between.Message{Method: "PUT", URL: events, Body: []byte(`{}`)}, "", nil, "", false},
		{"the primary calendar", between.Message{Method: "DELETE", URL: service + "/calendars/primary"}, "calendars.delete", []string{"calendars.delete "}, "", true},
		{"another calendar", between.Message{Method: "DELETE", URL: service + "/calendars/a%40b.c"}, "calendars.delete", nil, "", false},
		{"no URL", between.Message{}, "", nil, "", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := watcher(t, between.Options{MaxBytes: 4096}).Request(test.message)
			var findings []string
			for _, f := range x.Findings {
				if f.Kind == diag.Reject && test.findings != nil {
					findings = append(findings, f.Rule.ID+" "+string(f.Path))
				}
				if strings.Contains(f.Message(), "secret") || f.Remembered {
					t.Errorf("the finding %v", f)
				}
			}
			if x.Op != test.op || !strings.Contains(string(x.Unchecked), test.unchecked) || (x.Unchecked == "") != (test.unchecked == "") {
				t.Errorf("the operation is %q, unchecked because %q", x.Op, x.Unchecked)
			}
			if diff := cmp.Diff(test.findings, findings); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if got := x.Refusal() != nil; got != test.refused {
				t.Errorf("it is sure to be refused: %t", got)
			}
		})
	}
}

// A request below the address of the service that is no operation has a finding, and so has a slash at the end.
func TestPath(t *testing.T) {
	for _, test := range []struct {
		method, url string
		op          operation.ID
		findings    []string
	}{
		{"PUT", events, "", []string{"operation.path advise"}},
		{"GET", service + "/calendars/primary/event", "", []string{"operation.path advise"}},
		{"GET", events + "/?maxResults=2501", operation.EventsList, []string{"operation.path advise", "list.max-results advise"}},
		{"GET", events, operation.EventsList, nil},
		{"OPTIONS", events, "", nil},
		{"GET", service + "beta/calendars/primary/event", "", nil},
	} {
		x := watcher(t, between.Options{}).Request(between.Message{Method: test.method, URL: test.url})
		var findings []string
		for _, f := range x.Findings {
			findings = append(findings, f.Rule.ID+" "+string(f.Kind))
		}
		if diff := cmp.Diff(test.findings, findings); diff != "" || x.Op != test.op {
			t.Errorf("%s %s is %q (-want +got):\n%s", test.method, test.url, x.Op, diff)
		}
	}
}

// A patch is checked against the event that an answer had, and refused only if If-Match names its entity tag.
func TestRemembers(t *testing.T) {
	w := watcher(t, between.Options{})
	if remembers(w, as("a")) {
		t.Fatal("an event is remembered that was never seen")
	}
	see(t, w, as("a"), "", stored)
	x := patch(w, as("a"))
	if len(x.Findings) == 0 || !x.Findings[0].Remembered || x.Refusal() != nil {
		t.Errorf("the findings are %v, the refusal %v", x.Findings, x.Refusal())
	}
	x.Cancel()
	for tag, want := range map[string]bool{`"1"`: true, `"2"`: false, ``: false} {
		header := as("a")
		header["If-Match"] = []string{tag}
		x := w.Request(between.Message{Method: "PATCH", URL: events + "/abcde", Header: header, Body: []byte(early)})
		x.Cancel()
		if got := x.Refusal().Rejected(); got != want {
			t.Errorf("with If-Match %s the request is refused: %t", tag, got)
		}
	}
	for _, header := range []between.Header{as("b"), nil} {
		if remembers(w, header) {
			t.Errorf("with %v, somebody else's event is remembered", header)
		}
	}
}

// A request without If-Match does not name an event without an entity tag.
func TestNoTags(t *testing.T) {
	w := watcher(t, between.Options{})
	see(t, w, nil, "", strings.Replace(stored, `"etag":"\"1\"",`, "", 1))
	x := patch(w, nil)
	if len(x.Findings) == 0 || !x.Findings[0].Remembered || x.Refusal() != nil {
		t.Errorf("the findings are %v, the refusal %v", x.Findings, x.Refusal())
	}
}

// Credentials in a query are no parameters: the rules do not judge them, whatever they are.
func TestCredentialsInQuery(t *testing.T) {
	for _, name := range []string{"access_token", "oauth_token", "key"} {
		for _, query := range []string{"?%s=a&%[1]s=b", "?%s=", "?%s=%%00"} {
			x := watcher(t, between.Options{}).Request(between.Message{Method: "GET", URL: events + fmt.Sprintf(query, name)})
			if len(x.Findings) > 0 || x.Unchecked != "" {
				t.Errorf("%s of %s: %v, %s", query, name, x.Findings, x.Unchecked)
			}
		}
	}
}

// That the watcher has not seen an event does not mean that there is none: no request about it is refused for that.
func TestUnseenEvent(t *testing.T) {
	w := watcher(t, between.Options{})
	bodies := map[operation.ID]string{
		operation.EventsPatch: `{"summary":"a"}`, operation.EventsUpdate: `{"eventType":"default","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`,
	}
	n := 0
	for op := range operation.All() {
		if !strings.Contains(op.Path, "{eventId}") {
			continue
		}
		n++
		path, err := op.Expand(map[string]string{"calendarId": "primary", "eventId": "abcde"})
		if err != nil {
			t.Fatal(err)
		}
		query := "?sendUpdates=none"
		if op.ID == operation.EventsMove {
			query += "&destination=team%40example.com"
		}
		x := w.Request(between.Message{Method: op.Method, URL: service + path + query, Body: []byte(bodies[op.ID])})
		for _, f := range x.Findings {
			if f.Kind == diag.Reject {
				t.Errorf("%s: %v", op.ID, f)
			}
		}
		if x.Op != op.ID || x.Refusal() != nil {
			t.Errorf("%s is %q, and refused: %v", op.ID, x.Op, x.Refusal())
		}
	}
	if n < 6 {
		t.Errorf("only %d operations are about an event", n)
	}
}

// What is not a whole representation is not remembered, and what may have changed is forgotten.
func TestForgets(t *testing.T) {
	for name, change := range map[string]func(w *between.Watcher){
		"fields": func(w *between.Watcher) {
			w.Request(between.Message{Method: "DELETE", URL: events + "/abcde", Header: as("a")}).Answer(204, nil, nil, "")
			see(t, w, as("a"), "?fields=id,start,end", stored)
		},
		"attendees": func(w *between.Watcher) {
			patch(w, as("a")).Fail()
			see(t, w, as("a"), "", strings.Replace(stored, "{", `{"attendeesOmitted":true,`, 1))
		},
		"no answer": func(w *between.Watcher) { patch(w, as("a")).Fail() },
		"failed":    func(w *between.Watcher) { patch(w, as("a")).Answer(503, nil, nil, "") },
		"deleted": func(w *between.Watcher) {
			w.Request(between.Message{Method: "DELETE", URL: events + "/abcde", Header: as("a")}).Answer(204, nil, nil, "")
		},
		"another's change": func(w *between.Watcher) {
			w.Request(between.Message{Method: "PATCH", URL: service + "/calendars/a%40b.c/events/abcde", Header: as("b"), Body: []byte(`{}`)}).Answer(500, nil, nil, "")
		},
		"a malformed query": func(w *between.Watcher) {
			w.Request(between.Message{Method: "PATCH", URL: events + "/abcde?a=%zz", Header: as("a"), Body: []byte(early)}).Answer(200, nil, nil, "")
		},
		"a malformed list of fields": func(w *between.Watcher) {
			w.Request(between.Message{Method: "DELETE", URL: events + "/abcde", Header: as("a")}).Answer(204, nil, nil, "")
			x := w.Request(between.Message{Method: "GET", URL: events + "/abcde?fields=id;start", Header: as("a")})
			if _, unchecked := x.Answer(200, nil, []byte(stored), ""); unchecked == "" {
				t.Error("the answer to a malformed query is checked")
			}
		},
		"not found": func(w *between.Watcher) {
			w.Request(between.Message{Method: "GET", URL: events + "/abcde", Header: as("a")}).Answer(404, nil, nil, "")
		},
		"gone": func(w *between.Watcher) {
			w.Request(between.Message{Method: "GET", URL: events + "/abcde", Header: as("a")}).Answer(410, nil, nil, "")
		},
		"calendar": func(w *between.Watcher) {
			w.Request(between.Message{Method: "DELETE", URL: service + "/calendars/primary", Header: as("a")}).Answer(204, nil, nil, "")
		},
		"calendar by its id": func(w *between.Watcher) {
			w.Request(between.Message{Method: "DELETE", URL: service + "/calendars/a%40b.c", Header: as("a")}).Answer(204, nil, nil, "")
		},
		"too many": func(w *between.Watcher) {
			for i := range 3 {
				x := w.Request(between.Message{Method: "GET", URL: events + "/b", Header: as("a")})
				x.Answer(200, nil, []byte(strings.Replace(stored, `"abcde"`, fmt.Sprintf(`"bcde%d"`, i), 1)), "")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := watcher(t, between.Options{MaxEvents: 3})
			see(t, w, as("a"), "", stored)
			if !remembers(w, as("a")) {
				t.Fatal("the event is not remembered")
			}
			change(w)
			if remembers(w, as("a")) {
				t.Error("the event is still remembered")
			}
		})
	}
}

// A change of a calendar concerns its events, and those of the primary calendar, which it may be.
func TestChangedCalendars(t *testing.T) {
	of := func(calendar string) string { return service + "/calendars/" + calendar }
	for _, test := range []struct {
		changed, seen string
		keeps         bool
	}{
		{"a%40b.c", "a%40b.c", false}, {"a%40b.c", "primary", false}, {"a%40b.c", "d%40e.f", true},
		{"primary", "primary", false}, {"primary", "a%40b.c", false},
	} {
		w := watcher(t, between.Options{})
		get := between.Message{Method: "GET", URL: of(test.seen) + "/events/abcde"}
		w.Request(get).Answer(200, nil, []byte(stored), "")
		w.Request(between.Message{Method: "DELETE", URL: of(test.changed)}).Answer(204, nil, nil, "")
		if keeps := w.Request(get).Stored == between.Known; keeps != test.keeps {
			t.Errorf("after the end of %s, an event of %s is remembered: %t", test.changed, test.seen, keeps)
		}
	}
}

// What is refused, or cannot change an event, leaves it remembered, while it is under way for others and when it has ended.
func TestKeeps(t *testing.T) {
	type request struct {
		method, url, body string
		status            int
	}
	calendar := service + "/calendars/a%40b.c"
	cases := map[string]request{
		"a failed get":            {"GET", events + "/abcde", "", 500},
		"busy times":              {"POST", service + "/freeBusy", `{}`, 200},
		"a watch":                 {"POST", events + "/watch", `{}`, 200},
		"a channel":               {"POST", service + "/channels/stop", `{}`, 204},
		"a new event":             {"POST", events, stored, 200},
		"a new calendar":          {"POST", service + "/calendars", `{"summary":"a"}`, 200},
		"an entry of the list":    {"PATCH", service + "/users/me/calendarList/primary", `{}`, 200},
		"a rule of access":        {"DELETE", service + "/calendars/primary/acl/user%3Aa%40b.c", "", 204},
		"another event":           {"DELETE", calendar + "/events/abcdef", "", 204},
		"another series":          {"DELETE", calendar + "/events/abcd", "", 204},
		"an instance":             {"DELETE", events + "/abcde_20260310T090000Z", "", 204},
		"the request is for none": {"PATCH", service + "/calendars/primary/event/abcde", "{}", 404},
	}
	for status := 400; status <= 429; status++ {
		if status != 404 && status != 410 && status != 412 {
			cases[fmt.Sprint("refused with ", status)] = request{"PATCH", events + "/abcde", early, status}
			cases[fmt.Sprint("import refused with ", status)] = request{"POST", events + "/import", stored, status}
			cases[fmt.Sprint("clear refused with ", status)] = request{"POST", calendar + "/clear", "", status}
		}
	}
	for name, c := range cases {
		w := watcher(t, between.Options{})
		see(t, w, as("a"), "", stored)
		x := w.Request(between.Message{Method: c.method, URL: c.url, Header: as("a"), Body: []byte(c.body)})
		if isRefused := strings.Contains(name, "refused"); remembers(w, as("a")) == isRefused {
			t.Errorf("%s: while it is under way, the event is remembered: %t", name, !isRefused)
		}
		if x.Answer(c.status, nil, nil, ""); !remembers(w, as("a")) {
			t.Errorf("%s: the event is forgotten", name)
		}
	}
	w := watcher(t, between.Options{})
	see(t, w, as("a"), "", stored)
	if patch(w, as("a")).Cancel(); !remembers(w, as("a")) {
		t.Error("a request that is not sent makes the watcher forget")
	}
}

// A request says whether its event is known, and why not.
func TestStored(t *testing.T) {
	get := func(w *between.Watcher, query string) *between.Exchange {
		return w.Request(between.Message{Method: "GET", URL: events + "/abcde" + query})
	}
	for want, before := range map[between.Stored]func(w *between.Watcher){
		between.Unseen:   func(*between.Watcher) {},
		between.Known:    func(w *between.Watcher) { get(w, "").Answer(200, nil, []byte(stored), "") },
		between.Partial:  func(w *between.Watcher) { get(w, "?fields=id").Answer(200, nil, []byte(`{"id":"abcde"}`), "") },
		between.Changing: func(w *between.Watcher) { patch(w, nil) },
		between.Outdated: func(w *between.Watcher) {
			get(w, "").Answer(200, nil, []byte(stored), "")
			get(w, "").Answer(404, nil, nil, "")
		},
	} {
		w := watcher(t, between.Options{})
		before(w)
		if x := get(w, ""); x.Stored != want {
			t.Errorf("the event is %q, want %q", x.Stored, want)
		}
	}
	w := watcher(t, between.Options{})
	get(w, "").Answer(200, nil, []byte(stored), "")
	get(w, "?fields=id").Answer(200, nil, []byte(`{"id":"abcde"}`), "")
	if x := get(w, ""); x.Stored != between.Known {
		t.Errorf("after an answer with some of its members, the event is %q", x.Stored)
	}
	if x := w.Request(between.Message{Method: "GET", URL: events}); x.Stored != "" {
		t.Errorf("a list is about an event that is %q", x.Stored)
	}
}

// An answer that may be from before a write is not remembered.
func TestOvertakenAnswers(t *testing.T) {
	read := between.Message{Method: "GET", URL: events + "/abcde", Header: as("a")}
	for name, overtake := range map[string]func(w *between.Watcher, early *between.Exchange) *between.Exchange{
		"a write begins and ends": func(w *between.Watcher, _ *between.Exchange) *between.Exchange {
			patch(w, as("b")).Answer(200, nil, []byte(stored), "")
			return nil
		},
		"a write begins": func(w *between.Watcher, _ *between.Exchange) *between.Exchange { return patch(w, as("a")) },
	} {
		w := watcher(t, between.Options{})
		early := w.Request(read)
		late := overtake(w, early)
		early.Answer(200, nil, []byte(stored), "")
		if remembers(w, as("a")) {
			t.Errorf("%s: the answer is remembered", name)
		}
		if late != nil {
			late.Fail()
		}
		see(t, w, as("a"), "", stored)
	}
	w := watcher(t, between.Options{})
	see(t, w, as("a"), "", stored)
	if first, second := patch(w, as("a")), patch(w, as("a")); len(first.Findings) == 0 || len(second.Findings) > 0 {
		t.Errorf("while a write is under way, the findings about another are %v", second.Findings)
	}
	w = watcher(t, between.Options{})
	first, second := patch(w, as("a")), patch(w, as("a"))
	first.Answer(200, nil, []byte(stored), "")
	second.Answer(200, nil, []byte(stored), "")
	if remembers(w, as("a")) {
		t.Error("one of two writes at the same time is remembered")
	}
}

// The answer to a write is remembered, and so are the events of a page; both are checked.
func TestAnswers(t *testing.T) {
	w := watcher(t, between.Options{})
	x := w.Request(between.Message{Method: "POST", URL: events, Header: as("a"), Body: []byte(stored)})
	answered := strings.TrimSuffix(stored, "}") + `,"reminders":{"useDefault":true}}`
	if found, unchecked := x.Answer(200, nil, []byte(answered), ""); len(found) > 0 || unchecked != "" || !remembers(w, as("a")) {
		t.Errorf("the findings about an answer are %v, unchecked because %q", found, unchecked)
	}
	x = w.Request(between.Message{Method: "GET", URL: events, Header: as("a")})
	page := `{"kind":"calendar#events","items":[` + stored + `,` + strings.Replace(stored, "confirmed", "maybe", 1) + `]}`
	found, unchecked := x.Answer(200, nil, []byte(page), "")
	if len(found) != 1 || found[0].Path != "/items/1/status" || unchecked != "" {
		t.Errorf("the findings about a page are %v, unchecked because %q", found, unchecked)
	}
	for _, answer := range []string{"<html>", `[]`, `{"items":1}`} {
		if _, unchecked := x.Answer(200, nil, []byte(answer), ""); unchecked == "" {
			t.Errorf("%s is a page", answer)
		}
	}
	if _, unchecked := x.Answer(200, nil, []byte(`{"items":[`), "the rest is missing"); unchecked != "the rest is missing" {
		t.Errorf("a cut answer is unchecked because %q", unchecked)
	}
}

// The parts of a batch are checked, and answered, as requests of their own.
func TestBatch(t *testing.T) {
	w := watcher(t, between.Options{})
	crlf := func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") }
	body := crlf("--b\nContent-Type: application/http\n\nGET /calendar/v3/calendars/primary/events/abcde HTTP/1.1\n\n\n" +
		"--b\nContent-Type: application/http\n\nPOST /calendar/v3/calendars/primary/events HTTP/1.1\nContent-Type: application/json\n\n{\"start\":{\"date\":\"2026-03-10\"}}\n--b--\n")
	header := as("a")
	header["Content-Type"] = []string{"multipart/mixed; boundary=b"}
	x := w.Request(between.Message{Method: "POST", URL: "https://www.googleapis.com/batch/calendar/v3", Header: header, Body: []byte(body)})
	if len(x.Parts) != 2 || x.Parts[0].Op != operation.EventsGet || x.Parts[1].Op != operation.EventsInsert || len(x.Parts[1].Findings) != 1 || x.Unchecked != "" || x.Refusal() != nil {
		t.Fatalf("the parts are %+v, unchecked because %q", x.Parts, x.Unchecked)
	}
	answer := crlf("--c\nContent-Type: application/http\n\nHTTP/1.1 200 OK\nContent-Type: application/json\n\n" + stored + "\n--c\nContent-Type: application/http\n\nHTTP/1.1 400 Bad Request\n\n{}\n--c--\n")
	if found, unchecked := x.Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=c"}}, []byte(answer), ""); found != nil || unchecked != "" {
		t.Errorf("the findings are %v, unchecked because %q", found, unchecked)
	}
	if !remembers(w, as("a")) {
		t.Error("the event in a part is not remembered")
	}
	gets := crlf("--b\n\nGET /calendar/v3/calendars/primary/events/abcde HTTP/1.1\n\n\n--b--\n")
	x = w.Request(between.Message{Method: "POST", URL: "https://www.googleapis.com/batch/calendar/v3", Header: header, Body: []byte(gets)})
	x.Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=c"}}, []byte(crlf("--c\n\nHTTP/1.1 200 OK\n\n"+stored+"\n--c--\n")), "")
	if !remembers(w, as("a")) {
		t.Error("the event in the answer is not remembered")
	}
	w = watcher(t, between.Options{})
	x = w.Request(batchOf("", as("a"), "GET /calendar/v3/calendars/primary/events/abcde HTTP/1.1\n\n", "DELETE /calendar/v3/calendars/primary/events/abcde HTTP/1.1\n\n"))
	x.Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}, multipartOf("HTTP/1.1 200 OK\n\n"+stored, "HTTP/1.1 500 Error\n\n"), "")
	if remembers(w, as("a")) {
		t.Error("an event is remembered that a write in the same batch may have changed")
	}
	for name, body := range map[string]string{"no parts": "x", "no request": crlf("--b\n\nx\n\n--b--\n"), "no type": ""} {
		h := as("a")
		if name != "no type" {
			h["Content-Type"] = []string{"multipart/mixed; boundary=b"}
		}
		if x := w.Request(between.Message{Method: "POST", URL: "https://www.googleapis.com/batch", Header: h, Body: []byte(body)}); x.Unchecked == "" {
			t.Errorf("%s is a batch", name)
		}
	}
}

// The parts are for the server of the batch, whatever host their URLs name.
func TestBatchHost(t *testing.T) {
	w := watcher(t, between.Options{Base: "http://127.0.0.1:8085/calendar/v3"})
	for url, want := range map[string]operation.ID{
		"https://www.googleapis.com/calendar/v3/calendars/primary/events/abcde": operation.EventsGet,
		"https://www.googleapis.com": "",
		"events/abcde":               "",
	} {
		m := batchOf("", as("a"), "GET "+url+" HTTP/1.1\n\n")
		m.URL = "http://127.0.0.1:8085/batch/calendar/v3"
		x := w.Request(m)
		if len(x.Parts) != 1 || x.Parts[0].Op != want {
			t.Errorf("%s: the parts are %+v, unchecked because %q", url, x.Parts, x.Unchecked)
		}
		x.Cancel()
	}
}

func TestNew(t *testing.T) {
	for _, o := range []between.Options{{Base: "/calendar/v3"}, {Base: "https://a.example/?x"}, {Base: "\x00"}, {MaxEvents: -1}, {MaxRemembered: -1}, {MaxBytes: -1}, {MaxBytes: 100, MaxChecking: 3199}} {
		if w, err := between.New(o); err == nil {
			t.Errorf("%+v makes %v", o, w)
		}
	}
	if _, err := between.New(between.Options{MaxBytes: 100, MaxChecking: 1}); err == nil || !strings.Contains(err.Error(), "at least 3200,") {
		t.Errorf("%v", err)
	}
	w := watcher(t, between.Options{Base: "http://127.0.0.1:8085/v3/"})
	if x := w.Request(between.Message{Method: "GET", URL: "http://127.0.0.1:8085/v3/calendars/primary/events?maxAttendees=5"}); x.Op != operation.EventsList || len(x.Findings) > 0 {
		t.Errorf("in the documents' names: %q, %v", x.Op, x.Findings)
	}
}

// Zero options watch the public service, and its paths on any host, in its dialect. With a Base, no other address counts.
func TestZeroOptions(t *testing.T) {
	const own = "http://127.0.0.1:8085/v3"
	const fromGmail = `/calendars/primary/events?eventTypes=fromGmail` // a name of google
	for _, test := range []struct {
		options between.Options
		url     string
		watched bool
		want    []string
	}{
		{between.Options{}, service + fromGmail, true, nil},
		{between.Options{}, "http://127.0.0.1:8085/calendar/v3" + fromGmail, true, nil},
		{between.Options{}, own + fromGmail, false, nil},
		{between.Options{Base: own}, service + fromGmail, false, nil},
		{between.Options{Base: own}, own + fromGmail, true, nil},
		{between.Options{Base: own, Documents: true}, own + fromGmail, true, []string{"operation.unspecified"}},
	} {
		w := watcher(t, test.options)
		if got := w.Watches("GET", test.url); got != test.watched {
			t.Errorf("%+v: %s is watched: %t", test.options, test.url, got)
		}
		var got []string
		for _, f := range w.Request(between.Message{Method: "GET", URL: test.url}).Findings {
			got = append(got, f.Rule.ID)
		}
		if diff := cmp.Diff(test.want, got); test.watched && diff != "" {
			t.Errorf("%+v, %s: %s", test.options, test.url, diff)
		}
	}
}

// Whatever is said, the watcher answers, and shows no credential.
func FuzzWatcher(f *testing.F) {
	f.Add("POST", "/calendars/primary/events", "", []byte(`{"start":{"date":"2026-03-10"}}`), 200, []byte(stored))
	f.Add("GET", "/calendars/primary/events?fields=x", "gzip", []byte{}, 200, []byte(`{"items":[{}]}`))
	f.Add("PATCH", "/calendars/primary/events/abcde", "br", []byte(early), 412, []byte{})
	f.Add("POST", "batch", "", []byte("--b\r\n\r\nGET /calendar/v3/colors HTTP/1.1\r\n\r\n\r\n--b--"), 200, []byte("--b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n{}\r\n--b--"))
	f.Add("POST", "batch", "", []byte("--b\r\n\r\nGET / HTTP/1.1\r\nAuthorization very-secret-token\r\n\r\n\r\n--b very-secret-token"), 200, []byte("--b\r\nvery-secret-token"))
	f.Fuzz(func(t *testing.T, method, path, coding string, body []byte, status int, answer []byte) {
		w := watcher(t, between.Options{MaxBytes: 1 << 16, MaxEvents: 2})
		header := between.Header{"Authorization": {"Bearer very-secret-token"}, "Content-Encoding": {coding}, "Content-Type": {"multipart/mixed; boundary=b"}}
		url := service + path
		if path == "batch" {
			url = "https://www.googleapis.com/batch/calendar/v3"
		}
		for range 2 {
			x := w.Request(between.Message{Method: method, URL: url, Header: header, Body: body})
			found, unchecked := x.Answer(status, header, answer, "")
			text := fmt.Sprint(unchecked, x.Unchecked)
			for _, part := range x.Parts {
				text += string(part.Unchecked)
			}
			if strings.Contains(path+string(body)+string(answer), "very-secret-token") { // a finding may quote it
				found, x.Findings = nil, nil
			}
			if text += fmt.Sprint(x.Findings, found, x.Refusal()); strings.Contains(text, "very-secret-token") {
				t.Fatalf("a credential is shown: %s", text)
			}
			x.Fail()
		}
	})
}

// A grading changes reports, and not what is refused in the name of the service.
func TestRefusalIsCertain(t *testing.T) {
	day := `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	for _, c := range []struct {
		name    string
		grading diag.Grading
		body    string
		refuses bool
	}{
		{"strict: an unknown member", diag.Strict(), `{"colour":"1",` + day + `}`, false},
		{"strict: no end", diag.Strict(), `{"start":{"date":"2026-03-10"}}`, true},
		{"advice: no end", diag.Grading{Bases: map[diag.Basis]diag.Grade{diag.Stated: diag.ToAdvise}}, `{"start":{"date":"2026-03-10"}}`, true},
	} {
		w := watcher(t, between.Options{Checker: event.Checker{Grading: c.grading}})
		x := w.Request(between.Message{Method: "POST", URL: events, Body: []byte(c.body)})
		if got := x.Refusal() != nil; got != c.refuses || len(x.Findings) == 0 {
			t.Errorf("%s: refused is %t, the findings are %v", c.name, got, x.Findings)
		}
	}
}

// Advice refuses nothing, even about the event whose entity tag the request names.
func TestAdviceIsNoRefusal(t *testing.T) {
	w := watcher(t, between.Options{})
	see(t, w, nil, "", stored)
	x := w.Request(between.Message{Method: "PATCH", URL: events + "/abcde?sendNotifications=true", Header: between.Header{"If-Match": {`"1"`}}, Body: []byte(`{"summary":"a"}`)})
	if len(x.Findings) == 0 || x.Refusal() != nil {
		t.Errorf("the findings are %v, and refuse for %v", x.Findings, x.Refusal())
	}
}

// An empty body is none, and so is that of a GET.
func TestWithoutBody(t *testing.T) {
	for _, m := range []between.Message{
		{Method: "DELETE", URL: events + "/abcde"}, {Method: "POST", URL: events + "/abcde/move?destination=primary"},
		{Method: "GET", URL: events, Body: []byte("{")},
	} {
		m.Body = append([]byte{}, m.Body...)
		if x := watcher(t, between.Options{}).Request(m); len(x.Findings) > 0 || x.Unchecked != "" {
			t.Errorf("%s %s: %v, unchecked because %q", m.Method, m.URL, x.Findings, x.Unchecked)
		}
	}
}

// A body that is sent is checked, whatever its resource.
func TestBodyOfOtherResource(t *testing.T) {
	for body, clean := range map[string]bool{`{"summary":"Team"}`: true, `{"summary":"Team","timeZone":"Mars"}`: false} {
		x := watcher(t, between.Options{}).Request(between.Message{Method: "POST", URL: service + "/calendars", Body: []byte(body)})
		if (len(x.Findings) == 0) != clean {
			t.Errorf("%s: %v", body, x.Findings)
		}
	}
}

// An error in JSON is checked. Another one, and an empty answer, has nothing to check, unless the rest is missing.
func TestErrors(t *testing.T) {
	inJSON := between.Header{"Content-Type": {"application/json"}}
	for _, test := range []struct {
		status    int
		header    between.Header
		body      string
		unread    between.Reason
		isChecked bool
	}{
		{400, inJSON, `{"error":"no"}`, "", true}, {503, inJSON, `{"error":"no"}`, "", true}, {399, inJSON, `{"error":"no"}`, "", false},
		{400, nil, `{"error":"no"}`, "", false}, {400, inJSON, "", "", false}, {200, inJSON, "", "", false}, {200, inJSON, "", "the rest is missing", false},
	} {
		x := watcher(t, between.Options{}).Request(between.Message{Method: "GET", URL: events + "/abcde"})
		found, unchecked := x.Answer(test.status, test.header, []byte(test.body), test.unread)
		if (len(found) > 0) != test.isChecked || unchecked != test.unread {
			t.Errorf("%d %s: %v, unchecked because %q", test.status, test.body, found, unchecked)
		}
	}
}

// An answer is explained if the request is to the service, even to a path that it does not have.
func TestRefusedPath(t *testing.T) {
	for method, want := range map[string]bool{"GET": true, "OPTIONS": false} {
		x := watcher(t, between.Options{}).Request(between.Message{Method: method, URL: service + "/calendars/primary/event"})
		if x.Answer(404, nil, nil, ""); (x.Refused != nil) != want || (len(x.Findings) > 0) != want {
			t.Errorf("%s: the findings are %v, and the refusal %v", method, x.Findings, x.Refused)
		}
	}
}

// A fixed parameter replaces the one that was sent, and no other one: the rules do not see credentials.
func TestFixedParameters(t *testing.T) {
	w := watcher(t, between.Options{})
	m := between.Message{Method: "POST", URL: events + "?access_token=a&conferencedataversion=1&sendUpdates=none", Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`)}
	fixed, made := w.Request(m).Fix(m)
	if want := events + "?access_token=a&conferenceDataVersion=1&sendUpdates=none"; len(made) == 0 || fixed.URL != want {
		t.Errorf("%v fixes to %s", made, fixed.URL)
	}
}

// Fixes are made beside the remembered event, without which the other form of a time is not known.
func TestAddFixes(t *testing.T) {
	w := watcher(t, between.Options{})
	see(t, w, nil, "", stored)
	x := w.Request(between.Message{Method: "PATCH", URL: events + "/abcde", Body: []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11","dateTime":null}}`)})
	x.AddFixes()
	var got []diag.PatchOperation
	for _, f := range x.Findings {
		if f.HasSafeFix() {
			got = append(got, f.Fix.Patch...)
		}
	}
	want := []diag.PatchOperation{{Op: "add", Path: "/body/start/dateTime", Value: []byte("null")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
