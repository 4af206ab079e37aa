package civil

import (
	"math"
	"time"
)

// MaxShift is longer than the distance between any two offsets of one zone, in seconds.
const MaxShift = 2 * SecondsPerDay

// Zone is a time zone. [ZoneOf] returns one that builds a table for fast lookups once that pays. A Zone of a Location
// alone gives the same answers.
type Zone struct {
	Location *time.Location
	lazy     *lazyTable
}

// ZoneOf returns the zone of a location, with a table if the location may have one.
func ZoneOf(location *time.Location) Zone { return Zone{location, cache.tableOf(location)} }

// IsEmbedded reports whether the zone is known to be the zone of the embedded database with the name of its location.
func (z Zone) IsEmbedded() bool { return z.lazy != nil && z.lazy.embedded }

// Span is a stretch of time with a constant offset from UTC, from the instant Begin up to but
// not including End.
type Span struct{ Begin, End, Offset int64 }

// The bounds of spans that have no beginning or no end: far beyond the calendar, but small
// enough for sums with clocks.
const (
	noBegin = math.MinInt64 / 2
	noEnd   = math.MaxInt64 / 2
)

// SpanAt returns the span that contains an instant.
func (z Zone) SpanAt(unix int64) Span {
	if t := z.lazy.ifItPays(); t != nil {
		return t.spanAt(unix)
	}
	return spanOf(z.Location, unix)
}

// ClockAt returns the local time at an instant.
func (z Zone) ClockAt(unix int64) int64 {
	if t := z.lazy.ifItPays(); t != nil {
		return unix + t.offsetAt(unix)
	}
	return unix + spanOf(z.Location, unix).Offset
}

// ShownAt returns the local time at an instant, and reports whether the clock shows it for the first time.
func (z Zone) ShownAt(unix int64) (clock int64, isFirst bool) {
	span := z.SpanAt(unix)
	clock = unix + span.Offset
	if unix >= span.Begin+MaxShift {
		return clock, true // the clock cannot have shown that before the span
	}
	r := NewResolver(z)
	first, _ := r.Resolve(clock)
	return clock, first == unix
}

// RepeatsFrom returns an instant from which on the offsets repeat in every [Cycle]. ok is false if there are no changes by
// then, or if the instant is unknown.
func (z Zone) RepeatsFrom() (unix int64, ok bool) {
	return cycleBegin, z.lazy != nil && z.lazy.get().repeats
}

// Gaps returns the local times that changes of the clock skip, as clocks of one day or of two
// adjacent days. known is false if the zone has no table.
func (z Zone) Gaps() (gaps []Gap, known bool) {
	if z.lazy == nil {
		return nil, false
	}
	return z.lazy.get().gaps, true
}

// spanOf returns the span of a location that contains an instant.
func spanOf(location *time.Location, unix int64) Span {
	t := time.Unix(unix, 0).In(location)
	_, offset := t.Zone()
	begin, end := t.ZoneBounds()
	s := Span{Begin: noBegin, End: noEnd, Offset: int64(offset)}
	if !begin.IsZero() {
		s.Begin = begin.Unix()
	}
	if !end.IsZero() {
		s.End = end.Unix()
	}
	if s.End <= unix { // go1.26 does this on 31 December of leap years after the listed changes
		s.End = unix + SecondsPerDay
	}
	return s
}

// Resolver converts clocks of one zone to instants. It remembers the last span, so that
// neighbouring clocks cost a comparison.
type Resolver struct {
	zone       Zone
	begin, end int64 // the clocks that are offset ahead of their instants
	offset     int64
}

// NewResolver returns a resolver for a zone.
func NewResolver(zone Zone) Resolver {
	if zone.Location == time.UTC {
		return Resolver{zone: zone, begin: math.MinInt64, end: math.MaxInt64}
	}
	return Resolver{zone: zone}
}

// Resolve returns the instant at which the clock shows clock: the first if there are two. If there is none, because the
// clock was put forward, exists is false and the offset before the gap gives the instant (RFC 5545 section 3.3.5).
func (r *Resolver) Resolve(clock int64) (unix int64, exists bool) {
	if clock >= r.begin && clock < r.end {
		return clock - r.offset, true
	}
	return r.search(clock)
}

// Offset returns the common offset of all clocks from first to last. ok is false if the resolver does not remember it.
func (r *Resolver) Offset(first, last int64) (offset int64, ok bool) {
	return r.offset, first >= r.begin && last < r.end
}

// search goes from a span that begins before the clock to the first one that ends after it.
func (r *Resolver) search(clock int64) (unix int64, exists bool) {
	s := r.zone.SpanAt(clock - SecondsPerDay) // no offset is a day
	before := s.Offset
	for clock >= s.End+s.Offset {
		before = s.Offset
		s = r.zone.SpanAt(s.End)
	}
	unix = clock - s.Offset
	if unix < s.Begin {
		return clock - before, false
	}
	// The clock may have shown the first local times of the span in the span before as well, so they are not
	// remembered, except for the span that was just searched.
	r.offset = s.Offset
	r.begin, r.end = min(s.Begin+MaxShift, unix)+s.Offset, s.End+s.Offset
	return unix, true
}
