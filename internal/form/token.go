package form

import "strings"

// IsB64Token reports whether s has the form of a b64token (RFC 6750 section 2.1).
func IsB64Token(s string) bool {
	return someOf(strings.TrimRight(s, "="), b64Char)
}

// IsFieldToken reports whether s is a token of RFC 9110 section 5.6.2, such as the name of a scheme.
func IsFieldToken(s string) bool { return someOf(s, tokenChar) }

// IsIdentityToken reports whether s consists of the characters of a JSON Web Token (RFC 7515 section 3.1).
func IsIdentityToken(s string) bool { return someOf(s, jwtChar) }

// IsDatabaseName reports whether s can be the name of a database of the public service.
func IsDatabaseName(s string) bool { return someOf(s, databaseChar) }

// IsASCIIHost reports whether s consists of labels of ASCII letters, digits and hyphens, and dots.
func IsASCIIHost(s string) bool { return someOf(s, hostChar) }

// IsHostLabel reports whether s can be a label of a host: ASCII letters, digits and hyphens.
func IsHostLabel(s string) bool { return someOf(s, labelChar) }

// someOf reports whether s is not empty and every character of it is of the class.
func someOf(s string, of class) bool { return s != "" && allOf(s, of) }
