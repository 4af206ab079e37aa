package command

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// The output formats. Every command has a --format flag that accepts the formats supported by the command.
const (
	formatText       = "text"       // for people
	formatJSON       = "json"       // one JSON value
	formatNDJSON     = "ndjson"     // one JSON object per line
	formatSARIF      = "sarif"      // SARIF 2.1.0
	formatGitHub     = "github"     // workflow commands of GitHub Actions
	formatGitLab     = "gitlab"     // GitLab's Code Quality report
	formatJUnit      = "junit"      // JUnit XML
	formatCheckstyle = "checkstyle" // Checkstyle XML
	formatRDJSON     = "rdjson"     // the Reviewdog Diagnostic Format
	formatProblem    = "problem"    // problem details (RFC 9457), one object per line
)

// The formats of documents, and the formats of findings for each kind of input. A format for tools shows every finding at its
// place in a file; the other formats have members or lines for each kind of input. A finding that is not about a file has no
// place.
var (
	listFormats = []string{formatText, formatJSON, formatNDJSON}
	jsonFormats = []string{formatJSON, formatNDJSON} // the formats of a JSON document
	toolFormats = []string{formatSARIF, formatGitHub, formatGitLab, formatJUnit, formatCheckstyle, formatRDJSON}

	fileFormats        = slices.Concat(listFormats, toolFormats, []string{formatProblem}) // for findings in files
	recordingFormats   = slices.Concat(listFormats, toolFormats)
	streamFormats      = slices.Concat([]string{formatNDJSON}, toolFormats)
	proxyFormats       = []string{formatText, formatNDJSON, formatSARIF}
	aimFormats         = []string{formatText, formatJSON, formatSARIF, formatJUnit}
	conformanceFormats = slices.Concat(listFormats, []string{formatJUnit})

	// fixFormats lists the formats that include fixes.
	fixFormats = []string{formatJSON, formatNDJSON, formatSARIF, formatRDJSON, formatProblem}
)

// format is the value of the --format flag.
type format struct{ choice }

// newFormat returns a format flag. The first of the given formats is the default.
func newFormat(formats []string) *format { return &format{*newChoice(formats...)} }

// write writes a document, indented or, in the ndjson format, on one line.
func (f *format) write(out io.Writer, document any) {
	if f.value == formatNDJSON {
		writeLine(out, document)
	} else {
		writeJSON(out, document)
	}
}

// writeList writes a list as an array or, in the ndjson format, with one element per line.
func writeList[T any](f *format, out io.Writer, list []T) {
	if f.value != formatNDJSON {
		writeJSON(out, append([]T{}, list...))
		return
	}
	for _, one := range list {
		writeLine(out, one)
	}
}

// add adds --format to a command, with completion.
func (f *format) add(command *cobra.Command, usage string) {
	addChoice(command, f, f.choices, "format", usage+"; one `format` of "+strings.Join(f.choices, ", "))
}
