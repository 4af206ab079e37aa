package tags

import (
	"fmt"
	"math"
	"reflect"

	"github.com/go-playground/validator/v10"

	"github.com/calrules/calrules/internal/constraint"
)

// fit returns the value of the tag's field. Like the validator's own tags, fit panics if the tag does not fit the type
// of the field, because the mistake is in the program.
func fit(f validator.FieldLevel, subject string) reflect.Value {
	v := f.Field()
	if _, is := number(v); is != subject {
		panic(fmt.Sprintf("tags: the tag %s does not fit the type %s of the field %s", f.GetTag(), v.Type(), f.StructFieldName()))
	}
	return v
}

// textOf returns the string value of the field.
func textOf(f validator.FieldLevel) string { return fit(f, constraint.Text).String() }

// number returns the value of an integer or the number of elements in a list, and the kind of the result. For an
// unsigned integer that is too large, number returns the maximum int64, which exceeds every limit.
func number(v reflect.Value) (int64, string) {
	switch {
	case v.CanInt():
		return v.Int(), constraint.Int
	case v.CanUint():
		return int64(min(v.Uint(), math.MaxInt64)), constraint.Int
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array || v.Kind() == reflect.Map:
		return int64(v.Len()), constraint.Count
	case v.Kind() == reflect.String:
		return 0, constraint.Text
	default:
		return 0, ""
	}
}

// isPresent reports whether a member is present. A pointer or interface must be nil, because the validator follows
// non-nil values.
func isPresent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Invalid, reflect.Pointer, reflect.Interface:
		return false
	case reflect.String:
		return v.Len() > 0
	case reflect.Slice, reflect.Map:
		return !v.IsNil()
	default:
		return true
	}
}

// sibling returns the string value of the field that the parameter names, or "" if it is not a string.
func sibling(f validator.FieldLevel) string {
	if v, kind, _, ok := f.GetStructFieldOK2(); ok && kind == reflect.String {
		return v.String()
	}
	return ""
}
