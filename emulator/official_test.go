package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// officialDocument is the discovery document that is part of the official Go client.
type officialDocument []officialMethod

// officialMethod is an operation: how to know its requests, which may have a slash at the end, and what it answers.
type officialMethod struct {
	id, method string
	path       *regexp.Regexp
	answer     *jsonschema.Schema // nil for an empty answer
}

func readOfficial(t *testing.T) officialDocument {
	t.Helper()
	dir, err := exec.Command("go", "list", "-f", "{{.Dir}}", "google.golang.org/api/calendar/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "calendar-api.json"))
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		ServicePath string
		Schemas     map[string]any
		Resources   map[string]struct {
			Methods map[string]struct {
				ID, Path, HTTPMethod string
				Response             struct {
					Ref string `json:"$ref"`
				}
			}
		}
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("calendar.json", strict(map[string]any{"schemas": document.Schemas})); err != nil {
		t.Fatal(err)
	}
	var all officialDocument
	for _, r := range document.Resources {
		for _, m := range r.Methods {
			pattern := regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(document.ServicePath+m.Path), "[^/]+")
			method := officialMethod{id: strings.TrimPrefix(m.ID, "calendar."), method: m.HTTPMethod, path: regexp.MustCompile("^/" + pattern + "/?$")}
			if m.Response.Ref != "" {
				if method.answer, err = compiler.Compile("calendar.json#/schemas/" + m.Response.Ref); err != nil {
					t.Fatal(err)
				}
			}
			all = append(all, method)
		}
	}
	return all
}

// strict turns the schemas of a discovery document into JSON Schema: references are pointers, and objects have no members
// but those that are described.
func strict(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if ref, ok := v["$ref"].(string); ok {
			return map[string]any{"$ref": "#/schemas/" + ref}
		}
		out := map[string]any{}
		for name, member := range v {
			out[name] = strict(member)
		}
		if v["type"] == "any" {
			delete(out, "type")
		}
		if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
			out["additionalProperties"] = false
		}
		return out
	default:
		return v
	}
}

// operation returns the operation of a request, or nil.
func (d officialDocument) operation(x *exchange) *officialMethod {
	for i := range d {
		if d[i].method == x.method && d[i].path.MatchString(x.path()) {
			return &d[i]
		}
	}
	return nil
}

// check checks the answers, and returns the sorted names of the operations that were called, and of what was called beside them.
func (d officialDocument) check(t *testing.T, log []*exchange) []string {
	t.Helper()
	called := map[string]bool{}
	for _, x := range log {
		if x.method == http.MethodOptions {
			continue // a browser asks whether a page may send another request
		}
		op := d.operation(x)
		if op == nil {
			name, known := beside[strings.Split(x.path(), "/")[1]]
			if !known {
				t.Errorf("%s %s is no operation", x.method, x.target)
			}
			called[name] = true
			continue
		}
		text, err := x.text()
		if err == nil && x.status >= 300 {
			err = validRefusal(text, x.status)
		} else if err == nil {
			called[op.id] = true
			err = op.valid(text)
		}
		if err != nil {
			t.Errorf("%s %s: %v\n%s", x.method, x.target, err, text)
		}
	}
	delete(called, "")
	return slices.Sorted(maps.Keys(called))
}

// beside are the names of requests that are no operations, by the beginning of their paths.
var beside = map[string]string{
	"batch": "batch", "discovery": "discovery", "emulator": "", // the session prepares the emulator
	"": "token", "token": "token", "o": "token", "oauth2": "token", "computeMetadata": "token",
}

// validRefusal checks the body of a refusal, which the discovery document does not describe.
func validRefusal(text []byte, status int) error {
	if status == http.StatusNotModified && len(text) == 0 {
		return nil
	}
	var refusal struct {
		Error struct {
			Code    int
			Message string
			Errors  []struct{ Domain, Reason, Message string }
		}
	}
	if err := json.Unmarshal(text, &refusal); err != nil {
		return err
	}
	if e := refusal.Error; e.Code != status || e.Message == "" || len(e.Errors) == 0 || e.Errors[0].Domain == "" || e.Errors[0].Reason == "" {
		return fmt.Errorf("the refusal with the status %d is incomplete", status)
	}
	return nil
}

// valid checks the body of an answer.
func (m *officialMethod) valid(text []byte) error {
	if m.answer == nil {
		if len(text) > 0 {
			return fmt.Errorf("%s answers with a body, the official document with none", m.id)
		}
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return m.answer.Validate(v)
}

// The answers of TestClients are checked against schemas that refuse what is wrong.
func TestOfficialDocument(t *testing.T) {
	official := readOfficial(t)
	if len(official) != 38 {
		t.Errorf("there are %d operations, not 38", len(official))
	}
	for _, c := range []struct {
		method, path, id, body string
		ok                     bool
	}{
		{"GET", "/calendar/v3/calendars/primary/events", "events.list", `{"kind":"calendar#events","items":[{"start":{"date":"2026-03-10"}}]}`, true},
		{"GET", "/calendar/v3/calendars/primary/events", "events.list", `{"items":[{"start":{"dateTime":"9 o'clock"}}]}`, false},
		{"GET", "/calendar/v3/calendars/primary/events", "events.list", `{"items":[{"start":{"data":"2026-03-10"}}]}`, false},
		{"PATCH", "/calendar/v3/calendars/a%40example.com/events/b", "events.patch", `{"sequence":"1"}`, false},
		{"GET", "/calendar/v3/calendars/primary/events/b/instances", "events.instances", `{"items":{}}`, false},
		{"POST", "/calendar/v3/calendars/", "calendars.insert", `{"timeZone":5}`, false},
		{"DELETE", "/calendar/v3/calendars/primary/events/b", "events.delete", ``, true},
		{"DELETE", "/calendar/v3/calendars/primary/events/b", "events.delete", `{}`, false},
	} {
		op := official.operation(&exchange{method: c.method, target: c.path})
		if op == nil || op.id != c.id {
			t.Errorf("%s %s is %+v, want %s", c.method, c.path, op, c.id)
			continue
		}
		if err := op.valid([]byte(c.body)); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.id, c.body, err)
		}
	}
	if op := official.operation(&exchange{method: "POST", target: "/token"}); op != nil {
		t.Errorf("a request for a token is %s", op.id)
	}
}
