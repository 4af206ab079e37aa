package main

import (
	"encoding/json"
	"net/url"

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
	File      string        `json:"file"`
	Accepted  bool          `json:"accepted"`
	Findings  []findingJSON `json:"findings"`
	Truncated bool          `json:"truncated,omitempty"`
	Event     *event.Event  `json:"event,omitempty"`
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
	return fileJSON{f.name, f.result.Accepted, findings, f.result.Truncated, f.result.Event}
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
