package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/batch"
	"github.com/calrules/calrules/internal/occasion"
	"github.com/calrules/calrules/internal/reference"
	"github.com/calrules/calrules/internal/rtdbline"
	"github.com/calrules/calrules/rtdbauth"
)

func newExplain(c *console) *cobra.Command {
	format := newFormat(listFormats)
	command := &cobra.Command{
		Use:   "explain [flags] ID",
		Short: "Explain a rule",
		Long: `Explain the rule ID: what it says, its source, why it exists, and a good and a bad
example with their answers. With --format json or ndjson, write the same object as
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
				format.write(c.out, reference.Data(rule))
			} else {
				c.explain(c.out, rule)
			}
			return nil
		},
	}
	format.add(command, "output format; json is indented, ndjson is one line")
	return command
}

// pageWidth is the width of running text.
const pageWidth = 80

// explain writes the page of a rule.
func (c *console) explain(out io.Writer, r *diag.Rule) {
	fmt.Fprintf(out, "%s\n\n%s\n\n", r.ID, wrap(r.Summary, pageWidth))
	var rows [][]string
	for _, p := range reference.Properties(r) {
		rows = append(rows, []string{p.Name, p.Value})
	}
	writeTable(out, rows)
	if r.Why != "" {
		fmt.Fprintf(out, "\n%s\n", wrap(r.Why, pageWidth))
	}
	good, bad := reference.Captions(r)
	c.explainExample(out, good, r, r.Good)
	c.explainExample(out, bad, r, r.Bad)
}

// explainExample writes an example with the answer to it.
func (c *console) explainExample(out io.Writer, caption string, r *diag.Rule, e diag.Example) {
	fmt.Fprintf(out, "\n%s:\n\n%s\n", caption, indented(reference.Pretty(e.Request)))
	fmt.Fprintf(out, "\nAnswer:\n\n%s\n", indented(c.answerExample(r, e.Request)))
	if e.Answer != "" {
		fmt.Fprintf(out, "\n%s:\n\n%s\n", reference.AnswerCaption(e), indented(reference.Pretty(e.Answer)))
	}
}

// answerExample answers the request of an example, and returns a line for each finding.
func (c *console) answerExample(r *diag.Rule, request string) string {
	switch {
	case r.When == occasion.Key:
		_, findings := rtdbauth.ParseKeyFile([]byte(request))
		return verdict("", findings)
	case reference.Group(r) == "rtdb":
		var req rtdbline.Request
		readExample(request, &req)
		result := rtdbline.Check(&req)
		decision := fmt.Sprintf("principal %s, rules %s, read %s, write %s", result.Principal, result.Rules(), result.Access(), result.Access())
		return withFindings(decision, result.Findings)
	case strings.Contains(request, `"op":`):
		var req batch.Request
		readExample(request, &req)
		result, err := req.Check(&c.checker)
		if err != nil {
			return err.Error()
		}
		return verdict("", result.Findings)
	default:
		var req batch.Expansion
		readExample(request, &req)
		result := batch.Expand(&req)
		if result.Instances == nil {
			return verdict(result.Error, result.Findings)
		}
		var b strings.Builder
		writeInstances(&b, result, nil)
		return strings.TrimSuffix(b.String(), "\n")
	}
}

// readExample decodes a request that a rule declares.
func readExample(request string, into any) {
	if err := json.Unmarshal([]byte(request), into); err != nil {
		panic(err)
	}
}

// verdict says whether a request is accepted, and lists the findings.
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

// withFindings returns a line of text followed by a line for each finding.
func withFindings(text string, findings diag.Findings) string {
	for _, f := range findings {
		text += fmt.Sprintf("\n%s %s", f.Kind, visible(f.String()))
	}
	return text
}

// indented indents every line of a text.
func indented(text string) string {
	return margin + strings.ReplaceAll(text, "\n", "\n"+margin)
}

// wrap breaks text between words into lines of at most width characters. A longer word has a
// line to itself.
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
