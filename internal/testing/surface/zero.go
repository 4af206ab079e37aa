package surface

import (
	"math"
	"reflect"
	"slices"
	"testing"
)

// CheckZero calls each exported function of the package in the directory, and each method of its exported types: first with
// zero values as arguments, and then with other useless values, such as a pointer to a zero value, an extreme number, text that
// is not UTF-8, or a list of one zero value. A call that panics fails the test. The functions are identified by name. A type is
// identified by a value, or by a pointer if its methods need not support nil. A missing function or type fails the test.
func CheckZero(t *testing.T, dir string, functions map[string]any, types ...any) {
	t.Helper()
	calls := map[string]func(t *testing.T){}
	for name, f := range functions {
		calls[name] = misuses(reflect.ValueOf(f), false)
	}
	declared := Functions(t, dir)
	for _, v := range types {
		of := reflect.TypeOf(v)
		notNil := of.Kind() == reflect.Pointer
		if notNil {
			of = of.Elem()
		}
		for m := range reflect.PointerTo(of).Methods() {
			if name := of.Name() + "." + m.Name; slices.Contains(declared, name) { // not promoted from an embedded type
				_, ofValue := of.MethodByName(m.Name)
				calls[name] = misuses(m.Func, ofValue || notNil)
			}
		}
	}
	CheckMisuse(t, dir, calls, nil)
}

// misuses returns a function that calls f first with zero values and then with other useless values. If notNil is set, f is a
// method whose pointer receiver must not be nil.
func misuses(f reflect.Value, notNil bool) func(t *testing.T) {
	return func(t *testing.T) {
		for _, value := range []func(reflect.Type) reflect.Value{reflect.Zero, unlikely} {
			args := make([]reflect.Value, f.Type().NumIn())
			for i := range args {
				args[i] = value(f.Type().In(i))
			}
			if notNil && args[0].IsNil() {
				args[0] = reflect.New(f.Type().In(0).Elem())
			}
			call(f, args)
		}
	}
}

func call(f reflect.Value, args []reflect.Value) {
	results := f.Call
	if f.Type().IsVariadic() {
		results = f.CallSlice
	}
	for _, result := range results(args) {
		if isSequence(result.Type()) && !result.IsNil() {
			walk(result)
		}
	}
}

// isSequence reports whether a type is an iterator, such as iter.Seq.
func isSequence(t reflect.Type) bool {
	return t.CanSeq() && t.Kind() == reflect.Func || t.CanSeq2() && t.Kind() == reflect.Func
}

// walk iterates over the first values of a sequence.
func walk(sequence reflect.Value) {
	const most = 10
	yield := sequence.Type().In(0)
	left := most
	sequence.Call([]reflect.Value{reflect.MakeFunc(yield, func([]reflect.Value) []reflect.Value {
		left--
		return []reflect.Value{reflect.ValueOf(left > 0)}
	})})
}

// unlikely returns a value of the given type that a caller is unlikely to pass on purpose.
func unlikely(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(math.MinInt64 >> (64 - t.Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(math.MaxUint64 >> (64 - t.Bits()))
	case reflect.String:
		v.SetString("\xff")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.Append(v, reflect.Zero(t.Elem())))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(unlikely(t.Key()), reflect.Zero(t.Elem()))
	}
	return v
}
