package ndjson

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/jsonscan"
)

func wrongType(value []byte, must string) *Error {
	return &Error{after: " is " + typeOf(value) + "; it must be " + must}
}

// typeOf returns the name of a value's type, for messages.
func typeOf(value []byte) string {
	switch jsonscan.KindOf(value) {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

// Text decodes a string. Text returns an error for an unpaired surrogate, which is not a character.
func Text[S ~string](value []byte) (S, error) {
	if value[0] != '"' {
		return "", wrongType(value, "a string")
	}
	text := jsonscan.UnquoteWTF8(value)
	if !utf8.Valid(text) {
		return "", &Error{after: " contains half of a surrogate pair"}
	}
	return S(text), nil
}

// NotEmpty decodes a string that must not be empty.
func NotEmpty(value []byte) (string, error) {
	text, err := Text[string](value)
	if err == nil && text == "" {
		return "", &Error{after: " is empty; leave it out if it is unknown"}
	}
	return text, err
}

// WTF8 decodes a string to WTF-8, which preserves unpaired surrogates.
func WTF8(value []byte) ([]byte, error) {
	if value[0] != '"' {
		return nil, wrongType(value, "a string")
	}
	return append([]byte{}, jsonscan.UnquoteWTF8(value)...), nil // not nil, even if the string is empty
}

// Word returns a function that decodes a string, which must be one of the words.
func Word[S ~string](words ...S) func(value []byte) (S, error) {
	return func(value []byte) (S, error) {
		text, err := Text[S](value)
		if err != nil {
			return "", err
		}
		for _, word := range words {
			if text == word {
				return text, nil
			}
		}
		return "", &Error{after: " is an unknown word; it must be " + listed(words)}
	}
}

// listed returns a list of the words, with "or" before the last word.
func listed[S ~string](words []S) string {
	var b strings.Builder
	for i, word := range words {
		switch {
		case i == 0:
		case i == len(words)-1:
			b.WriteString(" or ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(string(word))
	}
	return b.String()
}

// Bool decodes a boolean.
func Bool(value []byte) (bool, error) {
	if value[0] != 't' && value[0] != 'f' {
		return false, wrongType(value, "true or false")
	}
	return value[0] == 't', nil
}

// Int decodes an integer.
func Int(value []byte) (int64, error) {
	n, err := strconv.ParseInt(string(value), 10, 64)
	switch {
	case err == nil:
		return n, nil
	case jsonscan.KindOf(value) != '0':
		return 0, wrongType(value, "a whole number")
	default:
		return 0, wrongType(value, "a whole number, in digits and within range")
	}
}

// Natural decodes a non-negative integer.
func Natural(value []byte) (int64, error) {
	n, err := Int(value)
	if err == nil && n < 0 {
		return 0, &Error{after: " is negative; it must be 0 or more"}
	}
	return n, err
}

// Number decodes a number.
func Number(value []byte) (float64, error) {
	if jsonscan.KindOf(value) != '0' {
		return 0, wrongType(value, "a number")
	}
	n, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		return 0, wrongType(value, "a number within range")
	}
	return n, nil
}

// Opt returns a function that decodes a value to a pointer, which stays nil if the member is absent.
func Opt[V any](read func(value []byte) (V, error)) func(value []byte) (*V, error) {
	return func(value []byte) (*V, error) {
		v, err := read(value)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}
}

// List returns a function that decodes an array to a slice, which is not nil even if the array is empty.
func List[V any](read func(value []byte) (V, error)) func(value []byte) ([]V, error) {
	return func(value []byte) ([]V, error) {
		list := []V{}
		err := Elements(value, func(_ int, element []byte) error {
			v, err := read(element)
			list = append(list, v)
			return OfOne(err)
		})
		if err != nil {
			return nil, err
		}
		return list, nil
	}
}

// Elements calls do for each element of an array, with its index. Elements returns the first error.
func Elements(value []byte, do func(i int, element []byte) error) error {
	if value[0] != '[' {
		return wrongType(value, "an array")
	}
	i := 0
	for element := range jsonscan.Of(value).Elements() {
		if err := do(i, element.Text); err != nil {
			return err
		}
		i++
	}
	return nil
}

// Map returns a function that decodes an object to a map, which is not nil even if the object is empty. The names must
// not be secret, because errors contain them.
func Map[V any](read func(value []byte) (V, error)) func(value []byte) (map[string]V, error) {
	return func(value []byte) (map[string]V, error) {
		if value[0] != '{' {
			return nil, wrongType(value, "an object")
		}
		m := map[string]V{}
		err := each(value, func(name string, value []byte) (err error) {
			m[name], err = read(value)
			return OfOne(err)
		}, func(name string) error { return &Error{Fault: Duplicate, path: name, after: " appears twice"} })
		if err != nil {
			return nil, err
		}
		return m, nil
	}
}

// OfOne converts an error about a value to an error about the array or map that contains the value.
func OfOne(err error) error {
	if e, ok := err.(*Error); ok && e.path == "" && e.before == "" {
		return &Error{Fault: e.Fault, before: "a value in ", after: e.after}
	}
	return err
}

// Value decodes an object of the kind that the table describes.
func (o *Object[T]) Value(value []byte) (T, error) {
	var v T
	if value[0] != '{' {
		return v, wrongType(value, "an object")
	}
	err := o.Read(value, &v)
	return v, err
}

// Decoded decodes a string to a value that implements its own decoding.
func Decoded[V any, P interface {
	*V
	UnmarshalText([]byte) error
}](value []byte) (V, error) {
	var v V
	text, err := Text[string](value)
	if err != nil {
		return v, err
	}
	if err := P(&v).UnmarshalText([]byte(text)); err != nil {
		return v, &Error{after: " " + err.Error()}
	}
	return v, nil
}
