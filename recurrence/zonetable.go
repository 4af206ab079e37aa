package recurrence

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/internal/zone"
)

// zoneTable is what a zone is ahead of UTC at every instant, in a form that is quick to ask.
// It never changes once it is made.
//
// The database lists changes of the clock up to some year, the last of them in 2087, and
// gives a rule for those after it. The rule names days by month and weekday, so what it gives
// repeats with the calendar: every 400 years. The table holds one such cycle.
type zoneTable struct {
	begins  []int64 // span i begins with begins[i]; begins[0] is before all instants
	offsets []int32 // in seconds, in span i
	index   []uint16
	repeats bool // from cycleBegin on, every cycle; otherwise the last span does not end
	gaps    []gap
}

// gap is when on the clock a change leaves times of day out, as clocks of one day or of two.
// A zone has few that differ.
type gap struct{ begin, end int64 }

const (
	cycleDays = 146097 // of 400 years; a whole number of weeks
	cycle     = cycleDays * secondsPerDay
)

// The cycle of a table begins where no zone lists changes any more. The index tells for each
// stretch of indexStep seconds from indexBegin on the span that the stretch begins in.
const (
	indexShift = 24 // half a year, so that few stretches hold more than one change
	indexStep  = 1 << indexShift
)

var (
	indexBegin = dayNumber(1800, 1, 1) * secondsPerDay // before the first change of any zone
	cycleBegin = dayNumber(2100, 1, 1) * secondsPerDay
)

// newZoneTable makes the table of a location by asking it for one change after another.
func newZoneTable(location *time.Location) *zoneTable {
	z := &zoneTable{}
	end := cycleBegin + cycle
	for at := int64(noBegin); at < end; {
		s := spanOf(location, at)
		if n := len(z.offsets); n == 0 || z.offsets[n-1] != int32(s.offset) { // a new name alone is no change
			z.addGap(at, s.offset)
			z.begins = append(z.begins, at)
			z.offsets = append(z.offsets, int32(s.offset))
			z.repeats = at >= cycleBegin
		}
		at = s.end
	}
	for at, i := indexBegin, 0; at < end+indexStep; at += indexStep {
		for i+1 < len(z.begins) && z.begins[i+1] <= at {
			i++
		}
		z.index = append(z.index, uint16(i))
	}
	return z
}

// addGap adds the gap of the change at an instant to an offset, unless there is none or the
// same was at another change.
func (z *zoneTable) addGap(at, offset int64) {
	n := len(z.offsets)
	if n == 0 || offset <= int64(z.offsets[n-1]) {
		return
	}
	begin := floorMod(at+int64(z.offsets[n-1]), secondsPerDay)
	g := gap{begin, begin + offset - int64(z.offsets[n-1])}
	if !slices.Contains(z.gaps, g) {
		z.gaps = append(z.gaps, g)
	}
}

// locate returns the number of the span that an instant lies in, and by how many seconds the
// instant was moved to find it within the cycle.
func (z *zoneTable) locate(unix int64) (i int, moved int64) {
	if unix < indexBegin {
		return 0, 0
	}
	if unix >= cycleBegin+cycle {
		if !z.repeats {
			return len(z.begins) - 1, 0
		}
		moved = (unix - cycleBegin) / cycle * cycle
		unix -= moved
	}
	i = int(z.index[(unix-indexBegin)>>indexShift])
	for i+1 < len(z.begins) && z.begins[i+1] <= unix {
		i++
	}
	return i, moved
}

// offsetAt returns what the clock is ahead of an instant.
func (z *zoneTable) offsetAt(unix int64) int64 {
	i, _ := z.locate(unix)
	return int64(z.offsets[i])
}

// spanAt returns the span that an instant lies in. Where the cycle ends within a span, so
// does what is returned, and another span of the same offset follows.
func (z *zoneTable) spanAt(unix int64) span {
	i, moved := z.locate(unix)
	s := span{begin: z.begins[i] + moved, end: noEnd, offset: int64(z.offsets[i])}
	if i+1 < len(z.begins) {
		s.end = z.begins[i+1] + moved
	} else if z.repeats {
		s.end = cycleBegin + cycle + moved
	}
	if moved > 0 {
		s.begin = max(s.begin, cycleBegin+moved)
	}
	return s
}

// zoneClock is a zone as this package asks it: by its table, or where it has none by itself.
type zoneClock struct {
	location *time.Location
	table    *zoneTable
}

// tables holds the tables that were made, by *time.Location. Those of the embedded database
// are so many as there are names. A caller's own, as time.LoadLocation gives a new one for
// each call, may come and go without end: of them the first few have tables.
var (
	tables    sync.Map
	ownTables atomic.Int32
)

// maxOwnTables bounds how many locations from elsewhere have tables.
const maxOwnTables = 64

// clockOf returns the clock of a location.
func clockOf(location *time.Location) zoneClock {
	if table, ok := tables.Load(location); ok {
		return zoneClock{location, table.(*zoneTable)}
	}
	if !mayHaveTable(location) {
		return zoneClock{location: location}
	}
	table, _ := tables.LoadOrStore(location, newZoneTable(location))
	return zoneClock{location, table.(*zoneTable)}
}

// mayHaveTable reports whether a table may be made for a location. Those without the name of
// a zone have a single offset, most often, and would take the place of others.
func mayHaveTable(location *time.Location) bool {
	own, named := zone.Load(location.String())
	return own == location || named && ownTables.Load() < maxOwnTables && ownTables.Add(1) <= maxOwnTables
}

// spanAt returns the span of constant offset that an instant lies in.
func (z zoneClock) spanAt(unix int64) span {
	if z.table != nil {
		return z.table.spanAt(unix)
	}
	return spanOf(z.location, unix)
}

// clockAt returns what the clock shows at an instant.
func (z zoneClock) clockAt(unix int64) int64 {
	if z.table != nil {
		return unix + z.table.offsetAt(unix)
	}
	return unix + spanOf(z.location, unix).offset
}

// repeats reports whether the clock is known to change in the same way in every cycle.
func (z zoneClock) repeats() bool { return z.table != nil && z.table.repeats }

// hasGapAt reports whether a change of the clock may ever leave out one of the times of day.
func (z zoneClock) hasGapAt(times *clockTimes) bool {
	return z.table == nil || slices.ContainsFunc(z.table.gaps, func(g gap) bool { return times.within(g.begin, g.end) })
}
