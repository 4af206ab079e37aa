package fuzz

import (
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
	"github.com/calrules/calrules/fuzz/internal/draw"
)

// members are the members of a JSON object. Their values are what encoding/json decodes into
// an any, with numbers as they are written; a [json.RawMessage] stands for any JSON.
//
// Requests are broken in this form and not as an [event.Event], which cannot hold what is
// wrong with most of them.
type members = map[string]any

// treeOf reads an event as JSON.
func encodeTree(e *event.Event) members { return decodeTree(string(e.AppendJSON(nil))) }

// treeFrom reads the text of a JSON object.
func decodeTree(text string) members {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var tree members
	if err := d.Decode(&tree); err != nil {
		panic(fmt.Sprintf("fuzz: what should be an object is none: %v", err))
	}
	return tree
}

// bodyText writes the tree of an event as clients and people do: its members in the order of the
// document, and those that it does not list after them.
func bodyText(tree members) json.RawMessage {
	var body patchObject
	for _, name := range documentOrder() {
		if value, ok := tree[name]; ok {
			body.set(name, draw.EncodeJSON(value))
		}
	}
	for _, name := range sortedKeys(tree) {
		if !slices.Contains(documentOrder(), name) {
			body.set(name, draw.EncodeJSON(tree[name]))
		}
	}
	return body.text()
}

// documentOrder are the names of the members of an event in the order of the document, which
// is that of the fields of [event.Event].
var documentOrder = sync.OnceValue(func() (names []string) {
	for field := range reflect.TypeFor[event.Event]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
})

// cloned returns a value that shares nothing with the tree it was taken from.
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

// at returns the value at a path, or nil where there is none.
func at(tree any, path diag.Pointer) any {
	for token := range path.Tokens() {
		switch container := tree.(type) {
		case members:
			tree = container[token]
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

// put sets the value at a path. Objects on the way are made where they are missing; an array
// grows by the element that follows its last.
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
			panic(fmt.Sprintf("fuzz: an array of %d has no element %q", len(c), tokens[0]))
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

// remove takes the member at a path out of its object.
func remove(tree members, path diag.Pointer) {
	tokens := slices.Collect(path.Tokens())
	parent := path[:strings.LastIndexByte(string(path), '/')]
	if object, ok := at(tree, parent).(members); ok {
		delete(object, tokens[len(tokens)-1])
	}
}

// patchOf returns the patch of RFC 7396 that makes after of before. What does not change is
// sent too where whole says so of its top-level member.
func patchOf(before, after members, whole func(name string) bool) members {
	patch := members{}
	for name := range before {
		if _, stays := after[name]; !stays {
			patch[name] = nil
		}
	}
	for name, value := range after {
		old, stood := before[name]
		oldObject, wasObject := old.(members)
		object, isObject := value.(members)
		switch {
		case stood && reflect.DeepEqual(old, value) && !whole(name):
		case wasObject && isObject:
			all := whole(name)
			patch[name] = patchOf(oldObject, object, func(string) bool { return all })
		default:
			patch[name] = value
		}
	}
	return patch
}
