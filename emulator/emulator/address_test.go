package emulator

import (
	"crypto/tls"
	"net/http"
	"testing"
)

// A public host has https and its usual port in links, however the request came; any other host has what the client used.
func TestAddress(t *testing.T) {
	for _, test := range []struct {
		host string
		tls  bool
		want string
	}{
		{"www.googleapis.com", false, "https://www.googleapis.com"},
		{"www.googleapis.com", true, "https://www.googleapis.com"},
		{"www.googleapis.com:80", false, "https://www.googleapis.com"},
		{"content.googleapis.com:443", true, "https://content.googleapis.com"},
		{"127.0.0.1:8085", false, "http://127.0.0.1:8085"},
		{"127.0.0.1:8085", true, "https://127.0.0.1:8085"},
		{"[::1]:8085", false, "http://[::1]:8085"},
		{"notgoogleapis.com", false, "http://notgoogleapis.com"},
	} {
		r := &http.Request{Host: test.host}
		if test.tls {
			r.TLS = new(tls.ConnectionState)
		}
		if got := address(r); got != test.want {
			t.Errorf("%s, TLS %t: %s, want %s", test.host, test.tls, got, test.want)
		}
	}
}
