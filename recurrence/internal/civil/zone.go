package civil

import (
	"math"
	"time"
)

// MaxShift is a number of seconds that exceeds the difference between any two offsets of a zone.
const MaxShift = 2 * SecondsPerDay

// A Zone is a time zone. A Zone from [ZoneOf] builds a table for fast lookups once there have been enough lookups. A Zone
// with only a Location returns the same results.
type Zone struct {
	Location *time.Location
	lazy     *lazyTable
}

// ZoneOf returns the zone of a location, with a lazily built table if the location has a zone name.
func ZoneOf(location *time.Location) Zone { return Zone{location, cache.tableOf(location)} }

// IsEmbedded reports whether the location is known to come from the embedded time zone database.
func (z Zone) IsEmbedded() bool { return z.lazy != nil && z.lazy.embedded }

// A Span is a stretch of time with a constant offset from UTC, from the instant Begin up to but not including End.
type Span struct{ Begin, End, Offset int64 }

// Bounds of spans that have no beginning or no end. Both bounds are far beyond the calendar, but adding a bound to a local time
// does not overflow.
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

// RepeatsFrom returns an instant after which the offsets repeat with period [Cycle], or false if there are no changes after
// that instant or if the zone has no table.
func (z Zone) RepeatsFrom() (unix int64, ok bool) {
	return cycleBegin, z.lazy != nil && z.lazy.get().repeats
}

// Gaps returns the ranges of local time that changes of the clock skip, in seconds since midnight of the day on which the gap
// begins, or false if the zone has no table.
func (z Zone) Gaps() (gaps []Gap, known bool) {
	if z.lazy == nil {
		return nil, false
	}
	return z.lazy.get().gaps, true
}

// spanOf returns the span in a location that contains an instant.
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
	if s.End <= unix { // happens in go1.26 on 31 December of leap years after the listed changes
		s.End = unix + SecondsPerDay
	}
	return s
}

// A Resolver converts local times in a zone to instants. A Resolver remembers the last span, so resolving neighboring
// local times requires only a comparison.
type Resolver struct {
	zone       Zone
	begin, end int64 // the range of local times for which the remembered offset applies
	offset     int64
}

// NewResolver returns a resolver for a zone.
func NewResolver(zone Zone) Resolver {
	if zone.Location == time.UTC {
		return Resolver{zone: zone, begin: math.MinInt64, end: math.MaxInt64}
	}
	return Resolver{zone: zone}
}

// Resolve returns the instant of a local time, or the first instant if the local time occurs twice. If the local time does not
// occur because the clock was set forward, exists is false and the instant is computed with the offset before the gap (RFC 5545
// section 3.3.5).
func (r *Resolver) Resolve(clock int64) (unix int64, exists bool) {
	if offset, ok := r.Offset(clock, clock); ok {
		return clock - offset, true
	}
	return r.search(clock)
}

// Shown returns the local time at an instant, and reports whether the instant is the first occurrence of that local time.
func (r *Resolver) Shown(unix int64) (clock int64, isFirst bool) {
	clock = unix + r.offset
	if _, ok := r.Offset(clock, clock); ok {
		return clock, true
	}
	clock = r.zone.ClockAt(unix)
	first, _ := r.Resolve(clock)
	return clock, first == unix
}

// Offset returns the offset that all local times from first to last have in common, or false if the remembered span does not
// contain all of them.
func (r *Resolver) Offset(first, last int64) (offset int64, ok bool) {
	return r.offset, first >= r.begin && last < r.end
}

// search resolves a local time by visiting spans, from a span that begins before the local time to the first span that
// ends after it.
func (r *Resolver) search(clock int64) (unix int64, exists bool) {
	s := r.zone.SpanAt(clock - SecondsPerDay) // every offset is shorter than a day
	before := s.Offset
	for clock >= s.End+s.Offset {
		before = s.Offset
		s = r.zone.SpanAt(s.End)
	}
	unix = clock - s.Offset
	if unix < s.Begin {
		return clock - before, false
	}
	// The first local times of a span may already have occurred in the preceding span. Repeated local times are excluded from the
	// remembered range, except for local times from clock on.
	r.offset = s.Offset
	r.begin, r.end = min(s.Begin+MaxShift, unix)+s.Offset, s.End+s.Offset
	return unix, true
}
