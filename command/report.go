package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/visible"
)

// checked is a file, or an event in a file, with the answer.
type checked struct {
	document
	event  []byte // the event, a subslice of the file
	base   place  // the place where the event starts
	item   int    // the index of the event if the file is a page; otherwise -1
	result event.Result
	places []place // the places of the findings
}

// wholeFile returns a file that contains a single event.
func wholeFile(doc document) checked {
	return checked{document: doc, event: doc.text, base: textStart, item: -1}
}

// with returns f with the given answer for its event.
func (f checked) with(result event.Result) checked {
	f.result, f.places = result, locate(f.event, result.Findings)
	for i := range f.places {
		f.places[i] = f.places[i].within(f.base)
		if f.item >= 0 {
			result.Findings[i] = inItem(f.item, result.Findings[i])
		}
	}
	return f
}

// redacted returns f without the values quoted in findings and without the events in the answer.
func (f checked) redacted() checked {
	f.result.Findings = slices.Clone(f.result.Findings)
	for i, finding := range f.result.Findings {
		f.result.Findings[i] = finding.Redacted()
	}
	f.result.Answer, f.result.Stored, f.result.CancelledCopy = nil, nil, nil
	return f
}

// report is implemented by the types that write the answers for files.
type report interface {
	file(checked)
	unread(err error) // for a file that cannot be checked; standard error shows the error too
	end(summary fmt.Stringer)
}

// reportFlags are the flags of the commands that write findings.
type reportFlags struct {
	format     *format
	color      *choice
	quiet      bool
	statistics bool
	redact     bool
}

func newReportFlags() reportFlags {
	return reportFlags{format: newFormat(fileFormats), color: newChoice(colorAuto, colorAlways, colorNever)}
}

func (f *reportFlags) add(command *cobra.Command) {
	f.format.add(command, "output format; sarif, github, gitlab, junit, checkstyle and rdjson are for CI services and reviews; ndjson and problem (RFC 9457) write an object per line")
	f.color.add(command, "color", "when to use colors and show the line of the file")
	command.Flags().BoolVarP(&f.quiet, "quiet", "q", false, "write findings, but no summary and no progress")
	command.Flags().BoolVar(&f.redact, "redact", false, "omit values in the file from the output: they may be addresses")
	command.Flags().BoolVar(&f.statistics, "statistics", false, "write the number of findings of each rule, instead of the findings")
}

// validate returns an error if flags cannot be combined.
func (f *reportFlags) validate() error {
	if f.statistics && !slices.Contains(listFormats, f.format.value) {
		return fmt.Errorf("--statistics cannot be written in the format %s; use one of %s", f.format.value, strings.Join(listFormats, ", "))
	}
	return nil
}

// newReport returns the report selected by the flags.
func newReport(c *console, out io.Writer, flags *reportFlags) report {
	switch f := flags.format.value; {
	case flags.statistics:
		return &statistics{out: out, format: flags.format, quiet: flags.quiet, count: map[ruleKind]int{}}
	case f == formatJSON:
		return &jsonReport{out: out}
	case f == formatNDJSON:
		return ndjsonReport{out}
	case f == formatProblem:
		return problemReport{out}
	case slices.Contains(toolFormats, f):
		return fileReport{newToolReport(c, out, f, flags.quiet)}
	default:
		look := c.look(out, flags.color.value)
		look.excerpt = look.excerpt && !flags.redact
		return &textReport{out, look, flags.quiet}
	}
}

// fileJSON is the answer for a file, as JSON.
type fileJSON struct {
	File      string          `json:"file"`
	Item      *int            `json:"item,omitempty"` // the index in a page of events
	Accepted  bool            `json:"accepted"`
	Findings  []findingJSON   `json:"findings"`
	Truncated bool            `json:"truncated,omitempty"`
	Event     json.RawMessage `json:"event,omitempty"`
	Dialect   diag.Dialect    `json:"dialect"` // the dialect of the paths and the event
}

// findingJSON is a finding with its place in the file, as JSON.
type findingJSON struct {
	diag.Finding
	at place
}

// MarshalJSON encodes the finding as in answers to streams, with its line and column if it has a place.
func (f findingJSON) MarshalJSON() ([]byte, error) {
	text, err := f.Finding.MarshalJSON()
	if f.at.line > 0 && err == nil {
		text = fmt.Appendf(text[:len(text)-1], `,"line":%d,"column":%d}`, f.at.line, f.at.column)
	}
	return text, err
}

func asFile(f checked) fileJSON {
	findings := make([]findingJSON, len(f.places))
	for i, finding := range f.result.Findings {
		findings[i] = findingJSON{finding, f.places[i]}
	}
	answer := fileJSON{File: f.name, Dialect: f.result.Dialect, Accepted: f.result.Accepted, Findings: findings, Truncated: f.result.Truncated}
	if f.item >= 0 {
		answer.Item = &f.item
	}
	if f.result.Answer != nil {
		answer.Event = f.result.Answer.AppendIn(f.result.Dialect, nil)
	}
	return answer
}

// writeLine writes a value as one line of JSON.
func writeLine(out io.Writer, v any) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.Encode(v)
}

// jsonReport writes an array with one object per file.
type jsonReport struct {
	out   io.Writer
	files []fileJSON
}

func (r *jsonReport) file(f checked)   { r.files = append(r.files, asFile(f)) }
func (r *jsonReport) unread(error)     {}
func (r *jsonReport) end(fmt.Stringer) { writeJSON(r.out, append([]fileJSON{}, r.files...)) }

// ndjsonReport writes one object per file, each on its own line.
type ndjsonReport struct{ out io.Writer }

func (r ndjsonReport) file(f checked)   { writeLine(r.out, asFile(f)) }
func (r ndjsonReport) unread(error)     {}
func (r ndjsonReport) end(fmt.Stringer) {}

// problemReport writes problem details (RFC 9457) for each file with findings, one object per line.
type problemReport struct{ out io.Writer }

// fileProblem contains the problem details for a file. Instance is the name of the file.
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
	writeLine(r.out, problem)
}

func (r problemReport) unread(error)     {}
func (r problemReport) end(fmt.Stringer) {}

// ruleKind is a rule with one of the kinds of its findings, which depend on the grading.
type ruleKind struct {
	rule *diag.Rule
	kind diag.Kind
}

// statistics writes the number of findings for each rule.
type statistics struct {
	out    io.Writer
	format *format
	quiet  bool
	count  map[ruleKind]int
}

// statisticJSON is the number of findings for a rule, as JSON.
type statisticJSON struct {
	Count   int       `json:"count"`
	Kind    diag.Kind `json:"kind"`
	Rule    string    `json:"rule"`
	Summary string    `json:"summary"`
}

func (s *statistics) file(f checked) {
	for _, finding := range f.result.Findings {
		s.count[ruleKind{finding.Rule, finding.Kind}]++
	}
}

func (s *statistics) unread(error) {}

// end writes the numbers in descending order.
func (s *statistics) end(summary fmt.Stringer) {
	var list []statisticJSON
	for of, n := range s.count {
		list = append(list, statisticJSON{n, of.kind, of.rule.ID, of.rule.Summary})
	}
	slices.SortFunc(list, func(a, b statisticJSON) int {
		return cmp.Or(b.Count-a.Count, strings.Compare(a.Rule, b.Rule), strings.Compare(string(a.Kind), string(b.Kind)))
	})
	if s.format.value != formatText {
		writeList(s.format, s.out, list)
		return
	}
	rows := [][]string{{"COUNT", "KIND", "RULE", "SUMMARY"}}
	for _, one := range list {
		rows = append(rows, []string{fmt.Sprint(one.Count), string(one.Kind), one.Rule, one.Summary})
	}
	if len(list) > 0 {
		writeTable(s.out, rows)
	}
	if !s.quiet {
		fmt.Fprintln(s.out, summary)
	}
}

// kinds lists the kinds of findings, most serious first, with their colors (parameters of the SGR escape sequence) and
// their names in other formats.
var kinds = []kindNames{
	{diag.Reject, "1;31", "error", "error", "critical", "error", "ERROR"},
	{diag.Ignore, "1;33", "warning", "warning", "minor", "warning", "WARNING"},
	{diag.Advise, "1;36", "note", "notice", "info", "info", "INFO"},
	{diag.Unspecified, "1;35", "note", "notice", "info", "info", "INFO"},
}

type kindNames struct {
	kind                                      diag.Kind
	color                                     string
	sarif, github, gitlab, checkstyle, rdjson string
}

// namesOf returns the names that reports use for a kind. The names are empty for the kind of a purely descriptive rule.
func namesOf(kind diag.Kind) kindNames {
	for _, k := range kinds {
		if k.kind == kind {
			return k
		}
	}
	return kindNames{kind: kind, sarif: "none"}
}

// textReport writes findings in the style of compiler errors, followed by a summary.
type textReport struct {
	out   io.Writer
	look  look
	quiet bool
}

func (r *textReport) file(f checked) {
	for i, finding := range f.result.Findings {
		r.finding(f, finding, f.places[i])
	}
	if f.result.Truncated {
		fmt.Fprintf(r.out, "%s: more findings follow; these are the first %d\n", visible.Text(f.name), len(f.places))
	}
}

func (r *textReport) unread(error) {}

// finding writes one finding on a line and, on a terminal, an excerpt of the file.
func (r *textReport) finding(f checked, finding diag.Finding, at place) {
	where := visible.Text(f.name)
	if at.line > 0 {
		where = fmt.Sprintf("%s:%d:%d", where, at.line, at.column)
	}
	fmt.Fprintf(r.out, "%s: %s %s\n", where, r.paint(finding.Kind, string(finding.Kind)), visible.Text(finding.String()))
	if at.line == 0 || !r.look.excerpt {
		return
	}
	if line, indent, ok := excerpt(f.text, at.offset, r.look.width-len(margin)); ok {
		fmt.Fprintf(r.out, "%s%s\n%s%s%s\n", margin, line, margin, indent, r.paint(finding.Kind, "^"))
	}
}

// margin is the indentation of excerpts and examples.
const margin = "    "

// paint returns text in the color of the kind.
func (r *textReport) paint(kind diag.Kind, text string) string {
	if !r.look.color {
		return text
	}
	return "\x1b[" + namesOf(kind).color + "m" + text + "\x1b[0m"
}

func (r *textReport) end(summary fmt.Stringer) {
	if !r.quiet {
		fmt.Fprintln(r.out, summary)
	}
}

// String returns a summary, such as "3 files: 2 accepted, 1 rejected; 2 findings: 1 reject, 1 advise".
func (t tally) String() string {
	unread := ""
	if t.unread > 0 {
		unread = fmt.Sprintf(", %d not checked", t.unread)
	}
	things := "file"
	switch {
	case t.pages:
		things = "event"
	case t.lines:
		things = "line"
	}
	checked := visible.Count(t.accepted+t.rejected+t.unread, things)
	fixed := ""
	if t.fixed > 0 {
		fixed = fmt.Sprintf("; %d fixed", t.fixed)
	}
	return fmt.Sprintf("%s: %d accepted, %d rejected%s; %s%s", checked, t.accepted, t.rejected, unread, t.findings, fixed)
}
