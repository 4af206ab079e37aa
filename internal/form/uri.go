package form

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsHTTPURL reports whether s is a URL with the scheme http or https, in either case, and a nonempty host.
//
// Like the other functions for URIs, IsHTTPURL accepts the characters that RFC 3986 allows, if every percent sign is followed
// by two hexadecimal digits, but not white space or control characters. IsHTTPURL makes two exceptions that most clients and
// servers also make: it accepts non-ASCII characters where RFC 3987 allows them (as ucschar), which makes s an IRI, and it
// accepts the reserved characters # [ ] anywhere after the authority, as in "?tag[]=a" or in a dial sequence.
func IsHTTPURL(s string) bool { return HasScheme(s, "http", "https") && IsWellFormedURI(s) }

// IsTelURI reports whether s consists of "tel:", in either case, and a number to dial, optionally followed by a semicolon
// and parameters, as in "tel:+12345,,,12345678%23". The number must contain at least one digit, asterisk or number sign.
// Beyond the syntax of RFC 3966, the number may contain pauses (a comma, p or w) and percent-encoded characters anywhere,
// and a local number needs no context.
func IsTelURI(s string) bool { return HasScheme(s, "tel") && IsWellFormedURI(s) }

// IsSIPURI reports whether s consists of "sip:", in either case, and an address as in RFC 3261 section 19.1.1: an
// optional user and "@", a host, and optionally a port, parameters and headers. The address may contain the characters
// that [IsHTTPURL] accepts. IsSIPURI does not accept the scheme "sips:".
func IsSIPURI(s string) bool { return HasScheme(s, "sip") && IsWellFormedURI(s) }

// IsWellFormedURI reports whether s is well formed for its scheme, as defined by [IsHTTPURL], [IsTelURI] or [IsSIPURI].
// For any other scheme, s must consist of a scheme, a colon and characters that are allowed in a URI.
func IsWellFormedURI(s string) bool { return uriFault(s).Key == "" }

// HasScheme reports whether s begins with one of the schemes, in either case, followed by a colon. The rest of s is not
// examined.
func HasScheme(s string, schemes ...string) bool {
	for _, scheme := range schemes {
		if end := len(scheme); len(s) > end && s[end] == ':' && equalFold(s[:end], scheme) {
			return true
		}
	}
	return false
}

// URIFault explains why [IsWellFormedURI] rejects s. A trailing non-ASCII blank is not a fault.
func URIFault(s string) Fault {
	if IsWellFormedURI(s) {
		return Fault{}
	}
	return explain(s, uriFault)
}

// SchemeFault explains why s is not a well-formed URI with the scheme meant or one of the schemes in others.
func SchemeFault(s, meant string, others ...string) Fault {
	hasScheme := func(s string) bool { return HasScheme(s, meant) || HasScheme(s, others...) }
	if hasScheme(s) && IsWellFormedURI(s) {
		return Fault{}
	}
	return explain(s, func(s string) Fault {
		if hasScheme(s) {
			return uriFault(s)
		}
		return schemeFault(s, meant)
	})
}

// schemeFault returns the fault in a string that does not have the intended scheme.
func schemeFault(s, meant string) Fault {
	bare := strings.TrimLeft(s, "/")
	scheme, rest, _ := cutScheme(s)
	isNumber := equalFold(scheme, "tel") || equalFold(scheme, "sip") // the digits after these schemes are not a port
	switch isHost := strings.Contains(scheme, ".") || !isNumber && rest != "" && classes[rest[0]]&digit != 0; {
	case scheme != "" && !isHost:
		return Fault{Key: "other-scheme", Seen: scheme}
	case isHTTP(meant) && !strings.ContainsAny(authority(bare), ".:"):
		return Fault{Key: "no-scheme"} // s does not begin with a host either
	case isHTTP(meant):
		return Fault{Key: "no-scheme", Want: meant + "://" + bare}
	default:
		return Fault{Key: "no-scheme", Want: meant + ":" + withoutBlanks(s)}
	}
}

// uriFault returns the first fault in a URI.
func uriFault(s string) Fault {
	scheme, rest, ok := cutScheme(s)
	switch {
	case !ok:
		return Fault{Key: "no-scheme"}
	case !isURIText(rest, uriAny):
		return characterFault(s, scheme, rest)
	case isHTTP(scheme):
		return httpFault(scheme, rest)
	case equalFold(scheme, "tel"):
		return telFault(rest)
	case equalFold(scheme, "sip"):
		return sipFault(rest)
	default:
		return Fault{}
	}
}

func isHTTP(scheme string) bool { return equalFold(scheme, "http") || equalFold(scheme, "https") }

// httpFault returns the fault in the part of a URI after "http:", whose characters have already been checked.
func httpFault(scheme, s string) Fault {
	rest, ok := strings.CutPrefix(s, "//")
	if !ok {
		return Fault{Key: "no-slashes", Want: scheme + "://" + strings.TrimLeft(s, "/")}
	}
	if end := prefix(rest, uriHost); end > 0 && (end == len(rest) || rest[end] == '/') {
		return Fault{} // the common case, in which there is neither a user nor a port
	}
	return authorityFault(authority(rest))
}

// telFault returns the fault in the part of a URI after "tel:", whose percent signs have already been checked.
func telFault(s string) Fault {
	number, _, _ := strings.Cut(s, ";")
	number = strings.TrimPrefix(number, "+")
	var all class
	for i := 0; i < len(number); i++ {
		of := classes[number[i]]
		switch {
		case of&dial != 0:
			all |= of
		case number[i] == '%':
			i += len("23")
		default:
			r, _ := utf8.DecodeRuneInString(number[i:])
			return Fault{Key: "dial", Seen: string(r)}
		}
	}
	if all&dialed == 0 {
		return Fault{Key: "no-number"}
	}
	return Fault{}
}

// sipFault returns the fault in the part of a URI after "sip:", whose characters have already been checked.
func sipFault(s string) Fault {
	if user, address, has := strings.Cut(s, "@"); has {
		if user == "" || strings.ContainsAny(user, "#[]") {
			return Fault{Key: noForm}
		}
		s = address
	}
	host, more := s, ""
	if end := strings.IndexAny(s, ";?"); end >= 0 {
		host, more = s[:end], s[end:]
	}
	if strings.Contains(host, "@") || strings.ContainsAny(more, "@#") {
		return Fault{Key: noForm}
	}
	return authorityFault(host)
}

// characterFault returns the fault in a URI with a character that must be encoded. Fault.Want is the URI with the characters
// percent-encoded or, for a number to dial, without blanks. Fault.Want is empty if the character is in the host.
func characterFault(s, scheme, rest string) Fault {
	f := Fault{}
	var encoded strings.Builder
	for i, r := range s {
		isPercent := r == '%' && longChar(s[i:]) == 0
		if !isPercent && (r == '%' || r < utf8.RuneSelf && classes[s[i]]&uriAny != 0 || isUCSChar(r) && r != utf8.RuneError && !unicode.IsSpace(r)) {
			encoded.WriteRune(r)
			continue
		}
		for _, b := range []byte(string(r)) {
			fmt.Fprintf(&encoded, "%%%02X", b)
		}
		switch {
		case f.Key != "":
		case isPercent:
			f.Key = "percent"
		case unicode.IsSpace(r):
			f.Key = "space"
		default:
			f.Key, f.Seen = "encode", string(r)
		}
	}
	switch {
	case equalFold(scheme, "tel"):
		f.Want = withoutBlanks(s)
	case isHTTP(scheme) && isURIText(authority(strings.TrimPrefix(rest, "//")), uriAny):
		f.Want = encoded.String()
	}
	return f
}

// cutScheme splits a URI at the first colon, or returns false if s does not begin with a scheme and a colon.
func cutScheme(s string) (scheme, rest string, ok bool) {
	scheme, rest, ok = strings.Cut(s, ":")
	if !ok || scheme == "" || classes[scheme[0]]&letter == 0 || !allOf(scheme, schemeChar) {
		return "", "", false
	}
	return scheme, rest, true
}

// isURIText reports whether s consists of characters in the class, percent-encoded bytes and non-ASCII characters that
// are allowed in an IRI.
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

// longChar returns the length of the percent-encoded byte or the non-ASCII character at the start of s, or 0 if s begins with
// neither. The string must not be empty.
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

// isUCSChar reports whether r is a ucschar (RFC 3987 section 2.2) other than U+FFFD, to which invalid UTF-8 is decoded.
func isUCSChar(r rune) bool {
	switch {
	case r < 0x10000:
		return 0xA0 <= r && r <= 0xD7FF || 0xF900 <= r && r <= 0xFDCF || 0xFDF0 <= r && r <= 0xFFEF
	case r < 0xE0000:
		return r&0xFFFF <= 0xFFFD // the last two code points of every plane are noncharacters
	}
	return 0xE1000 <= r && r <= 0xEFFFD
}

// authority returns the authority of a URI, where s is the part of the URI after "//".
func authority(s string) string {
	if end := strings.IndexAny(s, "/?#"); end >= 0 {
		return s[:end]
	}
	return s
}

// authorityFault returns the fault in an authority (RFC 3986 section 3.2), whose host must not be empty. The caller must
// have checked the characters.
func authorityFault(s string) Fault {
	if user, rest, ok := strings.Cut(s, "@"); ok {
		if !isURIText(user, uriUser) {
			return Fault{Key: noForm}
		}
		s = rest
	}
	if literal, ok := strings.CutPrefix(s, "["); ok {
		address, port, ok := strings.Cut(literal, "]")
		if !ok || !isIPLiteral(address) || port != "" && port[0] != ':' {
			return Fault{Key: noForm}
		}
		return portFault(strings.TrimPrefix(port, ":"))
	}
	switch host, port, _ := strings.Cut(s, ":"); {
	case host == "":
		return Fault{Key: "no-host"}
	case !isURIText(host, uriHost):
		return Fault{Key: noForm}
	default:
		return portFault(port)
	}
}

// portFault returns the fault in a port, which must consist of zero or more digits (RFC 3986 section 3.2.3).
func portFault(s string) Fault {
	if !allOf(s, digit) {
		return Fault{Key: "port", Seen: s}
	}
	return Fault{}
}

// isIPLiteral reports whether s is an IPv6address or an IPvFuture (RFC 3986 section 3.2.2), as used in brackets in a host. IPv6
// zones are rejected, because they are meaningless in a shared URL.
func isIPLiteral(s string) bool {
	if s != "" && lower(s[0]) == 'v' {
		version, address, ok := strings.Cut(s[1:], ".")
		return ok && version != "" && allOf(version, hex) && address != "" && prefix(address, uriUser) == len(address)
	}
	if strings.IndexByte(s, ':') < 0 || strings.IndexByte(s, '%') >= 0 {
		return false
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}
