package diag_test

import (
	"testing"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/surface"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"Documented": diag.Documented, "Lenient": diag.Lenient,
		"NewCatalogue": diag.NewCatalogue, "Quote": diag.Quote, "Run": diag.Run[int],
		"Strict": diag.Strict,
	}, diag.Catalogue{}, &diag.Error{}, diag.Finding{}, diag.Findings(nil), diag.Grading{}, diag.Kind(""),
		diag.Pointer(""), diag.Report{}, diag.Reporter{}, diag.Rule{}, diag.When(0))
}
