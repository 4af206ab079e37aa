package diag_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"DialectOf": diag.DialectOf, "Differences": diag.Differences, "Documented": diag.Documented, "Lenient": diag.Lenient,
		"NewCatalogue": diag.NewCatalogue, "Name": diag.Name, "Names": diag.Names, "Number": diag.Number[int], "Plain": diag.Plain,
		"Strict": diag.Strict, "Value": diag.Value,
	}, diag.Catalogue{}, diag.Dialect(0), &diag.Error{}, diag.Example{}, diag.Finding{}, diag.Findings(nil), diag.Grading{}, diag.Kind(""),
		diag.Pointer(""), diag.Rule{}, diag.Sentences(nil), diag.Texts(nil), diag.When(0))
}
