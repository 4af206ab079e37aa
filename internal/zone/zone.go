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

// Load returns the time zone with the given IANA name, or false if limits.IsZone does not know
// the name. "UTC" is [time.UTC], and no name is [time.Local]. Load returns the same pointer for
// the same name every time, and is safe for concurrent use.
func Load(name string) (*time.Location, bool) {
	z, ok := zones()[name]
	if !ok {
		return nil, false
	}
	z.once.Do(z.parse)
	return z.location, true
}

// zone is one entry of the snapshot, parsed on first use.
type zone struct {
	file     *zip.File
	once     sync.Once
	location *time.Location // once done
}

// zones returns the zones by name. The map is made at the first call and not modified after that.
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

// parse sets the location. It panics if the snapshot is damaged, which the tests rule out.
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
