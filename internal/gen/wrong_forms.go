package gen

import (
	"strings"

	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/gen/draw"
)

// wrongForms returns generators of strings that do not have the form required by a constraint, keyed by the constraint's name.
// For all other constraints, near misses of valid values are drawn.
func wrongForms() map[string]draw.Generator[string] {
	return map[string]draw.Generator[string]{
		constraint.EventIDCharacters.Name: joined(EventID, draw.Matching(`[wxyzAKVW_@. \t\n\x00éa１٣🎂-]`)),
		constraint.AddrSpec.Name: draw.OneOf(draw.Sampled(
			"Ada <ada@example.com>", "<ada@example.com>", `"Ada" <ada@example.com>`, // with a name
			"mailto:ada@example.com", "https://example.com/",
			"ada", "ada@", "@example.com", "@", "example.com",
			".ada@example.com", "ada.@example.com", "a..b@example.com", "ada@example..com", "ada@.example.com", "ada@example.com.",
			"ada @example.com", "ada@ example.com", " ada@example.com", "ada@example.com ", "ada@example.com\n", "a da@example.com",
			"ada@example.com,bob@example.com", "ada@example.com; bob@example.com", "ada@bob@example.com",
			"a(b@example.com", "a,b@example.com", "a:b@example.com", `a\b@example.com`, "a[b@example.com",
			`"ada@example.com`, "ada@[192.0.2.1", `ada"@example.com`, // missing closing delimiters
		), tooLong),
		constraint.HTTPScheme.Name: draw.OneOf(draw.Sampled(
			"ftp://example.com/", "javascript:alert(1)", "tel:+15550100", "file:///etc/hosts", "httpx://example.com/",
			"example.com", "//example.com/", "/a", "www.example.com/a",
			" https://example.com/", "https ://example.com/", "\nhttps://example.com/", "java\nscript:https://example.com/",
		), joined(draw.Just("ftp://example.com/"), tooLong)),
		constraint.FullDate.Name: draw.OneOf(
			draw.Matching(`[0-9]{4}-(02-3[01]|(04|06|09|11)-31|01-(00|32)|12-32|(00|13|99)-10)`),
			commonLeapDay,
			draw.Matching(`[+01-]2026-03-10|2026-(3-10|11-1|1-1)|(10-03|03-10)-2026|2026(-W10-2|-069|W102)`),
			draw.Matching(`2026-03-10(T00:00:00Z|T|Z|\+00:00| |\n)|[ \t]2026-03-10`),
			draw.Sampled("20260310", "2026/03/10", "2026.03.10", "2026‐03‐10", "2026–03–10", "２０２６-０３-１０", // other separators and digits
				"2026-03", "2026", "26-03-10", "03-10", "", "today", "10 March 2026", "1773100800", "yyyy-mm-dd"),
		),
		constraint.EventDateTime.Name: draw.OneOf(
			joined(draw.Matching(`[0-9]{4}-(02-3[01]|(04|06|09|11)-31|01-(00|32)|12-32|(00|13|99)-10)T09:00:00`), anyOffset),
			joined(commonLeapDay, draw.Just("T09:00:00"), anyOffset),
			joined(draw.Matching(`2026-03-10T((24:00|25:10|99:00):00|09:(60|99):00|23:59:61|09:00:99|09(:00)?)`), anyOffset),
			draw.Matching(`2016-12-([012][1-9]T23:59:60Z|31T23:59:60[+-]0[1-9]:[0-5][0-9]|31T23:([0-4][0-9]|5[0-8]):60Z?)`), // not a leap second
			joined(draw.Matching(`2026-03-10T09:00:00(,5|\.|\.5\.5|\.-5|\.５)|2026-03-10[ _Т]?09:00:00`), anyOffset),
			draw.Matching(`2026-03-10T09:00:00([+−]0400|\+4:00|\+04|-4|\+24:00|-04:60|−04:00|\+04:00:00|Z\+00:00|ZZ|±00:00|04:00)`),
			draw.Matching(`2026-03-10T09:00:00( UTC|GMT|EST|Z\[Europe/Berlin\]| Z)|[ +01-]2026-03-10T09:00:00Z|2026-03-10T09:00:00Z[ \n\x00]`),
			draw.Sampled("2026-03-10", "2026-03-10T9:00:00Z", "2026-3-10T09:00:00Z", "20260310T090000Z", "2026/03/10T09:00:00Z",
				"２０２６-０３-１０T０９:００:００Z", "", "now", "Tue, 10 Mar 2026 09:00:00 GMT", "1773100800", "2026-W10-2T09:00:00Z", "PT1H"),
		),
		constraint.IANAZone.Name: draw.OneOf(
			draw.Sampled("utc", "europe/berlin", "america/New_York", "asia/Tokyo", "Local", "localtime", "posixrules", "tzdata.zi", "../etc/passwd",
				"PST", "PDT", "EDT", "CEST", "BST", "JST", "Z", "UTC+1", "GMT-05:00", "Etc/GMT+13", "UTC0", // abbreviations and offsets
				"Eastern Standard Time", "W. Europe Standard Time", "(UTC+01:00) Berlin", "tzone://Microsoft/Utc", "EST5EDT,M3.2.0,M11.1.0",
				"America/New York", "America/Newyork", "Europe/Berln", `Europe\Berlin`, "Asia/Bejing", "Berlin", "Europe", "Europe/", "Etc", ""),
			draw.Matching(`[+-][01][0-9]:[0-5][0-9]|[A-Z][a-z]{0,12}/X[a-z]{0,12}`),
			joined(draw.Matching(` |\./|\.\./|/|posix/|right/|/usr/share/zoneinfo/`), ZoneName),
			joined(ZoneName, draw.Matching(`[ \n\x00/]`)),
			joined(draw.Just("Europe/"), tooLong),
		),
	}
}

// commonLeapDay draws 29 February of a year that is not a leap year.
var commonLeapDay = draw.Matching(`(2026|1900|2100|[0-9]{3}[1357])-02-29`)

// anyOffset draws an offset or "".
var anyOffset = draw.Matching(`Z|z|-00:00|[+-](0[0-9]|1[0-4]):(00|30)|`)

// tooLong draws a string that is too long for any of the forms in this file.
var tooLong = draw.Map(draw.Around(2000, 100_000), func(n int) string { return strings.Repeat("a", n) })
