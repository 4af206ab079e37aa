package aim_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/aim"
	"github.com/calrules/calrules/operation"
)

// FuzzAnswers has a server answer anything: the run ends with a report, which has no secret.
func FuzzAnswers(f *testing.F) {
	f.Add(200, "application/json", []byte(`{"id":"abcde","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`))
	f.Add(200, "application/json", []byte(`{"id":"a/../b?c#d","resourceId":5,"conferenceData":{"createRequest":{}},"status":"hushhush"}`))
	f.Add(200, "text/html", []byte("<html>hushhush"))
	f.Add(400, "application/json", []byte(`{"error":{"message":"hushhush\u001b[2J"}}`))
	f.Add(204, "", []byte(nil))
	f.Add(599, "application/problem+json", []byte(`{"detail":{}}`))
	f.Add(302, "", []byte("[["))
	f.Fuzz(func(t *testing.T, status int, form string, answer []byte) {
		if status < 200 || status > 999 {
			t.Skip("no final status")
		}
		requests := 0
		h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			requests++
			w.Header()["Content-Type"] = []string{form}
			w.WriteHeader(status)
			w.Write(answer)
		})
		report, err := aim.Run(t.Context(), aim.Options{
			Base: "http://calendar.test", Calendar: "primary", Client: handlerTransport{h}, Header: http.Header{"X-Key": {"hushhush"}},
			Operations: []operation.ID{operation.EventsPatch}, Rules: []string{ruleid.UpdateETag, ruleid.EventServerSet}, Seed: 1, Count: 2, Timeout: time.Minute,
		})
		if err != nil || report.Requests != requests {
			t.Fatalf("%v: %+v, but %d requests", err, report, requests)
		}
		if text, err := json.Marshal(report); err != nil || bytes.Contains(text, []byte("hushhush")) {
			t.Errorf("%s, %v", text, err)
		}
	})
}
