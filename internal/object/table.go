package object

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonscan"
	"github.com/calrules/calrules/limits"
)

// Type is the table of one JSON object, whose members are fields of a T.
type Type[T any] struct {
	members []*Member[T]
	index   map[string]int
	extra   func(*T) *Extra

	checked Set          // the members that have constraints, or contain some that have
	service Set          // the members that the service writes, or that contain some
	renamed []*Member[T] // the members that have another name in a dialect
	none    *T           // what is stored where nothing is; not to be written to
}

// Member is one row of a table: the declaration of a member. Make it with [String], [Bool],
// [Int], [Object] and the like, and add what else is known of it with the methods that return
// a Member.
type Member[T any] struct {
	Declaration
	bit  Set  // of the member alone
	null bool // whether null is a value of the member's type

	renames bool // whether values have other names in a dialect
	codec[T]
	inner inner[T]
}

// codec is what can be done with the field of a T that holds a member.
type codec[T any] struct {
	decode    func(d *decoder, v *T) (whole bool)              // false where the text holds more than v now does
	append    func(in limits.Dialect, dst []byte, v *T) []byte // called only where has is true
	has       func(v *T) bool                                  // false for the zero value of the field
	clear     func(v *T)
	detach    func(v *T) // copies what v shares with the value that it was copied from; may be nil
	equal     func(a, b *T, exact bool) bool
	merge     func(v, patch *T)                             // called only where has(patch) is true
	dropNulls func(v *T)                                    // drops null from what the member holds; may be nil
	keys      func(v *T) *map[string]string                 // the map of a [StringMap]; else nil
	text      func(v *T) *string                            // the value of a [String]; else nil
	number    func(v *T) (int64, bool)                      // the value of an [Int], or the number of elements; else nil
	field     func(v *T) any                                // the address of the field
	diff      func(a, b *T, at diag.Pointer, d Differ) bool // reports the differences within; returns false to compare the texts; may be nil
}

// jsonType is a type of members.
type jsonType struct {
	name string
	want string // what a value must be, for messages
}

var (
	stringType    = jsonType{"string", "a string"}
	boolType      = jsonType{"boolean", "true or false"}
	intType       = jsonType{"integer", "an integer"}
	stringsType   = jsonType{"array of strings", "an array of strings"}
	stringMapType = jsonType{"map of strings", "an object whose values are strings"}
	objectType    = jsonType{"object", "an object"}
	arrayType     = jsonType{"array of objects", "an array"}
	anyType       = jsonType{name: "any value"}
)

// maxMembers bounds a table, since sets of members are 64 bits.
const maxMembers = 63 // one bit of a [Set] is taken

// NewType makes a table. extra says where a T keeps what its fields cannot.
func NewType[T any](extra func(*T) *Extra, members ...Member[T]) *Type[T] {
	if len(members) > maxMembers {
		panic("object: too many members")
	}
	t := &Type[T]{index: make(map[string]int, len(members)), extra: extra, none: new(T)}
	for i := range members {
		m := &members[i]
		if _, twice := t.index[m.Name]; twice {
			panic("object: a table has two members " + m.Name)
		}
		t.index[m.Name], m.bit = i, 1<<i
		t.members = append(t.members, m)
		m.place = diag.Pointer("").Member(m.Name)
		if m.Google = limits.Google.Name(m.Name); m.Google != m.Name {
			t.renamed = append(t.renamed, m)
		}
		if m.hasRenamedValues() {
			m.renames, m.append = true, m.appendValue
		}
		if m.isChecked() || m.inner.checked {
			t.checked |= m.bit
		}
		if m.Writer != Client || m.inner.service {
			t.service |= m.bit
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
	for _, m := range t.members {
		if m.detach != nil {
			m.detach(v)
		}
	}
	t.extra(v).detach()
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
	for _, m := range t.members {
		if !t.memberEqual(m, a, b, exact) {
			return false
		}
	}
	return t.extra(a).sameUnknown(t.extra(b))
}

func (t *Type[T]) memberEqual(m *Member[T], a, b *T, exact bool) bool {
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

// kind is what can be done with the values of a type of fields.
type kind[F any] struct {
	jsonType
	decode func(d *decoder) (f F, whole bool) // the zero value if the text has a wrong type
	append func(in limits.Dialect, dst []byte, f F) []byte
	has    func(f F) bool
	clone  func(f F) F // nil if a copy of a field shares nothing with it
	equal  func(a, b F, exact bool) bool
}

// row returns the row of a field. A merge replaces the field as a whole.
func row[T, F any](name string, at func(*T) *F, k kind[F]) Member[T] {
	m := Member[T]{Declaration: Declaration{Name: name, is: k.jsonType}, codec: codec[T]{
		field:  func(v *T) any { return at(v) },
		decode: func(d *decoder, v *T) (whole bool) { *at(v), whole = k.decode(d); return whole },
		append: func(in limits.Dialect, dst []byte, v *T) []byte { return k.append(in, dst, *at(v)) },
		has:    func(v *T) bool { return k.has(*at(v)) },
		clear:  func(v *T) { *at(v) = *new(F) },
		equal:  func(a, b *T, exact bool) bool { return k.equal(*at(a), *at(b), exact) },
		merge:  func(v, patch *T) { *at(v) = *at(patch) },
	}}
	if k.clone != nil {
		m.detach = func(v *T) { *at(v) = k.clone(*at(v)) }
		m.merge = func(v, patch *T) { *at(v) = k.clone(*at(patch)) }
	}
	return m
}

// scalar is how the values of a comparable type are read and written.
type scalar[F comparable] struct {
	jsonType
	read  func(*decoder) (F, bool)
	write func([]byte, F) []byte
}

var (
	stringScalar = scalar[string]{stringType, (*decoder).readString, jsonscan.AppendQuote}
	boolScalar   = scalar[bool]{boolType, (*decoder).readBool, strconv.AppendBool}
	intScalar    = scalar[int64]{intType, (*decoder).readInt, appendInt}
)

// field is the kind of fields that are zero where the member is absent.
func (s scalar[F]) field() kind[F] {
	var zero F
	return kind[F]{
		jsonType: s.jsonType,
		decode:   func(d *decoder) (F, bool) { f, _ := s.read(d); return f, true },
		append:   func(_ limits.Dialect, dst []byte, f F) []byte { return s.write(dst, f) },
		has:      func(f F) bool { return f != zero },
		equal:    func(a, b F, _ bool) bool { return a == b },
	}
}

// pointer is the kind of fields that are nil where the member is absent.
func (s scalar[F]) pointer() kind[*F] {
	return kind[*F]{
		jsonType: s.jsonType,
		decode: func(d *decoder) (*F, bool) {
			if f, ok := s.read(d); ok {
				return new(f), true
			}
			return nil, true
		},
		append: func(_ limits.Dialect, dst []byte, f *F) []byte { return s.write(dst, *f) },
		has:    func(f *F) bool { return f != nil },
		clone: func(f *F) *F {
			if f == nil {
				return nil
			}
			return new(*f)
		},
		equal: func(a, b *F, _ bool) bool { return a == b || a != nil && b != nil && *a == *b },
	}
}

// String is a string member whose empty value says no more than its absence.
func String[T any](name string, at func(*T) *string) Member[T] {
	m := row(name, at, stringScalar.field())
	m.text = at
	return m
}

// OptString is a string member whose empty value has a meaning of its own.
func OptString[T any](name string, at func(*T) **string) Member[T] {
	return row(name, at, stringScalar.pointer())
}

// Bool is a boolean member that is false when absent.
func Bool[T any](name string, at func(*T) *bool) Member[T] {
	return row(name, at, boolScalar.field())
}

// OptBool is a boolean member whose absence is not the same as false.
func OptBool[T any](name string, at func(*T) **bool) Member[T] {
	return row(name, at, boolScalar.pointer())
}

// Int is an integer member that is 0 when absent.
func Int[T any](name string, at func(*T) *int64) Member[T] {
	m := row(name, at, intScalar.field())
	m.number = func(v *T) (int64, bool) { return *at(v), true }
	return m
}

// OptInt is an integer member whose absence is not the same as 0.
func OptInt[T any](name string, at func(*T) **int64) Member[T] {
	m := row(name, at, intScalar.pointer())
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
	m := row(name, at, kind[json.RawMessage]{
		jsonType: anyType,
		decode:   func(d *decoder) (json.RawMessage, bool) { return d.readRaw(), true },
		append:   func(_ limits.Dialect, dst []byte, raw json.RawMessage) []byte { return append(dst, raw...) },
		has:      func(raw json.RawMessage) bool { return len(raw) > 0 },
		clone:    slices.Clone[json.RawMessage],
		equal:    func(a, b json.RawMessage, _ bool) bool { return SameJSON(a, b) },
	})
	m.null = true
	m.merge = func(v, patch *T) {
		*at(v) = appendMerged(nil, *at(v), *at(patch))
		m.dropNulls(v) // a patch clears with null
	}
	m.dropNulls = func(v *T) {
		if string(*at(v)) == null {
			*at(v) = nil
		}
	}
	return m
}

// Strings is a member that is an array of strings.
func Strings[T any](name string, at func(*T) *[]string) Member[T] {
	return row(name, at, kind[[]string]{
		jsonType: stringsType,
		decode:   (*decoder).readStrings,
		append:   appendStrings,
		has:      func(list []string) bool { return list != nil },
		clone:    slices.Clone[[]string],
		equal:    func(a, b []string, _ bool) bool { return slices.Equal(a, b) },
	})
}

// StringMap is a member that is an object of strings under any names.
func StringMap[T any](name string, at func(*T) *map[string]string) Member[T] {
	m := row(name, at, kind[map[string]string]{
		jsonType: stringMapType,
		decode:   (*decoder).readStringMap,
		append:   appendStringMap,
		has:      func(m map[string]string) bool { return m != nil },
		clone:    maps.Clone[map[string]string],
		equal:    func(a, b map[string]string, _ bool) bool { return maps.Equal(a, b) },
	})
	m.keys = at
	m.merge = func(v, patch *T) {
		if *at(v) == nil {
			*at(v) = map[string]string{}
		}
		maps.Copy(*at(v), *at(patch))
	}
	return m
}

// Object is a member that is an object with a table of its own.
func Object[T, S any](name string, at func(*T) **S, t *Type[S]) Member[T] {
	m := row(name, at, kind[*S]{
		jsonType: objectType,
		decode:   t.decodeNew,
		append:   t.AppendIn,
		has:      func(s *S) bool { return s != nil },
		clone:    t.Clone,
		equal:    t.equal,
	})
	m.inner = innerObject(at, t)
	m.merge = func(v, patch *T) {
		if *at(v) == nil {
			*at(v) = new(S)
		}
		t.Merge(*at(v), *at(patch))
	}
	m.dropNulls = func(v *T) { t.DropNulls(*at(v)) }
	m.diff = func(a, b *T, place diag.Pointer, d Differ) bool {
		if *at(a) == nil || *at(b) == nil {
			return false
		}
		t.Diff(*at(a), *at(b), place, d)
		return true
	}
	return m
}

// Array is a member that is an array of objects with a table of their own.
func Array[T, S any](name string, at func(*T) *[]S, t *Type[S], pairings ...Pairings[S]) Member[T] {
	m := row(name, at, kind[[]S]{
		jsonType: arrayType,
		decode:   t.decodeArray,
		append:   t.appendArray,
		has:      func(list []S) bool { return list != nil },
		clone:    t.cloneArray,
		equal:    t.equalArrays,
	})
	m.inner = innerArray(at, t, pairings)
	m.merge = func(v, patch *T) {
		*at(v) = t.cloneArray(*at(patch))
		m.dropNulls(v) // an array is replaced: there is nothing that null could clear
	}
	m.dropNulls = func(v *T) {
		for i := range *at(v) {
			t.DropNulls(&(*at(v))[i])
		}
	}
	var pair Pairing[S]
	for _, p := range pairings {
		pair = p.Identity
	}
	m.diff = func(a, b *T, place diag.Pointer, d Differ) bool {
		return t.diffArrays(*at(a), *at(b), place, d, pair)
	}
	m.number = func(v *T) (int64, bool) { return int64(len(*at(v))), *at(v) != nil }
	return m
}

func (t *Type[T]) cloneArray(list []T) []T {
	list = slices.Clone(list)
	for i := range list {
		t.detach(&list[i])
	}
	return list
}

// equalArrays compares by index: a function that is handed the elements would allocate them.
func (t *Type[T]) equalArrays(a, b []T, exact bool) bool {
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
