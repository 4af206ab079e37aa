package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/event"
)

// members are the members of a JSON object. Their values are what encoding/json decodes into
// an any, with numbers as they are written; a [json.RawMessage] is any JSON.
//
// Requests are broken in this form and not as an [event.Event], which cannot contain what is wrong
// with most of them.
type members = map[string]any

// treeOf reads an event as JSON.
func treeOf(e *event.Event) members { return treeFrom(string(e.AppendJSON(nil))) }

// treeFrom reads the text of a JSON object.
func treeFrom(text string) members {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var tree members
	if err := d.Decode(&tree); err != nil {
		panic(fmt.Sprintf("fuzz: the text must be an object: %v", err))
	}
	return tree
}

// textOf writes JSON, the members of objects in the order of their names.
func textOf(value any) json.RawMessage {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(fmt.Sprintf("fuzz: %v", err))
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

// bodyText writes the tree of an event as clients do: first the members that the document lists, in its
// order, then the others.
func bodyText(tree members) json.RawMessage {
	var body patchObject
	for _, name := range documentOrder {
		if value, ok := tree[name]; ok {
			body.set(name, textOf(value))
		}
	}
	for _, name := range sortedKeys(tree) {
		if !slices.Contains(documentOrder, name) {
			body.set(name, textOf(tree[name]))
		}
	}
	return body.text()
}

// documentOrder are the names of the members of an event in the order of the document, which
// is that of the fields of [event.Event].
var documentOrder = func() (names []string) {
	for field := range reflect.TypeFor[event.Event]().Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}()

// cloned returns a deep copy of a value.
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

// at returns the value at a path, or nil if there is no value.
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

// put sets the value at a path. It makes the objects on the way that are missing, and can append one
// element to an array.
func put(tree members, path diag.Pointer, value any) {
	putAt(tree, slices.Collect(path.Tokens()), value)
}

// putAt returns the container with the value at the path that the tokens are.
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

// remove removes the member at a path.
func remove(tree members, path diag.Pointer) {
	tokens := slices.Collect(path.Tokens())
	parent := path[:strings.LastIndexByte(string(path), '/')]
	if object, ok := at(tree, parent).(members); ok {
		delete(object, tokens[len(tokens)-1])
	}
}

// patchOf returns the merge patch (RFC 7396) that turns before into after. It includes what does not
// change if whole reports true for the top-level member.
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
