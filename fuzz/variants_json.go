package fuzz

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

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
			{name: "a value that is none", mutate: badSummary(`'a'`, "tru", "NaN", "Infinity", "undefined", "+1", ".5", "-")},
			{name: "a wrong escape", mutate: badSummary(`"\x41"`, `"\u12"`, `"\u{41}"`)},
			{name: "a control character", mutate: badSummary("\"a\nb\"", "\"\x00\"", "\"\t\"")},
			{name: "half a surrogate pair", mutate: badSummary(`"\ud83c"`, `"\udf82"`, `"\ud83c\u0041"`, `"\udf82\ud83c"`)},
			// Each half is written as the three bytes that would encode it. Of all invalid UTF-8, a line
			// of the batch form can represent only this, with an escape.
			{name: "half a surrogate pair, not as an escape", mutate: badSummary(
				"\"\xed\xa0\xbc\"", "\"\xed\xbe\x82\"", "\"a\xed\xa0\x80b\"", "\"\xed\xbf\xbf\xed\xa0\x80\"")},
			{name: "half a surrogate pair behind it", mutate: rewriting(func(body string) string { return body + "\xed\xb2\xa9" })},
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
			{name: "no text, in an event of any type", mutate: replaced("/visibility", oneValue(1, false, members{}, []any{"public"}))},
			full.only(diag.Response).with("null in a representation", nullAt(func(p spot) bool { return p.path != "" && !p.inList })),
		},
			// The rule about preferences does not apply to representations.
			variant{on: diag.Response, prepare: withGadget}.invalid("/gadget/preferences",
				anyOf("no map in a representation", 0, "", true, []any{}))...),
		ruleid.JSONUnknownField: {
			full.with("a slip of the pen", unknownMember("summery", "Summary", "startTime", "e-mail", "emailAddress", "date_time", "timezone", "uris")),
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
		put(d.body, "/summary", draw.NonEmptyText(freeText).Draw(t, "summary"))
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

// everything is an event with every documented member, each with a value of its type. It is never
// valid as a whole: drafts take from it what they need to reach one place.
var everything = sync.OnceValue(func() members {
	return decodeTree(`{
	"kind": "calendar#event", "etag": "\"1\"", "id": "abcde", "status": "confirmed",
	"htmlLink": "https://example.com/", "created": "2026-03-01T09:00:00Z", "updated": "2026-03-01T09:00:00Z",
	"summary": "Standup", "description": "Daily", "location": "Room 4", "colorId": "5", "eventLabelId": "1",
	"creator": {"id": "1", "email": "owner@example.com", "displayName": "Ann", "self": true},
	"organizer": {"id": "1", "email": "owner@example.com", "displayName": "Ann", "self": true},
	"start": {"date": "2026-03-10", "dateTime": "2026-03-10T09:00:00Z", "timeZone": "UTC"},
	"end": {"date": "2026-03-11", "dateTime": "2026-03-10T10:00:00Z", "timeZone": "UTC"},
	"endTimeUnspecified": false,
	"recurrence": ["RRULE:FREQ=DAILY;COUNT=2"], "recurringEventId": "abcde",
	"originalStartTime": {"date": "2026-03-10", "dateTime": "2026-03-10T09:00:00Z", "timeZone": "UTC"},
	"transparency": "opaque", "visibility": "default", "iCalUID": "abcde@example.com", "sequence": 1,
	"attendees": [{"id": "2", "email": "bo@example.com", "displayName": "Bo", "organizer": false, "self": false,
		"resource": false, "optional": false, "responseStatus": "accepted", "comment": "Yes", "additionalGuests": 1,
		"asyncOperation": "inProgress"}],
	"attendeesOmitted": false,
	"extendedProperties": {"private": {"a": "1"}, "shared": {"a": "1"}},
	"videoLink": "https://example.com/",
	"conferenceData": {
		"createRequest": {"requestId": "r-1", "conferenceSolutionKey": {"type": "addOn"}, "status": {"statusCode": "success"}},
		"entryPoints": [{"entryPointType": "video", "uri": "https://example.com/", "label": "Video", "pin": "1",
			"accessCode": "1", "meetingCode": "1", "passcode": "1", "password": "1"}],
		"conferenceSolution": {"key": {"type": "addOn"}, "name": "Meeting", "iconUri": "https://example.com/"},
		"conferenceId": "1", "signature": "sig", "notes": "Dial in."},
	"gadget": {"type": "a", "title": "A", "link": "https://example.com/", "iconLink": "https://example.com/",
		"width": 1, "height": 1, "display": "icon", "preferences": {"a": "1"}},
	"anyoneCanAddSelf": false, "guestsCanInviteOthers": true, "guestsCanModify": false, "guestsCanSeeOtherGuests": true,
	"privateCopy": false, "locked": false,
	"reminders": {"useDefault": false, "overrides": [{"method": "popup", "minutes": 10}]},
	"source": {"title": "A", "url": "https://example.com/"},
	"workingLocationProperties": {"type": "officeLocation", "homeOffice": {}, "customLocation": {"label": "Café"},
		"officeLocation": {"buildingId": "1", "floorId": "2", "floorSectionId": "3", "deskId": "4", "label": "HQ"}},
	"outOfOfficeProperties": {"autoDeclineMode": "declineNone", "declineMessage": "Away"},
	"focusTimeProperties": {"autoDeclineMode": "declineNone", "declineMessage": "Busy", "chatStatus": "available"},
	"attachments": [{"fileUrl": "https://example.com/", "title": "A", "mimeType": "text/plain",
		"iconLink": "https://example.com/", "fileId": "1"}],
	"birthdayProperties": {"contact": "people/c12", "type": "birthday", "customTypeName": "Name day"},
	"eventType": "default"
}`)
})

// spot is a place in a body: its path, in which 0 is the index of every element, and a value there.
type spot struct {
	path   diag.Pointer
	value  any
	inList bool
}

// spots are the places whose type is documented, each before those in its value. Members are in
// the order of their names. The first place is the body itself.
var spots = sync.OnceValue(func() []spot {
	all := []spot{{value: everything()}}
	for i := 0; i < len(all); i++ {
		switch value := all[i].value.(type) {
		case members:
			for _, name := range sortedKeys(value) {
				path := all[i].path.Member(name)
				if !slices.Contains(stringMaps, path) && path != "/workingLocationProperties/homeOffice" {
					all = append(all, spot{path: path, value: value[name]})
				}
			}
		case []any:
			all = append(all, spot{path: all[i].path.Index(0), value: value[0], inList: true})
		}
	}
	return all
})

// stringMaps are the maps with a client's own names. Other rules are about their values.
var stringMaps = []diag.Pointer{"/extendedProperties/private", "/extendedProperties/shared", "/gadget/preferences"}

// drawSpot draws one of the wanted places.
func drawSpot(t *rapid.T, wanted func(spot) bool) spot {
	all := slices.DeleteFunc(slices.Clone(spots()), func(p spot) bool { return !wanted(p) })
	return all[draw.Evenly(len(all)).Draw(t, "place")]
}

// reach adds to the body what is missing on the way to a place, and returns the path to it through
// any elements of the lists on the way. It adds the same to the stored event, so that it is not a
// change.
func (d *draft) reach(t *rapid.T, to diag.Pointer) diag.Pointer {
	var path, model diag.Pointer
	for token := range to.Tokens() {
		if list, ok := at(d.body, path).([]any); ok {
			path = path.Index(rapid.IntRange(0, len(list)-1).Draw(t, "index"))
		} else {
			path = path.Member(d.form(path, token))
		}
		if model = model.Member(token); at(d.body, path) == nil {
			d.set(path, at(everything(), model))
		}
	}
	return path
}

// form returns the name of a member of the object at the path. If it is one of the two forms of a
// time, and the time has the other, form returns the other, because a time cannot have both.
func (d *draft) form(path diag.Pointer, name string) string {
	object, _ := at(d.body, path).(members)
	other, isForm := map[string]string{"date": "dateTime", "dateTime": "date"}[name]
	if isForm && object[other] != nil {
		return other
	}
	return name
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
	kind := kindOf(chosen.value)
	others = slices.DeleteFunc(others, func(v value) bool { return v.kind == kind })
	path := d.reach(t, chosen.path)
	put(d.body, path, json.RawMessage(rapid.SampledFrom(others).Draw(t, "value").json))
	return path
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

func isObject(p spot) bool { return kindOf(p.value) == "object" }

// repeatedMember repeats a member of any of the objects in the body.
func repeatedMember(t *rapid.T, d *draft) diag.Pointer {
	return d.repeat(t, drawSpot(t, func(p spot) bool { return p.path != "" && isObject(p) }).path)
}

// repeatedKey repeats a key of any of the maps.
func repeatedKey(t *rapid.T, d *draft) diag.Pointer {
	return d.repeat(t, rapid.SampledFrom(stringMaps).Draw(t, "map"))
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
