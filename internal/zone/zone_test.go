package zone_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
	"pgregory.net/rapid"
)

// TestLoadEveryZone checks that every name of the table loads as a zone of that name.
func TestLoadEveryZone(t *testing.T) {
	for name := range form.Zones() {
		loc, ok := zone.Load(name)
		if !ok || loc.String() != name {
			t.Errorf("Load(%q) = %v, %t", name, loc, ok)
		}
		if loc == time.Local {
			t.Errorf("Load(%q) is the host's zone", name)
		}
	}
}

func TestAt(t *testing.T) {
	names := slices.Collect(form.Zones())
	for i, name := range names {
		if loaded, _ := zone.Load(name); zone.At(i) != loaded {
			t.Errorf("At(%d) = %v, want %s", i, zone.At(i), name)
		}
	}
	for _, i := range []int{-1, len(names)} {
		if location := zone.At(i); location != nil {
			t.Errorf("At(%d) = %v, want nil", i, location)
		}
	}
}

func TestLoadUnknown(t *testing.T) {
	for _, name := range []string{"", "Local", "utc", "PST", "Europe", "Europe/", "../zone.go", "/etc/localtime", strings.Repeat("x", 1<<20)} {
		if loc, ok := zone.Load(name); ok || loc != nil {
			t.Errorf("Load(%q) = %v, %t", name, loc, ok)
		}
	}
}

// TestLoadAgreesWithTable checks that Load and form.IsZone know the same names.
func TestLoadAgreesWithTable(t *testing.T) {
	names := slices.Collect(form.Zones())
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "name")
		at := rapid.IntRange(0, len(name)-1).Draw(t, "at")
		name = name[:at] + rapid.StringN(0, 1, 1).Draw(t, "piece") + name[at+1:]
		if _, ok := zone.Load(name); ok != form.IsZone(name) {
			t.Fatalf("Load(%q) = %t, IsZone says %t", name, ok, !ok)
		}
	})
}

func TestLoadUTC(t *testing.T) {
	if loc, ok := zone.Load("UTC"); !ok || loc != time.UTC {
		t.Errorf("Load(UTC) = %p, %t, want time.UTC", loc, ok)
	}
}

// TestLoadOffsets has offsets known from other sources: far in the past and the future, with parts
// of an hour, negative and half-hour summer time, and a skipped day.
func TestLoadOffsets(t *testing.T) {
	for _, test := range []struct{ zone, utc, want string }{
		{"America/New_York", "2025-01-15T12:00:00Z", "2025-01-15T07:00:00-05:00"},
		{"America/New_York", "2025-03-09T06:59:59Z", "2025-03-09T01:59:59-05:00"},
		{"America/New_York", "2025-03-09T07:00:00Z", "2025-03-09T03:00:00-04:00"},
		{"America/New_York", "2400-07-01T12:00:00Z", "2400-07-01T08:00:00-04:00"}, // after the listed changes
		{"US/Eastern", "2025-07-01T12:00:00Z", "2025-07-01T08:00:00-04:00"},
		{"Asia/Kathmandu", "2025-07-01T12:00:00Z", "2025-07-01T17:45:00+05:45"},
		{"Australia/Lord_Howe", "2025-01-01T12:00:00Z", "2025-01-01T23:00:00+11:00"},
		{"Australia/Lord_Howe", "2025-07-01T12:00:00Z", "2025-07-01T22:30:00+10:30"},
		{"Europe/Dublin", "2025-07-01T12:00:00Z", "2025-07-01T13:00:00+01:00"},
		{"Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31T00:00:00+14:00"},
		{"Pacific/Apia", "2011-12-30T09:59:59Z", "2011-12-29T23:59:59-10:00"},
		{"Etc/GMT-14", "2025-07-01T12:00:00Z", "2025-07-02T02:00:00+14:00"},
	} {
		loc, _ := zone.Load(test.zone)
		utc, err := time.Parse(time.RFC3339, test.utc)
		if err != nil {
			t.Fatal(err)
		}
		if got := utc.In(loc).Format(time.RFC3339); got != test.want {
			t.Errorf("%s in %s = %s, want %s", test.utc, test.zone, got, test.want)
		}
	}
}

// TestLoadConcurrently is for the race detector, and checks that a name has one pointer.
func TestLoadConcurrently(t *testing.T) {
	names := []string{"Europe/Paris", "Asia/Tokyo", "UTC", "no zone"}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, name := range names {
				first, _ := zone.Load(name)
				if again, _ := zone.Load(name); again != first {
					t.Errorf("Load(%q) returns two locations", name)
				}
			}
		})
	}
	wg.Wait()
}

func TestLoadAllocatesNothing(t *testing.T) {
	for _, name := range []string{"Europe/Paris", "no zone"} {
		zone.Load(name)
		if n := testing.AllocsPerRun(100, func() { zone.Load(name) }); n != 0 {
			t.Errorf("Load(%q) allocates %v times once it has loaded", name, n)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, name := range []string{"Europe/Paris", "UTC", "no zone"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				zone.Load(name)
			}
		})
	}
}
