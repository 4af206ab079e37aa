//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/calrules/calrules/emulator/emulator"
)

// allClients makes a test fail that lacks a program.
const allClients = "CALRULES_TEST_CLIENTS"

// clients are programs that nobody wrote for the emulator, and those that call the official clients. Each is a line
// for sh, which finds the address of the emulator in ADDR and its environment as the recipes of the README set it.
var clients = []struct{ name, needs, run string }{
	{"gcalcli 4.3.0", "gcalcli --version | grep -F 4.3.0", "sh clients/gcalcli/session.sh"},
	{"google-calendar-mcp 2.6.3", "test -d clients/npm/node_modules/@cocal", "node clients/npm/mcp.js"},
	{"gcal 1.0.3", "test -d clients/npm/node_modules/gcal", "sh clients/npm/gcal.sh"},
	{"official client for Go", "command -v go-recipe && command -v go-client", "go-recipe && go-client --url http://$ADDR/calendar/v3/"},
	{"official client for Node", "test -d clients/node/node_modules", "node clients/node/client.js http://$ADDR/"},
	{"official client for Python", "python3 -c 'import googleapiclient'", "python3 clients/python/client.py http://$ADDR/"},
}

// TestClients runs programs that were written for the public service. Every answer that they get is as the discovery
// document of the official Go client describes it, and the table of the README says which operations they call.
func TestClients(t *testing.T) {
	official := readOfficial(t)
	table := readTable(t)
	for _, c := range clients {
		t.Run(c.name, func(t *testing.T) {
			if out, err := exec.Command("sh", "-c", c.needs).CombinedOutput(); err != nil {
				if os.Getenv(allClients) != "" {
					t.Fatalf("%s: %v\n%s", c.needs, err, out)
				}
				t.Skip("the program is not there: .ci/clients installs or builds it")
			}
			log := &exchanges{}
			addr, certificate := serveRecorded(t, log)
			command := exec.Command("sh", "-c", "unset NO_PROXY no_proxy GOOGLE_APPLICATION_CREDENTIALS; "+c.run)
			command.Env = append(os.Environ(), "HOME="+t.TempDir(), "ADDR="+addr, "TZ=UTC",
				"HTTPS_PROXY=http://"+addr, "GCE_METADATA_HOST="+addr, "SSL_CERT_FILE="+certificate, "NODE_EXTRA_CA_CERTS="+certificate,
				"HTTPLIB2_CA_CERTS="+certificate, "REQUESTS_CA_BUNDLE="+certificate)
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", c.run, err, out)
			}
			called := official.check(t, log.all())
			if diff := cmp.Diff(table[c.name], official.describe(called)); diff != "" {
				t.Errorf("the operations in the table of the README (-table +called):\n%s", diff)
			}
		})
	}
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
		{"DELETE", "/calendar/v3/calendars/primary/events/b", "events.delete", ``, true},
		{"DELETE", "/calendar/v3/calendars/primary/events/b", "events.delete", `{}`, false},
	} {
		op := official.operation(&exchange{method: c.method, path: c.path})
		if op == nil || op.id != c.id {
			t.Errorf("%s %s is %+v, want %s", c.method, c.path, op, c.id)
			continue
		}
		if err := op.valid([]byte(c.body)); (err == nil) != c.ok {
			t.Errorf("%s %s: %v", c.id, c.body, err)
		}
	}
	if op := official.operation(&exchange{method: "POST", path: "/token"}); op != nil {
		t.Errorf("a request for a token is %s", op.id)
	}
}

// serveRecorded serves as emulator --tls does, and records what passes. It returns its address and the file with its
// certificate.
func serveRecorded(t *testing.T, log *exchanges) (addr, certificate string) {
	t.Helper()
	hosts := public{certificate: filepath.Join(t.TempDir(), "calrules.pem")}
	authority, err := hosts.open("")
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	handler := emulator.New(emulator.WithOAuth())
	server := newServer(log.record(handler))
	ended := make(chan error, 1)
	go func() { ended <- serveAs(authority, server, listener) }()
	t.Cleanup(func() {
		server.Close()
		<-ended
		handler.Close()
	})
	return listener.Addr().String(), hosts.certificate
}

// exchange is a request and its answer.
type exchange struct {
	method, path string
	status       int
	encoding     string
	body         bytes.Buffer
}

// exchanges records what passes.
type exchanges struct {
	mu  sync.Mutex
	log []*exchange
}

func (e *exchanges) all() []*exchange {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.log)
}

// record returns a handler that records each exchange with another.
func (e *exchanges) record(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := &exchange{method: r.Method, path: r.URL.EscapedPath(), status: http.StatusOK}
		next.ServeHTTP(&recorder{w, x}, r)
		x.encoding = w.Header().Get("Content-Encoding")
		e.mu.Lock()
		defer e.mu.Unlock()
		e.log = append(e.log, x)
	})
}

// recorder writes an answer twice: to the client and to an exchange.
type recorder struct {
	http.ResponseWriter
	x *exchange
}

func (r *recorder) WriteHeader(status int) {
	r.x.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(text []byte) (int, error) {
	r.x.body.Write(text)
	return r.ResponseWriter.Write(text)
}

// text returns the body of the answer as the client reads it.
func (x *exchange) text() ([]byte, error) {
	if x.encoding != "gzip" {
		return x.body.Bytes(), nil
	}
	in, err := gzip.NewReader(&x.body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(in)
}

// officialDocument is the discovery document that is part of the official Go client.
type officialDocument []officialMethod

// officialMethod is an operation: how to know its requests, and what it answers.
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
			method := officialMethod{id: strings.TrimPrefix(m.ID, "calendar."), method: m.HTTPMethod, path: regexp.MustCompile("^/" + pattern + "$")}
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
		if d[i].method == x.method && d[i].path.MatchString(x.path) {
			return &d[i]
		}
	}
	return nil
}

// check checks the answers and returns the operations that were called, in order of their names.
func (d officialDocument) check(t *testing.T, log []*exchange) []string {
	t.Helper()
	called := map[string]bool{}
	for _, x := range log {
		op := d.operation(x)
		if op == nil || x.status >= 300 {
			continue // a token, a page, a batch, or a refusal
		}
		called[op.id] = true
		text, err := x.text()
		if err != nil {
			t.Errorf("%s: %v", op.id, err)
			continue
		}
		if err := op.valid(text); err != nil {
			t.Errorf("%s %s: %v\n%s", x.method, x.path, err, text)
		}
	}
	return slices.Sorted(maps.Keys(called))
}

// describe describes operations as a row of the table does.
func (d officialDocument) describe(called []string) string {
	if len(called) == len(d) {
		return fmt.Sprintf("all %d", len(d))
	}
	return strings.Join(called, ", ")
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

// readTable returns the operations of each program in the table of the README.
func readTable(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	table := map[string]string{}
	_, rows, _ := strings.Cut(string(text), "| program | from | operations |\n")
	for line := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(line, "|\n"), "|")
		if len(cells) != 3 {
			break
		}
		table[strings.TrimSpace(cells[0])] = strings.TrimSpace(cells[2])
	}
	return table
}
