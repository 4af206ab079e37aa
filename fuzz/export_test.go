package fuzz

import (
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/gen"
	"github.com/calrules/calrules/internal/gen/draw"
	"github.com/calrules/calrules/internal/gen/draw/rapidgen"
	"github.com/calrules/calrules/operation"
)

// Case is one variant of breaking a rule, on one operation.
type Case struct {
	Rule, Variant string
	Op            operation.ID
	Draw          *rapid.Generator[Payload]
}

// Cases lists all of them.
func Cases() (cases []Case) {
	for _, rule := range Rules() {
		cases = append(cases, casesOf(rule, gen.Candidates(rule))...)
	}
	return cases
}

// CasesFromExamples lists the variants of a rule that come from its examples, also if it has others.
func CasesFromExamples(rule *diag.Rule) []Case {
	return casesOf(rule.ID, gen.ExampleCandidates(rule))
}

func casesOf(rule string, list []gen.Candidate) (cases []Case) {
	for _, c := range list {
		for _, op := range c.Ops {
			cases = append(cases, Case{rule, c.Name(), op, rapidgen.Of(draw.Map(c.On([]operation.ID{op}), newPayload))})
		}
	}
	return cases
}
