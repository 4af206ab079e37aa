package event

import (
	"strings"

	"github.com/calrules/calrules/limits"
)

// inTable is how many attendees the table of [findDuplicates] serves: a quarter of its slots,
// so that looking one up takes a step or two.
const (
	tableSlots = 1024
	inTable    = tableSlots / 4
)

// findDuplicates calls found for every attendee whose address an earlier one has, with the
// indexes of the first of them and of the attendee. It takes linear time, and allocates only
// for lists that are longer than those of nearly all events.
func findDuplicates(attendees []Attendee, found func(first, again int)) {
	switch n := len(attendees); {
	case n < 2:
	case n <= inTable:
		findInTable(attendees, found)
	default:
		findInMap(attendees, found)
	}
}

// findInTable keeps the indexes in a hash table with open addressing, on the stack. A slot
// holds an index plus one.
func findInTable(attendees []Attendee, found func(first, again int)) {
	var table [tableSlots]uint16
	for i := range attendees {
		email := attendees[i].Email
		if email == "" {
			continue
		}
		slot := limits.AddressHash(email) % tableSlots
		for ; ; slot = (slot + 1) % tableSlots {
			if table[slot] == 0 {
				table[slot] = uint16(i + 1)
				break
			}
			if first := int(table[slot]) - 1; limits.SameAddress(attendees[first].Email, email) {
				found(first, i)
				break
			}
		}
	}
}

// findInMap serves long lists: Go seeds the hash of its maps, so nobody can choose addresses
// that all fall together. The map is returned: where the first attendee stands with each address,
// as [foldAddress] gives it.
func findInMap(attendees []Attendee, found func(first, again int)) map[string]int {
	firsts := make(map[string]int, len(attendees))
	for i := range attendees {
		email := attendees[i].Email
		if email == "" {
			continue
		}
		key := foldAddress(email)
		if first, twice := firsts[key]; twice {
			found(first, i)
		} else {
			firsts[key] = i
		}
	}
	return firsts
}

// foldAddress returns one text for all addresses that are the same to [limits.SameAddress].
func foldAddress(email string) string {
	at := max(strings.LastIndexByte(email, '@'), 0)
	return email[:at] + strings.Map(lowerASCII, email[at:])
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}
