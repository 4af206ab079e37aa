package form

// MayBeNear reports whether two words may be within most edits because of their letters.
func MayBeNear(a, b string, most int) bool { return mayBeNear(letterSet(a), letterSet(b), most) }

// ZoneHash returns the place of a name in the table of zones if no other name has it.
func ZoneHash(name string) uint { return hashZone(name) % uint(len(zoneSet{})) }
