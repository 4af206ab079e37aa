package between_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/operation"
)

const batchURL = "https://www.googleapis.com/batch/calendar/v3"

// batchOf returns a batch with parts, each a request without its first empty line.
func batchOf(query string, header between.Header, parts ...string) between.Message {
	h := between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}
	for name, values := range header {
		h[name] = values
	}
	return between.Message{Method: "POST", URL: batchURL + query, Header: h, Body: multipartOf(parts...)}
}

func multipartOf(parts ...string) []byte {
	var text strings.Builder
	for _, part := range parts {
		text.WriteString("--b\n\n" + part + "\n")
	}
	return []byte(strings.ReplaceAll(text.String()+"--b--\n", "\n", "\r\n"))
}

// What makes parts unreadable is not quoted, for it may be a credential.
func TestUnreadableBatch(t *testing.T) {
	const get = "--b\n\nGET /calendar/v3/colors HTTP/1.1\n"
	header := between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}
	for name, text := range map[string]string{
		"field":        get + "Authorization Bearer secret\n\n\n--b--\n",
		"part's field": "--b\nAuthorization Bearer secret\n\nGET /calendar/v3/colors HTTP/1.1\n\n\n--b--\n",
		"line":         "--b\n\nsecret\n\n\n--b--\n",
		"URL alone":    "--b\n\n/calendar/v3/colors?key=secret\n\n\n--b--\n",
		"boundary":     get + "\n\n--b secret\n\n--b--\n",
		"cut":          get + "Authorization: Bearer secret",
	} {
		body := []byte(strings.ReplaceAll(text, "\n", "\r\n"))
		w := watcher(t, between.Options{})
		x := w.Request(between.Message{Method: "POST", URL: batchURL, Header: header, Body: body})
		if x.Unchecked == "" || strings.Contains(string(x.Unchecked), "secret") {
			t.Errorf("%s: the batch is unchecked because %q", name, x.Unchecked)
		}
		x = w.Request(batchOf("", nil, "GET /calendar/v3/colors HTTP/1.1\n\n"))
		if _, unchecked := x.Answer(200, header, body, ""); strings.Contains(string(unchecked), "secret") {
			t.Errorf("%s: the answer is unchecked because %q", name, unchecked)
		}
	}
	cut := []byte(strings.ReplaceAll(get+"\n\n", "\n", "\r\n"))
	x := watcher(t, between.Options{}).Request(between.Message{Method: "POST", URL: batchURL, Header: header, Body: cut})
	if x.Unchecked != "the parts cannot be read: the body is incomplete" {
		t.Errorf("a batch without its end is unchecked because %q", x.Unchecked)
	}
	m := batchOf("", between.Header{"Content-Type": {"multipart/related; boundary=b"}}, "GET /calendar/v3/colors HTTP/1.1\n\n")
	if x := watcher(t, between.Options{}).Request(m); x.Unchecked != "the media type is not multipart/mixed" {
		t.Errorf("a batch with another media type is unchecked because %q", x.Unchecked)
	}
	for _, header := range []between.Header{{"Content-Type": {"secret"}}, {"Content-Encoding": {"secret"}}} {
		x := watcher(t, between.Options{}).Request(between.Message{Method: "POST", URL: batchURL, Header: header, Body: []byte("x")})
		if x.Unchecked == "" || strings.Contains(string(x.Unchecked), "secret") {
			t.Errorf("with %v the batch is unchecked because %q", header, x.Unchecked)
		}
	}
}

// A batch in a batch is none: to read it would take work that grows with the square of its size.
func TestNestedBatch(t *testing.T) {
	inner := string(batchOf("", nil, "GET /calendar/v3/colors HTTP/1.1\n\n").Body)
	x := watcher(t, between.Options{}).Request(batchOf("", nil, "POST /batch HTTP/1.1\nContent-Type: multipart/mixed; boundary=c\n\n"+strings.ReplaceAll(inner, "--b", "--c")))
	if len(x.Parts) != 1 || x.Parts[0].Parts != nil || x.Parts[0].Op != "" {
		t.Errorf("the parts are %+v", x.Parts)
	}
}

// The parts of a batch are as the user of the batch, wherever its credential is, unless they have credentials of their own.
func TestBatchUsers(t *testing.T) {
	const get, change = "GET /calendar/v3/calendars/primary/events/abcde%s HTTP/1.1\n%s\n", "PATCH /calendar/v3/calendars/primary/events/abcde%s HTTP/1.1\n%s\n" + early
	type user struct {
		query, cookie, own, field string
	}
	users := []user{{query: "?access_token=a"}, {query: "?access_token=b"}, {query: "?key=a"}, {cookie: "a"}, {cookie: "b"}, {own: "?access_token=c"}, {field: "Authorization: Bearer a\n"}, {}}
	send := func(w *between.Watcher, u user, request string) *between.Exchange {
		header := between.Header{}
		if u.cookie != "" {
			header["Cookie"] = []string{u.cookie}
		}
		return w.Request(batchOf(u.query, header, fmt.Sprintf(request, u.own, u.field)))
	}
	for i, first := range users {
		for j, second := range users {
			w := watcher(t, between.Options{})
			send(w, first, get).Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}, multipartOf("HTTP/1.1 200 OK\n\n"+stored), "")
			x := send(w, second, change)
			if len(x.Parts) != 1 {
				t.Fatalf("unchecked because %q", x.Unchecked)
			}
			if got, want := len(x.Parts[0].Findings) > 0, i == j; got != want {
				t.Errorf("what %+v reads is remembered for %+v: %t", first, second, got)
			}
		}
	}
	w := watcher(t, between.Options{})
	w.Request(between.Message{Method: "GET", URL: events + "/abcde?access_token=%22b%22", Header: as("a")}).Answer(200, nil, []byte(stored), "")
	x := w.Request(between.Message{Method: "PATCH", URL: events + "/abcde?access_token=b%01c", Header: as("a"), Body: []byte(early)})
	if len(x.Findings) > 0 {
		t.Error("two tokens are the same user")
	}
}

// The parts of an answer are for the parts of the batch that have their Content-ID, or, without one, in their order. An
// answer with other parts says so.
func TestBatchOrder(t *testing.T) {
	const get = "GET /calendar/v3/calendars/primary/events/%s HTTP/1.1\n\n"
	multipartWith := func(ids []string, text func(i int) string) []byte {
		var parts []string
		for i, id := range ids {
			if id != "" {
				id = "Content-ID: <" + id + ">\n"
			}
			parts = append(parts, "--b\n"+id+"\n"+text(i)+"\n")
		}
		return []byte(strings.ReplaceAll(strings.Join(parts, "")+"--b--\n", "\n", "\r\n"))
	}
	header := between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}
	for name, test := range map[string]struct {
		ids, answers []string
		want         string // the statuses of the parts
		unchecked    string
	}{
		"in order":         {[]string{"a", "b", "c"}, []string{"response-a", "response-b", "response-c"}, "200 201 202", ""},
		"in another order": {[]string{"a", "b", "c"}, []string{"response-c", "response-a", "response-b"}, "201 202 200", ""},
		"the same ids":     {[]string{"a", "b", "b"}, []string{"b", "b", "a"}, "202 200 201", ""},
		"without ids":      {[]string{"", "", ""}, []string{"", "", ""}, "200 201 202", ""},
		"some have ids":    {[]string{"", "b", ""}, []string{"response-b", "", ""}, "201 200 202", ""},
		"response as id":   {[]string{"response-a", "a"}, []string{"response-a", "response-response-a"}, "201 200", ""},
		"another id":       {[]string{"a", "b"}, []string{"response-a", "c"}, "200 0", "belongs to no request"},
		"more":             {[]string{"", "b"}, []string{"", "b", ""}, "200 201", "belongs to no request"},
		"far more":         {[]string{""}, slices.Repeat([]string{""}, 1001), "200", "belongs to no request"},
		"an id too often":  {[]string{"a", "b"}, []string{"a", "a", "b"}, "200 0", "belongs to no request"},
		"fewer":            {[]string{"a", "b"}, []string{"b"}, "0 200", "have no response"},
	} {
		w := watcher(t, between.Options{})
		m := batchOf("", nil)
		m.Body = multipartWith(test.ids, func(i int) string { return fmt.Sprintf(get, fmt.Sprint("abcde", i)) })
		x := w.Request(m)
		_, unchecked := x.Answer(200, header, multipartWith(test.answers, func(i int) string { return fmt.Sprintf("HTTP/1.1 %d OK\n\n%s", 200+i, stored) }), "")
		var got []string
		for _, part := range x.Parts {
			got = append(got, fmt.Sprint(part.Answered.Status))
		}
		if strings.Join(got, " ") != test.want || !strings.Contains(string(unchecked), test.unchecked) || (unchecked == "") != (test.unchecked == "") {
			t.Errorf("%s: the statuses of the parts are %v, want %s; unchecked because %q", name, got, test.want, unchecked)
		}
	}
}

// A batch that is refused as a whole changes nothing, and what is not checked of a part is said.
func TestBatchRefused(t *testing.T) {
	const change = "PATCH /calendar/v3/calendars/primary/events/abcde HTTP/1.1\n\n" + early
	for status, want := range map[int]bool{401: true, 403: true, 429: true, 404: false, 500: false, 200: false} {
		w := watcher(t, between.Options{})
		see(t, w, as("a"), "", stored)
		if w.Request(batchOf("", as("a"), change)).Answer(status, nil, nil, ""); remembers(w, as("a")) != want {
			t.Errorf("after %d, the event is remembered: %t", status, !want)
		}
	}
	for status, want := range map[int]between.Verdict{400: between.RefusedThere, 401: between.Agreed, 302: between.Unjudged, 200: between.Unjudged} {
		x := watcher(t, between.Options{}).Request(batchOf("", nil, change))
		x.Answer(status, nil, []byte(`{"error":{"code":400}}`), "")
		if x.Verdict != want || (x.Refused != nil) != (want != "") || x.Parts[0].Verdict != between.Unjudged {
			t.Errorf("after %d, the verdict is %q, and that about the part %q", status, x.Verdict, x.Parts[0].Verdict)
		}
	}
	w := watcher(t, between.Options{})
	x := w.Request(batchOf("", nil, "GET /calendar/v3/calendars/primary/events/abcde?fields=id HTTP/1.1\n\n"))
	_, unchecked := x.Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}, multipartOf("HTTP/1.1 200 OK\n\n"+stored), "")
	if unchecked == "" || x.Parts[0].Answered.Unchecked != unchecked {
		t.Errorf("the batch is unchecked because %q, its part because %q", unchecked, x.Parts[0].Answered.Unchecked)
	}
}

// What cannot be read of a batch may change any event, unless the batch is refused as a whole.
func TestUnreadBatchForgets(t *testing.T) {
	const get = "GET /calendar/v3/colors HTTP/1.1\n\n"
	for name, m := range map[string]between.Message{
		"unread":         {Method: "POST", URL: batchURL, Header: as("a"), Unread: "the rest is missing"},
		"no multipart":   {Method: "POST", URL: batchURL, Header: as("a"), Body: []byte("{}")},
		"a wrong part":   batchOf("", as("a"), get, "PATCH\n\n"),
		"too many parts": batchOf("", as("a"), slices.Repeat([]string{get}, 1001)...),
	} {
		for status, want := range map[int]bool{200: false, 401: true, 500: false} {
			w := watcher(t, between.Options{})
			see(t, w, as("a"), "", stored)
			x := w.Request(m)
			if remembers(w, as("a")) {
				t.Errorf("%s: the event is remembered while the request is under way", name)
			}
			if x.Answer(status, nil, nil, ""); x.Unchecked == "" || remembers(w, as("a")) != want {
				t.Errorf("%s: after %d, the event is remembered: %t; unchecked because %q", name, status, !want, x.Unchecked)
			}
		}
	}
}

// An answer to a batch that is cut, or that is an error, has no parts, and the first is said.
func TestBatchWithoutParts(t *testing.T) {
	for status, want := range map[int]between.Reason{200: "the rest is missing", 401: ""} {
		w := watcher(t, between.Options{})
		x := w.Request(batchOf("", nil, "GET /calendar/v3/colors HTTP/1.1\n\n"))
		_, unchecked := x.Answer(status, between.Header{"Content-Type": {"application/json"}}, []byte("{"), want)
		if unchecked != want {
			t.Errorf("%d: unchecked because %q", status, unchecked)
		}
	}
}

// A part of an answer without a status is not compared, and the answer says so.
func TestPartWithoutStatus(t *testing.T) {
	for _, line := range []string{"HTTP/1.1", "HTTP/1.1 secret", "secret"} {
		x := watcher(t, between.Options{}).Request(batchOf("", nil, "GET /calendar/v3/colors HTTP/1.1\n\n"))
		_, unchecked := x.Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}, multipartOf(line+"\n\n{}"), "")
		if unchecked != "a part of the response does not begin with a status line" || x.Parts[0].Verdict != between.Unjudged {
			t.Errorf("%q: unchecked because %q, the verdict is %q", line, unchecked, x.Parts[0].Verdict)
		}
	}
}

// A request line may lack the version, and a status line the reason.
func TestShortLines(t *testing.T) {
	x := watcher(t, between.Options{}).Request(batchOf("", nil, "GET /calendar/v3/colors\n\n"))
	if len(x.Parts) != 1 || x.Parts[0].Op != "colors.get" {
		t.Fatalf("the parts are %+v, unchecked because %q", x.Parts, x.Unchecked)
	}
	_, unchecked := x.Answer(200, between.Header{"Content-Type": {"multipart/mixed; boundary=b"}}, multipartOf("HTTP/1.1 404\n\n"), "")
	if unchecked != "" || x.Parts[0].Answered.Status != 404 {
		t.Errorf("the answer has the status %d, unchecked because %q", x.Parts[0].Answered.Status, unchecked)
	}
}

// A base and a request may write the origin differently.
func TestOrigins(t *testing.T) {
	for base, same := range map[string][]string{
		"https://Calendar.example/v3":    {"https://calendar.example:443/v3", "HTTPS://CALENDAR.EXAMPLE/v3"},
		"http://calendar.example:80/v3":  {"http://calendar.example/v3"},
		"https://calendar.example:80/v3": {"https://calendar.example:80/v3"},
	} {
		w := watcher(t, between.Options{Base: base})
		for _, address := range same {
			if x := w.Request(between.Message{Method: "GET", URL: address + "/colors"}); x.Op == "" {
				t.Errorf("%s is not at %s", address, base)
			}
		}
		if x := w.Request(between.Message{Method: "GET", URL: "http://calendar.example:443/v3/colors"}); x.Op != "" {
			t.Errorf("another port is at %s", base)
		}
	}
}

// Without a base, the service is at any host, and what one host has is not what another has.
func TestHosts(t *testing.T) {
	w := watcher(t, between.Options{})
	for _, host := range []string{"http://a.example", "http://b.example:8085"} {
		x := w.Request(between.Message{Method: "GET", URL: host + "/calendar/v3/calendars/primary/events/abcde"})
		if x.Op != operation.EventsGet || x.Stored != between.Unseen {
			t.Errorf("at %s, the operation is %q, and the event %s", host, x.Op, x.Stored)
		}
		x.Answer(200, nil, []byte(`{"id":"abcde","status":"confirmed"}`), "")
	}
	batch := w.Request(between.Message{Method: "POST", URL: "http://a.example/batch/calendar/v3", Header: between.Header{"Content-Type": {"multipart/mixed; boundary=b"}},
		Body: []byte("--b\n\nGET /calendar/v3/calendars/primary/events/abcde HTTP/1.1\n\n\n--b--")})
	if len(batch.Parts) != 1 || batch.Parts[0].Stored != between.Known {
		t.Errorf("the batch has the parts %+v, unchecked because %q", batch.Parts, batch.Unchecked)
	}
	for base, address := range map[string]string{"": "http://a.example/batch", "http://b.example/v3": "http://a.example/v3/colors"} {
		if watcher(t, between.Options{Base: base}).Watches("POST", address) {
			t.Errorf("with the base %q, %s is watched", base, address)
		}
	}
	if w, err := between.New(between.Options{Documents: true}); w != nil || err == nil {
		t.Error("the documents have no address")
	}
}

// A POST that stands for another method is checked as a request with that method.
func TestMethodOverride(t *testing.T) {
	form := between.Header{"X-Http-Method-Override": {"GET"}, "Content-Type": {"application/x-www-form-urlencoded"}}
	for _, test := range []struct {
		url, body string
		header    between.Header
		op        operation.ID
		refused   bool
	}{
		{events + "?alt=json", "singleEvents=true&timeMin=2026-03-10T00%3A00%3A00Z", form, operation.EventsList, false},
		{events, "orderBy=startTime", form, operation.EventsList, true},
		{events, "orderBy=startTime", between.Header{"X-Http-Method-Override": {"GET"}, "Content-Type": {"text/plain"}}, operation.EventsList, false},
		{events + "/abcde", `{"summary":"Review"}`, between.Header{"X-Http-Method-Override": {"PATCH"}, "Content-Type": {"application/x-www-form-urlencoded"}}, operation.EventsPatch, false},
		{events + "/abcde", `{"summary":"Review"}`, between.Header{"x-http-method-override": {"patch"}}, operation.EventsPatch, false},
		{events + "/abcde", `{"status":"maybe"}`, between.Header{"X-HTTP-Method-Override": {"PATCH"}}, operation.EventsPatch, true},
		{events + "/abcde", "", between.Header{"X-HTTP-Method-Override": {"TRACE"}}, "", false},
	} {
		w := watcher(t, between.Options{})
		x := w.Request(between.Message{Method: "POST", URL: test.url, Header: test.header, Body: []byte(test.body)})
		if x.Op != test.op || (x.Refusal() != nil) != test.refused || x.Unchecked != "" {
			t.Errorf("%s %s: %q, refused for %v, unchecked because %q", test.url, test.body, x.Op, x.Refusal(), x.Unchecked)
		}
	}
	w := watcher(t, between.Options{})
	see(t, w, as("a"), "", stored)
	header := as("a")
	header["X-Http-Method-Override"] = []string{"PATCH"}
	if w.Request(between.Message{Method: "POST", URL: events + "/abcde", Header: header, Body: []byte(`{}`)}).Answer(500, nil, nil, ""); remembers(w, as("a")) {
		t.Error("a patch that is a POST leaves the event remembered")
	}
}

// Of a page, the events that have their form are remembered. An answer without an id pushes no event out.
func TestRememberedOfPage(t *testing.T) {
	w := watcher(t, between.Options{})
	var items []string
	for i := range 12 {
		item := strings.Replace(stored, "abcde", fmt.Sprint("abcde", i), 1)
		switch i {
		case 10:
			item = strings.Replace(item, `"confirmed"`, `"maybe"`, 1)
		case 11:
			item = strings.Replace(item, "{", `{"unknownMember":1,`, 1)
		}
		items = append(items, item)
	}
	found, _ := w.Request(between.Message{Method: "GET", URL: events}).Answer(200, nil, []byte(`{"items":[`+strings.Join(items, ",")+`]}`), "")
	if len(found) == 0 {
		t.Error("nothing is wrong with the page")
	}
	for i := range 12 {
		x := w.Request(between.Message{Method: "GET", URL: fmt.Sprint(events, "/abcde", i)})
		if got, want := x.Stored == between.Known, i != 10; got != want {
			t.Errorf("event %d is %q", i, x.Stored)
		}
	}
	w = watcher(t, between.Options{MaxEvents: 1})
	see(t, w, nil, "", stored)
	for _, get := range []string{"/bcdef", "?fields=items", "?callback=f"} {
		w.Request(between.Message{Method: "GET", URL: events + get}).Answer(200, nil, []byte(`{"status":"confirmed"}`), "")
		w.Request(between.Message{Method: "POST", URL: events + "?fields=status", Body: []byte(`{}`)}).Answer(200, nil, []byte(`{"status":"confirmed"}`), "")
	}
	if x := w.Request(between.Message{Method: "GET", URL: events + "/abcde"}); x.Stored != between.Known {
		t.Errorf("after answers without an id, the event is %q", x.Stored)
	}
	w = watcher(t, between.Options{})
	for _, answer := range []struct {
		query  string
		status int
	}{{"?fields=id", 404}, {"?callback=f", 200}} {
		w.Request(between.Message{Method: "GET", URL: events + "/abcde" + answer.query}).Answer(answer.status, nil, []byte(`{"id":"abcde"}`), "")
		if x := w.Request(between.Message{Method: "GET", URL: events + "/abcde"}); x.Stored != between.Unseen {
			t.Errorf("after %v, the event is %q", answer, x.Stored)
		}
	}
}

// What is a part of a representation, or none in JSON, is neither checked nor remembered.
func TestPartialAnswers(t *testing.T) {
	for name, test := range map[string]struct {
		query  string
		header between.Header
		status int
	}{
		"fields": {"?fields=id", nil, 200}, "$fields": {"?%24fields=id", nil, 200}, "field mask": {"", between.Header{"X-Goog-Fieldmask": {"id"}}, 200},
		"callback": {"?callback=f", nil, 200}, "range": {"", between.Header{"Range": {"bytes=0-5"}}, 206},
	} {
		w := watcher(t, between.Options{})
		x := w.Request(between.Message{Method: "GET", URL: events + "/abcde" + test.query, Header: test.header})
		for _, answer := range []string{stored, "f({})", `{"id":"abc`} {
			if found, unchecked := x.Answer(test.status, nil, []byte(answer), ""); found != nil || unchecked == "" {
				t.Errorf("%s: %v", name, found)
			}
		}
		if remembers(w, test.header) {
			t.Errorf("%s: the event is remembered", name)
		}
	}
}

// A page is read whatever its members are, and one with too much is not checked.
func TestPages(t *testing.T) {
	many := func(n int, item string) string {
		return `{"items":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + `]}`
	}
	for answer, want := range map[string]struct {
		findings  int
		unchecked string
	}{
		`{"items":null,"x":[1]}`:                     {0, ""},
		`{"items":[],"x":{"items":[1]},"Items":[1]}`: {0, ""},
		`{"items":[1],"items":[]}`:                   {1, ""},
		`{"\u0069tems":[1]}`:                         {1, ""},
		`{"items":{}}`:                               {0, "not an array"},
		`{"items":[}`:                                {0, "(byte 11)"},
		`{"items":[` + stored:                        {0, "unexpected end of input"},
		many(10_000, "1"):                            {1000, ""},
		many(10_001, "1"):                            {0, "more than 10000 events"},
		many(1, strings.Repeat("[", 20_000)):         {0, "not a page"},
		many(1, strings.Repeat("[", 5000)+strings.Repeat("]", 5000)): {1, ""},
	} {
		w := watcher(t, between.Options{})
		found, unchecked := w.Request(between.Message{Method: "GET", URL: events, Header: as("a")}).Answer(200, nil, []byte(answer), "")
		if len(found) != want.findings || !strings.Contains(string(unchecked), want.unchecked) || (unchecked == "") != (want.unchecked == "") {
			t.Errorf("%.60s: %d findings, unchecked because %q", answer, len(found), unchecked)
		}
		if remembers(w, as("a")) {
			t.Errorf("%.60s: an event is remembered", answer)
		}
	}
}

// Long events are remembered for a shorter time.
func TestLimitOfMemory(t *testing.T) {
	pad := strings.Repeat("x", 1<<20)
	for n, want := range map[int]bool{60: true, 64: false} {
		w := watcher(t, between.Options{})
		see(t, w, as("a"), "", stored)
		for i := range n {
			id := fmt.Sprintf("bcdef%d", i)
			x := w.Request(between.Message{Method: "GET", URL: events + "/" + id, Header: as("b")})
			x.Answer(200, nil, []byte(strings.Replace(stored, `"abcde"`, `"`+id+`","x":"`+pad+`"`, 1)), "")
		}
		if got := remembers(w, as("a")); got != want {
			t.Errorf("after %d MiB of other events, the first is remembered: %t", n, got)
		}
	}
}
