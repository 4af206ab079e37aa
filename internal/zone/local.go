package zone

import "time"

// Instant returns the instant at which clocks in the zone show what t shows in UTC. If they show
// it twice, it is the first instant. If they skip it, the offset before the gap applies (RFC 5545
// section 3.3.5): 02:30 in a gap from two to three is 03:30.
func Instant(t time.Time, zone *time.Location) time.Time {
	// No zone changes its clock twice within two days, so the offset is that of a day earlier or
	// a day later. If both fit, the earlier instant has the former.
	const day = 24 * time.Hour
	before := at(t, zone, t.Add(-day))
	if shows(before, t) {
		return before
	}
	if after := at(t, zone, t.Add(day)); shows(after, t) {
		return after
	}
	return before
}

// at reads t with the offset that the zone has at the instant when.
func at(t time.Time, zone *time.Location, when time.Time) time.Time {
	_, offset := when.In(zone).Zone()
	return t.Add(-time.Duration(offset) * time.Second).In(zone)
}

// shows reports whether a clock in the zone of instant shows the date and time of civil.
func shows(instant, civil time.Time) bool {
	_, offset := instant.Zone()
	return instant.Add(time.Duration(offset) * time.Second).Equal(civil)
}
