package emulator_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/operation"
)

// refusalsOf reads the table of the refusals by state or transport in the README: the statuses and the reasons.
func refusalsOf(t *testing.T) map[string]bool {
	page, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]bool{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([0-9]{3}) \| ([^|]+) \|`).FindAllStringSubmatch(string(page), -1) {
		for reason := range strings.SplitSeq(row[2], ", ") {
			table[row[1]+" "+strings.Trim(reason, "`")] = true
		}
	}
	return table
}

// The emulator has no rule of its own: the table lists every refusal that the sources have, and no other.
func TestRefusalsAreListed(t *testing.T) {
	code := map[string]int{}
	for status := range 600 {
		code[regexp.MustCompile("[ -]").ReplaceAllString(http.StatusText(status), "")] = status
	}
	listed, has := refusalsOf(t), map[string]bool{}
	sources, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range sources {
		if !strings.HasSuffix(source.Name(), ".go") || strings.HasSuffix(source.Name(), "_test.go") {
			continue
		}
		text, err := os.ReadFile(source.Name())
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range regexp.MustCompile(`refused\(http\.Status(\w+), "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			refusal := fmt.Sprint(code[call[1]], " ", call[2])
			if has[refusal] = true; !listed[refusal] {
				t.Errorf("the table in README.md lacks %s, of %s", refusal, source.Name())
			}
		}
	}
	for refusal := range listed {
		if !has[refusal] {
			t.Errorf("the table in README.md has %s, which nothing refuses", refusal)
		}
	}
}

// known returns the request with the facts that the emulator of a test knows, and no others.
func known(req *event.Request) *event.Request {
	is := *req
	is.Caller, is.Series = &operation.Caller{Email: creator}, nil
	op, _ := operation.Lookup(req.Op)
	if strings.Contains(op.Path, "{calendarId}") && !strings.HasPrefix(op.Path, "/users/me/") {
		is.Calendar = &operation.Calendar{Primary: new(true), Status: "active", TimeZone: "UTC", IDs: operation.IDFunc(func(id string) bool {
			return req.Existing != nil && req.Existing.ID == id
		})}
	} else {
		is.Calendar = nil
	}
	if is.Existing != nil {
		is.Existing = is.Existing.Clone()
		is.Existing.Creator = &event.Person{Email: creator, Self: true}
		is.Caller.Creator = new(true)
	}
	return &is
}

// ofState are the parameters whose values the emulator refuses with 400, by its state or because it makes the answer.
var ofState = []string{"pageToken", "syncToken", "destination", "fields", "alt", "callback"}

// refusesAs sends a request, and compares the answer with the verdict of the library about the same state.
func (s verdictServer) refusesAs(t *testing.T, req *event.Request, listed map[string]bool, count *int) {
	t.Helper()
	op, ok := operation.Lookup(req.Op)
	if !ok || req.Existing != nil && req.Existing.ID == "" || strings.Contains(op.Path, "{eventId}") && req.Existing == nil {
		return // it has no address
	}
	if req.Event != nil && req.Body == nil {
		return // a Go value, which nobody sends
	}
	s.prepare(t, req)
	is := known(req)
	if op.Method == http.MethodGet {
		is.IfMatch = "" // HTTP evaluates it on every method
		req = is
	}
	result, err := event.Check(is)
	if err != nil {
		return // the line is no request
	}
	base := map[diag.Dialect]string{diag.Documents: documents, diag.Google: google}[req.Dialect]
	sent, err := fuzzhttp.NewRequest(s.http.URL+base, creator, req)
	if err != nil {
		return // the address cannot be written
	}
	*count++
	resp, err := s.http.Client().Do(sent)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	var e struct {
		Error struct{ Errors []struct{ Reason string } }
	}
	json.Unmarshal(text, &e) // other answers do not have these members
	refusal := ""
	if resp.StatusCode >= 400 {
		refusal = fmt.Sprint(resp.StatusCode, " ", e.Error.Errors[0].Reason)
	}
	isOfState := resp.StatusCode != http.StatusBadRequest || slices.ContainsFunc(ofState, func(name string) bool { return req.Params[name] != nil })
	byState := listed[refusal] && isOfState
	switch {
	case refusal == "" && result.Accepted, byState:
	case refusal != "" && !result.Accepted && slices.ContainsFunc(result.Findings, func(f diag.Finding) bool {
		status, _ := f.Refusal()
		return f.Kind == diag.Reject && cmp.Or(status, http.StatusBadRequest) == resp.StatusCode
	}):
	default:
		t.Errorf("%s %s\n%s\nis answered with %d %s\nThe library accepts: %t\n%v", sent.Method, sent.URL, req.Body, resp.StatusCode, text, result.Accepted, result.Findings)
	}
}

// Given the same state, the emulator refuses exactly what the library rejects, and what the table lists.
func TestRefusesAsLibrary(t *testing.T) {
	listed := refusalsOf(t)
	server := newVerdictServer(t)
	n := 0 // how many requests are sent
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		var req batch.Request
		if c.Form == "check" && req.Read(c.Request) == nil && req.Grade == nil {
			server.refusesAs(t, &req.Request, listed, &n)
		}
	}
	for _, in := range []diag.Dialect{diag.Documents, diag.Google} {
		payload, err := fuzz.Mix{Dialect: in, InvalidShare: 0.5, MaxBytes: 64 << 10}.Payloads(3)
		if err != nil {
			t.Fatal(err)
		}
		for i := range draws(200, 500, 20_000) {
			server.refusesAs(t, payload(i).Event, listed, &n)
		}
	}
	if n < 3000 {
		t.Errorf("only %d requests are sent", n)
	}
}

// No safety rests on a rule that a grading switches off: every operation is answered under every grading.
func TestGradings(t *testing.T) {
	for name, grading := range map[string]diag.Grading{
		"documented": diag.Documented(), "lenient": diag.Lenient(), "strict": diag.Strict(),
		"nothing": {Bases: map[diag.Basis]diag.Grade{diag.Stated: diag.Off, diag.RFC: diag.Off, diag.Inferred: diag.Off, diag.Observed: diag.Off}},
	} {
		handler := emulator.New(emulator.WithClock(clock), emulator.WithUser(creator), emulator.WithChecker(event.Checker{Grading: grading}))
		send := func(r *http.Request) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r) // a panic ends the test
			if w.Code >= 500 {
				t.Errorf("%s: %s %s is answered with %d %s", name, r.Method, r.URL, w.Code, w.Body)
			}
		}
		for _, in := range []diag.Dialect{diag.Documents, diag.Google} {
			base := map[diag.Dialect]string{diag.Documents: documents, diag.Google: google}[in]
			for op := range operation.All() {
				payload, err := fuzz.Mix{Dialect: in, Operations: []operation.ID{op.ID}, InvalidShare: 0.7, MaxBytes: 64 << 10}.Payloads(4)
				if err != nil {
					t.Fatal(err)
				}
				for i := range draws(2, 6, 200) {
					req := payload(i).Event
					if req.Existing != nil {
						if err := handler.Put(creator, cmp.Or(req.Existing, new(event.Event))); err != nil && req.Existing.ID != "" {
							t.Fatal(err)
						}
					}
					if r, err := fuzzhttp.NewRequest("http://emulator.example"+base, creator, req); err == nil {
						r.RequestURI = ""
						send(r)
					}
				}
				for _, body := range []string{`{}`, `{"role":"reader"}`, `{"scope":5,"role":[]}`, `{"items":[5,{"id":7}],"timeMin":5}`, `{"id":{},"address":[],"params":5}`, `{"start":5}`} {
					path, err := op.Expand(map[string]string{"calendarId": creator})
					if err != nil {
						continue
					}
					r := httptest.NewRequest(op.Method, base+path, strings.NewReader(body))
					r.Header.Set("Content-Type", "application/json")
					send(r)
				}
			}
		}
	}
}
