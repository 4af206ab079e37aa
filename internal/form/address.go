package form

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsAddrSpec reports whether s is an addr-spec (RFC 5322 section 3.4.1), such as
// "jane.doe@example.com", `"jane doe"@example.com` or "jane@[192.0.2.1]".
//
// IsAddrSpec does not accept display names, angle brackets, groups, comments, line breaks, the obsolete forms in section 4.4 or
// non-ASCII characters, and accepts blanks only within a quoted local part. IsAddrSpec accepts a domain with a single label and
// addresses of any length, which SMTP restricts (RFC 5321) but the address format does not.
func IsAddrSpec(s string) bool { return isPlainAddress(s) || isAddrSpec(s) }

// isAddrSpec is like IsAddrSpec, but has no fast path. If isAddrSpec were inlined, IsAddrSpec would need stack space for a
// Fault, even for the vast majority of addresses that take the fast path.
//
//go:noinline
func isAddrSpec(s string) bool { return addressFault(s).Key == "" }

// isPlainAddress reports whether s consists of two dot-atoms separated by an at sign, as almost all addresses do.
func isPlainAddress(s string) bool {
	start, hasAt := 0, false // the start of the current atom
	for i := range len(s) {
		if classes[s[i]]&atext != 0 {
			continue
		}
		isAt := s[i] == '@'
		if i == start || isAt && hasAt || !isAt && s[i] != '.' {
			return false
		}
		start, hasAt = i+1, hasAt || isAt
	}
	return hasAt && start < len(s)
}

// AddressFault explains why [IsAddrSpec] rejects s.
func AddressFault(s string) Fault {
	return explain(s, func(s string) Fault {
		f := addressFault(s)
		if wrapped := wrappedFault(s); f.Key != "" && wrapped.Key != "" {
			return wrapped
		}
		return f
	})
}

// wrappedFault returns the fault if s contains more than an address, or the zero Fault otherwise.
func wrappedFault(s string) Fault {
	before, rest, hasAngle := strings.Cut(s, "<")
	within, _, isClosed := strings.Cut(rest, ">")
	switch last := s[len(s)-1]; {
	case hasAngle && isClosed && before == "":
		return Fault{Key: "brackets", Want: within}
	case hasAngle && isClosed:
		return Fault{Key: "display-name", Want: within}
	case len(s) > len("mailto:") && equalFold(s[:len("mailto:")], "mailto:"):
		return Fault{Key: "mailto", Want: s[len("mailto:"):]}
	case strings.Count(s, "@") > 1 && strings.ContainsAny(strings.TrimRight(s, ",; "), ",;"):
		return Fault{Key: "several"}
	case last == ',':
		return Fault{Key: "comma-end", Want: strings.TrimRight(s, ",; ")}
	case last == ';':
		return Fault{Key: "semicolon-end", Want: strings.TrimRight(s, ",; ")}
	case last == '"' && s[0] == '"' && len(s) > 1:
		return Fault{Key: "quoted", Want: s[1 : len(s)-1]}
	default:
		return Fault{}
	}
}

// addressFault returns the first fault in s, which is parsed as a local part and a domain.
func addressFault(s string) Fault {
	at := strings.LastIndexByte(s, '@')
	if literal := strings.LastIndex(s, "@["); literal >= 0 && s[len(s)-1] == ']' {
		at = literal // the domain literal may contain another @
	}
	switch {
	case at < 0:
		return Fault{Key: "no-at"}
	case at == 0:
		return Fault{Key: "no-local"}
	case at == len(s)-1:
		return Fault{Key: "no-domain"}
	}
	f := localFault(s[:at])
	if f.Key == "" {
		f = domainFault(s[at+1:])
	} else if f.Key == "space" {
		return f // without the space, the address may belong to another person
	}
	return f.within(s)
}

// localFault returns the fault in a local part, which must not be empty.
func localFault(s string) Fault {
	switch isQuoted := s[0] == '"'; {
	case isQuoted && quotedString(s) != len(s):
		return Fault{Key: "quoted-local"}
	case isQuoted:
		return Fault{}
	case strings.Contains(s, "@"):
		return Fault{Key: "two-ats"}
	default:
		return dotAtomFault(s, "local-not-ascii")
	}
}

// domainFault returns the fault in a domain, which must not be empty. A domain is a dot-atom or a domain-literal.
func domainFault(s string) Fault {
	if s[0] != '[' {
		return dotAtomFault(s, "domain-not-ascii")
	}
	if literal, isClosed := strings.CutSuffix(s[1:], "]"); !isClosed || !allOf(literal, dtext) {
		return Fault{Key: "literal"}
	}
	return Fault{}
}

// dotAtomFault returns the fault in a dot-atom-text (RFC 5322 section 3.2.3), without Fault.Want. The argument notASCII is the
// key of the fault for non-ASCII characters.
func dotAtomFault(s, notASCII string) Fault {
	for i, r := range s {
		switch {
		case unicode.IsSpace(r):
			return Fault{Key: "space"}
		case r >= utf8.RuneSelf:
			return Fault{Key: notASCII, Seen: string(r)}
		case r != '.' && classes[s[i]]&atext == 0:
			return Fault{Key: "character", Seen: string(r)}
		}
	}
	switch {
	case strings.Contains(s, ".."):
		return Fault{Key: "two-dots"}
	case s[0] == '.' || s[len(s)-1] == '.':
		return Fault{Key: "dot-edge"}
	default:
		return Fault{}
	}
}

// within sets Want for a fault in a part of the address s.
func (f Fault) within(s string) Fault {
	switch f.Key {
	case "space":
		f.Want = withoutBlanks(s)
	case "two-dots":
		for f.Want = s; strings.Contains(f.Want, ".."); {
			f.Want = strings.ReplaceAll(f.Want, "..", ".")
		}
	case "dot-edge":
		f.Want = strings.NewReplacer(".@", "@", "@.", "@").Replace(strings.Trim(s, "."))
	}
	return f
}

// quotedString returns the length of the quoted-string at the start of s (RFC 5322 section 3.2.4), including the quotes, or 0
// if the quoted-string is malformed. The first character of s must be the opening quote.
func quotedString(s string) int {
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return i + 1
		case s[i] == '\\' && i+1 < len(s) && classes[s[i+1]]&vchar != 0:
			i++
		case classes[s[i]]&qtext == 0:
			return 0
		}
	}
	return 0
}

// SameAddress reports whether a and b are the same address. SameAddress ignores ASCII case in the domain, which follows
// the last @ (RFC 1035 section 2.3.3), but not in the local part, which only the receiving host may interpret (RFC 5321
// section 2.4). SameAddress compares strings without an @ exactly.
func SameAddress(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	at := domainStart(a)
	return a[:at] == b[:at] && equalFold(a[at:], b[at:])
}

// domainStart returns the offset of the @ before the domain of an address, or the length of s if there is no domain.
func domainStart(s string) int {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		return at
	}
	return len(s)
}

// equalFold reports whether a and b are equal, ignoring the case of ASCII letters. (strings.EqualFold also considers the
// Kelvin sign equal to k.)
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}
