package limits

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// IsHTTPURL reports whether s is an http or https URL: the scheme in either case, "//", a
// host that is not empty (after a userinfo, before a port of digits), and whatever follows
// in the characters of a URI, as [URIScheme] has them.
func IsHTTPURL(s string) bool {
	scheme, rest, ok := splitURI(s)
	if !ok || !equalFold(scheme, "http") && !equalFold(scheme, "https") {
		return false
	}
	rest, ok = strings.CutPrefix(rest, "//")
	return ok && hasHost(authority(rest))
}

// IsTelURI reports whether s is "tel:", in either case, and a dial sequence in the
// characters of a URI, as [URIScheme] has them: "tel:+12345,,,12345678%23". The numbers are
// not held to RFC 3966, which knows no pauses.
func IsTelURI(s string) bool { return isOpaque(s, "tel") }

// IsSIPURI reports whether s is "sip:", in either case, and an address in the characters
// of a URI, as [URIScheme] has them. "sips:" is another scheme.
func IsSIPURI(s string) bool { return isOpaque(s, "sip") }

// URIScheme returns the scheme of s as it is written, or "" if s begins with none, and
// whether s is a URI at all: a scheme, a colon, and nothing but characters of RFC 3986 with
// every percent sign before two hexadecimal digits. White space and control characters are
// not among them.
//
// Two things are tolerated, because clients and servers everywhere take them: characters
// beyond ASCII where RFC 3987 allows them (its ucschar), which makes s an IRI, and the
// reserved characters # [ ] anywhere after the authority, as in "?tag[]=a" or in a dial
// sequence where every number ends with a #.
func URIScheme(s string) (scheme string, ok bool) {
	scheme, _, ok = splitURI(s)
	return scheme, ok
}

// splitURI returns what stands before and after the first colon of s, and whether s is a
// URI in the sense of [URIScheme].
func splitURI(s string) (before, after string, ok bool) {
	before, after, ok = strings.Cut(s, ":")
	if !ok || before == "" || classes[before[0]]&letter == 0 || !allOf(before, schemeChar) {
		return "", "", false
	}
	return before, after, isURIText(after, uriAny)
}

// isOpaque reports whether s is a URI of the scheme with something after the colon.
func isOpaque(s, want string) bool {
	scheme, rest, ok := splitURI(s)
	return ok && rest != "" && equalFold(scheme, want)
}

// isURIText reports whether s is made of characters of the class, percent-encoded bytes
// and characters that only an IRI has.
func isURIText(s string, of class) bool {
	for i := 0; i < len(s); {
		if classes[s[i]]&of != 0 {
			i++
			continue
		}
		n := longChar(s[i:])
		if n == 0 {
			return false
		}
		i += n
	}
	return true
}

// longChar returns the length in bytes of the percent-encoded byte or the character beyond
// ASCII that s begins with, or 0 if it begins with neither. s is not empty.
func longChar(s string) int {
	if s[0] == '%' && len(s) >= 3 && allOf(s[1:3], hex) {
		return 3
	}
	if s[0] < utf8.RuneSelf {
		return 0
	}
	if r, n := utf8.DecodeRuneInString(s); isUCSChar(r) {
		return n
	}
	return 0
}

// isUCSChar reports whether r is a ucschar of RFC 3987 section 2.2. What is no valid UTF-8
// is decoded as U+FFFD, which is none.
func isUCSChar(r rune) bool {
	switch {
	case r < 0x10000:
		return 0xA0 <= r && r <= 0xD7FF || 0xF900 <= r && r <= 0xFDCF || 0xFDF0 <= r && r <= 0xFFEF
	case r < 0xE0000:
		return r&0xFFFF <= 0xFFFD // the last two of every plane are no characters
	}
	return 0xE1000 <= r && r <= 0xEFFFD
}

// authority returns what of s, which follows "//", is the authority.
func authority(s string) string {
	for i := range len(s) {
		if s[i] == '/' || s[i] == '?' || s[i] == '#' {
			return s[:i]
		}
	}
	return s
}

// hasHost reports whether s is an authority of RFC 3986 section 3.2 with a host that is
// not empty. Its characters have been found to be those of a URI.
func hasHost(s string) bool {
	if user, rest, ok := strings.Cut(s, "@"); ok {
		if !isURIText(user, uriUser) {
			return false
		}
		s = rest
	}
	if literal, ok := strings.CutPrefix(s, "["); ok {
		address, port, ok := strings.Cut(literal, "]")
		return ok && isIPLiteral(address) && isPort(port)
	}
	end := strings.IndexByte(s, ':')
	if end < 0 {
		end = len(s)
	}
	return end > 0 && isURIText(s[:end], uriHost) && isPort(s[end:])
}

// isPort reports whether s is empty or a colon and digits, of which there may be none
// (RFC 3986 section 3.2.3).
func isPort(s string) bool {
	return s == "" || s[0] == ':' && allOf(s[1:], digit)
}

// isIPLiteral reports whether s is what may stand in the brackets of a host: an
// IPv6address or an IPvFuture of RFC 3986 section 3.2.2. Zones are of no use in a shared
// URL and are refused.
func isIPLiteral(s string) bool {
	if s != "" && lower(s[0]) == 'v' {
		version, address, ok := strings.Cut(s[1:], ".")
		return ok && version != "" && allOf(version, hex) && address != "" && allOf(address, uriUser)
	}
	if strings.IndexByte(s, ':') < 0 || strings.IndexByte(s, '%') >= 0 {
		return false
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}
