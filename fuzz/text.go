package fuzz

import (
	"slices"
	"sync"
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
	rapid.Rune(),
))

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
