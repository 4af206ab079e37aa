package recurrence

import (
	"math"
	"time"

	"github.com/calrules/calrules/internal/zone"
	"github.com/calrules/calrules/limits"
)

// isZone reports whether name is a zone that a TZID may name.
func isZone(name string) bool { return limits.IsZone(name) }

// loadZone returns the zone of a TZID that [isZone] takes.
func loadZone(name string) (*time.Location, bool) { return zone.Load(name) }

// maxShift is longer than any two offsets of one zone lie apart, in seconds.
const maxShift = 2 * secondsPerDay

// resolver turns clocks of one zone into instants. It remembers the span between two
// changes of the clock that it met last, so that neighbouring clocks cost a comparison.
type resolver struct {
	zone       zoneClock
	begin, end int64 // the clocks, begin inclusive, end exclusive, that are offset ahead of their instants
	offset     int64
}

func newResolver(zone zoneClock) resolver {
	if zone.location == time.UTC {
		return resolver{zone: zone, begin: math.MinInt64, end: math.MaxInt64}
	}
	return resolver{zone: zone}
}

// resolve returns the instant at which the clock shows clock, the first where it does so
// twice. Where it never does, because the clock was put forward over it, exists is false
// and the instant is the one that the offset before the gap gives (RFC 5545 section 3.3.5).
func (r *resolver) resolve(clock int64) (unix int64, exists bool) {
	if clock >= r.begin && clock < r.end {
		return clock - r.offset, true
	}
	return r.search(clock)
}

// search finds the span of constant offset that the clock lies in. Most often that is the
// one around the instant which the last offset gives.
func (r *resolver) search(clock int64) (unix int64, exists bool) {
	s := r.zone.spanAt(clock - r.offset)
	if unix = clock - s.offset; unix >= s.begin+maxShift && unix < s.end {
		r.remember(s, s.begin)
		return unix, true
	}
	return r.searchAll(clock)
}

// searchAll walks the spans of constant offset, from one that surely ends before the clock,
// to the first that ends after it.
func (r *resolver) searchAll(clock int64) (unix int64, exists bool) {
	s := r.zone.spanAt(clock - maxShift/2)
	before := s.offset
	for clock >= s.end+s.offset {
		before = s.offset
		s = r.zone.spanAt(s.end)
	}
	unix = clock - s.offset
	if unix < s.begin {
		return clock - before, false
	}
	r.remember(s, min(s.begin, unix-maxShift))
	return unix, true
}

// remember keeps a span, but for its first instants: what the clock shows then it may have
// shown in the span before, too. They count from begin.
func (r *resolver) remember(s span, begin int64) {
	r.offset = s.offset
	r.begin, r.end = begin+maxShift+s.offset, s.end+s.offset
}

// span is a stretch of time in which the offset of a zone stays the same. The bounds are
// unix seconds, kept far from overflow where there is no change of the clock.
type span struct{ begin, end, offset int64 }

// The bounds of spans that do not begin or do not end: far beyond the calendar, yet so that
// sums with clocks do not overflow.
const (
	noBegin = math.MinInt64 / 2
	noEnd   = math.MaxInt64 / 2
)

// spanOf asks a location for the span of constant offset that an instant lies in.
func spanOf(location *time.Location, unix int64) span {
	t := time.Unix(unix, 0).In(location)
	_, offset := t.Zone()
	begin, end := t.ZoneBounds()
	s := span{begin: noBegin, end: noEnd, offset: int64(offset)}
	if !begin.IsZero() {
		s.begin = begin.Unix()
	}
	if !end.IsZero() {
		s.end = end.Unix()
	}
	if s.end <= unix { // on 31 December of leap years that only the zone's last rule covers (seen in go1.26)
		s.end = unix + secondsPerDay
	}
	return s
}
