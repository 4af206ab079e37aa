package gen

import (
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/gen/draw"
)

// freeText is the maximum length of strings that are drawn for members without a limit.
const freeText = 300

// longText is the maximum length of a drawn description.
const longText = 10_000

// shortText is a string length that is valid for every member.
const shortText = 30

// EventID draws an id that a client may choose for an event.
var EventID = draw.Custom(func(t *draw.T) string {
	n := draw.Around(form.EventIDMinLength, form.EventIDMaxLength).Draw(t, "characters")
	return draw.Cycled(t, "id", base32hex, n)
})

var base32hex = draw.RuneOf("abcdefghijklmnopqrstuv0123456789")

// ZoneName draws a name from the IANA Time Zone Database: first a well-known name, then any name, including links and
// fixed offsets.
var ZoneName = draw.Lazy(func() draw.Generator[string] {
	return draw.OneOf(
		draw.Sampled("UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe"),
		draw.SampledFrom(slices.Collect(form.Zones())),
	)
})

// uri draws a URI of at most limit characters that begins with one of the prefixes. The prefix is followed by zero or
// more URI characters.
func uri(limit int, prefixes ...string) draw.Generator[string] {
	anyPrefix := draw.SampledFrom(prefixes)
	return func(t *draw.T) string {
		prefix := anyPrefix.Draw(t, "prefix")
		n := draw.Around(0, limit-utf8.RuneCountInString(prefix)).Draw(t, "characters after it")
		return prefix + draw.Cycled(t, "rest", uriRune, n)
	}
}

// uriRune draws URI characters except the percent sign, which must not occur on its own, or one of two characters that are
// allowed only in an IRI.
var uriRune = draw.RuneOf("a0/-._~!$&'()*+,;=:@?é漢")

// httpURL returns a generator of URLs with the scheme http or https.
var httpURL = draw.Keyed(func(limit int) draw.Generator[string] {
	return uri(limit, "https://example.com/", "http://example.com/", "HTTPS://meet.example.com/a%20b?tag[]=",
		"https://user:pw@example.com:8443/#", "http://[2001:db8::1]:80/", "https://bücher.example/%C3%A9/")
})
