// Package zone loads the time zones of the IANA database from an embedded snapshot, so that an
// expansion has the same instants on every host.
//
// time.LoadLocation reads the host's files first, which may be of any release or missing; even
// time/tzdata is only its fallback.
package zone

import (
	"archive/zip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// The snapshot is zoneinfo.zip of the Go distribution, with its IANA release in
// zoneinfo.release. `go run ./gen -update` copies both from the installed toolchain.
//
//go:generate go run ./gen

//go:embed zoneinfo.zip
var snapshot string

// Load returns the time zone with the given IANA name, or false if form.IsZone does not know
// the name. "UTC" is [time.UTC], and no name is [time.Local]. Load returns the same pointer for
// the same name every time, and is safe for concurrent use.
func Load(name string) (*time.Location, bool) {
	load, ok := zones()[name]
	if !ok {
		return nil, false
	}
	return load(), true
}

// zones returns a function for each name that returns its zone, which it parses on first use. The
// map is made at the first call and not modified after that.
var zones = sync.OnceValue(func() map[string]func() *time.Location {
	archive, err := zip.NewReader(strings.NewReader(snapshot), int64(len(snapshot)))
	if err != nil {
		panic(fmt.Sprintf("zone: embedded snapshot: %v", err))
	}
	byName := make(map[string]func() *time.Location, len(archive.File))
	for _, file := range archive.File {
		byName[file.Name] = sync.OnceValue(func() *time.Location {
			location, err := parse(file)
			if err != nil { // the tests rule it out
				panic(fmt.Sprintf("zone: embedded snapshot: %s: %v", file.Name, err))
			}
			return location
		})
	}
	byName["UTC"] = func() *time.Location { return time.UTC }
	return byName
})

func parse(file *zip.File) (*time.Location, error) {
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(file.Name, data)
}

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
