package rtdb

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A tree is the data of a database: nil, bool, json.Number, string, or map[string]any with at least one member. An array is
// stored as an object with the indexes as names; render converts such an object back. Data never changes once it is in a tree,
// so an old tree can be read while a new tree is being built.

// The limits of the public service.
const (
	maxDepth = 32  // names in the path of a location
	maxName  = 768 // bytes in a name
)

// at returns the data at a path, or nil if there is no data.
func at(data any, path []string) any {
	for _, name := range path {
		object, _ := data.(map[string]any)
		data = object[name]
	}
	return data
}

// checkName returns an error if name is not a valid name in a path.
func checkName(name string) error {
	const forbidden = ".$#[]/"
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	switch {
	case name == "" || strings.ContainsAny(name, forbidden) || strings.ContainsFunc(name, isControl):
		return bad("The name %q is empty, or contains a control character or one of the characters %s", name, forbidden)
	case len(name) > maxName || !utf8.ValidString(name):
		return bad("A name is longer than %d bytes, or is not UTF-8", maxName)
	}
	return nil
}

func checkPath(path []string) error {
	if len(path) > maxDepth {
		return bad("The path has more than %d names", maxDepth)
	}
	for _, name := range path {
		if err := checkName(name); err != nil {
			return err
		}
	}
	return nil
}

// normalize converts received data to a tree at the given depth. The data is modified in place. Server values are parsed
// but not resolved.
func normalize(data any, depth int) (any, error) {
	switch v := data.(type) {
	case map[string]any:
		if value, ok := v[".sv"]; ok && len(v) == 1 {
			return parseServerValue(value)
		}
		return normalizeObject(v, depth)
	case []any:
		object := make(map[string]any, len(v))
		for i, element := range v {
			object[strconv.Itoa(i)] = element
		}
		return normalizeObject(object, depth)
	}
	return data, nil
}

func normalizeObject(object map[string]any, depth int) (any, error) {
	if depth >= maxDepth {
		return nil, bad("The data is more than %d levels deep", maxDepth)
	}
	for name, value := range object {
		if err := checkName(name); err != nil {
			return nil, err
		}
		value, err := normalize(value, depth+1)
		if err != nil {
			return nil, err
		}
		if object[name] = value; value == nil {
			delete(object, name)
		}
	}
	if len(object) == 0 {
		return nil, nil // empty objects do not exist
	}
	return object, nil
}

// A change is the effect of a write on a location, which replaces the value or changes children.
type change struct {
	replaces bool
	value    any // the new value, if replaces is set
	children map[string]*change
}

// add adds a change that replaces the value at a path. If the location at the path, or one above or below it, already has a
// change, add returns false, because the result would depend on the order.
func (c *change) add(path []string, value any) bool {
	for _, name := range path {
		if c.replaces {
			return false
		}
		if c.children == nil {
			c.children = map[string]*change{}
		}
		if c.children[name] == nil {
			c.children[name] = new(change)
		}
		c = c.children[name]
	}
	if c.replaces || c.children != nil {
		return false
	}
	c.replaces, c.value = true, value
	return true
}

// apply returns the changed data, which shares its unchanged parts with the old data.
func (c *change) apply(data any) any {
	if c.replaces {
		return c.value
	}
	old, _ := data.(map[string]any)
	object := maps.Clone(old)
	if object == nil {
		object = map[string]any{}
	}
	for name, child := range c.children {
		if object[name] = child.apply(old[name]); object[name] == nil {
			delete(object, name)
		}
	}
	if len(object) == 0 {
		return nil
	}
	return object
}

// render converts data to the form in responses. An object becomes an array if all of its names are indexes, and more than half
// of the indexes up to the largest have a value.
func render(data any) any {
	switch v := data.(type) {
	case named:
		return renderObject(v)
	case map[string]any:
		n := arrayLength(v)
		if n == 0 {
			return renderObject(v)
		}
		array := make([]any, n)
		for i := range array {
			array[i] = render(v[strconv.Itoa(i)])
		}
		return array
	}
	return data
}

// named is an object that is rendered as an object even if its keys look like array indexes.
type named map[string]any

func renderObject(object map[string]any) map[string]any {
	shown := make(map[string]any, len(object))
	for name, value := range object {
		shown[name] = render(value)
	}
	return shown
}

// arrayLength returns the length of the array that an object represents, or 0 if the object does not represent an array.
func arrayLength(object map[string]any) int {
	n := 0
	for name := range object {
		i, ok := index(name)
		if !ok || i+1 >= 2*len(object) {
			return 0
		}
		n = max(n, i+1)
	}
	return n
}

// index parses a name as an array index, which is a 32-bit number without leading zeros.
func index(name string) (int, bool) {
	i, err := strconv.ParseInt(name, 10, 32)
	return int(i), err == nil && i >= 0 && strconv.FormatInt(i, 10) == name
}

// encode returns data as JSON.
func encode(data any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(render(data)); err != nil {
		panic(fmt.Sprintf("rtdb: %v", err)) // cannot happen: the data was JSON
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
