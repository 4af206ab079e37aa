package rtdbauth

import (
	"slices"
	"strings"
)

// orZero returns v, or the zero value if the enumeration with these names does not have v. The
// zero value of every enumeration grants nothing.
func orZero[T ~uint8](names []string, v T) T {
	if int(v) >= len(names) {
		return 0
	}
	return v
}

func nameOf[T ~uint8](names []string, v T) string { return names[orZero(names, v)] }

// parse sets v to the value with the name, or to the zero value if there is none.
func parse[T ~uint8](v *T, names []string, name []byte) error {
	*v = T(max(slices.Index(names, string(name)), 0))
	return nil
}

// Set is a set of values of an enumeration. The zero value is empty.
type Set[T enum] uint32

type enum interface {
	~uint8
	String() string
}

func setOf[T enum](values ...T) Set[T] {
	var s Set[T]
	for _, v := range values {
		s |= 1 << v
	}
	return s
}

// Has reports whether v is in the set.
func (s Set[T]) Has(v T) bool { return s&(1<<v) != 0 }

// String lists the values. It returns "any" for the empty set, which matches any value in a [Row].
func (s Set[T]) String() string {
	if s == 0 {
		return "any"
	}
	var names []string
	for v := range T(32) {
		if s.Has(v) {
			names = append(names, v.String())
		}
	}
	return strings.Join(names, " / ")
}
