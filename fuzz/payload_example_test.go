package fuzz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/operation"
)

// insertHandler is the server under test. It refuses events without a start, and does not know the limit on reminders.
func insertHandler(w http.ResponseWriter, r *http.Request) {
	var e struct{ Start, End *event.Time }
	if err := json.NewDecoder(r.Body).Decode(&e); err != nil || e.Start == nil || e.End == nil {
		http.Error(w, "no event", http.StatusBadRequest)
	}
}

// post sends a payload to a server, and reports whether it was accepted.
func post(server *httptest.Server, p fuzz.Payload) (bool, error) {
	address := server.URL + "/calendars/primary/events?" + url.Values(p.Event.Params).Encode()
	resp, err := http.Post(address, "application/json", bytes.NewReader(p.Event.Body))
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode == http.StatusOK, err
}

// A mix of payloads, each with its verdict, finds what a server accepts and should refuse.
func ExampleMix() {
	server := httptest.NewServer(http.HandlerFunc(insertHandler))
	defer server.Close()

	mix := fuzz.Mix{
		Operations:   []operation.ID{operation.EventsInsert},
		Rules:        []string{"event.start.required", "event.end.required", "reminders.overrides.max"},
		InvalidShare: 0.5,
	}
	payload, err := mix.Payloads(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	wrong := map[string]bool{}
	for i := range 300 {
		p := payload(i)
		accepted, err := post(server, p)
		if err != nil {
			fmt.Println(err)
			return
		}
		if accepted != p.Accepted {
			wrong[p.Rule] = true
		}
	}
	fmt.Println(wrong)
	// Output: map[reminders.overrides.max:true]
}

// In your own test, rapid shrinks a failing request to the smallest that breaks the rule.
func ExampleViolating() {
	test := func(t *testing.T) {
		server := httptest.NewServer(http.HandlerFunc(insertHandler))
		defer server.Close()
		rapid.Check(t, func(t *rapid.T) {
			p := fuzz.Violating(diag.Documents, "reminders.overrides.max", operation.EventsInsert).Draw(t, "payload")
			accepted, err := post(server, p)
			if err != nil {
				t.Fatal(err)
			}
			if accepted {
				t.Fatalf("accepted, against the rule %s at %s", p.Rule, p.Path)
			}
		})
	}
	_ = test // a function in a file whose name ends in _test.go

	p := fuzz.Violating(diag.Documents, "reminders.overrides.max").Example(1)
	fmt.Println(p.Rule, p.Kind, p.Path, p.Accepted)
	// Output: reminders.overrides.max reject /reminders/overrides false
}

// The same seed gives the same payloads, on every machine.
func ExampleMix_Payloads() {
	payload, err := fuzz.Mix{InvalidShare: 0.5}.Payloads(7)
	if err != nil {
		panic(err)
	}
	accepted, refused, rules := 0, 0, map[string]bool{}
	for i := range 1000 {
		p := payload(i)
		if p.Accepted {
			accepted++
		} else {
			refused++
		}
		if p.Rule != "" {
			rules[p.Rule] = true
		}
	}
	fmt.Println(accepted > 500, refused > 300, len(rules) > 100)
	// Output: true true true
}

// Your own native fuzz target starts with these bodies.
func ExampleSeeds() {
	target := func(f *testing.F) {
		fuzz.Seeds(f)
		f.Fuzz(func(t *testing.T, body []byte) {
			rec := httptest.NewRecorder()
			insertHandler(rec, httptest.NewRequest(http.MethodPost, "/calendars/primary/events", bytes.NewReader(body)))
			result, err := event.Check(&event.Request{Op: operation.EventsInsert, Body: body})
			if err != nil {
				log.Fatal(err)
			}
			if rec.Code == http.StatusOK && len(result.Findings.OfKind(diag.Reject)) > 0 {
				t.Errorf("accepted against %v", result.Err())
			}
		})
	}
	_ = target // FuzzInsertHandler in a file whose name ends in _test.go

	var seeds counter
	fuzz.Seeds(&seeds)
	fmt.Println(seeds > 300)
	// Output: true
}

// counter counts seeds.
type counter int

func (c *counter) Add(...any) { *c++ }
