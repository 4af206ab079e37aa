package door_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/emulator/internal/door"
	"github.com/calrules/calrules/internal/authority"
)

const host = "www.service.example"

// open returns the address of a server that is the host, and a pool with its authority.
func open(t *testing.T) (address string, roots *x509.CertPool) {
	t.Helper()
	a, err := authority.New([]string{host, "127.0.0.1"}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ErrorLog: log.New(io.Discard, "", 0), Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.Host, " ", r.TLS != nil, " ", r.URL.Path)
	})}
	ended := make(chan error, 1)
	go func() { ended <- door.New(listener, []string{host + ":443"}).Serve(server, a.TLSConfig()) }()
	t.Cleanup(func() {
		server.Close()
		if err := <-ended; err != http.ErrServerClosed {
			t.Error(err)
		}
		if conn, err := net.Dial("tcp", listener.Addr().String()); err == nil {
			conn.Close()
			t.Error("the port is still open")
		}
	})
	roots = x509.NewCertPool()
	roots.AppendCertsFromPEM(a.PEM())
	return listener.Addr().String(), roots
}

// A port serves with TLS and without, and as the host, whether a name leads to it or a proxy.
func TestWays(t *testing.T) {
	address, roots := open(t)
	toAddress := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	for _, test := range []struct {
		name, url string
		transport *http.Transport
		want      string
	}{
		{"plain", "http://" + address + "/a", &http.Transport{}, "HTTP/1.1 " + address + " false /a"},
		{"TLS", "https://" + address + "/a", &http.Transport{}, "HTTP/1.1 " + address + " true /a"},
		{"TLS and HTTP/2", "https://" + address + "/a", &http.Transport{ForceAttemptHTTP2: true}, "HTTP/2.0 " + address + " true /a"},
		{"a name", "https://" + host + "/a", &http.Transport{DialContext: toAddress}, "HTTP/1.1 " + host + " true /a"},
		{"a proxy", "https://" + host + "/a", &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: address})}, "HTTP/1.1 " + host + " true /a"},
		{"a proxy with TLS", "https://" + host + "/a", &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "https", Host: address})}, "HTTP/1.1 " + host + " true /a"},
		{"a proxy for itself", "https://" + address + "/a", &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: address})}, "HTTP/1.1 " + address + " true /a"},
		{"a proxy without TLS", "http://" + host + "/a", &http.Transport{Proxy: http.ProxyURL(&url.URL{Scheme: "http", Host: address})}, "HTTP/1.1 " + host + " false /a"},
	} {
		test.transport.TLSClientConfig = &tls.Config{RootCAs: roots}
		client := &http.Client{Transport: test.transport, Timeout: 10 * time.Second}
		resp, err := client.Get(test.url)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || string(text) != test.want {
			t.Errorf("%s: %s, want %s, %v", test.name, text, test.want, err)
		}
		test.transport.CloseIdleConnections()
	}
}

// There is no tunnel to anywhere else, and a client that asks for one by mistake learns what it can ask for.
func TestNoOtherHosts(t *testing.T) {
	address, _ := open(t)
	for target, want := range map[string]int{
		host + ":443": 200, "WWW.Service.Example:443": 200, host + ":80": 403, "other.example:443": 403, "sub." + host + ":443": 403, "127.0.0.1:443": 403, host: 403, "[::1]:443": 403,
	} {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", target, target)
		resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: "CONNECT"})
		if err != nil || resp.StatusCode != want {
			t.Errorf("%s: %v, %v", target, resp, err)
		}
		conn.Close()
	}
}

// A client that sends its first bytes together with CONNECT, or nothing, does no harm.
func TestUnusualConnections(t *testing.T) {
	address, _ := open(t)
	silent, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	gone, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\nGET /a HTTP/1.0\r\nHost: b\r\n\r\n", address, address)
	text, err := io.ReadAll(conn)
	if want := "HTTP/1.1 200 Connection established\r\n\r\n"; err != nil || !strings.HasPrefix(string(text), want) || !strings.HasSuffix(string(text), "HTTP/1.0 b false /a") {
		t.Errorf("%q, %v", text, err)
	}
}

// A client may open a tunnel in a tunnel, with TLS and without, but not without end: each costs memory, and time for each byte.
func TestTunnelsInTunnels(t *testing.T) {
	address, roots := open(t)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	opened := 0
	for inner := conn; opened < 20; opened++ {
		if opened == 2 {
			inner = tls.Client(inner, &tls.Config{RootCAs: roots, ServerName: host})
		}
		fmt.Fprintf(inner, "CONNECT %s HTTP/1.1\r\nHost: %[1]s\r\n\r\n", address)
		text := make([]byte, 100)
		n, err := inner.Read(text)
		if err == io.EOF {
			break
		}
		if err != nil || !strings.HasPrefix(string(text[:n]), "HTTP/1.1 200 ") {
			t.Fatalf("tunnel %d: %q, %v", opened, text[:n], err)
		}
	}
	if opened < 3 || opened > 10 {
		t.Errorf("%d tunnels in tunnels are open", opened)
	}
}
