package form

// A class is a set of alphabets.
type class uint32

const (
	letter       class = 1 << iota // ALPHA of RFC 5234
	digit                          // DIGIT of RFC 5234
	hex                            // HEXDIG of RFC 5234, in upper or lower case
	base32hex                      // RFC 2938 section 3.1.2, in lower case
	atext                          // RFC 5322 section 3.2.3
	qtext                          // RFC 5322 section 3.2.4, including the blanks allowed between characters
	vchar                          // VCHAR and WSP of RFC 5234, which a backslash may quote
	dtext                          // RFC 5322 section 3.4.1
	schemeChar                     // the characters of a scheme after the first, RFC 3986 section 3.1
	uriHost                        // unreserved and sub-delims of RFC 3986, as in a reg-name
	uriColon                       // the colon
	uriRest                        // the other reserved characters of RFC 3986: / ? # [ ] @
	dial                           // phonedigit-hex of RFC 3966 section 3, and the pause characters of dial sequences
	dialed                         // the characters that a telephone can dial
	b64Char                        // a b64token, RFC 6750 section 2.1, except the equals signs at its end
	tokenChar                      // a token, RFC 9110 section 5.6.2
	jwtChar                        // a JSON Web Token, RFC 7515 section 3.1
	databaseChar                   // the name of a database in the public service
	hostChar                       // a host name in ASCII
	labelChar                      // a label in such a name
)

// uriUser contains the characters of a userinfo, and uriAny the characters of a URI. Both classes exclude the percent sign and
// non-ASCII characters.
const (
	uriUser = uriHost | uriColon
	uriAny  = uriUser | uriRest
)

const (
	lowerToV  = "abcdefghijklmnopqrstuv"
	lowerCase = lowerToV + "wxyz"
	letters   = lowerCase + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits    = "0123456789"
	blanks    = " \t"
	special   = "!#$%&'*+-./:;<=>?@^_`{|}~()," // printable marks except brackets, the double quote and the backslash
)

// alphabets lists the characters in each class, as defined in its source.
var alphabets = []struct {
	class      class
	characters string
}{
	{letter, letters},
	{digit, digits},
	{hex, digits + "abcdefABCDEF"},
	{base32hex, digits + lowerToV},
	{atext, letters + digits + "!#$%&'*+-/=?^_`{|}~"},
	{qtext, letters + digits + blanks + special + "[]"},
	{vchar, letters + digits + blanks + special + `[]"\`},
	{dtext, letters + digits + special + `"`},
	{schemeChar, letters + digits + "+-."},
	{uriHost, letters + digits + "-._~!$&'()*+,;="},
	{uriColon, ":"},
	{uriRest, "/?#[]@"},
	{dial, digits + "abcdefABCDEF" + "*#" + "-.()" + ",pPwW"},
	{dialed, digits + "*#"},
	{b64Char, letters + digits + "-._~+/"},
	{tokenChar, letters + digits + "-._!#$%&'*+^`|~"},
	{jwtChar, letters + digits + "-._"},
	{databaseChar, letters + digits + "-_"},
	{hostChar, letters + digits + "-."},
	{labelChar, letters + digits + "-"},
}

// classes maps every byte to the alphabets that contain it. Non-ASCII bytes are in no alphabet.
var classes = func() (t [256]class) {
	for _, a := range alphabets {
		for i := range len(a.characters) {
			t[a.characters[i]] |= a.class
		}
	}
	return t
}()

// allOf reports whether every character of s is in the class, which is true for "". The class must be a single alphabet. Tokens
// are long, so allOf examines eight characters at a time.
func allOf(s string, of class) bool {
	for ; len(s) > 8; s = s[8:] {
		of &= classes[s[0]] & classes[s[1]] & classes[s[2]] & classes[s[3]] & classes[s[4]] & classes[s[5]] & classes[s[6]] & classes[s[7]]
	}
	for i := range len(s) {
		of &= classes[s[i]]
	}
	return of != 0
}

// prefix returns the length of the longest prefix of s with only characters in the class.
func prefix(s string, of class) int {
	for i := range len(s) {
		if classes[s[i]]&of == 0 {
			return i
		}
	}
	return len(s)
}

// lower returns c, converted to lower case if it is an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
