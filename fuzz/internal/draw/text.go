package draw

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// Text draws a text of at most limit characters (Unicode code points), often of exactly that many
// or of one less. It may be empty.
func Text(limit int) *rapid.Generator[string] { return textFrom(0, limit) }

// NonEmptyText is [Text] without the empty text, for members in which that means absence.
func NonEmptyText(limit int) *rapid.Generator[string] { return nonEmptyText(limit) }

var nonEmptyText = Keyed(func(limit int) *rapid.Generator[string] { return textFrom(1, limit) })

func textFrom(low, high int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := Around(low, high).Draw(t, "characters")
		return Cycle(piece().Draw(t, "text"), n)
	})
}

// PieceOf draws a few characters, for a text that repeats them: see [Cycle].
func PieceOf(character *rapid.Generator[rune]) *rapid.Generator[string] {
	const most = 9
	return rapid.StringOfN(character, 1, most, -1)
}

// Cycle returns a text of n characters that repeats a piece. Drawing every character of a long text takes
// time and finds no more.
func Cycle(piece string, n int) string {
	characters := utf8.RuneCountInString(piece)
	rest := 0
	for range n % characters {
		_, size := utf8.DecodeRuneInString(piece[rest:])
		rest += size
	}
	return strings.Repeat(piece, n/characters) + piece[:rest]
}

var piece = Lazy(func() *rapid.Generator[string] {
	return PieceOf(rapid.OneOf(
		rapid.RuneFrom([]rune("abcxyzABC012 .,-")),
		rapid.SampledFrom([]rune("\"\\/~<>&'%{}[]\n\r\t\x00\x1f\x7f\u0085\u00a0\u00ad\u2028\u2029\u200d\u202e\u0301"+
			"äßéİıſKςאबสวัสดี漢字ｆ🎂👩🏳\ufeff\ufffd\uffff\U0010ffff")),
		rapid.RuneFrom(nil, scripts()...),
	))
})

// scripts returns ranges of code points of every kind, the plainest first: alphabets, signs and
// marks of one to four bytes in UTF-8, private and unassigned code points, and noncharacters.
// The ranges do not come from package unicode, as those of [rapid.Rune] do, because its tables
// change with the Go release, and a seed would then stand for other values. Surrogates are left
// out, because UTF-8 cannot encode them.
func scripts() []*unicode.RangeTable {
	return []*unicode.RangeTable{
		codePoints(0x20, 0x7e),                           // ASCII
		codePoints(0x0, 0x1f, 0x7f, 0x9f),                // control characters
		codePoints(0xa0, 0x2ff, 0x1e00, 0x1eff),          // Latin letters with all their marks
		codePoints(0x300, 0x36f, 0xfe00, 0xfe0f),         // combining marks and variation selectors
		codePoints(0x370, 0x58f),                         // Greek, Cyrillic, Armenian
		codePoints(0x590, 0x8ff, 0x10800, 0x108ff),       // right-to-left scripts
		codePoints(0x900, 0x109f, 0x1780, 0x17ff),        // Indic scripts, Thai, Tibetan, Khmer
		codePoints(0x2000, 0x2bff),                       // punctuation, number forms and symbols
		codePoints(0x3000, 0x30ff, 0xff00, 0xffef),       // kana, half-width and full-width forms
		codePoints(0x4e00, 0x9fff, 0x20000, 0x200ff),     // Han
		codePoints(0x1100, 0x11ff, 0xac00, 0xd7ff),       // Hangul, up to the surrogates
		codePoints(0x10000, 0x100ff, 0x1d400, 0x1d7ff),   // Linear B, mathematical letters
		codePoints(0x1f000, 0x1faff),                     // emoji, flags, skin tones
		codePoints(0xe000, 0xe0ff, 0xfdd0, 0xfdef),       // private use and noncharacters
		codePoints(0xfff0, 0xffff, 0xe0000, 0xe01ff),     // specials, tags
		codePoints(0x1fffe, 0x1ffff, 0x10ff00, 0x10ffff), // the ends of planes
	}
}

// codePoints returns a table of ranges. Each pair of bounds is the first and the last code point
// of a range.
func codePoints(bounds ...uint32) *unicode.RangeTable {
	table := new(unicode.RangeTable)
	for pair := range slices.Chunk(bounds, 2) {
		table.R32 = append(table.R32, unicode.Range32{Lo: pair[0], Hi: pair[1], Stride: 1})
	}
	return table
}

// Address draws an addr-spec of RFC 5322: mostly a plain one, and sometimes one with a quoted
// local part, a domain literal or every character that an atom may have.
var Address = Lazy(func() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[a-c]{1,3}@example\.com`),
		rapid.StringMatching(`[a-z]{1,8}(\.[a-z]{1,4}){0,2}(\+[a-z]{1,4})?@[a-z]{1,6}\.example\.org`),
		rapid.StringMatching("[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,9}@[a-zA-Z0-9-]{1,8}(\\.[A-Za-z]{1,4}){0,2}"),
		rapid.StringMatching(`"([ !#-\[\]-~]|\\[\t -~]){0,8}"@example\.net`),
		rapid.StringMatching(`[a-z]{1,4}@\[(192\.0\.2\.[1-9]|IPv6:2001:db8::[1-9])\]`),
	)
})

// Name draws an opaque name, such as the id of an object of another service.
var Name = Matching(`[a-z0-9]{1,8}(-[a-zA-Z0-9_]{1,8})?`)
