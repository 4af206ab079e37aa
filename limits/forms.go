package limits

import (
	"github.com/calrules/calrules/internal/form"
)

// ZoneRelease is the release of the IANA Time Zone Database that [IsZone] knows.
const ZoneRelease = form.ZoneRelease

// IsEventID reports whether a client may choose the event id s: 5 to 1024 characters of the
// base32hex alphabet in lower case.
// Source: Event resource, which cites RFC 2938 section 3.1.2.
func IsEventID(s string) bool { return form.IsEventID(s) }

// IsDate reports whether s is a full-date (RFC 3339 section 5.6), such as "2025-03-01": exactly ten
// bytes, a year from 0000 to 9999, and a day that exists.
func IsDate(s string) bool { return form.IsDate(s) }

// IsDateTime reports whether s is a date-time (RFC 3339 section 5.6), including its offset, such as
// "2025-03-01T09:30:00.5-05:00".
//
// T and Z may be in lower case, and a fraction may have any number of digits. The second 60 is
// accepted only where a leap second can occur (section 5.7): at 23:59:60 UTC on the last day of a
// month.
func IsDateTime(s string) bool { return form.IsDateTime(s) }

// IsZone reports whether name is a zone or link of the IANA Time Zone Database, release
// [ZoneRelease], such as "Europe/Paris", "US/Pacific" or "UTC". Case matters. The time zone
// files of the host do not, and the names "" and "Local", which have a meaning to Go's time
// package, are not zones.
func IsZone(name string) bool { return form.IsZone(name) }

// IsAddrSpec reports whether s is an addr-spec (RFC 5322 section 3.4.1), such as
// "jane.doe@example.com", `"jane doe"@example.com` or "jane@[192.0.2.1]".
//
// It does not accept display names, angle brackets, groups, comments, line breaks, the obsolete
// forms of section 4.4 or characters beyond ASCII, and it accepts blanks only within a quoted
// local part. It does accept a domain with a single label and addresses of any length, which SMTP
// restricts further.
func IsAddrSpec(s string) bool { return form.IsAddrSpec(s) }

// SameAddress reports whether a and b are the same address. It ignores the ASCII case of the domain, which follows the
// last @ (RFC 1035 section 2.3.3), but not the case of the local part, which only the host of the address may interpret
// (RFC 5321 section 2.4). It compares strings without an @ exactly.
func SameAddress(a, b string) bool { return form.SameAddress(a, b) }

// IsHTTPURL reports whether s is a URL with the scheme http or https, in either case, and a host
// that is not empty.
//
// It accepts the characters of RFC 3986, with every percent sign before two hexadecimal digits, but
// neither white space nor control characters. It makes two exceptions, because most clients and
// servers do: it accepts characters beyond ASCII where RFC 3987 allows them (its ucschar), which
// makes s an IRI, and it accepts the reserved characters # [ ] anywhere after the authority, as in
// "?tag[]=a".
func IsHTTPURL(s string) bool { return form.IsHTTPURL(s) }
