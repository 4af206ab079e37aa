// Package door makes a server reachable under other host names, with and without TLS on the same port, and also as an HTTP
// proxy, through CONNECT.
package door

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Door separates the TLS connections of a listener from all other connections by their first byte.
type Door struct {
	plain, secure *queue // connections without and with TLS
	addresses     []string
}

// patience is the maximum time that a client may take to send its first byte.
const patience = 10 * time.Second

// New returns a door that takes over a listener. The door accepts CONNECT to the given addresses, such as
// www.service.example:443, which must be in lower case, and to the address of the listener, since some clients use a
// proxy for every request.
func New(listener net.Listener, addresses []string) *Door {
	ended := make(chan struct{})
	end := sync.OnceValue(func() error {
		close(ended)
		return listener.Close()
	})
	plain := &queue{conns: make(chan net.Conn), ended: ended, end: end, at: listener.Addr()}
	secure := &queue{conns: make(chan net.Conn), ended: ended, end: end, at: listener.Addr()}
	d := &Door{plain, secure, append(slices.Clone(addresses), listener.Addr().String())}
	go d.accept(listener)
	return d
}

// Serve serves until the server is closed, as [http.Server.Serve] does. Serve sets the server's Handler and TLSConfig.
func (d *Door) Serve(server *http.Server, config *tls.Config) error {
	server.Handler, server.TLSConfig = d.handler(server.Handler), config
	// The server sets up HTTP/2 on the first call to Serve or ServeTLS, and only if NextProtos includes h2.
	server.TLSConfig.NextProtos = []string{"h2", "http/1.1"}
	ended := make(chan error, 2)
	go func() { ended <- server.Serve(d.plain) }()
	go func() { ended <- server.ServeTLS(d.secure, "", "") }()
	return <-ended
}

// accept accepts and sorts connections until the listener is closed.
func (d *Door) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // such as too many open files
			time.Sleep(50 * time.Millisecond)
		default:
			go d.sort(&begun{Conn: conn, buffer: bufio.NewReader(conn)})
		}
	}
}

// sort adds a connection to the queue for its first byte.
func (d *Door) sort(conn *begun) {
	const handshake = 22                               // the type of the first TLS record (RFC 8446 section 5.1)
	_ = conn.SetReadDeadline(time.Now().Add(patience)) // fails only if the connection is already closed
	first, err := conn.buffer.Peek(1)
	if err != nil {
		conn.Close()
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	to := d.plain
	if first[0] == handshake {
		to = d.secure
	}
	to.add(conn)
}

// handler returns a handler that responds to CONNECT requests and passes all other requests to next.
func (d *Door) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodConnect {
			d.connect(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// connect takes over the connection of a CONNECT request and treats it as a new connection from the client.
func (d *Door) connect(w http.ResponseWriter, r *http.Request) {
	if !slices.Contains(d.addresses, strings.ToLower(r.Host)) {
		http.Error(w, fmt.Sprintf("The emulator is %s, and reaches no other address.", strings.Join(d.addresses, ", ")), http.StatusForbidden)
		return
	}
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, "CONNECT requires HTTP/1.1.", http.StatusHTTPVersionNotSupported)
		return
	}
	depth := depthOf(conn) + 1
	if depth > maxDepth {
		conn.Close()
		return
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	if _, err := io.WriteString(conn, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		conn.Close()
		return
	}
	_ = conn.SetDeadline(time.Time{})
	go d.sort(&begun{conn, buffered.Reader, depth})
}

// begun is a connection whose first bytes are already in a buffer.
type begun struct {
	net.Conn
	buffer *bufio.Reader
	depth  int // the number of tunnels around it
}

// maxDepth is the maximum depth of a tunnel in tunnels. Each tunnel costs memory, and time for each byte. Clients need one.
const maxDepth = 8

// depthOf returns the number of tunnels around a connection, which may have TLS.
func depthOf(conn net.Conn) int {
	switch c := conn.(type) {
	case *tls.Conn:
		return depthOf(c.NetConn())
	case *begun:
		return c.depth
	}
	return 0
}

func (b *begun) Read(text []byte) (int, error) { return b.buffer.Read(text) }

// queue is a listener for connections that were accepted elsewhere. All queues of a door are closed together.
type queue struct {
	conns chan net.Conn
	ended <-chan struct{}
	end   func() error
	at    net.Addr
}

// add waits until the connection is accepted. If the queue is closed, add closes the connection.
func (q *queue) add(c net.Conn) {
	select {
	case q.conns <- c:
	case <-q.ended:
		c.Close()
	}
}

// Accept implements [net.Listener].
func (q *queue) Accept() (net.Conn, error) {
	select {
	case c := <-q.conns:
		return c, nil
	case <-q.ended:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (q *queue) Close() error { return q.end() }

// Addr implements [net.Listener].
func (q *queue) Addr() net.Addr { return q.at }
