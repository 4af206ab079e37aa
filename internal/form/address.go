package form

import "strings"

// IsAddrSpec reports whether s is an addr-spec (RFC 5322 section 3.4.1), such as
// "jane.doe@example.com", `"jane doe"@example.com` or "jane@[192.0.2.1]".
//
// It does not accept display names, angle brackets, groups, comments, line breaks, the obsolete
// forms of section 4.4 or characters beyond ASCII, and it accepts blanks only within a quoted
// local part. It does accept a domain with a single label and addresses of any length, which
// SMTP restricts (RFC 5321) but the address format does not.
func IsAddrSpec(s string) bool { return isPlainAddress(s) || isAddrSpec(s) }

// isPlainAddress reports whether s is two dot-atoms around an at-sign, as almost all addresses are.
func isPlainAddress(s string) bool {
	start, hasAt := 0, false // of the atom
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

// isAddrSpec is IsAddrSpec for all addresses.
func isAddrSpec(s string) bool {
	at := localPart(s)
	return at > 0 && at < len(s) && s[at] == '@' && isDomain(s[at+1:])
}

// localPart returns the length of the local-part at the start of s, or 0.
func localPart(s string) int {
	if strings.HasPrefix(s, `"`) {
		return quotedString(s)
	}
	return dotAtom(s)
}

// isDomain reports whether s is a dot-atom or a domain-literal.
func isDomain(s string) bool {
	if literal, ok := strings.CutPrefix(s, "["); ok {
		literal, ok = strings.CutSuffix(literal, "]")
		return ok && allOf(literal, dtext)
	}
	return s != "" && dotAtom(s) == len(s)
}

// dotAtom returns the length of the dot-atom-text at the start of s (RFC 5322 section 3.2.3), up
// to the first character that cannot be part of one, or 0 if it begins or ends with a dot or has
// two consecutive dots.
func dotAtom(s string) int {
	for end := 0; ; end++ { // past a dot
		start := end
		end += prefix(s[start:], atext)
		switch {
		case end == start:
			return 0
		case end == len(s) || s[end] != '.':
			return end
		}
	}
}

// quotedString returns the length of the quoted-string at the start of s (RFC 5322 section
// 3.2.4), including its quotes, or 0. The first character of s is the opening quote.
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

// SameAddress reports whether a and b are the same address. It ignores the ASCII case of the domain, which follows the
// last @ (RFC 1035 section 2.3.3), but not the case of the local part, which only the host of the address may interpret
// (RFC 5321 section 2.4). It compares strings without an @ exactly.
func SameAddress(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	at := domainStart(a)
	return a[:at] == b[:at] && equalFold(a[at:], b[at:])
}

// domainStart returns the offset of the domain of an address, or its length if it has none.
func domainStart(s string) int {
	if at := strings.LastIndexByte(s, '@'); at >= 0 {
		return at
	}
	return len(s)
}

// equalFold reports whether a and b are equal if the case of ASCII letters is ignored. (To
// strings.EqualFold, the Kelvin sign equals k.)
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
