package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/calrules/calrules/command"
	"github.com/calrules/calrules/emulator/emulator"
	"github.com/calrules/calrules/emulator/store/sqlite"
	"github.com/calrules/calrules/internal/testing/testdepth"
)

// The test binary is the emulator if this variable is set, or the command calrules if that is its value.
const asCommand = "EMULATOR_TEST_COMMAND"

// prepare is called in the process of the emulator.
var prepare = func() {}

func TestMain(m *testing.M) {
	switch os.Getenv(asCommand) {
	case "":
		os.Exit(m.Run())
	case "calrules":
		os.Exit(command.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	default:
		prepare()
		main()
	}
}

// start starts the emulator as a process and returns its base URL.
func start(t *testing.T, args ...string) (cmd *exec.Cmd, base string) {
	t.Helper()
	return begin(t, emulate(t, args...))
}

// emulate returns a command that runs the emulator at a free port.
func emulate(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return exec.Command(self(t), append([]string{"--addr", "127.0.0.1:0"}, args...)...)
}

// self returns the path of the test binary.
func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// begin starts a command that is the emulator.
func begin(t *testing.T, cmd *exec.Cmd) (_ *exec.Cmd, base string) {
	t.Helper()
	line, err := launch(t, cmd).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, strings.TrimSpace(line)
}

// launch starts a command that is the emulator, and returns its output.
func launch(t *testing.T, cmd *exec.Cmd) *bufio.Reader {
	t.Helper()
	cmd.Stderr = os.Stderr
	return launchAs(t, "emulator", cmd, cmd.StdoutPipe)
}

// launchAs starts a command that is the test binary with a value of [asCommand], and returns what the command writes to a pipe.
func launchAs(t *testing.T, role string, cmd *exec.Cmd, pipe func() (io.ReadCloser, error)) *bufio.Reader {
	t.Helper()
	cmd.Env = append(os.Environ(), asCommand+"="+role)
	out, err := pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return bufio.NewReader(out)
}

// insert inserts an event and reports whether that was acknowledged.
func insert(base, id string) bool {
	body := fmt.Sprintf(`{"id":%q,"summary":%q,"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`, id, "Event "+id)
	resp, err := http.Post(base+"calendars/primary/events", "application/json", strings.NewReader(body))
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.ReadAll(resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK
}

// events returns the summaries of all events by id.
func events(t *testing.T, base string) map[string]string {
	t.Helper()
	resp, err := http.Get(base + "calendars/primary/events?maxResults=2500")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var list struct {
		Items []struct{ ID, Summary string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, i := range list.Items {
		all[i.ID] = i.Summary
	}
	return all
}

// TestKill kills the process in the middle of its work, again and again: acknowledged changes remain.
func TestKill(t *testing.T) {
	data := filepath.Join(t.TempDir(), "calendars.db")
	acknowledged := map[string]bool{}
	for round := range testdepth.Draws(3, 20) {
		cmd, base := start(t, "--data", data)
		var mu sync.Mutex
		var wg sync.WaitGroup
		enough := make(chan struct{})
		count := 0
		for w := range 4 {
			wg.Go(func() {
				for i := 0; ; i++ {
					id := fmt.Sprintf("event%02d%02d%05d", round, w, i)
					if !insert(base, id) {
						return
					}
					mu.Lock()
					acknowledged[id] = true
					if count++; count == 40 {
						close(enough)
					}
					mu.Unlock()
				}
			})
		}
		<-enough
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		cmd.Wait() // it was killed
	}
	_, base := start(t, "--data", data)
	got := events(t, base)
	for id := range acknowledged {
		if got[id] != "Event "+id {
			t.Errorf("%s is lost", id)
		}
	}
	if !insert(base, "event99") {
		t.Error("nothing can be inserted afterwards")
	}
}

// The command ends on request, and has then stored everything.
func TestShutdown(t *testing.T) {
	data := filepath.Join(t.TempDir(), "calendars.db")
	cmd, base := start(t, "--data", data)
	if !insert(base, "event1") {
		t.Fatal("nothing can be inserted")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	_, base = start(t, "--data", data)
	if got := events(t, base); got["event1"] == "" {
		t.Errorf("the events are %v", got)
	}
}

// A second process on the same file ends, and says why.
func TestFileInUse(t *testing.T) {
	data := filepath.Join(t.TempDir(), "calendars.db")
	_, base := start(t, "--data", data)
	err := run(t.Context(), []string{"--addr", "127.0.0.1:0", "--data", data}, io.Discard)
	if !errors.Is(err, sqlite.ErrInUse) || !strings.Contains(err.Error(), data) {
		t.Errorf("the error is %v", err)
	}
	if !insert(base, "event1") {
		t.Error("the first process cannot insert")
	}
}

func TestFlags(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"--nosuchflag"}, {"argument"}, {"--tokens", filepath.Join(dir, "missing")}, {"--tokens", dir}, {"--data", dir}, {"--database-tokens", dir}, {"--rules", dir},
		{"--addr", "nowhere:-1"}, {"--time-zone", "Mars/Olympus"}, {"--user", ""},
	} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}

// A file that could be read in two ways is refused, and so is a token that is for nobody. The errors contain no token.
func TestHostileFiles(t *testing.T) {
	long := strings.Repeat(" ", maxFile)
	for _, test := range []struct{ flag, text, want string }{
		{"--tokens", "", "is not JSON"},
		{"--tokens", `null`, "must be a JSON object"},
		{"--tokens", `[]`, "must be a JSON object"},
		{"--tokens", `{"SECRET":{"email":"ada@example.com"}} {}`, "is not JSON"},
		{"--tokens", `{"SECRET":{"email":"ada@example.com"},"SECRET":{"email":"bob@example.com"}}`, "repeats a member name"},
		{"--tokens", `{"SECRET":{"email":"ada@example.com","email":"bob@example.com"}}`, "email appears twice"},
		{"--tokens", `{"SECRET":{"Email":"ada@example.com"}}`, "email"},
		{"--tokens", `{"SECRET":{"email":""}}`, "a token has no email"},
		{"--tokens", `{"SECRET":{}}`, "a token has no email"},
		{"--tokens", `{"SECRET":[]}`, "must be an object"},
		{"--tokens", `{"SECRET":{"email":"ada@example.com","scopes":[null]}}`, "scopes"},
		{"--tokens", "{\"SECRET\":{\"email\":\"ada\xff@example.com\"}}", "not valid UTF-8"},
		{"--tokens", `{"":{"email":"ada@example.com"}}`, "a token is empty"},
		{"--tokens", `{"SECRET":` + strings.Repeat(`{"email":`, 1_000_000), "is not JSON"},
		{"--tokens", long + `{}`, "is longer than 16 MiB"},
		{"--database-tokens", `[]`, "must be a JSON object"},
		{"--database-tokens", `{"SECRET":{}}`, "a token is for a user"},
		{"--database-tokens", `{"SECRET":{"uid":"ada","serviceAccount":true}}`, "a token is for a user"},
		{"--database-tokens", `{"SECRET":{"email":"ada@example.com"}}`, "email"},
		{"--database-tokens", long + `{}`, "is longer than 16 MiB"},
		{"--rules", `[]`, "must be a JSON object"},
		{"--rules", long + `{"rules":{}}`, "is longer than 16 MiB"},
	} {
		file := filepath.Join(t.TempDir(), "file.json")
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := run(t.Context(), []string{"--addr", "127.0.0.1:0", test.flag, file}, io.Discard)
		if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%s with %.80s: %.400v, want %s", test.flag, test.text, err, test.want)
		}
	}
}

// Requests need the tokens in the file.
func TestTokensFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens.json")
	if err := os.WriteFile(file, []byte(`{"secret":{"email":"ada@example.com"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	_, base := start(t, "--tokens", file, "--problems")
	for query, want := range map[string]int{"": 401, "?access_token=secret": 200} {
		resp, err := http.Get(base + "calendars/primary" + query)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%q: %s", query, resp.Status)
		}
	}
}

// The realtime database has the tokens and the rules of its files, and the calendar service still answers.
func TestDatabase(t *testing.T) {
	write := func(name, text string) string {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	tokens := write("tokens.json", `{"ada":{"uid":"ada"},"robot":{"serviceAccount":true}}`)
	_, base := start(t, "--database-tokens", tokens, "--rules", write("rules.json", `{"rules":{".read":true,"own":{".write":"auth != null"}}}`))
	root := strings.TrimSuffix(base, "/calendar/v3/")
	for _, step := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{"PUT", "/a/b.json?access_token=robot", `{"c":1}`, 200, `{"c":1}`},
		{"GET", "/a.json?auth=ada", "", 200, `{"b":{"c":1}}`},
		{"GET", "/a/b/c.json", "", 200, `1`},
		{"PUT", "/a.json?auth=ada", "2", 401, ""},
		{"GET", "/a.json?auth=mallory", "", 401, ""},
		{"GET", "/calendar/v3/colors", "", 200, ""},
		{"PUT", "/a.json?access_token=owner", "3", 200, "3"},
		{"PUT", "/own/x.json?auth=ada", "2", 200, "2"},
		{"PUT", "/calendar/v3/x.json?access_token=robot", "1", 404, ""},
		{"GET", "/a", "", 404, ""},
	} {
		r, err := http.NewRequest(step.method, root+step.path, strings.NewReader(step.body))
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != step.status || step.want != "" && string(text) != step.want {
			t.Errorf("%s %s: %v %s %s, want %d %s", step.method, step.path, err, resp.Status, text, step.status, step.want)
		}
	}
}

// A slow client cannot keep a connection forever. A delay that the client asked for does not count as slow.
func TestTimeouts(t *testing.T) {
	ended := make(chan error, 1)
	service := emulator.New()
	server := newServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/endless" {
			service.ServeHTTP(w, r)
			return
		}
		for block := make([]byte, 1<<20); ; {
			if _, err := w.Write(block); err != nil {
				ended <- err
				return
			}
		}
	}))
	if server.ReadHeaderTimeout <= 0 || server.ReadTimeout <= 0 || server.WriteTimeout <= 0 || server.IdleTimeout <= 0 {
		t.Errorf("a timeout is missing: %+v", server)
	}
	server.WriteTimeout = time.Second
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go server.Serve(listener) // until it is closed
	defer server.Close()
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /endless HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err == nil {
		t.Error("there is no error")
	}
	r, err := http.NewRequest("GET", "http://"+listener.Addr().String()+"/calendar/v3/colors", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Emulator-Fault", "latency=1100ms")
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Errorf("the status is %s", resp.Status)
	}
}

// The README has all flags of the command, and commands that exist.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, flag := range []string{"--addr", "--data", "--tokens", "--user", "--time-zone", "--documents", "--tls", "--tls-key", "--problems", "--seed", "--database-tokens", "--rules"} {
		if !bytes.Contains(text, []byte(flag)) {
			t.Errorf("the README lacks %s", flag)
		}
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "go -C emulator ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	for _, want := range []string{"go -C emulator run . --addr 127.0.0.1:8085", "go -C emulator run ./clients/go --url http://127.0.0.1:8085/calendar/v3/"} {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, want) }) {
			t.Errorf("the README lacks the command %q", want)
		}
	}
}
