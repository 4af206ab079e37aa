package rtdbauth

import (
	"bytes"
	"encoding/json"
	"errors"
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
		if !listed || bytes.Equal(raw, []byte("null")) {
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

// eachMember calls do for each member of the JSON object in data, in order. The values share memory
// with data. It does not use a [json.Decoder], which is several times slower, because most values
// of a line are passed on without being read.
func eachMember(data []byte, do func(name string, raw json.RawMessage)) error {
	if !json.Valid(data) { // the code below relies on valid JSON
		return errNoObject
	}
	rest := trimSpace(data)
	if rest[0] != '{' {
		return errNoObject
	}
	seen := map[string]bool{}
	for rest = trimSpace(rest[1:]); rest[0] != '}'; {
		key := rest[:valueLen(rest)]
		rest = trimSpace(trimSpace(rest[len(key):])[1:]) // the colon
		raw := rest[:valueLen(rest)]
		rest = trimSpace(rest[len(raw):])
		if rest[0] == ',' {
			rest = trimSpace(rest[1:])
		}
		var name string
		if err := json.Unmarshal(key, &name); err != nil {
			return errNoObject
		}
		if seen[name] {
			return errDuplicate
		}
		seen[name] = true
		do(name, raw)
	}
	return nil
}

func trimSpace(s []byte) []byte { return bytes.TrimLeft(s, " \t\r\n") }

// valueLen returns the length of the valid JSON value at the beginning of s. The object that
// contains the value continues after it.
func valueLen(s []byte) int {
	depth, quoted := 0, false
	for i := 0; ; i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++ // an escaped quote does not end the string
		case c == '"':
			if quoted = !quoted; !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case depth == 0 && (c == ',' || c == '}' || c == ']' || c <= ' '):
			return i // a number or a word
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
}
