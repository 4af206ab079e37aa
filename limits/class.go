package limits

import "strings"

// class is a set of alphabets.
type class uint16

const (
	letter     class = 1 << iota // ALPHA of RFC 5234
	digit                        // DIGIT of RFC 5234
	hex                          // HEXDIG of RFC 5234, upper or lower case
	base32hex                    // RFC 2938 section 3.1.2, in lower case
	atext                        // RFC 5322 section 3.2.3
	qtext                        // RFC 5322 section 3.2.4, and the blanks allowed between
	vchar                        // VCHAR and WSP of RFC 5234, which a backslash may quote
	dtext                        // RFC 5322 section 3.4.1
	schemeChar                   // characters after the first of a scheme, RFC 3986 section 3.1
	uriHost                      // unreserved and sub-delims of RFC 3986, as in a reg-name
	uriColon                     // the colon
	uriRest                      // the other reserved characters of RFC 3986: / ? # [ ] @
)

// uriUser is the characters of a userinfo, and uriAny those of a URI. They exclude the percent
// sign and characters beyond ASCII.
const (
	uriUser = uriHost | uriColon
	uriAny  = uriUser | uriRest
)

// classes maps every byte to its alphabets. Bytes beyond ASCII have none.
var classes = classTable()

func classTable() (t [256]class) {
	for i := range t {
		t[i] = classOf(byte(i))
	}
	return t
}

// classOf returns the alphabets of c. It defines each alphabet the way its source does.
func classOf(c byte) (of class) {
	isLetter := 'a' <= lower(c) && lower(c) <= 'z'
	isDigit := '0' <= c && c <= '9'
	for _, set := range []struct {
		class class
		has   bool
	}{
		{letter, isLetter},
		{digit, isDigit},
		{hex, isDigit || 'a' <= lower(c) && lower(c) <= 'f'},
		{base32hex, isDigit || 'a' <= c && c <= 'v'},
		{atext, isLetter || isDigit || strings.IndexByte("!#$%&'*+-/=?^_`{|}~", c) >= 0},
		{qtext, c == ' ' || c == '\t' || '!' <= c && c <= '~' && c != '"' && c != '\\'},
		{vchar, c == '\t' || ' ' <= c && c <= '~'},
		{dtext, '!' <= c && c <= 'Z' || '^' <= c && c <= '~'},
		{schemeChar, isLetter || isDigit || strings.IndexByte("+-.", c) >= 0},
		{uriHost, isLetter || isDigit || strings.IndexByte("-._~!$&'()*+,;=", c) >= 0},
		{uriColon, c == ':'},
		{uriRest, strings.IndexByte("/?#[]@", c) >= 0},
	} {
		if set.has {
			of |= set.class
		}
	}
	return of
}

// allOf reports whether every character of s is of the class. It is true for "".
func allOf(s string, of class) bool {
	for i := range len(s) {
		if classes[s[i]]&of == 0 {
			return false
		}
	}
	return true
}

// lower returns c, converted to lower case if it is an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
