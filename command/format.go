package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// Formats of the output. Every command that writes findings or a list has the flag --format with
// those that it can write.
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
)

// format is the value of the flag --format.
type format struct{ choice }

// newFormat returns a format whose default is the first of the formats.
func newFormat(formats []string) *format { return &format{*newChoice(formats...)} }

func (f *format) Set(value string) error {
	if slices.Contains(allFormats, value) && !slices.Contains(f.choices, value) {
		return fmt.Errorf("the format %s is for findings in files; use one of %s", value, strings.Join(f.choices, ", "))
	}
	return f.choice.Set(value)
}

// add adds the flag to a command, with completion.
func (f *format) add(command *cobra.Command, usage string) {
	addChoice(command, f, f.choices, "format", usage)
}
