package fuzz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/internal/testing/testdepth"
	"github.com/calrules/calrules/operation"
)

// Whoever follows a suggestion is not refused for another reason. The requests are the bad examples of the rules, the
// conformance cases and requests that are drawn, by default for some of the rules.
func TestSuggestionsLeadOn(t *testing.T) {
	for _, in := range dialects {
		for rule := range event.Catalogue().All() {
			if rule.Kind != "" && strings.Contains(rule.Bad.Example().Request, `"op":`) {
				checkSuggestions(t, readLine(t, rule.Bad.Example().Request, in))
			}
		}
		for i, rule := range fuzz.Rules(in) {
			if i%testdepth.Draws(4, 1) != 0 {
				continue
			}
			broken := fuzz.Violating(in, rule)
			t.Run(fmt.Sprint(in, "/", rule), rapid.MakeCheck(func(t *rapid.T) { checkSuggestions(t, broken.Draw(t, "payload").Event) }))
		}
	}
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		if c.Form == "check" && !c.Expect.Error {
			req := new(batch.Request)
			if err := req.UnmarshalJSON(c.Request); err != nil {
				t.Fatal(c.Name, err)
			}
			checkSuggestions(t, &req.Request)
		}
	}
}

// readLine reads a request from a line in the documents' names, and gives it the dialect.
func readLine(t *testing.T, line string, in diag.Dialect) *event.Request {
	t.Helper()
	req := new(batch.Request)
	if err := req.UnmarshalJSON([]byte(line)); err != nil {
		t.Fatal(line, err)
	}
	return new(req.Request.WithDialect(in))
}

// checkSuggestions follows each suggestion of the findings about a request.
func checkSuggestions(t tb, req *event.Request) {
	t.Helper()
	before := must(event.Find(req))
	for _, f := range before {
		followed := follow(req, f)
		if followed == nil {
			continue
		}
		after := must(event.Find(followed))
		same := func(g diag.Finding) bool { return g.Rule == f.Rule && g.Path == f.Path && g.Kind == f.Kind }
		if slices.ContainsFunc(after, same) {
			t.Errorf("%s stays after the suggestion %q: %s %s -> %s", f, f.Suggestion(), req.Op, req.Body, followed.Body)
		}
		for _, g := range after.OfKind(diag.Reject) {
			was := func(old diag.Finding) bool { return old.Rule == g.Rule && old.Cause == g.Cause && old.Kind == g.Kind }
			isForeseeable := g.Path == f.Path && !g.Rule.AboutAll && !g.Rule.YieldsToValue // it depends on the value alone
			if isForeseeable && !slices.ContainsFunc(before, was) {
				t.Errorf("%s leads to %s: %s %s %v", f, g, req.Op, req.Body, req.Params)
			}
		}
	}
}

// follow returns the request with the suggestion of a finding in its place, or nil if there is none.
func follow(req *event.Request, f diag.Finding) *event.Request {
	suggestion, ok := f.Arg("suggestion")
	if !ok {
		return nil
	}
	if strings.Contains(f.Message(), "unless there is a timeZone") {
		suggestion += "Z"
	}
	with := *req
	if name, isParam := strings.CutPrefix(string(f.Path), "?"); isParam {
		values, to := []string{suggestion}, name
		if f.Rule.ID == ruleid.ParamUnknown {
			values, to = req.Params[name], suggestion
		}
		with.Params = operation.Params{to: values}
		for other, values := range req.Params {
			if other != name {
				with.Params[other] = values
			}
		}
		return &with
	}
	d := json.NewDecoder(bytes.NewReader(req.Body))
	d.UseNumber()
	var body any
	if req.Body == nil || d.Decode(&body) != nil {
		return nil
	}
	parent, last := body, ""
	for token := range f.Path.Tokens() {
		if last != "" {
			parent = childOf(parent, last)
		}
		last = token
	}
	old := childOf(parent, last)
	switch was, isText := old.(string); {
	case old == nil:
		return nil // it is stored
	case f.Rule.ID == ruleid.JSONUnknownField:
		object, _ := parent.(map[string]any)
		if _, hasBoth := object[suggestion]; hasBoth {
			return nil
		}
		delete(object, last)
		object[suggestion] = old
	case f.Rule.ID == ruleid.JSONType:
		setChild(parent, last, json.RawMessage(suggestion))
	case f.Rule.ID == ruleid.RecurrenceDatesZone && isText:
		name, _ := f.Arg("text")
		setChild(parent, last, strings.Replace(was, name, suggestion, 1))
	case f.Rule.ID == ruleid.EventOriginalStartMember:
		member := "dateTime"
		if len(suggestion) == len("2026-03-10") {
			member = "date"
		}
		setChild(parent, last, map[string]any{member: suggestion})
	default:
		setChild(parent, last, suggestion)
	}
	with.Body, _ = json.Marshal(body)
	return &with
}

func childOf(parent any, token string) any {
	switch parent := parent.(type) {
	case map[string]any:
		return parent[token]
	case []any:
		return parent[index(token)]
	}
	return nil
}

func setChild(parent any, token string, value any) {
	switch parent := parent.(type) {
	case map[string]any:
		parent[token] = value
	case []any:
		parent[index(token)] = value
	}
}

// index returns the index that a token of a path is.
func index(token string) (i int) {
	_, _ = fmt.Sscan(token, &i)
	return i
}
