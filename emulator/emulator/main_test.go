package emulator_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// The test binary is the command calrules if this variable is set.
const asCommand = "CALRULES_TEST_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testdepth.Main(m, 50)
}

// calrules returns the command with arguments.
func calrules(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asCommand+"=1")
	return c
}

// draws returns how many values a test draws: few in short tests, some by default, and many if the environment asks for
// all draws.
func draws(few, some, many int) int {
	if testing.Short() && !testdepth.Full() {
		return few
	}
	return testdepth.Draws(some, many)
}

// noon is the time of the tests.
var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

const (
	google    = "/calendar/v3"
	documents = "/v3"
	me        = "user@example.com"
	hour      = `"start":{"dateTime":"2026-03-11T09:00:00Z"},"end":{"dateTime":"2026-03-11T10:00:00Z"}`
)

// client sends requests to an emulator, in the names of the public service.
type client struct {
	t      testing.TB
	http   *http.Client
	url    string
	header http.Header // of all requests
}

func newClient(t testing.TB, opts ...emulator.Option) *client {
	t.Helper()
	handler := emulator.New(append([]emulator.Option{emulator.WithClock(clock)}, opts...)...)
	return newClientOf(t, handler)
}

// newClientOf returns a client of a handler, over HTTP.
func newClientOf(t testing.TB, handler http.Handler) *client {
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return &client{t: t, http: server.Client(), url: server.URL, header: http.Header{}}
}

// newDirect returns a client that calls the handler, which is cheaper than HTTP.
func newDirect(t testing.TB, handler http.Handler) *client {
	return &client{t: t, http: &http.Client{Transport: direct{handler}}, url: "http://emulator.example", header: http.Header{}}
}

type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

// answer is what the emulator answered.
type answer struct {
	Status int
	Header http.Header
	Text   string
}

// send sends a request. The header fields are "name: value".
func (c *client) send(method, path, body string, header ...string) answer {
	c.t.Helper()
	if !slices.ContainsFunc([]string{google, documents, "/emulator", "/batch", "/discovery"}, func(base string) bool { return strings.HasPrefix(path, base+"/") || path == base }) {
		path = google + path
	}
	r, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.Header = c.header.Clone()
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, field := range header {
		name, value, _ := strings.Cut(field, ": ")
		r.Header.Set(name, value)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(text)}
}

// do sends a request as send does, and reads an answer that must have the status.
func (c *client) do(status int, method, path, body string, header ...string) object {
	c.t.Helper()
	a := c.send(method, path, body, header...)
	if a.Status != status {
		c.t.Fatalf("%s %s: status %d, want %d\n%s", method, path, a.Status, status, a.Text)
	}
	if a.Text == "" {
		return nil
	}
	var o object
	if err := json.NewDecoder(bytes.NewReader([]byte(a.Text))).Decode(&o); err != nil {
		c.t.Fatalf("%s %s: %v in %s", method, path, err, a.Text)
	}
	return o
}

// object is a JSON object.
type object map[string]any

func (o object) text(name string) string { s, _ := o[name].(string); return s }

func (o object) items() (list []object) {
	items, _ := o["items"].([]any)
	for _, i := range items {
		list = append(list, i.(map[string]any))
	}
	return list
}

// of returns a member of every item.
func (o object) of(name string) []string {
	list := []string{}
	for _, i := range o.items() {
		list = append(list, i.text(name))
	}
	return list
}

// reason returns the reason of an error.
func (o object) reason() string {
	e, _ := o["error"].(map[string]any)
	list, _ := e["errors"].([]any)
	if len(list) == 0 {
		return ""
	}
	return object(list[0].(map[string]any)).text("reason")
}
