package proxy

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/calrules/calrules/internal/traffic"
)

// inMemory is a proxy and an upstream that listen on sockets of the file system: a fuzz test would use up all ports.
type inMemory struct {
	*running
	socket string
}

// startInMemory starts a proxy whose upstream answers each connection with the function.
func startInMemory(f *testing.F, upstream func(net.Conn)) *inMemory {
	f.Helper()
	folder := f.TempDir()
	listen := func(name string) net.Listener {
		l, err := net.Listen("unix", filepath.Join(folder, name))
		if err != nil {
			f.Skip(err)
		}
		return l
	}
	far, near := listen("upstream"), listen("proxy")
	f.Cleanup(func() { far.Close() })
	go func() {
		for {
			conn, err := far.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				upstream(conn)
			}()
		}
	}()
	o := connecting(f, "http://upstream.example")
	o.Timeout = time.Minute
	p := &inMemory{&running{ended: make(chan error, 1)}, near.Addr().String()}
	p.observe(&o)
	p.Proxy = New(o)
	p.dial = func(string) (net.Conn, error) { return nil, io.ErrUnexpectedEOF } // tunnels lead nowhere
	transport := p.to.next.(*http.Transport)
	transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", far.Addr().String())
	}
	ctx, cancel := context.WithCancel(context.Background())
	go func() { p.ended <- p.Serve(ctx, near, nil) }()
	f.Cleanup(func() {
		cancel()
		<-p.ended
	})
	return p
}

// speak sends bytes to the proxy, and waits for the end of what it answers. It returns what the proxy has logged.
func (p *inMemory) speak(t *testing.T, text []byte) (log string) {
	t.Helper()
	conn, err := net.Dial("unix", p.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.Write(text)
	conn.(*net.UnixConn).CloseWrite()
	io.Copy(io.Discard, conn)
	p.mutex.Lock()
	defer p.mutex.Unlock()
	log = fmt.Sprint(p.errors, p.seen)
	p.errors, p.seen = nil, nil
	if strings.Contains(log, "panic") {
		t.Errorf("the proxy panics: %s", log)
	}
	return log
}

// Whatever a client sends, the proxy answers or closes, and does not panic.
func FuzzRequest(f *testing.F) {
	const fields = "Host: a\r\nAuthorization: Bearer very-secret\r\nCookie: a=very-secret\r\n"
	for _, seed := range []string{
		"GET " + events + "?access_token=very-secret HTTP/1.1\r\n" + fields + "\r\n",
		"POST " + events + " HTTP/1.1\r\n" + fields + "Content-Length: 2\r\n\r\n{}",
		"POST " + events + " HTTP/1.1\r\n" + fields + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"POST " + events + " HTTP/1.1\r\n" + fields + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
		"POST /batch HTTP/1.1\r\n" + fields + "Content-Type: multipart/mixed; boundary=b\r\nContent-Length: 60\r\n\r\n--b\r\n\r\nGET /calendar/v3/colors HTTP/1.1\r\n\r\n\r\n--b--",
		"CONNECT 127.0.0.1:1 HTTP/1.1\r\n" + fields + "\r\n", "CONNECT www.googleapis.com:443 HTTP/1.1\r\n" + fields + "\r\nxx",
		"GET http://a.example/ HTTP/1.1\r\n" + fields + "\r\n", "GET /_calrules HTTP/1.0\r\n\r\n", "OPTIONS * HTTP/1.1\r\n" + fields + "\r\n",
		"GET / HTTP/1.1\r\n" + fields + "Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "\x16\x03\x01", "",
	} {
		f.Add([]byte(seed))
	}
	p := startInMemory(f, func(conn net.Conn) {
		for in := bufio.NewReader(conn); ; {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(stored), stored)
		}
	})
	f.Fuzz(func(t *testing.T, request []byte) { p.speak(t, request) })
}

// Whatever the upstream answers, the client gets an end, nothing panics, and nothing of it is logged.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nSet-Cookie: very-secret\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"HTTP/1.1 200 very-secret\r\n\r\n" + stored, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nabc", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08", "HTTP/1.1 999 x\r\n\r\n", "HTTP/1.1 0 x\r\n\r\n", "HTTP/1.1 200 OK\r\nTrailer: X\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n\r\n", "very-secret", "",
	} {
		f.Add([]byte(seed))
	}
	var answer atomic.Value
	p := startInMemory(f, func(conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		conn.Write(answer.Load().([]byte))
	})
	f.Fuzz(func(t *testing.T, text []byte) {
		answer.Store(text)
		log := p.speak(t, []byte("GET "+events+"/abcde HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"))
		if strings.Contains(log, "very-secret") {
			t.Errorf("the log has what the upstream sent: %s", log)
		}
	})
}

// Exchanges at the same time do not get into each other.
func TestConcurrentExchanges(t *testing.T) {
	o := watching(t, serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s", r.RequestURI, body)
	}))
	o.Print = traffic.Options{Values: true} // the paths tell the exchanges apart
	p := start(t, o)
	address := strings.TrimPrefix(p.base, "http://")
	const clients, each = 20, 20
	var all sync.WaitGroup
	for n := range clients {
		all.Go(func() {
			conn, err := net.Dial("tcp", address)
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			answers := bufio.NewReader(conn)
			for i := range each {
				body := strings.Repeat(fmt.Sprintf("%d-%d ", n, i), 1+i*n)
				target := fmt.Sprintf("%s/%dx%d?a=%d;%d", events, n, i, n, i)
				fmt.Fprintf(conn, "PUT %s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n%s", target, len(body), body)
				answer, err := http.ReadResponse(answers, nil)
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := io.ReadAll(answer.Body); err != nil || string(got) != target+" "+body {
					t.Errorf("%s: %.100s, %v", target, got, err)
					return
				}
			}
		})
	}
	all.Wait()
	seen := map[string]int{}
	for _, x := range p.exchanges() {
		seen[x.Path]++
	}
	if len(seen) != clients*each || len(p.exchanges()) != clients*each {
		t.Errorf("%d exchanges about %d events are reported", len(p.exchanges()), len(seen))
	}
}
