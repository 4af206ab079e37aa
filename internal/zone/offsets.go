package zone

import (
	"math"
	"time"
)

// Offsets caches the offset of a location between two clock changes, because successive times are usually close together. The
// zero value is ready to use, and a nil pointer caches nothing. Offsets is not safe for concurrent use.
type Offsets struct {
	location   *time.Location
	begin, end int64 // in seconds
	offset     int
}

// At returns the offset at t in the location of t.
func (o *Offsets) At(t time.Time) int {
	unix := t.Unix()
	if o.location != t.Location() || unix < o.begin || unix >= o.end {
		o.look(t)
	}
	return o.offset
}

// look looks up the offset at t, and the period in which it applies.
func (o *Offsets) look(t time.Time) {
	_, offset := t.Zone()
	begin, end := t.ZoneBounds()
	*o = Offsets{location: t.Location(), begin: math.MinInt64, end: math.MaxInt64, offset: offset}
	if !begin.IsZero() {
		o.begin = begin.Unix()
	}
	if !end.IsZero() {
		o.end = end.Unix() // on 31 December of some leap years, go1.26 returns an end before t, so that the cache is not used
	}
}

// Instant returns the instant at which clocks in the zone show the date and time of t in UTC. If clocks show that time twice,
// Instant returns the first instant. If clocks skip that time, the offset before the gap applies (RFC 5545 section 3.3.5):
// 02:30 in a gap from 02:00 to 03:00 means 03:30.
func Instant(t time.Time, zone *time.Location) time.Time { return (*Offsets)(nil).Instant(t, zone) }

// Instant is like the function [Instant], but caches offsets.
func (o *Offsets) Instant(t time.Time, zone *time.Location) time.Time {
	if o == nil {
		o = new(Offsets)
	}
	// No zone changes its offset twice within two days, so the right offset is the offset a day earlier or a day later.
	// If both offsets are right, the earlier day's offset yields the earlier instant.
	const day = 24 * time.Hour
	before := o.read(t, zone, t.Add(-day))
	if o.shows(before, t) {
		return before
	}
	if after := o.read(t, zone, t.Add(day)); o.shows(after, t) {
		return after
	}
	return before
}

// read returns the instant of t, interpreted as local time, with the zone's offset at the instant when.
func (o *Offsets) read(t time.Time, zone *time.Location, when time.Time) time.Time {
	return t.Add(-time.Duration(o.At(when.In(zone))) * time.Second).In(zone)
}

// shows reports whether a clock in the zone of instant then shows the date and time of civil.
func (o *Offsets) shows(instant, civil time.Time) bool {
	return instant.Add(time.Duration(o.At(instant)) * time.Second).Equal(civil)
}
