package command

import (
	"encoding/xml"
	"fmt"
	"io"

	"github.com/calrules/calrules/internal/visible"
)

// writeXML writes a document as indented XML.
func writeXML(out io.Writer, document any) {
	fmt.Fprint(out, xml.Header)
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	encoder.Encode(document)
	fmt.Fprintln(out)
}

// junitReport writes JUnit XML with one test case per subject. A test case fails if a finding rejects; other findings are
// its output.
type junitReport struct {
	out io.Writer
	repository
	cases            []junitCase
	failures, errors int
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

func (r *junitReport) subject(s subject) {
	one := junitCase{Class: "calrules", Name: s.name}
	if s.isFile() {
		one.File = r.path(&s)
	}
	if first, ok := s.firstRejecting(); ok {
		r.failures++
		one.Failure = &junitProblem{Message: s.text(first), Type: first.id}
	}
	for _, f := range s.findings {
		line := fmt.Sprintf("%s %s\n", f.kind, s.text(f))
		if s.isFile() {
			line = fmt.Sprintf("%s:%d:%d: %s", visible.Text(s.file), f.start.line, f.start.column, line)
		}
		if rejects(f) {
			one.Failure.Text += line
		} else {
			one.Output += line
		}
	}
	r.cases = append(r.cases, one)
}

func (r *junitReport) unread(err error) {
	r.errors++
	r.cases = append(r.cases, junitCase{Class: "calrules", Name: err.Error(), Error: &junitProblem{Message: err.Error(), Type: "unread"}})
}

func (r *junitReport) end(fmt.Stringer) {
	n := len(r.cases)
	writeXML(r.out, junitSuites{
		Tests: n, Failures: r.failures, Errors: r.errors,
		Suite: junitSuite{"calrules", n, r.failures, r.errors, r.cases},
	})
}

// checkstyleReport writes Checkstyle XML. The format cannot represent a file that cannot be read.
// Source: https://checkstyle.org, XMLLogger.
type checkstyleReport struct {
	out io.Writer
	repository
	files []checkstyleFile
}

type (
	checkstyleLog struct {
		XMLName xml.Name         `xml:"checkstyle"`
		Version string           `xml:"version,attr"` // the version of the format
		Files   []checkstyleFile `xml:"file"`
	}
	checkstyleFile struct {
		Name   string            `xml:"name,attr"`
		Errors []checkstyleError `xml:"error"`
	}
	checkstyleError struct {
		Line     int    `xml:"line,attr"`
		Column   int    `xml:"column,attr"`
		Severity string `xml:"severity,attr"`
		Message  string `xml:"message,attr"`
		Source   string `xml:"source,attr"`
	}
)

func (r *checkstyleReport) subject(s subject) {
	if path := r.path(&s); len(r.files) == 0 || r.files[len(r.files)-1].Name != path {
		r.files = append(r.files, checkstyleFile{Name: path})
	}
	file := &r.files[len(r.files)-1]
	for _, f := range s.findings {
		file.Errors = append(file.Errors, checkstyleError{f.start.line, f.start.column, namesOf(f.kind).checkstyle, s.text(f), "calrules." + f.id})
	}
}

func (r *checkstyleReport) unread(error) {}

func (r *checkstyleReport) end(fmt.Stringer) {
	writeXML(r.out, checkstyleLog{Version: "4.3", Files: r.files})
}
