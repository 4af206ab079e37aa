package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/reference"
)

var rules = list[*diag.Rule]{
	thing:  "rule",
	all:    func() []*diag.Rule { return reference.Catalogue().Rules() },
	id:     func(r *diag.Rule) (string, string) { return r.ID, r.Summary },
	header: []string{"ID", "KIND", "BASIS", "SUMMARY"},
	row:    func(r *diag.Rule) []string { return []string{r.ID, string(r.Kind), string(r.Basis), r.Summary} },
	data:   ruleData,
}

func newRules(c *console) *cobra.Command {
	return rules.command(&cobra.Command{
		Use:   "rules [flags] [ID]",
		Short: "List the rules",
		Long: `List all rules, or the rule ID: its id, kind, basis and summary. With --json, also
when it applies, its scope, the members that it reads, its section, the reason
for it, and a good and a bad example.`,
	}, c.out)
}

// ruleJSON is a rule as JSON.
type ruleJSON struct {
	ID      string      `json:"id"`
	Kind    diag.Kind   `json:"kind"`
	When    diag.When   `json:"when"`
	Basis   diag.Basis  `json:"basis"`
	Scope   diag.Scope  `json:"scope"`
	Reads   []string    `json:"reads,omitempty"`
	Summary string      `json:"summary"`
	Section string      `json:"section"`
	Why     string      `json:"why,omitempty"`
	Good    exampleJSON `json:"good"`
	Bad     exampleJSON `json:"bad"`
}

// exampleJSON is a request and what the answer to it contains.
type exampleJSON struct {
	Request json.RawMessage `json:"request,omitempty"`
	Answer  json.RawMessage `json:"answer,omitempty"`
	Via     string          `json:"via,omitempty"`
}

func ruleData(r *diag.Rule) any {
	example := func(e diag.Example) exampleJSON {
		return exampleJSON{json.RawMessage(e.Request), json.RawMessage(e.Answer), e.Via}
	}
	return ruleJSON{
		r.ID, r.Kind, r.When, r.Basis, r.Scope, r.Reads, r.Summary, r.Section, r.Why, example(r.Good), example(r.Bad),
	}
}
