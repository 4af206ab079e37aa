package limits_test

import (
	"testing"

	"github.com/calrules/calrules/internal/surface"
	"github.com/calrules/calrules/limits"
)

// TestMisuse calls every exported function with the zero value and with what is out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"AddressHash": limits.AddressHash, "Dialects": limits.Dialects, "EventIDAlphabet": limits.EventIDAlphabet,
		"HasScheme": limits.HasScheme, "IsAddrSpec": limits.IsAddrSpec, "IsContactName": limits.IsContactName,
		"IsDate": limits.IsDate, "IsDateTime": limits.IsDateTime, "IsEventID": limits.IsEventID,
		"IsHTTPURL": limits.IsHTTPURL, "IsMeetingCode": limits.IsMeetingCode, "IsSIPURI": limits.IsSIPURI,
		"IsTelURI": limits.IsTelURI, "IsWellFormedURI": limits.IsWellFormedURI, "IsZone": limits.IsZone,
		"LongerThan": limits.LongerThan, "Nearest": limits.Nearest, "NearestZone": limits.NearestZone,
		"ParseDate": limits.ParseDate, "ParseDateTime": limits.ParseDateTime, "SameAddress": limits.SameAddress,
		"Table": limits.Table, "Zones": limits.Zones,
	}, limits.Constraint{}, limits.Date{}, limits.DateTime{}, limits.Dialect(0))
}
