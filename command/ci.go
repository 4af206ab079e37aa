package command

import (
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/calrules/calrules/diag"
)

// githubReport writes a workflow command for each finding, which GitHub shows beside the line of the file.
// Source: Workflow commands for GitHub Actions, Setting an error message.
type githubReport struct {
	out   io.Writer
	quiet bool
}

// The characters that end the message and the properties of a workflow command.
var (
	githubMessage  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

func (r githubReport) file(f checked) {
	for i, finding := range f.result.Findings {
		var where []string
		if f.name != stdinName {
			where = append(where, "file="+githubProperty.Replace(filepath.ToSlash(f.name)))
		}
		if at := f.places[i]; at.line > 0 {
			where = append(where, fmt.Sprintf("line=%d,col=%d", at.line, at.column))
		}
		where = append(where, "title="+githubProperty.Replace(finding.Rule.ID))
		fmt.Fprintf(r.out, "::%s %s::%s\n", githubLevel(finding.Kind), strings.Join(where, ","), githubMessage.Replace(visible(finding.String())))
	}
}

// githubLevel returns the command for a kind of findings.
func githubLevel(kind diag.Kind) string {
	for _, k := range kinds {
		if k.kind == kind {
			return k.github
		}
	}
	return "notice"
}

func (r githubReport) unread(err error) {
	fmt.Fprintf(r.out, "::error title=calrules::%s\n", githubMessage.Replace(visible(err.Error())))
}

func (r githubReport) end(t tally) {
	if !r.quiet {
		fmt.Fprintln(r.out, t)
	}
}

// junitReport writes JUnit XML with a test case for each file, which fails if a finding rejects. Other
// findings are its output.
type junitReport struct {
	out   io.Writer
	cases []junitCase
}

type (
	junitSuites struct {
		XMLName  xml.Name   `xml:"testsuites"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Suite    junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Failure *junitProblem `xml:"failure"`
		Error   *junitProblem `xml:"error"`
		Output  string        `xml:"system-out,omitempty"`
	}
	junitProblem struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

func (r *junitReport) file(f checked) {
	one := junitCase{Class: "calrules", Name: f.name}
	if f.item >= 0 {
		one.Name += string(itemPath(f.item, "")) // cases with one name would be the same test
	}
	if f.name != stdinName {
		one.File = filepath.ToSlash(f.name)
	}
	rejecting, others := textOf(f)
	if !f.result.Accepted {
		first := f.result.Findings.OfKind(diag.Reject)[0]
		one.Failure = &junitProblem{Message: first.String(), Type: first.Rule.ID, Text: rejecting}
	}
	one.Output = others
	r.cases = append(r.cases, one)
}

// textOf returns the findings as text: the rejecting findings, and the others.
func textOf(f checked) (rejecting, others string) {
	var reject, other strings.Builder
	for i, finding := range f.result.Findings {
		text := textReport{out: &other}
		if finding.Kind == diag.Reject {
			text.out = &reject
		}
		text.finding(f, finding, f.places[i])
	}
	return reject.String(), other.String()
}

func (r *junitReport) unread(err error) {
	r.cases = append(r.cases, junitCase{Class: "calrules", Name: err.Error(), Error: &junitProblem{Message: err.Error(), Type: "unread"}})
}

func (r *junitReport) end(t tally) {
	n := len(r.cases)
	fmt.Fprint(r.out, xml.Header)
	encoder := xml.NewEncoder(r.out)
	encoder.Indent("", "  ")
	encoder.Encode(junitSuites{
		Tests: n, Failures: t.rejected, Errors: t.unread,
		Suite: junitSuite{"calrules", n, t.rejected, t.unread, r.cases},
	})
	fmt.Fprintln(r.out)
}
