package command

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/authority"
	"github.com/calrules/calrules/internal/proxy"
	"github.com/calrules/calrules/internal/traffic"
)

// freePort is the script command "freeport NAME...". It sets each variable to a port that nobody listens on. The port is
// none of those that systems assign by themselves, which another program could get before the script listens.
func freePort(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: freeport NAME...")
	}
	for _, name := range args {
		listen := func() (net.Listener, error) {
			return net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000)))
		}
		l, err := listen()
		for errors.Is(err, syscall.EADDRINUSE) {
			l, err = listen()
		}
		ts.Check(err)
		defer l.Close() // at the end, so that the ports differ
		ts.Setenv(name, fmt.Sprint(l.Addr().(*net.TCPAddr).Port))
	}
}

// upstreamMain is the program "upstream ADDRESS [FILE]", a server that answers each request with the file, or with the
// request itself.
func upstreamMain() {
	handler := func(w http.ResponseWriter, r *http.Request) { r.Write(w) }
	if len(os.Args) > 2 {
		text, err := os.ReadFile(os.Args[2])
		check(err)
		handler = func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Set-Cookie", "a=secret")
			w.Write(text)
		}
	}
	check(http.ListenAndServe(os.Args[1], http.HandlerFunc(handler)))
}

// babblerMain is the program "babbler ADDRESS", a server that goes on after its answer, with a secret.
func babblerMain() {
	l, err := net.Listen("tcp", os.Args[1])
	check(err)
	for {
		conn, err := l.Accept()
		check(err)
		go func() {
			defer conn.Close()
			if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nSet-Cookie: a=secret\r\n\r\n")
		}()
	}
}

// certifyMain is the program "certify HOST CA CERTIFICATE KEY". It writes the certificate of an authority, and a certificate
// for a host with its key.
func certifyMain() {
	a, err := authority.New(os.Args[1:2], time.Now())
	check(err)
	check(a.Publish(os.Args[2]))
	leaf, err := a.TLSConfig().GetCertificate(&tls.ClientHelloInfo{})
	check(err)
	key, err := x509.MarshalPKCS8PrivateKey(leaf.PrivateKey)
	check(err)
	check(os.WriteFile(os.Args[3], pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Certificate[0]}), 0o600))
	check(os.WriteFile(os.Args[4], pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}), 0o600))
}

// fetchMain is the program "fetch METHOD URL [FILE]". It sends the file, with credentials, and writes the status and the
// answer. It waits until the server is there. The variable HTTP_HOST is the Host of the request.
func fetchMain() {
	body := []byte{}
	if len(os.Args) > 3 {
		text, err := os.ReadFile(os.Args[3])
		check(err)
		body = text
	}
	for ; ; time.Sleep(20 * time.Millisecond) {
		r, err := http.NewRequest(os.Args[1], os.Args[2], bytes.NewReader(body))
		check(err)
		r.Header.Set("Authorization", "Bearer secret")
		r.Header.Set("Cookie", "a=secret")
		r.Host = os.Getenv("HTTP_HOST")
		answer, err := http.DefaultClient.Do(r)
		if err != nil && strings.Contains(err.Error(), "refused") {
			continue
		}
		check(err)
		fmt.Println(answer.StatusCode, answer.Header)
		_, err = io.Copy(os.Stdout, answer.Body)
		check(err)
		return
	}
}

// holdMain is the program "hold ADDRESS N", a client that opens N connections, sends nothing, and waits until it is killed.
func holdMain() {
	n, err := strconv.Atoi(os.Args[2])
	check(err)
	for range n {
		conn, err := net.Dial("tcp", os.Args[1])
		check(err)
		defer conn.Close()
	}
	time.Sleep(time.Hour)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A SARIF log keeps so many findings, and says how many it leaves out.
func TestProxyLogIsBounded(t *testing.T) {
	var out, errs bytes.Buffer
	c, err := newConsole(streams{in: strings.NewReader(""), out: &out, err: &errs}, func(string) string { return "" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	flags := &proxyFlags{format: newFormat([]string{formatSARIF}), trafficFlags: trafficFlags{failOn: []string{"reject"}}}
	log := newProxyLog(c, flags)
	rule := c.checker.Catalogue().Rules()[0]
	finding := traffic.Finding{Rule: rule.ID, Kind: diag.Reject, Message: "It is wrong.", Of: rule}
	for range maxLogged + 5 {
		log.exchange(proxy.Exchange{Exchange: traffic.Exchange{Method: "POST", Path: "/x", Op: "events.insert", Findings: []traffic.Finding{finding}}})
	}
	if err := log.end(); err != errFound {
		t.Errorf("the error is %v", err)
	}
	c.out.Flush()
	if n := bytes.Count(out.Bytes(), []byte(`"ruleId"`)); n != maxLogged || !bytes.Contains(out.Bytes(), []byte("5 findings omitted after the first 10000.")) {
		t.Errorf("the log has %d findings: %s", n, out.Bytes()[:min(out.Len(), 1000)])
	}
	if n := bytes.Count(errs.Bytes(), []byte("POST /x: reject It is wrong.")); n != maxLogged+5 {
		t.Errorf("%d findings are shown", n)
	}
}

func TestReadURL(t *testing.T) {
	for text, want := range map[string]bool{
		"http://127.0.0.1:8085": true, "https://a.example/b/": true, "http://[::1]:80": true,
		"": false, "127.0.0.1:8085": false, "a.example": false, "ftp://a": false, "http://": false, "http://:80": false, "http://u:p@a": false, "http://a?b": false, "http://a#b": false, "http://a\x00": false,
	} {
		u, err := readURL("--upstream", text)
		if (err == nil) != want {
			t.Errorf("%q: %v, %v", text, u, err)
		}
		if err != nil && strings.Contains(err.Error(), "u:p") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}

// An upstream that is the proxy itself is refused.
func TestIsSelf(t *testing.T) {
	local, everywhere := net.IPv4(127, 0, 0, 1), net.IPv6unspecified
	for _, test := range []struct {
		at   net.IP
		url  string
		want bool
	}{
		{local, "http://127.0.0.1:80", true}, {local, "http://127.0.0.1/x", true}, {local, "http://localhost", true}, {local, "http://0.0.0.0", true}, {local, "http://[::ffff:127.0.0.1]", true},
		{local, "http://127.0.0.1:81", false}, {local, "https://localhost", false}, {local, "http://127.0.0.2", false}, {local, "http://a.example", false},
		{everywhere, "http://127.0.0.1", true}, {everywhere, "http://[::]", true}, {everywhere, "http://192.0.2.1", false}, {everywhere, "http://a.example", false},
	} {
		u, err := readURL("--upstream", test.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := isSelf(u, &net.TCPAddr{IP: test.at, Port: 80}); got != test.want {
			t.Errorf("%s is the proxy at %s: %t", test.url, test.at, got)
		}
	}
}
