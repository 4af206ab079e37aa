package limits

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongerThan reports whether s has more than max characters. A character is a Unicode
// code point; a byte that is not part of valid UTF-8 counts as one.
func LongerThan(s string, max int) bool {
	if len(s) <= max {
		return false // no character is shorter than a byte
	}
	if (len(s)-1)/utf8.UTFMax >= max {
		return true // no character is longer than UTFMax bytes
	}
	return utf8.RuneCountInString(s) > max
}

// IsEventID reports whether s can be an event id of a client's choice: 5 to 1024
// characters of the base32hex alphabet in lower case.
// Source: Event resource, which cites RFC 2938 section 3.1.2.
func IsEventID(s string) bool {
	return len(s) >= EventIDMinLength && len(s) <= EventIDMaxLength && EventIDAlphabet(s) < 0
}

// EventIDAlphabet returns the offset, in bytes, of the first character of s that is
// neither a-v nor 0-9, or -1 if there is none. It has no opinion on the length.
func EventIDAlphabet(s string) (bad int) {
	for i := range len(s) {
		if classes[s[i]]&base32hex == 0 {
			return i
		}
	}
	return -1
}

// IsMeetingCode reports whether s is the conferenceId of a videoMeet conference: three,
// four and three ASCII letters of either case, joined by hyphens, such as "abc-mnop-xyz".
// Source: conferenceData.
func IsMeetingCode(s string) bool {
	const shape = "aaa-aaaa-aaa"
	if len(s) != len(shape) {
		return false
	}
	for i := range len(s) {
		if shape[i] == '-' && s[i] != '-' || shape[i] == 'a' && classes[s[i]]&letter == 0 {
			return false
		}
	}
	return true
}

// IsContactName reports whether s is the resource name of a contact: "people/" and an id,
// which is not empty and has neither a slash nor white space (as Unicode defines it).
// Source: source, attachments, properties by event type.
func IsContactName(s string) bool {
	id, ok := strings.CutPrefix(s, "people/")
	return ok && id != "" && strings.IndexFunc(id, endsContactID) < 0
}

func endsContactID(r rune) bool { return r == '/' || unicode.IsSpace(r) }
