package zone_test

import (
	"slices"
	"testing"
	"time"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
	"pgregory.net/rapid"
)

// civil reads what a clock shows.
func civil(t testing.TB, s string) time.Time {
	t.Helper()
	c, err := time.Parse("2006-01-02 15:04:05", s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestInstant has clocks known from elsewhere: before, in and after changes of many kinds. In an overlap the first of two times
// is meant; a time in a gap is counted with the offset before it (RFC 5545 section 3.3.5).
func TestInstant(t *testing.T) {
	for _, test := range []struct{ name, zone, civil, want string }{
		{"utc", "UTC", "2026-03-08 02:30:00", "2026-03-08T02:30:00Z"},

		{"gap/last-second-before", "America/New_York", "2026-03-08 01:59:59", "2026-03-08T01:59:59-05:00"},
		{"gap/first-second", "America/New_York", "2026-03-08 02:00:00", "2026-03-08T03:00:00-04:00"},
		{"gap/middle", "America/New_York", "2026-03-08 02:30:00", "2026-03-08T03:30:00-04:00"},
		{"gap/last-second", "America/New_York", "2026-03-08 02:59:59", "2026-03-08T03:59:59-04:00"},
		{"gap/first-second-after", "America/New_York", "2026-03-08 03:00:00", "2026-03-08T03:00:00-04:00"},
		{"overlap/last-second-before", "America/New_York", "2026-11-01 00:59:59", "2026-11-01T00:59:59-04:00"},
		{"overlap/first-second", "America/New_York", "2026-11-01 01:00:00", "2026-11-01T01:00:00-04:00"},
		{"overlap/middle", "America/New_York", "2026-11-01 01:30:00", "2026-11-01T01:30:00-04:00"},
		{"overlap/last-second", "America/New_York", "2026-11-01 01:59:59", "2026-11-01T01:59:59-04:00"},
		{"overlap/first-second-after", "America/New_York", "2026-11-01 02:00:00", "2026-11-01T02:00:00-05:00"},

		// Half an hour of summer time.
		{"half-hour/gap", "Australia/Lord_Howe", "2026-10-04 02:15:00", "2026-10-04T02:45:00+11:00"},
		{"half-hour/after-gap", "Australia/Lord_Howe", "2026-10-04 02:30:00", "2026-10-04T02:30:00+11:00"},
		{"half-hour/overlap", "Australia/Lord_Howe", "2026-04-05 01:45:00", "2026-04-05T01:45:00+11:00"},
		{"half-hour/before-overlap", "Australia/Lord_Howe", "2026-04-05 01:29:59", "2026-04-05T01:29:59+11:00"},
		{"half-hour/after-overlap", "Australia/Lord_Howe", "2026-04-05 02:00:00", "2026-04-05T02:00:00+10:30"},

		// A day that was left out.
		{"day/last-second-before", "Pacific/Apia", "2011-12-29 23:59:59", "2011-12-29T23:59:59-10:00"},
		{"day/first-second", "Pacific/Apia", "2011-12-30 00:00:00", "2011-12-31T00:00:00+14:00"},
		{"day/noon", "Pacific/Apia", "2011-12-30 12:00:00", "2011-12-31T12:00:00+14:00"},
		{"day/last-second", "Pacific/Apia", "2011-12-30 23:59:59", "2011-12-31T23:59:59+14:00"},
		{"day/first-second-after", "Pacific/Apia", "2011-12-31 00:00:00", "2011-12-31T00:00:00+14:00"},

		// A day that came twice.
		{"day-twice", "Pacific/Kwajalein", "1969-09-30 12:00:00", "1969-09-30T12:00:00+11:00"},

		// Winter time below standard time.
		{"negative/gap", "Europe/Dublin", "2026-03-29 01:30:00", "2026-03-29T02:30:00+01:00"},
		{"negative/overlap", "Europe/Dublin", "2026-10-25 01:30:00", "2026-10-25T01:30:00+01:00"},
		{"negative/after-overlap", "Europe/Dublin", "2026-10-25 02:00:00", "2026-10-25T02:00:00Z"},

		// Two changes that are near to each other: no summer time during Ramadan.
		{"ramadan/overlap", "Africa/Casablanca", "2026-02-15 02:30:00", "2026-02-15T02:30:00+01:00"},
		{"ramadan/gap", "Africa/Casablanca", "2026-03-22 02:30:00", "2026-03-22T03:30:00+01:00"},

		{"midnight-that-is-none", "America/Sao_Paulo", "2018-11-04 00:00:00", "2018-11-04T01:00:00-02:00"},
		{"before-all-zones", "America/New_York", "1800-01-01 12:00:00", "1800-01-01T12:00:00-04:56"},
		{"far-in-the-future", "America/New_York", "2400-07-01 12:00:00", "2400-07-01T12:00:00-04:00"},
	} {
		t.Run(test.name, func(t *testing.T) {
			location, ok := zone.Load(test.zone)
			if !ok {
				t.Fatalf("no zone %s", test.zone)
			}
			got := zone.Instant(civil(t, test.civil), location)
			if text := got.Format(time.RFC3339); text != test.want {
				t.Errorf("%s in %s is %s, want %s", test.civil, test.zone, text, test.want)
			}
			if got.Location() != location {
				t.Errorf("the instant is in %v", got.Location())
			}
		})
	}
}

func TestInstantKeepsFractions(t *testing.T) {
	location, _ := zone.Load("Asia/Kathmandu")
	got := zone.Instant(civil(t, "2026-03-10 09:00:00").Add(123456789), location)
	if want := "2026-03-10T09:00:00.123456789+05:45"; got.Format(time.RFC3339Nano) != want {
		t.Errorf("got %s, want %s", got.Format(time.RFC3339Nano), want)
	}
}

// clock is what a clock in the instant's zone shows, as a time in UTC.
func clock(instant time.Time) time.Time {
	_, offset := instant.Zone()
	return instant.UTC().Add(time.Duration(offset) * time.Second)
}

// naiveInstants looks at every offset that the zone has around the time, and returns the
// instants at which clocks show it, in order.
func naiveInstants(c time.Time, location *time.Location) []time.Time {
	var all []time.Time
	const around = 36 * time.Hour
	for at := c.Add(-around); !at.After(c.Add(around)); at = at.Add(15 * time.Minute) {
		_, offset := at.In(location).Zone()
		instant := c.Add(-time.Duration(offset) * time.Second).In(location)
		if clock(instant).Equal(c) && !slices.ContainsFunc(all, instant.Equal) {
			all = append(all, instant)
		}
	}
	slices.SortFunc(all, time.Time.Compare)
	return all
}

// TestInstantIsTheFirst checks that Instant returns the first instant that shows the time. For a
// time in a gap it must be after the change.
func TestInstantIsTheFirst(t *testing.T) {
	names := slices.Collect(form.Zones())
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "zone")
		location, _ := zone.Load(name)
		c := nearChange(t, location)
		got := zone.Instant(c, location)
		all := naiveInstants(c, location)
		switch {
		case len(all) > 0 && !got.Equal(all[0]):
			t.Fatalf("%s in %s is %s, want %s, the first of %v", c.Format(time.DateTime), name, got, all[0], all)
		case len(all) == 0 && !clock(got).After(c):
			t.Fatalf("%s in %s, which no clock shows, is %s", c.Format(time.DateTime), name, got)
		}
	})
}

// nearChange draws a local time, usually near a change of the zone's offset.
func nearChange(t *rapid.T, location *time.Location) time.Time {
	const first, last = -3_000_000_000, 5_000_000_000 // 1874 to 2128
	at := time.Unix(rapid.Int64Range(first, last).Draw(t, "at"), 0).In(location)
	if _, end := at.ZoneBounds(); !end.IsZero() && rapid.IntRange(0, 5).Draw(t, "near") > 0 {
		at = end.Add(time.Duration(rapid.IntRange(-3*3600, 3*3600).Draw(t, "seconds")) * time.Second)
	}
	return clock(at).Add(time.Duration(rapid.IntRange(-2, 2).Draw(t, "quarters")) * 15 * time.Minute)
}

func TestInstantAllocatesNothing(t *testing.T) {
	location, _ := zone.Load("America/New_York")
	for _, s := range []string{"2026-03-08 02:30:00", "2026-11-01 01:30:00", "2026-07-01 12:00:00"} {
		c := civil(t, s)
		if n := testing.AllocsPerRun(100, func() { zone.Instant(c, location) }); n != 0 {
			t.Errorf("%s: %v allocations, want none", s, n)
		}
	}
}
