package command

import (
	"io"

	"github.com/spf13/cobra"
)

// Formats of the output. Every command has the flag --format with the formats that it can write.
const (
	formatText    = "text"    // for people
	formatJSON    = "json"    // one JSON value
	formatNDJSON  = "ndjson"  // a JSON object per line
	formatSARIF   = "sarif"   // SARIF 2.1.0
	formatGitHub  = "github"  // workflow commands of GitHub Actions
	formatJUnit   = "junit"   // JUnit XML
	formatProblem = "problem" // problem details (RFC 9457), an object per line
)

var (
	allFormats     = []string{formatText, formatJSON, formatNDJSON, formatSARIF, formatGitHub, formatJUnit, formatProblem}
	listFormats    = allFormats[:3]
	findingFormats = allFormats
	jsonFormats    = []string{formatJSON, formatNDJSON}                             // of a JSON document
	fixFormats     = []string{formatJSON, formatNDJSON, formatSARIF, formatProblem} // of findings with fixes
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
	addChoice(command, f, f.choices, "format", usage)
}
