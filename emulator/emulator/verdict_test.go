package emulator_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/event/eventhttp"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/operation"
)

// onEvents are the operations on events. All their verdicts are those of the library, except for lists with a sync
// token: only the emulator knows which tokens it issued.
var onEvents = []operation.ID{
	operation.EventsInsert, operation.EventsImport, operation.EventsPatch, operation.EventsUpdate, operation.EventsDelete,
	operation.EventsMove, operation.EventsGet, operation.EventsInstances, operation.EventsList, operation.EventsQuickAdd,
}

// TestVerdicts draws requests, valid and with one fault, with a stored event and the verdict of a correct
// server with the dialect, and sends them over HTTP.
func TestVerdicts(t *testing.T) {
	server := newVerdictServer(t)
	for _, in := range []diag.Dialect{diag.Documents, diag.Google} {
		payload, err := fuzz.Mix{Dialect: in, Operations: onEvents, InvalidShare: 0.5, OverHTTP: true, MaxBytes: 64 << 10}.Payloads(1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range draws(100, 2000, 5000) {
			server.check(t, payload(i))
		}
	}
}

// TestVerdictsOfEveryRule breaks every rule that a server can see.
func TestVerdictsOfEveryRule(t *testing.T) {
	server := newVerdictServer(t)
	for _, in := range []diag.Dialect{diag.Documents, diag.Google} {
		for _, rule := range fuzz.Rules(in, onEvents...) {
			payload, err := fuzz.Mix{Dialect: in, Operations: onEvents, Rules: []string{rule}, InvalidShare: 1, OverHTTP: true, MaxBytes: 64 << 10}.Payloads(2)
			if err != nil {
				continue // a server cannot see the violation
			}
			for i := range draws(1, 10, 50) {
				server.check(t, payload(i))
			}
		}
	}
}

type verdictServer struct {
	emulator *emulator.Server
	http     *httptest.Server
}

// creator is who created the stored events that are drawn.
const creator = "owner@example.com"

func newVerdictServer(t *testing.T) verdictServer {
	handler := emulator.New(emulator.WithClock(clock), emulator.WithUser(creator))
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return verdictServer{handler, server}
}

// check sends a payload in its dialect and compares the answer with the verdict.
func (s verdictServer) check(t *testing.T, p fuzz.Payload) {
	t.Helper()
	s.prepare(t, p.Event)
	base := map[diag.Dialect]string{diag.Documents: documents, diag.Google: google}[p.Event.Dialect]
	req, err := fuzzhttp.NewRequest(s.http.URL+base, creator, p.Event)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := s.http.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	if !s.agrees(p, resp.StatusCode, text) {
		t.Fatalf("%s\n%s %s: %s\n%s", p, req.Method, req.URL, resp.Status, text)
	}
}

// prepare removes everything but the stored event and the destination of a move.
func (s verdictServer) prepare(t *testing.T, req *event.Request) {
	if err := s.emulator.Reset(); err != nil {
		t.Fatal(err)
	}
	for _, id := range req.Params["destination"] {
		if id != "" && id != "primary" {
			if err := s.emulator.Put(id, &event.Event{ID: "placeholder"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if req.Existing != nil {
		stored := req.Existing.Clone()
		stored.Creator = &event.Person{Email: creator, Self: true} // who alone sees the source
		if err := s.emulator.Put(creator, stored); err != nil {
			t.Fatal(err)
		}
	}
}

// agrees reports whether an answer agrees with the verdict. The emulator refuses some valid requests because of
// its state: a sync token that it did not issue, a move to the calendar that has the event.
func (s verdictServer) agrees(p fuzz.Payload, status int, text []byte) bool {
	reason := reasonOf(text)
	op, _ := operation.Lookup(p.Event.Op)
	switch {
	case strings.Contains(op.Path, "{eventId}") && p.Event.Existing == nil:
		return status == http.StatusNotFound
	case p.Accepted && p.Event.Op == operation.EventsMove && status == http.StatusBadRequest:
		return p.Event.Params["destination"][0] == "primary"
	case p.Accepted && p.Event.Params["syncToken"] != nil && p.Event.Op == operation.EventsList:
		return status == http.StatusBadRequest && reason == "invalid"
	case p.Accepted:
		return status == http.StatusOK || status == http.StatusNoContent
	}
	result, err := event.Check(p.Event)
	i := slices.IndexFunc(result.Findings, func(f diag.Finding) bool { return f.Kind == diag.Reject && f.Is(p.Rule) })
	if err != nil || i < 0 {
		return false
	}
	want := httptest.NewRecorder()
	eventhttp.WriteError(want, result.Findings[i:i+1].Err())
	return status == want.Code && reason == reasonOf(want.Body.Bytes())
}

// reasonOf returns the reason of an answer that is a refusal, or "".
func reasonOf(text []byte) string {
	var e struct {
		Error struct {
			Errors []struct{ Reason string }
		}
	}
	json.Unmarshal(text, &e) // other answers do not have these members
	if len(e.Error.Errors) == 0 {
		return ""
	}
	return e.Error.Errors[0].Reason
}

// The library accepts the answers of the emulator as representations.
func TestAnswersAreRepresentations(t *testing.T) {
	s := newVerdictServer(t)
	rapid.Check(t, func(t *rapid.T) {
		if err := s.emulator.Reset(); err != nil {
			t.Fatal(err)
		}
		req := fuzz.Request(diag.Documents, operation.EventsInsert).Draw(t, "request")
		req.Caller, req.Calendar, req.Series = nil, nil, nil
		r, err := fuzzhttp.NewRequest(s.http.URL+documents, creator, req)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := s.http.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v %s", resp.Status, err, text)
		}
		if resp.Header.Get("ETag") == "" {
			t.Error("the answer has no entity tag")
		}
		result, err := event.Check(&event.Request{Op: operation.Response, Body: text})
		if err != nil || !result.Accepted {
			t.Errorf("the answer %s: %v %v", text, err, result.Err())
		}
	})
}
