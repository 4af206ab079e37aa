package civil

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/internal/zone"
)

// A table contains the offsets of a zone at all instants, in a form that allows fast lookups. A table is immutable.
//
// The time zone database lists the changes of the clock up to a certain year, no later than 2087, and contains a rule for
// later years. The rule identifies days by month and weekday, so the changes repeat with the calendar, every 400 years. The
// table contains one 400-year cycle.
type table struct {
	begins  []int64 // span i begins at begins[i]; begins[0] is before all instants
	offsets []int32 // the offset in span i, in seconds
	index   []uint16
	repeats bool // all cycles from cycleBegin on are the same; otherwise, the last span has no end
	gaps    []Gap
}

// A Gap is a range of local times that a change of the clock skips. A zone has few distinct gaps.
type Gap struct{ Begin, End int64 }

// The calendar repeats every 400 years, which is a whole number of weeks.
const (
	CycleDays = 146097
	Cycle     = CycleDays * SecondsPerDay
)

// The index contains an entry for every 1<<indexShift seconds from indexBegin on: the number of the span that contains the
// instant. A step is about half a year, so few steps contain more than one change.
const indexShift = 24

var (
	indexBegin = DayNumber(1800, 1, 1) * SecondsPerDay // before the first change of any zone
	cycleBegin = DayNumber(2100, 1, 1) * SecondsPerDay // after the last listed change of any zone
)

// newTable builds the table of a location by querying it for each change.
func newTable(location *time.Location) *table {
	t := new(table)
	end := cycleBegin + Cycle
	for at := int64(noBegin); at < end; {
		s := spanOf(location, at)
		t.addGap(at, s.Offset)
		if n := len(t.offsets); n == 0 || t.offsets[n-1] != int32(s.Offset) { // skip changes that affect only the abbreviation
			t.begins = append(t.begins, at)
			t.offsets = append(t.offsets, int32(s.Offset))
			t.repeats = at >= cycleBegin
		}
		at = s.End
		for indexBegin+int64(len(t.index))<<indexShift < min(at, end) {
			t.index = append(t.index, uint16(len(t.begins)-1))
		}
	}
	return t
}

// addGap adds the gap, if any, that a change to the given offset causes, unless the gap is already in the list.
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

// locate returns the index of the span that contains an instant, and the number of seconds by which it moved the instant
// back into the cycle.
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

// spanAt returns the span that contains an instant. A span that crosses the end of a cycle is split there into two spans
// with the same offset.
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

// A lazyTable builds the table of a location once there have been enough lookups to justify the cost.
type lazyTable struct {
	location *time.Location
	embedded bool // the location comes from the embedded database

	lookups atomic.Int32 // the number of lookups without a table
	once    sync.Once
	table   atomic.Pointer[table]
}

// lookupsThatPay is the approximate number of lookups without a table that take as long as building the table.
const lookupsThatPay = 512

// ifItPays returns the table, or nil if there have been too few lookups to justify building it.
func (l *lazyTable) ifItPays() *table {
	if l == nil {
		return nil
	}
	if t := l.table.Load(); t != nil {
		return t
	}
	if l.lookups.Add(1) < lookupsThatPay {
		return nil
	}
	return l.get()
}

// get returns the table, building it if necessary.
func (l *lazyTable) get() *table {
	l.once.Do(func() { l.table.Store(cache.make(l)) })
	return l.table.Load()
}

// A tableCache caches tables. The embedded database has a fixed number of locations, but callers can create any number of other
// locations, since every call to time.LoadLocation returns a new location. For each name, the cache keeps only the last
// location for which a table was built.
type tableCache struct {
	embedded sync.Map // maps *time.Location to *lazyTable
	own      sync.Map // maps zone names to *lazyTable

	// Most programs use few zones. For faster access, the first embedded zones are also stored in first.
	first [4]atomic.Pointer[lazyTable]
}

var cache tableCache

// tableOf returns the table of a location. If the location does not have the name of a zone, tableOf returns nil, because
// such a location usually has a single offset and needs no table.
func (c *tableCache) tableOf(location *time.Location) *lazyTable {
	for i := range c.first {
		if l := c.first[i].Load(); l != nil && l.location == location {
			return l
		}
	}
	if l, ok := c.embedded.Load(location); ok {
		return l.(*lazyTable)
	}
	name := location.String()
	embedded, named := zone.Load(name)
	switch {
	case !named:
		return nil
	case embedded != location:
		if l, ok := c.own.Load(name); ok && l.(*lazyTable).location == location {
			return l.(*lazyTable)
		}
		return &lazyTable{location: location}
	}
	stored, isOld := c.embedded.LoadOrStore(location, &lazyTable{location: location, embedded: true})
	l := stored.(*lazyTable)
	if !isOld {
		c.addFirst(l)
	}
	return l
}

// addFirst stores a table in first if there is a free slot.
func (c *tableCache) addFirst(l *lazyTable) {
	for i := range c.first {
		if c.first[i].CompareAndSwap(nil, l) {
			return
		}
	}
}

// make builds a table, or returns the table of the last location with the same name if that location is the same zone.
func (c *tableCache) make(l *lazyTable) *table {
	if l.embedded {
		return newTable(l.location)
	}
	name := l.location.String()
	if last, ok := c.own.Load(name); ok && reflect.DeepEqual(last.(*lazyTable).location, l.location) {
		return last.(*lazyTable).get()
	}
	t := newTable(l.location)
	c.own.Store(name, l)
	return t
}
