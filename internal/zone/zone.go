// Package zone loads the time zones of the IANA database from data that is part of the
// program, so that an expansion gives the same instants on every host.
//
// time.LoadLocation looks at the host's files first, which may be of any release or not
// be there at all; even time/tzdata is only what it falls back to.
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

// The snapshot is zoneinfo.zip as the Go distribution ships it, and the IANA release that
// it was made from in zoneinfo.release. `go run ./gen -update` takes both from the
// toolchain at hand.
//
//go:generate go run ./gen

//go:embed zoneinfo.zip
var snapshot string

// Load returns the time zone with the given IANA name, or false if release
// [github.com/calrules/calrules/limits.ZoneRelease] has no such name: names are those
// of limits.IsZone. "UTC" is [time.UTC], and no name is [time.Local]. The same name gives
// the same pointer every time. Load may be called from several goroutines at once.
func Load(name string) (*time.Location, bool) {
	z, ok := zones()[name]
	if !ok {
		return nil, false
	}
	z.once.Do(z.parse)
	return z.location, true
}

// zone is one entry of the snapshot, parsed when it is first asked for.
type zone struct {
	file     *zip.File
	once     sync.Once
	location *time.Location // once done
}

// zones returns the zones by name. The map is made at the first call and never changes:
// what is kept is bounded by the names that there are.
var zones = sync.OnceValue(func() map[string]*zone {
	archive, err := zip.NewReader(strings.NewReader(snapshot), int64(len(snapshot)))
	if err != nil {
		panic(fmt.Sprintf("zone: embedded snapshot: %v", err))
	}
	byName := make(map[string]*zone, len(archive.File))
	for _, file := range archive.File {
		byName[file.Name] = &zone{file: file}
	}
	return byName
})

// parse sets the location. It panics if the snapshot is damaged, which no caller can bring
// about and the tests rule out for every name.
func (z *zone) parse() {
	if z.file.Name == "UTC" {
		z.location = time.UTC
		return
	}
	data, err := read(z.file)
	if err == nil {
		z.location, err = time.LoadLocationFromTZData(z.file.Name, data)
	}
	if err != nil {
		panic(fmt.Sprintf("zone: embedded snapshot: %s: %v", z.file.Name, err))
	}
}

// read returns the contents of the file.
func read(file *zip.File) ([]byte, error) {
	r, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}
