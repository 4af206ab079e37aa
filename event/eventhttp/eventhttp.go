// Package eventhttp connects package event to net/http. [Read] converts an HTTP request to a request to check,
// [Call.Check] checks the request, and [WriteProblem] or [WriteError] writes the response if the request is refused:
//
//	call, err := eventhttp.Read(r, "/calendar/v3", 0)
//	if err == nil {
//		err = call.Check(checker, stored)
//	}
//	if err != nil {
//		eventhttp.WriteProblem(w, err)
//		return
//	}
//	// Store call.Result.Stored, and answer with call.Result.Answer.
//
// Between the calls of Read and Call.Check, a server sets the facts about the caller and the calendar in Call.Request,
// and acquires a lock that it holds until the change is stored.
package eventhttp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/engine"
	"github.com/calrules/calrules/operation"
)

// Call is an HTTP request to the service.
type Call struct {
	operation.Match               // the operation and its path parameters
	Request         event.Request // the request to check; a server may add facts about its context
	Result          event.Result  // set by [Call.Check]

	// IfNoneMatch lists the entity tags of the client's cached responses, or is "*". See [Call.NotModified].
	IfNoneMatch string

	context context.Context
	path    diag.Findings // findings about the path
}

// Read reads a request: its method, path, query and body, and its If-Match and If-None-Match header fields. The request
// path must begin with base, the path of the base URL, such as "/calendar/v3". The body must be JSON of at most
// maxBytes bytes; a maxBytes of 0 or less means [event.DefaultMaxBytes]. Read does not close the body. A HEAD request has the
// same operation as a GET request (RFC 9110 section 9.3.2), and net/http omits the response body.
//
// If no operation matches the request, the error is an [*Error] with status 404 or 405 and a finding of the rule
// operation.path. The error has status 400 if the query or body cannot be read, 413 if the body is too large, and 415 if the
// body is not declared as JSON. If the request or its URL is nil, Read returns an error of a different type. Read does not
// check whether the body is well-formed; [Call.Check] does.
func Read(r *http.Request, base string, maxBytes int) (*Call, error) {
	if r == nil || r.URL == nil {
		return nil, errors.New("eventhttp: there is no request with a URL")
	}
	match, found, err := resolve(r.Method, r.URL.EscapedPath(), base)
	if err != nil {
		return nil, err
	}
	query, err := url.ParseQuery(r.URL.RawQuery) // URL.Query drops malformed pairs
	if err != nil {
		return nil, &Error{Status: http.StatusBadRequest, Reason: "badRequest", Message: malformedQuery}
	}
	if maxBytes <= 0 {
		maxBytes = event.DefaultMaxBytes
	}
	body, err := readBody(r, match.Operation, maxBytes)
	if err != nil {
		return nil, err
	}
	return &Call{Match: match, context: r.Context(), path: found, Request: event.Request{
		Op:      match.Operation.ID,
		Params:  operation.Params(query),
		Body:    body,
		IfMatch: strings.Join(r.Header.Values("If-Match"), ", "),
	}, IfNoneMatch: strings.Join(r.Header.Values("If-None-Match"), ", ")}, nil
}

// NotModified reports whether the client of a GET or HEAD request already has a response with the given entity tag. If so, the
// server should respond with status 304 and no body (RFC 9110 section 13.1.2). Entity tags are compared weakly.
func (c *Call) NotModified(etag string) bool {
	if c == nil || c.Operation == nil || c.Operation.Method != http.MethodGet || etag == "" {
		return false
	}
	return strings.TrimSpace(c.IfNoneMatch) == "*" || slices.ContainsFunc(strings.Split(c.IfNoneMatch, ","), func(known string) bool {
		return strings.TrimPrefix(strings.TrimSpace(known), "W/") == strings.TrimPrefix(etag, "W/")
	})
}

const malformedQuery = "The query is malformed: it must be at most 10,000 pairs of name=value with & between them, in which every % begins " +
	"an escape such as %20, and a semicolon is written as %3B."

// resolve returns the operation for the method and path, which must begin with base, and the findings about the path.
func resolve(method, path, base string) (operation.Match, diag.Findings, error) {
	path, ok := strings.CutPrefix(path, strings.TrimSuffix(base, "/"))
	if !ok {
		return operation.Match{}, nil, notFound("resource")
	}
	match, isOperation := operation.Resolve(method, path)
	if method == http.MethodHead {
		match, isOperation = operation.Resolve(http.MethodGet, path)
	}
	found := operation.CheckPath(diag.Documents, method, path)
	if isOperation {
		return match, found, nil
	}
	refused := notFound("resource")
	if allowed := methods(path); allowed != "" {
		refused = &Error{
			Status: http.StatusMethodNotAllowed, Reason: "httpMethodNotAllowed", allow: allowed,
			Message: fmt.Sprintf("The method is %s; the resource has %s.", engine.Quote(method), allowed),
		}
	}
	refused.Findings = found
	return match, nil, refused
}

// methods returns a comma-separated list of the methods that the resource at the path supports.
func methods(path string) string {
	var list []string
	for op := range operation.All() {
		if _, ok := operation.Resolve(op.Method, path); ok {
			list = append(list, op.Method)
		}
	}
	if slices.Contains(list, http.MethodGet) {
		list = append(list, http.MethodHead)
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ", ")
}

func notFound(what string) *Error {
	return &Error{Status: http.StatusNotFound, Reason: "notFound", Message: "There is no such " + what + "."}
}

// readBody returns the body, or nil if the body is empty and the operation does not require an event.
func readBody(r *http.Request, op *operation.Operation, most int) ([]byte, error) {
	if r.Body == nil { // possible in a client request
		r = r.Clone(r.Context())
		r.Body = http.NoBody
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, min(int64(most), math.MaxInt64-1)+1))
	switch {
	case len(body) > most:
		return nil, &Error{
			Status: http.StatusRequestEntityTooLarge, Reason: "uploadTooLarge",
			Message: fmt.Sprintf("The body has more than %d bytes.", most),
		}
	case err != nil:
		return nil, &Error{Status: http.StatusBadRequest, Reason: "badRequest", Message: "The body is incomplete."}
	case len(body) == 0 && !op.EventBody:
		return nil, nil
	}
	return body, checkType(r)
}

// checkType returns an error unless the body is declared as JSON in UTF-8. A body without a declared type is treated as JSON.
func checkType(r *http.Request) error {
	for _, name := range []string{"Content-Type", "Content-Encoding"} {
		if values := r.Header.Values(name); len(values) > 0 && !isJSON(r.Method, name, strings.Join(values, ", ")) {
			return &Error{
				Status: http.StatusUnsupportedMediaType, Reason: "unsupportedMediaType",
				Message: fmt.Sprintf("The %s is %s; the body must be application/json in UTF-8, without a Content-Encoding.", name, engine.Quote(strings.Join(values, ", "))),
			}
		}
	}
	return nil
}

// isJSON reports whether a header field declares the body as JSON or, for a PATCH, as a merge patch (RFC 7396).
func isJSON(method, name, value string) bool {
	if name == "Content-Encoding" {
		return strings.EqualFold(value, "identity")
	}
	media, params, err := mime.ParseMediaType(value)
	isPatch := method == http.MethodPatch && media == "application/merge-patch+json"
	return err == nil && (media == "application/json" || isPatch) && strings.EqualFold(cmp.Or(params["charset"], "utf-8"), "utf-8")
}

// Check checks the request and sets [Call.Result]. If the path identifies an event, Check first calls the function
// stored, which returns the stored event, or nil if it does not exist. If the function is nil, the stored event is
// unknown; see [event.Request.Existing]. A nil checker is equivalent to a zero [event.Checker].
//
// If the request is refused, the error is an [*Error] with the findings and their status. If the event does not exist,
// the error is an [*Error] with status 404. Check also returns errors from the function stored and from the checker.
func (c *Call) Check(checker *event.Checker, stored func(ctx context.Context, calendarID, eventID string) (*event.Event, error)) error {
	if err := c.askStored(stored); err != nil {
		return err
	}
	result, err := checker.Check(&c.Request)
	if err != nil {
		return err
	}
	result.Findings = append(slices.Clip(c.path), result.Findings...)
	if c.Result = result; !result.Accepted {
		return refused(result.Findings)
	}
	return nil
}

func (c *Call) askStored(stored func(ctx context.Context, calendarID, eventID string) (*event.Event, error)) error {
	id, ok := c.Params["eventId"]
	if !ok || stored == nil {
		return nil
	}
	e, err := stored(c.context, c.Params["calendarId"], id)
	if err == nil && e == nil {
		err = notFound("event")
	}
	c.Request.Existing = e
	return err
}
