package gen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/calrules/calrules/internal/gen"
)

// TestVocabularyIsUsed checks that the variants use all that they may name.
func TestVocabularyIsUsed(t *testing.T) {
	for _, name := range gen.Vocabulary() {
		if !strings.Contains(gen.VariantsText, name) {
			t.Errorf("no variant uses %q", name)
		}
	}
}

// TestMistakesInVariants checks that a line that cannot be read panics, and that the panic shows the
// line.
func TestMistakesInVariants(t *testing.T) {
	for name, step := range map[string]string{
		"verb":        "explode /start",
		"occasion":    "on tuesday",
		"preparation": "with nobody",
		"value":       "/summary = <no such word>",
		"JSON":        `/summary = {"a":`,
		"more JSON":   `/summary = 1 2`,
		"expression":  "/summary = ~(a",
		"number":      "repeat",
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); !strings.Contains(fmt.Sprint(p), step[:4]) {
					t.Errorf("the panic is %v", p)
				}
			}()
			gen.CompileVariant("a mistake", step)
		})
	}
}
