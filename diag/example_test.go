package diag_test

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/calrules/calrules/diag"
)

// A rule has an id, a description and sentences.
var evenRule = diag.Rule{
	ID: "numbers.even", Kind: diag.Reject, When: diag.Create, Basis: diag.Stated,
	Summary: "Every number is even.",
	Says:    diag.Sentences{{Key: "odd", Text: "The number is {n}; it must be even."}},
}

func ExampleFindings_Err() {
	findings := diag.Findings{{Rule: &evenRule, Kind: diag.Reject, Basis: diag.Stated, Path: "/numbers/1", Key: "odd", Args: []diag.Arg{diag.Number("n", 3)}}}
	err := fmt.Errorf("create: %w", findings.Err())

	var refused *diag.Error
	if errors.As(err, &refused) {
		for _, f := range refused.Findings {
			fmt.Println(f.Path, f.Rule.ID)
		}
	}
	// Output: /numbers/1 numbers.even
}

func ExampleFindings_Problem() {
	findings := diag.Findings{{Rule: &evenRule, Kind: diag.Reject, Basis: diag.Stated, Path: "/numbers/1", Key: "odd", Args: []diag.Arg{diag.Number("n", 3)}}}
	text, _ := json.Marshal(findings.Problem(422).Errors)
	fmt.Printf("%s\n", text)
	// Output: [{"detail":"The number is 3; it must be even.","pointer":"#/numbers/1","rule":"numbers.even","kind":"reject","basis":"stated"}]
}

func ExamplePointer() {
	p := diag.Pointer("/extendedProperties").Member("private").Member("a/b")
	fmt.Println(p)
	for token := range p.Tokens() {
		fmt.Println(token)
	}
	// Output:
	// /extendedProperties/private/a~1b
	// extendedProperties
	// private
	// a/b
}

func ExampleGrading_With() {
	known := diag.NewCatalogue([]*diag.Rule{&evenRule})
	grading := diag.Lenient().With(map[string]string{"numbers.even": "advise"})
	fmt.Println(grading.Grade(&evenRule, diag.Reject), grading.Validate(known))

	grading = diag.Grading{}.With(map[string]string{"numbers.even": "ignore"})
	fmt.Println(grading.Validate(known))
	// Output:
	// advise <nil>
	// grade of "numbers.even" is "ignore"; it must be reject, advise or off
}
