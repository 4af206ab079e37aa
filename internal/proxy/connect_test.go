package proxy

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/authority"
)

const googleapis = "www.googleapis.com"

// connecting returns options of a proxy that answers CONNECT for the service and a database, which are at the upstream.
func connecting(t testing.TB, upstream string) (o Options) {
	t.Helper()
	a, err := authority.New([]string{googleapis, "calendar-json.googleapis.com", "db.example"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	o = watching(t, upstream)
	o.Authority, o.Hosts, o.Dialect = a, []string{googleapis, "calendar-json.googleapis.com"}, diag.Google
	return o
}

// through returns a client that uses the proxy and trusts its authority.
func through(t *testing.T, p *running) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(p.o.Authority.PEM())
	transport := &http.Transport{Proxy: http.ProxyURL(parse(t, p.base)), TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func get(t *testing.T, c *http.Client, url string) (status int, text string) {
	t.Helper()
	r, err := c.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// A program that has only the address of the proxy and the certificate of the authority is served, and watched.
func TestConnect(t *testing.T) {
	p := start(t, connecting(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"id":"abcde","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"summary":"%s %s"}`, r.Host, r.RequestURI)
	})))
	c := through(t, p)
	for _, host := range []string{googleapis, "calendar-json.googleapis.com"} {
		status, text := get(t, c, "https://"+host+events+"/abcde?fields=id%2Cstart")
		if status != 200 || !strings.Contains(text, host+" "+events+"/abcde?fields=id%2Cstart") {
			t.Errorf("%s: %d %s", host, status, text)
		}
		if x := p.last(t); x.Op != "events.get" || x.Status != 200 {
			t.Errorf("%s: %+v", host, x)
		}
	}
	r, err := http.NewRequest("GET", "https://"+googleapis+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	answer, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 421 {
		t.Errorf("a request for another host in a tunnel: %d", answer.StatusCode)
	}
	if _, err := (&http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(parse(t, p.base))}}).Get("https://" + googleapis + "/"); err == nil {
		t.Error("a client that does not trust the authority is served")
	}
	p.await(func() bool { return strings.Contains(p.complaints(), "does the client trust the authority") })
}

// Without an upstream, a request in a tunnel goes to the host that it names.
func TestConnectByHost(t *testing.T) {
	var got []string
	service := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got = append(got, r.Host) }))
	t.Cleanup(service.Close)
	o := connecting(t, "https://"+googleapis)
	o.ByHost = true
	p := start(t, o)
	var dialled []string
	next := http.DefaultTransport.(*http.Transport).Clone()
	next.TLSClientConfig = &tls.Config{InsecureSkipVerify: true} // the test server has a certificate of its own
	p.to.next = roundTrip(func(r *http.Request) (*http.Response, error) {
		dialled = append(dialled, r.URL.Host)
		r.URL.Host = strings.TrimPrefix(service.URL, "https://")
		return next.RoundTrip(r)
	})
	c := through(t, p)
	for _, host := range o.Hosts {
		if status, text := get(t, c, "https://"+host+"/calendar/v3/colors"); status != 200 {
			t.Errorf("%s: %d %s", host, status, text)
		}
		if x := p.last(t); x.Op != "colors.get" {
			t.Errorf("%s: %+v", host, x)
		}
	}
	if !slices.Equal(dialled, o.Hosts) || !slices.Equal(got, o.Hosts) {
		t.Errorf("the requests go to %v, and name %v", dialled, got)
	}
	for host, want := range map[string]string{":80": googleapis, ":443": googleapis, ":8443": "", ":1": "", ".": ""} {
		dialled = nil
		status, _ := absolute(t, p, "http://"+googleapis+host+"/calendar/v3/colors")
		if strings.Join(dialled, " ") != want || (status == 200) != (want != "") {
			t.Errorf("%s: %d, and the request goes to %v", host, status, dialled)
		}
	}
	r, err := http.NewRequest("GET", "https://"+googleapis+"/calendar/v3/colors", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host, dialled = googleapis+":8443", nil
	if answer, err := c.Do(r); err != nil || answer.StatusCode != 421 || dialled != nil {
		t.Errorf("a request for another port in a tunnel: %v, %v, and goes to %v", answer, err, dialled)
	}
}

// absolute sends a request with the whole address to the proxy.
func absolute(t *testing.T, p *running, address string) (status int, text string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: ignored.example\r\n\r\n", address)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// A client that sends the whole address to the proxy, as some do for https too, reaches the hosts of the service, and no other.
func TestAbsoluteForm(t *testing.T) {
	p := start(t, connecting(t, serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%s %s", r.Host, r.RequestURI) })))
	for address, want := range map[string]string{
		"https://" + googleapis + "/calendar/v3/colors?alt=json": "200 " + googleapis + " /calendar/v3/colors?alt=json",
		"http://" + googleapis + ":80/calendar/v3/colors":        "200 " + googleapis + ":80 /calendar/v3/colors",
		"http://" + googleapis + ":8080/calendar/v3/colors":      "403 not to the host and port in the request",
		"https://evil.example/calendar/v3/colors":                "403 not to the host and port in the request",
		p.base + "/calendar/v3/colors":                           "403 not to the host and port in the request",
	} {
		got, text := absolute(t, p, address)
		status, part, _ := strings.Cut(want, " ")
		if fmt.Sprint(got) != status || !strings.Contains(text, part) {
			t.Errorf("%s: %d %s", address, got, text)
		}
	}
	if seen := p.exchanges(); len(seen) != 2 || seen[0].Op != "colors.get" {
		t.Errorf("the proxy reports %+v", seen)
	}
}

// A service in this process sees the host that the client names. If it drops the connection, the client gets no answer.
func TestHandler(t *testing.T) {
	o := watching(t, "http://service.invalid")
	o.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprintf(w, "%s %s %s", r.Header.Get("X-Forwarded-Proto"), r.Host, r.RequestURI)
	})
	p := start(t, o)
	if status, _, text := send(t, "GET", p.base+"/calendar/v3/colors", "", "Host", "a.example"); status != 200 || text != "http a.example /calendar/v3/colors" {
		t.Errorf("%d %s", status, text)
	}
	if x := p.last(t); x.Op != "colors.get" || x.Status != 200 {
		t.Errorf("%+v", x)
	}
	if answer, err := http.Post(p.base+events, "application/json", strings.NewReader("{}")); err == nil {
		t.Errorf("the answer is %s", answer.Status)
	}
	if x := p.last(t); x.Failure != droppedConnection {
		t.Errorf("%+v", x)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// The host of a database has a route of its own, at the port of the database too.
func TestConnectDatabase(t *testing.T) {
	o := connecting(t, serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "service") }))
	database := parse(t, serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "database "+r.Host) }))
	o.Database = parse(t, "https://db.example")
	p := start(t, o)
	p.database.origin = database
	c := through(t, p)
	if _, text := get(t, c, "https://db.example/a.json"); text != "database db.example" || p.last(t).Database == nil {
		t.Errorf("%s, %+v", text, p.last(t))
	}
	if _, text := get(t, c, "https://"+googleapis+"/calendar/v3/colors"); text != "service" || p.last(t).Op != "colors.get" {
		t.Errorf("%s, %+v", text, p.last(t))
	}
	o.Database = parse(t, "https://db.example:9000")
	p = start(t, o)
	p.database.origin = database
	for address, want := range map[string]int{"http://db.example/a.json": 200, "http://db.example:9000/a.json": 200, "http://db.example:9001/a.json": 403, "http://" + googleapis + ":9000/": 403} {
		if status, text := absolute(t, p, address); status != want {
			t.Errorf("%s: %d %s", address, status, text)
		}
	}
}

// Tunnels to other hosts pass untouched, with the certificate of the host, in both directions until both ends close.
func TestTunnels(t *testing.T) {
	other := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.Copy(w, r.Body) }))
	t.Cleanup(other.Close)
	p := start(t, connecting(t, "http://127.0.0.1:1"))
	transport := other.Client().Transport.(*http.Transport).Clone()
	transport.Proxy = http.ProxyURL(parse(t, p.base))
	t.Cleanup(transport.CloseIdleConnections)
	body := strings.Repeat("0123456789", 100_000)
	r, err := (&http.Client{Transport: transport}).Post(other.URL, "text/plain", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if text, err := io.ReadAll(r.Body); err != nil || string(text) != body || !r.TLS.PeerCertificates[0].Equal(other.Certificate()) {
		t.Errorf("%d bytes come back, %v", len(text), err)
	}
	if n := len(p.exchanges()); n != 0 {
		t.Errorf("%d exchanges are reported", n)
	}

	// What a client sends before the tunnel is there is not lost, and a closed end is passed on.
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		far, err := l.Accept()
		if err != nil {
			return
		}
		defer far.Close()
		text, _ := io.ReadAll(far)
		fmt.Fprintf(far, "got %s", text)
	}()
	near, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	fmt.Fprintf(near, "CONNECT %s HTTP/1.1\r\nHost: x\r\n\r\nearly", l.Addr())
	near.(*net.TCPConn).CloseWrite()
	if text, err := io.ReadAll(near); err != nil || !strings.HasSuffix(string(text), "\r\n\r\ngot early") || !strings.HasPrefix(string(text), "HTTP/1.1 200 ") {
		t.Errorf("%q, %v", text, err)
	}
}

// refused returns the answer to a CONNECT that opens no tunnel.
func refused(t *testing.T, p *running, target string) string {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\nConnection: close\r\n\r\n", target)
	text, _ := io.ReadAll(conn)
	return string(text)
}

func TestConnectRefuses(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	p := start(t, connecting(t, "http://127.0.0.1:1"))
	for target, want := range map[string]string{closed.Addr().String(): "502", "a.example": "400", ":443": "400"} {
		if got := refused(t, p, target); !strings.HasPrefix(got, "HTTP/1.1 "+want) {
			t.Errorf("%s: %s", target, got)
		}
	}
	o := connecting(t, "http://127.0.0.1:1")
	o.Exposed = true
	exposed := start(t, o)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(p.base, "http://"))
	for _, host := range []string{"127.0.0.1", "localhost", "0.0.0.0"} {
		if got := refused(t, exposed, net.JoinHostPort(host, port)); !strings.HasPrefix(got, "HTTP/1.1 502") || !strings.Contains(got, "globally reachable") {
			t.Errorf("an exposed proxy opens a tunnel to %s: %s", host, got)
		}
	}
	for range maxTunnels {
		p.tunnels <- struct{}{}
	}
	if got := refused(t, p, "a.example:443"); !strings.HasPrefix(got, "HTTP/1.1 503") {
		t.Errorf("too many tunnels: %s", got)
	}
}

// Only the port of HTTPS of a host is served by the proxy. Another port gets a tunnel, whatever listens there.
func TestConnectToOtherPorts(t *testing.T) {
	p := start(t, connecting(t, "http://127.0.0.1:1"))
	var dialled []string
	p.dial = func(address string) (net.Conn, error) {
		dialled = append(dialled, address)
		return nil, errNotReachable
	}
	for _, port := range []string{"80", "8443", "4430"} {
		target := net.JoinHostPort(googleapis, port)
		if got := refused(t, p, target); !strings.HasPrefix(got, "HTTP/1.1 502") || dialled[len(dialled)-1] != target {
			t.Errorf("%s: dialled are %v, and the answer is %s", target, dialled, got)
		}
	}
}

// A stream lasts through any pause, also over HTTP/2, where a deadline for writing would end it.
func TestStreamsPause(t *testing.T) {
	pausing := func(conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.1 103 Early Hints\r\n\r\n")
		time.Sleep(5 * writeTimeout)
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
		time.Sleep(time.Hour)
		io.WriteString(conn, "data: 2\n\n")
	}
	for _, version := range []int{1, 2} {
		inBubble(t, func(t *testing.T) Options {
			o := connecting(t, "http://service.example")
			o.Timeout = 10 * writeTimeout
			return o
		}, pausing, func(t *testing.T, p *running) {
			roots := x509.NewCertPool()
			roots.AppendCertsFromPEM(p.o.Authority.PEM())
			from := p.client.Transport.(*http.Transport)
			from.Proxy, from.TLSClientConfig, from.ForceAttemptHTTP2 = http.ProxyURL(parse(t, p.base)), &tls.Config{RootCAs: roots}, version == 2
			r, err := p.client.Get("https://" + googleapis + "/stream")
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			if text, err := io.ReadAll(r.Body); string(text) != "data: 1\n\ndata: 2\n\n" || err != nil || r.ProtoMajor != version {
				t.Errorf("%s: %q, %v", r.Proto, text, err)
			}
		})
	}
}

// Tunnels end with the proxy, and free their places.
func TestTunnelsEnd(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	p := start(t, connecting(t, "http://127.0.0.1:1"))
	near, err := net.Dial("tcp", strings.TrimPrefix(p.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer near.Close()
	fmt.Fprintf(near, "CONNECT %s HTTP/1.1\r\nHost: x\r\n\r\n", l.Addr())
	if _, err := near.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	c := through(t, p)
	get(t, c, "https://"+googleapis+"/") // its connection is kept
	if n := len(p.tunnels); n != 2 {
		t.Errorf("%d tunnels are open", n)
	}
	p.stop()
	if _, err := near.Read(make([]byte, 100)); err == nil { // it waits for the end of the tunnel
		t.Error("the tunnel is open")
	}
	if err := <-p.ended; err != nil {
		t.Error(err)
	}
	p.ended <- nil
	for range maxTunnels {
		p.tunnels <- struct{}{} // it waits until all places are free
	}
}

// A clock that jumps neither ends a tunnel in use nor keeps an idle one: its times have readings of the monotonic clock, with
// which the standard library compares them.
func TestTunnelsKeepTime(t *testing.T) {
	deadlines := make(chan time.Time, 3)
	near, client := net.Pipe()
	far, server := net.Pipe()
	ended := make(chan struct{})
	go func() {
		new(Proxy).pipe(&timed{near, deadlines}, &timed{far, deadlines})
		close(ended)
	}()
	go client.Write([]byte("a"))
	if _, err := server.Read(make([]byte, 1)); err != nil {
		t.Error(err)
	}
	for range 3 { // one for each direction, and one after the transfer
		if at := <-deadlines; !strings.Contains(at.String(), " m=") || time.Until(at) > tunnelIdle || time.Until(at) < tunnelIdle-time.Minute {
			t.Errorf("the tunnel is idle at %s", at)
		}
	}
	client.Close()
	server.Close()
	<-ended
}

// timed is a connection that passes on the deadlines of its reads.
type timed struct {
	net.Conn
	deadlines chan<- time.Time
}

func (c *timed) SetReadDeadline(at time.Time) error {
	select {
	case c.deadlines <- at:
	default: // the test has what it needs
	}
	return c.Conn.SetReadDeadline(at)
}

// A copy goes on while bytes pass in the other direction, and ends when nothing passes.
func TestIdleTunnels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		from, writer := net.Pipe()
		defer writer.Close()
		to, reader := net.Pipe()
		defer reader.Close()
		last := &activity{begin: time.Now()}
		time.AfterFunc(tunnelIdle/2, last.note) // the other direction
		copyActive(to, from, last)
		if took := time.Since(last.begin); took != tunnelIdle+tunnelIdle/2 {
			t.Errorf("the copy ends after %s", took)
		}
	})
}

// Over TLS, with a certificate of the user. Only HTTP/1.1 has CONNECT as a way to take over a connection.
func TestServeTLS(t *testing.T) {
	for version, authority := range map[int]*authority.Authority{1: connecting(t, "http://127.0.0.1:1").Authority, 2: nil} {
		serveTLS(t, authority, version)
	}
}

func serveTLS(t *testing.T, connect *authority.Authority, version int) {
	a, err := authority.New([]string{"127.0.0.1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := a.TLSConfig().GetCertificate(&tls.ClientHelloInfo{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "{}") }))
	o.Timeout, o.Authority = time.Minute, connect
	p := New(o)
	ended := make(chan error)
	go func() { ended <- p.Serve(t.Context(), l, leaf) }()
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.PEM())
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}}
	answer, err := c.Get("https://" + l.Addr().String() + "/calendar/v3/colors")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || string(text) != "{}" || answer.ProtoMajor != version {
		t.Errorf("%s: %s, %v; want HTTP/%d", answer.Proto, text, err, version)
	}
	l.Close()
	if err := <-ended; err == nil {
		t.Error("a closed listener is no error")
	}
}
