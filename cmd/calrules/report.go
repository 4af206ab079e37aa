package main

import (
	"encoding/json"
	"net/url"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// The formats of the answers about files.
const (
	formatText    = "text"
	formatJSON    = "json"
	formatProblem = "problem"
)

// checked is a file with its answer.
type checked struct {
	document
	result event.Result
}

// report writes answers about files.
type report interface {
	file(checked)
	end(tally)
}

func newReport(c *console, flags *checkFlags) report {
	lines := json.NewEncoder(c.out)
	lines.SetEscapeHTML(false)
	switch flags.format.value {
	case formatJSON:
		return jsonReport{lines}
	case formatProblem:
		return problemReport{lines}
	default:
		return &textReport{out: c.out, look: c.look(c.streams.out, flags.color.value)}
	}
}

// jsonReport writes an object for each file.
type jsonReport struct{ lines *json.Encoder }

type fileJSON struct {
	File      string        `json:"file"`
	Accepted  bool          `json:"accepted"`
	Findings  []findingJSON `json:"findings"`
	Truncated bool          `json:"truncated,omitempty"`
	Event     *event.Event  `json:"event,omitempty"`
}

// findingJSON is a finding as the batch form has it, with its place in the file.
type findingJSON struct {
	Rule    string       `json:"rule"`
	Kind    diag.Kind    `json:"kind"`
	Basis   diag.Basis   `json:"basis"`
	Path    diag.Pointer `json:"path"`
	Message string       `json:"message"`
	Line    int          `json:"line,omitempty"`
	Column  int          `json:"column,omitempty"`
}

func (r jsonReport) file(f checked) {
	places := locate(f.text, f.result.Findings)
	findings := make([]findingJSON, len(places))
	for i, finding := range f.result.Findings {
		findings[i] = findingJSON{
			finding.Rule.ID, finding.Kind, finding.Rule.Basis, finding.Path, finding.Message,
			places[i].line, places[i].column,
		}
	}
	r.lines.Encode(fileJSON{f.name, f.result.Accepted, findings, f.result.Truncated, f.result.Event})
}

func (r jsonReport) end(tally) {}

// problemReport writes problem details (RFC 9457) for each file that has findings.
type problemReport struct{ lines *json.Encoder }

// fileProblem says in the member instance which file it is about.
type fileProblem struct {
	diag.Problem
	Instance string `json:"instance,omitempty"`
}

func (r problemReport) file(f checked) {
	if len(f.result.Findings) == 0 {
		return
	}
	problem := fileProblem{Problem: f.result.Findings.Problem(0)}
	if f.name != stdinName {
		problem.Instance = (&url.URL{Path: f.name}).String()
	}
	r.lines.Encode(problem)
}

func (r problemReport) end(tally) {}
