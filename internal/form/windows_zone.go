package form

import (
	"strings"
	"sync"
)

// windowsZones maps Windows time zone names to IANA zones.
var windowsZones = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for line := range strings.Lines(windowsZoneList) {
		name, zone, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		zones[name] = zone
	}
	return zones
})

// WindowsZone returns the IANA zone that corresponds to a Windows time zone, such as America/Chicago for Central
// Standard Time. WindowsZone returns false if Windows has no zone with the given name, which is case-sensitive. UTC is
// both a Windows and an IANA name. Source: Unicode CLDR, windowsZones, territory 001.
func WindowsZone(name string) (zone string, ok bool) {
	zone, ok = windowsZones()[name]
	return zone, ok
}
