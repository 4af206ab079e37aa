package ndjson

import (
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/jsonscan"
)

// Error is an error about the form of an object that shows no value of it, so that it can be shown
// even if a value is a secret.
type Error string

func (e Error) Error() string { return string(e) }

// The errors of [ReadObject] about an object as a whole.
const (
	ErrNotJSON   Error = "it is not JSON"
	ErrNoObject  Error = "it must be a JSON object"
	ErrNotUTF8   Error = "it is not valid UTF-8"
	ErrDuplicate Error = "a JSON object repeats a member name; write each name once"
)

// Members says how the members of a JSON object are read, by name.
type Members map[string]func(name string, value []byte) error

// To returns the function that reads a member into the target.
func To[T any](target *T) func(string, []byte) error {
	return As(target, func(v T) T { return v })
}

// As returns the function that reads a member of type T and sets the target to what it becomes. It
// does not read half of a surrogate pair into a text, because encoding/json replaces it.
func As[T, V any](target *V, convert func(T) V) func(string, []byte) error {
	return func(name string, value []byte) error {
		var v T
		if err := Unmarshal(name, value, &v); err != nil {
			return err
		}
		switch any(v).(type) {
		case string, []string:
			if _, err := new(jsonscan.Index).Check(value); err != nil {
				return fmt.Errorf("%s contains half of a surrogate pair", name)
			}
		}
		*target = convert(v)
		return nil
	}
}

// ReadObject reads a JSON object. Unlike [json.Unmarshal] with a struct, it matches names exactly
// and rejects an object that repeats a name. It skips members that are not listed.
func ReadObject(data []byte, into Members) error {
	return readObject(data, into, func(string) error { return nil })
}

// ReadForm is [ReadObject] for an object that has no members of others: it also refuses a name that looks misspelt.
func ReadForm(what string, data []byte, into Members) error {
	return readObject(data, into, func(name string) error {
		return misspelt(name, slices.Sorted(maps.Keys(into)), what)
	})
}

func readObject(data []byte, into Members, other func(name string) error) error {
	return EachMember(data, func(name string, value []byte) error {
		if read, listed := into[name]; listed {
			return read(name, value)
		}
		return other(name)
	})
}

// EachMember calls do for each member of the JSON object in data, in order, unless it is null. The
// values are parts of data. It returns the first error, but calls do for the other members too.
func EachMember(data []byte, do func(name string, value []byte) error) error {
	switch {
	case !utf8.Valid(data):
		return ErrNotUTF8
	case jsonscan.Valid(data) != nil:
		return ErrNotJSON
	case !jsonscan.Of(data).IsObject():
		return ErrNoObject
	}
	var first error
	seen := map[string]bool{}
	for quoted, value := range jsonscan.Of(data).Members() {
		name := string(jsonscan.UnquoteWTF8(quoted))
		if seen[name] {
			return ErrDuplicate
		}
		seen[name] = true
		if value.IsNull() {
			continue
		}
		if err := do(name, value.Text); first == nil {
			first = err
		}
	}
	return first
}
