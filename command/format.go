package command

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Formats of the output. Every command has the flag --format with the formats that it can write.
const (
	formatText       = "text"       // for people
	formatJSON       = "json"       // one JSON value
	formatNDJSON     = "ndjson"     // a JSON object per line
	formatSARIF      = "sarif"      // SARIF 2.1.0
	formatGitHub     = "github"     // workflow commands of GitHub Actions
	formatGitLab     = "gitlab"     // the report of GitLab's Code Quality
	formatJUnit      = "junit"      // JUnit XML
	formatCheckstyle = "checkstyle" // Checkstyle XML
	formatRDJSON     = "rdjson"     // the Reviewdog Diagnostic Format
	formatProblem    = "problem"    // problem details (RFC 9457), an object per line
)

// The formats of documents, and the formats of findings by the kind of their input. A format for tools shows each finding at its
// place in a file, whatever the input; the other formats have members or lines for each kind. Findings in no file have no place.
var (
	listFormats = []string{formatText, formatJSON, formatNDJSON}
	jsonFormats = []string{formatJSON, formatNDJSON} // of a JSON document
	toolFormats = []string{formatSARIF, formatGitHub, formatGitLab, formatJUnit, formatCheckstyle, formatRDJSON}

	fileFormats        = slices.Concat(listFormats, toolFormats, []string{formatProblem}) // files, directories, standard input, pages, requests
	recordingFormats   = slices.Concat(listFormats, toolFormats)
	streamFormats      = slices.Concat([]string{formatNDJSON}, toolFormats)
	proxyFormats       = []string{formatText, formatNDJSON, formatSARIF}
	aimFormats         = []string{formatText, formatJSON, formatSARIF, formatJUnit}
	conformanceFormats = slices.Concat(listFormats, []string{formatJUnit})

	// fixFormats are the formats of findings with fixes.
	fixFormats = []string{formatJSON, formatNDJSON, formatSARIF, formatRDJSON, formatProblem}
)

// format is the value of the flag --format.
type format struct{ choice }

// newFormat returns a format whose default is the first of the formats.
func newFormat(formats []string) *format { return &format{*newChoice(formats...)} }

// write writes a document: indented, or on one line in the format ndjson.
func (f *format) write(out io.Writer, document any) {
	if f.value == formatNDJSON {
		writeLine(out, document)
	} else {
		writeJSON(out, document)
	}
}

// writeList writes an array, or an element per line in the format ndjson.
func writeList[T any](f *format, out io.Writer, list []T) {
	if f.value != formatNDJSON {
		writeJSON(out, append([]T{}, list...))
		return
	}
	for _, one := range list {
		writeLine(out, one)
	}
}

// add adds the flag to a command, with completion.
func (f *format) add(command *cobra.Command, usage string) {
	addChoice(command, f, f.choices, "format", usage+"; one `format` of "+strings.Join(f.choices, ", "))
}
