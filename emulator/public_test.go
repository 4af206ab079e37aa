package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// proxied returns a client that reaches all hosts through the emulator, and trusts a certificate.
func proxied(t *testing.T, root string, certificate []byte) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(certificate) {
		t.Fatalf("there is no certificate in %q", certificate)
	}
	proxy, err := url.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: roots}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 10 * time.Second}
}

// With --tls, a client that knows only the public hosts gets a token and calls the service, and other hosts are out of reach.
func TestPublicHosts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calrules.pem")
	_, base := start(t, "--tls", file)
	root := strings.TrimSuffix(base, "/calendar/v3/")
	certificate, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := proxied(t, root, certificate)
	resp, err := c.PostForm("https://oauth2.googleapis.com/token", url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"1//a"}})
	if err != nil {
		t.Fatal(err)
	}
	var granted struct {
		Token string `json:"access_token"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&granted); err != nil || granted.Token == "" {
		t.Errorf("there is no token: %s, %v", resp.Status, err)
	}
	resp.Body.Close()
	r, err := http.NewRequest("POST", "https://www.googleapis.com/calendar/v3/calendars/primary/events", strings.NewReader(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+granted.Token)
	if resp, err = c.Do(r); err != nil {
		t.Fatal(err)
	}
	var event struct{ HTMLLink string }
	if err := json.NewDecoder(resp.Body).Decode(&event); err != nil || !strings.HasPrefix(event.HTMLLink, "https://www.googleapis.com/event?eid=") {
		t.Errorf("the event is %s %+v, %v", resp.Status, event, err)
	}
	resp.Body.Close()
	if resp, err := c.Get("https://example.com/"); err == nil {
		t.Errorf("example.com answers %s", resp.Status)
	}
	resp, err = c.Get(root + certificatePath)
	if err != nil {
		t.Fatal(err)
	}
	shown, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || !bytes.Equal(shown, certificate) {
		t.Errorf("the emulator shows %q, %v", shown, err)
	}
	// The authority may vouch for no other host.
	block, _ := pem.Decode(certificate)
	parsed, err := x509.ParseCertificate(block.Bytes)
	if err != nil || !parsed.PermittedDNSDomainsCritical || parsed.NotAfter.Sub(parsed.NotBefore) > 24*time.Hour {
		t.Errorf("the authority is %+v, %v", parsed, err)
	}
}

// A client that uses its proxy for every request reaches the emulator by the names that the machine has for itself.
func TestProxyForItself(t *testing.T) {
	file := filepath.Join(t.TempDir(), "calrules.pem")
	_, base := start(t, "--tls", file, "--addr", "0.0.0.0:0")
	certificate, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	proxy := "http://127.0.0.1:" + at.Port()
	c := proxied(t, proxy, certificate) // http.ProxyURL has no exceptions
	for _, host := range []string{"localhost", "127.0.0.1"} {
		resp, err := c.Get("https://" + host + ":" + at.Port() + "/calendar/v3/colors")
		if err != nil {
			t.Errorf("%s: %v", host, err)
			continue
		}
		resp.Body.Close()
		if resp.StatusCode != 200 {
			t.Errorf("%s: %s", host, resp.Status)
		}
	}
}

// Without --tls there are no tunnels and no certificate, but a proxy before the emulator gets tokens.
func TestNoPublicHosts(t *testing.T) {
	_, base := start(t)
	root := strings.TrimSuffix(base, "/calendar/v3/")
	for path, want := range map[string]int{"/token": 200, certificatePath: 404} {
		resp, err := http.PostForm(root+path, url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"a"}})
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %s", path, resp.Status)
		}
	}
	proxy, err := url.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}
	if resp, err := c.Get("https://www.googleapis.com/"); err == nil {
		t.Errorf("the host answers %s", resp.Status)
	}
}

// The authority is printed on request, and kept with its key in a file that nobody else can read.
func TestAuthority(t *testing.T) {
	dir := t.TempDir()
	key := filepath.Join(dir, "key.pem")
	printed := func() []byte {
		ctx, cancel := context.WithCancel(t.Context())
		out, in := io.Pipe()
		ended := make(chan error, 1)
		go func() {
			ended <- run(ctx, []string{"--addr", "127.0.0.1:0", "--tls", "-", "--tls-key", key}, in)
			in.Close()
		}()
		var text []byte
		for block := make([]byte, 1<<10); !bytes.Contains(text, []byte("-----END CERTIFICATE-----\n")); {
			n, err := out.Read(block)
			if err != nil {
				t.Fatal(err, <-ended)
			}
			text = append(text, block[:n]...)
		}
		cancel()
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		return text[bytes.Index(text, []byte("-----BEGIN")):]
	}
	first := printed()
	if !bytes.Equal(first, printed()) {
		t.Error("the second start has another authority")
	}
	if info, err := os.Stat(key); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the mode of the key is %v, %v", info.Mode(), err)
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("a file of somebody"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--tls-key", key}, {"--tls", key, "--tls-key", key}, {"--tls", other}, {"--tls", "-", "--tls-key", other}, {"--tls", dir}} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // in case that it is accepted
		if err := run(ctx, append([]string{"--addr", "127.0.0.1:0"}, args...), io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
	if text, err := os.ReadFile(other); err != nil || string(text) != "a file of somebody" {
		t.Errorf("the file of somebody is %q, %v", text, err)
	}
}
