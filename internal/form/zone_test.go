package form_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/internal/form"
)

func TestIsZone(t *testing.T) {
	verdict(t, "IsZone", form.IsZone,
		[]string{
			"Europe/Paris", "America/New_York", "America/Argentina/Buenos_Aires", "America/Argentina/ComodRivadavia",
			"US/Pacific", "Asia/Calcutta", "Europe/Kyiv", "Europe/Kiev", // links, the last two of one zone
			"UTC", "Etc/UTC", "GMT", "GMT+0", "Etc/GMT-14", "Zulu", "W-SU", "EST", "EST5EDT", "America/Port-au-Prince",
		},
		[]string{
			"", "Local", "local", "utc", "europe/paris", "Europe/paris", "EUROPE/PARIS", " UTC", "UTC ", "UTC\n", "UTC\x00",
			"PST", "PDT", "CEST", "BST", "Z", "+01:00", "UTC+1", "GMT+1", "Etc/GMT-15", "Europe", "Europe/", "/Europe/Paris",
			"../etc/passwd", "Europe/../UTC", "./UTC", "posix/Europe/Paris", "right/UTC", "posixrules", "localtime", "tzdata.zi",
			"Pacific Standard Time", "America/New York", "US/Pacific-New", strings.Repeat("x", 32), strings.Repeat("Europe/", 1<<20),
		})
}

// Of several nearest zones, the first is meant.
func TestNearestZoneIsTheFirst(t *testing.T) {
	for _, name := range []string{"Asia/Macax", "Asia/Maca"} {
		if got, _ := form.NearestZone(name); got != "Asia/Macao" {
			t.Errorf("the zone nearest to %s is %s", name, got)
		}
	}
}

func TestZones(t *testing.T) {
	zones := slices.Collect(form.Zones())
	if !slices.IsSorted(zones) || len(slices.Compact(slices.Clone(zones))) != len(zones) {
		t.Error("the zones are not sorted, or not distinct")
	}
	for _, z := range zones {
		if !form.IsZone(z) {
			t.Errorf("IsZone rejects %q, which Zones yields", z)
		}
	}
}

func TestZoneIndex(t *testing.T) {
	want := 0
	for name := range form.Zones() {
		if number, ok := form.ZoneIndex(name); !ok || number != want {
			t.Errorf("ZoneIndex(%q) = %d, %t, want %d", name, number, ok, want)
		}
		want++
	}
	if number, ok := form.ZoneIndex("Europe/Nowhere"); ok {
		t.Errorf("ZoneIndex of no zone = %d", number)
	}
}

func TestNearestZone(t *testing.T) {
	for _, test := range []struct{ name, want string }{
		{"europe/paris", "Europe/Paris"},
		{"utc", "UTC"},
		{"America/New York", "America/New_York"},
		{"america/newyork", "America/New_York"},
		{"Amercia/Chicago", "America/Chicago"},
		{"Europe/Berlin ", "Europe/Berlin"},
		{"America/Argentina/ComodRivadavi", "America/Argentina/ComodRivadavia"},
		{"America/Argentina/ComodRivadaviaXX", "America/Argentina/ComodRivadavia"},
		{"est5edt", "EST5EDT"},
		{"PST", ""},   // not a misspelling of EST
		{"UTC+1", ""}, // not a misspelling of UTC
		{"Cubb", ""},  // too short
		{"Japam", "Japan"},
		{"Etc/GTM+0", ""}, // no number is a misspelling of another
		{"Etc/GTM+9", ""},
		{"Etc/GMT+15", ""},
		{"", ""},
		{"Local", ""},
		{"Middle/Earth", ""},
		{strings.Repeat("America/New_York", 1<<20), ""},
	} {
		if got, ok := form.NearestZone(test.name); got != test.want || ok != (test.want != "") {
			t.Errorf("NearestZone(%.40q) = %q, %t, want %q", test.name, got, ok, test.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"summary", "start", "status", "source", "attendees", "end", "id", "email"}
	for _, test := range []struct{ word, want string }{
		{"summary", "summary"},
		{"SUMMARY", "summary"},
		{"sumary", "summary"},     // one dropped
		{"summmary", "summary"},   // one added
		{"summery", "summary"},    // one changed
		{"summaryies", ""},        // three added
		{"sumamry", "summary"},    // two exchanged
		{"Atendees", "attendees"}, // case is ignored
		{"stats", "status"},       // one edit; start, which comes first, takes two
		{"di", ""},                // one edit is not fewer than half of two bytes
		{"ned", "end"},
		{"x", ""},
		{"", ""},
		{strings.Repeat("s", 65), ""},
	} {
		got, ok := form.Nearest(test.word, names)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Nearest(%.40q) = %q, %t, want %q", test.word, got, ok, test.want)
		}
	}
	if got, _ := form.Nearest("beach", []string{"teach", "reach", "peach"}); got != "teach" {
		t.Errorf("Nearest = %q, want the first of equals", got)
	}
	if got, _ := form.Nearest("abxcd", []string{"abyxzcd"}); got != "abyxzcd" {
		t.Errorf("Nearest = %q, want the one with a letter more on both sides of another", got)
	}
	long := strings.Repeat("s", 65)
	if got, ok := form.Nearest(long, []string{long}); ok {
		t.Errorf("Nearest(%q) = %q, want nothing for so long a word", long, got)
	}
	if got, ok := form.Nearest(long[1:], []string{long + "s"}); !ok || got != long+"s" {
		t.Errorf("Nearest(%q) = %q, %t, want the longest that is near", long[1:], got, ok)
	}
	if got, ok := form.Nearest("status", []string{strings.Repeat("x", 1000)}); ok {
		t.Errorf("Nearest = %q, want nothing for candidates that are much longer", got)
	}
	if got, _ := form.Nearest("STATUS", []string{"statuss", "status"}); got != "status" {
		t.Errorf("Nearest = %q, want the one that differs only in case", got)
	}
}

// Most words that are not near need not be compared, because of their letters.
func TestMayBeNear(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"start", "START", true},
		{"start", "status", true},
		{"start", "stopt", true}, // an o and a p more, an a and an r less
		{"start", "stop", false}, // and a second t less
		{"start", "stopsy", false},
		{"start", "sort it out", false},
		{"sort it out", "start", false},
		{"start", "startxyz", false},
		{"startxyz", "start", false},
		{"xyz", "abc", false},
	} {
		if got := form.MayBeNear(test.a, test.b, 2); got != test.want {
			t.Errorf("two edits may make %q of %q: %t, want %t", test.b, test.a, got, test.want)
		}
	}
}

// The zones that NearestZone compares are chosen quickly; the slow way compares all of them.
func TestNearestZoneAgrees(t *testing.T) {
	zones := slices.Collect(form.Zones())
	rapid.Check(t, func(t *rapid.T) {
		name := mutated(t, zones)
		want, ok := form.Nearest(name, zones)
		if len(name) <= 4 || strings.ContainsAny(name, "0123456789") {
			at := slices.IndexFunc(zones, func(z string) bool { return strings.EqualFold(z, name) })
			if want, ok = "", at >= 0; ok {
				want = zones[at]
			}
		}
		if got, near := form.NearestZone(name); got != want || near != ok {
			t.Fatalf("NearestZone(%q) = %q, %t, want %q, %t", name, got, near, want, ok)
		}
	})
}

// The nearest zone of a name of Windows is its counterpart, however similar another zone is.
func TestNearestZoneOfWindows(t *testing.T) {
	for name, want := range map[string]string{
		"Central Standard Time":          "America/Chicago",
		"UTC":                            "UTC",
		"Tonga Standard Time":            "Pacific/Tongatapu",
		"W. Europe Standard Time":        "Europe/Berlin",
		"Dateline Standard Time":         "Etc/GMT+12",
		"UTC+12":                         "Etc/GMT-12",
		"central standard time":          "",
		"Central Standard Time (Mexico)": "America/Mexico_City",
	} {
		if got, ok := form.NearestZone(name); got != want || ok != (want != "") {
			t.Errorf("NearestZone(%q) = %q, %t, want %q", name, got, ok, want)
		}
	}
}

func BenchmarkNearestZone(b *testing.B) {
	for _, name := range []string{"Europe/Berlni", "Middle/Earth", "America/Argentina/Ciudad", "Pacific Standard Time"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				form.NearestZone(name)
			}
		})
	}
}

// A zone is found in a few steps, since few zones share a place in the table.
func TestZonesAreSpread(t *testing.T) {
	const most = 6 // of 598 zones in 2048 places
	shared := make(map[uint]int)
	for zone := range form.Zones() {
		shared[form.ZoneHash(zone)]++
	}
	for hash, n := range shared {
		if n > most {
			t.Errorf("%d zones have the hash %d, want at most %d", n, hash, most)
		}
	}
}
