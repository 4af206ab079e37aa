package form

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// IsHTTPURL reports whether s is a URL with the scheme http or https, in either case, and a host
// that is not empty.
//
// Like the other functions for URIs, it accepts the characters of RFC 3986, with every percent
// sign before two hexadecimal digits, but neither white space nor control characters. It makes
// two exceptions, because most clients and servers do: it accepts characters beyond ASCII where
// RFC 3987 allows them (its ucschar), which makes s an IRI, and it accepts the reserved characters
// # [ ] anywhere after the authority, as in "?tag[]=a" or in a dial sequence.
func IsHTTPURL(s string) bool {
	scheme, rest, ok := splitURI(s)
	return ok && isHTTP(scheme) && isHTTPAddress(rest)
}

func isHTTP(scheme string) bool { return equalFold(scheme, "http") || equalFold(scheme, "https") }

// isHTTPAddress reports whether s is what may follow "http:", apart from its characters.
func isHTTPAddress(s string) bool {
	rest, ok := strings.CutPrefix(s, "//")
	if !ok {
		return false
	}
	if end := prefix(rest, uriHost); end > 0 && (end == len(rest) || rest[end] == '/') {
		return true // as of most: neither a user nor a port
	}
	return hasHost(authority(rest))
}

// IsTelURI reports whether s is "tel:", in either case, and a number to dial, such as
// "tel:+12345,,,12345678%23", with parameters after a semicolon. The number has at least one digit,
// asterisk or number sign. Beyond the syntax of RFC 3966 it may have pauses (a comma, p or w) and
// percent-encoded characters anywhere, and a local number needs no context.
func IsTelURI(s string) bool {
	scheme, rest, ok := splitURI(s)
	return ok && equalFold(scheme, "tel") && isTelNumber(rest)
}

// isTelNumber reports whether s is what may follow "tel:", apart from its percent signs.
func isTelNumber(s string) bool {
	number, _, _ := strings.Cut(s, ";")
	return isDialSequence(strings.TrimPrefix(number, "+"))
}

// isDialSequence reports whether s, in which the percent signs have been checked, can be dialed.
func isDialSequence(s string) bool {
	var all class
	for i := 0; i < len(s); i++ {
		of := classes[s[i]]
		switch {
		case of&dial != 0:
			all |= of
		case s[i] == '%':
			i += len("23")
		default:
			return false
		}
	}
	return all&dialed != 0
}

// IsSIPURI reports whether s is "sip:", in either case, and an address of RFC 3261 section 19.1.1: a host, perhaps
// after a user and "@", perhaps with a port, parameters and headers. It may have the characters that [IsHTTPURL]
// accepts. "sips:" is another scheme.
func IsSIPURI(s string) bool {
	scheme, rest, ok := splitURI(s)
	return ok && equalFold(scheme, "sip") && isSIPAddress(rest)
}

// isSIPAddress reports whether s is what may follow "sip:", apart from its characters.
func isSIPAddress(s string) bool {
	if user, address, has := strings.Cut(s, "@"); has {
		if user == "" || strings.ContainsAny(user, "#[]") {
			return false
		}
		s = address
	}
	host, more := s, ""
	if end := strings.IndexAny(s, ";?"); end >= 0 {
		host, more = s[:end], s[end:]
	}
	return !strings.Contains(host, "@") && hasHost(host) && !strings.ContainsAny(more, "@#")
}

// HasScheme reports whether s begins with one of the schemes, in either case, and a colon. It does
// not look at the rest of s.
func HasScheme(s string, schemes ...string) bool {
	for _, scheme := range schemes {
		if end := len(scheme); len(s) > end && s[end] == ':' && equalFold(s[:end], scheme) {
			return true
		}
	}
	return false
}

// IsWellFormedURI reports whether s is well-formed for its scheme: as in [IsHTTPURL],
// [IsTelURI] or [IsSIPURI], or for another scheme, a scheme, a colon and the characters of a URI.
func IsWellFormedURI(s string) bool {
	scheme, rest, ok := splitURI(s)
	switch {
	case !ok:
		return false
	case isHTTP(scheme):
		return isHTTPAddress(rest)
	case equalFold(scheme, "tel"):
		return isTelNumber(rest)
	case equalFold(scheme, "sip"):
		return isSIPAddress(rest)
	default:
		return true
	}
}

// splitURI splits a URI at its first colon. It reports false if s is not a scheme, a colon and the
// characters that [IsHTTPURL] describes.
func splitURI(s string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(s, ":")
	if !ok || scheme == "" || classes[scheme[0]]&letter == 0 || !allOf(scheme, schemeChar) {
		return "", "", false
	}
	return scheme, rest, isURIText(rest, uriAny)
}

// isURIText reports whether s consists of characters of the class, percent-encoded bytes and
// characters beyond ASCII that an IRI may have.
func isURIText(s string, of class) bool {
	for {
		s = s[prefix(s, of):]
		if s == "" {
			return true
		}
		n := longChar(s)
		if n == 0 {
			return false
		}
		s = s[n:]
	}
}

// longChar returns the length of the percent-encoded byte or the character beyond ASCII at the
// start of s, or 0 if there is neither. It must not be called with an empty string.
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

// isUCSChar reports whether r is a ucschar (RFC 3987 section 2.2). U+FFFD, to which invalid UTF-8
// is decoded, is not.
func isUCSChar(r rune) bool {
	switch {
	case r < 0x10000:
		return 0xA0 <= r && r <= 0xD7FF || 0xF900 <= r && r <= 0xFDCF || 0xFDF0 <= r && r <= 0xFFEF
	case r < 0xE0000:
		return r&0xFFFF <= 0xFFFD // the last two of every plane are noncharacters
	}
	return 0xE1000 <= r && r <= 0xEFFFD
}

// authority returns the authority of a URI. s is what follows "//".
func authority(s string) string {
	if end := strings.IndexAny(s, "/?#"); end >= 0 {
		return s[:end]
	}
	return s
}

// hasHost reports whether s is an authority (RFC 3986 section 3.2) whose host is not empty. The
// caller has checked its characters.
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

// isPort reports whether s is empty or a colon and zero or more digits (RFC 3986 section 3.2.3).
func isPort(s string) bool {
	return s == "" || s[0] == ':' && allOf(s[1:], digit)
}

// isIPLiteral reports whether s is an IPv6address or an IPvFuture (RFC 3986 section 3.2.2), which
// a host has in brackets. It rejects IPv6 zones, which are meaningless in a shared URL.
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
