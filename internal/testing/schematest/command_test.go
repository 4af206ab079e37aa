package schematest

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/calrules/calrules/command"
)

// run runs the command in a directory, and returns its standard output and its exit status.
func run(t *testing.T, dir string, args ...string) ([]byte, int) {
	t.Helper()
	t.Chdir(dir)
	var stdout bytes.Buffer
	status := command.Run(args, strings.NewReader(""), &stdout, os.Stderr)
	return stdout.Bytes(), status
}

// sarifSchema returns the schema of SARIF logs.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	compiled, err := c.Compile("testdata/sarif-2.1.0-rtm.5.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// The logs that check writes are SARIF 2.1.0: for the broken examples, in both dialects, for a parameter, with an unreadable
// file, and without findings. The file with two objects is read as lines.
func TestSARIF(t *testing.T) {
	const events = "../../../examples/events"
	clean := filepath.Join(t.TempDir(), "clean event.json")
	if err := os.WriteFile(clean, []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	compiled := sarifSchema(t)
	for _, test := range []struct {
		name   string
		args   []string
		status int
	}{
		{"broken", []string{"broken"}, 1},
		{"google", []string{"--dialect", "google", "broken"}, 1},
		{"parameter", []string{"--param", "sendUpdates=maybe", clean}, 1},
		{"unread", []string{"broken", "missing.json"}, 2},
		{"clean", []string{clean}, 0},
		{"response", []string{"--op", "response", "broken"}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			log, status := run(t, events, append([]string{"check", "--no-config", "--format", "sarif"}, test.args...)...)
			if status != test.status {
				t.Errorf("exit status is %d, want %d", status, test.status)
			}
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(log))
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(value); err != nil {
				t.Error(err)
			}
			results := value.(map[string]any)["runs"].([]any)[0].(map[string]any)["results"].([]any)
			if (len(results) == 0) != (test.name == "clean") {
				t.Errorf("there are %d results", len(results))
			}
		})
	}
}

// The logs about all other inputs are SARIF 2.1.0 too.
func TestSARIFOfInputs(t *testing.T) {
	const (
		entry = `{"request":{"method":"POST","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events",` +
			`"postData":{"text":"{\"start\":{\"date\":\"2026-03-10\"}}"}},"response":{"status":0}}`
		tape = "interactions:\n- request:\n    method: POST\n    url: https://www.googleapis.com/calendar/v3/calendars/primary/events\n" +
			"    body: '{\"start\":{\"date\":\"2026-03-10\"}}'\n"
	)
	compiled := sarifSchema(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"page.json":       `{"items":[` + faulty + `,` + faulty + `]}`,
		"curl.txt":        `curl https://www.googleapis.com/calendar/v3/calendars/primary/events -d '` + faulty + `'`,
		"requests.ndjson": `{"op":"events.insert","params":{"sendUpdates":"All"},"body":` + faulty + "}\nno request\n",
		"events.ndjson":   faulty + "\n",
		"a.har":           `{"log":{"entries":[` + entry + `]}}`,
		"tape.yaml":       tape,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id":"abcde"}`) }))
	defer server.Close()
	t.Chdir(dir)
	check := func(args ...string) func() []byte {
		return func() []byte {
			var log bytes.Buffer
			command.Run(append([]string{args[0], "--no-config", "--format", "sarif"}, args[1:]...), strings.NewReader(faulty), &log, io.Discard)
			return log.Bytes()
		}
	}
	for _, test := range []struct {
		name string
		run  func() []byte
	}{
		{"standard input", check("check", "-")},
		{"page", check("check", "page.json")},
		{"curl", check("check", "curl.txt")},
		{"requests", check("check", "--ndjson", "requests.ndjson")},
		{"events", check("check", "--ndjson", "--op", "insert", "events.ndjson")},
		{"har", check("check", "--har", "a.har")},
		{"cassette", check("check", "--cassette", "tape.yaml")},
		{"aim", check("aim", "-n", "1", "--seed", "1", server.URL)},
		{"proxy", func() []byte { return proxied(t, server.URL) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(test.run()))
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Validate(value); err != nil {
				t.Error(err)
			}
			if results := value.(map[string]any)["runs"].([]any)[0].(map[string]any)["results"].([]any); len(results) == 0 {
				t.Error("there are no results")
			}
		})
	}
}

// faulty is an event with a fault that has a fix.
const faulty = `{"status":"Confirmed","start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`

// proxied returns the log of a proxy through which a broken request has passed.
func proxied(t *testing.T, upstream string) []byte {
	t.Helper()
	read, write := io.Pipe()
	var log bytes.Buffer
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer write.Close()
		command.Run([]string{"proxy", "--no-config", "--format", "sarif", "--listen", "127.0.0.1:0", "--upstream", upstream}, strings.NewReader(""), &log, write)
	}()
	lines := bufio.NewScanner(read)
	address := ""
	for address == "" && lines.Scan() {
		address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	go io.Copy(io.Discard, read)
	answer, err := http.Post("http://"+address+"/calendar/v3/calendars/primary/events", "application/json", strings.NewReader(faulty))
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	<-done
	return log.Bytes()
}

// The schema of SARIF refuses texts that are not logs, so the test above can fail.
func TestSARIFSchemaRefuses(t *testing.T) {
	for _, text := range []string{`{}`, `{"version":"2.1.0","runs":[{"tool":{"driver":{}}}]}`, `{"version":"2.0.0","runs":[]}`} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if sarifSchema(t).Validate(value) == nil {
			t.Errorf("the schema accepts %s", text)
		}
	}
}

// The schema of configuration files and the command accept the same configurations.
func TestConfigSchema(t *testing.T) {
	document, _ := run(t, ".", "schema", "config")
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("config.json", value); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	event := filepath.Join(dir, "event.json")
	if err := os.WriteFile(event, []byte(`{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`), 0o666); err != nil {
		t.Fatal(err)
	}
	for text, valid := range map[string]bool{
		`{}`: true,
		`{"$schema":"x","dialect":"google","profile":"strict","select":["time","basis:rfc","json.null"],"ignore":["conference.entry.","rtdb"],"grade":{}}`: false,
		`{"select":["time.","conference.entry"],"ignore":[],"grade":{"time.order":"off","time.":"advise","basis:observed":"reject"}}`:                      true,
		`{"grade":{"time":"off"}}`:        true,
		`{"grade":{"tim":"off"}}`:         false,
		`{"grade":{"time.order":"warn"}}`: false,
		`{"grade":[]}`:                    false,
		`{"select":"time"}`:               false,
		`{"select":["tim"]}`:              false,
		`{"ignore":["basis:unknown"]}`:    false,
		`{"profile":"default"}`:           true,
		`{"profile":"stirct"}`:            false,
		`{"dialect":"documents"}`:         true,
		`{"dialect":"german"}`:            false,
		`{"selected":[]}`:                 false,
		`[]`:                              false,
	} {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled.Validate(value); (err == nil) != valid {
			t.Errorf("%s: the schema says %v", text, err)
		}
		name := filepath.Join(dir, "config.json")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, status := run(t, dir, "check", "--config", name, event); (status == 0) != valid {
			t.Errorf("%s: the exit status is %d", text, status)
		}
	}
}
