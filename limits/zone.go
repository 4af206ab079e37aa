package limits

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
)

// zoneList is the names of release [ZoneRelease] in byte order, one per line. The package
// internal/zone/gen writes it.
//
//go:embed zones.txt
var zoneList string

// zoneTable is zoneList, ready for lookup.
type zoneTable struct {
	names     []string // in byte order
	known     map[string]bool
	maxLength int // of a name, in bytes
}

// zones returns the table. The first call builds it, so that importing the package costs nothing.
var zones = sync.OnceValue(func() *zoneTable {
	t := &zoneTable{names: strings.Fields(zoneList), known: map[string]bool{}}
	for _, name := range t.names {
		t.known[name] = true
		t.maxLength = max(t.maxLength, len(name))
	}
	return t
})

// IsZone reports whether name is a zone or link of the IANA Time Zone Database, release
// [ZoneRelease], such as "Europe/Paris", "US/Pacific" or "UTC". Case matters. The time zone
// files of the host do not, and the names "" and "Local", which have a meaning to Go's time
// package, are not zones.
func IsZone(name string) bool {
	t := zones()
	return len(name) <= t.maxLength && t.known[name] // hashing a very long name would take time
}

// Zones yields all names for which [IsZone] is true, in byte order.
func Zones() iter.Seq[string] { return slices.Values(zones().names) }

// NearestZone returns the zone that name is most likely a misspelling of, chosen by [Nearest]
// from [Zones]. If name has at most four bytes or contains a digit, the zone may differ from it
// only in case: PST is not a misspelling of EST, and UTC+1 is not one of UTC. NearestZone
// reports false if no zone is near.
func NearestZone(name string) (string, bool) {
	if len(name) > zones().maxLength+nearestMaxEdits {
		return "", false
	}
	if len(name) <= 4 || strings.ContainsAny(name, "0123456789") {
		return nearest(name, Zones(), 0)
	}
	return Nearest(name, Zones())
}
