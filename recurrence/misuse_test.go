package recurrence_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/recurrence"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"UTCValue":   recurrence.UTCValue,
		"LocalValue": recurrence.LocalValue, "DateValue": recurrence.DateValue,
		"Parse": recurrence.Parse, "ParseRule": recurrence.ParseRule, "Read": recurrence.Read, "Rules": recurrence.Rules,
		"StartClock": recurrence.StartClock, "StartDate": recurrence.StartDate, "StartTime": recurrence.StartTime,
	}, recurrence.Advice{}, &recurrence.BudgetError{}, recurrence.ByDay{}, recurrence.Dates{}, recurrence.Duration{},
		recurrence.Form(0), recurrence.Freq(0), &recurrence.InvalidError{}, recurrence.Period{}, &recurrence.Reading{},
		recurrence.Rule{}, recurrence.Series{}, recurrence.Set{}, &recurrence.EditError{}, recurrence.Lines{}, recurrence.Start{}, &recurrence.SyntaxError{},
		recurrence.Value{})
}
