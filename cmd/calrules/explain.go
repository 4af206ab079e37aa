package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/rtdbauth"
)

func newExplain(c *console) *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "Explain a rule",
		Long: `Explain a rule: what it says, where that is written, what it is good for, and a request
that it accepts and one that it does not, with the answer.`,
		Example:           "  calrules explain reminders.minutes",
		ValidArgsFunction: completeRule,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("explain takes the id of one rule; 'calrules rules' lists them")
			}
			doc, err := findRule(args[0])
			if err != nil {
				return err
			}
			explain(c.out, doc)
			return nil
		},
	}
}

// pageWidth is how long the lines of running text are.
const pageWidth = 80

// explain writes the page of a rule.
func explain(out io.Writer, d *diag.Rule) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", d.ID, wrap(d.Summary, pageWidth))
	writeTable(out, [][]string{
		{"kind", string(d.Kind)},
		{"basis", string(d.Basis)},
		{"when", reference.When(d)},
		{"section", d.Section},
	})
	if d.Why != "" {
		fmt.Fprintf(out, "\n%s\n", wrap(d.Why, pageWidth))
	}
	accept, refuse := reference.Captions(d)
	explainExample(out, accept, d, d.Good)
	explainExample(out, refuse, d, d.Bad)
}

// explainExample writes an example with its answer, or nothing where there is none.
func explainExample(out io.Writer, caption string, d *diag.Rule, e diag.Example) {
	if e.Request == "" {
		return
	}
	fmt.Fprintf(out, "\n%s:\n\n%s\n", caption, indented(reference.Pretty(e.Request)))
	if answer := answerExample(d, e.Request); answer != "" {
		fmt.Fprintf(out, "\nAnswered:\n\n%s\n", indented(answer))
	}
	if e.Answer != "" {
		fmt.Fprintf(out, "\nThe answer contains:\n\n%s\n", indented(reference.Pretty(e.Answer)))
	}
}

// answerExample puts the request of an example of the rule to what answers such requests, and
// returns what comes out, a line for each finding.
func answerExample(d *diag.Rule, request string) string {
	switch {
	case d.When == diag.Key:
		_, findings := rtdbauth.ParseKeyFile([]byte(request))
		return verdict("", findings)
	case reference.Room(d) == "rtdb":
		return answerAccess(request)
	case strings.Contains(request, `"op":`):
		return answerRequest(request)
	default:
		return answerExpand(request)
	}
}

// answerRequest answers a request about an event.
func answerRequest(request string) string {
	var req event.Request
	if err := req.UnmarshalJSON([]byte(request)); err != nil {
		return err.Error()
	}
	result := event.Check(&req)
	return verdict(result.Error, result.Findings)
}

// answerAccess answers a request to a database.
func answerAccess(request string) string {
	var req rtdbauth.Request
	if err := req.UnmarshalJSON([]byte(request)); err != nil {
		return err.Error()
	}
	result := rtdbauth.Check(&req)
	lines := []string{fmt.Sprintf("principal %s, rules %s, read %s, write %s", result.Principal, result.Rules, result.Read, result.Write)}
	return strings.Join(append(lines, findingLines(result.Findings)...), "\n")
}

// answerExpand answers a request for the instances of a series.
func answerExpand(request string) string {
	var req event.ExpandRequest
	if err := req.UnmarshalJSON([]byte(request)); err != nil {
		return err.Error()
	}
	result := event.Expand(&req)
	if result.Error != "" || result.Findings != nil {
		return verdict(result.Error, result.Findings)
	}
	var b strings.Builder
	writeInstances(&b, result, nil)
	return strings.TrimSuffix(b.String(), "\n")
}

// verdict says whether a request is accepted, with the findings.
func verdict(failure string, findings diag.Findings) string {
	lines := []string{"accepted, without findings"}
	switch {
	case failure != "":
		return failure
	case findings.Rejected():
		lines[0] = "refused:"
	case len(findings) > 0:
		lines[0] = "accepted, with findings:"
	}
	return strings.Join(append(lines, findingLines(findings)...), "\n")
}

func findingLines(findings diag.Findings) []string {
	var lines []string
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s %s", f.Kind, visible(f.String())))
	}
	return lines
}

// indented moves every line of the text to the right.
func indented(text string) string {
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
}

// wrap breaks text between words so that no line is longer than width characters, unless a
// word is.
func wrap(text string, width int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := len([]rune(word))
		switch {
		case column == 0:
		case column+1+n > width:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String()
}
