package fuzz

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/limits"
)

// patchObject writes an object of a merge patch member by member. The zero value is the empty object.
type patchObject struct {
	names   []string
	written []byte
}

// set adds a member, which the object must not have.
func (o *patchObject) set(name string, value json.RawMessage) {
	separator := byte(',')
	if len(o.written) == 0 {
		separator = '{'
	}
	o.names = append(o.names, name)
	o.written = append(o.written, separator)
	o.written = append(o.written, jsonText(name)...)
	o.written = append(o.written, ':')
	o.written = append(o.written, value...)
}

// text returns the object as JSON.
func (o *patchObject) text() json.RawMessage {
	if len(o.written) == 0 {
		return json.RawMessage("{}")
	}
	return append(o.written, '}')
}

// JSON values that are the same for every patch, and must not be changed.
var (
	jsonNull   = json.RawMessage("null")
	jsonTrue   = json.RawMessage("true")
	jsonFalse  = json.RawMessage("false")
	jsonNoList = json.RawMessage("[]")
)

// jsonText writes a string as JSON, as events do.
func jsonText(s string) json.RawMessage { return jsonscan.AppendQuote(nil, s) }

// soleValue returns the value of the only member of the event, or the empty list if it has no member
// because its list is empty.
func soleValue(e *event.Event) json.RawMessage { return soleMember(e.AppendJSON(nil)) }

// soleMember is like [soleValue] for an object that is written as JSON.
func soleMember(object json.RawMessage) json.RawMessage {
	for _, value := range jsonscan.Of(object).Members() {
		return value.Text
	}
	return jsonNoList
}

// rawMembers returns the members of a JSON object, or nil for other values.
func rawMembers(value json.RawMessage) (members map[string]json.RawMessage) {
	if len(value) == 0 || value[0] != '{' || json.Unmarshal(value, &members) != nil {
		return nil
	}
	return members
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// The values of members in patches.
var (
	freeJSON    = named(textJSON(freeText))
	notesJSON   = named(textJSON(limits.ConferenceNotesMaxLength))
	nameJSON    = named(rapid.Map(opaque(), jsonText))
	urlJSON     = named(rapid.Map(httpURL(freeText), jsonText))
	booleanJSON = named(rapid.SampledFrom([]json.RawMessage{jsonTrue, jsonFalse}))
)

func textJSON(most int) *rapid.Generator[json.RawMessage] { return rapid.Map(text(most), jsonText) }

func enumJSON(e *limits.Constraint) *rapid.Generator[json.RawMessage] {
	return rapid.Map(oneOf(e), jsonText)
}

func intJSON(low int64) *rapid.Generator[json.RawMessage] {
	return rapid.Map(integer(low), func(n int64) json.RawMessage { return strconv.AppendInt(nil, n, 10) })
}
