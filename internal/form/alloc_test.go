package form_test

import (
	"testing"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/form"
)

// leaves are the checks that the rules call, each with a typical valid string. The benchmarks use them too.
var leaves = []struct {
	name  string
	check func(string) bool
	valid string
}{
	{"LongerThan/ascii", func(s string) bool { return !form.LongerThan(s, constraint.EntryPointLabelMaxLength) }, "meet.example.com/abc-mnop-xyz"},
	{"LongerThan/counted", func(s string) bool { return !form.LongerThan(s, 20) }, "Besprechung über Öl"},
	{"EventID", form.IsEventID, "7cbh8rpc10lrc0ckih9tafss99"},
	{"Date", form.IsDate, "2025-03-01"},
	{"DateTime/utc", form.IsDateTime, "2025-03-01T09:30:00Z"},
	{"DateTime/offset", form.IsDateTime, "2025-03-01T09:30:00.123-05:00"},
	{"DateTime/leap", form.IsDateTime, "1990-12-31T15:59:60-08:00"},
	{"AddrSpec/dot-atom", form.IsAddrSpec, "jane.doe@mail.example.com"},
	{"AddrSpec/quoted", form.IsAddrSpec, `"jane \"j\" doe"@[192.0.2.1]`},
	{"HTTPURL/ascii", form.IsHTTPURL, "https://meet.example.com/abc-mnop-xyz?hs=122"},
	{"HTTPURL/iri", form.IsHTTPURL, "https://résumé.example.org/日本?q=%C3%A9"},
	{"HTTPURL/ipv6", form.IsHTTPURL, "http://user@[2001:db8::7]:8080/x"},
	{"TelURI", form.IsTelURI, "tel:+12345,,,12345678%23"},
	{"SIPURI", form.IsSIPURI, "sip:room@example.com"},
	{"Zone", form.IsZone, "America/New_York"},
	{"MeetingCode", form.IsMeetingCode, "abc-mnop-xyz"},
	{"ContactName", form.IsContactName, "people/c123456789"},
	{"SameAddress", func(s string) bool { return form.SameAddress(s, "jane.doe@mail.example.com") }, "jane.doe@Mail.Example.com"},
	{"Enum", constraint.EventType.Has, "workingLocation"},
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
			if form.IsZone(name) {
				t.Errorf("IsZone(%q) is true", name)
			}
		})
		if n != 0 {
			t.Errorf("IsZone(%q) allocates %v times", name, n)
		}
	}
}
