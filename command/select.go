package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/reference"
)

// selection selects the rules whose findings are reported. Each entry in a selection is a rule id, a prefix of ids, such as
// time or conference.entry, or a basis, such as basis:observed.
type selection struct {
	selected, ignored []string // if selected is empty, all rules are selected
}

func (s *selection) add(command *cobra.Command, completion cobra.CompletionFunc) {
	set := command.Flags()
	set.StringSliceVar(&s.selected, "select", nil, "report only these `rules`: ids, prefixes such as time, or bases such as basis:rfc")
	set.StringSliceVar(&s.ignored, "ignore", nil, "do not report these `rules`; the more specific of --select and --ignore wins")
	complete(command, "select", completion)
	complete(command, "ignore", completion)
}

// completeRules completes the entry after the last comma, with rule ids, their first words, and bases.
func (c *console) completeRules(_ *cobra.Command, _ []string, begun string) (entries []string, _ cobra.ShellCompDirective) {
	before := begun[:strings.LastIndexByte(begun, ',')+1]
	for _, basis := range reference.Bases() {
		entries = append(entries, before+reference.BasisPrefix+basis)
	}
	groups := map[string]bool{}
	for r := range c.checker.Catalogue().All() {
		if group := reference.Group(r); !groups[group] {
			groups[group] = true
			entries = append(entries, before+group)
		}
		entries = append(entries, cobra.CompletionWithDesc(before+r.ID, r.Summary))
	}
	return slices.DeleteFunc(entries, func(e string) bool { return !strings.HasPrefix(e, begun) }), cobra.ShellCompDirectiveNoFileComp
}

// validate returns an error if an entry names no known rule.
func (s *selection) validate(known *diag.Catalogue) error {
	for _, entry := range slices.Concat(s.selected, s.ignored) {
		if basis, ok := strings.CutPrefix(entry, reference.BasisPrefix); ok {
			if bases := reference.Bases(); !slices.Contains(bases, basis) {
				return fmt.Errorf("%q is not a basis%s", entry, didYouMean(form.Nearest(basis, bases)))
			}
			continue
		}
		if !slices.ContainsFunc(known.Rules(), func(r *diag.Rule) bool { return specificity(entry, r) > 0 }) {
			var ids []string
			for r := range known.All() {
				ids = append(ids, r.ID, reference.Group(r))
			}
			return fmt.Errorf("%q is not the id of a rule, a prefix of ids, or a basis such as basis:rfc%s", entry, didYouMean(form.Nearest(entry, ids)))
		}
	}
	return nil
}

// specificity returns 0 if an entry does not select a rule, 1 if the entry is the rule's basis, and otherwise a value that
// increases with the length of the matching prefix of the id.
func specificity(entry string, r *diag.Rule) int {
	if basis, ok := strings.CutPrefix(entry, reference.BasisPrefix); ok {
		if basis == string(r.Basis) {
			return 1
		}
		return 0
	}
	entry = strings.TrimSuffix(entry, ".")
	if r.ID == entry || strings.HasPrefix(r.ID, entry+".") {
		return 1 + len(entry)
	}
	return 0
}

// has reports whether a rule is selected. The rule json.syntax is selected unless it is ignored by its full id, because no
// other rule reports invalid JSON.
func (s *selection) has(r *diag.Rule) bool {
	closest := func(entries []string) (most int) {
		for _, entry := range entries {
			most = max(most, specificity(entry, r))
		}
		return most
	}
	selected, ignored := closest(s.selected), closest(s.ignored)
	if r.ID == ruleid.JSONSyntax {
		return ignored < specificity(r.ID, r)
	}
	if len(s.selected) > 0 && selected == 0 {
		return false
	}
	return selected > ignored || ignored == 0
}

// grading returns the grading with all known rules that are not selected turned off. If all rules with the same first word
// are off, they share one entry, because gradings are validated with every request.
func (s *selection) grading(g diag.Grading, known *diag.Catalogue) diag.Grading {
	if len(s.selected) == 0 && len(s.ignored) == 0 {
		return g
	}
	silent := map[string][]string{}
	groups := map[string]int{}
	for r := range known.All() {
		group := reference.Group(r)
		groups[group]++
		if !s.has(r) {
			silent[group] = append(silent[group], r.ID)
		}
	}
	g.Rules = maps.Clone(g.Rules)
	if g.Rules == nil {
		g.Rules = map[string]diag.Grade{}
	}
	for group, ids := range silent {
		if len(ids) == groups[group] {
			maps.DeleteFunc(g.Rules, func(key string, _ diag.Grade) bool { return strings.HasPrefix(key, group+".") })
			ids = []string{group + "."}
		}
		for _, id := range ids {
			g.Rules[id] = diag.Off
		}
	}
	return g
}
