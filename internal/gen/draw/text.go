package draw

import (
	"strings"
	"unicode/utf8"
)

// Text returns a generator of strings that are at most limit characters (Unicode code points) long. Many strings are limit or
// limit-1 characters long. A string may be empty.
func Text(limit int) Generator[string] { return textFrom(0, limit) }

// NonEmptyText is like [Text], but never draws the empty string. NonEmptyText is for members for which "" means absence.
func NonEmptyText(limit int) Generator[string] { return textFrom(1, limit) }

func textFrom(low, high int) Generator[string] {
	length := Around(low, high)
	return func(t *T) string {
		n := length.Draw(t, "characters")
		return Cycled(t, "text", One(t, "characters", plainRune, anyRune), n)
	}
}

var plainRune = RuneOf("abcxyzABC012 .,-")

var anyRune = OneOf(
	plainRune,
	RuneOf("\"\\/~<>&'%{}[]\n\r\t\x00\x1f\x7f\u0085\u00a0\u00ad\u2028\u2029\u200d\u202e\u0301"+
		"äßéİıſKςאબสวัสดี漢字ｆ🎂👩🏳\ufeff\ufffd\uffff\U0010ffff"),
	func(t *T) rune { return t.inRanges(scripts[t.index(len(scripts))]) },
)

// RuneOf returns a generator that draws one of the characters.
func RuneOf(characters string) Generator[rune] { return SampledFrom([]rune(characters)) }

// Cycled draws a few characters and returns a string of n characters that repeats them. Drawing every character of a
// long string would take time without finding more bugs.
func Cycled(t *T, label string, character Generator[rune], n int) string {
	const most = 9
	var buffer [most * utf8.UTFMax]byte
	piece := buffer[:0]
	t.source.Group(label, func(bool) {
		t.repeat(1, most, func() bool {
			piece = utf8.AppendRune(piece, character(t))
			return true
		})
	})
	return Cycle(piece, n)
}

// Cycle returns a string of n characters that repeats piece.
func Cycle(piece []byte, n int) string {
	characters := utf8.RuneCount(piece)
	length := n / characters * len(piece)
	for rest := piece; n%characters > 0; n-- {
		_, size := utf8.DecodeRune(rest)
		length, rest = length+size, rest[size:]
	}
	var text strings.Builder
	text.Grow(length)
	text.Write(piece[:min(len(piece), length)])
	for text.Len() < length {
		text.WriteString(text.String()[:min(text.Len(), length-text.Len())])
	}
	return text.String()
}

// inRanges draws a character from ranges, each given by its first and last characters.
func (t *T) inRanges(bounds []rune) rune {
	total := 0
	for i := 0; i < len(bounds); i += 2 {
		total += int(bounds[i+1]-bounds[i]) + 1
	}
	n := rune(t.index(total))
	for i := 0; ; i += 2 {
		length := bounds[i+1] - bounds[i] + 1
		if n < length {
			return bounds[i] + n
		}
		n -= length
	}
}

// scripts contains ranges of code points of all kinds, the most common first: letters, symbols and marks of one to four bytes
// in UTF-8, private and unassigned code points, and noncharacters. The ranges are not from package unicode, whose tables change
// between Go releases: a seed must always draw the same values. Surrogates are omitted, because UTF-8 cannot encode them.
var scripts = [][]rune{
	{0x20, 0x7e},                           // ASCII
	{0x0, 0x1f, 0x7f, 0x9f},                // control characters
	{0xa0, 0x2ff, 0x1e00, 0x1eff},          // Latin letters with diacritics
	{0x300, 0x36f, 0xfe00, 0xfe0f},         // combining marks and variation selectors
	{0x370, 0x58f},                         // Greek, Cyrillic, Armenian
	{0x590, 0x8ff, 0x10800, 0x108ff},       // right-to-left scripts
	{0x900, 0x109f, 0x1780, 0x17ff},        // Indic scripts, Thai, Tibetan, Khmer
	{0x2000, 0x2bff},                       // punctuation, number forms and symbols
	{0x3000, 0x30ff, 0xff00, 0xffef},       // kana, half-width and full-width forms
	{0x4e00, 0x9fff, 0x20000, 0x200ff},     // Han
	{0x1100, 0x11ff, 0xac00, 0xd7ff},       // Hangul, up to the surrogates
	{0x10000, 0x100ff, 0x1d400, 0x1d7ff},   // Linear B, mathematical letters
	{0x1f000, 0x1faff},                     // emoji, flags, skin tones
	{0xe000, 0xe0ff, 0xfdd0, 0xfdef},       // private use and noncharacters
	{0xfff0, 0xffff, 0xe0000, 0xe01ff},     // specials, tags
	{0x1fffe, 0x1ffff, 0x10ff00, 0x10ffff}, // the ends of Unicode planes
}

// Address draws an addr-spec (RFC 5322). The address is usually plain, and sometimes has a quoted local part, a domain literal
// or unusual atom characters.
var Address = OneOf(
	Matching(`[a-c]{1,3}@example\.com`),
	Matching(`[a-z]{1,8}(\.[a-z]{1,4}){0,2}(\+[a-z]{1,4})?@[a-z]{1,6}\.example\.org`),
	Matching("[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,9}@[a-zA-Z0-9-]{1,8}(\\.[A-Za-z]{1,4}){0,2}"),
	Matching(`"([ !#-\[\]-~]|\\[\t -~]){0,8}"@example\.net`),
	Matching(`[a-z]{1,4}@\[(192\.0\.2\.[1-9]|IPv6:2001:db8::[1-9])\]`),
)

// Name draws an opaque name, such as the id of an object in another service.
var Name = Matching(`[a-z0-9]{1,8}(-[a-zA-Z0-9_]{1,8})?`)
