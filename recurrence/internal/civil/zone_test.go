package civil

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/zone"
)

// offsetOf returns the offset of a location as package time gives it.
func offsetOf(location *time.Location, unix int64) int64 {
	_, offset := time.Unix(unix, 0).In(location).Zone()
	return int64(offset)
}

// TestTables compares the table of each zone with the location itself: at random instants of
// recent years and of the whole calendar, and at each change and the second before it.
func TestTables(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	between := func(from, to int) int64 {
		begin := DayNumber(from, 1, 1) * SecondsPerDay
		return begin + random.Int64N(DayNumber(to, 1, 1)*SecondsPerDay-begin)
	}
	for name := range form.Zones() {
		location, _ := zone.Load(name)
		z := ZoneOf(location)
		if z.lazy == nil {
			t.Fatalf("%s has no table", name)
		}
		table := z.lazy.get()
		check := func(unix int64) {
			s, want := z.SpanAt(unix), offsetOf(location, unix)
			if s.Offset != want || z.ClockAt(unix) != unix+want || unix < s.Begin || unix >= s.End {
				t.Fatalf("%s at %d: %+v, want offset %d", name, unix, s, want)
			}
			if s.Begin != noBegin && z.SpanAt(s.Begin-1).End != s.Begin || s.End != noEnd && z.SpanAt(s.End).Begin != s.End {
				t.Fatalf("%s at %d: %+v does not meet the spans beside it", name, unix, s)
			}
		}
		for range 300 {
			check(between(1900, 2501))
			check(between(1, 10000))
		}
		for _, unix := range table.begins[1:] {
			check(unix)
			check(unix - 1)
			if table.repeats && unix >= cycleBegin {
				later := unix + Cycle*random.Int64N(18)
				check(later)
				check(later - 1)
			}
		}
		check(MinClock - MaxShift)
		check(MaxClock + 2*MaxShift)
		checkResolver(t, name, z, between)
	}
}

// checkResolver compares a resolver that uses a table with one that does not.
func checkResolver(t *testing.T, name string, z Zone, between func(int, int) int64) {
	t.Helper()
	plain, table := Zone{Location: z.Location}, z.lazy.get()
	for range 40 {
		clock := between(1900, 2501)
		if n := len(table.begins); n > 1 && clock%2 == 0 { // near a change
			i := 1 + int(clock/2%int64(n-1)+int64(n-1))%(n-1)
			clock = table.begins[i] + int64(table.offsets[i]) + clock%7200
		}
		fast, slow := NewResolver(z), NewResolver(plain)
		unix, exists := fast.Resolve(clock)
		want, wantExists := slow.Resolve(clock)
		if unix != want || exists != wantExists {
			t.Fatalf("%s: clock %d is %d, %v by the table and %d, %v without", name, clock, unix, exists, want, wantExists)
		}
	}
}

// TestOffset checks for which clocks a resolver remembers the offset: from the last search on, up to the next change.
func TestOffset(t *testing.T) {
	location, _ := zone.Load("America/New_York")
	r := NewResolver(ZoneOf(location))
	clock := DayNumber(2026, 3, 8)*SecondsPerDay + 4*3600 // an hour after the gap
	end := DayNumber(2026, 11, 1)*SecondsPerDay + 2*3600
	if _, ok := r.Offset(clock, clock); ok {
		t.Error("a resolver that has resolved nothing remembers an offset")
	}
	r.Resolve(clock)
	for _, test := range []struct {
		first, last int64
		want        bool
	}{
		{clock, clock, true}, {clock, end - 1, true}, {clock - 1, clock, false}, {clock, end, false},
	} {
		if offset, ok := r.Offset(test.first, test.last); ok != test.want || offset != -4*3600 {
			t.Errorf("from %d to %d: %d, %t", test.first, test.last, offset, ok)
		}
	}
}

// TestResolve resolves clocks around the changes of a clock, with a new resolver and with one that remembers a change.
func TestResolve(t *testing.T) {
	location, _ := zone.Load("America/New_York")
	used := NewResolver(ZoneOf(location))
	for _, test := range []struct {
		clock  string
		unix   string
		exists bool
	}{
		{"2026-03-08T01:59:59", "2026-03-08T01:59:59-05:00", true},
		{"2026-03-08T02:00:00", "2026-03-08T03:00:00-04:00", false},
		{"2026-03-08T02:59:59", "2026-03-08T03:59:59-04:00", false},
		{"2026-03-08T03:00:00", "2026-03-08T03:00:00-04:00", true},
		{"2026-07-01T00:00:00", "2026-07-01T00:00:00-04:00", true},
		{"2026-11-01T00:59:59", "2026-11-01T00:59:59-04:00", true},
		{"2026-11-01T01:00:00", "2026-11-01T01:00:00-04:00", true},
		{"2026-11-01T01:59:59", "2026-11-01T01:59:59-04:00", true},
		{"2026-11-01T02:00:00", "2026-11-01T02:00:00-05:00", true},
		{"2027-03-14T01:59:59", "2027-03-14T01:59:59-05:00", true},
		{"2027-03-14T02:00:00", "2027-03-14T03:00:00-04:00", false},
	} {
		local, err := time.Parse("2006-01-02T15:04:05", test.clock)
		if err != nil {
			t.Fatal(err)
		}
		at, err := time.Parse(time.RFC3339, test.unix)
		if err != nil {
			t.Fatal(err)
		}
		unused := NewResolver(ZoneOf(location))
		for _, r := range []*Resolver{&unused, &used} {
			if unix, exists := r.Resolve(local.Unix()); unix != at.Unix() || exists != test.exists {
				t.Errorf("%s is %s, %t", test.clock, time.Unix(unix, 0).In(location).Format(time.RFC3339), exists)
			}
		}
	}
}

func TestRepeatsFrom(t *testing.T) {
	for name, want := range map[string]bool{"America/New_York": true, "UTC": false, "Asia/Kathmandu": false} {
		location, _ := zone.Load(name)
		unix, ok := ZoneOf(location).RepeatsFrom()
		if ok != want || unix != time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix() {
			t.Errorf("%s repeats from %d: %t", name, unix, ok)
		}
	}
	if _, ok := (Zone{Location: time.UTC}).RepeatsFrom(); ok {
		t.Error("a zone without a table is known to repeat")
	}
}

func TestGaps(t *testing.T) {
	for name, want := range map[string][]Gap{
		"UTC":              nil,
		"America/New_York": {{2 * 3600, 3 * 3600}},
		"Asia/Kathmandu":   {{0, 15 * 60}},
	} {
		location, _ := zone.Load(name)
		got, known := ZoneOf(location).Gaps()
		if diff := cmp.Diff(want, got); diff != "" || !known {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if _, known := (Zone{Location: time.UTC}).Gaps(); known {
		t.Error("the gaps of a zone without a table are known")
	}
}

// TestTablesOfCallers checks that the locations of callers share a table for each name, as long as they are the same zone,
// and that a location has a table only once it pays.
func TestTablesOfCallers(t *testing.T) {
	if ZoneOf(time.FixedZone("", 3600)).lazy != nil {
		t.Error("a location without the name of a zone has a table")
	}
	var tables []*table
	for range 3 {
		location, err := time.LoadLocation("Europe/Lisbon")
		if err != nil {
			t.Fatal(err)
		}
		z := ZoneOf(location)
		for i := range lookupsThatPay {
			if made := z.lazy.table.Load(); made != nil {
				t.Fatalf("there is a table after %d lookups", i)
			}
			z.ClockAt(1 << 32)
		}
		tables = append(tables, z.lazy.table.Load())
	}
	if tables[0] == nil || tables[1] != tables[0] || tables[2] != tables[0] {
		t.Errorf("the tables of one zone are %p", tables)
	}
	for hours := range 3 { // other zones with the same name
		offset := int64(hours) * 3600
		z := ZoneOf(time.FixedZone("Europe/Lisbon", int(offset)))
		for range 2 * lookupsThatPay {
			if s := z.SpanAt(1 << 32); s.Offset != offset || z.ClockAt(5) != 5+offset {
				t.Fatalf("%+v", s)
			}
		}
	}
	n := 0
	cache.own.Range(func(name, _ any) bool {
		if name == "Europe/Lisbon" {
			n++
		}
		return true
	})
	if n != 1 {
		t.Errorf("%d tables are kept", n)
	}
}

// Whether a zone is among the first ones that a cache has seen makes no difference.
func TestTablesOfManyZones(t *testing.T) {
	const unix = 1 << 30
	var c tableCache
	for range 2 {
		for name := range form.Zones() {
			location, _ := zone.Load(name)
			z, want := Zone{location, c.tableOf(location)}, Zone{Location: location}
			if !z.IsEmbedded() || z.ClockAt(unix) != want.ClockAt(unix) {
				t.Errorf("%s has the table of another zone", name)
			}
		}
	}
}

func TestIsEmbedded(t *testing.T) {
	own, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	embedded, _ := zone.Load("America/New_York")
	for _, test := range []struct {
		zone Zone
		want bool
	}{
		{ZoneOf(embedded), true},
		{ZoneOf(time.UTC), true},
		{Zone{Location: embedded}, false}, // it is not known of a location alone
		{ZoneOf(own), false},
		{ZoneOf(time.FixedZone("America/New_York", 3600)), false},
		{ZoneOf(time.FixedZone("", 3600)), false},
		{ZoneOf(time.Local), false},
	} {
		if got := test.zone.IsEmbedded(); got != test.want {
			t.Errorf("%s: embedded is %t", test.zone.Location, got)
		}
	}
}

// An instant shows its clock for the first time if and only if the clock resolves to it.
func TestShown(t *testing.T) {
	for _, name := range []string{"America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "Africa/Casablanca"} {
		location, _ := zone.Load(name)
		for _, z := range []Zone{ZoneOf(location), {Location: location}} {
			second, used := 0, NewResolver(z)
			for unix := int64(1_293_800_400); unix < 1_325_500_000; unix += 1800 { // 2011
				r := NewResolver(z)
				clock, isFirst := used.Shown(unix)
				if first, _ := r.Resolve(clock); clock != z.ClockAt(unix) || isFirst != (first == unix) {
					t.Fatalf("%s: %d shows %d, for the first time %t", name, unix, clock, isFirst)
				}
				if !isFirst {
					second++
				}
			}
			if (second == 0) != (name == "UTC") {
				t.Errorf("%s: %d half hours are shown again", name, second)
			}
		}
	}
}

// BenchmarkClockAt measures one lookup of an offset.
func BenchmarkClockAt(b *testing.B) {
	location, _ := zone.Load("America/New_York")
	for name, z := range map[string]Zone{"table": ZoneOf(location), "location": {Location: location}} {
		b.Run(name, func(b *testing.B) {
			unix := int64(0)
			for b.Loop() {
				unix = (unix + 7_000_001) & (1<<34 - 1)
				z.ClockAt(unix)
			}
		})
	}
}

// BenchmarkNewTable measures the cost of the first use of a zone.
func BenchmarkNewTable(b *testing.B) {
	location, _ := zone.Load("America/New_York")
	for b.Loop() {
		newTable(location)
	}
}
