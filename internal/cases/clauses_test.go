package cases_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/cases"
	"github.com/calrules/calrules/internal/reference"
)

// readClauses returns the clauses of all rules.
func readClauses(t *testing.T) []cases.Clause {
	t.Helper()
	all, err := cases.Clauses()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestClauses checks that the clauses of a rule stand together, with numbers from 1 on, and that every rule has some.
func TestClauses(t *testing.T) {
	seen := map[string]int{}
	previous := ""
	for _, c := range readClauses(t) {
		if c.Rule != previous && seen[c.Rule] > 0 {
			t.Errorf("%s: the clauses of the rule do not stand together", c.Name)
		}
		previous = c.Rule
		seen[c.Rule]++
		if want := fmt.Sprintf("%s#%d", c.Rule, seen[c.Rule]); c.Name != want {
			t.Errorf("%s is in the place of %s", c.Name, want)
		}
		if !slices.Contains([]string{"both", "keep", "no"}, c.Shown) {
			t.Errorf("%s: %q is none of both, keep and no", c.Name, c.Shown)
		}
	}
	for r := range reference.Catalogue().All() {
		if seen[r.ID] == 0 {
			t.Errorf("the rule %s has no clause", r.ID)
		}
	}
}

// TestCovers checks that the cases show every clause. They show a clause that can be broken if one of them expects a finding of
// its rule and another one expects none.
func TestCovers(t *testing.T) {
	kept, broken := map[string]bool{}, map[string]bool{}
	all := readClauses(t)
	for _, c := range read(t) {
		for _, name := range c.Covers {
			i := slices.IndexFunc(all, func(clause cases.Clause) bool { return clause.Name == name })
			switch {
			case i < 0:
				t.Errorf("%s.ndjson: %s covers %s, which is no clause", c.Group, c.Name, name)
			case c.Expect.Finds(all[i].Rule):
				broken[name] = true
			default:
				kept[name] = true
			}
		}
	}
	for _, c := range all {
		shown := c.Shown == "no" || kept[c.Name] && broken[c.Name] || c.Shown == "keep" && (kept[c.Name] || broken[c.Name])
		if !shown {
			t.Errorf("no cases show %s: one keeps it: %t, one breaks it: %t", c.Name, kept[c.Name], broken[c.Name])
		}
	}
}

// TestDialects checks that the cases of a clause that holds in google alone are in google. Where google is silent, only a case
// in another dialect breaks the clause.
func TestDialects(t *testing.T) {
	inGoogle := map[string]cases.Clause{}
	for _, c := range readClauses(t) {
		if strings.HasPrefix(c.Text, "(google") {
			inGoogle[c.Name] = c
		}
	}
	for _, c := range read(t) {
		var request struct{ Dialect any } // not a string in some cases
		if err := json.Unmarshal(c.Request, &request); err != nil {
			t.Fatal(err)
		}
		for _, name := range c.Covers {
			clause, ok := inGoogle[name]
			silent := strings.HasPrefix(clause.Text, "(google: silent)") && c.Expect.Finds(clause.Rule)
			if ok && !silent && request.Dialect != "google" {
				t.Errorf("%s.ndjson: %s is in another dialect than %s, %s", c.Group, c.Name, name, clause.Text)
			}
		}
	}
}
