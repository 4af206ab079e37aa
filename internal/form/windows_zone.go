package form

import (
	"strings"
	"sync"
)

// windowsZones are the zones of the IANA database by their names on Windows.
var windowsZones = sync.OnceValue(func() map[string]string {
	zones := map[string]string{}
	for line := range strings.Lines(windowsZoneList) {
		name, zone, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		zones[name] = zone
	}
	return zones
})

// WindowsZone returns the zone of the IANA database that is the counterpart of a time zone of Windows, such as
// America/Chicago for Central Standard Time. It reports false if Windows has no zone of that name. Case matters. UTC
// is a name in both.
// Source: Unicode CLDR, windowsZones, territory 001.
func WindowsZone(name string) (zone string, ok bool) {
	zone, ok = windowsZones()[name]
	return zone, ok
}
