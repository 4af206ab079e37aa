package object

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// SameJSON reports whether a and b represent the same JSON value, regardless of white space, escapes, member order and number
// notation. SameJSON compares numbers exactly, because a float would round some numeric ids.
func SameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	x, errX := parseAny(a)
	y, errY := parseAny(b)
	return errX == nil && errY == nil && sameValue(x, y)
}

func parseAny(text []byte) (v any, err error) {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	err = dec.Decode(&v)
	return v, err
}

func sameValue(x, y any) bool {
	switch x := x.(type) {
	case map[string]any:
		y, ok := y.(map[string]any)
		return ok && maps.EqualFunc(x, y, sameValue)
	case []any:
		y, ok := y.([]any)
		return ok && slices.EqualFunc(x, y, sameValue)
	case json.Number:
		y, ok := y.(json.Number)
		return ok && sameNumber(string(x), string(y))
	default:
		return x == y
	}
}

// sameNumber reports whether two numbers are equal. Numbers that are long, or whose exponents exceed the range of a
// float, are compared as strings.
func sameNumber(x, y string) bool {
	const maxLength, maxExponent = 32, 400
	if x == y || len(x) > maxLength || len(y) > maxLength {
		return x == y
	}
	a, exponentA := parseDecimal(x)
	b, exponentB := parseDecimal(y)
	return a == b && max(exponentA, -exponentA, exponentB, -exponentB) <= maxExponent
}
