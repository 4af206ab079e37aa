package event

import "strings"

// findDuplicates calls found for every attendee with the address of an earlier attendee, passing the index of the first
// attendee with that address and the index of the duplicate. The map firsts is scratch space; it must be empty, and
// findDuplicates leaves it empty.
func findDuplicates(attendees []Attendee, firsts map[string]int, found func(first, again int)) {
	defer clear(firsts)
	if addresses := addFirsts(firsts, attendees); len(firsts) == addresses {
		return // the usual case
	}
	for i := range attendees {
		if first, hasAddress := firsts[foldAddress(attendees[i].Email)]; hasAddress && first < i {
			found(first, i)
		}
	}
}

// addFirsts adds the index of the first attendee with each address to an empty map, keyed by [foldAddress], and returns the
// number of attendees that have an address. A sender cannot choose colliding addresses, because Go randomizes map hashes.
func addFirsts(firsts map[string]int, attendees []Attendee) (addresses int) {
	for i := len(attendees) - 1; i >= 0; i-- {
		if email := attendees[i].Email; email != "" {
			firsts[foldAddress(email)] = i
			addresses++
		}
	}
	return addresses
}

// foldAddress returns the same string for all addresses that [form.SameAddress] treats as equal, and allocates only if the
// domain contains upper-case letters.
func foldAddress(email string) string {
	for i := len(email) - 1; i >= 0 && email[i] != '@'; i-- {
		if c := email[i]; 'A' <= c && c <= 'Z' {
			return foldDomain(email)
		}
	}
	return email // the usual case
}

func foldDomain(email string) string {
	at := strings.LastIndexByte(email, '@')
	if at < 0 {
		return email // an address without a domain
	}
	return email[:at] + strings.Map(lowerASCII, email[at:])
}

func lowerASCII(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}
