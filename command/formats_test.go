package command

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/aim"
	"github.com/calrules/calrules/internal/proxy"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/traffic"
)

// Files of each kind. What is wrong in them is at the end, or in a line of its own.
const (
	formatEvent   = "{\"summary\":\"会议😀\",\"status\":\"Confirmed\",\n\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}}\n"
	formatPage    = `{"items":[` + `{"status":"dropped"},{"status":"dropped"}` + `]}`
	formatCurl    = `curl https://www.googleapis.com/calendar/v3/calendars/primary/events -d '{"start":{"date":"2026-03-10"}}'`
	formatEntry   = `{"request":{"method":"POST","url":"https://www.googleapis.com/calendar/v3/calendars/primary/events","postData":{"text":"{\"start\":{\"date\":\"2026-03-10\"}}"}},"response":{"status":0}}`
	formatHAR     = "{\"log\":{\"entries\":[\n" + formatEntry + ",\n" + formatEntry + "]}}"
	formatTape    = "interactions:\n- request:\n    method: POST\n    url: https://www.googleapis.com/calendar/v3/calendars/primary/events\n    body: '{\"start\":{\"date\":\"2026-03-10\"}}'\n"
	formatRequest = `{"id":1,"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}}` + "\n" +
		`{"id":2,"op":"events.insert","body":{"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"},"status":"dropped"}}` + "\n" + `no request` + "\n"
)

// input is a way to get findings.
type input struct {
	name    string
	formats []string
	status  int    // of the command, in the formats that it has
	first   string // the place of the first finding
	run     func(format string) (out string, status int)
}

// allFormats are the formats of all commands.
var allFormats = slices.Concat(listFormats, toolFormats, []string{formatProblem})

// formatInputs returns all inputs, in a directory with a repository.
func formatInputs(t *testing.T) []input {
	dir := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD": "", "in/event.json": formatEvent, "in/all/EVENT.JSON": formatEvent, "in/page.json": formatPage, "in/curl.txt": formatCurl,
		"in/a.har": formatHAR, "in/tape.yaml": formatTape, "in/requests.ndjson": formatRequest,
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "in"))
	command := func(args ...string) func(string) (string, int) {
		return func(format string) (string, int) {
			var out, errs bytes.Buffer
			status := Run(append([]string{args[0], "--no-config", "--format", format}, args[1:]...), strings.NewReader(formatEvent), &out, &errs)
			if status == exitFailed {
				return errs.String(), status
			}
			return out.String(), status
		}
	}
	return []input{
		{"file", fileFormats, 1, "in/event.json:1:27", command("check", "event.json")},
		{"folder", fileFormats, 1, "in/all/EVENT.JSON:1:27", command("check", "all")},
		{"standard input", fileFormats, 1, "stdin:1:27", command("check", "-")},
		{"parameter", fileFormats, 1, "in/event.json:1:1", command("check", "--param", "sendUpdates=maybe", "--ignore", "event", "event.json")},
		{"page", fileFormats, 1, "in/page.json:1:21", command("check", "--op", "response", "page.json")},
		{"curl", fileFormats, 1, "in/curl.txt:1:1", command("check", "curl.txt")},
		{"ndjson", streamFormats, 1, "in/requests.ndjson:2:105", command("check", "--ndjson", "--fail-on", "reject", "requests.ndjson")},
		{"har", recordingFormats, 1, "in/a.har:2:1", command("check", "--har", "a.har")},
		{"cassette", recordingFormats, 1, "in/tape.yaml:2:3", command("check", "--cassette", "tape.yaml")},
		{"proxy", proxyFormats, 1, "proxy:1:1", func(format string) (string, int) { return runFormatProxy(t, format) }},
		{"aim", aimFormats, 1, "aim:1:1", func(format string) (string, int) { return runFormatAim(t, format) }},
		{"conformance", conformanceFormats, 1, "", command("conformance", "--form", "rtdb", "--timeout", "9s", "--", "true")},
	}
}

// testConsole returns a console that writes to out.
func testConsole(t *testing.T, out *bytes.Buffer) *console {
	t.Helper()
	c, err := newConsole(streams{in: strings.NewReader(""), out: out, err: &bytes.Buffer{}}, func(string) string { return "" }, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// runFormatProxy writes a finding as the proxy does.
func runFormatProxy(t *testing.T, format string) (string, int) {
	var out bytes.Buffer
	c := testConsole(t, &out)
	flags := &proxyFlags{format: newFormat(proxyFormats), trafficFlags: trafficFlags{failOn: failures[:1]}}
	if err := flags.format.Set(format); err != nil {
		return fmt.Sprintf("--format is %q; it %v", format, err), exitFailed
	}
	log := newProxyLog(c, flags)
	rule := reference.Catalogue().Lookup("event.end.required")
	log.exchange(proxy.Exchange{Exchange: traffic.Exchange{Method: "POST", Path: "/calendars/{calendarId}/events", Op: "events.insert", Findings: []traffic.Finding{
		{Rule: rule.ID, Kind: rule.Kind, Basis: rule.Basis, Path: "/end", Message: rule.Summary, Of: rule},
	}}})
	err := log.end()
	c.out.Flush()
	if err != errFound {
		t.Errorf("the proxy ends with %v", err)
	}
	return out.String(), exitFound
}

// runFormatAim writes a disagreement as aim does.
func runFormatAim(t *testing.T, format string) (string, int) {
	var out bytes.Buffer
	c := testConsole(t, &out)
	flags := &aimFlags{format: newFormat(aimFormats)}
	if err := flags.format.Set(format); err != nil {
		return fmt.Sprintf("--format is %q; it %v", format, err), exitFailed
	}
	rule := reference.Catalogue().Lookup("event.end.required")
	err := flags.write(c, &aim.Report{
		Stories: 2, Disagreements: []aim.Disagreement{{Rule: rule.ID, Of: rule, Fault: "missed", Op: "events.insert", Message: rule.Summary}},
		Scores: []aim.Score{{Rule: rule.ID, Tried: 1}, {Rule: "time.order", Tried: 1, Agreed: 1}},
	})
	c.out.Flush()
	if err != errFound {
		t.Errorf("aim ends with %v", err)
	}
	return out.String(), exitFound
}

// TestFormats runs each input in each format. The output has the form of the format, with the place of the first finding in the formats that have
// places, or the command refuses the format by its name.
func TestFormats(t *testing.T) {
	for _, in := range formatInputs(t) {
		for _, format := range allFormats {
			t.Run(in.name+"/"+format, func(t *testing.T) {
				out, status := in.run(format)
				if !slices.Contains(in.formats, format) {
					if status != exitFailed || !strings.Contains(out, format) {
						t.Errorf("the status is %d, and the format is not refused by its name: %s", status, out)
					}
					return
				}
				if status != in.status {
					t.Errorf("the status is %d, want %d: %s", status, in.status, out)
				}
				place, err := firstPlace(format, out)
				if err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if want := in.placeIn(format); place != want {
					t.Errorf("the first finding is at %q, want %q: %s", place, want, out)
				}
			})
		}
	}
}

// placeIn returns the place that a format has of the first finding.
func (in *input) placeIn(format string) string {
	file, _, _ := strings.Cut(in.first, ":")
	switch {
	case format == formatGitLab:
		return in.first[:strings.LastIndex(in.first, ":")]
	case format == formatGitHub && in.name == "standard input":
		return strings.TrimPrefix(in.first, "stdin")
	case format == formatSARIF, format == formatCheckstyle, format == formatRDJSON, format == formatGitHub:
		if format == formatRDJSON && strings.HasSuffix(in.first, ":1:27") { // bytes
			return strings.TrimSuffix(in.first, "27") + "34"
		}
		if format == formatSARIF && strings.HasSuffix(in.first, ":1:27") {
			return strings.TrimSuffix(in.first, "27") + "28"
		}
		return in.first
	case format == formatJUnit && file != "stdin" && strings.HasPrefix(file, "in/"):
		return file
	}
	return ""
}

// firstPlace returns the place of the first finding of an output, and an error for one that does not have its form.
func firstPlace(format, out string) (string, error) {
	text := []byte(out)
	switch format {
	case formatText:
		if strings.TrimSpace(out) == "" {
			return "", fmt.Errorf("there is no text")
		}
	case formatJSON:
		if !json.Valid(text) {
			return "", fmt.Errorf("not JSON")
		}
	case formatNDJSON, formatProblem:
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				return "", fmt.Errorf("not JSON: %s", line)
			}
		}
	case formatSARIF:
		return firstOfSARIF(text)
	case formatGitHub:
		var kind, file string
		var line, column int
		command, _, _ := strings.Cut(strings.TrimPrefix(out, "::"), "::")
		for _, part := range strings.FieldsFunc(command, func(r rune) bool { return r == ' ' || r == ',' }) {
			name, value, _ := strings.Cut(part, "=")
			switch name {
			case "file":
				file = value
			case "line":
				fmt.Sscan(value, &line)
			case "col":
				fmt.Sscan(value, &column)
			default:
				kind += name
			}
		}
		if !strings.HasPrefix(kind, "error") && !strings.HasPrefix(kind, "warning") && !strings.HasPrefix(kind, "notice") {
			return "", fmt.Errorf("not a command: %s", kind)
		}
		return fmt.Sprintf("%s:%d:%d", file, line, column), nil
	case formatGitLab:
		var issues []gitlabIssue
		err := json.Unmarshal(text, &issues)
		if err != nil || len(issues) == 0 {
			return "", fmt.Errorf("%d issues, %v", len(issues), err)
		}
		seen := map[string]bool{}
		for _, i := range issues {
			if seen[i.Fingerprint] || i.Description == "" || i.Check == "" || i.Severity == "" {
				return "", fmt.Errorf("an issue lacks something, or has the fingerprint of another: %+v", i)
			}
			seen[i.Fingerprint] = true
		}
		return fmt.Sprintf("%s:%d", issues[0].Location.Path, issues[0].Location.Lines.Begin), nil
	case formatJUnit:
		var suites struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				File string `xml:"file,attr"`
			} `xml:"testsuite>testcase"`
		}
		if err := xml.Unmarshal(text, &suites); err != nil {
			return "", err
		}
		if suites.Failures == 0 || suites.Tests != len(suites.Cases) {
			return "", fmt.Errorf("%d failures, %d tests", suites.Failures, suites.Tests)
		}
		return suites.Cases[0].File, nil
	case formatCheckstyle:
		var log struct {
			Files []struct {
				Name   string `xml:"name,attr"`
				Errors []struct {
					Line   int `xml:"line,attr"`
					Column int `xml:"column,attr"`
				} `xml:"error"`
			} `xml:"file"`
		}
		if err := xml.Unmarshal(text, &log); err != nil {
			return "", err
		}
		e := log.Files[0].Errors[0]
		return fmt.Sprintf("%s:%d:%d", log.Files[0].Name, e.Line, e.Column), nil
	case formatRDJSON:
		var log rdjsonLog
		err := json.Unmarshal(text, &log)
		if err != nil || len(log.Diagnostics) == 0 {
			return "", fmt.Errorf("%d diagnostics, %v", len(log.Diagnostics), err)
		}
		at := log.Diagnostics[0].Location
		return fmt.Sprintf("%s:%d:%d", at.Path, at.Range.Start.Line, at.Range.Start.Column), nil
	}
	return "", nil
}

// firstOfSARIF returns the place of the first result, and an error for a log that code scanning refuses.
func firstOfSARIF(text []byte) (string, error) {
	var log sarifLog
	if err := json.Unmarshal(text, &log); err != nil {
		return "", err
	}
	if log.Schema == "" || len(log.Runs) != 1 || len(log.Runs[0].Results) == 0 {
		return "", fmt.Errorf("no results")
	}
	run := log.Runs[0]
	for _, rule := range run.Tool.Driver.Rules {
		if rule.Short.Text == "" || rule.Full.Text == "" || rule.Help.Text == "" || len([]rune(rule.Full.Text)) > maxDescription {
			return "", fmt.Errorf("a rule lacks a text: %+v", rule)
		}
	}
	hashes := map[string]bool{}
	for _, r := range run.Results {
		region := r.Locations[0].Physical.Region
		if r.Message.Text == "" || run.Tool.Driver.Rules[r.RuleIndex].ID != r.RuleID || hashes[r.Partial.LineHash] || region.StartLine < 1 || region.StartColumn < 1 || region.EndLine < 1 || region.EndColumn < 1 {
			return "", fmt.Errorf("a result lacks something: %+v", r)
		}
		hashes[r.Partial.LineHash] = true
	}
	at := run.Results[0].Locations[0].Physical
	return fmt.Sprintf("%s:%d:%d", at.Artifact.URI, at.Region.StartLine, at.Region.StartColumn), nil
}

// TestEdit: a fix is a range of the file, in the columns of each format.
func TestEdit(t *testing.T) {
	c := testConsole(t, &bytes.Buffer{})
	doc := document{name: "<stdin>", text: []byte(`{"summary":"会议😀","status":"Confirmed"}`)}
	fix := &diag.Fix{Patch: []diag.PatchOperation{{Op: "replace", Path: "/body/status", Value: []byte(`"confirmed"`)}}, Safe: true}
	e := wholeFile(doc).edit(fix)
	want := edit{start: place{1, 28, 29, 35, 34}, end: place{1, 29, 30, 36, 35}, text: "c", safe: true}
	if diff := cmp.Diff(want, *e, cmp.AllowUnexported(edit{}, place{})); diff != "" {
		t.Error(diff)
	}
	for format, column := range map[string]string{formatSARIF: `"startColumn": 29,`, formatRDJSON: `"column": 35`} {
		var out bytes.Buffer
		report := newToolReport(c, &out, format, true)
		rule := reference.Catalogue().Lookup("event.status.enum")
		report.subject(subject{file: "a.json", findings: []located{{rule: rule, id: rule.ID, start: textStart, end: textStart, fix: e}}})
		report.end(nil)
		if !strings.Contains(out.String(), column) {
			t.Errorf("%s has no %s: %s", format, column, &out)
		}
	}
}

// The fixes of rdjson are changes of the input: a file, standard input, and a line that is a request or its body. A body that is a
// string of the line, and what was recorded, have no place for them.
func TestFixes(t *testing.T) {
	const (
		body  = `"start":{"date":"2026-03-10"},"end":{"date":"2026-03-11"}}`
		ours  = `{"summary":"会议😀","status":"Confirmed",` + body
		fixed = `{"summary":"会议😀","status":"confirmed",` + body

		inString = `{"op":"insert","bodyText":"{\"status\":\"Confirmed\",\"start\":{\"date\":\"2026-03-10\"},\"end\":{\"date\":\"2026-03-11\"}}"}`
	)
	for _, test := range []struct{ name, args, in, want string }{
		{"standard input", "-", ours, fixed},
		{"events", "--ndjson --op insert -", ours + "\n" + ours, fixed + "\n" + fixed},
		{"a byte order mark", "--ndjson --op insert -", "\ufeff" + ours, "\ufeff" + fixed},
		{"requests", "--ndjson -", `{"id":"会议","op":"insert","params":{"sendUpdates":"All"},"body":` + ours + "}\r\n", `{"id":"会议","op":"insert","params":{"sendUpdates":"all"},"body":` + fixed + "}\r\n"},
		{"a page", "--op response -", `{"items":[` + ours + `,` + ours + `]}`, `{"items":[` + fixed + `,` + fixed + `]}`},
		{"a body as text", "--ndjson -", inString, inString},
		{"curl", "-", formatCurl, formatCurl},
		{"recording", "--har -", formatHAR, formatHAR},
	} {
		_, out, _ := runWith(test.in, append([]string{"check", "--no-config", "--format", "rdjson"}, strings.Fields(test.args)...)...)
		var log rdjsonLog
		if err := json.Unmarshal([]byte(out), &log); err != nil || len(log.Diagnostics) == 0 {
			t.Errorf("%s: %v: %s", test.name, err, out)
		}
		if diff := cmp.Diff(test.want, withSuggestions(test.in, log.Diagnostics)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// withSuggestions makes the suggestions of diagnostics in a text, the last first.
func withSuggestions(text string, all []rdjsonDiagnostic) string {
	lines := strings.SplitAfter(text, "\n")
	for _, d := range slices.Backward(all) {
		for _, s := range d.Suggestions {
			line := &lines[s.Range.Start.Line-1]
			*line = (*line)[:s.Range.Start.Column-1] + s.Text + (*line)[s.Range.End.Column-1:]
		}
	}
	return strings.Join(lines, "")
}

func TestEscapeXML(t *testing.T) {
	for _, text := range []string{"", "a b", `<a href="x">'&'</a>`, "\t\r\n", "\x00\x01\x1f\x7f\u0080", "\ufffe\uffff\ufffd\ud7ff\ue000", "🎂", "\xff\xed\xa0\x80é"} {
		var want bytes.Buffer
		if err := xml.EscapeText(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got := escapeXML(text); got != want.String() {
			t.Errorf("%q becomes %q, want %q", text, got, &want)
		}
	}
}
