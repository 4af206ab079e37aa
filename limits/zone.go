package limits

import (
	"iter"
	"slices"
	"strings"
)

// IsZone reports whether name is a name of the IANA Time Zone Database, release
// [ZoneRelease]: a zone or a link, such as "Europe/Paris", "US/Pacific" or "UTC", in the
// database's own case. It does not ask the host: what the host's files have besides, and
// the names that Go's time package gives a meaning ("", "Local"), are no zones.
func IsZone(name string) bool { return isZone(name) }

// Zones yields the names that [IsZone] holds for, in the order of their bytes.
func Zones() iter.Seq[string] { return slices.Values(zoneNames[:]) }

// NearestZone returns the zone that name is most likely a misspelling of, as [Nearest]
// does among [Zones]. Names of up to four bytes or with a digit have to differ in nothing
// but case: PST is not EST misspelt, and UTC+1 is not UTC. It reports false if no zone is
// near.
func NearestZone(name string) (string, bool) {
	if len(name) > zoneMaxLength+nearestMaxEdits {
		return "", false
	}
	if len(name) <= 4 || strings.ContainsAny(name, "0123456789") {
		return nearest(name, Zones(), 0)
	}
	return Nearest(name, Zones())
}
