package diag

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Dialect is a set of names for the members and the values of a JSON text, with the addresses of the
// service that uses them. Go values always have the names of the documents: decoding and encoding
// translate. The checks refuse an unknown dialect; everything else treats it as [Documents].
type Dialect uint8

// The dialects.
const (
	Documents Dialect = iota // the neutral names of the documents
	Google                   // the names of the public service, Google Calendar
)

var dialectNames = []string{Documents: "documents", Google: "google"}

// renamed lists the members and values with another name in the public service: the documents' name, then the public
// service's. All other names are the same. Source: reference of the public service, version 3, revision 20260708.
var renamed = [][2]string{
	{"videoLink", "hangoutLink"},
	{"fromMail", "fromGmail"},
	{"eventVideo", "eventHangout"},
	{"eventNamedVideo", "eventNamedHangout"},
	{"videoMeet", "hangoutsMeet"},
}

// String returns "documents" or "google", or the number of an unknown dialect.
func (d Dialect) String() string {
	if int(d) >= len(dialectNames) {
		return "Dialect(" + strconv.Itoa(int(d)) + ")"
	}
	return dialectNames[d]
}

// MarshalText returns the same text as [Dialect.String], or an error for an unknown dialect.
func (d Dialect) MarshalText() ([]byte, error) {
	if int(d) >= len(dialectNames) {
		return nil, fmt.Errorf("%d is not a dialect", d)
	}
	return []byte(d.String()), nil
}

// UnmarshalText reads the text of [Dialect.MarshalText]. The error names the dialects but not the text, which may be a
// misplaced secret.
func (d *Dialect) UnmarshalText(text []byte) error {
	i := slices.Index(dialectNames, string(text))
	if i < 0 {
		return errors.New("must be " + strings.Join(dialectNames, " or "))
	}
	*d = Dialect(i)
	return nil
}

// ScopeBase returns the address of the scope namespace, without a trailing slash. It is empty for [Documents], which do
// not show it.
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

// DialectOf returns the only dialect with the given name of a member or a value. ok is false if both have it or neither.
func DialectOf(name string) (d Dialect, ok bool) {
	for _, pair := range renamed {
		if i := slices.Index(pair[:], name); i >= 0 {
			return Dialect(i), true
		}
	}
	return 0, false
}

// Name translates a name between the documents and the dialect, in both directions: for the documents' name it returns
// the dialect's, and for the dialect's name the documents'. So it is its own inverse, and two names never become one.
// It returns all other strings unchanged.
func (d Dialect) Name(name string) string {
	if d != Google {
		return name
	}
	for _, pair := range renamed {
		switch name {
		case pair[Documents]:
			return pair[d]
		case pair[d]:
			return pair[Documents]
		}
	}
	return name
}
