package recurrence

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
)

// offsetOf is the simple lookup that tables are held to.
func offsetOf(location *time.Location, unix int64) int64 {
	_, offset := time.Unix(unix, 0).In(location).Zone()
	return int64(offset)
}

// TestZoneTables compares the table of each zone with the zone itself: at random instants of
// the years that matter and of the whole calendar, and at each change and the second before.
func TestZoneTables(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	between := func(from, to int) int64 {
		begin := dayNumber(from, 1, 1) * secondsPerDay
		return begin + random.Int64N(dayNumber(to, 1, 1)*secondsPerDay-begin)
	}
	for name := range limits.Zones() {
		location, _ := zone.Load(name)
		z := clockOf(location)
		if z.table == nil {
			t.Fatalf("%s has no table", name)
		}
		check := func(unix int64) {
			s, want := z.spanAt(unix), offsetOf(location, unix)
			if s.offset != want || z.clockAt(unix) != unix+want || unix < s.begin || unix >= s.end {
				t.Fatalf("%s at %d: %+v, want offset %d", name, unix, s, want)
			}
			if s.begin != noBegin && z.spanAt(s.begin-1).end != s.begin || s.end != noEnd && z.spanAt(s.end).begin != s.end {
				t.Fatalf("%s at %d: %+v does not meet the spans beside it", name, unix, s)
			}
		}
		for range 300 {
			check(between(1900, 2501))
			check(between(1, 10000))
		}
		for _, unix := range z.table.begins[1:] {
			check(unix)
			check(unix - 1)
			if z.table.repeats && unix >= cycleBegin {
				later := unix + cycle*random.Int64N(18)
				check(later)
				check(later - 1)
			}
		}
		check(minClock - maxShift)
		check(never + maxShift)
		checkResolver(t, name, z, between)
	}
}

// checkResolver compares what clocks mean by a table with what they mean without one.
func checkResolver(t *testing.T, name string, z zoneClock, between func(int, int) int64) {
	t.Helper()
	plain := zoneClock{location: z.location}
	for range 40 {
		clock := between(1900, 2501)
		if n := len(z.table.begins); n > 1 && clock%2 == 0 { // near a change
			i := 1 + int(clock/2%int64(n-1)+int64(n-1))%(n-1)
			clock = z.table.begins[i] + int64(z.table.offsets[i]) + clock%7200
		}
		fast, slow := newResolver(z), newResolver(plain)
		unix, exists := fast.resolve(clock)
		want, wantExists := slow.resolve(clock)
		if unix != want || exists != wantExists {
			t.Fatalf("%s: clock %d is %d, %v by the table and %d, %v without", name, clock, unix, exists, want, wantExists)
		}
	}
}

// TestZoneTablesAreBounded holds that locations of callers leave no more behind than they may,
// and are read rightly with a table and without.
func TestZoneTablesAreBounded(t *testing.T) {
	if clockOf(time.FixedZone("", 3600)).table != nil {
		t.Error("a zone without a name has a table")
	}
	with := 0
	for range 3 * maxOwnTables {
		location := time.FixedZone("America/New_York", 3600)
		z := clockOf(location)
		if z.table != nil {
			with++
		}
		if s := z.spanAt(1 << 32); s.offset != 3600 || z.clockAt(5) != 3605 {
			t.Fatalf("%+v", s)
		}
	}
	if with == 0 || with > maxOwnTables {
		t.Errorf("%d tables", with)
	}
}

// BenchmarkZoneClock measures one lookup of an offset.
func BenchmarkZoneClock(b *testing.B) {
	location, _ := zone.Load("America/New_York")
	for name, z := range map[string]zoneClock{"table": clockOf(location), "location": {location: location}} {
		b.Run(name, func(b *testing.B) {
			unix := int64(0)
			for b.Loop() {
				unix = (unix + 7_000_001) & (1<<34 - 1)
				z.clockAt(unix)
			}
		})
	}
}

// BenchmarkNewZoneTable measures what the first use of a zone costs.
func BenchmarkNewZoneTable(b *testing.B) {
	location, _ := zone.Load("America/New_York")
	for b.Loop() {
		newZoneTable(location)
	}
}
