package form_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/form"
)

// faults are the functions that explain why a text does not have a form, each with the form and texts that have it.
var faults = map[string]struct {
	is    func(string) bool
	why   func(string) form.Fault
	seeds []string
}{
	"address":  {form.IsAddrSpec, form.AddressFault, addresses},
	"date":     {form.IsDate, form.DateFault, dates},
	"dateTime": {func(s string) bool { _, ok := form.ParseDateTime(s); return ok }, form.DateTimeFault, dateTimes},
	"time":     {form.IsDateTime, form.TimestampFault, dateTimes},
	"id":       {func(s string) bool { return form.EventIDAlphabet(s) < 0 }, form.EventIDFault, []string{"abcde"}},
	"code":     {form.IsMeetingCode, form.MeetingCodeFault, []string{"abc-mnop-xyz"}},
	"contact":  {form.IsContactName, form.ContactNameFault, []string{"people/c12345"}},
	"uri":      {form.IsWellFormedURI, form.URIFault, slices.Concat(uris, httpURLs, telURIs, sipURIs)},
	"url":      {form.IsHTTPURL, func(s string) form.Fault { return form.SchemeFault(s, "https", "http") }, httpURLs},
	"sip":      {form.IsSIPURI, func(s string) form.Fault { return form.SchemeFault(s, "sip") }, sipURIs},
	"tel":      {form.IsTelURI, func(s string) form.Fault { return form.SchemeFault(s, "tel") }, telURIs},
}

// checkFaults tests that a text has a fault exactly if it does not have the form, and that what was probably meant has it.
func checkFaults(t interface{ Fatalf(string, ...any) }, name, s string) {
	f := faults[name]
	switch fault := f.why(s); {
	case f.is(s) != (fault == form.Fault{}), f.is(s) != (fault.Key == ""):
		t.Fatalf("%s %q: accepted %t, the fault is %+v", name, s, f.is(s), fault)
	case fault.Want != "" && !f.is(fault.Want):
		t.Fatalf("%s %q: %+v", name, s, fault)
	}
}

// TestFaults has a text for each fault, and what was probably meant.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		form, text string
		want       form.Fault
	}{
		{"address", "ada@example.com,", form.Fault{Key: "comma-end", Want: "ada@example.com"}},
		{"address", "Ada <ada@example.com>", form.Fault{Key: "display-name", Want: "ada@example.com"}},
		{"address", "a b@example.com", form.Fault{Key: "space"}},
		{"address", "ada@exämple.com", form.Fault{Key: "domain-not-ascii", Seen: "ä"}},
		{"address", "<ada@example.com>", form.Fault{Key: "brackets", Want: "ada@example.com"}},
		{"address", "<ada@example.com", form.Fault{Key: "character", Seen: "<"}},
		{"address", "Ada <ada@example.com", form.Fault{Key: "space"}},
		{"address", "ada>b@example.com", form.Fault{Key: "character", Seen: ">"}},
		{"address", "mailto:", form.Fault{Key: "no-at"}},
		{"address", "mailto:ada@example.com", form.Fault{Key: "mailto", Want: "ada@example.com"}},
		{"address", "ada@example.com, bob@example.com", form.Fault{Key: "several"}},
		{"address", "ada,bob@example.com", form.Fault{Key: "character", Seen: ","}},
		{"address", "ada@[a b@c]", form.Fault{Key: "literal"}},
		{"address", "@[a@b]", form.Fault{Key: "no-local"}},
		{"address", `"`, form.Fault{Key: "no-at"}},
		{"address", `"ada@example.com"`, form.Fault{Key: "quoted", Want: "ada@example.com"}},
		{"address", "a@b@example.com", form.Fault{Key: "two-ats"}},
		{"address", "ada\u0080@example.com", form.Fault{Key: "local-not-ascii", Seen: "\u0080"}},
		{"address", "ada\x7f@example.com", form.Fault{Key: "character", Seen: "\x7f"}},
		{"date", "2026-03-10T", form.Fault{Key: "has-time", Want: "2026-03-10"}},
		{"date", "2026-03-10x", form.Fault{Key: "form"}},
		{"date", "2026-03-10 ", form.Fault{Key: "blank-around", Want: "2026-03-10"}},
		{"date", "2026-3-1x", form.Fault{Key: "one-digit", Seen: "3"}},
		{"date", "2026/3", form.Fault{Key: "hyphens", Seen: "/"}},
		{"dateTime", "20260310T090000Z", form.Fault{Key: "compact", Want: "2026-03-10T09:00:00Z"}},
		{"dateTime", "20260310 090000Z", form.Fault{Key: "compact"}},
		{"dateTime", "20260310x", form.Fault{Key: "compact"}},
		{"dateTime", "2026-03-10T09:00:00+", form.Fault{Key: "trailing", Seen: "+"}},
		{"dateTime", "2026-03-10T09:00:00+01:", form.Fault{Key: "trailing", Seen: "+01:"}},
		{"dateTime", "20260310", form.Fault{Key: "is-date"}},
		{"dateTime", "2026-03-10t09.00", form.Fault{Key: "colons", Seen: ".", Want: "2026-03-10T09:00:00"}},
		{"dateTime", "2026-03-10T09:00:00+01:00[Europe/Berlin]", form.Fault{Key: "bracketed-zone", Seen: "Europe/Berlin", Want: "2026-03-10T09:00:00+01:00"}},
		{"dateTime", "2026-03-10T09:00:00[Europe/Berlin", form.Fault{Key: "trailing", Seen: "[Europe/Berlin"}},
		{"dateTime", "2026-03-10T09:00:00]", form.Fault{Key: "trailing", Seen: "]"}},
		{"dateTime", "2026-03-10T09:00:00+0a:00", form.Fault{Key: "trailing", Seen: "+0a:00"}},
		{"dateTime", "2026-03-10T09:00:00+001:00", form.Fault{Key: "trailing", Seen: "+001:00"}},
		{"dateTime", "2026-03-10T09:00:00+01:0", form.Fault{Key: "trailing", Seen: "+01:0"}},
		{"dateTime", "2026-03-10T09:00:00+23:60", form.Fault{Key: "offset-range", Seen: "+23:60"}},
		{"dateTime", "2026-03-10T09:00:00+24:59", form.Fault{Key: "offset-range", Seen: "+24:59"}},
		{"dateTime", "2026-03-10T23:59:60+23:00", form.Fault{Key: "no-leap"}},
		{"dateTime", "2026-03-10T23:59:60+22:59", form.Fault{Key: "no-leap"}},
		{"uri", "example", form.Fault{Key: "no-scheme"}},
		{"uri", ":x", form.Fault{Key: "no-scheme"}},
		{"uri", "1a:x", form.Fault{Key: "no-scheme"}},
		{"uri", "a_b:x", form.Fault{Key: "no-scheme"}},
		{"uri", "@a:b", form.Fault{Key: "no-scheme"}},
		{"uri", "http://example.com/a b", form.Fault{Key: "space", Want: "http://example.com/a%20b"}},
		{"uri", "http://ex ample.com/a", form.Fault{Key: "space"}},
		{"uri", "ftp://example.com/a b", form.Fault{Key: "space"}},
		{"uri", "sip:\u00a0", form.Fault{}}, // accepted, as all other letters that are not ASCII
		{"uri", "sip:?x", form.Fault{Key: "no-host"}},
		{"uri", "sip:", form.Fault{Key: "no-host"}},
		{"uri", "tel:1\u00e9", form.Fault{Key: "dial", Seen: "\u00e9"}},
		{"uri", "tel:\u0080", form.Fault{Key: "encode", Seen: "\u0080"}},
		{"uri", "http://example.com/\x7f", form.Fault{Key: "encode", Seen: "\x7f", Want: "http://example.com/%7F"}},
		{"uri", "http://example.com/\u0080", form.Fault{Key: "encode", Seen: "\u0080", Want: "http://example.com/%C2%80"}},
		{"uri", "http://example.com/\ufffd b", form.Fault{Key: "encode", Seen: "\ufffd", Want: "http://example.com/%EF%BF%BD%20b"}},
		{"uri", "http://example.com/\u6f22 b", form.Fault{Key: "space", Want: "http://example.com/\u6f22%20b"}},
		{"uri", "http:example.com", form.Fault{Key: "no-slashes", Want: "http://example.com"}},
		{"date", "2026/3/1", form.Fault{Key: "hyphens", Seen: "/", Want: "2026-03-01"}},
		{"date", "2026-02-29", form.Fault{Key: "no-day"}},
		{"date", "2026-2-29", form.Fault{Key: "no-day"}},
		{"dateTime", "2026-03-10 9:00", form.Fault{Key: "t", Seen: " ", Want: "2026-03-10T09:00:00"}},
		{"dateTime", "2026-03-10T09:00:00-0430", form.Fault{Key: "offset", Seen: "-0430", Want: "2026-03-10T09:00:00-04:30"}},
		{"dateTime", "2026-03-10T09:00:00-430", form.Fault{Key: "offset", Seen: "-430", Want: "2026-03-10T09:00:00-04:30"}},
		{"dateTime", "2026-03-10T25:00:00Z", form.Fault{Key: "hour", Seen: "25"}},
		{"dateTime", "2026-03-10T23:59:60Z", form.Fault{Key: "no-leap"}},
		{"dateTime", "2026-03-10T09:00:00 at noon", form.Fault{Key: "blank-before-offset"}},
		{"time", "2026-03-10T09:00:00", form.Fault{Key: "no-offset", Want: "2026-03-10T09:00:00Z"}},
		{"id", "AB-CD-EF", form.Fault{Key: "alphabet", Want: "abcdef"}},
		{"id", "aBcdE1", form.Fault{Key: "alphabet"}},
		{"code", "abc", form.Fault{Key: "form"}},
		{"url", "ftp://example.com", form.Fault{Key: "other-scheme", Seen: "ftp"}},
		{"url", "http://[::1", form.Fault{Key: "form"}},
		{"uri", "sip:a@b:c", form.Fault{Key: "port", Seen: "c"}},
		{"uri", "http://[::1]:c", form.Fault{Key: "port", Seen: "c"}},
		{"uri", "tel:1+2", form.Fault{Key: "dial", Seen: "+"}},
		{"uri", "tel:1;ext=5 6", form.Fault{Key: "space", Want: "tel:1;ext=56"}},
		{"uri", "tel:1?2", form.Fault{Key: "dial", Seen: "?"}},
		{"sip", "tel:5551234", form.Fault{Key: "other-scheme", Seen: "tel"}},
		{"tel", "sip:5551234@h.example", form.Fault{Key: "other-scheme", Seen: "sip"}},
		{"tel", "+1 555", form.Fault{Key: "no-scheme", Want: "tel:+1555"}},
	} {
		if got := faults[test.form].why(test.text); got != test.want {
			t.Errorf("%s %q: got %+v, want %+v", test.form, test.text, got, test.want)
		}
	}
}

func TestFaultsAreOfWhatIsRefused(t *testing.T) {
	piece := rapid.SampledFrom([]string{"2026", "-", "03", "T", "9", ":", "60", "Z", "tel:", "http:", "//", "@", "a.b", " ", "%", "[", "]", ".", "<", ">", `"`})
	text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ -~]{0,30}`), rapid.StringMatching(`[0-9T:+/. -]{0,30}`),
		rapid.Map(rapid.SliceOf(piece), func(pieces []string) string { return strings.Join(pieces, "") }))
	for name, f := range faults {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			checkFaults(t, name, text.Draw(t, "text"))
			checkFaults(t, name, mutated(t, f.seeds))
		}))
	}
}
