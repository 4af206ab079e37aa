package fuzz_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/calrules/calrules/event"
	"github.com/calrules/calrules/operation"
)

// TestAnswersOfZeros checks that the answer to a request that writes out zeros, empty values and nulls is a
// representation. The service drops what only it writes, whatever the value.
func TestAnswersOfZeros(t *testing.T) {
	fields := event.Fields()
	services := slices.DeleteFunc(event.Fields(), func(f event.Field) bool { return f.Writable != 0 })
	eachOperation(t, func(t *rapid.T, req *event.Request) {
		body, ok := decodeObject(req.Body)
		if !ok || req.Op == operation.Response {
			return
		}
		for range rapid.IntRange(1, 4).Draw(t, "zeros") {
			f := rapid.SampledFrom(rapid.SampledFrom([][]event.Field{services, fields}).Draw(t, "fields")).Draw(t, "field")
			value := rapid.SampledFrom([]any{nil, zeroOf(f.Type)}).Draw(t, "value")
			setAt(body, strings.Split(f.Path, "."), value)
		}
		with := *req
		with.Body, _ = json.Marshal(body)
		checkAnswers(t, &with)
	})
}

// zeroOf returns the zero value of a JSON type.
func zeroOf(jsonType string) any {
	switch jsonType {
	case "string":
		return ""
	case "integer":
		return 0
	case "boolean":
		return false
	case "array of strings", "array of objects":
		return []any{}
	default:
		return map[string]any{}
	}
}

// setAt gives a value to the member at the names in an object, and in every element of the arrays on the way. It adds
// objects and elements that are missing.
func setAt(object map[string]any, names []string, value any) {
	name, isArray := strings.CutSuffix(names[0], "[]")
	switch {
	case len(names) == 1:
		object[name] = value
	case isArray:
		list, _ := object[name].([]any)
		if len(list) == 0 {
			list = []any{map[string]any{}}
		}
		for _, element := range list {
			if inner, ok := element.(map[string]any); ok {
				setAt(inner, names[1:], value)
			}
		}
		object[name] = list
	default:
		inner, ok := object[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
		}
		setAt(inner, names[1:], value)
		object[name] = inner
	}
}

func decodeObject(text []byte) (object map[string]any, ok bool) {
	return object, json.Unmarshal(text, &object) == nil && object != nil
}
