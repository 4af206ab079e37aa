package object

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/calrules/calrules/diag"
	"github.com/calrules/calrules/internal/jsonmerge"
	"github.com/calrules/calrules/internal/jsonscan"
)

// Table is the table for a kind of JSON object. The members are fields of the struct to which a P points. The type parameters
// in this package are pointers because the compiler generates the code of a generic function once for all pointer types, but
// separately for each struct type: with structs, a program that checks events was a third larger.
type Table[P any] struct {
	members []*Member[P]
	all     Set // the set of all members
	number  int // the number of the table, starting at 1
	extra   func(P) *Extra

	documents, google *names // the names in each dialect; the same if no member is renamed

	demands [64]atomic.Pointer[demands[P]] // indexed by the bit of the occasion; see demandsOn

	checked  Set          // the members that have constraints, or contain such members
	service  Set          // the members that the service writes, or that contain such members
	renamed  []*Member[P] // the members that have another name in a dialect
	shared   Set          // the members whose copies share memory
	nullable Set          // the members that may contain nulls
	defaults []*Member[P] // the members with a non-zero default, or that contain such members
	none     P            // the zero value, for a missing stored value; read-only

	nonZero    func(P) Set    // see NonZero
	hasService []func(P) bool // reports, for each member in service, whether v has a value

	fresh   func() P         // returns a pointer to a new zero value
	freshIn func(*decoder) P // like fresh, but uses [Reading.Memory] if possible
	set     func(v, to P)    // sets *v to *to
}

// Member is one row of a table: the declaration of a member. Create a Member with a function such as [String], [Bool], [Int] or
// [Object], and complete the declaration with the methods that return a Member.
type Member[P any] struct {
	Declaration
	bit  Set  // the set of only this member
	null bool // whether null is a valid value of the member

	quoted    [2]string // the name in each dialect, in quotes and with a colon; no name needs escapes
	renames   bool      // whether the names of values differ between dialects
	tolerated bool      // whether the public service accepts a value of another type; see [diag.Difference]
	accessors[P]
	nested nested[P]
}

// accessors are the operations on the field of a member in the struct to which a P points.
type accessors[P any] struct {
	decode    func(d *decoder, v P) (whole, has bool)       // whole is false if the input contains more than the decoded v
	append    func(in diag.Dialect, dst []byte, v P) []byte // called only if has returns true
	has       func(v P) bool                                // reports whether the field is not zero
	assign    func(v, from P)                               // assigns the field, so that v shares memory with from
	detach    func(v P)                                     // copies the memory that v shares with its original; may be nil
	equal     func(a, b P, exact bool) bool
	merge     func(v, patch P)                      // called only if has(patch) returns true
	dropNulls func(v P)                             // drops nulls within the member; may be nil
	hasNulls  func(v P) bool                        // whether there are nulls to drop; nil if dropNulls is nil
	keys      func(v P) *map[string]string          // returns the map of a [StringMap]; nil for other kinds
	text      func(v P) *string                     // returns the value of a [String]; nil for other kinds
	number    func(v P) (int64, bool)               // returns the value of an [Int] or a number of elements; nil for other kinds
	field     func(v P) any                         // returns the address of the field
	diff      func(a, b P, at *path, d differ) bool // reports the differences within; returns false to compare as JSON; may be nil

	setDefault func(v P) // sets absent members to their defaults, at any depth; nil if there are no defaults
}

// jsonType is the JSON type of a member.
type jsonType struct {
	name string
	want string // the key of the message part that describes the allowed values
}

var (
	stringType    = jsonType{"string", "a-string"}
	boolType      = jsonType{"boolean", "true-or-false"}
	intType       = jsonType{"integer", "an-integer"}
	stringsType   = jsonType{"array of strings", "strings"}
	stringMapType = jsonType{"map of strings", "a-map"}
	objectType    = jsonType{"object", "an-object"}
	arrayType     = jsonType{"array of objects", "an-array"}
	anyType       = jsonType{name: "any value"}
)

// maxMembers is the maximum number of members in a table, since a set of members has 64 bits.
const maxMembers = 63 // one bit of a [Set] represents unknown members

// tables counts the tables created so far.
var tables atomic.Int32

// NewTable returns a table with the given members. The function extra returns the field for values that no other field of the
// struct can represent.
func NewTable[T any](extra func(*T) *Extra, members ...Member[*T]) *Table[*T] {
	fresh := func() *T { return new(T) }
	t := &Table[*T]{extra: extra, fresh: fresh, freshIn: freshIn[T], none: fresh(), set: func(v, to *T) { *v = *to }}
	t.nonZero, t.number = t.NonZero, int(tables.Add(1))
	t.add(members)
	of := reflect.TypeFor[T]().Name() + "."
	for _, d := range differences() {
		if name, isMember := strings.CutPrefix(d.Member, of); isMember {
			t.members[indexOf(t.documents, name)].tolerated = true
		}
	}
	return t
}

var differences = sync.OnceValue(diag.Differences)

func freshIn[T any](d *decoder) *T {
	memory, ok := d.Memory.(*[]T)
	if !ok || len(*memory) == 0 {
		return new(T)
	}
	v := &(*memory)[0]
	*memory = (*memory)[1:]
	return v
}

// add adds the members to a table without members.
func (t *Table[P]) add(members []Member[P]) {
	if len(members) > maxMembers {
		panic("object: too many members")
	}
	t.members, t.documents = make([]*Member[P], 0, len(members)), newNames(len(members))
	for i := range members {
		m := &members[i]
		if indexOf(t.documents, m.Name) >= 0 {
			panic("object: a table has two members " + m.Name)
		}
		m.index, m.bit = i, 1<<i
		t.members = append(t.members, m)
		t.all |= m.bit
		m.place = diag.Pointer("/" + m.Name)
		m.quoted = [2]string{`"` + m.Name + `":`}
		m.quoted[diag.Google] = m.quoted[diag.Documents]
		if m.Google = diag.Google.Name(m.Name); m.Google != m.Name {
			t.renamed = append(t.renamed, m)
			m.quoted[diag.Google] = `"` + m.Google + `":`
		}
		t.documents.add(m.Name)
		if m.HasRenamedValues() {
			m.renames, m.append = true, m.appendValue
		}
		if m.setDefault != nil {
			t.defaults = append(t.defaults, m)
		}
		if m.isChecked() || m.nested.checked {
			t.checked |= m.bit
		}
		if m.Writer != Client || m.nested.service {
			t.service |= m.bit
			t.hasService = append(t.hasService, m.has)
		}
		if m.detach != nil {
			t.shared |= m.bit
		}
		if m.hasNulls != nil {
			t.nullable |= m.bit
		}
	}
	if t.google = t.documents; len(t.renamed) > 0 {
		t.google = newNames(len(members))
		for _, m := range t.members {
			t.google.add(m.Google)
		}
	}
}

// isNil reports whether v, which is a pointer, is nil.
func isNil[P any](v P) bool { return samePointer(v, *new(P)) }

func samePointer[P any](a, b P) bool { return any(a) == any(b) }

// Clone returns a deep copy of v.
func (t *Table[P]) Clone(v P) P {
	if isNil(v) {
		return v
	}
	c := t.shallow(v)
	t.Detach(c, t.shared)
	return c
}

func (t *Table[P]) shallow(v P) P {
	c := t.fresh()
	t.set(c, v)
	return c
}

// Detach copies the memory of the members in s, which v, as a shallow copy, shares with its original.
func (t *Table[P]) Detach(v P, s Set) {
	for s &= t.shared; s != 0; s &= s - 1 {
		t.first(s).detach(v)
	}
}

// Equal reports whether a and b have the same meaning. An absent member, null and the zero value of the Go type are
// considered equal; unknown members, and values of the wrong type, are compared as JSON values.
func (t *Table[P]) Equal(a, b P) bool { return t.equal(a, b, false) }

// Exact reports whether a and b have the same meaning and form. Unlike [Table.Equal], Exact distinguishes an explicit zero
// value from an absent member.
func (t *Table[P]) Exact(a, b P) bool { return t.equal(a, b, true) }

func (t *Table[P]) equal(a, b P, exact bool) bool {
	if isNil(a) || isNil(b) {
		return isNil(a) && isNil(b)
	}
	return t.equalMembers(a, b, exact)
}

// equalMembers is like equal, for values that are not nil.
func (t *Table[P]) equalMembers(a, b P, exact bool) bool {
	same := t.extra(a).kept == t.extra(b).kept // the usual case
	for s := t.Present(a) | t.Present(b); s != 0; s &= s - 1 {
		if m := t.first(s); !m.equal(a, b, exact) || !same && !t.sameKept(m, a, b, exact) {
			return false
		}
	}
	return same || t.extra(a).sameUnknown(t.extra(b))
}

func (t *Table[P]) memberEqual(m *Member[P], a, b P, exact bool) bool {
	same := t.extra(a).kept == t.extra(b).kept // the usual case
	return m.equal(a, b, exact) && (same || t.sameKept(m, a, b, exact))
}

// sameKept reports whether a and b have equal content for a member beyond its field.
func (t *Table[P]) sameKept(m *Member[P], a, b P, exact bool) bool {
	return t.sameText(m.Name, a, b) && (!exact || t.extra(a).WasSent(m.Name) == t.extra(b).WasSent(m.Name))
}

// sameText reports whether a and b have equal content for a member that its field cannot represent, such as a value of
// the wrong type.
func (t *Table[P]) sameText(name string, a, b P) bool {
	if t.extra(a).kept == t.extra(b).kept {
		return true
	}
	x, y := t.extra(a).beyond(name), t.extra(b).beyond(name)
	return SameJSON([]byte(x), []byte(y))
}

// row returns the row for a field, with the functions common to all types. The merge function of the row replaces the field as
// a whole.
func row[P, F any](name string, at func(P) *F, is jsonType) Member[P] {
	m := Member[P]{Declaration: Declaration{Name: name, is: is}, accessors: accessors[P]{
		field:  func(v P) any { return at(v) },
		assign: func(v, from P) { *at(v) = *at(from) },
	}}
	m.merge = m.assign
	return m
}

// scalar contains the functions that read and write values of a comparable type.
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

// fieldRow returns the row for a field that is zero if the member is absent.
func fieldRow[P any, F comparable](name string, at func(P) *F, s *scalar[F]) Member[P] {
	m := row(name, at, s.jsonType)
	m.decode = func(d *decoder, v P) (whole, has bool) {
		f, _ := s.read(d)
		*at(v) = f
		return true, f != *new(F)
	}
	m.append = func(_ diag.Dialect, dst []byte, v P) []byte { return s.write(dst, *at(v)) }
	m.has = func(v P) bool { return *at(v) != *new(F) }
	m.equal = func(a, b P, _ bool) bool { return *at(a) == *at(b) }
	return m
}

// pointerRow returns the row for a pointer field that is nil if the member is absent.
func pointerRow[P any, F comparable](name string, at func(P) **F, s *scalar[F]) Member[P] {
	m := row(name, at, s.jsonType)
	m.decode = func(d *decoder, v P) (whole, has bool) {
		f, has := s.read(d)
		if *at(v) = nil; has {
			*at(v) = new(f)
		}
		return true, has
	}
	m.append = func(_ diag.Dialect, dst []byte, v P) []byte { return s.write(dst, **at(v)) }
	m.has = func(v P) bool { return *at(v) != nil }
	m.detach = func(v P) {
		if f := *at(v); f != nil {
			*at(v) = new(*f)
		}
	}
	m.equal = func(a, b P, _ bool) bool {
		x, y := *at(a), *at(b)
		return x == y || x != nil && y != nil && *x == *y
	}
	return m
}

// String returns a string member for which "" is equivalent to absence.
func String[P any](name string, at func(P) *string) Member[P] {
	m := fieldRow(name, at, &stringScalar)
	m.text = at
	return m
}

// OptString returns a string member for which "" differs from absence.
func OptString[P any](name string, at func(P) **string) Member[P] {
	return pointerRow(name, at, &stringScalar)
}

// Bool returns a boolean member that is false when absent.
func Bool[P any](name string, at func(P) *bool) Member[P] {
	return fieldRow(name, at, &boolScalar)
}

// OptBool returns a boolean member for which false differs from absence.
func OptBool[P any](name string, at func(P) **bool) Member[P] {
	return pointerRow(name, at, &boolScalar)
}

// Int returns an integer member that is 0 when absent.
func Int[P any](name string, at func(P) *int64) Member[P] {
	m := fieldRow(name, at, &intScalar)
	m.number = func(v P) (int64, bool) { return *at(v), true }
	return m
}

// OptInt returns an integer member for which 0 differs from absence.
func OptInt[P any](name string, at func(P) **int64) Member[P] {
	m := pointerRow(name, at, &intScalar)
	m.number = func(v P) (int64, bool) {
		if n := *at(v); n != nil {
			return *n, true
		}
		return 0, false
	}
	return m
}

// Any returns a member that may be any JSON value, which is kept as written.
func Any[P any](name string, at func(P) *json.RawMessage) Member[P] {
	m := row(name, at, anyType)
	m.null = true
	m.decode = func(d *decoder, v P) (whole, has bool) {
		*at(v) = d.readRaw()
		return true, true
	}
	m.append = func(_ diag.Dialect, dst []byte, v P) []byte { return append(dst, *at(v)...) }
	m.has = func(v P) bool { return len(*at(v)) > 0 }
	m.detach = func(v P) { *at(v) = slices.Clone(*at(v)) }
	m.equal = func(a, b P, exact bool) bool { return sameAny(*at(a), *at(b), exact) }
	m.merge = func(v, patch P) {
		*at(v) = jsonmerge.AppendValid(nil, *at(v), *at(patch))
		m.dropNullsIfAny(v) // null clears a member in a patch
	}
	m.dropNulls = func(v P) { *at(v) = nil }
	m.hasNulls = func(v P) bool { return string(*at(v)) == null }
	return m
}

// sameAny reports whether two values of an [Any] are equal. Unless exact is set, null is equal to absence.
func sameAny(a, b json.RawMessage, exact bool) bool {
	isNone := func(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == null }
	return SameJSON(a, b) || !exact && isNone(a) && isNone(b)
}

// Strings returns a member that is an array of strings.
func Strings[P any](name string, at func(P) *[]string) Member[P] {
	m := row(name, at, stringsType)
	m.decode = func(d *decoder, v P) (whole, has bool) {
		list, whole := d.readStrings()
		*at(v) = list
		return whole, list != nil
	}
	m.append = func(_ diag.Dialect, dst []byte, v P) []byte { return jsonscan.AppendStrings(dst, *at(v)) }
	m.has = func(v P) bool { return *at(v) != nil }
	m.detach = func(v P) { *at(v) = slices.Clone(*at(v)) }
	m.equal = func(a, b P, _ bool) bool { return slices.Equal(*at(a), *at(b)) }
	return m
}

// StringMap returns a member that is an object with string values under arbitrary names.
func StringMap[P any](name string, at func(P) *map[string]string) Member[P] {
	m := row(name, at, stringMapType)
	m.keys = at
	m.decode = func(d *decoder, v P) (whole, has bool) {
		read, whole := d.readStringMap()
		*at(v) = read
		return whole, read != nil
	}
	m.append = func(_ diag.Dialect, dst []byte, v P) []byte { return appendStringMap(dst, *at(v)) }
	m.has = func(v P) bool { return *at(v) != nil }
	m.detach = func(v P) { *at(v) = maps.Clone(*at(v)) }
	m.equal = func(a, b P, _ bool) bool { return maps.Equal(*at(a), *at(b)) }
	m.merge = func(v, patch P) {
		merged := make(map[string]string, len(*at(v))+len(*at(patch)))
		maps.Copy(merged, *at(v))
		maps.Copy(merged, *at(patch))
		*at(v) = merged
	}
	return m
}

// Object returns a member that is an object described by a table.
func Object[P, Q any](name string, at func(P) *Q, t *Table[Q]) Member[P] {
	m := row(name, at, objectType)
	m.nested = nestedObject(at, t)
	m.setDefault = objectDefaults(at, t)
	m.decode = func(d *decoder, v P) (whole, has bool) {
		*at(v), has = t.decodeNew(d)
		return true, has
	}
	m.append = func(in diag.Dialect, dst []byte, v P) []byte { return t.AppendIn(in, dst, *at(v)) }
	m.has = func(v P) bool { return !isNil(*at(v)) }
	m.detach = func(v P) {
		if s := *at(v); !isNil(s) {
			*at(v) = t.Clone(s)
		}
	}
	m.equal = func(a, b P, exact bool) bool { return samePointer(*at(a), *at(b)) || t.equal(*at(a), *at(b), exact) }
	m.merge = func(v, patch P) {
		merged := t.fresh()
		if !isNil(*at(v)) {
			t.set(merged, *at(v))
		}
		t.Merge(merged, *at(patch))
		*at(v) = merged
	}
	m.dropNulls = func(v P) {
		*at(v) = t.shallow(*at(v))
		t.DropNulls(*at(v), All)
	}
	m.hasNulls = func(v P) bool { return !isNil(*at(v)) && t.HasNulls(*at(v), All) }
	m.diff = func(a, b P, in *path, d differ) bool {
		if isNil(*at(a)) || isNil(*at(b)) {
			return false
		}
		t.diff(d, *at(a), *at(b), in, All)
		return true
	}
	return m
}

// Array returns a member that is an array of objects described by a table.
func Array[P, S any](name string, at func(P) *[]S, t *Table[*S], pairings ...Pairings[S]) Member[P] {
	m := row(name, at, arrayType)
	m.nested = nestedArray(at, t, pairings)
	m.setDefault = arrayDefaults(at, t)
	m.decode = func(d *decoder, v P) (whole, has bool) {
		list, whole := decodeArray(t, d)
		*at(v) = list
		return whole, list != nil
	}
	m.append = func(in diag.Dialect, dst []byte, v P) []byte { return appendArray(t, in, dst, *at(v)) }
	m.has = func(v P) bool { return *at(v) != nil }
	m.detach = func(v P) { *at(v) = cloneArray(t, *at(v)) }
	m.equal = func(a, b P, exact bool) bool { return equalArrays(t, *at(a), *at(b), exact) }
	m.merge = func(v, patch P) {
		*at(v) = *at(patch)
		m.dropNullsIfAny(v) // the array is replaced, so null has nothing to clear
	}
	m.dropNulls = func(v P) { *at(v) = withoutNullsIn(t, *at(v)) }
	m.hasNulls = func(v P) bool { return anyHasNulls(t, *at(v)) }
	var pair Pairing[S]
	for _, p := range pairings {
		pair = p.Identity
	}
	m.diff = func(a, b P, in *path, d differ) bool { return diffArrays(t, *at(a), *at(b), in, d, pair) }
	m.number = func(v P) (int64, bool) { return int64(len(*at(v))), *at(v) != nil }
	return m
}

// sameArray reports whether two slices are the same part of the same array, or are both empty.
func sameArray[S any](a, b []S) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

func cloneArray[S any](t *Table[*S], list []S) []S {
	list = slices.Clone(list)
	if t.shared == 0 {
		return list
	}
	for i := range list {
		t.Detach(&list[i], t.shared)
	}
	return list
}

// equalArrays reports whether two arrays are equal, iterating by index, because passing the elements to a function would
// allocate them.
func equalArrays[S any](t *Table[*S], a, b []S, exact bool) bool {
	switch {
	case len(a) != len(b):
		return false
	case sameArray(a, b):
		return true
	}
	for i := range a {
		if !t.equalMembers(&a[i], &b[i], exact) {
			return false
		}
	}
	return true
}
