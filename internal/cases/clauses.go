package cases

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/calrules/calrules/conformance"
)

// Clause is a part of a rule's statement. The README of the cases describes the columns of clauses.tsv.
type Clause struct {
	Name  string // the id of the rule, a number sign and a number, as in [Case.Covers]
	Rule  string // the id of the rule
	Shown string // the kinds of cases that can show the clause: both, keep or no
	Text  string
}

// Clauses returns the clauses of all rules, in file order. Clauses returns an error if a line is not a clause.
func Clauses() ([]Clause, error) {
	text, err := conformance.Files.ReadFile("clauses.tsv")
	if err != nil {
		panic(err) // impossible: the file is embedded
	}
	var all []Clause
	for line := range bytes.Lines(text) {
		if line[0] == '#' {
			continue
		}
		columns := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		if len(columns) != 4 {
			return nil, fmt.Errorf("clauses.tsv: %d columns instead of 4: %s", len(columns), line)
		}
		rule, number := columns[0], columns[1]
		all = append(all, Clause{Name: rule + "#" + number, Rule: rule, Shown: columns[2], Text: columns[3]})
	}
	return all, nil
}
