package filter_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/operation"
)

const oneDay = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`

// places returns the error of an answer, or the rules and places of its findings.
func places(t *testing.T, handle func(line, dst []byte) []byte, line string) []string {
	t.Helper()
	var got struct {
		Error    string
		Findings []struct{ Rule, Path string }
	}
	if err := json.Unmarshal(handle([]byte(line), nil), &got); err != nil {
		t.Fatal(err)
	}
	var all []string
	if got.Error != "" {
		all = append(all, got.Error)
	}
	for _, f := range got.Findings {
		all = append(all, f.Rule+" "+f.Path)
	}
	return all
}

func TestDefaults(t *testing.T) {
	const (
		updates = "insert.param.send-updates ?sendUpdates"
		unknown = "param.unknown ?more"
		noOp    = `op is ""; it must be an operation of the service or "response"`
		empty   = "the line is not JSON: it is empty (byte 1)"
	)
	params := operation.Params{"sendUpdates": {"x"}, "more": {"y"}}
	ofEvents := filter.Check(event.Checker{}, filter.Defaults{Op: operation.EventsInsert, Params: params}).Handle
	ofRequests := filter.Check(event.Checker{}, filter.Defaults{Params: params}).Handle
	for _, test := range []struct {
		name, line       string
		events, requests []string
	}{
		{"blank", ``, []string{empty}, []string{empty}},
		{"event", `{` + oneDay + `}`, []string{updates, unknown}, []string{noOp}},
		{"event with a wrong id", `{"id":7,` + oneDay + `}`, []string{updates, unknown, "json.type /id"}, []string{noOp}},
		{"request", `{"op":"events.insert","body":{` + oneDay + `}}`, []string{updates, unknown}, []string{updates, unknown}},
		{"request without op", `{"body":{` + oneDay + `}}`, []string{updates, unknown}, []string{noOp}},
		{"request with parameters", `{"op":"events.insert","params":{"sendUpdates":"all"},"body":{` + oneDay + `}}`, []string{unknown}, []string{unknown}},
		{"misspelt", `{"op":"events.insert","bdy":1}`, []string{`"bdy" is not a member of a request; did you mean body?`}, []string{`"bdy" is not a member of a request; did you mean body?`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.events, places(t, ofEvents, test.line)); diff != "" {
				t.Errorf("with an operation (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.requests, places(t, ofRequests, test.line)); diff != "" {
				t.Errorf("without an operation (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDefaultDialect(t *testing.T) {
	const line = `{"op":"events.insert","body":{"videoLink":"x",` + oneDay + `}}`
	documents := filter.Check(event.Checker{}, filter.Defaults{}).Handle
	google := filter.Check(event.Checker{}, filter.Defaults{Dialect: diag.Google}).Handle
	if diff := cmp.Diff(places(t, documents, line), places(t, google, line)); diff == "" {
		t.Error("the dialect makes no difference")
	}
}

// An answer without instances or a count is an error alone.
func TestExpandErrors(t *testing.T) {
	for line, want := range map[string]string{
		``:                        `{"id":null,"accepted":false,"error":"the line is not JSON: it is empty (byte 1)"}`,
		`{"id":1,` + oneDay + `}`: `{"id":1,"accepted":false,"error":"there is no recurrence: the event takes place once, at its start"}`,
		`{"id":1,` + oneDay + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=2"],"ask":"count"}`: `{"id":1,"count":2}`,
		`{"id":1,` + oneDay + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=1"]}`:               `{"id":1,"instances":[{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}]}`,
	} {
		if got := string(expand([]byte(line), nil)); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

// A search that was given up has an error beside the instances that it found.
func TestExpandGivesUp(t *testing.T) {
	seconds := make([]string, 60)
	for i := range seconds {
		seconds[i] = strconv.Itoa(i)
	}
	line := `{"start":{"dateTime":"2026-03-10T09:00:00Z","timeZone":"UTC"},"end":{"dateTime":"2026-03-10T10:00:00Z","timeZone":"UTC"},` +
		`"recurrence":["RRULE:FREQ=SECONDLY","EXRULE:FREQ=SECONDLY;BYSECOND=` + strings.Join(seconds, ",") + `"],"ask":"before","at":"2036-01-01"}`
	var got struct {
		Error     string
		Instances []any
	}
	if err := json.Unmarshal(expand([]byte(line), nil), &got); err != nil {
		t.Fatal(err)
	}
	if got.Error == "" || got.Instances == nil {
		t.Errorf("the answer has the error %q and the instances %v", got.Error, got.Instances)
	}
}
