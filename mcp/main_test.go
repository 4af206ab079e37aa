package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/calrules/calrules/internal/cases"
)

// connect returns a session with a server.
func connect(t *testing.T) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := newServer().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// call returns the answer of a tool as JSON, or its error. The answer has the form of the tool's schema, and its text says the same.
func call(t *testing.T, session *mcp.ClientSession, name, args string) string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: json.RawMessage(args)})
	if err != nil {
		t.Fatal(err)
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return "error: " + text
	}
	if diff := cmp.Diff(decoded(t, text), result.StructuredContent); diff != "" {
		t.Errorf("%s: the text and the structure (-text +structure):\n%s", name, diff)
	}
	i := slices.IndexFunc(tools, func(t tool) bool { return t.name == name })
	if err := resolved(t, tools[i].output).Validate(result.StructuredContent); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	return text
}

func decoded(t *testing.T, text string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func resolved(t *testing.T, schema json.RawMessage) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(schema, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	day     = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}`
	meeting = `{"id":"abcde","status":"confirmed","attendees":[{"email":"ada@example.com","responseStatus":"needsAction"},{"email":"bob@example.com","responseStatus":"accepted"}],` + day + `}`
)

// Each answer contains the texts.
func TestTools(t *testing.T) {
	session := connect(t)
	for _, test := range []struct {
		tool, args string
		want       []string
	}{
		{"check_event", `{"body":{` + day + `}}`, []string{`{"accepted":true,"findings":[]}`}},
		{"check_event", `{"body":{"hangoutLink":"https://x.example","status":"Confirmed",` + day + `}}`, []string{`"accepted":false`, `"rule":"event.server-set"`, `"fix":[{"op":"replace","path":"/body/status","value":"confirmed"}],"fixIs":"safe"`}},
		{"check_event", `{"dialect":"documents","body":{"hangoutLink":"https://x.example",` + day + `}}`, []string{`"rule":"json.unknown-field"`}},
		{"check_event", `{"op":"calendars.insert","body":{}}`, []string{`"rule":"calendars.body"`, `"path":"/summary"`}},
		{"check_event", `{"op":"events.get","existing":{"id":"abcde",` + day + `},"status":200,"answer":{"id":"abcde","start":5}}`, []string{`"accepted":true`, `"answerFindings":[{`}},
		{"check_event", `{"event":{}}`, []string{`error: event is not an argument of check_event; its arguments are op, body,`}},
		{"check_event", `{"op":"events.fly"}`, []string{`error: op is "events.fly"`}},
		{"check_event", `{"body":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `}`, []string{`"rule":"json.syntax"`}},
		{"check_event", `{"body":{"attendees":[` + strings.TrimSuffix(strings.Repeat(`{},`, 50), ",") + `],` + day + `}}`, []string{`"truncated":true`}},

		{"fix_event", `{"body":{"status":"Confirmed","visibility":"pubic",` + day + `}}`, []string{`"accepted":false,"body":{"status":"confirmed","visibility":"pubic",`, `"questions":[{"path":"/visibility","question":"What should /visibility be? The visibility is \"pubic\"; it must be`}},
		{"fix_event", `{"fix":"all","body":{"visibility":"pubic",` + day + `}}`, []string{`"accepted":true,"body":{"visibility":"public",`, `"fixIs":"choice"`, `"questions":[]`}},
		{"fix_event", `{"fix":"best","calendar":{"timeZone":"Europe/Berlin"},"body":{"start":{"dateTime":"2026-03-10T09:00:00"}}}`, []string{`"body":{"start":{"dateTime":"2026-03-10T09:00:00"`, `"questions":[{"path":"/end","question":"What should /end be?`}},
		{"fix_event", `{"fix":[{"op":"remove","path":"/body/visibility"}],"body":{"visibility":"pubic",` + day + `}}`, []string{`"accepted":true`, `"made":[]`}},
		{"fix_event", `{"fix":"some","body":{}}`, []string{`error: fix must be "safe", "all", "best" or a JSON Patch`}},
		{"fix_event", `{"bodyText":"summary"}`, []string{`"bodyText":"summary"`, `"question":"What should the event be?`}},

		{"explain_rule", `{"id":"time.order"}`, []string{`"summary":"The end must not be before the start."`, `"good":{"request":{`}},
		{"explain_rule", `{"id":"time.ordr"}`, []string{`error: there is no rule "time.ordr"; did you mean time.order?`}},
		{"explain_rule", `{"id":"x"}`, []string{`error: there is no rule "x"; the resource calrules://rules lists them`}},
		{"explain_rule", `{}`, []string{`error: there is no rule ""`}},

		{"why_refused", `{"refusal":"googleapi: Error 400: The specified time range is empty., timeRangeEmpty","request":{"body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-09"}}}}`, []string{`"known":true,"causes":[{"rule":"time.order"`}},
		{"why_refused", `{"refusal":{"error":{"code":403,"errors":[{"reason":"rateLimitExceeded"}]}}}`, []string{`"known":true,"causes":[],"about":{"meaning":"Too many requests were sent`}},
		{"why_refused", `{"refusal":"no"}`, []string{`error: refusal contains no refusal`}},
		{"why_refused", `{}`, []string{`error: refusal is missing`}},
		{"why_refused", `{"refusal":"Error 400","request":{"op":5}}`, []string{`error: `}},

		{"make_requests", `{"verb":"respond","with":{"status":"accepted","email":"ada@example.com"},"existing":` + meeting + `}`, []string{`{"requests":[{"op":"events.patch","params":{"eventId":"abcde","sendUpdates":"all"},"body":{"attendees":[`}},
		{"make_requests", `{"verb":"list","series":{` + day + `,"recurrence":["RRULE:FREQ=DAILY"]}}`, []string{`{"start":{"date":"2026-04-03"}`, `"truncated":true`}},
		{"make_requests", `{"verb":"count","series":{` + day + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=50"]}}`, []string{`{"count":50}`}},
		{"make_requests", `{"verb":"respnd"}`, []string{`error: "respnd" is not a verb; did you mean respond?`}},

		{"expand_series", `{` + day + `,"recurrence":["RRULE:FREQ=DAILY;COUNT=3"],"ask":"count"}`, []string{`{"count":3}`}},
		{"expand_series", `{` + day + `,"recurrence":["RRULE:FREQ=DAILY"]}`, []string{`{"start":{"date":"2026-04-03"}`, `"truncated":true`}},
		{"expand_series", `{` + day + `,"recurrence":["RRULE:FREQ=DALY"]}`, []string{`{"findings":[{"rule":"recurrence.rule.part"`}},
		{"expand_series", `{` + day + `}`, []string{`error: there is no recurrence`}},

		{"preview_change", `{"existing":` + meeting + `,"params":{"sendUpdates":"all"},"body":{"attendees":[{"email":"ADA@example.com"}]}}`, []string{`"accepted":true`, `{"path":"/attendees/1","old":{"email":"bob@example.com"`, `"lostGuests":["bob@example.com"]`}},
		{"preview_change", `{"op":"events.update","existing":` + meeting + `,"body":{}}`, []string{`"accepted":false`, `"changes":[],"lostGuests":[]`}},
		{"preview_change", `{"body":{}}`, []string{`error: existing is missing; send the stored event`}},

		{"decide_database_request", `{"method":"GET","url":"/a.json?auth=secret-token"}`, []string{`"principal":"unspecified"`, `"read":"none"`}},
		{"decide_database_request", `{"method":5}`, []string{`error: `}},
	} {
		got := call(t, session, test.tool, test.args)
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s of %.200s is\n\t%.900s\nwithout\n\t%s", test.tool, test.args, got, want)
			}
		}
		if strings.Contains(got, "secret-token") {
			t.Errorf("%s shows a token: %s", test.tool, got)
		}
	}
}

// The tools say of conformance cases what these expect, in a form that their schemas allow.
func TestCases(t *testing.T) {
	session := connect(t)
	byForm := map[string]string{"check": "check_event", "expand": "expand_series", "make": "make_requests", "rtdb": "decide_database_request"}
	count := 0
	for i, c := range all(t) {
		name, ok := byForm[c.Form]
		args := withDialect(t, c.Request)
		if !ok || i%25 != 0 || c.Form == "check" && !strings.Contains(args, `"op":`) {
			continue // check_event has an operation by default
		}
		if c.Form == "expand" && (strings.Contains(args, `"verb":`) || strings.Contains(args, `"gap":`)) {
			continue // verbs are in make_requests, and the gap is in options
		}
		got := call(t, session, name, args)
		hasError := strings.HasPrefix(got, "error: ") || strings.Contains(got, `,"error":"`) // a series may end with an error
		if c.Expect.Error != hasError {
			t.Errorf("%s: the answer is %.300s", c.Name, got)
		}
		if want, ok := c.Expect.Has["accepted"].(bool); ok && !c.Expect.Error && strings.HasPrefix(got, `{"accepted":true`) != want {
			t.Errorf("%s: the answer is %.300s", c.Name, got)
		}
		count++
	}
	if count < 50 {
		t.Errorf("there are %d cases", count)
	}
}

func TestResources(t *testing.T) {
	session := connect(t)
	for uri, want := range map[string]string{
		"calrules://rules": `{"id":"time.order","kind":"reject","basis":"observed"`, "calrules://fields": "| `summary` |",
		"calrules://limits": `{"name":"ReminderMinutes"`, "calrules://operations": `{"id":"events.patch"`,
	} {
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Contents[0].Text; !strings.Contains(text, want) {
			t.Errorf("%s is %.300s", uri, text)
		}
	}
	list, err := session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != len(resources) {
		t.Errorf("the resources are %v: %v", list, err)
	}
}

// The schemas of arguments allow what the tools of the test take; so agents learn from them all that they need.
func TestInputSchemas(t *testing.T) {
	for _, tool := range tools {
		schema := resolved(t, tool.input)
		if err := schema.Validate(map[string]any{}); (err == nil) != !bytes.Contains(tool.input, []byte(`"required"`)) {
			t.Errorf("%s: %v", tool.name, err)
		}
		if !slices.Contains(tool.arguments(), "dialect") {
			t.Errorf("%s has the arguments %s", tool.name, tool.arguments())
		}
	}
}

// Over HTTP, only requests of this machine for this machine are answered.
func TestHTTP(t *testing.T) {
	server := httptest.NewServer(newHandler())
	defer server.Close()
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	for _, test := range []struct {
		name, path, host, origin, body string
		want                           int
	}{
		{"own", "/mcp", "", "", initialize, http.StatusOK},
		{"page of this machine", "/mcp", "", server.URL, initialize, http.StatusOK},
		{"rebound name", "/mcp", "evil.example.com", "", initialize, http.StatusForbidden},
		{"page of another site", "/mcp", "", "https://evil.example.com", initialize, http.StatusForbidden},
		{"too long", "/mcp", "", "", `{"a":"` + strings.Repeat("x", maxMessage) + `"}`, http.StatusRequestEntityTooLarge},
		{"another path", "/", "", "", initialize, http.StatusNotFound},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+test.path, strings.NewReader(test.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = test.host
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if test.origin != "" {
			req.Header.Set("Origin", test.origin)
		}
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != test.want {
			t.Errorf("%s: the status is %d, want %d", test.name, resp.StatusCode, test.want)
		}
	}
}

// output is standard output. It ends the input once something is written, because a server need not answer when its input has ended.
type output struct {
	bytes.Buffer
	in *io.PipeWriter
}

func (o *output) Write(p []byte) (int, error) {
	defer o.in.Close()
	return o.Buffer.Write(p)
}
func (*output) Close() error { return nil }

func TestRun(t *testing.T) {
	for _, test := range []struct {
		args []string
		in   string
		want string // in the output or the error
	}{
		{[]string{"--version"}, "", "calrules-mcp version (unknown)\n"},
		{[]string{"serve"}, "", "unexpected arguments"},
		{[]string{"--http", "0.0.0.0:0"}, "", "is not a loopback address"},
		{[]string{"--http", "nowhere"}, "", "missing port"},
		{nil, `{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n", `"id":1`},
		{nil, `{"a":"` + strings.Repeat("x", maxMessage+1) + "\"}\n", "frame"},
	} {
		in, feed := io.Pipe()
		go io.WriteString(feed, test.in)
		out := output{in: feed}
		err := run(t.Context(), test.args, in, &out, io.Discard)
		in.Close() // ends the writing
		got := out.String()
		if err != nil {
			got += err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%q: %.300q, want %q", test.args, got, test.want)
		}
	}
}

// The server by HTTP ends with its context.
func TestServeEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	log := writerFunc(func(p []byte) { cancel() })
	if err := run(ctx, []string{"--http", "127.0.0.1:0"}, nil, nil, log); err != nil {
		t.Error(err)
	}
}

type writerFunc func(p []byte)

func (f writerFunc) Write(p []byte) (int, error) { f(p); return len(p), nil }

// all returns the conformance cases.
func all(t *testing.T) []cases.Case {
	t.Helper()
	list, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// withDialect returns the request of a case as arguments: without its id, and with the dialect that it has in the batch form.
func withDialect(t *testing.T, request json.RawMessage) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(request, &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "id")
	if members["dialect"] == nil {
		members["dialect"] = json.RawMessage(`"documents"`)
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
