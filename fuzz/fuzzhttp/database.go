package fuzzhttp

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/calrules/calrules/internal/rtdbline"
)

// NewDatabaseRequest returns the HTTP request for a line of package rtdbfuzz to the realtime database at the base URL, such
// as the URL of an httptest.Server. A client can send the request, and a handler can serve it directly. The TLS field is set
// if the request is known to use TLS.
//
// NewDatabaseRequest returns an error if the line is not a request, if base is not a URL, or if net/http does not preserve the
// URL of the request. A net/http server responds to a request whose URL is not preserved with status 400, or passes a different
// URL to the handler. Valid requests never cause an error.
func NewDatabaseRequest(base string, line []byte) (*http.Request, error) {
	req := new(rtdbline.Request)
	if err := req.UnmarshalJSON(line); err != nil {
		return nil, fmt.Errorf("fuzzhttp: not a request: %w", err)
	}
	target := req.URL.Reveal()
	if _, err := url.ParseRequestURI(target); err != nil {
		return nil, fmt.Errorf("fuzzhttp: the request reaches no handler: %w", err)
	}
	out, err := http.NewRequest("GET", strings.TrimSuffix(base, "/")+target, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("fuzzhttp: %w", err)
	}
	if !strings.HasSuffix(out.URL.RequestURI(), target) {
		return nil, fmt.Errorf("fuzzhttp: handlers get a different request: %s", target)
	}
	out.Method = req.Method // the method may be invalid
	for _, field := range req.Headers {
		out.Header.Add(field.Name, field.Value.Reveal())
	}
	if req.TLS != nil && *req.TLS {
		out.TLS = &tls.ConnectionState{HandshakeComplete: true}
	}
	return out, nil
}
