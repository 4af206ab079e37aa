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

// route is the destination of requests.
type route struct {
	origin *url.URL
	*httputil.ReverseProxy
}

func (p *Proxy) newRoute(origin *url.URL, transport http.RoundTripper) *route {
	r := &route{origin: &url.URL{Scheme: origin.Scheme, Host: origin.Host}}
	r.ReverseProxy = &httputil.ReverseProxy{
		Rewrite: r.rewrite, Transport: transport, ModifyResponse: p.answered, ErrorHandler: p.failed, BufferPool: &buffers,
		ErrorLog: log.New(errorLines(p.complain), "", 0),
	}
	return r
}

// rewrite addresses a request to the upstream. The reverse proxy has dropped the pairs of the query that it cannot parse;
// the upstream gets them, since it may read them otherwise.
func (r *route) rewrite(pr *httputil.ProxyRequest) {
	pr.Out.URL.Scheme, pr.Out.URL.Host = r.origin.Scheme, r.origin.Host
	pr.Out.URL.RawQuery = pr.In.URL.RawQuery
	pr.Out.Host = visitOf(pr.Out).host
}

// bufferPool holds the buffers for copying bodies.
type bufferPool struct{ sync.Pool }

type buffer [32 << 10]byte

var buffers = bufferPool{sync.Pool{New: func() any { return new(buffer) }}}

func (b *bufferPool) Get() []byte  { return b.Pool.Get().(*buffer)[:] }
func (b *bufferPool) Put(p []byte) { b.Pool.Put((*buffer)(p)) }

// visit is a request that is being forwarded. It is in the context of the request.
type visit struct {
	Exchange
	host   string // the host in the request, or "" for the upstream's
	byHost bool   // the request goes to this host

	begin    time.Time
	limit    limit
	free     func() // gives back the slot of the request or of its stream
	end      context.CancelCauseFunc
	failure  error                 // of the answer's body, before it passes
	problem  atomic.Pointer[error] // of the request's body
	recorded bool
}

type visitKey struct{}

func visitOf(r *http.Request) *visit { return r.Context().Value(visitKey{}).(*visit) }

// databasePath is the path of all requests to a database, unless values are shown.
const databasePath = "/{path}.json"

// limit is the time that an upstream may take: for its answer, and, when that passes to the client, for each part of it. It
// stands still while the client takes its time.
type limit struct {
	mutex   sync.Mutex
	timeout time.Duration
	timer   *time.Timer // nil without a limit
	passing bool
}

// begin starts the limit when the request is sent.
func (l *limit) begin(timeout time.Duration, expire func()) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.timeout, l.timer = timeout, time.AfterFunc(timeout, expire)
}

// pass makes the limit apply to each part of the answer.
func (l *limit) pass() {
	l.stop(false)
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.passing = true
}

// lift removes the limit.
func (l *limit) lift() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.timer != nil {
		l.timer.Stop()
		l.timer = nil
	}
}

// stop stops the timer if the answer passes, or does not pass yet; start restarts it.
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

// forward sends a request on its route, and the answer back.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, to *route, host string) {
	wait := time.NewTimer(p.o.Timeout)
	defer wait.Stop()
	select {
	case p.slots <- struct{}{}:
	case <-wait.C:
		refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("%d other requests are under way.", maxRequests))
		return
	case <-r.Context().Done():
		return
	}
	v := &visit{host: host, byHost: host != "" && p.o.ByHost && to == p.service, begin: time.Now(), free: func() { <-p.slots }}
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
	to.ServeHTTP(&answerWriter{w, http.NewResponseController(w)}, r)
}

// requestBody notes that the client does not send what it promised, which is not the upstream's fault.
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

// answerWriter writes an unchanged answer of the upstream, to a client that reads.
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
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(text []byte) (int, error) {
	_ = w.controller.SetWriteDeadline(time.Now().Add(writeTimeout)) // not supported in some tests
	return w.ResponseWriter.Write(text)
}

// Unwrap lets an [http.ResponseController] reach the connection.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// errTimeout means that the upstream takes too long.
var errTimeout = errors.New("the upstream takes too long")

// errStatus means that the upstream answers with an invalid status.
var errStatus = errors.New("the status is less than 100")

// errStreams means that there are too many streams.
var errStreams = errors.New("too many streams are open")

// errEnding means that the proxy ends.
var errEnding = errors.New("the proxy ends")

// errUpgrade means that the upstream switches to a protocol that the client has not asked for.
var errUpgrade = errors.New("the upstream switches to another protocol")

// upstream sends requests to servers, for a limited time.
type upstream struct {
	timeout time.Duration
	next    http.RoundTripper
}

func newUpstream(timeout time.Duration) *upstream {
	return &upstream{timeout, &http.Transport{
		// The bytes of an answer pass as they are, so nothing decodes them.
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
		sent.URL.Host = v.host
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
	case answer.StatusCode == http.StatusSwitchingProtocols: // the body is the connection, for as long as both want it
	default:
		answer.Body = &answerBody{answer.Body, v, ctx, cancel}
	}
	return answer, nil
}

// exactly returns a copy of a URL that net/http sends as the client sent it. The package escapes some characters in paths
// that clients send unescaped, such as | and letters that are not ASCII.
func exactly(u *url.URL) *url.URL {
	exact := *u
	if u.RawPath != "" && u.RawPath != u.EscapedPath() {
		if exact.Opaque = u.RawPath; strings.HasPrefix(u.RawPath, "//") { // would be taken for a host
			exact.Opaque = "//" + u.Host + u.RawPath
		}
	}
	return &exact
}

// answerBody is the body of an answer. If the upstream stops in the middle, it fails.
type answerBody struct {
	io.ReadCloser
	v      *visit
	ctx    context.Context
	cancel context.CancelCauseFunc
}

func (b *answerBody) Read(text []byte) (int, error) {
	b.v.limit.start(true)
	n, err := b.ReadCloser.Read(text)
	b.v.limit.stop(true)
	switch {
	case context.Cause(b.ctx) == errEnding: // of a stream, which ends when the proxy does
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

// answered is called when the client is about to get an answer. With an error, the client gets a new one.
func (p *Proxy) answered(answer *http.Response) error {
	v := visitOf(answer.Request)
	switch {
	case v.failure != nil:
		return v.failure // the watcher has met it
	case answer.StatusCode < 100: // net/http reads such a status, but does not write it
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

// isStream reports whether an answer has no end and may pause at any time.
func isStream(answer *http.Response) bool {
	media, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type"))
	return media == "text/event-stream" || answer.StatusCode == http.StatusSwitchingProtocols
}

// open moves an exchange from a slot for requests to a slot for streams, which has no time limit and ends with the proxy.
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

// failed answers a request that has no answer of the upstream.
func (p *Proxy) failed(w http.ResponseWriter, r *http.Request, err error) {
	v := visitOf(r)
	problem := v.problem.Load()
	switch {
	case problem != nil:
		v.Status, v.Failure = ofClient(*problem)
	case r.Context().Err() != nil:
		v.Failure = "the client left before the answer"
	default:
		v.Status, v.Failure = p.ofUpstream(err)
	}
	v.Unchecked, v.Answer = "", []traffic.Finding{}
	p.record(v)
	if p.o.Handler != nil && v.Failure == droppedConnection {
		panic(http.ErrAbortHandler) // as the service does
	}
	if v.Status != 0 {
		refuse(w, v.Status, sentence(v.Failure))
	}
}

// sentence returns a reason as a sentence.
func sentence(reason string) string { return strings.ToUpper(reason[:1]) + reason[1:] + "." }

// ofClient returns the status and the text for an error in the body of a request.
func ofClient(err error) (status int, text string) {
	var timeout net.Error
	switch {
	case isType[*http.MaxBytesError](err):
		return http.StatusRequestEntityTooLarge, fmt.Sprintf("the body of the request is longer than %d MiB", maxUpload>>20)
	case errors.As(err, &timeout) && timeout.Timeout():
		return http.StatusRequestTimeout, fmt.Sprintf("the client did not send the request within %s", requestTimeout)
	}
	return http.StatusBadRequest, "the client did not send the whole request"
}

// droppedConnection is the failure of an upstream that answers nothing, or half.
const droppedConnection = "the upstream closed the connection before the end of its answer"

// ofUpstream returns the status and the text for an upstream without an answer. They show nothing from the upstream.
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
	return http.StatusBadGateway, "the answer of the upstream cannot be read: it is not valid HTTP, or its header is too long"
}

// isType reports whether an error, or an error that it wraps, has the type E.
func isType[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func quoted(text string) []byte {
	b, _ := json.Marshal(text) // never fails for a string
	return b
}
