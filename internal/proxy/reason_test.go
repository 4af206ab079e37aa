package proxy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What net/http logs is said in other words: it may have what a client or the upstream has sent.
func TestErrorLines(t *testing.T) {
	for line, want := range map[string]string{
		"http: TLS handshake error from 127.0.0.1:1: remote error: secret":                "TLS handshake error (does the client trust the authority or the certificate?)",
		"http: TLS handshake error from 127.0.0.1:1: authority: the certificates expired": "TLS handshake error authority: the certificates expired",
		"http: Accept error: secret; retrying in 5ms":                                     "a connection cannot be accepted",
		"httputil: ReverseProxy read error during body copy: secret":                      "a response from the upstream ended early",
		"http: panic serving 127.0.0.1:1: secret":                                         "a request caused a panic, which is a bug in the proxy",
		"secret": "a connection failed",
	} {
		var got []string
		log := errorLines(func(text string) { got = append(got, text) })
		if _, err := fmt.Fprintln(log, line); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", line, diff)
		}
	}
}
