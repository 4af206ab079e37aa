package event

import (
	"strings"

	"github.com/calrules/calrules/internal/form"
)

// The numbers of slots of the hash tables of [findInTable]. A quarter of them are used at most, so that a lookup takes
// one or two steps. They are powers of two.
const (
	fewSlots  = 128
	manySlots = 1024
)

// findDuplicates calls found for every attendee with the address of an earlier one, with the indexes
// of the first such attendee and of the attendee. It takes linear time, and allocates only for lists
// that are longer than almost all.
func findDuplicates(attendees []Attendee, found func(first, again int)) {
	switch n := len(attendees); {
	case n < 2:
	case n <= fewSlots/4:
		findInTable(attendees, new([fewSlots]uint16)[:], found)
	case n <= manySlots/4:
		findInTable(attendees, new([manySlots]uint16)[:], found)
	default:
		findInMap(attendees, found)
	}
}

// findInTable uses a hash table with open addressing. A slot is an index plus one, or 0 if it is free.
func findInTable(attendees []Attendee, table []uint16, found func(first, again int)) {
	last := uint64(len(table) - 1)
	for i := range attendees {
		email := attendees[i].Email
		if email == "" {
			continue
		}
		slot := form.AddressHash(email) & last
		for ; ; slot = (slot + 1) & last {
			if table[slot] == 0 {
				table[slot] = uint16(i + 1)
				break
			}
			if first := int(table[slot]) - 1; form.SameAddress(attendees[first].Email, email) {
				found(first, i)
				break
			}
		}
	}
}

// findInMap is for long lists: because Go seeds the hashes of maps, a sender cannot choose addresses
// that collide. It returns the index of the first attendee with each address, by the result of
// [foldAddress].
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

// foldAddress returns the same text for all addresses that [form.SameAddress] treats as the same.
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
