package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/event"
)

// requestMembers are the members of a request in the batch form.
var requestMembers = []string{
	"id", "op", "params", "existing", "body", "bodyText", "ifMatch", "caller", "calendar", "series", "grade",
}

// readRequest reads a line of the batch form. Unlike json.Unmarshal it matches names exactly
// and refuses a member that stands twice or whose name is a slip of the pen; members that are
// nothing of the kind are passed over. Null stands for absence, except as an id or a body.
// The body is kept byte for byte and refers to the line.
//
// The error says what is wrong with the line. The id is read all the same where it can be.
func readRequest(line []byte, req *event.Request) error {
	if !json.Valid(line) {
		req.ID = findID(line)
		return syntaxError(line)
	}
	line = bytes.TrimSpace(line)
	if line[0] != '{' {
		return errors.New("the line is no JSON object; a request is one")
	}
	var first error
	var seen uint
	for name, value := range members(line) {
		i := slices.Index(requestMembers, name)
		err := checkMember(name, value, i >= 0 && seen&(1<<i) != 0)
		if err == nil && i >= 0 {
			err = readMember(req, name, value)
			seen |= 1 << i
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// checkMember tells of a member that is wrong whatever its type.
func checkMember(name string, value []byte, twice bool) error {
	switch {
	case twice:
		return fmt.Errorf("%s stands twice", name)
	case name == "body": // its bytes are for the rules to judge
		return nil
	case !utf8.Valid(value):
		return fmt.Errorf("%s is not written in UTF-8", strconv.Quote(name))
	case slices.Contains(requestMembers, name):
		return nil
	}
	if near := didYouMean(name, requestMembers); near != "" {
		return fmt.Errorf("%s is no member of a request%s", strconv.Quote(name), near)
	}
	return nil
}

// readMember reads the value of one member.
func readMember(req *event.Request, name string, value []byte) error {
	switch name {
	case "id":
		req.ID = value
		return nil
	case "body":
		req.Body = value
		return nil
	}
	if string(value) == "null" {
		return nil
	}
	switch name {
	case "op":
		return unmarshal(name, value, &req.Op)
	case "params":
		return req.Params.UnmarshalJSON(value)
	case "existing":
		return readEvent(name, value, &req.Existing)
	case "series":
		return readEvent(name, value, &req.Series)
	case "bodyText":
		return readText(name, value, &req.BodyText)
	case "ifMatch":
		return unmarshal(name, value, &req.IfMatch)
	case "caller":
		return unmarshal(name, value, &req.Caller)
	case "calendar":
		return unmarshal(name, value, &req.Calendar)
	default:
		return unmarshal(name, value, &req.Grade)
	}
}

// readEvent reads a stored event.
func readEvent(name string, value []byte, e **event.Event) error {
	*e = new(event.Event)
	if err := (*e).UnmarshalJSON(value); err != nil {
		return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// readText reads a string that must not be touched on its way: half a surrogate pair, which
// json.Unmarshal would replace, is an error.
func readText(name string, value []byte, text **string) error {
	if hasLoneSurrogate(value) {
		return fmt.Errorf("%s holds half a surrogate pair, which is no character", name)
	}
	return unmarshal(name, value, text)
}

// unmarshal reads the value of a member into v.
func unmarshal(name string, value []byte, v any) error {
	err := json.Unmarshal(value, v)
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	if wrong.Field != "" {
		name += "." + wrong.Field
	}
	kind, _, _ := strings.Cut(wrong.Value, " ")
	return fmt.Errorf("%s has %s where %s belongs", name, withArticle(kind), jsonKind(wrong.Type))
}

// jsonKind names the JSON type that a Go type is read from.
func jsonKind(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice:
		return "an array"
	default:
		return "an object"
	}
}

func withArticle(kind string) string {
	switch kind {
	case "array", "object":
		return "an " + kind
	case "bool":
		return "a boolean"
	default:
		return "a " + kind
	}
}

// syntaxError tells why the text is not JSON.
func syntaxError(text []byte) error {
	err := json.Unmarshal(text, new(json.RawMessage))
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("the line is not JSON: %w, at byte %d", err, syntax.Offset)
	}
	return fmt.Errorf("the line is not JSON: %w", err)
}

// findID returns the id of a request that is malformed or cut off, or nil where it does not
// stand before the fault.
func findID(text []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	if brace, err := d.Token(); err != nil || brace != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		if name == "id" && utf8.Valid(value) {
			return value
		}
	}
	return nil
}

// members yields the members of an object with their text. The object must be well-formed:
// json.Valid has looked at it, so that finding the ends of values is all that is left to do.
func members(object []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		rest := object[1:]
		for {
			rest = bytes.TrimLeft(rest, " \t\r\n,")
			if rest[0] == '}' {
				return
			}
			end := valueEnd(rest)
			name := memberName(rest[:end])
			rest = bytes.TrimLeft(rest[end:], " \t\r\n:")
			end = valueEnd(rest)
			if !yield(name, rest[:end:end]) {
				return
			}
			rest = rest[end:]
		}
	}
}

// memberName returns the name that is quoted.
func memberName(quoted []byte) string {
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	var name string
	json.Unmarshal(quoted, &name) // it is a string: there is no error
	return name
}

// valueEnd returns where the value ends that text begins with. What follows is well-formed.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i += stringEnd(text[i:]) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			depth--
		default:
			if depth == 0 {
				return scalarEnd(text)
			}
			continue
		}
		if depth == 0 {
			return i + 1
		}
	}
	return len(text)
}

// stringEnd returns where the string ends that text begins with.
func stringEnd(text []byte) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// scalarEnd returns where the number or literal ends that text begins with.
func scalarEnd(text []byte) int {
	if end := bytes.IndexAny(text, " \t\r\n,]}"); end >= 0 {
		return end
	}
	return len(text)
}

// hasLoneSurrogate reports whether a quoted string escapes half a surrogate pair.
func hasLoneSurrogate(quoted []byte) bool {
	high := false // the escape just before was the first half of a pair
	for i := 0; i < len(quoted); i++ {
		var unit uint64
		if quoted[i] == '\\' {
			i++
			if quoted[i] == 'u' {
				unit, _ = strconv.ParseUint(string(quoted[i+1:i+5]), 16, 16)
				i += 4
			}
		}
		if low := 0xDC00 <= unit && unit < 0xE000; low != high {
			return true
		}
		high = 0xD800 <= unit && unit < 0xDC00
	}
	return false
}
