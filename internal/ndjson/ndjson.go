// Package ndjson reads the lines of the batch form: JSON objects whose members are known.
// It is stricter than encoding/json, for a line that is misread is worse than one that is
// refused, and it tells the id of a line even where the line is broken.
package ndjson

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

	"github.com/calrules/calrules/limits"
)

// Form is what a line may hold.
type Form struct {
	// Members are the names of the members, of which there are at most 64. The first is that
	// of the id.
	Members []string

	// Verbatim is a member whose bytes are for others to judge: they need not be UTF-8, and
	// null is a value. It is empty where there is none.
	Verbatim string
}

// Read reads a line. Unlike json.Unmarshal it matches names exactly and refuses a member that
// stands twice or whose name is a slip of the pen; members that are nothing of the kind are
// passed over. Null stands for absence, except as an id or in the verbatim member.
//
// The value of the id goes to id, every other value to member, in the order of the line. They
// are parts of the line. The error is the first that there is, and says what is wrong with the
// line; the id is read all the same where it can be.
func (f *Form) Read(line []byte, id *json.RawMessage, member func(name string, value []byte) error) error {
	if !json.Valid(line) {
		*id = FindID(line)
		return syntaxError(line)
	}
	line = bytes.TrimSpace(line)
	if line[0] != '{' {
		return errors.New("the line is no JSON object; a request is one")
	}
	var first error
	var seen uint64
	for name, value := range members(line) {
		i := slices.Index(f.Members, name)
		err := f.check(name, value, i >= 0 && seen&(1<<i) != 0)
		switch {
		case err != nil || i < 0:
		case i == 0:
			*id = value
		case string(value) != "null" || name == f.Verbatim:
			err = member(name, value)
		}
		if i >= 0 && err == nil {
			seen |= 1 << i
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// check tells of a member that is wrong whatever its type.
func (f *Form) check(name string, value []byte, twice bool) error {
	switch {
	case twice:
		return fmt.Errorf("%s stands twice", name)
	case name != "" && name == f.Verbatim:
		return nil
	case !utf8.Valid(value):
		return fmt.Errorf("%s is not written in UTF-8", strconv.Quote(name))
	case slices.Contains(f.Members, name):
		return nil
	}
	if near, ok := limits.Nearest(name, slices.Values(f.Members)); ok {
		return fmt.Errorf("%s is no member of a request; did you mean %s?", strconv.Quote(name), near)
	}
	return nil
}

// Unmarshal reads the value of the member name into v. The error says in words which type
// belongs there.
func Unmarshal(name string, value []byte, v any) error {
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
	case reflect.Int:
		return "a whole number"
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

// FindID returns the id of a request that is malformed or cut off, or nil where it does not
// stand before the fault.
func FindID(text []byte) json.RawMessage {
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
