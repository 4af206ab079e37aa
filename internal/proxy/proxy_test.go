package proxy

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/internal/traffic"
	"github.com/calrules/calrules/rtdbauth"
)

const (
	events = "/calendar/v3/calendars/primary/events"
	stored = `{"kind":"calendar#event","id":"abcde","etag":"\"1\"","status":"confirmed","start":{"dateTime":"2026-03-10T09:00:00Z"},"end":{"dateTime":"2026-03-10T10:00:00Z"}}`
	early1 = `{"end":{"dateTime":"2026-03-10T08:00:00Z"}}`
)

// running is a proxy that serves.
type running struct {
	*Proxy
	base string // http://127.0.0.1:port

	client *http.Client // of a proxy in a bubble

	mutex    sync.Mutex
	seen     []Exchange
	errors   []string
	reported chan struct{} // has an element if something was reported
	ended    chan error
	stop     context.CancelFunc
}

func (r *running) exchanges() []Exchange {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return slices.Clone(r.seen)
}

func (r *running) complaints() string {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return strings.Join(r.errors, "\n")
}

// await waits for a report after which done returns true.
func (r *running) await(done func() bool) {
	for !done() {
		<-r.reported
	}
}

// last returns the exchange that was reported last.
func (r *running) last(t *testing.T) Exchange {
	t.Helper()
	seen := r.exchanges()
	if len(seen) == 0 {
		t.Fatal("no exchange is reported")
	}
	return seen[len(seen)-1]
}

func parse(t testing.TB, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// watching returns options for a service of the dialect google.
func watching(t testing.TB, service string) Options {
	t.Helper()
	w, err := between.New(between.Options{Base: service + "/calendar/v3"})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Service: parse(t, service), Watchers: []*between.Watcher{w}, Dialect: diag.Google}
}

// observe keeps what the proxy reports.
func (r *running) observe(o *Options) {
	r.reported = make(chan struct{}, 1)
	o.Report = func(x Exchange) { r.note(func() { r.seen = append(r.seen, x) }) }
	o.Errors = func(text string) { r.note(func() { r.errors = append(r.errors, text) }) }
}

func (r *running) note(report func()) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	report()
	select {
	case r.reported <- struct{}{}:
	default:
	}
}

// start starts a proxy.
func start(t testing.TB, o Options) *running {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{base: "http://" + l.Addr().String(), ended: make(chan error, 1)}
	r.observe(&o)
	r.Proxy = New(o)
	ctx, cancel := context.WithCancel(context.Background())
	r.stop = cancel
	go func() { r.ended <- r.Serve(ctx, l, nil) }()
	t.Cleanup(func() {
		cancel()
		<-r.ended
	})
	return r
}

// inBubble calls test with a proxy whose time is that of a bubble of testing/synctest and whose connections are in memory,
// as a bubble requires: the upstream answers each of its connections with the function.
func inBubble(t *testing.T, o func(t *testing.T) Options, upstream func(net.Conn), test func(t *testing.T, p *running)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		options := o(t)
		if options.Timeout == 0 {
			options.Timeout = time.Minute
		}
		l := newHanded()
		p := &running{base: "http://proxy.example", ended: make(chan error, 1)}
		p.observe(&options)
		p.Proxy = New(options)
		from := &http.Transport{DisableCompression: true, DialContext: l.dial}
		to := p.to.next.(*http.Transport)
		var upstreams sync.WaitGroup
		to.DialContext = func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			upstreams.Go(func() {
				defer far.Close()
				upstream(far)
			})
			return near, nil
		}
		p.client = &http.Client{Transport: from}
		ctx, cancel := context.WithCancel(t.Context())
		p.stop = cancel
		go func() { p.ended <- p.Serve(ctx, l, nil) }()
		defer func() { // a bubble ends when nothing runs in it
			from.CloseIdleConnections()
			p.stop()
			<-p.ended
			to.CloseIdleConnections()
			upstreams.Wait()
		}()
		test(t, p)
	})
}

// serve starts an upstream.
func serve(t testing.TB, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

// client sends requests and answers as they are.
var client = &http.Client{Transport: &http.Transport{DisableCompression: true}, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// send sends a request, whose fields are names and values in turn.
func send(t testing.TB, method, url, body string, fields ...string) (status int, header http.Header, answer string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	got, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return got.StatusCode, got.Header, string(text)
}

// exchange is a request as the upstream gets it, and the answer as the client gets it.
type exchange struct {
	method, target, body string
	status               int
	answer, coding       string
}

// random draws an exchange.
func random(r *rand.Rand) exchange {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	text := func(most int) string {
		b := make([]byte, r.IntN(most))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return string(b)
	}
	x := exchange{method: pick("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "QUERY"), target: pick(events, "/calendar/v3/colors", "/drive/v3/files", "/", "//a/b", "/batch/calendar/v3")}
	for range r.IntN(4) {
		x.target += pick("/abcde", "/a%2Fb", "/%2e%2e", "/..", "/|", "/\xc3\xa9", "/\xff", "/a%7Cb", "//", "/[1]", "/a;b", "/'\"<>^`{}", "/%C3%A9", "/a+b", "/a:b@c", "/#f", "/x=y&z")
	}
	if r.IntN(4) > 0 {
		x.target += "?"
	}
	if strings.HasSuffix(x.target, "?") {
		for range r.IntN(5) {
			x.target += pick("fields=id", "&", "a=%zz", "a;b", ";", "q=%2F", "=", "+", "%", "timeMin=2026-03-10T00:00:00Z", "\xff", "é", "a=b=c", "?", "#", "access_token=secret", "'\"<>[]{}|\\^`")
		}
	}
	if x.method != "HEAD" && x.method != "GET" && x.method != "OPTIONS" {
		x.body = pick("", `{"start":{"date":"2026-03-10"}}`, text(3000), early1)
	}
	x.status = []int{200, 200, 200, 201, 204, 301, 304, 400, 404, 410, 412, 429, 500, 599}[r.IntN(14)]
	if x.coding = pick("", "", "gzip", "br"); x.status != 204 && x.status != 304 && x.method != "HEAD" {
		x.answer = pick("", stored, text(3000), `{"items":[`+stored+`]}`, "<html>")
	}
	return x
}

// What the upstream gets is what the client sends, and the client gets what the upstream answers, byte for byte.
func TestBytesPass(t *testing.T) {
	n := testdepth.Draws(200, 10_000)
	const seed = 1
	draw := rand.New(rand.NewPCG(seed, seed))
	var got exchange
	next := make(chan exchange, 1)
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got = <-next
		got.method, got.target, got.body = r.Method, r.RequestURI, string(body)
		if got.coding != "" {
			w.Header().Set("Content-Encoding", got.coding)
		}
		w.WriteHeader(got.status)
		io.WriteString(w, got.answer)
	})
	p := start(t, watching(t, upstream))
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	answers := bufio.NewReader(conn)
	for i := range n {
		want := random(draw)
		next <- want
		length := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(want.body), want.body)
		if i%2 == 0 && want.body != "" {
			length = fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(want.body), want.body)
		}
		fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: a.example\r\nAuthorization: Bearer secret\r\n%s", want.method, want.target, length)
		answer, err := http.ReadResponse(answers, &http.Request{Method: want.method})
		if err != nil {
			t.Fatalf("%d: %+v: %v", i, want, err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatalf("%d: %+v: %v", i, want, err)
		}
		if len(next) > 0 {
			t.Fatalf("%d: %+v is answered with %d %s", i, want, answer.StatusCode, text)
		}
		// A path that begins with two slashes and has characters that URLs do not have needs the form with a host.
		got.target = strings.TrimPrefix(got.target, upstream)
		got.status, got.answer, got.coding = answer.StatusCode, string(text), answer.Header.Get("Content-Encoding")
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(exchange{})); diff != "" {
			t.Fatalf("%d (-want +got):\n%s", i, diff)
		}
	}
	if p.complaints() != "" {
		t.Error(p.complaints())
	}
}

// The header passes both ways, apart from what is about one connection, and nothing is added.
func TestHeaderPasses(t *testing.T) {
	var got *http.Request
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		w.Header()["Content-Type"], w.Header()["Date"] = nil, nil
		w.Header().Set("X-Answer", "1")
		w.Header().Add("Set-Cookie", "a=b")
		io.WriteString(w, "<html>")
	})
	p := start(t, watching(t, upstream))
	_, header, _ := send(t, "GET", p.base+events, "", "Authorization", "Bearer secret", "Cookie", "a=b", "X-Request", "1", "If-Match", `"1"`, "Connection", "X-Hop", "X-Hop", "1")
	delete(got.Header, "Accept-Encoding")
	want := http.Header{"Authorization": {"Bearer secret"}, "Cookie": {"a=b"}, "X-Request": {"1"}, "If-Match": {`"1"`}, "User-Agent": {"Go-http-client/1.1"}}
	if diff := cmp.Diff(want, got.Header); diff != "" {
		t.Errorf("the request's header (-want +got):\n%s", diff)
	}
	if got.Host != strings.TrimPrefix(upstream, "http://") {
		t.Errorf("the Host is %s", got.Host)
	}
	if diff := cmp.Diff(http.Header{"X-Answer": {"1"}, "Set-Cookie": {"a=b"}, "Content-Length": {"6"}}, header); diff != "" {
		t.Errorf("the answer's header (-want +got):\n%s", diff)
	}
}

// Trailers of answers pass. Trailers of requests do not, and are not announced to the upstream.
func TestTrailers(t *testing.T) {
	var got http.Header
	p := start(t, watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		got = r.Trailer
		w.Header().Set("Trailer", "X-Answer")
		io.WriteString(w, "{}")
		w.Header().Set("X-Answer", "1")
	})))
	for _, path := range []string{events, "/drive/v3/files"} { // checked, and not checked
		r, err := http.NewRequest("POST", p.base+path, io.MultiReader(strings.NewReader("{}")))
		if err != nil {
			t.Fatal(err)
		}
		r.Trailer = http.Header{"X-Request": {"1"}}
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if err != nil || string(text) != "{}" || answer.Trailer.Get("X-Answer") != "1" || got != nil {
			t.Errorf("%s: %s, %v with the trailer %v; the upstream gets %v", path, text, err, answer.Trailer, got)
		}
		answer.Body.Close()
	}
}

// Findings are reported for requests, answers and parts of batches; what is none of the service's is not checked.
func TestReports(t *testing.T) {
	answer := stored
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, answer) })
	o := watching(t, upstream)
	o.Print = traffic.Options{Values: true}
	p := start(t, o)
	rules := func(x Exchange) (list []string) {
		for _, f := range x.All() {
			list = append(list, f.Rule)
		}
		return list
	}
	for _, test := range []struct {
		method, target, body, answer string
		op                           string
		rules                        []string
		unchecked                    string
	}{
		{"GET", events + "/abcde", "", stored, "events.get", nil, ""},
		{"PATCH", events + "/abcde", early1, stored, "events.patch", []string{"patch.whole"}, ""},
		{"GET", events + "/abcde", "", strings.Replace(stored, "confirmed", "maybe", 1), "events.get", []string{"answer.resource"}, ""},
		{"GET", events + "?maxResults=0", "", `{"items":[]}`, "events.list", []string{"list.max-results"}, ""},
		{"GET", events, "", "<html>", "events.list", nil, "not a page of events"},
		{"GET", "/drive/v3/files", "", "{}", "", nil, ""},
		{"PUT", events, "", "{}", "", []string{"operation.path"}, ""},
		{"GET", events + "/", "", `{"items":[]}`, "events.list", []string{"operation.path"}, ""},
		{"GET", events + "/abc/de", "", "{}", "", []string{"operation.path"}, ""},
		{"GET", events + "/abc%2Fde", "", stored, "events.get", nil, ""},
		{"GET", "/calendar/v3/calendars/a%2Fb%40c.d/events/abcde", "", stored, "events.get", nil, ""},
		{"GET", events + "?a=%zz", "", `{"items":[]}`, "events.list", nil, "a pair that cannot be parsed"},
		{"POST", "/batch", "{}", "{}", "", nil, "the parts cannot be read"},
		{"POST", "/batch/calendar/v3", "--b\r\n\r\nPOST " + events + " HTTP/1.1\r\n\r\n{\"start\":{\"date\":\"2026-03-10\"}}\r\n--b--", "", "", []string{"event.end.required"}, "not multipart/mixed"},
	} {
		answer = test.answer
		send(t, test.method, p.base+test.target, test.body, "Authorization", "Bearer secret", "Content-Type", "multipart/mixed; boundary=b")
		x := p.last(t)
		path, _, _ := strings.Cut(test.target, "?")
		if string(x.Op) != test.op || x.Method != test.method || x.Path != path || x.Status != 200 || x.Failure != "" || !strings.Contains(string(x.Unchecked), test.unchecked) || (x.Unchecked == "") != (test.unchecked == "") {
			t.Errorf("%s %s: %+v", test.method, test.target, x)
		}
		if got := rules(x); len(got) != len(test.rules) || len(got) > 0 && !strings.HasPrefix(got[0], test.rules[0]) {
			t.Errorf("%s %s: the rules are %v, want %v", test.method, test.target, got, test.rules)
		}
		if want := test.op != "" || len(test.rules) > 0 || test.unchecked != ""; x.Concerns() != want {
			t.Errorf("%s %s concerns the service: %t", test.method, test.target, x.Concerns())
		}
	}
	if f := p.exchanges()[1].Findings[0]; !f.Remembered {
		t.Errorf("the finding does not say that it rests on a remembered event: %+v", f)
	}
}

// What the service is sure to refuse is not sent.
func TestBlock(t *testing.T) {
	sent := 0
	o := watching(t, serve(t, func(http.ResponseWriter, *http.Request) { sent++ }))
	o.Block = true
	p := start(t, o)
	status, _, text := send(t, "POST", p.base+events, `{"start":{"date":"2026-03-10"}}`)
	if status != 400 || !strings.Contains(text, `"reason":"required"`) || sent != 0 || !p.last(t).Blocked {
		t.Errorf("the answer is %d %s, %d requests are sent", status, text, sent)
	}
	if status, _, _ := send(t, "POST", p.base+events, `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`); status != 200 || sent != 1 {
		t.Errorf("a good request is answered with %d, %d are sent", status, sent)
	}
}

// A patch that is refused leaves the event known: fixed and sent again it has the findings that it would have without the
// refusal.
func TestRefusedAndFixed(t *testing.T) {
	last := func(patches ...string) Exchange {
		p := start(t, watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "PATCH" {
				w.WriteHeader(http.StatusBadRequest)
			}
			io.WriteString(w, stored)
		})))
		send(t, "GET", p.base+events+"/abcde", "")
		for _, body := range patches {
			send(t, "PATCH", p.base+events+"/abcde", body)
		}
		return p.last(t)
	}
	want, got := last(early1), last(strings.Replace(early1, "08", "07", 1), early1)
	if diff := cmp.Diff(want.Findings, got.Findings, cmp.Comparer(func(a, b *diag.Rule) bool { return a == b })); diff != "" || len(got.Findings) == 0 {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// answering is an upstream that reads one request and answers with the text.
func answering(text string) func(net.Conn) {
	return func(conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, text)
	}
}

// raw starts an upstream that answers each connection with the text, and closes it.
func raw(t *testing.T, text string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				answering(text)(conn)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// An upstream that closes or answers nonsense: the client gets a clear line, and nothing that the upstream sent.
func TestUpstreamFails(t *testing.T) {
	const unused = "http://127.0.0.1:1" // a port below those that another program gets
	const ok = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
	for name, test := range map[string]struct{ upstream, text string }{
		"closes at once":      {raw(t, ""), "closed the connection"},
		"closes in an answer": {raw(t, ok+"{"), "closed the connection"},
		"nonsense":            {raw(t, "SECRET nonsense\r\n\r\n"), "not valid HTTP"},
		"the status 000":      {raw(t, "HTTP/1.1 000 SECRET\r\nContent-Length: 2\r\n\r\n{}"), "not valid HTTP"},
		"a huge header":       {raw(t, "HTTP/1.1 200 OK\r\nX: "+strings.Repeat("SECRET", maxAnswer)+"\r\n\r\n"), "not valid HTTP, or its header is too long"},
		"switches unasked":    {raw(t, "HTTP/1.1 101 SECRET\r\nConnection: Upgrade\r\nUpgrade: SECRET\r\n\r\n"), "not valid HTTP"},
		"cut gzip":            {raw(t, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n\x1f\x8b\x08"), "closed the connection"},
		"cut chunks":          {raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"), "closed the connection"},
		"no chunks":           {raw(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nSECRET\r\n"), "not valid HTTP"},
		"two lengths":         {raw(t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}SECRET"), "not valid HTTP"},
		"endless 1xx":         {raw(t, strings.Repeat("HTTP/1.1 103 Early Hints\r\nX: "+strings.Repeat("SECRET", 1000)+"\r\n\r\n", 60)), ""},
		"is not there":        {unused, "cannot be reached: it refuses the connection"},
		"is no name":          {"http://nowhere.invalid", "cannot be reached"},
		"speaks no TLS":       {strings.Replace(raw(t, ok), "http:", "https:", 1), ""},
		"says tls":            {raw(t, "HTTP/1.1 200 OK\r\ntls: SECRET x509: SECRET\r\n SECRET: a\r\nSECRET\r\n\r\n"), "not valid HTTP"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := start(t, watching(t, test.upstream))
			status, text := get(t, client, p.base+events+"/abcde?access_token=SECRET")
			p.expectFailure(t, status, text, http.StatusBadGateway, test.text)
		})
	}
}

// expectFailure expects that the one request so far has failed with a status and a text.
func (r *running) expectFailure(t *testing.T, status int, answer string, wantStatus int, wantText string) {
	t.Helper()
	if status != wantStatus || !strings.Contains(answer, wantText) || strings.Contains(answer, "SECRET") {
		t.Errorf("the answer is %d %s", status, answer)
	}
	if x := r.last(t); x.Status != wantStatus || !strings.Contains(x.Failure, wantText) || x.Op != "events.get" || len(r.exchanges()) != 1 {
		t.Errorf("%+v", x)
	}
	if strings.Contains(r.complaints(), "SECRET") {
		t.Error(r.complaints())
	}
}

// service returns options for a service that is in memory, database those for a database.
func service(t *testing.T) Options { return watching(t, "http://service.example") }

func database(t *testing.T) Options { return Options{Database: parse(t, "http://database.example")} }

// An upstream that does not end its answer is given up.
func TestUpstreamHangs(t *testing.T) {
	for name, answer := range map[string]string{
		"at once":           "",
		"in the header":     "HTTP/1.1 200 OK\r\nX-",
		"in the answer":     "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{",
		"dripping":          "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\ndrip",
		"after early hints": "HTTP/1.1 103 Early Hints\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			upstream := func(conn net.Conn) {
				answering(answer)(conn)
				for strings.HasSuffix(answer, "drip") {
					time.Sleep(time.Second)
					if _, err := io.WriteString(conn, "."); err != nil {
						return
					}
				}
				io.Copy(io.Discard, conn) // until the proxy closes the connection
			}
			inBubble(t, service, upstream, func(t *testing.T, p *running) {
				begin := time.Now()
				status, text := get(t, p.client, p.base+events+"/abcde?access_token=SECRET")
				p.expectFailure(t, status, text, http.StatusGatewayTimeout, "did not answer within 1m0s")
				if took := time.Since(begin); took != time.Minute {
					t.Errorf("it takes %s", took)
				}
			})
		})
	}
}

// A stream of the database lasts longer than an answer may take; another answer that pauses is cut.
func TestStreams(t *testing.T) {
	pausing := func(media string) func(net.Conn) {
		return func(conn net.Conn) {
			answering("HTTP/1.1 200 OK\r\nContent-Type: " + media + "\r\n\r\ndata: 1\n\n")(conn)
			time.Sleep(3 * time.Minute)
			io.WriteString(conn, "data: 2\n\n")
		}
	}
	inBubble(t, database, pausing("text/event-stream"), func(t *testing.T, p *running) {
		if _, text := get(t, p.client, p.base+"/a.json"); text != "data: 1\n\ndata: 2\n\n" {
			t.Errorf("the stream is %q", text)
		}
	})
	inBubble(t, database, pausing("application/json"), func(t *testing.T, p *running) {
		r, err := p.client.Get(p.base + "/a.json")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if text, err := io.ReadAll(r.Body); err == nil {
			t.Errorf("an answer that pauses is %q", text)
		}
	})
}

// Clients that send too much, too slowly or too little.
func TestClientFails(t *testing.T) {
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil {
			io.WriteString(w, "{}")
		}
	})
	p := start(t, watching(t, upstream))
	if status, _, text := send(t, "POST", p.base+events, strings.Repeat(" ", maxUpload+1)); status != 413 || !strings.Contains(text, "longer than 64 MiB") {
		t.Errorf("a body that is too long: %d %s", status, text)
	}
	if status, _, _ := send(t, "POST", p.base+events, strings.Repeat(" ", 5<<20)); status != 200 || !strings.Contains(string(p.last(t).Unchecked), "longer than") {
		t.Errorf("a body that is too long to be checked: %d, %+v", status, p.last(t))
	}
	if status, _, _ := send(t, "GET", p.base+events, "", "X", strings.Repeat("a", 2*maxHeader)); status != 431 {
		t.Errorf("a header that is too long: %d", status)
	}
	before := len(p.exchanges())
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{", events)
	conn.(*net.TCPConn).CloseWrite()
	io.Copy(io.Discard, conn) // until the proxy gives up
	if x := p.last(t); len(p.exchanges()) != before+1 || !strings.HasPrefix(x.Failure, "the client ") {
		t.Errorf("a cut request: %+v", x)
	}
	for err, want := range map[error]int{
		&http.MaxBytesError{Limit: 1}: 413, &net.OpError{Op: "read", Err: errDeadline{}}: 408, io.ErrUnexpectedEOF: 400,
	} {
		if status, text := ofClient(err); status != want || text == "" {
			t.Errorf("%v: %d %s", err, status, text)
		}
	}
	if s := p.newServer(p); s.ReadHeaderTimeout <= 0 || s.ReadTimeout <= 0 || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 {
		t.Errorf("the server has no limits: %+v", s)
	}
}

type errDeadline struct{}

func (errDeadline) Error() string   { return "deadline" }
func (errDeadline) Timeout() bool   { return true }
func (errDeadline) Temporary() bool { return false }

// Only so many requests are under way at a time; the others wait, and are then refused.
func TestTooManyRequests(t *testing.T) {
	inBubble(t, service, answering("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), func(t *testing.T, p *running) {
		for range maxRequests {
			p.slots <- struct{}{}
		}
		if status, text := get(t, p.client, p.base+events); status != 503 || !strings.Contains(text, "128 other requests are in progress") {
			t.Errorf("%d %s", status, text)
		}
		<-p.slots
		for range 3 {
			if status, text := get(t, p.client, p.base+events); status != 204 {
				t.Errorf("when one has ended: %d %s", status, text)
			}
		}
	})
}

// The time of the upstream stands still while the client takes its own, for sending and for reading.
func TestSlowClient(t *testing.T) {
	hurried := func(t *testing.T) Options {
		o := service(t)
		o.Timeout = time.Second
		return o
	}
	const size = 6 << 20 // more than the watcher reads
	answer := func(conn net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			t.Error(err)
			return
		}
		if n, err := io.Copy(io.Discard, r.Body); err != nil || n != size {
			t.Errorf("the upstream gets %d bytes, %v", n, err)
		}
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", size, strings.Repeat(" ", size))
	}
	inBubble(t, hurried, answer, func(t *testing.T, p *running) {
		r, err := p.client.Post(p.base+events, "application/json", io.LimitReader(&slow{}, size))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		n := 0
		for text := make([]byte, size/4); err == nil; {
			time.Sleep(10 * time.Second)
			var more int
			more, err = io.ReadFull(r.Body, text)
			n += more
		}
		if r.StatusCode != 200 || n != size {
			t.Errorf("%d; the client gets %d bytes, %v", r.StatusCode, n, err)
		}
	})
}

// A client that reads no answer does not keep its connection, whatever the answer: one without a body, a refusal or the page.
func TestClientNeverReads(t *testing.T) {
	for name, request := range map[string]string{
		"no body": "DELETE " + events + "/abcde", "refused": "GET http://elsewhere.example/", "no tunnel": "CONNECT elsewhere.example:443", "page": "GET " + PagePath,
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, service, answering("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"), func(t *testing.T, p *running) {
				conn, err := p.client.Transport.(*http.Transport).DialContext(t.Context(), "tcp", "")
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close()
				fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: a.example\r\n\r\n", request)
				time.Sleep(2 * writeTimeout)
				if text, err := io.ReadAll(conn); len(text) > 0 || err != nil {
					t.Errorf("the connection is open: %q, %v", text, err)
				}
			})
		})
	}
}

// A client that closes only its own end gets no answer, rather than one that looks like success.
func TestClientHalfCloses(t *testing.T) {
	arrived := make(chan struct{}, 1)
	p := start(t, watching(t, serve(t, func(_ http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-r.Context().Done()
	})))
	half := func(wait func()) {
		t.Helper()
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "DELETE %s/abcde HTTP/1.1\r\nHost: a\r\n\r\n", events)
		wait()
		conn.(*net.TCPConn).CloseWrite()
		if text, err := io.ReadAll(conn); len(text) > 0 || err != nil {
			t.Errorf("it gets %q, %v", text, err)
		}
	}
	half(func() { <-arrived })
	if x := p.last(t); x.Failure != "the client disconnected before the response" || x.Status != 0 {
		t.Errorf("%+v", x)
	}
	for range maxRequests {
		p.slots <- struct{}{}
	}
	half(func() {}) // while it waits for others
}

// slow is an endless text that pauses after each MiB.
type slow struct{ n int }

func (s *slow) Read(text []byte) (int, error) {
	if s.n += len(text); s.n >= 1<<20 {
		time.Sleep(5 * time.Second)
		s.n = 0
	}
	for i := range text {
		text[i] = ' '
	}
	return len(text), nil
}

// Open streams take no slot of a request, have a limit of their own, and end when the proxy does.
func TestOpenStreams(t *testing.T) {
	upstream := func(conn net.Conn) {
		r, err := http.ReadRequest(bufio.NewReader(conn))
		switch {
		case err != nil:
		case r.URL.Path == "/stream":
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
			io.Copy(io.Discard, conn) // until the proxy closes the connection
		default:
			io.WriteString(conn, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
		}
	}
	inBubble(t, database, upstream, func(t *testing.T, p *running) {
		var streams []*http.Response
		for range maxStreams {
			r, err := p.client.Get(p.base + "/stream")
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			streams = append(streams, r)
		}
		if status, text := get(t, p.client, p.base+"/stream"); status != 503 || !strings.Contains(text, "256 other streams are open") {
			t.Errorf("one stream too many: %d %s", status, text)
		}
		if status, _ := get(t, p.client, p.base+"/a.json"); status != 204 || len(p.slots) != 0 {
			t.Errorf("beside streams, a request is answered with %d; %d slots are taken", status, len(p.slots))
		}
		streams[0].Body.Close()
		synctest.Wait()
		again, err := p.client.Get(p.base + "/stream")
		if err != nil || again.StatusCode != 200 {
			t.Fatalf("when a stream has ended, another is not opened: %v, %v", again, err)
		}
		defer again.Body.Close()
		var readers sync.WaitGroup
		for _, r := range append(streams[1:], again) {
			readers.Go(func() {
				if text, err := io.ReadAll(r.Body); string(text) != "data: 1\n\n" || err != nil {
					t.Errorf("a stream is %q, %v", text, err)
				}
			})
		}
		synctest.Wait()
		begin := time.Now()
		p.stop()
		if err := <-p.ended; err != nil || time.Since(begin) >= grace {
			t.Errorf("after %s: %v", time.Since(begin), err)
		}
		p.ended <- nil // for the end of the bubble
		readers.Wait()
		if synctest.Wait(); len(p.streams) != 0 {
			t.Errorf("%d streams are open", len(p.streams))
		}
	})
}

// A connection for another protocol is open as long as both want it, and ends with the proxy.
func TestUpgraded(t *testing.T) {
	upstream := func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			io.Copy(conn, conn)
		}
	}
	inBubble(t, service, upstream, func(t *testing.T, p *running) {
		r, err := http.NewRequest("GET", p.base+"/x", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Connection", "Upgrade")
		r.Header.Set("Upgrade", "echo")
		answer, err := p.client.Do(r)
		if err != nil || answer.StatusCode != 101 {
			t.Fatal(answer, err)
		}
		conn := answer.Body.(io.ReadWriteCloser)
		defer conn.Close()
		time.Sleep(time.Hour)
		text := make([]byte, 2)
		io.WriteString(conn, "ab")
		if _, err := io.ReadFull(conn, text); string(text) != "ab" || err != nil {
			t.Errorf("the echo is %q, %v", text, err)
		}
		p.stop()
		if err := <-p.ended; err != nil {
			t.Error(err)
		}
		p.ended <- nil // for the end of the bubble
		if n, err := conn.Read(text); err == nil {
			t.Errorf("%d more bytes are read", n)
		}
	})
}

// Requests under way are finished when the proxy ends; new ones are not taken.
func TestGracefulStop(t *testing.T) {
	upstream := func(conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		time.Sleep(grace / 2)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone")
	}
	inBubble(t, service, upstream, func(t *testing.T, p *running) {
		answer := make(chan string, 1)
		go func() {
			_, text := get(t, p.client, p.base+"/x")
			answer <- text
		}()
		synctest.Wait()
		p.stop()
		synctest.Wait()
		if _, err := p.client.Get(p.base + "/y"); err == nil {
			t.Error("a new request is taken")
		}
		if got := <-answer; got != "done" {
			t.Errorf("the request under way gets %q", got)
		}
	})
}

// The proxy forwards to its upstream only, whatever a request names.
func TestForwardsNowhereElse(t *testing.T) {
	other := false
	elsewhere := serve(t, func(http.ResponseWriter, *http.Request) { other = true })
	var got []string
	p := start(t, watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) { got = append(got, r.Host+r.RequestURI) })))
	via := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(parse(t, p.base))}}
	r, err := via.Get(elsewhere + "/x")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	status, _, _ := send(t, "GET", p.base+"/x", "", "Host", strings.TrimPrefix(elsewhere, "http://"))
	if other || r.StatusCode != 403 || status != 200 || len(got) != 1 {
		t.Errorf("the statuses are %d and %d, the upstream gets %v", r.StatusCode, status, got)
	}
	if _, err := via.Get("https://example.com/"); err == nil || !strings.Contains(err.Error(), "Method Not Allowed") {
		t.Errorf("CONNECT without an authority: %v", err)
	}
}

// The page shows the last requests, to this machine only, and runs nothing.
func TestPage(t *testing.T) {
	p := start(t, watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, stored) })))
	for i := range pageRequests + 5 {
		send(t, "GET", fmt.Sprintf("%s%s/%03d", p.base, events, i), "")
	}
	send(t, "POST", p.base+events+"?access_token=SECRET", `{"summary":"<script>alert(1)</script>","start":{"date":"<b>"}}`, "Authorization", "Bearer SECRET", "Cookie", "a=SECRET")
	send(t, "GET", p.base+"/drive/<i>", "")
	status, header, text := send(t, "GET", p.base+PagePath, "")
	if status != 200 || strings.Count(text, "<li>") != pageRequests || !strings.Contains(text, "event.end.required") || !strings.Contains(text, "not an operation of the service") || !strings.Contains(text, fmt.Sprintf("%d requests so far", pageRequests+7)) {
		t.Errorf("%d %s", status, text)
	}
	if found, clean, _ := strings.Cut(text, "Without findings"); strings.Count(found, "<li>") != 1 || strings.Count(clean, "<li>") != pageRequests-1 {
		t.Errorf("the request with findings does not come first:\n%s", text)
	}
	for _, part := range []string{"2 reject", `href="?only=reject"`, "docs/rules/time.md#timedateformat"} {
		if !strings.Contains(text, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	for kind, want := range map[string]int{"reject": 1, "advise": 0, "<b>": 0} {
		if _, _, text := send(t, "GET", p.base+PagePath+"?only="+url.QueryEscape(kind), ""); strings.Count(text, "<li>") != want || strings.Contains(text, "<b>\"") {
			t.Errorf("only %s:\n%s", kind, text)
		}
	}
	for _, unwanted := range []string{"SECRET", "<script", "<i>", "<b>&", "/006<"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the page has %s", unwanted)
		}
	}
	if csp := header.Get("Content-Security-Policy"); !strings.HasPrefix(csp, "default-src 'none'; style-src 'sha256-") || strings.Contains(csp, "unsafe") || strings.Contains(csp, "script-src") {
		t.Errorf("the policy is %s", csp)
	}
	for name := range header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("the page has %s", name)
		}
	}
	port := p.base[strings.LastIndex(p.base, ":"):]
	for host, want := range map[string]int{
		"localhost" + port: 200, "127.0.0.1" + port: 200, "127.0.0.2" + port: 200, "[::1]" + port: 200, "LOCALHOST": 200, "a.localhost": 200,
		"evil.example" + port: 403, "localhost.evil.example": 403, "evillocalhost": 403, "192.0.2.1": 403, "127.0.0.1.evil.example": 403, "[fe80::1]": 403,
	} {
		if status, _, text := send(t, "GET", p.base+PagePath, "", "Host", host, "Origin", "http://"+host); status != want || want == 403 && strings.Contains(text, "primary") {
			t.Errorf("with the Host %s: %d", host, status)
		}
	}
	if status, _, _ := send(t, "POST", p.base+PagePath, ""); status != 405 {
		t.Errorf("POST: %d", status)
	}
	if n := len(p.exchanges()); n != pageRequests+7 {
		t.Errorf("%d exchanges are reported", n)
	}
}

// The page keeps the last requests, and a number of findings for each. Its totals are those of all requests.
func TestPageKeeps(t *testing.T) {
	var p page
	findings := make([]traffic.Finding, pageFindings+5)
	for i := range findings {
		findings[i].Kind = diag.Advise
	}
	for i := range pageRequests + 3 {
		p.add(Exchange{Exchange: traffic.Exchange{Path: fmt.Sprint("/", i), Findings: findings[:pageFindings-1+i%7]}}, 1500*time.Microsecond)
	}
	v := p.view("")
	if v.Count != pageRequests+3 || v.Kept != pageRequests || len(v.Found) != pageRequests || v.Found[0].Path != "/102" || v.Found[pageRequests-1].Path != "/3" {
		t.Errorf("%d of %d are kept: %+v", v.Kept, v.Count, v.Found)
	}
	total := 0
	for i := range pageRequests + 3 {
		total += pageFindings - 1 + i%7
	}
	if want := []pageTotal{{diag.Advise, total}}; !slices.Equal(v.Totals, want) {
		t.Errorf("the totals are %v, want %v", v.Totals, want)
	}
	for i, e := range v.Found {
		n := pageFindings - 1 + (pageRequests+2-i)%7
		if len(e.Shown) != min(n, pageFindings) || e.More != max(0, n-pageFindings) || e.Took != 2*time.Millisecond {
			t.Errorf("of %d findings %d are shown, and %d more; it took %s", n, len(e.Shown), e.More, e.Took)
		}
	}
}

// No header field, no token and no value of the query reaches a report.
func TestNoSecrets(t *testing.T) {
	upstream := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "SECRET")
		w.Header().Set("Content-Type", "SECRET")
		w.WriteHeader(200)
		io.WriteString(w, `{"items":[]}`)
	})
	o := watching(t, upstream)
	o.Database = parse(t, upstream)
	p := start(t, o)
	d := start(t, Options{Database: parse(t, upstream)})
	fields := []string{"Authorization", "Bearer SECRET", "Cookie", "SECRET", "Proxy-Authorization", "SECRET", "X-Goog-Api-Key", "SECRET", "If-Match", "SECRET", "Content-Encoding", "identity"}
	for _, target := range []string{
		"?access_token=SECRET", "?timeMin=SECRET&timeMax=SECRET&orderBy=SECRET&maxResults=SECRET&eventTypes=SECRET&syncToken=SECRET&pageToken=SECRET", "?a=%zzSECRET", "%3Faccess_token=SECRET", "?key=SECRET&oauth_token=SECRET", "?timeZone=SECRET&singleEvents=SECRET",
	} {
		for _, method := range []string{"GET", "POST", "PUT"} {
			send(t, method, p.base+events+target, "", fields...)
			send(t, method, d.base+"/users/jack.json"+target, "", fields...)
		}
	}
	findings := 0
	for _, x := range slices.Concat(p.exchanges(), d.exchanges()) {
		findings += len(x.All())
		if text := fmt.Sprintf("%+v", x); strings.Contains(text, "SECRET") {
			t.Errorf("a secret is reported: %s", text)
		}
	}
	if findings == 0 {
		t.Error("there are no findings")
	}
	for _, base := range []string{p.base, d.base} {
		if _, _, text := send(t, "GET", base+PagePath, ""); strings.Contains(text, "SECRET") {
			t.Errorf("a secret is on the page: %s", text)
		}
	}
	if text := p.complaints() + d.complaints(); strings.Contains(text, "SECRET") {
		t.Error(text)
	}
}

// Findings quote nothing unless values are asked for.
func TestValues(t *testing.T) {
	o := watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Replace(stored, "confirmed", "SECRET", 1))
	}))
	p := start(t, o)
	send(t, "PUT", p.base+events+"/abcde", `{"status":"SECRET","start":{"date":"SECRET"}}`)
	if x := p.last(t); len(x.Findings) == 0 || len(x.Answer) == 0 || strings.Contains(fmt.Sprintf("%+v", x), "SECRET") {
		t.Errorf("%+v", x)
	}
}

// How requests to a realtime database authenticate.
func TestDatabase(t *testing.T) {
	var got string
	p := start(t, Options{Database: parse(t, serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.RequestURI })), Dialect: diag.Google})
	const idToken = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYWNrIiwiZXhwIjo0MDAwMDAwMDAwfQ.c2ln"
	const oldToken = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYWNrIiwiZXhwIjoxMDAwfQ.c2ln"
	for _, test := range []struct {
		target, bearer string
		want           string
		rule           string
	}{
		{"/a.json", "", "none apply []", ""},
		{"/a.json?auth=" + idToken, "", "user apply [{auth id_token}]", ""},
		{"/a.json?auth=" + oldToken, "", "rejected n/a [{auth id_token}]", "rtdb.id-token.expired"},
		{"/a.json?access_token=ya29.abc", "", "service_account bypass [{access_token oauth_access}]", ""},
		{"/a.json", "ya29.abc", "service_account bypass [{header oauth_access}]", ""},
		{"/a.json", idToken, "rejected n/a [{header id_token}]", "rtdb."},
		{"/a.json?auth=database-secret", "", "legacy bypass [{auth legacy_secret}]", "rtdb."},
		{"/a.json?auth=" + idToken, "ya29.abc", "rejected n/a ", "rtdb."},
		{"/a.json?auth=", "", "rejected n/a ", "rtdb."},
	} {
		fields := []string{}
		if test.bearer != "" {
			fields = []string{"Authorization", "Bearer " + test.bearer}
		}
		send(t, "GET", p.base+test.target, "", fields...)
		x := p.last(t)
		a := x.Database
		if a == nil || x.Path != databasePath || got != test.target {
			t.Fatalf("%s: %+v; the database gets %s", test.target, x, got)
		}
		if text := fmt.Sprint(a.Principal, " ", a.Rules, " ", a.Credentials); !strings.HasPrefix(text, test.want) {
			t.Errorf("%s with %q: %s, want %s", test.target, test.bearer, text, test.want)
		}
		if (len(x.Findings) > 0) != (test.rule != "") || test.rule != "" && !strings.HasPrefix(x.Findings[0].Rule, test.rule) {
			t.Errorf("%s with %q: %+v", test.target, test.bearer, x.Findings)
		}
		if text := fmt.Sprintf("%+v", x); strings.Contains(text, "eyJ") || strings.Contains(text, "ya29") || strings.Contains(text, "database-secret") {
			t.Errorf("a token is reported: %s", text)
		}
	}
}

// A token that names a user is an identity token. It expires when it says so, in seconds.
func TestKindOf(t *testing.T) {
	none := time.Time{}
	for _, test := range []struct {
		claims string
		kind   rtdbauth.Kind
		want   time.Time
	}{
		{`{"sub":"jack","exp":1}`, rtdbauth.KindIDToken, time.Unix(1, 0)},
		{`{"sub":"jack","exp":99999999999}`, rtdbauth.KindIDToken, time.Unix(99999999999, 0)},
		{`{"sub":"jack","exp":100000000000}`, rtdbauth.KindIDToken, none},
		{`{"sub":"jack","exp":0}`, rtdbauth.KindIDToken, none},
		{`{"sub":"jack","exp":-1}`, rtdbauth.KindIDToken, none},
		{`{"sub":"jack"}`, rtdbauth.KindIDToken, none},
		{`{"sub":"","exp":1}`, rtdbauth.KindLegacySecret, none},
		{`{"sub":1,"exp":1}`, rtdbauth.KindLegacySecret, none},
		{`{`, rtdbauth.KindLegacySecret, none},
	} {
		text := base64.RawURLEncoding.EncodeToString([]byte(test.claims))
		kind, expires := kindOf(rtdbauth.InAuth, rtdbauth.NewToken("a."+text+".b"))
		if kind != test.kind || !expires.Equal(test.want) {
			t.Errorf("%s: %s that expires at %s", test.claims, kind, expires)
		}
	}
	for _, text := range []string{"secret", "a.b.c", "a.eyJzdWIiOiJqYWNrIn0", "a.eyJzdWIiOiJqYWNrIn0.b.c"} {
		if kind, _ := kindOf(rtdbauth.InHeader, rtdbauth.NewToken(text)); kind != rtdbauth.KindOAuthAccess {
			t.Errorf("%s: %s", text, kind)
		}
	}
}

// An error of the proxy has the form of the service's errors, and blames the client or the server as the status does.
func TestRefuse(t *testing.T) {
	for status, reason := range map[int]string{400: "badRequest", 499: "badRequest", 500: "backendError", 503: "backendError"} {
		w := httptest.NewRecorder()
		refuse(w, status, `It is "so".`)
		want := fmt.Sprintf(`{"error":{"code":%d,"message":"calrules proxy: It is \"so\".","errors":[{"domain":"global","reason":%q,"message":"calrules proxy: It is \"so\"."}]}}`+"\n", status, reason)
		if got := w.Body.String(); w.Code != status || got != want {
			t.Errorf("%d: %d %s", status, w.Code, got)
		}
	}
}

// Options without callbacks are enough.
func TestWithoutCallbacks(t *testing.T) {
	p := New(Options{Database: parse(t, "http://127.0.0.1:1"), Timeout: time.Second})
	defer p.Close()
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest("GET", "/a.json", nil))
	p.complain("x")
	var text markup
	text.write(p.page.view(""))
	if w.Code != 502 || !strings.Contains(text.String(), databasePath) {
		t.Errorf("%d, %s", w.Code, text.String())
	}
	if got := slices.Sorted(maps.Keys(w.Header())); !slices.Contains(got, "Content-Type") {
		t.Errorf("the header has %v", got)
	}
}

// The text of a request to a database has the principal, and the credential if there is one.
func TestWriteDatabase(t *testing.T) {
	for want, credentials := range map[string][]Credential{
		"GET /{path}.json: principal user, rules apply\n":                    {},
		"GET /{path}.json: principal user (id_token in auth), rules apply\n": {{rtdbauth.InAuth, "id_token"}},
	} {
		var out bytes.Buffer
		x := Exchange{Exchange: traffic.Exchange{Method: "GET", Path: databasePath}, Database: &Authentication{rtdbauth.User, "apply", credentials}}
		x.WriteText(&out)
		if got := out.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// The text of an exchange: what it quotes cannot control a terminal.
func TestWriteExchange(t *testing.T) {
	var out bytes.Buffer
	x := Exchange{Blocked: true, Failure: "gone\r", Exchange: traffic.Exchange{
		Method: "P\x1b[1m", Path: "/a\n", Status: 400, Unchecked: "\x07", Verdict: between.RefusedThere, Refusal: &traffic.Refusal{Reason: "invalid", Meaning: "It is wrong."},
		Findings: []traffic.Finding{{Rule: "a.b", Kind: diag.Advise, Path: "/c\x1b", Message: "d\x1b"}},
		Parts: []traffic.Exchange{
			{Op: "events.get", Method: "GET", Path: "/e", Verdict: between.AcceptedThere, Status: 200},
			{Unchecked: "x\x1b", Findings: []traffic.Finding{{Rule: "e.f", Kind: diag.Ignore, Message: "g"}}},
			{Method: "GET", Path: "/e", Verdict: between.AnsweredOtherwise, Answer: []traffic.Finding{{Rule: "h.i", Kind: diag.Reject, Path: "/j", Message: "k", Predicted: "1"}}},
		},
	}}
	x.WriteText(&out)
	want := `P␛[1m /a␊: advise /c␛: d␛ [a.b]
P␛[1m /a␊: part 1, GET /e: the service accepted the request with 200, but the rules reject it
P␛[1m /a␊: part 2, another method another path: ignore g [e.f]
P␛[1m /a␊: part 2, another method another path: not checked: x␛
P␛[1m /a␊: part 3, GET /e: answer reject /j: k [h.i]
P␛[1m /a␊: part 3, GET /e: answered differently: /j: predicted 1, recorded nothing
P␛[1m /a␊: not checked: ␇
P␛[1m /a␊: the service refused the request with 400 for a reason that calrules does not know: invalid: It is wrong.
P␛[1m /a␊: not sent; the proxy responded with 400
P␛[1m /a␊: gone␍
`
	if got := out.String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
