package form

import "strings"

// IsB64Token reports whether s has the form of a b64token (RFC 6750 section 2.1).
func IsB64Token(s string) bool {
	return someOf(strings.TrimRight(s, "="), b64Char)
}

// IsFieldToken reports whether s is a token as defined in RFC 9110 section 5.6.2, such as the name of an authentication scheme.
func IsFieldToken(s string) bool { return someOf(s, tokenChar) }

// IsIdentityToken reports whether s consists of the characters of a JSON Web Token (RFC 7515 section 3.1).
func IsIdentityToken(s string) bool { return someOf(s, jwtChar) }

// IsDatabaseName reports whether s can be the name of a database in the public service.
func IsDatabaseName(s string) bool { return someOf(s, databaseChar) }

// IsASCIIHost reports whether s is not empty and consists of ASCII letters, digits, hyphens and dots.
func IsASCIIHost(s string) bool { return someOf(s, hostChar) }

// IsHostLabel reports whether s can be a label in a host name: whether s is not empty and consists of ASCII letters, digits and
// hyphens.
func IsHostLabel(s string) bool { return someOf(s, labelChar) }

// someOf reports whether s is not empty and every character of s is in the class.
func someOf(s string, of class) bool { return s != "" && allOf(s, of) }
