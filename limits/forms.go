package limits

import (
	"github.com/calrules/calrules/internal/form"
)

// ZoneRelease is the release of the IANA Time Zone Database that [IsZone] uses.
const ZoneRelease = form.ZoneRelease

// IsEventID reports whether a client may choose the event id s. The id must consist of 5 to 1024 characters from the
// lower-case base32hex alphabet. Source: calendar.md, Event resource, which cites RFC 2938 section 3.1.2.
func IsEventID(s string) bool { return form.IsEventID(s) }

// IsDate reports whether s is a full-date (RFC 3339 section 5.6), such as "2025-03-01". The string must be exactly ten bytes
// long, with a year from 0000 to 9999 and a day that exists.
func IsDate(s string) bool { return form.IsDate(s) }

// IsDateTime reports whether s is a date-time (RFC 3339 section 5.6), including its offset, such as
// "2025-03-01T09:30:00.5-05:00".
//
// T and Z may be in lower case, and a fraction may have any number of digits. The second 60 is accepted only where a leap
// second can occur (section 5.7): at 23:59:60 UTC on the last day of a month.
func IsDateTime(s string) bool { return form.IsDateTime(s) }

// IsZone reports whether name is a zone or link of the IANA Time Zone Database, release [ZoneRelease], such as
// "Europe/Paris", "US/Pacific" or "UTC". Names are case-sensitive. The result does not depend on the host's time zone
// files. The names "" and "Local", which have a special meaning in Go's time package, are not zones.
func IsZone(name string) bool { return form.IsZone(name) }

// IsAddrSpec reports whether s is an addr-spec (RFC 5322 section 3.4.1), such as
// "jane.doe@example.com", `"jane doe"@example.com` or "jane@[192.0.2.1]".
//
// IsAddrSpec does not accept display names, angle brackets, groups, comments, line breaks, the obsolete forms in section 4.4 or
// non-ASCII characters, and accepts spaces and tabs only within a quoted local part. IsAddrSpec accepts a domain with a single
// label and addresses of any length, although SMTP restricts both.
func IsAddrSpec(s string) bool { return form.IsAddrSpec(s) }

// SameAddress reports whether a and b are the same address. SameAddress ignores the ASCII case of the domain, which
// follows the last @ (RFC 1035 section 2.3.3), but not the case of the local part, because only the host of the address
// may interpret that part (RFC 5321 section 2.4). Strings without an @ are compared exactly.
func SameAddress(a, b string) bool { return form.SameAddress(a, b) }

// IsHTTPURL reports whether s is a URL with the scheme http or https, in upper or lower case, and a non-empty host.
//
// IsHTTPURL accepts the characters that RFC 3986 allows, but not white space or control characters. Every percent sign must
// precede two hexadecimal digits. Like most clients and servers, IsHTTPURL makes two exceptions: it accepts non-ASCII
// characters where RFC 3987 allows them (as ucschar), which make s an IRI, and the reserved characters "#", "[" and "]"
// anywhere after the authority, as in "?tag[]=a".
func IsHTTPURL(s string) bool { return form.IsHTTPURL(s) }
