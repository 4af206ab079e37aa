package fuzz

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/diag/ruleid"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/fuzz/internal/draw"
	"github.com/calrules/calrules/limits"
)

// jsonVariants break the rules about the body as JSON.
func jsonVariants() map[string][]variant {
	full := variant{prepare: withEverything}
	return map[string][]variant{
		ruleid.JSONSyntax: {
			{name: "nothing", mutate: replacing("", " ", "\n")},
			{name: "no object", mutate: replacing("[]", "null", "true", "0", `"{}"`, "[{}]")},
			{name: "no JSON", mutate: replacing("{", "}", "a", "<event/>", "start: 2026-03-10", "{'summary':'a'}", "{summary:1}", "{,}")},
			{name: "a byte order mark", mutate: rewriting(func(body string) string { return "\ufeff" + body })},
			{name: "cut", mutate: rewriting(func(body string) string { return strings.TrimSuffix(body, "}") })},
			{name: "something after it", mutate: rewriting(func(body string) string { return body + "{}" })},
			{name: "a comma too many", mutate: rewriting(func(body string) string { return strings.TrimSuffix(body, "}") + ",}" })},
			{name: "a comment", mutate: rewriting(func(body string) string { return "/* an event */" + body })},
			{name: "an invalid value", mutate: badSummary(`'a'`, "tru", "NaN", "Infinity", "undefined", "+1", ".5", "-")},
			{name: "a wrong escape", mutate: badSummary(`"\x41"`, `"\u12"`, `"\u{41}"`)},
			{name: "a control character", mutate: badSummary("\"a\nb\"", "\"\x00\"", "\"\t\"")},
			{name: "half a surrogate pair", mutate: badSummary(`"\ud83c"`, `"\udf82"`, `"\ud83c\u0041"`, `"\udf82\ud83c"`)},
			// Each half is written as the three bytes that would encode it. Of all invalid UTF-8, a line
			// of the batch form can represent only this, with an escape.
			{name: "half a surrogate pair, not as an escape", mutate: badSummary(
				"\"\xed\xa0\xbc\"", "\"\xed\xbe\x82\"", "\"a\xed\xa0\x80b\"", "\"\xed\xbf\xbf\xed\xa0\x80\"")},
			{name: "half a surrogate pair after the body", mutate: rewriting(func(body string) string { return body + "\xed\xb2\xa9" })},
			{name: "one level too deep", mutate: nested(limits.JSONMaxDepth)},
			{name: "far too deep", mutate: nested(10_000)},
			{
				name: "one level too deep, where any value will do", types: []string{typeWorkingLocation}, on: withBody &^ diag.Import, prepare: atHome,
				mutate: putting("/workingLocationProperties/homeOffice", json.RawMessage(deep(limits.JSONMaxDepth-1))),
			},
		},
		ruleid.JSONDuplicateName: {
			{name: "a member", mutate: twice(`"summary"`)},
			{name: "a member, once with escapes", mutate: twice(`"\u0073ummar\u0079"`)},
			full.with("in an object", repeatedMember),
			full.with("in a map", repeatedKey),
			{name: "in a member that is not listed", mutate: within("/unlisted/0/a/b",
				putting("/unlisted", json.RawMessage(`[{"a":{"b":1,"b":1}}]`)))},
		},
		ruleid.JSONType: append([]variant{
			full.with("another type", anotherType),
			full.with("null in a list", nullAt(func(p spot) bool { return p.inList })),
			{name: "not a string, in an event of any type", mutate: replaced("/visibility", oneValue(1, false, members{}, []any{"public"}))},
			full.only(diag.Response).with("null in a representation", nullAt(func(p spot) bool { return p.path != "" && !p.inList })),
		},
			// The rule about preferences does not apply to representations.
			variant{on: diag.Response, prepare: withGadget}.invalid("/gadget/preferences",
				anyOf("no map in a representation", 0, "", true, []any{}))...),
		ruleid.JSONUnknownField: {
			full.with("a misspelt name", unknownMember("summery", "Summary", "startTime", "e-mail", "emailAddress", "date_time", "timezone", "uris")),
			{name: "in an event of any type", mutate: putting("/summery", "Standup")},
			full.with("any name", unknownMember("", "x", "/~", "été", "__proto__", "unlisted member")),
		},
	}
}

// replacing sends another text instead of the event.
func replacing(texts ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		text := rapid.SampledFrom(texts).Draw(t, "body")
		d.text = func(string) string { return text }
		return ""
	}
}

// rewriting changes the text of the event outside its members.
func rewriting(change func(body string) string) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.text = change
		return ""
	}
}

// prepended adds a member before the other members of an object.
func prepended(object, name, value string) string {
	rest := strings.TrimPrefix(object, "{")
	if rest != "}" {
		rest = "," + rest
	}
	return "{" + name + ":" + value + rest
}

// badSummary adds a summary that cannot be read as the first member.
func badSummary(values ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		value := rapid.SampledFrom(values).Draw(t, "value")
		d.text = func(body string) string { return prepended(body, `"summary"`, value) }
		return "/summary"
	}
}

// nested adds an unknown member with so many levels; the body is one more.
func nested(levels int) mutation {
	return func(_ *rapid.T, d *draft) diag.Pointer {
		d.text = func(body string) string { return prepended(body, `"unlisted"`, deep(levels)) }
		return "/unlisted"
	}
}

// twice sends the summary twice, the first time under the name as written here.
func twice(name string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		put(d.body, "/summary", textOf("summary").Draw(t, "summary"))
		if d.stored != nil {
			remove(d.stored, "/summary") // so that a patch sends it
		}
		d.text = func(body string) string { return prepended(body, name, `"once"`) }
		return "/summary"
	}
}

// withEverything gives the event members of every JSON type, in objects and in lists.
func withEverything(t *rapid.T, e *event.Event) {
	withAttendees(t, e)
	withOverrides(t, e)
	withSource(t, e)
	withConference(t, e)
	withGadget(t, e)
	e.Attachments = []event.Attachment{drawAttachment(t)}
	e.Summary, e.Sequence = "Standup", 1
	e.Recurrence = nil // it would be wrong for a start that cannot be read
	for _, limit := range []*event.Time{e.Start, e.End} {
		limit.TimeZone = cmp.Or(limit.TimeZone, "UTC") // so that a line may be added
	}
	original := *e.Start
	e.OriginalStartTime = &original
}

// anotherType replaces a value by one of another JSON type, or a number by one that is not a 64-bit
// integer.
func anotherType(t *rapid.T, d *draft) diag.Pointer {
	chosen := drawSpot(t, func(p spot) bool {
		// An original start that cannot be read also counts as changed.
		moved := d.stored != nil && (p.path == "/originalStartTime/date" || p.path == "/originalStartTime/dateTime")
		return p.path != "" && !moved
	})
	type value struct{ kind, json string }
	others := []value{
		{"string", `"5"`}, {"number", `5`}, {"boolean", `true`}, {"array", `[]`}, {"array", `[{"a":1}]`},
		{"object", `{}`}, {"object", `{"a":"b"}`},
		{"fraction", `1.5`}, {"fraction", `9223372036854775808`}, {"fraction", `-1e300`},
	}
	kind := chosen.kind
	others = slices.DeleteFunc(others, func(v value) bool { return v.kind == kind })
	path := d.reach(t, chosen.path)
	put(d.body, path, json.RawMessage(rapid.SampledFrom(others).Draw(t, "value").json))
	return path
}

// nullAt puts null into one of the wanted places.
func nullAt(wanted func(spot) bool) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := d.reach(t, drawSpot(t, wanted).path)
		put(d.body, path, nil)
		return path
	}
}

// unknownMember adds an undocumented member to any of the objects.
func unknownMember(names ...string) mutation {
	return func(t *rapid.T, d *draft) diag.Pointer {
		path := d.reach(t, drawSpot(t, isObject).path).Member(rapid.SampledFrom(names).Draw(t, "name"))
		put(d.body, path, rapid.SampledFrom([]any{"a", 1, true, members{"a": []any{1}}, []any{}}).Draw(t, "value"))
		return path
	}
}

func isObject(p spot) bool { return p.kind == "object" }

// repeatedMember repeats a member of any of the objects in the body.
func repeatedMember(t *rapid.T, d *draft) diag.Pointer {
	return d.repeat(t, drawSpot(t, func(p spot) bool { return p.path != "" && isObject(p) }).path)
}

// repeatedKey repeats a key of any of the maps.
func repeatedKey(t *rapid.T, d *draft) diag.Pointer {
	return d.repeat(t, rapid.SampledFrom(stringMaps()).Draw(t, "map"))
}

// repeat writes a member of an object twice, with the same value.
func (d *draft) repeat(t *rapid.T, object diag.Pointer) diag.Pointer {
	path := d.reach(t, object)
	value, _ := at(d.body, path).(members)
	if len(value) == 0 {
		value = members{"a": "1"}
	}
	name := rapid.SampledFrom(sortedKeys(value)).Draw(t, "name")
	put(d.body, path, json.RawMessage(prepended(
		string(draw.EncodeJSON(value)), string(draw.EncodeJSON(name)), string(draw.EncodeJSON(value[name])))))
	return path.Member(name)
}
