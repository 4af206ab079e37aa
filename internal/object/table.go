package object

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/calrules/calrules/diag"
)

// Type is the table of one JSON object, whose members are fields of a T.
type Type[T any] struct {
	members []Member[T]
	index   map[string]int
	extra   func(*T) *Extra

	checked Set // the members that have constraints, or contain some that have
	service Set // the members that the service writes, or that contain some
	none    *T  // what is stored where nothing is; not to be written to
}

// Member is one row of a table: the declaration of a member. Make it with [String], [Bool],
// [Int], [Object] and the like, and add what else is known of it with the methods that return
// a Member.
type Member[T any] struct {
	Declaration
	null bool // whether null is a value of the member's type
	codec[T]
	inner inner[T]
}

// codec is what can be done with the field of a T that holds a member.
type codec[T any] struct {
	decode    func(d *decoder, v *T) (whole bool) // false where the text holds more than v now does
	append    func(dst []byte, v *T) []byte       // called only where has is true
	has       func(v *T) bool                     // false for the zero value of the field
	clear     func(v *T)
	detach    func(v *T) // copies what v shares with the value that it was copied from; may be nil
	equal     func(a, b *T, exact bool) bool
	merge     func(v, patch *T)                                               // called only where has(patch) is true
	dropNulls func(v *T)                                                      // drops null from what the member holds; may be nil
	keys      func(v *T) *map[string]string                                   // the map of a [StringMap]; else nil
	text      func(v *T) string                                               // the value of a [String]; else nil
	number    func(v *T) (int64, bool)                                        // the value of an [Int], or the number of elements; else nil
	field     func(v *T) any                                                  // the address of the field
	diff      func(a, b *T, at diag.Pointer, differs func(diag.Pointer)) bool // calls differs with each place that differs within; may be nil
}

// What a value must be, for messages.
const (
	wantString    = "a string"
	wantBool      = "true or false"
	wantInt       = "an integer"
	wantStrings   = "an array of strings"
	wantStringMap = "an object whose values are strings"
	wantObject    = "an object"
	wantArray     = "an array"
)

// maxMembers bounds a table, since sets of members are 64 bits.
const maxMembers = 63 // one bit of a [Set] is taken

// NewType makes a table. extra says where a T keeps what its fields cannot.
func NewType[T any](extra func(*T) *Extra, members ...Member[T]) *Type[T] {
	if len(members) > maxMembers {
		panic("object: too many members")
	}
	t := &Type[T]{members: members, index: make(map[string]int, len(members)), extra: extra, none: new(T)}
	for i := range members {
		m := &members[i]
		if _, twice := t.index[m.Name]; twice {
			panic("object: a table has two members " + m.Name)
		}
		t.index[m.Name] = i
		m.place = diag.Pointer("").Member(m.Name)
		if m.isChecked() || m.inner.checked {
			t.checked |= 1 << i
		}
		if m.Writer != Client || m.inner.service {
			t.service |= 1 << i
		}
	}
	return t
}

// published are the tables of types that other packages of this module refer to, by type.
var published sync.Map

// Publish makes t the table of T for [Published], in packages that import that of T.
func (t *Type[T]) Publish() *Type[T] {
	published.Store(reflect.TypeFor[T](), t)
	return t
}

// Published returns the table of T that was published.
func Published[T any]() *Type[T] {
	t, ok := published.Load(reflect.TypeFor[T]())
	if !ok {
		panic("object: no table of " + reflect.TypeFor[T]().String())
	}
	return t.(*Type[T])
}

// Names returns the names of the members in the order of the table.
func (t *Type[T]) Names() []string {
	names := make([]string, len(t.members))
	for i := range t.members {
		names[i] = t.members[i].Name
	}
	return names
}

// Clone returns a deep copy of v.
func (t *Type[T]) Clone(v *T) *T {
	if v == nil {
		return nil
	}
	c := *v
	t.detach(&c)
	return &c
}

func (t *Type[T]) detach(v *T) {
	for i := range t.members {
		if m := &t.members[i]; m.detach != nil {
			m.detach(v)
		}
	}
	extra := t.extra(v)
	extra.members = slices.Clone(extra.members)
}

// Equal reports whether a and b say the same. A member that is absent, null or its Go
// type's zero value is one and the same; what the tables do not know, and what is of a wrong
// type, is compared as JSON.
func (t *Type[T]) Equal(a, b *T) bool { return t.equal(a, b, false) }

// Exact reports whether a and b say the same in the same way: unlike for [Type.Equal], a zero
// value that was written out is not the same as an absent one.
func (t *Type[T]) Exact(a, b *T) bool { return t.equal(a, b, true) }

func (t *Type[T]) equal(a, b *T, exact bool) bool {
	if a == nil || b == nil {
		return a == b
	}
	for i := range t.members {
		if !t.memberEqual(i, a, b, exact) {
			return false
		}
	}
	return t.extra(a).sameUnknown(t.extra(b), t.index)
}

func (t *Type[T]) memberEqual(i int, a, b *T, exact bool) bool {
	m := &t.members[i]
	if !m.equal(a, b, exact) || !t.sameText(m.Name, a, b) {
		return false
	}
	return !exact || t.extra(a).WasSent(m.Name) == t.extra(b).WasSent(m.Name)
}

// sameText reports whether a and b say the same of the member beyond what its field holds, such
// as a value of a wrong type.
func (t *Type[T]) sameText(name string, a, b *T) bool {
	x, y := t.extra(a).beyond(name), t.extra(b).beyond(name)
	return x == y || x != "" && y != "" && SameJSON(json.RawMessage(x), json.RawMessage(y))
}

// row completes the codec of a field whose type is comparable.
func row[T any, F comparable](name, want string, at func(*T) *F, decode func(*decoder, *F), write func([]byte, F) []byte) Member[T] {
	var zero F
	return Member[T]{Declaration: Declaration{Name: name, want: want}, codec: codec[T]{
		field:  func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) bool { decode(d, at(v)); return true },
		append: func(dst []byte, v *T) []byte { return write(dst, *at(v)) },
		has:    func(v *T) bool { return *at(v) != zero },
		clear:  func(v *T) { *at(v) = zero },
		equal:  func(a, b *T, _ bool) bool { return *at(a) == *at(b) },
		merge:  func(v, patch *T) { *at(v) = *at(patch) },
	}}
}

// optional completes the codec of a field that is a pointer to a comparable type.
func optional[T any, F comparable](name, want string, at func(*T) **F, decode func(*decoder, *F) bool, write func([]byte, F) []byte) Member[T] {
	return Member[T]{Declaration: Declaration{Name: name, want: want}, codec: codec[T]{
		field: func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) bool {
			// A new variable each time: the old one may belong to a stored event.
			f := new(F)
			if decode(d, f) {
				*at(v) = f
			} else {
				*at(v) = nil
			}
			return true
		},
		append: func(dst []byte, v *T) []byte { return write(dst, **at(v)) },
		has:    func(v *T) bool { return *at(v) != nil },
		clear:  func(v *T) { *at(v) = nil },
		detach: func(v *T) {
			if p := at(v); *p != nil {
				c := **p
				*p = &c
			}
		},
		equal: func(a, b *T, _ bool) bool {
			x, y := *at(a), *at(b)
			if x == nil || y == nil {
				return x == y
			}
			return *x == *y
		},
		merge: func(v, patch *T) {
			c := **at(patch)
			*at(v) = &c
		},
	}}
}

// String is a string member whose empty value says no more than its absence.
func String[T any](name string, at func(*T) *string) Member[T] {
	m := row(name, wantString, at, func(d *decoder, s *string) { *s, _ = d.readString() }, appendString)
	m.text = func(v *T) string { return *at(v) }
	return m
}

// OptString is a string member whose empty value has a meaning of its own.
func OptString[T any](name string, at func(*T) **string) Member[T] {
	return optional(name, wantString, at, func(d *decoder, s *string) (ok bool) {
		*s, ok = d.readString()
		return ok
	}, appendString)
}

// Bool is a boolean member that is false when absent.
func Bool[T any](name string, at func(*T) *bool) Member[T] {
	return row(name, wantBool, at, func(d *decoder, b *bool) { *b, _ = d.readBool() }, appendBool)
}

// OptBool is a boolean member whose absence is not the same as false.
func OptBool[T any](name string, at func(*T) **bool) Member[T] {
	return optional(name, wantBool, at, func(d *decoder, b *bool) (ok bool) {
		*b, ok = d.readBool()
		return ok
	}, appendBool)
}

// Int is an integer member that is 0 when absent.
func Int[T any](name string, at func(*T) *int64) Member[T] {
	m := row(name, wantInt, at, func(d *decoder, n *int64) { *n, _ = d.readInt() }, appendInt)
	m.number = func(v *T) (int64, bool) { return *at(v), true }
	return m
}

// OptInt is an integer member whose absence is not the same as 0.
func OptInt[T any](name string, at func(*T) **int64) Member[T] {
	m := optional(name, wantInt, at, func(d *decoder, n *int64) (ok bool) {
		*n, ok = d.readInt()
		return ok
	}, appendInt)
	m.number = func(v *T) (int64, bool) {
		if n := *at(v); n != nil {
			return *n, true
		}
		return 0, false
	}
	return m
}

// Any is a member that may hold any JSON value, kept as it was written.
func Any[T any](name string, at func(*T) *json.RawMessage) Member[T] {
	return Member[T]{Declaration: Declaration{Name: name}, null: true, codec: codec[T]{
		field:  func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) bool { *at(v) = d.readRaw(); return true },
		append: func(dst []byte, v *T) []byte { return append(dst, *at(v)...) },
		has:    func(v *T) bool { return len(*at(v)) > 0 },
		clear:  func(v *T) { *at(v) = nil },
		detach: func(v *T) { *at(v) = slices.Clone(*at(v)) },
		equal:  func(a, b *T, _ bool) bool { return SameJSON(*at(a), *at(b)) },
		merge: func(v, patch *T) {
			if string(*at(patch)) == null {
				*at(v) = nil // a patch clears with null
				return
			}
			*at(v) = appendMerged(nil, *at(v), *at(patch))
		},
		dropNulls: func(v *T) {
			if string(*at(v)) == null {
				*at(v) = nil
			}
		},
	}}
}

// Strings is a member that is an array of strings.
func Strings[T any](name string, at func(*T) *[]string) Member[T] {
	return Member[T]{Declaration: Declaration{Name: name, want: wantStrings}, codec: codec[T]{
		field:  func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) (whole bool) { *at(v), whole = d.readStrings(); return whole },
		append: func(dst []byte, v *T) []byte { return appendStrings(dst, *at(v)) },
		has:    func(v *T) bool { return *at(v) != nil },
		clear:  func(v *T) { *at(v) = nil },
		detach: func(v *T) { *at(v) = slices.Clone(*at(v)) },
		equal:  func(a, b *T, _ bool) bool { return slices.Equal(*at(a), *at(b)) },
		merge:  func(v, patch *T) { *at(v) = slices.Clone(*at(patch)) },
	}}
}

// StringMap is a member that is an object of strings under any names.
func StringMap[T any](name string, at func(*T) *map[string]string) Member[T] {
	return Member[T]{Declaration: Declaration{Name: name, want: wantStringMap}, codec: codec[T]{
		field:  func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) (whole bool) { *at(v), whole = d.readStringMap(); return whole },
		append: func(dst []byte, v *T) []byte { return appendStringMap(dst, *at(v)) },
		has:    func(v *T) bool { return *at(v) != nil },
		clear:  func(v *T) { *at(v) = nil },
		detach: func(v *T) { *at(v) = maps.Clone(*at(v)) },
		equal:  func(a, b *T, _ bool) bool { return maps.Equal(*at(a), *at(b)) },
		merge: func(v, patch *T) {
			if *at(v) == nil {
				*at(v) = map[string]string{}
			}
			maps.Copy(*at(v), *at(patch))
		},
		keys: at,
		diff: func(a, b *T, place diag.Pointer, differs func(diag.Pointer)) bool {
			return diffMaps(*at(a), *at(b), place, differs)
		},
	}}
}

// Object is a member that is an object with a table of its own.
func Object[T, S any](name string, at func(*T) **S, t *Type[S]) Member[T] {
	return Member[T]{Declaration: Declaration{Name: name, want: wantObject}, codec: codec[T]{
		field: func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) bool {
			if !d.begin('{', wantObject) {
				*at(v) = nil
				return true
			}
			s := new(S)
			t.decode(d, s)
			*at(v) = s
			return true
		},
		append: func(dst []byte, v *T) []byte { return t.Append(dst, *at(v)) },
		has:    func(v *T) bool { return *at(v) != nil },
		clear:  func(v *T) { *at(v) = nil },
		detach: func(v *T) { *at(v) = t.Clone(*at(v)) },
		equal:  func(a, b *T, exact bool) bool { return t.equal(*at(a), *at(b), exact) },
		merge: func(v, patch *T) {
			if *at(v) == nil {
				*at(v) = new(S)
			}
			t.merge(*at(v), *at(patch))
		},
		dropNulls: func(v *T) { t.dropNulls(*at(v)) },
		diff: func(a, b *T, place diag.Pointer, differs func(diag.Pointer)) bool {
			if *at(a) == nil || *at(b) == nil {
				return false
			}
			t.Diff(*at(a), *at(b), place, differs)
			return true
		},
	}, inner: innerObject(at, t)}
}

// Array is a member that is an array of objects with a table of their own.
func Array[T, S any](name string, at func(*T) *[]S, t *Type[S], pairings ...Pairings[S]) Member[T] {
	return Member[T]{Declaration: Declaration{Name: name, want: wantArray}, codec: codec[T]{
		field:  func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) bool { *at(v) = decodeArray(d, t); return true },
		append: func(dst []byte, v *T) []byte { return appendArray(dst, *at(v), t) },
		has:    func(v *T) bool { return *at(v) != nil },
		clear:  func(v *T) { *at(v) = nil },
		detach: func(v *T) {
			*at(v) = slices.Clone(*at(v))
			for i := range *at(v) {
				t.detach(&(*at(v))[i])
			}
		},
		equal: func(a, b *T, exact bool) bool { return equalArrays(*at(a), *at(b), t, exact) },
		merge: func(v, patch *T) {
			*at(v) = slices.Clone(*at(patch))
			for i := range *at(v) {
				t.detach(&(*at(v))[i])
				t.dropNulls(&(*at(v))[i]) // an array is replaced: there is nothing that null could clear
			}
		},
		dropNulls: func(v *T) {
			for i := range *at(v) {
				t.dropNulls(&(*at(v))[i])
			}
		},
		diff: func(a, b *T, place diag.Pointer, differs func(diag.Pointer)) bool {
			return diffArrays(*at(a), *at(b), t, place, differs)
		},
		number: func(v *T) (int64, bool) { return int64(len(*at(v))), *at(v) != nil },
	}, inner: innerArray(at, t, pairings)}
}

// equalArrays compares by index: a function that is handed the elements would allocate them.
func equalArrays[S any](a, b []S, t *Type[S], exact bool) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !t.equal(&a[i], &b[i], exact) {
			return false
		}
	}
	return true
}
