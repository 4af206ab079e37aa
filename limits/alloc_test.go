package limits_test

import (
	"testing"

	"github.com/calrules/calrules/limits"
)

// leaves are the checks that the rules call, each with a typical valid string. The benchmarks use
// them too.
var leaves = []struct {
	name  string
	check func(string) bool
	valid string
}{
	{"LongerThan/ascii", func(s string) bool { return !limits.LongerThan(s, limits.EntryPointLabelMaxLength) }, "meet.example.com/abc-mnop-xyz"},
	{"LongerThan/counted", func(s string) bool { return !limits.LongerThan(s, 20) }, "Besprechung über Öl"},
	{"EventID", limits.IsEventID, "7cbh8rpc10lrc0ckih9tafss99"},
	{"Date", limits.IsDate, "2025-03-01"},
	{"DateTime/utc", limits.IsDateTime, "2025-03-01T09:30:00Z"},
	{"DateTime/offset", limits.IsDateTime, "2025-03-01T09:30:00.123-05:00"},
	{"DateTime/leap", limits.IsDateTime, "1990-12-31T15:59:60-08:00"},
	{"AddrSpec/dot-atom", limits.IsAddrSpec, "jane.doe@mail.example.com"},
	{"AddrSpec/quoted", limits.IsAddrSpec, `"jane \"j\" doe"@[192.0.2.1]`},
	{"HTTPURL/ascii", limits.IsHTTPURL, "https://meet.example.com/abc-mnop-xyz?hs=122"},
	{"HTTPURL/iri", limits.IsHTTPURL, "https://résumé.example.org/日本?q=%C3%A9"},
	{"HTTPURL/ipv6", limits.IsHTTPURL, "http://user@[2001:db8::7]:8080/x"},
	{"TelURI", limits.IsTelURI, "tel:+12345,,,12345678%23"},
	{"SIPURI", limits.IsSIPURI, "sip:room@example.com"},
	{"Zone", limits.IsZone, "America/New_York"},
	{"MeetingCode", limits.IsMeetingCode, "abc-mnop-xyz"},
	{"ContactName", limits.IsContactName, "people/c123456789"},
	{"SameAddress", func(s string) bool { return limits.SameAddress(s, "jane.doe@mail.example.com") }, "jane.doe@Mail.Example.com"},
	{"AddressHash", func(s string) bool { return limits.AddressHash(s) != 0 }, "jane.doe@mail.example.com"},
	{"Enum", limits.EventType.Has, "workingLocation"},
}

func TestValidAllocatesNothing(t *testing.T) {
	for _, leaf := range leaves {
		if n := testing.AllocsPerRun(100, func() {
			if !leaf.check(leaf.valid) {
				t.Errorf("%s rejects %q", leaf.name, leaf.valid)
			}
		}); n != 0 {
			t.Errorf("%s allocates %v times for %q", leaf.name, n, leaf.valid)
		}
	}
}

// unknownZones are names that IsZone must reject at no greater cost than it accepts a zone.
var unknownZones = []string{"", "America/New_Yorc", "Europe/Nowhere", "Pacific Standard Time", "a name longer than any that the database has"}

func TestUnknownZoneAllocatesNothing(t *testing.T) {
	for _, name := range unknownZones {
		n := testing.AllocsPerRun(100, func() {
			if limits.IsZone(name) {
				t.Errorf("IsZone(%q) is true", name)
			}
		})
		if n != 0 {
			t.Errorf("IsZone(%q) allocates %v times", name, n)
		}
	}
}
