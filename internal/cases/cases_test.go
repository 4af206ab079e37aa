package cases_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/internal/filter"
	"github.com/calrules/calrules/internal/reference"
)

// read returns all cases.
func read(t *testing.T) []cases.Case {
	t.Helper()
	all, err := cases.All()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCases answers every case as the command does.
func TestCases(t *testing.T) {
	for _, c := range read(t) {
		t.Run(c.Name, func(t *testing.T) {
			f, err := filter.Named(c.Form)
			if err != nil {
				t.Fatal(err)
			}
			answer := f.Handle(c.Request, nil)
			for _, difference := range c.Differences(answer) {
				t.Error(difference)
			}
			if t.Failed() {
				t.Logf("%s.ndjson: %s", c.Group, c.Request)
			}
		})
	}
}

// TestQuietSession checks that the recorded session of an ordinary client of the public service, which every rule sees, is
// expected to have no finding.
func TestQuietSession(t *testing.T) {
	requests := 0
	for _, c := range read(t) {
		if strings.HasPrefix(c.Name, "quiet session/") {
			requests++
			if len(c.Expect.Findings) > 0 {
				t.Errorf("%s: findings are expected: %v", c.Name, c.Expect.Findings)
			}
		}
	}
	const recorded = 18
	if requests < recorded {
		t.Errorf("the session has %d requests; there were %d once", requests, recorded)
	}
}

// TestNames checks that every name is there once, and begins with a rule or a word for the topic. A case about a rule is
// in the file of the first word of its id.
func TestNames(t *testing.T) {
	seen := map[string]string{}
	for _, c := range read(t) {
		if group, ok := seen[c.Name]; ok {
			t.Errorf("%s.ndjson: %s is a case of %s.ndjson, too", c.Group, c.Name, group)
		}
		seen[c.Name] = c.Group
		about, what, ok := strings.Cut(c.Name, "/")
		if !ok || what == "" || strings.Contains(about, ".") && reference.Catalogue().Lookup(about) == nil {
			t.Errorf("%s.ndjson: the name %q does not begin with a rule or a topic and a slash", c.Group, c.Name)
		}
		if rule := reference.Catalogue().Lookup(about); rule != nil && c.Group != strings.ReplaceAll(reference.Group(rule), "-", "_") {
			t.Errorf("%s.ndjson: %s is about a rule of another file", c.Group, c.Name)
		}
	}
}

// TestRepeats checks that no request is there twice, neither in another case nor as an example of a rule.
func TestRepeats(t *testing.T) {
	seen := map[string]string{}
	for r := range reference.Catalogue().All() {
		seen[sorted(t, []byte(r.Good.Example().Request))] = "the good example of " + r.ID
		seen[sorted(t, []byte(r.Bad.Example().Request))] = "the bad example of " + r.ID
	}
	for _, c := range read(t) {
		request := sorted(t, c.Request)
		if other, ok := seen[request]; ok {
			t.Errorf("%s.ndjson: %s repeats %s", c.Group, c.Name, other)
		}
		seen[request] = c.Name
	}
}

// sorted returns JSON with the members of objects in the order of their names.
func sorted(t *testing.T, text []byte) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestParsers checks that a line means the same to every JSON parser: no name is there twice, and no number needs
// more digits than a float64 has, or has another text than its shortest.
func TestParsers(t *testing.T) {
	for group, line := range cases.Lines() {
		if !jsontext.Value(line).IsValid() {
			t.Errorf("%s.ndjson: a name is there twice, or the text is not valid: %s", group, line)
		}
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		for token, err := d.Token(); !errors.Is(err, io.EOF); token, err = d.Token() {
			if err != nil {
				t.Fatalf("%s.ndjson: %v: %s", group, err, line)
			}
			number, ok := token.(json.Number)
			if !ok {
				continue
			}
			f, err := number.Float64()
			if err != nil || strconv.FormatFloat(f, 'f', -1, 64) != number.String() {
				t.Errorf("%s.ndjson: %s is a number that parsers change: %s", group, number, line)
			}
		}
	}
}
