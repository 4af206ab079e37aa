package fuzz

import (
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/limits"
)

// Text draws a text of up to max characters (Unicode code points), often of just so many or
// of one less. It is valid UTF-8, and holds what escaping, counting and rendering get wrong:
// quotes, backslashes, control characters, the ~ and / of a JSON Pointer, markup, letters of
// several bytes and of several code points, writing from right to left. max is not negative.
func Text(max int) *rapid.Generator[string] {
	characters := newAround(0, max)
	return rapid.Custom(func(t *rapid.T) string {
		return repeated(t, "text", character, characters.Draw(t, "characters"))
	})
}

// freeText is how long the texts are that have no limit.
const freeText = 300

// text draws a text that is not empty, for members in which the empty string is absence.
func text(max int) *rapid.Generator[string] { return keptText(max) }

var keptText = kept(func(max int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return repeated(t, "text", character, around(1, max).Draw(t, "characters"))
	})
})

var character = named(rapid.OneOf(
	rapid.RuneFrom([]rune("abcxyzABC012 .,-")),
	rapid.SampledFrom([]rune("\"\\/~<>&'%{}[]\n\r\t\x00\x1f\x7f\u0085\u00a0\u00ad\u2028\u2029\u200d\u202e\u0301"+
		"äßéİıſKςאबสวัสดี漢字ｆ🎂👩🏳\ufeff\ufffd\uffff\U0010ffff")),
	rapid.RuneFrom(nil, scripts...),
))

// scripts are ranges of code points of every kind: of alphabets, signs and marks, of one to four
// bytes, private, unassigned and no characters at all, the plainest first. They are written out
// here because the tables of package unicode, which [rapid.Rune] draws from, follow Unicode from
// one release of Go to the next: what a seed stands for would change with them. Surrogates, which
// UTF-8 cannot hold, are left out.
var scripts = []*unicode.RangeTable{
	codePoints(0x20, 0x7e),                           // ASCII
	codePoints(0x0, 0x1f, 0x7f, 0x9f),                // control characters
	codePoints(0xa0, 0x2ff, 0x1e00, 0x1eff),          // letters of Latin with all their marks
	codePoints(0x300, 0x36f, 0xfe00, 0xfe0f),         // marks and variations of the character before
	codePoints(0x370, 0x58f),                         // Greek, Cyrillic, Armenian
	codePoints(0x590, 0x8ff, 0x10800, 0x108ff),       // what is written from right to left
	codePoints(0x900, 0x109f, 0x1780, 0x17ff),        // India and its neighbours, Thai, Tibetan, Khmer
	codePoints(0x2000, 0x2bff),                       // punctuation, numbers, formats and symbols
	codePoints(0x3000, 0x30ff, 0xff00, 0xffef),       // kana, and forms of full and half width
	codePoints(0x4e00, 0x9fff, 0x20000, 0x200ff),     // Han
	codePoints(0x1100, 0x11ff, 0xac00, 0xd7ff),       // Hangul, up to the surrogates
	codePoints(0x10000, 0x100ff, 0x1d400, 0x1d7ff),   // Linear B, letters of mathematics
	codePoints(0x1f000, 0x1faff),                     // emoji, flags, skins
	codePoints(0xe000, 0xe0ff, 0xfdd0, 0xfdef),       // private, and no characters
	codePoints(0xfff0, 0xffff, 0xe0000, 0xe01ff),     // specials, tags
	codePoints(0x1fffe, 0x1ffff, 0x10ff00, 0x10ffff), // the ends of planes
}

// codePoints makes a table of ranges, each given by its first and its last code point.
func codePoints(bounds ...uint32) *unicode.RangeTable {
	table := new(unicode.RangeTable)
	for pair := range slices.Chunk(bounds, 2) {
		table.R32 = append(table.R32, unicode.Range32{Lo: pair[0], Hi: pair[1], Stride: 1})
	}
	return table
}

// ID draws an id that a client may choose for an event: 5 to 1024 characters of the
// base32hex alphabet in lower case.
func ID() *rapid.Generator[string] { return anyID }

var anyID = named(rapid.Custom(func(t *rapid.T) string {
	n := around(limits.EventIDMinLength, limits.EventIDMaxLength).Draw(t, "characters")
	return repeated(t, "id", base32hex, n)
}))

var base32hex = named(rapid.SampledFrom([]rune("abcdefghijklmnopqrstuv0123456789")))

// Address draws an addr-spec of RFC 5322: mostly a plain one, at times one with a quoted
// local part, a domain literal, or all the characters that an atom may have.
func Address() *rapid.Generator[string] { return anyAddress }

var anyAddress = named(rapid.OneOf(
	rapid.StringMatching(`[a-c]{1,3}@example\.com`),
	rapid.StringMatching(`[a-z]{1,8}(\.[a-z]{1,4}){0,2}(\+[a-z]{1,4})?@[a-z]{1,6}\.example\.org`),
	rapid.StringMatching("[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]{1,9}@[a-zA-Z0-9-]{1,8}(\\.[A-Za-z]{1,4}){0,2}"),
	rapid.StringMatching(`"([ !#-\[\]-~]|\\[\t -~]){0,8}"@example\.net`),
	rapid.StringMatching(`[a-z]{1,4}@\[(192\.0\.2\.[1-9]|IPv6:2001:db8::[1-9])\]`),
))

// ZoneName draws a name of the IANA Time Zone Database: a well-known one first, then any,
// links and fixed offsets included.
func ZoneName() *rapid.Generator[string] { return anyZone() }

// anyZone is made when it is first asked for: programs that draw nothing need no list.
var anyZone = sync.OnceValue(func() *rapid.Generator[string] {
	return named(rapid.OneOf(
		rapid.SampledFrom([]string{"UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"}),
		rapid.SampledFrom(slices.Collect(limits.Zones())),
	))
})

// uri draws a URI of up to max characters that begins with one of the prefixes. After a
// prefix anything may follow, or nothing.
func uri(max int, prefixes ...string) *rapid.Generator[string] {
	anyPrefix := rapid.SampledFrom(prefixes)
	return rapid.Custom(func(t *rapid.T) string {
		prefix := anyPrefix.Draw(t, "prefix")
		n := around(0, max-utf8.RuneCountInString(prefix)).Draw(t, "characters after it")
		return prefix + repeated(t, "what follows", uriCharacter, n)
	})
}

// uriCharacter has the characters of a URI, and two that only an IRI has. There is no
// percent sign, which does not stand alone.
var uriCharacter = named(rapid.SampledFrom([]rune("a0/-._~!$&'()*+,;=:@?é漢")))

// httpURL draws a URL of scheme http or https.
func httpURL(max int) *rapid.Generator[string] { return keptURL(max) }

var keptURL = kept(func(max int) *rapid.Generator[string] {
	return uri(max, "https://example.com/", "http://example.com/", "HTTPS://meet.example.com/a%20b?tag[]=",
		"https://user:pw@example.com:8443/#", "http://[2001:db8::1]:80/", "https://bücher.example/%C3%A9/")
})

// opaque draws a name that nobody but its maker reads.
func opaque() *rapid.Generator[string] { return anyName }

var anyName = named(rapid.StringMatching(`[a-z0-9]{1,8}(-[a-zA-Z0-9_]{1,8})?`))
