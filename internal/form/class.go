package form

// class is a set of alphabets.
type class uint32

const (
	letter     class = 1 << iota // ALPHA of RFC 5234
	digit                        // DIGIT of RFC 5234
	hex                          // HEXDIG of RFC 5234, upper or lower case
	base32hex                    // RFC 2938 section 3.1.2, in lower case
	atext                        // RFC 5322 section 3.2.3
	qtext                        // RFC 5322 section 3.2.4, and the blanks allowed between them
	vchar                        // VCHAR and WSP of RFC 5234, which a backslash may quote
	dtext                        // RFC 5322 section 3.4.1
	schemeChar                   // characters after the first of a scheme, RFC 3986 section 3.1
	uriHost                      // unreserved and sub-delims of RFC 3986, as in a reg-name
	uriColon                     // the colon
	uriRest                      // the other reserved characters of RFC 3986: / ? # [ ] @
	dial                         // phonedigit-hex of RFC 3966 section 3, and the pauses of dial sequences
	dialed                       // the characters that a telephone sends
	hyphen
	dot
	underscore
	b64Mark   // the other marks of a b64token, RFC 6750 section 2.1
	tokenMark // the other marks of a token, RFC 9110 section 5.6.2
)

// uriUser is the characters of a userinfo, and uriAny the characters of a URI. They exclude the percent sign and
// characters beyond ASCII.
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
	special   = "!#$%&'*+-./:;<=>?@^_`{|}~()," // printable, without the brackets, the quote and the backslash
)

// alphabets lists the characters of each class as its source defines them.
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
	{hyphen, "-"},
	{dot, "."},
	{underscore, "_"},
	{b64Mark, "~+/"},
	{tokenMark, "!#$%&'*+^`|~"},
}

// classes maps every byte to its alphabets. Bytes beyond ASCII have none.
var classes = func() (t [256]class) {
	for _, a := range alphabets {
		for i := range len(a.characters) {
			t[a.characters[i]] |= a.class
		}
	}
	return t
}()

// allOf reports whether every character of s is of the class. It is true for "".
func allOf(s string, of class) bool { return prefix(s, of) == len(s) }

// prefix returns the number of characters of the class at the start of s.
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
