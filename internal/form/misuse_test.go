package form_test

import (
	"testing"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/testing/surface"
)

// TestMisuse calls every exported function with the zero value and with values out of range.
func TestMisuse(t *testing.T) {
	surface.CheckZero(t, ".", map[string]any{
		"AddressFault": form.AddressFault, "ContactNameFault": form.ContactNameFault, "DateFault": form.DateFault, "DateTimeFault": form.DateTimeFault,
		"EventIDFault": form.EventIDFault, "MeetingCodeFault": form.MeetingCodeFault, "SchemeFault": form.SchemeFault,
		"TimestampFault": form.TimestampFault, "URIFault": form.URIFault,
		"EventIDAlphabet": form.EventIDAlphabet, "HasScheme": form.HasScheme, "IsAddrSpec": form.IsAddrSpec, "IsContactName": form.IsContactName,
		"IsASCIIHost": form.IsASCIIHost, "IsB64Token": form.IsB64Token, "IsDatabaseName": form.IsDatabaseName, "IsFieldToken": form.IsFieldToken,
		"IsHostLabel": form.IsHostLabel, "IsIdentityToken": form.IsIdentityToken,
		"IsDate": form.IsDate, "IsDateTime": form.IsDateTime, "IsEventID": form.IsEventID, "IsHTTPURL": form.IsHTTPURL, "IsMeetingCode": form.IsMeetingCode,
		"IsSIPURI": form.IsSIPURI, "IsTelURI": form.IsTelURI, "IsWellFormedURI": form.IsWellFormedURI, "IsZone": form.IsZone, "LongerThan": form.LongerThan, "MostSimilar": form.MostSimilar,
		"Nearest": form.Nearest, "NewEventID": form.NewEventID, "NearestZone": form.NearestZone, "ParseDate": form.ParseDate, "ParseDateTime": form.ParseDateTime, "SameAddress": form.SameAddress,
		"TwoDigits": form.TwoDigits, "WindowsZone": form.WindowsZone, "ZoneIndex": form.ZoneIndex, "Zones": form.Zones,
	}, form.Date{}, form.DateTime{}, new(form.Words))
}
