package aim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/calrules/calrules/between"
	"github.com/calrules/calrules/diag"
)

// sent is a request and its response.
type sent struct {
	method, url string
	header      http.Header // without the caller's fields
	body        []byte

	exchange *between.Exchange
	dialect  diag.Dialect
	secrets  secrets
	isSent   bool // the server may have received the request
	status   int  // 0 if there is no answer
	answer   []byte
	media    string // the Content-Type of the answer
	problem  string // the reason for a missing or useless answer

	found     diag.Findings  // the findings about the answer
	unchecked between.Reason // the reason for not checking the answer, or ""
}

// succeeded reports whether the server has accepted a request, with an answer that could be read.
func (x *sent) succeeded() bool { return x.problem == "" && 200 <= x.status && x.status < 300 }

// mostFailures is the maximum number of successive requests without a response.
const mostFailures = 5

// send sends a request, and shows the request and the response to a watcher.
func (r *run) send(ctx context.Context, req *http.Request) *sent {
	s := &sent{method: req.Method, url: req.URL.String(), header: req.Header.Clone(), dialect: r.Dialect, secrets: r.secrets}
	if req.Body != nil {
		s.body, _ = io.ReadAll(req.Body) // cannot fail: the body is in memory
		req.Body.Close()
		req.Body, req.ContentLength = http.NoBody, int64(len(s.body))
		if len(s.body) > 0 {
			req.Body = io.NopCloser(bytes.NewReader(s.body))
		}
	}
	s.exchange = r.watcher.Request(between.Message{Method: s.method, URL: s.url, Header: between.Header(s.header), Body: s.body})
	if err := r.wait(ctx); err != nil {
		s.exchange.Cancel()
		s.problem = err.Error()
		return s
	}
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	req = req.WithContext(ctx)
	for name, values := range r.Header {
		req.Header[name] = values
	}
	r.report.Requests++
	res, err := r.Client.RoundTrip(req)
	if err != nil {
		s.fail(r, err)
		return s
	}
	defer res.Body.Close()
	body, err := s.exchange.Read(res.Body, res.ContentLength)
	defer body.Release()
	if err != nil {
		s.fail(r, err)
		return s
	}
	s.answer = body.Text
	r.failed, s.isSent = 0, true
	s.status, s.media = res.StatusCode, res.Header.Get("Content-Type")
	s.found, s.unchecked = s.exchange.Answer(s.status, between.Header(res.Header), s.answer, body.Unread)
	if body.Unread != "" {
		s.problem = "a response cannot be checked: " + string(body.Unread)
	}
	if s.status == http.StatusUnauthorized && r.report.Stopped == "" {
		r.report.Stopped = "the server responds with 401; pass credentials with --header"
	}
	return s
}

func (r *run) wait(ctx context.Context) error {
	next := time.NewTimer(time.Until(r.last.Add(r.Every)))
	defer next.Stop()
	select {
	case <-ctx.Done():
	case <-next.C:
	}
	if ctx.Err() != nil {
		r.report.Stopped = "the run was interrupted"
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			r.report.Stopped = "the time limit was reached"
		}
	}
	r.last = time.Now()
	return ctx.Err()
}

// fail records that a request got no response.
func (s *sent) fail(r *run, err error) {
	s.exchange.Fail()
	var dial *net.OpError
	s.isSent = !errors.As(err, &dial) || dial.Op != "dial"
	s.problem = "a request got no response: " + oneLine(err)
	if errors.Is(err, context.DeadlineExceeded) {
		s.problem = fmt.Sprintf("a request got no response within %s", r.Timeout)
	}
	if r.failed++; r.failed >= mostFailures && r.report.Stopped == "" {
		r.report.Stopped = fmt.Sprintf("the last %d requests got no response; %s", mostFailures, s.problem)
	}
}

// oneLine returns an error on one line.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
