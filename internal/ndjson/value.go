package ndjson

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/calrules/calrules/internal/jsonscan"
)

// wrongType returns the error for a value of a wrong type.
func wrongType(value []byte, must string) *Error {
	return &Error{after: " is " + typeOf(value) + "; it must be " + must}
}

// typeOf names the type of a value.
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

// Text reads a string. It does not read half of a surrogate pair, which is not a character.
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

// NotEmpty reads a string that is not empty.
func NotEmpty(value []byte) (string, error) {
	text, err := Text[string](value)
	if err == nil && text == "" {
		return "", &Error{after: " is empty; leave it out if it is unknown"}
	}
	return text, err
}

// WTF8 reads a string that must not change, even if it contains half of a surrogate pair: that becomes WTF-8.
func WTF8(value []byte) ([]byte, error) {
	if value[0] != '"' {
		return nil, wrongType(value, "a string")
	}
	return append([]byte{}, jsonscan.UnquoteWTF8(value)...), nil // not nil, even if it is empty
}

// Word returns the reader of a string that must be one of the words.
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

// listed joins the words, the last with "or".
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

// Bool reads a boolean.
func Bool(value []byte) (bool, error) {
	if value[0] != 't' && value[0] != 'f' {
		return false, wrongType(value, "true or false")
	}
	return value[0] == 't', nil
}

// Int reads a whole number.
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

// Natural reads a whole number that is not negative.
func Natural(value []byte) (int64, error) {
	n, err := Int(value)
	if err == nil && n < 0 {
		return 0, &Error{after: " is negative; it must be 0 or more"}
	}
	return n, err
}

// Number reads a number.
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

// Opt returns the reader of a pointer to a value, which is nil if the member is absent.
func Opt[V any](read func(value []byte) (V, error)) func(value []byte) (*V, error) {
	return func(value []byte) (*V, error) {
		v, err := read(value)
		if err != nil {
			return nil, err
		}
		return &v, nil
	}
}

// List returns the reader of an array. It is not nil, even if it is empty.
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

// Elements calls do for each element of an array, with its index. It returns the first error.
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

// Map returns the reader of an object with any members, whose names are no secret. It is not nil, even if it is empty.
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

// OfOne returns an error about a value as an error about the array or the map that contains it.
func OfOne(err error) error {
	if e, ok := err.(*Error); ok && e.path == "" && e.before == "" {
		return &Error{Fault: e.Fault, before: "a value in ", after: e.after}
	}
	return err
}

// Value reads an object of the table.
func (o *Object[T]) Value(value []byte) (T, error) {
	var v T
	if value[0] != '{' {
		return v, wrongType(value, "an object")
	}
	err := o.Read(value, &v)
	return v, err
}

// Decoded reads a value that decodes itself from a string.
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
