package fuzz

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
	"github.com/calrules/calrules/operation"
)

// identityWays break the rules about what an event is called, and who made it.
func identityWays() map[string][]way {
	return map[string][]way{
		"event.kind":        listed(way{}, []string{"/kind"}, []string{limits.EventKind}),
		"event.id.alphabet": idAlphabetWays(),
		"event.id.length": leaf(way{}, []string{"/id"},
			just("empty", ""),
			drawnAs("one too short", idOf(limits.EventIDMinLength-1)),
			drawnAs("one character", idOf(1)),
			drawnAs("one too long", idOf(limits.EventIDMaxLength+1)),
			drawnAs("far too long", idOf(100*limits.EventIDMaxLength)),
		),
		"event.id.unique":       {{name: "the only one", violate: taken()}, {name: "one of several", violate: taken("other1", "other2")}},
		"event.id.with-icaluid": {{name: "both", violate: bothIDs}, {name: "one text as both", violate: oneTextTwice}},
		"event.icaluid.required": append(missing(way{on: diag.Import}, "/iCalUID"),
			leaf(way{on: diag.Import}, []string{"/iCalUID"}, just("empty", ""))...),
		"event.organizer.email": leaf(way{on: diag.Import}, []string{"/organizer/email"}, noAddress()...),
		"event.start.required":  missing(way{prepare: single}, "/start"),
		"event.end.required":    missing(way{prepare: single}, "/end"),
		"event.start-end.required": append(
			missing(way{prepare: single, on: diag.Import | diag.Update}, "/start", "/end"),
			missing(way{prepare: daysInSeries, on: diag.Import | diag.Update}, "/start", "/end")...),
	}
}

// single makes the event a single one.
func single(_ *rapid.T, e *event.Event) { e.Recurrence = nil }

// idOf draws an id of n characters of the alphabet.
func idOf(n int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string { return draw.Repeated(t, "id", base32hex(), n) })
}

func idAlphabetWays() []way {
	return leaf(way{}, []string{"/id"},
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
func taken(others ...string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		id := ID().Draw(t, "id")
		s.calendar = &operation.Calendar{IDs: append(others[:len(others):len(others)], id)}
		put(s.body, "/id", id)
		return "/id"
	}
}

func bothIDs(t *rapid.T, s *scene) diag.Pointer {
	put(s.body, "/id", ID().Draw(t, "id"))
	put(s.body, "/iCalUID", draw.NonEmptyText(freeText).Draw(t, "iCalUID"))
	return "/iCalUID"
}

func oneTextTwice(t *rapid.T, s *scene) diag.Pointer {
	id := ID().Draw(t, "id")
	put(s.body, "/id", id)
	put(s.body, "/iCalUID", id)
	return "/iCalUID"
}

// noAddress are texts that are no addr-spec, most of which some library takes.
func noAddress() []wrong {
	return []wrong{
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
