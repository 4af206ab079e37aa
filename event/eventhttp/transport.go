package eventhttp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
)

// Transport is an [http.RoundTripper] that checks a client's requests and the service's responses. Unless Fix is set,
// a Transport sends requests unchanged:
//
//	client := &http.Client{Transport: &eventhttp.Transport{Watcher: watcher, Report: report}}
//
// The zero value sends every request with [http.DefaultTransport] and checks nothing, because Report, Block and Fix
// require a Watcher. If Report is nil, findings are discarded. A watcher with zero [between.Options] watches the public
// service and, on any other host, the path /calendar/v3. Requests to other paths are not checked.
type Transport struct {
	// Next sends the requests. If Next is nil, [http.DefaultTransport] is used.
	Next http.RoundTripper

	// Watcher checks the exchanges. If Watcher is nil, requests are not checked.
	Watcher *between.Watcher

	// Report, if not nil, is called for each exchange with the service when the response arrives. Calls may be concurrent.
	Report func(Report)

	// Block withholds requests that the service is certain to refuse according to [between.Exchange.Refusal], and
	// responds as the service would.
	Block bool

	// Fix applies safe fixes to a request before sending it; see [between.Exchange.Fix].
	Fix bool

	requests, watched atomic.Int64
}

// Summary returns a sentence with the number of requests so far, and the number of requests to the service. A summary such as
// "12 requests, none to the service" may mean that the watcher has the wrong base URL.
func (t *Transport) Summary() string {
	all, watched := t.requests.Load(), t.watched.Load()
	plural, count := "s", "none"
	if all == 1 {
		plural = ""
	}
	if watched > 0 {
		count = strconv.FormatInt(watched, 10)
	}
	return fmt.Sprintf("%d request%s, %s to the service", all, plural, count)
}

// Report describes an exchange with the service.
type Report struct {
	Request  *http.Request
	Exchange *between.Exchange // contains the findings about the request as sent
	Fixed    diag.Findings     // the findings that were fixed because of [Transport.Fix], each with its fix

	Status    int            // the status of the response; 0 if there is no response
	Answer    diag.Findings  // the findings about the response
	Unchecked between.Reason // the reason for not checking the response, or ""
	Blocked   bool           // whether the request was withheld from the service

	body *between.Body // the request body, until the response has been read
}

// RoundTrip implements [http.RoundTripper].
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	next := t.Next
	if next == nil {
		next = http.DefaultTransport
	}
	if r == nil || r.URL == nil {
		if r != nil && r.Body != nil {
			r.Body.Close()
		}
		return nil, errors.New("eventhttp: there is no request with a URL")
	}
	t.requests.Add(1)
	if t.Watcher == nil || !t.Watcher.Watches(methodOf(r), r.URL.String()) {
		return next.RoundTrip(r)
	}
	report, sent, err := t.watch(r)
	defer func() { t.report(report) }()
	x := report.Exchange
	if err != nil {
		x.Cancel()
		report.body.Release()
		r.Body.Close()
		return nil, err
	}
	if refused := x.Refusal(); t.Block && refused != nil {
		return report.refuse(sent, refused), nil
	}
	answer, err := next.RoundTrip(sent)
	switch {
	case err != nil:
		x.Fail()
		report.body.Release()
	case isWatched(x):
		report.read(answer)
	default:
		report.body.Release()
	}
	return answer, err
}

// unreadBody is the reason why a truncated body is not checked.
const unreadBody between.Reason = "the body cannot be read"

// watch passes a request to the watcher, and returns the request to send.
func (t *Transport) watch(r *http.Request) (report Report, sent *http.Request, err error) {
	report.Request = r
	m := between.Message{Method: methodOf(r), URL: r.URL.String(), Header: between.Header(r.Header)}
	sent = r
	if r.Body != nil && r.Body != http.NoBody {
		sent = new(*r) // a RoundTripper must not modify its argument
		report.body, err = peek(t.Watcher.Read, &sent.Body, lengthOf(r))
		if m.Body, m.Unread = report.body.Text, report.body.Unread; err != nil {
			m.Unread = unreadBody
		}
	}
	report.Exchange = t.Watcher.Request(m)
	if t.Fix { // an unread body is not fixed
		m, report.Fixed = report.Exchange.Fix(m)
	}
	if report.Fixed != nil {
		sent, err = fixed(sent, m)
	}
	return report, sent, err
}

// lengthOf returns the length of a request body, or -1 if it is unknown. In client requests, a ContentLength of 0 may
// mean unknown.
func lengthOf(r *http.Request) int64 {
	if r.ContentLength == 0 {
		return -1
	}
	return r.ContentLength
}

// fixed returns a copy of the request with the URL, header and body of the message.
func fixed(r *http.Request, m between.Message) (*http.Request, error) {
	address, err := url.Parse(m.URL)
	if err != nil {
		return nil, err
	}
	sent := new(*r)
	sent.URL, sent.Header = address, http.Header(m.Header)
	if r.Body != nil {
		sent.Body = struct {
			io.Reader
			io.Closer
		}{bytes.NewReader(m.Body), r.Body}
		sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(m.Body)), nil }
		sent.ContentLength = int64(len(m.Body))
	}
	return sent, nil
}

// refuse returns the response that the service would send to an unsent request.
func (r *Report) refuse(unsent *http.Request, findings diag.Findings) *http.Response {
	if unsent.Body != nil {
		unsent.Body.Close()
	}
	r.Exchange.Cancel()
	r.body.Release()
	answer := refusalAnswer(r.Request, findings)
	r.Blocked, r.Status = true, answer.StatusCode
	return answer
}

// read passes a response to the watcher.
func (r *Report) read(answer *http.Response) {
	r.Status = answer.StatusCode
	if isStream(answer) {
		r.Unchecked = "the answer is a stream"
		r.Exchange.Fail()
		r.body.Release()
		return
	}
	body, err := peek(r.Exchange.Read, &answer.Body, answer.ContentLength)
	answer.Body = &passing{answer.Body, sync.OnceFunc(func() {
		body.Release()
		r.body.Release()
	})}
	if err != nil { // the client gets the error when it reads the body
		r.Unchecked = unreadBody
		r.Exchange.Fail()
		return
	}
	r.Answer, r.Unchecked = r.Exchange.Answer(answer.StatusCode, between.Header(answer.Header), body.Text, body.Unread)
}

// isStream reports whether the response body is endless; reading such a body would block.
func isStream(answer *http.Response) bool {
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return media == "text/event-stream" || answer.StatusCode == http.StatusSwitchingProtocols // the body is the connection
}

// passing is a response body that the client is reading.
type passing struct {
	io.ReadCloser
	passed func()
}

func (p *passing) Close() error {
	defer p.passed()
	return p.ReadCloser.Close()
}

func (t *Transport) report(r Report) {
	if !isWatched(r.Exchange) {
		return
	}
	t.watched.Add(1)
	if t.Report != nil {
		t.Report(r)
	}
}

// isWatched reports whether an exchange is with the service.
func isWatched(x *between.Exchange) bool {
	return x.Op != "" || x.Parts != nil || x.Unchecked != "" || x.Findings != nil
}

func methodOf(r *http.Request) string {
	if r.Method == "" {
		return http.MethodGet
	}
	return r.Method
}

// peek reads the start of a body, and replaces the body with a reader of the whole content.
func peek(read func(io.Reader, int64) (*between.Body, error), body *io.ReadCloser, length int64) (*between.Body, error) {
	whole := *body
	beginning, err := read(whole, length)
	rest := io.Reader(whole)
	if err != nil {
		rest = failing{err}
	}
	*body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(beginning.Text), rest), whole}
	return beginning, err
}

// failing is a reader that always fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// refusalAnswer returns the response that the service would send to a refused request.
func refusalAnswer(r *http.Request, findings diag.Findings) *http.Response {
	w := &recorder{header: http.Header{}}
	WriteError(w, refused(findings))
	w.header.Set("Server", "calrules") // the program that refused the request
	w.header.Set("Content-Length", strconv.Itoa(w.body.Len()))
	return &http.Response{
		Status: strconv.Itoa(w.status) + " " + http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}
}

// recorder is an [http.ResponseWriter] that records the response.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorder) Header() http.Header            { return w.header }
func (w *recorder) WriteHeader(status int)         { w.status = status }
func (w *recorder) Write(text []byte) (int, error) { return w.body.Write(text) }
