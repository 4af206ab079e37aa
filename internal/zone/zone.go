// Package zone loads the time zones of the IANA database from an embedded snapshot, so that an
// expansion has the same instants on every host.
//
// time.LoadLocation reads the host's files first, which may be of any release or missing; even
// time/tzdata is only its fallback.
package zone

import (
	_ "embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/calrules/calrules/internal/form"
)

// The zones come from zoneinfo.zip of the Go distribution, whose IANA release is in zoneinfo.release. `go run ./gen
// -update` copies both from the installed toolchain. Each line of the index contains the name of a zone, and the
// offsets of its text in the data. A program with the archive itself would be larger: it would link archive/zip, and
// contain the text of a zone once for each of its names.
//
//go:generate go run ./gen

//go:embed zones.data
var data string

//go:embed zones.index
var index string

// Load returns the time zone with the given IANA name, or false if form.IsZone does not know
// the name. "UTC" is [time.UTC], and no name is [time.Local]. Load returns the same pointer for
// the same name every time, and is safe for concurrent use.
func Load(name string) (*time.Location, bool) {
	index, ok := form.ZoneIndex(name)
	if !ok {
		return nil, false
	}
	return At(index), true
}

// At returns the zone of an index of [form.ZoneIndex], or nil if no zone has the index.
func At(index int) *time.Location {
	all := zones()
	if index < 0 || index >= len(all) {
		return nil
	}
	return all[index]()
}

// zones returns a function for each line of the index, which are in the order of [form.Zones]. The function returns the
// zone, which it parses on first use.
var zones = sync.OnceValue(func() (all []func() *time.Location) {
	for line := range strings.Lines(index) {
		all = append(all, sync.OnceValue(func() *time.Location { return parse(line) }))
	}
	return all
})

// parse parses the zone in a line of the index.
func parse(line string) *time.Location {
	name, begin, end := place(line)
	if name == "UTC" {
		return time.UTC
	}
	location, err := time.LoadLocationFromTZData(name, []byte(data[begin:end]))
	if err != nil { // the tests rule it out
		panic(fmt.Sprintf("zone: embedded data: %s: %v", name, err))
	}
	return location
}

// place reads a line of the index.
func place(line string) (name string, begin, end int) {
	fields := strings.Fields(line)
	begin, errBegin := strconv.Atoi(fields[1])
	end, errEnd := strconv.Atoi(fields[2])
	if err := errors.Join(errBegin, errEnd); err != nil { // the tests rule it out
		panic(fmt.Sprintf("zone: embedded index: %q: %v", line, err))
	}
	return fields[0], begin, end
}

// Instant returns the instant at which clocks in the zone show what t shows in UTC. If they show
// it twice, it is the first instant. If they skip it, the offset before the gap applies (RFC 5545
// section 3.3.5): 02:30 in a gap from two to three is 03:30.
func Instant(t time.Time, zone *time.Location) time.Time {
	// No zone changes its clock twice within two days, so the offset is the offset a day earlier or a day later. If
	// both fit, the earlier instant has the earlier day's offset.
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

// at reads t with the offset of the zone at the instant when.
func at(t time.Time, zone *time.Location, when time.Time) time.Time {
	_, offset := when.In(zone).Zone()
	return t.Add(-time.Duration(offset) * time.Second).In(zone)
}

// shows reports whether a clock in the zone of instant shows the date and time of civil.
func shows(instant, civil time.Time) bool {
	_, offset := instant.Zone()
	return instant.Add(time.Duration(offset) * time.Second).Equal(civil)
}
