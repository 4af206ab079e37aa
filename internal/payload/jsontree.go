package payload

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/internal/constraint"
	"github.com/calrules/calrules/internal/draw"
	"github.com/calrules/calrules/internal/jsonscan"
)

// members are the members of a JSON object. Their values are those of encoding/json, with numbers
// as [json.Number]; a [json.RawMessage] stands for any JSON, and a [raw] for one that get decodes.
//
// Mutations change requests in this form, because an [event.Event] cannot represent most of what
// is wrong with them.
type members = map[string]any

// raw is a member as it is written. Few members of a request change; the others are never
// decoded.
type raw []byte

// encodeTree returns an event as a tree.
func encodeTree(e *event.Event) members { return rawTree(text(e.AppendJSON)) }

// rawTree returns a JSON object as a tree.
func rawTree(object []byte) members {
	const usual = 32
	tree := make(members, usual)
	for name, value := range jsonscan.Of(object).Members() {
		tree[name.String()] = raw(value.Text)
	}
	return tree
}

// text returns what appended appends to a buffer, in as much memory as it takes.
func text(appended func(dst []byte) []byte) json.RawMessage {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	*buffer = appended((*buffer)[:0])
	return bytes.Clone(*buffer)
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

// get returns the value of a member, decoded.
func get(object members, name string) any {
	if text, isRaw := object[name].(raw); isRaw {
		object[name] = decodeJSON(text)
	}
	return object[name]
}

// equalMember reports whether two objects have the same value of a member, or both none.
func equalMember(name string, a, b members) bool {
	before, isRaw := a[name].(raw)
	after, areRaw := b[name].(raw)
	return isRaw && areRaw && bytes.Equal(before, after) || reflect.DeepEqual(get(a, name), get(b, name))
}

// member returns the value of an event's one member.
func member(name string, e *event.Event) any { return get(encodeTree(e), name) }

// decodeJSON reads a value of a tree.
func decodeJSON(text []byte) any {
	var d jsonscan.Decoder
	d.Reset(text, constraint.JSONMaxDepth)
	value := nextValue(&d)
	if d.End(); d.Err() != nil {
		panic(fmt.Sprintf("fuzz: not a JSON value: %v: %s", d.Err(), text))
	}
	return value
}

func nextValue(d *jsonscan.Decoder) any {
	switch d.Kind() {
	case '{':
		object := members{}
		for d.Enter(); ; {
			name, _, ok := d.Member("")
			if !ok {
				return object
			}
			object[string(name)] = nextValue(d)
		}
	case '[':
		list := []any{}
		for d.Enter(); d.More(); {
			list = append(list, nextValue(d))
		}
		return list
	case '"':
		text, _ := d.Scalar()
		return string(jsonscan.Unquote(text))
	case '0':
		text, _ := d.Scalar()
		return json.Number(text)
	case 't', 'f':
		value, _ := d.Bool()
		return value
	default:
		d.Skip()
		return nil
	}
}

// encodeJSON returns a value of a tree as JSON, with members in the order of their names.
func encodeJSON(value any) json.RawMessage {
	return text(func(dst []byte) []byte { return appendJSON(dst, value) })
}

// bodyText writes the tree of an event: its members in the order of the document, and then the
// undocumented ones.
func bodyText(tree members) json.RawMessage {
	return text(func(dst []byte) []byte { return appendMembers(dst, tree, documentOrder()) })
}

// appendJSON appends a value, with members in the order of their names.
func appendJSON(dst []byte, value any) []byte {
	switch value := value.(type) {
	case raw:
		return append(dst, value...)
	case json.RawMessage:
		return append(dst, value...)
	case string:
		return jsonscan.AppendQuote(dst, value)
	case members:
		return appendMembers(dst, value, nil)
	case []any:
		dst = append(dst, '[')
		for i, element := range value {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, element)
		}
		return append(dst, ']')
	default:
		return append(dst, draw.EncodeJSON(value)...)
	}
}

// appendMembers appends an object: the members of the names that come first, and then the others in the order of
// their names.
func appendMembers(dst []byte, object members, first []string) []byte {
	names := make([]string, 0, len(object))
	for _, name := range first {
		if _, stands := object[name]; stands {
			names = append(names, name)
		}
	}
	if listed := len(names); listed < len(object) {
		for name := range object {
			if !slices.Contains(names[:listed], name) {
				names = append(names, name)
			}
		}
		slices.Sort(names[listed:])
	}
	dst = append(dst, '{')
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(jsonscan.AppendQuote(dst, name), ':')
		dst = appendJSON(dst, object[name])
	}
	return append(dst, '}')
}

// cloned returns a deep copy of a value of a tree.
func cloned(value any) any {
	switch value := value.(type) {
	case members:
		clone := maps.Clone(value)
		for name, child := range clone {
			clone[name] = cloned(child)
		}
		return clone
	case []any:
		clone := slices.Clone(value)
		for i, child := range clone {
			clone[i] = cloned(child)
		}
		return clone
	default:
		return value
	}
}

// at returns the value at a path, or nil.
func at(tree any, path diag.Pointer) any {
	for token := range path.Tokens() {
		switch container := tree.(type) {
		case members:
			tree = get(container, token)
		case []any:
			i, _ := strconv.Atoi(token)
			if i >= len(container) {
				return nil
			}
			tree = container[i]
		default:
			return nil
		}
	}
	return tree
}

// put sets the value at a path. It creates missing objects on the way. An index that follows the
// last element of an array appends the value.
func put(tree members, path diag.Pointer, value any) {
	putAt(tree, slices.Collect(path.Tokens()), value)
}

// putAt returns the container with the value at the place that the tokens lead to.
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
		var child any
		if len(tokens) > 1 {
			child = get(c, tokens[0])
		}
		c[tokens[0]] = putAt(child, tokens[1:], value)
		return c
	default:
		return putAt(members{}, tokens, value)
	}
}

// remove removes the member or the element at a path.
func remove(tree members, path diag.Pointer) {
	parent := outer(path)
	last := slices.Collect(path.Tokens())[strings.Count(string(parent), "/")]
	switch container := at(tree, parent).(type) {
	case members:
		delete(container, last)
	case []any:
		i, _ := strconv.Atoi(last)
		put(tree, parent, slices.Delete(slices.Clone(container), i, i+1))
	}
}

// patchOf returns the patch (RFC 7396) that turns before into after. It also contains an unchanged
// member if whole is true for its name or for the name of its top-level member.
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
		patch[name] = get(after, name)
		oldObject, wasObject := get(before, name).(members)
		object, isObject := patch[name].(members)
		if wasObject && isObject {
			all := whole(name)
			patch[name] = patchOf(oldObject, object, func(string) bool { return all })
		}
	}
	return patch
}
