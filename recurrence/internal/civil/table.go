package civil

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/internal/zone"
)

// table has the offsets of a zone at all instants, in a form that is fast to look up. It is not
// modified once it is made.
//
// The database lists the changes of the clock up to some year, at the latest 2087, and gives a
// rule for the years after that. The rule names days by month and weekday, so the changes repeat
// with the calendar, every 400 years. The table contains one such cycle.
type table struct {
	begins  []int64 // span i begins at begins[i]; begins[0] is before all instants
	offsets []int32 // in seconds, in span i
	index   []uint16
	repeats bool // every cycle from cycleBegin on is the same; otherwise the last span has no end
	gaps    []Gap

	embedded bool // the location comes from the embedded database
}

// Gap is the local times that a change of the clock skips. A zone has few distinct ones.
type Gap struct{ Begin, End int64 }

// The calendar repeats after 400 years, which are a whole number of weeks.
const (
	CycleDays = 146097
	Cycle     = CycleDays * SecondsPerDay
)

// The index has an entry for every indexStep seconds from indexBegin on: the span that
// contains the instant.
const (
	indexShift = 24 // half a year, so that few steps contain more than one change
	indexStep  = 1 << indexShift
)

var (
	indexBegin = DayNumber(1800, 1, 1) * SecondsPerDay // before the first change of any zone
	cycleBegin = DayNumber(2100, 1, 1) * SecondsPerDay // after the last listed change of any zone
)

// newTable makes the table of a location by asking it for one change after another.
func newTable(location *time.Location) *table {
	embedded, _ := zone.Load(location.String())
	t := &table{embedded: embedded == location}
	end := cycleBegin + Cycle
	for at := int64(noBegin); at < end; {
		s := spanOf(location, at)
		if n := len(t.offsets); n == 0 || t.offsets[n-1] != int32(s.Offset) { // not only the name changes
			t.addGap(at, s.Offset)
			t.begins = append(t.begins, at)
			t.offsets = append(t.offsets, int32(s.Offset))
			t.repeats = at >= cycleBegin
		}
		at = s.End
	}
	for at, i := indexBegin, 0; at < end; at += indexStep {
		for i+1 < len(t.begins) && t.begins[i+1] <= at {
			i++
		}
		t.index = append(t.index, uint16(i))
	}
	return t
}

// addGap adds the gap of a change to an offset, if the change makes one and it is new.
func (t *table) addGap(at, offset int64) {
	n := len(t.offsets)
	if n == 0 || offset <= int64(t.offsets[n-1]) {
		return
	}
	before := int64(t.offsets[n-1])
	begin := FloorMod(at+before, SecondsPerDay)
	if g := (Gap{begin, begin + offset - before}); !slices.Contains(t.gaps, g) {
		t.gaps = append(t.gaps, g)
	}
}

// locate returns the index of the span that contains an instant, and by how many seconds the
// instant had to be moved to lie in the cycle.
func (t *table) locate(unix int64) (i int, moved int64) {
	if unix >= cycleBegin+Cycle {
		if !t.repeats {
			return len(t.begins) - 1, 0
		}
		moved = (unix - cycleBegin) / Cycle * Cycle
		unix -= moved
	}
	i = int(t.index[max(unix-indexBegin, 0)>>indexShift])
	for i+1 < len(t.begins) && t.begins[i+1] <= unix {
		i++
	}
	return i, moved
}

func (t *table) offsetAt(unix int64) int64 {
	i, _ := t.locate(unix)
	return int64(t.offsets[i])
}

// spanAt returns the span that contains an instant. A span across the end of a cycle is split
// there into two of the same offset.
func (t *table) spanAt(unix int64) Span {
	i, moved := t.locate(unix)
	s := Span{Begin: t.begins[i] + moved, End: noEnd, Offset: int64(t.offsets[i])}
	if i+1 < len(t.begins) {
		s.End = t.begins[i+1] + moved
	} else if t.repeats {
		s.End = cycleBegin + Cycle + moved
	}
	if moved > 0 {
		s.Begin = max(s.Begin, cycleBegin+moved)
	}
	return s
}

// tableCache keeps tables by location. The embedded database has a fixed number of locations.
// Callers can make any number of others, since time.LoadLocation returns a new one for every
// call: only the first few of them get tables.
type tableCache struct {
	tables sync.Map     // from *time.Location to *table
	own    atomic.Int64 // how often a callers' own location was not in tables

	// Most programs use few zones. The first embedded ones are also here, where they are found in less time.
	first [4]atomic.Pointer[Zone]
}

// maxOwnTables is how many of the callers' own locations get tables.
const maxOwnTables = 64

var cache tableCache

func (c *tableCache) tableOf(location *time.Location) *table {
	for i := range c.first {
		zone := c.first[i].Load()
		if zone == nil {
			break
		}
		if zone.Location == location {
			return zone.table
		}
	}
	if t, ok := c.tables.Load(location); ok {
		return t.(*table)
	}
	if !c.admits(location) {
		return nil
	}
	stored, _ := c.tables.LoadOrStore(location, newTable(location))
	t := stored.(*table)
	if t.embedded {
		c.addFirst(&Zone{location, t})
	}
	return t
}

// addFirst adds a zone to the first ones, unless there are enough.
func (c *tableCache) addFirst(zone *Zone) {
	for i := range c.first {
		if c.first[i].CompareAndSwap(nil, zone) {
			return
		}
	}
}

// admits reports whether a location gets a table. One without the name of a zone usually has a
// single offset and needs none.
func (c *tableCache) admits(location *time.Location) bool {
	embedded, named := zone.Load(location.String())
	return embedded == location || named && c.own.Add(1) <= maxOwnTables
}
