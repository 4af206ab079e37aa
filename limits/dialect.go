package limits

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Dialect is a set of names for the members and the values of a JSON text, with the addresses of the
// service that uses them. Go values always have the names of the documents: decoding and encoding
// translate. The checks refuse an unknown dialect; everything else takes it for [Documents].
type Dialect uint8

// The dialects.
const (
	Documents Dialect = iota // the neutral names of the documents
	Google                   // the names of the public service, Google Calendar
)

var dialects = []string{Documents: "documents", Google: "google"}

// names are the members and values that the public service calls differently from the documents: the
// documents' name of each, then the public service's. All other names are the same.
// Source: reference of the public service, version 3, revision 20260708.
var names = [][2]string{
	{"videoLink", "hangoutLink"},
	{"fromMail", "fromGmail"},
	{"eventVideo", "eventHangout"},
	{"eventNamedVideo", "eventNamedHangout"},
	{"videoMeet", "hangoutsMeet"},
}

// String returns "documents" or "google", or the number of an unknown dialect.
func (d Dialect) String() string {
	if int(d) >= len(dialects) {
		return "Dialect(" + strconv.Itoa(int(d)) + ")"
	}
	return dialects[d]
}

// MarshalText returns what [Dialect.String] does, or an error for an unknown dialect.
func (d Dialect) MarshalText() ([]byte, error) {
	if int(d) >= len(dialects) {
		return nil, fmt.Errorf("%d is not a dialect", d)
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads what [Dialect.MarshalText] writes. The error names the dialects but not the text, which
// may be a secret that is in the wrong place.
func (d *Dialect) UnmarshalText(text []byte) error {
	i := slices.Index(dialects, string(text))
	if i < 0 {
		return errors.New("must be " + strings.Join(dialects, " or "))
	}
	*d = Dialect(i)
	return nil
}

// ScopeBase returns the address of the scope namespace, without a trailing slash. It is empty for
// [Documents], which do not show it.
func (d Dialect) ScopeBase() string {
	if d == Google {
		return "https://www.googleapis.com"
	}
	return ""
}

// BaseURL returns the address to which the paths of operations are relative. It is empty for
// [Documents], which do not show it.
func (d Dialect) BaseURL() string {
	if d == Google {
		return "https://www.googleapis.com/calendar/v3"
	}
	return ""
}

// Name returns the other name of what the documents and the dialect call differently: given the
// documents' name that of the dialect, and the reverse. So it is its own inverse, and two names never
// become one. It returns all other strings unchanged.
func (d Dialect) Name(name string) string {
	if d != Google {
		return name
	}
	for _, pair := range names {
		switch name {
		case pair[Documents]:
			return pair[d]
		case pair[d]:
			return pair[Documents]
		}
	}
	return name
}

// Text returns a text for people with the names of the dialect in place of the documents'; names of the
// dialect stay. It leaves what is within double quotes as it is, because that is what somebody sent.
func (d Dialect) Text(text string) string {
	isIn := func(pair [2]string) bool { return strings.Contains(text, pair[Documents]) }
	if d != Google || !slices.ContainsFunc(names, isIn) {
		return text
	}
	var out strings.Builder
	for text != "" {
		n := partLength(text)
		out.WriteString(d.inText(text[:n]))
		text = text[n:]
	}
	return out.String()
}

// inText returns a part of a text with the name of the dialect, if it is a name of the documents.
func (d Dialect) inText(part string) string {
	for _, pair := range names {
		if part == pair[Documents] {
			return pair[d]
		}
	}
	return part
}

// partLength returns the length of what a text begins with: a quoted part, a word, or one other byte.
func partLength(text string) int {
	if text[0] == '"' {
		return quotedLength(text)
	}
	if n := strings.IndexFunc(text, func(r rune) bool { return !isWord(r) }); n >= 0 {
		return max(n, 1)
	}
	return len(text)
}

// quotedLength returns the length of the quoted part that a text begins with, or 1 if its quote is not
// closed.
func quotedLength(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 1
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
}
