// Package property tests a calendar server with drawn requests, valid and broken. The server is any
// http.Handler; the one here has one mistake less than most.
package property

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/operation"
)

// TestServer checks that the server refuses what it must, and nothing else. Each request comes with the verdict of a correct
// server, and with the stored event that it is about. If the test fails, rapid prints the smallest such request that it finds.
func TestServer(t *testing.T) {
	calendar := &calendar{}
	server := httptest.NewServer(calendar)
	defer server.Close()
	mix := fuzz.Mix{
		Operations:   []operation.ID{operation.EventsInsert, operation.EventsPatch, operation.EventsUpdate, operation.EventsDelete},
		InvalidShare: 0.5,
		OverHTTP:     true,
		MaxBytes:     64 << 10,
	}
	payloads, err := mix.Generator()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		p := payloads.Draw(t, "payload")
		calendar.store(p.Event.Existing)
		req, err := fuzzhttp.NewRequest(server.URL, "primary", p.Event)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if accepted := resp.StatusCode == http.StatusOK; accepted != p.Accepted {
			t.Fatalf("the server answers %s", resp.Status)
		}
	})
}

// calendar is the server under test. It stores one event.
type calendar struct {
	mu     sync.Mutex
	stored *event.Event
}

func (c *calendar) store(e *event.Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stored = e
}

func (c *calendar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	match, ok := operation.Resolve(r.Method, r.URL.EscapedPath())
	body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	if !ok || err != nil {
		http.Error(w, "not a request to a calendar", http.StatusNotFound)
		return
	}
	req := &event.Request{
		Op: match.Operation.ID, Params: operation.Params(r.URL.Query()), IfMatch: r.Header.Get("If-Match"),
		Existing: c.stored, Absent: c.stored == nil,
	}
	if r.Header.Get("Content-Type") == "application/json" {
		req.Body = body
	}
	result, err := event.Check(req)
	if err == nil {
		err = result.Err()
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.stored = result.Stored
}
