package fuzz

import (
	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/operation"
)

// Occasion returns the occasion of an operation.
var Occasion = occasionOf

// MinMaxBody is the least [Mix.MaxBody].
const MinMaxBody = minMaxBody

// The parts of events.
var (
	Series     = anySeries
	Conference = conferenceToMake
	ID         = anyID
	ZoneName   = zoneName
	Text       = draw.Text
	Address    = draw.Address
)

// Case is one variant of breaking a rule, on one operation.
type Case struct {
	Rule, Variant string
	Op            operation.ID
	Draw          *rapid.Generator[Payload]
}

// Cases lists all of them.
func Cases() []Case {
	var cases []Case
	for _, rule := range Rules() {
		for _, c := range candidates(rules()[rule], nil) {
			for _, op := range c.ops {
				cases = append(cases, Case{rule, c.name, op, rapid.Custom(func(t *rapid.T) Payload {
					return c.draw(t, rules()[rule], []operation.ID{op})
				})})
			}
		}
	}
	return cases
}

// CasesFromExamples lists the variants of a rule that come from its examples, also if it has others.
func CasesFromExamples(rule *diag.Rule) (cases []Case) {
	for _, v := range exampleVariants(rule) {
		for _, op := range v.ops {
			cases = append(cases, Case{rule.ID, v.name, op, rapid.Custom(func(t *rapid.T) Payload {
				return v.draw(t, rule, []operation.ID{op})
			})})
		}
	}
	return cases
}

// VariantsText is the text with the variants that are written by hand.
var VariantsText = variantsText

// Vocabulary lists what the text may name: preparations, verbs, and the words of patterns and values.
func Vocabulary() (names []string) {
	for name := range preparations() {
		names = append(names, "with "+name)
	}
	for name := range verbs() {
		names = append(names, "| "+name)
	}
	for name := range deeds() {
		names = append(names, "do "+name)
	}
	for name := range texts() {
		names = append(names, "<"+name)
	}
	for name := range values() {
		names = append(names, "<"+name)
	}
	return names
}

// Compile compiles the steps of a variant.
func Compile(fields ...string) { newVariant(nil, fields) }
