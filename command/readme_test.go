package command

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
	"github.com/calrules/calrules/refusal"
)

// readREADME returns the text of the README.
func readREADME(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shellBlock matches a block of shell commands, and what they print, if the next paragraph is indented.
var shellBlock = regexp.MustCompile("(?m)^```sh\n((?:.*\n)+?)```\n(?:\n((?:    .+\n)+))?")

// TestREADME runs the commands of calrules in the README, and compares what they print with the text.
func TestREADME(t *testing.T) {
	for _, program := range []string{"bash", "jq"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	folder := readmeFolder(t)
	ran := 0
	for _, block := range shellBlock.FindAllStringSubmatch(readREADME(t), -1) {
		for line := range strings.Lines(block[1]) {
			if line = shellLine(line); line == "" {
				continue
			}
			ran++
			command := exec.Command("bash", "-o", "pipefail", "-c", line)
			command.Dir = folder
			out, err := command.Output()
			if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == exitFound {
				err = nil
			}
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			want := strings.ReplaceAll(strings.TrimPrefix(block[2], "    "), "\n    ", "\n")
			if want != "" && !matches(want, string(out)) {
				t.Errorf("%s prints other text (-want +got):\n%s", line, cmp.Diff(want, string(out)))
			}
		}
	}
	if ran < 5 {
		t.Errorf("the README has %d commands, want at least 5", ran)
	}
}

// readmeFolder returns a folder with the files that the commands of the README read.
func readmeFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(filepath.Join(folder, "examples", "events"), os.DirFS("../examples/events")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "event.json"), []byte(pictured), 0o666); err != nil {
		t.Fatal(err)
	}
	return folder
}

// shellLine returns a line of the README as the test runs it: with the command of this package, and only the help of
// a command that runs until it is stopped. It returns "" for a line of another program.
func shellLine(line string) string {
	line = strings.TrimSpace(line)
	if _, args, ok := strings.Cut(line, " ./cmd/calrules "); ok {
		line = "calrules " + args
	}
	switch {
	case strings.HasPrefix(line, "calrules proxy "):
		return line + " --help"
	case strings.Contains(line, "calrules "):
		return line
	default:
		return ""
	}
}

// matches reports whether a text is as wanted, where "..." stands for any text.
func matches(want, got string) bool {
	pattern := strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, ".*")
	return regexp.MustCompile("^" + pattern + "$").MatchString(got)
}

// The configuration in the README makes rules stricter: it accepts nothing that the service rejects.
func TestREADMEConfiguration(t *testing.T) {
	_, block, _ := strings.Cut(readREADME(t), "```toml\n")
	block, _, _ = strings.Cut(block, "```\n")
	name := filepath.Join(t.TempDir(), configTOML)
	if err := os.WriteFile(name, []byte(block), 0o666); err != nil {
		t.Fatal(err)
	}
	known := new(event.Checker).Catalogue()
	read, err := readConfig(name, known)
	if err != nil {
		t.Fatal(err)
	}
	if accepted := read.accepts(known); accepted != "" || len(read.grade) == 0 {
		t.Errorf("it has %d grades; %s", len(read.grade), accepted)
	}
}

// goText matches a raw string in Go that is a JSON object.
var goText = regexp.MustCompile("(?s)`(\\{.*?\\})`")

// The stored events in the README are as the service returns them.
func TestREADMEStored(t *testing.T) {
	stored := 0
	for _, found := range goText.FindAllStringSubmatch(readREADME(t), -1) {
		var members map[string]json.RawMessage
		if err := json.Unmarshal([]byte(found[1]), &members); err != nil {
			t.Errorf("%v:\n%s", err, found[1])
		}
		if members["id"] == nil {
			continue
		}
		stored++
		result, err := event.Check(&event.Request{Op: operation.Response, Dialect: diag.Google, Body: []byte(found[1])})
		if err != nil || !result.Accepted {
			t.Errorf("%v, %v:\n%s", err, result.Err(), found[1])
		}
	}
	if stored == 0 {
		t.Error("the README has no stored event")
	}
}

// The two sentences about an event that ends before it starts are those of the service and of the library.
func TestREADMESentences(t *testing.T) {
	result, err := event.Check(&event.Request{
		Op: operation.EventsInsert, Dialect: diag.Google, Body: []byte(`{"start": {"date": "2026-03-10"}, "end": {"date": "2026-03-09"}}`),
	})
	if err != nil || len(result.Findings) != 1 {
		t.Fatalf("%v, %v", err, result.Findings)
	}
	found := result.Findings[0]
	rows := "| the service | " + refusal.Recorded(found).Message + " |\n| calrules | " + string(found.Path) + ": " + found.Message() + " |\n"
	if !strings.Contains(readREADME(t), rows) {
		t.Errorf("the README does not have\n%s", rows)
	}
}

// The README says how many events the collection has.
func TestREADMECollection(t *testing.T) {
	readme := strings.Join(strings.Fields(readREADME(t)), " ")
	sentence := regexp.MustCompile(`contains (\d+) events with plausible mistakes and their findings, (\d+) events without mistakes, and (\d+) events as`).FindStringSubmatch(readme)
	if sentence == nil {
		t.Fatal("the sentence about the collection is gone")
	}
	for i, folder := range []string{"broken", "valid", "stored"} {
		files, err := filepath.Glob(filepath.Join("../examples/events", folder, "*.json"))
		if err != nil || sentence[i+1] != strconv.Itoa(len(files)) {
			t.Errorf("the README says that %s has %s events; it has %d", folder, sentence[i+1], len(files))
		}
	}
}
