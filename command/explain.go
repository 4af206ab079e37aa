package command

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/visible"
)

func newExplain(c *console) *cobra.Command {
	format := newFormat(listFormats)
	command := &cobra.Command{
		Use:   "explain [flags] ID",
		Short: "Explain a rule",
		Long: `Explain the rule ID: the requirement, its source, its reason, and a good and a bad
example with the answers to them. With --format json or ndjson, write the same object as
'calrules rules'.`,
		Example:           "  calrules explain reminders.minutes",
		ValidArgsFunction: c.rules().complete,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("explain requires the id of one rule; 'calrules rules' lists them")
			}
			rule, err := c.rules().find(args[0])
			if err != nil {
				return err
			}
			rule = reference.In(c.dialect, rule)
			if format.value != formatText {
				format.write(c.out, reference.Data(&c.checker, rule))
			} else {
				c.explain(c.out, rule)
			}
			return nil
		},
	}
	format.add(command, "output format; json is indented, ndjson is one line")
	return command
}

// pageWidth is the width of wrapped text, in characters.
const pageWidth = 80

// explain writes the page that describes a rule.
func (c *console) explain(out io.Writer, r *diag.Rule) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", r.ID, wrap(r.Summary, pageWidth))
	var rows [][]string
	for _, p := range reference.Properties(r) {
		rows = append(rows, []string{p.Name, p.Value})
	}
	if page := reference.URL(r); page != "" {
		rows = append(rows, []string{"page", page})
	}
	writeTable(out, rows)
	if r.Why != "" {
		fmt.Fprintf(out, "\n%s\n", wrap(r.Why, pageWidth))
	}
	kept, broken := reference.Captions(r)
	good, bad := r.Examples()
	c.explainExample(out, kept, r, good)
	c.explainExample(out, broken, r, bad)
}

// explainExample writes an example and the answer to its request.
func (c *console) explainExample(out io.Writer, caption string, r *diag.Rule, e diag.Example) {
	fmt.Fprintf(out, "\n%s:\n\n%s\n", caption, indented(pretty(e.Request)))
	fmt.Fprintf(out, "\nAnswer:\n\n%s\n", indented(c.answerExample(r, e.Request)))
	if e.Answer != "" {
		caption := "The answer contains"
		if e.Via != "" {
			caption = "The answer, passed through " + e.Via + ", contains"
		}
		fmt.Fprintf(out, "\n%s:\n\n%s\n", caption, indented(pretty(e.Answer)))
	}
}

// pretty indents JSON and returns any other text unchanged.
func pretty(text string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
		return text
	}
	return out.String()
}

// answerExample answers the request in an example and returns a line for each finding.
func (c *console) answerExample(r *diag.Rule, request string) string {
	outcome := reference.Try(&c.checker, r, request)
	switch {
	case outcome.Decision != nil:
		d := outcome.Decision
		decision := fmt.Sprintf("principal %s, rules %s, read %s, write %s", d.Principal, d.Rules(), d.Access(), d.Access())
		return withFindings(decision, outcome.Findings)
	case outcome.Expanded != nil && outcome.Expanded.Instances != nil:
		var b strings.Builder
		writeInstances(&b, *outcome.Expanded, nil)
		return strings.TrimSuffix(b.String(), "\n")
	default:
		return verdict(outcome.Failure, outcome.Findings)
	}
}

// verdict returns "accepted" or the reason for a rejection, with the findings.
func verdict(failure string, findings diag.Findings) string {
	switch {
	case failure != "":
		return failure
	case findings.Rejected():
		return withFindings("rejected:", findings)
	case len(findings) > 0:
		return withFindings("accepted, with findings:", findings)
	default:
		return "accepted"
	}
}

// withFindings returns the given text, followed by a line for each finding.
func withFindings(text string, findings diag.Findings) string {
	for _, f := range findings {
		text += fmt.Sprintf("\n%s %s", f.Kind, visible.Text(f.String()))
	}
	return text
}

// indented indents every line of text.
func indented(text string) string {
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
}

// wrap breaks text between words into lines of at most width characters. A longer word gets its own line.
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
