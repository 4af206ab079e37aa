// Package fuzzhttp converts the requests of packages fuzz and rtdbfuzz to HTTP requests. The package is separate because
// net/http makes programs larger.
package fuzzhttp

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// NewRequest returns the HTTP request for req to the server with the given base URL, such as "https://calendar.example.com/v3".
// The HTTP request has the operation's method and path, the query, the body, its content type, and the If-Match header. The
// path contains the calendar id and, if the operation refers to an event, the event id.
//
// The body is req.Body. The server does not receive the caller, calendar and series in req; see the OverHTTP field of
// fuzz.Mix. Before the request is sent, the server must have stored req.Existing or, if req.Existing is nil, must have no
// event with the id in the request. NewRequest returns an error if the operation does not exist, if an id is empty, if the
// base URL cannot be parsed, or if req is nil.
func NewRequest(base, calendarID string, req *event.Request) (*http.Request, error) {
	if req == nil {
		return nil, errors.New("fuzzhttp: there is no request")
	}
	op, ok := operation.Lookup(req.Op)
	if !ok {
		return nil, fmt.Errorf("fuzzhttp: the service has no operation %q", req.Op)
	}
	path, err := pathOf(op, calendarID, req)
	if err != nil {
		return nil, fmt.Errorf("fuzzhttp: %w", err)
	}
	address := strings.TrimSuffix(base, "/") + path
	if len(req.Params) > 0 {
		address += "?" + url.Values(req.Params).Encode()
	}
	sent, err := http.NewRequest(op.Method, address, bytes.NewReader(req.Body))
	if err != nil {
		return nil, fmt.Errorf("fuzzhttp: the base URL: %w", err)
	}
	if req.Body != nil {
		sent.Header.Set("Content-Type", "application/json")
	}
	if req.IfMatch != "" {
		sent.Header.Set("If-Match", req.IfMatch)
	}
	return sent, nil
}

// pathOf returns the path of an operation with its ids filled in.
func pathOf(op *operation.Operation, calendarID string, req *event.Request) (string, error) {
	values := map[string]string{"calendarId": calendarID, "eventId": "unknown1", "ruleId": "default", "setting": "timezone"}
	if req.Existing != nil {
		values["eventId"] = req.Existing.ID
	}
	maps.DeleteFunc(values, func(name, _ string) bool { return !strings.Contains(op.Path, "{"+name+"}") })
	return op.Expand(values)
}
