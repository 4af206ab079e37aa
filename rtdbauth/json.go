package rtdbauth

import (
	"bytes"
	"encoding/json"
	"errors"
)

// members are the members of a JSON object that are read, each with where it goes to.
type members map[string]any

// readObject reads the members of one JSON object. Unlike [json.Unmarshal] on a struct it
// matches names exactly and refuses an object that repeats one, since readers differ on
// which of the two counts. Members that are not listed are skipped, null counts as absent.
//
// All members are read even where one is wrong; the error names the first such member, says
// what belongs there and shows no value.
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

// formError says what is wrong with a form. It is a type of its own so that no other error,
// which could show what was read, is taken for one that may be shown.
type formError string

func (e formError) Error() string { return string(e) }

const (
	errNoObject  formError = "not a JSON object"
	errDuplicate formError = "a JSON object repeats a member name; write each once"
	errNoField   formError = "a header field is not an array of two strings, its name and its value"
)

// misread says what is wrong with the member that was to be read into the target.
func misread(name string, err error, target any) error {
	if form, ok := errors.AsType[formError](err); ok {
		return formError(name + ": " + string(form))
	}
	return formError(name + " has the wrong form; it has to be " + formOf(target))
}

// formOf names the JSON form that a target is read from.
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

// eachMember calls do for each member of the JSON object in data, in their order. The values
// are parts of data. It takes the text apart itself because the tokens of a [json.Decoder]
// cost several times as much, and most of a line are values that are passed on unread.
func eachMember(data []byte, do func(name string, raw json.RawMessage)) error {
	if !json.Valid(data) { // so that what follows need not look for what cannot be
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

// valueLen returns the length of the valid JSON value that s begins with. The object that it is
// a member of goes on behind it.
func valueLen(s []byte) int {
	depth, quoted := 0, false
	for i := 0; ; i++ {
		switch c := s[i]; {
		case quoted && c == '\\':
			i++ // what is escaped ends no string
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
