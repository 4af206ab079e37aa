package gen

import "github.com/calrules/calrules/internal/gen/script"

// VariantsText is the text with the variants that are written by hand.
var VariantsText = variantsText

// Vocabulary lists what the text may name: the steps with their parts, and words.
func Vocabulary() (names []string) {
	for name := range eventSteps() {
		names = append(names, "with "+name)
	}
	for name := range language().Steps {
		names = append(names, "| "+name)
	}
	for name := range language().Words {
		names = append(names, "<"+name)
	}
	return names
}

// CompileVariant compiles the steps of a variant.
func CompileVariant(name string, steps ...string) {
	newVariant(script.Variant{Name: name, Steps: steps})
}
