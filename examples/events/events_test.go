// Package events_test checks the collection against its README.
package events_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/operation"
)

// file is an event of the collection.
type file struct {
	name string // without folder and extension
	text string
	want []string // the lines of the .findings file beside it, without comments
}

// read returns the files of a folder of the collection.
func read(t *testing.T, folder string) []file {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files in %s: %v", folder, err)
	}
	files := make([]file, len(paths))
	for i, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(path, ".json")
		files[i] = file{name: filepath.Base(name), text: string(text), want: readFindings(t, name+".findings")}
	}
	return files
}

// readFindings returns the expected findings, or none if there is no such file.
func readFindings(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var want []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			want = append(want, line)
		}
	}
	return want
}

// check puts the rules to a file and returns the findings as .findings files have them.
func (f file) check(op operation.ID) (accepted bool, findings []string) {
	req := &event.Request{Op: op, Body: []byte(f.text)}
	if op == operation.EventsInsert {
		req.Params = operation.Params{"conferenceDataVersion": {"1"}, "sendUpdates": {"all"}, "supportsAttachments": {"true"}}
	}
	result, err := event.Check(req)
	if err != nil {
		panic(err)
	}
	for _, found := range result.Findings {
		path := string(found.Path)
		if path == "" {
			path = `""`
		}
		findings = append(findings, string(found.Kind)+" "+path+" "+found.Rule.ID)
	}
	return result.Accepted, findings
}

func TestValid(t *testing.T) {
	for _, f := range read(t, "valid") {
		t.Run(f.name, func(t *testing.T) {
			testAccepted(t, f, operation.EventsInsert)
			testFormat(t, f)
		})
	}
}

func TestStored(t *testing.T) {
	for _, f := range read(t, "stored") {
		t.Run(f.name, func(t *testing.T) {
			testAccepted(t, f, operation.Response)
			testFormat(t, f)
		})
	}
}

// testAccepted checks that an event is accepted with the expected findings, mostly none, and
// that decoding and encoding it changes nothing.
func testAccepted(t *testing.T, f file, op operation.ID) {
	accepted, got := f.check(op)
	if !accepted {
		t.Error("not accepted")
	}
	if diff := cmp.Diff(f.want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	var e event.Event
	if err := json.Unmarshal([]byte(f.text), &e); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&e)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decode(t, f.text), decode(t, string(again))); diff != "" {
		t.Errorf("round trip (-in +out):\n%s", diff)
	}
}

// testFormat checks the layout of a file.
func testFormat(t *testing.T, f file) {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(f.text), "", "  "); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.String(), f.text); diff != "" {
		t.Errorf("indentation (-want +got):\n%s", diff)
	}
}

// decode decodes JSON into plain Go values, with exact numbers.
func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestBroken(t *testing.T) {
	for _, f := range read(t, "broken") {
		t.Run(f.name, func(t *testing.T) {
			if len(f.want) == 0 {
				t.Fatal("the .findings file is missing or empty")
			}
			accepted, got := f.check(operation.EventsInsert)
			if diff := cmp.Diff(f.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			rejects := func(line string) bool { return strings.HasPrefix(line, "reject ") }
			if want := !slices.ContainsFunc(f.want, rejects); accepted != want {
				t.Errorf("accepted is %t, want %t", accepted, want)
			}
		})
	}
}

// The collection has every value of the enumerations.
func TestCoverage(t *testing.T) {
	valid, stored := valuesOf(t, "valid"), valuesOf(t, "stored")
	without := func(values *constraint.Constraint, left ...string) []string {
		return slices.DeleteFunc(values.Values(), func(v string) bool { return slices.Contains(left, v) })
	}
	for _, c := range []struct {
		what string
		want []string
		got  set
	}{
		{"event types that can be created", without(constraint.EventType, "fromMail"), valid["eventType"]},
		{"event types", without(constraint.EventType), valid["eventType"].and(stored["eventType"])},
		{"requested conferences", without(constraint.ConferenceType, constraint.DeprecatedConferenceType.Values()...), valid["conferenceSolutionKey.type"]},
		{"existing conferences", without(constraint.ConferenceType, constraint.DeprecatedConferenceType.Values()...), valid["key.type"]},
		{"stored conferences, and an unknown one", append(without(constraint.ConferenceType, "addOn"), "holoRoom"), stored["key.type"]},
		{"conference statuses", without(constraint.CreateRequestStatus), stored["status.statusCode"]},
		{"entry points", without(constraint.EntryPointType), valid["entryPointType"]},
		{"reminders", without(constraint.ReminderMethod), valid["method"]},
		{"responses", without(constraint.ResponseStatus), valid["responseStatus"].and(stored["responseStatus"])},
		{"transparencies", without(constraint.Transparency), valid["transparency"]},
		{"visibilities", without(constraint.Visibility), valid["visibility"]},
		{"statuses", without(constraint.EventStatus), valid["status"].and(stored["status"])},
		{"working locations", without(constraint.WorkingLocationType), valid["workingLocationProperties.type"]},
		{"auto-decline modes", without(constraint.AutoDeclineMode), valid["autoDeclineMode"]},
		{"chat statuses", without(constraint.ChatStatus), valid["chatStatus"]},
		{"birthdays", without(constraint.BirthdayType), stored["birthdayProperties.type"]},
	} {
		sorted := cmpopts.SortSlices(strings.Compare)
		if diff := cmp.Diff(c.want, c.got.values(), sorted); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.what, diff)
		}
	}
}

// set is a set of strings.
type set map[string]bool

func (s set) and(other set) set {
	both := set{}
	for _, one := range []set{s, other} {
		for v := range one {
			both[v] = true
		}
	}
	return both
}

func (s set) values() []string {
	var list []string
	for v := range s {
		list = append(list, v)
	}
	return list
}

// valuesOf returns the strings in the events of a folder, by the name of their member, with
// and without the name of the enclosing object: "type" and "key.type".
func valuesOf(t *testing.T, folder string) map[string]set {
	t.Helper()
	found := map[string]set{}
	for _, f := range read(t, folder) {
		collect(decode(t, f.text), "", found)
	}
	return found
}

func collect(v any, around string, found map[string]set) {
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			collect(element, around, found)
		}
	case map[string]any:
		for name, member := range v {
			if text, ok := member.(string); ok {
				note(found, name, text)
				note(found, around+"."+name, text)
			}
			collect(member, name, found)
		}
	}
}

func note(found map[string]set, name, value string) {
	if found[name] == nil {
		found[name] = set{}
	}
	found[name][value] = true
}

// The README lists every file.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range []string{"valid", "stored", "broken"} {
		for _, f := range read(t, folder) {
			if link := "[" + f.name + "](" + folder + "/" + f.name + ".json)"; !strings.Contains(string(readme), link) {
				t.Errorf("the README does not list %s", link)
			}
		}
	}
}
