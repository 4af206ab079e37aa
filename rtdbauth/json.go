package rtdbauth

import (
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/internal/ndjson"
)

// formError is an error that does not show any value. Other errors might, so findings never
// include their text.
type formError string

func (e formError) Error() string { return string(e) }

const (
	errNoObject  formError = "it must be a JSON object"
	errDuplicate formError = "a JSON object repeats a member name; write each name once"
	errNoField   formError = "a header field must be an array of two strings, its name and its value"
)

// members says how the members of a JSON object are read, by name.
type members map[string]func(name string, value []byte) error

// to returns the function that reads a member into the target.
func to[T any](target *T) func(string, []byte) error {
	return as(target, func(v T) T { return v })
}

// as returns the function that reads a member of type T and sets the target to what it becomes.
func as[T, V any](target *V, convert func(T) V) func(string, []byte) error {
	return func(name string, value []byte) error {
		var v T
		err := ndjson.Unmarshal(name, value, &v)
		if err == nil {
			*target = convert(v)
		}
		return err
	}
}

// readObject reads a JSON object. Unlike [json.Unmarshal] with a struct, it matches names exactly
// and rejects an object that repeats a name. It skips members that are not listed.
func readObject(data []byte, into members) error {
	return eachMember(data, func(name string, value []byte) error {
		if read, listed := into[name]; listed {
			return read(name, value)
		}
		return nil
	})
}

// eachMember calls do for each member of the JSON object in data, in order, unless it is null. The
// values are parts of data. It returns the first error, but calls do for the other members too.
func eachMember(data []byte, do func(name string, value []byte) error) error {
	if jsonscan.Valid(data) != nil || !jsonscan.Of(data).IsObject() {
		return errNoObject
	}
	var first error
	seen := map[string]bool{}
	for quoted, value := range jsonscan.Of(data).Members() {
		name := quoted.String()
		if seen[name] {
			return errDuplicate
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
