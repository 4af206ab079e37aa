package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
)

func newRules(c *console) *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "rules [flags] [ID]",
		Short: "List the rules",
		Long: `List all rules, or one: id, kind, basis and summary. With --json each is an object with
when, section, why and an accepting and a refusing example beside these.`,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: completeRule,
		RunE: func(_ *cobra.Command, args []string) error {
			docs := reference.Catalogue().Rules()
			if len(args) == 1 {
				doc, err := findRule(args[0])
				if err != nil {
					return err
				}
				docs = []*diag.Rule{doc}
			}
			if asJSON {
				return writeJSON(c.out, rulesJSON(docs))
			}
			return writeRules(c.out, docs)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "write a JSON array")
	return command
}

// findRule returns the rule with the id given, or an error that names the nearest one.
func findRule(id string) (*diag.Rule, error) {
	if doc := reference.Catalogue().Lookup(id); doc != nil {
		return doc, nil
	}
	return nil, fmt.Errorf("there is no rule %q%s", id, didYouMean(id, ruleIDs(reference.Catalogue().Rules())))
}

func ruleIDs(docs []*diag.Rule) []string {
	ids := make([]string, len(docs))
	for i, doc := range docs {
		ids[i] = doc.ID
	}
	return ids
}

// completeRule offers the ids of the rules, with their summaries.
func completeRule(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var ids []string
	for doc := range reference.Catalogue().All() {
		if len(args) == 0 && strings.HasPrefix(doc.ID, begun) {
			ids = append(ids, cobra.CompletionWithDesc(doc.ID, doc.Summary))
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// writeRules writes a line for each rule.
func writeRules(out io.Writer, docs []*diag.Rule) error {
	rows := [][]string{{"ID", "KIND", "BASIS", "SUMMARY"}}
	for _, doc := range docs {
		rows = append(rows, []string{doc.ID, string(doc.Kind), string(doc.Basis), doc.Summary})
	}
	return writeTable(out, rows)
}

// writeTable writes rows in columns.
func writeTable(out io.Writer, rows [][]string) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// ruleJSON is a rule as data.
type ruleJSON struct {
	ID      string      `json:"id"`
	Kind    diag.Kind   `json:"kind"`
	When    diag.When   `json:"when"`
	Basis   diag.Basis  `json:"basis"`
	Summary string      `json:"summary"`
	Section string      `json:"section"`
	Why     string      `json:"why,omitempty"`
	Accept  exampleJSON `json:"accept"`
	Refuse  exampleJSON `json:"refuse"`
}

// exampleJSON is a request of the batch form and what its answer must contain.
type exampleJSON struct {
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
}

func rulesJSON(docs []*diag.Rule) []ruleJSON {
	list := make([]ruleJSON, len(docs))
	for i, d := range docs {
		list[i] = ruleJSON{
			d.ID, d.Kind, d.When, d.Basis, d.Summary, d.Section, d.Why,
			exampleJSON{json.RawMessage(d.Good.Request), json.RawMessage(d.Good.Answer)},
			exampleJSON{json.RawMessage(d.Bad.Request), json.RawMessage(d.Bad.Answer)},
		}
	}
	return list
}

// writeJSON writes a value on indented lines.
func writeJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
