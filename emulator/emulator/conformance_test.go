package emulator_test

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/fuzzhttp"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/operation"
)

// TestConformance sends the conformance cases over HTTP, after storing the event that they are about, and compares
// whether they are accepted. It logs how many cases have no URL, by reason.
func TestConformance(t *testing.T) {
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	server := newVerdictServer(t)
	sent, skipped := 0, map[string]int{}
	for _, c := range all {
		var req batch.Request
		if reason := hasNoURL(c, &req); reason != "" {
			skipped[reason]++
			continue
		}
		sent++
		t.Run(c.Name, func(t *testing.T) {
			server.prepare(t, &req.Request)
			status, text := server.send(t, &req)
			if want := c.Expect.Has["accepted"].(bool); want != (status < 300) {
				t.Errorf("%s\nis answered with %d, %s\nwant acceptance: %t", c.Request, status, text, want)
			}
		})
	}
	t.Logf("%d cases are sent", sent)
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		t.Logf("%4d %s", skipped[reason], reason)
	}
}

// hasNoURL reads a case. It returns why it cannot be sent to a server, or nothing.
func hasNoURL(c cases.Case, req *batch.Request) string {
	if c.Form != "check" {
		return "another form: " + c.Form
	}
	if err := req.Read(c.Request); err != nil {
		return "the line is no request"
	}
	op, ok := operation.Lookup(req.Op)
	switch {
	case !ok:
		return "no operation: " + string(req.Op)
	case req.Caller != nil:
		return "only the line says who calls"
	case req.Calendar != nil:
		return "only the line says what the calendar has"
	case req.Series != nil:
		return "only the line has the series"
	case req.Grade != nil:
		return "the line grades rules"
	case !slices.Contains(onEvents, req.Op):
		return "no operation on events"
	case strings.Contains(op.Path, "{eventId}") && req.Existing == nil:
		return "the stored event is unknown"
	case req.Existing != nil && req.Existing.ID == "":
		return "the stored event has no id"
	case req.Op == operation.EventsList && strings.Join(req.Params["syncToken"], "") != "" && c.Expect.Has["accepted"] == true:
		return "only the server knows which sync tokens it issued"
	case req.Op == operation.EventsMove && slices.Contains(req.Params["destination"], "primary"):
		return "the calendar has the event already"
	case req.Op == operation.EventsGet && req.IfMatch != "":
		return "HTTP evaluates If-Match on every method"
	}
	return ""
}

// send sends a request in its dialect.
func (s verdictServer) send(t *testing.T, req *batch.Request) (status int, text []byte) {
	t.Helper()
	base := documents
	if req.Dialect == diag.Google {
		base = google
	}
	out, err := fuzzhttp.NewRequest(s.http.URL+base, creator, &req.Request)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(out)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if text, err = io.ReadAll(resp.Body); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, text
}
