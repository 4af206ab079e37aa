// Package ndjson reads the lines of the batch form, which are JSON objects with known members.
// It is stricter than encoding/json, because a line that is misread is worse than one that is
// refused, and it finds the id of a line even if the line is broken.
package ndjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/form"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Form is what a line may contain.
type Form struct {
	// Members are the names of the members, at most 64. The first is the name of the id.
	Members []string

	// Verbatim is a member whose bytes others judge: they need not be UTF-8, and null is a
	// value. It is empty if there is none.
	Verbatim string
}

// Read reads a line. Unlike json.Unmarshal it matches names exactly, and refuses a member that
// appears twice or whose name looks misspelt; it skips other unknown members. Null means
// absence, except as an id or in the verbatim member.
//
// Read sets id to the value of the id, and calls member with every other value, in the order of
// the line. The values are parts of the line. Read returns the first error, and reads the id
// even then if it can.
func (f *Form) Read(line []byte, id *json.RawMessage, member func(name string, value []byte) error) error {
	var buffer [16]jsonscan.Member // usually enough
	members, isUTF8 := jsonscan.AppendMembers(buffer[:0], line)
	if !isUTF8 {
		if err := jsonscan.Valid(line); err != nil {
			*id = FindID(line)
			return fmt.Errorf("the line is not JSON: %w", err)
		}
		object := jsonscan.Of(line)
		if !object.IsObject() {
			return errors.New("the line must be a JSON object")
		}
		members = buffer[:0]
		for quoted, value := range object.Members() {
			members = append(members, jsonscan.Member{Name: jsonscan.Unquote(quoted), Value: value.Text})
		}
	}
	var first error
	var seen uint64
	i := 0
	for _, m := range members {
		i = f.index(m.Name, max(i, 0))
		err := f.check(i, m, isUTF8, i >= 0 && seen&(1<<i) != 0)
		switch {
		case err != nil || i < 0:
		case i == 0:
			*id = m.Value
		case m.Value[0] != 'n' || f.Members[i] == f.Verbatim:
			err = member(f.Members[i], m.Value)
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

// index returns the index of a name, or -1. It begins to look at a hint, because the members of a line usually are in
// the order of the form.
func (f *Form) index(name []byte, hint int) int {
	for i := range f.Members[hint:] {
		if f.Members[hint+i] == string(name) {
			return hint + i
		}
	}
	return slices.Index(f.Members[:hint], string(name))
}

// check returns an error for a member that is wrong whatever its type. i is the index of its name in f, or -1.
func (f *Form) check(i int, m jsonscan.Member, isUTF8, twice bool) error {
	switch {
	case twice:
		return fmt.Errorf("%s appears twice", m.Name)
	case i >= 0 && f.Members[i] == f.Verbatim:
		return nil
	case !isUTF8 && !utf8.Valid(m.Value):
		return fmt.Errorf("%q is not valid UTF-8", m.Name)
	case i >= 0:
		return nil
	}
	return misspelt(string(m.Name), f.Members, "a request")
}

// misspelt returns an error for a name that is not one of the members of what, but looks like one.
func misspelt(name string, members []string, what string) error {
	if slices.Contains(members, name) {
		return nil
	}
	if near, ok := form.Nearest(name, members); ok {
		return fmt.Errorf("%q is not a member of %s; did you mean %s?", name, what, near)
	}
	return nil
}

// UnmarshalObject is [Unmarshal] for an object with these members, or with any if there are none. It matches names as
// [Form.Read] does: a fact with a misspelt name would be unknown, and a rule about it would not be checked.
func UnmarshalObject(name string, value []byte, v any, members ...string) error {
	if err := Unmarshal(name, value, v); err != nil {
		return err
	}
	seen := map[string]bool{}
	for quoted := range jsonscan.Of(value).Members() {
		member := quoted.String()
		if seen[member] {
			return fmt.Errorf("%s.%s appears twice", name, member)
		}
		seen[member] = true
		if err := misspelt(member, members, name); err != nil {
			return err
		}
	}
	return nil
}

// Unmarshal reads the value of the member name into v. The error says which type it must have.
func Unmarshal(name string, value []byte, v any) error {
	if s, ok := v.(*string); ok && value[0] == '"' {
		*s = string(jsonscan.Unquote(value))
		return nil
	}
	err := json.Unmarshal(value, v)
	if err == nil {
		return nil
	}
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return fmt.Errorf("%s: %w", name, err)
	}
	switch target := reflect.TypeOf(v).Elem(); {
	case wrong.Type != target && containsValues(target): // whose place only some versions of package json name
		name = "a value in " + name
	case wrong.Field != "":
		name += "." + wrong.Field
	}
	kind, _, _ := strings.Cut(wrong.Value, " ")
	must := cmp.Or(goKinds[wrong.Type.Kind()], "an object")
	switch {
	case kind != "number":
	case must == goKinds[reflect.Int]:
		must += ", in digits and within range"
	case must == goKinds[reflect.Float64]:
		must += " within range"
	}
	return fmt.Errorf("%s is %s; it must be %s", name, jsonKinds[kind], must)
}

// containsValues reports whether a type is a list or a map of values other than structs.
func containsValues(t reflect.Type) bool {
	return (t.Kind() == reflect.Map || t.Kind() == reflect.Slice) && t.Elem().Kind() != reflect.Struct
}

// Within returns an error of one line that says which member it is about, or nil.
func Within(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %s", name, strings.ReplaceAll(err.Error(), "\n", "; "))
}

// jsonKinds name a value by its kind in a [json.UnmarshalTypeError].
var jsonKinds = map[string]string{
	"array": "an array", "bool": "a boolean", "number": "a number", "object": "an object", "string": "a string",
}

// goKinds name the JSON values that Go types are read from. An enumeration, and what is read by its address
// with UnmarshalText, is a string in JSON.
var goKinds = map[reflect.Kind]string{
	reflect.String: "a string", reflect.Uint8: "a string", reflect.Pointer: "a string", reflect.Bool: "true or false", reflect.Slice: "an array",
	reflect.Int: "a whole number", reflect.Int64: "a whole number", reflect.Float64: "a number",
}

// FindID returns the id of a line that is malformed or cut off, or nil if it is not before the fault.
func FindID(text []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(text))
	if brace, _ := d.Token(); brace != json.Delim('{') {
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
