// Package zone loads the time zones of the IANA database from an embedded snapshot. The instances of a series are therefore the
// same on every host.
//
// By contrast, time.LoadLocation prefers the files of the host, which may be missing or from any release; time/tzdata
// is only a fallback.
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

// The zones come from zoneinfo.zip in the Go distribution, whose IANA release is in zoneinfo.release. The command `go run
// ./gen -update` copies both files from the installed toolchain. Each line of the zone index contains the name of a zone and
// the range of its data. Embedding the archive itself would make programs larger: they would link archive/zip, and contain a
// zone's data once for each of its names.
//
//go:generate go run ./gen

//go:embed zones.data
var data string

//go:embed zones.index
var index string

// Load returns the time zone with the given IANA name, or false if form.IsZone returns false for the name. For "UTC", Load
// returns [time.UTC]; Load never returns [time.Local]. Load always returns the same pointer for the same name, and is safe for
// concurrent use.
func Load(name string) (*time.Location, bool) {
	index, ok := form.ZoneIndex(name)
	if !ok {
		return nil, false
	}
	return At(index), true
}

// At returns the zone at an index from [form.ZoneIndex], or nil if no zone has the index.
func At(index int) *time.Location {
	all := zones()
	if index < 0 || index >= len(all) {
		return nil
	}
	return all[index]()
}

// zones returns a function for each line of the index, in the order of [form.Zones]. The function returns the zone, parsing it
// on first use.
var zones = sync.OnceValue(func() (all []func() *time.Location) {
	for line := range strings.Lines(index) {
		all = append(all, sync.OnceValue(func() *time.Location { return parse(line) }))
	}
	return all
})

func parse(line string) *time.Location {
	name, begin, end := place(line)
	if name == "UTC" {
		return time.UTC
	}
	location, err := time.LoadLocationFromTZData(name, []byte(data[begin:end]))
	if err != nil { // ruled out by tests
		panic(fmt.Sprintf("zone: embedded data: %s: %v", name, err))
	}
	return location
}

// place parses a line of the index, and returns the zone's name and the range of its data.
func place(line string) (name string, begin, end int) {
	fields := strings.Fields(line)
	begin, errBegin := strconv.Atoi(fields[1])
	end, errEnd := strconv.Atoi(fields[2])
	if err := errors.Join(errBegin, errEnd); err != nil { // ruled out by tests
		panic(fmt.Sprintf("zone: embedded index: %q: %v", line, err))
	}
	return fields[0], begin, end
}
