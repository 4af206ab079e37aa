package rtdbauth

import (
	"encoding/json"
	"errors"

	"github.com/calrules/calrules/internal/jsonscan"
)

// members maps the names of the members of a JSON object to the variables that they are read into.
type members map[string]any

// readObject reads a JSON object. Unlike [json.Unmarshal] with a struct, it matches names exactly
// and rejects an object that repeats a name. It skips members that are not listed, and treats null
// as absent.
//
// readObject reads all members even if one is wrong. The error names the first wrong member and
// the expected form, but does not show any value.
func readObject(data []byte, into members) error {
	var first error
	err := eachMember(data, func(name string, raw json.RawMessage) {
		target, listed := into[name]
		if !listed || string(raw) == "null" {
			return
		}
		if err := json.Unmarshal(raw, target); err != nil && first == nil {
			first = misread(name, err, target)
		}
	})
	if err != nil {
		return err
	}
	return first
}

// formError is an error that does not show any value. Other errors might, so findings never
// include their text.
type formError string

func (e formError) Error() string { return string(e) }

const (
	errNoObject  formError = "not a JSON object"
	errDuplicate formError = "a JSON object repeats a member name; write each name once"
	errNoField   formError = "a header field must be an array of two strings, its name and its value"
)

// misread returns the error about a member that could not be read into the target.
func misread(name string, err error, target any) error {
	if form, ok := errors.AsType[formError](err); ok {
		return formError(name + ": " + string(form))
	}
	return formError(name + " has the wrong form; it must be " + formOf(target))
}

// formOf describes the JSON value that a target is read from.
func formOf(target any) string {
	switch target.(type) {
	case *string, *Choice, *Token, *optional[string]:
		return "a string"
	case *bool, *optional[bool]:
		return "true or false"
	case *int64:
		return "a whole number"
	case *optional[float64]:
		return "a number"
	case *[]Place, *optional[[]string]:
		return "an array of strings"
	case *[]Field:
		return "an array of fields, each an array of its name and its value"
	default:
		return "an object"
	}
}

// eachMember calls do for each member of the JSON object in data, in order. The values are parts of
// data.
func eachMember(data []byte, do func(name string, raw json.RawMessage)) error {
	if jsonscan.Valid(data) != nil || !jsonscan.Of(data).IsObject() {
		return errNoObject
	}
	seen := map[string]bool{}
	for quoted, value := range jsonscan.Of(data).Members() {
		name := quoted.String()
		if seen[name] {
			return errDuplicate
		}
		seen[name] = true
		do(name, value.Text)
	}
	return nil
}
