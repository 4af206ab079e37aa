package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// publicRoot is the address of the public service.
const publicRoot = "https://www.googleapis.com/"

// exchange is a request and its answer. Either may be a part of a batch.
type exchange struct {
	method, target string // the target is the path and the query
	header         http.Header
	sent           []byte
	status         int
	answered       http.Header
	answer         bytes.Buffer
}

// exchanges records what passes.
type exchanges struct {
	mu  sync.Mutex
	log []*exchange
}

func (e *exchanges) all() []*exchange {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.log)
}

// record returns a handler that records each exchange with another.
func (e *exchanges) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		x := &exchange{method: methodOf(r.Method, r.Header), target: r.URL.RequestURI(), header: r.Header.Clone(), sent: sent, status: http.StatusOK}
		next.ServeHTTP(&recorder{w, x}, r)
		x.answered = w.Header().Clone()
		e.mu.Lock()
		defer e.mu.Unlock()
		e.log = append(e.log, x)
	})
}

// methodOf returns the method that a request has in effect.
func methodOf(method string, header http.Header) string {
	return cmp.Or(header.Get("X-HTTP-Method-Override"), method)
}

// recorder writes an answer twice: to the client and to an exchange.
type recorder struct {
	http.ResponseWriter
	x *exchange
}

func (r *recorder) WriteHeader(status int) {
	r.x.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(text []byte) (int, error) {
	r.x.answer.Write(text)
	return r.ResponseWriter.Write(text)
}

func (x *exchange) path() string {
	path, _, _ := strings.Cut(x.target, "?")
	return path
}

// text returns the body of the answer as the client reads it.
func (x *exchange) text() ([]byte, error) {
	if x.answered.Get("Content-Encoding") != "gzip" {
		return x.answer.Bytes(), nil
	}
	in, err := gzip.NewReader(bytes.NewReader(x.answer.Bytes()))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}

// flatten returns exchanges with the parts of a batch in place of its body.
func flatten(log []*exchange) (flat []*exchange, err error) {
	for _, x := range log {
		if !strings.HasPrefix(x.path(), "/batch") || x.status != http.StatusOK {
			flat = append(flat, x)
			continue
		}
		parts, err := x.parts()
		if err != nil {
			return nil, fmt.Errorf("%s %s: %w", x.method, x.target, err)
		}
		flat = append(flat, &exchange{method: x.method, target: x.target, status: x.status})
		flat = append(flat, parts...)
	}
	return flat, nil
}

// parts returns the requests of a batch, each with its answer, which are in the same order.
func (x *exchange) parts() (all []*exchange, err error) {
	text, err := x.text()
	if err != nil {
		return nil, err
	}
	requests, err := splitParts(x.header, x.sent)
	if err != nil {
		return nil, err
	}
	answers, err := splitParts(x.answered, text)
	if err != nil {
		return nil, err
	}
	if len(requests) != len(answers) {
		return nil, fmt.Errorf("%d requests have %d answers", len(requests), len(answers))
	}
	for i := range requests {
		part := &exchange{}
		if err := errors.Join(part.readRequest(requests[i]), part.readAnswer(answers[i])); err != nil {
			return nil, fmt.Errorf("part %d: %w", i+1, err)
		}
		all = append(all, part)
	}
	return all, nil
}

// splitParts returns the parts of a multipart/mixed body.
func splitParts(header http.Header, body []byte) (all [][]byte, err error) {
	_, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	for in := multipart.NewReader(bytes.NewReader(body), params["boundary"]); ; {
		part, err := in.NextPart()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(part)
		if err != nil {
			return nil, err
		}
		all = append(all, text)
	}
}

// readRequest reads a request that is a part. Some clients leave out the version and the empty line at the end.
func (x *exchange) readRequest(text []byte) error {
	in := textproto.NewReader(bufio.NewReader(bytes.NewReader(bytes.TrimLeft(text, "\r\n"))))
	line, err := in.ReadLine()
	if err != nil {
		return err
	}
	header, err := in.ReadMIMEHeader()
	if err != nil && err != io.EOF {
		return err
	}
	fields := strings.Fields(line)
	if len(fields) < 2 {
		return fmt.Errorf("the request begins with %q", line)
	}
	u, err := url.Parse(fields[1])
	if err != nil {
		return err
	}
	x.method, x.target, x.header = methodOf(fields[0], http.Header(header)), u.RequestURI(), http.Header(header)
	return nil
}

func (x *exchange) readAnswer(text []byte) error {
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(text)), nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	x.status, x.answered = answer.StatusCode, answer.Header
	_, err = x.answer.ReadFrom(answer.Body)
	return err
}

// masks are the texts that differ from one session to the next, and what stands for them.
var masks = []struct {
	pattern *regexp.Regexp
	mask    string
}{
	{regexp.MustCompile(`"(access|refresh)_token": ?"[^"]*"`), `"${1}_token":"..."`},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f-]{21}`), "UUID"}, // of a channel
	{regexp.MustCompile(`^POST /batch\S*:`), "POST /batch:"},               // clients of other hosts name no service
	{regexp.MustCompile(`updatedMin=[^&:]*`), "updatedMin=..."},
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+/`), publicRoot},
}

func masked(line string) string {
	for _, m := range masks {
		line = m.pattern.ReplaceAllString(line, m.mask)
	}
	return line
}

// line returns the exchange as a line.
func (x *exchange) line() (string, error) {
	text, err := x.text()
	return masked(fmt.Sprintf("%s %s: %d %s", x.method, x.target, x.status, text)), err
}

// notifications is an HTTP client that delivers nothing, and records it.
type notifications struct {
	mu  sync.Mutex
	log []*http.Request
}

// RoundTrip implements [http.RoundTripper].
func (n *notifications) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.log = append(n.log, r)
	return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Request: r}, nil
}

// lines returns the notifications as lines, in an order that does not depend on when they were sent.
func (n *notifications) lines() (lines []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, r := range n.log {
		line := r.URL.String()
		for _, name := range []string{"Channel-ID", "Channel-Token", "Channel-Expiration", "Message-Number", "Resource-ID", "Resource-State", "Resource-URI"} {
			line += fmt.Sprintf(" %s=%s", name, r.Header.Get("X-Goog-"+name))
		}
		lines = append(lines, masked(line))
	}
	slices.Sort(lines)
	return lines
}
