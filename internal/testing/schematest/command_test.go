package schematest

import (
	"bytes"
	"os"
	"path/filepath"
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
