package form

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// LongerThan reports whether s has more than limit characters. A character is a Unicode code
// point or a byte that is not part of valid UTF-8.
func LongerThan(s string, limit int) bool {
	if len(s) <= limit {
		return false // every character is at least one byte long
	}
	if (len(s)-1)/utf8.UTFMax >= limit {
		return true // every character is at most UTFMax bytes long
	}
	return utf8.RuneCountInString(s) > limit
}

// The minimum and maximum lengths of an event id that a client chooses. An empty id is considered too short, not absent.
// Source: Event resource.
const (
	EventIDMinLength = 5
	EventIDMaxLength = 1024
)

// IsEventID reports whether a client may choose s as an event id: whether s consists of 5 to 1024 characters of the lowercase
// base32hex alphabet. Source: Event resource, which cites RFC 2938 section 3.1.2.
func IsEventID(s string) bool {
	return len(s) >= EventIDMinLength && len(s) <= EventIDMaxLength && EventIDAlphabet(s) < 0
}

// EventIDAlphabet returns the byte offset of the first character in s that is not allowed in an event id, or -1 if all
// characters are in a-v or 0-9. EventIDAlphabet does not check the length.
func EventIDAlphabet(s string) int {
	for i := range len(s) {
		if classes[s[i]]&base32hex == 0 {
			return i
		}
	}
	return -1
}

// IsMeetingCode reports whether s has the form of a videoMeet conferenceId: three, four and three ASCII letters in either case,
// separated by hyphens, as in "abc-mnop-xyz". Source: conferenceData.
func IsMeetingCode(s string) bool {
	return len(s) == len("aaa-aaaa-aaa") && s[3] == '-' && s[8] == '-' &&
		allOf(s[:3], letter) && allOf(s[4:8], letter) && allOf(s[9:], letter)
}

// IsContactName reports whether s has the form of a contact's resource name: "people/" followed by a nonempty id without
// slashes or Unicode white space. Source: source, attachments, properties by event type.
func IsContactName(s string) bool {
	id, ok := strings.CutPrefix(s, "people/")
	return ok && id != "" && strings.IndexFunc(id, endsContactID) < 0
}

func endsContactID(r rune) bool { return r == '/' || unicode.IsSpace(r) }
