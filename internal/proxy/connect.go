package proxy

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// tunnelIdle is the time after which an idle tunnel is closed.
const tunnelIdle = 10 * time.Minute

// connect responds to a CONNECT request. The proxy itself serves the hosts of the authority, and opens an uninspected tunnel to
// any other host.
func (p *Proxy) connect(w http.ResponseWriter, r *http.Request) {
	host, port, err := net.SplitHostPort(r.Host)
	switch {
	case p.o.Authority == nil:
		w.Header().Set("Allow", "GET, POST, PUT, PATCH, DELETE")
		refuse(w, http.StatusMethodNotAllowed, "The proxy accepts CONNECT only with the flag --connect.")
		return
	case err != nil || host == "" || port == "":
		refuse(w, http.StatusBadRequest, "CONNECT requires a host and a port.")
		return
	}
	select {
	case p.tunnels <- struct{}{}:
	default:
		refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("The maximum of %d tunnels is reached.", maxTunnels))
		return
	}
	free := sync.OnceFunc(func() { <-p.tunnels })
	if port == "443" && p.routeTo(r.Host) != nil {
		if conn := p.hijack(w); conn == nil || !p.conns.hand(&closing{Conn: conn, then: free}) {
			free()
		}
		return
	}
	defer free()
	far, err := p.dial(r.Host)
	if err != nil {
		reason, _ := unreachable(err)
		text := "the host of a tunnel cannot be reached: " + cmp.Or(reason, "it has no valid address")
		p.complain(text)
		refuse(w, http.StatusBadGateway, sentence(text))
		return
	}
	defer far.Close()
	if near := p.hijack(w); near != nil {
		defer near.Close()
		p.pipe(near, far)
	}
}

// hijack takes over the connection of a request, and informs the client that the connection is now a tunnel. The result is nil
// on failure.
func (p *Proxy) hijack(w http.ResponseWriter) net.Conn {
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		refuse(w, http.StatusHTTPVersionNotSupported, "CONNECT requires HTTP/1.1.")
		return nil
	}
	_ = conn.SetWriteDeadline(time.Now().Add(writeTimeout))
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		conn.Close()
		return nil
	}
	_ = conn.SetDeadline(time.Time{})
	return &early{conn, buffered.Reader}
}

// early is a connection whose first bytes have already been read into a buffer.
type early struct {
	net.Conn
	buffer *bufio.Reader
}

func (e *early) Read(text []byte) (int, error) { return e.buffer.Read(text) }

// dialTunnel connects to the far end of a tunnel. A proxy that serves other machines refuses addresses that are not
// globally reachable and its own, except its upstream.
func (p *Proxy) dialTunnel(address string) (net.Conn, error) {
	d := net.Dialer{Timeout: headerTimeout}
	if p.o.Exposed && !p.isUpstream(address) {
		d.Control = onlyReachable
	}
	return d.Dial("tcp", address) // even if the client has already closed its end
}

// onlyReachable is the Control function of a dialer that connects only to addresses of other machines that are globally
// reachable. On its own machine, the page and other servers would take the connection for one from that machine.
func onlyReachable(_, dialled string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(dialled); err != nil || !isReachable(at.Addr()) || isOfThisMachine(at.Addr()) {
		return errNotReachable
	}
	return nil
}

// isOfThisMachine reports whether an address is one of this machine's, or whether this is unknown.
func isOfThisMachine(ip netip.Addr) bool {
	own, err := ownAddresses()
	return err != nil || slices.ContainsFunc(own, func(a net.Addr) bool {
		at, err := netip.ParsePrefix(a.String())
		return err != nil || at.Addr().Unmap() == ip.Unmap().WithZone("")
	})
}

// ownAddresses returns the addresses of this machine. A test replaces it, because few machines have a global address.
var ownAddresses = net.InterfaceAddrs

// errNotReachable means that a client on another machine requested an address that is not globally reachable, or an address of
// this machine.
var errNotReachable = errors.New("the address is not globally reachable, or is of this machine")

// isUpstream reports whether an address belongs to the service or the database behind the proxy.
func (p *Proxy) isUpstream(address string) bool {
	ports := map[string]string{"http": "80", "https": "443"}
	return slices.ContainsFunc([]*url.URL{p.o.Service, p.o.Database}, func(u *url.URL) bool {
		return u != nil && address == net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), ports[u.Scheme]))
	})
}

// pipe copies bytes in both directions until both ends or the proxy are closed, or the tunnel is idle for too long.
func (p *Proxy) pipe(a, b net.Conn) {
	last := &activity{begin: time.Now()}
	ended := make(chan struct{}, 2)
	for _, ends := range [][2]net.Conn{{a, b}, {b, a}} {
		go func() {
			copyActive(ends[0], ends[1], last)
			closeWrite(ends[0])
			ended <- struct{}{}
		}()
	}
	for range 2 {
		select {
		case <-ended:
		case <-p.closed:
			return // the caller closes both ends
		}
	}
}

// closeWrite closes one direction of a connection: no more bytes will follow.
func closeWrite(c net.Conn) {
	if e, ok := c.(*early); ok {
		c = e.Conn
	}
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
	} else {
		c.Close()
	}
}

// activity is the time of the last transfer through a tunnel, measured from the opening of the tunnel. Unlike an instant
// without a monotonic clock reading, such a duration is not affected by clock jumps.
type activity struct {
	begin time.Time
	after atomic.Int64
}

func (a *activity) note() { a.after.Store(int64(time.Since(a.begin))) }

// idle returns the time at which the tunnel becomes idle unless more bytes are transferred.
func (a *activity) idle() time.Time { return a.begin.Add(time.Duration(a.after.Load()) + tunnelIdle) }

// copyActive copies from one connection to another until EOF or an error. A read times out only if no bytes are transferred in
// either direction for too long.
func copyActive(to, from net.Conn, last *activity) {
	text := buffers.Get()
	defer buffers.Put(text)
	for {
		_ = from.SetReadDeadline(last.idle())
		n, err := from.Read(text)
		if n > 0 {
			last.note()
			_ = to.SetWriteDeadline(time.Now().Add(writeTimeout))
			if _, err := to.Write(text[:n]); err != nil {
				return
			}
		}
		if late, ok := err.(net.Error); ok && late.Timeout() && time.Until(last.idle()) > 0 {
			continue
		}
		if err != nil {
			return
		}
	}
}

// handed is a listener that accepts connections passed to its hand method.
type handed struct {
	conns  chan net.Conn
	closed chan struct{}
	close  sync.Once
}

func newHanded() *handed { return &handed{conns: make(chan net.Conn), closed: make(chan struct{})} }

// hand passes a connection to the listener. If the listener is closed, hand closes the connection and returns false.
func (h *handed) hand(c net.Conn) bool {
	select {
	case h.conns <- c:
		return true
	case <-h.closed:
		c.Close()
		return false
	}
}

// dial creates an in-memory connection, hands one end to the listener, and returns the other end.
func (h *handed) dial(context.Context, string, string) (net.Conn, error) {
	near, far := net.Pipe()
	if !h.hand(far) {
		return nil, net.ErrClosed
	}
	return near, nil
}

func (h *handed) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.closed:
		return nil, net.ErrClosed
	}
}

func (h *handed) Close() error {
	h.close.Do(func() { close(h.closed) })
	return nil
}

func (h *handed) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// closing is a connection that calls a function when it is closed.
type closing struct {
	net.Conn
	then func()
}

func (c *closing) Close() error {
	defer c.then()
	return c.Conn.Close()
}
