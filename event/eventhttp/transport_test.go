package eventhttp_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	neturl "net/url"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/operation"
)

// watched returns a client whose exchanges with a server are watched, and where the reports go.
func watched(t *testing.T, handler http.HandlerFunc, block bool) (*http.Client, string, *[]eventhttp.Report) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	w, err := between.New(between.Options{Base: server.URL + "/calendar/v3", MaxBytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	reports := new([]eventhttp.Report)
	transport := &eventhttp.Transport{Next: server.Client().Transport, Watcher: w, Block: block, Report: func(r eventhttp.Report) { *reports = append(*reports, r) }}
	return &http.Client{Transport: transport}, server.URL, reports
}

const storedEvent = `{"kind":"calendar#event","etag":"\"1\"","id":"abcde","status":"confirmed","start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`

// Findings go to the function, about a request alone, about it beside the event that was read, and about the answer.
func TestTransportReports(t *testing.T) {
	client, url, reports := watched(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, storedEvent) }, false)
	const path = "/calendar/v3/calendars/primary/events"
	for _, exchange := range []struct{ method, path, body string }{
		{"OPTIONS", path, ""},
		{"POST", path, `{"start":{"date":"2026-03-10"}}`},
		{"GET", path + "/abcde", ""},
		{"PATCH", path + "/abcde", `{"end":{"dateTime":"2026-03-10T08:00:00Z"}}`},
		{"GET", "/drive/v3/files", ""},
		{"GET", path + "/abcde/instance", ""},
		{"POST", path, `{"summary":"` + strings.Repeat("a", 1000-len(`{"summary":""}`)) + `"}`},
		{"POST", path, `{"summary":"` + strings.Repeat("a", 1000) + `"}`},
	} {
		r, err := http.NewRequest(exchange.method, url+exchange.path, strings.NewReader(exchange.body))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if text, _ := io.ReadAll(answer.Body); string(text) != storedEvent {
			t.Errorf("%s %s is answered with %s", exchange.method, exchange.path, text)
		}
		answer.Body.Close()
	}
	var got []string
	for _, r := range *reports {
		line := fmt.Sprintf("%s %d %t %s", r.Exchange.Op, r.Status, r.Blocked, r.Exchange.Unchecked)
		for _, f := range r.Exchange.Findings {
			if f.Kind == diag.Reject {
				line += fmt.Sprintf(" %s %t", f.Rule.ID, f.Remembered)
			}
		}
		got = append(got, line)
	}
	want := []string{
		"events.insert 200 false  event.end.required false",
		"events.get 200 false ",
		"events.patch 200 false  patch.whole true",
		" 200 false ",
		"events.insert 200 false  event.start.required false event.end.required false",
		"events.insert 200 false the body is longer than 1000 bytes",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A request that is sure to be refused is answered as the service would, and others are sent.
func TestTransportBlocks(t *testing.T) {
	sent := 0
	client, url, reports := watched(t, func(w http.ResponseWriter, r *http.Request) { sent++; io.WriteString(w, storedEvent) }, true)
	url += "/calendar/v3/calendars/primary/events"
	answer, err := client.Post(url, "application/json", strings.NewReader(`{"start":{"date":"2026-03-10"}}`))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var refused struct {
		Error struct {
			Code    int
			Message string
			Errors  []struct{ Reason string }
		}
	}
	if got := answer.Header.Get("Server"); got != "calrules" {
		t.Errorf("the refusal is from %q", got)
	}
	if err := json.NewDecoder(answer.Body).Decode(&refused); err != nil || answer.StatusCode != 400 || refused.Error.Code != 400 ||
		refused.Error.Message != "/end: The end is required." || refused.Error.Errors[0].Reason != "required" || sent != 0 {
		t.Errorf("%d %+v, %v; %d requests are sent", answer.StatusCode, refused, err, sent)
	}
	for tag, want := range map[string]int{``: 200, `"2"`: 200, `"1"`: 400} {
		get, err := client.Get(url + "/abcde")
		if err != nil {
			t.Fatal(err)
		}
		get.Body.Close()
		r, _ := http.NewRequest("PATCH", url+"/abcde", strings.NewReader(`{"end":{"dateTime":"2026-03-10T08:00:00Z"}}`))
		if tag != "" {
			r.Header.Set("If-Match", tag)
		}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Body.Close(); answer.StatusCode != want {
			t.Errorf("with If-Match %s the patch is answered with %d, want %d", tag, answer.StatusCode, want)
		}
	}
	body := &closing{Reader: strings.NewReader("{}")}
	r, _ := http.NewRequest("POST", url, body)
	if answer, err := client.Transport.RoundTrip(r); err != nil || answer.StatusCode != 400 || !body.closed {
		t.Errorf("a body that is not sent: %v, and it is closed: %t", err, body.closed)
	}
	blocked := 0
	for _, r := range *reports {
		if r.Blocked {
			blocked++
		}
	}
	if blocked != 3 {
		t.Errorf("%d requests are blocked, want 3", blocked)
	}
}

// Requests and answers pass byte for byte, whatever they are.
func TestTransportPasses(t *testing.T) {
	var method, query, path string
	var got, answer []byte
	status := 200
	client, url, _ := watched(t, func(w http.ResponseWriter, r *http.Request) {
		method, path, query = r.Method, r.URL.EscapedPath(), r.URL.RawQuery
		got, _ = io.ReadAll(r.Body)
		w.WriteHeader(status)
		w.Write(answer)
	}, false)
	rapid.Check(t, func(t *rapid.T) {
		text := func(label string) []byte {
			return bytes.Repeat([]byte(rapid.StringN(0, 20, -1).Draw(t, label)), rapid.SampledFrom([]int{0, 1, 200}).Draw(t, label+" times"))
		}
		body := text("body")
		answer, status = text("answer"), rapid.SampledFrom([]int{200, 400, 404, 503}).Draw(t, "status")
		to := rapid.SampledFrom([]string{"/calendar/v3/calendars/a%2Fb/events", "/calendar/v3/calendars/primary/events/abcde", "/other"}).Draw(t, "path")
		q := rapid.SampledFrom([]string{"", "a=b&a=%zz", "q=%20+x;y", "maxResults=abc"}).Draw(t, "query")
		verb := rapid.SampledFrom([]string{"GET", "POST", "PATCH", "PUT", "DELETE"}).Draw(t, "method")
		r, err := http.NewRequest(verb, url+to+"?"+q, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		before := r.Body
		a, err := client.Transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		back, err := io.ReadAll(a.Body)
		if err != nil || method != verb || path != to || query != q || !bytes.Equal(got, body) || !bytes.Equal(back, answer) || a.StatusCode != status || r.Body != before {
			t.Fatalf("%s %s?%s with %q arrives as %s %s?%s with %q; the answer %q as %q, %v", verb, to, q, body, method, path, query, got, answer, back, err)
		}
	})
}

// A patch that is refused, by the service or by Block, leaves the event known: fixed and sent again it has the findings that
// it would have without the refusal.
func TestTransportRefusedAndFixed(t *testing.T) {
	const path = "/calendar/v3/calendars/primary/events/abcde"
	const refused, fixed = `{"end":{"dateTime":"2026-03-10T07:00:00Z"}}`, `{"end":{"dateTime":"2026-03-10T08:00:00Z"}}`
	last := func(block bool, patches ...string) string {
		client, url, reports := watched(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "PATCH" {
				w.WriteHeader(http.StatusBadRequest)
			}
			io.WriteString(w, storedEvent)
		}, block)
		for i, body := range append([]string{""}, patches...) {
			r, err := http.NewRequest([]string{"GET", "PATCH"}[min(i, 1)], url+path, strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("If-Match", `"1"`)
			answer, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
		}
		r := (*reports)[len(*reports)-1]
		return fmt.Sprint(r.Exchange.Stored, r.Blocked, r.Exchange.Findings)
	}
	for _, block := range []bool{false, true} {
		want := last(block, fixed)
		if got := last(block, refused, fixed); got != want || !strings.Contains(got, "known") || !strings.Contains(got, "patch.whole") {
			t.Errorf("with Block %t, the fixed patch is %s, want %s", block, got, want)
		}
	}
}

// A request to another service passes at once, before its body has an end.
func TestTransportReadsNothingOfOthers(t *testing.T) {
	w, err := between.New(between.Options{Base: diag.Google.BaseURL()})
	if err != nil {
		t.Fatal(err)
	}
	body, more := io.Pipe() // to read from it would never end
	defer more.Close()
	for _, address := range []string{"https://example.com/calendar/v3/calendars/primary/events", "https://www.googleapis.com/drive/v3/files", "https://www.googleapis.com/calendar/v3beta"} {
		r, err := http.NewRequest("POST", address, body)
		if err != nil {
			t.Fatal(err)
		}
		sent := r
		transport := &eventhttp.Transport{Next: seeing(func(r *http.Request) { sent = r }), Watcher: w}
		if answer, err := transport.RoundTrip(r); err != nil || answer == nil || sent != r {
			t.Errorf("%s: %v, %v; another request is sent: %t", address, answer, err, sent != r)
		}
	}
}

// A body that is too long by its stated length is sent unread.
func TestTransportReadsNothingTooLong(t *testing.T) {
	w, err := between.New(between.Options{MaxBytes: 1000})
	if err != nil {
		t.Fatal(err)
	}
	var last eventhttp.Report
	transport := &eventhttp.Transport{Next: answering{strings.NewReader("{}")}, Watcher: w, Report: func(r eventhttp.Report) { last = r }}
	r := httptest.NewRequest("POST", diag.Google.BaseURL()+"/calendars/primary/events", iotest.ErrReader(errors.New("read")))
	r.ContentLength = 1001
	if _, err := transport.RoundTrip(r); err != nil || last.Exchange.Unchecked != "the body is longer than 1000 bytes" {
		t.Errorf("%v, %+v", err, last)
	}
}

// seeing is a transport that passes each request to a function.
type seeing func(*http.Request)

func (s seeing) RoundTrip(r *http.Request) (*http.Response, error) {
	s(r)
	return &http.Response{StatusCode: 204, Body: http.NoBody}, nil
}

type failingTransport struct{ err error }

func (f failingTransport) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

type answering struct{ body io.Reader }

func (a answering) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Body: io.NopCloser(a.body)}, nil
}

// closing is a body that notes that it is closed, as a RoundTripper must, also if it fails.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error {
	c.closed = true
	return nil
}

// However a change ends, its event is known afterwards only if nothing was sent, and nothing of it stays held.
func TestTransportEnds(t *testing.T) {
	const path = "/calendars/primary/events/abcde"
	broken := errors.New("broken")
	change := `{"description":"` + strings.Repeat("a", 900) + `"}`
	for name, test := range map[string]struct {
		body  io.Reader
		next  http.RoundTripper
		block bool
		want  between.Stored
	}{
		"no answer":            {strings.NewReader(change), failingTransport{broken}, false, between.Outdated},
		"a stream":             {strings.NewReader(change), streaming{http.Response{StatusCode: 101, Body: http.NoBody}}, false, between.Outdated},
		"an answer that fails": {strings.NewReader(change), answering{iotest.ErrReader(broken)}, false, between.Outdated},
		"a body that fails":    {io.MultiReader(strings.NewReader(change), iotest.ErrReader(broken)), failingTransport{broken}, false, between.Known},
		"a refusal":            {strings.NewReader(`{"status":"` + strings.Repeat("a", 900) + `"}`), failingTransport{broken}, true, between.Known},
	} {
		w, err := between.New(between.Options{MaxBytes: 1000, MaxChecking: 32_000}) // holds few bodies
		if err != nil {
			t.Fatal(err)
		}
		var last eventhttp.Report
		transport := &eventhttp.Transport{Watcher: w, Block: test.block, Report: func(r eventhttp.Report) { last = r }}
		send := func(method string, body io.Reader, next http.RoundTripper) {
			transport.Next = next
			r, err := http.NewRequest(method, diag.Google.BaseURL()+path, body)
			if err != nil {
				t.Fatal(err)
			}
			if answer, err := transport.RoundTrip(r); err == nil {
				answer.Body.Close()
			}
		}
		send("GET", nil, answering{strings.NewReader(storedEvent)})
		send("PATCH", test.body, test.next)
		send("GET", nil, failingTransport{broken})
		if last.Exchange.Stored != test.want {
			t.Errorf("%s: the event is %q, want %q", name, last.Exchange.Stored, test.want)
		}
		for range 20 {
			text := change
			if test.block {
				text = strings.Replace(change, "description", "status", 1)
			}
			send("PATCH", strings.NewReader(text), test.next)
			send("OPTIONS", strings.NewReader(text), answering{strings.NewReader("{}")}) // no operation
		}
		if last.Exchange.Unchecked != "" {
			t.Errorf("%s: after 20 of them, a request is unchecked because %q", name, last.Exchange.Unchecked)
		}
	}
}

// The transport counts requests, so that a program can tell that none of them was to the service.
func TestTransportSummary(t *testing.T) {
	w, err := between.New(between.Options{})
	if err != nil {
		t.Fatal(err)
	}
	transport := &eventhttp.Transport{Next: answering{strings.NewReader("{}")}, Watcher: w}
	for _, test := range []struct{ url, want string }{
		{"http://127.0.0.1:8085/drive/v3/files", "1 request, none to the service"},
		{"http://127.0.0.1:8085/calendar/v3beta/colors", "2 requests, none to the service"},
		{"http://127.0.0.1:8085/calendar/v3/colors", "3 requests, 1 to the service"},
	} {
		if _, err := transport.RoundTrip(httptest.NewRequest("GET", test.url, nil)); err != nil {
			t.Fatal(err)
		}
		if got := transport.Summary(); got != test.want {
			t.Errorf("after %s: %q", test.url, got)
		}
	}
}

// Where an answer has no end, because it is a stream or the connection for another protocol, nothing reads it.
func TestTransportStreams(t *testing.T) {
	for status, media := range map[int]string{101: "", 200: "text/event-stream; charset=utf-8"} {
		w, err := between.New(between.Options{})
		if err != nil {
			t.Fatal(err)
		}
		ours, theirs := net.Pipe() // to read from it would never end
		defer theirs.Close()
		defer ours.Close()
		var reports []eventhttp.Report
		transport := &eventhttp.Transport{
			Next:   streaming{http.Response{StatusCode: status, Header: http.Header{"Content-Type": {media}}, Body: ours}},
			Report: func(r eventhttp.Report) { reports = append(reports, r) }, Watcher: w,
		}
		answer, err := transport.RoundTrip(httptest.NewRequest("GET", diag.Google.BaseURL()+"/colors", nil))
		if err != nil || answer.Body != ours || len(reports) != 1 || reports[0].Status != status || reports[0].Unchecked == "" {
			t.Errorf("%v, %v, %+v", answer, err, reports)
		}
	}
}

type streaming struct{ answer http.Response }

func (s streaming) RoundTrip(*http.Request) (*http.Response, error) { return &s.answer, nil }

// Without an answer, or with one that breaks off, the client gets the error that it would get without the transport.
func TestTransportFails(t *testing.T) {
	w, err := between.New(between.Options{})
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	url := diag.Google.BaseURL() + "/calendars/primary/events"
	var last eventhttp.Report
	transport := &eventhttp.Transport{Next: failingTransport{broken}, Watcher: w, Report: func(r eventhttp.Report) { last = r }}
	if _, err := transport.RoundTrip(httptest.NewRequest("GET", url, nil)); !errors.Is(err, broken) || last.Exchange.Op != operation.EventsList || last.Status != 0 {
		t.Errorf("%v, %+v", err, last)
	}
	transport.Next = answering{io.MultiReader(strings.NewReader(`{"items"`), iotest.ErrReader(broken))}
	answer, err := transport.RoundTrip(httptest.NewRequest("GET", url, nil))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(answer.Body); string(text) != `{"items"` || !errors.Is(err, broken) || last.Unchecked == "" {
		t.Errorf("the answer is %q, %v, unchecked because %q", text, err, last.Unchecked)
	}
	if _, err := transport.RoundTrip(httptest.NewRequest("POST", url, iotest.ErrReader(broken))); !errors.Is(err, broken) || last.Exchange.Op != operation.EventsInsert || last.Exchange.Unchecked == "" || last.Status != 0 {
		t.Errorf("a body that breaks off: %v, %+v", err, last)
	}
	for name, test := range map[string]struct {
		url  *neturl.URL
		body io.Reader
	}{
		"a body that breaks off": {httptest.NewRequest("POST", url, nil).URL, iotest.ErrReader(broken)},
		"no URL":                 {nil, strings.NewReader("{}")},
	} {
		body := &closing{Reader: test.body}
		if _, err := transport.RoundTrip(&http.Request{Method: "POST", URL: test.url, Body: body}); err == nil || !body.closed {
			t.Errorf("%s: %v, and the body is closed: %t", name, err, body.closed)
		}
	}
	if _, err := (&eventhttp.Transport{Next: failingTransport{broken}}).RoundTrip(httptest.NewRequest("GET", url, nil)); !errors.Is(err, broken) {
		t.Errorf("without a watcher: %v", err)
	}
}

// The zero Transport, and one whose watcher has zero options, pass requests to paths of another service unchecked.
func TestTransportOfZeroOptions(t *testing.T) {
	const wrong = `{"start":{"date":"2026-03-10"}}`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	t.Cleanup(server.Close)
	w, err := between.New(between.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report := func(r eventhttp.Report) { t.Errorf("a report: %+v", r) }
	for name, transport := range map[string]*eventhttp.Transport{
		"zero":                  {},
		"all without a watcher": {Report: report, Block: true, Fix: true},
		"another service":       {Watcher: w, Report: report, Block: true, Fix: true},
	} {
		client := &http.Client{Transport: transport}
		answer, err := client.Post(server.URL+"/v3/calendars/primary/events", "application/json", strings.NewReader(wrong))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(answer.Body); string(text) != wrong || err != nil {
			t.Errorf("%s: the server got %q, %v", name, text, err)
		}
		answer.Body.Close()
	}
}

// With Fix, what is certain is fixed in the body and in the query, and the findings are about what is sent. All else passes
// byte for byte.
func TestTransportFixes(t *testing.T) {
	var gotQuery, gotBody, gotCoding string
	client, url, reports := watched(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.ContentLength != int64(len(body)) {
			t.Errorf("the length is %d, of a body of %d bytes", r.ContentLength, len(body))
		}
		gotQuery, gotBody, gotCoding = r.URL.RawQuery, string(body), r.Header.Get("Content-Encoding")
		io.WriteString(w, storedEvent)
	}, false)
	url += "/calendar/v3/calendars/primary/events"
	const timed = `{ "start":{"dateTime":"2026-03-10T09:00:00Z"}, "end":{"dateTime":"2026-03-10T10:00:00Z"}%s}`
	event := func(more string) string { return fmt.Sprintf(timed, more) }
	for name, c := range map[string]struct {
		query, body         string
		wantQuery, wantBody string
		fixed               string
		off, isRejected     bool
	}{
		"valid":     {query: "b=1&a=2", body: event(""), wantQuery: "b=1&a=2", wantBody: event("")},
		"body":      {body: event(`, "status":"Confirmed"`), wantBody: event(`, "status":"confirmed"`), fixed: "event.status.enum"},
		"choice":    {body: event(`, "status":"confirmd"`), wantBody: event(`, "status":"confirmd"`), isRejected: true},
		"parameter": {query: "z=%20&sendUpdates=All", body: event(""), wantQuery: "sendUpdates=all&z=+", wantBody: event(""), fixed: "param.value"},
		"both": {
			query: "sendUpdates=All", body: event(`, "status":"Confirmed"`),
			wantQuery: "sendUpdates=all", wantBody: event(`, "status":"confirmed"`), fixed: "param.value event.status.enum",
		},
		"off": {
			query: "sendUpdates=All", body: event(`, "status":"Confirmed"`),
			wantQuery: "sendUpdates=All", wantBody: event(`, "status":"Confirmed"`), off: true, isRejected: true,
		},
	} {
		client.Transport.(*eventhttp.Transport).Fix = !c.off
		for _, coding := range []string{"", "gzip"} {
			t.Run(name+coding, func(t *testing.T) {
				body := []byte(c.body)
				if coding != "" {
					body = gzipped(c.body)
				}
				r, _ := http.NewRequest("POST", url+"?"+c.query, bytes.NewReader(body))
				r.Header["Content-Encoding"] = []string{coding}
				answer, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				answer.Body.Close()
				if want := string(body); c.body == c.wantBody && (gotBody != want || gotCoding != coding) {
					t.Errorf("the body is sent as %q, coded as %q", gotBody, gotCoding)
				}
				if c.body != c.wantBody && (gotBody != c.wantBody || gotCoding != "") {
					t.Errorf("the body is sent as %q, coded as %q; want %q", gotBody, gotCoding, c.wantBody)
				}
				if gotQuery != c.wantQuery {
					t.Errorf("the query is sent as %q, want %q", gotQuery, c.wantQuery)
				}
				report := (*reports)[len(*reports)-1]
				var fixed []string
				for _, f := range report.Fixed {
					fixed = append(fixed, f.Rule.ID)
					if f.Fix == nil || !f.Fix.Safe {
						t.Errorf("%s is fixed with the fix %v", f, f.Fix)
					}
				}
				if got := strings.Join(fixed, " "); got != c.fixed {
					t.Errorf("fixed is %q, want %q", got, c.fixed)
				}
				rejects := slices.ContainsFunc(report.Exchange.Findings, func(f between.Finding) bool { return f.Kind == diag.Reject })
				if rejects != c.isRejected {
					t.Errorf("of what is sent, the findings are %v", report.Exchange.Findings)
				}
			})
		}
	}
}

// A fixed request can be sent again, as [http.Transport] does if a connection breaks.
func TestTransportFixesAgain(t *testing.T) {
	var got []string
	client, url, _ := watched(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, string(body))
		io.WriteString(w, storedEvent)
	}, false)
	transport := client.Transport.(*eventhttp.Transport)
	transport.Fix, transport.Next = true, twice{transport.Next}
	const sent, want = `{"start":{"dateTime":"2026-03-10T09:00:00+0000"}}`, `{"start":{"dateTime":"2026-03-10T09:00:00+00:00"}}`
	answer, err := client.Post(url+"/calendar/v3/calendars/primary/events", "application/json", strings.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if diff := cmp.Diff([]string{want, want}, got); diff != "" {
		t.Errorf("the bodies are sent as (-want +got):\n%s", diff)
	}
}

// Whether a fixed request without an answer has changed the event is not known.
func TestTransportFixesInVain(t *testing.T) {
	client, url, reports := watched(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, storedEvent) }, false)
	transport := client.Transport.(*eventhttp.Transport)
	transport.Fix = true
	next := transport.Next
	for _, exchange := range []struct {
		method, body string
		next         http.RoundTripper
	}{
		{"GET", "", next},
		{"PATCH", `{"status":"Confirmed"}`, failingTransport{errors.New("broken")}},
		{"PATCH", `{"end":{"dateTime":"2026-03-10T08:00:00Z"}}`, next},
	} {
		transport.Next = exchange.next
		r, _ := http.NewRequest(exchange.method, url+"/calendar/v3/calendars/primary/events/abcde", strings.NewReader(exchange.body))
		if answer, err := client.Do(r); err == nil {
			answer.Body.Close()
		}
	}
	last := (*reports)[len(*reports)-1]
	if len(*reports) != 3 || (*reports)[1].Fixed == nil || len(last.Exchange.Findings) > 0 {
		t.Errorf("%d reports, the last with %v", len(*reports), last.Exchange.Findings)
	}
}

// twice is a transport that sends each request twice.
type twice struct{ next http.RoundTripper }

func (t twice) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := t.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body.Close()
	again := new(*r)
	if again.Body, err = r.GetBody(); err != nil {
		return nil, err
	}
	return t.next.RoundTrip(again)
}

func gzipped(text string) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.Bytes()
}
