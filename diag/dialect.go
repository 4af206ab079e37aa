package diag

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Dialect is a set of names for the members and values in JSON, with the URLs of the service that uses them. Go values always
// use the documents' names, which decoding and encoding translate. The checks refuse an unknown dialect; all other functions
// treat it as [Documents].
type Dialect uint8

// The dialects.
const (
	Documents Dialect = iota // the neutral names in the documents
	Google                   // the names in the public service, Google Calendar
)

var dialectNames = []string{Documents: "documents", Google: "google"}

// translated returns the dialect that uses the given name for a member or value, and the name in the other dialect. If both
// dialects use the name, or neither does, translated returns the name itself. Source: the public service's reference, version
// 3, revision 20260708.
func translated(name string) (other string, of Dialect, ok bool) {
	switch name {
	case "videoLink":
		return "hangoutLink", Documents, true
	case "hangoutLink":
		return "videoLink", Google, true
	case "fromMail":
		return "fromGmail", Documents, true
	case "fromGmail":
		return "fromMail", Google, true
	case "eventVideo":
		return "eventHangout", Documents, true
	case "eventHangout":
		return "eventVideo", Google, true
	case "eventNamedVideo":
		return "eventNamedHangout", Documents, true
	case "eventNamedHangout":
		return "eventNamedVideo", Google, true
	case "videoMeet":
		return "hangoutsMeet", Documents, true
	case "hangoutsMeet":
		return "videoMeet", Google, true
	default:
		return name, 0, false
	}
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

// UnmarshalText decodes the output of [Dialect.MarshalText]. The error lists the dialects but does not quote the input,
// which may be a misplaced secret.
func (d *Dialect) UnmarshalText(text []byte) error {
	i := slices.Index(dialectNames, string(text))
	if i < 0 {
		return errors.New("must be " + strings.Join(dialectNames, " or "))
	}
	*d = Dialect(i)
	return nil
}

// ScopeBase returns the URL of the scope namespace, without a trailing slash. The URL is empty for [Documents], because
// the documents do not show the namespace.
func (d Dialect) ScopeBase() string {
	if d == Google {
		return "https://www.googleapis.com"
	}
	return ""
}

// BaseURL returns the URL to which the paths of operations are relative. The URL is empty for [Documents], because the
// documents do not show a base URL.
func (d Dialect) BaseURL() string {
	if d == Google {
		return "https://www.googleapis.com/calendar/v3"
	}
	return ""
}

// DialectOf returns the dialect that uses the given name for a member or value. The result ok is false if both
// dialects use the name, or neither does.
func DialectOf(name string) (d Dialect, ok bool) {
	_, d, ok = translated(name)
	return d, ok
}

// Name translates a name between the documents and the dialect, in both directions: it maps the documents' name to the
// dialect's name and vice versa, so Name is its own inverse. Name returns all other strings unchanged.
func (d Dialect) Name(name string) string {
	if d == Google {
		name, _, _ = translated(name)
	}
	return name
}
