package constraint_test

import (
	"testing"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with the zero value and with values out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"Named":          constraint.Named,
		"OfOtherDialect": constraint.OfOtherDialect,
		"ReportMissing":  constraint.ReportMissing,
		"SaysRequired":   constraint.SaysRequired,
		"Suggest":        constraint.Suggest,
	}, &constraint.Constraint{})
}
