// Package proxy implements a reverse proxy for a calendar service or a realtime database that reports the mistakes in each
// request and each response. Package proxy passes on the method, path, query and body unchanged.
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

// ServiceHosts are the hosts of the Google Calendar API, and TokenHosts are the hosts from which its clients get tokens.
var (
	ServiceHosts = []string{"www.googleapis.com", "calendar-json.googleapis.com", "content.googleapis.com"}
	TokenHosts   = []string{"oauth2.googleapis.com", "accounts.google.com", "openidconnect.googleapis.com", "sts.googleapis.com"}
)

// Options configures a [Proxy].
type Options struct {
	// Service is the origin of the calendar service, which may be nil if Database is set. An exchange is checked by the first of
	// the Watchers that watches its URL.
	Service  *url.URL
	Watchers []*between.Watcher
	Block    bool // withhold requests that the service is sure to refuse

	// Handler, if not nil, is a service in this process, which gets all requests, with their original hosts. The header field
	// X-Forwarded-Proto is https if the client used TLS.
	Handler http.Handler

	// Database is the origin of a realtime database.
	Database *url.URL

	// Authority, if not nil, lets the proxy serve tunnels to Hosts, which are names of the service, and to the host of the
	// database. ByHost sends each request in a tunnel to the host named in the request, over HTTPS, instead of to Service.
	Authority *authority.Authority
	Hosts     []string
	ByHost    bool

	Exposed bool          // other machines can reach the proxy, so refuse tunnels to private addresses
	Timeout time.Duration // for an answer, and for a pause in an answer
	Dialect diag.Dialect
	Print   traffic.Options

	// Report is called with each exchange when its response begins, and Errors with connection errors. Report and Errors may be
	// nil, and may be called concurrently.
	Report func(Exchange)
	Errors func(string)
}

// Limits on the resources that clients and upstreams can use.
const (
	maxHeader   = 64 << 10 // the size in bytes of a request's header
	maxAnswer   = 256 << 10
	maxUpload   = 64 << 20 // the size in bytes of a request's body; the watcher checks at most [event.DefaultMaxBytes]
	maxRequests = 128      // at a time
	maxStreams  = 256      // at a time: answers without a definite end, and connections for other protocols
	maxTunnels  = 256      // at a time

	headerTimeout  = 10 * time.Second // for the header of a request
	requestTimeout = time.Minute      // for a whole request
	writeTimeout   = time.Minute      // for a client that does not read
	idleTimeout    = 2 * time.Minute  // between two requests
	grace          = 5 * time.Second  // for active requests when the proxy shuts down
)

// Proxy is the reverse proxy, an [http.Handler]. A Proxy must be closed when it is no longer needed.
type Proxy struct {
	o                 Options
	to                *upstream
	service, database *route
	slots, streams    chan struct{} // an element for each active request and each open stream
	page              page

	dial    func(address string) (net.Conn, error) // connects the far end of a tunnel
	tunnels chan struct{}                          // an element for each open tunnel
	inner   *http.Server                           // serves requests in tunnels to the service
	conns   *handed                                // the connections of inner
	within  *http.Server                           // serves the service in this process, or nil
	ending  context.Context                        // the context of the streams
	end     context.CancelFunc
	closed  chan struct{}
	close   sync.Once
}

// New returns a proxy with the given options.
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

// Serve serves connections until the context ends. Serve then closes the streams, and waits a short time for active requests.
// If the certificate is not nil, Serve serves TLS.
func (p *Proxy) Serve(ctx context.Context, l net.Listener, certificate *tls.Certificate) error {
	defer p.Close()
	server := p.newServer(p)
	ended := make(chan error, 1)
	if certificate == nil {
		go func() { ended <- server.Serve(l) }()
	} else {
		server.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{*certificate}}
		server.Protocols = new(http.Protocols)
		server.Protocols.SetHTTP1(true) // CONNECT takes over connections, which HTTP/2 does not allow
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
		return errors.Join(server.Close(), fmt.Errorf("some requests got no response within %s and were abandoned", grace))
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

// newServer returns a server with limits, but without a time limit for a whole response, which may be a stream; answerWriter
// limits the time for each part of a response.
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
		p.serveHost(w, r, http.StatusForbidden, "This proxy forwards requests only to the service, not to the host and port in the request. Send only the path, or use CONNECT.")
	case r.URL.Path == PagePath:
		p.page.ServeHTTP(w, r)
	case p.service != nil:
		p.forward(w, r, p.service, "")
	default:
		p.forward(w, r, p.database, "")
	}
}

// serveTunnelled serves a request in a tunnel to a host of the authority.
func (p *Proxy) serveTunnelled(w http.ResponseWriter, r *http.Request) {
	p.serveHost(w, r, http.StatusMisdirectedRequest, "The connection is for a different host or port than the request.")
}

// serveHost forwards a request on the route for its host, or refuses the request if there is no such route.
func (p *Proxy) serveHost(w http.ResponseWriter, r *http.Request, status int, otherwise string) {
	if to := p.routeTo(r.Host); to != nil {
		p.forward(w, r, to, r.Host)
		return
	}
	refuse(w, status, otherwise)
}

// routeTo returns the route for requests to a host, with or without a port, or nil if the proxy does not forward requests to the
// host. Behind another port, there may be another server.
func (p *Proxy) routeTo(hostport string) *route {
	host, port := splitHost(hostport)
	isStandard := port == "" || port == "80" || port == "443"
	switch {
	case p.database != nil && host == hostOf(p.o.Database.Host) && (isStandard || port == p.o.Database.Port()):
		return p.database
	case p.service != nil && (p.o.Handler != nil || isStandard && slices.Contains(p.o.Hosts, host)):
		return p.service
	}
	return nil
}

// splitHost returns a host in lower case and its port, which may be "".
func splitHost(hostport string) (host, port string) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		host = hostport
	}
	return strings.ToLower(strings.Trim(host, "[]")), port
}

// hostOf returns a host in lower case, without the port.
func hostOf(hostport string) string {
	host, _ := splitHost(hostport)
	return host
}

// refuse responds to a request with an error in the service's form, so clients of the service can show the error.
func refuse(w http.ResponseWriter, status int, text string) {
	reason := "badRequest"
	if status >= http.StatusInternalServerError {
		reason = "backendError"
	}
	limitWrite(http.NewResponseController(w))
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"code":%d,"message":%s,"errors":[{"domain":"global","reason":%q,"message":%[2]s}]}}`+"\n", status, quoted("calrules proxy: "+text), reason)
}
