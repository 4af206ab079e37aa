package limits_test

import (
	"testing"

	"github.com/calrules/calrules/internal/testing/surface"
	"github.com/calrules/calrules/limits"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"IsAddrSpec": limits.IsAddrSpec, "IsDate": limits.IsDate, "IsDateTime": limits.IsDateTime,
		"IsEventID": limits.IsEventID, "IsHTTPURL": limits.IsHTTPURL, "IsZone": limits.IsZone,
		"SameAddress": limits.SameAddress, "Table": limits.Table,
	})
}
