package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
)

// service counts its requests and answers with the event that was sent.
type service struct{ requests int }

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.requests++
	_, _ = io.Copy(w, r.Body)
}

func TestInsert(t *testing.T) {
	for _, c := range []struct {
		name string
		file string
		rule string // that rejects the event; "" if it is sent
		note string // shown to the user
	}{
		{name: "good", file: "valid/meet-create"},
		{name: "advice is shown", file: "valid/salary-talk", note: "event.visibility.confidential"},
		{name: "rejected", file: "broken/end-before-start", rule: "time.order"},
		{name: "without effect", file: "broken/pasted-representation", rule: "event.server-set"},
		{name: "misspelt", file: "broken/misspelt-members", rule: "json.unknown-field"},
		{name: "no length", file: "broken/same-day-end", rule: "time.empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			body, err := os.ReadFile("../events/" + c.file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var s service
			server := httptest.NewServer(&s)
			defer server.Close()
			var notes strings.Builder
			err = insert(server.Client(), server.URL, body, &notes)

			if c.rule == "" {
				if err != nil || s.requests != 1 {
					t.Errorf("%d requests, error %v", s.requests, err)
				}
			} else {
				var refused *diag.Error
				if !errors.As(err, &refused) || refused.Findings.OfKind(diag.Reject)[0].Rule.ID != c.rule {
					t.Errorf("error %v, want %s", err, c.rule)
				}
				if s.requests != 0 {
					t.Errorf("%d requests, want none", s.requests)
				}
			}
			if got := notes.String(); !strings.Contains(got, c.note) || c.note == "" && got != "" {
				t.Errorf("notes %q, want %q", got, c.note)
			}
		})
	}
}

func TestInsertAnswers(t *testing.T) {
	const body = `{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		want   string
	}{
		{"refusal", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, "403"},
		{"odd event", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"done"}`) }, "event.status.enum"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(c.answer)
			defer server.Close()
			err := insert(server.Client(), server.URL, []byte(body), io.Discard)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}
