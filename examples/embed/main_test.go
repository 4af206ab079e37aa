package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/aim"
)

func send(h http.Handler, method, target, body string) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	return w.Result()
}

const events = "/calendars/primary/events"

func post(h http.Handler, query, body string) *http.Response {
	return send(h, http.MethodPost, events+query, body)
}

func show(res *http.Response) {
	fmt.Println(res.StatusCode, res.Header.Get("Content-Type"))
	_, _ = io.Copy(os.Stdout, res.Body)
	fmt.Println()
}

// Example inserts two events, with a fixed id and clock.
func Example() {
	s := newServer()
	s.checker.NewID = func() string { return "00000000000000000000000001" }
	s.now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	show(post(s, "", `{"summary":"Lunch","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`))
	show(post(s, "", `{"summary":"Lunch","start":{"date":"2026-03-10"},"end":{"date":"2026-03-09"}}`))
	// Output:
	// 200 application/json
	// {"kind":"calendar#event","etag":"\"00000000000000000000000001\"","id":"00000000000000000000000001","status":"confirmed","created":"2026-03-01T12:00:00.000Z","updated":"2026-03-01T12:00:00.000Z","summary":"Lunch","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"sequence":0,"eventType":"default"}
	// 400 application/problem+json
	// {"type":"https://github.com/calrules/calrules/blob/main/docs/rules.md","title":"The request breaks the rules of the calendar service.","status":400,"detail":"The end 2026-03-09 is before the start 2026-03-10. Send an end after the start.","errors":[{"detail":"The end 2026-03-09 is before the start 2026-03-10. Send an end after the start.","pointer":"#/end","rule":"time.order","kind":"reject","basis":"observed"}]}
}

func TestInsert(t *testing.T) {
	const day = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	h := newServer()
	for _, c := range []struct {
		name, query, body string
		status            int
	}{
		{"accepted", "", `{` + day + `}`, http.StatusOK},
		{"own id", "", `{"id":"lunch2026",` + day + `}`, http.StatusOK},
		{"id taken", "", `{"id":"lunch2026",` + day + `}`, http.StatusConflict},
		{"bad parameter", "?conferenceDataVersion=2", `{` + day + `}`, http.StatusBadRequest},
		{"bad query", "?a=%zz", `{` + day + `}`, http.StatusBadRequest},
		{"no body", "", "", http.StatusBadRequest},
		{"large body", "", strings.Repeat(" ", event.DefaultMaxBytes+1), http.StatusRequestEntityTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := post(h, c.query, c.body)
			if res.StatusCode != c.status {
				body, _ := io.ReadAll(res.Body)
				t.Errorf("status %d, want %d: %s", res.StatusCode, c.status, body)
			}
			if got := res.Header.Get("Content-Type"); c.status == http.StatusOK && got != "application/json" {
				t.Errorf("content type %q", got)
			}
		})
	}
}

// One event goes through its life.
func TestLife(t *testing.T) {
	h := newServer()
	for _, step := range []struct {
		method, path, body string
		status             int
		want               string // a part of the answer
	}{
		{"POST", events, `{"id":"lunch2026","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`, 200, `"confirmed"`},
		{"GET", events + "/lunch2026", "", 200, `"2026-03-10"`},
		{"PATCH", events + "/lunch2026", `{"summary":"Lunch"}`, 200, `"Lunch"`},
		{"PUT", events + "/lunch2026", `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-09"}}`, 400, "time.order"},
		{"DELETE", events + "/lunch2026", "", 200, `"cancelled"`},
		{"DELETE", events + "/lunch2026", "", 410, "status.delete.gone"},
		{"GET", events + "/dinner2026", "", 404, "There is no such event."},
		{"GET", "/calendars/other/events/lunch2026", "", 404, "There is no such event."},
		{"GET", events, "", 501, "lacks this operation"},
		{"PUT", events, "", 405, "GET, HEAD, POST"},
	} {
		res := send(h, step.method, step.path, step.body)
		if body, err := io.ReadAll(res.Body); err != nil || res.StatusCode != step.status || !strings.Contains(string(body), step.want) {
			t.Errorf("%s %s: %d %s, want %d with %s", step.method, step.path, res.StatusCode, body, step.status, step.want)
		}
	}
}

func TestProblem(t *testing.T) {
	body, err := os.ReadFile("../events/broken/ten-faults.json")
	if err != nil {
		t.Fatal(err)
	}
	res := post(newServer(), "", string(body))
	if got := res.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Errorf("content type %q, want %q", got, "application/problem+json")
	}
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(answer), `"pointer"`); n != 10 {
		t.Errorf("%d pointers, want 10:\n%s", n, answer)
	}
}

// The server stores attendees that it does not return.
func TestMaxAttendees(t *testing.T) {
	s := newServer()
	res := post(s, "?maxAttendees=1", `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},
		"attendees":[{"email":"ada@example.com"},{"email":"grace@example.com"}]}`)
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res.Status, err)
	}
	for id, e := range s.events["primary"] {
		if len(e.Attendees) != 2 || e.AttendeesOmitted || !strings.Contains(string(body), id) {
			t.Errorf("%s is stored with %d attendees; the answer is %s", id, len(e.Attendees), body)
		}
	}
	if strings.Contains(string(body), "grace@example.com") {
		t.Errorf("the answer has too many attendees: %s", body)
	}
}

// The server does what the rules say.
func TestAim(t *testing.T) {
	server := httptest.NewServer(newServer())
	defer server.Close()
	report, err := aim.Run(t.Context(), aim.Options{
		Base: server.URL, Calendar: "primary", Client: http.DefaultTransport, Seed: 1, Count: 60, Timeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if report.Disagreements != nil || report.Unclear != nil || report.Left != nil || report.Stories < 20 {
		t.Errorf("%d stories: %+v, unclear: %q, left: %q", report.Stories, report.Disagreements, report.Unclear, report.Left)
	}
}
