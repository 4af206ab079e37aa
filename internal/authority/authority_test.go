package authority

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func must(t *testing.T, a *Authority, err error) *Authority {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// newFor returns an authority that is valid from an hour before noon.
func newFor(t *testing.T, hosts ...string) *Authority {
	t.Helper()
	a, err := New(hosts, noon)
	return must(t, a, err)
}

// verify verifies a certificate as a client does that trusts the authority.
func verify(a *Authority, leaf *x509.Certificate, host string, at time.Time) error {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(a.PEM()) {
		panic("PEM returns no certificate")
	}
	_, err := leaf.Verify(x509.VerifyOptions{DNSName: host, Roots: roots, CurrentTime: at})
	return err
}

func leafOf(t *testing.T, a *Authority) *x509.Certificate {
	t.Helper()
	leaf, err := a.leaf()
	if err != nil {
		t.Fatal(err)
	}
	return leaf.Leaf
}

// The certificate is for the hosts of the authority, for one day.
func TestCertificate(t *testing.T) {
	a := newFor(t, "www.googleapis.com", "127.0.0.1", "::1")
	leaf := leafOf(t, a)
	for _, test := range []struct {
		host string
		at   time.Time
		ok   bool
	}{
		{"www.googleapis.com", noon, true},
		{"WWW.googleapis.com", noon, true},
		{"127.0.0.1", noon, true},
		{"::1", noon, true},
		{"www.googleapis.com", noon.Add(-early), true},
		{"www.googleapis.com", noon.Add(-early - time.Second), false},
		{"www.googleapis.com", noon.Add(lifetime - early), true},
		{"www.googleapis.com", noon.Add(lifetime - early + time.Second), false},
		{"a.www.googleapis.com", noon, false},
		{"googleapis.com", noon, false},
		{"example.com", noon, false},
		{"127.0.0.2", noon, false},
	} {
		if err := verify(a, leaf, test.host, test.at); (err == nil) != test.ok {
			t.Errorf("%s at %s: %v", test.host, test.at, err)
		}
	}
	if got := a.Expires().Sub(a.certificate.NotBefore); got != 24*time.Hour {
		t.Errorf("the authority is valid for %s", got)
	}
	if err := verify(newFor(t, "www.googleapis.com"), leaf, "www.googleapis.com", noon); err == nil {
		t.Error("another authority's certificate is accepted")
	}
}

// Whoever has the key can make no certificate for other hosts that a client accepts, and no other authority.
func TestConstraints(t *testing.T) {
	for _, test := range []struct {
		hosts []string
		other []string
		ok    bool
	}{
		{[]string{"www.googleapis.com"}, []string{"www.googleapis.com"}, true},
		{[]string{"www.googleapis.com"}, []string{"example.com"}, false},
		{[]string{"www.googleapis.com"}, []string{"googleapis.com"}, false},
		{[]string{"www.googleapis.com"}, []string{"evilwww.googleapis.com"}, false},
		{[]string{"www.googleapis.com"}, []string{"www.googleapis.com", "example.com"}, false},
		{[]string{"www.googleapis.com"}, []string{"127.0.0.1"}, false},
		{[]string{"www.googleapis.com"}, []string{"::1"}, false},
		{[]string{"127.0.0.1"}, []string{"127.0.0.1"}, true},
		{[]string{"127.0.0.1"}, []string{"127.0.0.2"}, false},
		{[]string{"127.0.0.1"}, []string{"::1"}, false},
		{[]string{"127.0.0.1"}, []string{"localhost"}, false},
		{[]string{"::1", "localhost"}, []string{"::2"}, false},
	} {
		a := newFor(t, test.hosts...)
		forger := newAuthority(a.certificate, a.key, test.other)
		if err := verify(a, leafOf(t, forger), test.other[len(test.other)-1], noon); (err == nil) != test.ok {
			t.Errorf("an authority for %v, a certificate for %v: %v", test.hosts, test.other, err)
		}
	}
	a := newFor(t, "localhost")
	isConstraint := func(e pkix.Extension) bool { return e.Id.String() == "2.5.29.30" }
	if i := slices.IndexFunc(a.certificate.Extensions, isConstraint); i < 0 || !a.certificate.Extensions[i].Critical {
		t.Error("a client that does not know constraints accepts the authority")
	}
	under, err := sign(&x509.Certificate{
		NotBefore: a.certificate.NotBefore, NotAfter: a.certificate.NotAfter, BasicConstraintsValid: true, IsCA: true, KeyUsage: x509.KeyUsageCertSign,
	}, a.certificate, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	forger := newAuthority(under, a.key, []string{"localhost"})
	roots, between := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(a.certificate)
	between.AddCert(under)
	if _, err := leafOf(t, forger).Verify(x509.VerifyOptions{DNSName: "localhost", Roots: roots, Intermediates: between, CurrentTime: noon}); err == nil {
		t.Error("an authority below the authority is accepted")
	}
}

func TestHosts(t *testing.T) {
	for _, hosts := range [][]string{nil, {""}, {"a", ""}, {"*.example.com"}, {"a.example.com."}, {"a b"}, {"bücher.example"}, {"fe80::1%eth0"}, {"http://a"}, {"a:443"}, {strings.Repeat("a", 64)}, {strings.Repeat("a.", 130) + "a"}} {
		if a, err := New(hosts, noon); err == nil || a != nil {
			t.Errorf("New(%q) makes an authority", hosts)
		}
		if _, err := Open(filepath.Join(t.TempDir(), "key.pem"), hosts, noon); err == nil {
			t.Errorf("Open for %q makes an authority", hosts)
		}
	}
	a := newFor(t, "B.example", "::ffff:127.0.0.1", "b.example", "a.example")
	if want := []string{"127.0.0.1", "a.example", "b.example"}; !slices.Equal(a.hosts, want) {
		t.Errorf("the hosts are %v, want %v", a.hosts, want)
	}
	label := strings.Repeat("a", 63)
	longest := strings.Repeat(label+".", 3) + label[2:] // 253 characters
	a = newFor(t, longest)
	if err := verify(a, leafOf(t, a), longest, noon); err != nil {
		t.Errorf("the longest name: %v", err)
	}
	if _, err := New([]string{longest + "a"}, noon); err == nil {
		t.Error("a name may have 254 characters")
	}
}

// A client shakes hands with a server that has the configuration, unless it asks for another host.
func TestTLSConfig(t *testing.T) {
	a, err := New([]string{"localhost", "127.0.0.1"}, time.Now())
	must(t, a, err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.PEM())
	for host, ok := range map[string]bool{"localhost": true, "LOCALHOST": true, "127.0.0.1": true, "example.com": false} {
		near, far := net.Pipe()
		server := tls.Server(far, a.TLSConfig())
		done := make(chan error, 1)
		go func() { done <- server.Handshake() }()
		client := tls.Client(near, &tls.Config{RootCAs: roots, ServerName: host})
		err := client.Handshake()
		near.Close()
		if served := <-done; (err == nil) != ok || (served == nil) != ok {
			t.Errorf("%s: the client says %v, the server %v", host, err, served)
		}
	}
}

// expectOnly expects that a file is alone in its directory.
func expectOnly(t *testing.T, file string) {
	t.Helper()
	if files, err := os.ReadDir(filepath.Dir(file)); err != nil || len(files) != 1 || files[0].Name() != filepath.Base(file) {
		t.Errorf("the directory has the files %v, %v", files, err)
	}
}

// A file keeps an authority as long as it is of use.
func TestOpen(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	hosts := []string{"localhost", "127.0.0.1"}
	open := func(at time.Time, hosts ...string) *Authority {
		t.Helper()
		a, err := Open(file, hosts, at)
		return must(t, a, err)
	}
	first := open(noon, hosts...)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %04o", info.Mode().Perm())
	}
	again := open(noon.Add(20*time.Hour), "127.0.0.1", "LOCALHOST")
	if !bytes.Equal(first.PEM(), again.PEM()) {
		t.Error("the authority is not kept")
	}
	if err := verify(first, leafOf(t, again), "localhost", noon); err != nil {
		t.Errorf("the certificate of a kept authority: %v", err)
	}
	if bytes.Contains(first.PEM(), []byte("KEY")) {
		t.Error("PEM returns a key")
	}
	for _, a := range []*Authority{open(noon, "localhost"), open(noon.Add(22*time.Hour), "localhost"), open(noon, "localhost")} {
		if bytes.Equal(first.PEM(), a.PEM()) {
			t.Error("an authority is kept that ends, has not begun, or is for other hosts")
		}
		first = a
	}
	expectOnly(t, file)
}

// Eight that open a file at once have one authority, whether the file is missing or its authority has ended.
func TestOpenAtOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	for day := range 3 {
		found := make(chan string)
		for range 8 {
			go func() {
				a, err := Open(file, []string{"localhost"}, noon.AddDate(0, 0, day))
				if err != nil {
					found <- err.Error()
					return
				}
				found <- string(a.PEM())
			}()
		}
		first := <-found
		for range 7 {
			if other := <-found; other != first {
				t.Errorf("day %d: one has %s, another %s", day, first, other)
			}
		}
	}
	expectOnly(t, file)
}

// Open waits for a program that has locked the file, and returns the authority of that program.
func TestOpenWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "key.pem")
		other, err := lock(file)
		if err != nil {
			t.Fatal(err)
		}
		first := newFor(t, "localhost")
		go func() {
			time.Sleep(patience / 2)
			if err := errors.Join(first.write(other), other.Close()); err != nil {
				t.Error(err)
			}
		}()
		begin := time.Now()
		a, err := Open(file, []string{"localhost"}, noon)
		if must(t, a, err); !bytes.Equal(a.PEM(), first.PEM()) {
			t.Error("there are two authorities")
		}
		if waited := time.Since(begin); waited < patience/2 || waited > patience/2+time.Second {
			t.Errorf("Open waits %s", waited)
		}
		expectOnly(t, file)
	})
}

// Open does not wait forever.
func TestOpenLocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "key.pem")
		other, err := lock(file)
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		begin := time.Now()
		if a, err := Open(file, []string{"localhost"}, noon); a != nil || !errors.Is(err, errLocked) || !strings.Contains(err.Error(), file) {
			t.Errorf("the error is %v", err)
		}
		if waited := time.Since(begin); waited < patience || waited > patience+time.Second {
			t.Errorf("Open waits %s", waited)
		}
	})
}

// A program that is killed while it has the file locked, or that wrote nothing because the disk was full, does not block the next.
func TestOpenAfterKill(t *testing.T) {
	if file := os.Getenv("CALRULES_TEST_LOCK"); file != "" {
		if _, err := lock(file); err != nil {
			t.Fatal(err)
		}
		fmt.Println("locked")
		select {}
	}
	file := filepath.Join(t.TempDir(), "key.pem")
	other := exec.Command(os.Args[0], "-test.run=^TestOpenAfterKill$")
	other.Env = append(os.Environ(), "CALRULES_TEST_LOCK="+file)
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	io.ReadFull(out, make([]byte, len("locked")))
	if _, err := openLocked(file); err != errLocked {
		t.Errorf("the other program has not locked the file: %v", err)
	}
	other.Process.Kill()
	other.Wait()
	a, err := Open(file, []string{"localhost"}, noon)
	first := must(t, a, err)
	a, err = Open(file, []string{"localhost"}, noon)
	if again := must(t, a, err); !bytes.Equal(first.PEM(), again.PEM()) {
		t.Error("the authority is not kept")
	}
	expectOnly(t, file)
}

// A shorter authority replaces a longer one whole.
func TestOpenReplaces(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	for _, hosts := range [][]string{{"localhost", strings.Repeat("a", 60) + ".example"}, {"localhost"}} {
		a, err := Open(file, hosts, noon)
		must(t, a, err)
		text, err := os.ReadFile(file)
		if err != nil || !bytes.HasPrefix(text, a.PEM()) || bytes.Count(text, []byte("-----END")) != 2 || !bytes.HasSuffix(text, []byte("-----END PRIVATE KEY-----\n")) {
			t.Errorf("the file is %s, %v", text, err)
		}
	}
}

// A failed Open leaves a file that the next one can use. The times of a certificate have years of four digits.
func TestOpenFails(t *testing.T) {
	file := filepath.Join(t.TempDir(), "key.pem")
	if a, err := Open(file, []string{"localhost"}, time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC)); a != nil || err == nil {
		t.Error("there is an authority for the year 10000")
	}
	if _, err := Open(file, []string{"localhost"}, noon); err != nil {
		t.Errorf("Open after an error: %v", err)
	}
	expectOnly(t, file)
}

// A write that fails is an error, and leaves an empty file if it can.
func TestWriteFails(t *testing.T) {
	for name, flag := range map[string]int{
		"cannot truncate": os.O_RDONLY,
		"cannot write":    os.O_RDWR | os.O_APPEND, // in which WriteAt fails
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "key.pem")
			a, err := Open(file, []string{"localhost"}, noon)
			must(t, a, err)
			f, err := os.OpenFile(file, flag, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := keep(f, []string{"127.0.0.1"}, noon); err == nil {
				t.Error("there is no error")
			}
			if a, err := Open(file, []string{"localhost"}, noon); err != nil {
				t.Errorf("the file is %v, %v", a, err)
			}
		})
	}
}

// A file that is not an authority's, or that others can read, is refused and left as it is.
func TestOpenRefuses(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.pem")
	a, err := Open(good, []string{"localhost"}, noon)
	must(t, a, err)
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	other := newFor(t, "localhost").PEM()
	for name, content := range map[string][]byte{
		"text":        []byte("Hello.\n"),
		"no key":      a.PEM(),
		"no DER":      []byte("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
		"another key": append(other, text[bytes.Index(text, []byte("-----BEGIN PRIVATE")):]...),
		"too long":    append(bytes.Repeat([]byte("a\n"), mostBytes), text...),
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "key.pem")
			if err := os.WriteFile(file, content, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(file, []string{"localhost"}, noon); err == nil || !strings.Contains(err.Error(), file) {
				t.Errorf("the error is %v", err)
			}
			if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, content) {
				t.Errorf("the file is changed, or cannot be read: %v", err)
			}
		})
	}
	if _, err := Open(t.TempDir(), []string{"localhost"}, noon); err == nil {
		t.Error("a directory is a file")
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none", "key.pem"), []string{"localhost"}, noon); err == nil {
		t.Error("a file is written to a directory that does not exist")
	}
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	if err := os.Chmod(good, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(good, []string{"localhost"}, noon); err == nil || !strings.Contains(err.Error(), "0644") {
		t.Errorf("the error for a file that others can read is %v", err)
	}
}

// The certificate is written, but not over another file.
func TestPublish(t *testing.T) {
	file := filepath.Join(t.TempDir(), "authority.pem")
	if err := os.WriteFile(file, nil, 0o644); err != nil { // as a full disk leaves it
		t.Fatal(err)
	}
	for range 2 { // the second time over the first certificate
		a := newFor(t, "localhost")
		if err := a.Publish(file); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(file); err != nil || !bytes.Equal(text, a.PEM()) {
			t.Errorf("the file has %s, %v", text, err)
		}
	}
	key := filepath.Join(t.TempDir(), "key.pem")
	if _, err := Open(key, []string{"localhost"}, noon); err != nil {
		t.Fatal(err)
	}
	a := newFor(t, "localhost")
	another, err := sign(&x509.Certificate{Subject: pkix.Name{CommonName: "another authority"}}, a.certificate, a.key.Public(), a.key)
	if err != nil {
		t.Fatal(err)
	}
	kept := []string{key, t.TempDir()}
	for name, content := range map[string][]byte{
		"text":        []byte("Hello.\n"),
		"no DER":      pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: []byte("Hello.")}),
		"certificate": pem.EncodeToMemory(&pem.Block{Type: certificateBlock, Bytes: another.Raw}),
	} {
		other := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(other, content, 0o600); err != nil {
			t.Fatal(err)
		}
		kept = append(kept, other)
	}
	for _, name := range kept {
		before, _ := os.ReadFile(name)
		if err := newFor(t, "localhost").Publish(name); err == nil {
			t.Errorf("%s is replaced", name)
		}
		if after, _ := os.ReadFile(name); !bytes.Equal(before, after) {
			t.Errorf("%s is changed", name)
		}
	}
}

// TestEnds tests that a server says that its authority has ended, rather than show a certificate that nobody accepts. It also
// refuses to resume a session, which needs no certificate.
func TestEnds(t *testing.T) {
	a := newFor(t, "calendar.example")
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(a.PEM())
	server := a.TLSConfig()
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		client := &tls.Config{
			ServerName: "calendar.example", RootCAs: roots, Time: func() time.Time { return noon }, MaxVersion: version, ClientSessionCache: tls.NewLRUClientSessionCache(1),
		}
		for _, c := range []struct {
			at      time.Time
			resumes bool
			want    string
		}{
			{noon, false, ""}, {a.Expires(), true, ""},
			{a.Expires().Add(time.Second), true, "authority: the certificates expired at 2026-03-11T11:00:00Z; restart, and let programs trust the new authority"},
		} {
			a.now = func() time.Time { return c.at }
			resumed, err := handshake(client, server)
			if text := fmt.Sprint(err); c.want == "" && (err != nil || resumed != c.resumes) || c.want != "" && text != c.want {
				t.Errorf("TLS %x at %s: resumed is %t, %v", version, c.at, resumed, err)
			}
		}
	}
}

// handshake connects a client to a server, and reports whether they resumed a session, or the error of the server.
func handshake(client, server *tls.Config) (resumed bool, err error) {
	near, far := net.Pipe()
	ended := make(chan error, 1)
	go func() {
		defer far.Close()
		conn := tls.Server(far, server)
		err := conn.Handshake()
		if err == nil {
			_, err = conn.Write([]byte("a"))
		}
		ended <- err
	}()
	defer near.Close()
	conn := tls.Client(near, client)
	conn.Read(make([]byte, 1)) // and the tickets of TLS 1.3 before it; an error is the server's too
	near.Close()
	return conn.ConnectionState().DidResume, <-ended
}
