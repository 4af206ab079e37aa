package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/reference"
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
func explain(out io.Writer, d *diag.Doc) {
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
	explainExample(out, accept, d.Accept)
	explainExample(out, refuse, d.Refuse)
}

// explainExample writes an example with its answer, or nothing where there is none.
func explainExample(out io.Writer, caption string, e diag.Example) {
	if e.Request == "" {
		return
	}
	fmt.Fprintf(out, "\n%s:\n\n%s\n", caption, indented(reference.Pretty(e.Request)))
	if answer := answerExample(e); answer != "" {
		fmt.Fprintf(out, "\nAnswered:\n\n%s\n", indented(answer))
	}
	if e.Answer != "" {
		fmt.Fprintf(out, "\nThe answer contains:\n\n%s\n", indented(reference.Pretty(e.Answer)))
	}
}

// answerExample puts the request of an example to the rules and returns the findings, a line
// each.
func answerExample(e diag.Example) string {
	var req event.Request
	if err := readRequest([]byte(e.Request), &req); err != nil {
		return err.Error()
	}
	result := event.Check(&req)
	if result.Error != "" {
		return result.Error
	}
	lines := []string{"accepted, without findings"}
	switch {
	case !result.Accepted:
		lines[0] = "refused:"
	case len(result.Findings) > 0:
		lines[0] = "accepted, with findings:"
	}
	for _, f := range result.Findings {
		lines = append(lines, fmt.Sprintf("%s %s", f.Kind, visible(f.String())))
	}
	return strings.Join(lines, "\n")
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
