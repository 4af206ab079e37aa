package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// Formats of the answers about files.
const (
	formatText    = "text"
	formatJSON    = "json"
	formatProblem = "problem"
)

// checked is a file with the answer to it.
type checked struct {
	document
	result event.Result
}

// newReport returns the functions that write the answer about a file, and the summary of all.
func newReport(c *console, flags *checkFlags) (file func(checked), end func(tally)) {
	lines := json.NewEncoder(c.out)
	lines.SetEscapeHTML(false)
	switch flags.format.value {
	case formatJSON:
		return func(f checked) { lines.Encode(asFile(f)) }, func(tally) {}
	case formatProblem:
		return func(f checked) {
			if len(f.result.Findings) > 0 {
				lines.Encode(asProblem(f))
			}
		}, func(tally) {}
	default:
		text := &textReport{c.out, c.look(c.streams.out, flags.color.value)}
		return text.file, text.end
	}
}

// fileJSON is the answer about a file.
type fileJSON struct {
	File      string          `json:"file"`
	Accepted  bool            `json:"accepted"`
	Findings  []findingJSON   `json:"findings"`
	Truncated bool            `json:"truncated,omitempty"`
	Event     json.RawMessage `json:"event,omitempty"`
}

// findingJSON is a finding as the answers to streams have it, with its place in the file.
type findingJSON struct {
	Rule    string       `json:"rule"`
	Kind    diag.Kind    `json:"kind"`
	Basis   diag.Basis   `json:"basis"`
	Path    diag.Pointer `json:"path"`
	Message string       `json:"message"`
	Line    int          `json:"line,omitempty"`
	Column  int          `json:"column,omitempty"`
}

func asFile(f checked) fileJSON {
	places := locate(f.text, f.result.Findings)
	findings := make([]findingJSON, len(places))
	for i, finding := range f.result.Findings {
		findings[i] = findingJSON{
			finding.Rule.ID, finding.Kind, finding.Rule.Basis, finding.Path, finding.Message,
			places[i].line, places[i].column,
		}
	}
	answer := fileJSON{f.name, f.result.Accepted, findings, f.result.Truncated, nil}
	if f.result.Answer != nil {
		answer.Event = f.result.Answer.AppendIn(f.result.Dialect, nil)
	}
	return answer
}

// fileProblem is the problem details (RFC 9457) of a file. Instance names the file.
type fileProblem struct {
	diag.Problem
	Instance string `json:"instance,omitempty"`
}

func asProblem(f checked) fileProblem {
	problem := fileProblem{Problem: f.result.Findings.Problem(0)}
	if f.name != stdinName {
		problem.Instance = (&url.URL{Path: f.name}).String()
	}
	return problem
}

// kinds are the kinds of findings, the most serious first, with their colours as parameters
// of the escape sequence SGR.
var kinds = []struct {
	kind  diag.Kind
	color string
}{
	{diag.Reject, "1;31"},
	{diag.Ignore, "1;33"},
	{diag.Advise, "1;36"},
	{diag.Unspecified, "1;35"},
}

// textReport writes findings as compilers do, and a summary.
type textReport struct {
	out  io.Writer
	look look
}

func (r *textReport) file(f checked) {
	places := locate(f.text, f.result.Findings)
	for i, finding := range f.result.Findings {
		r.finding(f, finding, places[i])
	}
	if f.result.Truncated {
		fmt.Fprintf(r.out, "%s: more findings follow; these are the first %d\n", visible(f.name), len(places))
	}
}

// finding writes one finding on a line and, on a screen, an excerpt of the file.
func (r *textReport) finding(f checked, finding diag.Finding, at place) {
	where := visible(f.name)
	if at.line > 0 {
		where = fmt.Sprintf("%s:%d:%d", where, at.line, at.column)
	}
	fmt.Fprintf(r.out, "%s: %s %s\n", where, r.paint(finding.Kind, string(finding.Kind)), visible(finding.String()))
	if at.line == 0 || !r.look.excerpt {
		return
	}
	if line, indent, ok := excerpt(f.text, at.offset, r.look.width-len(margin)); ok {
		fmt.Fprintf(r.out, "%s%s\n%s%s%s\n", margin, line, margin, indent, r.paint(finding.Kind, "^"))
	}
}

// margin indents excerpts and examples.
const margin = "    "

// paint adds the colour of the kind to a text.
func (r *textReport) paint(kind diag.Kind, text string) string {
	for _, k := range kinds {
		if r.look.color && k.kind == kind {
			return "\x1b[" + k.color + "m" + text + "\x1b[0m"
		}
	}
	return text
}

// end writes the summary, such as "3 files: 2 accepted, 1 rejected; 2 findings: 1 reject, 1 advise".
func (r *textReport) end(t tally) {
	unread := ""
	if t.unread > 0 {
		unread = fmt.Sprintf(", %d not read", t.unread)
	}
	files := number(t.accepted+t.rejected+t.unread, "file")
	fmt.Fprintf(r.out, "%s: %d accepted, %d rejected%s; %s\n", files, t.accepted, t.rejected, unread, t.kinds())
}

// kinds returns the number of findings of each kind as text.
func (t tally) kinds() string {
	sum := 0
	var parts []string
	for _, k := range kinds {
		if n := t.findings[k.kind]; n > 0 {
			sum += n
			parts = append(parts, fmt.Sprintf("%d %s", n, k.kind))
		}
	}
	if sum == 0 {
		return "no findings"
	}
	return number(sum, "finding") + ": " + strings.Join(parts, ", ")
}

// number returns a number of things as text.
func number(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
