package fuzz

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/limits"
)

// jsonWays break the rules about the body as JSON.
var jsonWays = map[string][]way{
	"json.syntax": {
		{name: "nothing", violate: replacing("", " ", "\n")},
		{name: "no object", violate: replacing("[]", "null", "true", "0", `"{}"`, "[{}]")},
		{name: "no JSON", violate: replacing("{", "}", "a", "<event/>", "start: 2026-03-10", "{'summary':'a'}", "{summary:1}", "{,}")},
		{name: "a byte order mark", violate: rewriting(func(body string) string { return "\ufeff" + body })},
		{name: "cut", violate: rewriting(func(body string) string { return strings.TrimSuffix(body, "}") })},
		{name: "something after it", violate: rewriting(func(body string) string { return body + "{}" })},
		{name: "a comma too many", violate: rewriting(func(body string) string { return strings.TrimSuffix(body, "}") + ",}" })},
		{name: "a comment", violate: rewriting(func(body string) string { return "/* an event */" + body })},
		{name: "a value that is none", violate: firstMember("/summary", `'a'`, "tru", "NaN", "Infinity", "undefined", "+1", ".5", "-")},
		{name: "a wrong escape", violate: firstMember("/summary", `"\x41"`, `"\u12"`, `"\u{41}"`)},
		{name: "a control character", violate: firstMember("/summary", "\"a\nb\"", "\"\x00\"", "\"\t\"")},
		{name: "half a surrogate pair", violate: firstMember("/summary", `"\ud83c"`, `"\udf82"`, `"\ud83c\u0041"`, `"\udf82\ud83c"`)},
		{name: "one level too deep", violate: nested(limits.JSONMaxDepth)},
		{name: "far too deep", violate: nested(10_000)},
	},
	"json.duplicate-name": {
		{name: "a member", violate: twice(`"summary"`)},
		{name: "a member, once with escapes", violate: twice(`"\u0073ummar\u0079"`)},
		way{}.with("in an object", then(putting("/source", json.RawMessage(`{"title":"a","url":"https://example.com/","title":"a"}`)), "/title")),
		way{}.with("in a map", then(putting("/extendedProperties", json.RawMessage(`{"shared":{"a":"1","a":"2"}}`)), "/shared/a")),
		way{}.with("in a list", then(putting("/attendees", json.RawMessage(`[{"email":"a@example.com"},{"email":"b@example.com","email":"b@example.com"}]`)), "/1/email")),
		way{}.with("in a member that is not listed", then(putting("/unlisted", json.RawMessage(`[{"a":{"b":1,"b":1}}]`)), "/0/a/b")),
	},
	"json.type": {
		{name: "another type", prepare: withEverything, violate: anotherType},
		{name: "null in a list", prepare: withEverything, violate: nullInList},
		{name: "null in a representation", on: diag.Response, prepare: withEverything, violate: nullMember},
	},
	"json.unknown-field": {
		{name: "a slip of the pen", prepare: withEverything, violate: unknownMember("summery", "Summary", "startTime", "e-mail", "emailAddress", "date_time", "timezone", "uris")},
		{name: "any name", prepare: withEverything, violate: unknownMember("", "x", "/~", "été", "__proto__", "unlisted member")},
	},
}

// replacing sends other text than the event.
func replacing(texts ...string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		text := rapid.SampledFrom(texts).Draw(t, "body")
		s.text = func(string) string { return text }
		return ""
	}
}

// rewriting changes the text of the event outside of its members.
func rewriting(change func(body string) string) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		s.text = change
		return ""
	}
}

// prepended puts a member before those that an object has.
func prepended(object, name, value string) string {
	rest := strings.TrimPrefix(object, "{")
	if rest != "}" {
		rest = "," + rest
	}
	return "{" + name + ":" + value + rest
}

// firstMember adds a member that cannot be read, before anything else is.
func firstMember(path diag.Pointer, values ...string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		value := rapid.SampledFrom(values).Draw(t, "value")
		s.text = func(body string) string {
			return prepended(body, `"`+strings.TrimPrefix(string(path), "/")+`"`, value)
		}
		return path
	}
}

// nested adds a member that nobody lists, of so many levels; the body is one more.
func nested(levels int) func(*rapid.T, *scene) diag.Pointer {
	return func(_ *rapid.T, s *scene) diag.Pointer {
		s.text = func(body string) string {
			return prepended(body, `"unlisted"`, strings.Repeat("[", levels)+strings.Repeat("]", levels))
		}
		return "/unlisted"
	}
}

// twice sends the summary twice, the first time under the name as it is written.
func twice(name string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		put(s.body, "/summary", text(freeText).Draw(t, "summary"))
		if s.stored != nil {
			remove(s.stored, "/summary") // for a patch to send it
		}
		s.text = func(body string) string { return prepended(body, name, `"once"`) }
		return "/summary"
	}
}

// withEverything gives the event members of every type, in objects and in lists.
func withEverything(t *rapid.T, e *event.Event) {
	withAttendees(t, e)
	withOverrides(t, e)
	withSource(t, e)
	withConference(t, e)
	withGadget(t, e)
	e.Attachments = []event.Attachment{drawAttachment(t)}
	e.Summary, e.Sequence = "Standup", 1
	e.Recurrence = nil // or its lines would follow from a start that cannot be read
}

// spot is a value of a body.
type spot struct {
	path   diag.Pointer
	value  any
	inList bool
}

// spots lists the values in a body whose type the documents say, each before what it holds,
// and members in the order of their names.
func spots(body members) []spot {
	all := []spot{{value: body}}
	for i := 0; i < len(all); i++ {
		switch value := all[i].value.(type) {
		case members:
			for _, name := range slices.Sorted(maps.Keys(value)) {
				switch path := all[i].path.Member(name); path {
				case "/extendedProperties", "/gadget/preferences", "/workingLocationProperties":
					// Maps have rules of their own, and home offices no type.
				default:
					all = append(all, spot{path: path, value: value[name]})
				}
			}
		case []any:
			for k, element := range value {
				all = append(all, spot{path: all[i].path.Index(k), value: element, inList: true})
			}
		}
	}
	return all
}

// drawSpot draws one of the values that are as wanted; the body itself is not among them.
func drawSpot(t *rapid.T, s *scene, wanted func(spot) bool) spot {
	all := slices.DeleteFunc(spots(s.body)[1:], func(p spot) bool { return !wanted(p) })
	return rapid.SampledFrom(all).Draw(t, "place")
}

// anotherType replaces a value by one of another JSON type, or a number by one that is no
// integer of 64 bits.
func anotherType(t *rapid.T, s *scene) diag.Pointer {
	at := drawSpot(t, s, func(spot) bool { return true })
	type value struct {
		kind string
		json json.RawMessage
	}
	others := []value{
		{"string", json.RawMessage(`"5"`)}, {"number", json.RawMessage(`5`)}, {"boolean", json.RawMessage(`true`)},
		{"array", json.RawMessage(`[]`)}, {"array", json.RawMessage(`[{"a":1}]`)},
		{"object", json.RawMessage(`{}`)}, {"object", json.RawMessage(`{"a":"b"}`)},
		{"fraction", json.RawMessage(`1.5`)}, {"fraction", json.RawMessage(`9223372036854775808`)}, {"fraction", json.RawMessage(`-1e300`)},
	}
	kind := kindOf(at.value)
	others = slices.DeleteFunc(others, func(v value) bool { return v.kind == kind })
	put(s.body, at.path, rapid.SampledFrom(others).Draw(t, "value").json)
	return at.path
}

// kindOf names the JSON type of a value.
func kindOf(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	default:
		return "object"
	}
}

func nullInList(t *rapid.T, s *scene) diag.Pointer {
	at := drawSpot(t, s, func(p spot) bool { return p.inList })
	put(s.body, at.path, nil)
	return at.path
}

func nullMember(t *rapid.T, s *scene) diag.Pointer {
	at := drawSpot(t, s, func(p spot) bool { return !p.inList })
	put(s.body, at.path, nil)
	return at.path
}

// unknownMember adds a member that the documents do not list to any of the objects.
func unknownMember(names ...string) func(*rapid.T, *scene) diag.Pointer {
	return func(t *rapid.T, s *scene) diag.Pointer {
		object := spot{value: s.body}
		if maybe(t, "in an object of the event") {
			object = drawSpot(t, s, func(p spot) bool { return kindOf(p.value) == "object" })
		}
		path := object.path.Member(rapid.SampledFrom(names).Draw(t, "name"))
		put(s.body, path, rapid.SampledFrom([]any{"a", 1, true, members{"a": []any{1}}, []any{}}).Draw(t, "value"))
		return path
	}
}
