// Package proxy is a reverse proxy in front of a calendar service or a realtime database that reports the mistakes in
// each request and each answer. Method, path, query and body pass as they are.
package proxy

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/authority"
	"github.com/calrules/calrules/internal/traffic"
)

// ServiceHosts are the hosts of the Google Calendar API, and TokenHosts the hosts from which its clients get tokens.
var (
	ServiceHosts = []string{"www.googleapis.com", "calendar-json.googleapis.com", "content.googleapis.com"}
	TokenHosts   = []string{"oauth2.googleapis.com", "accounts.google.com", "openidconnect.googleapis.com", "sts.googleapis.com"}
)

// Options are the options of a [Proxy].
type Options struct {
	// Service is the origin of the calendar service. It may be nil if there is a Database. Each exchange is checked by the first of
	// the Watchers that watches its address.
	Service  *url.URL
	Watchers []*between.Watcher
	Block    bool // do not send requests that the service is sure to refuse

	// Handler, if it is not nil, is the service, in this process: it gets all requests, each with the host that it
	// names.
	Handler http.Handler

	// Database is the origin of a realtime database.
	Database *url.URL

	// Authority, if it is not nil, lets the proxy answer CONNECT for Hosts, which are names of the service, and for the host of
	// the database. ByHost sends requests through such a tunnel to the host that they name, and not to Service.
	Authority *authority.Authority
	Hosts     []string
	ByHost    bool

	Exposed bool          // other machines reach the proxy: its tunnels lead to no private address
	Timeout time.Duration // of an answer, and of a pause within it
	Dialect diag.Dialect
	Print   traffic.Options

	// Report is called with each exchange when the answer begins, by several goroutines at a time. Errors is called with
	// problems of connections. Both may be nil.
	Report func(Exchange)
	Errors func(string)
}

// Limits on the cost of clients and upstreams.
const (
	maxHeader   = 64 << 10 // of a request, in bytes
	maxAnswer   = 256 << 10
	maxUpload   = 64 << 20 // of a request, in bytes; it passes, but the watcher checks at most [event.DefaultMaxBytes]
	maxRequests = 128      // at a time
	maxStreams  = 256      // at a time: answers without an end, and connections for other protocols
	maxTunnels  = 256      // at a time

	headerTimeout  = 10 * time.Second // for the header of a request
	requestTimeout = time.Minute      // for a whole request
	writeTimeout   = time.Minute      // for a client that does not read
	idleTimeout    = 2 * time.Minute  // between two requests
	grace          = 5 * time.Second  // for requests under way when the proxy ends
)

// Proxy is an [http.Handler]. Close it when it is no longer needed.
type Proxy struct {
	o                 Options
	to                *upstream
	service, database *route
	slots, streams    chan struct{} // one for each request under way, and for each open stream
	page              page

	dial    func(address string) (net.Conn, error) // for a tunnel
	tunnels chan struct{}                          // one for each open tunnel
	inner   *http.Server                           // of the requests in tunnels to the service
	conns   *handed                                // its connections
	within  *http.Server                           // of the service, if it is in this process
	ending  context.Context                        // of the streams
	end     context.CancelFunc
	closed  chan struct{}
	close   sync.Once
}

// New returns a proxy.
func New(o Options) *Proxy {
	p := &Proxy{o: o, to: newUpstream(o.Timeout), slots: make(chan struct{}, maxRequests), streams: make(chan struct{}, maxStreams), tunnels: make(chan struct{}, maxTunnels), closed: make(chan struct{})}
	p.ending, p.end = context.WithCancel(context.Background())
	p.dial = p.dialTunnel
	if o.Handler != nil {
		conns := newHanded()
		p.to.next = &http.Transport{DisableCompression: true, DisableKeepAlives: true, DialContext: conns.dial}
		p.within = p.newServer(o.Handler)
		go p.within.Serve(conns) // until Close
	}
	if o.Service != nil {
		p.service = p.newRoute(o.Service, p.checking())
	}
	if o.Database != nil {
		p.database = p.newRoute(o.Database, p.to)
	}
	if o.Authority != nil {
		p.conns = newHanded()
		p.inner = p.newServer(http.HandlerFunc(p.serveTunnelled))
		p.inner.TLSConfig = o.Authority.TLSConfig()
		go p.inner.ServeTLS(p.conns, "", "") // until Close
	}
	return p
}

// Serve serves until the context ends, then ends the streams and finishes the requests under way. A certificate makes it serve TLS.
func (p *Proxy) Serve(ctx context.Context, l net.Listener, certificate *tls.Certificate) error {
	defer p.Close()
	server := p.newServer(p)
	ended := make(chan error, 1)
	if certificate == nil {
		go func() { ended <- server.Serve(l) }()
	} else {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*certificate}}
		server.Protocols = new(http.Protocols)
		server.Protocols.SetHTTP1(true) // CONNECT takes over connections, as HTTP/2 does not
		server.Protocols.SetHTTP2(p.o.Authority == nil)
		go func() { ended <- server.ServeTLS(l, "", "") }()
	}
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	p.end()
	late, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	err := server.Shutdown(late)
	if p.inner != nil {
		err = errors.Join(err, p.inner.Shutdown(late))
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.Join(server.Close(), fmt.Errorf("some requests were not answered within %s, and are given up", grace))
	}
	return err
}

// Close ends the streams and the tunnels.
func (p *Proxy) Close() {
	p.close.Do(func() {
		p.end()
		close(p.closed)
		for _, server := range []*http.Server{p.inner, p.within} {
			if server != nil {
				server.Close()
			}
		}
	})
}

// newServer returns a server with limits. The time of an answer has none, since it may be a stream; the writer of an answer
// limits each of its parts.
func (p *Proxy) newServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: h, ReadHeaderTimeout: headerTimeout, ReadTimeout: requestTimeout, IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeader,
		ErrorLog: log.New(errorLines(p.complain), "", 0),
	}
}

func (p *Proxy) complain(text string) {
	if p.o.Errors != nil {
		p.o.Errors(text)
	}
}

// ServeHTTP implements [http.Handler].
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.connect(w, r)
	case r.URL.IsAbs() || p.o.Handler != nil && r.URL.Path != PagePath:
		p.serveHost(w, r, http.StatusForbidden, "This proxy forwards to the service only, and not to the host that the request names. Send the path alone, or use CONNECT.")
	case r.URL.Path == PagePath:
		p.page.ServeHTTP(w, r)
	case p.service != nil:
		p.forward(w, r, p.service, "")
	default:
		p.forward(w, r, p.database, "")
	}
}

// serveTunnelled serves a request through a tunnel, for a host that the authority vouches for.
func (p *Proxy) serveTunnelled(w http.ResponseWriter, r *http.Request) {
	p.serveHost(w, r, http.StatusMisdirectedRequest, "The connection is not for the host that the request names.")
}

// serveHost forwards a request to the host that it names, or refuses it.
func (p *Proxy) serveHost(w http.ResponseWriter, r *http.Request, status int, otherwise string) {
	if to := p.routeTo(hostOf(r.Host)); to != nil {
		p.forward(w, r, to, r.Host)
		return
	}
	refuse(w, status, otherwise)
}

// routeTo returns the route of requests that name a host, or nil if the proxy must not look at them.
func (p *Proxy) routeTo(host string) *route {
	switch {
	case p.database != nil && host == hostOf(p.o.Database.Host):
		return p.database
	case p.service != nil && (p.o.Handler != nil || slices.Contains(p.o.Hosts, host)):
		return p.service
	}
	return nil
}

// hostOf returns a host in lower case, without its port.
func hostOf(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		hostport = host
	}
	return strings.ToLower(strings.Trim(hostport, "[]"))
}

// refuse answers a request that is not forwarded, in the form of the service's errors, which its clients can show.
func refuse(w http.ResponseWriter, status int, text string) {
	reason := "badRequest"
	if status >= http.StatusInternalServerError {
		reason = "backendError"
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"code":%d,"message":%s,"errors":[{"domain":"global","reason":%q,"message":%[2]s}]}}`+"\n", status, quoted("calrules proxy: "+text), reason)
}
