package gen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/gen/draw"
)

// members are the members of a JSON object, with values as encoding/json decodes them and numbers as [json.Number]; a
// [json.RawMessage] represents any JSON value.
//
// Faults are put into requests in the form of members, because an [event.Event] cannot represent most faults.
type members = map[string]any

func encodeTree(e *event.Event) members { return decodeJSON(e.AppendJSON(nil)).(members) }

func decodeEvent(tree members) *event.Event {
	e := new(event.Event)
	if err := e.UnmarshalJSON(encodeJSON(tree)); err != nil {
		panic(fmt.Sprintf("fuzz: the stored event is not an event: %v", err))
	}
	return e
}

// equalMember reports whether two objects have the same value for a member, or both lack the member.
func equalMember(name string, a, b members) bool { return reflect.DeepEqual(a[name], b[name]) }

func decodeJSON(text []byte) (value any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		panic(fmt.Sprintf("fuzz: not a JSON value: %v: %s", err, text))
	}
	return value
}

// encodeJSON returns the JSON encoding of a value in a tree, with members sorted by name.
func encodeJSON(value any) json.RawMessage { return draw.EncodeJSON(value) }

// bodyText returns the JSON encoding of an event's tree: its members in document order, followed by undocumented members
// sorted by name.
func bodyText(tree members) json.RawMessage {
	names := slices.SortedFunc(maps.Keys(tree), func(a, b string) int {
		return cmp.Or(cmp.Compare(documentOrder(a), documentOrder(b)), strings.Compare(a, b))
	})
	text := []byte("{")
	for i, name := range names {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(append(text, encodeJSON(name)...), ':'), encodeJSON(tree[name])...)
	}
	return append(text, '}')
}

// documentOrder returns the position of an event's member in document order.
func documentOrder(name string) int {
	if i := slices.Index(documented(), name); i >= 0 {
		return i
	}
	return len(documented())
}

// At returns the value at a path, or nil.
func At(tree any, path diag.Pointer) any {
	for token := range path.Tokens() {
		switch container := tree.(type) {
		case members:
			tree = container[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(container) {
				return nil
			}
			tree = container[i]
		default:
			return nil
		}
	}
	return tree
}

// put sets the value at a path, creating missing objects along the way. An index just past the end of an array appends
// the value.
func put(tree members, path diag.Pointer, value any) {
	putAt(tree, slices.Collect(path.Tokens()), value)
}

// putAt sets the value at the place to which the tokens lead, and returns the container.
func putAt(container any, tokens []string, value any) any {
	if len(tokens) == 0 {
		return value
	}
	switch c := container.(type) {
	case []any:
		i, err := strconv.Atoi(tokens[0])
		if err != nil || i > len(c) {
			panic(fmt.Sprintf("fuzz: an array of length %d has no element %q", len(c), tokens[0]))
		}
		if i == len(c) {
			c = append(c, nil)
		}
		c[i] = putAt(c[i], tokens[1:], value)
		return c
	case members:
		c[tokens[0]] = putAt(c[tokens[0]], tokens[1:], value)
		return c
	default:
		return putAt(members{}, tokens, value)
	}
}

func remove(tree members, path diag.Pointer) {
	parent := outer(path)
	last := slices.Collect(path.Tokens())[strings.Count(string(parent), "/")]
	switch container := At(tree, parent).(type) {
	case members:
		delete(container, last)
	case []any:
		i, _ := strconv.Atoi(last)
		put(tree, parent, slices.Delete(slices.Clone(container), i, i+1))
	}
}

// patchOf returns the patch (RFC 7396) that turns before into after. The patch also contains unchanged members if whole
// returns true for the member's name or for the name of the top-level member that contains it.
func patchOf(before, after members, whole func(name string) bool) members {
	patch := members{}
	for name := range before {
		if _, stays := after[name]; !stays {
			patch[name] = nil
		}
	}
	for name := range after {
		_, existed := before[name]
		if existed && !whole(name) && equalMember(name, before, after) {
			continue
		}
		patch[name] = after[name]
		oldObject, wasObject := before[name].(members)
		object, isObject := patch[name].(members)
		if wasObject && isObject {
			all := whole(name)
			patch[name] = patchOf(oldObject, object, func(string) bool { return all })
		}
	}
	return patch
}
