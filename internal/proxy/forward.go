package proxy

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"mime"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/internal/traffic"
)

// route is a destination for requests.
type route struct {
	origin *url.URL
	local  bool // whether the origin is in this process
	*httputil.ReverseProxy
}

func (p *Proxy) newRoute(origin *url.URL, transport http.RoundTripper) *route {
	r := &route{origin: &url.URL{Scheme: origin.Scheme, Host: origin.Host}, local: p.o.Handler != nil}
	r.ReverseProxy = &httputil.ReverseProxy{
		Rewrite: r.rewrite, Transport: transport, ModifyResponse: p.answered, ErrorHandler: p.failed, BufferPool: &buffers,
		ErrorLog: log.New(errorLines(p.complain), "", 0),
	}
	return r
}

// rewrite addresses a request to the upstream, and restores query parameters that the reverse proxy has dropped as unparsable.
// The upstream may parse the parameters differently.
func (r *route) rewrite(pr *httputil.ProxyRequest) {
	pr.Out.URL.Scheme, pr.Out.URL.Host = r.origin.Scheme, r.origin.Host
	pr.Out.URL.RawQuery = pr.In.URL.RawQuery
	pr.Out.Host = visitOf(pr.Out).host
	pr.Out.Trailer = nil // its values, which follow the body, do not pass, so neither does the announcement
	if r.local {
		pr.SetXForwarded() // because the connection within this process has neither TLS nor the client's address
	}
}

type bufferPool struct{ sync.Pool }

type buffer [32 << 10]byte

var buffers = bufferPool{sync.Pool{New: func() any { return new(buffer) }}}

func (b *bufferPool) Get() []byte  { return b.Pool.Get().(*buffer)[:] }
func (b *bufferPool) Put(p []byte) { b.Pool.Put((*buffer)(p)) }

// visit is a request that is being forwarded, stored in the context of the request.
type visit struct {
	Exchange
	host   string // the host in the request, or "" for the host of the upstream
	byHost bool   // whether to send the request to this host

	begin    time.Time
	limit    limit
	client   *http.ResponseController
	free     func() // releases the slot of the request or of its stream
	end      context.CancelCauseFunc
	failure  error                 // the error in the answer's body, before it is passed on
	problem  atomic.Pointer[error] // the error in the request's body
	recorded bool
}

type visitKey struct{}

func visitOf(r *http.Request) *visit { return r.Context().Value(visitKey{}).(*visit) }

// databasePath is the displayed path of all requests to a database, unless values may be shown.
const databasePath = "/{path}.json"

// limit is the time limit for an upstream: for its response and, once the response is being passed on to the client, for each
// part of the response. The limit is suspended while the proxy waits for the client.
type limit struct {
	mutex   sync.Mutex
	timeout time.Duration
	timer   *time.Timer // nil without a limit
	passing bool
}

// begin starts the limit, when the request is sent.
func (l *limit) begin(timeout time.Duration, expire func()) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timeout, l.timer = timeout, time.AfterFunc(timeout, expire)
}

// pass applies the limit to each subsequent part of the response.
func (l *limit) pass() {
	l.stop(false)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.passing = true
}

func (l *limit) lift() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

// stop stops the timer, and start restarts the timer. A call has an effect only in the given phase: before the response is
// passed on, or while the response is passed on.
func (l *limit) stop(passing bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.timer != nil && l.passing == passing {
		l.timer.Stop()
	}
}

func (l *limit) start(passing bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.timer != nil && l.passing == passing {
		l.timer.Reset(l.timeout)
	}
}

// forward forwards a request on a route, and passes the response to the client.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, to *route, host string) {
	wait := time.NewTimer(p.o.Timeout)
	defer wait.Stop()
	select {
	case p.slots <- struct{}{}:
	case <-wait.C:
		refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("%d other requests are in progress.", maxRequests))
		return
	case <-r.Context().Done():
		panic(http.ErrAbortHandler) // as in failed
	}
	v := &visit{client: http.NewResponseController(w), host: host, byHost: host != "" && p.o.ByHost && to == p.service, begin: time.Now(), free: func() { <-p.slots }}
	defer func() { v.free() }()
	v.Exchange = p.newExchange(r, v.begin)
	if to == p.database {
		v.Path = cmp.Or(v.Path, databasePath)
		v.Database, v.Findings = p.authenticates(r)
	}
	ctx, end := context.WithCancelCause(context.WithValue(r.Context(), visitKey{}, v))
	defer end(nil)
	v.end = end
	r = r.WithContext(ctx)
	r.Body = &requestBody{http.MaxBytesReader(w, r.Body, maxUpload), v}
	to.ServeHTTP(&answerWriter{w, v.client}, r)
}

// requestBody is a request body that records the client's errors, which must not be blamed on the upstream.
type requestBody struct {
	io.ReadCloser
	v *visit
}

func (b *requestBody) Read(text []byte) (int, error) {
	b.v.limit.stop(false)
	n, err := b.ReadCloser.Read(text)
	b.v.limit.start(false)
	if err != nil && err != io.EOF {
		b.v.problem.Store(&err)
	}
	return n, err
}

// answerWriter writes the response of the upstream unchanged, with a time limit for a client that does not read.
type answerWriter struct {
	http.ResponseWriter
	controller *http.ResponseController
}

// WriteHeader writes the header without the fields that net/http would add.
func (w *answerWriter) WriteHeader(status int) {
	for _, name := range []string{"Content-Type", "Date"} {
		if h := w.Header(); h[name] == nil {
			h[name] = nil
		}
	}
	limitWrite(w.controller)
	w.ResponseWriter.WriteHeader(status)
	unlimitWrite(w.controller) // the response, or its body, may take longer
}

func (w *answerWriter) Write(text []byte) (int, error) {
	limitWrite(w.controller)
	return w.ResponseWriter.Write(text)
}

// limitWrite limits the time for a client to read the output that is written from now on.
func limitWrite(c *http.ResponseController) {
	_ = c.SetWriteDeadline(time.Now().Add(writeTimeout)) // some tests do not support it
}

// unlimitWrite lifts the limit of limitWrite while nothing is written. Over HTTP/2, the deadline would end the stream even if the
// client has read everything.
func unlimitWrite(c *http.ResponseController) { _ = c.SetWriteDeadline(time.Time{}) }

// Unwrap returns the underlying writer, for [http.ResponseController].
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// errTimeout means that the upstream has taken too long.
var errTimeout = errors.New("the upstream took too long")

// errStatus means that the upstream responded with an invalid status.
var errStatus = errors.New("the status is less than 100")

// errStreams means that too many streams are open.
var errStreams = errors.New("too many streams are open")

// errEnding means that the proxy is shutting down.
var errEnding = errors.New("the proxy is shutting down")

// errUpgrade means that the upstream switched to a protocol that the client had not requested.
var errUpgrade = errors.New("the upstream switched to another protocol")

// upstream is a transport that sends requests to servers with a time limit.
type upstream struct {
	timeout time.Duration
	next    http.RoundTripper
}

func newUpstream(timeout time.Duration) *upstream {
	return &upstream{timeout, &http.Transport{
		// Answers are passed on unchanged, so they must not be decoded.
		DisableCompression: true, ForceAttemptHTTP2: true, MaxIdleConns: maxRequests, MaxIdleConnsPerHost: maxRequests, IdleConnTimeout: idleTimeout,
		MaxResponseHeaderBytes: maxAnswer, TLSHandshakeTimeout: headerTimeout, DialContext: (&net.Dialer{Timeout: headerTimeout}).DialContext,
	}}
}

// RoundTrip implements [http.RoundTripper].
func (u *upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	v := visitOf(r)
	ctx, cancel := context.WithCancelCause(r.Context())
	v.limit.begin(u.timeout, func() { cancel(errTimeout) })
	sent := r.WithContext(ctx)
	sent.URL = exactly(r.URL)
	if v.byHost {
		sent.URL.Host = hostOf(v.host)
	}
	answer, err := u.next.RoundTrip(sent)
	switch {
	case err != nil:
		v.limit.lift()
		err = cmp.Or(context.Cause(ctx), err)
		cancel(nil)
		return nil, err
	case answer.StatusCode == http.StatusSwitchingProtocols && !strings.EqualFold(answer.Header.Get("Upgrade"), r.Header.Get("Upgrade")):
		v.limit.lift()
		answer.Body.Close()
		cancel(nil)
		return nil, errUpgrade
	case answer.StatusCode == http.StatusSwitchingProtocols: // the body is the connection, which stays open
	default:
		answer.Body = &answerBody{answer.Body, v, ctx, cancel}
	}
	return answer, nil
}

// exactly returns a copy of a URL that net/http sends exactly as the client sent it. By default, net/http escapes some
// characters in paths that clients may send unescaped, such as | and non-ASCII letters.
func exactly(u *url.URL) *url.URL {
	exact := *u
	if u.RawPath != u.EscapedPath() { // RawPath is "" for a path that net/http sends as it came
		if exact.Opaque = u.RawPath; strings.HasPrefix(u.RawPath, "//") { // would be mistaken for a host
			exact.Opaque = "//" + u.Host + u.RawPath
		}
	}
	return &exact
}

// answerBody is the body of a response. Reading from an answerBody fails if the upstream pauses for too long.
type answerBody struct {
	io.ReadCloser
	v      *visit
	ctx    context.Context
	cancel context.CancelCauseFunc
}

func (b *answerBody) Read(text []byte) (int, error) {
	b.v.limit.start(true)
	unlimitWrite(b.v.client)
	n, err := b.ReadCloser.Read(text)
	limitWrite(b.v.client)
	b.v.limit.stop(true)
	switch {
	case context.Cause(b.ctx) == errEnding: // a stream ends when the proxy shuts down
		return n, io.EOF
	case err != nil && err != io.EOF:
		err = cmp.Or(context.Cause(b.ctx), err)
		b.v.failure = err
	}
	return n, err
}

func (b *answerBody) Close() error {
	b.v.limit.lift()
	err := b.ReadCloser.Close()
	b.cancel(nil)
	return err
}

// answered is called before a response is passed on to the client. If answered returns an error, the client gets an error
// response instead.
func (p *Proxy) answered(answer *http.Response) error {
	v := visitOf(answer.Request)
	switch {
	case v.failure != nil:
		return v.failure // the watcher has encountered the error
	case answer.StatusCode < http.StatusSwitchingProtocols: // net/http accepts a status of 42 when reading, but not when writing
		return errStatus
	}
	v.limit.pass()
	if isStream(answer) {
		if err := p.open(v); err != nil {
			return err
		}
	}
	v.Status = answer.StatusCode
	p.record(v)
	return nil
}

// isStream reports whether a response has no definite end and may pause at any time.
func isStream(answer *http.Response) bool {
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return media == "text/event-stream" || answer.StatusCode == http.StatusSwitchingProtocols
}

// open moves an exchange from a slot for requests to a slot for streams. A stream has no time limit, and ends when the proxy
// shuts down.
func (p *Proxy) open(v *visit) error {
	select {
	case p.streams <- struct{}{}:
	default:
		return errStreams
	}
	v.limit.lift()
	v.free()
	keep := context.AfterFunc(p.ending, func() { v.end(errEnding) })
	v.free = func() {
		keep()
		<-p.streams
	}
	return nil
}

// failed responds to a request for which the upstream has not sent a usable response.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	v := visitOf(r)
	problem := v.problem.Load()
	switch {
	case problem != nil:
		v.Status, v.Failure = ofClient(*problem)
	case r.Context().Err() != nil:
		v.Failure = "the client disconnected before the response"
	default:
		v.Status, v.Failure = p.ofUpstream(err)
	}
	v.Unchecked, v.Answer = "", []traffic.Finding{}
	p.record(v)
	if p.o.Handler != nil && v.Failure == droppedConnection {
		panic(http.ErrAbortHandler) // drops the connection, like the service
	}
	if v.Status == 0 {
		panic(http.ErrAbortHandler) // a client that has closed only its own end must not get the empty 200 that net/http would send
	}
	refuse(w, v.Status, sentence(v.Failure))
}

func sentence(reason string) string { return strings.ToUpper(reason[:1]) + reason[1:] + "." }

// ofClient returns the status and message for an error in reading the body of a request.
func ofClient(err error) (status int, text string) {
	var timeout net.Error
	switch {
	case isType[*http.MaxBytesError](err):
		return http.StatusRequestEntityTooLarge, fmt.Sprintf("the request body is longer than %d MiB", maxUpload>>20)
	case errors.As(err, &timeout) && timeout.Timeout():
		return http.StatusRequestTimeout, fmt.Sprintf("the client did not send the request within %s", requestTimeout)
	}
	return http.StatusBadRequest, "the client did not send the whole request"
}

// droppedConnection is the message about an upstream that closes the connection without a complete response.
const droppedConnection = "the upstream closed the connection before the end of its response"

// ofUpstream returns the status and message for a failed upstream. The message does not quote the upstream.
func (p *Proxy) ofUpstream(err error) (status int, text string) {
	reason, isUnreachable := unreachable(err)
	switch {
	case errors.Is(err, errStreams):
		return http.StatusServiceUnavailable, fmt.Sprintf("%d other streams are open", maxStreams)
	case errors.Is(err, errTimeout):
		return http.StatusGatewayTimeout, fmt.Sprintf("the upstream did not answer within %s", p.o.Timeout)
	case isUnreachable:
		return http.StatusBadGateway, "the upstream cannot be reached: " + reason
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe):
		return http.StatusBadGateway, droppedConnection
	}
	return http.StatusBadGateway, "the upstream's response cannot be read: it is not valid HTTP, or its header is too long"
}

// isType reports whether an error, or an error that it wraps, has the type E.
func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func quoted(text string) []byte {
	b, _ := json.Marshal(text) // cannot fail for a string
	return b
}
