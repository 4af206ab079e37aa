package rtdbgen

import (
	"strings"
	"testing"
)

// TestVocabularyIsUsed checks that the variants use all that they may name.
func TestVocabularyIsUsed(t *testing.T) {
	var names []string
	for name := range language().Steps {
		names = append(names, "| "+name)
	}
	for name := range language().Words {
		names = append(names, "<"+name)
	}
	for _, name := range names {
		if !strings.Contains(variantsText, name) {
			t.Errorf("no variant uses %q", name)
		}
	}
}

// TestDerivedVariantsAreUsed checks that each rule with derived variants has them in the text.
func TestDerivedVariantsAreUsed(t *testing.T) {
	for rule, derived := range derived() {
		if len(variants()[rule]) < len(derived) {
			t.Errorf("the text lacks the derived variants of %s", rule)
		}
	}
}
