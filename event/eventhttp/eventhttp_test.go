package eventhttp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/operation"
)

const (
	base = "/calendar/v3"
	day  = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
)

// request returns a request. The header is "name: value" on each line.
func request(method, target, header, body string) *http.Request {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	for line := range strings.Lines(header) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		r.Header.Add(name, value)
	}
	return r
}

func TestRead(t *testing.T) {
	header := "Content-Type: application/json; charset=UTF-8\nIf-Match: \"1\"\nIf-Match: \"2\""
	call, err := eventhttp.Read(request("PATCH", base+"/calendars/a%2Fb@example.org/events/abc?sendUpdates=all&x=1&x=2", header, `{"summary":"A"}`), base, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := event.Request{
		Op:      operation.EventsPatch,
		Params:  operation.Params{"sendUpdates": {"all"}, "x": {"1", "2"}},
		Body:    []byte(`{"summary":"A"}`),
		IfMatch: `"1", "2"`,
	}
	if diff := cmp.Diff(want, call.Request); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if call.Params["calendarId"] != "a/b@example.org" || call.Operation.ID != operation.EventsPatch {
		t.Errorf("the match is %+v", call.Match)
	}
}

// The body is nil only if there is none and the operation takes none.
func TestReadNoBody(t *testing.T) {
	for target, want := range map[string]bool{"POST /calendars/a/events": true, "DELETE /calendars/a/events/abc": false} {
		method, path, _ := strings.Cut(target, " ")
		call, err := eventhttp.Read(request(method, path, "", ""), "", 0)
		if err != nil || (call.Request.Body != nil) != want {
			t.Errorf("%s: %v, %v", target, call, err)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	const events = base + "/calendars/a/events"
	for _, test := range []struct {
		name, method, target, header, body string
		status                             int
		allow                              string
	}{
		{"unknown path", "GET", base + "/calendars/a/attachments", "", "", 404, ""},
		{"no base", "GET", "/calendars/a/events", "", "", 404, ""},
		{"base of another word", "GET", base + "beta/calendars/a/events", "", "", 404, ""},
		{"bad escape", "GET", base + "/calendars//events", "", "", 404, ""},
		{"other method", "PUT", events, "", "", 405, "GET, HEAD, POST"},
		{"HEAD of what has a GET", "HEAD", events + "/abc", "", "", 0, ""},
		{"HEAD of what has no GET", "HEAD", base + "/freeBusy", "", "", 405, "POST"},
		{"unknown method", "BREW", events + "/abc", "", "", 405, "DELETE, GET, HEAD, PATCH, PUT"},
		{"bad query", "GET", events + "?a=%zz", "", "", 400, ""},
		{"long query", "GET", events + "?" + strings.Repeat("&", 10_000), "", "", 400, ""},
		{"semicolon in the query", "GET", events + "?a=1;b=2", "", "", 400, ""},
		{"too large", "POST", events, "", strings.Repeat(" ", 101), 413, ""},
		{"just large enough", "POST", events, "", strings.Repeat(" ", 100), 0, ""},
		{"form", "POST", events, "Content-Type: application/x-www-form-urlencoded", "{}", 415, ""},
		{"bad type", "POST", events, "Content-Type: ;", "{}", 415, ""},
		{"two types", "POST", events, "Content-Type: application/json\nContent-Type: text/plain", "{}", 415, ""},
		{"another charset", "POST", events, "Content-Type: application/json; charset=latin1", "{}", 415, ""},
		{"gzip", "POST", events, "Content-Encoding: gzip", "{}", 415, ""},
		{"merge patch of an insert", "POST", events, "Content-Type: application/merge-patch+json", "{}", 415, ""},
		{"merge patch", "PATCH", events + "/abc", "Content-Type: application/merge-patch+json", "{}", 0, ""},
		{"identity", "POST", events, "Content-Encoding: identity\nContent-Type: application/JSON; charset=\"utf-8\"", "{}", 0, ""},
		{"type without a body", "DELETE", events + "/abc", "Content-Type: text/plain", "", 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := eventhttp.Read(request(test.method, test.target, test.header, test.body), base, 100)
			if (err == nil) != (test.status == 0) {
				t.Fatal(err)
			}
			if err == nil {
				return
			}
			for name, write := range writers {
				w := httptest.NewRecorder()
				write(w, err)
				if allow := w.Header().Get("Allow"); w.Code != test.status || allow != test.allow {
					t.Errorf("%s: status %d, Allow %q, want %d, %q", name, w.Code, allow, test.status, test.allow)
				}
			}
		})
	}
}

var writers = map[string]func(http.ResponseWriter, error){"problem": eventhttp.WriteProblem, "error": eventhttp.WriteError}

func TestReadIncompleteBody(t *testing.T) {
	r := request("POST", "/calendars/a/events", "", "")
	r.Body = io.NopCloser(io.MultiReader(strings.NewReader("{"), failing{}))
	var e *eventhttp.Error
	if _, err := eventhttp.Read(r, "", 0); !errors.As(err, &e) || e.Status != http.StatusBadRequest {
		t.Errorf("the error is %v", err)
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// known returns one stored event.
func known(_ context.Context, calendar, id string) (*event.Event, error) {
	switch {
	case id == "broken":
		return nil, errors.New("secret: the disk is full")
	case calendar != "a" || id != "abc12def":
		return nil, nil
	}
	return &event.Event{ID: id, ETag: `"1"`, Status: "confirmed", Start: &event.Time{Date: "2026-03-10"}, End: &event.Time{Date: "2026-03-11"}}, nil
}

func TestCheck(t *testing.T) {
	for _, test := range []struct {
		name, method, target, header, body string
		stored                             func(context.Context, string, string) (*event.Event, error)
		status                             int // 0 if accepted
		reason                             string
	}{
		{"accepted", "POST", "/calendars/a/events", "", "{" + day + "}", known, 0, ""},
		{"invalid", "POST", "/calendars/a/events", "", "{" + day + `,"status":"x"}`, known, 400, "invalid"},
		{"no body", "POST", "/calendars/a/events", "", "", known, 400, "parseError"},
		{"required", "POST", "/calendars/a/events", "", `{"start":{"date":"2026-03-10"}}`, known, 400, "required"},
		{"bad parameter", "POST", "/calendars/a/events?maxAttendees=0", "", "{" + day + "}", known, 400, "invalid"},
		{"patch", "PATCH", "/calendars/a/events/abc12def", `If-Match: "1"`, `{"summary":"A"}`, known, 0, ""},
		{"failed condition", "PATCH", "/calendars/a/events/abc12def", `If-Match: "2"`, `{"summary":"A"}`, known, 412, "conditionNotMet"},
		{"invalid and failed condition", "PATCH", "/calendars/a/events/abc12def", `If-Match: "2"`, `{"status":"x"}`, known, 400, "invalid"},
		{"no such event", "PATCH", "/calendars/a/events/other", "", `{"summary":"A"}`, known, 404, "notFound"},
		{"no such calendar", "GET", "/calendars/b/events/abc12def", "", "", known, 404, "notFound"},
		{"not known", "PATCH", "/calendars/a/events/other", "", `{"summary":"A"}`, nil, 0, ""},
		{"the store fails", "PATCH", "/calendars/a/events/broken", "", `{"summary":"A"}`, known, 500, "backendError"},
	} {
		t.Run(test.name, func(t *testing.T) {
			call, err := eventhttp.Read(request(test.method, test.target, test.header, test.body), "", 0)
			if err != nil {
				t.Fatal(err)
			}
			err = call.Check(nil, test.stored)
			if (err == nil) != call.Result.Accepted || (err == nil) != (test.status == 0) {
				t.Fatalf("accepted: %t, error: %v", call.Result.Accepted, err)
			}
			if err == nil {
				return
			}
			w := httptest.NewRecorder()
			eventhttp.WriteProblem(w, err)
			var p diag.Problem
			read(t, w, "application/problem+json", &p)
			if w.Code != test.status || p.Status != test.status || p.Title == "" || p.Detail == "" || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the problem is %d %+v", w.Code, p)
			}
			w = httptest.NewRecorder()
			eventhttp.WriteError(w, err)
			var e errorForm
			read(t, w, "application/json; charset=UTF-8", &e)
			if w.Code != test.status || e.Error.Code != test.status || e.Error.Errors[0].Reason != test.reason || e.Error.Message == "" || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("the error is %d %+v", w.Code, e)
			}
		})
	}
}

// errorForm is what clients of the public service read.
type errorForm struct {
	Error struct {
		Code    int
		Message string
		Errors  []struct{ Domain, Reason, Message, LocationType, Location string }
	}
}

func read(t *testing.T, w *httptest.ResponseRecorder, contentType string, into any) {
	t.Helper()
	if got := w.Header().Get("Content-Type"); got != contentType {
		t.Errorf("the content type is %q, want %q", got, contentType)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Errorf("%v in %s", err, w.Body)
	}
}

// What is wrong with a path is a finding, of the error if the path is no operation.
func TestPath(t *testing.T) {
	_, err := eventhttp.Read(request("GET", "/calendars/a/event", "", ""), "", 0)
	refused, ok := errors.AsType[*eventhttp.Error](err)
	if !ok || len(refused.Findings) != 1 || refused.Findings[0].Rule.ID != "operation.path" {
		t.Errorf("the error is %v", err)
	}
	call, err := eventhttp.Read(request("GET", "/calendars/a/events/?maxResults=2501", "", ""), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := call.Check(nil, nil); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range call.Result.Findings {
		got = append(got, f.Rule.ID)
	}
	if diff := cmp.Diff([]string{"operation.path", "operation.unspecified", "list.max-results"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The domain of a reason is that of the public service, by which clients choose what to do.
func TestDomains(t *testing.T) {
	for reason, want := range map[string]string{
		"authError": "global", "notFound": "global", "rateLimitExceeded": "usageLimits", "quotaExceeded": "usageLimits", "fullSyncRequired": "calendar",
	} {
		w := httptest.NewRecorder()
		eventhttp.WriteError(w, &eventhttp.Error{Status: 403, Reason: reason, Message: "No."})
		var e errorForm
		read(t, w, "application/json; charset=UTF-8", &e)
		if got := e.Error.Errors[0].Domain; got != want {
			t.Errorf("the domain of %s is %s, want %s", reason, got, want)
		}
	}
}

// The findings that reject are the items of an error, and all of them are those of a problem.
func TestFindings(t *testing.T) {
	call, err := eventhttp.Read(request("POST", "/calendars/a/events?maxAttendees=0", "", `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-09"},"sumary":"A"}`), "", 0)
	if err != nil {
		t.Fatal(err)
	}
	err = call.Check(new(event.Checker), nil)
	var refused *diag.Error
	if !errors.As(err, &refused) || len(refused.Findings) != 3 {
		t.Fatalf("the error is %v", err)
	}
	w := httptest.NewRecorder()
	eventhttp.WriteError(w, err)
	var e errorForm
	read(t, w, "application/json; charset=UTF-8", &e)
	var got []string
	for _, i := range e.Error.Errors {
		got = append(got, strings.Join([]string{i.Domain, i.Reason, i.LocationType, i.Location, strings.Fields(i.Message)[0]}, " "))
	}
	if diff := cmp.Diff([]string{"global invalid parameter maxAttendees The", "calendar timeRangeEmpty   /end:"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	w = httptest.NewRecorder()
	eventhttp.WriteProblem(w, err)
	var p diag.Problem
	read(t, w, "application/problem+json", &p)
	got = nil
	for _, i := range p.Errors {
		got = append(got, i.Rule+" "+i.Pointer+i.Parameter)
	}
	if diff := cmp.Diff([]string{"insert.param.max-attendees maxAttendees", "time.order #/end", "json.unknown-field #/sumary"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// The error of a check is answered as the refusal that it is, and a base may end in a slash.
func TestWriteErrorOfCheck(t *testing.T) {
	result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: []byte(`{"start":{"date":"2026-03-10"}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(http.ResponseWriter, error){"problem": eventhttp.WriteProblem, "error": eventhttp.WriteError} {
		w := httptest.NewRecorder()
		write(w, fmt.Errorf("check: %w", result.Err()))
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "The end is required") {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	for _, base := range []string{"/calendar/v3", "/calendar/v3/", "", "/"} {
		path := strings.TrimSuffix(base, "/") + "/calendars/primary/events/abcde"
		if _, err := eventhttp.Read(httptest.NewRequest(http.MethodGet, path, nil), base, 0); err != nil {
			t.Errorf("%s with the base %q: %v", path, base, err)
		}
	}
}

func TestNotModified(t *testing.T) {
	const etag = `"7"`
	for _, test := range []struct {
		method string
		known  []string // the fields If-None-Match
		etag   string
		want   bool
	}{
		{"GET", nil, etag, false},
		{"GET", []string{etag}, etag, true},
		{"HEAD", []string{etag}, etag, true},
		{"GET", []string{`"6", W/"7"`}, etag, true},
		{"GET", []string{`"6"`, etag}, etag, true},
		{"GET", []string{etag}, `W/"7"`, true},
		{"GET", []string{"*"}, etag, true},
		{"GET", []string{"*"}, "", false},
		{"GET", []string{`"6"`}, etag, false},
		{"DELETE", []string{etag}, etag, false},
	} {
		r := httptest.NewRequest(test.method, "/calendars/a/events/abcde", nil)
		r.Header["If-None-Match"] = test.known
		call, err := eventhttp.Read(r, "", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := call.NotModified(test.etag); got != test.want {
			t.Errorf("%s, If-None-Match %q, the etag %s: %t", test.method, test.known, test.etag, got)
		}
	}
}
