package civil

import (
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/calrules/calrules/internal/zone"
)

// table holds the offsets of a zone at all instants, in a form that is fast to look up. It is immutable once made.
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
}

// Gap is the range of local times that a change of the clock skips. A zone has few distinct gaps.
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

// newTable builds the table of a location by asking it for one change after another.
func newTable(location *time.Location) *table {
	t := new(table)
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

// addGap adds the gap of a change to an offset, if there is one and it is new.
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

// locate returns the index of the span that contains an instant, and the number of seconds by which the instant was moved
// into the cycle.
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

// lazyTable builds the table of a location once that pays.
type lazyTable struct {
	location *time.Location
	embedded bool // the location comes from the embedded database

	lookups atomic.Int32 // without a table
	once    sync.Once
	table   atomic.Pointer[table]
}

// lookupsThatPay is the approximate number of lookups in the location that take as long as building a table.
const lookupsThatPay = 512

// ifItPays returns the table, or nil after only a few lookups.
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

// get returns the table, and builds it if necessary.
func (l *lazyTable) get() *table {
	l.once.Do(func() { l.table.Store(cache.make(l)) })
	return l.table.Load()
}

// tableCache caches tables. The embedded database has a fixed number of locations. Callers can make any number of others,
// since time.LoadLocation returns a new one for every call: of each name, the cache keeps the last one with a table.
type tableCache struct {
	embedded sync.Map // from *time.Location to *lazyTable
	own      sync.Map // from a name to *lazyTable

	// Most programs use few zones. The first embedded ones are also here, for faster access.
	first [4]atomic.Pointer[lazyTable]
}

var cache tableCache

// tableOf returns the table of a location, or nil for one without the name of a zone, which usually has a single offset and
// needs none.
func (c *tableCache) tableOf(location *time.Location) *lazyTable {
	for i := range c.first {
		l := c.first[i].Load()
		if l == nil {
			break
		}
		if l.location == location {
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

// addFirst adds a table to the first ones, unless there are enough.
func (c *tableCache) addFirst(l *lazyTable) {
	for i := range c.first {
		if c.first[i].CompareAndSwap(nil, l) {
			return
		}
	}
}

// make builds a table, unless the caller's last location with the same name is the same zone.
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
