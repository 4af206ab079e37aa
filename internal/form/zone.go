package form

import (
	_ "embed"
	"iter"
	"slices"
	"strings"
	"sync"
)

// zoneList lists the names of release [ZoneRelease] in byte order, one per line. The package internal/zone/gen writes
// it.
//
//go:embed zones.txt
var zoneList string

// zones returns the names in byte order, and knownZones their set. The first call builds them, so
// that importing the package costs nothing.
var (
	zones      = sync.OnceValue(func() []string { return strings.Fields(zoneList) })
	knownZones = sync.OnceValue(func() *zoneSet {
		known, at, index := new(zoneSet), 0, 0
		for line := range strings.Lines(zoneList) {
			name := line[:len(line)-1]
			*known.find(name) = zoneName{uint16(at), uint16(index), uint8(len(name))}
			at, index = at+len(line), index+1
		}
		return known
	})
)

// zoneSet is a hash table of the names in [zoneList], with linear probing. A command that checks one small file would
// spend a tenth of its time on building a map of them; building this takes little.
type zoneSet [2048]zoneName // the zero value is free

// zoneName is the place of a name in [zoneList].
type zoneName struct {
	offset uint16
	index  uint16 // of its line
	length uint8
}

func (n zoneName) String() string { return zoneList[n.offset:][:n.length] }

// find returns the place of a name in the table or, if the table does not contain it, a free one for it.
func (z *zoneSet) find(name string) *zoneName {
	for i := hashZone(name); ; i++ {
		if n := &z[i%uint(len(z))]; n.length == 0 || n.String() == name {
			return n
		}
	}
}

// hashZone returns a number that few zones share, which tells them apart by their length and their last letters.
func hashZone(name string) (h uint) {
	const end = 4
	for i := max(0, len(name)-end); i < len(name); i++ {
		h = h*31 + uint(name[i])
	}
	return h*31 + uint(len(name))
}

// IsZone reports whether name is a zone or link of the IANA Time Zone Database, release
// [ZoneRelease], such as "Europe/Paris", "US/Pacific" or "UTC". Case matters. The time zone
// files of the host do not, and the names "" and "Local", which have a meaning to Go's time
// package, are not zones.
func IsZone(name string) bool {
	return knownZones().find(name).length > 0
}

// ZoneIndex returns the index of a name among [Zones]. It reports false if [IsZone] does.
func ZoneIndex(name string) (index int, ok bool) {
	n := knownZones().find(name)
	return int(n.index), n.length > 0
}

// Zones yields all names for which [IsZone] is true, in byte order.
func Zones() iter.Seq[string] { return slices.Values(zones()) }

// NearestZone returns the zone that name most likely means: the counterpart of a name of Windows (see [WindowsZone]), or
// the zone that name is a misspelling of, chosen by [Nearest] from [Zones]. If name has at most four bytes or contains a
// digit, a misspelt zone may differ from it only in case: PST is not a misspelling of EST, and UTC+1 is not one of UTC.
// NearestZone reports false if no zone is near.
func NearestZone(name string) (string, bool) {
	if zone, ok := WindowsZone(name); ok && !IsZone(name) { // UTC is both
		return zone, true
	}
	if len(name) > nearestMaxLength {
		return "", false
	}
	most := maxEdits(name)
	if len(name) <= 4 || strings.ContainsFunc(name, func(r rune) bool { return '0' <= r && r <= '9' }) {
		most = 0
	}
	search := zoneSearch{word: name, letters: letterSet(name), most: most}
	search.among(zonesByLength()[len(name)])
	for apart := 1; apart <= search.most; apart++ {
		search.among(zonesByLength()[len(name)-apart])
		search.among(zonesByLength()[len(name)+apart])
	}
	return search.best, search.best != ""
}

// zoneSearch is a search for the zone with the fewest edits, the first one if there are several.
type zoneSearch struct {
	word    string
	letters uint64
	most    int // the maximum number of edits from the word to a better zone
	best    string
}

func (s *zoneSearch) among(zones []zoneLetters) {
	word, most := s.letters, s.most // faster than reading them for each zone
	for i := range zones {
		if !mayBeNear(word, zones[i].letters, most) {
			continue
		}
		name := zones[i].name
		if d := edits(s.word, name, most); d < most || d == most && (s.best == "" || name < s.best) {
			s.best, most = name, d
		}
	}
	s.most = most
}

// zoneLetters is a name with the set of its letters.
type zoneLetters struct {
	letters uint64
	name    string
}

// zonesByLength are the [zones] by the length of their names.
var zonesByLength = sync.OnceValue(func() *[nearestMaxLength + nearestMaxEdits + 1][]zoneLetters {
	var all [nearestMaxLength + nearestMaxEdits + 1][]zoneLetters
	for _, name := range zones() {
		all[len(name)] = append(all[len(name)], zoneLetters{letterSet(name), name})
	}
	return &all
})
