package payload

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/jsonscan"
)

// patchObject is an object of a merge patch, which is written member by member. The zero value
// is the empty object.
type patchObject struct {
	names   []string
	written []byte
}

// set adds a new member.
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

// JSON values that all patches share. They must not be changed.
var jsonNull = json.RawMessage("null")
var jsonTrue = json.RawMessage("true")
var jsonFalse = json.RawMessage("false")
var jsonNoList = json.RawMessage("[]")

// jsonText writes a string as events write theirs.
func jsonText(s string) json.RawMessage { return jsonscan.AppendQuote(nil, s) }

// soleValue returns the value of the event's one member or, if it has none because a list is
// empty, the empty list.
func soleValue(e *event.Event) json.RawMessage { return soleMember(e.AppendJSON(nil)) }

// soleMember is [soleValue] for an object that is written without spaces. The name of the member
// contains no escapes.
func soleMember(object json.RawMessage) json.RawMessage {
	for _, value := range jsonscan.Of(object).Members() {
		return value.Text
	}
	return jsonNoList
}

// rawMembers returns the members of a JSON object, or nil for any other value.
func rawMembers(value json.RawMessage) map[string]json.RawMessage {
	object := jsonscan.Of(value)
	if !object.IsObject() {
		return nil
	}
	members := map[string]json.RawMessage{}
	for name, member := range object.Members() {
		members[name.String()] = member.Text
	}
	return members
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// The values of members in patches.
var freeJSON = draw.Map(draw.NonEmptyText(freeText), jsonText)
var nameJSON = draw.Map(draw.Name, jsonText)
var urlJSON = draw.Map(httpURL(freeText), jsonText)
var booleanJSON = draw.Sampled(jsonTrue, jsonFalse)

func intJSON(low int64) draw.Generator[json.RawMessage] {
	return draw.Map(draw.Integer(low), func(n int64) json.RawMessage { return strconv.AppendInt(nil, n, 10) })
}
