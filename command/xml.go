package command

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/visible"
)

// element is an XML element. An element has either text or inner elements.
type element struct {
	name  string
	attrs []string // names and values in turn
	text  string
	inner []element
}

// writeXML writes a document as indented XML.
func writeXML(out io.Writer, document element) {
	fmt.Fprintln(out, `<?xml version="1.0" encoding="UTF-8"?>`)
	document.write(out, "")
	fmt.Fprintln(out)
}

func (e *element) write(out io.Writer, indent string) {
	fmt.Fprint(out, indent, "<", e.name)
	for pair := range slices.Chunk(e.attrs, 2) {
		fmt.Fprintf(out, ` %s="%s"`, pair[0], escapeXML(pair[1]))
	}
	fmt.Fprint(out, ">", escapeXML(e.text))
	for _, one := range e.inner {
		fmt.Fprintln(out)
		one.write(out, indent+"  ")
	}
	if e.inner != nil {
		fmt.Fprint(out, "\n", indent)
	}
	fmt.Fprintf(out, "</%s>", e.name)
}

// markup replaces characters that XML would take for markup or, in an attribute, for spaces.
var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\t", "&#x9;", "\n", "&#xA;", "\r", "&#xD;")

// escapeXML returns text as XML. Characters that XML does not allow become replacement characters.
func escapeXML(text string) string {
	return markup.Replace(strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\t\n\r", r) || r == '\uFFFE' || r == '\uFFFF' {
			return utf8.RuneError
		}
		return r
	}, text))
}

// junitReport writes JUnit XML with one test case per subject. A test case fails if a finding rejects; other findings are
// its output.
type junitReport struct {
	out io.Writer
	repository
	cases            []element
	failures, errors int
}

func (r *junitReport) subject(s subject) {
	one := testCase(s.name)
	if s.isFile() {
		one.attrs = append(one.attrs, "file", r.path(&s))
	}
	var failed, output string
	for _, f := range s.findings {
		line := fmt.Sprintf("%s %s\n", f.kind, s.text(f))
		if s.isFile() {
			line = fmt.Sprintf("%s:%d:%d: %s", visible.Text(s.file), f.start.line, f.start.column, line)
		}
		if rejects(f) {
			failed += line
		} else {
			output += line
		}
	}
	if first, ok := s.firstRejecting(); ok {
		r.failures++
		one.inner = append(one.inner, element{name: "failure", attrs: []string{"message", s.text(first), "type", first.id}, text: failed})
	}
	if output != "" {
		one.inner = append(one.inner, element{name: "system-out", text: output})
	}
	r.cases = append(r.cases, one)
}

func testCase(name string) element {
	return element{name: "testcase", attrs: []string{"classname", "calrules", "name", name}}
}

func (r *junitReport) unread(err error) {
	r.errors++
	one := testCase(err.Error())
	one.inner = []element{{name: "error", attrs: []string{"message", err.Error(), "type", "unread"}}}
	r.cases = append(r.cases, one)
}

func (r *junitReport) end(fmt.Stringer) {
	counts := []string{"tests", strconv.Itoa(len(r.cases)), "failures", strconv.Itoa(r.failures), "errors", strconv.Itoa(r.errors)}
	suite := element{name: "testsuite", attrs: append([]string{"name", "calrules"}, counts...), inner: r.cases}
	writeXML(r.out, element{name: "testsuites", attrs: counts, inner: []element{suite}})
}

// checkstyleReport writes Checkstyle XML. The format cannot represent a file that cannot be read.
// Source: https://checkstyle.org, XMLLogger.
type checkstyleReport struct {
	out io.Writer
	repository
	files []element
}

func (r *checkstyleReport) subject(s subject) {
	path := r.path(&s)
	if len(r.files) == 0 || r.files[len(r.files)-1].attrs[1] != path {
		r.files = append(r.files, element{name: "file", attrs: []string{"name", path}})
	}
	file := &r.files[len(r.files)-1]
	for _, f := range s.findings {
		file.inner = append(file.inner, element{name: "error", attrs: []string{
			"line", strconv.Itoa(f.start.line), "column", strconv.Itoa(f.start.column),
			"severity", namesOf(f.kind).checkstyle, "message", s.text(f), "source", "calrules." + f.id,
		}})
	}
}

func (r *checkstyleReport) unread(error) {}

func (r *checkstyleReport) end(fmt.Stringer) {
	writeXML(r.out, element{name: "checkstyle", attrs: []string{"version", "4.3"}, inner: r.files})
}
