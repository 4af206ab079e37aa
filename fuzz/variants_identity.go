package fuzz

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// identityWays break the rules about what an event is called, and who made it.
func identityVariants() map[string][]variant {
	return map[string][]variant{
		ruleid.EventKind:       notListed(variant{}, []string{"/kind"}, []string{limits.EventKind}),
		ruleid.EventIDAlphabet: idAlphabetVariants(),
		ruleid.EventIDLength: variantsAt(variant{}, []string{"/id"},
			just("empty", ""),
			drawnAs("one too short", idOf(limits.EventIDMinLength-1)),
			drawnAs("one character", idOf(1)),
			drawnAs("one too long", idOf(limits.EventIDMaxLength+1)),
			drawnAs("far too long", idOf(100*limits.EventIDMaxLength)),
		),
		ruleid.EventIDUnique:      {{name: "the only one", mutate: taken()}, {name: "one of several", mutate: taken("other1", "other2")}},
		ruleid.EventIDWithICalUID: {{name: "both", mutate: bothIDs}, {name: "one text as both", mutate: oneTextTwice}},
		ruleid.EventICalUIDRequired: append(missing(variant{on: diag.Import}, "/iCalUID"),
			variantsAt(variant{on: diag.Import}, []string{"/iCalUID"}, just("empty", ""))...),
		ruleid.EventOrganizerEmail: variantsAt(variant{on: diag.Import}, []string{"/organizer/email"}, notAddresses()...),
		ruleid.EventStartRequired:  missing(variant{prepare: single}, "/start"),
		ruleid.EventEndRequired:    missing(variant{prepare: single}, "/end"),
		ruleid.EventStartEndRequired: append(
			missing(variant{prepare: single, on: diag.Import | diag.Update}, "/start", "/end"),
			missing(variant{prepare: daysInSeries, on: diag.Import | diag.Update}, "/start", "/end")...),
	}
}

// single makes the event a single one.
func single(_ *rapid.T, e *event.Event) { e.Recurrence = nil }

// idOf draws an id of n characters of the alphabet.
func idOf(n int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return draw.Repeated(t, "id", base32hex(), n) })
}

func idAlphabetVariants() []variant {
	return variantsAt(variant{}, []string{"/id"},
		drawnAs("the letters after v", idWith('w', 'x', 'y', 'z')),
		drawnAs("a capital", idWith('A', 'K', 'V', 'W')),
		drawnAs("the signs of server ids", idWith('_', '-', '@', '.')),
		drawnAs("a blank or a control character", idWith(' ', '\t', '\n', '\x00')),
		drawnAs("a letter or a digit of another script", idWith('é', 'а', '１', '٣', '🎂')),
	)
}

// idWith draws an id of allowed length with one of the characters somewhere in it.
func idWith(bad ...rune) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		n := draw.Around(limits.EventIDMinLength, limits.EventIDMaxLength).Draw(t, "characters")
		id := []rune(idOf(n).Draw(t, "id"))
		id[rapid.IntRange(0, n-1).Draw(t, "at")] = rapid.SampledFrom(bad).Draw(t, "character")
		return string(id)
	})
}

// taken sends an id that the calendar has, beside others.
func taken(others ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		id := ID().Draw(t, "id")
		d.calendar = &operation.Calendar{IDs: append(others[:len(others):len(others)], id)}
		put(d.body, "/id", id)
		return "/id"
	}
}

func bothIDs(t *rapid.T, d *draft) diag.Pointer {
	put(d.body, "/id", ID().Draw(t, "id"))
	put(d.body, "/iCalUID", draw.NonEmptyText(freeText).Draw(t, "iCalUID"))
	return "/iCalUID"
}

func oneTextTwice(t *rapid.T, d *draft) diag.Pointer {
	id := ID().Draw(t, "id")
	put(d.body, "/id", id)
	put(d.body, "/iCalUID", id)
	return "/iCalUID"
}

// noAddress are texts that are no addr-spec, most of which some library takes.
func notAddresses() []badValue {
	return []badValue{
		anyOf("with a name", "Ada <ada@example.com>", "<ada@example.com>", `"Ada" <ada@example.com>`),
		anyOf("a URI", "mailto:ada@example.com", "https://example.com/"),
		anyOf("without a part", "ada", "ada@", "@example.com", "@", "example.com"),
		anyOf("a dot out of place", ".ada@example.com", "ada.@example.com", "a..b@example.com",
			"ada@example..com", "ada@.example.com", "ada@example.com."),
		anyOf("a blank", "ada @example.com", "ada@ example.com", " ada@example.com", "ada@example.com ", "ada@example.com\n", "a da@example.com"),
		anyOf("two addresses", "ada@example.com,bob@example.com", "ada@example.com; bob@example.com", "ada@bob@example.com"),
		anyOf("a sign that needs quotes", "a(b@example.com", "a,b@example.com", "a:b@example.com", `a\b@example.com`, "a[b@example.com"),
		anyOf("not closed", `"ada@example.com`, "ada@[192.0.2.1", `ada"@example.com`),
		just("long, and without a domain", strings.Repeat("a", 100_000)),
	}
}

// daysInSeries makes the event an all-day series.
func daysInSeries(t *rapid.T, e *event.Event) { drawSeries(t, e, true) }
