package operation_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/operation"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"All": operation.All, "Deleting": operation.Deleting, "CheckPath": operation.CheckPath, "Lookup": operation.Lookup, "Resolve": operation.Resolve,
		"Rules": operation.Rules,
	}, operation.Calendar{}, operation.Caller{}, operation.IDFunc(nil), operation.IDList(nil), operation.Match{},
		operation.Effect{}, operation.Things(0), operation.Operation{}, operation.Param{}, operation.Params(nil), operation.Request{})
}
